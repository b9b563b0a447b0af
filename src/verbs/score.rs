//! Scoring: the columns that a model adds to rows.

use std::borrow::Cow;
use std::collections::HashMap;

use super::frame::{Frame, NamedColumns, Needed};
use super::model_ref::ModelRef;
use super::score_spec::{ScoreReport, ScoreSpec};
use super::table::ResultColumn;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::score::{ForestAnswers, Routes, Scorable};
use crate::tree::Schema;

impl ModelRef<'_> {
    /// `ModelVerbs::score_with_report`.
    pub(crate) fn score<F: Frame + ?Sized>(
        self,
        frame: &F,
        spec: &ScoreSpec,
    ) -> Result<(F::Table, ScoreReport)> {
        spec.check(self)?;
        let needed = match &spec.keep {
            None => Needed::All,
            Some(keep) => {
                Needed::Checked(self.used_names().chain(keep.iter().map(String::as_str)).collect())
            }
        };
        let columns = frame.columns(&needed)?;
        let names = columns.names();
        let mut indices = HashMap::new();
        if spec.keep.is_some() {
            // The first of equal names.
            indices.extend(names.iter().enumerate().rev().map(|(at, name)| (*name, at)));
        }
        let find = |name: &str| indices.get(name).copied();
        let kept = spec.kept(0..names.len(), find, || names.clone())?;
        let (table, absent_levels) =
            F::in_pool(spec.threads, || columns.scored(self, &kept, spec))?;
        Ok((table, ScoreReport { rows: columns.n_rows() as u64, absent_levels }))
    }
}

/// Columns with their names, and how many rows met a level that was absent in training.
pub(crate) type Added<C> = (Vec<(String, C)>, u64);

/// The columns that scoring makes, as a face has them.
pub(crate) trait ScoredColumns {
    /// A column of the face.
    type Made;

    /// A column of the face.
    fn column(name: &str, values: ResultColumn) -> Result<Self::Made>;

    /// The class that a tree predicts for each row, as a column of the target's dtype, and how many
    /// rows met an absent level.
    fn labels(name: &str, tree: &Tree, ends: impl Scorable) -> Result<(Self::Made, u64)>;

    /// The added columns of rows that are routed.
    fn of_routes(tree: &Tree, routes: Routes, spec: &ScoreSpec) -> Result<Added<Self::Made>> {
        let name = spec.name("prediction");
        let (predictions, absent) = Self::predictions(&name, tree, &routes)?;
        let mut added = vec![(name, predictions)];
        let n_shares = if spec.probability { tree.schema().classes.len() } else { 0 };
        for class in 0..n_shares {
            let shares = tree.probabilities(&routes, class);
            added.push(Self::named(spec, probability(tree.schema(), class, shares))?);
        }
        if spec.leaf {
            let ids = ResultColumn::Ids(routes.nodes);
            added.push(Self::named(spec, ("leaf_id".to_string(), ids))?);
        }
        Ok((added, absent))
    }

    /// The added columns of rows that a forest has answered.
    fn of_answers(
        forest: &Forest,
        answers: ForestScores,
        spec: &ScoreSpec,
    ) -> Result<Added<Self::Made>> {
        let absent_levels = answers.absent_levels;
        let columns = answers.columns(forest.schema());
        let added = columns.map(|column| Self::named(spec, column)).collect::<Result<_>>()?;
        Ok((added, absent_levels))
    }

    /// An added column, with its name after the prefix.
    fn named(
        spec: &ScoreSpec,
        (name, values): (String, ResultColumn),
    ) -> Result<(String, Self::Made)> {
        let name = spec.name(&name);
        let column = Self::column(&name, values)?;
        Ok((name, column))
    }

    /// The predictions of a tree, and how many rows met an absent level.
    fn predictions(name: &str, tree: &Tree, ends: impl Scorable) -> Result<(Self::Made, u64)> {
        if !tree.is_regression() {
            return Self::labels(name, tree, ends);
        }
        let (means, absent_levels) = ends.score(&tree.prepared().mean_outputs())?;
        let means = ResultColumn::Floats(&tree.schema().target_dtype, means);
        Ok((Self::column(name, means)?, absent_levels))
    }
}

/// What a forest says of rows, class by class.
#[derive(Default)]
pub(crate) struct ForestScores {
    /// None in regression.
    classes: Vec<u32>,
    means: Vec<f64>,
    /// Of each class; none where they are not asked for.
    pub(crate) shares: Vec<Vec<f64>>,
    absent_levels: u64,
}

impl ForestScores {
    /// Of no rows yet, with the shares of all classes or of none.
    pub(crate) fn of_no_rows(schema: &Schema, wants_shares: bool) -> ForestScores {
        let n_shares = if wants_shares { schema.classes.len() } else { 0 };
        ForestScores { shares: vec![Vec::new(); n_shares], ..ForestScores::default() }
    }

    /// Adds the answers for later rows.
    pub(crate) fn append(&mut self, later: ForestAnswers, n_classes: usize) {
        self.absent_levels += later.absent_levels;
        for (class, shares) in self.shares.iter_mut().enumerate() {
            shares.extend(later.probabilities(class, n_classes));
        }
        match n_classes {
            0 => self.means.extend(later.values),
            _ => self.classes.extend(later.classes),
        }
    }

    /// The predictions.
    pub(crate) fn predictions(self, schema: &Schema) -> ResultColumn<'_> {
        predictions(schema, self.classes, self.means)
    }

    /// `prediction`, and the probabilities of the classes whose shares there are.
    pub(super) fn columns(
        self,
        schema: &Schema,
    ) -> impl Iterator<Item = (String, ResultColumn<'_>)> {
        let prediction = predictions(schema, self.classes, self.means);
        let shares = self.shares.into_iter().enumerate();
        let shares = shares.map(|(class, shares)| probability(schema, class, shares));
        std::iter::once(("prediction".to_string(), prediction)).chain(shares)
    }
}

/// The column of a class's probabilities, with its name.
fn probability(schema: &Schema, class: usize, shares: Vec<f64>) -> (String, ResultColumn<'static>) {
    let name = format!("probability_{}", schema.class_text(class));
    (name, ResultColumn::Floats(&DType::F64, shares))
}

/// The column of predictions: labels of classes, or means where the target is a number.
pub(super) fn predictions(schema: &Schema, classes: Vec<u32>, means: Vec<f64>) -> ResultColumn<'_> {
    let dtype = &schema.target_dtype;
    match schema.classes.is_empty() {
        true => ResultColumn::Floats(dtype, means),
        false => ResultColumn::Values(dtype, Cow::Borrowed(&schema.classes)).of_rows(classes),
    }
}
