//! How the rows that a model scores differ from others.

use super::drift::{DriftLines, Reference, of_columns, target};
use super::frame::{Frame, NamedColumns, Needed};
use super::model_ref::ModelRef;
use super::score::predictions;
use super::score_spec::check_free;
use super::table::{ResultColumn, ResultTable};
use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::{Mixtures, Routes, Voting};
use crate::spec::{DriftSpec, Intervals};

/// The columns of what a model says of rows.
pub(crate) const PREDICTION: &str = "prediction";
pub(crate) const LEAF_ID: &str = "leaf_id";

impl ModelRef<'_> {
    /// The table of `ModelVerbs::drift`.
    pub(super) fn drift<F: Frame + ?Sized>(
        self,
        reference: &F,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<F::Table> {
        let added = self.check_names()?;
        // These names stand for what the model says now, whatever columns the frames have.
        let mut of_frames = spec.clone();
        of_frames.features.get_or_insert_with(|| self.used_names().map(String::from).collect());
        let DriftSpec { features, exclude, ordered, nominal, .. } = &mut of_frames;
        for names in features.iter_mut().chain([exclude, ordered, nominal]) {
            names.retain(|name| !added.contains(&name.as_str()));
        }
        let said = [reference.said(self, spec.threads)?, current.said(self, spec.threads)?];
        let mut lines = DriftLines::of_frames(reference, current, &of_frames)?;
        let of_target = spec.target.as_deref().map(|name| reference.columns(&vec![name].into()));
        let of_target = of_target.transpose()?;
        let compared = added.iter().map(|name| name.to_string());
        let compared: Vec<String> = compared.filter(|name| !spec.exclude.contains(name)).collect();
        F::in_pool(spec.threads, || {
            let target = of_target.map(|columns| target(&columns, spec)).transpose()?.flatten();
            let reference = Reference { target: target.as_ref(), ..Reference::from(&said[0]) };
            lines.add(reference, &said[1], &of_columns(spec, &compared))?;
            lines.table(spec)
        })
    }

    /// The columns of what the model says, which may not have the name of a column that it uses.
    fn check_names(self) -> Result<&'static [&'static str]> {
        let names: &[&str] = match self {
            ModelRef::Tree(_) => &[PREDICTION, LEAF_ID],
            ModelRef::Forest(_) => &[PREDICTION],
        };
        check_free(names.iter().copied(), self.used_names()).map(|()| names)
    }

    /// What the model says of the rows of a frame: `prediction`, and of a tree `leaf_id`, the numbers of
    /// the nodes where the rows stop as texts.
    pub(super) fn said<F: NamedColumns>(self, frame: &F) -> Result<F> {
        match self {
            ModelRef::Tree(tree) => tree.said_of(tree.route_frame(frame)?),
            ModelRef::Forest(forest) => {
                let answers = forest.answer_frame(frame, Voting::Soft)?;
                let prediction = predictions(self.schema(), answers.classes, answers.values);
                columns(ResultTable::default().push(PREDICTION, prediction))
            }
        }
    }
}

impl Tree {
    /// How a frame differs from the rows that this tree was fitted on, as far as the tree knows of
    /// them: the table of [`drift`](crate::drift) of its `prediction` and of the `leaf_id` a row stops
    /// at. It equals these lines of [`ModelVerbs::drift`](crate::ModelVerbs::drift) of the training rows and
    /// the frame. A LazyFrame streams: of each row its prediction and its leaf are kept in memory.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 3, 4], "y" => ["a", "a", "b", "b"]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let moved = tree.drift_from_training(&df.tail(Some(3)), &DriftSpec::default().full(true))?;
    /// assert_eq!(moved.column("feature")?.str()?.get(0), Some("prediction"));
    /// assert_eq!(moved.column("n_reference")?.u64()?.get(0), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As scoring the frame; a frame without rows, a spec that names columns or MDL intervals,
    /// and a tree that shared out training rows among several leaves
    /// ([`Missing::Fractional`](crate::Missing::Fractional)).
    pub fn drift_from_training<F: Frame + ?Sized>(
        &self,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<F::Table> {
        check_training(spec)?;
        let (leaves, counts) = self.training_leaves()?;
        let model = ModelRef::from(self);
        model.check_names()?;
        let said = current.said(model, spec.threads)?;
        F::in_pool(spec.threads, || {
            let routes = Routes { nodes: leaves, mixtures: Mixtures::default(), absent_levels: 0 };
            let leaves: F::Columns = self.said_of(routes)?;
            let reference = Reference { counts: Some(&counts), ..Reference::from(&leaves) };
            let mut lines = DriftLines::default();
            lines.add(reference, &said, spec)?;
            lines.table(spec)
        })
    }

    /// The leaves where training rows ended, and the number of rows in each.
    fn training_leaves(&self) -> Result<(Vec<u32>, Vec<u64>)> {
        let nodes = self.node_slice();
        let leaves = (0..).zip(nodes).filter(|(_, node)| node.split.is_none() && node.n > 0);
        let (ids, counts): (Vec<u32>, Vec<u64>) = leaves.map(|(id, node)| (id, node.n)).unzip();
        let total = counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
        if total != Some(nodes[0].n) {
            return Err(Error::model(
                "the leaves of this tree do not say where each training row ended, as rows with \
                 missing values went down several branches (missing = fractional): pass the training \
                 rows as the reference",
            ));
        }
        Ok((ids, counts))
    }

    /// What the tree says of rows that are routed.
    fn said_of<F: NamedColumns>(&self, routes: Routes) -> Result<F> {
        let prediction = predictions(self.schema(), self.classes(&routes), self.means(&routes));
        let names = (0..self.n_nodes()).map(|id| Value::Text(id.to_string())).collect();
        let leaves = ResultColumn::Values(&DType::String, names).of_rows(routes.nodes);
        columns(ResultTable::default().push(PREDICTION, prediction).push(LEAF_ID, leaves))
    }
}

fn columns<F: NamedColumns>(table: ResultTable) -> Result<F> {
    table.into_table::<F::Table>()?.columns(&Needed::All)
}

/// A model keeps no columns of its training rows.
fn check_training(spec: &DriftSpec) -> Result<()> {
    let named = [&spec.exclude, &spec.ordered, &spec.nominal].into_iter().flatten();
    let mut named = spec.features.iter().flatten().chain(named).chain(&spec.target);
    if let Some(name) = named.next() {
        return Err(Error::spec(format!(
            "column `{name}` is named, and a model keeps no columns of its training rows, only \
             how many ended in each leaf: pass the rows as the reference, or name none"
        )));
    }
    if spec.intervals == Intervals::Mdl {
        return Err(Error::spec(
            "intervals = mdl are chosen by the classes of the training rows, which a model does \
             not keep: take quantiles, or pass the rows as the reference",
        ));
    }
    Ok(())
}
