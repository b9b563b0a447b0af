//! Trees fitted on files that are read in batches: byte for byte those of the frame.

use std::fs::File;
use std::path::{Path, PathBuf};

use gaintree::prelude::*;
use gaintree::{Budget, fit_parquet, fit_tree_streaming};
use polars::prelude::*;

/// Small enough that nodes are counted, not gathered.
fn budget() -> Budget {
    Budget::of_memory(64 << 20).bins(16).gathered_rows(40)
}

fn example(name: &str) -> (PathBuf, DataFrame) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data").join(name);
    let df = ParquetReader::new(File::open(&path).expect("there")).finish().expect("parquet");
    (path, df)
}

#[test]
fn trees_of_files_are_those_of_their_frames() {
    let spec = TreeSpec::cart().max_depth(6);
    let entropy = TreeSpec::id3().max_leaves(9);
    let ratio = TreeSpec::c45().subtree_raising(false);
    for (name, target) in [
        ("iris.parquet", "species"),
        ("wine.parquet", "cultivar"),
        ("breast_cancer.parquet", "diagnosis"),
        ("diabetes.parquet", "progression"),
    ] {
        let (path, df) = example(name);
        for spec in [&spec, &entropy, &ratio] {
            let expected = df.fit_tree(target, spec).expect("fits");
            let fit = fit_parquet([&path], target, spec, &budget()).expect("fits");
            assert_eq!(fit.tree.to_json(), expected.tree.to_json(), "{name}");
            assert!(fit.importance.equals_missing(&expected.importance), "{name}");
            let lazy = df.clone().lazy().fit_tree_streaming(target, spec, &budget()).expect("fits");
            assert_eq!(lazy.tree.to_json(), expected.tree.to_json(), "{name}");
        }
    }
}

#[test]
fn a_file_that_changes_between_passes_ends_the_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.parquet");
    let (iris, df) = example("iris.parquet");
    std::fs::copy(iris, &path).expect("copied");
    let mut passes = 0;
    let mut replace = |_: gaintree::Progress| {
        passes += 1;
        if passes == 2 {
            let file = File::create(&path).expect("a file");
            ParquetWriter::new(file).finish(&mut df.head(Some(149))).expect("written");
        }
    };
    let rows = gaintree::scan_parquet_in_parts(&path).expect("scans");
    let (spec, files) = (TreeSpec::cart(), [path.clone()]);
    let fit = fit_tree_streaming(rows, &files, "species", &spec, &budget(), &mut replace);
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while a tree was fitted on it"), "{e}");
}
