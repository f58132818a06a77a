//! Building fx ops, for decompositions and derivative rules: result types are inferred by the dialect.

use fx_ir::{Attribute, Builder, Context, Op, Result, Type, Value, emit_error};

use crate::fx_op::{Dim, definition, is_operand, type_shape};

/// Builds fx ops at one place.
#[derive(Clone, Copy)]
pub struct Fx<'c> {
    /// Where.
    pub b: Builder<'c>,
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $op:literal),* $(,)?) => {
        $($(#[$doc])*
        ///
        /// # Errors
        /// If the result type cannot be inferred: reported.
        pub fn $name(&self, x: Value<'c>) -> Result<Value<'c>> {
            self.op($op, &[x], &[])
        })*
    };
}
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $op:literal),* $(,)?) => {
        $($(#[$doc])*
        ///
        /// # Errors
        /// If the operands do not broadcast: reported.
        pub fn $name(&self, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
            self.op($op, &[a, b], &[])
        })*
    };
}

impl<'c> Fx<'c> {
    /// Builds before `op`, at its location.
    pub fn before(op: Op<'c>) -> Self {
        Self { b: Builder::before(op) }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.b.context()
    }

    /// An op with one result.
    ///
    /// # Errors
    /// If its type cannot be inferred: reported.
    pub fn op(&self, name: &str, operands: &[Value<'c>], attributes: &[(&str, Attribute<'c>)]) -> Result<Value<'c>> {
        Ok(self.b.infer(name, operands, attributes)?.result(0))
    }

    unary! {
        /// `e^x`
        exp => "fx.exp",
        /// `ln x`
        log => "fx.log",
        /// `-x`
        neg => "fx.neg",
        /// `1 / sqrt(x)`
        rsqrt => "fx.rsqrt",
        /// `sqrt(x)`
        sqrt => "fx.sqrt",
        /// `tanh x`
        tanh => "fx.tanh",
        /// `1 / (1 + e^-x)`
        sigmoid => "fx.sigmoid",
        /// The Gauss error function.
        erf => "fx.erf",
        /// `not x`
        logical_not => "fx.logical_not",
    }
    binary! {
        /// `a + b`
        add => "fx.add",
        /// `a - b`
        sub => "fx.sub",
        /// `a * b`
        mul => "fx.mul",
        /// `a / b`
        div => "fx.div",
        /// The larger of two.
        maximum => "fx.maximum",
        /// The smaller of two.
        minimum => "fx.minimum",
        /// `a <= b`
        le => "fx.le",
        /// `a >= b`
        ge => "fx.ge",
        /// `a == b`
        eq => "fx.eq",
        /// `a != b`
        ne => "fx.ne",
        /// `a[n, k] @ b[k, m]`
        mm => "fx.mm",
        /// `a[b, n, k] @ b[b, k, m]`
        bmm => "fx.bmm",
    }

    /// A number, of type f64: it does not promote float tensors.
    pub fn number(&self, value: f64) -> Value<'c> {
        self.b.number(Type::f64(self.context()), value)
    }

    /// An integer number, of type i64.
    pub fn integer(&self, value: i64) -> Value<'c> {
        self.b.int(Type::int(self.context(), 64), value)
    }

    /// `condition ? a : b`
    ///
    /// # Errors
    /// If the operands do not broadcast: reported.
    pub fn select(&self, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
        self.op("fx.where", &[condition, a, b], &[])
    }

    /// The same values in another element type.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn cast(&self, x: Value<'c>, element: Type<'c>) -> Result<Value<'c>> {
        if x.ty().element() == element {
            return Ok(x);
        }
        self.op("fx.to_copy", &[x], &[("dtype", Attribute::from_type(element))])
    }

    /// The same tensor, its sizes as far known as `ty` says.
    pub fn known_as(&self, x: Value<'c>, ty: Type<'c>) -> Value<'c> {
        if x.ty() == ty { x } else { self.b.value("tensor.cast", &[x], ty, &[]) }
    }

    /// A reduction over `dims`, which stay as size 1 if `keepdim`.
    ///
    /// # Errors
    /// If a dim is out of range: reported.
    pub fn reduce(&self, name: &str, x: Value<'c>, dims: &[usize], keepdim: bool) -> Result<Value<'c>> {
        let dims: Vec<_> = dims.iter().map(|dim| *dim as i64).collect();
        let context = self.context();
        self.op(name, &[x], &[("dim", Attribute::i64s(context, &dims)), ("keepdim", Attribute::bool(context, keepdim))])
    }

    /// Sizes of a tensor; run-time sizes are read by `tensor.dim`.
    pub fn dims(&self, x: Value<'c>) -> Vec<Dim<'c>> {
        let index = Type::index(self.context());
        let shape = x.ty().shape();
        shape
            .into_iter()
            .enumerate()
            .map(|(i, size)| {
                if size != fx_ir::DYNAMIC {
                    return Dim::Static(size);
                }
                Dim::Dynamic(self.b.value("tensor.dim", &[x, self.b.index(i as i64)], index, &[]))
            })
            .collect()
    }

    /// An op with one list of sizes named `list` after its operands.
    ///
    /// # Errors
    /// If the sizes do not fit: reported.
    pub fn sized(
        &self,
        name: &str,
        x: &[Value<'c>],
        list: &str,
        sizes: &[Dim<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c>> {
        let mut operands = x.to_vec();
        operands.extend(sizes.iter().filter_map(|dim| if let Dim::Dynamic(value) = dim { Some(*value) } else { None }));
        let fixed: Vec<_> = sizes.iter().map(|dim| dim.in_type()).collect();
        let list = format!("static_{list}");
        let mut all = vec![(list.as_str(), Attribute::i64s(self.context(), &fixed))];
        all.extend_from_slice(attributes);
        self.op(name, &operands, &all)
    }

    /// An op from its operands by name, in any order: tensors, and lists of sizes (those that are not named have no
    /// run-time entries).
    ///
    /// # Errors
    /// If its types cannot be inferred: reported.
    pub fn named(
        &self,
        name: &str,
        tensors: &[(&str, Value<'c>)],
        lists: &[(&str, &[Dim<'c>])],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Op<'c>> {
        let Some(def) = definition(name) else {
            return Err(emit_error(self.b.location(), &format!("internal bug: there is no op '{name}'"), &[]));
        };
        let (mut operands, mut segments) = (Vec::new(), Vec::new());
        for argument in def.arguments.iter().filter(|argument| is_operand(argument.kind)) {
            let before = operands.len();
            operands.extend(tensors.iter().filter(|(name, _)| *name == argument.name).map(|(_, value)| *value));
            let sizes = lists.iter().filter(|(name, _)| *name == argument.name).flat_map(|(_, sizes)| sizes.iter());
            operands.extend(sizes.filter_map(|dim| if let Dim::Dynamic(value) = dim { Some(*value) } else { None }));
            segments.push((operands.len() - before) as i32);
        }
        let fixed: Vec<_> = lists.iter().map(|(name, sizes)| (format!("static_{name}"), type_shape(sizes))).collect();
        let mut all = attributes.to_vec();
        all.extend(fixed.iter().map(|(name, sizes)| (name.as_str(), Attribute::i64s(self.context(), sizes))));
        if def.segmented {
            all.push(("operandSegmentSizes", Attribute::i32s(self.context(), &segments)));
        }
        self.b.infer(name, &operands, &all)
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// If the number of elements differs: reported.
    pub fn view(&self, x: Value<'c>, sizes: &[Dim<'c>]) -> Result<Value<'c>> {
        self.sized("fx.view", &[x], "size", sizes, &[])
    }

    /// Size-1 dimensions repeated.
    ///
    /// # Errors
    /// If the sizes do not fit: reported.
    pub fn expand(&self, x: Value<'c>, sizes: &[Dim<'c>]) -> Result<Value<'c>> {
        self.sized("fx.expand", &[x], "size", sizes, &[])
    }

    /// Dimensions in another order.
    ///
    /// # Errors
    /// If `order` is no permutation: reported.
    pub fn permute(&self, x: Value<'c>, order: &[usize]) -> Result<Value<'c>> {
        let order: Vec<_> = order.iter().map(|dim| *dim as i64).collect();
        self.op("fx.permute", &[x], &[("dims", Attribute::i64s(self.context(), &order))])
    }
}
