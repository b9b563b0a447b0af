//! How good the answers of a forest are.

use super::figures::Evaluation;
use super::of_classes::{Judging, evaluate_classes};
use super::of_numbers::evaluate_numbers;
use crate::error::Result;
use crate::score::ForestAnswers;
use crate::spec::EvalSpec;
use crate::tree::forest_data::ForestData;

impl ForestData {
    /// Compares answers with actual classes, of which there are some. A forest keeps too little of its
    /// training rows to know them again.
    pub(crate) fn evaluate_classes(
        &self,
        answers: ForestAnswers,
        actual: &[Option<u32>],
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        let event = self.checked_event(spec)?;
        let judging = Judging { event, spec, looks_like_training: false };
        evaluate_classes(answers.class_answers(self.schema.classes.len()), actual, judging)
    }

    /// Compares answers with actual numbers, of which there are some.
    pub(crate) fn evaluate_numbers(
        &self,
        answers: &ForestAnswers,
        actual: &[f64],
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        let event = self.checked_event(spec)?;
        let judging = Judging { event, spec, looks_like_training: false };
        evaluate_numbers((&answers.values, answers.absent_levels), actual, judging)
    }
}
