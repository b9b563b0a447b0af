//! Scoring a parquet file inside a lazy query: only the tree's columns are read, batch by batch.
//!
//!     cargo run --all-features --example score_parquet

use gaintree::prelude::*;
use polars::prelude::*;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/breast_cancer.parquet");
    let scan = || LazyFrame::scan_parquet(PlRefPath::new(path), Default::default());

    let spec = TreeSpec::c45().max_depth(4);
    let tree = scan()?.fit_tree("diagnosis", &spec)?.tree;

    let scored = scan()?.select([col("diagnosis"), tree.predict()]);
    println!("{}", scored.clone().explain(true)?);
    let scored = scored.collect_with_engine(Engine::Streaming)?.unwrap_single();

    let right = scored.column("diagnosis")?.equal_missing(scored.column("prediction")?)?;
    println!("{} of {} rows are right", right.sum().unwrap_or(0), scored.height());
    Ok(())
}
