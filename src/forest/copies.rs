//! Forests on features beside permuted copies of them: the copies have the features' values and tell
//! nothing, so that what they gain is what chance makes.

use super::draws::rows_of_copies;
use super::growth::{ForestGrower, GROWING};
use crate::data::column::Column;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::grow::SharedTable;
use crate::spec::ForestSpec;
use crate::util::monitoring::begin_stage;
use crate::util::parallel;

/// The least number of forests that copies are compared in: the moments of fewer say little.
const LEAST_FORESTS: u32 = 10;

/// Forests on some features of a table and on permuted copies of them.
pub(super) struct CopyForests<'a> {
    pub(super) table: &'a Table,
    pub(super) spec: &'a ForestSpec,
    /// Indices of features.
    pub(super) features: Vec<u32>,
    /// Copies of each feature. The features of one copy are permuted together: features that say
    /// the same are copied as such, and share their gains as they do.
    pub(super) n_copies: u32,
}

/// The mean gain of each feature over the trees of one forest, each rule's times its node's share of
/// the weight.
pub(super) struct CopyGains {
    pub(super) of_features: Vec<f64>,
    /// Of each copy.
    pub(super) of_copies: Vec<Vec<f64>>,
}

impl CopyForests<'_> {
    /// The gains in the forest of a permutation, counted from 0.
    pub(super) fn gains(&self, permutation: u32) -> Result<CopyGains> {
        let table = SharedTable::new(self.beside_copies(permutation));
        let grower = ForestGrower::new(&table, self.spec, self.table.columns.len())?;
        let first = permutation * self.spec.trees;
        let of_trees = parallel::try_map(first..first + self.spec.trees, |tree| {
            Ok(grower.tree(tree)?.gains_by_feature())
        })?;
        let mut sums = vec![0.0; table.n_features()];
        for gains in &of_trees {
            sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
        }
        sums.iter_mut().for_each(|sum| *sum /= f64::from(self.spec.trees));
        let mut parts = sums.chunks(self.features.len()).map(<[f64]>::to_vec);
        let of_features = parts.next().unwrap_or_default();
        Ok(CopyGains { of_features, of_copies: parts.collect() })
    }

    /// The features, and after them the features of each copy.
    fn beside_copies(&self, permutation: u32) -> Table {
        let n_rows = self.table.n_rows();
        let of_forest = || self.features.iter().map(|&at| &self.table.columns[at as usize]);
        let mut columns: Vec<Column> = of_forest().cloned().collect();
        for copy in 0..self.n_copies {
            let rows = rows_of_copies(self.spec.seed, permutation, copy, n_rows);
            columns.extend(parallel::map(of_forest(), |column| column.permuted(&rows)));
        }
        self.table.with_columns(columns)
    }
}

/// Checks the number of forests that copies are compared in, and begins their growth.
pub(super) fn begin_forests(name: &str, n: u32, spec: &ForestSpec) -> Result<()> {
    if n < LEAST_FORESTS {
        return Err(Error::spec(format!(
            "{name} is {n}; at least {LEAST_FORESTS} are needed to tell what chance makes"
        )));
    }
    match n.checked_mul(spec.trees) {
        Some(n_trees) => {
            begin_stage(spec.tree.monitor.as_ref(), GROWING, n_trees as usize);
            Ok(())
        }
        None => Err(Error::spec(format!(
            "{name} is {n} with {} trees each; together they are at most {}",
            spec.trees,
            u32::MAX
        ))),
    }
}
