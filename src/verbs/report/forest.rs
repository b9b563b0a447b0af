//! What the page of a forest is made of beside that of a tree.

use super::{ReportSpec, first_of_most};
use crate::error::{Error, Result};
use crate::fitted::Forest;
use crate::plot::bar_chart::{self, Bar};
use crate::plot::report::{ForestFindings, SomeContributions, SomeImportances, Why};
use crate::plot::{Drawing, error_curve};
use crate::score::{Actual, ForestAnswers, Voting};
use crate::spec::{ContributionSpec, PermutationLoss, PermutationSpec};
use crate::verbs::evaluate::target_of;
use crate::verbs::frame::NamedColumns;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::permutation::{Increase, evenly_spaced};

/// The most rows whose contributions are drawn.
const EXPLAINED: usize = 1000;
/// The most rows that are permuted.
const PERMUTED: usize = 5000;
/// The most features whose importances are drawn.
const IMPORTANCES: usize = 20;
/// How wide the error curve is: beside another section.
const CURVE: f64 = 460.0;

/// Rows of a frame that a forest answers.
pub(super) struct ForestRows {
    pub(super) answers: ForestAnswers,
    pub(super) actual: Actual,
    /// The index of each in the frame, ascending.
    pub(super) indices: Vec<usize>,
    /// How far off the first trees are, out of bag.
    curve: Option<Drawing>,
}

impl Forest {
    /// What the page of a forest says more than that of a tree.
    pub(super) fn findings<F: NamedColumns>(
        &self,
        frame: &F,
        rows: &mut ForestRows,
        (spec, event): (&ReportSpec<F>, Option<usize>),
        remarks: &mut Vec<String>,
    ) -> Result<ForestFindings> {
        let contributions = match (event, self.is_regression()) {
            (None, false) => {
                remarks.push(
                    "Contributions are to the probability of one class: name an event to see them."
                        .to_string(),
                );
                None
            }
            _ => Some(self.some_contributions(frame, spec)?),
        };
        Ok(ForestFindings {
            n_trees: self.n_trees() as u64,
            curve: rows.curve.take(),
            importances: self.permuted_importances(frame, spec)?,
            contributions,
        })
    }

    /// What the forest says of the rows of a frame; out of bag, what its trees say of the rows that they
    /// left out.
    pub(super) fn answered_rows<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<ForestRows> {
        if !spec.out_of_bag {
            let actual = self.schema().actual(&target_of(self.schema(), frame)?)?;
            let answers = self.answer_frame(frame, Voting::Soft)?;
            let indices = (0..frame.n_rows()).collect();
            return Ok(ForestRows { answers, actual, indices, curve: None });
        }
        let training = self.training_rows(frame)?;
        let out = self.answered_out_of_bag(&training, Voting::Soft, spec.monitor.as_ref())?;
        let indices = training.row_indices().into_iter().zip(&out.n_trees);
        let indices: Vec<usize> = indices.filter_map(|(row, n)| (*n > 0).then_some(row)).collect();
        if indices.is_empty() {
            return Err(Error::data(
                "every row was drawn for every tree, so that none can be answered out of bag: more \
                 trees leave more rows out",
            ));
        }
        let (name, errors) = self.errors_of_curve(&out.curve);
        let points = (1..).zip(errors).filter_map(|(n, error)| Some((f64::from(n), error?)));
        let curve = error_curve::drawing(name, &points.collect::<Vec<_>>(), CURVE);
        let (answers, actual) = out.judged(self.schema().classes.len());
        let (answers, actual) = (answers.into_owned(), actual.into_owned());
        Ok(ForestRows { answers, actual, indices, curve: Some(curve) })
    }

    /// How the answer for a row, counted from 0, comes about.
    pub(super) fn contributions_to_row<F: NamedColumns>(
        &self,
        frame: &F,
        rows: &ForestRows,
        row: usize,
        spec: &ReportSpec<F>,
    ) -> Result<Why> {
        let schema = self.schema();
        let at = rows.indices.binary_search(&row).ok();
        // Of many classes it is about the one that is predicted.
        let predicted = at.and_then(|at| rows.answers.classes.get(at)).copied();
        let event = match (&spec.event, schema.classes.len()) {
            (None, 3..) => Some(schema.class_text(predicted.unwrap_or(0) as usize)),
            (event, _) => event.clone(),
        };
        let asked = ContributionSpec { event, ..ContributionSpec::default() };
        let waterfall = ModelRef::from(self).waterfall_drawing(frame, row, &asked)?;
        let answer = at.map(|at| match predicted {
            Some(class) => {
                let share = rows.answers.values[at * schema.classes.len() + class as usize];
                (schema.class_text(class as usize), Some(share))
            }
            None => (rows.answers.values[at].to_string(), None),
        });
        Ok(Why::Contributions { answer, waterfall })
    }

    /// The contributions to the answers for rows that are evenly spaced.
    fn some_contributions<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<SomeContributions> {
        let (event, monitor) = (spec.event.clone(), spec.monitor.clone());
        let asked = ContributionSpec { event, monitor, ..ContributionSpec::default() };
        let some = some_rows(frame, EXPLAINED)?;
        let drawing = ModelRef::from(self).contributions_drawing(&some, &asked)?;
        Ok(SomeContributions { drawing, rows: some.n_rows() as u64 })
    }

    /// The importance of features by permutation, of rows that are evenly spaced.
    fn permuted_importances<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<SomeImportances> {
        let increases = |asked: &PermutationSpec| match spec.out_of_bag {
            true => self.increases_out_of_bag(frame, asked, PERMUTED),
            false => {
                let some = some_rows(frame, PERMUTED)?;
                Ok((self.increases(&some, asked)?, some.n_rows()))
            }
        };
        // The area under the ROC curve shows more of a rare class than the Brier score. Rows of one class
        // have no such area.
        let monitor = spec.monitor.clone();
        let by_default = PermutationSpec { monitor, ..PermutationSpec::default() };
        let by_order = by_default.clone().loss(PermutationLoss::RocAuc);
        let is_of_two = self.schema().classes.len() == 2;
        let of_order = is_of_two.then(|| increases(&by_order)).and_then(Result::ok);
        let loss = match (of_order.is_some(), self.is_regression()) {
            (true, _) => "area under the ROC curve falls",
            (false, true) => "mean squared error rises",
            (false, false) => "Brier score rises",
        };
        let (mut all, n_rows) = match of_order {
            Some(found) => found,
            None => increases(&by_default)?,
        };
        let n_features = all.len();
        all.truncate(IMPORTANCES);
        let bars: Vec<Bar> = all
            .into_iter()
            .map(|Increase { name, of_loss }| Bar {
                name,
                value: Some(of_loss.mean),
                mark: None,
                standard_error: of_loss.standard_error,
            })
            .collect();
        let about = match bars.len() < n_features {
            true => format!("the {} most important of {n_features} features", bars.len()),
            false => format!("{n_features} features"),
        };
        let about =
            format!("{about}; whiskers are a standard error over the permutations to either side");
        let drawing = bar_chart::drawing("importance", &about, "features", &bars);
        Ok(SomeImportances { drawing, rows: n_rows as u64, loss })
    }
}

/// Up to `most` rows of a frame, evenly spaced.
fn some_rows<F: NamedColumns>(frame: &F, most: usize) -> Result<F> {
    if frame.n_rows() <= most {
        return Ok(frame.clone());
    }
    frame.rows(&evenly_spaced(frame.n_rows(), most))
}

impl ForestRows {
    /// The row whose class was held least likely, or whose number is farthest from its prediction.
    pub(super) fn most_loss(&self) -> Option<usize> {
        let values = &self.answers.values;
        let loss = |at: usize| match &self.actual {
            Actual::Numbers(numbers) => (numbers[at] - values[at]).abs(),
            Actual::Classes(classes) => {
                let n_classes = values.len() / classes.len();
                classes[at].map_or(1.0, |class| 1.0 - values[at * n_classes + class as usize])
            }
        };
        first_of_most(0..self.indices.len(), loss).map(|at| self.indices[at])
    }
}
