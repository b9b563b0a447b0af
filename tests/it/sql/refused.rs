//! What SQL cannot say is said, and with it the way out.

use gaintree::{Missing, TreeSpec};

use super::*;

/// A tree of one cut or level of `x`.
fn tree(column: Column, spec: &TreeSpec) -> Tree {
    Frame::new(vec![column], Column::texts("y", ["a", "b"])).grow(spec).expect("grows")
}

#[track_caller]
fn refuses(tree: &Tree, dialects: &[Dialect], words: &[&str]) {
    for dialect in [Dialect::DuckDb, Dialect::PostgreSql, Dialect::Sqlite, Dialect::Spark] {
        match tree.to_sql(dialect) {
            Ok(sql) => assert!(!dialects.contains(&dialect), "{dialect:?} {sql}"),
            Err(error) => {
                assert!(dialects.contains(&dialect), "{dialect:?} {error}");
                assert!(error.is_spec());
                for word in words {
                    assert!(error.to_string().contains(word), "{word}: {error}");
                }
            }
        }
    }
}

#[test]
fn each_refusal_names_the_column_and_the_way_out() {
    use Dialect::{DuckDb, PostgreSql, Spark, Sqlite};
    let all = &[DuckDb, PostgreSql, Sqlite, Spark];
    let cart = TreeSpec::cart();
    let ints = |dtype: DType, values: [i128; 2]| Column::ints("x", dtype, values);
    let decimal = DType::Decimal { precision: 10, scale: 2 };
    refuses(&tree(ints(decimal, [1, 2]), &cart), &[Sqlite], &["`x`", "decimal", "integers"]);
    let span = DType::Duration { unit: TimeUnit::Milliseconds };
    refuses(&tree(ints(span, [1, 2]), &cart), all, &["`x`", "duration", "integer of seconds"]);
    let top = i128::from(u64::MAX);
    refuses(&tree(ints(DType::U64, [top - 1, top]), &cart), &[Sqlite], &["`x`", "64-bit"]);
    let digits = [10i128.pow(38), 10i128.pow(38) + 4];
    refuses(&tree(ints(DType::I128, digits), &cart), &[Sqlite, Spark], &["`x`"]);
    refuses(&tree(ints(DType::Date, [DAYS.1 + 9, DAYS.1 + 10]), &cart), all, &["`x`", "year"]);
    refuses(&tree(ints(DType::Date, [DAYS.0 - 9, DAYS.0 - 8]), &cart), all, &["`x`", "year"]);
    let nul = Column::texts("x", ["a\0b", "c"]);
    refuses(&tree(nul, &cart.clone().grouping(gaintree::Grouping::Multiway)), all, &["`x`", "NUL"]);

    let named = |name: &str| tree(Column::floats(name, [1.0, 2.0]), &cart);
    refuses(&named("a\0b"), all, &["NUL", "rename"]);
    refuses(&named(""), all, &["``", "empty"]);
    let long = "é".repeat(32);
    refuses(&named(&long), &[PostgreSql], &[&long, "64 bytes", "shorter"]);

    refuses(&named("${spark.app.name}"), &[Spark], &["`${`", "rename"]);

    let missing = Column::new("x", DType::F64, [Some(Value::Float(1.0)), Some(Value::Float(2.0))]);
    let fractional = tree(missing, &cart.clone().missing(Missing::Fractional));
    refuses(&fractional, all, &["fractional", "missing = learn"]);

    // Two columns in use whose names differ by case.
    let frame = Frame::new(
        vec![
            Column::floats("Ab", [0.0, 0.0, 1.0, 1.0]),
            Column::floats("aB", [0.0, 1.0, 0.0, 1.0]),
        ],
        Column::texts("y", ["a", "b", "b", "a"]),
    );
    let tree = frame.grow(&cart).expect("grows");
    assert_eq!(tree.used_features(), [0, 1]);
    refuses(&tree, &[DuckDb, Sqlite, Spark], &["`Ab`", "`aB`", "case", "rename"]);

    let frame = Frame::new(vec![Column::floats("x", [1.0, 2.0])], Column::floats("y", [1.0, 2.0]));
    let of_numbers = frame.grow(&cart).expect("grows");
    let error = of_numbers.to_sql_probabilities(DuckDb).expect_err("no classes");
    assert!(error.is_spec() && error.to_string().contains("`y`"), "{error}");
}

#[test]
fn quotes_are_each_engines_own() {
    let spec = TreeSpec::cart().grouping(gaintree::Grouping::OneVsRest);
    let tree = tree(Column::texts("a\"`b", ["it's", "\\'${x}"]), &spec);
    let rule = |dialect| tree.to_sql(dialect).expect("SQL").lines().nth(1).map(str::to_string);
    let (quoted, ticked) = (r#""a""`b""#, r#"`a"``b`"#);
    let collated = format!("{ticked} COLLATE BINARY");
    for (dialect, name, operand, level) in [
        (Dialect::DuckDb, quoted, quoted, r"'\''${x}'"),
        (Dialect::PostgreSql, quoted, quoted, r"E'\\''${x}'"),
        (Dialect::Sqlite, ticked, collated.as_str(), r"'\''${x}'"),
        (Dialect::Spark, ticked, ticked, r"'\\\'\u0024{x}'"),
    ] {
        let expected = format!("  WHEN {name} IS NULL OR {operand} = {level} THEN 'b'");
        assert_eq!(rule(dialect), Some(expected));
    }
}
