//! Random cases of every op: compiled code against the reference evaluator.
//!
//! [`rows`] has one line per op: how to make a case, and how closely results agree ([`compare`]). A case is made from a list
//! of numbers ([`draw`]); a list that fails is made simpler by proptest, and the failure says the op, the program and its
//! inputs ([`search`]). For each case ([`judge`]) the dialect infers result types, some of operands with sizes that are known
//! at run time only; the evaluator computes results and holds them against these types; compiled code must give the same
//! types, sizes and values, or fail where the evaluator does. Ops that the evaluator or the compiler lacks are counted.
//!
//! `FX_PROPERTY_CASES=200 cargo test --release -p fx-mlir --test properties` runs the long form; [`search::Settings`] has
//! the other variables.
#![forbid(unsafe_code)]

mod case;
mod compare;
mod derivatives;
mod draw;
mod judge;
mod rows;
mod search;
mod vectorised;

use case::Case;
use compare::Class;
use draw::Draw;
use judge::Lowering;

/// How cases of an op are made and compared.
pub struct Row {
    /// Full name of the op.
    pub op: &'static str,
    /// How closely each result agrees; the last holds for all further ones.
    pub class: &'static [Class],
    /// Results that have derivatives, where not all do.
    pub differentiated: Option<&'static [usize]>,
    /// Whether result sizes depend on values, so that they are unknown even where all operands' sizes are known.
    pub data_dependent: bool,
    /// Makes a case.
    pub make: fn(&mut Draw<'_>) -> Case,
}

/// A row of a table.
pub const fn row(op: &'static str, class: &'static [Class], make: fn(&mut Draw<'_>) -> Case) -> Row {
    Row { op, class, differentiated: None, data_dependent: false, make }
}

impl Row {
    /// Only these results have derivatives.
    pub const fn differentiated(self, results: &'static [usize]) -> Self {
        Row { differentiated: Some(results), ..self }
    }

    /// The same, with result sizes that depend on values.
    pub const fn data_dependent(self) -> Self {
        Row { data_dependent: true, ..self }
    }
}

/// Bit by bit.
pub const EXACT: &[Class] = &[Class::Exact];
/// Equal numbers; which zero is free.
pub const EQUAL: &[Class] = &[Class::Ulps(0.0)];
/// Rounded once.
pub const ROUNDED: &[Class] = &[Class::Ulps(1.0)];
/// Functions that are good to a few units in the last place.
pub const CLOSE: &[Class] = &[Class::Ulps(4.0)];
/// Sums, and several roundings.
pub const STABLE: &[Class] = &[Class::Stable(4.0)];
/// Terms as large as the operands, which cancel.
pub const TERMS: &[Class] = &[Class::Terms(4.0)];
/// Stable as a whole.
pub const NORM: &[Class] = &[Class::Norm(8.0)];
/// Types and sizes alone.
pub const SHAPE: &[Class] = &[Class::Shape];

macro_rules! families {
    ($($family:ident),* $(,)?) => {
        $(#[test]
        fn $family() {
            search::check(rows::$family::ROWS, Lowering::Cpu).finish(stringify!($family));
        })*

        /// A family's ops, vectorised.
        mod vmap {
            $(#[test]
            fn $family() {
                crate::vectorised::check(crate::rows::$family::ROWS, stringify!($family));
            })*
        }

        /// Derivatives of a family's ops.
        mod derivative {
            $(#[test]
            fn $family() {
                crate::derivatives::check(crate::rows::$family::ROWS, stringify!($family));
            })*
        }

        #[test]
        fn every_op_has_a_row_or_a_reason() {
            let rows = [$(rows::$family::ROWS),*];
            let mut names: Vec<&str> = rows.iter().flat_map(|rows| rows.iter()).map(|row| row.op).collect();
            names.extend(rows::WITHOUT.iter().map(|(op, _)| *op));
            names.sort_unstable();
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
            let unknown: Vec<_> = names.iter().filter(|op| case::find(op).is_none()).collect();
            let absent: Vec<_> = fx_ir::OP_DEFS.iter().map(|def| def.name).filter(|op| names.binary_search(op).is_err()).collect();
            assert!(twice.is_empty() && unknown.is_empty() && absent.is_empty(), "twice: {twice:?}\nunknown: {unknown:?}\nabsent: {absent:?}");
        }
    };
}

families![
    activation,
    along,
    arithmetic,
    comparison,
    control,
    convolution,
    creation,
    elementary,
    indexing,
    linalg,
    loss,
    matrix,
    norm,
    order,
    padding,
    pooling,
    random,
    reduction,
    resampling,
    scatter,
    shape,
    special,
];

/// Ops that a GPU does otherwise, lowered for it.
mod for_a_gpu {
    use crate::{Lowering, rows, search};

    #[test]
    fn scatter() {
        search::check(rows::scatter::ROWS, Lowering::Gpu).finish("scatter");
    }

    #[test]
    fn indexing() {
        search::check(rows::indexing::ROWS, Lowering::Gpu).finish("indexing");
    }

    #[test]
    fn order() {
        search::check(rows::order::ROWS, Lowering::Gpu).finish("order");
    }
}
