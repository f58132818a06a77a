//! Scalars: reading operands and computing [`ScalarOp`]s on 64-bit registers.
//!
//! Rules     Integers wrap; shift counts are taken modulo 64; divisions by zero are errors. `MinF` and `MaxF` pass a NaN
//!           on, as PyTorch does. `FToI` saturates, NaN becomes 0. Comparisons give 0 or 1.

use crate::error::{Result, RuntimeError};
use crate::plan::{Reg, Scalar, ScalarOp};

/// The value of an operand. Registers were checked by `Plan::verify`.
#[inline]
pub(crate) fn value(scalar: Scalar, registers: &[i64]) -> i64 {
    match scalar {
        Scalar::Const(value) => value,
        Scalar::Reg(register) => registers[register as usize],
    }
}

/// The register of an operand, if it is one.
pub(crate) fn register(scalar: Scalar) -> Option<Reg> {
    match scalar {
        Scalar::Const(_) => None,
        Scalar::Reg(register) => Some(register),
    }
}

/// Number of operands that an operation takes.
pub(crate) fn arity(op: ScalarOp) -> usize {
    use ScalarOp::*;
    match op {
        Move | NegF | SqrtF | FloorF | CeilF | IToF | FToI => 1,
        Select => 3,
        _ => 2,
    }
}

/// Computes one operation; operands beyond its arity are ignored. Fails on a division by zero.
pub(crate) fn evaluate(op: ScalarOp, [a, b, c]: [i64; 3]) -> Result<i64> {
    use ScalarOp::*;
    let truth = |condition: bool| Ok(i64::from(condition));
    match op {
        Move => Ok(a),
        AddI => Ok(a.wrapping_add(b)),
        SubI => Ok(a.wrapping_sub(b)),
        MulI => Ok(a.wrapping_mul(b)),
        FloorDivI | CeilDivI | DivI | RemI => divide(op, a, b),
        MinI => Ok(a.min(b)),
        MaxI => Ok(a.max(b)),
        AndI => Ok(a & b),
        OrI => Ok(a | b),
        XorI => Ok(a ^ b),
        ShlI => Ok(a.wrapping_shl(b as u32)),
        ShrI => Ok(a.wrapping_shr(b as u32)),
        EqI => truth(a == b),
        NeI => truth(a != b),
        LtI => truth(a < b),
        LeI => truth(a <= b),
        GtI => truth(a > b),
        GeI => truth(a >= b),
        IToF => Ok((a as f64).to_bits() as i64),
        Select => Ok(if a != 0 { b } else { c }),
        _ => Ok(evaluate_float(op, f64::from_bits(a as u64), f64::from_bits(b as u64))),
    }
}

fn divide(op: ScalarOp, a: i64, b: i64) -> Result<i64> {
    if b == 0 {
        return Err(RuntimeError::DivisionByZero(format!("{op:?} of {a}")));
    }
    let quotient = a.wrapping_div(b);
    let remainder = a.wrapping_rem(b);
    let exact = remainder == 0;
    let negative = (a < 0) != (b < 0);
    Ok(match op {
        ScalarOp::RemI => remainder,
        ScalarOp::FloorDivI if !exact && negative => quotient - 1,
        ScalarOp::CeilDivI if !exact && !negative => quotient + 1,
        _ => quotient,
    })
}

fn evaluate_float(op: ScalarOp, a: f64, b: f64) -> i64 {
    use ScalarOp::*;
    let result = match op {
        AddF => a + b,
        SubF => a - b,
        MulF => a * b,
        DivF => a / b,
        PowF => a.powf(b),
        MinF if a.is_nan() || b.is_nan() => f64::NAN,
        MaxF if a.is_nan() || b.is_nan() => f64::NAN,
        MinF => a.min(b),
        MaxF => a.max(b),
        NegF => -a,
        SqrtF => a.sqrt(),
        FloorF => a.floor(),
        CeilF => a.ceil(),
        EqF => return i64::from(a == b),
        NeF => return i64::from(a != b),
        LtF => return i64::from(a < b),
        LeF => return i64::from(a <= b),
        GtF => return i64::from(a > b),
        GeF => return i64::from(a >= b),
        FToI => return a as i64,
        // integer operations, which `evaluate` handles
        _ => a,
    };
    result.to_bits() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarOp::*;

    fn int(op: ScalarOp, a: i64, b: i64) -> i64 {
        evaluate(op, [a, b, 0]).unwrap()
    }

    fn float(op: ScalarOp, a: f64, b: f64) -> f64 {
        f64::from_bits(int(op, a.to_bits() as i64, b.to_bits() as i64) as u64)
    }

    #[test]
    fn divisions_round_as_named() {
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, 5)] {
            let exact = a as f64 / b as f64;
            assert_eq!(int(FloorDivI, a, b), exact.floor() as i64, "{a} // {b}");
            assert_eq!(int(CeilDivI, a, b), exact.ceil() as i64, "ceil {a} / {b}");
            assert_eq!(int(DivI, a, b), exact.trunc() as i64);
            assert_eq!(int(RemI, a, b), a % b);
        }
        assert_eq!(int(DivI, i64::MIN, -1), i64::MIN);
        for op in [FloorDivI, CeilDivI, DivI, RemI] {
            assert!(matches!(evaluate(op, [1, 0, 0]), Err(RuntimeError::DivisionByZero(_))));
        }
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(int(AddI, i64::MAX, 1), i64::MIN);
        assert_eq!(int(MulI, i64::MAX, 2), -2);
        assert_eq!(int(ShlI, 1, 65), 2);
        assert_eq!(int(ShrI, -8, 1), -4);
        assert_eq!(int(XorI, 6, 3), 5);
    }

    #[test]
    fn floats_and_conversions() {
        assert_eq!(float(PowF, 2.0, 0.5), 2f64.sqrt());
        assert!(float(MinF, f64::NAN, 1.0).is_nan());
        assert!(float(MaxF, 1.0, f64::NAN).is_nan());
        assert_eq!(float(MaxF, 1.0, 2.0), 2.0);
        assert_eq!(int(FToI, (-2.9f64).to_bits() as i64, 0), -2);
        assert_eq!(int(FToI, f64::NAN.to_bits() as i64, 0), 0);
        assert_eq!(f64::from_bits(int(IToF, -3, 0) as u64), -3.0);
        assert_eq!(int(LtF, 1f64.to_bits() as i64, 2f64.to_bits() as i64), 1);
        assert_eq!(evaluate(Select, [0, 1, 2]).unwrap(), 2);
        assert_eq!(evaluate(Select, [9, 1, 2]).unwrap(), 1);
    }

    #[test]
    fn every_operation_has_an_arity() {
        assert_eq!((arity(Move), arity(AddI), arity(PowF), arity(Select)), (1, 2, 2, 3));
    }
}
