//! Every candidate rule on one feature, as a table.

use polars::prelude::{
    Column, DataFrame, DataType, Int128Chunked, IntoSeries, NamedFrom, Series, UInt128Chunked,
};

use super::input::find;
use super::tables::Columns;
use super::{in_pool, polars_error};
use crate::adapters::common::request::{Request, all_usable};
use crate::data::column::Column as Encoded;
use crate::data::dtype::{DType, Kind, Value};
use crate::encode::table::{Kinds, Table};
use crate::error::Result;
use crate::rank::curve::{ClassSplit, NumberSplit, SplitCandidate, SplitMeasures, curve};
use crate::spec::RankSpec;

/// Every candidate two-way rule on one feature, in level order: `rule str, threshold` (in the
/// feature's own dtype) `or level str, n_level u64, n_left u64, n_right u64,
/// share_left_<class>, share_right_<class>, entropy_left, entropy_right, info_gain, gain_ratio,
/// gini_split, gini_gain f64, skippable bool`; of a numeric target `mean_left, mean_right,
/// variance_reduction f64` in place of the shares, entropies and gains.
///
/// It is the gain curve of an ordered feature and the one-vs-rest table of a nominal one, over
/// the rows whose value is known, gains scaled by their share. `n_level` counts the level just
/// below the cut, or the level itself. `skippable` marks cuts between two levels of one and
/// the same class, which growth need not look at. Of the spec, `by`, `features`, `missing`,
/// `cuts` and `sort_by` say nothing here.
///
/// # Errors
/// As [`rank_gain`](super::rank_gain), and a feature whose dtype cannot be used.
pub fn split_candidates(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<DataFrame> {
    let (table, candidates) = in_pool(spec.threads, || {
        let table = table_of_one(df, target, feature, spec)?;
        let candidates = curve(&table, spec.log_base);
        Ok((table, candidates))
    })?;

    let column = &table.columns[0];
    let mut columns = Columns::default();
    columns.add("rule", candidates.iter().map(|c| c.rule.as_str()).collect::<Vec<_>>());
    let values = candidates.iter().map(|c| &c.at);
    match column.kind() {
        Kind::Ordered => {
            let dtype = find(df, "feature", feature)?.dtype();
            columns.push(cuts_as(dtype, "threshold", column, values)?)
        }
        Kind::Nominal => columns.add(
            "level",
            values
                .map(|v| if let Value::Text(level) = v { level.as_str() } else { "" })
                .collect::<Vec<_>>(),
        ),
    };
    columns
        .add("n_level", candidates.iter().map(|c| c.n_level).collect::<Vec<_>>())
        .add("n_left", candidates.iter().map(|c| c.n_left).collect::<Vec<_>>())
        .add("n_right", candidates.iter().map(|c| c.n_right).collect::<Vec<_>>());
    measures(&mut columns, &candidates, &table);
    columns.add("skippable", candidates.iter().map(|c| c.skippable).collect::<Vec<_>>()).frame()
}

/// The table of one feature.
pub(crate) fn table_of_one(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<Table> {
    let chosen = [feature.to_string()];
    let named = |list: &[String]| -> Vec<String> {
        list.iter().filter(|name| *name == feature).cloned().collect()
    };
    let (ordered, nominal) = (named(&spec.ordered), named(&spec.nominal));
    let request = Request {
        features: Some(&chosen),
        kinds: Kinds { ordered: &ordered, nominal: &nominal, task: spec.task },
        by: &[],
        ..spec.request(target)
    };
    let usable = all_usable(request.features(df)?, target)?;
    let table = request.table(df, &usable)?;
    table.target.check()?;
    Ok(table)
}

fn measures(columns: &mut Columns, candidates: &[SplitCandidate], table: &Table) {
    let classes: Vec<&ClassSplit> = candidates
        .iter()
        .filter_map(|c| match &c.measures {
            SplitMeasures::Classes(split) => Some(split),
            SplitMeasures::Numbers(_) => None,
        })
        .collect();
    let numbers: Vec<&NumberSplit> = candidates
        .iter()
        .filter_map(|c| match &c.measures {
            SplitMeasures::Numbers(split) => Some(split),
            SplitMeasures::Classes(_) => None,
        })
        .collect();
    let target = &table.target;
    if target.labels().is_empty() {
        let figure =
            |get: fn(&NumberSplit) -> f64| -> Vec<f64> { numbers.iter().map(|m| get(m)).collect() };
        columns
            .add("mean_left", figure(|m| m.mean_left))
            .add("mean_right", figure(|m| m.mean_right))
            .add("variance_reduction", figure(|m| m.variance_reduction));
        return;
    }
    for (class, label) in target.labels().iter().enumerate() {
        let label = target.dtype.show(label);
        let left: Vec<f64> = classes.iter().map(|m| m.share_left[class]).collect();
        let right: Vec<f64> = classes.iter().map(|m| m.share_right[class]).collect();
        columns
            .add(&format!("share_left_{label}"), left)
            .add(&format!("share_right_{label}"), right);
    }
    let figure =
        |get: fn(&ClassSplit) -> f64| -> Vec<f64> { classes.iter().map(|m| get(m)).collect() };
    columns
        .add("entropy_left", figure(|m| m.entropy_left))
        .add("entropy_right", figure(|m| m.entropy_right))
        .add("info_gain", figure(|m| m.info_gain))
        .add("gain_ratio", figure(|m| m.gain_ratio))
        .add("gini_split", figure(|m| m.gini_split))
        .add("gini_gain", figure(|m| m.gini_gain));
}

/// Cuts as a column of the feature's own dtype.
pub(crate) fn cuts_as<'v>(
    dtype: &DataType,
    name: &str,
    column: &Encoded,
    cuts: impl Iterator<Item = &'v Value> + Clone,
) -> Result<Column> {
    let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let text = |v: &Value| if let Value::Text(x) = v { x.clone() } else { String::new() };
    let ints = || Int128Chunked::from_vec(name.into(), cuts.clone().map(int).collect());
    let (series, via) = match column.dtype() {
        DType::Decimal { precision, scale } => {
            return Ok(ints().into_decimal_unchecked(*precision, *scale).into_series().into());
        }
        DType::Boolean => {
            let truths: Vec<bool> = cuts.map(|v| text(v) == "true").collect();
            (Series::new(name.into(), truths), DataType::Boolean)
        }
        DType::U128 => {
            let cuts = cuts.map(unsigned).collect();
            (UInt128Chunked::from_vec(name.into(), cuts).into_series(), DataType::UInt128)
        }
        d if d.is_float() => {
            (Series::new(name.into(), cuts.map(float).collect::<Vec<_>>()), DataType::Float64)
        }
        d if d.is_text() => {
            (Series::new(name.into(), cuts.map(text).collect::<Vec<_>>()), DataType::String)
        }
        _ => (ints().into_series(), dtype.to_physical()),
    };
    // Dates and times are cast from the integers behind them.
    let cast = series.cast(&via).and_then(|s| s.cast(dtype)).map_err(polars_error)?;
    Ok(cast.into())
}
