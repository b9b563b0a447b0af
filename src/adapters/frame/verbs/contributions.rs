//! How much each feature contributes to a model's answers for the rows of a frame.

use polars::prelude::{Column, DataFrame, Float64Chunked, IntoColumn, Scalar};

use super::explain_row::NO_ROW;
use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::common::tables::contribution_importance_table;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::scoring::of_no_model;
use crate::adapters::frame::tables::{Columns, event_column};
use crate::error::{Error, Result};
use crate::fitted::{Forest, Model, Tree};
use crate::score::{Asked, ContributionModel, TileContributions};
use crate::spec::ContributionSpec;
use crate::util::parallel;

/// The contributions to the answers for the rows of a frame.
pub(crate) struct FrameContributions {
    pub(crate) base_value: f64,
    /// One a row.
    pub(crate) predictions: Vec<f64>,
    /// Each feature that rules test, in the model's order, with a contribution a row.
    pub(crate) of_features: Vec<(u32, Vec<f64>)>,
}

impl<'a> ModelRef<'a> {
    /// The class whose probability is explained; `None` where the target is a number.
    pub(crate) fn explained_class(self, spec: &ContributionSpec) -> Result<Option<usize>> {
        match self {
            ModelRef::Tree(tree) => tree.explained_class(spec),
            ModelRef::Forest(forest) => forest.explained_class(spec),
        }
    }

    /// That class as text, for the tables.
    pub(super) fn explained_text(self, spec: &ContributionSpec) -> Result<Option<String>> {
        Ok(self.explained_class(spec)?.map(|class| self.schema().class_text(class)))
    }

    /// The model, asked for what a spec is about.
    fn contribution_model(self, spec: &ContributionSpec) -> Result<ContributionModel<'a>> {
        let class = self.explained_class(spec)?;
        Ok(match self {
            ModelRef::Tree(tree) => tree.prepared().contribution_model(class),
            ModelRef::Forest(forest) => forest.prepared().contribution_model(class),
        })
    }

    /// The contributions to the answers for the rows of a frame, in the current pool.
    pub(crate) fn contributions_to(
        self,
        df: &DataFrame,
        spec: &ContributionSpec,
    ) -> Result<FrameContributions> {
        let model = self.contribution_model(spec)?;
        let tiles = of_tiles(&model, df, spec, false, |tile| tile)?;
        let predictions: Vec<&[f64]> = tiles.iter().map(|t| t.predictions.as_slice()).collect();
        let of_feature = |(lane, &feature): (usize, &u32)| {
            let parts: Vec<&[f64]> = tiles.iter().map(|t| t.of_features[lane].as_slice()).collect();
            (feature, parts.concat())
        };
        Ok(FrameContributions {
            base_value: model.base_value(),
            predictions: predictions.concat(),
            of_features: parallel::map(model.used_features().iter().enumerate(), of_feature),
        })
    }

    /// The table of [`Tree::contributions`], in the current pool.
    fn contributions(self, df: &DataFrame, spec: &ContributionSpec) -> Result<DataFrame> {
        let FrameContributions { base_value, predictions, of_features } =
            self.contributions_to(df, spec)?;
        let n_rows = df.height();
        let of_rows =
            |name: &str, values| Float64Chunked::from_vec(name.into(), values).into_column();
        let same =
            |name: &str, value: f64| Column::new_scalar(name.into(), Scalar::from(value), n_rows);
        let event = self.explained_text(spec)?.map(|event| event_column(event, n_rows));
        let mut columns = Vec::from_iter(event);
        columns.push(of_rows("prediction", predictions));
        columns.push(same("base_value", base_value));
        let mut tested = of_features.into_iter().peekable();
        for (at, feature) in (0..).zip(&self.schema().features) {
            let name = format!("contribution_{}", feature.name);
            columns.push(match tested.next_if(|(feature, _)| *feature == at) {
                Some((_, values)) => of_rows(&name, values),
                None => same(&name, 0.0),
            });
        }
        DataFrame::new(n_rows, columns).map_err(Error::from)
    }

    /// The table of [`Tree::contribution_importance`], in the current pool.
    fn contribution_importance(self, df: &DataFrame, spec: &ContributionSpec) -> Result<DataFrame> {
        let model = self.contribution_model(spec)?;
        let sums = |tile: TileContributions| -> Vec<f64> {
            let absolute = |of_rows: &Vec<f64>| of_rows.iter().map(|x| x.abs()).sum();
            tile.of_features.iter().map(absolute).collect()
        };
        let tiles = of_tiles(&model, df, spec, false, sums)?;
        if df.height() == 0 {
            return Err(Error::data(NO_ROW));
        }
        let schema = self.schema();
        let mut means = vec![0.0; schema.features.len()];
        // Tile by tile in order, so that threads change no digit.
        for (lane, &feature) in model.used_features().iter().enumerate() {
            let sum = tiles.iter().map(|tile| tile[lane]).sum::<f64>();
            means[feature as usize] = sum / df.height() as f64;
        }
        Columns::default()
            .append(contribution_importance_table(schema, &means))
            .add_event(self.explained_text(spec)?)
            .frame()
    }

    /// The table of [`Tree::interactions`], in the current pool.
    fn interactions(self, df: &DataFrame, spec: &ContributionSpec) -> Result<DataFrame> {
        let model = self.contribution_model(spec)?;
        let used = model.used_features();
        if used.len() > MAX_INTERACTING {
            return Err(Error::spec(format!(
                "the model's rules test {} features, and interactions are of at most \
                 {MAX_INTERACTING}: fit it on fewer",
                used.len()
            )));
        }
        let of_rows = of_tiles(&model, df, spec, true, |tile| {
            let of_row = |row: usize| tile.of_pairs.iter().map(move |of_rows| of_rows[row]);
            (0..tile.predictions.len()).flat_map(of_row).collect::<Vec<f64>>()
        })?;
        let n_rows = df.height();
        let name = |&feature: &u32| self.schema().features[feature as usize].name.as_str();
        let pairs = used.iter().enumerate();
        let pairs: Vec<(&str, &str)> = pairs
            .flat_map(|(at, one)| used[at..].iter().map(move |other| (name(one), name(other))))
            .collect();
        let rows = (0..n_rows as u32).flat_map(|row| std::iter::repeat_n(row, pairs.len()));
        let each = || (0..n_rows).flat_map(|_| &pairs);
        Columns::default()
            .add("row", rows)
            .add("feature", each().map(|pair| pair.0))
            .add("other", each().map(|pair| pair.1))
            .add("interaction", of_rows.concat())
            .add_event(self.explained_text(spec)?)
            .frame()
    }
}

/// Interactions are of at most so many features.
const MAX_INTERACTING: usize = 30;

/// What is made of the contributions of each tile of a frame's rows.
fn of_tiles<T: Send>(
    model: &ContributionModel,
    df: &DataFrame,
    spec: &ContributionSpec,
    pairs: bool,
    of_tile: impl Fn(TileContributions) -> T + Sync,
) -> Result<Vec<T>> {
    let column = |name: &str| {
        let Ok(column) = df.column(name) else { return Ok(None) };
        FrameColumn::new(column).map(Some).ok_or_else(|| of_no_model(name, column.dtype()))
    };
    let asked = Asked { pairs, monitor: spec.monitor.as_ref() };
    model.of_tiles(df.height(), column, &names(df), asked, of_tile)
}

macro_rules! contribution_verbs {
    ($($model:ident),*) => {$(
        /// Contributions of the features.
        impl $model {
            /// How much each feature contributes to the model's answer for each row: exact Shapley
            /// values (Lundberg, Erion & Lee 2018, "Consistent individualized feature attribution for
            /// tree ensembles", arXiv:1802.03888). A row a row, in order: of classes `event str`, the one that is
            /// explained; `prediction f64`, the
            /// probability of the event or the mean; `base_value f64`, the answer where no feature is
            /// known; and for each feature, in the model's order, `contribution_<feature> f64`. The
            /// base value and the contributions sum to the prediction, but for rounding.
            ///
            /// Where only some features are known, a row goes at a node that tests one of them where
            /// it goes in scoring, and at any other down every branch, by the branches' shares of the
            /// training weight (the path-dependent form). A row that stops at a node, as its level was
            /// not there in training, gets that node's answer. A feature that no rule tests contributes 0.
            ///
            /// Of two classes it is about the rarer one;
            /// [`contributions_with`](Self::contributions_with) names another. The frame needs the
            /// columns that the rules use, and no target. It says what the model answers, and not
            /// what causes what.
            ///
            /// `O(nodes * d)` a row, where a path tests at most d distinct features.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df![
            ///     "size" => [1, 2, 8, 9, 8, 9],
            ///     "red" => [true, false, true, true, false, false],
            ///     "ripe" => ["no", "no", "yes", "yes", "no", "no"],
            /// ]?;
            /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
            /// let why = tree.contributions(&df)?;
            /// let at = |name: &str| -> PolarsResult<f64> { Ok(why.column(name)?.f64()?.get(2).unwrap()) };
            /// assert_eq!(at("prediction")?, 1.0);
            /// let sum = at("base_value")? + at("contribution_size")? + at("contribution_red")?;
            /// assert!((sum - 1.0).abs() < 1e-12);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`score`](Self::score); more than two classes without an event.
            pub fn contributions(&self, df: &DataFrame) -> Result<DataFrame> {
                self.contributions_with(df, &ContributionSpec::default())
            }

            /// [`contributions`](Self::contributions) to the probability of a class of one's own.
            ///
            /// # Errors
            /// As [`contributions`](Self::contributions); an event that is no class of the target.
            pub fn contributions_with(
                &self,
                df: &DataFrame,
                spec: &ContributionSpec,
            ) -> Result<DataFrame> {
                in_pool(spec.threads, || ModelRef::from(self).contributions(df, spec))
            }

            /// The features by how much they contribute to the answers for the rows of a frame, the most
            /// first and the earlier of equals: `rank u32, feature str, mean_absolute f64`, of classes `event str`; the mean of
            /// the absolute [contributions](Self::contributions), in the unit of the answer. Each row
            /// counts alike. Memory does not grow with the rows.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
            /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
            /// let ranking = tree.contribution_importance(&df, &ContributionSpec::default())?;
            /// assert_eq!(ranking.column("feature")?.str()?.get(0), Some("x"));
            /// assert_eq!(ranking.column("mean_absolute")?.f64()?.get(0), Some(1.5));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`contributions_with`](Self::contributions_with), and a frame without rows.
            pub fn contribution_importance(
                &self,
                df: &DataFrame,
                spec: &ContributionSpec,
            ) -> Result<DataFrame> {
                in_pool(spec.threads, || ModelRef::from(self).contribution_importance(df, spec))
            }

            /// How the features work together in the model's answer for each row, in pairs (Lundberg,
            /// Erion & Lee 2018): `row u32`, counted from 0, `feature str`, `other str` and
            /// `interaction f64`, of classes `event str`, a line for each row and each pair of the features that rules test, in the
            /// model's order. Where both are the same feature it is its main effect; else it is what the
            /// two contribute together beyond what each does without the other, both halves of
            /// SHAP's symmetric matrix. The base value and the lines of a row sum to its prediction, and a
            /// feature's main effect and half of its pairs to its
            /// [contribution](Self::contributions).
            ///
            /// `O(leaves * d^3)` a row, where a path tests at most d distinct features.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// // Neither tells anything alone.
            /// let df = df!["a" => [0, 0, 1, 1], "b" => [0, 1, 0, 1], "y" => [0.5, 2.5, 2.5, 0.5]]?;
            /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
            /// let pairs = tree.interactions(&df, &ContributionSpec::default())?;
            /// let of_first: Vec<f64> = pairs.column("interaction")?.f64()?.into_no_null_iter().take(3).collect();
            /// assert_eq!(of_first, [0.0, -1.0, 0.0]); // a, a and b, b
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`contributions_with`](Self::contributions_with), and rules that test more than 30 features.
            pub fn interactions(&self, df: &DataFrame, spec: &ContributionSpec) -> Result<DataFrame> {
                in_pool(spec.threads, || ModelRef::from(self).interactions(df, spec))
            }
        }
    )*};
}

contribution_verbs!(Tree, Forest, Model);
