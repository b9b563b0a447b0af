//! The public tree: its data, and what is prepared from it for scoring.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::Path;

use crate::data::column_data::Source;
use crate::encode::table::Table;
use crate::error::Result;
use crate::explain::{RowReasons, row_reasons};
use crate::export::{CodeSpec, TestAnswers};
use crate::grow::{GrowthTable, Sample, SharedTable};
use crate::prune::{CvSpec, CvStep, HeldOut};
use crate::score::{PreparedTree, Routes, Scorer};
use crate::spec::{PruneBy, Pruning, TreeSpec};
use crate::tree::TreeData;
use crate::util::lazy_cache::LazyCache;

/// A fitted tree. It derefs to its data: [`TreeData`] has what describes, explains and exports
/// it; here is what scores it, or returns another tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(crate) data: TreeData,
    /// Made with the first rows that are scored, and kept for all later batches.
    scorer: LazyCache<Scorer>,
}

impl From<TreeData> for Tree {
    fn from(data: TreeData) -> Tree {
        Tree { data, scorer: LazyCache::default() }
    }
}

impl Deref for Tree {
    type Target = TreeData;

    fn deref(&self) -> &TreeData {
        &self.data
    }
}

impl fmt::Display for Tree {
    /// The tree as [`to_text`](TreeData::to_text) draws it, to a depth of 20.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data.fmt(f)
    }
}

/// Grows a tree in the current pool, and prunes it if the spec says so. `O(m n)` a level for m
/// columns of n rows.
///
/// # Errors
/// No feature, no rows, one class, missing values under
/// [`Missing::Error`](crate::Missing::Error), or a spec that contradicts itself.
pub fn grow(table: Table, spec: &TreeSpec) -> Result<Tree> {
    let (table, orders) = GrowthTable::new(table);
    let (tree, rows) = table.grow(Cow::Owned(orders), &Sample::default(), spec)?;
    tree.prune_by_spec(rows).map(Tree::from)
}

/// Grows a tree on a sample of a table in the current pool, and prunes it if the spec says so. The
/// table may serve many growths at the same time: it is only read.
///
/// The tree is the same as [`grow`] makes of the sample's rows encoded alone, except that it keeps
/// what the whole table has: its classes and levels, also the ones without a row in the sample, and
/// the unit of a numeric target. A sample of one class is a leaf.
///
/// # Errors
/// As [`grow`]; rows or features that do not ascend or are not in the table, and weights that are
/// not one a row, negative or not finite.
pub fn grow_sample(table: &SharedTable, sample: &Sample, spec: &TreeSpec) -> Result<Tree> {
    let (tree, rows) = table.grow(sample, spec)?;
    tree.prune_by_spec(rows).map(Tree::from)
}

/// Grows a tree on a table and prunes it to the alpha that cross-validation chooses (Breiman et
/// al. 1984, section 3.4); `spec`'s own pruning is put aside. A step for each subtree of the
/// cost-complexity sequence says how it fared. Takes the time of `folds + 1` growths.
///
/// # Errors
/// As [`grow`], for all rows and for the rows outside each fold; folds fewer than 2 or more than
/// the rows.
pub fn cross_validate(
    table: &SharedTable,
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<(Tree, Vec<CvStep>)> {
    let spec = spec.clone().pruning(Pruning::None);
    let tree = grow_sample(table, &Sample::default(), &spec)?;
    tree.cross_validated(table, &spec, cv)
}

/// Scoring.
impl Tree {
    /// Finds the node each row ends in, rows in parallel in the current pool (a batch of few
    /// rows in the calling thread, if that belongs to no pool). `O(depth)` a row, but `O(nodes)`
    /// for a row that a tree of [`Missing::Fractional`](crate::Missing::Fractional) sends down
    /// every branch.
    ///
    /// `columns` finds a column by name, or returns `None`; `known` are the names there are, for
    /// the message. The first call prepares the tree, in time linear in its size; later calls
    /// reuse that, so that many small batches take hardly longer than a large one.
    ///
    /// # Errors
    /// A used column that is absent or of a dtype the model cannot compare with, or one with
    /// missing values where the tree was fitted with [`Missing::Error`](crate::Missing::Error).
    pub fn route<S: Source + Send>(
        &self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        self.prepared().routes(n_rows, column, known)
    }

    /// The predicted class of each row, as an index into the schema's classes: the one of the
    /// highest probability, the lower one of equals. All 0 in regression.
    pub fn classes(&self, routes: &Routes) -> Vec<u32> {
        self.prepared().classes(routes)
    }

    /// The predicted mean of each row; all NaN in classification.
    pub fn means(&self, routes: &Routes) -> Vec<f64> {
        self.prepared().means(routes)
    }

    /// The probability of a class in each row; all 0 in regression.
    pub fn probabilities(&self, routes: &Routes, class: usize) -> Vec<f64> {
        self.prepared().probabilities(routes, class)
    }

    /// Why the tree answers what it answers for the only row of a table, and what would change
    /// that. Arguments are the same as for [`route`](Self::route). `O(nodes + depth * features)`.
    ///
    /// # Errors
    /// As [`route`](Self::route).
    pub fn reasons<S: Source + Send>(
        &self,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<RowReasons> {
        row_reasons(self.prepared(), None, column, known)
    }

    /// The tree with its scorer, which is made at the first call.
    pub(crate) fn prepared(&self) -> PreparedTree<'_> {
        let scorer = self.scorer.get_or_init(|| Scorer::new(&self.data));
        PreparedTree { data: &self.data, scorer }
    }

    /// A program that compares the [code](crate::engine::TreeData::to_code) of this tree with the
    /// tree's answers for rows: class or number, probabilities and leaf. Arguments are the same as
    /// for [`route`](Self::route). The program has all the rows in it.
    ///
    /// # Errors
    /// As `to_code` and `route`; no rows, and a column whose values a field of the code does not hold.
    pub fn code_test<S: Source + Send>(
        &self,
        spec: impl Into<CodeSpec>,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<String> {
        let routes = self.route(n_rows, &column, known)?;
        let by_class: Vec<Vec<f64>> = (0..self.schema().classes.len())
            .map(|class| self.probabilities(&routes, class))
            .collect();
        let answers = match self.is_regression() {
            true => {
                let (values, leaf_ids) = (self.means(&routes), Some(routes.nodes));
                TestAnswers { classes: Vec::new(), values, leaf_ids }
            }
            false => TestAnswers {
                classes: self.classes(&routes),
                values: (0..n_rows).flat_map(|row| by_class.iter().map(move |p| p[row])).collect(),
                leaf_ids: Some(routes.nodes),
            },
        };
        self.data.code_test(&spec.into(), &answers, column)
    }
}

/// Pruning.
impl Tree {
    /// The tree pruned in one of the ways a spec may ask for.
    ///
    /// # Errors
    /// As the way's own method: a figure out of its range, or a pessimistic estimate of numbers.
    pub fn prune(&self, pruning: Pruning) -> Result<Tree> {
        self.data.prune(pruning).map(Tree::from)
    }

    /// The subtree that costs least where a leaf costs `alpha` (in the criterion's units), the
    /// smallest of equals: every link of at most `alpha` is cut (Breiman et al. 1984, section
    /// 3.2). `O(n log n)`.
    ///
    /// An alpha of 0 changes no answer to a training row; an infinite one leaves the root.
    ///
    /// # Errors
    /// An alpha that is negative or NaN.
    pub fn prune_cost_complexity(&self, alpha: f64) -> Result<Tree> {
        self.data.prune_cost_complexity(alpha).map(Tree::from)
    }

    /// The largest subtree of the [sequence](TreeData::cost_complexity_steps) of at most `n`
    /// leaves. `O(nodes log nodes)`.
    ///
    /// # Errors
    /// An `n` of 0.
    pub fn prune_to_leaves(&self, n: u32) -> Result<Tree> {
        self.data.prune_to_leaves(n).map(Tree::from)
    }

    /// The tree pruned by what its leaves' errors would be on new rows, without any new rows
    /// (Quinlan 1993). C4.5's confidence is 0.25; a lower one prunes more.
    ///
    /// A leaf with E of N training rows wrong is predicted to make `N *`
    /// [`upper_error_rate`](crate::engine::upper_error_rate)`(E, N, confidence)` errors. From the bottom
    /// up a subtree becomes a leaf where that leaf's predicted errors are at most 0.1 above the
    /// sum of its branches'. Rows count by weight. A subtree is replaced by a leaf only:
    /// a fit alone, which has the training rows, does
    /// [`subtree_raising`](TreeSpec::subtree_raising) too. `O(nodes * classes)`.
    ///
    /// # Errors
    /// A confidence that is not above 0 and at most 1, or a numeric target.
    pub fn prune_pessimistic(&self, confidence: f64) -> Result<Tree> {
        self.data.prune_pessimistic(confidence).map(Tree::from)
    }

    /// The tree pruned from the bottom up: a subtree becomes a leaf if a leaf in its place makes no
    /// more errors on held-out rows (Quinlan 1987). Errors are wrong classes (or log loss or Gini,
    /// as `by` says), or squared distances. They count by the rows' `weights` (1 each if there are
    /// none) times the weights of the tree's classes.
    ///
    /// `routes` is where the rows end, as [`Tree::route`] finds it. A row that stops at an inner
    /// node counts there, and one that ends in several nodes counts in each by its share. A node
    /// that no held-out row reaches becomes a leaf. `O(rows + nodes * classes)`.
    ///
    /// # Errors
    /// Rows of another kind of target, of another number than were routed or have weights, or of
    /// nodes and classes the tree does not have.
    pub fn prune_reduced_error_of(
        &self,
        routes: &Routes,
        rows: HeldOut,
        weights: Option<&[f64]>,
        by: PruneBy,
    ) -> Result<Tree> {
        self.data.prune_reduced_error_of(routes, rows, weights, by).map(Tree::from)
    }
}

/// Cross-validation.
impl Tree {
    /// This tree pruned as [`cross_validate`] does, which grows the tree too; `spec` grows the
    /// trees of the folds.
    ///
    /// # Errors
    /// As [`cross_validate`].
    pub fn cross_validated(
        &self,
        table: &SharedTable,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<(Tree, Vec<CvStep>)> {
        let (tree, steps) = self.data.cross_validated(table, spec, cv)?;
        Ok((tree.into(), steps))
    }
}

/// Model files.
impl Tree {
    /// Reads the text of a model file. Time and memory are linear in its length.
    ///
    /// # Errors
    /// Whatever the text is, if it is not a model this build can read, the error
    /// ([`is_model`](crate::Error::is_model)) says what is wrong and where.
    pub fn from_json(text: &str) -> Result<Tree> {
        TreeData::from_json(text).map(Tree::from)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// Where the file cannot be read ([`is_io`](crate::Error::is_io)), or holds no model this
    /// build can read ([`is_model`](crate::Error::is_model)).
    pub fn load(path: impl AsRef<Path>) -> Result<Tree> {
        TreeData::load(path).map(Tree::from)
    }
}
