//! Loops over tensors: maps and reductions, as `linalg.generic`.

use std::collections::HashMap;

use fx_ir::{AffineResult, Attribute, Block, Builder, Op, Type, Value};

use super::{Body, Ix, Lower, Operand, Tensor};
use crate::fx_op::Dim;
use crate::scalar::{Number, Scalars};

impl<'c> Lower<'c> {
    /// A tensor full of one number.
    pub fn fill(&self, dims: &[Dim<'c>], number: Number<'c>) -> Tensor<'c> {
        self.map(dims, number.ty, &[], |_, _| number)
    }

    /// An operand indexed by all loops, right-aligned, with broadcast dimensions at 0. `dims` are the loops' sizes.
    pub fn broadcast(&self, tensor: &Tensor<'c>, dims: &[Dim<'c>]) -> Operand<'c> {
        let offset = dims.len() - tensor.rank();
        let map = tensor
            .dims
            .iter()
            .enumerate()
            .map(|(i, dim)| if dim.known() == Some(1) && dims[offset + i].known() != Some(1) { Ix::Zero } else { Ix::Loop(offset + i) })
            .collect();
        Operand { tensor: tensor.clone(), map }
    }

    /// `result[i..] = body(operands at i..)` over all of `dims`.
    pub fn map(
        &self,
        dims: &[Dim<'c>],
        element: Type<'c>,
        operands: &[Operand<'c>],
        body: impl FnOnce(&Body<'c>, &[Number<'c>]) -> Number<'c>,
    ) -> Tensor<'c> {
        let init = self.empty(dims, element);
        let results = self.generic(dims, 0, operands, vec![init], |inside, arguments, _| vec![body(inside, arguments)]);
        results.into_iter().next().unwrap_or_else(|| self.empty(dims, element))
    }

    /// A reduction: for each place in `dims`, starting from `inits`, `acc = body(operands, acc)` over all of `reduced`.
    /// Operand maps count the loops of `dims` first, then those of `reduced`. One result per init.
    pub fn reduce(
        &self,
        dims: &[Dim<'c>],
        reduced: &[Dim<'c>],
        inits: &[Number<'c>],
        operands: &[Operand<'c>],
        body: impl FnOnce(&Body<'c>, &[Number<'c>], &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Tensor<'c>> {
        let outputs = inits
            .iter()
            .map(|init| {
                if init.ty.is_complex() {
                    return self.fill(dims, *init);
                }
                let empty = self.empty(dims, init.ty);
                let attributes = [("operandSegmentSizes", Attribute::i32s(self.context(), &[1, 1]))];
                let ty = empty.value.ty();
                let scalar = init.value.ty();
                let fill =
                    self.b.op_with_regions("linalg.fill", &[init.value, empty.value], &[ty], &attributes, &[Some(&[scalar, scalar])]);
                if let Some(block) = fill.body(0) {
                    self.b.inside(block).op("linalg.yield", &[block.argument(0)], &[], &[]);
                }
                Tensor { value: fill.result(0), ..empty }
            })
            .collect();
        let loops: Vec<_> = dims.iter().chain(reduced).copied().collect();
        let mut operands = operands.to_vec();
        let covered = |i: usize| operands.iter().any(|operand| operand.map.contains(&Ix::Loop(i)));
        if !(dims.len()..loops.len()).all(covered) {
            // No operand has the reduction's sizes: a tensor that is never read carries them.
            let window = self.empty(reduced, Type::int(self.context(), 8));
            operands.push(Operand { tensor: window, map: (dims.len()..loops.len()).map(Ix::Loop).collect() });
        }
        self.generic(&loops, reduced.len(), &operands, outputs, body)
    }

    fn generic(
        &self,
        loops: &[Dim<'c>],
        reduced: usize,
        operands: &[Operand<'c>],
        outputs: Vec<Tensor<'c>>,
        body: impl FnOnce(&Body<'c>, &[Number<'c>], &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Tensor<'c>> {
        let context = self.context();
        let parallel = loops.len() - reduced;
        self.check_loops(loops, operands);
        let identity: Vec<_> = (0..parallel).map(Ix::Loop).collect();
        let maps: Vec<_> = operands
            .iter()
            .map(|operand| self.affine_map(loops.len(), &operand.map))
            .chain(outputs.iter().map(|_| self.affine_map(loops.len(), &identity)))
            .collect();
        let kinds: Vec<_> = (0..loops.len()).map(|i| Attribute::iterator(context, i < parallel)).collect();
        let inputs = operands.len() as i32;
        let attributes = [
            ("indexing_maps", Attribute::array(context, &maps)),
            ("iterator_types", Attribute::array(context, &kinds)),
            ("operandSegmentSizes", Attribute::i32s(context, &[inputs, outputs.len() as i32])),
        ];
        let values: Vec<_> = operands.iter().map(|operand| operand.tensor.value).chain(outputs.iter().map(|tensor| tensor.value)).collect();
        let types: Vec<_> = outputs.iter().map(|tensor| tensor.value.ty()).collect();
        let scalars: Vec<_> = values.iter().map(|value| value.ty().element()).collect();
        let op = self.b.op_with_regions("linalg.generic", &values, &types, &attributes, &[Some(&scalars)]);
        if let Some(block) = op.body(0) {
            let inside = Body { s: Scalars::new(self.b.inside(block)) };
            let elements = operands.iter().map(|operand| operand.tensor.element).chain(outputs.iter().map(|tensor| tensor.element));
            let arguments: Vec<_> = block.arguments().into_iter().zip(elements).map(|(value, ty)| Number { value, ty }).collect();
            let (read, accumulated) = arguments.split_at(operands.len());
            let yielded = body(&inside, read, accumulated);
            let yielded: Vec<_> =
                yielded.iter().zip(&outputs).map(|(number, tensor)| inside.s.cast(*number, tensor.element).value).collect();
            inside.s.b.op("linalg.yield", &yielded, &[], &[]);
            make_complex_inside(op, block);
        }
        outputs.into_iter().zip(op.results()).map(|(tensor, value)| Tensor { value, ..tensor }).collect()
    }

    /// Checks, at run time, that operands have the sizes of the loops which read them, where types do not tell.
    fn check_loops(&self, loops: &[Dim<'c>], operands: &[Operand<'c>]) {
        let mut checked = Vec::new();
        for operand in operands {
            for (own, ix) in operand.tensor.dims.iter().zip(&operand.map) {
                let Ix::Loop(i) = ix else { continue };
                let pair = (*own, loops[*i]);
                if pair.0 != pair.1 && (pair.0.known().is_none() || pair.1.known().is_none()) && !checked.contains(&pair) {
                    self.check_sizes(pair.0, pair.1);
                    checked.push(pair);
                }
            }
        }
    }

    /// Stops the program unless two sizes of the op's operands are equal.
    pub fn check_sizes(&self, a: Dim<'c>, b: Dim<'c>) {
        if a != b {
            self.check_equal(a, b, &crate::rows::control::unequal(self.name));
        }
    }

    /// The same for each pair of two lists of sizes.
    pub fn check_shape(&self, own: &[Dim<'c>], expected: &[Dim<'c>]) {
        own.iter().zip(expected).for_each(|(own, expected)| self.check_sizes(*own, *expected));
    }

    fn affine_map(&self, loops: usize, map: &[Ix]) -> Attribute<'c> {
        let result = |ix: &Ix| match ix {
            Ix::Loop(d) => AffineResult::Dim(*d),
            Ix::Zero => AffineResult::Constant(0),
        };
        Attribute::affine_map(self.context(), loops, &map.iter().map(result).collect::<Vec<_>>())
    }
}

/// Makes inside of a loop's body the complex numbers that it takes from outside, from their parts: a kernel has no complex number
/// as an argument. Constants are too, since folding would bring a whole one outside again.
fn make_complex_inside<'c>(generic: Op<'c>, body: Block<'c>) {
    let Some(first) = body.ops().first().copied() else { return };
    let b = Builder::before(first);
    let mut made: HashMap<Value<'c>, Value<'c>> = HashMap::new();
    generic.walk(&mut |op| {
        for (i, value) in op.operands().into_iter().enumerate().filter(|(_, value)| value.ty().is_complex()) {
            let Some(maker) = value.defining_op().filter(|maker| maker.ancestor("linalg.generic") != Some(generic)) else { continue };
            let part = value.ty().element();
            let parts: Vec<_> = match maker.name() {
                "complex.create" => maker.operands(),
                "complex.constant" => {
                    let parts = maker.attribute("value").and_then(Attribute::as_array).unwrap_or_default();
                    parts.into_iter().map(|constant| b.constant(constant, part)).collect()
                }
                _ => continue,
            };
            let inside = *made.entry(value).or_insert_with(|| b.value("complex.create", &parts, value.ty(), &[]));
            op.set_operand(i, inside);
        }
    });
}
