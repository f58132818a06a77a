//! Special functions.

use super::{number_like, one, pair, unary};
use crate::case::Case;
use crate::draw::{Domain, Draw, FLOATS, REALS, SMALL};
use crate::{Class, Row, row};

/// Series and rational approximations: a good dozen of roundings.
const FUNCTION: &[Class] = &[Class::Function(16.0)];

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.digamma", FUNCTION, |d| function(d, SMALL)),
    row("fx.erf", FUNCTION, |d| function(d, SMALL)),
    row("fx.erfc", FUNCTION, |d| function(d, SMALL)),
    row("fx.erfinv", FUNCTION, |d| function(d, Domain::Range(-0.99, 0.99))),
    row("fx.i0", FUNCTION, |d| function(d, SMALL)),
    row("fx.igamma", FUNCTION, |d| pair(d, ["input", "other"], FLOATS, [Domain::Range(0.25, 9.0), Domain::Range(0.0, 9.0)])),
    row("fx.igammac", FUNCTION, |d| pair(d, ["input", "other"], FLOATS, [Domain::Range(0.25, 9.0), Domain::Range(0.0, 9.0)])),
    row("fx.lgamma", FUNCTION, |d| function(d, SMALL)),
    row("fx.logit", FUNCTION, |d| {
        let eps = d.maybe(|d| super::real(d, 0.0, 0.25));
        function(d, Domain::Range(0.05, 0.95)).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.mvlgamma", FUNCTION, |d| {
        let p = d.between(1, 4);
        unary(d, FLOATS, Domain::Range(2.0, 9.0)).int("p", p)
    }),
    row("fx.polygamma", FUNCTION, |d| {
        let n = d.between(0, 4);
        unary(d, REALS, Domain::Range(0.5, 9.0)).int("n", n)
    }),
    row("fx.special_airy_ai", FUNCTION, |d| of_x(d, SMALL)),
    row("fx.special_bessel_j0", FUNCTION, |d| function(d, Domain::Range(-9.0, 9.0))),
    row("fx.special_bessel_j1", FUNCTION, |d| function(d, Domain::Range(-9.0, 9.0))),
    row("fx.special_bessel_y0", FUNCTION, |d| function(d, Domain::Range(0.25, 9.0))),
    row("fx.special_bessel_y1", FUNCTION, |d| function(d, Domain::Range(0.25, 9.0))),
    row("fx.special_chebyshev_polynomial_t", FUNCTION, polynomial),
    row("fx.special_chebyshev_polynomial_u", FUNCTION, polynomial),
    row("fx.special_chebyshev_polynomial_v", FUNCTION, polynomial),
    row("fx.special_chebyshev_polynomial_w", FUNCTION, polynomial),
    row("fx.special_entr", FUNCTION, |d| function(d, Domain::Range(0.125, 4.0))),
    row("fx.special_erfcx", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_hermite_polynomial_h", FUNCTION, polynomial),
    row("fx.special_hermite_polynomial_he", FUNCTION, polynomial),
    row("fx.special_i0e", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_i1", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_i1e", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_laguerre_polynomial_l", FUNCTION, polynomial),
    row("fx.special_legendre_polynomial_p", FUNCTION, polynomial),
    row("fx.special_log_ndtr", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_modified_bessel_i0", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_modified_bessel_i1", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_modified_bessel_k0", FUNCTION, |d| function(d, Domain::Range(0.25, 9.0))),
    row("fx.special_modified_bessel_k1", FUNCTION, |d| function(d, Domain::Range(0.25, 9.0))),
    row("fx.special_ndtr", FUNCTION, |d| function(d, SMALL)),
    row("fx.special_ndtri", FUNCTION, |d| function(d, Domain::Range(0.01, 0.99))),
    row("fx.special_scaled_modified_bessel_k0", FUNCTION, |d| of_x(d, Domain::Range(0.25, 9.0))),
    row("fx.special_scaled_modified_bessel_k1", FUNCTION, |d| of_x(d, Domain::Range(0.25, 9.0))),
    row("fx.special_shifted_chebyshev_polynomial_t", FUNCTION, polynomial),
    row("fx.special_shifted_chebyshev_polynomial_u", FUNCTION, polynomial),
    row("fx.special_shifted_chebyshev_polynomial_v", FUNCTION, polynomial),
    row("fx.special_shifted_chebyshev_polynomial_w", FUNCTION, polynomial),
    row("fx.special_spherical_bessel_j0", FUNCTION, |d| of_x(d, Domain::Range(0.25, 9.0))),
    row("fx.special_xlog1py", FUNCTION, |d| pair(d, ["input", "other"], REALS, [SMALL, Domain::Range(-0.5, 4.0)])),
    row("fx.special_zeta", FUNCTION, |d| pair(d, ["input", "other"], FLOATS, [Domain::Range(1.5, 9.0), Domain::Range(0.25, 9.0)])),
    row("fx.xlogy", FUNCTION, |d| pair(d, ["input", "other"], REALS, [SMALL, Domain::Range(0.0, 4.0)])),
];

/// Numbers of a range, or special floats.
fn function(d: &mut Draw<'_>, domain: Domain) -> Case {
    let domain = if d.once_in(4) { Domain::SpecialFloats } else { domain };
    unary(d, REALS, domain)
}

fn of_x(d: &mut Draw<'_>, domain: Domain) -> Case {
    let domain = if d.once_in(4) { Domain::SpecialFloats } else { domain };
    one(d, "x", REALS, domain)
}

/// A polynomial of a degree up to 6, which may be a tensor.
fn polynomial(d: &mut Draw<'_>) -> Case {
    let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 3));
    let x = d.array(dtype, &shape, Domain::Range(-1.5, 1.5));
    let degrees = Domain::Range(-1.0, 6.0);
    let shape = d.broadcast_from(&shape);
    let n = if d.flip() { d.array(fx_interp::DType::I64, &shape, degrees).into() } else { number_like(d, fx_interp::DType::I64, degrees) };
    Case::new(d).with("x", x).with("n", n)
}
