//! Pictures of what features contribute to a model's answers.

use polars::prelude::DataFrame;

use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::fitted::{Forest, Model, Tree};
use crate::plot::Drawing;
use crate::plot::contributions::summary::{self, FeatureHistogram, MAX_FEATURES};
use crate::plot::contributions::waterfall::{self, WaterfallStep};
use crate::spec::ContributionSpec;
use crate::tree::Feature;
use crate::util::parallel;
use crate::verbs::contributions::{FeatureStep, FrameContributions, Waterfall};
use crate::verbs::explain_row::NO_ROW;
use crate::verbs::frame::of_no_model;
use crate::verbs::model_ref::ModelRef;

impl ModelRef<'_> {
    /// The picture of [`Tree::contributions_svg`], in the current pool.
    pub(super) fn contributions_drawing(
        self,
        df: &DataFrame,
        spec: &ContributionSpec,
    ) -> Result<Drawing> {
        let answer = self.answer_text(spec)?;
        if df.height() == 0 {
            return Err(Error::data(NO_ROW));
        }
        let FrameContributions { of_features, .. } = self.contributions_to(df, spec)?;
        let n_features = of_features.len();
        let mean_absolute = |(feature, of_rows): (u32, Vec<f64>)| {
            let sum: f64 = of_rows.iter().map(|x| x.abs()).sum();
            (feature, sum / df.height() as f64, of_rows)
        };
        let mut drawn: Vec<(u32, f64, Vec<f64>)> =
            of_features.into_iter().map(mean_absolute).collect();
        // Stable: equals stay in the model's order.
        drawn.sort_by(|a, b| b.1.total_cmp(&a.1));
        drawn.truncate(MAX_FEATURES);
        let all = drawn.iter().flat_map(|(_, _, of_rows)| of_rows);
        let bounds = all.fold((0.0, 0.0), |(lo, hi): (f64, f64), x| (lo.min(*x), hi.max(*x)));
        let histogram = |(feature, mean, of_rows): &(u32, f64, Vec<f64>)| {
            let (column, has_order) = encoded(df, &self.schema().features[*feature as usize])?;
            Ok(FeatureHistogram::new(&column, has_order, *mean, of_rows, bounds))
        };
        let features = parallel::try_map(&drawn, histogram)?;
        Ok(summary::drawing(&answer, &features, bounds, df.height() as u64, n_features))
    }

    /// The picture of [`Tree::waterfall_svg`], in the current pool.
    pub(super) fn waterfall_drawing(
        self,
        df: &DataFrame,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<Drawing> {
        let Waterfall { base_value, prediction, features } = self.steps_of_row(df, row, spec)?;
        let step = |FeatureStep { feature, value, contribution }| {
            let is_float = df.column(&feature).is_ok_and(|column| column.dtype().is_float());
            WaterfallStep { feature, value, is_float, contribution }
        };
        let steps: Vec<WaterfallStep> = features.into_iter().map(step).collect();
        Ok(waterfall::drawing(&self.answer_text(spec)?, [base_value, prediction], &steps))
    }

    /// What the model answers, which features contribute to.
    fn answer_text(self, spec: &ContributionSpec) -> Result<String> {
        let schema = self.schema();
        Ok(match self.explained_class(spec)? {
            Some(class) => format!("the probability of {}", schema.class_text(class)),
            None => format!("the prediction of {}", schema.target),
        })
    }
}

/// The column of a feature, and whether its values have an order to colour them by.
fn encoded(df: &DataFrame, feature: &Feature) -> Result<(Column, bool)> {
    let name = feature.name.as_str();
    let column = df.column(name)?;
    let source = FrameColumn::new(column).ok_or_else(|| of_no_model(name, column.dtype()))?;
    let dtype = source.dtype();
    let has_order = feature.kind == Kind::Ordered || *dtype == DType::Boolean;
    let kind = if has_order { Kind::Ordered } else { Kind::Nominal };
    Ok((Column::encode(name, dtype.clone(), kind, source.cells())?, has_order))
}

macro_rules! contribution_pictures {
    ($($model:ident),*) => {$(
        /// Pictures of contributions.
        impl $model {
            /// How much each feature contributes to the model's answers for the rows of a frame, as an SVG
            /// picture: a line for each of the twenty features that contribute most, and on it its
            /// [contributions](crate::ModelVerbs::contributions), lower to the left and higher to the right, in bins
            /// as high as their rows. The colour of a bin is that of its rows' values, from the
            /// feature's low ones to its high ones. Its size does not grow with the rows; memory is that of
            /// the table of contributions. The same rows give the same bytes.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
            /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
            /// let svg = tree.contributions_svg(&df, &ContributionSpec::default())?;
            /// assert!(svg.contains("to the prediction of y, of 4 rows"));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`contribution_importance`](crate::ModelVerbs::contribution_importance).
            pub fn contributions_svg(
                &self,
                df: &DataFrame,
                spec: &ContributionSpec,
            ) -> Result<String> {
                let draw = || ModelRef::from(self).contributions_drawing(df, spec);
                Ok(in_pool(spec.threads, draw)?.document())
            }

            /// How the model's answer for one row of a frame, counted from 0, comes about, as an SVG
            /// picture: the steps of its [`waterfall`](crate::ModelVerbs::waterfall). The fourteen largest have
            /// a line each. The same row gives the same bytes.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
            /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
            /// let svg = tree.waterfall_svg(&df, 3, &ContributionSpec::default())?;
            /// assert!(svg.contains("x = 9") && svg.contains("the prediction of y is 4.5"));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`waterfall`](crate::ModelVerbs::waterfall).
            pub fn waterfall_svg(
                &self,
                df: &DataFrame,
                row: usize,
                spec: &ContributionSpec,
            ) -> Result<String> {
                let draw = || ModelRef::from(self).waterfall_drawing(df, row, spec);
                Ok(in_pool(spec.threads, draw)?.document())
            }
        }
    )*};
}

contribution_pictures!(Tree, Forest, Model);
