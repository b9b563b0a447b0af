//! What a report holds its tree and rows against.

use std::collections::HashMap;

use super::moved::scored_drift;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::plot::report::{Difference, Quality, SideBySide};
use crate::score::Actual;
use crate::spec::EvalSpec;
use crate::stat::significance::chi_square_upper_tail;
use crate::verbs::evaluate::LabelledRows;
use crate::verbs::frame::NamedColumns;
use crate::verbs::model_ref::ModelRef;

/// A tree on a frame and on other rows.
pub(super) fn beside<F: NamedColumns>(
    tree: &Tree,
    [frame, others]: [&F; 2],
    quality: &Quality,
    names: [String; 2],
    spec: &EvalSpec,
) -> Result<SideBySide> {
    if others.n_rows() == 0 {
        return Err(Error::data("no rows to hold these against: pass a frame with rows"));
    }
    let model = ModelRef::from(tree);
    let other = model.evaluate_frame(others, spec)?;
    let used = model.used_names().map(str::to_string).collect();
    Ok(SideBySide {
        names,
        evaluations: [quality.evaluation.clone(), other],
        differs_in: Difference::Rows(scored_drift(model, [others, frame], used)?),
    })
}

/// A tree and another on the same rows.
pub(super) fn against<F: NamedColumns>(
    [tree, other]: [&Tree; 2],
    frame: &F,
    (rows, quality): (&LabelledRows, &Quality),
    names: [String; 2],
    spec: &EvalSpec,
) -> Result<SideBySide> {
    let targets = [tree, other].map(|tree| (tree.schema().target.as_str(), tree.is_regression()));
    if targets[0] != targets[1] {
        let kind = |is_regression| if is_regression { "numbers" } else { "classes" };
        let [this, that] =
            targets.map(|(target, numbers)| format!("{} of `{target}`", kind(numbers)));
        return Err(Error::data(format!(
            "the other model predicts {that}, this one {this}: hold models of the same target \
             against each other"
        )));
    }
    let other_rows = other.label_rows(frame)?;
    let correct =
        correct_rows(tree, rows).zip(correct_rows(other, &other_rows)).map(|(these, those)| {
            let mut correct = [0; 4];
            for (this, that) in these.into_iter().zip(those) {
                correct[2 * usize::from(!this) + usize::from(!that)] += 1;
            }
            correct
        });
    Ok(SideBySide {
        names,
        evaluations: [quality.evaluation.clone(), other.evaluate_rows(&other_rows, spec)?],
        differs_in: Difference::Tree {
            correct,
            p_value: correct.and_then(|[_, this, other, _]| mcnemar(this, other)),
            importances: both(tree, other),
        },
    })
}

/// Whether a tree predicts the class of each row; `None` of numbers.
fn correct_rows(tree: &Tree, rows: &LabelledRows) -> Option<Vec<bool>> {
    let Actual::Classes(actual) = &rows.actual else { return None };
    let predicted = tree.classes(&rows.routes);
    Some(predicted.iter().zip(actual).map(|(class, actual)| *actual == Some(*class)).collect())
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
