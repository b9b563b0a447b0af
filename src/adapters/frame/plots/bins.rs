//! Pictures of features in bins.

use polars::prelude::DataFrame;

use crate::adapters::frame::in_pool;
use crate::error::Result;
use crate::plot::bins::{drift_drawing, woe_drawing};
use crate::spec::DriftSpec;
use crate::verbs::WoeBins;
use crate::verbs::drift::column_drift;

impl WoeBins {
    /// A feature's weights of evidence as an SVG picture: a bar a bin, to the right where events
    /// are more frequent than in all rows. The same bins give the same bytes.
    ///
    /// # Errors
    /// A name that is no feature.
    pub fn to_svg(&self, feature: &str) -> Result<String> {
        Ok(woe_drawing(self.feature(feature)?).document())
    }
}

/// A column of two frames as an SVG picture: the shares of both in each bin of
/// [`drift_bins`](crate::drift_bins), and a dashed line at the cut that tells them apart best. The
/// same frames give the same bytes.
///
/// # Errors
/// As [`drift_bins`](crate::drift_bins).
pub fn drift_svg(
    reference: &DataFrame,
    current: &DataFrame,
    feature: &str,
    spec: &DriftSpec,
) -> Result<String> {
    let drift = in_pool(spec.threads, || column_drift(reference, current, feature, spec))?;
    Ok(drift_drawing(feature, &drift).document())
}
