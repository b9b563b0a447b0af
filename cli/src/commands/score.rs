//! `gaintree score`: a prediction for each row, or its score by a scorecard.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use clap::Args;
use gaintree::{Model, ModelColumns, PolarsScoring, RowScorer, ScoreSpec};
use polars::prelude::{IntoLazy, LazyFrame, PlSmallStr, Selector};

use super::columns::{is_pattern, names};
use super::count;
use super::memory::named_row;
use super::run::Run;
use crate::args::shared::{ModelArgs, RunArgs, set_spec};
use crate::input::{Input, Scan, model_dtypes, text_dtypes};
use crate::output::{Output, Places, note, timed, write_query};
use crate::process::{Failure, QueryFailure, Result, catch_panic};

#[derive(Args)]
#[command(after_help = "\
Of several inputs the rows are scored in the order of the words; csv and ndjson are read with the \
dtypes the model was fitted on. MODEL may be a scorecard, which `gaintree woe --save-card` writes: the \
added column is then score.

Examples:
  gaintree score iris.tree.json examples/data/iris.parquet -o scored.parquet
  gaintree score iris.tree.json examples/data/iris.parquet --keep species --probability --leaf
  gaintree score iris.forest.json examples/data/iris.parquet --probability -o scored.parquet
  gaintree score play.tree.json 'weather-*.csv' --prefix play_ -o scored.csv
  gaintree score loans.card.json next-month.csv --points -o scored.csv")]
pub struct ScoreArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    /// Write to this file (.parquet, .csv, .ndjson, .json, .ipc) [default: csv on standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write one file per input, of its name and format, into this folder instead, which is made
    /// where it is not there
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub partition: Option<String>,
    /// Keep these columns of the input, or those a pattern ^…$ matches, and read no others that the
    /// model does not use; --keep= keeps none [default: all]
    #[arg(long, value_name = "COL,…")]
    pub keep: Option<Vec<String>>,
    /// Add the probability of each class
    #[arg(long)]
    pub probability: bool,
    /// Add the node each row stopped at, in a tree
    #[arg(long)]
    pub leaf: bool,
    /// Let each tree of a forest vote for one class: probabilities are shares of the votes, not means
    /// of the shares in the leaves
    #[arg(long)]
    pub votes: bool,
    /// Add the points of each feature of a scorecard, as columns <feature>_points
    #[arg(long)]
    pub points: bool,
    /// Put this before the name of every added column
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prefix: String,
    #[command(flatten)]
    pub run: RunArgs,
}

pub fn run(args: ScoreArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_model(&args.files, args.run.report)?;
    let to = run.places.table("-o", args.output.as_deref())?.unwrap_or(Output::Standard);
    let folder = args.partition.as_deref().map(Path::new);
    let parts = folder.map(|folder| partition(folder, &inputs, &run.places)).transpose()?;
    let scorer = timed(&mut run.report.read, || RowScorer::load(&args.files.model))?;
    let (given, used) = match &scorer {
        RowScorer::Model(model) => {
            let used = model.used_columns();
            (model_dtypes(model.schema(), &used), used)
        }
        RowScorer::Scorecard(card) => (text_dtypes(card.dtypes()), card.features().collect()),
    };
    let scan = timed(&mut run.report.read, || match &args.keep {
        Some(_) => Scan::with_columns(inputs, given, &used),
        None => Scan::new(inputs, given),
    })?;
    let mut spec = ScoreSpec::default();
    set_spec!(spec, args => probability, leaf, votes, points, prefix; args.run.threads => threads);
    spec.keep = args.keep.as_ref().map(|keep| kept(keep, &scan)).transpose()?;
    let keep = spec.keep.as_deref();
    check_kept_once(keep.unwrap_or_default())?;
    // Columns that are absent, of another dtype or in the way are found without the rows.
    scorer.score_lazy(scan.empty().lazy(), &spec)?;

    let needed = needed(used, keep);
    let (total, columns) = (scan.rows(), needed.as_ref().map_or(scan.width(), Vec::len));
    let runs: Vec<(Scan, Output)> = match parts {
        None => vec![(scan, to)],
        Some(parts) => scan.split().zip(parts).collect(),
    };
    if let Some(folder) = folder {
        let made = fs::create_dir_all(folder);
        made.map_err(|e| Failure::work(format!("cannot make `{}`: {e}", folder.display())))?;
    }
    let written = match (folder, runs.as_slice()) {
        (Some(folder), runs) => {
            Some(format!("{} in {}", count(runs.len() as u64, "file"), folder.display()))
        }
        (None, [(_, to)]) => to.path().map(|path| path.display().to_string()),
        (None, _) => None,
    };
    let (mut rows, mut absent) = (0, 0);
    for (scan, to) in runs {
        let scored = timed(&mut run.report.score, || {
            scan.with_query(needed.as_deref(), |query| {
                let scored = scorer.score_lazy(query.clone(), &spec)?;
                let counts = scored.clone();
                let following = run.progress.follow(total, move || rows + counts.report().rows);
                write_query(&to, scored.frame.clone())
                    .map_err(|failure| with_row(failure, &scorer, query, &scan))?;
                drop(following);
                Ok(scored.report())
            })
        })?;
        rows += scored.rows;
        absent += scored.absent_levels;
    }
    run.progress.end();
    if let Some(name) = written {
        note(&format!("{} -> {name}", count(rows, "row")));
    }
    let what = match &scorer {
        RowScorer::Model(model) => unseen_by(model),
        RowScorer::Scorecard(_) => {
            "a level that was not seen when the card was made: its weight is that of gaintree woe \
             --unseen"
        }
    };
    note_unseen(absent, rows, what);
    run.report.size(rows, columns);
    run.report.figure("absent_levels", absent);
    run.report.print()
}

/// The columns that are read, among them the columns the model uses; none where it is all of them.
fn needed<'a>(mut needed: Vec<&'a str>, keep: Option<&'a [String]>) -> Option<Vec<&'a str>> {
    let used: HashSet<&str> = needed.iter().copied().collect();
    needed.extend(keep?.iter().map(String::as_str).filter(|name| !used.contains(name)));
    Some(needed)
}

/// A failure of a query, with the row and the file of a missing value that the model does not allow, if
/// there is one. The query itself does not know its rows by number.
fn with_row(
    failure: QueryFailure,
    scorer: &RowScorer,
    query: LazyFrame,
    scan: &Scan,
) -> QueryFailure {
    let (QueryFailure::Rows(_), RowScorer::Model(model)) = (&failure, scorer) else {
        return failure;
    };
    // If the rows cannot be read, the failure of reading stays.
    match catch_panic(|| model.missing_value(query)) {
        Ok(Ok(Some(missing))) => named_row(missing, scan).into(),
        _ => failure,
    }
}

/// A file for each input, of its name, in a folder.
fn partition(folder: &Path, inputs: &[Input], places: &Places) -> Result<Vec<Output>> {
    let mut names = HashSet::new();
    let part = |input: &Input| {
        let Some(name) = input.file_name() else {
            return Err(Failure::usage(format!(
                "{} has no name for its file in `{}`: write to a file with --output",
                input.name(),
                folder.display()
            )));
        };
        if !names.insert(name.to_os_string()) {
            return Err(Failure::usage(format!(
                "two inputs are named `{}`, and one would take the other's place in `{}`: \
                 score them into two folders",
                name.display(),
                folder.display()
            )));
        }
        places.in_folder(folder, name)
    };
    inputs.iter().map(part).collect()
}

/// The columns that words name, and the columns that patterns among them match.
fn kept(words: &[String], scan: &Scan) -> Result<Vec<String>> {
    let (mut kept, mut seen) = (Vec::new(), HashSet::new());
    for name in names(words, scan) {
        scan.check_shared(&name)?;
        if scan.has(&name) || !is_pattern(&name) {
            seen.insert(PlSmallStr::from_str(&name));
            kept.push(name);
            continue;
        }
        let matched = Selector::Matches(name.as_str().into());
        let matched = matched.into_columns(scan.empty().schema(), &Default::default());
        let refused = |e| Failure::usage(format!("columns to keep `{name}`: {e}"));
        let found = matched.map_err(refused)?;
        if found.is_empty() {
            return Err(Failure::usage(format!("columns to keep `{name}`: no column matches")));
        }
        let new = found.into_iter().filter(|column| seen.insert(column.clone()));
        kept.extend(new.map(|column| column.to_string()));
    }
    Ok(kept)
}

fn check_kept_once(keep: &[String]) -> Result<()> {
    let mut seen = HashSet::new();
    match keep.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(Failure::usage(format!("column `{name}` is to be kept twice"))),
        None => Ok(()),
    }
}

/// Says how many rows had a value that was not seen in training, if any had.
pub fn note_unseen(unseen: u64, rows: u64, what: &str) {
    if unseen > 0 {
        let (unseen, has) = (count(unseen, "row"), if unseen == 1 { "has" } else { "have" });
        note(&format!("{unseen} of {rows} {has} {what}"));
    }
}

/// What there is to say of a value that was not seen in training.
pub fn unseen_by(model: &Model) -> &'static str {
    match model {
        Model::Tree(_) => {
            "a value that no training row had at that node of the tree: the prediction is a guess"
        }
        Model::Forest(_) => "a value that no training row had: the prediction is a guess",
    }
}
