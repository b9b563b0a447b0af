//! What a model answers to the rows of a report, and the row that the report explains.

use std::collections::HashSet;

use super::forest::ForestRows;
use super::side_by_side::{against, beside};
use super::{ReportSpec, first_of_most};
use crate::data::column_data::only_text;
use crate::data::dtype::{DType, Value};
use crate::encode::table::Table;
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::plot::report::{OneRow, Quality, SideBySide, Why};
use crate::score::Actual;
use crate::spec::EvalSpec;
use crate::verbs::evaluate::{LabelledRows, target_of};
use crate::verbs::frame::NamedColumns;
use crate::verbs::model_ref::ModelRef;

/// Rows of a frame and what the model answers to them.
pub(super) enum AnsweredRows<'a> {
    Tree(&'a Tree, LabelledRows),
    Forest(&'a Forest, ForestRows),
}

impl<'a> AnsweredRows<'a> {
    pub(super) fn new<F: NamedColumns>(
        model: ModelRef<'a>,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<Self> {
        Ok(match model {
            ModelRef::Tree(tree) => AnsweredRows::Tree(tree, tree.label_rows(frame)?),
            ModelRef::Forest(forest) => {
                AnsweredRows::Forest(forest, forest.answered_rows(frame, spec)?)
            }
        })
    }

    /// The number of rows that are answered out of bag, if that is asked for.
    pub(super) fn out_of_bag<T>(&self, spec: &ReportSpec<T>) -> Option<u64> {
        match self {
            AnsweredRows::Forest(_, rows) if spec.out_of_bag => Some(rows.indices.len() as u64),
            AnsweredRows::Forest(..) | AnsweredRows::Tree(..) => None,
        }
    }

    pub(super) fn quality(&self, spec: &EvalSpec) -> Result<Quality> {
        let (evaluation, actual) = match self {
            AnsweredRows::Tree(tree, rows) => (tree.evaluate_rows(rows, spec)?, &rows.actual),
            AnsweredRows::Forest(forest, ForestRows { answers, actual, .. }) => {
                (forest.evaluate_answers(answers, actual, spec)?, actual)
            }
        };
        let Actual::Numbers(actual) = actual else {
            return Ok(Quality::new(evaluation, Vec::new()));
        };
        let predicted = match self {
            AnsweredRows::Tree(tree, rows) => {
                let mut means = tree.means(&rows.routes);
                // As they are shown.
                means.iter_mut().for_each(|x| *x = in_width_of(&tree.schema().target_dtype, *x));
                means
            }
            AnsweredRows::Forest(_, rows) => rows.answers.values.clone(),
        };
        Ok(Quality::new(evaluation, actual.iter().copied().zip(predicted).collect()))
    }

    /// What the page holds its tree and rows against.
    pub(super) fn sides<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &ReportSpec<F>,
        (quality, judged): (&Quality, &EvalSpec),
    ) -> Result<Vec<SideBySide>> {
        let AnsweredRows::Tree(tree, rows) = self else { return Ok(Vec::new()) };
        let mut sides = Vec::new();
        if let Some((others, name)) = &spec.beside {
            let names = [spec.name_of_rows(), name.clone()];
            sides.push(beside(tree, [frame, others], quality, names, judged)?);
        }
        if let Some((other, name)) = &spec.against {
            let this = spec.name.clone().unwrap_or_else(|| "this tree".to_string());
            sides.push(against(
                [tree, other],
                frame,
                (rows, quality),
                [this, name.clone()],
                judged,
            )?);
        }
        Ok(sides)
    }

    /// The row that is named, counted from 0, or the one of most loss; `None` where no row weighs
    /// something. `event` is what the page is about.
    pub(super) fn explained_row<F: NamedColumns>(
        &self,
        frame: &F,
        table: &Table,
        spec: &ReportSpec<F>,
        event: Option<usize>,
    ) -> Result<Option<OneRow>> {
        let most_loss = || match self {
            AnsweredRows::Tree(tree, rows) => most_loss(tree, rows, table),
            AnsweredRows::Forest(_, rows) => rows.most_loss(),
        };
        let Some(row) = spec.row.or_else(most_loss) else { return Ok(None) };
        let (why, schema) = match self {
            AnsweredRows::Tree(tree, _) => {
                (Why::Path(Box::new(tree.reasons_of(frame, row, event)?)), tree.schema())
            }
            AnsweredRows::Forest(forest, rows) => {
                (forest.contributions_to_row(frame, rows, row, spec)?, forest.schema())
            }
        };
        let actual = only_text(&target_of(schema, &frame.rows(&[row as u32])?)?);
        Ok(Some(OneRow {
            number: row as u64 + 1,
            is_chosen: spec.row.is_some(),
            actual: actual.unwrap_or_else(|| "missing".to_string()),
            why,
        }))
    }
}

/// The row whose class was held least likely, or whose number is farthest from its prediction: the
/// first of equals, among the rows that weigh something and end in one leaf.
fn most_loss(tree: &Tree, rows: &LabelledRows, table: &Table) -> Option<usize> {
    let routes = &rows.routes;
    let mixed: HashSet<usize> = routes.mixtures.iter().map(|(row, _)| row as usize).collect();
    let n_nodes = tree.node_slice().len() as u32;
    let weights: Vec<f64> = (0..n_nodes).map(|node| tree.weight(node)).collect();
    let loss = |row: usize| {
        let leaf = routes.nodes[row];
        match &rows.actual {
            Actual::Numbers(actual) => (actual[row] - tree.mean(leaf).unwrap_or_default()).abs(),
            Actual::Classes(actual) => actual[row].map_or(1.0, |class| {
                1.0 - tree.class_counts(leaf)[class as usize] / weights[leaf as usize]
            }),
        }
    };
    let kept = table.context.kept.as_ref();
    let given = |row: usize| kept.map_or(row, |kept| kept[row] as usize);
    let rows = || (0..table.n_rows()).map(given);
    first_of_most(rows().filter(|row| !mixed.contains(row)), loss).or_else(|| rows().next())
}

/// A number in the width of a dtype of floats.
fn in_width_of(dtype: &DType, x: f64) -> f64 {
    match dtype.key_of_value(&Value::Float(x)).map(|key| dtype.value_of_key(key)) {
        Some(Value::Float(x)) => x,
        _ => x,
    }
}
