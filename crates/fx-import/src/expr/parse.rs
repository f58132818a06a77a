//! Parser of the constructor form.
//!
//! ```text
//! expr     = name | "-" name | name "(" [argument {"," argument}] ")"
//! argument = name "=" word | expr | string | number
//! ```
//!
//! Strings and numbers stand in `Symbol`, `Integer`, `Rational` and `Float` only. Recursion is
//! bounded by [`MAX_DEPTH`] and the text by [`MAX_LENGTH`].

use super::{Function, SymExpr};
use crate::error::{bounded, quoted};

/// The deepest nesting of calls that is read.
pub const MAX_DEPTH: usize = 64;

/// The longest text that is read, in bytes.
pub const MAX_LENGTH: usize = 64 << 10;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed expression {text} at byte {at}: expected {expected}, found {found}")]
pub struct ExprError {
    text: String,
    at: usize,
    expected: String,
    found: String,
}

impl TryFrom<String> for SymExpr {
    type Error = ExprError;

    fn try_from(text: String) -> Result<Self, ExprError> {
        Self::parse(&text)
    }
}

impl std::str::FromStr for SymExpr {
    type Err = ExprError;

    fn from_str(text: &str) -> Result<Self, ExprError> {
        Self::parse(text)
    }
}

impl SymExpr {
    /// Reads an expression in SymPy's constructor form.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        let mut parser = Parser { text, at: 0 };
        if text.len() > MAX_LENGTH {
            let expected = format!("at most {MAX_LENGTH} bytes");
            return Err(parser.error(expected, text.len().to_string()));
        }
        let expr = parser.expr(0)?;
        parser.skip_space();
        match parser.rest().is_empty() {
            true => Ok(expr),
            false => Err(parser.unexpected("the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> ExprError {
        ExprError { text: quoted(self.text), at: self.at, expected: expected.into(), found: found.into() }
    }

    fn unexpected(&self, expected: impl Into<String>) -> ExprError {
        let found = match self.rest().chars().next() {
            Some(_) => quoted(&self.rest().chars().take(20).collect::<String>()),
            None => "the end".to_owned(),
        };
        self.error(expected, found)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes a token, if it is next.
    fn take(&mut self, token: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len_utf8();
        }
        found
    }

    fn expect(&mut self, token: char) -> Result<(), ExprError> {
        match self.take(token) {
            true => Ok(()),
            false => Err(self.unexpected(format!("'{token}'"))),
        }
    }

    /// Takes letters, digits, `_`, and those of `more`.
    fn word(&mut self, more: &[char]) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && !more.contains(&c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn string(&mut self) -> Result<&'a str, ExprError> {
        self.skip_space();
        let rest = self.rest();
        let parts = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"')).and_then(|quote| rest.get(1..)?.split_once(quote));
        match parts {
            Some((value, _)) if !value.contains('\\') => {
                self.at += value.len() + 2;
                Ok(value)
            }
            _ => Err(self.unexpected("a string in quotes")),
        }
    }

    fn integer(&mut self) -> Result<i64, ExprError> {
        self.skip_space();
        let start = self.at;
        let word = self.word(&['-']);
        word.parse().map_err(|_| {
            self.at = start;
            self.error("an integer of 64 bits", quoted(word))
        })
    }

    fn expr(&mut self, depth: usize) -> Result<SymExpr, ExprError> {
        let negative = self.take('-');
        let start = self.at;
        let name = self.word(&[]);
        if !self.take('(') {
            return self.constant(name, negative, start);
        }
        if depth >= MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} nested calls");
            return Err(self.error(expected, "more"));
        }
        if negative {
            return Err(self.error("a constant after '-'", bounded(name)));
        }
        let expr = match name {
            "Symbol" | "Dummy" => self.symbol()?,
            "Integer" => SymExpr::Integer(self.integer()?),
            "Rational" => self.rational()?,
            "Float" => self.float()?,
            _ => return self.call(name, start, depth),
        };
        self.keywords()?;
        Ok(expr)
    }

    fn constant(&mut self, name: &str, negative: bool, start: usize) -> Result<SymExpr, ExprError> {
        match (name, negative) {
            ("true" | "True", false) => Ok(SymExpr::Bool(true)),
            ("false" | "False", false) => Ok(SymExpr::Bool(false)),
            ("oo" | "int_oo", _) => Ok(SymExpr::Infinity { negative }),
            ("NegativeInfinity", false) => Ok(SymExpr::Infinity { negative: true }),
            _ => {
                self.at = start;
                Err(self.unexpected("a constructor or a constant"))
            }
        }
    }

    fn symbol(&mut self) -> Result<SymExpr, ExprError> {
        let name = self.string()?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(self.error("a symbol's name", quoted(name)));
        }
        Ok(SymExpr::Symbol(name.to_owned()))
    }

    fn rational(&mut self) -> Result<SymExpr, ExprError> {
        let numerator = self.integer()?;
        self.expect(',')?;
        let denominator = self.integer()?;
        let reduced = super::arith::reduced(numerator.into(), denominator.into());
        let (numerator, denominator) = reduced.ok_or_else(|| self.error("a fraction of 64-bit integers", "another number"))?;
        Ok(match denominator {
            1 => SymExpr::Integer(numerator),
            _ => SymExpr::Rational(numerator, denominator),
        })
    }

    fn float(&mut self) -> Result<SymExpr, ExprError> {
        let text = self.string()?;
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        match value {
            Some(value) => Ok(SymExpr::Float(value)),
            None => Err(self.error("a finite float", quoted(text))),
        }
    }

    /// Skips keyword arguments up to the parenthesis that closes a call.
    fn keywords(&mut self) -> Result<(), ExprError> {
        while self.take(',') {
            let name = self.word(&[]);
            if name.is_empty() || !self.take('=') || self.word(&['-']).is_empty() {
                return Err(self.unexpected("a keyword argument"));
            }
        }
        self.expect(')')
    }

    fn call(&mut self, name: &str, start: usize, depth: usize) -> Result<SymExpr, ExprError> {
        let Some(function) = Function::from_name(name) else {
            self.at = start;
            return Err(self.error("a known function", quoted(name)));
        };
        let mut args = Vec::new();
        while !self.take(')') {
            if !args.is_empty() {
                self.expect(',')?;
                if self.is_keyword() {
                    self.keywords_after_comma()?;
                    break;
                }
            }
            args.push(self.expr(depth + 1)?);
        }
        let (least, most) = function.arity();
        if args.len() < least || args.len() > most {
            self.at = start;
            let expected = match most {
                super::ANY => format!("at least {least} arguments of {name}"),
                _ => format!("{least} arguments of {name}"),
            };
            return Err(self.error(expected, args.len().to_string()));
        }
        self.check_types(function, &args, start)?;
        Ok(SymExpr::Call(function, args))
    }

    /// Whether a keyword argument (`evaluate=False`) is next.
    fn is_keyword(&mut self) -> bool {
        let start = self.at;
        let found = !self.word(&[]).is_empty() && self.take('=');
        self.at = start;
        found
    }

    fn keywords_after_comma(&mut self) -> Result<(), ExprError> {
        self.word(&[]);
        self.expect('=')?;
        self.word(&['-']);
        self.keywords()
    }

    /// Arguments of `And` and the like are truth values, those of arithmetic are numbers.
    fn check_types(&mut self, function: Function, args: &[SymExpr], start: usize) -> Result<(), ExprError> {
        use Function::{And, Equality, Identity, Not, Or, Unequality, Where};
        let right = |(index, arg): (usize, &SymExpr)| match function {
            And | Or | Not => arg.is_boolean(),
            Where if index == 0 => arg.is_boolean(),
            Where => Some(arg.is_boolean()) == args.get(1).map(SymExpr::is_boolean),
            Equality | Unequality | Identity => true,
            _ => !arg.is_boolean(),
        };
        if args.iter().enumerate().all(right) {
            return Ok(());
        }
        self.at = start;
        let name = function.name();
        Err(self.error(format!("arguments of {name} of the right kind"), "numbers and truth values mixed up"))
    }
}
