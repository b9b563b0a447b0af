//! Parts of a cluster that are gone in the middle of a fit.

use std::sync::Mutex;

use arrow::array::RecordBatch;
use datafusion::prelude::ParquetReadOptions;
use gaintree::prelude::*;
use gaintree::{Budget, Dialect, QueryBatches, QueryFit, RunQuery, fit_query};
use gaintree_datafusion::SessionEngine;

use crate::cluster::{Cluster, Member};
use crate::tables::{TargetKind, random_table, write_parquet};

/// An engine that loses a member of its cluster before one of its queries.
struct Losing {
    engine: SessionEngine,
    /// The queries that are left until then, and the member.
    next: Mutex<(usize, Option<Member>)>,
}

impl RunQuery for Losing {
    fn dialect(&self) -> Dialect {
        self.engine.dialect()
    }

    fn makes_arrays(&self) -> bool {
        self.engine.makes_arrays()
    }

    fn run<'a>(&'a self, sql: &str) -> gaintree::Result<QueryBatches<'a>> {
        let mut next = self.next.lock().expect("one query at a time");
        match &mut *next {
            (0, member) => *member = None,
            (left, _) => *left -= 1,
        }
        self.engine.run(sql)
    }
}

fn spec() -> TreeSpec {
    TreeSpec::cart().max_depth(2).exclude(["weight"])
}

/// A fit on a cluster of two executors that loses a member before its fifth query, of about ten.
async fn fit(
    table: &RecordBatch,
    lost: impl FnOnce(&mut Cluster) -> Option<Member>,
) -> gaintree::Result<QueryFit> {
    let mut cluster = Cluster::start(2).await.expect("a cluster");
    let session = cluster.session().await.expect("a session");
    let folder = tempfile::tempdir().expect("a folder");
    write_parquet(folder.path(), table, 3);
    let path = folder.path().to_str().expect("a name");
    session.register_parquet("t", path, ParquetReadOptions::default()).await.expect("reads");
    let engine = SessionEngine::new(&session).expect("a runtime");
    let engine = Losing { engine, next: Mutex::new((4, lost(&mut cluster))) };
    let fitted = tokio::task::spawn_blocking(move || {
        let budget = Budget::default().bins(4).gathered_rows(0);
        let fit = fit_query(&engine, "SELECT * FROM t", "y", &spec(), &budget, &mut |_| ());
        let lost = engine.next.into_inner().expect("no panic").1.is_none();
        assert!(lost, "the fit was done before the member was lost");
        fit
    });
    fitted.await.expect("no panic")
}

fn table() -> RecordBatch {
    let table = random_table(3, 200, TargetKind::Text).project(&[1, 5, 12, 20, 21]);
    table.expect("columns that are there")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_executor_the_tree_is_the_same() {
    let table = table();
    let fit = fit(&table, |cluster| cluster.executors.pop()).await.expect("one is left");
    let wanted = [table].fit_tree("y", &spec()).expect("fits").tree;
    assert_eq!(fit.tree.to_json(), wanted.to_json());
    assert!(fit.tree.n_leaves() > 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_scheduler_a_fit_ends_with_one_line() {
    let error = fit(&table(), |cluster| cluster.scheduler.take()).await.expect_err("nothing runs");
    let error = error.to_string();
    println!("{error}");
    assert!(error.starts_with("the query failed: ") && error.lines().count() == 1, "{error}");
}
