//! Run in SQLite.

use gaintree::Grouping;
use rusqlite::Connection;
use rusqlite::types::Value as Sql;

use super::*;
use crate::agreement::{self, Case};
use crate::frames::{Weighing, frames};

/// A value as SQLite keeps it.
fn stored(column: &Column, row: usize) -> Sql {
    let Some(value) = column.known(row) else { return Sql::Null };
    match (&column.dtype, value) {
        (DType::Boolean, Value::Text(text)) => Sql::Integer(i64::from(text == "true")),
        (_, Value::Text(text)) => Sql::Text(text.clone()),
        (_, Value::Float(x)) => Sql::Real(*x),
        (DType::Datetime { zone, .. }, value) => {
            Sql::Text(spelled(&column.dtype.write(value), zone.is_some(), row))
        }
        (DType::Time, value) => Sql::Text(spelled(&column.dtype.write(value), false, 2 * row)),
        // Of decimals a tree can ask only whether they are missing.
        (DType::Decimal { .. } | DType::Date, _) => Sql::Text(column.dtype.write(value)),
        (_, Value::Int(x)) => Sql::Integer(i64::try_from(*x).expect("64 bits")),
        (_, Value::Unsigned(x)) => Sql::Integer(i64::try_from(*x).expect("64 bits")),
        (_, other) => panic!("{other:?}"),
    }
}

/// A time in one of the ways that programs write it.
fn spelled(text: &str, zoned: bool, row: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = [fraction.len(), 3, 6, 9][row / 2 % 4];
    let fraction = format!("{fraction:0<digits$}");
    let dot = if fraction.is_empty() { "" } else { "." };
    let whole = if row % 2 == 1 { whole.replace(' ', "T") } else { whole.to_string() };
    let offset = if zoned { ["", "Z", "+00:00"][row % 3] } else { "" };
    format!("{whole}{dot}{fraction}{offset}")
}

/// The frame as a table `t`.
fn loaded(frame: &Frame) -> Connection {
    let base = Connection::open_in_memory().expect("opens");
    // A column's own collation must not matter.
    let declared = |c: &Column| {
        let kind = match &c.dtype {
            DType::String | DType::Categorical | DType::Enum { .. } => "TEXT COLLATE NOCASE",
            DType::F16 | DType::F32 | DType::F64 => "REAL",
            _ => "",
        };
        format!("\"{}\" {kind}", c.name.replace('"', "\"\""))
    };
    let columns: Vec<String> = frame.columns.iter().map(declared).collect();
    base.execute_batch(&format!("create table t({})", columns.join(", "))).expect("creates");
    let marks = vec!["?"; frame.columns.len()].join(", ");
    let mut insert = base.prepare(&format!("insert into t values ({marks})")).expect("prepares");
    for row in 0..frame.n_rows() {
        let values = frame.columns.iter().map(|column| stored(column, row));
        insert.execute(rusqlite::params_from_iter(values)).expect("inserts");
    }
    drop(insert);
    base
}

/// What SQLite answers to each row, as [`answers`] writes it.
fn asked(base: &Connection, tree: &Tree, expressions: &[String]) -> Vec<Vec<String>> {
    let query = format!("select {} from t order by rowid", expressions.join(",\n"));
    let mut query = base.prepare(&query).unwrap_or_else(|e| panic!("{e}\n{query}"));
    let is_boolean = tree.schema().target_dtype == DType::Boolean;
    let text = |at: usize, value: Sql| match value {
        Sql::Integer(x) if at == 0 && is_boolean => (x != 0).to_string(),
        Sql::Integer(x) => x.to_string(),
        Sql::Real(x) => bits(x),
        Sql::Text(text) => text,
        other => panic!("{other:?}"),
    };
    let n = expressions.len();
    let rows = query.query_map([], |row| (0..n).map(|i| Ok(text(i, row.get(i)?))).collect());
    rows.expect("runs").collect::<Result<_, _>>().expect("answers")
}

/// Holds SQL that SQLite reads as another engine does to routing.
pub fn check_sql(tree: &Tree, rows: &Frame, dialect: Dialect) {
    let sql = expressions(tree, dialect).expect("SQL");
    assert_eq!(asked(&loaded(rows), tree, &sql), answers(rows, tree));
}

fn check(tree: &Tree, rows: &Frame) -> Result<(), TestCaseError> {
    match expressions(tree, Dialect::Sqlite) {
        Err(error) => {
            prop_assert!(error.is_spec() && may_be_refused(tree, Dialect::Sqlite), "{}", error);
        }
        Ok(sql) => {
            let found = asked(&loaded(rows), tree, &sql);
            prop_assert_eq!(found, answers(rows, tree), "{}\n{}", tree, &sql[0]);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn sqlite_answers_as_routing_does(
        case in agreement::cases(frames(Weighing::Exact).prop_map(|f| hostile(&f, &NAMES, kept)), &NAMES),
    ) {
        let Some(Case { tree, rows }) = case else { return Ok(()) };
        // A cut need not be a value that the engine keeps.
        let rows = hostile(&rows, &NAMES, kept);
        check(&tree, &rows)?;
    }

    /// Every float, as a cut and as an answer, is the float it was.
    #[test]
    fn sqlite_reads_floats_exactly(x in prop_oneof![any::<f64>(), -10.0..10.0f64, (0..10_000i32).prop_map(|i| f64::from(i) / 100.0)]) {
        prop_assume!(x.is_finite() && x.abs() < 1e150);
        let below = Frame::new(
            vec![Column::floats("x", [x.next_down().next_down(), x])],
            Column::floats("y", [x, x / 3.0]),
        );
        let sides = [x.next_down().next_down(), x.next_down(), x, x.next_up()];
        let scored = Frame::new(vec![Column::floats("x", sides)], Column::floats("y", sides));
        let Ok(tree) = below.grow(&gaintree::TreeSpec::cart()) else { return Ok(()) };
        check(&tree, &scored)?;
    }
}

/// Timestamps are compared as instants, to the last digit, however they are spelled.
#[test]
fn timestamps_are_instants_however_they_are_spelled() {
    let second = 1_000_000;
    // 2020-01-01.
    let start = 1_577_836_800 * second;
    let times = [0, 1, second / 2, second - 1, 10 * second].map(|x| start + x);
    for (kind, zoned, grouping) in [
        (Kind::Nominal, false, Grouping::Subset),
        (Kind::Nominal, false, Grouping::Multiway),
        (Kind::Nominal, true, Grouping::OneVsRest),
        (Kind::Ordered, false, Grouping::Subset),
        (Kind::Ordered, true, Grouping::Subset),
    ] {
        let zone = zoned.then(|| "UTC".to_string());
        let dtype = DType::Datetime { unit: TimeUnit::Microseconds, zone };
        let times = Column { kind, ..Column::ints("t", dtype, times) };
        let frame = Frame::new(vec![times], Column::texts("y", ["a", "b", "c", "d", "e"]));
        let tree = frame.grow(&gaintree::TreeSpec::cart().grouping(grouping)).expect("grows");
        let sql = tree.to_sql(Dialect::Sqlite).expect("SQL");
        let base = Connection::open_in_memory().expect("opens");
        let answer = |text: &str| {
            let asked = format!("select {sql} from (select ? as t)");
            base.query_row(&asked, [text], |row| row.get::<_, String>(0)).expect("answers")
        };
        for (text, expected) in [
            ("2020-01-01 00:00:00", "a"),
            ("2020-01-01 00:00:00.000000", "a"),
            ("2020-01-01T00:00:00.000", "a"),
            ("2020-01-01 00:00:00.000001", "b"),
            ("2020-01-01 00:00:00.000001000", "b"),
            ("2020-01-01 00:00:00.5", "c"),
            ("2020-01-01 00:00:00.500000", "c"),
            ("2020-01-01T00:00:00.50", "c"),
            ("2020-01-01 00:00:00.999999", "d"),
            ("2020-01-01 00:00:10", "e"),
            ("2020-01-01T00:00:10.000", "e"),
        ] {
            assert_eq!(answer(text), expected, "{text}\n{sql}");
            for offset in ["Z", "+00:00"].iter().filter(|_| zoned) {
                assert_eq!(answer(&format!("{text}{offset}")), expected, "{text}{offset}\n{sql}");
            }
        }
        if zoned {
            assert_eq!(answer("2020-01-01 05:30:00.500000+05:30"), "c");
            assert_eq!(answer("2019-12-31 22:00:10-02:00"), "e");
        }
    }
}

/// A name in double quotes that is no column would be taken for a text.
#[test]
fn a_missing_column_is_an_error() {
    let frame = Frame::new(vec![Column::floats("x", [1.0, 2.0])], Column::floats("y", [0.0, 1.0]));
    let sql = frame.grow(&gaintree::TreeSpec::cart()).expect("grows").to_sql(Dialect::Sqlite);
    let other = Frame::new(vec![Column::floats("z", [1.0])], Column::floats("y", [0.0]));
    let base = loaded(&other);
    let error = base.prepare(&format!("select {} from t", sql.expect("SQL")));
    assert!(error.expect_err("no such column").to_string().contains("no such column: x"));
}

/// Chains and bushes of thousands of leaves.
#[test]
fn large_trees_run() {
    let n = 4_000;
    for (chain, depth) in [(true, 1_000), (false, 10)] {
        // A chain: each class parts one value from all above it.
        let y = (0..n).map(|i| if chain { f64::powi(0.98, i) } else { f64::from(i % 7) });
        let frame = Frame::new(
            vec![Column::floats("x", (0..n).map(f64::from))],
            Column::floats("y", y.map(|y| y * 1e20)),
        );
        let tree = frame.grow(&gaintree::TreeSpec::cart()).expect("grows");
        assert!(tree.n_leaves() > 1_000 && (!chain || tree.depth() < depth), "{}", tree.depth());
        let sql = expressions(&tree, Dialect::Sqlite).expect("SQL");
        assert_eq!(asked(&loaded(&frame), &tree, &sql), answers(&frame, &tree));
    }
}

/// What fitting forbade has no answer.
#[test]
fn missing_is_null_where_it_is_an_error() {
    let frame = Frame::new(vec![Column::floats("x", [1.0, 2.0])], Column::texts("y", ["a", "b"]));
    let spec = gaintree::TreeSpec::cart().missing(gaintree::Missing::Error);
    let sql = frame.grow(&spec).expect("grows").to_sql(Dialect::Sqlite).expect("SQL");
    let base = loaded(&frame);
    base.execute_batch("insert into t values (null)").expect("inserts");
    let mut query = base.prepare(&format!("select {sql} from t order by rowid")).expect("SQL");
    let found = query.query_map([], |row| row.get(0)).expect("runs");
    let found: Vec<Option<String>> = found.collect::<Result<_, _>>().expect("answers");
    assert_eq!(found, [Some("a".to_string()), Some("b".to_string()), None]);
}
