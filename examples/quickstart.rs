//! Rank, fit, explain and score: the main job on a parquet file.
//!
//!     cargo run --all-features --example quickstart

use gaintree::prelude::*;
use polars::prelude::*;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/iris.parquet");
    let df = LazyFrame::scan_parquet(PlRefPath::new(path), Default::default())?.collect()?;

    // Which columns tell the species apart, by how much, and at which cut?
    let ranking = df.rank_gain("species", &RankSpec::default())?;
    println!("{ranking}");

    // The tree that follows, and what each feature did in it.
    let fit = df.fit_tree("species", &TreeSpec::cart().max_depth(3))?;
    println!("{}", fit.tree);
    println!("{}", fit.importance);
    println!("{}", fit.tree.rules()?);

    // Predictions, and how good they are.
    let scored = fit.tree.score(&df)?;
    println!("{}", scored.tail(Some(3)));
    println!("{}", fit.tree.evaluate(&df)?);

    // A model is a readable file.
    let model = std::env::temp_dir().join(format!("iris-{}.tree.json", std::process::id()));
    fit.tree.save(&model)?;
    let again = Tree::load(&model)?;
    std::fs::remove_file(&model)?;
    assert_eq!(again.score(&df)?, scored);
    Ok(())
}
