//! Bins of features as JSON, so that they can map rows elsewhere and later.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::woe::{FeatureWoe, WoeBin};
use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};

const FORMAT: &str = "gaintree woe";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BinsObject {
    format: String,
    version: u32,
    features: Vec<FeatureObject>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureObject {
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
    unseen: Option<f64>,
    bins: Vec<WoeBin>,
}

/// Bins as JSON. The same bins give the same bytes.
pub(crate) fn write(features: &[FeatureWoe]) -> String {
    let features = features.iter().map(FeatureObject::of).collect();
    let object = BinsObject { format: FORMAT.to_string(), version: VERSION, features };
    serde_json::to_string(&object).unwrap_or_default() // texts and finite numbers: no error
}

/// The bins that [`write`] wrote.
///
/// # Errors
/// A text that it did not write.
pub(crate) fn read(text: &str) -> Result<Vec<FeatureWoe>> {
    let failed = |what: String| Error::model(format!("it is no text of WoE bins: {what}"));
    let object: BinsObject = serde_json::from_str(text).map_err(|e| failed(e.to_string()))?;
    if object.format != FORMAT || object.version != VERSION {
        let (format, version) = (object.format, object.version);
        return Err(failed(format!(
            "its format is `{format}` {version}, expected `{FORMAT}` {VERSION}"
        )));
    }
    let feature = |feature: FeatureObject| {
        let name = feature.name.clone();
        feature.read().map_err(|what| failed(format!("feature `{name}`: {what}")))
    };
    object.features.into_iter().map(feature).collect()
}

impl FeatureObject {
    fn of(feature: &FeatureWoe) -> FeatureObject {
        FeatureObject {
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

    fn read(self) -> std::result::Result<FeatureWoe, String> {
        let FeatureObject { name, dtype, kind, event, iv, has_missing_bin, .. } = self;
        let FeatureObject { cuts, levels, unseen, bins, .. } = self;
        if let DType::Decimal { precision, scale } = dtype
            && !(scale <= precision && (1..=38).contains(&precision))
        {
            return Err(format!("{dtype} is no dtype"));
        }
        if has_missing_bin && bins.is_empty() {
            return Err("it has no bin of missing values".to_string());
        }
        let value = |text: &String| -> std::result::Result<Value, String> {
            let is_declared = match &dtype {
                DType::Enum { categories } => categories.contains(text),
                _ => true,
            };
            let value = dtype.parse(text).filter(|_| is_declared);
            value.ok_or_else(|| format!("{text:?} is no value of {dtype}"))
        };
        let cuts = cuts.iter().map(value).collect::<std::result::Result<_, _>>()?;
        let bin_of = HashMap::from_iter(levels);
        Ok(FeatureWoe { name, dtype, kind, event, bins, iv, has_missing_bin, cuts, bin_of, unseen })
    }
}
