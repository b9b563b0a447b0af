//! `gaintree woe`: bins and their weights of evidence.

use gaintree::{FeatureSpec, Scorecard, WoeBins, woe_bins};
use polars::prelude::{ChunkCompareEq, Column, DataFrame, PolarsResult};

use super::columns::name_columns;
use super::model::write_card;
use super::run::Run;
use crate::args::{Form, WoeArgs};
use crate::output::Picture;
use crate::process::{Failure, Result};
use crate::terminal::fitted_table;

const PRINTED: [&str; 9] =
    ["feature", "feature_iv", "rule", "event", "n", "events", "event_rate", "woe", "iv"];

pub fn run(args: WoeArgs) -> Result<()> {
    let mut run = Run::start(None);
    let mut spec = args.spec();
    let inputs = run.table(&args.table)?;
    let to = run.places.table_or_picture("--output", args.output.as_deref())?;
    let rows_to = run.places.table("--rows", args.rows.as_deref())?;
    let card_to = run.places.table("--scorecard", args.scorecard.as_deref())?;
    let save_to = args.save_card.as_deref();
    let save_to = save_to.map(|out| run.places.form("--save-card", out, Form::Json)).transpose()?;
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
    let text = || fitted_table(&woe.table, &PRINTED);
    run.show_picture(&woe.table, to.as_ref(), (picture, args.theme.theme), text)
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
