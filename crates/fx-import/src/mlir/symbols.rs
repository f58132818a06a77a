//! Arithmetic on symbolic numbers: `_operator.mul`, `math.floor`, `torch.sym_max` and the like.
//!
//! Integers are `index`, floats `f64`, truth values `i1`. Division and remainder are Python's: rounded
//! down. An operation with a float operand, and true division, computes in floats.

use fx_ir::{Attribute, Builder, Type, Value};

use super::Importer;
use super::numbers;
use super::problem::{Outcome, Problem};
use super::scope::{Bound, Scope};
use crate::schema::{Argument, Node, SymIntArgument};

/// Functions of two numbers: the op on integers (and truth values), and that on floats.
const BINARY: &[(&str, &str, &str)] = &[
    ("add", "arith.addi", "arith.addf"),
    ("and_", "arith.andi", ""),
    ("floordiv", "arith.floordivsi", ""),
    ("lshift", "arith.shli", ""),
    ("mul", "arith.muli", "arith.mulf"),
    ("or_", "arith.ori", ""),
    ("pow", "math.ipowi", "math.powf"),
    ("rshift", "arith.shrsi", ""),
    ("sub", "arith.subi", "arith.subf"),
    ("sym_max", "arith.maxsi", "arith.maximumf"),
    ("sym_min", "arith.minsi", "arith.minimumf"),
    ("truediv", "", "arith.divf"),
    ("xor", "arith.xori", ""),
];

/// Comparisons: the predicate on integers, and that on floats.
const COMPARISONS: &[(&str, i64, i64)] = &[("eq", 0, 1), ("ge", 5, 3), ("gt", 4, 2), ("le", 3, 5), ("lt", 2, 4), ("ne", 1, 13)];

/// Functions of one number that are computed in floats.
const UNARY_FLOAT: &[(&str, &str)] = &[
    ("acos", "math.acos"),
    ("asin", "math.asin"),
    ("atan", "math.atan"),
    ("ceil", "math.ceil"),
    ("cos", "math.cos"),
    ("cosh", "math.cosh"),
    ("exp", "math.exp"),
    ("floor", "math.floor"),
    ("log", "math.log"),
    ("log2", "math.log2"),
    ("round", "math.roundeven"),
    ("sin", "math.sin"),
    ("sinh", "math.sinh"),
    ("sqrt", "math.sqrt"),
    ("tan", "math.tan"),
    ("tanh", "math.tanh"),
    ("trunc", "math.trunc"),
    ("_sym_sqrt", "math.sqrt"),
];

impl<'c> Importer<'c> {
    /// Imports a call of a Python function on symbolic numbers.
    pub(super) fn python<'a>(&mut self, scope: &mut Scope<'a, 'c>, node: &'a Node, function: &str) -> Outcome<()> {
        let mut operands = Vec::new();
        for input in &node.inputs {
            self.numbers(scope, &input.arg, &mut operands)?;
        }
        let [result] = node.outputs.as_slice() else {
            return Err(Problem::malformed("expected one result of a Python function"));
        };
        let &[(_, name)] = result.values().as_slice() else {
            return Ok(()); // a constant that nobody refers to
        };
        let arithmetic = Arithmetic(scope.builder);
        let ty = scope.result_type(name, result)?;
        let value = arithmetic.apply(function, &operands, ty).ok_or_else(|| {
            Problem::new(
                format!("'{}' of {} symbolic numbers is not supported", node.target, operands.len()),
                "compute the number outside of the model, or in tensors",
            )
        })?;
        scope.bind(name, Bound::Number(arithmetic.cast(value, ty)));
        Ok(())
    }

    fn numbers(&mut self, scope: &Scope<'_, 'c>, argument: &Argument, out: &mut Vec<Value<'c>>) -> Outcome<()> {
        let arithmetic = Arithmetic(scope.builder);
        match argument {
            Argument::SymInts(list) => {
                for entry in list {
                    self.numbers(scope, &Argument::SymInt(entry.clone()), out)?;
                }
            }
            Argument::Ints(list) => out.extend(list.iter().map(|value| scope.builder.index(*value))),
            Argument::Int(_) | Argument::SymInt(SymIntArgument::Int(_)) => {
                out.extend(numbers::int(argument).map(|value| arithmetic.0.index(value)));
            }
            _ => {
                let value = scope.single(&mut self.memory, argument)?;
                let unexpected = || Problem::malformed(format!("expected a number, found '{}'", argument.key()));
                out.push(value.filter(|v| !v.ty().is_tensor()).ok_or_else(unexpected)?);
            }
        }
        Ok(())
    }
}

/// Builds arithmetic.
#[derive(Clone, Copy)]
struct Arithmetic<'c>(Builder<'c>);

impl<'c> Arithmetic<'c> {
    fn f64(self) -> Type<'c> {
        Type::f64(self.0.context())
    }

    fn unary(self, op: &str, x: Value<'c>) -> Value<'c> {
        self.0.value(op, &[x], x.ty(), &[])
    }

    fn binary(self, op: &str, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.0.value(op, &[x, y], x.ty(), &[])
    }

    /// The result of a function; none if there is no such one.
    fn apply(self, function: &str, operands: &[Value<'c>], ty: Type<'c>) -> Option<Value<'c>> {
        let index = Type::index(self.0.context());
        match (function, operands) {
            ("sym_sum", [first, rest @ ..]) => {
                let first = self.cast(*first, index);
                let add = |sum, next: &Value<'c>| self.binary("arith.addi", sum, self.cast(*next, index));
                Some(rest.iter().fold(first, add))
            }
            ("sym_sum", []) => Some(self.0.index(0)),
            ("sym_ite", &[condition, a, b]) => {
                let branches = [condition, self.cast(a, ty), self.cast(b, ty)];
                Some(self.0.value("arith.select", &branches, ty, &[]))
            }
            (_, &[x]) => self.apply_unary(function, x),
            (_, &[x, y]) => self.apply_binary(function, x, y),
            _ => None,
        }
    }

    fn apply_unary(self, function: &str, x: Value<'c>) -> Option<Value<'c>> {
        let is_float = x.ty().is_float();
        Some(match function {
            "pos" | "sym_float" | "sym_int" | "int" | "float" | "sym_fresh_size" => x,
            "ceil" | "floor" | "trunc" | "round" if !is_float => x,
            "neg" if is_float => self.unary("arith.negf", x),
            "neg" => {
                let x = self.cast(x, Type::index(self.0.context()));
                self.binary("arith.subi", self.0.index(0), x)
            }
            "abs" if is_float => self.unary("math.absf", x),
            "abs" => self.unary("math.absi", x),
            "not_" | "sym_not" => {
                let bool = Type::int(self.0.context(), 1);
                self.binary("arith.xori", self.cast(x, bool), self.0.int(bool, 1))
            }
            _ => {
                let (_, op) = UNARY_FLOAT.iter().find(|(name, _)| *name == function)?;
                self.unary(op, self.cast(x, self.f64()))
            }
        })
    }

    fn apply_binary(self, function: &str, x: Value<'c>, y: Value<'c>) -> Option<Value<'c>> {
        let bools = x.ty().is_bool() && y.ty().is_bool();
        let is_float = x.ty().is_float() || y.ty().is_float() || function == "truediv";
        let common = match (is_float, bools) {
            (true, _) => self.f64(),
            (false, true) => x.ty(),
            (false, false) => Type::index(self.0.context()),
        };
        let (x, y) = (self.cast(x, common), self.cast(y, common));
        if let Some((_, int, float)) = COMPARISONS.iter().find(|(name, ..)| *name == function) {
            let context = self.0.context();
            let (op, predicate) = match is_float {
                true => ("arith.cmpf", *float),
                false => ("arith.cmpi", *int),
            };
            let attributes = [("predicate", Attribute::i64(context, predicate))];
            return Some(self.0.value(op, &[x, y], Type::int(context, 1), &attributes));
        }
        match (function, is_float) {
            ("floordiv", true) => {
                let quotient = self.binary("arith.divf", x, y);
                return Some(self.unary("math.floor", quotient));
            }
            ("mod" | "PythonMod", _) => {
                let quotient = self.apply_binary("floordiv", x, y)?;
                let product = self.apply_binary("mul", quotient, y)?;
                return self.apply_binary("sub", x, product);
            }
            _ => {}
        }
        let (_, int, float) = BINARY.iter().find(|(name, ..)| *name == function)?;
        let op = if is_float { float } else { int };
        (!op.is_empty()).then(|| self.binary(op, x, y))
    }

    /// A number as another type of number; floats round towards zero.
    fn cast(self, x: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let from = x.ty();
        let convert = |op: &str, x, ty| self.0.value(op, &[x], ty, &[]);
        let i64 = Type::int(self.0.context(), 64);
        if from == ty {
            x
        } else if ty.is_bool() {
            let zero = match from.is_float() {
                true => self.0.number(from, 0.0),
                false => self.0.int(from, 0),
            };
            let different = self.apply_binary("ne", x, zero);
            different.unwrap_or(x)
        } else if ty.is_float() {
            match from.is_index() {
                true => convert("arith.sitofp", convert("arith.index_cast", x, i64), ty),
                false if from.is_bool() => convert("arith.uitofp", x, ty),
                false => convert("arith.sitofp", x, ty),
            }
        } else if from.is_float() {
            let int = convert("arith.fptosi", x, i64);
            self.cast(int, ty)
        } else if from.is_bool() && ty.is_index() {
            convert("arith.index_castui", x, ty)
        } else if from.is_bool() {
            convert("arith.extui", x, ty)
        } else {
            convert("arith.index_cast", x, ty)
        }
    }
}
