//! Functions and SQL of a tree answer as `score_with` does.

use arrow::array::{ArrayRef, RecordBatch, UInt32Array};
use arrow::compute::{cast, concat_batches, sort_to_indices, take};
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use gaintree::prelude::*;
use gaintree_datafusion::{ModelUdf, score_sql};

use crate::cluster::Cluster;
use crate::tables::{TARGETS, TargetKind, feature_names, random_table, register, write_parquet};

/// A column of a query's rows by `id`.
fn by_id(batches: &[RecordBatch], name: &str) -> ArrayRef {
    let all = concat_batches(&batches[0].schema(), batches).expect("one schema");
    let order = sort_to_indices(all.column_by_name("id").expect("an id"), None, None);
    take(all.column_by_name(name).expect(name), &order.expect("sorts"), None).expect("takes")
}

fn expected(tree: &Tree, table: &RecordBatch, name: &str) -> ArrayRef {
    let spec = ScoreSpec::default().probability(!tree.is_regression()).leaf(true);
    tree.score_with(table, &spec).expect("scores").column_by_name(name).expect(name).clone()
}

fn specs() -> Vec<TreeSpec> {
    let nominal = TreeSpec::cart().grouping(Grouping::OneVsRest).nominal(["zeros", "i64", "date"]);
    vec![
        TreeSpec::cart(),
        TreeSpec::id3().max_depth(6),
        TreeSpec::cart().missing(Missing::Majority).min_samples_leaf(3),
        nominal.max_depth(12),
        TreeSpec::c45().missing(Missing::Learn),
    ]
}

fn fit(table: &RecordBatch, spec: &TreeSpec) -> Option<Tree> {
    let spec = spec.clone().features(feature_names(table));
    [table.clone()].fit_tree("y", &spec).map(|fit| fit.tree).ok()
}

#[tokio::test]
async fn functions_and_sql_answer_as_batches_do() {
    let mut leaves = 0;
    for (seed, target) in (0..8).flat_map(|seed| TARGETS.map(|target| (seed, target))) {
        let table = random_table(seed, 150, target);
        let spec = &specs()[seed as usize % specs().len()];
        // C4.5 and ID3 take no numbers.
        let Some(tree) = fit(&table, spec) else {
            assert_eq!(target, TargetKind::Number, "{spec:?}");
            continue;
        };
        leaves += tree.n_leaves();
        // Rows the tree has not seen, of levels it has not seen.
        let other = random_table(seed + 100, 200, target);
        let session = SessionContext::new();
        register(&session, &other, 1 + seed as usize % 3);
        session.register_udf(tree.to_udf("Predicts").expect("a function"));
        session.register_udf(tree.to_leaf_udf("leaf").expect("a function"));
        let mut answers = vec![
            (tree.udf_call("Predicts"), "prediction".to_string()),
            (tree.udf_call("leaf"), "leaf_id".to_string()),
        ];
        for class in 0..tree.schema().classes.len() {
            let class = tree.schema().class_text(class);
            let name = format!("p {class}");
            let function = tree.to_probability_udf(&name, &class).expect("a function");
            session.register_udf(function);
            answers.push((tree.udf_call(&name), format!("probability_{class}")));
        }
        for (call, name) in &answers {
            let batches = session.sql(&format!("SELECT id, {call} AS answer FROM t")).await;
            let batches = batches.expect("plans").collect().await.expect("runs");
            let answer = by_id(&batches, "answer");
            assert_eq!(&answer, &expected(&tree, &other, name), "{call} {spec:?} seed {seed}");
        }
        let scored = score_sql(&session, "SELECT * FROM t -- all\n;", &tree, !tree.is_regression());
        let batches = scored.await.expect("plans").collect().await.expect("runs");
        for (_, name) in answers.iter().filter(|(_, name)| name != "leaf_id") {
            let wanted = expected(&tree, &other, name);
            let answer = cast(&by_id(&batches, name), wanted.data_type()).expect("casts");
            assert_eq!(&answer, &wanted, "{name} {spec:?} seed {seed} {target:?}");
        }
    }
    assert!(leaves > 300, "{leaves} leaves in all");
}

/// A forest's functions answer as it does for batches; of its leaves there is one in each tree.
#[tokio::test]
async fn functions_of_a_forest_answer_as_batches_do() {
    let table = random_table(5, 200, TargetKind::Text);
    let names = feature_names(&table);
    let spec = ForestSpec::new(TreeSpec::cart().features(names)).trees(20);
    let forest = [table.clone()].fit_forest("y", &spec).expect("fits").forest;
    let other = random_table(105, 200, TargetKind::Text);
    let session = SessionContext::new();
    register(&session, &other, 2);
    let class = forest.schema().class_text(1);
    session.register_udf(forest.to_udf("predicts").expect("a function"));
    session.register_udf(forest.to_probability_udf("p", &class).expect("a function"));
    let spec = ScoreSpec::default().probability(true);
    let scored = forest.score_with(&other, &spec).expect("scores");
    for (name, column) in [("predicts", "prediction"), ("p", &format!("probability_{class}"))] {
        let query = format!("SELECT id, {} AS answer FROM t", forest.udf_call(name));
        let batches = session.sql(&query).await.expect("plans").collect().await.expect("runs");
        assert_eq!(&by_id(&batches, "answer"), scored.column_by_name(column).expect(column));
    }
    let error = forest.to_leaf_udf("leaf").expect_err("leaves").to_string();
    assert!(error.contains("a leaf in each tree"), "{error}");
}

/// One struct has the features by name, in any order; a null one is missing in all of them.
#[tokio::test]
async fn a_struct_is_taken_too() {
    let table = random_table(3, 300, TargetKind::Text);
    let spec = TreeSpec::cart().features(["i64", "date", "text"]);
    let tree = [table.clone()].fit_tree("y", &spec).expect("fits").tree;
    let session = SessionContext::new();
    register(&session, &table, 2);
    session.register_udf(tree.to_udf("predicts").expect("a function"));
    let call = "SELECT id, predicts(named_struct('text', text, 'id', id, 'date', date, 'i64', i64)) \
                AS answer FROM t";
    let batches = session.sql(call).await.expect("plans").collect().await.expect("runs");
    assert_eq!(&by_id(&batches, "answer"), &expected(&tree, &table, "prediction"));

    for (call, words) in [
        ("predicts(1)", "takes the 3 features"),
        ("predicts(named_struct('i64', i64))", "a struct without `date`"),
        ("predicts(text, date, i64)", "i64"),
    ] {
        let error = match session.sql(&format!("SELECT {call} FROM t")).await {
            Ok(frame) => frame.collect().await.expect_err(call).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(words), "{call}: {error}");
    }
}

#[tokio::test]
async fn what_cannot_be_scored_is_said() {
    let table = random_table(1, 60, TargetKind::Number);
    let tree = fit(&table, &TreeSpec::cart()).expect("a tree");
    let error = tree.to_probability_udf("p", "a").expect_err("no classes").to_string();
    assert!(error.contains("`y`") && error.contains("to_udf"), "{error}");
    let session = SessionContext::new();
    register(&session, &table, 1);
    let twice = score_sql(&session, "SELECT *, 1 AS prediction FROM t", &tree, false).await;
    let error = twice.expect_err("a column twice").to_string();
    assert!(error.contains("`prediction`") && error.contains("rename"), "{error}");

    let table = random_table(1, 60, TargetKind::Text);
    let tree = fit(&table, &TreeSpec::cart()).expect("a tree");
    let error = tree.to_probability_udf("p", "c").expect_err("no class").to_string();
    assert!(error.contains("no class `c`; it has `b`, `it's`, `no`"), "{error}");
}

/// The executors of a cluster have none of our code; SQL is enough.
#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_scores() {
    let cluster = Cluster::start(2).await.expect("a cluster");
    let session = cluster.session().await.expect("a session");
    for (seed, target) in [(1, TargetKind::Text), (2, TargetKind::Number), (3, TargetKind::Text)] {
        let table = random_table(seed, 400, target);
        let tree = fit(&table, &specs()[seed as usize - 1])
            .unwrap_or_else(|| fit(&table, &TreeSpec::cart()).expect("a tree"));
        let folder = tempfile::tempdir().expect("a folder");
        write_parquet(folder.path(), &table, 5);
        let path = folder.path().to_str().expect("a name");
        session.deregister_table("t").expect("no table");
        session.register_parquet("t", path, ParquetReadOptions::default()).await.expect("reads");
        let scored = score_sql(&session, "SELECT * FROM t", &tree, false).await.expect("plans");
        let batches = scored.collect().await.expect("runs");
        let wanted = expected(&tree, &table, "prediction");
        let answer = cast(&by_id(&batches, "prediction"), wanted.data_type()).expect("casts");
        assert_eq!(&answer, &wanted, "seed {seed}");
        let ids = UInt32Array::from_iter_values(0..400);
        assert_eq!(by_id(&batches, "id").as_ref(), &ids as &dyn arrow::array::Array);
    }
}
