//! A model's predictions compared with the target of a table.

use super::frame::{NamedColumns, find};
use super::model_ref::ModelRef;
use super::table::ResultTable;
use crate::error::{Error, Result};
use crate::evaluation::{ClassScore, Confusion, Evaluation, confusion};
use crate::fitted::{Forest, Tree};
use crate::prune::HeldOut;
use crate::score::{Actual, ForestAnswers, Routes, Voting};
use crate::spec::{EvalSpec, PruneBy};
use crate::tree::Schema;

/// Up to this number of classes a confusion lists the pairs that do not occur too.
const ALL_PAIRS: u32 = 100;

/// The actual targets of rows, and where the rows end.
pub(crate) struct LabelledRows {
    pub(super) actual: Actual,
    pub(super) routes: Routes,
}

impl LabelledRows {
    /// Adds later rows of the same target.
    pub(crate) fn append(&mut self, later: LabelledRows) {
        match (&mut self.actual, later.actual) {
            (Actual::Classes(rows), Actual::Classes(later)) => rows.extend(later),
            (Actual::Numbers(rows), Actual::Numbers(later)) => rows.extend(later),
            // A tree's target is of one kind.
            (Actual::Classes(_), _) | (Actual::Numbers(_), _) => {}
        }
        self.routes.append(later.routes);
    }
}

/// The target's column of a table.
pub(crate) fn target_of<F: NamedColumns>(schema: &Schema, frame: &F) -> Result<F::Column> {
    const ROLE: &str = "target of the model";
    find(frame, ROLE, &schema.target)?.usable(ROLE)
}

pub(crate) fn no_rows() -> Error {
    Error::data("no rows to evaluate on: pass a table with rows")
}

impl Forest {
    /// What the forest says of each row of a table, in the current pool.
    pub(crate) fn answer_frame<F: NamedColumns>(
        &self,
        frame: &F,
        voting: Voting,
    ) -> Result<ForestAnswers> {
        let column = |name: &str| frame.column_to_score(name);
        self.answers(frame.n_rows(), voting, column, &frame.names())
    }
}

impl Tree {
    /// Where each row of a table ends, in the current pool.
    pub(crate) fn route_frame<F: NamedColumns>(&self, frame: &F) -> Result<Routes> {
        self.route(frame.n_rows(), |name| frame.column_to_score(name), &frame.names())
    }

    /// The rows of a table with their targets.
    pub(crate) fn label_rows<F: NamedColumns>(&self, frame: &F) -> Result<LabelledRows> {
        let actual = self.schema().actual(&target_of(self.schema(), frame)?)?;
        Ok(LabelledRows { actual, routes: self.route_frame(frame)? })
    }

    /// The weights of a table's rows, if the tree was fitted on weighted rows.
    pub(crate) fn held_out_weights<F: NamedColumns>(&self, frame: &F) -> Result<Option<Vec<f64>>> {
        let Some(weight) = &self.spec().weight else { return Ok(None) };
        if frame.column_or_reason(weight).is_none() {
            return Err(Error::data(format!(
                "weight `{weight}` is no column of the held-out rows, and the tree was fitted on \
                 rows of that weight: add it (1 for each row weighs them alike)"
            )));
        }
        self.request().weights(frame)
    }

    /// The evaluation of rows whose ends are known.
    pub(crate) fn evaluate_rows(&self, rows: &LabelledRows, spec: &EvalSpec) -> Result<Evaluation> {
        match rows.actual.len() {
            0 => Err(no_rows()),
            _ => self.prepared().evaluate(&rows.routes, &rows.actual, spec),
        }
    }

    /// `Tree::prune_reduced_error` of rows whose ends are known, and their weights, if they have
    /// some.
    pub(crate) fn prune_by_rows(
        &self,
        rows: &LabelledRows,
        weights: Option<&[f64]>,
        by: PruneBy,
    ) -> Result<Tree> {
        let held_out = match &rows.actual {
            Actual::Classes(actual) => HeldOut::Classes(actual),
            Actual::Numbers(actual) => HeldOut::Numbers(actual),
        };
        self.prune_reduced_error_of(&rows.routes, held_out, weights, by)
    }
}

impl ModelRef<'_> {
    /// `Tree::evaluation`, in the current pool.
    pub(crate) fn evaluate_frame<F: NamedColumns>(
        self,
        frame: &F,
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        self.tree_data().checked_event(spec)?;
        if frame.n_rows() == 0 {
            return Err(no_rows());
        }
        let forest = match self {
            ModelRef::Tree(tree) => return tree.evaluate_rows(&tree.label_rows(frame)?, spec),
            ModelRef::Forest(forest) => forest,
        };
        let actual = forest.schema().actual(&target_of(forest.schema(), frame)?)?;
        forest.evaluate_answers(&forest.answer_frame(frame, Voting::Soft)?, &actual, spec)
    }

    /// Checks the columns of a table, as an evaluation does.
    pub(super) fn check_judged<F: NamedColumns>(self, frame: &F) -> Result<()> {
        self.schema().actual(&target_of(self.schema(), frame)?)?;
        match self {
            ModelRef::Tree(tree) => tree.route_frame(frame).map(drop),
            ModelRef::Forest(forest) => forest.answer_frame(frame, Voting::Soft).map(drop),
        }
    }

    /// The pairs of actual and predicted class that occur in a table.
    fn pairs<F: NamedColumns>(self, frame: &F) -> Result<Vec<Confusion>> {
        let schema = self.schema();
        let actual = schema.actual_classes(&target_of(schema, frame)?)?;
        let predicted = match self {
            ModelRef::Tree(tree) => tree.classes(&tree.route_frame(frame)?),
            ModelRef::Forest(forest) => forest.answer_frame(frame, Voting::Soft)?.classes,
        };
        Ok(confusion(&predicted, &actual, schema.classes.len()))
    }

    /// The table of `by_class`.
    pub(super) fn by_class_table(self, scores: &[ClassScore]) -> ResultTable<'static> {
        ResultTable::default()
            .add("class", (0..scores.len()).map(|class| self.schema().class_text(class)))
            .add("n", scores.iter().map(|s| s.n))
            .add("predicted", scores.iter().map(|s| s.predicted))
            .add("precision", scores.iter().map(ClassScore::precision))
            .add("recall", scores.iter().map(ClassScore::recall))
            .add("f1", scores.iter().map(ClassScore::f1))
            .add("roc_auc", scores.iter().map(|s| s.roc_auc))
            .add("average_precision", scores.iter().map(|s| s.average_precision))
    }

    /// The table of `confusion`.
    pub(super) fn confusion_table<F: NamedColumns>(
        self,
        frame: &F,
    ) -> Result<ResultTable<'static>> {
        Ok(confusion_table(self.pairs(frame)?, self.schema()))
    }
}

/// The table of the pairs of actual and predicted class that occur.
pub(super) fn confusion_table(mut pairs: Vec<Confusion>, schema: &Schema) -> ResultTable<'static> {
    let k = schema.classes.len() as u32;
    if k <= ALL_PAIRS {
        let counted = std::mem::take(&mut pairs);
        let unknown = counted.iter().any(|pair| pair.actual.is_none()).then_some(None);
        let mut counted = counted.into_iter().peekable();
        for actual in (0..k).map(Some).chain(unknown) {
            for predicted in 0..k {
                let is_pair = |p: &Confusion| (p.actual, p.predicted) == (actual, predicted);
                let n = counted.next_if(is_pair).map_or(0, |pair| pair.n);
                pairs.push(Confusion { actual, predicted, n });
            }
        }
    }
    let label = |class: u32| schema.class_text(class as usize);
    ResultTable::default()
        .add("actual", pairs.iter().map(|pair| pair.actual.map(label)))
        .add("predicted", pairs.iter().map(|pair| label(pair.predicted)))
        .add("n", pairs.iter().map(|pair| pair.n))
}
