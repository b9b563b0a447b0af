//! `gaintree rank`: which features tell most.

use gaintree::{RankSpec, SortBy, rank_gain};
use polars::prelude::{Column, DataFrame, Schema};

use super::{features, read};
use crate::args::RankArgs;
use crate::failure::Result;
use crate::input::{self, Scan};
use crate::output;
use crate::picture::{Picture, Place};
use crate::progress::Progress;
use crate::report::{Report, timed};
use crate::screen::{Screen, meter};
use crate::terminal;

/// What of a ranking is for reading, between the groups' columns and the rule.
const SHOWN: [&str; 9] = [
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
    let mut report = Report::start(args.run.report);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input)?;
    let to = Place::resolve(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    spec.features = features(spec.features.as_deref(), &scan, target, &spec)?;
    let mut named: Vec<&str> = vec![target];
    named.extend(spec.weight.as_deref());
    named.extend(spec.by.iter().map(String::as_str));
    let needed = spec
        .features
        .as_ref()
        .map(|features| named.iter().copied().chain(features.iter().map(String::as_str)).collect());
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("ranking {} rows", df.height()));
    // The verb encodes too; only a fit tells the two apart.
    let ranking = timed(&mut report.score, || rank_gain(&df, target, &spec))?;
    drop(progress);
    timed(&mut report.write, || match &to {
        Some(to) => to.write(&ranking, Picture::Ranking(&ranking, figure(&ranking, &spec))),
        None => output::print(&readable(&ranking, &spec)),
    })?;
    report.print()
}

/// The column it is sorted by.
fn figure(ranking: &DataFrame, spec: &RankSpec) -> &'static str {
    match spec.sort_by {
        _ if ranking.column("variance_reduction").is_ok() => "variance_reduction",
        SortBy::InfoGain => "info_gain",
        SortBy::GainRatio => "gain_ratio",
        SortBy::GiniGain => "gini_gain",
        SortBy::SymmetricUncertainty => "symmetric_uncertainty",
    }
}

/// ColumnData of a bar beside the figure it is sorted by.
const CELLS: usize = 8;

fn readable(ranking: &DataFrame, spec: &RankSpec) -> String {
    let mut names: Vec<&str> = spec.by.iter().map(String::as_str).chain(SHOWN).collect();
    // What it is sorted by has to be seen, and the rule that goes with it.
    names.extend(match spec.sort_by {
        SortBy::GiniGain => &["gini_rule"][..],
        SortBy::SymmetricUncertainty => &["symmetric_uncertainty", "rule"],
        SortBy::InfoGain | SortBy::GainRatio => &["rule"],
    });
    if ranking.column("excluded_reason").is_ok_and(|c| c.null_count() < c.len()) {
        names.push("excluded_reason");
    }
    let Some(screen) = Screen::of_standard_output() else {
        return terminal::table(ranking, &names);
    };
    let by = figure(ranking, spec);
    let bars = bars(ranking, by);
    let at = names.iter().position(|name| *name == by).map_or(names.len(), |at| at + 1);
    names.insert(at, BAR);
    let mut drawn = ranking.clone();
    // A bar a line always fits the frame; without bars the table is whole all the same.
    let _ = drawn.with_column(Column::new(BAR.into(), bars));
    for spare in SPARED.into_iter().filter(|name| *name != by) {
        if screen.holds(&terminal::table(&drawn, &names)) {
            break;
        }
        names.retain(|name| *name != spare);
    }
    screen.cut(&terminal::table(&drawn, &names))
}

/// What a narrow screen goes without, in this order.
const SPARED: [&str; 7] =
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
