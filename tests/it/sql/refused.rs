//! What SQL cannot say is said, and with it the way out.

use gaintree::{Missing, TreeSpec};

use super::*;

/// A tree of one cut or level of `x`.
fn tree(column: Column, spec: &TreeSpec) -> Tree {
    Frame::new(vec![column], Column::texts("y", ["a", "b"])).grow(spec).expect("grows")
}

#[track_caller]
fn refuses(tree: &Tree, dialects: &[Dialect], words: &[&str]) {
    for dialect in Dialect::ALL {
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
    use Dialect::{
        BigQuery, DataFusion, DuckDb, MySql, PostgreSql, Snowflake, Spark, SqlServer, Sqlite, Trino,
    };
    let all = &Dialect::ALL;
    let cart = TreeSpec::cart();
    let ints = |dtype: DType, values: [i128; 2]| Column::ints("x", dtype, values);
    let decimal = DType::Decimal { precision: 10, scale: 2 };
    refuses(&tree(ints(decimal, [1, 2]), &cart), &[Sqlite], &["`x`", "decimal", "integers"]);
    let span = DType::Duration { unit: TimeUnit::Milliseconds };
    let but_datafusion: Vec<_> = all.iter().copied().filter(|d| *d != DataFusion).collect();
    let as_seconds = &["`x`", "duration", "integer of seconds"];
    refuses(&tree(ints(span, [1, 2]), &cart), &but_datafusion, as_seconds);
    let top = i128::from(u64::MAX);
    refuses(&tree(ints(DType::U64, [top - 1, top]), &cart), &[Sqlite], &["`x`", "64-bit"]);
    let digits = [10i128.pow(38), 10i128.pow(38) + 4];
    let of_38_digits = &[Sqlite, Spark, Trino, SqlServer, Snowflake];
    refuses(&tree(ints(DType::I128, digits), &cart), of_38_digits, &["`x`"]);
    let fine = |scale| DType::Decimal { precision: 38, scale };
    refuses(&tree(ints(fine(31), [1, 2]), &cart), &[Sqlite, MySql], &["`x`", "decimal"]);
    refuses(&tree(ints(fine(38), [1, 2]), &cart), &[Sqlite, MySql, Snowflake], &["`x`", "decimal"]);
    for days in [[DAYS.1 + 9, DAYS.1 + 10], [DAYS.0 - 9, DAYS.0 - 8]] {
        refuses(&tree(ints(DType::Date, days), &cart), &but_datafusion, &["`x`", "year"]);
    }
    let infinite = Column::floats("x", [1.0, f64::INFINITY]);
    refuses(&tree(infinite, &cart), &[MySql, SqlServer], &["`x`", "f64", "finite", "infinity"]);
    let nul = Column::texts("x", ["a\0b", "c"]);
    refuses(&tree(nul, &cart.clone().grouping(gaintree::Grouping::Multiway)), all, &["`x`", "NUL"]);

    let named = |name: &str| tree(Column::floats(name, [1.0, 2.0]), &cart);
    refuses(&named("a\0b"), all, &["NUL", "rename"]);
    refuses(&named(""), all, &["``", "empty"]);
    let long = "é".repeat(32);
    refuses(&named(&long), &[PostgreSql], &[&long, "64 bytes", "shorter"]);
    let limits =
        [(64, PostgreSql), (65, MySql), (129, SqlServer), (256, Snowflake), (301, BigQuery)];
    for (at, (n, dialect)) in limits.into_iter().enumerate() {
        let error = named(&"x".repeat(n)).to_sql(dialect).expect_err("too long").to_string();
        assert!(error.contains(&format!("{n} ")) && error.contains("shorter"), "{error}");
        assert!(named(&"x".repeat(n - 1)).to_sql(dialect).is_ok());
        let longest = named(&"x".repeat(n - 1));
        for (_, shorter) in &limits[..at] {
            assert!(longest.to_sql(*shorter).is_err(), "{shorter:?} {n}");
        }
    }
    refuses(&named("blank "), &[MySql], &["`blank `", "ends with a blank", "rename"]);
    refuses(&named("\u{1f600}"), &[MySql], &["U+FFFF", "rename"]);
    refuses(&named("a.b"), &[BigQuery], &["`a.b`", "has a `.`", "rename"]);
    refuses(&named("${spark.app.name}"), &[Spark, BigQuery], &["`$", "rename"]);

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
    let without_case = &[DuckDb, Sqlite, Spark, Trino, MySql, SqlServer, BigQuery];
    refuses(&tree, without_case, &["`Ab`", "`aB`", "case", "rename"]);

    let frame = Frame::new(vec![Column::floats("x", [1.0, 2.0])], Column::floats("y", [1.0, 2.0]));
    let of_numbers = frame.grow(&cart).expect("grows");
    let error = of_numbers.to_sql_probabilities(DuckDb).expect_err("no classes");
    assert!(error.is_spec() && error.to_string().contains("`y`"), "{error}");
}

#[test]
fn quotes_are_each_engines_own() {
    let spec = TreeSpec::cart().grouping(gaintree::Grouping::OneVsRest);
    let tree = |name| tree(Column::texts(name, ["it's", "\\'${x}"]), &spec);
    let rule = |tree: &Tree, dialect| {
        tree.to_sql(dialect).expect("SQL").lines().nth(1).map(str::to_string)
    };
    let (quoted, ticked) = (r#""a""`b""#, r#"`a"``b`"#);
    let collated = format!("{ticked} COLLATE BINARY");
    for (dialect, name, operand, level) in [
        (Dialect::DuckDb, quoted, quoted, r"'\''${x}'"),
        (Dialect::PostgreSql, quoted, quoted, r"E'\\''${x}'"),
        (Dialect::Sqlite, ticked, collated.as_str(), r"'\''${x}'"),
        (Dialect::Spark, ticked, ticked, r"'\\\'\u0024{x}'"),
        (Dialect::DataFusion, quoted, quoted, r"'\''${x}'"),
        (Dialect::Trino, quoted, quoted, r"'\''${x}'"),
        (
            Dialect::MySql,
            ticked,
            "CAST(CONVERT(`a\"``b` USING utf8mb4) AS BINARY)",
            "_utf8mb4 x'5c27247b787d'",
        ),
        (Dialect::Snowflake, quoted, "COLLATE(\"a\"\"`b\", 'utf8')", r"'\\''${x}'"),
        (Dialect::ClickHouse, r#"`a"\`b`"#, r#"`a"\`b`"#, r"'\\\'${x}'"),
    ] {
        let expected = format!("  WHEN {name} IS NULL OR {operand} = {level} THEN 'b'");
        assert_eq!(rule(&tree("a\"`b"), dialect), Some(expected));
    }
    // Texts end in a mark there, so that blanks at the end count.
    assert_eq!(
        rule(&tree("a]b"), Dialect::SqlServer).as_deref(),
        Some(
            r"  WHEN [a]]b] IS NULL OR ([a]]b] + N'|') COLLATE Latin1_General_100_BIN2 = N'\''${x}|' THEN N'b'"
        )
    );
    assert_eq!(
        rule(&tree("it's\nb"), Dialect::BigQuery).as_deref(),
        Some(r"  WHEN `it\'s\nb` IS NULL OR COLLATE(`it\'s\nb`, '') = '\\\'${x}' THEN 'b'")
    );
}
