//! The update of a training step: new parameters and new state of an optimizer as further results.
//!
//! Formulas are those of `torch.optim` for one tensor at a time, in the same order and with the same roundings. What depends
//! on the learning rate and the number of the step alone is computed in f64 on the host, once for each step, so a schedule
//! needs no other program.

use std::fmt;

use fx_ir::{Attribute, Builder, Op, Result, Type, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::gradient::{Conventions, fit};
use fx_ops::scalar::opmath;

use crate::interface::{Entries, Interface};
use crate::joint::{Arguments, Request, add_gradients};

/// What the names of an optimizer's state begin with: `optimizer.exp_avg.PARAMETER`.
pub const STATE: &str = "optimizer.";
/// The input that is the learning rate, an f64.
pub const LEARNING_RATE: &str = "learning_rate";
/// The input that is the number of the step, an i64; the first is 1.
pub const STEP: &str = "step";

/// How parameters follow from gradients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Optimizer {
    /// Stochastic gradient descent.
    Sgd(Sgd),
    /// Adam with decoupled weight decay.
    AdamW(AdamW),
}

/// Options of `torch.optim.SGD`, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sgd {
    /// How much of the last step's direction stays.
    pub momentum: f64,
    /// How much of the gradient does not go into the direction.
    pub dampening: f64,
    /// How much of the parameter is added to its gradient.
    pub weight_decay: f64,
    /// Nesterov's momentum.
    pub nesterov: bool,
}

/// Options of `torch.optim.AdamW`, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamW {
    /// How much of the running means of gradients and of their squares stays.
    pub betas: [f64; 2],
    /// Added to the denominator.
    pub eps: f64,
    /// How much of the parameter goes, times the learning rate.
    pub weight_decay: f64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 1e-2 }
    }
}

/// What a training step is.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    /// How parameters follow from gradients.
    pub optimizer: Optimizer,
    /// Conventions where there is no derivative.
    pub conventions: Conventions,
    /// Names of parameters that are one tensor: each has the gradient of all uses, and all get the new value.
    pub tied: Vec<Vec<String>>,
    /// Whether gradients stay among the results.
    pub keep_gradients: bool,
}

impl From<Optimizer> for Training {
    fn from(optimizer: Optimizer) -> Self {
        Self { optimizer, conventions: Conventions::Eager, tied: Vec::new(), keep_gradients: false }
    }
}

impl fmt::Display for Optimizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Optimizer::Sgd(Sgd { momentum, dampening, weight_decay, nesterov }) => {
                write!(f, "sgd momentum={momentum} dampening={dampening} weight_decay={weight_decay} nesterov={nesterov}")
            }
            Optimizer::AdamW(AdamW { betas: [first, second], eps, weight_decay }) => {
                write!(f, "adamw betas={first},{second} eps={eps:?} weight_decay={weight_decay}")
            }
        }
    }
}

impl Optimizer {
    /// What is wrong with the options, if anything.
    fn fault(&self) -> Option<String> {
        let share =
            |name: &str, value: f64| (!(0.0..1.0).contains(&value)).then(|| format!("{name} is {value}, expected at least 0 and below 1"));
        let positive = |name: &str, value: f64| (value < 0.0 || value.is_nan()).then(|| format!("{name} is {value}, expected at least 0"));
        match *self {
            Optimizer::Sgd(Sgd { momentum, dampening, weight_decay, nesterov }) => {
                let fault = positive("momentum", momentum).or_else(|| positive("weight decay", weight_decay));
                let alone = nesterov && (momentum <= 0.0 || dampening != 0.0);
                fault.or_else(|| alone.then(|| "Nesterov's momentum needs a momentum, and a dampening of 0".into()))
            }
            Optimizer::AdamW(AdamW { betas, eps, weight_decay }) => share("the first beta", betas[0])
                .or_else(|| share("the second beta", betas[1]))
                .or_else(|| positive("eps", eps))
                .or_else(|| positive("weight decay", weight_decay)),
        }
    }

    /// Names of what is kept for each parameter, in the order in which the rules take and give it.
    fn state(&self) -> &'static [&'static str] {
        match self {
            Optimizer::Sgd(Sgd { momentum: 0.0, .. }) => &[],
            Optimizer::Sgd(_) => &["momentum_buffer"],
            Optimizer::AdamW(_) => &["exp_avg", "exp_avg_sq"],
        }
    }
}

/// Makes a training step of a function whose only output is the loss: adds the gradients by all parameters, and the update.
/// A parameter without influence on the loss is left alone, as in PyTorch.
///
/// # Errors
/// If there is not one output of rank 0, an op on the way has no derivative, or as [`add_update`] does: reported.
pub fn add_training(function: Op<'_>, training: &Training) -> Result {
    let interface = Interface::read(function)?;
    let outputs: Vec<_> = (0..interface.result_count()).filter(|index| interface.result_kind(*index) == "output").collect();
    let types: Vec<_> = outputs.iter().map(|index| interface.end.operand(*index).ty()).collect();
    if !matches!(types[..], [ty] if ty.is_tensor() && ty.rank() == 0 && ty.element().is_float()) {
        let types: Vec<_> = types.iter().map(ToString::to_string).collect();
        let found = if types.is_empty() { "none".to_string() } else { types.join(", ") };
        return Err(interface.error(&format!("a training program has one output, the loss, a tensor of floats of rank 0; found: {found}")));
    }
    let request = Request {
        arguments: Arguments::Parameters,
        zeros: false,
        conventions: training.conventions,
        tied: training.tied.clone(),
        ..Request::default()
    };
    add_gradients(function, &request)?;
    add_update(function, training)
}

/// Adds the update to a function with gradients of parameters among its results: further arguments, the inputs
/// [`LEARNING_RATE`] and [`STEP`] and buffers `optimizer.STATE.PARAMETER`, zeros before the first step; further results, new
/// values of parameters and buffers. The gradients go, unless they are wanted.
///
/// # Errors
/// If an option is out of its range, there is no gradient of a parameter, or a parameter is complex or changed by the
/// function itself: reported.
pub fn add_update(function: Op<'_>, training: &Training) -> Result {
    let mut interface = Interface::read(function)?;
    if let Some(fault) = training.optimizer.fault() {
        return Err(interface.error(&fault));
    }
    let f = Fx { b: Builder::before(interface.end) };
    let updated = parameters(&interface, training)?;
    let text = |text: &str| Attribute::string(function.context(), text);
    let mut input = |name: &str, ty| interface.add_argument(ty, entries(function, "input", name));
    let rate = input(LEARNING_RATE, Type::f64(function.context()));
    let step = input(STEP, Type::int(function.context(), 64));
    let rule = Rule::new(f, training.optimizer, rate, step);
    let mut results = Vec::new();
    for Parameter { names, value, gradient } in updated {
        let kept = training.optimizer.state().iter().map(|state| format!("{STATE}{state}.{}", names[0]));
        let kept: Vec<_> = kept.map(|name| (interface.add_argument(value.ty(), entries(function, "buffer", &name)), name)).collect();
        let state: Vec<_> = kept.iter().map(|(value, _)| *value).collect();
        let (new, state) = rule.apply(value, gradient, &state)?;
        let new = fit(&f, new, value)?;
        results.extend(names.into_iter().map(|name| ("parameter_mutation", name, new)));
        results.extend(kept.into_iter().zip(state).map(|((_, name), value)| ("buffer_mutation", name, value)));
    }
    if !training.keep_gradients {
        let keep: Vec<_> = (0..interface.result_count()).map(|index| interface.result_kind(index) != "parameter_gradient").collect();
        interface.retain_results(|index| keep[index]);
    }
    for (kind, name, value) in results {
        interface.add_result(value, vec![("fx.kind", text(kind)), ("fx.mutates", text(&name))]);
    }
    interface.write();
    Ok(())
}

fn entries<'c>(function: Op<'c>, kind: &str, name: &str) -> Entries<'c> {
    let text = |text: &str| Attribute::string(function.context(), text);
    vec![("fx.kind", text(kind)), ("fx.target", text(name)), ("fx.name", text(name))]
}

/// A parameter that is updated.
struct Parameter<'c> {
    /// Its names; several, if parameters are tied.
    names: Vec<String>,
    value: Value<'c>,
    gradient: Value<'c>,
}

/// The parameters that have gradients, in the order of these; tied ones are one.
fn parameters<'c>(interface: &Interface<'c>, training: &Training) -> Result<Vec<Parameter<'c>>> {
    let mut found: Vec<Parameter<'c>> = Vec::new();
    let values = interface.end.operands();
    let argument = |name: &str| (0..interface.argument_count()).find(|index| interface.argument_text(*index, "fx.target") == Some(name));
    for (index, gradient) in values.iter().enumerate() {
        let name = interface.result_text(index, "fx.target").unwrap_or_default();
        match interface.result_kind(index) {
            "parameter_gradient" => {}
            "parameter_mutation" => {
                let name = interface.result_text(index, "fx.mutates").unwrap_or_default();
                return Err(interface.error(&format!("parameter '{name}' is changed by the function itself, it cannot be trained")));
            }
            _ => continue,
        }
        let Some(argument) = argument(name) else {
            return Err(interface.error(&format!("there is a gradient of '{name}', which is no argument")));
        };
        if found.iter().any(|parameter| parameter.names.iter().any(|other| other == name)) {
            continue; // tied: it has the gradient of the first
        }
        let value = interface.body.argument(argument);
        if !value.ty().element().is_float() {
            return Err(interface.error(&format!("parameter '{name}' is {}, only floats can be trained", value.ty())));
        }
        let tied = training.tied.iter().find(|names| names.iter().any(|other| other == name));
        let others = tied.into_iter().flatten().filter(|other| *other != name).cloned();
        let names = std::iter::once(name.to_string()).chain(others).collect();
        found.push(Parameter { names, value, gradient: *gradient });
    }
    if found.is_empty() {
        return Err(interface.error("there is no gradient of a parameter: differentiate by parameters that have influence on the loss"));
    }
    Ok(found)
}

/// An optimizer at one step: its options, and the numbers that are the same for all parameters.
struct Rule<'c> {
    f: Fx<'c>,
    options: Optimizer,
    /// What the direction is multiplied by before it is added: less than 0.
    scale: Value<'c>,
    /// AdamW: what of the parameter stays, and the correction of the denominator. SGD with dampening: the share of the
    /// gradient.
    numbers: Vec<Value<'c>>,
}

impl<'c> Rule<'c> {
    fn new(f: Fx<'c>, options: Optimizer, rate: Value<'c>, step: Value<'c>) -> Self {
        let double = Type::f64(f.context());
        let op = |name: &str, operands: &[Value<'c>]| f.b.value(name, operands, double, &[]);
        let one = f.number(1.0);
        match options {
            Optimizer::Sgd(Sgd { dampening, .. }) => {
                let scale = op("arith.negf", &[rate]);
                if dampening == 0.0 {
                    return Self { f, options, scale, numbers: Vec::new() };
                }
                let predicate = Attribute::i64(f.context(), EQUAL);
                let is_first = f.b.value("arith.cmpi", &[step, f.integer(1)], Type::int(f.context(), 1), &[("predicate", predicate)]);
                let share = op("arith.select", &[is_first, one, f.number(1.0 - dampening)]);
                Self { f, options, scale, numbers: vec![share] }
            }
            Optimizer::AdamW(AdamW { betas, weight_decay, .. }) => {
                let step = op("arith.sitofp", &[step]);
                let correction = |beta: f64| op("arith.subf", &[one, op("math.powf", &[f.number(beta), step])]);
                let scale = op("arith.negf", &[op("arith.divf", &[rate, correction(betas[0])])]);
                let stays = op("arith.subf", &[one, op("arith.mulf", &[rate, f.number(weight_decay)])]);
                let root = op("math.powf", &[correction(betas[1]), f.number(0.5)]);
                Self { f, options, scale, numbers: vec![stays, root] }
            }
        }
    }

    /// The new parameter and its new state.
    fn apply(&self, parameter: Value<'c>, gradient: Value<'c>, state: &[Value<'c>]) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        match self.options {
            Optimizer::Sgd(options) => self.sgd(options, parameter, gradient, state),
            Optimizer::AdamW(options) => self.adamw(options, parameter, gradient, state),
        }
    }

    fn sgd(&self, o: Sgd, parameter: Value<'c>, mut g: Value<'c>, state: &[Value<'c>]) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        let f = self.f;
        if o.weight_decay != 0.0 {
            g = f.op("fx.add", &[g, parameter], &[self.number("alpha", o.weight_decay)])?;
        }
        let mut kept = Vec::new();
        if let [buffer] = state {
            // 0 before the first step, which takes the whole gradient
            let share = self.numbers.first().map_or(Ok(g), |share| f.mul(g, *share))?;
            let buffer = f.add(f.mul(*buffer, f.number(o.momentum))?, share)?;
            g = if o.nesterov { f.op("fx.add", &[g, buffer], &[self.number("alpha", o.momentum)])? } else { buffer };
            kept.push(buffer);
        }
        Ok((self.moved(parameter, g, None)?, kept))
    }

    fn adamw(&self, o: AdamW, mut parameter: Value<'c>, g: Value<'c>, state: &[Value<'c>]) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        let f = self.f;
        if o.weight_decay != 0.0 {
            parameter = f.mul(parameter, self.numbers[0])?;
        }
        let mean = f.op("fx.lerp", &[state[0], g, f.number(1.0 - o.betas[0])], &[])?;
        let square = f.mul(state[1], f.number(o.betas[1]))?;
        let square = f.op("fx.addcmul", &[square, g, g], &[self.number("value", 1.0 - o.betas[1])])?;
        let root = f.div(f.sqrt(square)?, self.numbers[1])?;
        let denominator = f.add(root, f.number(o.eps))?;
        Ok((self.moved(parameter, mean, Some(denominator))?, vec![mean, square]))
    }

    /// `parameter + scale * direction / denominator`, rounded once, as one op of PyTorch.
    fn moved(&self, parameter: Value<'c>, direction: Value<'c>, denominator: Option<Value<'c>>) -> Result<Value<'c>> {
        let f = self.f;
        let wide = |x: Value<'c>| f.cast(x, opmath(f.context(), x.ty().element()));
        let mut change = f.mul(wide(direction)?, self.scale)?;
        if let Some(denominator) = denominator {
            change = f.div(change, wide(denominator)?)?;
        }
        f.cast(f.add(wide(parameter)?, change)?, parameter.ty().element())
    }

    fn number<'a>(&self, name: &'a str, value: f64) -> (&'a str, Attribute<'c>) {
        (name, Attribute::float(self.f.context(), Type::f64(self.f.context()), value))
    }
}

/// The predicate `eq` of `arith.cmpi`.
const EQUAL: i64 = 0;
