//! Expressions as infix text, as one would write them in Python.

use std::fmt;

use super::{Function, SymExpr};

/// How tightly an operator binds; an operand that binds less is put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Loosest,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Power,
    Atom,
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Binding::Loosest)
    }
}

/// An infix operator's sign, its binding and that of its operands.
fn infix(function: Function) -> Option<(&'static str, Binding)> {
    Some(match function {
        Function::Add => (" + ", Binding::Sum),
        Function::Mul => ("*", Binding::Product),
        Function::Pow | Function::PowByNatural | Function::FloatPow => ("**", Binding::Power),
        Function::FloorDiv => (" // ", Binding::Product),
        Function::CleanDiv | Function::IntTrueDiv | Function::FloatTrueDiv => (" / ", Binding::Product),
        Function::Mod | Function::PythonMod => (" % ", Binding::Product),
        Function::Equality => (" == ", Binding::Comparison),
        Function::Unequality => (" != ", Binding::Comparison),
        Function::GreaterThan => (" >= ", Binding::Comparison),
        Function::StrictGreaterThan => (" > ", Binding::Comparison),
        Function::LessThan => (" <= ", Binding::Comparison),
        Function::StrictLessThan => (" < ", Binding::Comparison),
        Function::And => (" and ", Binding::And),
        Function::Or => (" or ", Binding::Or),
        _ => return None,
    })
}

/// What a function that has no sign is called.
fn word(function: Function) -> &'static str {
    match function {
        Function::CeilDiv => "ceildiv",
        Function::Max => "max",
        Function::Min => "min",
        Function::Abs => "abs",
        Function::Where => "where",
        Function::Sqrt => "sqrt",
        Function::BitwiseAnd => "bitwise_and",
        Function::BitwiseOr => "bitwise_or",
        Function::BitwiseXor => "bitwise_xor",
        other => other.name(),
    }
}

impl SymExpr {
    fn write(&self, f: &mut fmt::Formatter<'_>, around: Binding) -> fmt::Result {
        let own = self.binding();
        if own < around {
            f.write_str("(")?;
            self.write(f, Binding::Loosest)?;
            return f.write_str(")");
        }
        match self {
            Self::Symbol(name) => f.write_str(name),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Rational(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Bool(value) => f.write_str(if *value { "true" } else { "false" }),
            Self::Infinity { negative } => f.write_str(if *negative { "-inf" } else { "inf" }),
            Self::Call(Function::Not, args) => {
                f.write_str("not ")?;
                write_list(f, args, "", Binding::Comparison)
            }
            Self::Call(function, args) => match infix(*function) {
                Some(_) if args.len() == 1 => write_list(f, args, "", own),
                Some((sign, _)) => write_infix(f, *function, args, sign, own),
                None => {
                    write!(f, "{}(", word(*function))?;
                    write_list(f, args, ", ", Binding::Loosest)?;
                    f.write_str(")")
                }
            },
        }
    }

    fn binding(&self) -> Binding {
        match self {
            Self::Integer(value) if *value < 0 => Binding::Sum,
            Self::Float(value) if value.is_sign_negative() => Binding::Sum,
            Self::Infinity { negative: true } => Binding::Sum,
            Self::Rational(numerator, _) if *numerator < 0 => Binding::Sum,
            Self::Rational(..) => Binding::Product,
            Self::Call(Function::Not, _) => Binding::Not,
            Self::Call(function, _) => infix(*function).map_or(Binding::Atom, |(_, own)| own),
            _ => Binding::Atom,
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, args: &[SymExpr], separator: &str, around: Binding) -> fmt::Result {
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        arg.write(f, around)?;
    }
    Ok(())
}

fn write_infix(f: &mut fmt::Formatter<'_>, function: Function, args: &[SymExpr], sign: &str, own: Binding) -> fmt::Result {
    // Operands of the operators that read differently when regrouped bind tighter: `a % (b * c)`.
    let tighter = match own {
        Binding::Comparison => Binding::Sum,
        Binding::Power => Binding::Atom,
        _ => Binding::Power,
    };
    let associative = matches!(function, Function::Add | Function::Mul | Function::And | Function::Or);
    for (index, arg) in args.iter().enumerate() {
        let around = match associative {
            true if is_quotient(arg) => Binding::Power,
            true => own,
            // Left to right: `8*a // b` needs no parentheses.
            false if index == 0 && own == Binding::Product && !is_quotient(arg) => own,
            false => tighter,
        };
        match (index, function, arg) {
            (0, _, _) => arg.write(f, around)?,
            (_, Function::Add, SymExpr::Integer(value)) if *value < 0 => {
                write!(f, " - {}", value.unsigned_abs())?;
            }
            _ => {
                f.write_str(sign)?;
                arg.write(f, around)?;
            }
        }
    }
    Ok(())
}

/// Whether an expression divides: such a factor keeps its parentheses.
fn is_quotient(expr: &SymExpr) -> bool {
    match expr {
        SymExpr::Rational(..) => true,
        SymExpr::Call(function, _) => !matches!(function, Function::Mul) && matches!(infix(*function), Some((_, Binding::Product))),
        _ => false,
    }
}
