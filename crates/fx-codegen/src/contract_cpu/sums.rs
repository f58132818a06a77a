//! Where a block's sums are kept between slices.

use fx_ir::{Attribute, Type, Value};

use super::product::Product;
use crate::eval::{Eval, Memory};
use crate::kernel::Kernel;

/// The place of a block's sums: a result of the kernel that has their type, or else scratch memory.
pub struct Sums<'c> {
    memref: Value<'c>,
    /// The scratch's columns; none in a result.
    pitch: Option<i64>,
}

impl<'c> Sums<'c> {
    /// Whether the kernel's first result can hold the sums.
    pub fn fit_result(kernel: &Kernel<'c>, product: &Product<'c>) -> bool {
        let element = product.generic.op.result(0).ty().element();
        let result = kernel.results().first().map(|value| value.ty().element());
        result == Some(element) && kernel.result_dims.first() == Some(&kernel.space)
    }

    /// Whether the kernel gives the sums and nothing else.
    pub fn are_result(kernel: &Kernel<'c>, product: &Product<'c>) -> bool {
        kernel.results() == [product.generic.op.result(0)]
    }

    /// Sums in `result`, or in a new scratch block.
    pub fn new(eval: &Eval<'c>, element: Type<'c>, result: Option<&Memory<'c>>, [rows, columns]: [i64; 2]) -> Self {
        match result {
            Some(memory) => Self { memref: memory.memref, pitch: None },
            None => Self { memref: scratch(eval, rows * columns, element), pitch: Some(columns) },
        }
    }

    /// Whether they are in a result, whose rows may end before the tile does.
    pub fn in_result(&self) -> bool {
        self.pitch.is_none()
    }

    /// The memory, one-dimensional.
    pub fn memref(&self) -> Value<'c> {
        self.memref
    }

    /// How far the next row lies behind.
    pub fn pitch(&self, eval: &mut Eval<'c>, product: &Product<'c>, sizes: &[Value<'c>]) -> Value<'c> {
        match self.pitch {
            Some(pitch) => eval.index(pitch),
            None => eval.product(&sizes[product.m.map_or(product.n, |m| m + 1)..=product.n]),
        }
    }

    /// The position of the block's place `[row, column]`, where `loops` stand at the block's start, `sizes` are theirs.
    pub fn position(
        &self,
        eval: &mut Eval<'c>,
        product: &Product<'c>,
        (loops, sizes): (&[Value<'c>], &[Value<'c>]),
        [row, column]: [Value<'c>; 2],
    ) -> Value<'c> {
        if let Some(pitch) = self.pitch {
            let pitch = eval.index(pitch);
            let start = eval.mul(row, pitch);
            return eval.add(start, column);
        }
        let mut indices = loops[..=product.n].to_vec();
        if let Some(m) = product.m {
            indices[m] = eval.add(indices[m], row);
        }
        indices[product.n] = eval.add(indices[product.n], column);
        eval.linearize(&indices, &sizes[..=product.n])
    }
}

/// One-dimensional memory of `count` numbers on the stack, made once per call.
pub fn scratch<'c>(eval: &Eval<'c>, count: i64, element: Type<'c>) -> Value<'c> {
    let ty = Type::memref(&[count], element, None);
    let attributes = [("operandSegmentSizes", Attribute::i32s(eval.context(), &[0, 0])), ("alignment", Attribute::i64(eval.context(), 64))];
    eval.b.value("memref.alloca", &[], ty, &attributes)
}
