//! `docs/tricky-cases.md` has every case, and what it names is there.

use std::collections::BTreeSet;
use std::path::Path;

/// Number of cases.
const CASES: usize = 60;

/// `file` or `file::test`, in backquotes.
fn references(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn the_page_names_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/tricky-cases.md")).unwrap();
    let mut numbers = Vec::new();
    let mut faults = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, _, what, test] = cells[..] else { panic!("expected four columns: {line}") };
        let Ok(number) = number.parse::<usize>() else { continue };
        numbers.push(number);
        if references(test).next().is_none() && !(test == "-" && what.starts_with("cannot arise")) {
            faults.push(format!("case {number} has neither a test nor a reason"));
        }
        for reference in references(test) {
            let (file, name) = reference.split_once("::").unwrap_or((reference, ""));
            match std::fs::read_to_string(root.join(file)) {
                Ok(text) if name.is_empty() || text.contains(&format!("fn {name}()")) => {}
                Ok(_) => faults.push(format!("case {number}: {file} has no test '{name}'")),
                Err(error) => faults.push(format!("case {number}: {file}: {error}")),
            }
        }
    }
    assert_eq!(numbers, (1..=CASES).collect::<Vec<_>>());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn tests_name_cases_that_the_page_gives_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/autodiff");
    let page = std::fs::read_to_string(folder.join("../../../../docs/tricky-cases.md")).unwrap();
    let mut named = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut is_case = false;
        for line in text.lines() {
            is_case |= line.starts_with("/// Case");
            if let (true, Some(name)) = (is_case, line.strip_prefix("fn ").and_then(|rest| rest.split('(').next())) {
                named.insert(format!("crates/fx-mlir/tests/autodiff/{file}::{name}"));
                is_case = false;
            }
        }
    }
    let absent: Vec<_> = named.iter().filter(|name| !page.contains(name.as_str())).collect();
    assert!(absent.is_empty(), "not in docs/tricky-cases.md: {absent:?}");
}
