//! Scoring in plans and files: rows in order, only the columns that are used, files whole or not
//! there.

use std::fs::{self, File};
use std::path::Path;

use gaintree::prelude::*;
use polars::prelude::*;
use tempfile::TempDir;

use crate::frame::assert_same;

const ENGINES: [Engine; 2] = [Engine::InMemory, Engine::Streaming];

/// A column of `n` numbers that look like chance.
fn numbers(name: &str, seed: u64, n: u64) -> Column {
    let mix = |i: u64| {
        let x = (i + seed * 1_000_003).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((x ^ (x >> 32)) % 10_000) as f64 / 10_000.0
    };
    Column::new(name.into(), (0..n).map(mix).collect::<Vec<_>>())
}

/// Rows with numbers of their own, and four classes that no rule tells apart.
fn frame(n: u64) -> DataFrame {
    let [x, z, v] = [("x", 1), ("z", 2), ("v", 3)].map(|(name, seed)| numbers(name, seed, n));
    let label = |v: Option<f64>| ["a", "b", "c", "d"][(v.unwrap_or(0.0) * 4.0) as usize];
    let y: Vec<&str> = v.f64().expect("floats").iter().map(label).collect();
    let nr: Vec<u64> = (0..n).collect();
    let columns = vec![Column::new("nr".into(), nr), x, z, Column::new("y".into(), y)];
    DataFrame::new(n as usize, columns).expect("a frame")
}

fn tree(df: &DataFrame) -> Tree {
    let spec = TreeSpec::cart().features(["x", "z"]).max_depth(6);
    df.head(Some(2_000)).fit_tree("y", &spec).expect("fits").tree
}

fn write(path: &Path, df: &DataFrame, group: usize) {
    let file = File::create(path).expect("a file");
    let writer = ParquetWriter::new(file).with_row_group_size(Some(group));
    writer.finish(&mut df.clone()).expect("written");
}

fn scan(path: &Path) -> LazyFrame {
    let path = PlRefPath::try_from_path(path).expect("a path");
    LazyFrame::scan_parquet(path, ScanArgsParquet::default()).expect("scans")
}

fn read(path: &Path) -> DataFrame {
    ParquetReader::new(File::open(path).expect("there")).finish().expect("parquet")
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let name = |e: std::io::Result<fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// A set of many levels is looked up, one of few compared level by level.
#[test]
fn sets_of_many_levels_score_alike() {
    let n = 3_000u64;
    let name = |i: u64| (!i.is_multiple_of(31)).then(|| format!("level {}", i * i % 211));
    let y: Vec<&str> = (0..n).map(|i| ["a", "b", "c"][(i * i % 211 * 7 % 3) as usize]).collect();
    let mut df = df!["name" => (0..n).map(name).collect::<Vec<_>>(), "y" => y].expect("a frame");
    // Half of the levels are new to the tree.
    let seen = df.clone().lazy().filter(col("name").is_null().or(col("name").lt(lit("level 2"))));
    let tree = seen.collect().expect("runs").fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let plain = tree.to_when_then().expect("small");
    for dtype in [DataType::String, DataType::from_categories(Categories::global())] {
        df.apply("name", |c| c.cast(&dtype).expect("casts")).expect("there");
        let scored = tree.score(&df).expect("scores").select(["prediction"]).expect("there");
        for engine in ENGINES {
            let query = df.clone().lazy().select([plain.clone()]).collect_with_engine(engine);
            assert_same(&query.expect("runs").unwrap_single(), &scored, "when and then");
        }
    }
}

/// However many row groups are read at once, and whatever else is selected.
#[test]
fn rows_never_change_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let df = frame(30_000);
    let tree = tree(&df);
    assert!(tree.n_leaves() > 20);
    let path = folder.path().join("groups.parquet");
    write(&path, &df, 250);
    let spec = ScoreSpec::default().leaf(true);
    let scored = tree.score_with(&df, &spec).expect("scores");
    let plain = tree.to_when_then().expect("small");
    let alone = |name: &str| scored.select([name]).expect("there");
    let both = scored.select(["prediction", "leaf_id"]).expect("there");
    for engine in ENGINES {
        for _ in 0..2 {
            let run =
                |query: LazyFrame| query.collect_with_engine(engine).expect("runs").unwrap_single();
            let select = |exprs: &[Expr]| run(scan(&path).select(exprs));
            assert_same(&select(&[tree.predict()]), &alone("prediction"), "predict");
            assert_same(&select(&[tree.leaf_id()]), &alone("leaf_id"), "leaf_id");
            assert_same(&select(&[tree.predict(), tree.leaf_id()]), &both, "both");
            assert_same(
                &select(std::slice::from_ref(&plain)),
                &alone("prediction"),
                "when and then",
            );
            let beside = run(scan(&path).with_columns([tree.predict(), tree.leaf_id()]));
            assert_same(&beside, &scored, "beside the rows");
            let lazy = tree.score_lazy(scan(&path), &spec).expect("scores");
            assert_same(&run(lazy.frame.clone()), &scored, "score_lazy");
            assert_eq!(lazy.report().rows, 30_000);
        }
    }
    let bare = spec.keep(Vec::<String>::new());
    for _ in 0..2 {
        let to = folder.path().join("scored.parquet");
        let met = tree.score_parquet([&path], &to, &bare).expect("scores");
        assert_eq!((met.rows, met.absent_levels), (30_000, 0));
        assert_same(&read(&to), &both, "score_parquet");
    }
}

/// A tree of 12 columns, over a file of 200.
#[test]
fn a_plan_reads_the_columns_of_the_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut columns: Vec<Column> =
        (0..200).map(|i| numbers(&format!("x{i:03}"), i + 10, 600)).collect();
    columns.push(frame(600).column("y").expect("there").clone());
    let df = DataFrame::new(600, columns).expect("a frame");
    let used: Vec<String> = (0..12).map(|i| format!("x{:03}", i * 16)).collect();
    let spec = TreeSpec::cart().features(used.iter().map(String::as_str));
    let tree = df.fit_tree("y", &spec).expect("fits").tree;
    assert_eq!(tree.used_features().len(), 12);
    let path = folder.path().join("wide.parquet");
    write(&path, &df, 100);

    let bare = ScoreSpec::default().keep(Vec::<String>::new());
    let queries = [
        scan(&path).select([tree.predict()]),
        scan(&path).select([tree.predict_proba()]),
        scan(&path).select([tree.leaf_id()]),
        scan(&path).select([tree.to_when_then().expect("small")]),
        scan(&path).with_columns([tree.predict()]).select([col("prediction")]),
        scan(&path).filter(tree.predict().eq(lit("a"))).select([len()]),
        tree.score_lazy(scan(&path), &bare).expect("scores").frame,
    ];
    for query in queries {
        let plan = query.explain(true).expect("a plan");
        assert!(plan.contains("PROJECT 12/201 COLUMNS"), "{plan}");
        assert!(!plan.contains("x001"), "{plan}");
    }
    let kept = tree.score_lazy(scan(&path), &bare.keep(["x001", "x016"])).expect("scores").frame;
    let plan = kept.explain(true).expect("a plan");
    assert!(plan.contains("PROJECT 13/201 COLUMNS"), "{plan}");
}

#[test]
fn parquet_files_are_scored_into_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let df = frame(9_000);
    let tree = tree(&df);
    // Names that are patterns elsewhere.
    let parts = ["b[1].parquet", "a*.parquet", "y=1.parquet"].map(path);
    for (i, part) in parts.iter().enumerate() {
        write(part, &df.slice(i as i64 * 3_000, 3_000), 700);
    }
    let spec = ScoreSpec::default().probability(true).leaf(true).prefix("p_").keep(["nr", "y"]);
    let met = tree.score_parquet(&parts, path("out.parquet"), &spec).expect("scores");
    assert_eq!(met.rows, 9_000);
    assert_same(&read(&path("out.parquet")), &tree.score_with(&df, &spec).expect("scores"), "all");
    assert_eq!(names(&folder), ["a*.parquet", "b[1].parquet", "out.parquet", "y=1.parquet"]);

    // As good a file as the input: each column of each row group has its statistics.
    let file = File::open(path("out.parquet")).expect("there");
    let mut reader = ParquetReader::new(file);
    let metadata = reader.get_metadata().expect("parquet");
    assert!(metadata.row_groups.iter().all(|group| group.n_columns() == 8));
    for column in metadata.row_groups.iter().flat_map(|group| group.parquet_columns()) {
        assert!(matches!(column.statistics(&metadata.footer_buf), Some(Ok(_))), "{column:?}");
    }

    // An output that is there keeps its place until the new one is whole.
    let again = tree.score_parquet(&parts[..1], path("out.parquet"), &spec).expect("scores");
    assert_eq!((again.rows, read(&path("out.parquet")).height()), (3_000, 3_000));
}

#[test]
fn a_failed_run_leaves_what_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let df = frame(3_000);
    let tree = tree(&df);
    write(&path("good.parquet"), &df, 500);
    write(&path("lacks.parquet"), &df.drop("z").expect("there"), 500);
    let mut bytes = fs::read(path("good.parquet")).expect("read");
    // The pages of the last row groups; the footer is as it was.
    let (from, to) = (bytes.len() / 2, bytes.len() - 20_000);
    bytes[from..to].fill(0xff);
    fs::write(path("damaged.parquet"), bytes).expect("written");
    fs::write(path("out.parquet"), "old").expect("written");
    fs::create_dir(path("folder.parquet")).expect("a folder");
    let before = names(&folder);

    let none: [&str; 0] = [];
    let error = tree.score_parquet(none, path("out.parquet"), &ScoreSpec::default());
    assert!(error.expect_err("no input").is_spec());
    for (input, output, words) in [
        ("gone.parquet", "out.parquet", &["gone.parquet", "No such file"][..]),
        ("lacks.parquet", "out.parquet", &["`z`", "no such column"]),
        ("damaged.parquet", "out.parquet", &["damaged.parquet"]),
        ("good.parquet", "folder.parquet", &["folder.parquet", "name a file in it"]),
        ("good.parquet", "no/such/out.parquet", &["no/such", "make it first"]),
    ] {
        let done = tree.score_parquet([path(input)], path(output), &ScoreSpec::default());
        let error = done.err().unwrap_or_else(|| panic!("{input} is scored")).to_string();
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(!error.contains('\n'), "{error}");
        assert_eq!(names(&folder), before);
        assert_eq!(fs::read(path("out.parquet")).expect("read"), b"old");
    }

    // Inputs of unlike columns; one that has the answer's name.
    let both = [path("good.parquet"), path("lacks.parquet")];
    let error = tree.score_parquet(both, path("out.parquet"), &ScoreSpec::default());
    assert!(error.expect_err("unlike").to_string().contains("z"));
    tree.score_parquet([path("good.parquet")], path("once.parquet"), &ScoreSpec::default())
        .expect("scores");
    let twice =
        tree.score_parquet([path("once.parquet")], path("out.parquet"), &ScoreSpec::default());
    assert!(twice.expect_err("a clash").to_string().contains("`prediction`"));
    assert_eq!(fs::read(path("out.parquet")).expect("read"), b"old");
}

/// In a stream nobody knows which row it was, so it is looked for.
#[test]
fn the_row_of_a_forbidden_missing_value_is_looked_for() {
    let df = frame(2_000);
    let spec = TreeSpec::cart().features(["x"]).max_depth(2).missing(Missing::Error);
    let tree = df.fit_tree("y", &spec).expect("fits").tree;
    let holes = df
        .lazy()
        .with_column(when(col("nr").eq(lit(1_500))).then(lit(NULL)).otherwise(col("x")).alias("x"));
    for query in [
        holes.clone().select([tree.predict()]),
        tree.score_lazy(holes.clone(), &ScoreSpec::default()).expect("columns are right").frame,
    ] {
        let run = query.collect_with_engine(Engine::Streaming);
        let error = run.err().expect("is missing").to_string();
        for word in ["`x`", "f64", "missing = error", "fill it"] {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(error.contains("has a missing value,"), "{error}");
    }
    let found = tree.missing_value(holes.clone()).expect("reads").expect("is missing");
    assert_eq!(found.row(), Some(1_500));
    assert!(found.to_string().contains("`x` (f64) is missing in row 1501, and"), "{found}");
    let known = holes.clone().filter(col("x").is_not_null());
    assert!(tree.missing_value(known).expect("reads").is_none());
    // Of files the file too.
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (first, second) = (holes.clone().slice(0, 1_200), holes.slice(1_200, 800));
    write(&path("a.parquet"), &first.collect().expect("rows"), 500);
    write(&path("b.parquet"), &second.collect().expect("rows"), 500);
    let paths = [path("a.parquet"), path("b.parquet")];
    let scored = tree.score_parquet(&paths, path("out.parquet"), &ScoreSpec::default());
    let error = scored.expect_err("is missing");
    let said = format!("is missing in row 301 of `{}`, and", paths[1].display());
    assert!(error.is_data() && error.to_string().contains(&said), "{error}");
}
