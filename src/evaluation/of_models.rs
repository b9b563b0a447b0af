//! How good the predictions of a tree are for rows that are routed, and the answers of a forest.

use super::figures::Evaluation;
use super::of_classes::{Judging, evaluate_classes};
use super::of_numbers::evaluate_numbers;
use crate::error::Result;
use crate::score::{Actual, ForestAnswers, PreparedTree, Routes};
use crate::spec::EvalSpec;
use crate::tree::forest_data::ForestData;

impl PreparedTree<'_> {
    /// Compares predictions with the actual targets; there is at least one row.
    pub(crate) fn evaluate(
        self,
        routes: &Routes,
        actual: &Actual,
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        let event = self.data.checked_event(spec)?;
        let looks_like_training = self.data.rows_look_like_training(routes, actual);
        let judging = Judging { event, schema: &self.data.schema, spec, looks_like_training };
        match actual {
            Actual::Classes(actual) => {
                evaluate_classes(self.class_answers(routes), actual, judging)
            }
            Actual::Numbers(actual) => {
                evaluate_numbers((&self.means(routes), routes.absent_levels), actual, judging)
            }
        }
    }
}

impl ForestData {
    /// Compares answers with the actual targets; there is at least one row. A forest keeps too
    /// little of its training rows to know them again.
    pub(crate) fn evaluate_answers(
        &self,
        answers: &ForestAnswers,
        actual: &Actual,
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        let event = self.trees[0].checked_event(spec)?;
        let schema = &self.schema;
        let judging = Judging { event, schema, spec, looks_like_training: false };
        match actual {
            Actual::Classes(actual) => {
                evaluate_classes(answers.class_answers(self.schema.classes.len()), actual, judging)
            }
            Actual::Numbers(actual) => {
                evaluate_numbers((&answers.values, answers.absent_levels), actual, judging)
            }
        }
    }
}
