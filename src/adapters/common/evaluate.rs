//! A model's predictions compared with the target of a table.

use std::borrow::Cow;
use std::iter;

use super::request::{NamedColumns, find};
use super::tables::ResultTable;
use crate::adapters::common::model_ref::ModelRef;
use crate::error::{Error, Result};
use crate::evaluation::{ClassScore, Confusion, Evaluation, FigureInterval, confusion};
use crate::fitted::{Forest, Tree};
#[cfg(feature = "polars")]
use crate::prune::HeldOut;
use crate::score::{ForestAnswers, Routes, Voting};
use crate::spec::EvalSpec;
#[cfg(feature = "polars")]
use crate::spec::PruneBy;
use crate::tree::Schema;

/// Up to so many classes a confusion lists the pairs that do not occur too.
const ALL_PAIRS: u32 = 100;

/// The figures that are about the event, if there is one.
const OF_EVENT: [&str; 2] = ["roc_auc", "average_precision"];

/// The actual targets of rows, and where the rows end.
pub(crate) struct Labelled<T> {
    pub(crate) actual: Vec<T>,
    pub(crate) routes: Routes,
}

/// Rows with targets of either kind.
pub(crate) enum LabelledRows {
    /// `None` is a class the tree was never trained on.
    Classes(Labelled<Option<u32>>),
    Numbers(Labelled<f64>),
}

#[cfg(feature = "polars")]
impl LabelledRows {
    /// Adds later rows of the same target.
    pub(crate) fn append(&mut self, later: LabelledRows) {
        match (self, later) {
            (LabelledRows::Classes(rows), LabelledRows::Classes(later)) => rows.append(later),
            (LabelledRows::Numbers(rows), LabelledRows::Numbers(later)) => rows.append(later),
            // A tree's target is of one kind.
            (LabelledRows::Classes(_), _) | (LabelledRows::Numbers(_), _) => {}
        }
    }
}

#[cfg(feature = "polars")]
impl<T> Labelled<T> {
    fn append(&mut self, later: Labelled<T>) {
        self.actual.extend(later.actual);
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

    /// The rows of a table with their classes; `None` is a class the tree was never trained on.
    pub(crate) fn label_classes<F: NamedColumns>(
        &self,
        frame: &F,
    ) -> Result<Labelled<Option<u32>>> {
        let actual = self.schema().actual_classes(&target_of(self.schema(), frame)?)?;
        Ok(Labelled { actual, routes: self.route_frame(frame)? })
    }

    /// The rows of a table with their numbers.
    pub(crate) fn label_numbers<F: NamedColumns>(&self, frame: &F) -> Result<Labelled<f64>> {
        let actual = self.schema().actual_numbers(&target_of(self.schema(), frame)?)?;
        Ok(Labelled { actual, routes: self.route_frame(frame)? })
    }

    /// The rows of a table with their targets.
    pub(crate) fn label_rows<F: NamedColumns>(&self, frame: &F) -> Result<LabelledRows> {
        Ok(match self.is_regression() {
            true => LabelledRows::Numbers(self.label_numbers(frame)?),
            false => LabelledRows::Classes(self.label_classes(frame)?),
        })
    }

    /// The weights of a table's rows, if the tree was fitted on weighted rows.
    #[cfg(feature = "polars")]
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
        match rows {
            LabelledRows::Classes(Labelled { actual, routes }) if !actual.is_empty() => {
                self.prepared().evaluate_classes(routes, actual, spec)
            }
            LabelledRows::Numbers(Labelled { actual, routes }) if !actual.is_empty() => {
                self.prepared().evaluate_numbers(routes, actual, spec)
            }
            LabelledRows::Classes(_) | LabelledRows::Numbers(_) => Err(no_rows()),
        }
    }

    /// `Tree::prune_reduced_error` of rows whose ends are known, and their weights, if they have
    /// some.
    #[cfg(feature = "polars")]
    pub(crate) fn prune_by_rows(
        &self,
        rows: &LabelledRows,
        weights: Option<&[f64]>,
        by: PruneBy,
    ) -> Result<Tree> {
        let (routes, held_out) = match rows {
            LabelledRows::Classes(Labelled { actual, routes }) => {
                (routes, HeldOut::Classes(actual))
            }
            LabelledRows::Numbers(Labelled { actual, routes }) => {
                (routes, HeldOut::Numbers(actual))
            }
        };
        self.prune_reduced_error_of(routes, held_out, weights, by)
    }
}

impl ModelRef<'_> {
    /// `Tree::evaluation`, in the current pool.
    pub(crate) fn evaluate_frame<F: NamedColumns>(
        self,
        frame: &F,
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        self.checked_event(spec)?;
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

    /// Checks a spec, as an evaluation does.
    pub(crate) fn checked_event(self, spec: &EvalSpec) -> Result<Option<usize>> {
        match self {
            ModelRef::Tree(tree) => tree.checked_event(spec),
            ModelRef::Forest(forest) => forest.checked_event(spec),
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

    /// The table of `Tree::by_class`.
    pub(crate) fn by_class_table(self, scores: &[ClassScore]) -> ResultTable {
        ResultTable::default()
            .add("class", (0..scores.len()).map(|class| Cow::from(self.schema().class_text(class))))
            .add("n", scores.iter().map(|s| s.n))
            .add("predicted", scores.iter().map(|s| s.predicted))
            .add("precision", scores.iter().map(ClassScore::precision))
            .add("recall", scores.iter().map(ClassScore::recall))
            .add("f1", scores.iter().map(ClassScore::f1))
            .add("roc_auc", scores.iter().map(|s| s.roc_auc))
            .add("average_precision", scores.iter().map(|s| s.average_precision))
    }

    /// The table of `Tree::confusion`.
    pub(crate) fn confusion_table<F: NamedColumns>(self, frame: &F) -> Result<ResultTable> {
        Ok(confusion_table(self.pairs(frame)?, self.schema()))
    }
}

/// The table of the pairs of actual and predicted class that occur.
pub(crate) fn confusion_table(mut pairs: Vec<Confusion>, schema: &Schema) -> ResultTable {
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
    let label = |class: u32| Cow::from(schema.class_text(class as usize));
    ResultTable::default()
        .add("actual", pairs.iter().map(|pair| pair.actual.map(label)))
        .add("predicted", pairs.iter().map(|pair| label(pair.predicted)))
        .add("n", pairs.iter().map(|pair| pair.n))
}

impl Evaluation {
    /// The table of `Tree::calibration`.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(crate) fn calibration_table(&self) -> Result<ResultTable> {
        let (event, bins) = self.calibration()?;
        Ok(of_event(event, bins.len())
            .add("at_least", bins.iter().map(|bin| bin.at_least))
            .add("at_most", bins.iter().map(|bin| bin.at_most))
            .add("n", bins.iter().map(|bin| bin.n))
            .add("mean_probability", bins.iter().map(|bin| bin.mean_probability))
            .add("actual_share", bins.iter().map(|bin| bin.actual_share))
            .add("lift", bins.iter().map(|bin| bin.lift)))
    }

    /// The table of `Tree::thresholds`.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(crate) fn thresholds_table(&self) -> Result<ResultTable> {
        let (event, rows) = self.thresholds()?;
        Ok(of_event(event, rows.len())
            .add("threshold", rows.iter().map(|row| row.threshold))
            .add("predicted", rows.iter().map(|row| row.predicted))
            .add("true_positives", rows.iter().map(|row| row.true_positives))
            .add("false_positives", rows.iter().map(|row| row.false_positives))
            .add("false_negatives", rows.iter().map(|row| row.false_negatives))
            .add("true_negatives", rows.iter().map(|row| row.true_negatives))
            .add("precision", rows.iter().map(|row| row.precision))
            .add("recall", rows.iter().map(|row| row.recall))
            .add("false_positive_rate", rows.iter().map(|row| row.false_positive_rate))
            .add("f1", rows.iter().map(|row| row.f1))
            .add("lift", rows.iter().map(|row| row.lift))
            .add("cost", rows.iter().map(|row| row.cost))
            .add("is_best", rows.iter().map(|row| row.is_best)))
    }

    /// The table of `Tree::intervals`.
    pub(crate) fn intervals_table(&self) -> ResultTable {
        let rows = self.intervals();
        let table = ResultTable::default()
            .add("figure", rows.iter().map(|row| Cow::from(row.figure.clone())))
            .add("value", rows.iter().map(|row| row.value))
            .add("low", rows.iter().map(|row| row.low))
            .add("high", rows.iter().map(|row| row.high));
        let Evaluation::Classes { event, .. } = self else { return table };
        let is_of_event = |row: &FigureInterval| OF_EVENT.contains(&row.figure.as_str());
        let event = |row| event.clone().filter(|_| is_of_event(row)).map(Cow::from);
        table.add("event", rows.iter().map(event))
    }
}

/// The first column of a table about an event.
fn of_event(event: &str, n_rows: usize) -> ResultTable {
    let event = iter::repeat_n(event, n_rows);
    ResultTable::default().add("event", event.map(|event| Cow::from(event.to_string())))
}

/// The table of `Tree::evaluate`.
impl From<&Evaluation> for ResultTable {
    fn from(evaluation: &Evaluation) -> ResultTable {
        let (Evaluation::Classes { rows, absent_levels, .. }
        | Evaluation::Numbers { rows, absent_levels, .. }) = *evaluation;
        let table = ResultTable::default().add("rows", [rows]);
        let figures = evaluation.figures().into_iter();
        let table = figures.fold(table, |table, (name, figure)| table.add(name, [figure]));
        let table = match evaluation {
            Evaluation::Classes { event, .. } => table.add("event", [event.clone().map(Cow::from)]),
            Evaluation::Numbers { .. } => table,
        };
        table.add("absent_levels", [absent_levels])
    }
}
