//! Routing: which node each row of a batch ends in, and what the tree answers there.
//!
//! The columns a tree uses are brought to the model's keys and level places once; then each row
//! walks the tree on integers. Columns the tree does not use are never asked for.

mod actual;
mod prepare;
mod routes;
mod walk;

pub use routes::{Mixtures, Part, Routes};

use rayon::prelude::*;

use crate::error::{Result, no_such_column};
use crate::table::Source;
use crate::tree::Tree;
use prepare::Prepared;
use walk::{walk, walk_all};

/// Rows a task routes at a time.
const ROWS: usize = 8192;

impl Tree {
    /// Finds the node each row ends in, rows in parallel in the current pool. `O(depth)` a row,
    /// but `O(nodes)` for a row that a tree of [`Missing::Fractional`](crate::Missing) sends
    /// down every branch.
    ///
    /// `columns` finds a column by name, or answers `None`; `known` are the names there are,
    /// for the message.
    ///
    /// # Errors
    /// A used column that is absent or of a dtype the model cannot compare with, or one with
    /// missing values where the tree was fitted with [`Missing::Error`](crate::Missing).
    pub fn route<S: Source>(
        &self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        let used = self.used_features();
        let mut slots = vec![usize::MAX; self.schema.features.len()];
        let mut sources = Vec::new();
        for (slot, &f) in used.iter().enumerate() {
            let feature = &self.schema.features[f as usize];
            let source = column(&feature.name)?
                .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
            self.check(feature, &source)?;
            slots[f as usize] = slot;
            sources.push((f, source));
        }
        let cuts = self.text_cuts();
        let prepared: Vec<Prepared> = sources
            .par_iter()
            .map(|(f, source)| self.prepare(*f, source, &cuts[*f as usize]))
            .collect::<Result<_>>()?;
        let steps = self.steps(&slots, &cuts);

        let mut nodes = vec![0u32; n_rows];
        let blocks: Vec<(Mixtures, u64)> = nodes
            .par_chunks_mut(ROWS)
            .enumerate()
            .map(|(block, nodes)| {
                let (mut mixtures, mut absent_levels) = (Mixtures::default(), 0);
                for (i, node) in nodes.iter_mut().enumerate() {
                    let (row, mut absent) = (block * ROWS + i, false);
                    let (end, mixes) = walk(&steps, &prepared, row, &mut absent);
                    *node = end;
                    if mixes {
                        let parts = walk_all(self, &steps, &prepared, row, end, &mut absent);
                        *node = mixtures.add(row, parts, end);
                    }
                    absent_levels += u64::from(absent);
                }
                (mixtures, absent_levels)
            })
            .collect();
        let absent_levels = blocks.iter().map(|(_, absent_levels)| absent_levels).sum();
        let mixtures = blocks.into_iter().map(|(mixtures, _)| mixtures).collect();
        Ok(Routes { nodes, mixtures, absent_levels })
    }
}
