//! Select lists, and what they say of their model.

use gaintree::{Missing, SqlSpec, TreeSpec};

use super::*;

/// A tree of a target and classes of ill will.
fn tree(spec: &TreeSpec) -> Tree {
    let mut target = Column::texts("y", ["*/ drop\ntable t", "b", "it's", "${x}"]);
    target.name = "*/ or 1 = 1 -- ${spark.app.name}".to_string();
    Frame::new(vec![Column::floats("x", [1.0, 2.0, 3.0, 4.0])], target).grow(spec).expect("grows")
}

#[test]
fn the_model_is_said_on_top() {
    let sha256 = sha256(&tree(&TreeSpec::cart()).to_json());
    for dialect in Dialect::ALL {
        let sql = tree(&TreeSpec::cart()).to_sql_select(dialect).expect("SQL");
        let (comment, list) = sql.split_once(" */\n").expect("a comment");
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            comment.starts_with("/* A tree of 7 nodes that predicts `u{2a}u{2f} or"),
            "{comment}"
        );
        for line in [
            format!("\n   SHA-256 of the model file: {sha256}.\n"),
            format!("\n   Written by gaintree {version} for "),
            "\n   Missing: each rule sends".to_string(),
            "\n   Absent: a level that".to_string(),
        ] {
            assert!(comment.contains(&line), "{line}: {comment}");
        }
        assert!(!comment.contains("*/") && !comment.contains("${"), "{comment}");
        assert!(comment.lines().all(|line| line.len() <= 100), "{comment}");
        assert_eq!(
            list,
            format!("{} AS prediction", tree(&TreeSpec::cart()).to_sql(dialect).expect("SQL"))
        );
    }
    let refusing = tree(&TreeSpec::cart().missing(Missing::Error));
    let sql = refusing.to_sql_select(Dialect::DuckDb).expect("SQL");
    assert!(
        sql.contains("Missing: a row with a missing value in a used column gets null."),
        "{sql}"
    );
}

#[test]
fn columns_are_named_as_scoring_names_them() {
    let tree = tree(&TreeSpec::cart());
    let spec = SqlSpec::new(Dialect::Sqlite).probability(true).leaf(true);
    let base = rusqlite::Connection::open_in_memory().expect("opens");
    base.execute_batch("create table t(x real); insert into t values (1.0), (9.0)").expect("fills");
    let query = format!("select {} from t order by rowid", tree.to_sql_select(spec).expect("SQL"));
    let query = base.prepare(&query).expect("SQL");
    let mut expected = vec!["prediction".to_string()];
    expected.extend((0..4).map(|class| format!("probability_{}", tree.schema().class_text(class))));
    expected.push("leaf_id".to_string());
    let names: Vec<&str> = query.column_names().collect();
    assert_eq!(names, expected);

    let numbers =
        Frame::new(vec![Column::floats("x", [1.0, 2.0])], Column::floats("y", [1.0, 2.0]));
    let numbers = numbers.grow(&TreeSpec::cart()).expect("grows");
    let error = numbers.to_sql_select(spec).expect_err("no classes");
    assert!(error.is_spec() && error.to_string().contains("`y`"), "{error}");
    // A class that is no name of a column.
    let spec = SqlSpec::new(Dialect::BigQuery).probability(true);
    let error = tree.to_sql_select(spec).expect_err("no name").to_string();
    assert!(error.contains("probability_${x}") || error.contains("probability_*/"), "{error}");
}

/// SQL Server takes ten nested `CASE`. SQLite reads its SQL of numbers.
#[test]
fn no_case_is_deeper_than_the_engine_takes() {
    let n = 4_096;
    let tree_of = |y: fn(i32) -> f64| {
        let x = Column::floats("x", (0..n).map(f64::from));
        let frame = Frame::new(vec![x], Column::floats("y", (0..n).map(y)));
        (frame.grow(&TreeSpec::cart()).expect("grows"), frame)
    };
    // Halves of halves, and branches of all sizes.
    for ((tree, frame), least) in [(tree_of(f64::from), 12), (tree_of(|i| f64::from(i % 97)), 6)] {
        let nested = |dialect| {
            let sql = tree.to_sql(dialect).expect("SQL");
            let indent = |line: &str| line.len() - line.trim_start().len();
            let ends = sql.lines().filter(|line| line.trim() == "END");
            ends.map(|line| indent(line) / 2 + 1).max().expect("a CASE")
        };
        let free = nested(Dialect::Sqlite);
        assert!(free >= least, "{free}");
        assert_eq!(nested(Dialect::SqlServer), free.min(10));
        sqlite::check_sql(&tree, &frame, Dialect::SqlServer);
    }
}

fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
