//! The growth of a forest, and whether it can be grown by a spec.

use std::sync::Arc;

use super::draws::{drawn_features, drawn_rows, split_seed};
use crate::error::{Error, Result};
use crate::grow::{DrawnFeatures, Features, NodePath, Sample, SharedTable, Splits, spec_of_tree};
use crate::spec::{ClassWeights, ForestSpec, MaxFeatures, Pruning, TreeSpec};
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// The stage of a growth: a part of it for each tree.
pub(super) const GROWING: &str = "growing trees";

/// [`grow_forest`](crate::engine::grow_forest). Keeps as many trees in the making as there are threads.
pub(crate) fn grow_forest_data(table: &SharedTable, spec: &ForestSpec) -> Result<ForestData> {
    let grower = ForestGrower::new(table, spec, table.n_features())?;
    // Not all at once: a thread that waits for the nodes of one tree could start another.
    let at_once = rayon::current_num_threads() as u32;
    let mut trees = Vec::with_capacity(spec.trees as usize);
    begin_stage(spec.tree.monitor.as_ref(), GROWING, spec.trees as usize);
    for first in (0..spec.trees).step_by(at_once as usize) {
        let some = first..spec.trees.min(first + at_once);
        trees.extend(parallel::try_map(some, |tree| grower.tree(tree))?);
    }
    // Whether rows are answered out of bag is no part of a forest, and threads are none.
    let tree = (*grower.spec_of_trees).clone();
    let spec = ForestSpec { tree, out_of_bag: true, ..spec.clone() };
    let mut forest = ForestData { spec, schema: grower.bare_schema, trees };
    let schema = table.schema(&forest.used_features(), &forest.spec.tree)?;
    // The root of a tree of all rows has the same totals.
    let class_totals = match forest.spec.takes_all_rows() {
        true => Vec::new(),
        false => table.class_totals(),
    };
    forest.schema =
        Arc::new(Schema { class_weights: grower.class_weights, class_totals, ..schema });
    forest.trees.iter_mut().for_each(|tree| tree.schema = Arc::clone(&forest.schema));
    Ok(forest)
}

/// What is the same for all trees of a forest.
pub(super) struct ForestGrower<'a> {
    table: &'a SharedTable,
    spec: &'a ForestSpec,
    /// `None` is all.
    max_features: Option<usize>,
    class_weights: Vec<f64>,
    to_grow: TreeSpec,
    spec_of_trees: Arc<TreeSpec>,
    /// A schema without levels, until all trees are grown: levels may be many.
    bare_schema: Arc<Schema>,
}

impl<'a> ForestGrower<'a> {
    /// `n_given` of the table's features are the caller's, others are copies of them. A node may
    /// not be asked to look at more than `n_given`. Beside copies the features are drawn even where
    /// a node looks at all: of equal scores the first one drawn wins.
    pub(super) fn new(
        table: &'a SharedTable,
        spec: &'a ForestSpec,
        n_given: usize,
    ) -> Result<ForestGrower<'a>> {
        spec.check()?;
        let (n_features, target) = (table.n_features(), table.target());
        let features_of = |n| spec.features_of_node(n, &target.name, target.labels().is_empty());
        let max_features = match spec.max_features {
            MaxFeatures::Count(_) => features_of(n_given)?,
            MaxFeatures::Auto | MaxFeatures::Share(_) => features_of(n_features)?,
        };
        target.check_rows(table.n_rows() as u64)?;
        let (_, class_weights) = table.class_weighted(&spec.tree.class_weights)?;
        Ok(ForestGrower {
            table,
            spec,
            max_features: (max_features < n_features || n_given < n_features)
                .then_some(max_features),
            to_grow: spec_to_grow(table, spec, &class_weights),
            class_weights,
            spec_of_trees: TreeSpec { threads: None, ..spec_of_tree(&spec.tree, target) }.into(),
            bare_schema: table.schema(&[], &spec.tree)?.into(),
        })
    }

    /// A tree, counted from 0.
    pub(super) fn tree(&self, tree: u32) -> Result<TreeData> {
        let times = drawn_rows(self.spec, tree, self.table.n_rows());
        let own = self.table.weights();
        let weight = |row: usize| own.map_or(1.0, |own| own.weight(row));
        let weights: Option<Vec<f64>> = times.map(|times| {
            times.iter().enumerate().map(|(row, &n)| f64::from(n) * weight(row)).collect()
        });
        let n_features = self.table.n_features();
        let order = |path: NodePath| drawn_features(self.spec, tree, path, n_features);
        let features = match self.max_features {
            None => Features::All,
            Some(n) => Features::Drawn(DrawnFeatures { n, order: &order }),
        };
        let seed = |path: NodePath, feature| split_seed(self.spec, tree, path, feature);
        let splits = if self.spec.extra { Splits::Drawn(&seed) } else { Splits::All };
        let sample = Sample { rows: None, weights: weights.as_deref(), features, splits };
        let (tree, _) = self.table.grow(&sample, &self.to_grow)?;
        advance(self.spec.tree.monitor.as_ref(), 1);
        let (spec, schema) = (Arc::clone(&self.spec_of_trees), Arc::clone(&self.bare_schema));
        Ok(TreeData { spec, schema, ..tree })
    }
}

/// What one tree is grown by: its classes weigh what they do in the whole table.
fn spec_to_grow(table: &SharedTable, spec: &ForestSpec, class_weights: &[f64]) -> TreeSpec {
    let mut to_grow = spec.tree.clone();
    if to_grow.class_weights == ClassWeights::Balanced && !spec.takes_all_rows() {
        let texts = table.target().class_texts();
        let of_classes = texts.into_iter().zip(class_weights.iter().copied()).collect();
        to_grow.class_weights = ClassWeights::Given(of_classes);
    }
    to_grow
}

impl ForestSpec {
    /// Checks what does not depend on the features.
    pub(crate) fn check(&self) -> Result<()> {
        if self.trees == 0 {
            return Err(Error::spec("trees is 0; a forest has at least 1 tree"));
        }
        let share = self.sample_share;
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::spec(format!(
                "sample_share is {share}; a tree has a share of the rows that is above 0 and at \
                 most 1"
            )));
        }
        if self.tree.pruning != Pruning::None || self.tree.subtree_raising {
            return Err(Error::spec(
                "trees of a forest are not pruned: leave pruning and subtree_raising out, and take \
                 min_samples_leaf, max_depth or max_leaves for smaller ones",
            ));
        }
        Ok(())
    }

    /// How many of `n` features a node looks at.
    ///
    /// # Errors
    /// A number or a share that is out of range.
    pub(crate) fn features_of_node(
        &self,
        n: usize,
        target: &str,
        is_regression: bool,
    ) -> Result<usize> {
        let count = match self.max_features {
            MaxFeatures::Auto if is_regression => n / 3,
            MaxFeatures::Auto => n.isqrt(),
            MaxFeatures::Count(count) if count == 0 || count as usize > n => {
                let features =
                    if n == 1 { "is 1 feature".to_string() } else { format!("are {n} features") };
                return Err(Error::spec(format!(
                    "max_features is {count}, but there {features} beside target `{target}`: a node \
                     looks at 1 at least, and at all of them at most"
                )));
            }
            MaxFeatures::Count(count) => count as usize,
            MaxFeatures::Share(share) if share > 0.0 && share <= 1.0 => (share * n as f64) as usize,
            MaxFeatures::Share(share) => {
                return Err(Error::spec(format!(
                    "max_features is a share of {share}; it is above 0 and at most 1"
                )));
            }
        };
        Ok(count.max(1))
    }
}
