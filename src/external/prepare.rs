//! What is known before the first count: from a store's summary to how its rows are counted.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::bins::ColumnBins;
use super::coding::{Coding, TargetCoding};
use super::passes::{PassTask, Passes};
use super::row_store::{
    Binning, FeatureSummary, FeatureWish, RowStore, StoreColumn, StoreSummary, SummaryRequest,
    TargetSummary,
};
use super::weighing::weights_of;
use crate::data::column::{ColumnInfo, Levels};
use crate::data::dtype::{DType, Kind, Value};
use crate::data::dtype::{key_of_value, value_of_key};
use crate::data::number_scale::NumberScale;
use crate::data::target::{MAX_CLASSES, Target, TargetValues, has_no_rows};
use crate::data::weights::Weights;
use crate::encode::table::Kinds;
use crate::encode::{
    LARGEST_NUMBER, MAX_ROWS, check_range, is_beyond_floats, is_number, too_many_classes,
};
use crate::error::{Error, Result};
use crate::grow::ColumnPolicy;
use crate::grow::{check_spec, missing_values};
use crate::spec::{Budget, ClassWeights, Missing, TreeSpec};

const SAMPLE_PER_BIN: usize = 32;

/// Bytes of a bin's values in the sample: as they are drawn, and as keys.
const SAMPLE_BYTES: u64 = 3 * 16 * SAMPLE_PER_BIN as u64;

/// The bins of a column, so that the samples of all columns take a quarter of the budget at most.
fn n_bins(budget: &Budget, n_columns: usize) -> usize {
    let room = budget.memory / 4 / (SAMPLE_BYTES * n_columns.max(1) as u64);
    u64::from(budget.bins).min(room.max(LEAST_BINS)).max(2) as usize
}

/// A column has at least this many bins, unless the budget asks for fewer.
const LEAST_BINS: u64 = 64;

/// The most levels of all features together, so that they take half of the budget at most.
fn max_levels(budget: &Budget) -> usize {
    (budget.memory / 2 / LEVEL_BYTES).max(LEAST_LEVELS) as usize
}

/// Bytes of a level: its text as it is listed, found, sorted and kept, and its counts.
const LEVEL_BYTES: u64 = 400;

/// This many levels are allowed, however small the budget.
const LEAST_LEVELS: u64 = 1 << 14;

pub(super) struct Prepared {
    pub(super) rows: u64,
    /// Without rows.
    pub(super) target: Target,
    /// Without rows.
    pub(super) weights: Option<Weights>,
    /// The weight of each class; empty if classes have none.
    pub(super) class_weights: Vec<f64>,
    pub(super) coding: Arc<Coding>,
    pub(super) columns: Vec<PreparedColumn>,
    /// About where the numbers of the target have their mean, as a distance.
    pub(super) centre: i64,
}

pub(super) struct PreparedColumn {
    /// Without levels if it has keys.
    pub(super) info: ColumnInfo,
    pub(super) has_missing: bool,
    pub(super) bins: ColumnBins,
    /// The code of each level, made when it is needed.
    codes: OnceLock<HashMap<String, u32>>,
}

impl Deref for PreparedColumn {
    type Target = ColumnInfo;

    fn deref(&self) -> &ColumnInfo {
        &self.info
    }
}

impl PreparedColumn {
    /// From what the store found of a column, with the code of each value that it listed; `None` for
    /// a column of keys.
    fn new(
        column: StoreColumn,
        kind: Kind,
        found: FeatureSummary,
        n_bins: usize,
        binning: Binning,
    ) -> (PreparedColumn, Option<Vec<u32>>) {
        let StoreColumn { name, dtype } = column;
        let FeatureSummary { n_missing, values, is_all } = found;
        let (levels, level_codes, bins) = if has_text_levels(&dtype, kind) {
            let (levels, codes) = levels_of(&dtype, values);
            let bins = ColumnBins::of_levels(levels.len() as u32);
            (Levels::Text(levels), Some(codes), bins)
        } else {
            let bins = ColumnBins::of_values(&dtype, &values, is_all, n_bins, binning);
            let levels = match dtype.is_wide() {
                true => Levels::Wide(Vec::new()),
                false => Levels::Keys(Vec::new()),
            };
            (levels, None, bins)
        };
        let info = ColumnInfo { name, dtype, kind, levels };
        let codes = OnceLock::new();
        (PreparedColumn { info, has_missing: n_missing > 0, bins, codes }, level_codes)
    }

    /// The levels, in code order; `None` if it has keys.
    pub(super) fn texts(&self) -> Option<&[String]> {
        match &self.info.levels {
            Levels::Text(texts) => Some(texts),
            Levels::Keys(_) | Levels::Wide(_) => None,
        }
    }

    pub(super) fn code(&self, level: &str) -> u32 {
        let codes = || self.texts().into_iter().flatten().cloned().zip(0..).collect();
        self.codes.get_or_init(codes).get(level).copied().unwrap_or(0)
    }

    /// A cut as a value, from its key or code.
    pub(super) fn cut_value(&self, cut: i128) -> Value {
        match self.texts() {
            Some(texts) => Value::Text(texts[cut as usize].clone()),
            None => value_of_key(&self.dtype, cut),
        }
    }

    /// What the number of its levels decides in a table of `rows` rows, as in memory.
    pub(super) fn policy(&self, spec: &TreeSpec, rows: u64) -> ColumnPolicy {
        let n_levels = self.texts().map_or(0, <[String]>::len);
        ColumnPolicy::new(spec, self.kind, n_levels as u64, rows)
    }
}

/// Whether a feature's values have levels of text, by which they are told apart.
fn has_text_levels(dtype: &DType, kind: Kind) -> bool {
    kind == Kind::Nominal || dtype.is_text() || *dtype == DType::Boolean
}

impl Prepared {
    /// A table for a ranking, or for growth by a spec.
    pub(super) fn new<R: RowStore + ?Sized>(
        passes: &mut Passes<R>,
        kinds: Kinds,
        class_weights: &ClassWeights,
        tree: Option<&TreeSpec>,
        budget: &Budget,
    ) -> Result<Prepared> {
        let features = passes.store.features().to_vec();
        let target = passes.store.target().clone();
        kinds.check(&features.iter().map(|f| f.name.as_str()).collect::<Vec<_>>())?;
        let named = kinds.by_name();
        let kind_of: Vec<Kind> = features.iter().map(|f| named.of(&f.name, &f.dtype)).collect();
        let most_bins = n_bins(budget, features.len());
        let binning: Vec<Binning> =
            (0..features.len()).map(|feature| passes.store.binning(feature)).collect();
        let n_bins = |feature: usize| most_bins.min(binning[feature].most_bins as usize);
        let wish = |(at, feature): (usize, &StoreColumn)| {
            if has_text_levels(&feature.dtype, kind_of[at]) {
                return FeatureWish::Levels;
            }
            FeatureWish::Values { few: n_bins(at), sample: SAMPLE_PER_BIN * n_bins(at) }
        };
        let request = SummaryRequest {
            target_is_number: is_number(&target.name, &target.dtype, kinds.task)?,
            max_classes: MAX_CLASSES,
            max_levels: max_levels(budget),
            features: features.iter().enumerate().map(wish).collect(),
        };
        passes.begin(PassTask::Summary, 1)?;
        let summary = passes.store.summarize(&request)?;
        check_rows(&summary, &target)?;
        let (target, target_coding) = target_of(&target, &summary.target)?;
        target.check_rows(summary.rows)?;
        if let Some(spec) = tree {
            check_spec(&target, features.len(), spec)?;
            check_missing(spec, &features, &summary.features)?;
        }
        check_levels(&request, &features, &summary.features)?;
        let class_of = match &target_coding {
            TargetCoding::Classes { class_of, .. } => class_of.clone(),
            TargetCoding::Numbers(_) => Vec::new(),
        };
        let (weights, units, class_weights) =
            weights_of(passes, class_weights, &target, &class_of)?;
        let centre = match (&summary.target, &target_coding) {
            (TargetSummary::Numbers { min, max, mean, .. }, TargetCoding::Numbers(scale)) => {
                scale.distance(if mean.is_nan() { *min } else { mean.clamp(*min, *max) })
            }
            _ => 0,
        };
        let found = features.into_iter().zip(summary.features).zip(kind_of).enumerate();
        let (columns, level_codes): (Vec<PreparedColumn>, _) = found
            .map(|(at, ((column, found), kind))| {
                PreparedColumn::new(column, kind, found, n_bins(at), binning[at])
            })
            .unzip();
        let n_levels = |c: &PreparedColumn| c.texts().map_or(0, |levels| levels.len() as u32);
        let n_levels = columns.iter().map(n_levels).collect();
        let coding = Arc::new(Coding { target: target_coding, units, level_codes, n_levels });
        passes.store.begin(&coding)?;
        let rows = summary.rows;
        Ok(Prepared { rows, target, weights, class_weights, coding, columns, centre })
    }

    /// Bytes of a bin's or a value's rows and stat: as they are answered, and as they are looked at.
    pub(super) fn count_bytes(&self) -> u64 {
        2 * (24 + 16 * self.coding.target.width() as u64)
    }
}

fn check_rows(summary: &StoreSummary, target: &StoreColumn) -> Result<()> {
    let StoreColumn { name, dtype } = target;
    if summary.rows == 0 {
        return Err(has_no_rows(name, dtype));
    }
    if summary.rows > MAX_ROWS as u64 {
        return Err(Error::data(format!(
            "target `{name}` ({dtype}) has {} rows; at most {MAX_ROWS} can be used: take a sample",
            summary.rows
        )));
    }
    let (TargetSummary::Classes { n_missing, .. } | TargetSummary::Numbers { n_missing, .. }) =
        &summary.target;
    if *n_missing > 0 {
        return Err(Error::data(format!(
            "target `{name}` ({dtype}) is missing in {n_missing} of {} rows; every row needs a \
             value: fill it or drop the rows",
            summary.rows
        )));
    }
    Ok(())
}

fn check_levels(
    request: &SummaryRequest,
    features: &[StoreColumn],
    found: &[FeatureSummary],
) -> Result<()> {
    let of_levels = request.features.iter().map(|wish| *wish == FeatureWish::Levels);
    let mut columns = features.iter().zip(found).zip(of_levels);
    let Some(((StoreColumn { name, dtype }, _), _)) =
        columns.find(|((_, found), of_levels)| *of_levels && !found.is_all)
    else {
        return Ok(());
    };
    Err(Error::data(format!(
        "feature `{name}` ({dtype}) has too many levels for the memory budget, which allows {} of all \
         features together: leave it out, or allow more memory",
        request.max_levels
    )))
}

fn check_missing(
    spec: &TreeSpec,
    features: &[StoreColumn],
    found: &[FeatureSummary],
) -> Result<()> {
    let mut missing = features.iter().zip(found).filter(|(_, found)| found.n_missing > 0);
    let Some((StoreColumn { name, dtype }, found)) = missing.next() else { return Ok(()) };
    match spec.missing {
        Missing::Error => Err(missing_values(name, dtype, found.n_missing)),
        Missing::Fractional => Err(Error::spec(format!(
            "feature `{name}` ({dtype}) is missing in {} rows, and missing = fractional needs all \
             rows in memory: take missing = learn or majority, or fit in memory",
            found.n_missing
        ))),
        Missing::Learn | Missing::Majority => Ok(()),
    }
}

/// The target, without rows, and how it is counted.
fn target_of(column: &StoreColumn, summary: &TargetSummary) -> Result<(Target, TargetCoding)> {
    let StoreColumn { name, dtype } = column;
    let (values, coding) = match summary {
        TargetSummary::Classes { values, .. } => {
            let (labels, class_of) = distinct(dtype, values.clone());
            if labels.len() > MAX_CLASSES {
                return Err(too_many_classes(name, dtype, labels.len()));
            }
            let n_classes = labels.len();
            let class_of = class_of.into_iter().map(|class| class as u16).collect();
            let coding = TargetCoding::Classes { class_of, n_classes };
            (TargetValues::Classes { labels, codes: Vec::new() }, coding)
        }
        TargetSummary::Numbers { min, max, .. } => {
            for number in [*min, *max] {
                if number.is_nan() || number.abs() > LARGEST_NUMBER {
                    return Err(Error::data(format!(
                        "target `{name}` ({dtype}) is {number:e} in some row; every row needs a \
                         finite number of at most {LARGEST_NUMBER:e}: mend it or drop the row"
                    )));
                }
            }
            check_range(name, dtype, *min, *max)?;
            if is_beyond_floats(dtype, *min, *max) {
                return Err(Error::data(format!(
                    "target `{name}` ({dtype}) lies between {min} and {max}; integers beyond 2^53 \
                     are told apart in memory alone: allow more memory, or subtract an offset"
                )));
            }
            let scale = NumberScale::new(&[*min, *max]);
            let values = TargetValues::Numbers { numbers: Vec::new(), distances: None, scale };
            (values, TargetCoding::Numbers(scale))
        }
    };
    Ok((Target { name: name.clone(), dtype: dtype.clone(), values }, coding))
}

/// Distinct values in level order, and the index of each of the given ones.
fn distinct(dtype: &DType, values: Vec<Value>) -> (Vec<Value>, Vec<u32>) {
    if dtype.is_text() || *dtype == DType::Boolean {
        let (levels, codes) = levels_of(dtype, values);
        return (levels.into_iter().map(Value::Text).collect(), codes);
    }
    let keys: Vec<i128> = values.iter().map(|v| key_of_value(dtype, v).unwrap_or(0)).collect();
    let mut levels = keys.clone();
    levels.sort_unstable();
    levels.dedup();
    let index = |key: &i128| levels.partition_point(|level| level < key) as u32;
    let codes = keys.iter().map(index).collect();
    (levels.iter().map(|&key| value_of_key(dtype, key)).collect(), codes)
}

/// The texts of distinct values in level order, and the index of each of the given ones.
fn levels_of(dtype: &DType, values: Vec<Value>) -> (Vec<String>, Vec<u32>) {
    // By way of its key a value has one text: -0.0 has that of 0.0.
    let text = |value: Value| match value {
        Value::Text(text) => text,
        value => match key_of_value(dtype, &value) {
            Some(key) => dtype.write(&value_of_key(dtype, key)),
            None => dtype.write(&value),
        },
    };
    let texts: Vec<String> = values.into_iter().map(text).collect();
    let mut levels = texts.clone();
    match dtype {
        DType::Enum { categories } => {
            let indices: HashMap<&str, usize> =
                categories.iter().map(String::as_str).zip(0..).collect();
            let index = |text: &String| indices.get(text.as_str()).copied().unwrap_or(usize::MAX);
            levels.sort_by_cached_key(index);
        }
        _ => levels.sort_unstable(),
    }
    levels.dedup();
    let indices: HashMap<&str, u32> = levels.iter().map(String::as_str).zip(0..).collect();
    let codes = texts.iter().map(|text| indices[text.as_str()]).collect();
    (levels, codes)
}
