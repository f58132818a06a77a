//! Where elements lie: addresses in place of loads, for code that reads several elements at a time.

use std::collections::HashMap;

use fx_ir::{AffineResult, Attribute, Op, Result, Type, Value};

use super::body::Copy;
use super::{Eval, Memory};
use crate::generic::Generic;

/// How far a position moves when a loop variable grows by 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride<'c> {
    /// By this many elements.
    Known(i64),
    /// By as many as this `index` value says.
    Dynamic(Value<'c>),
    /// Not evenly, or not known.
    Uneven,
}

/// Whether an op converts a float to another type of floats.
pub fn is_cast(op: Op<'_>) -> bool {
    matches!(op.name(), "arith.extf" | "arith.truncf")
}

/// Where an element lies.
pub struct Address<'c> {
    /// The memory.
    pub memory: Memory<'c>,
    /// The position in it.
    pub position: Value<'c>,
    /// What converts the number that lies there, in order.
    pub casts: Vec<Op<'c>>,
}

impl<'c> Eval<'c> {
    /// The address of an element, if it is an argument's, seen through data movement without checks and conversions alone.
    ///
    /// # Errors
    /// If an op inside the kernel is none that kernels can hold: reported at the op.
    pub fn address(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Result<Option<Address<'c>>> {
        if let Some((memory, indices)) = self.viewed_at(value, indices) {
            let position = self.linearize(&indices, &memory.dims);
            return Ok(Some(Address { memory, position, casts: Vec::new() }));
        }
        let Some(op) = value.defining_op() else { return Ok(None) };
        match op.name() {
            "tensor.cast" => self.address(op.operand(0), indices),
            "tensor.collapse_shape" => {
                let at = self.collapsed_indices(op, indices);
                self.address(op.operand(0), &at)
            }
            "tensor.expand_shape" => {
                let at = self.expanded_indices(op, indices);
                self.address(op.operand(0), &at)
            }
            "linalg.generic" => match Generic::new(op).filter(|generic| !generic.is_reduction() && !generic.has_checks()) {
                Some(generic) => self.moved_address(&generic, value.result_index().unwrap_or(0), indices),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The memory behind an argument or reshapes of it, with the sizes of `value`: all of them lie in the same order.
    fn viewed(&mut self, value: Value<'c>) -> Option<Memory<'c>> {
        if let Some(memory) = self.memory.get(&value) {
            return Some(memory.clone());
        }
        let op = value.defining_op().filter(|op| matches!(op.name(), "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape"))?;
        let memory = self.viewed(op.operand(0))?;
        Some(Memory { dims: self.dims(value), ..memory })
    }

    /// [`Eval::viewed`] with the indices into it: dims of size 1 that a reshape added have index 0, whatever their loop is
    /// called.
    pub(super) fn viewed_at(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Option<(Memory<'c>, Vec<Value<'c>>)> {
        let memory = self.viewed(value)?;
        if self.memory.contains_key(&value) {
            return Some((memory, indices.to_vec()));
        }
        let zero = self.index(0);
        let at = indices.iter().zip(&memory.dims).map(|(index, dim)| if Self::is(*dim, 1) { zero } else { *index }).collect();
        Some((memory, at))
    }

    /// The address that a generic's result is read at, if its body only passes it on or converts it.
    fn moved_address(&mut self, generic: &Generic<'c>, result: usize, loops: &[Value<'c>]) -> Result<Option<Address<'c>>> {
        let Some(yielded) = generic.body().and_then(|block| block.terminator()).map(|op| op.operand(result)) else { return Ok(None) };
        self.factor_address(generic, yielded, loops)
    }

    /// The address of a value of a generic's body at given loops: of an operand's element, or of one read at a computed
    /// place, converted or not.
    ///
    /// # Errors
    /// As [`Eval::address`].
    pub fn factor_address(&mut self, generic: &Generic<'c>, value: Value<'c>, loops: &[Value<'c>]) -> Result<Option<Address<'c>>> {
        if let Some(cast) = value.defining_op().filter(|op| is_cast(*op)) {
            let address = self.factor_address(generic, cast.operand(0), loops)?;
            return Ok(address.map(|address| Address { casts: [address.casts, vec![cast]].concat(), ..address }));
        }
        if let Some((block, index)) = value.block_argument() {
            if Some(block) != generic.body() || index >= generic.inputs.len() {
                return Ok(None);
            }
            let at = generic.maps[index]
                .iter()
                .map(|result| match result {
                    AffineResult::Dim(i) => Some(loops[*i]),
                    AffineResult::Constant(c) => Some(self.index(*c)),
                    AffineResult::Other => None,
                })
                .collect::<Option<Vec<_>>>();
            return at.map_or(Ok(None), |at| self.address(generic.inputs[index], &at));
        }
        let Some(op) = value.defining_op().filter(|op| op.name() == "tensor.extract") else { return Ok(None) };
        let mut copy = Copy { generic, loops, map: HashMap::new() };
        let at = op.operands()[1..].iter().map(|index| self.demand(&mut copy, *index)).collect::<Result<Vec<_>>>()?;
        self.address(op.operand(0), &at)
    }

    /// A value of a generic's body at given loops, with no more of the body than it needs.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn body_value(&mut self, generic: &Generic<'c>, value: Value<'c>, loops: &[Value<'c>]) -> Result<Value<'c>> {
        self.demand(&mut Copy { generic, loops, map: HashMap::new() }, value)
    }

    pub(super) fn demand(&mut self, copy: &mut Copy<'_, 'c>, value: Value<'c>) -> Result<Value<'c>> {
        if let Some(known) = copy.map.get(&value) {
            return Ok(*known);
        }
        let Some(op) = value.defining_op().filter(|op| op.block() == copy.generic.body()) else { return self.operand(copy, value) };
        match op.name() {
            "linalg.index" => {
                let found = copy.loops[op.int("dim").unwrap_or(0) as usize];
                copy.map.insert(value, found);
            }
            "tensor.extract" => {
                let at = op.operands()[1..].iter().map(|index| self.demand(copy, *index)).collect::<Result<Vec<_>>>()?;
                let element = self.element(op.operand(0), &at)?;
                copy.map.insert(value, element);
            }
            "scf.if" | "scf.for" | "scf.while" => {
                for used in crate::generic::used_values(op) {
                    self.demand(copy, used)?;
                }
                self.copy_structured(copy, op)?;
            }
            _ => {
                for used in op.operands() {
                    self.demand(copy, used)?;
                }
                self.copy_op(copy, op)?;
            }
        }
        self.operand(copy, value)
    }

    /// A value that stands for a loop variable: nothing else is equal to it, and it folds into nothing.
    pub fn variable(&mut self) -> Value<'c> {
        let number = self.b.int(Type::int(self.context(), 64), 1);
        self.b.value("arith.index_cast", &[number], Type::index(self.context()), &[])
    }

    /// How `position` moves with `variable`, which no loop inside of which `position` is computed may change.
    pub fn stride(&mut self, position: Value<'c>, variable: Value<'c>) -> Stride<'c> {
        if position == variable {
            return Stride::Known(1);
        }
        let Some(op) = position.defining_op() else { return Stride::Known(0) };
        let mut part = |i: usize| self.stride(op.operand(i), variable);
        match op.name() {
            "arith.addi" | "arith.subi" => {
                let (a, b) = (part(0), part(1));
                self.combine(op.name(), a, b)
            }
            "arith.muli" => match (part(0), part(1)) {
                (Stride::Known(0), Stride::Known(0)) => Stride::Known(0),
                (Stride::Known(0), b) => self.scale(b, op.operand(0)),
                (a, Stride::Known(0)) => self.scale(a, op.operand(1)),
                _ => Stride::Uneven,
            },
            "arith.index_cast" | "arith.index_castui" => part(0),
            _ => {
                let still = crate::generic::used_values(op).into_iter().all(|used| self.stride(used, variable) == Stride::Known(0));
                if still { Stride::Known(0) } else { Stride::Uneven }
            }
        }
    }

    fn combine(&mut self, name: &str, a: Stride<'c>, b: Stride<'c>) -> Stride<'c> {
        match (a, b) {
            (Stride::Uneven, _) | (_, Stride::Uneven) => Stride::Uneven,
            (a, Stride::Known(0)) => a,
            (Stride::Known(0), b) if name == "arith.addi" => b,
            (Stride::Known(x), Stride::Known(y)) => Stride::Known(if name == "arith.addi" { x + y } else { x - y }),
            (a, b) => {
                let (a, b) = (self.stride_value(a), self.stride_value(b));
                Stride::Dynamic(self.b.value(name, &[a, b], a.ty(), &[]))
            }
        }
    }

    fn scale(&mut self, stride: Stride<'c>, by: Value<'c>) -> Stride<'c> {
        match (stride, by.constant().and_then(Attribute::as_int)) {
            (Stride::Uneven, _) => Stride::Uneven,
            (Stride::Known(x), Some(y)) => Stride::Known(x.saturating_mul(y)),
            (Stride::Known(1), None) => Stride::Dynamic(by),
            _ => {
                let value = self.stride_value(stride);
                Stride::Dynamic(self.mul(value, by))
            }
        }
    }

    /// An even stride as an `index` value; 0 for an uneven one.
    pub fn stride_value(&mut self, stride: Stride<'c>) -> Value<'c> {
        match stride {
            Stride::Known(elements) => self.index(elements),
            Stride::Dynamic(value) => value,
            Stride::Uneven => self.index(0),
        }
    }

    /// Indices into the source of a `tensor.collapse_shape`.
    pub(super) fn collapsed_indices(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Vec<Value<'c>> {
        let source = self.dims(op.operand(0));
        let zero = self.index(0);
        let mut at = vec![zero; source.len()];
        for (group, index) in crate::generic::reassociation(op).into_iter().zip(indices) {
            let dims: Vec<_> = group.iter().map(|i| source[*i]).collect();
            for (i, index) in group.iter().zip(self.delinearize(*index, &dims)) {
                at[*i] = index;
            }
        }
        at
    }

    /// Indices into the source of a `tensor.expand_shape`.
    pub(super) fn expanded_indices(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Vec<Value<'c>> {
        let dims = self.dims(op.result(0));
        crate::generic::reassociation(op)
            .into_iter()
            .map(|group| {
                // Dims of size 1 have index 0, whatever their loop is called.
                let group: Vec<_> = group.into_iter().filter(|i| !Self::is(dims[*i], 1)).collect();
                let own: Vec<_> = group.iter().map(|i| indices[*i]).collect();
                let sizes: Vec<_> = group.iter().map(|i| dims[*i]).collect();
                self.linearize(&own, &sizes)
            })
            .collect()
    }
}
