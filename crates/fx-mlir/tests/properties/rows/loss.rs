//! Losses and their gradients.

use fx_interp::{Array, DType};

use super::real;
use crate::case::Case;
use crate::draw::{Domain, Draw, FLOATS, POSITIVE, SMALL};
use crate::{Row, STABLE, TERMS, row};

/// Probabilities.
const UNIT: Domain = Domain::Range(0.05, 0.95);

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.binary_cross_entropy", STABLE, |d| {
        let loss = Loss::new(d);
        let weight = d.maybe(|d| d.array(loss.dtype, &loss.shape, POSITIVE));
        loss.reduced(loss.pair(d, UNIT, UNIT)).maybe(weight, |c, w| c.with("weight", w))
    }),
    row("fx.binary_cross_entropy_backward", STABLE, |d| {
        let loss = Loss::new(d);
        let weight = d.maybe(|d| d.array(loss.dtype, &loss.shape, POSITIVE));
        loss.reduced(loss.gradient(d, UNIT, UNIT)).maybe(weight, |c, w| c.with("weight", w))
    }),
    row("fx.binary_cross_entropy_with_logits", STABLE, |d| {
        let loss = Loss::new(d);
        let weights = [d.maybe(|d| d.array(loss.dtype, &loss.shape, POSITIVE)), d.maybe(|d| d.array(loss.dtype, &loss.shape, POSITIVE))];
        let [weight, positive] = weights;
        loss.reduced(loss.pair(d, SMALL, UNIT)).maybe(weight, |c, w| c.with("weight", w)).maybe(positive, |c, w| c.with("pos_weight", w))
    }),
    row("fx.cross_entropy_loss", TERMS, |d| {
        let classes = Classes::new(d);
        let smoothing = d.maybe(|d| real(d, 0.0, 0.5));
        let x = d.array(classes.dtype, &classes.shape, SMALL);
        let case = if d.once_in(3) {
            let target = d.array(classes.dtype, &classes.shape, UNIT);
            Case::new(d).with("input", x).with("target", target)
        } else {
            Case::new(d).with("input", x).with("target", classes.target.clone())
        };
        let case = classes.told(d, case);
        case.maybe(smoothing, |c, x| c.float("label_smoothing", x))
    }),
    row("fx.huber_loss", STABLE, |d| {
        let (loss, delta) = (Loss::new(d), d.maybe(|d| real(d, 0.25, 3.0)));
        loss.reduced(loss.pair(d, SMALL, SMALL)).maybe(delta, |c, x| c.float("delta", x))
    }),
    row("fx.huber_loss_backward", STABLE, |d| {
        let (loss, delta) = (Loss::given(d), real(d, 0.25, 3.0));
        loss.reduced(loss.gradient(d, SMALL, SMALL)).float("delta", delta)
    }),
    row("fx.kl_div", STABLE, |d| {
        let (loss, log) = (Loss::new(d), d.flip());
        let case = loss.reduced(loss.pair(d, SMALL, if log { SMALL } else { Domain::Range(0.0, 1.0) }));
        if log { case.bool("log_target", true) } else { case }
    }),
    row("fx.l1_loss", STABLE, |d| {
        let loss = Loss::new(d);
        loss.reduced(loss.pair(d, SMALL, SMALL))
    }),
    row("fx.mse_loss", STABLE, |d| {
        let loss = Loss::new(d);
        loss.reduced(loss.pair(d, SMALL, SMALL))
    }),
    row("fx.mse_loss_backward", STABLE, |d| {
        let loss = Loss::given(d);
        loss.reduced(loss.gradient(d, SMALL, SMALL))
    }),
    row("fx.nll_loss", STABLE, |d| {
        let classes = Classes::new(d);
        let case = classes.pair(d);
        classes.told(d, case)
    }),
    row("fx.nll_loss_backward", STABLE, |d| {
        let classes = Classes::new(d);
        let case = classes.pair(d);
        let reduction = d.below(3) as i64;
        let shape = if reduction == 0 { classes.target.shape().to_vec() } else { Vec::new() };
        let (g, total) = (d.array(classes.dtype, &shape, SMALL), d.array(classes.dtype, &[], POSITIVE));
        let case = case.with("grad_output", g).with("total_weight", total).int("reduction", reduction);
        classes.weighted(d, case).fixed_sizes("ignore_index", &[classes.ignored])
    }),
    row("fx.nll_loss_forward", STABLE, |d| {
        let classes = Classes::new(d);
        let case = classes.pair(d).int("reduction", d.below(3) as i64);
        classes.weighted(d, case).fixed_sizes("ignore_index", &[classes.ignored])
    })
    .differentiated(&[0]),
    row("fx.smooth_l1_loss", STABLE, |d| {
        let (loss, beta) = (Loss::new(d), d.maybe(|d| real(d, 0.0, 3.0)));
        loss.reduced(loss.pair(d, SMALL, SMALL)).maybe(beta, |c, x| c.float("beta", x))
    }),
    row("fx.smooth_l1_loss_backward", STABLE, |d| {
        let (loss, beta) = (Loss::given(d), real(d, 0.25, 3.0));
        loss.reduced(loss.gradient(d, SMALL, SMALL)).float("beta", beta)
    }),
    row("fx.soft_margin_loss", STABLE, |d| {
        let loss = Loss::new(d);
        loss.reduced(loss.pair(d, SMALL, SMALL))
    }),
    row("fx.soft_margin_loss_backward", STABLE, |d| {
        let loss = Loss::given(d);
        loss.reduced(loss.gradient(d, SMALL, SMALL))
    }),
];

/// A loss of elements.
struct Loss {
    dtype: DType,
    shape: Vec<usize>,
    reduction: Option<i64>,
}

impl Loss {
    fn new(d: &mut Draw<'_>) -> Self {
        Loss { dtype: d.pick(FLOATS), shape: d.shape(0, 4), reduction: d.maybe(|d| d.below(3) as i64) }
    }

    /// With a reduction that is told.
    fn given(d: &mut Draw<'_>) -> Self {
        Loss { dtype: d.pick(FLOATS), shape: d.shape(0, 4), reduction: Some(d.below(3) as i64) }
    }

    fn pair(&self, d: &mut Draw<'_>, inputs: Domain, targets: Domain) -> Case {
        let (x, t) = (d.array(self.dtype, &self.shape, inputs), d.array(self.dtype, &self.shape, targets));
        Case::new(d).with("input", x).with("target", t)
    }

    fn gradient(&self, d: &mut Draw<'_>, inputs: Domain, targets: Domain) -> Case {
        let each = self.reduction == Some(0);
        let g = d.array(self.dtype, if each { &self.shape } else { &[] }, SMALL);
        self.pair(d, inputs, targets).with("grad_output", g)
    }

    fn reduced(&self, case: Case) -> Case {
        case.maybe(self.reduction, |c, x| c.int("reduction", x))
    }
}

/// A loss of classes: the class dim is 1, or 0 without a batch.
struct Classes {
    dtype: DType,
    shape: Vec<usize>,
    count: usize,
    target: Array,
    ignored: i64,
}

impl Classes {
    fn new(d: &mut Draw<'_>) -> Self {
        let (dtype, shape) = (d.pick(FLOATS), d.filled_shape(1, 4));
        let place = usize::from(shape.len() > 1);
        let count = shape[place];
        let mut own = shape.clone();
        own.remove(place);
        let ignored = d.pick(&[-100, 0, 1]);
        let target = d.positions(DType::I64, &own, count);
        let skipped = d.array(DType::Bool, &own, SMALL).values::<bool>();
        let values = target.values::<i64>().into_iter().zip(skipped);
        let values: Vec<i64> = values.map(|(class, skipped)| if ignored == -100 && skipped { ignored } else { class }).collect();
        Classes { dtype, count, target: Array::new(DType::I64, &own, values).expect("a small tensor"), shape, ignored }
    }

    fn pair(&self, d: &mut Draw<'_>) -> Case {
        let x = d.array(self.dtype, &self.shape, SMALL);
        Case::new(d).with("input", x).with("target", self.target.clone())
    }

    fn weighted(&self, d: &mut Draw<'_>, case: Case) -> Case {
        let weight = d.maybe(|d| d.array(self.dtype, &[self.count], POSITIVE));
        case.maybe(weight, |c, w| c.with("weight", w))
    }

    /// With weights, a reduction and the class to ignore.
    fn told(&self, d: &mut Draw<'_>, case: Case) -> Case {
        let reduction = d.maybe(|d| d.below(3) as i64);
        let case = self.weighted(d, case).maybe(reduction, |c, x| c.int("reduction", x));
        if self.ignored == -100 { case } else { case.fixed_sizes("ignore_index", &[self.ignored]) }
    }
}
