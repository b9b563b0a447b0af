//! Trees fitted on files that are read in batches: byte for byte those of the frame.

use std::fs::File;
use std::path::{Path, PathBuf};

use gaintree::prelude::*;
use gaintree::{
    Budget, Chance, Error, FrameReader, Monitor, RankMissing, SortBy, fit_parquet,
    fit_tree_in_batches, fit_tree_streaming, rank_gain_streaming, rank_parquet,
    scan_parquet_within,
};
use polars::prelude::*;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

use crate::full_ranking::full;

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

/// Columns of all kinds, with missing values, in an order of rows that a seed says.
fn mixed(n: u32, seed: u64) -> DataFrame {
    let number = |row: u32, step: u32| f64::from((row * step) % 97) / 7.0;
    let some = |row: u32, step: u32| (!row.is_multiple_of(step)).then_some(row);
    let texts = ["red", "green", "blue", "Blue", ""];
    let text = |row: u32| some(row, 11).map(|row| texts[(row * row % 5) as usize]);
    let class = |row: u32| (number(row, 31) + number(row, 5) > 13.0) != row.is_multiple_of(13);
    let rows = || 0..n;
    let frame = df![
        "x" => rows().map(|row| some(row, 9).map(|row| number(row, 31))).collect::<Vec<_>>(),
        "small" => rows().map(|row| number(row, 5) as f32).collect::<Vec<_>>(),
        "whole" => rows().map(|row| some(row, 17).map(|row| i64::from(row % 23) - 9)).collect::<Vec<_>>(),
        "text" => rows().map(text).collect::<Vec<_>>(),
        "switch" => rows().map(|row| row % 5 > 1).collect::<Vec<_>>(),
        "weight" => rows().map(|row| f64::from(row % 4) / 4.0).collect::<Vec<_>>(),
        "class" => rows().map(|row| if class(row) { "yes" } else { "no" }).collect::<Vec<_>>(),
        "number" => rows().map(|row| number(row, 31) * number(row, 3) + f64::from(row % 3)).collect::<Vec<_>>(),
    ];
    let frame = frame.expect("a frame").lazy().with_columns([
        (col("whole") * lit(86_400_000_000i64))
            .cast(DataType::Datetime(TimeUnit::Microseconds, None))
            .alias("time"),
        col("whole").cast(DataType::Decimal(20, 2)).alias("money"),
        col("text").cast(DataType::from_categories(Categories::global())).alias("category"),
    ]);
    let frame = frame.collect().expect("casts");
    frame.sample_n_literal(n as usize, false, Some(true), Some(seed)).expect("shuffled")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// Files, their row groups, the order of rows and threads make no difference.
    #[test]
    fn however_rows_are_parted_the_tree_is_that_of_memory(
        seed: u64, n in 1..400u32, n_files in 1..4usize, in_group in 1..90usize, threads in 1..3usize,
        bins in 4..20u32, gathered in select(vec![0, 30, 1000]), fetched in select(vec![5, 40, 1000]),
        target in select(vec!["class", "number"]), weighted: bool, majority: bool,
        by in 0..4usize,
    ) {
        let df = mixed(n, seed);
        let mut spec = TreeSpec::cart().max_depth(5).exclude(["class", "number"]).threads(threads);
        if weighted {
            spec = spec.weight("weight");
        }
        if majority {
            spec = spec.missing(gaintree::Missing::Majority);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let rows_of_file = (n as usize).div_ceil(n_files);
        let files: Vec<PathBuf> = (0..n_files).map(|at| {
            let path = folder.path().join(format!("{at}.parquet"));
            let mut rows = df.slice((at * rows_of_file) as i64, rows_of_file);
            let file = File::create(&path).expect("a file");
            let writer = ParquetWriter::new(file).with_row_group_size(Some(in_group));
            writer.finish(&mut rows).expect("written");
            path
        }).collect();
        // So little that each row group is a part of its own.
        let budget = Budget::of_memory(1 << 18).bins(bins);
        let budget = budget.gathered_rows(gathered).fetched_values(fetched);
        match (df.fit_tree(target, &spec), fit_parquet(&files, target, &spec, &budget)) {
            (Ok(expected), Ok(fit)) => {
                prop_assert_eq!(fit.tree.to_json(), expected.tree.to_json());
                prop_assert!(fit.importance.equals_missing(&expected.importance));
                prop_assert_eq!(&fit.notes, &expected.notes);
            }
            (expected, fit) => prop_assert!(expected.is_err() && fit.is_err(), "{:?}", fit.err()),
        }
        // Without room for a column, features are ranked by counts.
        let mut spec = full().exclude(["class", "number"]).threads(threads);
        if weighted {
            spec = spec.weight("weight");
        }
        if majority {
            spec = spec.missing(RankMissing::OwnLevel);
        }
        if by > 0 {
            spec = spec.by(["text", "whole", "switch"].into_iter().take(by));
        }
        let parts = files.iter().map(|file| scan_parquet_within(file, &budget).expect("scans"));
        let parts: Vec<LazyFrame> = parts.flatten().collect();
        // With many groups there is room for several in one reading: one group a reading takes too long.
        let memory = if by > 1 { 8_000 } else { 400 };
        let little = Budget::of_memory(memory).bins(bins).fetched_values(fetched);
        let ranked = rank_gain_streaming(parts, &files, target, &spec, &little);
        match (df.rank_gain(target, &spec), ranked) {
            (Ok(expected), Ok(ranked)) => {
                prop_assert!(ranked.ranking.equals_missing(&expected));
                prop_assert!(ranked.readings > 2);
            }
            (expected, ranked) => {
                prop_assert!(expected.is_err() && ranked.is_err(), "{:?}", ranked.err());
            }
        }
    }
}

/// A frame that is read a few rows at a time.
struct FewRows {
    df: DataFrame,
    /// The reading that fails.
    fails_at: usize,
    n_batches: usize,
}

impl FrameReader for FewRows {
    type Frame = DataFrame;

    fn empty(&self) -> DataFrame {
        self.df.clear()
    }

    fn n_rows(&mut self) -> gaintree::Result<u64> {
        Ok(self.df.height() as u64)
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> gaintree::Result<DataFrame> {
        Ok(self.df.select(names.iter().copied())?.head(first.map(|first| first as usize)))
    }

    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(DataFrame) -> gaintree::Result<()> + Send),
    ) -> gaintree::Result<()> {
        assert!(rows_at_once > 0);
        let df = self.df.select(names.iter().copied())?;
        for first in (0..df.height()).step_by(7) {
            if self.n_batches == self.fails_at {
                return Err(Error::of_store("rows cannot be read", "the line is dead"));
            }
            self.n_batches += 1;
            take(df.slice(first as i64, 7))?;
        }
        Ok(())
    }
}

#[test]
fn rows_may_come_from_anywhere() {
    let df = mixed(300, 5).drop("number").expect("there");
    let (spec, budget) = (TreeSpec::cart().max_depth(4), budget());
    let expected = df.fit_tree("class", &spec).expect("fits").tree.to_json();
    let mut rows = FewRows { df: df.clone(), fails_at: usize::MAX, n_batches: 0 };
    let mut passes = 0;
    let fit = fit_tree_in_batches(&mut rows, "class", &spec, &budget, &mut |_| passes += 1);
    let fit = fit.expect("fits");
    assert_eq!(fit.tree.to_json(), expected);
    assert_eq!(fit.report.passes, passes);
    assert_eq!(rows.n_batches, passes as usize * 300usize.div_ceil(7));
    for fails_at in [0, 20, 60] {
        let mut rows = FewRows { df: df.clone(), fails_at, n_batches: 0 };
        let fit = fit_tree_in_batches(&mut rows, "class", &spec, &budget, &mut |_| {});
        assert_eq!(fit.expect_err("fails").to_string(), "rows cannot be read");
        assert_eq!(rows.n_batches, fails_at);
    }
    // Limits of the tree, or what it may take: known before any row is read.
    let mut rows = FewRows { df, fails_at: 0, n_batches: 0 };
    let little = Budget::of_memory(10_000);
    let fit = fit_tree_in_batches(&mut rows, "class", &TreeSpec::cart(), &little, &mut |_| {});
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("a tree on 300 rows may have 300 leaves"), "{e}");
}

#[test]
fn judging_in_batches_is_that_of_memory() {
    let (training, judged) = (mixed(300, 5), mixed(250, 6));
    let others = ["class", "number", "weight"];
    let plain = EvalSpec::default();
    for (target, spec) in [
        ("class", TreeSpec::cart()),
        ("number", TreeSpec::cart()),
        // A row without a value ends in several nodes.
        ("class", TreeSpec::c45().subtree_raising(false).pruning(gaintree::Pruning::None)),
    ] {
        let spec = spec.exclude(others.into_iter().filter(|name| *name != target));
        let tree = training.fit_tree(target, &spec).expect("fits").tree;
        let rows = || FewRows { df: judged.clone(), fails_at: usize::MAX, n_batches: 0 };
        let expected = tree.evaluation(&judged).expect("judged");
        assert_eq!(tree.evaluation_in_batches(&mut rows(), &plain).expect("judged"), expected);
        let parts = vec![judged.slice(0, 100).lazy(), judged.slice(100, 150).lazy()];
        assert_eq!(
            tree.evaluation_streaming(parts.clone(), &[], &plain).expect("judged"),
            expected
        );
        let expected =
            tree.prune_reduced_error(&judged, PruneBy::ErrorRate).expect("pruned").to_json();
        let pruned =
            tree.prune_reduced_error_in_batches(&mut rows(), PruneBy::ErrorRate).expect("pruned");
        assert_eq!(pruned.to_json(), expected);
        let pruned =
            tree.prune_reduced_error_streaming(parts, &[], PruneBy::ErrorRate).expect("pruned");
        assert_eq!(pruned.to_json(), expected);
        // The row is that of the table, not of its batch.
        let hole = lit(NULL).cast(judged.column(target).expect("there").dtype().clone());
        let holes = judged.clone().lazy().with_row_index("row", None).with_column(
            when(col("row").eq(lit(30))).then(hole).otherwise(col(target)).alias(target),
        );
        let df = holes.collect().expect("collects");
        let mut rows = FewRows { df, fails_at: usize::MAX, n_batches: 0 };
        let e = tree.evaluation_in_batches(&mut rows, &plain).expect_err("refused").to_string();
        assert!(e.contains("row 31"), "{e}");
        let df = judged.drop("x").expect("there");
        let mut rows = FewRows { df, fails_at: 0, n_batches: 0 };
        assert!(tree.evaluation_in_batches(&mut rows, &plain).expect_err("refused").is_data());
    }
}

#[test]
fn a_row_group_that_has_no_room_is_refused() {
    let (path, _) = example("breast_cancer.parquet");
    let fit = fit_parquet([&path], "diagnosis", &TreeSpec::cart(), &Budget::of_memory(100_000));
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("breast_cancer.parquet` has a row group of 569 rows"), "{e}");
    assert!(e.contains("smaller row groups, or allow more memory"), "{e}");
}

#[test]
fn rankings_of_files_are_those_of_their_frames() {
    let specs = [
        full(),
        full().missing(RankMissing::OwnLevel).sort_by(SortBy::GainRatio).threads(1),
        full().chance(Chance::new(40).seed(7)).threads(3),
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
        let spec = full();
        let expected = df.drop("weight").expect("there").rank_gain(target, &spec).expect("ranks");
        let ranked = rank_parquet([&path, &path], target, &spec, &budget()).expect("ranks");
        assert_eq!(ranked.rows, 2 * df.height() as u64);
        let [twice, once] = [&ranked.ranking, &expected].map(|df| df.column("info_gain").cloned());
        assert_eq!(twice.ok(), once.ok(), "{name}");
    }
}

/// Where there is no room for a column, all are counted: the table is the same.
#[test]
fn rankings_of_columns_that_have_no_room_are_those_of_memory() {
    let others = [
        lit(0.5).alias("w"),
        lit(NULL).alias("nothing"),
        concat_list([lit(1)]).expect("a list").alias("list"),
    ];
    let of_file = |name: &str| example(name).1;
    // A reading of a wide file takes long here: it has one spec, the others all.
    for (df, target, memory, n_specs) in [
        (of_file("iris.parquet"), "species", 5_000, 3),
        (of_file("diabetes.parquet"), "progression", 10_000, 1),
        (of_file("breast_cancer.parquet"), "diagnosis", 18_000, 1),
        (mixed(500, 3), "class", 10_000, 3),
        (mixed(500, 3), "number", 1_000, 1),
    ] {
        let df = df.lazy().with_columns(others.clone()).collect().expect("collects");
        let own = full().missing(RankMissing::OwnLevel).sort_by(SortBy::GiniGain);
        let by = df.columns()[0].name().to_string();
        let specs = [full(), own.threads(1), full().weight("w").by([by])];
        for spec in specs.into_iter().take(n_specs) {
            let expected = df.rank_gain(target, &spec).expect("ranks");
            let monitor = Monitor::default();
            let watched = spec.clone().monitor(monitor.clone());
            let (parts, memory) = (vec![df.clone().lazy()], Budget::of_memory(memory));
            let ranked = rank_gain_streaming(parts, &[], target, &watched, &memory);
            let ranked = ranked.expect("ranks");
            assert!(ranked.ranking.equals_missing(&expected), "{target} {spec:?}");
            assert_eq!(ranked.rows, df.height() as u64);
            let stage = monitor.stage().expect("begun");
            assert_eq!((stage.name, stage.done), ("ranking columns", stage.total));
        }
    }
}

#[test]
fn a_ranking_that_needs_a_column_in_memory_is_refused_without_room() {
    let spec = full().chance(Chance::new(40));
    let rows = example("iris.parquet").1.lazy();
    let ranked = rows.rank_gain_streaming("species", &spec, &Budget::of_memory(5_000));
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("a ranking beside chance has each feature in memory"), "{e}");
    assert!(e.contains("`petal_width_cm` (f64) of 150 rows takes about 1 MiB"), "{e}");
    assert!(e.contains("allow more memory"), "{e}");
    let none: [&Path; 0] = [];
    let ranked = rank_parquet(none, "species", &spec, &Budget::default());
    assert!(ranked.expect_err("refused").to_string().contains("no input file"));
}

/// Years 1000 and 9999 as parquet's INT96, which Polars reads as one moment of the year 2262.
#[test]
fn int96_that_nanoseconds_do_not_reach_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("far.parquet");
    std::fs::write(&path, include_bytes!("int96.parquet")).expect("written");
    let rows = || gaintree::scan_parquet_in_parts(&path).expect("scans");
    let cart = TreeSpec::cart().features(["t"]);
    let by_x = rows().select([col("x"), col("y")]).collect().expect("reads");
    let tree = by_x.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let rank = RankSpec::default().features(["t"]);
    let out = folder.path().join("out.parquet");
    for error in [
        rows().collect().map(drop).map_err(Error::from),
        fit_parquet([&path], "y", &cart, &budget()).map(drop),
        rank_parquet([&path], "y", &rank, &budget()).map(drop),
        tree.score_parquet([&path], &out, &ScoreSpec::default()).map(drop),
    ] {
        let error = error.expect_err("refused").to_string();
        for said in ["`t` (datetime[ns])", "INT96", "TIMESTAMP_MICROS"] {
            assert!(error.contains(said), "{error}");
        }
    }
    let nested = rows().select([col("l")]).collect().expect_err("refused").to_string();
    assert!(nested.contains("`l` (list[datetime[ns]])"), "{nested}");
    let kept = ScoreSpec::default().keep(["x"]);
    assert_eq!(tree.score_parquet([&path], &out, &kept).expect("scores").rows, 4);
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
}

/// Writes the rows of iris to a file, without the last one.
fn leave_last_row_out(path: &Path) {
    let mut rows = example("iris.parquet").1.head(Some(149));
    let file = File::create(path).expect("a file");
    ParquetWriter::new(file).finish(&mut rows).expect("written");
}

#[test]
fn a_file_that_changes_between_passes_ends_the_fit() {
    let file = ChangingFile::new();
    let mut passes = 0;
    let mut replace = |_: gaintree::Pass| {
        passes += 1;
        if passes == 2 {
            leave_last_row_out(&file.path());
        }
    };
    let (rows, spec, files) = (vec![file.scan()], TreeSpec::cart(), [file.path()]);
    let fit = fit_tree_streaming(rows, &files, "species", &spec, &budget(), &mut replace);
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}

#[test]
fn a_file_that_changes_between_readings_ends_the_ranking() {
    let file = ChangingFile::new();
    let path = file.path();
    let change = move |read: DataFrame| {
        if read.get_column_index("petal_length_cm").is_some() {
            leave_last_row_out(&path);
        }
        Ok(read)
    };
    let rows = vec![file.scan().map(change, AllowedOptimizations::default(), None, None)];
    let (spec, files) = (full().threads(1), [file.path()]);
    let ranked = rank_gain_streaming(rows, &files, "species", &spec, &budget());
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("rows.parquet` changed while it was read"), "{e}");
}
