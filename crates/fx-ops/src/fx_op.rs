//! An fx op read by the names of its definition: operands, sizes and attributes.

use std::ops::Range;

use fx_ir::{ArgKind, Attribute, DYNAMIC, Location, OP_DEFS, Op, OpDef, Result, Type, Value, emit_error};

/// The definition of an fx op, by full name.
pub fn definition(name: &str) -> Option<&'static OpDef> {
    OP_DEFS.binary_search_by(|def| def.name.cmp(name)).ok().map(|index| &OP_DEFS[index])
}

/// A size of a shape: known now, or the `index` value that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dim<'c> {
    /// Known at compile time.
    Static(i64),
    /// Known at run time. Equal values are equal sizes.
    Dynamic(Value<'c>),
}

impl Dim<'_> {
    /// The size if it is known at compile time.
    pub fn known(self) -> Option<i64> {
        match self {
            Dim::Static(size) => Some(size),
            Dim::Dynamic(_) => None,
        }
    }

    /// The size as a type holds it.
    pub fn in_type(self) -> i64 {
        self.known().unwrap_or(DYNAMIC)
    }
}

/// Sizes as a type holds them.
pub fn type_shape(dims: &[Dim<'_>]) -> Vec<i64> {
    dims.iter().map(|dim| dim.in_type()).collect()
}

/// An fx op with its definition.
#[derive(Clone, Copy)]
pub struct FxOp<'c> {
    /// The op.
    pub op: Op<'c>,
    /// Its definition.
    pub def: &'static OpDef,
}

impl<'c> FxOp<'c> {
    /// The op as an fx op; none if it is of another dialect.
    pub fn new(op: Op<'c>) -> Option<Self> {
        definition(op.name()).map(|def| Self { op, def })
    }

    /// Where it comes from.
    pub fn location(self) -> Location<'c> {
        self.op.location()
    }

    /// Operands of the named group: one, at most one, or any number. An unknown name has none.
    pub fn list(self, name: &str) -> Vec<Value<'c>> {
        self.op.operands().get(self.range(name)).map(<[_]>::to_vec).unwrap_or_default()
    }

    /// The places of the named group among the operands. An unknown name has none.
    pub fn range(self, name: &str) -> Range<usize> {
        let total = self.op.operand_count();
        let mut start = 0;
        for (group, argument) in self.def.arguments.iter().filter(|a| is_operand(a.kind)).enumerate() {
            let count = self.group_size(group, argument.kind, total);
            if argument.name == name {
                return start..start + count;
            }
            start += count;
        }
        0..0
    }

    fn group_size(self, group: usize, kind: ArgKind, total: usize) -> usize {
        if kind == ArgKind::Operand {
            return 1;
        }
        if self.def.segmented {
            let sizes = self.op.attribute("operandSegmentSizes").and_then(Attribute::as_i32s).unwrap_or_default();
            return sizes.get(group).and_then(|size| usize::try_from(*size).ok()).unwrap_or(0);
        }
        let single = self.def.arguments.iter().filter(|a| a.kind == ArgKind::Operand).count();
        total.saturating_sub(single)
    }

    /// The operand of a group that has exactly one.
    ///
    /// # Errors
    /// If it is absent: reported at the op.
    pub fn operand(self, name: &str) -> Result<Value<'c>> {
        self.optional(name).ok_or_else(|| self.error(&format!("has no operand '{name}'")))
    }

    /// The operand of a group that has at most one.
    pub fn optional(self, name: &str) -> Option<Value<'c>> {
        self.list(name).first().copied()
    }

    /// A list of sizes: the attribute `static_<name>` with run-time entries from the operand group `<name>`.
    pub fn sizes(self, name: &str) -> Vec<Dim<'c>> {
        let mut dynamic = self.list(name).into_iter();
        let fixed = self.op.ints(&format!("static_{name}")).unwrap_or_default();
        fixed
            .into_iter()
            .map(|size| match (size == DYNAMIC).then(|| dynamic.next()).flatten() {
                Some(value) => Dim::Dynamic(value),
                None => Dim::Static(size),
            })
            .collect()
    }

    /// An integer attribute.
    ///
    /// # Errors
    /// If it is absent: reported at the op.
    pub fn int(self, name: &str) -> Result<i64> {
        self.op.int(name).ok_or_else(|| self.error(&format!("has no integer attribute '{name}'")))
    }

    /// A float attribute (or an integer one).
    ///
    /// # Errors
    /// If it is absent: reported at the op.
    pub fn float(self, name: &str) -> Result<f64> {
        self.op.float(name).ok_or_else(|| self.error(&format!("has no number attribute '{name}'")))
    }

    /// An integer attribute as a dimension of `rank`, negative ones counted from the end.
    ///
    /// # Errors
    /// If it is absent or out of range: reported at the op.
    pub fn dim(self, name: &str, rank: usize) -> Result<usize> {
        let dim = self.int(name)?;
        self.normalize(dim, rank)
    }

    /// A dimension in `[-rank, rank)` made non-negative; rank 0 counts as 1.
    ///
    /// # Errors
    /// If it is out of range: reported at the op.
    pub fn normalize(self, dim: i64, rank: usize) -> Result<usize> {
        let bound = rank.max(1) as i64;
        let normal = if dim < 0 { dim + bound } else { dim };
        if (0..bound).contains(&normal) {
            return Ok(normal as usize);
        }
        Err(self.error(&format!("dim {dim} is out of range for an operand of rank {rank}")))
    }

    /// Dimensions of a list attribute, sorted; an absent list, and an empty one, mean all.
    ///
    /// # Errors
    /// If one is out of range: reported at the op.
    pub fn reduced_dims(self, name: &str, rank: usize) -> Result<Vec<usize>> {
        let list = match self.op.attribute(name) {
            Some(attribute) => match attribute.as_int() {
                Some(dim) => vec![dim],
                None => attribute.as_i64s().unwrap_or_default(),
            },
            None => Vec::new(),
        };
        if list.is_empty() {
            return Ok((0..rank).collect());
        }
        let mut dims = list.into_iter().map(|dim| self.normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
        dims.sort_unstable();
        dims.dedup();
        dims.retain(|dim| *dim < rank);
        Ok(dims)
    }

    /// Those of the named attributes that it has.
    pub fn attributes(self, names: &[&'static str]) -> Vec<(&'static str, Attribute<'c>)> {
        names.iter().filter_map(|name| Some((*name, self.op.attribute(name)?))).collect()
    }

    /// Element type of result `index`, in fx.
    pub fn result_element(self, index: usize) -> Type<'c> {
        self.op.result(index).ty().element()
    }

    /// Reports an error at the op, its name in front.
    pub fn error(self, message: &str) -> fx_ir::Reported {
        emit_error(self.location(), &format!("'{}' op {message}", self.op.name()), &[])
    }
}

/// Whether an argument is operands, not an attribute.
pub(crate) fn is_operand(kind: ArgKind) -> bool {
    matches!(kind, ArgKind::Operand | ArgKind::Optional | ArgKind::Variadic)
}
