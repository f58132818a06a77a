//! What is known of a value: tensors with dtype, shape and strides, symbolic numbers.

use serde::Deserialize;

use super::{Layout, ScalarType};
use crate::expr::SymExpr;
use crate::json::{Float, union};

/// Description of a tensor value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TensorMeta {
    /// Type of the elements.
    pub dtype: ScalarType,
    /// Size of each dimension.
    pub sizes: Vec<SymInt>,
    /// Whether autograd tracked it at export.
    pub requires_grad: bool,
    /// Where it was at export.
    pub device: Device,
    /// Distance between neighbours of each dimension, in elements.
    pub strides: Vec<SymInt>,
    /// Place of the first element in the storage, in elements.
    pub storage_offset: SymInt,
    /// Layout of the storage.
    pub layout: Layout,
}

/// A device such as `cpu` or `cuda:0`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Device {
    /// Its kind, such as `cpu` or `cuda`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which of that kind.
    #[serde(default)]
    pub index: Option<i32>,
}

union! {
    /// An integer that may depend on symbols.
    SymInt {
        /// A plain number.
        "as_int" => Int(i64),
        /// An expression over symbols.
        "as_expr" => Expr(Box<SymExprValue>),
    }
}

union! {
    /// A float that may depend on symbols.
    SymFloat {
        /// A plain number.
        "as_float" => Float(f64, via Float),
        /// An expression over symbols.
        "as_expr" => Expr(Box<SymExprValue>),
    }
}

union! {
    /// A bool that may depend on symbols.
    SymBool {
        /// A plain bool.
        "as_bool" => Bool(bool),
        /// An expression over symbols.
        "as_expr" => Expr(Box<SymExprValue>),
    }
}

/// An expression over symbols with its value at export.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SymExprValue {
    /// The parsed expression.
    #[serde(rename = "expr_str")]
    pub expr: SymExpr,
    /// Its value at export, unless that depended on data.
    #[serde(default)]
    pub hint: Option<SymExprHint>,
}

union! {
    /// Value of an expression at export.
    SymExprHint {
        /// An integer.
        "as_int" => Int(i64),
        /// A bool.
        "as_bool" => Bool(bool),
        /// A float.
        "as_float" => Float(f64, via Float),
    }
}

/// The values that a symbol may have; `None` is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct RangeConstraint {
    /// Lowest value.
    pub min_val: Option<i64>,
    /// Highest value.
    pub max_val: Option<i64>,
}

impl TensorMeta {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The sizes, if none depends on a symbol.
    pub fn static_sizes(&self) -> Option<Vec<i64>> {
        self.sizes.iter().map(SymInt::as_int).collect()
    }
}

impl SymInt {
    /// The number, if it is a plain one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Expr(_) => None,
        }
    }

    /// The expression, if it is symbolic.
    pub fn expr(&self) -> Option<&SymExpr> {
        match self {
            Self::Int(_) => None,
            Self::Expr(value) => Some(&value.expr),
        }
    }
}

impl SymFloat {
    /// The expression, if it is symbolic.
    pub fn expr(&self) -> Option<&SymExpr> {
        match self {
            Self::Float(_) => None,
            Self::Expr(value) => Some(&value.expr),
        }
    }
}

impl SymBool {
    /// The expression, if it is symbolic.
    pub fn expr(&self) -> Option<&SymExpr> {
        match self {
            Self::Bool(_) => None,
            Self::Expr(value) => Some(&value.expr),
        }
    }
}
