//! `gaintree woe`: bins and their weights of evidence.

use gaintree::{RankSpec, Scorecard, WoeBins, woe_bins};
use polars::prelude::{ChunkCompareEq, Column, DataFrame, PolarsError, Schema};

use super::model::{of_model, write_card};
use super::{features, fitted, names, read, show_picture, with_target};
use crate::args::WoeArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, check_distinct};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, fitted_table};

/// The columns that are printed.
const PRINTED: [&str; 9] =
    ["feature", "feature_iv", "rule", "event", "n", "events", "event_rate", "woe", "iv"];

pub fn run(args: WoeArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.input, &args.csv)?;
    let taken = input::paths(None, &inputs);
    let to = Output::of_table_or_picture(args.output.as_deref(), &taken)?;
    let rows_to = Output::of_table(args.rows.as_deref(), &taken)?;
    let card_to = Output::of_table(args.scorecard.as_deref(), &taken)?;
    let saved_to = args.save_card.as_deref().map(|out| of_model(out, &taken)).transpose()?;
    check_distinct(&[
        ("--output", to.as_ref()),
        ("--rows", rows_to.as_ref()),
        ("--scorecard", card_to.as_ref()),
        ("--save-card", saved_to.as_ref()),
    ])?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let target = args.target.as_str();
    spec.ordered = names(&spec.ordered, &scan);
    spec.nominal = names(&spec.nominal, &scan);
    let mut reserved = RankSpec::default();
    reserved.weight = spec.weight.clone();
    features(&mut spec.features, &mut spec.exclude, &scan, target, &reserved)?;
    let needed = match rows_to {
        // The rows are written with all their columns.
        Some(_) => None,
        None => fitted(target, spec.features.as_deref(), spec.weight.as_deref()),
    };
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.drop)?;
    progress.say(format!("binning {} rows", df.height()));
    let woe = df.named(woe_bins(&*df, target, &spec))?;
    let is_asked = card_to.is_some() || saved_to.is_some();
    let card = is_asked.then(|| woe.scorecard(&args.card.spec())).transpose()?;
    if let Some(card) = &card {
        if let Some(to) = card_to {
            to.write_table(&card.table)?;
        }
        if let Some(to) = saved_to {
            write_card(card, &to)?;
        }
    }
    if let Some(rows_to) = rows_to {
        rows_to.write_table(&with_woe(df.into_frame(), &woe, card.as_ref())?)?;
    }
    let features: Vec<&str> = woe.features().collect();
    let figures = totals(&woe)?;
    let picture = match features.as_slice() {
        [one] => Picture::Woe(&woe, one),
        _ => Picture::Ranking(&figures, "feature_iv"),
    };
    show_picture(
        &woe.table,
        to.as_ref(),
        (picture, args.theme.theme),
        progress,
        &mut report,
        || fitted_table(&woe.table, &PRINTED),
    )
}

/// A line for each feature with its information value.
fn totals(woe: &WoeBins) -> Result<DataFrame> {
    let first = woe.table.column("bin").and_then(|bin| Ok(bin.u32()?.equal(0)));
    let lines = first.and_then(|first| woe.table.filter(&first));
    lines.map_err(|e| Failure::work(e.to_string()))
}

/// The rows with a column of weights of evidence for each feature, and of points for each of a card.
fn with_woe(df: DataFrame, woe: &WoeBins, card: Option<&Scorecard>) -> Result<DataFrame> {
    let failed = |e: PolarsError| Failure::work(e.to_string());
    // In order of the columns.
    let in_order = |mut features: Vec<&str>| {
        features.sort_by_key(|name| df.get_column_index(name));
        features.into_iter().map(|name| df.column(name).map_err(failed)).collect::<Result<Vec<_>>>()
    };
    let mut with = df.clone();
    let mut add = |column: Column| match df.column(column.name()) {
        Ok(_) => Err(Failure::work(format!(
            "column `{}` is in the input already: rename it, or leave it out",
            column.name()
        ))),
        Err(_) => with.with_column(column).map(drop).map_err(failed),
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
