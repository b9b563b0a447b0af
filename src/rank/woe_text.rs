//! Bins of features as JSON, so that they can map rows elsewhere and later.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::result::Result as StdResult;

use serde::{Deserialize, Serialize};

use super::json_text::{self, VERSION, present};
use super::woe::{FeatureWoe, WoeBin};
use crate::data::dtype::{DType, Kind, Value, key_of_value};
use crate::error::Result;
use crate::util::file_kind::FileKind;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BinsObject {
    format: String,
    version: u64,
    features: Vec<FeatureBins>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureBins {
    name: String,
    dtype: DType,
    kind: Kind,
    event: String,
    iv: f64,
    has_missing_bin: bool,
    /// As the feature's dtype writes them: JSON has no infinities and no 128-bit integers.
    cuts: Vec<String>,
    /// The bins of a nominal feature's levels, in order of the levels.
    levels: BTreeMap<String, u32>,
    #[serde(deserialize_with = "present")]
    unseen: Option<f64>,
    bins: Vec<WoeBin>,
}

/// Bins as JSON. The same bins give the same bytes.
pub(crate) fn write(features: &[FeatureWoe]) -> String {
    let features = features.iter().map(FeatureBins::of).collect();
    let object =
        BinsObject { format: FileKind::Bins.format().to_string(), version: VERSION, features };
    serde_json::to_string(&object).unwrap_or_default() // texts and finite numbers: no error
}

/// The bins that [`write`] wrote.
///
/// # Errors
/// A text that it did not write.
pub(crate) fn read(text: &str) -> Result<Vec<FeatureWoe>> {
    json_text::read(text, FileKind::Bins, "WoE bins", |object: BinsObject| {
        features(object.features)
    })
}

/// The bins of several features, checked.
pub(super) fn features(
    objects: impl IntoIterator<Item = FeatureBins>,
) -> StdResult<Vec<FeatureWoe>, String> {
    let mut names = HashSet::new();
    let feature = |feature: FeatureBins| {
        let name = feature.name.clone();
        if !names.insert(name.clone()) {
            return Err(format!("feature `{name}` stands twice"));
        }
        feature.read().map_err(|what| format!("feature `{name}`: {what}"))
    };
    objects.into_iter().map(feature).collect()
}

impl FeatureBins {
    pub(super) fn of(feature: &FeatureWoe) -> FeatureBins {
        FeatureBins {
            name: feature.name.clone(),
            dtype: feature.dtype.clone(),
            kind: feature.kind,
            event: feature.event.clone(),
            iv: feature.iv,
            has_missing_bin: feature.has_missing_bin,
            // The cuts of a nominal feature are positions in an order that only the fit has.
            cuts: match feature.kind {
                Kind::Ordered => feature.cuts.iter().map(|cut| feature.dtype.write(cut)).collect(),
                Kind::Nominal => Vec::new(),
            },
            levels: feature.bin_of.iter().map(|(level, &bin)| (level.clone(), bin)).collect(),
            unseen: feature.unseen,
            bins: feature.bins.clone(),
        }
    }

    fn read(self) -> StdResult<FeatureWoe, String> {
        let FeatureBins { name, dtype, kind, event, iv, has_missing_bin, .. } = self;
        let FeatureBins { cuts, levels, unseen, bins, .. } = self;
        if let DType::Decimal { precision, scale } = dtype
            && !(scale <= precision && (1..=38).contains(&precision))
        {
            return Err(format!("{dtype} is no dtype"));
        }
        let Some(n_known) = bins.len().checked_sub(has_missing_bin.into()) else {
            return Err("it has no bin of missing values".to_string());
        };
        let value = |text: &String| -> StdResult<Value, String> {
            let is_declared = match &dtype {
                DType::Enum { categories } => categories.contains(text),
                _ => true,
            };
            let value = dtype.parse(text).filter(|_| is_declared);
            value.ok_or_else(|| format!("{text:?} is no value of {dtype}"))
        };
        let cuts = cuts.iter().map(value).collect::<StdResult<Vec<Value>, _>>()?;
        // A feature without a known value has only the bin of missing values.
        let n_bins = if n_known == 0 { 0 } else { cuts.len() + 1 };
        if kind == Kind::Ordered && n_known != n_bins || n_known == 0 && !cuts.is_empty() {
            return Err(format!("{n_known} bins do not fit {} cuts", cuts.len()));
        }
        if !cuts.is_sorted_by(|a, b| precedes(&dtype, a, b)) {
            return Err("its cuts do not ascend".to_string());
        }
        if let Some((level, bin)) = levels.iter().find(|(_, bin)| **bin as usize >= n_known) {
            return Err(format!("level {level:?} is in bin {bin}, and there are {n_known}"));
        }
        let bin_of = HashMap::from_iter(levels);
        Ok(FeatureWoe { name, dtype, kind, event, bins, iv, has_missing_bin, cuts, bin_of, unseen })
    }
}

fn precedes(dtype: &DType, a: &Value, b: &Value) -> bool {
    match (a, b, dtype) {
        (Value::Text(a), Value::Text(b), DType::Enum { categories }) => {
            let at = |text: &String| categories.iter().position(|category| category == text);
            at(a) < at(b)
        }
        (Value::Text(a), Value::Text(b), _) => a < b,
        _ => key_of_value(dtype, a) < key_of_value(dtype, b),
    }
}
