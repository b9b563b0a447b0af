//! Expressions: functions that Polars finds in this library by name.
//!
//! Polars calls them on its own threads. Measures stay on the calling thread, as groups are dealt
//! to threads already; predictions of few rows do too.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, FieldRef};
use arrow_select::take::take;
use gaintree::engine::ClassMeasures;
use gaintree::{
    ChunkedColumns, ColumnChunks, MeasuredColumn, ModelAnswers, RowAnswer, class_measures,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::forks::{FORKED, may_start_threads};
use crate::models::{bins_of, card_of, model_of, voting};
use crate::plugin::{Answer, plugins};

plugins! {
    info_gain: float, |inputs, _| measure(inputs, |m| m.info_gain);
    gain_ratio: float, |inputs, _| measure(inputs, |m| m.gain_ratio);
    gini_gain: float, |inputs, _| measure(inputs, |m| m.gini_gain);
    conditional_entropy: float, |inputs, _| measure(inputs, |m| m.conditional_entropy);
    symmetric_uncertainty: float, |inputs, _| measure(inputs, |m| m.symmetric_uncertainty);
    symmetric_uncertainty_of_levels: float, |inputs, _| {
        let [first, second] = two(inputs)?;
        let shared = gaintree::symmetric_uncertainty_of_levels(first, second);
        Ok(scalar(first, shared.map_err(text)?))
    };
    level_entropy: float, |inputs, _| {
        let [column] = inputs else { return Err("an entropy is of one column".to_string()) };
        Ok(scalar(column, gaintree::level_entropy(column).map_err(text)?))
    };
    mdl_cut: interval, |inputs, _| {
        let [feature, target] = two(inputs)?;
        let intervals = gaintree::mdl_intervals(feature, target).map_err(text)?;
        Ok((named_as(feature, DataType::UInt32), Arc::new(UInt32Array::from(intervals))))
    };
    predict: |_, args| answer_field(args, RowAnswer::Prediction),
        |inputs, args| answers(inputs, args, RowAnswer::Prediction);
    predict_proba: |_, args| answer_field(args, RowAnswer::Probabilities),
        |inputs, args| answers(inputs, args, RowAnswer::Probabilities);
    leaf_id: |_, args| answer_field(args, RowAnswer::LeafId),
        |inputs, args| answers(inputs, args, RowAnswer::LeafId);
    woe: |_, args| {
        let args: WoeArgs = arguments(args)?;
        Ok(Field::new(format!("{}_woe", args.feature), DataType::Float64, true))
    }, woe_of;
    card_score: |_, _| Ok(Field::new("score", DataType::Float64, true)), card_score_of;
}

fn text(error: gaintree::Error) -> String {
    error.to_string()
}

/// An error where threads are needed that a fork left behind.
fn start() -> Answer<()> {
    if may_start_threads() { Ok(()) } else { Err(FORKED.to_string()) }
}

/// The arguments that an expression carries.
fn arguments<T: DeserializeOwned>(pickled: &[u8]) -> Answer<T> {
    serde_pickle::from_slice(pickled, Default::default())
        .map_err(|e| format!("the arguments of an expression cannot be read: {e}"))
}

fn float(inputs: &[Field], _: &[u8]) -> Answer<Field> {
    Ok(of_first(inputs, DataType::Float64))
}

fn interval(inputs: &[Field], _: &[u8]) -> Answer<Field> {
    Ok(of_first(inputs, DataType::UInt32))
}

/// A field with the name of the first input.
fn of_first(inputs: &[Field], dtype: DataType) -> Field {
    Field::new(inputs.first().map_or("", |field| field.name()), dtype, true)
}

fn named_as((field, _): &ColumnChunks, dtype: DataType) -> FieldRef {
    Arc::new(Field::new(field.name(), dtype, true))
}

/// One number, named as the feature.
fn scalar(feature: &ColumnChunks, figure: Option<f64>) -> (FieldRef, ArrayRef) {
    (named_as(feature, DataType::Float64), Arc::new(Float64Array::from(vec![figure])))
}

fn two(inputs: &[ColumnChunks]) -> Answer<&[ColumnChunks; 2]> {
    start()?;
    inputs.try_into().map_err(|_| "this expression is of two columns".to_string())
}

fn measure(
    inputs: &[ColumnChunks],
    figure: fn(&ClassMeasures) -> f64,
) -> Answer<(FieldRef, ArrayRef)> {
    let [feature, target] = two(inputs)?;
    let measures = class_measures(feature, target).map_err(text)?;
    Ok(scalar(feature, measures.map(|m| figure(&m))))
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

fn answer_field(args: &[u8], answer: RowAnswer) -> Answer<Field> {
    let args: ModelArgs = arguments(args)?;
    let kept = model_of(&args.hash, &args.model).map_err(text)?;
    let none = kept.model().answers_of_no_rows(answer).map_err(text)?;
    Ok(only_column(none)?.0.as_ref().clone())
}

fn answers(
    inputs: &[ColumnChunks],
    args: &[u8],
    answer: RowAnswer,
) -> Answer<(FieldRef, ArrayRef)> {
    start()?;
    let args: ModelArgs = arguments(args)?;
    let rows = named(inputs, args.names.iter().map(String::as_str))?;
    let kept = model_of(&args.hash, &args.model).map_err(text)?;
    let answers = kept.model().answers_of(&rows, answer, voting(args.votes));
    only_column(answers.map_err(text)?)
}

/// The inputs as a frame with these names.
fn named<'a>(
    inputs: &[ColumnChunks],
    names: impl Iterator<Item = &'a str>,
) -> Answer<ChunkedColumns> {
    let n_rows = inputs.iter().map(MeasuredColumn::n_rows).max().unwrap_or(0);
    let named = inputs.iter().zip(names).map(|(input, name)| {
        let field = Arc::new(input.0.as_ref().clone().with_name(name));
        match input.1.iter().find(|chunk| !chunk.is_empty()) {
            // A literal.
            Some(one) if input.n_rows() == 1 && n_rows != 1 => {
                let whole = take(one, &UInt32Array::from(vec![0; n_rows]), None);
                Ok((field, vec![whole.map_err(|e| e.to_string())?]))
            }
            _ => Ok((field, input.1.clone())),
        }
    });
    ChunkedColumns::new(named.collect::<Answer<_>>()?, n_rows).map_err(text)
}

fn only_column(table: RecordBatch) -> Answer<(FieldRef, ArrayRef)> {
    match table.columns() {
        [column] => Ok((table.schema_ref().fields()[0].clone(), column.clone())),
        _ => Err("internal error, please report it: an answer of several columns".to_string()),
    }
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

fn woe_of(inputs: &[ColumnChunks], args: &[u8]) -> Answer<(FieldRef, ArrayRef)> {
    start()?;
    let args: WoeArgs = arguments(args)?;
    let rows = named(inputs, [args.feature.as_str()].into_iter())?;
    let bins = bins_of(&args.hash, &args.bins).map_err(text)?;
    only_column(bins.map_frame(&rows, &args.feature).map_err(text)?)
}

/// What the expression of a scorecard carries.
#[derive(Deserialize)]
struct CardArgs {
    /// Of the card's text.
    hash: String,
    card: String,
}

/// The scores of rows: the inputs are the columns of the card's features, in their order.
fn card_score_of(inputs: &[ColumnChunks], args: &[u8]) -> Answer<(FieldRef, ArrayRef)> {
    start()?;
    let args: CardArgs = arguments(args)?;
    let card = card_of(&args.hash, &args.card).map_err(text)?;
    only_column(card.scores(&named(inputs, card.features())?).map_err(text)?)
}
