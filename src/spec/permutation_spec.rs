//! How the importance of features is found by permuting them.

use serde::{Deserialize, Serialize};

use super::Interrupt;

/// How the importance of features is found: by how much worse the answers get where the values of a
/// feature are permuted among the rows (Breiman 2001, section 10; Fisher, Rudin & Dominici 2019).
///
/// ```
/// use gaintree::{PermutationLoss, PermutationSpec};
/// let spec = PermutationSpec::default().loss(PermutationLoss::Brier).group("size", ["width", "height"]);
/// assert_eq!(spec.groups.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PermutationSpec {
    /// Features that belong together, and are permuted together; others stand by themselves.
    pub groups: Vec<FeatureGroup>,
    /// How answers are judged.
    pub loss: PermutationLoss,
    /// How often each feature is permuted, at least 1; out of bag for each tree. `None` is 5, and 1 out
    /// of bag.
    pub repeats: Option<u32>,
    /// What the permutations are made of: the same seed gives the same importance.
    pub seed: u64,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Stops the work when it is raised.
    #[serde(skip)]
    pub interrupt: Option<Interrupt>,
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

/// How the answer for a row is judged. Numbers are judged by the squared error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermutationLoss {
    /// 1 if another class is predicted than the row's, else 0.
    #[default]
    Error,
    /// The squared error of the probabilities (Brier 1950): of two classes that of either, of more the
    /// sum over them. It tells of rare classes, too.
    Brier,
}

impl PermutationSpec {
    setters! {
        loss: PermutationLoss,
        repeats: u32 => Some(repeats),
        seed: u64,
        threads: usize => Some(threads),
        interrupt: Interrupt => Some(interrupt),
    }

    /// Adds features that are permuted together.
    #[must_use]
    pub fn group(
        mut self,
        name: impl Into<String>,
        features: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.groups.push(FeatureGroup { name: name.into(), features: super::strings(features) });
        self
    }
}
