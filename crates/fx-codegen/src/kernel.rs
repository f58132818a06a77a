//! A kernel function of phase `kernels`, read: arguments, sizes, iteration space.

use fx_ir::{Attribute, Block, Op, Result, Type, Value, emit_error};

use crate::scatter::{Scatter, is_view};

/// A size inside a kernel: a number, or the kernel argument that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Known at compile time.
    Known(i64),
    /// The `index` argument with this number.
    Argument(usize),
}

/// An argument that a result starts as a copy of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenOver {
    /// The argument.
    pub argument: usize,
    /// Whether the kernel reads it for nothing else.
    pub is_only_use: bool,
}

/// A kernel function.
pub struct Kernel<'c> {
    /// The `func.func`.
    pub op: Op<'c>,
    /// Its name.
    pub name: &'c str,
    /// Its block.
    pub body: Block<'c>,
    /// Per argument: sizes of a tensor, none for a number.
    pub argument_dims: Vec<Vec<Size>>,
    /// Per result: its sizes.
    pub result_dims: Vec<Vec<Size>>,
    /// The iteration space.
    pub space: Vec<Size>,
    /// Per dim of the space: whether the kernel's reductions reduce it, or its scans run along it.
    pub reduced: Vec<bool>,
    /// The run-time checks in its bodies, with their numbers among the messages that a call holds.
    pub checks: Vec<(usize, Op<'c>)>,
}

impl<'c> Kernel<'c> {
    /// Reads a function that `fx-form-kernels` made; none if it is not one.
    ///
    /// # Errors
    /// If its attributes are wrong: reported at the function.
    pub fn new(op: Op<'c>) -> Result<Option<Self>> {
        if op.name() != "func.func" || op.attribute("fx.kernel").is_none() {
            return Ok(None);
        }
        let wrong = |what: &str| emit_error(op.location(), &format!("kernel function has no legal '{what}'"), &[]);
        let name = op.text("sym_name").ok_or_else(|| wrong("sym_name"))?;
        let body = op.body(0).ok_or_else(|| wrong("body"))?;
        let list = |name: &str| op.attribute(name).and_then(Attribute::as_array).ok_or_else(|| wrong(name));
        let argument_dims = list("fx.argument_dims")?
            .into_iter()
            .map(|dims| sizes(dims).ok_or_else(|| wrong("fx.argument_dims")))
            .collect::<Result<Vec<_>>>()?;
        let result_dims = list("res_attrs")?
            .into_iter()
            .map(|entry| {
                let dims = entry.as_dictionary()?.into_iter().find(|(name, _)| *name == "fx.dims")?.1;
                sizes(dims)
            })
            .map(|dims| dims.ok_or_else(|| wrong("fx.dims")))
            .collect::<Result<Vec<_>>>()?;
        let space = op.attribute("fx.space").and_then(sizes).ok_or_else(|| wrong("fx.space"))?;
        let reduced = op
            .attribute("fx.reduced")
            .and_then(Attribute::as_bools)
            .filter(|reduced| reduced.len() == space.len())
            .ok_or_else(|| wrong("fx.reduced"))?;
        let mut asserts = Vec::new();
        op.walk(&mut |inner| asserts.extend((inner.name() == "cf.assert").then_some(inner)));
        let number = |check: Op<'c>| check.text("msg").and_then(|text| text.parse().ok()).ok_or_else(|| wrong("msg"));
        let checks = asserts.into_iter().map(|check| Ok((number(check)?, check))).collect::<Result<Vec<_>>>()?;
        let arguments = body.arguments();
        let shapes_fit = arguments.len() == argument_dims.len()
            && arguments.iter().zip(&argument_dims).all(|(value, dims)| value.ty().rank() == dims.len());
        let sizes_exist = argument_dims.iter().chain(&result_dims).flatten().chain(&space).all(|size| match size {
            Size::Known(size) => *size >= 0,
            Size::Argument(index) => arguments.get(*index).is_some_and(|value| value.ty().is_index()),
        });
        if !shapes_fit || !sizes_exist {
            return Err(wrong("fx.argument_dims"));
        }
        Ok(Some(Self { op, name, body, argument_dims, result_dims, space, reduced, checks }))
    }

    /// What it returns.
    pub fn results(&self) -> Vec<Value<'c>> {
        self.body.terminator().map(Op::operands).unwrap_or_default()
    }

    /// The argument that a result starts as a copy of, if it does.
    pub fn written_over(&self, result: usize) -> Option<WrittenOver> {
        let scatter = Scatter::of_value(*self.results().get(result)?)?;
        let mut value = scatter.input();
        let mut is_only_use = value.uses().len() == 1;
        while let Some(op) = value.defining_op().filter(|op| is_view(*op)) {
            value = op.operand(0);
            is_only_use &= value.uses().len() == 1;
        }
        let (_, argument) = value.block_argument()?;
        Some(WrittenOver { argument, is_only_use })
    }

    /// Whether it has row reductions, or scans.
    pub fn has_rows(&self) -> bool {
        self.reduced.contains(&true)
    }

    /// The space without reduced dims.
    pub fn rows(&self) -> Vec<Size> {
        self.space.iter().zip(&self.reduced).filter(|(_, reduced)| !**reduced).map(|(size, _)| *size).collect()
    }

    /// Sizes of the reduced dims.
    pub fn inner(&self) -> Vec<Size> {
        self.space.iter().zip(&self.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect()
    }

    /// The type that an element has in memory: bools take a byte.
    pub fn memory_type(element: Type<'c>, context: &'c fx_ir::Context) -> Type<'c> {
        if element.is_bool() { Type::int(context, 8) } else { element }
    }
}

fn sizes(attribute: Attribute<'_>) -> Option<Vec<Size>> {
    attribute
        .as_array()?
        .into_iter()
        .map(|dim| match dim.as_str() {
            Some(name) => name.strip_prefix("arg")?.parse().ok().map(Size::Argument),
            None => dim.as_int().map(Size::Known),
        })
        .collect()
}

/// The product of sizes, if all are known.
pub fn known_product(sizes: &[Size]) -> Option<i64> {
    sizes.iter().try_fold(1i64, |product, size| match size {
        Size::Known(size) => product.checked_mul(*size),
        Size::Argument(_) => None,
    })
}
