//! What of a table a tree is grown on.

use std::borrow::Cow;
use std::fmt;

use super::growth_table::GrowthTable;
use super::node::NodePath;
use crate::data::weights::{Weights, check_weights};
use crate::error::{Error, Result};

/// Rows, weights and features of a table to learn from.
///
/// ```
/// use gaintree::engine::Sample;
/// let rows = [0, 2, 3];
/// let sample = Sample { rows: Some(&rows), ..Sample::default() };
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample<'a> {
    /// Indices of the table's rows, ascending; `None` is all.
    pub rows: Option<&'a [u32]>,
    /// A weight for each of these rows, in place of the table's own. Rows of weight 0 are left
    /// out; a weight of k stands for k copies, as in a bootstrap.
    pub weights: Option<&'a [f64]>,
    /// The columns to split on.
    pub features: Features<'a>,
    /// The splits of a column that a node rates.
    pub splits: Splits<'a>,
}

/// The columns of a table that a tree may split on.
#[derive(Clone, Copy, Default)]
pub enum Features<'a> {
    /// All of them.
    #[default]
    All,
    /// These, by index, ascending. The tree knows no others.
    Only(&'a [u32]),
    /// At each node the features drawn for it. The tree's features are all columns.
    Drawn(DrawnFeatures<'a>),
}

/// A draw of features at each node: the first `n`, in an order of its own, that vary among its
/// rows. The first of equal scores in this order wins, so that no feature gains by its place in the
/// table.
///
/// What does not vary cannot split the node, and is passed over, as what is no column of the table
/// is. A node with no rule on the features drawn is a leaf.
#[derive(Clone, Copy)]
pub struct DrawnFeatures<'a> {
    /// How many features a node looks at, at most.
    pub n: usize,
    /// The order for a node, as indices, each once. The same path must give the same order.
    pub order: &'a FeatureOrder<'a>,
}

/// An order of features for a node.
pub type FeatureOrder<'a> = dyn Fn(NodePath) -> Vec<u32> + Sync + 'a;

/// Which splits of a column a node rates. It then chooses among the columns' best ones as always.
#[derive(Clone, Copy, Default)]
pub enum Splits<'a> {
    /// All of them.
    #[default]
    All,
    /// One that is drawn, as in extremely randomised trees (Geurts, Ernst & Wehenkel 2006), beside `x
    /// is missing`.
    ///
    /// A cut of numbers or times lies at a uniform place between the node's least value and its
    /// greatest; a cut of other ordered levels is one of their gaps. A split of a nominal column is
    /// one of the levels, or one of their sets, present in the node. There is one split by a branch
    /// per level.
    Drawn(&'a SplitSeeds<'a>),
}

/// The seed of a SplitMix64 (Steele, Lea & Flood 2014) that draws the split of a column, by index,
/// at a node. The same path and column must give the same number.
pub type SplitSeeds<'a> = dyn Fn(NodePath, u32) -> u64 + Sync + 'a;

/// The weights of a sample's rows: the table's own, or others. `None` if all are 1.
pub(super) type SampleWeights<'a> = Option<Cow<'a, Weights>>;

impl fmt::Debug for Features<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Features::All => f.write_str("All"),
            Features::Only(features) => f.debug_tuple("Only").field(features).finish(),
            Features::Drawn(drawn) => f.debug_tuple("Drawn").field(&drawn.n).finish(),
        }
    }
}

impl fmt::Debug for Splits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Splits::All => "All",
            Splits::Drawn(_) => "Drawn",
        })
    }
}

impl<'a> Features<'a> {
    /// The tree's features; `None` is all columns.
    pub(super) fn only(self) -> Option<&'a [u32]> {
        if let Features::Only(features) = self { Some(features) } else { None }
    }

    pub(super) fn drawn(self) -> Option<DrawnFeatures<'a>> {
        if let Features::Drawn(drawn) = self { Some(drawn) } else { None }
    }
}

impl GrowthTable {
    /// The rows of positive weight (`None` if these are all rows), and their weights.
    ///
    /// # Errors
    /// Rows or features that are not ascending or not in the table, and weights that are not one
    /// per row, negative or not finite.
    pub(super) fn sampled_rows(
        &self,
        sample: &Sample,
    ) -> Result<(Option<Vec<u32>>, SampleWeights<'_>)> {
        let n_rows = self.n_rows();
        check_indices("feature", sample.features.only(), self.columns.len())?;
        check_indices("row", sample.rows, n_rows)?;
        let rows = sample.rows.map(<[u32]>::to_vec);
        let Some(weights) = sample.weights else {
            let weights = match (&self.weights, &rows) {
                (Some(weights), Some(rows)) => {
                    let units = rows.iter().map(|&row| weights.units[row as usize]).collect();
                    Some(Cow::Owned(Weights { units, ..*weights }))
                }
                (weights, _) => weights.as_ref().map(Cow::Borrowed),
            };
            return Ok((rows, weights));
        };
        let n_sampled = rows.as_ref().map_or(n_rows, Vec::len);
        if weights.len() != n_sampled {
            return Err(Error::data(format!(
                "the sample has {n_sampled} rows and {} weights; each row needs one",
                weights.len()
            )));
        }
        check_weights("of the sample", "f64", weights.iter().map(|&w| Some(w)))?;
        if !weights.contains(&0.0) {
            return Ok((rows, Some(Cow::Owned(Weights::new(weights)?))));
        }
        let row = |at: usize| rows.as_ref().map_or(at as u32, |rows| rows[at]);
        let positive = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let (rows, weights): (Vec<u32>, Vec<f64>) = positive.map(|(at, &w)| (row(at), w)).unzip();
        Ok((Some(rows), Some(Cow::Owned(Weights::new(&weights)?))))
    }
}

/// Checks that indices, if there are any, ascend and are below `n`.
fn check_indices(what: &str, indices: Option<&[u32]>, n: usize) -> Result<()> {
    let indices = indices.unwrap_or_default();
    let is_sorted = indices.windows(2).all(|pair| pair[0] < pair[1]);
    match indices.last() {
        Some(&last) if !is_sorted || last as usize >= n => Err(Error::data(format!(
            "the sample's {what} indices must ascend and be below {n}: sort them, and name each once"
        ))),
        Some(_) | None => Ok(()),
    }
}
