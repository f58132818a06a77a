//! Expressions over symbolic sizes, read from SymPy's constructor form.
//!
//! The archive has text such as `Add(Symbol('s27', positive=True, integer=True), Integer(1))`; a
//! [`SymExpr`] is its tree, which prints as `s27 + 1` and evaluates with values for the symbols.
//! Assumptions of symbols (`positive`, `integer`) are dropped: ranges are in the program's
//! `range_constraints`. A tree from an archive is at most [`MAX_DEPTH`] deep and has the number of
//! arguments that each function takes, so walking it cannot overflow the stack.

mod arith;
mod display;
mod eval;
mod parse;

use serde::Deserialize;

pub use eval::{EvalError, SymValue};
pub use parse::{ExprError, MAX_DEPTH, MAX_LENGTH};

/// An expression over symbols.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum SymExpr {
    /// A symbol, such as `s27` (from an input's size) or `u0` (found at run time).
    Symbol(String),
    /// An integer.
    Integer(i64),
    /// A fraction in lowest terms with a positive denominator.
    Rational(i64, i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Positive or negative infinity, of integers or reals.
    Infinity {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// A function of arguments.
    Call(Function, Vec<SymExpr>),
}

/// Declares the functions: `Variant "constructor" (fewest arguments, most arguments)`, and with
/// `=> bool` those that yield a truth value.
macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident $name:literal ($least:literal, $most:expr) $(=> $bool:ident)?,)+) => {
        /// A function of an expression, by SymPy's or PyTorch's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function { $($(#[$doc])* $variant,)+ }

        impl Function {
            /// All functions.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The constructor's name in archives.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The function with a constructor's name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }

            /// The fewest and the most arguments that it takes.
            pub const fn arity(self) -> (usize, usize) {
                match self { $(Self::$variant => ($least, $most),)+ }
            }

            /// Whether it yields a truth value.
            pub const fn is_boolean(self) -> bool {
                match self { $(Self::$variant => functions!(@bool $($bool)?),)+ }
            }
        }
    };
    (@bool bool) => { true };
    (@bool) => { false };
}

/// No bound on the number of arguments.
const ANY: usize = usize::MAX;

functions! {
    /// Sum.
    Add "Add" (1, ANY),
    /// Product.
    Mul "Mul" (1, ANY),
    /// Power; of a negative exponent a fraction.
    Pow "Pow" (2, 2),
    /// Power of integers with an exponent that is not negative.
    PowByNatural "PowByNatural" (2, 2),
    /// Power of floats.
    FloatPow "FloatPow" (2, 2),
    /// Quotient rounded down.
    FloorDiv "FloorDiv" (2, 2),
    /// Quotient rounded up.
    CeilDiv "CeilDiv" (2, 2),
    /// Quotient known to have no remainder.
    CleanDiv "CleanDiv" (2, 2),
    /// Remainder with the divisor's sign; PyTorch uses it where both are not negative.
    Mod "Mod" (2, 2),
    /// Remainder with the divisor's sign.
    PythonMod "PythonMod" (2, 2),
    /// `(a // b) % c`
    ModularIndexing "ModularIndexing" (3, 3),
    /// Quotient of integers as a float.
    IntTrueDiv "IntTrueDiv" (2, 2),
    /// Quotient of floats.
    FloatTrueDiv "FloatTrueDiv" (2, 2),
    /// Greatest of all.
    Max "Max" (1, ANY),
    /// Least of all.
    Min "Min" (1, ANY),
    /// Magnitude.
    Abs "Abs" (1, 1),
    /// Rounded down.
    Floor "floor" (1, 1),
    /// Rounded up.
    Ceiling "ceiling" (1, 1),
    /// Rounded down, as an integer.
    FloorToInt "FloorToInt" (1, 1),
    /// Rounded up, as an integer.
    CeilToInt "CeilToInt" (1, 1),
    /// Rounded towards zero, as an integer.
    TruncToInt "TruncToInt" (1, 1),
    /// Rounded towards zero, as a float.
    TruncToFloat "TruncToFloat" (1, 1),
    /// Rounded to the nearest, ties to even, as an integer.
    RoundToInt "RoundToInt" (1, 1),
    /// An integer as a float.
    ToFloat "ToFloat" (1, 1),
    /// The argument itself.
    Identity "Identity" (1, 1),
    /// Square root.
    Sqrt "OpaqueUnaryFn_sqrt" (1, 1),
    /// `a * 2**b`
    LShift "LShift" (2, 2),
    /// `a // 2**b`
    RShift "RShift" (2, 2),
    /// Bitwise and.
    BitwiseAnd "BitwiseFn_bitwise_and" (2, 2),
    /// Bitwise or.
    BitwiseOr "BitwiseFn_bitwise_or" (2, 2),
    /// Bitwise exclusive or.
    BitwiseXor "BitwiseFn_bitwise_xor" (2, 2),
    /// The second argument where the first holds, otherwise the third.
    Where "Where" (3, 3),
    /// `==`
    Equality "Equality" (2, 2) => bool,
    /// `!=`
    Unequality "Unequality" (2, 2) => bool,
    /// `>=`
    GreaterThan "GreaterThan" (2, 2) => bool,
    /// `>`
    StrictGreaterThan "StrictGreaterThan" (2, 2) => bool,
    /// `<=`
    LessThan "LessThan" (2, 2) => bool,
    /// `<`
    StrictLessThan "StrictLessThan" (2, 2) => bool,
    /// All hold.
    And "And" (1, ANY) => bool,
    /// At least one holds.
    Or "Or" (1, ANY) => bool,
    /// Does not hold.
    Not "Not" (1, 1) => bool,
}

impl SymExpr {
    /// Whether the expression yields a truth value.
    pub fn is_boolean(&self) -> bool {
        match self {
            Self::Bool(_) => true,
            Self::Call(Function::Where, args) => args.get(1).is_some_and(Self::is_boolean),
            Self::Call(function, _) => function.is_boolean(),
            _ => false,
        }
    }

    /// The symbol's name, if the expression is a bare symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        match self {
            Self::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// Calls `visit` with each symbol, as often as it occurs, from left to right.
    pub fn for_each_symbol<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Self::Symbol(name) => visit(name),
            Self::Call(_, args) => args.iter().for_each(|arg| arg.for_each_symbol(visit)),
            _ => {}
        }
    }
}
