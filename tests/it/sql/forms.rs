//! The form of long sets of levels, and what is not written.

use gaintree::prelude::*;
use polars::prelude::df;

/// A tree of one rule, which parts so many levels into halves.
fn halves(name: impl Fn(usize) -> String, levels: usize) -> Tree {
    let x: Vec<String> = (0..2 * levels).map(|row| name(row % levels)).collect();
    let y: Vec<&str> = (0..2 * levels).map(|row| ["p", "q"][row % levels % 2]).collect();
    df!["x" => x, "y" => y].expect("a frame").fit_tree("y", &TreeSpec::cart()).expect("a tree").tree
}

#[test]
fn duckdb_gets_no_long_lists() {
    let sql = |tree: &Tree, dialect| tree.to_sql(dialect).expect("SQL");
    let few = halves(|at| format!("v{at}"), 8);
    assert!(sql(&few, Dialect::DuckDb).contains("\"x\" NOT IN ('v0', 'v2', 'v4', 'v6')"));
    let some = sql(&halves(|at| format!("it's {at}"), 10), Dialect::DuckDb);
    let set = ",it''s 0,it''s 2,it''s 4,it''s 6,it''s 8,";
    let found = format!("(contains('{set}', ',' || \"x\" || ',') AND NOT contains(\"x\", ','))");
    assert!(some.contains(&found), "{some}");
    let many = halves(|at| format!("{at:03},"), 300);
    let found = "list_contains(string_split('000,|002,|004,|";
    assert!(sql(&many, Dialect::DuckDb).contains(found), "{}", sql(&many, Dialect::DuckDb));
    for dialect in [Dialect::PostgreSql, Dialect::Sqlite] {
        assert!(sql(&many, dialect).contains(" IN ('000,', '002,', '004,', "));
    }
    // Where every separator occurs, there is none.
    let all = halves(|at| format!("{at},|;/~\t"), 20);
    assert!(sql(&all, Dialect::DuckDb).contains(" IN ("));
}

#[test]
fn branches_of_one_answer_are_one() {
    let x: Vec<i32> = (0..40).collect();
    // All of the one class below 20, most of it above, where a cut leaves shares that differ.
    let y: Vec<&str> = (0..40).map(|x| if x >= 20 && x % 3 == 0 { "q" } else { "p" }).collect();
    let df = df!["x" => x, "y" => y].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart().max_depth(1)).expect("a tree").tree;
    assert_eq!(tree.n_leaves(), 2);
    assert_eq!(tree.to_sql(Dialect::DuckDb).expect("SQL"), "'p'");
    let probabilities = tree.to_sql_probabilities(Dialect::DuckDb).expect("SQL");
    assert!(probabilities.iter().all(|sql| sql.starts_with("CASE")), "{probabilities:?}");
}
