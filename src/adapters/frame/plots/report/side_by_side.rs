//! What a report holds its tree and rows against.

use std::collections::HashMap;

use polars::prelude::{Column, DataFrame, DataType};

use super::moved::moved_columns;
use crate::error::{Error, Result};
use crate::evaluation::Evaluation;
use crate::fitted::Tree;
use crate::plot::report::{Difference, Quality, SideBySide};
use crate::score::Routes;
use crate::spec::{DriftSpec, EvalSpec};
use crate::stat::significance::chi_square_upper_tail;
use crate::verbs::ModelVerbs;

impl Tree {
    /// This tree on a frame and on other rows.
    pub(super) fn beside(
        &self,
        df: &DataFrame,
        evaluation: &Evaluation,
        (others, names): (&DataFrame, [String; 2]),
        spec: &EvalSpec,
    ) -> Result<SideBySide> {
        if others.height() == 0 {
            return Err(Error::data("no rows to hold these against: pass a frame with rows"));
        }
        let other = self.evaluation_with(others, spec)?;
        let drift = self.drift_lines(others, df, &DriftSpec::default())?;
        Ok(SideBySide {
            names,
            evaluations: [evaluation.clone(), other],
            differs_in: Difference::Rows(moved_columns(drift)),
        })
    }

    /// This tree and another on the same rows.
    pub(super) fn against(
        &self,
        df: &DataFrame,
        (quality, routes): (&Quality, &Routes),
        (other, names): (&Tree, [String; 2]),
        spec: &EvalSpec,
    ) -> Result<SideBySide> {
        let targets =
            [self, other].map(|tree| (tree.schema().target.as_str(), tree.is_regression()));
        if targets[0] != targets[1] {
            let kind = |is_regression| if is_regression { "numbers" } else { "classes" };
            let [this, that] =
                targets.map(|(target, numbers)| format!("{} of `{target}`", kind(numbers)));
            return Err(Error::data(format!(
                "the other model predicts {that}, this one {this}: hold models of the same target \
                 against each other"
            )));
        }
        let (other_quality, other_routes) = other.quality(df, spec)?;
        let correct = match self.is_regression() {
            true => None,
            false => Some(self.correct(df, routes, (other, &other_routes))?),
        };
        Ok(SideBySide {
            names,
            evaluations: [quality.evaluation().clone(), other_quality.evaluation().clone()],
            differs_in: Difference::Tree {
                correct,
                p_value: correct.and_then(|[_, this, other, _]| mcnemar(this, other)),
                importances: both(self, other),
            },
        })
    }

    /// Rows that both trees predict correctly, this one alone, the other alone, and neither.
    fn correct(
        &self,
        df: &DataFrame,
        routes: &Routes,
        (other, other_routes): (&Tree, &Routes),
    ) -> Result<[u64; 4]> {
        let text = |column: &Column| column.cast(&DataType::String);
        let actual = text(df.column(&self.schema().target)?)?;
        let predicted = text(&self.predictions("prediction", routes)?.0)?;
        let others = text(&other.predictions("prediction", other_routes)?.0)?;
        let (actual, predicted, others) = (actual.str()?, predicted.str()?, others.str()?);
        let mut correct = [0; 4];
        for ((actual, predicted), other) in actual.iter().zip(predicted.iter()).zip(others.iter()) {
            let [this, that] = [predicted, other].map(|class| class == actual);
            correct[2 * usize::from(!this) + usize::from(!that)] += 1;
        }
        Ok(correct)
    }
}

/// The p-value of McNemar's test (1947), with its continuity correction (Edwards 1948): `a` rows are
/// predicted correctly by one of two trees alone, `b` rows by the other alone.
fn mcnemar(a: u64, b: u64) -> Option<f64> {
    let (n, off) = ((a + b) as f64, a.abs_diff(b) as f64);
    (n > 0.0).then(|| chi_square_upper_tail((off - 1.0).max(0.0).powi(2) / n, 1.0))
}

/// Features and their importances in two trees, the greatest first.
fn both(tree: &Tree, other: &Tree) -> Vec<(String, [Option<f64>; 2])> {
    let mut all: Vec<(String, [Option<f64>; 2])> = Vec::new();
    let mut place: HashMap<String, usize> = HashMap::new();
    for (side, tree) in [tree, other].into_iter().enumerate() {
        for line in tree.feature_importance() {
            let name = &tree.schema().features[line.feature as usize].name;
            let at = *place.entry(name.clone()).or_insert_with(|| {
                all.push((name.clone(), [None; 2]));
                all.len() - 1
            });
            all[at].1[side] = Some(line.importance);
        }
    }
    all.retain(|(_, both)| both.iter().flatten().any(|importance| *importance > 0.0));
    let most = |both: &[Option<f64>; 2]| both.iter().flatten().fold(0.0, |a, b| f64::max(a, *b));
    all.sort_by(|a, b| most(&b.1).total_cmp(&most(&a.1)));
    all
}
