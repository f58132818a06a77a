//! Random cases of an op, and the simplest of those that fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::Row;
use crate::case::Case;
use crate::draw::Draw;
use crate::judge::{Lowering, Verdict, judge, text};

/// Cases per program: enough to share the cost of compiling, few enough that a fault is quickly told apart.
const BATCH: usize = 20;
/// Choices that a case is made of; what it needs beyond these is 0.
pub const CHOICES: usize = 96;
/// Steps of shrinking that may run programs.
const STEPS: usize = 150;

/// What environment variables say.
pub struct Settings {
    cases: usize,
    seed: u64,
    only: Vec<String>,
}

/// Whether `FX_PROPERTY_TRACE` asks for this: 1 names each op before it runs, 2 prints each program before it is compiled.
pub fn traces(level: u64) -> bool {
    std::env::var("FX_PROPERTY_TRACE").ok().and_then(|text| text.parse::<u64>().ok()).is_some_and(|own| own >= level)
}

/// Prints past the test harness, which keeps what a crash would lose.
pub fn trace(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

impl Settings {
    /// `FX_PROPERTY_CASES` per op (20), `FX_PROPERTY_SEED` (0), `FX_PROPERTY_OPS`: parts of names, separated by commas.
    pub fn read() -> Self {
        let number = |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        let only = std::env::var("FX_PROPERTY_OPS").unwrap_or_default();
        Settings {
            cases: number("FX_PROPERTY_CASES", 20) as usize,
            seed: number("FX_PROPERTY_SEED", 0),
            only: only.split(',').filter(|part| !part.is_empty()).map(str::to_string).collect(),
        }
    }
}

impl Settings {
    /// How many cases of an op.
    pub fn cases(&self) -> usize {
        self.cases
    }

    /// Whether an op is to be tested.
    pub fn wants(&self, op: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| op.contains(part.as_str()))
    }
}

/// What came of a family.
#[derive(Default)]
pub struct Report {
    agree: usize,
    skipped: BTreeMap<String, Vec<&'static str>>,
    failures: Vec<String>,
}

impl Report {
    /// Prints the counts; panics if something failed.
    pub fn finish(self, family: &str) {
        println!("{family}: {} cases agree", self.agree);
        for (reason, ops) in &self.skipped {
            println!("{family}: {} ops skipped ({reason}): {}", ops.len(), ops.join(" "));
        }
        assert!(self.failures.is_empty(), "{} faults\n\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

/// A case; of those with sizes that only a run knows some have a wrong one.
fn make(row: &Row, choices: &[u16]) -> Case {
    let mut draw = Draw::new(choices);
    let case = (row.make)(&mut draw);
    if case.fails || !draw.once_in(3) {
        return case;
    }
    case.with_wrong_size(&mut draw.stream()).unwrap_or(case)
}

/// Runs all rows of a family.
pub fn check(rows: &[Row], lowering: Lowering) -> Report {
    let settings = Settings::read();
    let mut report = Report::default();
    for row in rows {
        if settings.wants(row.op) {
            check_op(row, &settings, lowering, &mut report);
        }
    }
    report
}

fn check_op(row: &Row, settings: &Settings, lowering: Lowering, report: &mut Report) {
    if traces(1) {
        trace(row.op);
    }
    let mut seed = [0u8; 32];
    seed[..8].copy_from_slice(&settings.seed.to_le_bytes());
    row.op.bytes().enumerate().for_each(|(i, byte)| seed[8 + i % 24] ^= byte.rotate_left(i as u32 / 24));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let strategy = proptest::collection::vec(any::<u16>(), CHOICES);
    let mut left = settings.cases;
    while left > 0 {
        let count = left.min(BATCH);
        left -= count;
        let mut trees: Vec<_> = (0..count).map(|_| strategy.new_tree(&mut runner).expect("a list of numbers")).collect();
        let cases: Vec<Case> = trees.iter().map(|tree| make(row, &tree.current())).collect();
        let verdicts = judge(row, &cases, lowering);
        let failed = verdicts.iter().filter(|verdict| verdict.fault().is_some()).count();
        report.agree += verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Agree)).count();
        for verdict in &verdicts {
            if let Verdict::Skipped(reason) = verdict {
                let ops = report.skipped.entry(reason.clone()).or_default();
                if ops.last() != Some(&row.op) {
                    ops.push(row.op);
                }
            }
        }
        let Some(first) = verdicts.iter().position(|verdict| verdict.fault().is_some()) else { continue };
        let (case, verdict) = shrunk(row, &mut trees[first], cases[first].clone(), verdicts[first].clone(), lowering);
        report.failures.push(describe(row, &case, &verdict, failed, count));
        return;
    }
}

/// The simplest case found that has the same kind of fault.
fn shrunk(row: &Row, tree: &mut impl ValueTree<Value = Vec<u16>>, case: Case, verdict: Verdict, lowering: Lowering) -> (Case, Verdict) {
    let (mut best, mut steps) = ((case, verdict), 0);
    let mut seen = format!("{:?}", best.0);
    let mut more = tree.simplify();
    while more && steps < STEPS {
        let case = make(row, &tree.current());
        let own = format!("{case:?}");
        let same = own == seen || {
            steps += 1;
            let verdict = judge(row, std::slice::from_ref(&case), lowering).remove(0);
            let same = verdict.fault() == best.1.fault();
            if same {
                best = (case, verdict);
                seen = own;
            }
            same
        };
        more = if same { tree.simplify() } else { tree.complicate() };
    }
    best
}

fn describe(row: &Row, case: &Case, verdict: &Verdict, failed: usize, count: usize) -> String {
    let mut out = String::new();
    if let Verdict::Wrong(fault, reason) = verdict {
        let _ = writeln!(out, "{}: {fault:?} ({failed} of {count}): {reason}", row.op);
    }
    for line in text(row.op, case).lines() {
        let _ = writeln!(out, "    {line}");
    }
    for (i, value) in case.inputs(row.op).iter().enumerate() {
        let shown = match value {
            fx_runtime::Value::Tensor(tensor) => fx_interp::Array::from_tensor(tensor).map_or_else(|error| error, |array| shown(&array)),
            other => format!("{other:?}"),
        };
        let _ = writeln!(out, "    input {i}: {shown}");
    }
    out
}

/// The first elements of a tensor.
fn shown(array: &fx_interp::Array) -> String {
    let numbers: Vec<String> = (0..array.len().min(24))
        .filter_map(|i| array.number(i))
        .map(|number| match number {
            fx_interp::Number::Int(x) => x.to_string(),
            fx_interp::Number::Float(x) => format!("{x:e}"),
            fx_interp::Number::Bool(x) => x.to_string(),
            fx_interp::Number::Complex(z) => format!("{:e}+{:e}i", z.re, z.im),
        })
        .collect();
    let rest = if array.len() > 24 { ", .." } else { "" };
    format!("{} {:?} [{}{rest}]", array.dtype(), array.shape(), numbers.join(", "))
}
