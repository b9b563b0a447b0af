//! What a forest answers for rows, as columns.

use polars::prelude::Column;

use super::predictions::{gather, labels, means_column, probability_column};
use super::rows::RowsToScore;
use crate::error::Result;
use crate::fitted::Forest;
use crate::score::{ForestAnswers, INLINE_ROWS};
use crate::verbs::ScoreSpec;

/// What a forest answers for all rows.
#[derive(Default)]
struct Answers {
    /// None in regression.
    classes: Vec<u32>,
    means: Vec<f64>,
    /// Of each class; none where they are not asked for.
    shares: Vec<Vec<f64>>,
    absent_levels: u64,
}

impl RowsToScore<'_> {
    /// The added columns, and how many rows have a level that no training row had.
    pub(super) fn added_by_forest(
        self,
        forest: &Forest,
        spec: &ScoreSpec,
    ) -> Result<(Vec<Column>, u64)> {
        let answers = self.answers_of(forest, spec.probability)?;
        let absent_levels = answers.absent_levels;
        Ok((forest.added(answers, spec)?, absent_levels))
    }

    /// The prediction of each row.
    pub(super) fn predictions_of(self, forest: &Forest, name: &str) -> Result<Column> {
        let Answers { classes, means, .. } = self.answers_of(forest, false)?;
        forest.prediction(name, (classes, means))
    }

    /// The probability of each class in each row, class by class.
    pub(super) fn shares_of(self, forest: &Forest) -> Result<Vec<Vec<f64>>> {
        Ok(self.answers_of(forest, true)?.shares)
    }

    /// Batch by batch, so that the shares of all classes are there for one batch at a time.
    fn answers_of(self, forest: &Forest, wants_shares: bool) -> Result<Answers> {
        let n_classes = forest.schema().classes.len();
        let n_shares = if wants_shares { n_classes } else { 0 };
        let mut all = Answers::of_no_rows(n_shares, self.n_rows);
        // Columns are checked where there are no rows, too.
        for start in (0..self.n_rows.max(1)).step_by(INLINE_ROWS) {
            let rows = start..self.n_rows.min(start + INLINE_ROWS);
            let (first, known) = self.place(&rows);
            let source = |name: &str| self.source(name, &rows);
            let some = forest.prepared().answers(rows.len(), first, self.voting, source, known)?;
            all.append(&some, n_classes);
        }
        Ok(all)
    }
}

impl Answers {
    /// Of no rows yet, with the shares of `n_shares` classes: all of them or none.
    fn of_no_rows(n_shares: usize, n_rows: usize) -> Answers {
        let shares = (0..n_shares).map(|_| Vec::with_capacity(n_rows)).collect();
        Answers { shares, ..Answers::default() }
    }

    /// Adds the answers for later rows.
    fn append(&mut self, later: &ForestAnswers, n_classes: usize) {
        self.absent_levels += later.absent_levels;
        if n_classes == 0 {
            self.means.extend(&later.values);
            return;
        }
        self.classes.extend(&later.classes);
        for (class, shares) in self.shares.iter_mut().enumerate() {
            shares.extend(later.probabilities(class, n_classes));
        }
    }
}

impl Forest {
    /// The added columns of a table without rows.
    #[cfg(feature = "lazy")]
    pub(super) fn added_of_no_rows(&self, spec: &ScoreSpec) -> Result<Vec<Column>> {
        let n_shares = if spec.probability { self.schema().classes.len() } else { 0 };
        self.added(Answers::of_no_rows(n_shares, 0), spec)
    }

    /// The added columns.
    fn added(&self, answers: Answers, spec: &ScoreSpec) -> Result<Vec<Column>> {
        let mut added =
            vec![self.prediction(&spec.name("prediction"), (answers.classes, answers.means))?];
        for (class, shares) in answers.shares.into_iter().enumerate() {
            added.push(probability_column(spec, self.schema(), class, shares));
        }
        Ok(added)
    }

    fn prediction(&self, name: &str, (classes, means): (Vec<u32>, Vec<f64>)) -> Result<Column> {
        let schema = self.schema();
        if !self.is_regression() {
            return gather(labels(name, schema)?.as_materialized_series(), &classes);
        }
        means_column(name, means, schema)
    }
}
