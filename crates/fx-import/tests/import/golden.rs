//! Opens every archive below the folder named by `FX_GOLDEN_DIR`, if that is set.

use std::path::{Path, PathBuf};

use fx_import::Archive;

fn archives(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            archives(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "pt2") {
            out.push(path);
        }
    }
}

#[test]
fn golden_archives_open() {
    let Some(folder) = std::env::var_os("FX_GOLDEN_DIR") else {
        return;
    };
    let mut paths = Vec::new();
    archives(Path::new(&folder), &mut paths);
    assert!(!paths.is_empty(), "no archive below {}", folder.display());
    let mut failures = Vec::new();
    for path in &paths {
        if let Err(error) = read_all(path) {
            failures.push(error);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} archives opened", paths.len());
}

/// Opens an archive, and reads all its tensors and the origins of all nodes.
fn read_all(path: &Path) -> Result<(), String> {
    let archive = Archive::open(path).map_err(|error| error.to_string())?;
    archive.verify_checksums().map_err(|error| error.to_string())?;
    let graph = archive.program().graph();
    for spec in &archive.program().signature().input_specs {
        if let Some(tensor) = archive.input_tensor(spec) {
            let tensor = tensor.map_err(|error| error.to_string())?;
            let bytes = tensor.to_contiguous().map_err(|error| error.to_string())?;
            let expected = tensor.numel().map(|count| count as usize * tensor.dtype.size());
            assert_eq!(Some(bytes.len()), expected, "{}", path.display());
        }
    }
    for node in &graph.nodes {
        assert!(node.callee().is_some());
        if node.metadata.contains_key("stack_trace") {
            assert!(node.source().is_some(), "{}: {:?}", path.display(), node.metadata);
        }
        if node.metadata.contains_key("nn_module_stack") {
            assert!(node.module_path().is_some(), "{}: {:?}", path.display(), node.metadata);
        }
    }
    Ok(())
}
