//! What the engine takes to encode, to rank and to grow, by class of columns.
//!
//! ```text
//! cargo bench -p gaintree --no-default-features                              # all, small
//! cargo bench -p gaintree --no-default-features -- growth                    # one of them
//! ROWS=1000000 THREADS=2 cargo bench -p gaintree --no-default-features -- fit
//! ```
//!
//! The engine stands alone here: columns come from memory, not from a DataFrame. See
//! [`Shape::from_env`] for the sizes. On a machine that does other work too, compare the column
//! `fastest`.

mod columns;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/raw.rs"]
mod raw;
mod shape;

use divan::{Bencher, Divan};
use gaintree::engine::{Table, grow, rank};
use gaintree::{Cuts, LogBase, RankMissing, TreeSpec};
use rayon::{ThreadPool, ThreadPoolBuilder};

use columns::{ColumnClass, RawTable};
use shape::Shape;

fn main() {
    println!("{:?}", Shape::from_env());
    Divan::default().sample_count(20).config_with_args().main();
}

/// A pool of as many threads as asked for: the engine works in the pool it is called in.
fn pool(shape: Shape) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(shape.threads).build().expect("threads")
}

fn spec(shape: Shape) -> TreeSpec {
    let spec = TreeSpec::cart();
    if shape.depth > 0 { spec.max_depth(shape.depth) } else { spec }
}

#[divan::bench(args = ColumnClass::ALL)]
fn encode(bencher: Bencher, class: ColumnClass) {
    let shape = Shape::from_env();
    let (pool, raw) = (pool(shape), RawTable::new(class, shape));
    bencher.bench(|| pool.install(|| raw.encode()));
}

/// Of an encoded table, by the best cut.
#[divan::bench(args = ColumnClass::ALL)]
fn ranking(bencher: Bencher, class: ColumnClass) {
    let shape = Shape::from_env();
    let (pool, table) = (pool(shape), RawTable::new(class, shape).encode());
    bencher.bench(|| pool.install(|| rank_all(&table)));
}

/// Of an encoded table.
#[divan::bench(args = ColumnClass::ALL)]
fn growth(bencher: Bencher, class: ColumnClass) {
    let shape = Shape::from_env();
    let (pool, spec, table) = (pool(shape), spec(shape), RawTable::new(class, shape).encode());
    bencher.with_inputs(|| table.clone()).bench_values(|table| pool.install(|| grow(table, &spec)));
}

#[divan::bench(args = ColumnClass::ALL)]
fn encode_and_rank(bencher: Bencher, class: ColumnClass) {
    let shape = Shape::from_env();
    let (pool, raw) = (pool(shape), RawTable::new(class, shape));
    bencher.bench(|| pool.install(|| rank_all(&raw.encode())));
}

#[divan::bench(args = ColumnClass::ALL)]
fn fit(bencher: Bencher, class: ColumnClass) {
    let shape = Shape::from_env();
    let (pool, spec, raw) = (pool(shape), spec(shape), RawTable::new(class, shape));
    bencher.bench(|| pool.install(|| grow(raw.encode(), &spec)));
}

fn rank_all(table: &Table) -> usize {
    rank(table, None, LogBase::Two, RankMissing::Known, Cuts::Best).len()
}
