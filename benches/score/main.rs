//! What scoring takes: frames in memory, and files beside reading and writing them with no model.
//!
//! ```text
//! cargo bench --bench score                                    # all, small
//! ROWS=5000000 cargo bench --bench score -- memory             # one of them
//! ROWS=5000000 cargo bench --bench score -- files
//! ```
//!
//! `ROWS` is the rows scored (200,000), POLARS_MAX_THREADS bounds the threads. Files go to the
//! folder for temporary ones. On a machine that does other work too, compare the column `fastest`.
//! With `MODEL` and `FRAME`, a model file and a parquet file, nothing of this is run, but that
//! frame [served](serve), as `benches/peers/scoring.py` does.

mod data;
mod serve;

use divan::{Bencher, Divan};
use gaintree::{ModelVerbs, PolarsScoring, ScoreSpec};
use polars::prelude::*;

use data::{Case, Files, Sort};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let (Ok(model), Ok(frame)) = (std::env::var("MODEL"), std::env::var("FRAME")) {
        return serve::serve(&model, &frame);
    }
    println!("{} rows", data::rows());
    for case in Case::ALL {
        println!("{case}: a tree of {} nodes", case.tree().n_nodes());
    }
    Divan::default().sample_count(10).config_with_args().main();
    Ok(())
}

/// A frame in memory: the prediction alone.
#[divan::bench(args = Case::ALL)]
fn memory(bencher: Bencher, case: Case) {
    let (tree, df) = (case.tree(), case.frame(data::rows(), 2));
    let alone = ScoreSpec::default().keep(Vec::<String>::new());
    bencher.bench(|| tree.score_with(&df, &alone));
}

/// The same by frames of 8,192 rows, one after the other, as engines pass them.
#[divan::bench(args = Case::ALL)]
fn memory_by_batches(bencher: Bencher, case: Case) {
    const BATCH: usize = 8192;
    let (tree, df) = (case.tree(), case.frame(data::rows(), 2));
    let alone = ScoreSpec::default().keep(Vec::<String>::new());
    let starts = (0..data::rows()).step_by(BATCH);
    let batches: Vec<DataFrame> = starts.map(|at| df.slice(at as i64, BATCH)).collect();
    bencher.bench(|| batches.iter().map(|df| tree.score_with(df, &alone)).collect::<Vec<_>>());
}

/// Parquet to parquet with all columns: no model.
#[divan::bench]
fn files_copied(bencher: Bencher) {
    let files = Files::new();
    bencher.bench(|| files.sink(files.scan()));
}

/// Parquet to parquet with all columns, and the prediction.
#[divan::bench]
fn files_scored(bencher: Bencher) {
    let (files, tree) = (Files::new(), Case::deep(Sort::Ordered).tree());
    bencher.bench(|| tree.score_parquet([&files.input], &files.output, &ScoreSpec::default()));
}

/// Every column is read, and a column of one class written.
#[divan::bench]
fn files_read(bencher: Bencher) {
    let files = Files::new();
    let class = |columns: &mut [Column]| {
        Ok(Column::new_scalar("prediction".into(), Scalar::from(0i64), columns[0].len()))
    };
    let name = |_: &Schema, _: &[Field]| Ok(Field::new("prediction".into(), DataType::Int64));
    let trivial = map_multiple(class, files.columns(), name);
    bencher.bench(|| files.sink(files.scan().select([trivial.clone()])));
}

/// Every column is read, and the prediction alone written.
#[divan::bench]
fn files_predicted(bencher: Bencher) {
    let (files, tree) = (Files::new(), Case::deep(Sort::Ordered).tree());
    let alone = ScoreSpec::default().keep(Vec::<String>::new());
    bencher.bench(|| tree.score_parquet([&files.input], &files.output, &alone));
}
