//! How values and missing values are written for engines that compare them in ways of their own.

use gaintree::{Grouping, Missing, TreeSpec};

use super::*;

/// The conditions of a tree of one column `x`, whose classes are `a`, `a`, `b`, `b` and then `c`.
fn conditions(column: Column, spec: &TreeSpec, dialect: Dialect) -> Vec<String> {
    let classes = ["a", "a", "b", "b", "c", "c"].into_iter().take(column.cells.len());
    let tree = Frame::new(vec![column], Column::texts("y", classes)).grow(spec).expect("grows");
    let sql = tree.to_sql(dialect).expect("SQL");
    let whens = sql.lines().filter_map(|line| line.trim().strip_prefix("WHEN "));
    whens.map(|line| line.split(" THEN ").next().unwrap_or_default().to_string()).collect()
}

fn condition(column: Column, dialect: Dialect) -> String {
    let found = conditions(column, &TreeSpec::cart().max_depth(1), dialect);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap_or_default()
}

/// DuckDB answers `=`, `IN`, `>=` and `isnan` by a parquet file's statistics, which leave NaN out.
#[test]
fn duckdb_looks_for_nan_in_the_rows() {
    let nan = "\"x\" IS NOT DISTINCT FROM 'NaN'::DOUBLE";
    let missing = format!("(\"x\" IS NULL OR {nan})");
    let x = [1.0, 1.0, 2.0, 2.0, f64::NAN, f64::NAN];
    let dtypes = [DType::F64, DType::F32, DType::F16];
    let columns = |kind| {
        dtypes.clone().map(|dtype| {
            let cells = x.map(|x| Some(Value::Float(x)));
            Column { kind, ..Column::new("x", dtype, cells) }
        })
    };
    for column in columns(Kind::Ordered) {
        let found = conditions(column, &TreeSpec::cart(), Dialect::DuckDb);
        let below = format!("\"x\" < '1.5'::DOUBLE AND NOT ({nan})");
        assert_eq!(found, [below, missing.clone()]);
    }
    for grouping in [Grouping::Multiway, Grouping::Subset, Grouping::OneVsRest] {
        for column in columns(Kind::Nominal) {
            let found = conditions(column, &TreeSpec::cart().grouping(grouping), Dialect::DuckDb);
            assert!(!found.is_empty());
            for condition in found {
                let guarded = condition.starts_with(&missing)
                    || condition.ends_with(&format!(" AND NOT ({nan})"));
                assert!(guarded && !condition.contains("= 'NaN'"), "{condition}");
            }
        }
    }
    let known = [1.0, 1.0, 2.0, 2.0].map(|x| Some(Value::Float(x)));
    let column = || Column::new("x", DType::F64, known.clone());
    let spec = TreeSpec::cart().missing(Missing::Error);
    let found = conditions(column(), &spec, Dialect::DuckDb);
    assert_eq!(found[0], missing);
    let found = conditions(column(), &spec, Dialect::PostgreSql);
    assert_eq!(found[0], "(\"x\" IS NULL OR \"x\" = 'NaN'::float8)");
}

/// A cut between two microseconds is not rounded where DuckDB has nanoseconds: 450 lies in the middle
/// of 200 and 700. A literal of whole microseconds compares with columns of both.
#[test]
fn times_are_as_fine_as_the_engine() {
    let zoned = |unit| DType::Datetime { unit, zone: Some("Europe/Zurich".to_string()) };
    let at = 1_704_186_600_000_000_000;
    let fine = [at + 100, at + 200, at + 700, at + 900];
    let whole = [at - 4_000, at - 2_000, at + 2_000, at + 4_000];
    let day = |x: [i128; 4]| x.map(|x| x - at + 43_200_000_000_000);
    let ns = TimeUnit::Nanoseconds;
    let plain = DType::Datetime { unit: ns, zone: None };
    use Dialect::{DuckDb, PostgreSql};
    for (dialect, dtype, x, expected) in [
        (DuckDb, zoned(ns), fine, "\"x\" >= TIMESTAMPTZ_NS '2024-01-02 09:10:00.00000045+00'"),
        (DuckDb, zoned(ns), whole, "\"x\" >= TIMESTAMPTZ '2024-01-02 09:10:00+00'"),
        (DuckDb, plain, fine, "\"x\" >= TIMESTAMP_NS '2024-01-02 09:10:00.00000045'"),
        (PostgreSql, zoned(ns), fine, "\"x\" >= TIMESTAMPTZ '2024-01-02 09:10:00.000001+00'"),
        (DuckDb, DType::Time, day(fine), "CAST(\"x\" AS TIME_NS) >= TIME_NS '12:00:00.00000045'"),
        (DuckDb, DType::Time, day(whole), "\"x\" >= '12:00:00'"),
        (PostgreSql, DType::Time, day(fine), "\"x\" >= TIME '12:00:00.000001'"),
    ] {
        let found = condition(Column::ints("x", dtype.clone(), x), dialect);
        assert_eq!(found, format!("\"x\" IS NULL OR {expected}"), "{dtype}");
    }
}
