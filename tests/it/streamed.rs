//! Trees fitted on files that are read in batches: byte for byte those of the frame.

use std::fs::File;
use std::path::{Path, PathBuf};

use gaintree::prelude::*;
use gaintree::{
    Budget, Chance, RankMissing, SortBy, fit_parquet, fit_tree_streaming, rank_gain_streaming,
    rank_parquet,
};
use polars::prelude::*;
use tempfile::TempDir;

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
fn rankings_of_files_are_those_of_their_frames() {
    let specs = [
        RankSpec::default(),
        RankSpec::default().missing(RankMissing::OwnLevel).sort_by(SortBy::GainRatio).threads(1),
        RankSpec::default().chance(Chance::new(40).seed(7)).threads(3),
    ];
    for (name, target, column) in [
        ("iris.parquet", "species", "petal_width_cm"),
        ("wine.parquet", "cultivar", "hue"),
        ("diabetes.parquet", "progression", "sex"),
        ("breast_cancer.parquet", "diagnosis", "mean_area"),
    ] {
        let (path, df) = example(name);
        let others = specs.iter().flat_map(|spec| {
            [spec.clone(), spec.clone().by([column]), spec.clone().given([column]).weight("weight")]
        });
        let df = df.lazy().with_column(lit(0.5).alias("weight")).collect().expect("collects");
        for spec in others {
            let expected = df.rank_gain(target, &spec).expect("ranks");
            let lazy = df.clone().lazy();
            let ranked = lazy.rank_gain_streaming(target, &spec, &budget()).expect("ranks");
            assert!(ranked.ranking.equals_missing(&expected), "{name} {spec:?}");
            assert_eq!(ranked.rows, df.height() as u64);
            // One reading for the columns of other roles, and the features one a thread.
            if let Some(threads) = spec.threads {
                let features = df.width() - 1 - spec.by.len() - spec.given.len();
                let features = features - usize::from(spec.weight.is_some());
                let readings = 1 + features.div_ceil(threads);
                assert_eq!(ranked.readings as usize, readings, "{name} {spec:?}");
            }
        }
        let spec = RankSpec::default();
        let expected = df.drop("weight").expect("there").rank_gain(target, &spec).expect("ranks");
        let ranked = rank_parquet([&path, &path], target, &spec, &budget()).expect("ranks");
        assert_eq!(ranked.rows, 2 * df.height() as u64);
        let [twice, once] = [&ranked.ranking, &expected].map(|df| df.column("info_gain").cloned());
        assert_eq!(twice.ok(), once.ok(), "{name}");
    }
}

#[test]
fn a_ranking_that_has_no_room_for_a_column_is_refused() {
    let (path, _) = example("iris.parquet");
    let ranked = rank_parquet([&path], "species", &RankSpec::default(), &Budget::of_memory(5_000));
    let e = ranked.expect_err("refused").to_string();
    assert!(
        e.contains("ranking feature `petal_width_cm` (f64) of 150 rows takes about 1 MiB"),
        "{e}"
    );
    assert!(e.contains("allow more memory"), "{e}");
    let none: [&Path; 0] = [];
    let ranked = rank_parquet(none, "species", &RankSpec::default(), &Budget::default());
    assert!(ranked.expect_err("refused").to_string().contains("no input file"));
}

/// The rows of iris in a file of a test's own.
struct ChangingFile(TempDir);

impl ChangingFile {
    fn new() -> ChangingFile {
        let file = ChangingFile(tempfile::tempdir().expect("a folder"));
        std::fs::copy(example("iris.parquet").0, file.path()).expect("copied");
        file
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("rows.parquet")
    }

    fn scan(&self) -> LazyFrame {
        gaintree::scan_parquet_in_parts(self.path()).expect("scans")
    }

    /// Leaves the last row out.
    fn change(&self) {
        let mut rows = example("iris.parquet").1.head(Some(149));
        let file = File::create(self.path()).expect("a file");
        ParquetWriter::new(file).finish(&mut rows).expect("written");
    }
}

#[test]
fn a_file_that_changes_between_passes_ends_the_fit() {
    let file = ChangingFile::new();
    let mut passes = 0;
    let mut replace = |_: gaintree::Progress| {
        passes += 1;
        if passes == 2 {
            file.change();
        }
    };
    let (rows, spec, files) = (file.scan(), TreeSpec::cart(), [file.path()]);
    let fit = fit_tree_streaming(rows, &files, "species", &spec, &budget(), &mut replace);
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}

#[test]
fn a_file_that_changes_between_readings_ends_the_ranking() {
    let file = ChangingFile::new();
    let mut replace = |ranked: usize, _: usize| {
        if ranked > 0 {
            file.change();
        }
    };
    let (rows, spec, files) = (file.scan(), RankSpec::default().threads(1), [file.path()]);
    let ranked = rank_gain_streaming(rows, &files, "species", &spec, &budget(), &mut replace);
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}
