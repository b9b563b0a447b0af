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

#[test]
fn of_many_classes_each_has_the_rules_of_its_own_leaves() {
    let n = 1000;
    let y: Vec<String> = (0..n).map(|class| format!("class {class:04}")).collect();
    let df = df!["x" => (0..n).collect::<Vec<i32>>(), "y" => y].expect("a frame");
    let spec = TreeSpec::cart().criterion(Criterion::Entropy);
    let tree = df.fit_tree("y", &spec).expect("a tree").tree;
    assert_eq!(tree.n_leaves(), n as usize);
    let probabilities = tree.to_sql_probabilities(Dialect::DuckDb).expect("SQL");
    for (class, sql) in (0..n).zip(&probabilities) {
        assert_eq!(sql.matches("'1'::DOUBLE").count(), 1, "{sql}");
        // The cuts about its value, and those on the way to them.
        assert!(sql.matches("\"x\"").count() <= 4 * tree.depth() as usize, "{sql}");
        assert!(class == 0 || sql.contains(&format!("{class}")), "{sql}");
    }
}

#[test]
fn a_class_that_a_node_lacks_is_written_where_the_nodes_below_have_it() {
    let df = df!["x" => [1, 2, 3], "y" => ["a", "b", "c"]].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let json = tree.to_json().replacen("\"counts\":[1,1,1]", "\"counts\":[3,0,0]", 1);
    let tree = Tree::from_json(&json).expect("a tree");
    assert_eq!(tree.class_counts(0), [3.0, 0.0, 0.0]);
    for sql in tree.to_sql_probabilities(Dialect::DuckDb).expect("SQL") {
        assert_eq!(sql.matches("'1'::DOUBLE").count(), 1, "{sql}");
    }
}
