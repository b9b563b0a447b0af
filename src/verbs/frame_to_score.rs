//! The rows of a frame as a model scores them, part by part.

use std::ops::Range;

use super::frame::NamedColumns;
use super::model_ref::ModelRef;
use super::score::{Added, ForestScores, ScoredColumns};
use super::score_spec::{ScoreSpec, check_free};
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::score::{BatchedRows, INLINE_ROWS, RouteStats, Routes, Voting};

/// The rows of a frame.
pub(crate) struct FrameToScore<'a, F> {
    frame: &'a F,
    /// The columns' names where it is a whole table: error messages list them, and number rows.
    table: Option<Vec<&'a str>>,
}

impl<'a, F: NamedColumns + ScoredColumns> FrameToScore<'a, F> {
    /// All rows of a table.
    pub(crate) fn whole(frame: &'a F) -> Self {
        FrameToScore { frame, table: Some(frame.names()) }
    }

    /// Some rows of a query.
    #[cfg(feature = "lazy")]
    pub(crate) fn of_query(frame: &'a F) -> Self {
        FrameToScore { frame, table: None }
    }

    /// The added columns; the kept ones have other names.
    pub(crate) fn added<'k>(
        &self,
        model: ModelRef,
        spec: &ScoreSpec,
        kept: impl Iterator<Item = &'k str>,
    ) -> Result<Added<F::Made>> {
        let added = self.added_columns(model, spec)?;
        check_free(added.0.iter().map(|(name, _)| name.as_str()), kept)?;
        Ok(added)
    }

    /// The added columns.
    pub(crate) fn added_columns(
        &self,
        model: ModelRef,
        spec: &ScoreSpec,
    ) -> Result<Added<F::Made>> {
        match model {
            ModelRef::Forest(forest) => {
                let answers = self.answers(forest, spec.voting(), spec.probability)?;
                F::of_answers(forest, answers, spec)
            }
            ModelRef::Tree(tree) if spec.probability || spec.leaf => {
                F::of_routes(tree, self.routes(tree)?, spec)
            }
            ModelRef::Tree(tree) => {
                let name = spec.name("prediction");
                let (predictions, absent) = F::predictions(&name, tree, self.batches(tree))?;
                Ok((vec![(name, predictions)], absent))
            }
        }
    }

    /// Where the rows end in a tree.
    pub(super) fn routes(&self, tree: &Tree) -> Result<Routes> {
        self.batches(tree).routes()
    }

    /// The rows, routed down a tree batch by batch.
    pub(super) fn batches(
        &self,
        tree: &Tree,
    ) -> BatchedRows<impl Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| {
            let (first, known) = self.place(&rows);
            let source = |name: &str| self.frame.part_to_score(name, &rows);
            tree.prepared().route(nodes, first, source, known)
        };
        BatchedRows { n_rows: self.frame.n_rows(), route }
    }

    /// What a forest says of the rows. It goes batch by batch, so that the shares of all classes are
    /// there for one batch at a time.
    pub(super) fn answers(
        &self,
        forest: &Forest,
        voting: Voting,
        wants_shares: bool,
    ) -> Result<ForestScores> {
        match self.frame.n_rows() > INLINE_ROWS {
            // Each batch by itself would be answered by the calling thread, if that is in no pool.
            true => rayon::scope(|_| self.answer_batches(forest, voting, wants_shares)),
            false => self.answer_batches(forest, voting, wants_shares),
        }
    }

    fn answer_batches(
        &self,
        forest: &Forest,
        voting: Voting,
        wants_shares: bool,
    ) -> Result<ForestScores> {
        let mut all = ForestScores::of_no_rows(forest.schema(), wants_shares);
        let (n_rows, n_classes) = (self.frame.n_rows(), forest.schema().classes.len());
        // Columns are checked where there are no rows, too.
        for start in (0..n_rows.max(1)).step_by(INLINE_ROWS) {
            let rows = start..n_rows.min(start + INLINE_ROWS);
            let (first, known) = self.place(&rows);
            let source = |name: &str| self.frame.part_to_score(name, &rows);
            let some = forest.prepared().answers(rows.len(), first, voting, source, known)?;
            all.append(some, n_classes);
        }
        Ok(all)
    }

    /// For messages: the number of the first of some rows, if known, and the names of the columns.
    fn place(&self, rows: &Range<usize>) -> (Option<usize>, &[&'a str]) {
        (self.table.as_ref().map(|_| rows.start), self.table.as_deref().unwrap_or_default())
    }
}
