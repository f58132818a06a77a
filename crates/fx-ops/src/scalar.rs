//! Scalar arithmetic inside a loop body: one method per operation, right for each kind of number.
//!
//! Integers wrap. Unsigned values (`ui8` in fx) are held in signless integers; [`Number`] remembers the sign. Floats
//! narrower than 32 bits are only stored: bodies compute in `f32` and round once, as PyTorch's kernels do (`opmath`).

use fx_ir::{Attribute, Block, Builder, Context, NumberKind, Type, Value};

/// A scalar with the fx element type that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Number<'c> {
    /// The value; unsigned types are signless here.
    pub value: Value<'c>,
    /// The element type in fx (`ui8` is kept).
    pub ty: Type<'c>,
}

/// The type that holds an fx element in `linalg` and below: `ui8` becomes `i8`.
pub fn storage_type(ty: Type<'_>) -> Type<'_> {
    if ty.number_kind() == NumberKind::Unsigned {
        return Type::signless_like(ty);
    }
    ty
}

/// The type that arithmetic of this element type is done in: `f32` for narrower floats, itself otherwise.
pub fn opmath<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    if ty.is_float() && ty.bit_width() < 32 { Type::f32(context) } else { ty }
}

/// Comparison predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Compare {
    /// `arith.cmpf` predicate: ordered, except that `!=` is true for NaN.
    fn float(self) -> i64 {
        match self {
            Compare::Eq => 1,
            Compare::Gt => 2,
            Compare::Ge => 3,
            Compare::Lt => 4,
            Compare::Le => 5,
            Compare::Ne => 13,
        }
    }

    /// `arith.cmpi` predicate.
    fn integer(self, unsigned: bool) -> i64 {
        let signed = match self {
            Compare::Eq => return 0,
            Compare::Ne => return 1,
            Compare::Lt => 2,
            Compare::Le => 3,
            Compare::Gt => 4,
            Compare::Ge => 5,
        };
        if unsigned { signed + 4 } else { signed }
    }
}

/// Builds scalar ops at one place.
#[derive(Clone, Copy)]
pub struct Scalars<'c> {
    /// The builder, inside the body.
    pub b: Builder<'c>,
}

impl<'c> Scalars<'c> {
    /// Builds where `b` builds.
    pub fn new(b: Builder<'c>) -> Self {
        Self { b }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.b.context()
    }

    /// A constant of type `ty`.
    pub fn constant(&self, ty: Type<'c>, value: f64) -> Number<'c> {
        if ty.is_complex() {
            let parts = [self.b.number(ty.element(), value), self.b.number(ty.element(), 0.0)];
            return Number { value: self.b.value("complex.create", &parts, ty, &[]), ty };
        }
        Number { value: self.b.number(storage_type(ty), value), ty }
    }

    /// An integer constant of type `ty`, exact for all of `i64`.
    pub fn int(&self, ty: Type<'c>, value: i64) -> Number<'c> {
        if ty.is_float() || ty.is_complex() {
            return self.constant(ty, value as f64);
        }
        Number { value: self.b.int(storage_type(ty), value), ty }
    }

    /// A scalar of the program as a number of type `ty`; constants are converted now, complex ones by their parts, which fold.
    pub fn from_scalar(&self, scalar: Value<'c>, ty: Type<'c>) -> Number<'c> {
        match scalar.constant() {
            Some(constant) if !ty.is_complex() => match constant.as_int() {
                Some(value) if ty.is_bool() => self.int(ty, i64::from(value != 0)),
                Some(value) => self.int(ty, value),
                None => self.constant(ty, constant.as_float().unwrap_or(0.0)),
            },
            _ if ty.is_complex() && scalar.ty().is_complex() => {
                let (re, im) = self.parts(Number { value: scalar, ty: scalar.ty() });
                self.complex(self.cast(re, ty.element()), self.cast(im, ty.element()))
            }
            _ => self.cast(Number { value: scalar, ty: scalar.ty() }, ty),
        }
    }

    /// An op on operands of one type, with the result of that type.
    pub fn op(&self, name: &str, operands: &[Number<'c>]) -> Number<'c> {
        let ty = operands[0].ty;
        let values: Vec<_> = operands.iter().map(|number| number.value).collect();
        Number { value: self.b.value(name, &values, storage_type(ty), &[]), ty }
    }

    fn binary(&self, a: Number<'c>, b: Number<'c>, float: &str, int: &str, unsigned: &str, complex: &str) -> Number<'c> {
        let name = match a.ty.number_kind() {
            NumberKind::Float => float,
            NumberKind::Complex => complex,
            NumberKind::Unsigned => unsigned,
            NumberKind::Int | NumberKind::Bool => int,
        };
        self.op(name, &[a, b])
    }

    /// `a + b`; on bools a disjunction.
    pub fn add(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let int = if a.ty.is_bool() { "arith.ori" } else { "arith.addi" };
        self.binary(a, b, "arith.addf", int, "arith.addi", "complex.add")
    }
    /// `a - b`
    pub fn sub(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.binary(a, b, "arith.subf", "arith.subi", "arith.subi", "complex.sub")
    }
    /// `a * b`; on bools a conjunction.
    pub fn mul(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let int = if a.ty.is_bool() { "arith.andi" } else { "arith.muli" };
        self.binary(a, b, "arith.mulf", int, "arith.muli", "complex.mul")
    }
    /// `a / b`, towards zero on integers.
    pub fn div(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.binary(a, b, "arith.divf", "arith.divsi", "arith.divui", "complex.div")
    }
    /// Remainder with the sign of `a`.
    pub fn rem(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.binary(a, b, "arith.remf", "arith.remsi", "arith.remui", "arith.remf")
    }
    /// The larger; NaN if either is NaN.
    pub fn max(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let int = if a.ty.is_bool() { "arith.ori" } else { "arith.maxsi" };
        self.binary(a, b, "arith.maximumf", int, "arith.maxui", "arith.maximumf")
    }
    /// The smaller; NaN if either is NaN.
    pub fn min(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let int = if a.ty.is_bool() { "arith.andi" } else { "arith.minsi" };
        self.binary(a, b, "arith.minimumf", int, "arith.minui", "arith.minimumf")
    }
    /// `-a`
    pub fn neg(&self, a: Number<'c>) -> Number<'c> {
        match a.ty.number_kind() {
            NumberKind::Float => self.op("arith.negf", &[a]),
            NumberKind::Complex => self.op("complex.neg", &[a]),
            _ => self.sub(self.constant(a.ty, 0.0), a),
        }
    }
    /// `|a|`; a complex gives its real type.
    pub fn abs(&self, a: Number<'c>) -> Number<'c> {
        match a.ty.number_kind() {
            NumberKind::Float => self.op("math.absf", &[a]),
            NumberKind::Int => self.op("math.absi", &[a]),
            NumberKind::Complex => {
                let ty = a.ty.element();
                Number { value: self.b.value("complex.abs", &[a.value], ty, &[]), ty }
            }
            NumberKind::Bool | NumberKind::Unsigned => a,
        }
    }

    /// `a and b` on integers and bools, bit by bit.
    pub fn and(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.op("arith.andi", &[a, b])
    }
    /// `a or b`, bit by bit.
    pub fn or(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.op("arith.ori", &[a, b])
    }
    /// `a xor b`, bit by bit.
    pub fn xor(&self, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        self.op("arith.xori", &[a, b])
    }
    /// All bits flipped; on bools the negation.
    pub fn not(&self, a: Number<'c>) -> Number<'c> {
        let ones = if a.ty.is_bool() { self.int(a.ty, 1) } else { self.int(a.ty, -1) };
        self.xor(a, ones)
    }

    /// A comparison, as a bool.
    pub fn compare(&self, predicate: Compare, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let bool_type = Type::int(self.context(), 1);
        let i64_type = Type::int(self.context(), 64);
        let (name, code) = match a.ty.number_kind() {
            NumberKind::Float => ("arith.cmpf", predicate.float()),
            NumberKind::Complex => {
                let name = if predicate == Compare::Ne { "complex.neq" } else { "complex.eq" };
                return Number { value: self.b.value(name, &[a.value, b.value], bool_type, &[]), ty: bool_type };
            }
            // false < true: bools compare as unsigned.
            NumberKind::Bool | NumberKind::Unsigned => ("arith.cmpi", predicate.integer(true)),
            NumberKind::Int => ("arith.cmpi", predicate.integer(false)),
        };
        let attributes = [("predicate", Attribute::int(i64_type, code))];
        Number { value: self.b.value(name, &[a.value, b.value], bool_type, &attributes), ty: bool_type }
    }

    /// A comparison of integers as if they had no sign: `a < b` is then `0 <= a < b` for a `b` that is not negative.
    pub fn compare_unsigned(&self, predicate: Compare, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        let bool_type = Type::int(self.context(), 1);
        let attributes = [("predicate", Attribute::int(Type::int(self.context(), 64), predicate.integer(true)))];
        Number { value: self.b.value("arith.cmpi", &[a.value, b.value], bool_type, &attributes), ty: bool_type }
    }

    /// `condition ? a : b`
    pub fn select(&self, condition: Number<'c>, a: Number<'c>, b: Number<'c>) -> Number<'c> {
        Number { value: self.b.value("arith.select", &[condition.value, a.value, b.value], storage_type(a.ty), &[]), ty: a.ty }
    }

    /// Whether a number is NaN; false for integers.
    pub fn is_nan(&self, a: Number<'c>) -> Number<'c> {
        if a.ty.is_complex() {
            let (re, im) = self.parts(a);
            return self.or(self.is_nan(re), self.is_nan(im));
        }
        if a.ty.is_float() {
            return self.compare(Compare::Ne, a, a);
        }
        self.int(Type::int(self.context(), 1), 0)
    }

    /// Real and imaginary part.
    pub fn parts(&self, a: Number<'c>) -> (Number<'c>, Number<'c>) {
        let ty = a.ty.element();
        let part = |name: &str| Number { value: self.b.value(name, &[a.value], ty, &[]), ty };
        (part("complex.re"), part("complex.im"))
    }

    /// A complex number from its parts.
    pub fn complex(&self, re: Number<'c>, im: Number<'c>) -> Number<'c> {
        let ty = Type::complex(re.ty);
        Number { value: self.b.value("complex.create", &[re.value, im.value], ty, &[]), ty }
    }

    /// Conversion as PyTorch does it: floats to integers towards zero, to bool by `!= 0`, complex to real by dropping the
    /// imaginary part. Of NaN, and beyond 64 bits, PyTorch leaves it to the processor; ours is what x86 does, everywhere: the
    /// least integer of 64 bits, of which narrower ones are the low bits.
    pub fn cast(&self, a: Number<'c>, to: Type<'c>) -> Number<'c> {
        if a.ty == to {
            return a;
        }
        let (from_kind, to_kind) = (a.ty.number_kind(), to.number_kind());
        if to_kind == NumberKind::Complex {
            let real = if from_kind == NumberKind::Complex {
                let (re, im) = self.parts(a);
                return self.complex(self.cast(re, to.element()), self.cast(im, to.element()));
            } else {
                self.cast(a, to.element())
            };
            return self.complex(real, self.constant(to.element(), 0.0));
        }
        if from_kind == NumberKind::Complex {
            if to_kind == NumberKind::Bool {
                let zero = self.constant(a.ty, 0.0);
                return self.compare(Compare::Ne, a, zero);
            }
            let (re, _) = self.parts(a);
            return self.cast(re, to);
        }
        if to_kind == NumberKind::Bool {
            let zero = self.constant(a.ty, 0.0);
            return self.compare(Compare::Ne, a, zero);
        }
        let name = match (from_kind, to_kind) {
            (NumberKind::Float, NumberKind::Float) => return self.cast_float(a, to),
            (NumberKind::Float, _) => return self.float_to_int(a, to),
            (NumberKind::Bool | NumberKind::Unsigned, NumberKind::Float) => "arith.uitofp",
            (NumberKind::Int, NumberKind::Float) => return self.int_to_float(a, to),
            _ => return self.cast_int(a, to),
        };
        Number { value: self.b.value(name, &[a.value], to, &[]), ty: to }
    }

    fn int_to_float(&self, a: Number<'c>, to: Type<'c>) -> Number<'c> {
        let a = if a.ty.is_index() { self.cast_int(a, Type::int(self.context(), 64)) } else { a };
        Number { value: self.b.value("arith.sitofp", &[a.value], to, &[]), ty: to }
    }

    fn cast_float(&self, a: Number<'c>, to: Type<'c>) -> Number<'c> {
        let (from_width, to_width) = (a.ty.bit_width(), to.bit_width());
        if from_width == to_width || (from_width < 32 && to_width < 32) {
            let wide = self.cast_float(a, Type::f32(self.context()));
            return self.cast_float(wide, to);
        }
        let name = if to_width > from_width { "arith.extf" } else { "arith.truncf" };
        Number { value: self.b.value(name, &[a.value], to, &[]), ty: to }
    }

    fn float_to_int(&self, a: Number<'c>, to: Type<'c>) -> Number<'c> {
        // In f16, and floats of a byte, the limit has no number.
        let a = if a.ty.bit_width() < 32 { self.cast_float(a, Type::f32(self.context())) } else { a };
        let wide = Type::int(self.context(), 64);
        let limit = 2f64.powi(63);
        let below = self.compare(Compare::Lt, a, self.constant(a.ty, limit));
        let above = self.compare(Compare::Gt, a, self.constant(a.ty, -limit));
        let fits = Number { value: self.b.value("arith.andi", &[below.value, above.value], below.ty, &[]), ty: below.ty };
        let safe = self.select(fits, a, self.constant(a.ty, 0.0));
        let value = self.b.value("arith.fptosi", &[safe.value], wide, &[]);
        let least = Number { value: self.b.int(wide, i64::MIN), ty: wide };
        let value = self.select(fits, Number { value, ty: wide }, least);
        self.cast_int(value, to)
    }

    fn cast_int(&self, a: Number<'c>, to: Type<'c>) -> Number<'c> {
        let storage = storage_type(to);
        if storage == storage_type(a.ty) {
            return Number { value: a.value, ty: to };
        }
        let name = if a.ty.is_index() || to.is_index() {
            if a.ty.is_bool() { "arith.index_castui" } else { "arith.index_cast" }
        } else if to.bit_width() < a.ty.bit_width() {
            "arith.trunci"
        } else if matches!(a.ty.number_kind(), NumberKind::Bool | NumberKind::Unsigned) {
            "arith.extui"
        } else {
            "arith.extsi"
        };
        Number { value: self.b.value(name, &[a.value], storage, &[]), ty: to }
    }

    //--- control flow ------------------------------------------------------------

    /// `while condition(values) { values = next(values) }`. What the closures build goes to the builder they are given.
    pub fn while_loop(
        &self,
        init: &[Number<'c>],
        condition: impl FnOnce(&Self, &[Number<'c>]) -> Number<'c>,
        next: impl FnOnce(&Self, &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Number<'c>> {
        let values: Vec<_> = init.iter().map(|number| number.value).collect();
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        let op = self.b.op_with_regions("scf.while", &values, &types, &[], &[Some(&types), Some(&types)]);
        if let (Some(before), Some(after)) = (op.body(0), op.body(1)) {
            let inside = self.inside(before);
            let carried = before.arguments();
            let go_on = condition(&inside, &retyped(&carried, init));
            inside.b.op("scf.condition", &[vec![go_on.value], carried].concat(), &[], &[]);
            let inside = self.inside(after);
            let results = next(&inside, &retyped(&after.arguments(), init));
            inside.finish(&results);
        }
        retyped(&op.results(), init)
    }

    /// `for i in 0..count { values = next(i, values) }` with `i` an `index`.
    pub fn for_range(
        &self,
        count: Number<'c>,
        init: &[Number<'c>],
        next: impl FnOnce(&Self, Number<'c>, &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Number<'c>> {
        let index = Type::index(self.context());
        let bounds = vec![self.b.index(0), self.cast(count, index).value, self.b.index(1)];
        let values: Vec<_> = init.iter().map(|number| number.value).collect();
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        let arguments = [vec![index], types.clone()].concat();
        let op = self.b.op_with_regions("scf.for", &[bounds, values].concat(), &types, &[], &[Some(&arguments)]);
        if let Some(block) = op.body(0) {
            let inside = self.inside(block);
            let arguments = block.arguments();
            let results = next(&inside, Number { value: arguments[0], ty: index }, &retyped(&arguments[1..], init));
            inside.finish(&results);
        }
        retyped(&op.results(), init)
    }

    /// `if condition { then } else { otherwise }`, for sides that cost more than a branch; results of the given types.
    pub fn choose(
        &self,
        condition: Number<'c>,
        types: &[Type<'c>],
        then: impl FnOnce(&Self) -> Vec<Number<'c>>,
        otherwise: impl FnOnce(&Self) -> Vec<Number<'c>>,
    ) -> Vec<Number<'c>> {
        let stored: Vec<_> = types.iter().map(|ty| storage_type(*ty)).collect();
        let op = self.b.op_with_regions("scf.if", &[condition.value], &stored, &[], &[Some(&[]), Some(&[])]);
        if let (Some(first), Some(second)) = (op.body(0), op.body(1)) {
            let inside = self.inside(first);
            inside.finish(&then(&inside));
            let inside = self.inside(second);
            inside.finish(&otherwise(&inside));
        }
        op.results().into_iter().zip(types).map(|(value, ty)| Number { value, ty: *ty }).collect()
    }

    fn inside(&self, block: Block<'c>) -> Self {
        Self::new(self.b.inside(block))
    }

    fn finish(&self, results: &[Number<'c>]) {
        let values: Vec<_> = results.iter().map(|number| number.value).collect();
        self.b.op("scf.yield", &values, &[], &[]);
    }
}

/// Values that stand for numbers of the same types as `like`.
fn retyped<'c>(values: &[Value<'c>], like: &[Number<'c>]) -> Vec<Number<'c>> {
    values.iter().zip(like).map(|(value, number)| Number { value: *value, ty: number.ty }).collect()
}
