//! One op with its values: what an op function sees.

use std::cell::Cell;

use fx_ir::DYNAMIC;

use crate::Result;
use crate::array::{Array, DType, category, promote_types};
use crate::graph::{Attr, Node, ValueType};
use crate::read;
use crate::value::{Number, Value};

/// An op that is to be computed. Operands and attributes have the names of the op's definition.
pub struct Call<'a> {
    node: &'a Node,
    operands: Vec<(&'static str, Vec<Value>)>,
    draws: &'a Cell<u64>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(node: &'a Node, operands: Vec<(&'static str, Vec<Value>)>, draws: &'a Cell<u64>) -> Self {
        Call { node, operands, draws }
    }

    /// The op's full name.
    pub fn name(&self) -> &str {
        &self.node.name
    }

    /// How many random ops ran before this one in this run of the program; counts this one.
    pub fn draw(&self) -> u64 {
        self.draws.replace(self.draws.get() + 1)
    }

    //--- operands ------------------------------------------------------------------

    /// The values of a group of operands; an absent group has none.
    pub fn values(&self, name: &str) -> &[Value] {
        self.operands.iter().find(|(group, _)| *group == name).map_or(&[], |(_, values)| values)
    }

    /// A tensor operand.
    ///
    /// # Errors
    /// If it is absent or a number.
    pub fn array(&self, name: &str) -> Result<&Array> {
        self.optional(name)?.ok_or_else(|| format!("has no operand '{name}'"))
    }

    /// A tensor operand that may be absent.
    ///
    /// # Errors
    /// If it is a number.
    pub fn optional(&self, name: &str) -> Result<Option<&Array>> {
        match self.values(name).first() {
            None => Ok(None),
            Some(Value::Array(array)) => Ok(Some(array)),
            Some(Value::Number(_)) => Err(format!("operand '{name}' is a number, not a tensor")),
        }
    }

    /// The tensors of a group.
    ///
    /// # Errors
    /// If one is a number.
    pub fn arrays<'s>(&'s self, name: &str) -> Result<Vec<&'s Array>> {
        let array = |value: &'s Value| match value {
            Value::Array(array) => Ok(array.as_ref()),
            Value::Number(_) => Err(format!("an operand of '{name}' is a number, not a tensor")),
        };
        self.values(name).iter().map(array).collect()
    }

    /// An operand that may be a tensor or a number, as an array: a number has no dims and is exact (i64, f64, bool or
    /// complex of f64, whatever it counts as in promotion).
    ///
    /// # Errors
    /// If it is absent.
    pub fn operand(&self, name: &str) -> Result<Array> {
        self.optional_operand(name).ok_or_else(|| format!("has no operand '{name}'"))
    }

    /// As [`Call::operand`], where it may be absent.
    pub fn optional_operand(&self, name: &str) -> Option<Array> {
        self.values(name).first().map(Value::to_array)
    }

    /// An operand that is a number, or a tensor of one element.
    ///
    /// # Errors
    /// If it is absent or has several elements.
    pub fn scalar(&self, name: &str) -> Result<Number> {
        self.optional_scalar(name)?.ok_or_else(|| format!("has no operand '{name}'"))
    }

    /// As [`Call::scalar`], where it may be absent.
    ///
    /// # Errors
    /// If it has several elements.
    pub fn optional_scalar(&self, name: &str) -> Result<Option<Number>> {
        match self.values(name).first() {
            None => Ok(None),
            Some(value) => value.to_number().map(Some).ok_or_else(|| format!("operand '{name}' has not one element")),
        }
    }

    /// Two operands that broadcast, as [`Call::operand`] gives them.
    ///
    /// # Errors
    /// If one is absent.
    pub fn pair(&self, first: &str, second: &str) -> Result<[Array; 2]> {
        Ok([self.operand(first)?, self.operand(second)?])
    }

    /// The element type that operands are promoted to (c10's `result_type`): tensors with dims first, then those
    /// without, then numbers; a later group counts only if its category is higher. Absent operands do not count.
    ///
    /// # Errors
    /// If there is no operand.
    pub fn promoted(&self, names: &[&str]) -> Result<DType> {
        let mut groups: [Option<DType>; 3] = [None; 3];
        for value in names.iter().flat_map(|name| self.values(name)) {
            let (group, dtype) = match value {
                Value::Array(array) => (usize::from(array.rank() == 0), array.dtype()),
                Value::Number(number) => (2, number.default_dtype()),
            };
            groups[group] = Some(groups[group].map_or(dtype, |other| promote_types(other, dtype)));
        }
        let promoted = groups
            .into_iter()
            .flatten()
            .reduce(|higher, lower| if category(lower) > category(higher) { promote_types(higher, lower) } else { higher });
        promoted.ok_or_else(|| "has no operand to promote".to_string())
    }

    //--- attributes ----------------------------------------------------------------

    /// An attribute; none if it is absent.
    pub fn attribute(&self, name: &str) -> Option<&Attr> {
        self.node.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Whether an attribute is there.
    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    fn required<T>(&self, name: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| match self.attribute(name) {
            Some(other) => format!("attribute '{name}' is of another kind: {other:?}"),
            None => format!("has no attribute '{name}'"),
        })
    }

    /// An integer attribute.
    ///
    /// # Errors
    /// If it is absent.
    pub fn int(&self, name: &str) -> Result<i64> {
        self.required(name, self.optional_int(name))
    }

    /// An integer attribute that may be absent.
    pub fn optional_int(&self, name: &str) -> Option<i64> {
        match self.attribute(name)? {
            Attr::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A float attribute, or any number as one.
    ///
    /// # Errors
    /// If it is absent.
    pub fn float(&self, name: &str) -> Result<f64> {
        self.required(name, self.optional_float(name))
    }

    /// As [`Call::float`], where it may be absent.
    pub fn optional_float(&self, name: &str) -> Option<f64> {
        self.attribute(name).and_then(read::number).map(Number::float)
    }

    /// A number attribute (alpha, beta, value ..) of any kind.
    ///
    /// # Errors
    /// If it is absent.
    pub fn number(&self, name: &str) -> Result<Number> {
        self.required(name, self.attribute(name).and_then(read::number))
    }

    /// A bool attribute; absent is false.
    pub fn bool(&self, name: &str) -> bool {
        self.optional_bool(name).unwrap_or(false)
    }

    /// A bool attribute that may be absent.
    pub fn optional_bool(&self, name: &str) -> Option<bool> {
        match self.attribute(name)? {
            Attr::Bool(value) => Some(*value),
            Attr::Int(value) => Some(*value != 0),
            _ => None,
        }
    }

    /// A string attribute.
    ///
    /// # Errors
    /// If it is absent.
    pub fn str(&self, name: &str) -> Result<&str> {
        self.required(name, self.optional_str(name))
    }

    /// A string attribute that may be absent.
    pub fn optional_str(&self, name: &str) -> Option<&str> {
        match self.attribute(name)? {
            Attr::Str(value) => Some(value),
            _ => None,
        }
    }

    /// A list of integers.
    ///
    /// # Errors
    /// If it is absent.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>> {
        self.required(name, self.optional_ints(name))
    }

    /// A list of integers that may be absent; a lone integer is a list of one.
    pub fn optional_ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.attribute(name)? {
            Attr::Ints(values) => Some(values.clone()),
            Attr::Int(value) => Some(vec![*value]),
            _ => None,
        }
    }

    /// A list of floats that may be absent.
    pub fn optional_floats(&self, name: &str) -> Option<Vec<f64>> {
        match self.attribute(name)? {
            Attr::Floats(values) => Some(values.clone()),
            Attr::Ints(values) => Some(values.iter().map(|value| *value as f64).collect()),
            _ => None,
        }
    }

    /// A list of truth values.
    ///
    /// # Errors
    /// If it is absent.
    pub fn bools(&self, name: &str) -> Result<Vec<bool>> {
        let value = match self.attribute(name) {
            Some(Attr::Bools(values)) => Some(values.clone()),
            _ => None,
        };
        self.required(name, value)
    }

    /// An element type that may be absent.
    pub fn dtype(&self, name: &str) -> Option<DType> {
        match self.attribute(name)? {
            Attr::DType(dtype) => Some(*dtype),
            _ => None,
        }
    }

    /// A list of sizes (SymInt[]): the attribute `static_<name>` with run-time entries from the operands `<name>`.
    /// An absent list is empty.
    ///
    /// # Errors
    /// If operands and attribute do not agree.
    pub fn sizes(&self, name: &str) -> Result<Vec<i64>> {
        let mut dynamic = self.values(name).iter();
        let list = self.optional_ints(&format!("static_{name}")).unwrap_or_default();
        let size = |size: i64| match size {
            DYNAMIC => dynamic.next().and_then(Value::to_number).map(Number::int).ok_or_else(|| format!("a size of '{name}' is missing")),
            size => Ok(size),
        };
        list.into_iter().map(size).collect()
    }

    /// A SymInt that may be absent: a list of at most one.
    ///
    /// # Errors
    /// As [`Call::sizes`].
    pub fn size(&self, name: &str) -> Result<Option<i64>> {
        Ok(self.sizes(name)?.first().copied())
    }

    /// A list of sizes as a shape.
    ///
    /// # Errors
    /// If a size is negative.
    pub fn shape(&self, name: &str) -> Result<Vec<usize>> {
        let sizes = self.sizes(name)?;
        sizes.iter().map(|size| usize::try_from(*size).map_err(|_| format!("a size of '{name}' is negative: {sizes:?}"))).collect()
    }

    /// An attribute that is a dim of a tensor of this rank (rank 0 counts as 1), negative ones counted from the end.
    ///
    /// # Errors
    /// If it is absent or out of range.
    pub fn dim(&self, name: &str, rank: usize) -> Result<usize> {
        normalize(self.int(name)?, rank)
    }

    /// A list of dims, sorted and without repetition; absent and empty ones mean all. Of rank 0 there are none.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn dims(&self, name: &str, rank: usize) -> Result<Vec<usize>> {
        let list = self.optional_ints(name).unwrap_or_default();
        if list.is_empty() {
            return Ok((0..rank).collect());
        }
        let mut dims = list.into_iter().map(|dim| normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
        dims.sort_unstable();
        dims.dedup();
        dims.retain(|dim| *dim < rank);
        Ok(dims)
    }

    //--- results -------------------------------------------------------------------

    /// Number of results.
    pub fn result_count(&self) -> usize {
        self.node.types.len()
    }

    /// What a result must be.
    pub fn result_type(&self, index: usize) -> Option<&ValueType> {
        self.node.types.get(index)
    }

    /// Element type of a result.
    ///
    /// # Errors
    /// If it is no tensor.
    pub fn result_dtype(&self, index: usize) -> Result<DType> {
        match self.node.types.get(index) {
            Some(ValueType::Array { dtype, .. }) => Ok(*dtype),
            _ => Err(format!("result {index} is no tensor")),
        }
    }

    /// Sizes of a result as far as its type tells.
    ///
    /// # Errors
    /// If it is no tensor.
    pub fn result_shape(&self, index: usize) -> Result<&[Option<usize>]> {
        match self.node.types.get(index) {
            Some(ValueType::Array { shape, .. }) => Ok(shape),
            _ => Err(format!("result {index} is no tensor")),
        }
    }
}

/// A dim in `[-rank, rank)` made non-negative; rank 0 counts as 1.
///
/// # Errors
/// If it is out of range.
pub fn normalize(dim: i64, rank: usize) -> Result<usize> {
    let bound = rank.max(1) as i64;
    let normal = if dim < 0 { dim + bound } else { dim };
    usize::try_from(normal).ok().filter(|_| normal < bound).ok_or_else(|| format!("dim {dim} is out of range for rank {rank}"))
}
