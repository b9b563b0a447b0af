//! Expressions: functions that Polars finds in this library by name.
//!
//! Polars calls them on its own threads. Measures stay on the calling thread, as groups are dealt
//! to threads already; predictions of few rows do too.

use gaintree::engine::ClassMeasures;
use gaintree::{PolarsScoring, RowAnswer, class_measures};
use polars::prelude::{
    Column, DataFrame, DataType, Field, NamedFrom, PlSmallStr, PolarsResult, Series,
};
use pyo3_polars::derive::polars_expr;
use serde::Deserialize;

use crate::forks::{FORKED, may_start_threads};
use crate::models::{bins_of, card_of, model_of, voting};

/// An error where threads are needed that a fork left behind.
fn start() -> PolarsResult<()> {
    polars::prelude::polars_ensure!(may_start_threads(), ComputeError: "{FORKED}");
    Ok(())
}

fn float(inputs: &[Field]) -> PolarsResult<Field> {
    Ok(Field::new(name_of(inputs.first().map(Field::name)), DataType::Float64))
}

fn interval(inputs: &[Field]) -> PolarsResult<Field> {
    Ok(Field::new(name_of(inputs.first().map(Field::name)), DataType::UInt32))
}

fn name_of(name: Option<&PlSmallStr>) -> PlSmallStr {
    name.cloned().unwrap_or_default()
}

fn column(series: &Series) -> Column {
    series.clone().into()
}

/// One number, named as the feature.
fn scalar(feature: &Series, figure: Option<f64>) -> Series {
    Series::new(feature.name().clone(), [figure])
}

fn measure(inputs: &[Series], figure: fn(&ClassMeasures) -> f64) -> PolarsResult<Series> {
    start()?;
    let [feature, target] = inputs else {
        polars::prelude::polars_bail!(InvalidOperation: "a measure is of a feature and a target");
    };
    let measures = class_measures(&column(feature), &column(target))?;
    Ok(scalar(feature, measures.map(|m| figure(&m))))
}

#[polars_expr(output_type_func=float)]
fn info_gain(inputs: &[Series]) -> PolarsResult<Series> {
    measure(inputs, |m| m.info_gain)
}

#[polars_expr(output_type_func=float)]
fn gain_ratio(inputs: &[Series]) -> PolarsResult<Series> {
    measure(inputs, |m| m.gain_ratio)
}

#[polars_expr(output_type_func=float)]
fn gini_gain(inputs: &[Series]) -> PolarsResult<Series> {
    measure(inputs, |m| m.gini_gain)
}

#[polars_expr(output_type_func=float)]
fn conditional_entropy(inputs: &[Series]) -> PolarsResult<Series> {
    measure(inputs, |m| m.conditional_entropy)
}

#[polars_expr(output_type_func=float)]
fn symmetric_uncertainty(inputs: &[Series]) -> PolarsResult<Series> {
    measure(inputs, |m| m.symmetric_uncertainty)
}

#[polars_expr(output_type_func=float)]
fn symmetric_uncertainty_of_levels(inputs: &[Series]) -> PolarsResult<Series> {
    start()?;
    let [first, second] = inputs else {
        polars::prelude::polars_bail!(InvalidOperation: "a symmetric uncertainty is of two columns");
    };
    let shared = gaintree::symmetric_uncertainty_of_levels(&column(first), &column(second))?;
    Ok(scalar(first, shared))
}

#[polars_expr(output_type_func=float)]
fn level_entropy(inputs: &[Series]) -> PolarsResult<Series> {
    start()?;
    Ok(scalar(&inputs[0], gaintree::level_entropy(&column(&inputs[0]))?))
}

#[polars_expr(output_type_func=interval)]
fn mdl_cut(inputs: &[Series]) -> PolarsResult<Series> {
    start()?;
    let [feature, target] = inputs else {
        polars::prelude::polars_bail!(InvalidOperation: "cuts are of a feature and a target");
    };
    let intervals = gaintree::mdl_intervals(&column(feature), &column(target))?;
    let name = feature.name().clone();
    Ok(Series::new(name, intervals))
}

/// What an expression of a model carries.
#[derive(Deserialize)]
struct ModelArgs {
    /// Of the model's text.
    hash: String,
    model: String,
    /// The names of the inputs: a query may rename them.
    names: Vec<String>,
    /// Whether the trees of a forest vote.
    votes: bool,
}

fn answer_field(args: &ModelArgs, answer: RowAnswer) -> PolarsResult<Field> {
    let dtype = model_of(&args.hash, &args.model)?.model().answer_dtype(answer)?;
    Ok(Field::new(answer.name().into(), dtype))
}

fn answers(inputs: &[Series], args: &ModelArgs, answer: RowAnswer) -> PolarsResult<Series> {
    start()?;
    let df = named(inputs, args.names.iter().map(String::as_str))?;
    let kept = model_of(&args.hash, &args.model)?;
    let column = kept.model().answer_by(&df, answer, voting(args.votes))?;
    Ok(column.take_materialized_series())
}

/// The inputs as a frame with these names.
fn named<'a>(inputs: &[Series], names: impl Iterator<Item = &'a str>) -> PolarsResult<DataFrame> {
    let n_rows = inputs.iter().map(|series| series.len()).max().unwrap_or(0);
    let named = inputs.iter().zip(names).map(|(series, name)| {
        let column = column(series).with_name(name.into());
        match column.len() == n_rows {
            true => column,
            // A literal.
            false => column.new_from_index(0, n_rows),
        }
    });
    DataFrame::new(n_rows, named.collect())
}

fn prediction_field(_: &[Field], kwargs: ModelArgs) -> PolarsResult<Field> {
    answer_field(&kwargs, RowAnswer::Prediction)
}

#[polars_expr(output_type_func_with_kwargs=prediction_field)]
fn predict(inputs: &[Series], kwargs: ModelArgs) -> PolarsResult<Series> {
    answers(inputs, &kwargs, RowAnswer::Prediction)
}

fn probabilities_field(_: &[Field], kwargs: ModelArgs) -> PolarsResult<Field> {
    answer_field(&kwargs, RowAnswer::Probabilities)
}

#[polars_expr(output_type_func_with_kwargs=probabilities_field)]
fn predict_proba(inputs: &[Series], kwargs: ModelArgs) -> PolarsResult<Series> {
    answers(inputs, &kwargs, RowAnswer::Probabilities)
}

fn leaf_field(_: &[Field], kwargs: ModelArgs) -> PolarsResult<Field> {
    answer_field(&kwargs, RowAnswer::LeafId)
}

#[polars_expr(output_type_func_with_kwargs=leaf_field)]
fn leaf_id(inputs: &[Series], kwargs: ModelArgs) -> PolarsResult<Series> {
    answers(inputs, &kwargs, RowAnswer::LeafId)
}

/// What an expression of weights of evidence carries.
#[derive(Deserialize)]
struct WoeArgs {
    /// Of the bins' text.
    hash: String,
    bins: String,
    /// The feature, whatever the query calls the column.
    feature: String,
}

fn woe_field(_: &[Field], kwargs: WoeArgs) -> PolarsResult<Field> {
    Ok(Field::new(format!("{}_woe", kwargs.feature).into(), DataType::Float64))
}

#[polars_expr(output_type_func_with_kwargs=woe_field)]
fn woe(inputs: &[Series], kwargs: WoeArgs) -> PolarsResult<Series> {
    start()?;
    let [feature] = inputs else {
        polars::prelude::polars_bail!(InvalidOperation: "weights of evidence are of one feature");
    };
    let named = column(feature).with_name(kwargs.feature.as_str().into());
    let mapped = bins_of(&kwargs.hash, &kwargs.bins)?.map(&named)?;
    Ok(mapped.take_materialized_series())
}

/// What the expression of a scorecard carries.
#[derive(Deserialize)]
struct CardArgs {
    /// Of the card's text.
    hash: String,
    card: String,
}

fn score_field(_: &[Field]) -> PolarsResult<Field> {
    Ok(Field::new("score".into(), DataType::Float64))
}

/// The scores of rows: the inputs are the columns of the card's features, in their order.
#[polars_expr(output_type_func=score_field)]
fn card_score(inputs: &[Series], kwargs: CardArgs) -> PolarsResult<Series> {
    start()?;
    let card = card_of(&kwargs.hash, &kwargs.card)?;
    let score = card.score_frame(&named(inputs, card.features())?)?;
    Ok(score.take_materialized_series())
}
