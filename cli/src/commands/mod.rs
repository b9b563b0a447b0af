//! What each subcommand does: check, read, work, write, in this order, so that errors in the
//! arguments are found before the work.

mod candidates;
mod code;
mod completions;
mod contributions;
mod corrected;
mod curve;
mod cuts;
mod drift;
mod eval;
mod eval_text;
mod explain;
mod fit;
mod forest;
mod importance;
mod matrix;
mod model;
mod model_rows;
mod out_of_bag;
mod prune;
mod rank;
mod report;
mod score;
mod scores;
mod select;
mod show;
mod shown_card;
mod shown_model;
mod woe;

use std::collections::HashSet;
use std::path::PathBuf;

use gaintree::{Budget, Error, RankSpec, Task, Tree, TreeSpec, target_note};
use polars::prelude::{DataFrame, LazyFrame, PolarsError, all, col};

use self::model_rows::{open_model, open_scan, scan_of};
use self::scores::Scores;
use crate::args::{Command, Ground, RowArgs};
use crate::input::{Rows, Scan};
use crate::output::{Output, Picture, RunReport, note, print, timed};
use crate::process::{Failure, QueryFailure, Result, free_memory};
use crate::terminal::Progress;

pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Rank(args) => rank::run(args),
        Command::Matrix(args) => matrix::run(args),
        Command::Select(args) => select::run(args),
        Command::Boruta(args) => corrected::run_boruta(args),
        Command::CorrectedImportance(args) => corrected::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Forest(args) => forest::run(args),
        Command::Score(args) => score::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Importance(args) => importance::run(args),
        Command::Contributions(args) => contributions::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Show(args) => show::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Curve(args) => curve::run(args),
        Command::Cuts(args) => cuts::run(args),
        Command::Woe(args) => woe::run(args),
        Command::Drift(args) => drift::run(args),
        Command::Candidates(args) => candidates::run(args),
        Command::Report(args) => report::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

/// Reads what a verb needs: the columns that are named, or all.
///
/// Where a named column is not there, the frame is empty but has all columns, so that the verb
/// can say which one is meant before anything is read.
fn read(
    scan: &Scan,
    needed: Option<Vec<&str>>,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<Rows> {
    let read = if needed.iter().flatten().any(|name| !scan.has(name)) {
        Rows::none(scan.empty())
    } else {
        progress.say(format!("reading {}", scan.describe()));
        let (rows, notes) = timed(&mut report.read, || scan.read(needed.as_deref()))?;
        notes.iter().for_each(|text| note(text));
        rows
    };
    report.frame(&read);
    Ok(read)
}

/// Bytes that a value takes in memory while a tree is fitted or columns are ranked.
const VALUE_BYTES: u64 = 22;

/// Says that the rows will hardly fit in memory, where the files say how many there are.
fn note_memory(scan: &Scan, needed: Option<&[&str]>) {
    let columns = needed.map_or(scan.width(), <[&str]>::len);
    let Some((rows, free)) = scan.rows().zip(free_memory()) else { return };
    if let Some(text) = memory_note(rows, columns as u64, free) {
        note(&text);
    }
}

fn memory_note(rows: u64, columns: u64, free: u64) -> Option<String> {
    let bytes = rows.saturating_mul(columns).saturating_mul(VALUE_BYTES);
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    (bytes > free).then(|| {
        format!(
            "{rows} rows of {columns} columns take about {} in memory, and {} are free: \
             --memory {}GB reads a part at a time, with the same result",
            gigabytes(bytes),
            gigabytes(free),
            (free / 2_000_000_000).max(1)
        )
    })
}

/// What a ranking or a selection notes of its features.
fn notes_of_features(ranking: &DataFrame) -> Vec<String> {
    let text = |name: &str| ranking.column(name).ok().and_then(|column| column.str().ok());
    let (Some(features), Some(notes)) = (text("feature"), text("note")) else { return vec![] };
    let mut said = HashSet::new();
    let of_features = features.iter().zip(notes.iter()).filter_map(|(feature, note)| {
        let (feature, note) = (feature?, note?);
        // Of many groups the first that has one.
        said.insert(feature).then(|| format!("{feature}: {note}"))
    });
    of_features.collect()
}

/// The columns that words name: a word is a column's name, or several with commas between them.
fn names(words: &[String], scan: &Scan) -> Vec<String> {
    words.iter().flat_map(|word| parts(word, scan)).collect()
}

fn parts(word: &str, scan: &Scan) -> Vec<String> {
    if scan.has(word) {
        return vec![word.to_string()];
    }
    let name = |part: &str| match scan.has(part) {
        true => part.to_string(),
        false => part.trim().to_string(),
    };
    let parts = word.split(',').filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(name).collect();
    // A pattern may have a comma in it too.
    let known = |part: &String| scan.has(part) || is_pattern(part);
    if is_pattern(word) && !parts.iter().all(known) { vec![word.to_string()] } else { parts }
}

fn is_pattern(word: &str) -> bool {
    word.starts_with('^') && word.ends_with('$')
}

/// Makes the words for features and for columns to exclude a list of features. A pattern `^…$`,
/// unless it is itself the name of a column, stands for the columns it matches, but for the target
/// and the weight, groups and given columns of `spec`.
fn features(
    features: &mut Option<Vec<String>>,
    exclude: &mut Vec<String>,
    scan: &Scan,
    target: &str,
    spec: &RankSpec,
) -> Result<()> {
    let empty = scan.empty();
    let matched = |words: &[String]| -> Result<Vec<String>> {
        let mut columns: Vec<String> = Vec::new();
        for name in names(words, scan) {
            if is_pattern(&name) && !scan.has(&name) {
                let found = spec.clone().features_by(col(name), empty.schema(), target)?.features;
                let known: HashSet<String> = columns.iter().cloned().collect();
                columns
                    .extend(found.unwrap_or_default().into_iter().filter(|c| !known.contains(c)));
            } else {
                columns.push(name);
            }
        }
        Ok(columns)
    };
    if let Some(words) = features {
        *words = matched(words)?;
    }
    *exclude = matched(exclude)?;
    // A name that is no column is left to the verb, which finds it.
    if !exclude.is_empty() && exclude.iter().all(|name| scan.has(name)) {
        let left = match features.take() {
            Some(named) => named,
            None => spec
                .clone()
                .features_by(all(), empty.schema(), target)?
                .features
                .unwrap_or_default(),
        };
        let excluded: HashSet<&String> = exclude.iter().collect();
        *features = Some(left.into_iter().filter(|name| !excluded.contains(name)).collect());
        exclude.clear();
    }
    Ok(())
}

/// Makes the words of a tree's spec lists of columns.
fn name_columns(spec: &mut TreeSpec, scan: &Scan, target: &str) -> Result<()> {
    let mut reserved = RankSpec::default();
    reserved.weight.clone_from(&spec.weight);
    spec.ordered = names(&spec.ordered, scan);
    spec.nominal = names(&spec.nominal, scan);
    features(&mut spec.features, &mut spec.exclude, scan, target, &reserved)
}

/// The rows that have a target, if rows without one are to be left out.
fn with_target(df: Rows, target: &str, rows: &RowArgs) -> Result<Rows> {
    let Some(column) = df.column(target).ok().filter(|_| rows.drop_null_target) else {
        return Ok(df);
    };
    let failed = |e: PolarsError| Failure::work(e.to_string());
    let mut known = column.is_not_null();
    if column.dtype().is_float() {
        known = known & column.as_materialized_series().is_not_nan().map_err(failed)?;
    }
    let read = df.height();
    let kept = df.filter(known)?;
    if kept.height() < read {
        let dropped = count((read - kept.height()) as u64, "row");
        note(&format!("{dropped} of {read} without a `{target}` left out"));
    }
    Ok(kept)
}

/// Whether an error is what a query ended in.
fn is_of_query(e: &Error) -> bool {
    std::error::Error::source(e).is_some_and(|source| source.is::<PolarsError>())
}

/// Refuses what --memory does not go with.
fn check_memory(memory: Option<u64>, rows: &RowArgs) -> Result<()> {
    match memory.is_some() && rows.drop_null_target {
        false => Ok(()),
        true => Err(Failure::usage(
            "--memory reads a part of the rows or columns at a time, and goes with no \
             --drop-null-target: leave one of them out",
        )),
    }
}

/// Work on rows that are read in parts; it needs some columns or all. `work` gets queries for the
/// parts, and the paths of the files.
fn in_parts<T>(
    scan: &Scan,
    columns: Option<&[&str]>,
    budget: &Budget,
    mut work: impl FnMut(Vec<LazyFrame>, &[PathBuf]) -> gaintree::Result<T>,
) -> Result<T> {
    let done = scan.with_parts(columns, budget, |rows, files| {
        work(rows, files).map_err(|e| match is_of_query(&e) {
            true => QueryFailure::Rows(e.to_string()),
            false => named_row(e, scan).into(),
        })
    })?;
    scan.notes(columns).iter().for_each(|text| note(text));
    Ok(done)
}

/// An error of rows that were read in parts, which says the row's file.
fn named_row(e: Error, scan: &Scan) -> Failure {
    match e.row().map(|row| scan.row_name(row)).transpose() {
        Ok(name) => e.with_row_name(|_| name.unwrap_or_default()).into(),
        Err(failure) => failure,
    }
}

/// Says how a target was taken, where it could be taken in another way.
fn note_target(df: &DataFrame, target: &str, task: Task) {
    if let Some(text) = target_note(df, target, task) {
        note(&text);
    }
}

/// Writes a table where it is to go, or prints it as text.
fn show_table(
    df: &DataFrame,
    to: Option<&Output>,
    report: &mut RunReport,
    text: impl FnOnce() -> String,
) -> Result<()> {
    timed(&mut report.write, || match to {
        Some(to) => to.write_table(df).map(|()| note_written(df, to)),
        None => print(&text()),
    })
}

/// Says what was written to a file.
fn note_written(df: &DataFrame, to: &Output) {
    let what = match to {
        Output::Standard => return,
        Output::Table(..) => count(df.height() as u64, "row"),
        Output::Text(_) | Output::Binary(_) => "picture".to_string(),
    };
    if let Some(path) = to.path() {
        note(&format!("{what} -> {}", path.display()));
    }
}

/// As [`show_table`], for a table that may be drawn.
fn show_picture(
    df: &DataFrame,
    to: Option<&Output>,
    picture: (Picture, Ground),
    progress: Progress,
    report: &mut RunReport,
    text: impl FnOnce() -> String,
) -> Result<()> {
    timed(&mut report.write, || match to {
        Some(to) => to.write(df, picture).map(|()| {
            drop(progress);
            note_written(df, to);
        }),
        None => {
            drop(progress);
            print(&text())
        }
    })
}

/// The columns that fitting with a spec needs; none where it is all of them.
fn fitted<'a>(
    target: &'a str,
    features: Option<&'a [String]>,
    weight: Option<&'a str>,
) -> Option<Vec<&'a str>> {
    let features = features?.iter().map(String::as_str);
    Some([target].into_iter().chain(weight).chain(features).collect())
}

/// The columns a tree was fitted on.
fn trained(tree: &Tree) -> Vec<&str> {
    let schema = tree.schema();
    let features = schema.features.iter().map(|f| f.name.as_str());
    let weight = tree.spec().weight.as_deref();
    features.chain([schema.target.as_str()]).chain(weight).collect()
}

/// The columns a model's rules use.
fn used(model: &impl Scores) -> Vec<&str> {
    let (schema, features) = model.columns();
    let named = features.iter().filter_map(|&feature| schema.features.get(feature as usize));
    named.map(|feature| feature.name.as_str()).collect()
}

fn used_and_target(model: &impl Scores) -> Vec<&str> {
    let mut columns = used(model);
    columns.push(&model.columns().0.target);
    columns
}

/// Checks, before any row is read, that the columns can be scored and compared with the target.
fn check_columns(model: &impl Scores, scan: &Scan) -> Result<()> {
    Ok(model.judge(&scan.empty())?)
}

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::memory_note;

    #[test]
    fn a_note_is_of_rows_that_do_not_fit() {
        assert_eq!(memory_note(10_000_000, 10, 8_000_000_000), None);
        let note = memory_note(500_000_000, 20, 8_000_000_000).expect("said");
        assert!(note.contains("about 220.0 GB in memory, and 8.0 GB are free"), "{note}");
        assert!(note.contains("--memory 4GB"), "{note}");
        assert!(memory_note(u64::MAX, 20, 100).is_some());
    }
}
