//! Elements of a kernel's tensors, computed where they are needed.
//!
//! A tensor inside a kernel has no memory. [`Eval::element`] builds the code for one element at given indices: an
//! argument's is loaded, a generic's body is copied with its operands evaluated in turn, a reshape changes the indices,
//! a reduction becomes a loop unless its row's result is known already ([`Eval::known`]).

use std::collections::HashMap;

use fx_ir::{AffineResult, Attribute, Block, Builder, Context, Op, Region, Result, Type, Value, emit_error};

use crate::generic::{Generic, captured, reassociation};
use crate::kernel::{Kernel, Size};

mod address;
mod checks;
mod extrema;
mod held;
mod scans;
mod staged;
mod windows;

pub use address::{Address, Stride, is_cast};

/// An argument in memory: flat, contiguous, row-major.
#[derive(Clone)]
pub struct Memory<'c> {
    /// A 1-D memref.
    pub memref: Value<'c>,
    /// Its sizes as `index` values.
    pub dims: Vec<Value<'c>>,
    /// Element type as computed with (`i1` is a byte in memory).
    pub element: Type<'c>,
}

/// The position that a loop stands at.
struct Place<'c> {
    indices: Vec<Value<'c>>,
    dims: Vec<Value<'c>>,
    position: Value<'c>,
}

/// The inside of a nest of loops: given the loop variables and the carried values, the next carried values.
pub type LoopBody<'a, 'c> = dyn FnMut(&mut Eval<'c>, &[Value<'c>], &[Value<'c>]) -> Result<Vec<Value<'c>>> + 'a;

type Key<'c> = (Value<'c>, Vec<Value<'c>>);

/// Builds element code at a moving place.
pub struct Eval<'c> {
    /// Where code goes now.
    pub b: Builder<'c>,
    memory: HashMap<Value<'c>, Memory<'c>>,
    scalars: HashMap<Value<'c>, Value<'c>>,
    /// Sizes of tensors in the kernel, by `index` arguments.
    arguments: Vec<Value<'c>>,
    constants: Vec<HashMap<i64, Value<'c>>>,
    memo: Vec<HashMap<Key<'c>, Value<'c>>>,
    place: Option<Place<'c>>,
    checks: Vec<checks::Check<'c>>,
    /// Sizes as products, in code that runs only where they are: by these, addresses are known to be aligned.
    multiples: HashMap<Value<'c>, Value<'c>>,
    /// What was loaded, where that stays in registers from phase to phase.
    held: Option<held::Held<'c>>,
    /// What lies in workgroup memory too.
    staged: staged::Staged<'c>,
    /// Lets float sums be reordered (vectorised) where a reduction is a loop.
    pub reorder: bool,
    /// Writes out reductions over few places, so that the loop around them can become vectors.
    pub unroll: bool,
    /// Takes the largest and least of floats by integer keys, which become vectors.
    pub keyed_extrema: bool,
}

impl<'c> Eval<'c> {
    /// Starts at `b`. `values` are the emitted function's stand-ins for the kernel's arguments: memory or scalars.
    pub fn new(b: Builder<'c>, kernel: &Kernel<'c>, values: &[Argument<'c>]) -> Self {
        let mut memory = HashMap::new();
        let mut scalars = HashMap::new();
        let mut arguments = Vec::new();
        for (argument, value) in kernel.body.arguments().into_iter().zip(values) {
            match value {
                Argument::Memory(place) => {
                    memory.insert(argument, place.clone());
                    arguments.push(argument);
                }
                Argument::Scalar(scalar) => {
                    scalars.insert(argument, *scalar);
                    arguments.push(*scalar);
                }
            }
        }
        let constants = vec![HashMap::new()];
        let mut eval = Self {
            b,
            memory,
            scalars,
            arguments,
            constants,
            memo: vec![HashMap::new()],
            place: None,
            checks: Vec::new(),
            multiples: HashMap::new(),
            held: None,
            staged: staged::Staged::default(),
            reorder: false,
            keyed_extrema: false,
            unroll: false,
        };
        let mut memory = std::mem::take(&mut eval.memory);
        memory.values_mut().for_each(|memory| eval.share_sizes(memory));
        eval.memory = memory;
        eval.checks = kernel.checks.iter().map(|(number, op)| checks::Check::new(&eval.b, *number, *op)).collect();
        eval
    }

    /// Makes equal known sizes one value each, by which memory that has the loop's own sizes is recognised.
    pub fn share_sizes(&mut self, memory: &mut Memory<'c>) {
        for dim in &mut memory.dims {
            if let Some(size) = dim.constant().and_then(Attribute::as_int) {
                *dim = self.index(size);
            }
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.b.context()
    }

    /// The block that code goes to now.
    pub fn block(&self) -> Option<Block<'c>> {
        self.b.block()
    }

    //--- scopes -----------------------------------------------------------------

    /// Builds inside a block; what is known outside is known inside, not the other way round.
    pub fn scoped<T>(&mut self, block: Block<'c>, build: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.b;
        self.b = outer.inside(block);
        self.constants.push(HashMap::new());
        self.memo.push(HashMap::new());
        let result = build(self);
        self.memo.pop();
        self.constants.pop();
        self.b = outer;
        result
    }

    /// `for iv in from..to step step` with carried values; `build` gives the next ones.
    pub fn for_loop(
        &mut self,
        from: Value<'c>,
        to: Value<'c>,
        step: Value<'c>,
        carried: &[Value<'c>],
        build: impl FnOnce(&mut Self, Value<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let operands = [vec![from, to, step], carried.to_vec()].concat();
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let arguments = [vec![Type::index(self.context())], types.clone()].concat();
        let op = self.b.op_with_regions("scf.for", &operands, &types, &[], &[Some(&arguments)]);
        if let Some(block) = op.body(0) {
            let arguments = block.arguments();
            self.scoped(block, |eval| {
                let next = build(eval, arguments[0], &arguments[1..])?;
                eval.b.op("scf.yield", &next, &[], &[]);
                Ok(())
            })?;
        }
        Ok(op.results())
    }

    /// A nest of loops over all of `dims`, outermost first.
    pub fn loop_nest(
        &mut self,
        dims: &[Value<'c>],
        carried: &[Value<'c>],
        indices: &mut Vec<Value<'c>>,
        build: &mut LoopBody<'_, 'c>,
    ) -> Result<Vec<Value<'c>>> {
        let [first, rest @ ..] = dims else { return build(self, indices, carried) };
        let (zero, one) = (self.index(0), self.index(1));
        self.for_loop(zero, *first, one, carried, |eval, iv, carried| {
            indices.push(iv);
            let next = eval.loop_nest(rest, carried, indices, build);
            indices.pop();
            next
        })
    }

    //--- scalars ------------------------------------------------------------------

    /// An `index` constant.
    pub fn index(&mut self, value: i64) -> Value<'c> {
        if let Some(known) = self.constants.iter().rev().find_map(|scope| scope.get(&value)) {
            return *known;
        }
        let constant = self.b.index(value);
        if let Some(scope) = self.constants.last_mut() {
            scope.insert(value, constant);
        }
        constant
    }

    fn is(value: Value<'c>, constant: i64) -> bool {
        value.constant().and_then(Attribute::as_int) == Some(constant)
    }

    /// `a + b`
    pub fn add(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        if Self::is(a, 0) {
            return b;
        }
        if Self::is(b, 0) { a } else { self.b.value("arith.addi", &[a, b], a.ty(), &[]) }
    }

    /// `a * b`
    pub fn mul(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let known = |value: Value<'c>| value.constant().and_then(Attribute::as_int);
        match (known(a), known(b)) {
            (Some(x), Some(y)) => self.index(x.saturating_mul(y)),
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.b.value("arith.muli", &[a, b], a.ty(), &[]),
        }
    }

    /// The product of sizes.
    pub fn product(&mut self, dims: &[Value<'c>]) -> Value<'c> {
        let one = self.index(1);
        dims.iter().fold(one, |product, dim| self.mul(product, *dim))
    }

    /// A size as an `index` value.
    pub fn size(&mut self, size: Size) -> Value<'c> {
        match size {
            Size::Known(size) => self.index(size),
            Size::Argument(index) => self.arguments[index],
        }
    }

    /// Sizes as `index` values.
    pub fn sizes(&mut self, sizes: &[Size]) -> Vec<Value<'c>> {
        sizes.iter().map(|size| self.size(*size)).collect()
    }

    /// Row-major position of `indices`.
    pub fn linearize(&mut self, indices: &[Value<'c>], dims: &[Value<'c>]) -> Value<'c> {
        let zero = self.index(0);
        indices.iter().zip(dims).fold(zero, |position, (index, dim)| {
            let dim = self.as_multiple(*dim);
            let scaled = if Self::is(position, 0) { position } else { self.mul(position, dim) };
            self.add(scaled, *index)
        })
    }

    /// Indices of a row-major position.
    pub fn delinearize(&mut self, position: Value<'c>, dims: &[Value<'c>]) -> Vec<Value<'c>> {
        let mut rest = position;
        let mut indices = Vec::new();
        for (i, dim) in dims.iter().enumerate().rev() {
            let zero = self.index(0);
            if Self::is(*dim, 1) {
                indices.push(zero);
            } else if i == 0 || dims[..i].iter().all(|dim| Self::is(*dim, 1)) {
                indices.push(rest);
                rest = zero;
            } else {
                indices.push(self.b.value("arith.remui", &[rest, *dim], rest.ty(), &[]));
                rest = self.b.value("arith.divui", &[rest, *dim], rest.ty(), &[]);
            }
        }
        indices.reverse();
        indices
    }

    /// An index of which the optimiser does not know how it is computed, in a register of the kind that the target calls `register`.
    pub fn hidden(&self, value: Value<'c>, register: &str) -> Value<'c> {
        let (word, index) = (Type::int(self.context(), 64), value.ty());
        let value = self.b.value("arith.index_cast", &[value], word, &[]);
        let text = |text: &str| Attribute::string(self.context(), text);
        let hidden = [("asm_string", text("")), ("constraints", text(&format!("={register},0")))];
        let value = self.b.value("llvm.inline_asm", &[value], word, &hidden);
        self.b.value("arith.index_cast", &[value], index, &[])
    }

    /// Builds inside a block what runs only if `size` is a multiple of `of`.
    pub fn where_multiple<T>(
        &mut self,
        block: Block<'c>,
        size: Value<'c>,
        of: i64,
        build: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.scoped(block, |eval| {
            let of = eval.index(of);
            let count = eval.b.value("arith.divui", &[size, of], size.ty(), &[]);
            // The optimiser would find the size itself again.
            let count = eval.hidden(count, "l");
            let product = eval.mul(count, of);
            eval.multiples.insert(size, product);
            let built = build(eval);
            eval.multiples.remove(&size);
            built
        })
    }

    /// A size, as the product that it is known to be here.
    pub fn as_multiple(&self, size: Value<'c>) -> Value<'c> {
        self.multiples.get(&size).copied().unwrap_or(size)
    }

    //--- elements -------------------------------------------------------------------

    /// The loop's own place: memory of sizes `dims` has the element at `indices` at `position`.
    pub fn set_place(&mut self, indices: &[Value<'c>], dims: &[Value<'c>], position: Value<'c>) {
        self.place = Some(Place { indices: indices.to_vec(), dims: dims.to_vec(), position });
    }

    /// Records the element of `value` at `indices`.
    pub fn known(&mut self, value: Value<'c>, indices: &[Value<'c>], element: Value<'c>) {
        if let Some(scope) = self.memo.last_mut() {
            scope.insert((value, indices.to_vec()), element);
        }
    }

    /// The element of `value` at `indices`.
    ///
    /// # Errors
    /// If an op inside the kernel is none that kernels can hold: an internal bug, reported at the op.
    pub fn element(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let key = (value, indices.to_vec());
        if let Some(known) = self.memo.iter().rev().find_map(|scope| scope.get(&key)) {
            return Ok(*known);
        }
        let element = self.build_element(value, indices)?;
        self.known(value, indices, element);
        Ok(element)
    }

    fn build_element(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        if let Some((memory, indices)) = self.viewed_at(value, indices) {
            return Ok(self.load(&memory, &indices));
        }
        let Some(op) = value.defining_op() else {
            return Err(emit_error(self.b.location(), "internal bug: a kernel reads an unknown argument", &[]));
        };
        let outer = self.b;
        self.b = self.b.located(op.location());
        let element = match op.name() {
            "tensor.cast" => self.element(op.operand(0), indices),
            "tensor.empty" => Ok(self.zero(value.ty().element())),
            "linalg.fill" => Ok(self.scalar(op.operand(0))),
            "arith.constant" => Ok(self.splat(op)),
            "tensor.collapse_shape" => self.collapsed(op, indices),
            "tensor.expand_shape" => self.expanded(op, indices),
            "linalg.generic" => self.generic(op, value, indices),
            name => Err(emit_error(op.location(), &format!("internal bug: '{name}' inside a kernel"), &[])),
        };
        self.b = outer;
        element
    }

    /// Loads an element of memory.
    pub fn load(&mut self, memory: &Memory<'c>, indices: &[Value<'c>]) -> Value<'c> {
        let position = match &self.place {
            Some(place) if place.indices == indices && place.dims == memory.dims => place.position,
            _ => self.linearize(indices, &memory.dims),
        };
        self.load_flat(memory, position)
    }

    /// Loads the element at a position.
    pub fn load_flat(&mut self, memory: &Memory<'c>, position: Value<'c>) -> Value<'c> {
        let stored = memory.memref.ty().element();
        let loaded = self.loaded(memory.memref, position, stored);
        if memory.element == stored { loaded } else { self.b.value("arith.trunci", &[loaded], memory.element, &[]) }
    }

    /// Stores an element at a position.
    pub fn store_flat(&mut self, memory: &Memory<'c>, position: Value<'c>, element: Value<'c>) {
        let stored = memory.memref.ty().element();
        let element = if memory.element == stored { element } else { self.b.value("arith.extui", &[element], stored, &[]) };
        self.b.op("memref.store", &[element, memory.memref, position], &[], &[]);
    }

    fn zero(&mut self, ty: Type<'c>) -> Value<'c> {
        if ty.is_complex() {
            let part = self.b.number(ty.element(), 0.0);
            return self.b.value("complex.create", &[part, part], ty, &[]);
        }
        self.b.number(ty, 0.0)
    }

    fn splat(&mut self, op: Op<'c>) -> Value<'c> {
        let element = op.result(0).ty().element();
        let Some(value) = op.attribute("value").and_then(Attribute::as_splat) else { return self.zero(element) };
        match value.as_array().filter(|_| element.is_complex()) {
            Some(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| self.b.constant(part, element.element())).collect();
                self.b.value("complex.create", &parts, element, &[])
            }
            None => self.b.constant(value, element),
        }
    }

    /// A scalar of the kernel's function.
    fn scalar(&mut self, value: Value<'c>) -> Value<'c> {
        if let Some(known) = self.scalars.get(&value) {
            return *known;
        }
        match value.defining_op() {
            Some(op) if op.name() == "arith.constant" => match op.attribute("value") {
                Some(constant) => self.b.constant(constant, value.ty()),
                None => value,
            },
            _ => value,
        }
    }

    /// Sizes of a tensor inside the kernel.
    fn dims(&mut self, value: Value<'c>) -> Vec<Value<'c>> {
        if let Some(memory) = self.memory.get(&value) {
            return memory.dims.clone();
        }
        match value.defining_op() {
            Some(op) if op.name() == "tensor.collapse_shape" => {
                let source = self.dims(op.operand(0));
                let groups = reassociation(op);
                return groups.into_iter().map(|group| self.product(&group.iter().map(|i| source[*i]).collect::<Vec<_>>())).collect();
            }
            Some(op) if op.name() == "tensor.cast" => {
                let source = self.dims(op.operand(0));
                let shape = value.ty().shape();
                return shape
                    .into_iter()
                    .zip(source)
                    .map(|(size, dim)| if size == fx_ir::DYNAMIC { dim } else { self.index(size) })
                    .collect();
            }
            _ => {}
        }
        let b = self.b;
        crate::generic::dims_of(value, &b)
            .into_iter()
            .map(|dim| match dim {
                fx_ops::fx_op::Dim::Static(size) => self.index(size),
                fx_ops::fx_op::Dim::Dynamic(value) => self.scalar(value),
            })
            .collect()
    }

    fn collapsed(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let at = self.collapsed_indices(op, indices);
        self.element(op.operand(0), &at)
    }

    fn expanded(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let at = self.expanded_indices(op, indices);
        self.element(op.operand(0), &at)
    }

    fn generic(&mut self, op: Op<'c>, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let Some(generic) = Generic::new(op) else {
            return Err(emit_error(op.location(), "internal bug: a generic whose maps are not read", &[]));
        };
        let result = value.result_index().unwrap_or(0);
        if !generic.is_reduction() {
            return Ok(self.body(&generic, indices, &[])?[result]);
        }
        let results = self.reduction(&generic, indices)?;
        for (result, element) in op.results().into_iter().zip(&results) {
            self.known(result, indices, *element);
        }
        Ok(results[result])
    }

    /// First values of a reduction's accumulators at a row.
    pub fn inits(&mut self, generic: &Generic<'c>, indices: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        generic.outputs.iter().map(|output| self.element(*output, indices)).collect()
    }

    /// Sizes of a generic's loops, as values.
    pub fn loop_sizes(&mut self, generic: &Generic<'c>) -> Vec<Value<'c>> {
        let operands: Vec<_> = generic.inputs.iter().chain(&generic.outputs).copied().collect();
        (0..generic.reduced.len())
            .map(|i| {
                let found = operands.iter().zip(&generic.maps).find_map(|(operand, map)| {
                    let d = map.iter().position(|result| *result == AffineResult::Dim(i))?;
                    Some((*operand, d))
                });
                match found {
                    Some((operand, d)) => self.dims(operand)[d],
                    None => self.index(1),
                }
            })
            .collect()
    }

    /// A whole reduction at one row, as loops.
    pub fn reduction(&mut self, generic: &Generic<'c>, row: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        if let Some(extrema) = extrema::Extrema::of(generic).filter(|_| self.keyed_extrema) {
            return self.extrema(generic, &extrema, row);
        }
        let inits = self.inits(generic, row)?;
        let sizes = self.loop_sizes(generic);
        let reduced: Vec<_> = sizes.iter().zip(&generic.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect();
        let mut indices = row.to_vec();
        if self.unroll && windows::is_small(&reduced) {
            return self.unrolled(generic, &reduced, inits, &mut indices);
        }
        self.loop_nest(&reduced, &inits, &mut indices, &mut |eval, indices, carried| eval.body(generic, indices, carried))
    }

    /// A copy of a generic's body at the given loop indices; accumulators for a reduction.
    pub fn body(&mut self, generic: &Generic<'c>, loops: &[Value<'c>], accumulators: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let Some(block) = generic.body() else { return Ok(Vec::new()) };
        let mut copy = Copy { generic, loops, map: HashMap::new() };
        for (argument, value) in block.arguments().into_iter().skip(generic.inputs.len()).zip(accumulators) {
            copy.map.insert(argument, *value);
        }
        self.copy_block(&mut copy, block)
    }

    /// Copies the ops of a block; gives the operands of its terminator.
    fn copy_block(&mut self, copy: &mut Copy<'_, 'c>, block: Block<'c>) -> Result<Vec<Value<'c>>> {
        for op in block.ops() {
            match op.name() {
                "linalg.yield" | "scf.yield" | "scf.condition" => {
                    return op.operands().into_iter().map(|value| self.operand(copy, value)).collect();
                }
                "linalg.index" => {
                    let loop_index = op.int("dim").unwrap_or(0) as usize;
                    copy.map.insert(op.result(0), copy.loops[loop_index]);
                }
                "tensor.extract" => {
                    let indices = op.operands()[1..].iter().map(|value| self.operand(copy, *value)).collect::<Result<Vec<_>>>()?;
                    let element = self.element(op.operand(0), &indices)?;
                    copy.map.insert(op.result(0), element);
                }
                "scf.if" | "scf.for" | "scf.while" => self.copy_structured(copy, op)?,
                "cf.assert" => self.check(copy, op)?,
                _ => self.copy_op(copy, op)?,
            }
        }
        Ok(Vec::new())
    }

    /// What an operand of a body is: evaluated when first used.
    fn operand(&mut self, copy: &mut Copy<'_, 'c>, value: Value<'c>) -> Result<Value<'c>> {
        if let Some(known) = copy.map.get(&value) {
            return Ok(*known);
        }
        // A body without reduced loops may still read its output's first value.
        let Some((_, index)) = value.block_argument().filter(|_| copy.is_operand(value)) else { return Ok(self.scalar(value)) };
        let at: Vec<_> = copy.generic.maps[index]
            .iter()
            .map(|result| match result {
                AffineResult::Dim(i) => Ok(copy.loops[*i]),
                AffineResult::Constant(c) => Ok(self.index(*c)),
                AffineResult::Other => Err(emit_error(copy.generic.op.location(), "internal bug: a map that kernels cannot hold", &[])),
            })
            .collect::<Result<_>>()?;
        // Not recorded in the copy's map: a branch must not leak it. The memo knows scopes.
        let inputs = copy.generic.inputs.len();
        let source = if index < inputs { copy.generic.inputs[index] } else { copy.generic.outputs[index - inputs] };
        self.element(source, &at)
    }

    fn copy_op(&mut self, copy: &mut Copy<'_, 'c>, op: Op<'c>) -> Result {
        let mut map = HashMap::new();
        for value in op.operands() {
            map.insert(value, self.operand(copy, value)?);
        }
        let new = self.b.located(op.location()).clone_op(op, &mut map);
        if self.reorder && new.operands().len() == 2 && matches!(op.name(), "arith.addf" | "arith.mulf") {
            self.allow_reordering(copy, new);
        }
        for (old, value) in op.results().into_iter().zip(new.results()) {
            copy.map.insert(old, value);
        }
        Ok(())
    }

    /// An accumulation may be reordered and contracted: PyTorch's own sums are blocked, and its products use FMA.
    fn allow_reordering(&self, copy: &Copy<'_, 'c>, new: Op<'c>) {
        let reduction = copy.generic.is_reduction();
        if let Some(flags) = reduction.then(|| Attribute::parse(self.context(), "#arith.fastmath<reassoc,contract>")).flatten() {
            new.set_attribute("fastmath", flags);
        }
    }

    /// Copies a branch or a loop with its blocks.
    fn copy_structured(&mut self, copy: &mut Copy<'_, 'c>, op: Op<'c>) -> Result {
        if op.name() != "scf.if" {
            // Elements that a loop reads are evaluated before it, not in each round.
            for value in captured(op) {
                if copy.is_operand(value) {
                    self.operand(copy, value)?;
                }
            }
        }
        let operands = op.operands().into_iter().map(|value| self.operand(copy, value)).collect::<Result<Vec<_>>>()?;
        let results: Vec<_> = op.results().iter().map(|value| value.ty()).collect();
        let blocks: Vec<_> = op.regions().into_iter().map(Region::first_block).collect();
        let types: Vec<Option<Vec<_>>> =
            blocks.iter().map(|block| block.map(|block| block.arguments().iter().map(|value| value.ty()).collect())).collect();
        let regions: Vec<_> = types.iter().map(Option::as_deref).collect();
        let new = self.b.located(op.location()).op_with_regions(op.name(), &operands, &results, &op.attributes(), &regions);
        for (to, from) in new.regions().into_iter().zip(blocks) {
            let (Some(to), Some(from)) = (to.first_block(), from) else { continue };
            let outer = copy.map.clone();
            copy.map.extend(from.arguments().into_iter().zip(to.arguments()));
            self.scoped(to, |eval| {
                let ended = eval.copy_block(copy, from)?;
                eval.b.op(from.terminator().map_or("scf.yield", Op::name), &ended, &[], &[]);
                Ok(())
            })?;
            copy.map = outer;
        }
        for (old, value) in op.results().into_iter().zip(new.results()) {
            copy.map.insert(old, value);
        }
        Ok(())
    }
}

/// A kernel argument's stand-in in the emitted function.
#[derive(Clone)]
pub enum Argument<'c> {
    /// A tensor in memory.
    Memory(Memory<'c>),
    /// A number.
    Scalar(Value<'c>),
}

/// One copy of a body.
struct Copy<'a, 'c> {
    generic: &'a Generic<'c>,
    loops: &'a [Value<'c>],
    map: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> Copy<'_, 'c> {
    /// Whether a value is the element of an operand.
    fn is_operand(&self, value: Value<'c>) -> bool {
        value.block_argument().is_some_and(|(block, _)| Some(block) == self.generic.body())
    }
}
