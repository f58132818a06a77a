//! Values of expressions. Integers have 64 bits; what does not fit them is an error, never a wrong
//! number.

use std::cmp::Ordering;

use super::arith::{floor_div, floor_mod, product_sum, reduced};
use super::{Function, SymExpr};

/// Value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SymValue {
    /// An integer.
    Int(i64),
    /// A fraction in lowest terms with a denominator of at least 2.
    Rational(i64, i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A symbol has no value.
    #[error("symbol '{0}': expected a value, found none")]
    UnknownSymbol(String),
    /// An integer is beyond 64 bits.
    #[error("{0}: expected a result of 64 bits, found a larger one")]
    Overflow(&'static str),
    /// A divisor is zero.
    #[error("{0}: expected a divisor, found zero")]
    DivisionByZero(&'static str),
    /// A function got a value of a kind that it does not take, or that has no result.
    #[error("{function}: expected {expected}, found {found}")]
    Type {
        /// The function.
        function: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What it got.
        found: String,
    },
}

type Result<T> = std::result::Result<T, EvalError>;

impl SymExpr {
    /// The expression's value, with `symbol` giving those of the symbols.
    pub fn eval(&self, symbol: &impl Fn(&str) -> Option<i64>) -> Result<SymValue> {
        Ok(match self {
            Self::Symbol(name) => symbol(name).map(SymValue::Int).ok_or_else(|| EvalError::UnknownSymbol(name.clone()))?,
            Self::Integer(value) => SymValue::Int(*value),
            Self::Rational(numerator, denominator) => fraction("Rational", (*numerator).into(), (*denominator).into())?,
            Self::Float(value) => SymValue::Float(*value),
            Self::Bool(value) => SymValue::Bool(*value),
            Self::Infinity { negative: true } => SymValue::Float(f64::NEG_INFINITY),
            Self::Infinity { negative: false } => SymValue::Float(f64::INFINITY),
            Self::Call(Function::Where, args) => {
                let condition = Args::eval(Function::Where, args.get(..1), symbol)?.bool(0)?;
                let chosen = args.get(if condition { 1 } else { 2 });
                Args::eval(Function::Where, chosen.map(std::slice::from_ref), symbol)?.value(0)?
            }
            Self::Call(function, args) => Args::eval(*function, Some(args), symbol)?.apply()?,
        })
    }

    /// The expression's value, which must be an integer.
    pub fn eval_int(&self, symbol: &impl Fn(&str) -> Option<i64>) -> Result<i64> {
        match self.eval(symbol)? {
            SymValue::Int(value) => Ok(value),
            other => Err(EvalError::Type { function: "the expression", expected: "an integer", found: format!("{other:?}") }),
        }
    }

    /// The expression's value, which must be a truth value.
    pub fn eval_bool(&self, symbol: &impl Fn(&str) -> Option<i64>) -> Result<bool> {
        match self.eval(symbol)? {
            SymValue::Bool(value) => Ok(value),
            other => Err(EvalError::Type { function: "the expression", expected: "a truth value", found: format!("{other:?}") }),
        }
    }
}

fn fraction(function: &'static str, numerator: i128, denominator: i128) -> Result<SymValue> {
    if denominator == 0 {
        return Err(EvalError::DivisionByZero(function));
    }
    match reduced(numerator, denominator) {
        Some((value, 1)) => Ok(SymValue::Int(value)),
        Some((numerator, denominator)) => Ok(SymValue::Rational(numerator, denominator)),
        None => Err(EvalError::Overflow(function)),
    }
}

/// Values of a function's arguments.
struct Args {
    function: Function,
    values: Vec<SymValue>,
}

impl Args {
    fn eval(function: Function, args: Option<&[SymExpr]>, symbol: &impl Fn(&str) -> Option<i64>) -> Result<Self> {
        let args = args.unwrap_or_default().iter();
        let values = args.map(|arg| arg.eval(symbol)).collect::<Result<_>>()?;
        Ok(Self { function, values })
    }

    fn type_error(&self, expected: &'static str, found: impl std::fmt::Debug) -> EvalError {
        EvalError::Type { function: self.function.name(), expected, found: format!("{found:?}") }
    }

    fn value(&self, index: usize) -> Result<SymValue> {
        let missing = || self.type_error("more arguments", self.values.len());
        self.values.get(index).copied().ok_or_else(missing)
    }

    fn bool(&self, index: usize) -> Result<bool> {
        match self.value(index)? {
            SymValue::Bool(value) => Ok(value),
            other => Err(self.type_error("a truth value", other)),
        }
    }

    fn int(&self, index: usize) -> Result<i128> {
        match self.value(index)? {
            SymValue::Int(value) => Ok(value.into()),
            other => Err(self.type_error("an integer", other)),
        }
    }

    fn float(&self, index: usize) -> Result<f64> {
        self.as_float(self.value(index)?)
    }

    fn as_float(&self, value: SymValue) -> Result<f64> {
        match value {
            SymValue::Int(value) => Ok(value as f64),
            SymValue::Rational(numerator, denominator) => Ok(numerator as f64 / denominator as f64),
            SymValue::Float(value) => Ok(value),
            SymValue::Bool(_) => Err(self.type_error("a number", value)),
        }
    }

    fn overflow(&self) -> EvalError {
        EvalError::Overflow(self.function.name())
    }

    fn whole(&self, value: Option<i128>) -> Result<SymValue> {
        let value = value.and_then(|value| i64::try_from(value).ok());
        value.map(SymValue::Int).ok_or_else(|| self.overflow())
    }

    fn divisor(&self, index: usize) -> Result<i128> {
        match self.int(index)? {
            0 => Err(EvalError::DivisionByZero(self.function.name())),
            value => Ok(value),
        }
    }

    fn apply(&self) -> Result<SymValue> {
        use Function as F;
        match self.function {
            F::Add => self.fold(|(a, b), (c, d)| (product_sum([a, d], [b, c]), b.checked_mul(d)), |a, b| a + b),
            F::Mul => self.fold(|(a, b), (c, d)| (a.checked_mul(c), b.checked_mul(d)), |a, b| a * b),
            F::Pow | F::PowByNatural | F::FloatPow => self.power(),
            F::FloorDiv => self.whole(floor_div(self.int(0)?, self.divisor(1)?)),
            F::CeilDiv => {
                let negated = floor_div(-self.int(0)?, self.divisor(1)?);
                self.whole(negated.map(|value| -value))
            }
            F::CleanDiv => match self.int(0)? % self.divisor(1)? {
                0 => self.whole(floor_div(self.int(0)?, self.divisor(1)?)),
                remainder => Err(self.type_error("no remainder", remainder)),
            },
            F::Mod | F::PythonMod => self.whole(floor_mod(self.int(0)?, self.divisor(1)?)),
            F::ModularIndexing => {
                let quotient = floor_div(self.int(0)?, self.divisor(1)?);
                let divisor = self.divisor(2)?;
                self.whole(quotient.and_then(|quotient| floor_mod(quotient, divisor)))
            }
            F::IntTrueDiv | F::FloatTrueDiv => match self.float(1)? {
                0.0 => Err(EvalError::DivisionByZero(self.function.name())),
                divisor => Ok(SymValue::Float(self.float(0)? / divisor)),
            },
            F::Max => self.extreme(Ordering::Greater),
            F::Min => self.extreme(Ordering::Less),
            F::Where => Err(self.type_error("a choice", "all arguments")),
            F::Equality | F::Unequality => self.equality(),
            F::GreaterThan | F::StrictGreaterThan | F::LessThan | F::StrictLessThan => self.comparison(),
            F::And => self.all_bools().map(|all| SymValue::Bool(!all.contains(&false))),
            F::Or => self.all_bools().map(|all| SymValue::Bool(all.contains(&true))),
            F::Not => Ok(SymValue::Bool(!self.bool(0)?)),
            F::LShift | F::RShift => self.shift(),
            F::BitwiseAnd => self.whole(Some(self.int(0)? & self.int(1)?)),
            F::BitwiseOr => self.whole(Some(self.int(0)? | self.int(1)?)),
            F::BitwiseXor => self.whole(Some(self.int(0)? ^ self.int(1)?)),
            _ => self.unary(),
        }
    }

    fn all_bools(&self) -> Result<Vec<bool>> {
        (0..self.values.len()).map(|index| self.bool(index)).collect()
    }

    /// Folds exactly as fractions, or in floats as soon as there is one.
    fn fold(
        &self,
        exact: impl Fn((i128, i128), (i128, i128)) -> (Option<i128>, Option<i128>),
        inexact: impl Fn(f64, f64) -> f64,
    ) -> Result<SymValue> {
        let parts = |value| match value {
            SymValue::Int(value) => Some((i128::from(value), 1)),
            SymValue::Rational(numerator, denominator) => Some((i128::from(numerator), i128::from(denominator))),
            _ => None,
        };
        let mut sum = self.value(0)?;
        self.as_float(sum)?;
        for index in 1..self.values.len() {
            let next = self.value(index)?;
            sum = match (parts(sum), parts(next)) {
                (Some(a), Some(b)) => match exact(a, b) {
                    (Some(numerator), Some(denominator)) => fraction(self.function.name(), numerator, denominator)?,
                    _ => return Err(self.overflow()),
                },
                _ => SymValue::Float(inexact(self.as_float(sum)?, self.as_float(next)?)),
            };
        }
        Ok(sum)
    }

    fn power(&self) -> Result<SymValue> {
        let (SymValue::Int(base), SymValue::Int(exponent)) = (self.value(0)?, self.value(1)?) else {
            return Ok(SymValue::Float(self.float(0)?.powf(self.float(1)?)));
        };
        let magnitude = match base {
            -1..=1 => Some(match exponent.unsigned_abs() {
                0 => 1,
                times if times % 2 == 0 => base.abs(),
                _ => base,
            }),
            _ => u32::try_from(exponent.unsigned_abs()).ok().and_then(|times| base.checked_pow(times)),
        };
        let magnitude = magnitude.ok_or_else(|| self.overflow())?;
        match exponent < 0 {
            true => fraction(self.function.name(), 1, magnitude.into()),
            false => Ok(SymValue::Int(magnitude)),
        }
    }

    fn shift(&self) -> Result<SymValue> {
        let (value, by) = (self.int(0)?, self.int(1)?);
        let Ok(by) = u32::try_from(by) else {
            return Err(self.type_error("a number of places", by));
        };
        match self.function {
            Function::RShift => self.whole(Some(value >> by.min(64))),
            _ if value == 0 => Ok(SymValue::Int(0)),
            _ if by < 64 => self.whole(Some(value << by)),
            _ => Err(self.overflow()),
        }
    }

    fn unary(&self) -> Result<SymValue> {
        use Function as F;
        let value = self.value(0)?;
        match (self.function, value) {
            (F::Identity, _) => return Ok(value),
            (F::Abs, SymValue::Int(value)) => return self.whole(Some(i128::from(value).abs())),
            (F::Abs, SymValue::Rational(a, b)) => {
                return fraction(self.function.name(), i128::from(a).abs(), b.into());
            }
            (F::Sqrt | F::ToFloat | F::TruncToFloat, _) => {}
            (_, SymValue::Int(_)) => return Ok(value),
            (F::Floor | F::FloorToInt, SymValue::Rational(a, b)) => {
                return self.whole(floor_div(a.into(), b.into()));
            }
            (F::Ceiling | F::CeilToInt, SymValue::Rational(a, b)) => {
                let negated = floor_div(-i128::from(a), b.into());
                return self.whole(negated.map(|value| -value));
            }
            _ => {}
        }
        let number = self.float(0)?;
        match self.function {
            F::Abs => Ok(SymValue::Float(number.abs())),
            F::Sqrt => Ok(SymValue::Float(number.sqrt())),
            F::ToFloat => Ok(SymValue::Float(number)),
            F::TruncToFloat => Ok(SymValue::Float(number.trunc())),
            F::Floor | F::FloorToInt => self.rounded(number.floor()),
            F::Ceiling | F::CeilToInt => self.rounded(number.ceil()),
            F::TruncToInt => self.rounded(number.trunc()),
            F::RoundToInt => self.rounded(number.round_ties_even()),
            _ => Err(self.type_error("a function of one number", value)),
        }
    }

    fn rounded(&self, number: f64) -> Result<SymValue> {
        // 2^63 is exact as a float, so this compares exactly; NaN fails it.
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        match (-LIMIT..LIMIT).contains(&number) {
            true => Ok(SymValue::Int(number as i64)),
            false => Err(self.overflow()),
        }
    }

    fn order(&self, a: SymValue, b: SymValue) -> Result<Ordering> {
        let exact = |value| match value {
            SymValue::Int(value) => Some((i128::from(value), 1)),
            SymValue::Rational(a, b) => Some((i128::from(a), i128::from(b))),
            _ => None,
        };
        // Products of two 64-bit numbers fit 128 bits.
        if let (Some((a, b)), Some((c, d))) = (exact(a), exact(b)) {
            return Ok((a * d).cmp(&(c * b)));
        }
        let (a, b) = (self.as_float(a)?, self.as_float(b)?);
        let unordered = || self.type_error("ordered numbers", (a, b));
        a.partial_cmp(&b).ok_or_else(unordered)
    }

    fn extreme(&self, wanted: Ordering) -> Result<SymValue> {
        let mut best = self.value(0)?;
        for index in 1..self.values.len() {
            let next = self.value(index)?;
            if self.order(next, best)? == wanted {
                best = next;
            }
        }
        self.as_float(best).map(|_| best)
    }

    fn equality(&self) -> Result<SymValue> {
        let equal = match (self.value(0)?, self.value(1)?) {
            (SymValue::Bool(a), SymValue::Bool(b)) => a == b,
            (a, b) => self.order(a, b)? == Ordering::Equal,
        };
        Ok(SymValue::Bool(equal == (self.function == Function::Equality)))
    }

    fn comparison(&self) -> Result<SymValue> {
        let order = self.order(self.value(0)?, self.value(1)?)?;
        Ok(SymValue::Bool(match self.function {
            Function::GreaterThan => order.is_ge(),
            Function::StrictGreaterThan => order.is_gt(),
            Function::LessThan => order.is_le(),
            _ => order.is_lt(),
        }))
    }
}
