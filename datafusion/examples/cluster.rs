//! A Ballista cluster in this process: a scheduler and two executors, which talk over TCP. It writes
//! a table in parts, ranks, trains and scores it on the cluster, and compares with memory.
//!
//!     cargo run --release -p gaintree-datafusion --example cluster --features ballista [ROWS]

#[path = "../tests/it/cluster.rs"]
mod cluster;

use std::error::Error;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use cluster::Cluster;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{ParquetReadOptions, col};
use gaintree::Budget;
use gaintree::prelude::*;
use gaintree_datafusion::{fit_sql, rank_sql, score_sql};

const PARTS: usize = 8;
const QUERY: &str = "SELECT * FROM journeys";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let rows: usize = std::env::args().nth(1).map_or(Ok(8_000), |rows| rows.parse())?;
    let folder = tempfile::tempdir()?;
    let parts =
        (0..PARTS).map(|part| journeys(part, rows / PARTS)).collect::<Result<Vec<_>, _>>()?;
    for (part, batch) in parts.iter().enumerate() {
        let file = File::create(folder.path().join(format!("part-{part}.parquet")))?;
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
        writer.write(batch)?;
        writer.close()?;
    }
    println!("{rows} rows in {PARTS} parquet files");

    let cluster = Cluster::start(2).await?;
    let session = cluster.session().await?;
    let path = folder.path().to_string_lossy().into_owned();
    session.register_parquet("journeys", &path, ParquetReadOptions::default()).await?;

    let started = Instant::now();
    let ranking =
        rank_sql(&session, QUERY, "late", &RankSpec::default(), &Budget::default()).await?;
    let same = parts.rank_gain("late", &RankSpec::default())? == ranking;
    println!("ranked on the cluster in {:.1?}; as in memory: {same}", started.elapsed());

    let spec = TreeSpec::cart().max_depth(4).min_samples_leaf(5);
    let started = Instant::now();
    // Few rows are gathered, so that the cluster has to count; its queries grow with the bins.
    let budget = Budget::default().bins(64).gathered_rows((rows / 10) as u64);
    let fit = fit_sql(&session, QUERY, "late", &spec, &budget).await?;
    let in_memory = parts.fit_tree("late", &spec)?.tree;
    let same = fit.tree.to_json() == in_memory.to_json();
    println!(
        "trained on the cluster in {:.1?}, {} passes, {} leaves; the same bytes as in memory: {same}",
        started.elapsed(),
        fit.report.passes,
        fit.tree.n_leaves()
    );

    let started = Instant::now();
    let scored = score_sql(&session, QUERY, &fit.tree, false).await?;
    let wrong = scored.filter(col("prediction").not_eq(col("late")))?.count().await?;
    let mut wrong_in_memory = 0;
    for part in &parts {
        let scored = in_memory.score(part)?;
        let prediction = scored.column_by_name("prediction").ok_or("a prediction")?;
        let late = part.column_by_name("late").ok_or("a target")?;
        let differs = arrow::compute::kernels::cmp::neq(&prediction.as_ref(), &late.as_ref())?;
        wrong_in_memory += differs.true_count();
    }
    println!(
        "scored on the cluster in {:.1?}: {wrong} wrong, {wrong_in_memory} in memory",
        started.elapsed()
    );
    Ok(())
}

/// One part of a table of train journeys: who is late, and what there is to know before.
fn journeys(part: usize, rows: usize) -> Result<RecordBatch, arrow::error::ArrowError> {
    let mut state = part as u64 * 7919 + 17;
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut hours, mut kilometres, mut lines, mut late) = (vec![], vec![], vec![], vec![]);
    for _ in 0..rows {
        let hour = below(24) as i64;
        let kilometre = (below(60_000) > 3_000).then(|| below(60_000) as f64 / 100.0);
        let line = ["north", "south", "east", "west"][below(4) as usize];
        let rush = (7..10).contains(&hour) || (16..19).contains(&hour);
        let odds = 1
            + u64::from(rush) * 4
            + u64::from(line == "east") * 2
            + u64::from(kilometre.is_some_and(|km| km > 211.5)) * 3;
        late.push(if below(12) < odds { "late" } else { "on time" });
        hours.push(hour);
        kilometres.push(kilometre);
        lines.push(line);
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("hour", Arc::new(Int64Array::from(hours))),
        ("kilometres", Arc::new(Float64Array::from(kilometres))),
        ("line", Arc::new(StringArray::from(lines))),
        ("late", Arc::new(StringArray::from(late))),
    ];
    RecordBatch::try_from_iter(columns)
}
