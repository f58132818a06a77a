//! Where code goes: blocks, loops, and what is known inside them alone.

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Result, Type, Value, emit_error};

use super::Eval;

/// The inside of a nest of loops: given the loop variables and the carried values, the next carried values.
pub type LoopBody<'a, 'c> = dyn FnMut(&mut Eval<'c>, &[Value<'c>], &[Value<'c>]) -> Result<Vec<Value<'c>>> + 'a;

/// Whether iterations of a loop are written out one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// LLVM and the assembler may do so.
    AsTheAssemblerLikes,
    /// They are not, which the assembler takes half the time for: other threads work while one waits.
    Never,
}

impl<'c> Eval<'c> {
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
        self.annotated_loop([from, to, step], Written::AsTheAssemblerLikes, carried, build)
    }

    /// A loop `from..to` by `step`.
    pub fn annotated_loop(
        &mut self,
        bounds: [Value<'c>; 3],
        written: Written,
        carried: &[Value<'c>],
        build: impl FnOnce(&mut Self, Value<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let mut attributes = Vec::new();
        if written == Written::Never {
            let never = Attribute::parse(self.context(), "#llvm.loop_annotation<unroll = <disable = true>>");
            let never = never.ok_or_else(|| emit_error(self.b.location(), "internal bug: no LLVM dialect", &[]))?;
            attributes.push(("llvm.loop_annotation", never));
        }
        let operands = [&bounds[..], carried].concat();
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let arguments = [vec![Type::index(self.context())], types.clone()].concat();
        let op = self.b.op_with_regions("scf.for", &operands, &types, &attributes, &[Some(&arguments)]);
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
}
