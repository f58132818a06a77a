//! What `fxc check` says about all cases together: tables, groups of failures, compile times.

use super::Finished;
use crate::golden::execute::Outcome;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The word for a case's end.
pub fn status(outcome: &Outcome) -> &'static str {
    match outcome.failure {
        None => "passed",
        Some(_) => "failed",
    }
}

/// The table of `--report`: a line for each case.
pub fn cases(finished: &[Finished<'_>]) -> String {
    let ms = |time: Option<Duration>| time.map(|time| format!("{:.3}", millis(time))).unwrap_or_default();
    let mut text = String::from("case\tstatus\tcompile_ms\trun_ms\tworst_ratio\tmessage\n");
    for (case, outcome) in finished {
        let ratio = match outcome.run {
            Some(_) => format!("{:.4}", outcome.ratio),
            None => String::new(),
        };
        let message = outcome.failure.as_deref().unwrap_or_default().trim_end();
        let columns = [
            case.id.clone(),
            status(outcome).to_owned(),
            ms(outcome.compile),
            ms(outcome.run),
            ratio,
            message.replace('\n', " | ").replace('\t', " "),
        ];
        text.push_str(&columns.join("\t"));
        text.push('\n');
    }
    text
}

/// How an operator's cases ended.
#[derive(Debug, Default, PartialEq)]
struct Operator<'a> {
    cases: usize,
    failed: usize,
    /// Among the cases that ran: the largest quotient of difference and bound, and the case that has it.
    worst: Option<(f64, &'a str)>,
}

/// Operators by their worst error, the largest first; those that never ran come last.
fn operators<'a>(finished: &'a [Finished<'_>]) -> Vec<(&'a str, Operator<'a>)> {
    let mut operators: BTreeMap<&str, Operator<'_>> = BTreeMap::new();
    for (case, outcome) in finished {
        let operator = operators.entry(&case.op).or_default();
        operator.cases += 1;
        operator.failed += usize::from(outcome.failure.is_some());
        if outcome.run.is_some() && operator.worst.is_none_or(|(ratio, _)| outcome.ratio > ratio) {
            operator.worst = Some((outcome.ratio, &case.id));
        }
    }
    let mut operators: Vec<_> = operators.into_iter().collect();
    let ratio = |operator: &Operator<'_>| operator.worst.map_or(-1.0, |(ratio, _)| ratio);
    operators.sort_by(|(_, a), (_, b)| ratio(b).total_cmp(&ratio(a)));
    operators
}

/// The second table of `--report`: a line for each operator.
pub fn operators_table(finished: &[Finished<'_>]) -> String {
    let mut text = String::from("operator\tcases\tfailed\tworst_ratio\tworst_case\n");
    for (name, operator) in operators(finished) {
        let (ratio, case) = operator.worst.map(|(ratio, case)| (format!("{ratio:.4}"), case)).unwrap_or_default();
        text.push_str(&format!("{name}\t{}\t{}\t{ratio}\t{case}\n", operator.cases, operator.failed));
    }
    text
}

/// Where the second table goes: `report.ops.tsv` beside `report.tsv`.
pub fn operators_path(report: &Path) -> PathBuf {
    let stem = report.file_stem().unwrap_or_default().to_string_lossy();
    report.with_file_name(match report.extension() {
        Some(extension) => format!("{stem}.ops.{}", extension.to_string_lossy()),
        None => format!("{stem}.ops"),
    })
}

/// The operators for people.
pub fn operators_text(finished: &[Finished<'_>]) -> String {
    let mut lines = vec!["\nworst error by operator, as a multiple of its bound:".to_owned()];
    for (name, operator) in operators(finished) {
        let failed = if operator.failed > 0 { format!(", {} failed", operator.failed) } else { String::new() };
        let (ratio, case) = operator.worst.map(|(ratio, case)| (format!("{ratio:.4}"), case)).unwrap_or(("-".into(), ""));
        let line = format!("{ratio:>10}  {name} ({} cases{failed})  {case}", operator.cases);
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// `compile time: median 12.3 ms, most 85.2 ms (softmax/float32_03)`; nothing if no case compiled.
pub fn compile_times(finished: &[Finished<'_>]) -> Option<String> {
    let times = finished.iter().filter_map(|(case, outcome)| Some((outcome.compile?, case.id.as_str())));
    let mut times: Vec<(Duration, &str)> = times.collect();
    times.sort();
    let (most, case) = times.last()?;
    let upper = times[times.len() / 2].0;
    let lower = times[(times.len() - 1) / 2].0;
    let median = (millis(lower) + millis(upper)) / 2.0;
    Some(format!("compile time: median {median:.1} ms, most {:.1} ms ({case})", millis(*most)))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The first three lines, the later ones indented.
pub fn first_lines(message: &str) -> String {
    let lines: Vec<&str> = message.trim_end().lines().take(3).collect();
    lines.join("\n    ")
}

/// How often each first line occurs among messages, the most frequent ones first.
pub fn groups<'a>(messages: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts = BTreeMap::new();
    for message in messages {
        let line = message.lines().next().unwrap_or_default();
        // without the place, which differs from case to case
        let line = line.split_once("error: ").map_or(line, |(_, rest)| rest);
        *counts.entry(line).or_insert(0) += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::tests::case;

    fn passed(compile: u64, ratio: f64) -> Outcome {
        let compile = Some(Duration::from_micros(compile));
        Outcome { compile, run: Some(Duration::from_micros(20)), ratio, ..Outcome::default() }
    }

    #[test]
    fn the_report_is_one_line_a_case() {
        let (a, b) = (case("a"), case("b"));
        let failed = Outcome { failure: Some("m.mlir:1:2: error: bad\nnote\there\n".into()), ..Outcome::default() };
        let finished = [(&a, passed(1500, 0.25)), (&b, failed)];
        assert_eq!(
            cases(&finished),
            "case\tstatus\tcompile_ms\trun_ms\tworst_ratio\tmessage\n\
             a\tpassed\t1.500\t0.020\t0.2500\t\n\
             b\tfailed\t\t\t\tm.mlir:1:2: error: bad | note here\n"
        );
    }

    #[test]
    fn operators_have_their_worst_case() {
        let cases = [case("add/0"), case("add/1"), case("mul/0"), case("sub/0")];
        let failed = Outcome { failure: Some("no".into()), ..Outcome::default() };
        let outcomes = [passed(1, 0.25), passed(1, 0.5), passed(1, 0.75), failed];
        let finished: Vec<Finished<'_>> = cases.iter().zip(outcomes).collect();
        assert_eq!(
            operators_table(&finished),
            "operator\tcases\tfailed\tworst_ratio\tworst_case\n\
             mul\t1\t0\t0.7500\tmul/0\n\
             add\t2\t0\t0.5000\tadd/1\n\
             sub\t1\t1\t\t\n"
        );
        let text = operators_text(&finished);
        assert!(text.ends_with("    0.5000  add (2 cases)  add/1\n         -  sub (1 cases, 1 failed)"), "{text}");
    }

    #[test]
    fn the_second_table_is_beside_the_first() {
        assert_eq!(operators_path(Path::new("out/report.tsv")), Path::new("out/report.ops.tsv"));
        assert_eq!(operators_path(Path::new("report")), Path::new("report.ops"));
    }

    #[test]
    fn compile_times_have_a_median_and_a_maximum() {
        let cases = [case("a"), case("b"), case("c")];
        let outcomes = [passed(4000, 0.0), passed(1000, 0.0), Outcome::default()];
        let finished: Vec<Finished<'_>> = cases.iter().zip(outcomes).collect();
        assert_eq!(compile_times(&finished).as_deref(), Some("compile time: median 2.5 ms, most 4.0 ms (a)"));
        assert_eq!(compile_times(&finished[2..]), None);
    }

    #[test]
    fn equal_messages_are_grouped() {
        let messages = ["1:2: error: no op\nmore", "differs", "3:4: error: no op"];
        assert_eq!(groups(messages.into_iter()), [("no op", 2), ("differs", 1)]);
        assert_eq!(first_lines("a\nb\nc\nd\n"), "a\n    b\n    c");
    }
}
