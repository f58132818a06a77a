//! The walk: ops in order, regions as their ops say.

use std::cell::Cell;

use fx_ir::Message;

use crate::array::Array;
use crate::call::Call;
use crate::graph::{Block, Graph, Node, NumberKind, ValueType};
use crate::read::error_at;
use crate::value::{Number, Value};
use crate::{Result, ops, scalars};

/// What went wrong, with its place.
pub type Outcome<T> = std::result::Result<T, Message>;

/// Runs a function on the values of its arguments; gives those that it returns.
///
/// # Errors
/// The first of an op.
pub fn run(graph: &Graph, arguments: Vec<Value>) -> Outcome<Vec<Value>> {
    let mut walk = Walk { values: vec![None; graph.values], draws: Cell::new(0) };
    walk.block(&graph.body, arguments)
}

struct Walk {
    values: Vec<Option<Value>>,
    draws: Cell<u64>,
}

impl Walk {
    fn get(&self, id: usize) -> Result<Value> {
        self.values.get(id).cloned().flatten().ok_or_else(|| "reads a value that was not computed".to_string())
    }

    fn all(&self, ids: &[usize]) -> Result<Vec<Value>> {
        ids.iter().map(|id| self.get(*id)).collect()
    }

    fn set(&mut self, id: usize, value: Value) {
        if let Some(place) = self.values.get_mut(id) {
            *place = Some(value);
        }
    }

    /// Runs a block; gives what it yields.
    fn block(&mut self, block: &Block, arguments: Vec<Value>) -> Outcome<Vec<Value>> {
        for (id, value) in block.arguments.iter().zip(arguments) {
            self.set(*id, value);
        }
        for node in &block.nodes {
            let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
            if matches!(node.name.as_str(), "func.return" | "fx.yield") {
                return self.all(&node.operands).map_err(fail);
            }
            let results = match node.name.as_str() {
                "fx.cond" => self.cond(node)?,
                "fx.while_loop" => self.while_loop(node)?,
                "fx.map" => self.map(node)?,
                "fx.scan" => self.scan(node)?,
                _ => self.compute(node).map_err(fail)?,
            };
            check(node, &results).map_err(fail)?;
            for (id, value) in node.results.iter().zip(results) {
                self.set(*id, value);
            }
        }
        Ok(Vec::new())
    }

    /// An op without regions.
    fn compute(&self, node: &Node) -> Result<Vec<Value>> {
        if let Some(function) = ops::find(&node.name) {
            let groups: Result<Vec<_>> = node.groups.iter().map(|(name, ids)| Ok((*name, self.all(ids)?))).collect();
            return function(&Call::new(node, groups?, &self.draws));
        }
        if node.name.starts_with("fx.") {
            return Err(format!("cannot be computed: {} is not in the reference evaluator", node.name));
        }
        scalars::compute(node, &self.all(&node.operands)?)
    }

    //--- regions -------------------------------------------------------------------

    fn cond(&mut self, node: &Node) -> Outcome<Vec<Value>> {
        let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
        let predicate = self.group(node, "pred").and_then(|values| truth(&values)).map_err(fail)?;
        let region = node.regions.get(usize::from(!predicate)).ok_or_else(|| fail("has no region".into()))?;
        self.block(region, Vec::new())
    }

    fn while_loop(&mut self, node: &Node) -> Outcome<Vec<Value>> {
        let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
        let [condition, body] = &node.regions[..] else { return Err(fail("has not two regions".into())) };
        let mut carried = self.group(node, "init").map_err(fail)?;
        loop {
            let more = self.block(condition, carried.clone())?;
            if !truth(&more).map_err(fail)? {
                return Ok(carried);
            }
            carried = self.block(body, carried)?;
        }
    }

    fn map(&mut self, node: &Node) -> Outcome<Vec<Value>> {
        let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
        let xs = self.group(node, "xs").map_err(fail)?;
        let (carried, stacked) = self.over_first_dim(node, Vec::new(), &xs)?;
        debug_assert!(carried.is_empty());
        Ok(stacked)
    }

    fn scan(&mut self, node: &Node) -> Outcome<Vec<Value>> {
        let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
        let init = self.group(node, "init").map_err(fail)?;
        let xs = self.group(node, "xs").map_err(fail)?;
        let (mut carried, stacked) = self.over_first_dim(node, init, &xs)?;
        carried.extend(stacked);
        Ok(carried)
    }

    /// Runs the region for each index of the first dim of `xs`: the last carried values, and the others stacked.
    fn over_first_dim(&mut self, node: &Node, init: Vec<Value>, xs: &[Value]) -> Outcome<(Vec<Value>, Vec<Value>)> {
        let fail = |text: String| error_at(&node.location, format!("'{}' op {text}", node.name));
        let body = node.regions.first().ok_or_else(|| fail("has no region".into()))?;
        let xs: Vec<Array> = xs.iter().map(Value::to_array).collect();
        let count = xs.first().map_or(0, |x| x.size(0));
        let carries = init.len();
        let mut carried = init;
        let mut rows: Vec<Vec<Array>> = vec![Vec::new(); node.results.len().saturating_sub(carries)];
        for i in 0..count {
            let mut arguments = carried;
            for x in &xs {
                arguments.push(x.select(0, i).map_err(fail)?.into());
            }
            let mut yielded = self.block(body, arguments)?;
            if yielded.len() != node.results.len() {
                return Err(fail(format!("region yields {} values, expected {}", yielded.len(), node.results.len())));
            }
            let outputs = yielded.split_off(carries);
            carried = yielded;
            for (rows, output) in rows.iter_mut().zip(outputs) {
                rows.push(output.to_array().unsqueeze(0).map_err(fail)?);
            }
        }
        let stacked: Result<Vec<Value>> = rows.iter().enumerate().map(|(i, rows)| stack(node, carries + i, rows)).collect();
        Ok((carried, stacked.map_err(fail)?))
    }

    fn group(&self, node: &Node, name: &str) -> Result<Vec<Value>> {
        let ids = node.groups.iter().find(|(group, _)| *group == name).map_or(&[][..], |(_, ids)| ids);
        self.all(ids)
    }
}

/// Rows of result `index` joined; without any, an empty array of the result's type, where unknown sizes are 0.
fn stack(node: &Node, index: usize, rows: &[Array]) -> Result<Value> {
    if !rows.is_empty() {
        return Ok(Array::concat(&rows.iter().collect::<Vec<_>>(), 0)?.into());
    }
    match node.types.get(index) {
        Some(ValueType::Array { dtype, shape }) => {
            let mut shape: Vec<usize> = shape.iter().map(|size| size.unwrap_or(0)).collect();
            if let Some(first) = shape.first_mut() {
                *first = 0;
            }
            Ok(Array::full(*dtype, &shape, Number::Int(0))?.into())
        }
        _ => Err(format!("result {index} is no tensor")),
    }
}

fn truth(values: &[Value]) -> Result<bool> {
    let number = values.first().and_then(Value::to_number);
    number.map(Number::truth).ok_or_else(|| "has a condition that is not one element".to_string())
}

/// Results must be what their types say.
fn check(node: &Node, results: &[Value]) -> Result<()> {
    if results.len() != node.types.len() {
        return Err(format!("internal bug: computed {} results, expected {}", results.len(), node.types.len()));
    }
    for (i, (value, ty)) in results.iter().zip(&node.types).enumerate() {
        let fits = match (value, ty) {
            (Value::Array(array), ValueType::Array { dtype, shape }) => {
                let same = |(size, known): (&usize, &Option<usize>)| known.is_none_or(|known| known == *size);
                array.dtype() == *dtype && array.rank() == shape.len() && array.shape().iter().zip(shape).all(same)
            }
            (Value::Number(number), ValueType::Number(kind)) => matches!(
                (number, kind),
                (Number::Int(_), NumberKind::Int)
                    | (Number::Float(_), NumberKind::Float)
                    | (Number::Bool(_), NumberKind::Bool)
                    | (Number::Complex(_), NumberKind::Complex)
            ),
            (_, ValueType::None) => true,
            _ => false,
        };
        if !fits {
            let text = match value {
                Value::Array(array) => format!("{} of shape {:?}", array.dtype(), array.shape()),
                Value::Number(number) => format!("{number:?}"),
            };
            return Err(format!("internal bug: result {i} is {text}, its type says {ty:?}"));
        }
    }
    Ok(())
}
