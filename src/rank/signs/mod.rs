//! Signs that a column names its rows, or is known only after the target is.

mod numbering;
mod pure_side;

pub(crate) use numbering::Numbering;
pub(crate) use pure_side::PureSide;
pub(super) use pure_side::{FoundSide, PureScan};

#[cfg(any(feature = "polars", feature = "arrow"))]
use super::FeatureGain;
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::data::dtype::Kind;
use crate::spec::ScreenSpec;

/// Fewer rows do not tell ids from other columns.
pub(crate) const LEAST_ROWS: u64 = 20;
/// What all rows together tell may be chance if it is less than this, in bits: one column in a million
/// tells as much.
pub(crate) const LEAST_BITS: f64 = 20.0;

/// What a column shows of itself, beside what it tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Signs {
    /// Whether its values number the rows.
    pub(crate) numbering: Numbering,
    /// The rule that finds most rows of a rare class without an error, if there is one.
    pub(crate) pure: Option<Box<PureSide>>,
}

/// From where on something is a sign; the fields are those of a [`ScreenSpec`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignLimits {
    pub(crate) id_share: f64,
    pub(super) pure_share: f64,
    pub(super) pure_recall: f64,
    pub(super) rare_share: f64,
}

impl SignLimits {
    pub(crate) fn of(spec: &ScreenSpec) -> SignLimits {
        let &ScreenSpec { id_share, pure_share, pure_recall, rare_share, .. } = spec;
        SignLimits { id_share, pure_share, pure_recall, rare_share }
    }
}

impl Default for SignLimits {
    fn default() -> Self {
        SignLimits::of(&ScreenSpec::default())
    }
}

#[cfg(any(feature = "polars", feature = "arrow"))]
impl FeatureGain {
    /// Whether the column names its rows. `is_told` says whether it tells more of the target than
    /// chance: an amount in cents may be as distinct as an id, and tells. `id_share_nominal` is that
    /// of a [`ScreenSpec`].
    pub(crate) fn is_id(&self, kind: Kind, is_told: bool, id_share_nominal: f64) -> bool {
        let known = self.n - self.n_missing;
        known >= LEAST_ROWS
            && match (kind, self.signs.numbering) {
                (Kind::Nominal, _) => self.n_levels as f64 >= id_share_nominal * known as f64,
                (Kind::Ordered, Numbering::None) => false,
                (Kind::Ordered, Numbering::Whole) => !is_told,
                (Kind::Ordered, Numbering::Rows) => true,
            }
    }
}
