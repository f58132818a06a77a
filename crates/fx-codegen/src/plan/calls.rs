//! Launches of kernels, and calls of functions of the host.

use fx_ir::{Attribute, DYNAMIC, Op, Result, emit_error};
use fx_runtime::plan::{Check, DType, Kernel, KernelArg, ResultSize, Scalar, ScalarOp, Step};

use super::{PlanBuilder, place_of};
use crate::kernel::{Kernel as KernelFunction, Size};

impl<'c> PlanBuilder<'_, 'c> {
    pub(super) fn call(&mut self, op: Op<'c>) -> Result {
        let name = op.attribute("callee").and_then(Attribute::as_str).unwrap_or_default();
        let Some(kernel) = self.kernels.get(name) else {
            return Err(emit_error(op.location(), &format!("'@{name}' is not a kernel"), &[]));
        };
        let index = self.kernel_index(name, kernel, checks(op, kernel));
        let mut args = Vec::new();
        let mut operands = Vec::new();
        for value in op.operands() {
            if value.ty().is_tensor() {
                args.push(KernelArg::Buffer(self.tensor(op, value)?));
                operands.push(Scalar::Const(0));
            } else {
                let scalar = self.scalar(op, value)?;
                args.push(KernelArg::Scalar(scalar));
                operands.push(scalar);
            }
        }
        let size = |size: &Size| match size {
            Size::Known(size) => Scalar::Const(*size),
            Size::Argument(index) => operands.get(*index).copied().unwrap_or(Scalar::Const(0)),
        };
        for (i, (value, dims)) in op.results().into_iter().zip(&kernel.result_dims).enumerate() {
            let dims = dims.iter().map(size).collect();
            match kernel.written_over(i) {
                Some(argument) => self.written_over(op, value, dims, argument)?,
                None => self.planned(op, value, dims)?,
            }
            args.push(KernelArg::Buffer(self.tensor(op, value)?));
        }
        let launcher = self.launcher;
        let cell = std::cell::RefCell::new(self);
        let mut product = |sizes: &[Size]| cell.borrow_mut().product(sizes.iter().map(size).collect());
        let mut scalar = |op: ScalarOp, a: Scalar, b: Scalar| cell.borrow_mut().compute(op, vec![a, b]);
        let launch = launcher.launch(name, &mut product, &mut scalar).ok_or_else(|| crate::internal(op, "a kernel without an extent"))?;
        cell.into_inner().push(Step::Launch { kernel: index, args, launch });
        Ok(())
    }

    /// A call of a host function; see `fx_ops::library`.
    pub(super) fn host_call(&mut self, op: Op<'c>) -> Result {
        let flags = |name: &str| op.attribute(name).and_then(Attribute::as_bools).unwrap_or_default();
        let (unsigned_inputs, unsigned_results) = (flags("fx.unsigned_inputs"), flags("fx.unsigned_results"));
        let inputs = op.operands();
        let own = inputs.len() - usize::try_from(op.int("fx.sizes").unwrap_or(0)).unwrap_or(0).min(inputs.len());
        let mut args = Vec::new();
        for (i, value) in inputs[..own].iter().enumerate() {
            args.push(if value.ty().is_tensor() {
                let id = self.tensor(op, *value)?;
                KernelArg::Buffer(if unsigned_inputs.get(i) == Some(&true) { self.read_as(id, DType::U8) } else { id })
            } else {
                KernelArg::Scalar(self.scalar(op, *value)?)
            });
        }
        let dims = op.attribute("fx.result_dims").and_then(Attribute::as_array).unwrap_or_default();
        let (mut results, mut sizes) = (Vec::new(), Vec::new());
        for (i, value) in op.results().into_iter().enumerate() {
            let names = dims.get(i).and_then(|dims| dims.as_array()).unwrap_or_default();
            let mut shape = Vec::new();
            for (d, size) in value.ty().shape().into_iter().enumerate() {
                let operand = names.get(d).and_then(|name| name.as_str()?.strip_prefix("arg")?.parse::<usize>().ok());
                shape.push(match operand.and_then(|operand| inputs.get(operand)) {
                    Some(operand) if size == DYNAMIC => self.scalar(op, *operand)?,
                    _ if size == DYNAMIC => {
                        let reg = self.register();
                        sizes.push(ResultSize { result: i as u32, dim: d as u32, reg });
                        Scalar::Reg(reg)
                    }
                    _ => Scalar::Const(size),
                });
            }
            self.planned(op, value, shape)?;
            let id = self.tensor(op, value)?;
            if unsigned_results.get(i) == Some(&true) {
                self.plan.buffers[id as usize].dtype = DType::U8;
            }
            results.push(id);
        }
        let attributes = op.attribute("args").map(json).and_then(|value| value.as_object().cloned()).unwrap_or_default();
        let name = op.text("target").unwrap_or_default().to_string();
        self.push(Step::Call { name, location: place_of(op), args, attributes, results, sizes });
        Ok(())
    }

    fn kernel_index(&mut self, name: &'c str, kernel: &KernelFunction<'c>, checks: Vec<Check>) -> u32 {
        let key = (name, checks);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.plan.kernels.len() as u32;
        self.plan.kernels.push(Kernel {
            symbol: self.launcher.symbol(name),
            binary: self.launcher.binary(name),
            location: place_of(kernel.op),
            checks: key.1.clone(),
        });
        self.known.insert(key, index);
        self.results.push(kernel.result_dims.len());
        index
    }
}

/// What a call's kernel checks.
fn checks(call: Op<'_>, kernel: &KernelFunction<'_>) -> Vec<Check> {
    let count = kernel.checks.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
    let list = call.attribute("fx.checks").and_then(Attribute::as_array).unwrap_or_default();
    let text = |number: usize, key: &str| {
        let entry = list.get(number)?.as_dictionary()?;
        Some(entry.into_iter().find(|(name, _)| *name == key)?.1.as_str()?.to_string())
    };
    (0..count)
        .map(|number| Check {
            location: text(number, "location").unwrap_or_else(|| place_of(call)),
            message: text(number, "message").unwrap_or_else(|| "a check failed".to_string()),
        })
        .collect()
}

/// An attribute as JSON: numbers, text, arrays, dictionaries; others as their text.
fn json(attribute: Attribute<'_>) -> serde_json::Value {
    if let Some(entries) = attribute.as_dictionary() {
        return entries.into_iter().map(|(name, value)| (name.to_string(), json(value))).collect::<serde_json::Map<_, _>>().into();
    }
    if let Some(entries) = attribute.as_array() {
        return entries.into_iter().map(json).collect::<Vec<_>>().into();
    }
    if let Some(entries) = attribute.as_i64s() {
        // A number that is an operand stands as the run-time size.
        return entries.into_iter().map(|entry| (entry != DYNAMIC).then_some(entry)).collect::<Vec<_>>().into();
    }
    if let Some(entries) = attribute.as_f64s() {
        return entries.into();
    }
    if let Some(entries) = attribute.as_bools() {
        return entries.into();
    }
    let text = attribute.as_str().map(serde_json::Value::from);
    let flag = || attribute.as_bool().map(serde_json::Value::from);
    let int = || attribute.as_int().map(serde_json::Value::from);
    let float = || attribute.as_float().map(serde_json::Value::from);
    text.or_else(flag).or_else(int).or_else(float).unwrap_or_else(|| attribute.to_string().into())
}
