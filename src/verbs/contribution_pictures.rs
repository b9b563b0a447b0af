//! Pictures of what features contribute to a model's answers, in the current pool.

use super::contributions::FrameContributions;
use super::explain_row::NO_ROW;
use super::frame::{NamedColumns, find};
use super::model_ref::ModelRef;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::plot::Drawing;
use crate::plot::contributions::summary::{self, FeatureHistogram, MAX_FEATURES};
use crate::plot::contributions::waterfall;
use crate::spec::ContributionSpec;
use crate::tree::Feature;
use crate::util::parallel;

impl ModelRef<'_> {
    /// The picture of `contributions_svg`.
    pub(super) fn contributions_drawing<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<Drawing> {
        let answer = self.answer_text(spec)?;
        let n_rows = frame.n_rows();
        if n_rows == 0 {
            return Err(Error::data(NO_ROW));
        }
        let FrameContributions { of_features, .. } = self.contributions_to(frame, spec)?;
        let n_features = of_features.len();
        let mean_absolute = |(feature, of_rows): (u32, Vec<f64>)| {
            let sum: f64 = of_rows.iter().map(|x| x.abs()).sum();
            (feature, sum / n_rows as f64, of_rows)
        };
        let mut drawn: Vec<(u32, f64, Vec<f64>)> =
            of_features.into_iter().map(mean_absolute).collect();
        // Stable: equals stay in the model's order.
        drawn.sort_by(|a, b| b.1.total_cmp(&a.1));
        drawn.truncate(MAX_FEATURES);
        let all = drawn.iter().flat_map(|(_, _, of_rows)| of_rows);
        let bounds = all.fold((0.0, 0.0), |(lo, hi): (f64, f64), x| (lo.min(*x), hi.max(*x)));
        let histogram = |(feature, mean, of_rows): &(u32, f64, Vec<f64>)| {
            let (column, has_order) = encoded(frame, &self.schema().features[*feature as usize])?;
            Ok(FeatureHistogram::new(&column, has_order, *mean, of_rows, bounds))
        };
        let features = parallel::try_map(&drawn, histogram)?;
        Ok(summary::drawing(&answer, &features, bounds, n_rows as u64, n_features))
    }

    /// The picture of `waterfall_svg`.
    pub(super) fn waterfall_drawing<F: NamedColumns>(
        self,
        frame: &F,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<Drawing> {
        let waterfall = self.steps_of_row(frame, row, spec)?;
        Ok(waterfall::drawing(&self.answer_text(spec)?, &waterfall))
    }

    /// What the model answers, which features contribute to.
    fn answer_text(self, spec: &ContributionSpec) -> Result<String> {
        let schema = self.schema();
        Ok(match self.tree_data().explained_class(spec)? {
            Some(class) => format!("the probability of {}", schema.class_text(class)),
            None => format!("the prediction of {}", schema.target),
        })
    }
}

/// The column of a feature, and whether its values have an order to colour them by.
fn encoded<F: NamedColumns>(frame: &F, feature: &Feature) -> Result<(Column, bool)> {
    const ROLE: &str = "feature of the model";
    let source = find(frame, ROLE, &feature.name)?.usable(ROLE)?;
    let dtype = source.dtype();
    let has_order = feature.kind == Kind::Ordered || *dtype == DType::Boolean;
    let kind = if has_order { Kind::Ordered } else { Kind::Nominal };
    let column = Column::encode(feature.name.as_str(), dtype.clone(), kind, source.cells())?;
    Ok((column, has_order))
}
