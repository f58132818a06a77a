//! Calls of host functions in place of kernels: for what is not loops over elements (sorting, compaction, Fourier
//! transforms, factorisations), and for operators that the user registers.
//!
//! Such a call is an `fx.call` that stays through phases `linalg` and `kernels`: its tensors are in memory, the plan calls
//! the function of that name. Its inputs are the tensors, the scalars, and then sizes that `fx.result_dims` names.
//!
//! ```text
//! %v, %i = fx.call "fx::sort"(%x, %dim, %n) {fx.result_dims = [["arg2"], ["arg2"]], fx.sizes = 1}
//!     : (tensor<?xf32>, i64, index) -> (tensor<?xf32>, tensor<?xi64>)
//! ```

use fx_ir::{Attribute, NumberKind, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Lower, Tensor};

/// What a host function gives: the sizes (none where only the function knows) and the element type of a tensor.
#[derive(Clone, Debug)]
pub struct HostResult<'c> {
    /// One per dimension.
    pub dims: Vec<Option<Dim<'c>>>,
    /// The element type in fx.
    pub element: Type<'c>,
}

impl<'c> HostResult<'c> {
    /// A result whose sizes are known before the call.
    pub fn sized(dims: &[Dim<'c>], element: Type<'c>) -> Self {
        Self { dims: dims.iter().copied().map(Some).collect(), element }
    }

    /// A vector whose size only the function knows.
    pub fn vector(element: Type<'c>) -> Self {
        Self { dims: vec![None], element }
    }
}

/// Arguments of a host function that are not tensors.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostArguments<'a, 'c> {
    /// Scalars: integers, `index`, bools and floats.
    pub scalars: &'a [Value<'c>],
    /// A dictionary of everything else.
    pub attributes: Option<Attribute<'c>>,
}

impl<'a, 'c> HostArguments<'a, 'c> {
    /// Scalars alone.
    pub fn scalars(scalars: &'a [Value<'c>]) -> Self {
        Self { scalars, attributes: None }
    }
}

impl<'c> Lower<'c> {
    /// An integer as a scalar argument of a host function.
    pub fn int_argument(&self, value: i64) -> Value<'c> {
        self.b.int(Type::int(self.context(), 64), value)
    }

    /// A flag as a scalar argument of a host function.
    pub fn flag_argument(&self, value: bool) -> Value<'c> {
        self.int_argument(i64::from(value))
    }

    /// A float as a scalar argument of a host function.
    pub fn float_argument(&self, value: f64) -> Value<'c> {
        self.b.number(Type::f64(self.context()), value)
    }

    /// Calls host function `name` for an op: its results are the op's first ones.
    pub fn host_op(
        &mut self,
        op: FxOp<'c>,
        name: &str,
        tensors: &[Tensor<'c>],
        arguments: HostArguments<'_, 'c>,
        results: &[HostResult<'c>],
    ) {
        let tensors = self.host(name, tensors, arguments, results);
        for (result, tensor) in op.op.results().into_iter().zip(tensors) {
            self.set(result, tensor);
        }
    }

    /// Calls host function `name`; see the module.
    pub fn host(
        &self,
        name: &str,
        tensors: &[Tensor<'c>],
        arguments: HostArguments<'_, 'c>,
        results: &[HostResult<'c>],
    ) -> Vec<Tensor<'c>> {
        let context = self.context();
        let mut inputs: Vec<_> = tensors.iter().map(|tensor| tensor.value).chain(arguments.scalars.iter().copied()).collect();
        let own = inputs.len();
        let mut names = Vec::new();
        for result in results {
            let entries: Vec<_> = result
                .dims
                .iter()
                .map(|dim| match dim {
                    Some(Dim::Static(size)) => Attribute::i64(context, *size),
                    Some(Dim::Dynamic(value)) => {
                        let place = inputs[own..].iter().position(|input| input == value).map_or(inputs.len(), |place| own + place);
                        if place == inputs.len() {
                            inputs.push(*value);
                        }
                        Attribute::string(context, &format!("arg{place}"))
                    }
                    None => Attribute::string(context, "?"),
                })
                .collect();
            names.push(Attribute::array(context, &entries));
        }
        let unsigned = |types: &mut dyn Iterator<Item = Type<'c>>| {
            let flags: Vec<_> = types.map(|ty| ty.number_kind() == NumberKind::Unsigned).collect();
            Attribute::bools(context, &flags)
        };
        let mut attributes = vec![
            ("target", Attribute::string(context, name)),
            ("fx.result_dims", Attribute::array(context, &names)),
            ("fx.sizes", Attribute::i64(context, (inputs.len() - own) as i64)),
            ("fx.unsigned_inputs", unsigned(&mut tensors.iter().map(|tensor| tensor.element))),
            ("fx.unsigned_results", unsigned(&mut results.iter().map(|result| result.element))),
        ];
        attributes.extend(arguments.attributes.map(|dictionary| ("args", dictionary)));
        let in_type = |dim: &Option<Dim<'c>>| dim.map_or(fx_ir::DYNAMIC, Dim::in_type);
        let types: Vec<_> = results
            .iter()
            .map(|result| Type::tensor(&result.dims.iter().map(in_type).collect::<Vec<_>>(), crate::scalar::storage_type(result.element)))
            .collect();
        let call = self.b.op("fx.call", &inputs, &types, &attributes);
        call.results().into_iter().zip(results).map(|(value, result)| self.host_result(value, result)).collect()
    }

    fn host_result(&self, value: Value<'c>, result: &HostResult<'c>) -> Tensor<'c> {
        let dims = result.dims.iter().enumerate().map(|(i, dim)| {
            dim.unwrap_or_else(|| {
                let index = self.b.index(i as i64);
                Dim::Dynamic(self.b.value("tensor.dim", &[value, index], index.ty(), &[]))
            })
        });
        Tensor { value, dims: dims.collect(), element: result.element }
    }
}
