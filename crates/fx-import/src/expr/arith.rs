//! Exact arithmetic of evaluation, in 128 bits: operands are 64-bit numbers and their products.

/// Lowest terms with a positive denominator, if they fit.
pub(super) fn reduced(numerator: i128, denominator: i128) -> Option<(i64, i64)> {
    if denominator == 0 {
        return None;
    }
    let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = i128::try_from(a).ok()?.checked_mul(denominator.signum())?;
    let part = |whole: i128| i64::try_from(whole.checked_div(divisor)?).ok();
    Some((part(numerator)?, part(denominator)?))
}

/// `a*b + c*d`
pub(super) fn product_sum([a, b]: [i128; 2], [c, d]: [i128; 2]) -> Option<i128> {
    a.checked_mul(b)?.checked_add(c.checked_mul(d)?)
}

/// `a / b` rounded down; none for a divisor of zero.
pub(super) fn floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div_euclid(b)?;
    // Euclid's quotient rounds towards the remainder's sign, which differs for negative divisors.
    Some(quotient - i128::from(b < 0 && a.rem_euclid(b) != 0))
}

/// `a` modulo `b`, with the sign of `b`; none for a divisor of zero.
pub(super) fn floor_mod(a: i128, b: i128) -> Option<i128> {
    a.checked_sub(b.checked_mul(floor_div(a, b)?)?)
}
