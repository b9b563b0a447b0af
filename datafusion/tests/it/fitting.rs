//! Trees of queries are the trees of their rows in memory, byte for byte.

use arrow::array::RecordBatch;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use gaintree::engine::grow_from_store;
use gaintree::prelude::*;
use gaintree::{Budget, Dialect, QueryBatches, RunQuery, SqlStore};
use gaintree_datafusion::{SessionEngine, fit_sql};

use crate::cluster::Cluster;
use crate::compared::Compared;
use crate::tables::{TARGETS, TargetKind, random_table, register, write_parquet};

/// Few bins and gathered rows, so that every question is asked.
fn small(seed: u64) -> Budget {
    Budget::default().bins(4 + seed as u32 % 5).gathered_rows(seed % 3 * 12)
}

fn specs() -> Vec<TreeSpec> {
    vec![
        TreeSpec::cart().max_depth(5),
        TreeSpec::cart().weight("weight").max_leaves(8).criterion(Criterion::Entropy),
        TreeSpec::cart().missing(Missing::Majority).min_samples_leaf(3),
        TreeSpec::cart().grouping(Grouping::OneVsRest).nominal(["i64", "zeros"]).max_depth(4),
        TreeSpec::id3().max_depth(4).weight("weight"),
        TreeSpec::c45().missing(Missing::Learn).subtree_raising(false),
        TreeSpec::cart().class_weights(ClassWeights::Balanced).max_depth(4),
    ]
}

/// Some columns of a random table, others for each seed: a query for each would take minutes.
fn table(seed: u64, rows: usize, target: TargetKind) -> RecordBatch {
    let table = random_table(seed, rows, target);
    let n_features = table.num_columns() - 3;
    let mut columns: Vec<usize> = (1..=n_features)
        .filter(|at| (at + seed as usize).is_multiple_of(3) || [1, 7, 12].contains(at))
        .collect();
    columns.extend([n_features + 1, n_features + 2]);
    table.project(&columns).expect("columns that are there")
}

fn spec(seed: u64, table: &RecordBatch) -> TreeSpec {
    let mut spec = specs()[seed as usize % specs().len()].clone();
    if spec.weight.is_none() {
        spec = spec.exclude(["weight"]);
    }
    spec.nominal.retain(|name| table.column_by_name(name).is_some());
    spec
}

/// A session of executors that have no functions of arrays.
struct WithoutArrays(SessionEngine);

impl RunQuery for WithoutArrays {
    fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    fn makes_arrays(&self) -> bool {
        false
    }

    fn run<'a>(&'a self, sql: &str) -> gaintree::Result<QueryBatches<'a>> {
        assert!(!sql.contains("make_array"), "{sql}");
        self.0.run(sql)
    }
}

async fn check(
    session: &SessionContext,
    table: &RecordBatch,
    seed: u64,
    target: TargetKind,
) -> usize {
    let spec = spec(seed, table);
    let engine = SessionEngine::new(session).expect("a runtime");
    let engine: Box<dyn RunQuery + Send> = match seed % 3 {
        2 => Box::new(WithoutArrays(engine)),
        _ => Box::new(engine),
    };
    let (rows, asked) = (table.clone(), spec.clone());
    let fit = tokio::task::spawn_blocking(move || {
        let store = SqlStore::new(&*engine, "SELECT * FROM t", "y", &asked).expect("a store");
        let store = store.most_characters([1 << 20, 5_000][seed as usize % 2]);
        grow_from_store(&mut Compared::new(store, &rows), &asked, &small(seed), &mut |_| ())
    });
    let fit = match fit.await {
        Ok(fit) => fit,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    let wanted = std::slice::from_ref(table).fit_tree("y", &spec);
    match (fit, wanted) {
        (Ok((tree, _)), Ok(wanted)) => {
            let (model, wanted) = (tree.to_json(), wanted.tree.to_json());
            for (line, expected) in model.lines().zip(wanted.lines()) {
                assert_eq!(line, expected, "seed {seed} {target:?} {spec:?}");
            }
            assert_eq!(model, wanted, "seed {seed} {target:?}");
            tree.n_leaves()
        }
        (Err(error), Err(wanted)) => {
            assert_eq!(error.to_string(), wanted.to_string(), "seed {seed}");
            0
        }
        (fit, wanted) => {
            let said = fit.map(|(tree, _)| tree.n_leaves()).map_err(|error| error.to_string());
            panic!("seed {seed} {target:?} {spec:?}: {said:?}, in memory {:?}", wanted.err());
        }
    }
}

#[tokio::test]
async fn trees_are_those_of_the_rows() {
    let mut leaves = 0;
    for seed in 0..14 {
        let target = TARGETS[(seed / 2) as usize % 4];
        let table = table(seed, 90, target);
        let session = SessionContext::new();
        register(&session, &table, 1 + seed as usize % 4);
        leaves += check(&session, &table, seed, target).await;
    }
    assert!(leaves > 100, "{leaves} leaves in all");
}

#[tokio::test]
async fn errors_are_those_of_the_rows() {
    let table = table(1, 50, TargetKind::Text);
    let session = SessionContext::new();
    register(&session, &table, 2);
    for (target, spec) in [
        ("z", TreeSpec::cart()),
        ("y", TreeSpec::cart().features(["textt"])),
        ("y", TreeSpec::cart().weight("wait")),
        ("y", TreeSpec::cart().nominal(["i644"])),
        ("y", TreeSpec::cart().features(["y"])),
    ] {
        let wanted = std::slice::from_ref(&table).fit_tree(target, &spec).expect_err("wrong");
        let error = fit_sql(&session, "SELECT * FROM t", target, &spec, &small(1)).await;
        assert_eq!(error.expect_err("wrong").to_string(), wanted.to_string());
    }
    for (query, target, spec, words) in [
        ("SELECT * FROM t WHERE i64 > 99", "y", TreeSpec::cart(), "rows"),
        ("SELECT * FROM t WHERE y = 'b'", "y", TreeSpec::cart(), "class"),
        ("SELECT *, -1 AS w FROM t", "y", TreeSpec::cart().weight("w"), "weight `w` (i64) is -1"),
        ("SELECT * FROM t", "text", TreeSpec::cart(), "missing"),
        ("SELECT * FROM t", "y", TreeSpec::c45(), "fractional"),
        ("SELECT * FROM nowhere", "y", TreeSpec::cart(), "nowhere"),
    ] {
        let error = fit_sql(&session, query, target, &spec, &small(1)).await;
        let error = error.expect_err(query).to_string();
        assert!(error.contains(words), "{query}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_grows_the_same_tree() {
    let cluster = Cluster::start(2).await.expect("a cluster");
    let session = cluster.session().await.expect("a session");
    for (seed, target) in [(0, TargetKind::Text), (1, TargetKind::Number)] {
        // Each column costs its share of every query, and a cluster is slow with small ones.
        let table = random_table(seed, 40, target).project(&[1, 5, 7, 12, 20, 21]);
        let table = table.expect("columns that are there");
        let folder = tempfile::tempdir().expect("a folder");
        write_parquet(folder.path(), &table, 3);
        let path = folder.path().to_str().expect("a name");
        session.deregister_table("t").expect("no table");
        session.register_parquet("t", path, ParquetReadOptions::default()).await.expect("reads");
        assert!(check(&session, &table, seed, target).await > 3);
    }
}
