//! What a column is: the rules of the verdicts.

use super::Screened;
use crate::spec::ScreenSpec;
use crate::stat::criterion::quotient;

/// What a column is, in the order in which a screen lists columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// It tells the target, or one class of it, as only what is known after the event does.
    Leak(LeakBy),
    /// It names its rows.
    Id,
    /// Another column tells it: the index, and the share of it.
    Twin(usize, f64),
    Useful,
    Weak,
    /// It tells no more than chance.
    Chance,
    /// It has one value.
    Constant,
}

/// What gives the target away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeakBy {
    Values,
    /// One side of a rule.
    OneSide,
    /// Whether a value is missing.
    Missing,
}

impl Verdict {
    /// The word that tables show.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Verdict::Leak(_) => "leak",
            Verdict::Id => "id",
            Verdict::Twin(..) => "twin",
            Verdict::Useful => "useful",
            Verdict::Weak => "weak",
            Verdict::Chance => "chance",
            Verdict::Constant => "constant",
        }
    }

    /// Whether a model should not have the column, whatever it seems to tell.
    pub(crate) fn is_to_leave_out(&self) -> bool {
        matches!(self, Verdict::Leak(_) | Verdict::Id | Verdict::Twin(..))
    }

    /// The place among the verdicts in which columns are listed.
    pub(super) fn place(&self) -> usize {
        match self {
            Verdict::Leak(_) => 0,
            Verdict::Id => 1,
            Verdict::Twin(..) => 2,
            Verdict::Useful => 3,
            Verdict::Weak => 4,
            Verdict::Chance => 5,
            Verdict::Constant => 6,
        }
    }

    /// The verdict on a column beside the target alone: whatever the others are, but for its
    /// `q_value` among them.
    pub(super) fn alone(column: &Screened, q_value: f64, spec: &ScreenSpec) -> Verdict {
        let is_told = q_value <= spec.alpha;
        if column.is_constant() {
            return Verdict::Constant;
        }
        if column.gain.is_id(column.kind, is_told, spec.id_share_nominal) {
            return Verdict::Id;
        }
        if !is_told {
            return Verdict::Chance;
        }
        let missing_share = column.missing_share_told();
        if missing_share >= spec.leak_share {
            return Verdict::Leak(LeakBy::Missing);
        }
        if column.told.share_of_rest >= spec.leak_share {
            return Verdict::Leak(LeakBy::Values);
        }
        match &column.gain.signs.pure {
            Some(pure) if pure.is_missing => Verdict::Leak(LeakBy::Missing),
            Some(_) => Verdict::Leak(LeakBy::OneSide),
            None if column.told.share() < spec.weak_share => Verdict::Weak,
            None => Verdict::Useful,
        }
    }
}

impl Screened {
    /// Whether all rows agree; a missing value is one more value.
    fn is_constant(&self) -> bool {
        let values = self.gain.n_levels + u64::from(self.gain.n_missing > 0);
        values < 2
    }

    /// What missing values alone tell, as a share of what there is to tell.
    fn missing_share_told(&self) -> f64 {
        quotient(self.gain.missing_gain, self.told.all)
    }
}
