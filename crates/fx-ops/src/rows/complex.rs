//! Inverse circular and hyperbolic functions of complex numbers, by real functions of their parts (Kahan, "Branch cuts for
//! complex elementary functions", 1987). Signs of zeros say on which side of a cut a number lies, as in C's Annex G.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::real::{Real, Reals, complex_in_f64};
use crate::scalar::{Number, Scalars};

/// `acos z`
pub(crate) fn acos<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| {
        let Circular { cosine, imaginary, .. } = circular(m, x, y);
        [cosine, -imaginary]
    })
}

/// `asin z`
pub(crate) fn asin<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| {
        let Circular { sine, imaginary, .. } = circular(m, x, y);
        [sine, imaginary]
    })
}

/// `acosh z = ±i acos z`, with a real part that is not negative
pub(crate) fn acosh<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| {
        let Circular { cosine, imaginary, .. } = circular(m, x, y);
        [imaginary.abs(), cosine.copysign(y)]
    })
}

/// `asinh z = i asin(-iz)`
pub(crate) fn asinh<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| {
        let Circular { sine, imaginary, .. } = circular(m, y, x);
        [imaginary, sine]
    })
}

/// `atanh z`
pub(crate) fn atanh<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| area_tangent(m, x, y))
}

/// `atan z = -i atanh(iz)`
pub(crate) fn atan<'c>(s: &Scalars<'c>, z: Number<'c>) -> Number<'c> {
    complex_in_f64(s, z, |m, [x, y]| {
        let [re, im] = area_tangent(m, y, x);
        [im, re]
    })
}

/// The parts of `acos z` and `asin z`: their imaginary parts are opposite.
struct Circular<'a, 'c> {
    cosine: Real<'a, 'c>,
    sine: Real<'a, 'c>,
    /// Of `asin z`.
    imaginary: Real<'a, 'c>,
}

/// With the roots `p + iq` of `1 + z` and `r - is` of `1 - z`, for x, y >= 0: `Re acos z = 2 atan(r / p)`,
/// `Re asin z = atan(x / (pr + qs))`, `Im asin z = asinh(rq + sp)`.
fn circular<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, y: Real<'a, 'c>) -> Circular<'a, 'c> {
    let infinite = x.is_infinite() | y.is_infinite();
    let (u, v) = (infinite.select(1.0, x.abs()), infinite.select(1.0, y.abs()));
    let [p, q] = root(m, 1.0 + u, v);
    let [r, s] = root(m, 1.0 - u, v);
    let cosine = 2.0 * r.atan2(p);
    let sine = u.atan2(p * r + q * s);
    let imaginary = infinite.select(f64::INFINITY, (r * q + s * p).asinh());
    // At infinity the direction counts: an infinite part is 1, another 0.
    let direction = |part: Real<'a, 'c>| part.is_infinite().select(m.c(1.0), 0.0 * part.abs());
    let far = direction(x).atan2(direction(y));
    let axis = x.equals(0.0);
    let sine = axis.select(0.0, infinite.select(far, sine));
    let cosine = axis.select(FRAC_PI_2, infinite.select(FRAC_PI_2 - far, cosine));
    // -0 lies on the positive side here: the arc cosine is π/2 from both.
    let cosine = x.lt(0.0).select(PI - cosine, cosine);
    Circular { cosine, sine: sine.copysign(x), imaginary: imaginary.copysign(y) }
}

/// The parts of the root of `u + iv`, v >= 0, in the first quadrant.
fn root<'a, 'c>(m: &'a Reals<'c>, u: Real<'a, 'c>, v: Real<'a, 'c>) -> [Real<'a, 'c>; 2] {
    let size = u.abs();
    let larger = size.gt(v);
    let (large, small) = (larger.select(size, v), larger.select(v, size));
    let ratio = small / large;
    // half of the number's length and of |u|: their sum may be infinite
    let length = 0.5 * large * (1.0 + ratio * ratio).sqrt();
    let main = (length + 0.5 * size).sqrt();
    let other = 0.5 * v / main;
    let none = (size + v).equals(0.0);
    let (main, other) = (none.select(m.c(0.0), main), none.select(m.c(0.0), other));
    let positive = u.ge(0.0);
    [positive.select(main, other), positive.select(other, main)]
}

/// The parts of `atanh z`: `ln(1 + 4x / ((1 - x)^2 + y^2)) / 4` for x >= 0, and half the angle of `(1 - x)(1 + x) - y^2 + 2iy`.
fn area_tangent<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, y: Real<'a, 'c>) -> [Real<'a, 'c>; 2] {
    let u = x.abs();
    let infinite = u.is_infinite() | y.is_infinite();
    let below = 1.0 - u;
    let re = 0.25 * (4.0 * u / (below * below + y * y)).ln_1p();
    let im = 0.5 * (2.0 * y).atan2(below * (1.0 + u) - y * y);
    let quarter = y.equals(y).select(m.c(FRAC_PI_2).copysign(y), y);
    [(infinite | u.equals(0.0)).select(0.0, re).copysign(x), infinite.select(quarter, im)]
}
