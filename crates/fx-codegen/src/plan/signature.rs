//! Arguments and outputs of a plan, by the attributes that the importer gave the function.

use std::collections::HashMap;

use fx_ir::{Attribute, Block, DYNAMIC, Op, Result, Value};
use fx_runtime::plan::{
    Argument, ArgumentKind, ArgumentValue, Buffer, BufferId, DType, Output, OutputKind, OutputValue, Reg, Scalar, Storage, Symbol,
};

use super::{PlanBuilder, dtype};

/// Entry `index` of a function's `arg_attrs` or `res_attrs`.
fn attributes_of<'c>(function: Op<'c>, list: &str, index: usize) -> HashMap<&'c str, Attribute<'c>> {
    let lists = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
    lists.get(index).and_then(|entry| entry.as_dictionary()).unwrap_or_default().into_iter().collect()
}

impl<'c> PlanBuilder<'_, 'c> {
    pub(super) fn arguments(&mut self, function: Op<'c>, body: Block<'c>) -> Result {
        let mut symbols: HashMap<String, Reg> = HashMap::new();
        for (name, range) in function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default() {
            let range = range.as_i64s().unwrap_or_default();
            let reg = self.register();
            symbols.insert(name.to_string(), reg);
            let max = range.get(1).copied().filter(|max| *max >= 0);
            self.plan.symbols.push(Symbol { name: name.to_string(), reg, min: range.first().copied().unwrap_or(0), max });
        }
        for (i, argument) in body.arguments().into_iter().enumerate() {
            let attributes = attributes_of(function, "arg_attrs", i);
            let target = attributes.get("fx.target").and_then(|name| name.as_str()).map_or_else(|| format!("arg{i}"), str::to_string);
            let kind = match attributes.get("fx.kind").and_then(|kind| kind.as_str()) {
                Some("parameter") => ArgumentKind::Parameter(target),
                Some("buffer") => ArgumentKind::Buffer(target),
                Some("constant") => ArgumentKind::Constant(target),
                _ => ArgumentKind::Input(target),
            };
            let value = self.argument(function, argument, &attributes, &symbols)?;
            self.plan.arguments.push(Argument { kind, value });
        }
        Ok(())
    }

    fn argument(
        &mut self,
        function: Op<'c>,
        argument: Value<'c>,
        attributes: &HashMap<&'c str, Attribute<'c>>,
        symbols: &HashMap<String, Reg>,
    ) -> Result<ArgumentValue> {
        let ty = argument.ty();
        if !ty.is_tensor() {
            let symbol = attributes.get("fx.symbol").and_then(|name| name.as_str()).and_then(|name| symbols.get(name)).copied();
            let reg = symbol.unwrap_or_else(|| self.register());
            self.scalars.insert(argument, Scalar::Reg(reg));
            let dtype = if ty.is_index() { DType::I64 } else { dtype(function, ty)? };
            return Ok(ArgumentValue::Scalar { reg, dtype });
        }
        let names = attributes.get("fx.dims").and_then(|dims| dims.as_array()).unwrap_or_default();
        let dims = ty
            .shape()
            .into_iter()
            .enumerate()
            .map(|(d, size)| {
                if size != DYNAMIC {
                    return Scalar::Const(size);
                }
                let symbol = names.get(d).and_then(|name| name.as_str()).and_then(|name| symbols.get(name)).copied();
                Scalar::Reg(symbol.unwrap_or_else(|| self.anonymous_symbol()))
            })
            .collect();
        let unsigned = attributes.contains_key("fx.unsigned");
        let dtype = if unsigned { DType::U8 } else { dtype(function, ty.element())? };
        let id = self.buffer(Buffer { dtype, dims, storage: Storage::Argument });
        self.buffers.insert(argument, id);
        Ok(ArgumentValue::Tensor(id))
    }

    /// A size that the program left unnamed.
    fn anonymous_symbol(&mut self) -> Reg {
        let reg = self.register();
        self.plan.symbols.push(Symbol { name: format!("size{reg}"), reg, min: 0, max: None });
        reg
    }

    pub(super) fn outputs(&mut self, function: Op<'c>, body: Block<'c>) -> Result {
        let Some(terminator) = body.terminator() else { return Ok(()) };
        for (i, value) in terminator.operands().into_iter().enumerate() {
            let attributes = attributes_of(function, "res_attrs", i);
            let name = ["fx.mutates", "fx.target"].iter().find_map(|key| attributes.get(key)?.as_str()).unwrap_or_default();
            let kind = OutputKind::of(attributes.get("fx.kind").and_then(|kind| kind.as_str()), name);
            let value = if value.ty().is_tensor() {
                let id = self.tensor(terminator, value)?;
                let unsigned = attributes.contains_key("fx.unsigned");
                let dtype = if unsigned { DType::U8 } else { dtype(terminator, value.ty().element())? };
                OutputValue::Tensor(self.output_as(id, dtype))
            } else {
                let dtype = if value.ty().is_index() { DType::I64 } else { dtype(terminator, value.ty())? };
                OutputValue::Scalar { value: self.scalar(terminator, value)?, dtype }
            };
            self.plan.outputs.push(Output { kind, value });
        }
        Ok(())
    }

    /// The buffer of an output, of the output's type: what is an argument, or another output too, may have another sign there.
    fn output_as(&mut self, id: BufferId, dtype: DType) -> BufferId {
        let buffer = &self.plan.buffers[id as usize];
        if buffer.dtype == dtype {
            return id;
        }
        let is_output = self.plan.outputs.iter().any(|output| output.value == OutputValue::Tensor(id));
        if is_output || matches!(buffer.storage, Storage::Argument) {
            return self.read_as(id, dtype);
        }
        self.plan.buffers[id as usize].dtype = dtype;
        id
    }
}
