//! What each command does.

use std::path::Path;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::SessionContext;
use gaintree::{Budget, Tree, fit_query};
use gaintree_datafusion::{SessionEngine, rank_sql, score_sql};

use crate::Outcome;
use crate::args::{FitArgs, RankArgs, ScoreArgs};
use crate::session::session;

pub async fn fit(args: &FitArgs) -> Outcome {
    let engine = SessionEngine::new(&session(&args.source).await?)?;
    let (spec, budget) = (args.spec(), args.budget());
    let (query, target) = (args.source.query.clone(), args.target.clone());
    // Growth blocks, so it has a thread of its own.
    let fit = tokio::task::spawn_blocking(move || {
        fit_query(&engine, &query, &target, &spec, &budget, &mut |pass| {
            eprintln!(
                "pass {}: {}, {} of {} nodes, {} values fetched",
                pass.number,
                pass.task.name(),
                pass.nodes,
                pass.nodes_so_far,
                pass.values_fetched
            );
        })
    });
    let fit = fit.await??;
    fit.tree.save(&args.output)?;
    eprintln!(
        "{} nodes, {} leaves, depth {}, {} passes -> {}; {} of {} rows and {:.1} MB were fetched",
        fit.tree.n_nodes(),
        fit.tree.n_leaves(),
        fit.tree.depth(),
        fit.report.passes,
        shown(&args.output),
        fit.report.rows_gathered,
        fit.report.rows,
        fit.fetched.bytes as f64 / 1e6
    );
    Ok(())
}

pub async fn rank(args: &RankArgs) -> Outcome {
    let session = session(&args.source).await?;
    let (spec, budget) = (args.spec(), Budget::default());
    let ranking = rank_sql(&session, &args.source.query, &args.target, &spec, &budget).await?;
    match &args.output {
        Some(path) => write(ranking, path).await,
        None => {
            println!("{}", pretty_format_batches(&[ranking])?);
            Ok(())
        }
    }
}

pub async fn score(args: &ScoreArgs) -> Outcome {
    let tree = Tree::load(&args.model)?;
    if args.output.exists() {
        return Err(format!("{} is there already: name a new folder", shown(&args.output)).into());
    }
    let session = session(&args.source).await?;
    let scored = score_sql(&session, &args.source.query, &tree, args.probability).await?;
    // A folder, as each executor writes files of its own.
    let folder = format!("{}/", shown(&args.output));
    let written = scored.write_parquet(&folder, DataFrameWriteOptions::new(), None).await?;
    let rows: u64 = written
        .iter()
        .filter_map(|batch| batch.column(0).as_any().downcast_ref())
        .flat_map(|counts: &datafusion::arrow::array::UInt64Array| counts.values().to_vec())
        .sum();
    eprintln!("{rows} rows -> {folder}");
    Ok(())
}

/// Writes a table as one file, whose ending says how.
async fn write(table: RecordBatch, path: &Path) -> Outcome {
    let frame = SessionContext::new().read_batch(table)?;
    let name = shown(path);
    let options = DataFrameWriteOptions::new().with_single_file_output(true);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => frame.write_parquet(&name, options, None).await?,
        Some("csv") => frame.write_csv(&name, options, None).await?,
        Some("json" | "ndjson") => frame.write_json(&name, options, None).await?,
        _ => return Err(format!("{name}: name a .parquet, .csv or .ndjson file").into()),
    };
    Ok(())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
