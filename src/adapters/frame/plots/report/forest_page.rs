//! The report on a forest and a frame: what its page is made of.

use polars::prelude::DataFrame;

use super::columns::column_findings;
use super::report_spec::ReportSpec;
use super::{classes_of, known_columns, no_rows_to_report, picture_of_page, remarks};
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::data::column_data::only_text;
use crate::error::{Error, Result};
use crate::fitted::Forest;
use crate::plot::bar_chart::{self, Bar};
use crate::plot::report::{
    FirstTree, ForestReport, OneForestRow, Quality, SomeContributions, SomeImportances,
    forest_report,
};
use crate::plot::{Drawing, Palette, error_curve, tree_drawing};
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
struct AnsweredRows {
    answers: ForestAnswers,
    actual: Actual,
    /// The index of each in the frame, ascending.
    indices: Vec<usize>,
    /// How far off the first trees are, out of bag.
    curve: Option<Drawing>,
}

impl Forest {
    /// A page on the forest and a frame that holds its target: the figures that matter, how good its
    /// predictions are, the contributions to the answer for the row of most loss, importances, the
    /// contributions to the answers for up to a thousand rows, one of the trees, and what the page of a tree
    /// says of the columns. One HTML file that needs no network; the same forest and frame give the same
    /// bytes.
    ///
    /// The frame may lack the features that no rule uses, and the weight.
    ///
    /// ```
    /// use gaintree::{ReportSpec, prelude::*};
    /// use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["a", "a", "a", "b", "b", "b"]]?;
    /// let forest = df.fit_forest("y", &ForestSpec::default().trees(50).seed(1))?.forest;
    /// let page = forest.report_with(&df, &ReportSpec::default().out_of_bag(true))?;
    /// assert!(page.contains("Forest of"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](crate::ModelVerbs::evaluation).
    pub fn report(&self, df: &DataFrame) -> Result<String> {
        self.report_with(df, &ReportSpec::default())
    }

    /// The [`report`](Self::report) about a class or a row that the spec names, or on the training rows out
    /// of bag.
    ///
    /// # Errors
    /// As [`evaluation`](crate::ModelVerbs::evaluation), and out of bag as [`out_of_bag`](Self::out_of_bag); an event
    /// that is no class of the target, a row that is not there, a reference without rows or that cannot
    /// be scored, other rows and another model.
    pub fn report_with(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        in_pool(spec.threads, || self.report_page(df, spec))
    }

    fn report_page(&self, df: &DataFrame, spec: &ReportSpec) -> Result<String> {
        if spec.beside.is_some() || spec.against.is_some() {
            return Err(Error::spec(
                "the report on a forest holds it against no other rows and no other model: leave \
                 `beside` and `against` out",
            ));
        }
        if df.height() == 0 {
            return Err(no_rows_to_report());
        }
        let judged = spec.judged();
        let event = self.checked_event(&judged)?;
        let rows = self.answered_rows(df, spec)?;
        let evaluation = self.evaluate_answers(&rows.answers, &rows.actual, &judged)?;
        let (schema, tree_spec) = (self.schema(), &self.spec().tree);
        let mut remarks = remarks(df, schema, tree_spec, &evaluation);
        let row = self.explained_row(df, &rows, spec)?;
        let contributions = match (event, self.is_regression()) {
            (None, false) => {
                remarks.push(
                    "Contributions are to the probability of one class: name an event to see them."
                        .to_string(),
                );
                None
            }
            _ => Some(self.some_contributions(df, spec)?),
        };
        let importance = self.permuted_importance(df, spec)?;
        let (request, features) = known_columns(df, schema, tree_spec, spec)?;
        let table = request.table(df, &features)?;
        let palette = Palette::of_forest(self, event).reordered(&classes_of(schema, &table));
        let (kinds, base) = (request.kinds(), tree_spec.log_base);
        let columns = column_findings(&table, &features, kinds, base, &palette, &mut remarks)?;
        let first = self.tree(0).ok_or_else(|| Error::model("the forest has no tree"))?;
        let picture = tree_drawing(&first, &picture_of_page(), event, None);
        let findings = ForestReport {
            rows: df.height() as u64,
            out_of_bag: spec.out_of_bag.then_some(rows.indices.len() as u64),
            source: spec.source.clone(),
            curve: rows.curve,
            quality: match rows.actual {
                Actual::Classes(_) => Quality::Classes { evaluation },
                Actual::Numbers(numbers) => {
                    Quality::of_numbers(evaluation, numbers.into_iter().zip(rows.answers.values))
                }
            },
            moved: self.moved(df, spec)?,
            row,
            importance,
            contributions,
            tree: FirstTree { data: &first, picture, event },
            columns,
            remarks,
        };
        Ok(forest_report(self, &findings))
    }

    /// What the forest says of the rows of a frame; out of bag, what its trees say of the rows that they
    /// left out.
    fn answered_rows(&self, df: &DataFrame, spec: &ReportSpec) -> Result<AnsweredRows> {
        if !spec.out_of_bag {
            let actual = self.schema().actual(&target_of(self.schema(), df)?)?;
            let answers = self.answer_frame(df, Voting::Soft)?;
            let indices = (0..df.height()).collect();
            return Ok(AnsweredRows { answers, actual, indices, curve: None });
        }
        let training = self.training_rows(df)?;
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
        Ok(AnsweredRows { answers, actual, indices, curve: Some(curve) })
    }

    /// The row that is named, or the one of most loss, the first of equals.
    fn explained_row(
        &self,
        df: &DataFrame,
        rows: &AnsweredRows,
        spec: &ReportSpec,
    ) -> Result<OneForestRow> {
        let schema = self.schema();
        let row = spec.row.unwrap_or_else(|| rows.indices[rows.most_loss()]);
        let at = rows.indices.binary_search(&row).ok();
        // Of many classes it is about the one that is predicted.
        let predicted = at.and_then(|at| rows.answers.classes.get(at)).copied();
        let event = match (&spec.event, schema.classes.len()) {
            (None, 3..) => Some(schema.class_text(predicted.unwrap_or(0) as usize)),
            (event, _) => event.clone(),
        };
        let asked = ContributionSpec { event, ..ContributionSpec::default() };
        let waterfall = ModelRef::from(self).waterfall_drawing(df, row, &asked)?;
        let target = df.column(&schema.target)?.slice(row as i64, 1);
        let actual = FrameColumn::new(&target).and_then(|target| only_text(&target));
        let answer = at.map(|at| match predicted {
            Some(class) => {
                let share = rows.answers.values[at * schema.classes.len() + class as usize];
                (schema.class_text(class as usize), Some(share))
            }
            None => (rows.answers.values[at].to_string(), None),
        });
        Ok(OneForestRow {
            number: row as u64 + 1,
            is_chosen: spec.row.is_some(),
            actual: actual.unwrap_or_else(|| "missing".to_string()),
            answer,
            waterfall,
        })
    }

    /// The contributions to the answers for rows that are evenly spaced.
    fn some_contributions(&self, df: &DataFrame, spec: &ReportSpec) -> Result<SomeContributions> {
        let (event, monitor) = (spec.event.clone(), spec.monitor.clone());
        let asked = ContributionSpec { event, monitor, ..ContributionSpec::default() };
        let some = some_rows(df, EXPLAINED)?;
        let drawing = ModelRef::from(self).contributions_drawing(&some, &asked)?;
        Ok(SomeContributions { drawing, rows: some.height() as u64 })
    }

    /// The importance of features by permutation, of rows that are evenly spaced.
    fn permuted_importance(&self, df: &DataFrame, spec: &ReportSpec) -> Result<SomeImportances> {
        let increases = |asked: &PermutationSpec| match spec.out_of_bag {
            true => self.increases_out_of_bag(df, asked, PERMUTED),
            false => {
                let some = some_rows(df, PERMUTED)?;
                Ok((self.increases(&some, asked)?, some.height()))
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
fn some_rows(df: &DataFrame, most: usize) -> Result<DataFrame> {
    if df.height() <= most {
        return Ok(df.clone());
    }
    df.rows(&evenly_spaced(df.height(), most))
}

impl AnsweredRows {
    /// The answered row whose class was held least likely, or whose number is farthest from
    /// its prediction.
    fn most_loss(&self) -> usize {
        let values = &self.answers.values;
        let loss = |at: usize| match &self.actual {
            Actual::Numbers(numbers) => (numbers[at] - values[at]).abs(),
            Actual::Classes(classes) => {
                let n_classes = values.len() / classes.len();
                classes[at].map_or(1.0, |class| 1.0 - values[at * n_classes + class as usize])
            }
        };
        let mut most = (0, f64::NEG_INFINITY);
        for at in 0..self.indices.len() {
            let loss = loss(at);
            if loss > most.1 {
                most = (at, loss);
            }
        }
        most.0
    }
}
