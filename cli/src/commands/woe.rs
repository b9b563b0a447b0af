//! `gaintree woe`: bins and their weights of evidence.

use clap::{ArgGroup, Args};
use gaintree::{
    FeatureSpec, Intervals, Monotone, Scorecard, ScorecardSpec, WoeBins, WoeSpec, woe_bins,
};
use polars::prelude::{ChunkCompareEq, Column, DataFrame, PolarsResult};

use super::columns::name_columns;
use super::model::write_card;
use super::run::Run;
use crate::args::parsers::{choice, coefficient, intervals};
use crate::args::shared::{
    FeatureArgs, KindArgs, RowArgs, TableArgs, ThemeArg, ThreadsArg, override_spec, set_spec,
};
use crate::args::show::Form;
use crate::output::Picture;
use crate::process::{Failure, Result};
use crate::terminal::narrowed_table;

#[derive(Args)]
#[command(after_help = "\
woe = ln(share of the events in the bin / share of the non-events); iv is the difference of the \
shares times that, and feature_iv its sum over the bins. The event is the rarer class, by weight, unless \
--event names it.

Examples:
  gaintree woe examples/data/breast_cancer.parquet --target diagnosis --features worst_radius
  gaintree woe examples/data/loan.csv --target approved --intervals 5 --monotone either
  gaintree woe examples/data/breast_cancer.parquet --target diagnosis -o bins.csv --rows woe.parquet
  gaintree woe examples/data/loan.csv --target approved --event no --scorecard card.csv --rounded
  gaintree woe examples/data/breast_cancer.parquet --target diagnosis --save-card tumours.card.json
  gaintree score tumours.card.json examples/data/breast_cancer.parquet --points -o scored.csv")]
#[command(group = ArgGroup::new("a_card").args(["scorecard", "save_card"]).multiple(true))]
pub struct WoeArgs {
    /// The column of two classes
    #[arg(long, value_name = "COL")]
    pub target: String,
    /// The class that is the event [default: the rarer of the two, by weight]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Begin with the intervals that pay for themselves (mdl), or with this many of as many rows
    /// each; levels of nominal features likewise, in order of their event rate [default: mdl]
    #[arg(long, value_name = "mdl|N", value_parser = intervals)]
    pub intervals: Option<Intervals>,
    /// Merge neighbours until there are at most N bins, keeping the most information value
    /// [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_bins: Option<usize>,
    /// Merge neighbours until each bin has at least this share of the known rows [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub min_share: Option<f64>,
    /// Merge neighbours until event rates rise, fall, or do either [default: no]
    #[arg(long, value_name = "HOW", value_parser = choice::<Monotone>())]
    pub monotone: Option<Monotone>,
    /// Whether missing values have a bin of their own; otherwise their rows are not counted
    /// [default: true]
    #[arg(long, value_name = "BOOL")]
    pub missing_bin: Option<bool>,
    /// With --rows: the value of a level never seen, and of a missing value without a bin: a
    /// number, or null [default: 0]
    #[arg(long, value_name = "WOE", value_parser = unseen, allow_negative_numbers = true)]
    pub unseen: Option<Unseen>,
    #[command(flatten)]
    pub kinds: KindArgs,
    /// Weigh rows by this column of non-negative numbers
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    #[command(flatten)]
    pub features: FeatureArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub drop: RowArgs,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a picture (.svg, .png): of one feature its bins, of more their
    /// feature_iv
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    /// Write the rows read to this file, with a column <feature>_woe for each feature
    #[arg(long, value_name = "OUT")]
    pub rows: Option<String>,
    /// Write the points of a scorecard to this file, a line a bin: a score is offset - factor *
    /// log-odds of the event, so that a higher one is a better one. --rows then have a column
    /// <feature>_points each, and their sum, score
    #[arg(long, value_name = "OUT")]
    pub scorecard: Option<String>,
    /// Write the scorecard itself to this file (.json), which `gaintree score` applies to other files.
    /// --rows then have the scores too
    #[arg(long, value_name = "CARD")]
    pub save_card: Option<String>,
    #[command(flatten)]
    pub card: CardArgs,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

/// The fields of `ScorecardSpec`.
#[derive(Args)]
#[command(next_help_heading = "Scorecard")]
pub struct CardArgs {
    /// The score at --odds [default: 600]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "a_card")]
    pub points: Option<f64>,
    /// The non-events to one event at --points [default: 50]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "a_card")]
    pub odds: Option<f64>,
    /// The points that double the odds [default: 20]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "a_card")]
    pub pdo: Option<f64>,
    /// The coefficient of a feature in a logistic regression of the event on the weights of evidence,
    /// once for each feature of the card [default: 1 for all features, which is naive Bayes]
    #[arg(long, value_name = "COL=X", value_parser = coefficient, requires = "a_card")]
    pub coefficient: Vec<(String, f64)>,
    /// The intercept of the regression [default: the log-odds of the event in the rows]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "a_card")]
    pub intercept: Option<f64>,
    /// Round the points of each bin
    #[arg(long, requires = "a_card")]
    pub rounded: bool,
}

impl CardArgs {
    pub fn spec(&self) -> ScorecardSpec {
        let mut spec = ScorecardSpec::default();
        spec.coefficients = (!self.coefficient.is_empty()).then(|| self.coefficient.clone());
        set_spec!(spec, self => intercept, rounded);
        override_spec!(spec, self => points, odds, pdo);
        spec
    }
}

/// The weight of evidence of what was never seen; null if it has none.
#[derive(Clone, Copy, Debug)]
pub struct Unseen(Option<f64>);

fn unseen(word: &str) -> Result<Unseen, String> {
    match word {
        "null" => Ok(Unseen(None)),
        _ => word
            .parse()
            .map(|x| Unseen(Some(x)))
            .map_err(|_| "it has to be a number, or null".to_string()),
    }
}

const PRINTED: [&str; 9] =
    ["feature", "feature_iv", "rule", "event", "n", "events", "event_rate", "woe", "iv"];

/// The columns that a narrow terminal leaves out, in this order: rules name their features.
const LEFT_OUT: [&str; 5] = ["event", "events", "feature", "iv", "feature_iv"];

pub fn run(mut args: WoeArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.table, None)?;
    run.add_excluded(&mut args.features, &args.table.csv)?;
    let to = run.places.table_or_picture("--output", args.output.as_deref(), args.theme.theme)?;
    let rows_to = run.places.table("--rows", args.rows.as_deref())?;
    let card_to = run.places.table("--scorecard", args.scorecard.as_deref())?;
    let save_to = args.save_card.as_deref();
    let save_to = save_to.map(|out| run.places.form("--save-card", out, Form::Json)).transpose()?;
    let mut spec = WoeSpec::default();
    set_spec!(spec, args.features => features, exclude; args.kinds => ordered, nominal;
        args => weight, event, max_bins; args.threads => threads);
    override_spec!(spec, args => intervals, min_share, monotone, missing_bin);
    spec.unseen = args.unseen.map_or(spec.unseen, |Unseen(woe)| woe);
    let scan = run.scan(inputs)?;
    let target = args.target.as_str();
    name_columns(&mut spec, &scan, target)?;
    // The rows are written with all their columns.
    let needed = spec.needed_columns(target).filter(|_| rows_to.is_none());
    let df = run.read_known(&scan, needed.as_deref(), target, &args.drop)?;
    run.progress.say(format!("binning {} rows", df.height()));
    let woe = df.named(woe_bins(&*df, target, &spec))?;
    let is_asked = card_to.is_some() || save_to.is_some();
    let card = is_asked.then(|| woe.scorecard(&args.card.spec())).transpose()?;
    if let Some(card) = &card {
        card_to.map_or(Ok(()), |to| to.write_table(&card.table))?;
        save_to.map_or(Ok(()), |to| write_card(card, &to))?;
    }
    if let Some(rows_to) = rows_to {
        rows_to.write_table(&with_woe(df.into_frame(), &woe, card.as_ref())?)?;
    }
    let features: Vec<&str> = woe.features().collect();
    // A line for each feature with its information value.
    let figures = woe.table.filter(&woe.table.column("bin")?.u32()?.equal(0))?;
    let picture = match features.as_slice() {
        [one] => Picture::Woe(&woe, one),
        _ => Picture::Ranking(&figures, "feature_iv"),
    };
    run.show_picture(&woe.table, to.as_ref(), picture, || {
        narrowed_table(&woe.table, PRINTED.to_vec(), &LEFT_OUT, 30)
    })
}

/// The rows with a column of weights of evidence for each feature, and of points for each of a card.
fn with_woe(df: DataFrame, woe: &WoeBins, card: Option<&Scorecard>) -> Result<DataFrame> {
    // In order of the columns.
    let in_order = |mut features: Vec<&str>| {
        features.sort_by_key(|name| df.get_column_index(name));
        features.into_iter().map(|name| df.column(name)).collect::<PolarsResult<Vec<_>>>()
    };
    let mut with = df.clone();
    let mut add = |column: Column| match df.column(column.name()) {
        Ok(_) => Err(Failure::work(format!(
            "column `{}` is in the input already: rename it, or leave it out",
            column.name()
        ))),
        Err(_) => Ok(with.with_column(column).map(drop)?),
    };
    for column in in_order(woe.features().collect())? {
        add(woe.map(column)?)?;
    }
    if let Some(card) = card {
        for column in in_order(card.features().collect())? {
            add(card.map(column)?)?;
        }
        add(card.score_frame(&df)?)?;
    }
    Ok(with)
}
