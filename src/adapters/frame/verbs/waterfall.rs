//! The contributions of features to a model's answer for one row, one after the other.

use polars::prelude::DataFrame;

use super::contributions::FrameContributions;
use super::explain_row::check_row;
use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::Columns;
use crate::data::column_data::only_text;
use crate::error::Result;
use crate::fitted::{Forest, Model, Tree};
use crate::spec::ContributionSpec;

/// The answer for one row, feature by feature.
pub(crate) struct Waterfall {
    pub(crate) base_value: f64,
    pub(crate) prediction: f64,
    /// Those that rules test, by absolute contribution, the most first and the earlier of equals.
    pub(crate) features: Vec<FeatureStep>,
}

/// What a feature contributes to the answer for a row.
pub(crate) struct FeatureStep {
    pub(crate) feature: String,
    /// The row's value as text; missing is `None`.
    pub(crate) value: Option<String>,
    pub(crate) contribution: f64,
}

impl ModelRef<'_> {
    /// What the features contribute to the answer for a row, counted from 0.
    pub(crate) fn waterfall(
        self,
        df: &DataFrame,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<Waterfall> {
        check_row(df, row)?;
        let one = df.slice(row as i64, 1);
        let schema = self.schema();
        let FrameContributions { base_value, predictions, of_features } =
            self.contributions_to(&one, spec).map_err(|e| e.of_part(row))?;
        let mut features = Vec::new();
        for (feature, contributions) in of_features {
            let feature = schema.features[feature as usize].name.clone();
            let value = FrameColumn::new(one.column(&feature)?).and_then(|cell| only_text(&cell));
            features.push(FeatureStep { feature, value, contribution: contributions[0] });
        }
        // Stable: equals stay in the model's order.
        features.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
        Ok(Waterfall { base_value, prediction: predictions[0], features })
    }
}

impl Waterfall {
    /// The table of [`Tree::waterfall`].
    fn table(&self, event: Option<String>) -> Result<DataFrame> {
        let each = || std::iter::once(None).chain(self.features.iter().map(Some));
        let mut answers = vec![self.base_value];
        for feature in &self.features {
            answers.push(answers[answers.len() - 1] + feature.contribution);
        }
        // The sum, but for rounding.
        answers[self.features.len()] = self.prediction;
        Columns::default()
            .add("feature", each().map(|f| Some(f?.feature.as_str())))
            .add("value", each().map(|f| f?.value.as_deref()))
            .add("contribution", each().map(|f| Some(f?.contribution)))
            .add("answer", answers)
            .add_event(event)
            .frame()
    }
}

macro_rules! waterfall_verbs {
    ($($model:ident),*) => {$(
        /// The contributions to one answer.
        impl $model {
            /// How the model's answer for one row of a frame, counted from 0, comes about: from the
            /// answer where no feature is known, feature by feature, to the prediction. `feature str?,
            /// value str?, contribution f64?, answer f64`, of classes `event str`: the first line is the base value, then comes
            /// a line for each feature that rules test, by its absolute
            /// [contribution](Self::contributions), the most first and the earlier of equals. `value` is
            /// the row's (null where it is missing), and `answer` the base value and all contributions so
            /// far; the last one is the prediction.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
            /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
            /// let steps = tree.waterfall(&df, 3, &ContributionSpec::default())?;
            /// assert_eq!(steps.column("feature")?.str()?.get(1), Some("x"));
            /// assert_eq!(steps.column("value")?.str()?.get(1), Some("9"));
            /// let answers: Vec<f64> = steps.column("answer")?.f64()?.into_no_null_iter().collect();
            /// assert_eq!(answers, [3.0, 4.5]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`contributions_with`](Self::contributions_with), and a row that the frame does not have.
            pub fn waterfall(
                &self,
                df: &DataFrame,
                row: usize,
                spec: &ContributionSpec,
            ) -> Result<DataFrame> {
                let model = ModelRef::from(self);
                let table = || model.waterfall(df, row, spec)?.table(model.explained_text(spec)?);
                in_pool(spec.threads, table)
            }
        }
    )*};
}

waterfall_verbs!(Tree, Forest, Model);
