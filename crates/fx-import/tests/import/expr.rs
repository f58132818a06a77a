//! Expressions: reading, printing, evaluating, refusing.

use fx_import::{EvalError, MAX_DEPTH, MAX_LENGTH, SymExpr, SymValue};

fn parse(text: &str) -> SymExpr {
    SymExpr::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Shortens `a` to `Symbol('a', positive=True, integer=True)` and `3` to `Integer(3)`.
fn long(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
        let word = &tail[..end];
        match word {
            _ if word.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str(&format!("Integer({word})"));
            }
            "a" | "b" | "c" => {
                out.push_str(&format!("Symbol('{word}', positive=True, integer=True)"));
            }
            _ => out.push_str(word),
        }
        rest = &tail[end..];
    }
    out + rest
}

fn value(text: &str) -> Result<SymValue, EvalError> {
    parse(&long(text)).eval(&|name| match name {
        "a" => Some(7),
        "b" => Some(3),
        _ => None,
    })
}

#[test]
fn prints_infix() {
    let check = |text: &str, expected| assert_eq!(parse(&long(text)).to_string(), expected);
    check("Mul(a, b)", "a*b");
    check("Add(a, 1)", "a + 1");
    check("Mul(Add(a, 1), Pow(b, 2))", "(a + 1)*b**2");
    check("FloorDiv(Mul(8, a), Add(b, 1))", "8*a // (b + 1)");
    check("Mod(a, Mul(b, c))", "a % (b*c)");
    check("Mul(a, FloorDiv(b, 2))", "a*(b // 2)");
    check("Pow(Pow(a, 2), 3)", "(a**2)**3");
    check("Max(a, Min(b, 4))", "max(a, min(b, 4))");
    check("Not(And(LessThan(a, 5), Equality(b, 3)))", "not (a <= 5 and b == 3)");
    check("Or(StrictLessThan(a, b), GreaterThan(a, 1))", "a < b or a >= 1");
    check("Where(LessThan(a, b), a, Add(b, 1))", "where(a <= b, a, b + 1)");
    check("IntTrueDiv(a, b)", "a / b");
    assert_eq!(parse("Add(Symbol('s0'), Integer(-1))").to_string(), "s0 - 1");
    assert_eq!(parse("Mul(Integer(-1), Symbol('s0'))").to_string(), "(-1)*s0");
    assert_eq!(parse("Mul(Rational(1, 2), Symbol('s0'))").to_string(), "(1/2)*s0");
    assert_eq!(parse("Min(int_oo, -oo)").to_string(), "min(inf, -inf)");
    assert_eq!(parse("Float('0.5', precision=53)").to_string(), "0.5");
}

#[test]
fn evaluates_integers() {
    let check = |text, expected| assert_eq!(value(text), Ok(SymValue::Int(expected)), "{text}");
    check("Mul(a, b, 2)", 42);
    check("Add(a, Mul(2, b))", 13);
    check("FloorDiv(a, b)", 2);
    check("CeilDiv(a, b)", 3);
    check("Mod(a, b)", 1);
    check("PythonMod(Add(0, Mul(0, a)), b)", 0);
    check("ModularIndexing(a, 2, 2)", 1);
    check("Pow(b, 4)", 81);
    check("PowByNatural(b, 0)", 1);
    check("Max(a, b, 5)", 7);
    check("Min(a, b, 5)", 3);
    check("Where(LessThan(a, b), a, b)", 3);
    check("CleanDiv(Mul(a, b), b)", 7);
    check("Mul(Pow(2, Add(1, Mul(0, a))), b)", 6);
    check("CeilToInt(IntTrueDiv(a, b))", 3);
    check("floor(Mul(a, Pow(b, Add(0, 1))))", 21);
    check("LShift(b, 2)", 12);
    check("RShift(a, 1)", 3);
    check("BitwiseFn_bitwise_xor(a, b)", 4);
}

#[test]
fn division_rounds_down_for_all_signs() {
    let quotient = |a: i64, b: i64| {
        let text = format!("FloorDiv(Integer({a}), Integer({b}))");
        parse(&text).eval_int(&|_| None)
    };
    let remainder = |a: i64, b: i64| {
        let text = format!("PythonMod(Integer({a}), Integer({b}))");
        parse(&text).eval_int(&|_| None)
    };
    for a in -9i64..=9 {
        for b in (-4i64..=4).filter(|b| *b != 0) {
            let expected = (a as f64 / b as f64).floor() as i64;
            assert_eq!(quotient(a, b), Ok(expected), "{a} // {b}");
            assert_eq!(remainder(a, b), Ok(a - b * expected), "{a} % {b}");
        }
    }
}

#[test]
fn evaluates_fractions_floats_and_conditions() {
    let half = parse("Mul(Rational(2, 4), Symbol('s0'))");
    assert_eq!(half.eval(&|_| Some(7)), Ok(SymValue::Rational(7, 2)));
    assert_eq!(half.eval_int(&|_| Some(8)), Ok(4));
    assert_eq!(value("IntTrueDiv(a, 2)"), Ok(SymValue::Float(3.5)));
    assert_eq!(value("LessThan(a, b)"), Ok(SymValue::Bool(false)));
    assert_eq!(value("Or(LessThan(a, b), Unequality(a, b))"), Ok(SymValue::Bool(true)));
    assert_eq!(value("StrictLessThan(a, oo)"), Ok(SymValue::Bool(true)));
    assert_eq!(parse("Pow(Symbol('s0'), Integer(-2))").eval(&|_| Some(3)), Ok(SymValue::Rational(1, 9)));
    assert!(parse("Equality(Integer(3), Rational(6, 2))").eval_bool(&|_| None).expect("a bool"));
}

#[test]
fn refuses_to_evaluate() {
    assert_eq!(value("c"), Err(EvalError::UnknownSymbol("c".to_owned())));
    assert_eq!(value("FloorDiv(a, 0)"), Err(EvalError::DivisionByZero("FloorDiv")));
    assert_eq!(value("IntTrueDiv(a, 0)"), Err(EvalError::DivisionByZero("IntTrueDiv")));
    assert_eq!(value("Pow(10, 19)"), Err(EvalError::Overflow("Pow")));
    assert_eq!(value("Pow(2, 9223372036854775807)"), Err(EvalError::Overflow("Pow")));
    assert_eq!(value("LShift(a, 63)"), Err(EvalError::Overflow("LShift")));
    assert_eq!(value("Mul(9223372036854775807, a, a, a)"), Err(EvalError::Overflow("Mul")));
    let lowest = i64::MIN;
    let abs = parse(&format!("Abs(Integer({lowest}))"));
    assert_eq!(abs.eval(&|_| None), Err(EvalError::Overflow("Abs")));
    let quotient = parse(&format!("FloorDiv(Integer({lowest}), Integer(-1))"));
    assert_eq!(quotient.eval(&|_| None), Err(EvalError::Overflow("FloorDiv")));
}

#[test]
fn refuses_malformed_text() {
    let check = |text: &str, expected: &str| {
        let error = SymExpr::parse(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{expected:?} in {error:?}");
    };
    check("", "expected a constructor or a constant, found the end");
    check("s0 + s1", "expected a constructor or a constant, found 's0 + s1'");
    check("Add(Symbol('s0'),", "expected a constructor or a constant, found the end");
    check("Add(Integer(1)) x", "expected the end, found 'x'");
    check("Frob(Integer(1))", "expected a known function, found 'Frob'");
    check("Integer(9223372036854775808)", "expected an integer of 64 bits");
    check("Integer('3')", "expected an integer of 64 bits");
    check("Rational(1, 0)", "expected a fraction of 64-bit integers");
    check("Symbol('')", "expected a symbol's name");
    check("Symbol('a b')", "expected a symbol's name");
    check("Symbol(\u{e9})", "expected a string in quotes");
    check("Symbol('a", "expected a string in quotes");
    check("FloorDiv(Integer(1))", "expected 2 arguments of FloorDiv, found 1");
    check("Add()", "expected at least 1 arguments of Add, found 0");
    check("And(Integer(1))", "expected arguments of And of the right kind");
    check("Add(true, Integer(1))", "expected arguments of Add of the right kind");
    check("Float('nan')", "expected a finite float");
    check("Add(Integer(1), evaluate=False, x)", "expected a keyword argument");
}

#[test]
fn depth_and_length_are_bounded() {
    let nested = |depth: usize| "Abs(".repeat(depth) + "Integer(1)" + &")".repeat(depth);
    assert!(SymExpr::parse(&nested(MAX_DEPTH - 1)).is_ok());
    let error = SymExpr::parse(&nested(20_000)).expect_err("too long").to_string();
    assert!(error.contains(&format!("at most {MAX_LENGTH} bytes")), "{error}");
    let error = SymExpr::parse(&nested(1000)).expect_err("too deep").to_string();
    assert!(error.contains("at most 64 nested calls"), "{error}");
}
