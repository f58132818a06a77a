//! What single operators mean beyond the fx op that the dialect states for them.

use fx_ir::{Attribute, DYNAMIC, Op, Type, Value};

use super::Importer;
use super::arguments::Built;
use super::numbers;
use super::operator::converted;
use super::problem::{Outcome, Problem};
use super::scope::{Bound, Scope};
use crate::schema::{Argument, Node, ScalarType};

/// Arguments that mean something else than in the fx op.
pub(super) fn adjust<'c>(scope: &Scope<'_, 'c>, overload: &str, built: &mut Built<'c>) -> Outcome<()> {
    match overload {
        "aten.embedding_bag.padding_idx" => count_from_the_end(scope, built),
        _ => Ok(()),
    }
}

/// A negative `padding_idx` counts from the last row; in the fx op, as in other overloads, it is none.
fn count_from_the_end<'c>(scope: &Scope<'_, 'c>, built: &mut Built<'c>) -> Outcome<()> {
    let rows = built.operands.first().and_then(|weight| weight.ty().shape().first().copied());
    let Some((_, attribute)) = built.attributes.iter_mut().find(|(name, _)| name == "padding_idx") else { return Ok(()) };
    let Some(row) = attribute.as_int().filter(|row| *row < 0) else { return Ok(()) };
    match rows {
        Some(rows) if rows != DYNAMIC => {
            *attribute = Attribute::i64(scope.builder.context(), rows + row);
            Ok(())
        }
        _ => Err(Problem::new(
            format!("'padding_idx' of 'aten.embedding_bag.padding_idx' is {row}, of a table whose number of rows is not known"),
            "count it from the first row",
        )),
    }
}

impl<'c> Importer<'c> {
    /// An operator that no fx op stands for; false if this is none such.
    pub(super) fn number_of_dtype<'a>(&mut self, scope: &mut Scope<'a, 'c>, node: &'a Node, overload: &str) -> Outcome<bool> {
        let largest = match overload {
            "prims.maximum_value.default" => true,
            "prims.minimum_value.default" => false,
            _ => return Ok(false),
        };
        let [result] = node.outputs.as_slice() else { return Err(Problem::malformed("expected one number")) };
        let Some(Argument::ScalarType(dtype)) = node.input("dtype") else { return Err(Problem::malformed("expected a dtype")) };
        let &[(_, name)] = result.values().as_slice() else {
            return Ok(true); // a constant that nobody refers to
        };
        let ty = scope.result_type(name, result)?;
        let value = match (*dtype, integer_range(*dtype)) {
            (_, Some((_, high))) if largest => scope.builder.int(ty, high),
            (_, Some((low, _))) => scope.builder.int(ty, low),
            (dtype, None) => scope.builder.number(ty, if largest { float_limit(dtype)? } else { -float_limit(dtype)? }),
        };
        scope.bind(name, Bound::Number(value));
        Ok(true)
    }

    /// What an operator does after its op was made: `instance_norm` in training updates running statistics, without saying so
    /// in its schema. Each is `(1 - momentum) * old + momentum * new`, the new one the mean over the samples.
    pub(super) fn afterwards(&mut self, scope: &Scope<'_, 'c>, node: &Node, overload: &str, op: Op<'c>) -> Outcome<()> {
        if overload != "aten.instance_norm.default" || node.input("use_input_stats").and_then(numbers::bool) != Some(true) {
            return Ok(());
        }
        let running = |name: &str| node.input(name).and_then(Argument::tensor_name).map(|name| scope.tensor_id(name)).transpose();
        let statistics = [running("running_var")?, running("running_mean")?];
        if statistics.iter().all(Option::is_none) {
            return Ok(());
        }
        let builder = scope.builder;
        let context = builder.context();
        let build = |name: &str, operands: &[Value<'c>], attributes: &[(&str, Attribute<'c>)]| {
            let rejected = |_| Problem::rejected(&format!("running statistics of '{overload}'"), &[]);
            builder.infer(name, operands, attributes).map_err(rejected)
        };
        let momentum = node.input("momentum").and_then(numbers::float).unwrap_or(0.1);
        let mut input = op.operand(0);
        if input.ty().element().bit_width() < 32 {
            input = build("fx.to_copy", &[input], &[("dtype", Attribute::from_type(Type::f32(context)))])?.result(0);
        }
        let spatial: Vec<i64> = (2..).take(input.ty().rank().saturating_sub(2)).collect();
        let moments = build("fx.var_mean", &[input], &[("dim", Attribute::i64s(context, &spatial))])?;
        for (id, new) in statistics.into_iter().zip(moments.results()) {
            let Some(id) = id else { continue };
            let old = self.memory.read(id, builder)?;
            let new = build("fx.mean", &[new], &[("dim", Attribute::i64s(context, &[0]))])?.result(0);
            let weighted = |x, weight| Ok(build("fx.mul", &[x, builder.number(Type::f64(context), weight)], &[])?.result(0));
            let sum = build("fx.add", &[weighted(old, 1.0 - momentum)?, weighted(new, momentum)?], &[])?.result(0);
            self.memory.write(id, converted(scope, sum, old.ty())?, builder)?;
        }
        Ok(())
    }
}

/// The least and the greatest number of an integer dtype.
fn integer_range(dtype: ScalarType) -> Option<(i64, i64)> {
    Some(match dtype {
        ScalarType::Bool => (0, 1),
        ScalarType::UInt8 => (0, u8::MAX.into()),
        ScalarType::Int8 => (i8::MIN.into(), i8::MAX.into()),
        ScalarType::Int16 => (i16::MIN.into(), i16::MAX.into()),
        ScalarType::Int32 => (i32::MIN.into(), i32::MAX.into()),
        ScalarType::Int64 => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

/// The greatest finite number of a floating dtype, or of the parts of a complex one.
fn float_limit(dtype: ScalarType) -> Outcome<f64> {
    Ok(match dtype {
        ScalarType::Float64 | ScalarType::Complex128 => f64::MAX,
        ScalarType::Float32 | ScalarType::Complex64 => f32::MAX.into(),
        ScalarType::BFloat16 => (2.0 - f64::powi(2.0, -7)) * f64::powi(2.0, 127),
        ScalarType::Float16 => 65504.0,
        ScalarType::Float8E5M2 => 57344.0,
        ScalarType::Float8E4M3FN => 448.0,
        _ => return Err(Problem::new(format!("dtype '{dtype}' is not supported"), "use a number of another dtype")),
    })
}
