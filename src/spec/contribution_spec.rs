//! What the contributions of features are about.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;

/// What the contributions of features are about.
///
/// ```
/// use gaintree::ContributionSpec;
/// let spec = ContributionSpec::default().event("fraud").threads(2);
/// # assert_eq!(spec.threads, Some(2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ContributionSpec {
    /// The class whose probability is explained, as text. `None` is the rarer of two classes in
    /// training, the last of equals; of more classes one has to be named.
    pub event: Option<String>,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Watches the work, and may end it.
    #[serde(skip)]
    pub monitor: Option<Monitor>,
}

impl ContributionSpec {
    setters! {
        event: impl Into<String> => Some(event.into()),
        threads: usize => Some(threads),
        monitor: Monitor => Some(monitor),
    }
}
