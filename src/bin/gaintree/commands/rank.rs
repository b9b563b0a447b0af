//! `gaintree rank`: which features tell most.

use gaintree::{RankSpec, SortBy, rank_gain};
use polars::prelude::{Column, DataFrame, Schema};

use super::{features, fitted, read, show_picture};
use crate::args::RankArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, timed};
use crate::process::Result;
use crate::terminal::{Progress, Terminal, meter, table};

/// The columns that are printed, between the groups' columns and the rule.
const PRINTED: [&str; 9] = [
    "rank",
    "feature",
    "kind",
    "n_levels",
    "n_missing",
    "info_gain",
    "gain_ratio",
    "gini_gain",
    "variance_reduction",
];

pub fn run(args: RankArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input)?;
    let taken = input::paths(None, &inputs);
    let to = Output::of_table_or_picture(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    spec.features = features(spec.features.as_deref(), &scan, target, &spec)?;
    let mut needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    needed.iter_mut().for_each(|names| names.extend(spec.by.iter().map(String::as_str)));
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("ranking {} rows", df.height()));
    // Encoding included: only a fit times it apart.
    let ranking = timed(&mut report.score, || rank_gain(&df, target, &spec))?;
    let picture = Picture::Ranking(&ranking, sorted_by(&ranking, &spec));
    timed(&mut report.write, || {
        show_picture(&ranking, to.as_ref(), picture, progress, || ranking_text(&ranking, &spec))
    })?;
    report.print()
}

/// The column it is sorted by.
fn sorted_by(ranking: &DataFrame, spec: &RankSpec) -> &'static str {
    match spec.sort_by {
        _ if ranking.column("variance_reduction").is_ok() => "variance_reduction",
        SortBy::InfoGain => "info_gain",
        SortBy::GainRatio => "gain_ratio",
        SortBy::GiniGain => "gini_gain",
        SortBy::SymmetricUncertainty => "symmetric_uncertainty",
    }
}

/// Cells of a bar beside the figure it is sorted by.
const CELLS: usize = 8;

fn ranking_text(ranking: &DataFrame, spec: &RankSpec) -> String {
    let mut names: Vec<&str> = spec.by.iter().map(String::as_str).chain(PRINTED).collect();
    // The figure it is sorted by is printed, and the rule that goes with it.
    names.extend(match spec.sort_by {
        SortBy::GiniGain => &["gini_rule"][..],
        SortBy::SymmetricUncertainty => &["symmetric_uncertainty", "rule"],
        SortBy::InfoGain | SortBy::GainRatio => &["rule"],
    });
    if ranking.column("excluded_reason").is_ok_and(|c| c.null_count() < c.len()) {
        names.push("excluded_reason");
    }
    let Some(terminal) = Terminal::of_standard_output() else {
        return table(ranking, &names);
    };
    let by = sorted_by(ranking, spec);
    let bars = bars(ranking, by);
    let at = names.iter().position(|name| *name == by).map_or(names.len(), |at| at + 1);
    names.insert(at, BAR);
    let mut drawn = ranking.clone();
    // A bar a line always fits the frame; without bars the table is whole all the same.
    let _ = drawn.with_column(Column::new(BAR.into(), bars));
    for name in LEFT_OUT.into_iter().filter(|name| *name != by) {
        if terminal.fits(&table(&drawn, &names)) {
            break;
        }
        names.retain(|other| *other != name);
    }
    terminal.cut(&table(&drawn, &names))
}

/// The columns that a narrow terminal leaves out, in this order.
const LEFT_OUT: [&str; 7] =
    ["n_missing", "n_levels", "kind", "rank", "gini_gain", "gain_ratio", "info_gain"];

/// The name of the column of bars: none that a column of a ranking has.
const BAR: &str = " ";

/// Each figure's share of the greatest one, as a bar.
fn bars(ranking: &DataFrame, figure: &str) -> Vec<String> {
    let figures = ranking.column(figure).ok().and_then(|c| c.f64().ok());
    let figures: Vec<f64> =
        figures.map_or_else(Vec::new, |f| f.iter().map(|x| x.unwrap_or(0.0)).collect());
    let most = figures.iter().copied().fold(0.0, f64::max);
    figures.iter().map(|x| meter(x / most, CELLS)).collect()
}
