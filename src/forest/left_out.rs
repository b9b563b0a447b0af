//! Which rows the trees of a fitted forest left out.

use std::ops::Range;

use super::draws::drawn_rows;
use crate::error::{Error, Result};
use crate::score::Actual;
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;
use crate::util::parallel::{self, part_of};

/// How far a root's sums may be from the sums of the rows drawn for it, as a share: units of
/// weights are rounded.
const SLACK: f64 = 1e-9;

/// Weights of rows, all positive; `None` if all are 1.
type RowWeights<'a> = Option<&'a [f64]>;

impl ForestData {
    /// Which of up to 64 trees left each row out: a bit a tree, the lowest is the first tree's.
    /// `O(n)` for a tree.
    ///
    /// # Errors
    /// As [`drawn_again`](Self::drawn_again).
    pub(crate) fn left_out(
        &self,
        trees: Range<u32>,
        actual: &Actual,
        weights: RowWeights,
    ) -> Result<Vec<u64>> {
        let mut masks = vec![0; actual.len()];
        // Not all at once: the draws of a tree take as much memory as a column.
        let at_once = rayon::current_num_threads();
        for first in trees.clone().step_by(at_once) {
            let some = first..trees.end.min(first.saturating_add(at_once as u32));
            let draws =
                parallel::try_map(some.clone(), |tree| self.drawn_again(tree, actual, weights))?;
            let part = part_of(masks.len());
            let parts = (0..).step_by(part).zip(masks.chunks_mut(part));
            parallel::for_each(parts, |(start, masks)| {
                for (tree, times) in some.clone().zip(&draws) {
                    let of_part = masks.iter_mut().zip(&times[start..]);
                    of_part.for_each(|(mask, &n)| {
                        *mask |= u64::from(n == 0) << (tree - trees.start);
                    });
                }
            });
        }
        Ok(masks)
    }

    /// How often each row was drawn for a tree. The draw is made anew; `O(n)`.
    ///
    /// # Errors
    /// Trees that have all rows, and other rows than the forest was grown on.
    pub(crate) fn drawn_again(
        &self,
        tree: u32,
        actual: &Actual,
        weights: RowWeights,
    ) -> Result<Vec<u32>> {
        let times = drawn_rows(&self.spec, tree, actual.len()).ok_or_else(|| {
            Error::spec(
                "no row is out of bag, as each tree has all of them: fit the forest with \
                 bootstrap, or a sample_share below 1",
            )
        })?;
        match self.trees[tree as usize].has_root_of(&times, actual, weights) {
            true => Ok(times),
            false => Err(Error::data(format!(
                "these are not the rows that the forest was fitted on: the rows drawn for tree \
                 {tree} are others than it has. Give the training rows, all of them and in their \
                 order"
            ))),
        }
    }
}

impl TreeData {
    /// Whether the root has the rows that were drawn.
    fn has_root_of(&self, times: &[u32], actual: &Actual, weights: RowWeights) -> bool {
        let drawn = || times.iter().enumerate().filter(|(_, times)| **times > 0);
        let weight =
            |(row, &times): (usize, &u32)| f64::from(times) * weights.map_or(1.0, |w| w[row]);
        if self.nodes[0].n != drawn().count() as u64 {
            return false;
        }
        let is_near = |a: f64, b: f64, scale: f64| (a - b).abs() <= SLACK * scale;
        match actual {
            Actual::Classes(actual) => {
                let mut counts = vec![0.0; self.schema.classes.len()];
                for (row, n) in drawn() {
                    let Some(class) = actual[row] else { return false };
                    counts[class as usize] += weight((row, n));
                }
                let total = counts.iter().sum();
                let of_root = self.counts_before_class_weights(0);
                counts.iter().zip(&of_root).all(|(&a, &b)| is_near(a, b, total))
            }
            Actual::Numbers(actual) => {
                let total: f64 = drawn().map(weight).sum();
                let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
                    drawn().map(|drawn| weight(drawn) / total * of(actual[drawn.0])).sum()
                };
                let scale = mean_of(&f64::abs);
                is_near(total, self.weight(0), total)
                    && self.mean(0).is_some_and(|mean| is_near(mean_of(&|y| y), mean, scale))
            }
        }
    }
}
