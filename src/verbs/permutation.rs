//! The importance of features by permutation.

use std::collections::{HashMap, HashSet};

use super::evaluate::{no_rows, target_of};
use super::frame::{Frame, NamedColumns};
use super::importance::ranked;
use super::model_ref::ModelRef;
use super::table::FromResults;
use crate::error::{Error, Result, no_such_column};
use crate::fitted::Forest;
use crate::score::{Actual, Group, JudgedRows};
use crate::spec::{PermutationLoss, PermutationSpec};
use crate::tree::Schema;
use crate::tree::forest_data::ForestData;
use crate::util::means::MeanOfNumbers;

/// How often a feature is permuted where the spec does not say.
const USUAL_REPEATS: u32 = 5;

/// How much the loss rises where a feature, or a group of them, is permuted.
pub(super) struct Increase {
    pub(super) name: String,
    pub(super) of_loss: MeanOfNumbers,
}

impl Forest {
    /// [`permutation_importance`](crate::ModelVerbs::permutation_importance) on the rows the forest was
    /// fitted on, out of bag (Breiman 2001): each tree answers the rows that it did not draw, with their
    /// values and with a feature's values permuted among them. `importance` is the mean over the trees,
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
    /// As [`permutation_importance`](crate::ModelVerbs::permutation_importance); rows that the forest was
    /// not fitted on, and trees that have all rows.
    pub fn out_of_bag_importance<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<F::Table> {
        Ok(self.out_of_bag_importance_with_note(frame, spec)?.0)
    }

    /// [`out_of_bag_importance`](Self::out_of_bag_importance), and a note where no answer changed.
    ///
    /// # Errors
    /// As [`out_of_bag_importance`](Self::out_of_bag_importance).
    pub fn out_of_bag_importance_with_note<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<(F::Table, Option<String>)> {
        let columns = frame.columns(&ModelRef::from(self).weighted_columns().into())?;
        F::in_pool(spec.threads, || table_and_note(&self.increases_by_tree(&columns, spec)?, spec))
    }

    /// By how much the loss of the rows of a frame rises, the most first.
    pub(super) fn increases<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<Vec<Increase>> {
        self.increases_answered_by(None, frame, spec)
    }

    /// [`increases`](Self::increases) of up to `most` training rows, evenly spaced. All trees that left a
    /// row out answer it. Also gives the number of rows that are answered.
    #[cfg(feature = "plot")]
    pub(super) fn increases_out_of_bag<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
        most: usize,
    ) -> Result<(Vec<Increase>, usize)> {
        let training = self.training_rows(frame)?;
        let (frame, weights) = (training.frame(), training.weights());
        let actual = &actual(self.schema(), frame)?;
        let rows = evenly_spaced(frame.n_rows(), most);
        let masks = |first: u32| {
            let trees = first..(first + u64::BITS).min(self.n_trees() as u32);
            let masks = self.left_out(trees, actual, weights)?;
            Ok(rows.iter().map(|&row| masks[row as usize]).collect())
        };
        let masks = (0..self.n_trees() as u32).step_by(u64::BITS as usize).map(masks);
        let masks = masks.collect::<Result<Vec<Vec<u64>>>>()?;
        let is_left_out = |row: &usize| masks.iter().any(|masks| masks[*row] > 0);
        let n_answered = (0..rows.len()).filter(is_left_out).count();
        let some = frame.rows(&rows)?;
        Ok((self.increases_answered_by(Some(masks), &some, spec)?, n_answered))
    }

    /// `left_out` is that of [`JudgedRows`].
    fn increases_answered_by<F: NamedColumns>(
        &self,
        left_out: Option<Vec<Vec<u64>>>,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<Vec<Increase>> {
        let groups = NamedGroups::new(self, spec)?;
        let actual = &actual(self.schema(), frame)?;
        let repeats = spec.repeats.unwrap_or(USUAL_REPEATS);
        let rows = JudgedRows { actual, loss: loss(spec), repeats, left_out, spec };
        let (column, known) = (|name: &str| frame.column_to_score(name), frame.names());
        let increases = self.prepared().loss_increases(&rows, &groups.groups, column, &known)?;
        Ok(groups.ranked(&increases))
    }

    /// By how much the loss of the training rows rises, a mean over the trees: each tree answers the rows
    /// that it left out.
    fn increases_by_tree<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<Vec<Increase>> {
        let groups = NamedGroups::new(self, spec)?;
        let training = self.training_rows(frame)?;
        let (frame, weights) = (training.frame(), training.weights());
        let actual = &actual(self.schema(), frame)?;
        let repeats = spec.repeats.unwrap_or(1);
        let rows = JudgedRows { actual, loss: loss(spec), repeats, left_out: None, spec };
        let (column, known) = (|name: &str| frame.column_to_score(name), frame.names());
        let of = &groups.groups;
        let increases = self.loss_increases_out_of_bag(&rows, weights, of, column, &known)?;
        Ok(groups.ranked(&increases))
    }
}

impl ModelRef<'_> {
    /// The table of `permutation_importance` and its note, in the current pool.
    pub(super) fn permutation_importance<F: NamedColumns>(
        self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<(F::Table, Option<String>)> {
        let of_tree;
        let forest = match self {
            ModelRef::Forest(forest) => forest,
            ModelRef::Tree(tree) => {
                of_tree = Forest::from(ForestData::of_tree(tree));
                &of_tree
            }
        };
        table_and_note(&forest.increases(frame, spec)?, spec)
    }
}

/// The indices of up to `most` of `n` rows, evenly spaced.
#[cfg(feature = "plot")]
pub(super) fn evenly_spaced(n: usize, most: usize) -> Vec<u32> {
    let wanted = n.min(most);
    (0..wanted).map(|at| (at * n / wanted) as u32).collect()
}

/// Increases as a table, and what to know of it.
fn table_and_note<T: FromResults>(
    rows: &[Increase],
    spec: &PermutationSpec,
) -> Result<(T, Option<String>)> {
    let z = |MeanOfNumbers { mean, standard_error }: &MeanOfNumbers| {
        standard_error.filter(|&error| error > 0.0).map(|error| mean / error)
    };
    let table = ranked(rows.iter().map(|row| row.name.as_str()))
        .add("importance", rows.iter().map(|row| row.of_loss.mean))
        .add("standard_error", rows.iter().map(|row| row.of_loss.standard_error))
        .add("z", rows.iter().map(|row| z(&row.of_loss)));
    Ok((table.into_table()?, note(rows, spec)))
}

/// How answers are judged; numbers have one loss, whatever this says.
fn loss(spec: &PermutationSpec) -> PermutationLoss {
    spec.loss.unwrap_or(PermutationLoss::Brier)
}

/// Says that no answer changed, if none did.
fn note(rows: &[Increase], spec: &PermutationSpec) -> Option<String> {
    if rows.iter().any(|row| row.of_loss.mean != 0.0) {
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
fn actual<F: NamedColumns>(schema: &Schema, frame: &F) -> Result<Actual> {
    if frame.n_rows() == 0 {
        return Err(no_rows());
    }
    schema.actual(&target_of(schema, frame)?)
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
