//! What the figures of a column say.

use std::fmt;

use super::FeatureDrift;
use crate::error::{Error, Result};
use crate::rank::check_share;
use crate::spec::DriftSpec;

/// What can be said of a column, by the `alpha` and the `threshold` of a [`DriftSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftVerdict {
    /// `psi` is above `expected_psi` by the threshold or more, and `q_value` is at most alpha.
    Moved,
    /// `psi` is above `expected_psi` by less than the threshold, and `expected_psi` is at most that.
    Stable,
    /// `psi` is above `expected_psi` by less than the threshold, but `expected_psi` is above that.
    TooFewRows,
    /// `psi` is above `expected_psi` by the threshold or more, and `q_value` above alpha.
    MayBeChance,
    /// `psi` is above `expected_psi` by the threshold or more, and there is no test.
    Untested,
}

impl DriftVerdict {
    /// Why nothing can be told.
    #[must_use]
    pub fn doubt(self) -> Option<&'static str> {
        match self {
            DriftVerdict::Moved | DriftVerdict::Stable => None,
            DriftVerdict::TooFewRows => Some("too few rows to see such a shift"),
            DriftVerdict::MayBeChance => Some("chance may have done it"),
            DriftVerdict::Untested => Some("too few rows for a test"),
        }
    }
}

/// `moved`, `stable` or `cannot tell`.
impl fmt::Display for DriftVerdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            DriftVerdict::Moved => "moved",
            DriftVerdict::Stable => "stable",
            DriftVerdict::TooFewRows | DriftVerdict::MayBeChance | DriftVerdict::Untested => {
                "cannot tell"
            }
        })
    }
}

impl FeatureDrift {
    /// `psi` less what chance makes of it.
    #[must_use]
    pub fn beyond_chance(&self) -> f64 {
        self.psi - self.expected_psi
    }

    /// What the figures say, once the q-value is known.
    #[must_use]
    pub fn verdict(&self, spec: &DriftSpec) -> DriftVerdict {
        if self.beyond_chance() < spec.threshold {
            return match self.expected_psi <= spec.threshold {
                true => DriftVerdict::Stable,
                false => DriftVerdict::TooFewRows,
            };
        }
        match self.q_value {
            Some(q) if q <= spec.alpha => DriftVerdict::Moved,
            Some(_) => DriftVerdict::MayBeChance,
            None => DriftVerdict::Untested,
        }
    }
}

pub(super) fn check_limits(spec: &DriftSpec) -> Result<()> {
    let DriftSpec { alpha, threshold, .. } = spec;
    check_share("alpha", *alpha, "a probability")?;
    if !(0.0..f64::INFINITY).contains(threshold) {
        return Err(Error::spec(format!(
            "threshold is {threshold}; it is a psi beyond chance, 0 or more"
        )));
    }
    Ok(())
}
