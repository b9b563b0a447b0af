//! Gain ranking as a DataFrame operation: one ranking per group, and single gains as
//! expressions in any query.
//!
//!     cargo run --all-features --example rank_by_group

use gaintree::prelude::*;
use polars::prelude::*;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/breast_cancer.parquet");
    let tumours = LazyFrame::scan_parquet(PlRefPath::new(path), Default::default())?
        .with_column((col("mean_radius").gt_eq(lit(14.0))).alias("is_large"));

    // What tells malignant from benign may differ between small and large tumours.
    let spec = RankSpec::default().by(["is_large"]).sort_by(SortBy::GainRatio);
    let ranking = tumours.clone().rank_gain("diagnosis", &spec)?;
    let best = ranking.lazy().filter(col("rank").lt_eq(lit(3))).select([
        col("is_large"),
        col("rank"),
        col("feature"),
        col("info_gain"),
        col("gain_ratio"),
        col("rule"),
    ]);
    println!("{}", best.collect()?);

    // The same measure of one column, inside a query of your own.
    let gains = tumours
        .group_by_stable([col("is_large")])
        .agg([
            len().alias("tumours"),
            col("diagnosis").class_entropy().alias("entropy"),
            col("worst_texture").info_gain(col("diagnosis")).alias("gain_of_texture"),
        ])
        .collect()?;
    println!("{gains}");
    Ok(())
}
