//! How weights of evidence become points.

use serde::{Deserialize, Serialize};

use super::spec;

spec! {
    /// How weights of evidence become the points of a scorecard.
    ///
    /// The score is `offset - factor * log_odds`, where `log_odds` are the log odds of the event by
    /// a logistic regression on the weights of evidence, `factor = pdo / ln 2` and `offset =
    /// points - factor * ln(odds)` (Siddiqi 2006, "Credit Risk Scorecards", chapter 6): the higher
    /// the score, the less likely the event.
    ///
    /// ```
    /// use gaintree::ScorecardSpec;
    /// let spec = ScorecardSpec::default().points(500.0).odds(20.0).coefficients([("age", 0.8)]);
    /// assert_eq!(spec.pdo, 20.0);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ScorecardSpec {
        /// The score at `odds`.
        pub points: f64 = 600.0,
        /// The non-events to one event at `points`.
        pub odds: f64 = 50.0,
        /// The points that double the odds.
        pub pdo: f64 = 20.0,
        /// The features of the card, each with its coefficient in a logistic regression of the
        /// event on their weights of evidence. `None` is every feature by a coefficient of 1, which
        /// is naive Bayes: features that tell the same count twice.
        pub coefficients: Option<Vec<(String, f64)>> => by_hand,
        /// The intercept of the regression; `None` is the log-odds of the event in the rows that
        /// were binned, which goes with coefficients of 1.
        pub intercept: Option<f64>,
        /// Whether the points of each bin are rounded, to the even one of two as near.
        pub rounded: bool,
    }
}

impl ScorecardSpec {
    /// Sets the features of the card and their coefficients.
    #[must_use]
    pub fn coefficients(
        mut self,
        coefficients: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Self {
        let pairs = coefficients.into_iter().map(|(feature, x)| (feature.into(), x));
        self.coefficients = Some(pairs.collect());
        self
    }
}
