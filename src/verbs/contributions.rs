//! How much each feature contributes to a model's answers for the rows of a frame.

use super::explain_row::{NO_ROW, check_row};
use super::frame::NamedColumns;
use super::importance::ranked_features;
use super::model_ref::ModelRef;
use super::table::{ResultColumn, ResultTable};
use crate::data::column_data::{Source, only_text};
use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};
use crate::explain::{FeatureStep, Waterfall};
use crate::score::{Asked, ContributionModel, TileContributions};
use crate::spec::ContributionSpec;
use crate::util::parallel;

/// Interactions are of at most this number of features.
const MAX_INTERACTING: usize = 30;

/// The contributions to the answers for the rows of a frame.
pub(super) struct FrameContributions {
    pub(super) base_value: f64,
    /// One a row.
    pub(super) predictions: Vec<f64>,
    /// Each feature that rules test, in the model's order, with a contribution a row.
    pub(super) of_features: Vec<(u32, Vec<f64>)>,
}

/// The work of each verb, in the current pool.
impl<'a> ModelRef<'a> {
    /// The class whose probability is explained, as text for the tables.
    fn explained_text(self, spec: &ContributionSpec) -> Result<Option<String>> {
        Ok(self.tree_data().explained_class(spec)?.map(|class| self.schema().class_text(class)))
    }

    /// The model, asked for what a spec is about.
    fn contribution_model(self, spec: &ContributionSpec) -> Result<ContributionModel<'a>> {
        let class = self.tree_data().explained_class(spec)?;
        Ok(match self {
            ModelRef::Tree(tree) => tree.prepared().contribution_model(class),
            ModelRef::Forest(forest) => forest.prepared().contribution_model(class),
        })
    }

    /// The contributions to the answers for the rows of a frame.
    pub(super) fn contributions_to<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<FrameContributions> {
        let model = self.contribution_model(spec)?;
        let tiles = of_tiles(&model, frame, spec, false, |tile| tile)?;
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

    /// The table of `contributions`.
    pub(super) fn contributions<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let FrameContributions { base_value, predictions, of_features } =
            self.contributions_to(frame, spec)?;
        let n_rows = frame.n_rows();
        let mut table = ResultTable::default()
            .add_event(self.explained_text(spec)?, n_rows)
            .add_floats("prediction", predictions)
            .repeat("base_value", base_value, n_rows);
        let mut tested = of_features.into_iter().peekable();
        for (at, feature) in (0..).zip(&self.schema().features) {
            let name = format!("contribution_{}", feature.name);
            table = match tested.next_if(|(feature, _)| *feature == at) {
                Some((_, values)) => table.add_floats(name, values),
                None => table.repeat(&name, 0.0, n_rows),
            };
        }
        table.into_table()
    }

    /// The table of `contribution_importance`.
    pub(super) fn contribution_importance<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let model = self.contribution_model(spec)?;
        let sums = |tile: TileContributions| -> Vec<f64> {
            let absolute = |of_rows: &Vec<f64>| of_rows.iter().map(|x| x.abs()).sum();
            tile.of_features.iter().map(absolute).collect()
        };
        let tiles = of_tiles(&model, frame, spec, false, sums)?;
        if frame.n_rows() == 0 {
            return Err(Error::data(NO_ROW));
        }
        let schema = self.schema();
        let mut means = vec![0.0; schema.features.len()];
        // Tile by tile in order, so that threads change no digit.
        for (lane, &feature) in model.used_features().iter().enumerate() {
            let sum = tiles.iter().map(|tile| tile[lane]).sum::<f64>();
            means[feature as usize] = sum / frame.n_rows() as f64;
        }
        let mean = |&feature: &u32| -> f64 { means[feature as usize] };
        let mut order: Vec<u32> = (0..means.len() as u32).collect();
        // Stable: equals stay in the schema's order.
        order.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        ranked_features(schema, order.iter().copied())
            .add("mean_absolute", order.iter().map(mean))
            .add_event(self.explained_text(spec)?, order.len())
            .into_table()
    }

    /// The table of `interactions`.
    pub(super) fn interactions<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let model = self.contribution_model(spec)?;
        let used = model.used_features();
        if used.len() > MAX_INTERACTING {
            return Err(Error::spec(format!(
                "the model's rules test {} features, and interactions are of at most \
                 {MAX_INTERACTING}: fit it on fewer",
                used.len()
            )));
        }
        let of_rows = of_tiles(&model, frame, spec, true, |tile| {
            let of_row = |row: usize| tile.of_pairs.iter().map(move |of_rows| of_rows[row]);
            (0..tile.predictions.len()).flat_map(of_row).collect::<Vec<f64>>()
        })?;
        let n_rows = frame.n_rows();
        let lanes = 0..used.len() as u32;
        let pairs: Vec<[u32; 2]> =
            lanes.clone().flat_map(|one| (one..lanes.end).map(move |other| [one, other])).collect();
        let name =
            |&feature: &u32| Value::Text(self.schema().features[feature as usize].name.clone());
        let names: Vec<Value> = used.iter().map(name).collect();
        let side = |side: usize| {
            let names = ResultColumn::Values(&DType::String, names.as_slice().into());
            let of_rows = (0..n_rows).flat_map(|_| pairs.iter().map(|pair| pair[side]));
            names.of_rows(of_rows.collect())
        };
        let rows = (0..n_rows as u32).flat_map(|row| std::iter::repeat_n(row, pairs.len()));
        ResultTable::default()
            .add("row", rows)
            .push("feature", side(0))
            .push("other", side(1))
            .add_floats("interaction", of_rows.concat())
            .add_event(self.explained_text(spec)?, n_rows * pairs.len())
            .into_table()
    }

    /// What the features contribute to the answer for a row, counted from 0.
    pub(super) fn steps_of_row<F: NamedColumns>(
        self,
        frame: &F,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<Waterfall> {
        check_row(frame.n_rows(), row)?;
        let one = frame.rows(&[row as u32])?;
        let schema = self.schema();
        let FrameContributions { base_value, predictions, of_features } =
            self.contributions_to(&one, spec).map_err(|e| e.of_part(row))?;
        let mut features = Vec::new();
        for (feature, contributions) in of_features {
            let feature = schema.features[feature as usize].name.clone();
            let cell = one.column_to_score(&feature)?;
            let is_float = cell.as_ref().is_some_and(|cell| cell.dtype().is_float());
            let value = cell.and_then(|cell| only_text(&cell));
            features.push(FeatureStep { feature, value, is_float, contribution: contributions[0] });
        }
        // Stable: equals stay in the model's order.
        features.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
        Ok(Waterfall { base_value, prediction: predictions[0], features })
    }

    /// The table of `waterfall`.
    pub(super) fn waterfall<F: NamedColumns>(
        self,
        frame: &F,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let Waterfall { base_value, prediction, features } = self.steps_of_row(frame, row, spec)?;
        let each = || std::iter::once(None).chain(features.iter().map(Some));
        let mut answers = vec![base_value];
        for feature in &features {
            answers.push(answers[answers.len() - 1] + feature.contribution);
        }
        // The sum, but for rounding.
        answers[features.len()] = prediction;
        ResultTable::default()
            .add("feature", each().map(|step| Some(step?.feature.as_str())))
            .add("value", each().map(|step| step?.value.as_deref()))
            .add("contribution", each().map(|step| Some(step?.contribution)))
            .add_floats("answer", answers)
            .add_event(self.explained_text(spec)?, features.len() + 1)
            .into_table()
    }
}

/// What is made of the contributions of each tile of a frame's rows.
fn of_tiles<F: NamedColumns, T: Send>(
    model: &ContributionModel,
    frame: &F,
    spec: &ContributionSpec,
    pairs: bool,
    of_tile: impl Fn(TileContributions) -> T + Sync,
) -> Result<Vec<T>> {
    let column = |name: &str| frame.column_to_score(name);
    let asked = Asked { pairs, monitor: spec.monitor.as_ref() };
    model.of_tiles(frame.n_rows(), column, &frame.names(), asked, of_tile)
}
