//! The public forest: its data, and what is prepared from it for scoring.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use super::tree::Tree;
use crate::data::column_data::Source;
use crate::error::Result;
use crate::export::{CodeSpec, TestAnswers};
use crate::forest::grow_forest_data;
use crate::grow::SharedTable;
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::score::{
    Actual, AscendingRows, Group, JudgedRows, OutOfBagAnswers, OutOfBagQuantiles, OutOfBagRows,
};
use crate::score::{ForestAnswers, ForestScorer, PreparedForest, Voting};
use crate::spec::ForestSpec;
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::spec::QuantileSpec;
use crate::tree::forest_data::ForestData;
use crate::util::lazy_cache::LazyCache;

/// A fitted forest. It derefs to its data; here is what scores it. Clones share both.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest(Arc<Prepared>);

#[derive(Debug, PartialEq)]
struct Prepared {
    data: ForestData,
    /// Made with the first rows that are scored, and kept for all later batches.
    scorer: LazyCache<ForestScorer>,
}

impl From<ForestData> for Forest {
    fn from(data: ForestData) -> Forest {
        Forest(Arc::new(Prepared { data, scorer: LazyCache::default() }))
    }
}

impl Deref for Forest {
    type Target = ForestData;

    fn deref(&self) -> &ForestData {
        &self.0.data
    }
}

impl fmt::Display for Forest {
    /// One line: trees, nodes, depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trees, nodes) = (self.n_trees(), self.n_nodes());
        write!(f, "forest of {trees} trees, {nodes} nodes, depth {}", self.depth())
    }
}

/// Grows a forest in the current pool: trees at the same time, each in the time of
/// [`grow_sample`](crate::engine::grow_sample). Only the seed, the spec and the table decide what it
/// becomes: threads do not.
///
/// Trees know the levels and classes of the whole table, and balanced classes are balanced over it.
/// A tree on all rows that looks at all features is the one that [`grow`](crate::engine::grow) makes.
///
/// # Errors
/// As [`grow_sample`](crate::engine::grow_sample); no tree, more features a node than there are,
/// shares out of range, and pruning.
pub fn grow_forest(table: &SharedTable, spec: &ForestSpec) -> Result<Forest> {
    grow_forest_data(table, spec).map(Forest::from)
}

impl Forest {
    /// A tree of the forest, counted from 0; `None` if there are fewer.
    pub fn tree(&self, tree: usize) -> Option<Tree> {
        let mut tree = self.trees.get(tree)?.clone();
        tree.drop_unused_levels();
        Some(tree.into())
    }

    /// What the forest says of rows, in parallel in the current pool (of a batch of few rows in the
    /// calling thread, if that belongs to no pool). `column` and `known` are as for
    /// [`Tree::route`]. `O(trees * depth)` a row, and memory for the probabilities of all classes.
    ///
    /// # Errors
    /// As [`Tree::route`].
    pub fn answers<S: Source + Send>(
        &self,
        n_rows: usize,
        voting: Voting,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<ForestAnswers> {
        self.prepared().answers(n_rows, Some(0), voting, column, known)
    }

    /// As [`Tree::code_test`], without leaves.
    ///
    /// # Errors
    /// As the code test of a tree.
    pub fn code_test<S: Source + Send>(
        &self,
        spec: impl Into<CodeSpec>,
        voting: Voting,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<String> {
        let found = self.answers(n_rows, voting, &column, known)?;
        let answers = TestAnswers { classes: found.classes, values: found.values, leaf_ids: None };
        ForestData::code_test(self, &spec.into(), voting, &answers, column)
    }

    /// What the forest says of the rows it was grown on, each row by the trees that left it out;
    /// `column` and `known` are as for [`answers`](Self::answers).
    ///
    /// # Errors
    /// As [`answers`](Self::answers); trees that have all rows, and rows that the forest was not grown on.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn out_of_bag_answers<S: Source + Send>(
        &self,
        rows: &OutOfBagRows,
        weights: Option<&[f64]>,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<OutOfBagAnswers> {
        let left_out = |trees| self.left_out(trees, rows.actual, weights);
        self.prepared().out_of_bag(rows, left_out, column, known)
    }

    /// Quantiles of the rows the forest was grown on, each row by the trees that left it out.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn quantiles_out_of_bag<S: Source + Send>(
        &self,
        numbers: Vec<f64>,
        weights: Option<&[f64]>,
        spec: &QuantileSpec,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<OutOfBagQuantiles> {
        let rows = AscendingRows::new(&numbers, weights);
        let actual = Actual::Numbers(numbers);
        let drawn = |tree| self.drawn_again(tree, &actual, weights);
        self.prepared().out_of_bag_quantiles(&rows, spec, drawn, column, known)
    }

    /// By how much the loss of each tree on the rows that it left out increases where groups of features
    /// are permuted, one number a tree that left rows out.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn loss_increases_out_of_bag<S: Source + Send>(
        &self,
        rows: &JudgedRows,
        weights: Option<&[f64]>,
        groups: &[Group],
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Vec<Vec<f64>>> {
        let drawn = |tree| self.drawn_again(tree, rows.actual, weights);
        self.prepared().loss_increases_out_of_bag(rows, groups, drawn, column, known)
    }

    /// Reads the text of a model file. Time and memory are linear in its length.
    ///
    /// # Errors
    /// As [`Tree::from_json`], and the file of a tree.
    pub fn from_json(text: &str) -> Result<Forest> {
        ForestData::from_json(text).map(Forest::from)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// As [`Tree::load`], and the file of a tree.
    pub fn load(path: impl AsRef<Path>) -> Result<Forest> {
        ForestData::load(path).map(Forest::from)
    }

    /// The forest with its scorer, which is made at the first call.
    pub(crate) fn prepared(&self) -> PreparedForest<'_> {
        let Prepared { data, scorer } = &*self.0;
        PreparedForest { data, scorer: scorer.get_or_init(|| ForestScorer::new(data)) }
    }
}
