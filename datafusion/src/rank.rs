//! Ranking features, one column in memory at a time.

use std::sync::Arc;

use arrow::array::{Array, Float64Array, Int64Array, RecordBatch, UInt32Array};
use arrow::compute::{cast, concat_batches, take, take_record_batch};
use arrow::datatypes::{DataType, Schema};
use datafusion::prelude::SessionContext;
use gaintree::engine::DType;
use gaintree::{RankSpec, SortBy, TreeSpec, dtype_of_arrow, rank_batches, roles_of_schema};

use crate::error::{Error, Result};
use crate::query::{RunQuery, as_table, blocking, quote_name, schema_of};

/// Rows whose levels tell whether a column is counted by the engine or brought row by row. It
/// changes what is sent, never the ranking.
const LOOKED_AT: usize = 1 << 16;
/// Levels among them, up to which the engine counts.
const FEW_LEVELS: i64 = 1 << 13;
/// The name of the counts beside the columns of a query.
const COUNT: &str = "rows of these values";

/// Ranks the columns of a query by what they tell about `target`, best first: the table that
/// [`rank_batches`] gives of the query's rows, byte for byte.
///
/// The query runs once to look at the columns and once per feature, and must give the same rows
/// each time, in any order. Of a feature of few levels the engine sends counts, of others the
/// rows; memory is of one feature and the target.
///
/// # Errors
/// As [`rank_batches`]; a query that fails; `by`, `chance` and `given`, which look at several columns
/// of the rows together.
pub async fn rank_sql(
    session: &SessionContext,
    query: &str,
    target: &str,
    spec: &RankSpec,
) -> Result<RecordBatch> {
    let (query, target, spec) = (query.to_string(), target.to_string(), spec.clone());
    blocking(session, move |session| rank_query(session, &query, &target, &spec)).await
}

/// [`rank_sql`] by any engine, in a thread that may block.
///
/// # Errors
/// As [`rank_sql`].
pub fn rank_query(
    engine: &impl RunQuery,
    query: &str,
    target: &str,
    spec: &RankSpec,
) -> Result<RecordBatch> {
    if !spec.by.is_empty() {
        return Err(Error::Request(
            "rankings by group are in order of the rows, which a query has not: rank each group's \
             own query, or collect the rows"
                .to_string(),
        ));
    }
    if spec.chance.is_some() {
        return Err(Error::Request(
            "the ranking beside chance looks at all columns together: collect the rows for it, or \
             leave chance out"
                .to_string(),
        ));
    }
    if !spec.given.is_empty() {
        return Err(Error::Request(
            "the ranking beside given columns looks at several columns of a row together: collect \
             the rows for it, or leave given out"
                .to_string(),
        ));
    }
    let schema = schema_of(engine, query)?;
    let beside = beside(&schema, target, spec);
    let features = features(&schema, &beside, spec);
    // The engine of the trees says what is wrong.
    if features.is_empty() || !names_are_known(&schema, target, spec) {
        return Ok(rank_batches(&[RecordBatch::new_empty(schema)], target, spec)?);
    }
    check_kinds(&schema, target, spec, features.clone())?;
    let are_few = have_few_levels(engine, query, &schema, &features)?;
    let mut lines = Vec::new();
    for (feature, few) in features.iter().zip(are_few) {
        let mut names = beside.clone();
        names.push(feature.clone());
        let rows = if few {
            counted_rows(engine, query, &names)?
        } else {
            let columns = names.iter().map(|name| quote_name(name)).collect::<Vec<_>>();
            let table = as_table(query);
            engine.run(&format!("SELECT {} FROM {table}", columns.join(", ")))?
        };
        lines.push(rank_batches(&rows, target, &spec_of_one(spec, feature))?);
    }
    best_first(&lines, spec.sort_by)
}

/// The columns that every feature is ranked with: the target and the weight.
fn beside(schema: &Schema, target: &str, spec: &RankSpec) -> Vec<String> {
    let mut names = vec![target.to_string()];
    names.extend(spec.weight.iter().filter(|weight| *weight != target).cloned());
    names.retain(|name| schema.index_of(name).is_ok());
    names
}

/// The features in column order, or as they are named.
fn features(schema: &Schema, beside: &[String], spec: &RankSpec) -> Vec<String> {
    let all = || schema.fields().iter().map(|field| field.name().clone());
    let mut features: Vec<String> = match &spec.features {
        Some(named) => named.clone(),
        None => all().filter(|name| !beside.contains(name)).collect(),
    };
    features.retain(|name| !spec.exclude.contains(name));
    features
}

/// Whether every name in the spec can stand where it does, alone with the target.
fn names_are_known(schema: &Schema, target: &str, spec: &RankSpec) -> bool {
    let named = spec.features.iter().flatten();
    let is_beside = |name: &&String| *name == target || Some(*name) == spec.weight.as_ref();
    let in_roles = named.clone().any(|name| is_beside(&name));
    let twice = named.clone().enumerate().any(|(i, name)| named.clone().take(i).any(|n| n == name));
    let mut of_table = named.chain(&spec.exclude).chain(&spec.weight);
    !in_roles
        && !twice
        && schema.index_of(target).is_ok()
        && of_table.all(|name| schema.index_of(name).is_ok())
}

/// Whether the features that are to be ordered or nominal are features, and not both.
fn check_kinds(
    schema: &Schema,
    target: &str,
    spec: &RankSpec,
    mut features: Vec<String>,
) -> Result<()> {
    features.retain(|name| {
        let field = schema.field_with_name(name);
        field.is_ok_and(|field| {
            dtype_of_arrow(field.data_type()).is_some_and(|dtype| dtype != DType::Null)
        })
    });
    if !(spec.ordered.is_empty() && spec.nominal.is_empty()) {
        let kinds = TreeSpec::cart().ordered(spec.ordered.clone()).nominal(spec.nominal.clone());
        roles_of_schema(schema, target, &kinds.features(features))?;
    }
    Ok(())
}

/// The spec for one feature; whether it was named makes a difference to its errors.
fn spec_of_one(spec: &RankSpec, feature: &str) -> RankSpec {
    let mut one = spec.clone();
    one.exclude.clear();
    if one.features.is_some() {
        one.features = Some(vec![feature.to_string()]);
    }
    one.ordered.retain(|name| name == feature);
    one.nominal.retain(|name| name == feature);
    one
}

/// Whether each feature has few levels among the first rows.
fn have_few_levels(
    engine: &impl RunQuery,
    query: &str,
    schema: &Schema,
    features: &[String],
) -> Result<Vec<bool>> {
    let can_be_counted: Vec<bool> = features
        .iter()
        .map(|name| {
            let field = schema.field_with_name(name);
            field.is_ok_and(|field| is_counted_exactly(field.data_type()))
        })
        .collect();
    let looked_at = || features.iter().zip(&can_be_counted).filter(|(_, can)| **can);
    if looked_at().next().is_none() {
        return Ok(can_be_counted);
    }
    let counts: Vec<String> =
        looked_at().map(|(name, _)| format!("count(DISTINCT {})", quote_name(name))).collect();
    let names: Vec<String> = looked_at().map(|(name, _)| quote_name(name)).collect();
    let some = format!("SELECT {} FROM {} LIMIT {LOOKED_AT}", names.join(", "), as_table(query));
    let found = engine.run(&format!("SELECT {} FROM ({some})", counts.join(", ")))?;
    let Some(batch) = found.iter().find(|batch| batch.num_rows() > 0) else {
        return Ok(vec![false; features.len()]);
    };
    let mut levels = batch.columns().iter().map(|column| {
        let counts = cast(column, &DataType::Int64)?;
        Ok(counts.as_any().downcast_ref::<Int64Array>().map_or(i64::MAX, |counts| counts.value(0)))
    });
    can_be_counted
        .iter()
        .map(|&can| match can {
            true => levels.next().unwrap_or(Ok(i64::MAX)).map(|levels| levels <= FEW_LEVELS),
            false => Ok(false),
        })
        .collect()
}

/// Types whose equal values are one value, so that a row of a group stands for them all.
fn is_counted_exactly(dtype: &DataType) -> bool {
    use DataType::{Boolean, Date32, LargeUtf8, Utf8, Utf8View};
    dtype.is_integer() || matches!(dtype, Boolean | Date32 | Utf8 | LargeUtf8 | Utf8View)
}

/// The rows of some columns, which the engine sends as different rows and their counts.
fn counted_rows(engine: &impl RunQuery, query: &str, names: &[String]) -> Result<Vec<RecordBatch>> {
    let names = names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(", ");
    let count = quote_name(COUNT);
    let table = as_table(query);
    let sql = format!("SELECT {names}, count(*) AS {count} FROM {table} GROUP BY {names}");
    let counted = engine.run(&sql)?;
    counted
        .iter()
        .map(|batch| {
            let last = batch.num_columns() - 1;
            let counts = cast(batch.column(last), &DataType::Int64)?;
            let counts = counts.as_any().downcast_ref::<Int64Array>();
            let counts = counts.map(|counts| counts.values().to_vec()).unwrap_or_default();
            let rows = counts.iter().zip(0..).flat_map(|(&n, row)| (0..n).map(move |_| row));
            let columns: Vec<usize> = (0..last).collect();
            let rows = UInt32Array::from_iter_values(rows);
            Ok(take_record_batch(&batch.project(&columns)?, &rows)?)
        })
        .collect()
}

/// The lines of all features in one table: the excluded ones last, ties in column order.
fn best_first(lines: &[RecordBatch], by: SortBy) -> Result<RecordBatch> {
    let all = concat_batches(&lines[0].schema(), lines)?;
    let measure = match by {
        _ if all.column_by_name("variance_reduction").is_some() => "variance_reduction",
        SortBy::InfoGain => "info_gain",
        SortBy::GainRatio => "gain_ratio",
        SortBy::GiniGain => "gini_gain",
        SortBy::SymmetricUncertainty => "symmetric_uncertainty",
    };
    let schema = all.schema();
    let keys = cast(all.column(schema.index_of(measure)?), &DataType::Float64)?;
    let key = |line: u32| {
        let keys = keys.as_any().downcast_ref::<Float64Array>()?;
        keys.is_valid(line as usize).then(|| keys.value(line as usize))
    };
    let mut order: Vec<u32> = (0..all.num_rows() as u32).collect();
    order.sort_by(|&a, &b| match (key(a), key(b)) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    let order = UInt32Array::from(order);
    let mut columns = all
        .columns()
        .iter()
        .map(|column| Ok(take(column, &order, None)?))
        .collect::<Result<Vec<_>>>()?;
    let ranks = UInt32Array::from_iter_values(1..=all.num_rows() as u32);
    columns[schema.index_of("rank")?] = Arc::new(ranks);
    Ok(RecordBatch::try_new(schema, columns)?)
}
