//! Scorecards as JSON: the scale, and each feature's coefficient and bins. The points follow from
//! these, by the same arithmetic as when the card was made.

use serde::{Deserialize, Serialize};

use super::json_text::{self, VERSION};
use super::scorecard::{PointScale, Points};
use super::woe::FeatureWoe;
use super::woe_text::{self, FeatureBins};
use crate::error::Result;
use crate::util::file_kind::FileKind;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardObject {
    format: String,
    version: u64,
    factor: f64,
    offset: f64,
    intercept: f64,
    rounded: bool,
    features: Vec<CardFeature>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFeature {
    coefficient: f64,
    bins: FeatureBins,
}

/// A card as JSON, with the bins of its features. The same card gives the same bytes.
pub(crate) fn write(bins: &[FeatureWoe], points: &Points) -> String {
    let PointScale { factor, offset, intercept, rounded } = points.scale;
    let features = bins.iter().zip(&points.features).map(|(bins, points)| CardFeature {
        coefficient: points.coefficient,
        bins: FeatureBins::of(bins),
    });
    let (format, version) = (FileKind::Scorecard.format().to_string(), VERSION);
    let features = features.collect();
    let object = CardObject { format, version, factor, offset, intercept, rounded, features };
    serde_json::to_string(&object).unwrap_or_default() // texts and finite numbers: no error
}

/// The card that [`write`] wrote: its features' bins, and their points.
///
/// # Errors
/// A text that it did not write.
pub(crate) fn read(text: &str) -> Result<(Vec<FeatureWoe>, Points)> {
    json_text::read(text, FileKind::Scorecard, "a scorecard", |object: CardObject| {
        let CardObject { factor, offset, intercept, rounded, features, .. } = object;
        let (coefficients, bins): (Vec<f64>, Vec<FeatureBins>) =
            features.into_iter().map(|feature| (feature.coefficient, feature.bins)).unzip();
        if bins.is_empty() {
            return Err("it has no feature".to_string());
        }
        let bins = woe_text::features(bins)?;
        let named = bins.iter().map(|bins| bins.name.clone()).zip(coefficients).collect();
        let scale = PointScale { factor, offset, intercept, rounded };
        Ok((bins, Points::on_scale(scale, named)?))
    })
}
