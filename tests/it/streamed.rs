//! Trees fitted on files that are read in batches: byte for byte those of the frame.

use std::fs::File;
use std::path::{Path, PathBuf};

use gaintree::prelude::*;
use gaintree::{
    Budget, Chance, RankMissing, SortBy, fit_parquet, fit_tree_streaming, rank_gain_streaming,
    rank_parquet,
};
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
            // One column a thread, and one reading for the others.
            let threads = spec.threads.map_or(1, |threads| threads as u32);
            assert!(ranked.readings > 1 + (df.width() as u32 - 4) / threads.max(3), "{ranked:?}");
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
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}

#[test]
fn a_file_that_changes_between_readings_ends_the_ranking() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.parquet");
    let (iris, df) = example("iris.parquet");
    std::fs::copy(iris, &path).expect("copied");
    let mut replace = |ranked: usize, _: usize| {
        if ranked > 0 {
            let file = File::create(&path).expect("a file");
            ParquetWriter::new(file).finish(&mut df.head(Some(149))).expect("written");
        }
    };
    let rows = gaintree::scan_parquet_in_parts(&path).expect("scans");
    let (spec, files) = (RankSpec::default().threads(1), [path.clone()]);
    let ranked = rank_gain_streaming(rows, &files, "species", &spec, &budget(), &mut replace);
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}
