//! Whether a forest can be grown by a spec.

use crate::error::{Error, Result};
use crate::spec::{ForestSpec, MaxFeatures, Pruning};

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
