//! How the factors of a product lie in memory.

use fx_ir::Result;

use super::product::Product;
use crate::eval::{Eval, Stride};

/// How one factor moves along the loops.
#[derive(Clone, Copy)]
pub struct Moves<'c> {
    /// From row to row (the first factor), or from column to column (the second).
    pub across: Stride<'c>,
    /// From one product to the next, if there is one summed loop.
    pub along: Stride<'c>,
    /// How often its numbers are converted.
    pub casts: usize,
}

/// What is known of the factors' addresses; none for a factor that does not lie in memory.
pub struct Layout<'c> {
    /// The first factor.
    pub a: Option<Moves<'c>>,
    /// The second factor.
    pub b: Option<Moves<'c>>,
}

impl<'c> Layout<'c> {
    /// Analyses a product's addresses. What is built for it is dead code.
    ///
    /// # Errors
    /// If an op inside the kernel is none that kernels can hold: reported.
    pub fn of(eval: &mut Eval<'c>, product: &Product<'c>) -> Result<Self> {
        let [n, m, k] = [eval.variable(), eval.variable(), eval.variable()];
        let zero = eval.index(0);
        let mut loops = vec![zero; product.generic.reduced.len()];
        loops[product.n] = n;
        if let Some(row) = product.m {
            loops[row] = m;
        }
        product.reduced.iter().for_each(|i| loops[*i] = k);
        let single = product.reduced.len() == 1;
        let mut moves = |value, variable| {
            let address = eval.factor_address(&product.generic, value, &loops)?;
            Ok(address.map(|address| Moves {
                across: eval.stride(address.position, variable),
                along: if single { eval.stride(address.position, k) } else { Stride::Uneven },
                casts: address.casts.len(),
            }))
        };
        Ok(Self { a: moves(product.a.value, m)?, b: moves(product.b.value, n)? })
    }

    /// Whether the second factor lies without gaps along the last loop.
    pub fn b_has_rows(&self) -> bool {
        self.b.is_some_and(|moves| moves.across == Stride::Known(1))
    }

    /// Whether the second factor lies without gaps along the summed loop.
    pub fn b_has_columns(&self) -> bool {
        self.b.is_some_and(|moves| moves.along == Stride::Known(1) && moves.across != Stride::Uneven)
    }
}
