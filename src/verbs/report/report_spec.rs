//! What a report is about.

use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::spec::{EvalSpec, Monitor, setters};
use crate::verbs::frame::Frame;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::table::FaceTable;

/// What a report on a model and rows is about, and what it holds a tree and rows against.
///
/// ```
/// use gaintree::{ReportSpec, prelude::*};
/// use polars::prelude::*;
/// let rows = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["a", "a", "a", "b", "b", "b"]]?;
/// let (train, test) = (rows.head(Some(4)), rows.tail(Some(2)));
/// let tree = train.fit_tree("y", &TreeSpec::cart())?.tree;
/// let spec = ReportSpec::default().source("test rows").beside(train, "training rows").row(1);
/// assert!(tree.report_with(&test, &spec)?.contains("training rows"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportSpec<T = <FaceTable as Frame>::Columns> {
    /// The class that colours, curves and thresholds are about, as text. `None` is the rarer of two
    /// classes in training, by weight, the later of equals; of more classes none.
    pub event: Option<String>,
    /// The row that is explained, counted from 0 (the page says from 1); `None` is the row of most
    /// loss.
    pub row: Option<usize>,
    /// What the rows are called, as the file they are from.
    pub source: Option<String>,
    /// Other rows with a target that the tree is judged on too, as the training rows, and what they
    /// are called.
    pub beside: Option<(T, String)>,
    /// Rows that these may have moved from, as the training rows, and what they are called; they need
    /// no target.
    pub reference: Option<(T, String)>,
    /// Another tree of the same target that is judged on the same rows, and what it is called.
    pub against: Option<(Tree, String)>,
    /// What the tree is called, where there is another.
    pub name: Option<String>,
    /// Whether a forest was fitted on these rows. Each is then answered by the trees that did not draw it.
    pub out_of_bag: bool,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    pub threads: Option<usize>,
    /// Watches the work, and may end it.
    pub monitor: Option<Monitor>,
}

impl<T> Default for ReportSpec<T> {
    fn default() -> Self {
        ReportSpec {
            event: None,
            row: None,
            source: None,
            beside: None,
            reference: None,
            against: None,
            name: None,
            out_of_bag: false,
            threads: None,
            monitor: None,
        }
    }
}

impl<T> ReportSpec<T> {
    /// Checks that a model has what is asked for.
    pub(super) fn check(&self, model: ModelRef) -> Result<()> {
        match model {
            ModelRef::Tree(_) if self.out_of_bag => Err(Error::spec(
                "the model is one tree, and out of bag is of a forest: leave it out",
            )),
            ModelRef::Forest(_) if self.beside.is_some() || self.against.is_some() => {
                Err(Error::spec(
                    "the report on a forest holds it against no other rows and no other model: leave \
                     `beside` and `against` out",
                ))
            }
            ModelRef::Tree(_) | ModelRef::Forest(_) => Ok(()),
        }
    }

    /// How answers are judged.
    pub(super) fn judged(&self) -> EvalSpec {
        let (event, monitor) = (self.event.clone(), self.monitor.clone());
        EvalSpec { event, monitor, ..EvalSpec::default() }
    }

    /// What the rows are called beside others.
    pub(super) fn name_of_rows(&self) -> String {
        self.source.clone().unwrap_or_else(|| "these rows".to_string())
    }

    setters! {
        event: Option<String>,
        row: Option<usize>,
        source: Option<String>,
        name: Option<String>,
        out_of_bag: bool,
        threads: Option<usize>,
        monitor: Option<Monitor>,
    }

    /// Holds the rows against others, which have a name.
    #[must_use]
    pub fn beside(mut self, rows: impl Into<T>, name: impl Into<String>) -> Self {
        self.beside = Some((rows.into(), name.into()));
        self
    }

    /// Says how far the rows are from others, which have a name.
    #[must_use]
    pub fn reference(mut self, rows: impl Into<T>, name: impl Into<String>) -> Self {
        self.reference = Some((rows.into(), name.into()));
        self
    }

    /// Holds the tree against another, which has a name.
    #[must_use]
    pub fn against(mut self, tree: Tree, name: impl Into<String>) -> Self {
        self.against = Some((tree, name.into()));
        self
    }
}
