//! What reverse-mode rules build with: cotangents of results in, contributions to the cotangents of operands out.
//!
//! Casts, sums over broadcast dims and the real part of a gradient of a real operand are applied once, in [`fit`]; a rule
//! computes in the type of [`opmath`] and gives what comes out. Complex numbers: a cotangent is the conjugate Wirtinger
//! derivative, so linear factors are conjugated ([`Back::conj`]).

use std::cell::RefCell;
use std::ops::Deref;

use fx_ir::{Attribute, Builder, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::scalar::opmath;

/// Which conventions derivatives follow where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Conventions {
    /// PyTorch's eager mode, bit for bit where it can be.
    #[default]
    Eager,
    /// Without NaN where a limit exists, and the same choice at ties everywhere.
    Sane,
}

/// Reverse mode at one op. It builds as an [`Fx`] does.
pub struct Back<'c> {
    f: Fx<'c>,
    /// The op that is differentiated.
    pub op: FxOp<'c>,
    /// Which conventions hold.
    pub conventions: Conventions,
    cotangents: Vec<Option<Value<'c>>>,
    wanted: Vec<bool>,
    given: RefCell<Vec<(usize, Value<'c>)>>,
}

impl<'c> Deref for Back<'c> {
    type Target = Fx<'c>;

    fn deref(&self) -> &Fx<'c> {
        &self.f
    }
}

impl<'c> Back<'c> {
    /// Starts at `op`: `cotangents` of its results (none is zero), and which operands' cotangents are wanted.
    pub fn new(b: Builder<'c>, op: FxOp<'c>, cotangents: Vec<Option<Value<'c>>>, wanted: Vec<bool>, conventions: Conventions) -> Self {
        Self { f: Fx { b }, op, conventions, cotangents, wanted, given: RefCell::default() }
    }

    /// What the rule gave: operands' places and contributions, in order.
    pub fn finish(self) -> Vec<(usize, Value<'c>)> {
        self.given.into_inner()
    }

    //--- in --------------------------------------------------------------------------

    /// The cotangent of result 0, widened.
    ///
    /// # Errors
    /// If there is none (another result has one): reported.
    pub fn g(&self) -> Result<Value<'c>> {
        match self.cotangent(0)? {
            Some(g) => Ok(g),
            None => Err(self.op.error("internal bug: its derivative rule expects a cotangent of result 0")),
        }
    }

    /// The cotangent of a result, widened; none is zero.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn cotangent(&self, index: usize) -> Result<Option<Value<'c>>> {
        self.raw_cotangent(index).map(|g| self.widened(g)).transpose()
    }

    /// The cotangent of a result in the result's own type; none is zero.
    pub fn raw_cotangent(&self, index: usize) -> Option<Value<'c>> {
        self.cotangents.get(index).copied().flatten()
    }

    /// The cotangent of a result, widened; a tensor of zeros if it is zero.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn cotangent_or_zeros(&self, index: usize) -> Result<Value<'c>> {
        match self.cotangent(index)? {
            Some(g) => Ok(g),
            None => self.widened(self.zeros_like(self.op.op.result(index))?),
        }
    }

    /// The operand of a group that has exactly one, widened; a number stays.
    ///
    /// # Errors
    /// If it is absent: reported.
    pub fn x(&self, name: &str) -> Result<Value<'c>> {
        self.widened(self.op.operand(name)?)
    }

    /// A result, widened.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn y(&self, index: usize) -> Result<Value<'c>> {
        self.widened(self.op.op.result(index))
    }

    /// A tensor in the type that its derivatives are computed in: f32 for halves.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn widened(&self, x: Value<'c>) -> Result<Value<'c>> {
        if x.ty().is_tensor() { self.cast(x, opmath(self.context(), x.ty().element())) } else { Ok(x) }
    }

    /// Whether the cotangent of the operand of this group is wanted; of a list, of any of it.
    pub fn wants(&self, name: &str) -> bool {
        self.op.range(name).any(|place| self.wanted[place])
    }

    /// Whether the cotangent of the operand at `place` is wanted.
    pub fn wants_place(&self, place: usize) -> bool {
        self.wanted.get(place).copied().unwrap_or(false)
    }

    /// Whether the cotangent of entry `index` of a list of operands is wanted.
    pub fn wants_nth(&self, name: &str, index: usize) -> bool {
        self.op.range(name).nth(index).is_some_and(|place| self.wanted[place])
    }

    //--- out -------------------------------------------------------------------------

    /// Adds to the cotangent of the operand of a group that has one. What nobody wants is dropped, so a rule may give it all
    /// the same where it costs nothing to build.
    pub fn give(&self, name: &str, value: Value<'c>) {
        self.give_nth(name, 0, value);
    }

    /// A rule that gives one contribution.
    ///
    /// # Errors
    /// Never: it ends a rule.
    pub fn only(&self, name: &str, value: Value<'c>) -> Result {
        self.give(name, value);
        Ok(())
    }

    /// Adds to the cotangent of entry `index` of a list of operands.
    pub fn give_nth(&self, name: &str, index: usize, value: Value<'c>) {
        if let Some(place) = self.op.range(name).nth(index) {
            self.give_place(place, value);
        }
    }

    /// Adds to the cotangent of the operand at `place`.
    pub fn give_place(&self, place: usize, value: Value<'c>) {
        if self.wanted.get(place).copied().unwrap_or(false) {
            self.given.borrow_mut().push((place, value));
        }
    }

    //--- building --------------------------------------------------------------------

    /// The conjugate; a real tensor is its own.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn conj(&self, x: Value<'c>) -> Result<Value<'c>> {
        conj(&self.f, x)
    }

    /// Zeros of the type and sizes of a tensor.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn zeros_like(&self, x: Value<'c>) -> Result<Value<'c>> {
        zeros_like(&self.f, x)
    }
}

/// Forward mode at one op. It builds as an [`Fx`] does.
pub struct Forth<'c> {
    f: Fx<'c>,
    /// The op that is differentiated.
    pub op: FxOp<'c>,
    tangents: Vec<Option<Value<'c>>>,
}

impl<'c> Deref for Forth<'c> {
    type Target = Fx<'c>;

    fn deref(&self) -> &Fx<'c> {
        &self.f
    }
}

impl<'c> Forth<'c> {
    /// Starts at `op` with the tangents of all operands (none is zero).
    pub fn new(b: Builder<'c>, op: FxOp<'c>, tangents: Vec<Option<Value<'c>>>) -> Self {
        Self { f: Fx { b }, op, tangents }
    }

    /// The tangent of the operand of a group that has one; none is zero.
    pub fn tangent(&self, name: &str) -> Option<Value<'c>> {
        self.tangents.get(self.op.range(name).next()?).copied().flatten()
    }
}

/// The conjugate; a real tensor is its own.
///
/// # Errors
/// None that a caller can cause.
pub fn conj<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    if x.ty().is_tensor() && x.ty().element().is_complex() { f.op("fx.conj", &[x], &[]) } else { Ok(x) }
}

/// Zeros of the type and sizes of a tensor.
///
/// # Errors
/// None that a caller can cause.
pub fn zeros_like<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    full(f, x, 0.0)
}

/// Ones of the type and sizes of a tensor.
///
/// # Errors
/// None that a caller can cause.
pub fn ones_like<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    full(f, x, 1.0)
}

fn full<'c>(f: &Fx<'c>, x: Value<'c>, value: f64) -> Result<Value<'c>> {
    f.op("fx.full_like", &[x, f.number(value)], &[("dtype", Attribute::from_type(x.ty().element()))])
}

/// A contribution as the cotangent of `operand`: real if that is real, summed over dims that were broadcast, expanded over
/// those where it is the same everywhere, in the operand's type. Sums are computed before the cast, as PyTorch does.
///
/// # Errors
/// If the shapes have nothing to do with each other: reported.
pub fn fit<'c>(f: &Fx<'c>, mut value: Value<'c>, operand: Value<'c>) -> Result<Value<'c>> {
    let ty = operand.ty();
    if value.ty().element().is_complex() && !ty.element().is_complex() {
        value = f.op("fx.real", &[value], &[])?;
    }
    value = fit_shape(f, value, operand)?;
    value = f.cast(value, ty.element())?;
    Ok(f.known_as(value, ty))
}

fn fit_shape<'c>(f: &Fx<'c>, mut value: Value<'c>, operand: Value<'c>) -> Result<Value<'c>> {
    let shape = operand.ty().shape();
    let own = value.ty().shape();
    let lead = own.len().saturating_sub(shape.len());
    let summed: Vec<_> =
        (lead..own.len()).filter(|dim| own[*dim] != 1 && shape[dim - lead + shape.len().saturating_sub(own.len())] == 1).collect();
    if !summed.is_empty() {
        value = f.reduce("fx.sum", value, &summed, true)?;
    }
    if lead > 0 {
        value = f.reduce("fx.sum", value, &(0..lead).collect::<Vec<_>>(), false)?;
    }
    let own = value.ty().shape();
    let missing = shape.len() - own.len();
    let differs = |dim: usize| own[dim] == 1 && shape[dim + missing] != 1;
    if missing > 0 || (0..own.len()).any(differs) {
        value = f.expand(value, &f.dims(operand))?;
    }
    Ok(value)
}

/// A cotangent and a further contribution to it.
///
/// # Errors
/// None that a caller can cause.
pub fn accumulate<'c>(f: &Fx<'c>, first: Value<'c>, next: Value<'c>) -> Result<Value<'c>> {
    let sum = f.add(first, next)?;
    Ok(f.known_as(sum, first.ty()))
}

/// Whether a tensor of this type has derivatives.
pub fn is_differentiable(ty: Type<'_>) -> bool {
    ty.is_tensor() && (ty.element().is_float() || ty.element().is_complex())
}

/// The sizes of `x` with size 1 in `dims`.
pub fn kept<'c>(f: &Fx<'c>, x: Value<'c>, dims: &[usize]) -> Vec<Dim<'c>> {
    let mut sizes = f.dims(x);
    dims.iter().for_each(|dim| sizes[*dim] = Dim::Static(1));
    sizes
}
