//! Scalars of the host function: arithmetic on registers, reads of tensors, run-time checks.

use fx_ir::{Attribute, Op, Result, Type, Value, emit_error};
use fx_runtime::plan::{Buffer, Scalar, ScalarOp, Step, Storage};

use super::{PlanBuilder, place_of};

impl<'c> PlanBuilder<'_, 'c> {
    /// `a + b`
    pub(super) fn sum(&mut self, a: Scalar, b: Scalar) -> Scalar {
        match (a, b) {
            (Scalar::Const(x), Scalar::Const(y)) => Scalar::Const(x.saturating_add(y)),
            (Scalar::Const(0), other) | (other, Scalar::Const(0)) => other,
            (x, y) => self.compute(ScalarOp::AddI, vec![x, y]),
        }
    }

    /// One element of a tensor, as a scalar.
    pub(super) fn read(&mut self, op: Op<'c>) -> Result {
        let source = self.tensor(op, op.operand(0))?;
        let indices = op.operands()[1..].iter().map(|value| self.scalar(op, *value)).collect::<Result<Vec<_>>>()?;
        let buffer = self.plan.buffers[source as usize].clone();
        let mut offset = Scalar::Const(0);
        for (index, dim) in indices.iter().zip(&buffer.dims) {
            let scaled = self.product(vec![offset, *dim]);
            offset = self.sum(scaled, *index);
        }
        let (of, start) = self.place(source);
        let offset = self.sum(start, offset);
        let one = self.buffer(Buffer { dtype: buffer.dtype, dims: Vec::new(), storage: Storage::View { of, offset } });
        let dst = self.register();
        self.push(Step::Read { dst, buffer: one });
        self.scalars.insert(op.result(0), Scalar::Reg(dst));
        Ok(())
    }

    /// A check: its message names the place in the user's program.
    pub(super) fn assert(&mut self, op: Op<'c>) -> Result {
        let cond = self.scalar(op, op.operand(0))?;
        let message = format!("{}: {}", place_of(op), op.text("msg").unwrap_or_default());
        self.push(Step::Assert { cond, message });
        Ok(())
    }

    /// Registers hold integers sign-extended and floats as doubles, so most casts are nothing.
    pub(super) fn arithmetic(&mut self, op: Op<'c>) -> Result {
        let args = op.operands().into_iter().map(|value| self.scalar(op, value)).collect::<Result<Vec<_>>>()?;
        let result = match (op.name(), args.as_slice()) {
            ("arith.extui" | "arith.index_castui", [x]) => self.unsigned(*x, op.operand(0)),
            ("arith.uitofp", [x]) => {
                let x = self.unsigned(*x, op.operand(0));
                self.compute(ScalarOp::IToF, vec![x])
            }
            ("arith.trunci", [x]) => self.truncated(*x, op.result(0).ty()),
            ("math.absf", [x]) => self.compute(ScalarOp::AndI, vec![*x, Scalar::Const(i64::MAX)]),
            ("math.absi", [x]) => {
                let negative = self.compute(ScalarOp::SubI, vec![Scalar::Const(0), *x]);
                self.compute(ScalarOp::MaxI, vec![*x, negative])
            }
            ("math.trunc", [x]) => self.towards_zero(*x),
            ("math.roundeven", [x]) => self.rounded(*x),
            ("math.ipowi", [base, exponent]) => self.power(*base, *exponent),
            _ => match scalar_op(op) {
                Some(ScalarOp::Move) => args[0],
                Some(known) => self.compute(known, args),
                None => return Err(emit_error(op.location(), &format!("'{}' op cannot run on the host", op.name()), &[])),
            },
        };
        self.scalars.insert(op.result(0), result);
        Ok(())
    }

    /// An integer's bits as an unsigned number.
    fn unsigned(&mut self, x: Scalar, value: Value<'c>) -> Scalar {
        match value.ty().bit_width() {
            width @ 2..64 if !value.ty().is_index() => self.compute(ScalarOp::AndI, vec![x, Scalar::Const((1 << width) - 1)]),
            _ => x,
        }
    }

    /// The low bits of an integer, sign-extended; a bool is 0 or 1.
    fn truncated(&mut self, x: Scalar, ty: Type<'c>) -> Scalar {
        if ty.is_bool() {
            return self.compute(ScalarOp::AndI, vec![x, Scalar::Const(1)]);
        }
        let unused = Scalar::Const(64 - i64::from(ty.bit_width().clamp(1, 64)));
        let high = self.compute(ScalarOp::ShlI, vec![x, unused]);
        self.compute(ScalarOp::ShrI, vec![high, unused])
    }

    fn towards_zero(&mut self, x: Scalar) -> Scalar {
        let (floor, ceil) = (self.compute(ScalarOp::FloorF, vec![x]), self.compute(ScalarOp::CeilF, vec![x]));
        let negative = self.compute(ScalarOp::LtF, vec![x, Scalar::Const(0)]);
        self.compute(ScalarOp::Select, vec![negative, ceil, floor])
    }

    /// To the nearest integer, ties to even: adding and subtracting 1.5 * 2^52 rounds so; what is larger is an integer.
    fn rounded(&mut self, x: Scalar) -> Scalar {
        const SHIFT: f64 = 6_755_399_441_055_744.0;
        let shift = Scalar::Const(SHIFT.to_bits() as i64);
        let limit = Scalar::Const((SHIFT / 3.0).to_bits() as i64); // 2^51
        let shifted = self.compute(ScalarOp::AddF, vec![x, shift]);
        let near = self.compute(ScalarOp::SubF, vec![shifted, shift]);
        let size = self.compute(ScalarOp::AndI, vec![x, Scalar::Const(i64::MAX)]);
        let small = self.compute(ScalarOp::LtF, vec![size, limit]);
        self.compute(ScalarOp::Select, vec![small, near, x])
    }

    /// `base ^ exponent` of integers, `exponent >= 0`, by multiplication.
    fn power(&mut self, base: Scalar, exponent: Scalar) -> Scalar {
        let (product, left, more) = (self.register(), self.register(), self.register());
        let scalar = |dst, op, args: &[Scalar]| Step::Scalar { dst, op, args: args.to_vec() };
        self.push(scalar(product, ScalarOp::Move, &[Scalar::Const(1)]));
        self.push(scalar(left, ScalarOp::Move, &[exponent]));
        self.push(Step::While {
            before: vec![scalar(more, ScalarOp::GtI, &[Scalar::Reg(left), Scalar::Const(0)])],
            cond: Scalar::Reg(more),
            body: vec![
                scalar(product, ScalarOp::MulI, &[Scalar::Reg(product), base]),
                scalar(left, ScalarOp::SubI, &[Scalar::Reg(left), Scalar::Const(1)]),
            ],
        });
        Scalar::Reg(product)
    }
}

/// The 64 bits of a constant: floats as doubles.
pub(super) fn constant_bits(constant: Attribute<'_>, ty: Type<'_>) -> Option<i64> {
    if ty.is_float() { constant.as_float().map(|value| value.to_bits() as i64) } else { constant.as_int() }
}

/// The plan's operation for a scalar op of the host.
fn scalar_op(op: Op<'_>) -> Option<ScalarOp> {
    Some(match op.name() {
        "arith.addi" => ScalarOp::AddI,
        "arith.subi" => ScalarOp::SubI,
        "arith.muli" => ScalarOp::MulI,
        "arith.divsi" | "arith.divui" => ScalarOp::DivI,
        "arith.remsi" | "arith.remui" => ScalarOp::RemI,
        "arith.floordivsi" => ScalarOp::FloorDivI,
        "arith.ceildivsi" | "arith.ceildivui" => ScalarOp::CeilDivI,
        "arith.minsi" | "arith.minui" => ScalarOp::MinI,
        "arith.maxsi" | "arith.maxui" => ScalarOp::MaxI,
        "arith.andi" => ScalarOp::AndI,
        "arith.ori" => ScalarOp::OrI,
        "arith.xori" => ScalarOp::XorI,
        "arith.shli" => ScalarOp::ShlI,
        "arith.shrsi" | "arith.shrui" => ScalarOp::ShrI,
        "arith.addf" => ScalarOp::AddF,
        "arith.subf" => ScalarOp::SubF,
        "arith.mulf" => ScalarOp::MulF,
        "arith.divf" => ScalarOp::DivF,
        "arith.negf" => ScalarOp::NegF,
        "arith.maximumf" | "arith.maxnumf" => ScalarOp::MaxF,
        "arith.minimumf" | "arith.minnumf" => ScalarOp::MinF,
        "math.sqrt" => ScalarOp::SqrtF,
        "math.floor" => ScalarOp::FloorF,
        "math.ceil" => ScalarOp::CeilF,
        "math.powf" => ScalarOp::PowF,
        "arith.select" => ScalarOp::Select,
        "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui" | "arith.extf" | "arith.truncf" => ScalarOp::Move,
        "arith.sitofp" | "arith.uitofp" => ScalarOp::IToF,
        "arith.fptosi" => ScalarOp::FToI,
        "arith.cmpi" => match op.int("predicate")? {
            0 => ScalarOp::EqI,
            1 => ScalarOp::NeI,
            2 | 6 => ScalarOp::LtI,
            3 | 7 => ScalarOp::LeI,
            4 | 8 => ScalarOp::GtI,
            5 | 9 => ScalarOp::GeI,
            _ => return None,
        },
        "arith.cmpf" => match op.int("predicate")? {
            1 | 8 => ScalarOp::EqF,
            2 | 9 => ScalarOp::GtF,
            3 | 10 => ScalarOp::GeF,
            4 | 11 => ScalarOp::LtF,
            5 | 12 => ScalarOp::LeF,
            6 | 13 => ScalarOp::NeF,
            _ => return None,
        },
        _ => return None,
    })
}
