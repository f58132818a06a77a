//! How values meet at a place.

use crate::typed::{Number, Real, copied, elements, elements_mut, finished, tensor, with_number, with_real};
use fx_runtime::HostTensor;

/// Positions in an input and in a source, in the order in which they are joined.
pub(super) trait Pairs {
    fn for_each(&self, visit: impl FnMut(usize, usize));
}

/// A reduction of elements of type `T`, done in type `Wide`.
trait Reduce<T: Number> {
    type Wide: Copy;
    const START: Self::Wide;
    fn open(value: T) -> Self::Wide;
    fn join(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn close(wide: Self::Wide) -> T;
}

struct Sum;
struct Product;
struct Largest;
struct Smallest;

macro_rules! reductions {
    ($($name:ident of $bound:ident in $wide:ty: $start:expr, $join:ident, $open:expr, $close:expr;)*) => {$(
        impl<T: $bound> Reduce<T> for $name {
            type Wide = $wide;
            const START: $wide = $start;
            fn open(value: T) -> $wide { $open(value) }
            fn join(a: $wide, b: $wide) -> $wide { a.$join(b) }
            fn close(wide: $wide) -> T { $close(wide) }
        }
    )*};
}
reductions! {
    Sum of Number in T::Wide: T::Wide::ZERO, plus, T::widen, T::narrow;
    Product of Number in T::Wide: T::Wide::ONE, times, T::widen, T::narrow;
    Largest of Real in T: T::LOWEST, larger, std::convert::identity, std::convert::identity;
    Smallest of Real in T: T::HIGHEST, smaller, std::convert::identity, std::convert::identity;
}

/// Where a reduction starts, and when its results are rounded.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// From the input's own element.
    pub(super) include_self: bool,
    /// After each step, not only at the end.
    pub(super) round_each: bool,
}

/// The input with the source's elements joined to it by a reduction of name "sum", "prod", "mean", "amax" or "amin".
pub(super) fn reduce(name: &str, input: &HostTensor, source: &HostTensor, pairs: &impl Pairs, rules: Rules) -> Result<HostTensor, String> {
    match name {
        "sum" => with_number!(input.dtype(), T => joined::<T, Sum>(input, source, pairs, rules)),
        "prod" => with_number!(input.dtype(), T => joined::<T, Product>(input, source, pairs, rules)),
        "amax" => with_real!(input.dtype(), T => joined::<T, Largest>(input, source, pairs, rules)),
        "amin" => with_real!(input.dtype(), T => joined::<T, Smallest>(input, source, pairs, rules)),
        "mean" => with_number!(input.dtype(), T => {
            let sums = joined::<T, Sum>(input, source, pairs, rules)?;
            mean::<T>(&sums, pairs, rules.include_self)
        }),
        other => Err(format!("does not know the reduction '{other}'")),
    }
}

fn joined<T: Number, R: Reduce<T>>(
    input: &HostTensor,
    source: &HostTensor,
    pairs: &impl Pairs,
    rules: Rules,
) -> Result<HostTensor, String> {
    let source = elements::<T>(source)?;
    if rules.round_each || size_of::<T>() == size_of::<R::Wide>() {
        let mut buffer = copied(input)?;
        let values = elements_mut::<T>(&mut buffer)?;
        if !rules.include_self {
            pairs.for_each(|at, _| values[at] = R::close(R::START));
        }
        pairs.for_each(|at, of| values[at] = R::close(R::join(R::open(values[at]), R::open(source[of]))));
        return finished(input.dtype(), input.dims(), buffer);
    }
    let mut values: Vec<R::Wide> = elements::<T>(input)?.iter().copied().map(R::open).collect();
    if !rules.include_self {
        pairs.for_each(|at, _| values[at] = R::START);
    }
    pairs.for_each(|at, of| values[at] = R::join(values[at], R::open(source[of])));
    tensor(input.dims(), &values.into_iter().map(R::close).collect::<Vec<_>>())
}

/// Sums over the number of values at each place (and itself), rounded to the element type as the sums are.
fn mean<T: Number>(sums: &HostTensor, pairs: &impl Pairs, include_self: bool) -> Result<HostTensor, String> {
    let mut counts = vec![usize::from(include_self); sums.len()];
    pairs.for_each(|at, _| counts[at] += 1);
    let means: Vec<T> = elements::<T>(sums)?.iter().zip(counts).map(|(sum, count)| sum.over(T::from_count(count.max(1)))).collect();
    tensor(sums.dims(), &means)
}
