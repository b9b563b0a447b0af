//! The importance of features by permutation, as a frame.

use std::collections::{HashMap, HashSet};

use polars::prelude::{DataFrame, Float64Chunked};
#[cfg(feature = "plot")]
use polars::prelude::{IdxCa, IdxSize};

use crate::adapters::common::evaluate::{no_rows, target_of};
use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::common::request::NamedColumns;
use crate::adapters::common::tables::{ResultTable, ranked_names};
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::frame;
use crate::error::{Error, Result, no_such_column};
use crate::fitted::{Forest, Model, Tree};
use crate::score::{Actual, Group, JudgedRows};
use crate::spec::{PermutationLoss, PermutationSpec};
use crate::tree::Schema;
use crate::tree::forest_data::ForestData;
use crate::util::means::MeanOfNumbers;

/// How often a feature is permuted where the spec does not say.
const USUAL_REPEATS: u32 = 5;

macro_rules! permutation_verbs {
    ($($model:ident),*) => {$(
        /// Permutation importance.
        impl $model {
            /// How much worse the model answers the rows of a frame where a feature's values are permuted
            /// among them, most important first: `rank u32, feature str, importance f64,
            /// standard_error f64?, z f64?`.
            ///
            /// `importance` is by how much the [loss](crate::PermutationLoss) of the rows rises: by default the
            /// Brier score of classes, and the mean squared error of numbers. It is the mean over the
            /// [repeats](PermutationSpec::repeats), `standard_error` its standard error over them, and `z`
            /// the mean in standard errors. Rows that training had not seen tell what the features do for new
            /// ones. Of features that say the same each may seem to matter little: make a
            /// [group](PermutationSpec::group) of them. `O(features * repeats)` times scoring.
            ///
            /// ```
            /// use gaintree::PermutationSpec;
            /// use gaintree::prelude::*;
            /// use polars::prelude::*;
            ///
            /// let df = df!["size" => [1, 2, 3, 7, 8, 9], "mood" => [1, 2, 1, 2, 1, 2], "ripe" => [0, 0, 0, 1, 1, 1]]?;
            /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
            /// let table = tree.permutation_importance(&df, &PermutationSpec::default())?;
            /// assert_eq!(table.column("feature")?.str()?.get(0), Some("size"));
            /// assert_eq!(table.column("importance")?.f64()?.get(1), Some(0.0));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`evaluation`](Self::evaluation); a group of no feature, a feature that the model does not
            /// know or that is in two groups, no repeat, a loss of classes for a model of numbers, and the
            /// area under the ROC curve of rows of one class.
            pub fn permutation_importance(
                &self,
                df: &DataFrame,
                spec: &PermutationSpec,
            ) -> Result<DataFrame> {
                in_pool(spec.threads, || permutation_importance(self.into(), df, spec))
            }
        }
    )*};
}

permutation_verbs!(Tree, Forest, Model);

impl Forest {
    /// [`permutation_importance`](Self::permutation_importance) on the rows the forest was fitted on, out
    /// of bag (Breiman 2001): each tree answers the rows that it did not draw, with their values and
    /// with a feature's values permuted among them. `importance` is the mean over the trees,
    /// `standard_error` its standard error over them.
    ///
    /// ```
    /// use gaintree::PermutationSpec;
    /// use gaintree::prelude::*;
    /// use polars::prelude::*;
    ///
    /// let df = df!["size" => [1, 2, 3, 7, 8, 9], "ripe" => [0, 0, 0, 1, 1, 1]]?;
    /// let forest = df.fit_forest("ripe", &ForestSpec::default().trees(50).seed(1))?.forest;
    /// let table = forest.out_of_bag_importance(&df, &PermutationSpec::default())?;
    /// assert!(table.column("importance")?.f64()?.get(0) > Some(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`permutation_importance`](Self::permutation_importance); rows that the forest was not fitted
    /// on, and trees that have all rows.
    pub fn out_of_bag_importance(
        &self,
        df: &DataFrame,
        spec: &PermutationSpec,
    ) -> Result<DataFrame> {
        in_pool(spec.threads, || frame(table(self.increases_by_tree(df, spec)?)))
    }
}

/// `Tree::permutation_importance`, in the current pool.
fn permutation_importance(
    model: ModelRef,
    df: &DataFrame,
    spec: &PermutationSpec,
) -> Result<DataFrame> {
    let of_tree;
    let forest = match model {
        ModelRef::Forest(forest) => forest,
        ModelRef::Tree(tree) => {
            of_tree = Forest::from(ForestData::of_tree(tree));
            &of_tree
        }
    };
    frame(table(forest.increases(df, spec)?))
}

/// How much the loss rises where a feature, or a group of them, is permuted.
pub(in crate::adapters::frame) struct Increase {
    pub(in crate::adapters::frame) name: String,
    pub(in crate::adapters::frame) of_loss: MeanOfNumbers,
}

impl Forest {
    /// By how much the loss of the rows of a frame rises, the most first.
    pub(in crate::adapters::frame) fn increases(
        &self,
        df: &DataFrame,
        spec: &PermutationSpec,
    ) -> Result<Vec<Increase>> {
        self.increases_answered_by(None, df, spec)
    }

    /// [`increases`](Self::increases) of up to `most` training rows, evenly spaced. All trees that left a
    /// row out answer it. Also gives the number of rows that are answered.
    #[cfg(feature = "plot")]
    pub(in crate::adapters::frame) fn increases_out_of_bag(
        &self,
        df: &DataFrame,
        spec: &PermutationSpec,
        most: usize,
    ) -> Result<(Vec<Increase>, usize)> {
        let training = self.training_frame(df)?;
        let (df, weights) = (training.df(), training.weights());
        let actual = &actual(self.schema(), df)?;
        let rows = evenly_spaced(df.height(), most);
        let masks = |first: u32| {
            let trees = first..(first + u64::BITS).min(self.n_trees() as u32);
            let masks = self.left_out(trees, actual, weights)?;
            Ok(rows.iter().map(|&row| masks[row as usize]).collect())
        };
        let masks = (0..self.n_trees() as u32).step_by(u64::BITS as usize).map(masks);
        let masks = masks.collect::<Result<Vec<Vec<u64>>>>()?;
        let is_left_out = |row: &usize| masks.iter().any(|masks| masks[*row] > 0);
        let n_answered = (0..rows.len()).filter(is_left_out).count();
        let some = df.take(&IdxCa::from_vec("".into(), rows))?;
        Ok((self.increases_answered_by(Some(masks), &some, spec)?, n_answered))
    }

    /// `left_out` is that of [`JudgedRows`].
    fn increases_answered_by(
        &self,
        left_out: Option<Vec<Vec<u64>>>,
        df: &DataFrame,
        spec: &PermutationSpec,
    ) -> Result<Vec<Increase>> {
        let groups = NamedGroups::new(self, spec)?;
        let actual = &actual(self.schema(), df)?;
        let repeats = spec.repeats.unwrap_or(USUAL_REPEATS);
        let rows = JudgedRows { actual, loss: loss(spec), repeats, left_out, spec };
        let (column, known) = (|name: &str| df.column_to_score(name), names(df));
        let increases = self.prepared().loss_increases(&rows, &groups.groups, column, &known)?;
        Ok(groups.ranked(&increases))
    }

    /// By how much the loss of the training rows rises, a mean over the trees: each tree answers the rows
    /// that it left out.
    fn increases_by_tree(&self, df: &DataFrame, spec: &PermutationSpec) -> Result<Vec<Increase>> {
        let groups = NamedGroups::new(self, spec)?;
        let training = self.training_frame(df)?;
        let (df, weights) = (training.df(), training.weights());
        let actual = &actual(self.schema(), df)?;
        let repeats = spec.repeats.unwrap_or(1);
        let rows = JudgedRows { actual, loss: loss(spec), repeats, left_out: None, spec };
        let (column, known) = (|name: &str| df.column_to_score(name), names(df));
        let of = &groups.groups;
        let increases = self.loss_increases_out_of_bag(&rows, weights, of, column, &known)?;
        Ok(groups.ranked(&increases))
    }
}

/// The indices of up to `most` of `n` rows, evenly spaced.
#[cfg(feature = "plot")]
pub(in crate::adapters::frame) fn evenly_spaced(n: usize, most: usize) -> Vec<IdxSize> {
    let wanted = n.min(most);
    (0..wanted).map(|at| (at * n / wanted) as IdxSize).collect()
}

/// Increases as a table.
fn table(rows: Vec<Increase>) -> ResultTable {
    let z = |MeanOfNumbers { mean, standard_error }: &MeanOfNumbers| {
        standard_error.filter(|&error| error > 0.0).map(|error| mean / error)
    };
    ranked_names(rows.iter().map(|row| row.name.clone()))
        .add("importance", rows.iter().map(|row| row.of_loss.mean))
        .add("standard_error", rows.iter().map(|row| row.of_loss.standard_error))
        .add("z", rows.iter().map(|row| z(&row.of_loss)))
}

/// How answers are judged; numbers have one loss, whatever this says.
fn loss(spec: &PermutationSpec) -> PermutationLoss {
    spec.loss.unwrap_or(PermutationLoss::Brier)
}

/// What to know of a table of [`Tree::permutation_importance`] or [`Forest::out_of_bag_importance`], if there is
/// something: that no answer changed.
///
/// ```
/// use gaintree::prelude::*;
/// use gaintree::{PermutationLoss, PermutationSpec, permutation_note};
/// use polars::prelude::*;
///
/// let df = df!["size" => [1, 1, 1, 2, 2, 2], "ripe" => [0, 0, 0, 1, 0, 0]]?;
/// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
/// let spec = PermutationSpec::default().loss(PermutationLoss::Error);
/// let table = tree.permutation_importance(&df, &spec)?;
/// assert!(permutation_note(&table, &spec).is_some_and(|note| note.contains("loss = brier")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn permutation_note(table: &DataFrame, spec: &PermutationSpec) -> Option<String> {
    let importance = table.column("importance").and_then(|column| column.f64());
    let is_zero = |column: &Float64Chunked| column.iter().flatten().all(|of| of == 0.0);
    if !importance.is_ok_and(is_zero) {
        return None;
    }
    let note = match spec.loss {
        Some(PermutationLoss::Error) => {
            "no permuted feature changes the share of wrong predictions, as is usual where a class is \
             rare: judge the probabilities (loss = brier, --loss brier)"
        }
        _ => {
            "no permuted feature changes an answer: the model has no rule, or the features that it uses \
             have one value each in these rows"
        }
    };
    Some(note.to_string())
}

/// The targets of the rows of a frame, which has some.
fn actual(schema: &Schema, df: &DataFrame) -> Result<Actual> {
    if df.height() == 0 {
        return Err(no_rows());
    }
    schema.actual(&target_of(schema, df)?)
}

/// What is permuted: groups, and the features that are in none, in the order of their first features.
struct NamedGroups {
    names: Vec<String>,
    groups: Vec<Group>,
}

impl NamedGroups {
    /// Of a forest's features, as a spec has them.
    fn new(forest: &Forest, spec: &PermutationSpec) -> Result<NamedGroups> {
        if spec.repeats == Some(0) {
            return Err(Error::spec("repeats is 0; a feature is permuted at least once"));
        }
        if let Some(loss) = spec.loss
            && forest.is_regression()
        {
            return Err(Error::spec(format!(
                "loss {} is of classes, but the model's target `{}` is a number: leave it out, and the \
                 loss is the squared error",
                loss.name(),
                forest.schema().target
            )));
        }
        let known: Vec<&str> = forest.schema().features.iter().map(|f| f.name.as_str()).collect();
        let places: HashMap<&str, usize> = known.iter().copied().zip(0..).collect();
        let mut is_free = vec![true; known.len()];
        let mut named: Vec<(String, Group)> = Vec::new();
        for group in &spec.groups {
            let name = &group.name;
            if group.features.is_empty() {
                return Err(Error::spec(format!("group `{name}` has no feature: name some")));
            }
            let mut indices = Vec::with_capacity(group.features.len());
            for feature in &group.features {
                let at = *places
                    .get(feature.as_str())
                    .ok_or_else(|| no_such_column("feature of the group", feature, &known))?;
                if !std::mem::take(&mut is_free[at]) {
                    return Err(Error::spec(format!(
                        "feature `{feature}` is in the groups twice: it is permuted with one of them"
                    )));
                }
                indices.push(at as u32);
            }
            indices.sort_unstable();
            named.push((name.clone(), indices));
        }
        let free = (0..known.len()).filter(|&at| is_free[at]);
        named.extend(free.map(|at| (known[at].to_string(), vec![at as u32])));
        named.sort_by_key(|(_, group)| group[0]);
        let (names, groups): (Vec<String>, Vec<Group>) = named.into_iter().unzip();
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(Error::spec(format!(
                "two lines of the table would be called `{name}`: give the group another name"
            )));
        }
        Ok(NamedGroups { names, groups })
    }

    /// How much the loss of each group rises, the most first.
    fn ranked(self, increases: &[Vec<f64>]) -> Vec<Increase> {
        let rows = self.names.into_iter().zip(increases);
        let mut rows: Vec<Increase> = rows
            .map(|(name, of_group)| Increase {
                name,
                of_loss: MeanOfNumbers::new(of_group.iter().copied()),
            })
            .collect();
        rows.sort_by(|a, b| b.of_loss.mean.total_cmp(&a.of_loss.mean));
        rows
    }
}
