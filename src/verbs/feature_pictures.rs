//! Pictures of the features of frames.

use super::drift::drift_of_column;
use super::frame::Frame;
use super::split_candidates::on_one;
use super::woe_bins::WoeBins;
use crate::error::Result;
use crate::plot::bins::{drift_drawing, woe_drawing};
use crate::plot::feature;
use crate::spec::{DriftSpec, RankSpec};

/// One feature as an SVG picture. Of an ordered one, four panels over its values: rows; the
/// share of each class in all rows, left and right of each cut; the entropy of all rows, left
/// and right; and the information gain of each cut, the best one marked (of a numeric target:
/// means, standard deviations and variance reduction). Of a nominal one, a bar a level: its
/// rows, its class shares (or mean), and the gain of it against the rest. It draws what
/// [`split_candidates`](crate::split_candidates) lists. The same frame gives the same bytes.
///
/// ```
/// # use gaintree::{prelude::*, curve_svg};
/// # use polars::prelude::*;
/// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
/// let svg = curve_svg(&df, "play", "wind", &RankSpec::default())?;
/// assert!(svg.contains("best: wind &gt;= 20, gain 1 bits"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`split_candidates`](crate::split_candidates).
pub fn curve_svg<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<String> {
    on_one(frame, (target, feature), spec, |table| {
        Ok(feature::drawing(&table, spec.log_base)?.document())
    })
}

/// A column of two frames as an SVG picture: the shares of both in each bin of
/// [`drift_bins`](crate::drift_bins), and a dashed line at the cut that tells them apart best. The
/// same frames give the same bytes.
///
/// # Errors
/// As [`drift_bins`](crate::drift_bins).
pub fn drift_svg<F: Frame + ?Sized>(
    reference: &F,
    current: &F,
    feature: &str,
    spec: &DriftSpec,
) -> Result<String> {
    Ok(drift_drawing(feature, &drift_of_column(reference, current, feature, spec)?).document())
}

impl<T> WoeBins<T> {
    /// A feature's weights of evidence as an SVG picture: a bar a bin, to the right where events
    /// are more frequent than in all rows. The same bins give the same bytes.
    ///
    /// # Errors
    /// A name that is no feature.
    pub fn to_svg(&self, feature: &str) -> Result<String> {
        Ok(woe_drawing(self.feature(feature)?).document())
    }
}
