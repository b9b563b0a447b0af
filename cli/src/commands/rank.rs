//! `gaintree rank`: which features tell most.

use clap::Args;
use gaintree::{
    Budget, Chance, Cuts, FeatureSpec, RankMissing, RankSpec, SortBy, StreamedRanking, rank_gain,
    rank_gain_streaming, target_note,
};
use polars::prelude::{Column, DataFrame};

use super::columns::name_columns;
use super::memory::{check_memory, in_parts, note_memory};
use super::notes_of_features;
use super::run::Run;
use crate::args::parsers::{choice, memory, permutations, seed};
use crate::args::shared::{FeatureArgs, RunArgs, TargetArgs, ThemeArg, override_spec, set_spec};
use crate::input::Scan;
use crate::output::{Output, Picture, note_all, timed};
use crate::process::{Failure, Result};
use crate::terminal::{Terminal, meter, names_of, table};

#[derive(Args)]
#[command(after_help = "\
Without -o the table on standard output shows the columns that matter most; with -o or --full it \
has all of them (entropies, split info, cuts, thresholds …).

Examples:
  gaintree rank examples/data/weather.csv --target play
  gaintree rank examples/data/breast_cancer.parquet --target diagnosis --sort-by gain_ratio
  gaintree rank examples/data/weather.csv --target play --chance 1000
  gaintree rank examples/data/loan.csv --target approved --given owns_house
  gaintree rank examples/data/loan.csv --target approved --by age -o gains.csv
  gaintree rank examples/data/wine.parquet --target cultivar -o wine.svg")]
pub struct RankArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Rank within each group of rows that are equal in these columns
    #[arg(long, value_name = "COL,…")]
    pub by: Vec<String>,
    /// Rank by what features tell beside these columns: the gain within rows that agree on them
    #[arg(long, value_name = "COL,…")]
    pub given: Vec<String>,
    /// Leave missing values out (known), or take them as a level of their own [default: known]
    #[arg(long, value_name = "HOW", value_parser = choice::<RankMissing>())]
    pub missing: Option<RankMissing>,
    /// Sort by this figure, best first; with --given always by gain_given [default: info_gain]
    #[arg(long, value_name = "FIGURE", value_parser = choice::<SortBy>())]
    pub sort_by: Option<SortBy>,
    /// Rate ordered features by this: their best cut, or all cuts that pay (Fayyad & Irani's MDL)
    /// [default: best]
    #[arg(long, value_name = "WHICH", value_parser = choice::<Cuts>())]
    pub cuts: Option<Cuts>,
    /// Print all columns
    #[arg(long)]
    pub full: bool,
    /// Compare each gain with what chance gains, with at most N permutations of the target
    #[arg(long, value_name = "N", value_parser = permutations, allow_negative_numbers = true)]
    pub chance: Option<u32>,
    /// Permute by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0, requires = "chance",
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a bar chart (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    /// Rank in this much memory, as 500MB or 2GB, by reading a few columns at a time; the table is
    /// the same [default: read all columns into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// The columns that are printed, between the groups' columns and the rule.
const PRINTED: [&str; 10] = [
    "rank",
    "feature",
    "kind",
    "n_levels",
    "n_missing",
    "split",
    "info_gain",
    "gain_ratio",
    "gini_gain",
    "variance_reduction",
];

pub fn run(mut args: RankArgs) -> Result<()> {
    check_memory(args.memory, &args.target.rows)?;
    let (mut run, inputs) = Run::on_table(&args.target.table, args.run.report)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    if let (Some(Output::Picture(path, ..)), false) = (&to, args.by.is_empty()) {
        return Err(Failure::usage(format!(
            "output `{}`: a picture is of one ranking, and --by makes one for each group; leave it \
             out, or write a table",
            path.display()
        )));
    }
    let mut spec = args.target.rank_spec(&args.run.threads).monitor(run.progress.monitor());
    set_spec!(spec, args.features => features, exclude; args => by, given);
    override_spec!(spec, args => missing, sort_by, cuts);
    spec.chance = args.chance.map(|n| Chance::new(n).seed(args.seed));
    // What is printed is chosen from all columns, and a file has them.
    spec.full = true;
    let scan = run.scan(inputs)?;
    let target = args.target.target.as_str();
    name_columns(&mut spec, &scan, target)?;
    let (ranking, note_of_target) = match args.memory {
        Some(memory) => {
            let ranked = rank_streamed(&mut run, &scan, target, &spec, memory)?;
            (ranked.ranking, ranked.note)
        }
        None => {
            let needed = spec.needed_columns(target);
            note_memory(&scan, needed.as_deref());
            let df = run.read_known(&scan, needed.as_deref(), target, &args.target.rows)?;
            run.progress.say(format!("looking at {} rows", df.height()));
            // Encoding included: only a fit times it apart.
            let ranking = || df.named(rank_gain(&*df, target, &spec));
            let ranking = timed(&mut run.report.score, ranking)?;
            (ranking, target_note(&*df, target, spec.task))
        }
    };
    let notes = notes_of_features(&ranking);
    let picture = Picture::Ranking(&ranking, sorted_by(&ranking, &spec));
    run.show_picture(&ranking, to.as_ref(), picture, || match args.full {
        // All columns were asked for, so lines are not cut to the terminal.
        true => table(&ranking, &names_of(&ranking)),
        false => ranking_text(&ranking, &spec),
    })?;
    note_all(note_of_target.iter().chain(&notes));
    run.report.print()
}

/// Ranks within `memory` bytes: columns are read a few at a time.
fn rank_streamed(
    run: &mut Run,
    scan: &Scan,
    target: &str,
    spec: &RankSpec,
    memory: u64,
) -> Result<StreamedRanking> {
    run.progress.say(format!("looking at {}", scan.describe()));
    let budget = Budget::of_memory(memory);
    let ranked = timed(&mut run.report.score, || {
        in_parts(scan, None, &budget, |rows, files| {
            rank_gain_streaming(rows, files, target, spec, &budget)
        })
    })?;
    run.report.size(ranked.rows, scan.width());
    run.report.figure("readings", ranked.readings);
    run.report.figure("peak_bytes", ranked.peak_bytes);
    run.report.figure("budget_bytes", memory);
    Ok(ranked)
}

fn sorted_by(ranking: &DataFrame, spec: &RankSpec) -> &'static str {
    spec.goes_by(ranking.column("variance_reduction").is_ok())
}

/// Cells of a bar beside the figure it is sorted by.
const CELLS: usize = 8;

fn ranking_text(ranking: &DataFrame, spec: &RankSpec) -> String {
    let mut names: Vec<&str> = spec.by.iter().map(String::as_str).chain(PRINTED).collect();
    // The figure it is sorted by is printed, and the rule that goes with it.
    names.extend(match spec.sort_by {
        SortBy::GiniGain => &["gini_rule"][..],
        SortBy::SymmetricUncertainty => &["symmetric_uncertainty", "rule", "rule_gain"],
        SortBy::InformationValue => &["information_value", "rule", "rule_gain"],
        SortBy::InfoGain | SortBy::GainRatio => &["rule", "rule_gain"],
    });
    if !spec.given.is_empty() {
        names.extend(["gain_given", "rule_given"]);
    }
    if spec.chance.is_some() {
        names.extend(["expected_gain", "p_value", "q_value"]);
    }
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
        if RULES.contains(&name) {
            shorten(&mut drawn, name);
        } else {
            names.retain(|other| *other != name);
        }
    }
    terminal.cut(&table(&drawn, &names))
}

/// The columns that a narrow terminal leaves out, in this order; rules lose the feature's name.
const LEFT_OUT: [&str; 13] = [
    "n_missing",
    "n_levels",
    "rule",
    "gini_rule",
    "kind",
    "split",
    "rank",
    "rule_gain",
    "q_value",
    "expected_gain",
    "gini_gain",
    "gain_ratio",
    "info_gain",
];
const RULES: [&str; 2] = ["rule", "gini_rule"];

/// Takes the feature's name, which stands in the same line, off its rule.
fn shorten(ranking: &mut DataFrame, name: &str) {
    let text = |name: &str| ranking.column(name).ok().and_then(|column| column.str().ok());
    let (Some(features), Some(rules)) = (text("feature"), text(name)) else { return };
    let condition = |(feature, rule): (Option<&str>, Option<&'_ str>)| {
        let condition = rule?.strip_prefix(feature?).unwrap_or(rule?);
        Some(condition.trim_start().to_string())
    };
    let short: Vec<Option<String>> = features.iter().zip(rules.iter()).map(condition).collect();
    // It takes the place of a column of its height.
    let _ = ranking.with_column(Column::new(name.into(), short));
}

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
