//! How the importance of features is found by permuting them.

use serde::{Deserialize, Serialize};

use super::spec;

spec! {
    /// How the importance of features is found: by how much worse the answers get where the values
    /// of a feature are permuted among the rows (Breiman 2001, section 10; Fisher, Rudin & Dominici
    /// 2019).
    ///
    /// ```
    /// use gaintree::{PermutationLoss, PermutationSpec};
    /// let spec = PermutationSpec::default().loss(PermutationLoss::RocAuc);
    /// let spec = spec.group("size", ["width", "height"]);
    /// assert_eq!(spec.groups.len(), 1);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct PermutationSpec {
        /// Features that belong together, and are permuted together; others stand by themselves.
        pub groups: Vec<FeatureGroup> => by_hand,
        /// How answers are judged. `None` is the Brier score of classes, and the squared error of
        /// numbers, which have no other.
        pub loss: Option<PermutationLoss>,
        /// How often each feature is permuted, at least 1; out of bag for each tree. `None` is 5,
        /// and 1 out of bag.
        pub repeats: Option<u32>,
        /// What the permutations are made of: the same seed gives the same importance.
        pub seed: u64,
    } with threads and monitor
}

/// Features that are permuted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureGroup {
    /// Its name in the table.
    pub name: String,
    /// The names of its features.
    pub features: Vec<String>,
}

/// How answers of classes are judged. All but `Error` see probabilities, so that they tell of rare
/// classes, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermutationLoss {
    /// The mean squared error of the probabilities (Brier 1950): for two classes that of either,
    /// for more the sum over them.
    Brier,
    /// The mean of `-ln p` of a row's own class, p clipped to [2^-52, 1].
    LogLoss,
    /// 1 less the area under the ROC curve: how often a row of a class has a lower probability of
    /// it than another row, ties counting half. With more than two classes, the mean over the
    /// classes that have rows.
    RocAuc,
    /// The share of rows whose class is not predicted. Where a class is rare, permuting a feature often
    /// changes no predicted class.
    Error,
}

impl PermutationLoss {
    /// `brier`, `log_loss`, `roc_auc` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            PermutationLoss::Brier => "brier",
            PermutationLoss::LogLoss => "log_loss",
            PermutationLoss::RocAuc => "roc_auc",
            PermutationLoss::Error => "error",
        }
    }
}

impl PermutationSpec {
    /// Adds features that are permuted together.
    #[must_use]
    pub fn group(
        mut self,
        name: impl Into<String>,
        features: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let features = features.into_iter().map(Into::into).collect();
        self.groups.push(FeatureGroup { name: name.into(), features });
        self
    }
}
