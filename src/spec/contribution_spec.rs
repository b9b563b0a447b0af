//! What the contributions of features are about.

use serde::{Deserialize, Serialize};

use super::spec;

spec! {
    /// What the contributions of features are about.
    ///
    /// ```
    /// use gaintree::ContributionSpec;
    /// let spec = ContributionSpec::default().event("fraud").threads(2);
    /// # assert_eq!(spec.threads, Some(2));
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ContributionSpec {
        /// The class whose probability is explained, as text. `None` is the rarer of two classes in
        /// training, the last of equals; of more classes one has to be named.
        pub event: Option<String>,
    } with threads and monitor
}
