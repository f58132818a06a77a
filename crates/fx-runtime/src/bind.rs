//! Arguments: checking dtypes and shapes, binding symbols.
//!
//! Rule      In argument order, the first dim (or scalar) that names a symbol binds it, later ones must agree. Which is
//!           first is known when the plan is loaded, so a call only compares numbers. Dims that are computed from
//!           symbols are compared after the prelude.

use crate::error::{Result, RuntimeError, SymbolConflict};
use crate::plan::*;
use crate::program::dims_text;
use crate::tensor::shape_text;
use crate::value::Value;

/// What a dim of an argument must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DimRule {
    /// This size.
    Const(i64),
    /// Any size in the symbol's range; binds it.
    Bind(u32),
    /// The symbol's value.
    Same(u32),
    /// Compared later.
    Derived,
}

/// Where an argument's value is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Among the values of the call.
    Input(usize),
    /// Among the state, by argument index.
    State(usize),
}

/// What an argument must be.
#[derive(Debug)]
pub(crate) enum ValueRule {
    /// A tensor for a buffer.
    Tensor { buffer: BufferId, dtype: DType, dims: Box<[DimRule]> },
    /// A number for a register; it may be a symbol's, which it binds or must agree with.
    Scalar { reg: Reg, dtype: DType, symbol: Option<DimRule> },
}

/// The rule of one argument.
#[derive(Debug)]
pub(crate) struct ArgumentRule {
    /// Index of the argument.
    pub(crate) argument: usize,
    /// Where its value is.
    pub(crate) source: Source,
    /// What it must be.
    pub(crate) value: ValueRule,
}

/// A dim that must equal a register after the prelude.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Derived {
    /// Index among the rules.
    pub(crate) rule: usize,
    /// The dim.
    pub(crate) dim: usize,
    /// The register.
    pub(crate) reg: Reg,
}

/// Makes the rules of a verified plan, in argument order.
pub(crate) fn rules(plan: &Plan) -> (Vec<ArgumentRule>, Vec<Derived>) {
    let mut bound = vec![false; plan.symbols.len()];
    let mut symbol_rule = |reg: Reg| {
        let symbol = plan.symbols.iter().position(|symbol| symbol.reg == reg)?;
        let again = std::mem::replace(&mut bound[symbol], true);
        let symbol = symbol as u32;
        Some(if again { DimRule::Same(symbol) } else { DimRule::Bind(symbol) })
    };
    let mut derived = Vec::new();
    let mut inputs = 0;
    let mut rules = Vec::with_capacity(plan.arguments.len());
    for (index, argument) in plan.arguments.iter().enumerate() {
        let source = if matches!(argument.kind, ArgumentKind::Input(_)) {
            inputs += 1;
            Source::Input(inputs - 1)
        } else {
            Source::State(index)
        };
        let value = match argument.value {
            ArgumentValue::Scalar { reg, dtype } => ValueRule::Scalar { reg, dtype, symbol: symbol_rule(reg) },
            ArgumentValue::Tensor(buffer) => {
                let mut rule = |(dim, size): (usize, &Scalar)| match *size {
                    Scalar::Const(size) => DimRule::Const(size),
                    Scalar::Reg(reg) => symbol_rule(reg).unwrap_or_else(|| {
                        derived.push(Derived { rule: rules.len(), dim, reg });
                        DimRule::Derived
                    }),
                };
                let entry = &plan.buffers[buffer as usize];
                let dims = entry.dims.iter().enumerate().map(&mut rule).collect();
                ValueRule::Tensor { buffer, dtype: entry.dtype, dims }
            }
        };
        rules.push(ArgumentRule { argument: index, source, value });
    }
    (rules, derived)
}

/// Checks one value against its rule and writes the registers that it binds.
///
/// Fails with the argument's name and what was expected.
#[inline]
pub(crate) fn bind(plan: &Plan, rule: &ArgumentRule, value: &Value, registers: &mut [i64]) -> Result<()> {
    match &rule.value {
        ValueRule::Scalar { reg, dtype, symbol } => {
            let bits = value.to_register(*dtype).ok_or_else(|| type_error(plan, rule, value))?;
            match symbol {
                Some(symbol) => bind_symbol(plan, *symbol, bits, registers, || name(plan, rule.argument)),
                None => {
                    registers[*reg as usize] = bits;
                    Ok(())
                }
            }
        }
        ValueRule::Tensor { dtype, dims, .. } => {
            let Some((actual, sizes)) = value.shape() else {
                return Err(type_error(plan, rule, value));
            };
            if actual != *dtype {
                return Err(type_error(plan, rule, value));
            }
            if sizes.len() != dims.len() {
                return Err(shape_error(plan, rule, sizes));
            }
            for (index, (dim, size)) in dims.iter().zip(sizes).enumerate() {
                let size = i64::try_from(*size).unwrap_or(i64::MAX);
                match dim {
                    DimRule::Const(expected) if *expected == size => {}
                    DimRule::Const(_) => return Err(shape_error(plan, rule, sizes)),
                    DimRule::Derived => {}
                    symbol => bind_symbol(plan, *symbol, size, registers, || format!("dim {index} of {}", name(plan, rule.argument)))?,
                }
            }
            Ok(())
        }
    }
}

/// Checks a value of the state as far as possible without symbols: dtype, rank and constant dims.
pub(crate) fn check_state(plan: &Plan, rule: &ArgumentRule, value: &Value) -> Result<()> {
    let ValueRule::Tensor { dtype, dims, .. } = &rule.value else {
        return Ok(());
    };
    let Some((_, sizes)) = value.shape().filter(|(actual, _)| actual == dtype) else {
        return Err(type_error(plan, rule, value));
    };
    let fits = |(dim, size): (&DimRule, &usize)| match dim {
        DimRule::Const(expected) => usize::try_from(*expected) == Ok(*size),
        _ => true,
    };
    if sizes.len() != dims.len() || !dims.iter().zip(sizes).all(fits) {
        return Err(shape_error(plan, rule, sizes));
    }
    Ok(())
}

impl ArgumentRule {
    /// Whether a call has anything to do for it: inputs, and state that takes part in symbols.
    pub(crate) fn is_per_call(&self) -> bool {
        let constant = |dim: &DimRule| matches!(dim, DimRule::Const(_));
        match (&self.value, self.source) {
            (ValueRule::Tensor { dims, .. }, Source::State(_)) => !dims.iter().all(constant),
            _ => true,
        }
    }
}

fn bind_symbol(plan: &Plan, rule: DimRule, value: i64, registers: &mut [i64], place: impl Fn() -> String) -> Result<()> {
    let (DimRule::Bind(index) | DimRule::Same(index)) = rule else {
        return Ok(());
    };
    let symbol = &plan.symbols[index as usize];
    let register = &mut registers[symbol.reg as usize];
    if matches!(rule, DimRule::Same(_)) {
        return if *register == value { Ok(()) } else { Err(conflict(plan, index, value, *register, place())) };
    }
    if value < symbol.min || symbol.max.is_some_and(|max| value > max) {
        return Err(RuntimeError::SymbolRange { symbol: symbol.name.clone(), range: symbol.range(), value, place: place() });
    }
    *register = value;
    Ok(())
}

/// The argument's kind and name, such as `input 'x'`.
pub(crate) fn name(plan: &Plan, argument: usize) -> String {
    match &plan.arguments[argument].kind {
        ArgumentKind::Parameter(name) => format!("parameter '{name}'"),
        ArgumentKind::Buffer(name) => format!("buffer '{name}'"),
        ArgumentKind::Constant(name) => format!("constant '{name}'"),
        ArgumentKind::Input(name) => format!("input '{name}'"),
    }
}

fn type_error(plan: &Plan, rule: &ArgumentRule, value: &Value) -> RuntimeError {
    let expected = match &rule.value {
        ValueRule::Tensor { dtype, .. } => format!("a tensor of {dtype}"),
        ValueRule::Scalar { dtype, .. } => format!("a number of {dtype}"),
    };
    RuntimeError::ArgumentType { argument: name(plan, rule.argument), expected, actual: value.kind() }
}

fn shape_error(plan: &Plan, rule: &ArgumentRule, actual: &[usize]) -> RuntimeError {
    let expected = match &rule.value {
        ValueRule::Tensor { buffer, .. } => dims_text(plan, &plan.buffers[*buffer as usize].dims),
        ValueRule::Scalar { .. } => "a number".into(),
    };
    RuntimeError::ArgumentShape { argument: name(plan, rule.argument), expected, actual: shape_text(actual) }
}

/// Finds again which argument bound the symbol.
fn conflict(plan: &Plan, index: u32, value: i64, bound: i64, place: String) -> RuntimeError {
    let symbol = &plan.symbols[index as usize];
    let binder = plan.arguments.iter().enumerate().find_map(|(argument, entry)| match entry.value {
        ArgumentValue::Scalar { reg, .. } => (reg == symbol.reg).then(|| name(plan, argument)),
        ArgumentValue::Tensor(buffer) => {
            let dims = &plan.buffers[buffer as usize].dims;
            let dim = dims.iter().position(|dim| *dim == Scalar::Reg(symbol.reg))?;
            Some(format!("dim {dim} of {}", name(plan, argument)))
        }
    });
    RuntimeError::SymbolConflict(Box::new(SymbolConflict {
        symbol: symbol.name.clone(),
        range: symbol.range(),
        value,
        place,
        bound,
        bound_place: binder.unwrap_or_else(|| "an unknown place".into()),
    }))
}

/// The error of a dim that differs from what the prelude computed.
pub(crate) fn derived_error(plan: &Plan, rule: &ArgumentRule, derived: Derived, expected: i64, actual: i64) -> RuntimeError {
    RuntimeError::ArgumentShape {
        argument: name(plan, rule.argument),
        expected: format!("{expected} in dim {} (computed from the other inputs)", derived.dim),
        actual: actual.to_string(),
    }
}
