//! Rankings of queries are the rankings of their rows in memory.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray, TimestampMillisecondArray};
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use gaintree::Budget;
use gaintree::prelude::*;
use gaintree_datafusion::{Result, rank_sql};

use crate::cluster::Cluster;
use crate::tables::{TARGETS, TargetKind, random_table, register, write_parquet};

fn specs() -> Vec<RankSpec> {
    vec![
        RankSpec::default().full(true),
        RankSpec::default().full(true).exclude(["id"]).weight("weight").sort_by(SortBy::GainRatio),
        RankSpec::default()
            .full(true)
            .features(["text", "f64", "date"])
            .missing(RankMissing::OwnLevel),
        RankSpec::default().full(true).nominal(["i64", "zeros"]).log_base(LogBase::E),
        RankSpec::default().full(true).exclude(["weight"]).sort_by(SortBy::GiniGain),
    ]
}

/// With few bins and values at a time, so that every question is asked.
async fn rank(
    session: &SessionContext,
    query: &str,
    target: &str,
    spec: &RankSpec,
) -> Result<RecordBatch> {
    rank_sql(session, query, target, spec, &Budget::default().bins(6).fetched_values(40)).await
}

/// Every digit, a line per row.
fn text(batch: &RecordBatch) -> String {
    let names: Vec<_> = batch.schema_ref().fields().iter().map(|field| field.to_string()).collect();
    let mut lines = vec![names.join(", ")];
    for row in 0..batch.num_rows() {
        let cells = batch.columns().iter().map(|column| format!("{:?}", column.slice(row, 1)));
        lines.push(cells.map(|cell| cell.replace('\n', " ")).collect());
    }
    lines.join("\n")
}

/// As `assert_eq` of two rankings, showing the first line that differs.
#[track_caller]
fn assert_same(ranked: &RecordBatch, wanted: &RecordBatch) {
    let (ranked, wanted) = (text(ranked), text(wanted));
    for (line, expected) in ranked.lines().zip(wanted.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(ranked.lines().count(), wanted.lines().count());
}

#[tokio::test]
async fn rankings_are_those_of_the_rows() {
    for seed in 0..5 {
        let table = random_table(seed, 300, TARGETS[seed as usize % 4]);
        let session = SessionContext::new();
        register(&session, &table, 3);
        let spec = &specs()[seed as usize];
        let ranked = rank(&session, "SELECT * FROM t", "y", spec).await.expect("ranks");
        let wanted = [table].rank_gain("y", spec).expect("ranks");
        assert_same(&ranked, &wanted);
    }
}

/// A column of a dtype that is neither ordered nor nominal has a line that says so.
#[tokio::test]
async fn excluded_columns_have_a_line() {
    let session = SessionContext::new();
    let query = "SELECT [1, 2] AS list, i AS i, i % 2 AS y, [i] AS lists \
                 FROM (SELECT unnest([1, 2, 3, 4, 5, 6, 6]) AS i)";
    let rows = session.sql(query).await.expect("plans").collect().await.expect("runs");
    for spec in [RankSpec::default(), RankSpec::default().full(true)] {
        let wanted = rows.rank_gain("y", &spec).expect("ranks");
        let ranked = rank(&session, query, "y", &spec).await.expect("ranks");
        assert_same(&ranked, &wanted);
    }
}

#[tokio::test]
async fn errors_are_those_of_the_rows() {
    let table = random_table(1, 50, TargetKind::Text);
    let session = SessionContext::new();
    register(&session, &table, 2);
    let rows = [table];
    for (target, spec) in [
        ("z", RankSpec::default()),
        ("y", RankSpec::default().features(["textt"])),
        ("y", RankSpec::default().features(["text", "text"])),
        ("y", RankSpec::default().features(["y"])),
        ("y", RankSpec::default().exclude(["nowhere"])),
        ("y", RankSpec::default().nominal(["i644"])),
        ("y", RankSpec::default().nominal(["i64"]).ordered(["i64"])),
        ("y", RankSpec::default().weight("text")),
        ("y", RankSpec::default().weight("wait")),
    ] {
        let wanted = rows.rank_gain(target, &spec).expect_err("wrong").to_string();
        let error = rank(&session, "SELECT * FROM t", target, &spec).await;
        assert_eq!(error.expect_err("wrong").to_string(), wanted);
    }
    // Counts tell how many rows, not which is the first.
    let error = rank(&session, "SELECT * FROM t", "text", &RankSpec::default()).await;
    let error = error.expect_err("nulls").to_string();
    assert!(error.starts_with("target `text` (str) is missing in 6 of 50 rows"), "{error}");
    for spec in [RankSpec::default().by(["text"]), RankSpec::default().chance(Chance::new(9))] {
        let error = rank(&session, "SELECT * FROM t", "y", &spec).await.expect_err("refused");
        assert!(error.to_string().contains("collect the rows"), "{error}");
    }
    let error = rank(&session, "SELECT nix FROM t", "y", &RankSpec::default()).await;
    let error = error.expect_err("no such column").to_string();
    assert!(error.starts_with("the query failed") && error.contains("nix"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_ranks() {
    let cluster = Cluster::start(2).await.expect("a cluster");
    let session = cluster.session().await.expect("a session");
    // Each column makes the queries longer, which plans feel.
    let table = random_table(7, 300, TargetKind::Text).project(&[1, 5, 7, 8, 12, 20, 21]);
    let table = table.expect("columns that are there");
    let folder = tempfile::tempdir().expect("a folder");
    write_parquet(folder.path(), &table, 4);
    let path = folder.path().to_str().expect("a name");
    session.register_parquet("t", path, ParquetReadOptions::default()).await.expect("reads");
    let spec = RankSpec::default().full(true).weight("weight");
    let ranked = rank(&session, "SELECT * FROM t", "y", &spec).await.expect("ranks");
    assert_same(&ranked, &[table].rank_gain("y", &spec).expect("ranks"));
}

/// This crate links gaintree without Polars, which alone knows time zones.
#[test]
fn without_polars_a_zoned_cut_reads_in_utc() {
    let hour = 3_600_000;
    let spring = 1_711_846_800_000; // 2024-03-31 01:00 UTC: in Berlin 03:00 follows 01:59:59.999
    let at = TimestampMillisecondArray::from(vec![spring - hour, spring + hour]);
    let at: ArrayRef = Arc::new(at.with_timezone("Europe/Berlin"));
    let y: ArrayRef = Arc::new(StringArray::from(vec!["A", "B"]));
    let rows = [RecordBatch::try_from_iter([("at", at), ("y", y)]).expect("columns")];
    let ranking = rows.rank_gain("y", &RankSpec::default().full(true)).expect("ranks");
    let cuts = ranking.column_by_name("cut").expect("a column");
    assert_eq!(cuts.as_string::<i32>().value(0), "2024-03-31 01:00:00Z");
    let tree = rows.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    assert!(tree.to_string().contains("└─ at >= 2024-03-31 01:00:00Z: B"), "{tree}");
}
