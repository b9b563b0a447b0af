//! Notes on columns that name their rows, or give the target away.

use std::f64::consts::LN_2;

use super::chance_splits::LEAST_LEVELS;
use crate::data::dtype::Kind;
use crate::data::number_text::digits;
use crate::rank::{FeatureGain, LEAST_BITS, LEAST_ROWS, Measures, PureSide};
use crate::spec::{LogBase, ScreenSpec};

/// A column gives the target away if it leaves at most this share of the impurity.
pub(super) const LEFT_OVER: f64 = 0.01;
/// Levels of fewer rows tell any target.
pub(super) const ROWS_A_LEVEL: u64 = 10;

/// Notes on a ranked feature: its [signs](sign_notes), and that much of its gain is that of any column
/// with as many levels. `straight` is the share of a numeric target's variance that a straight line
/// explains, or 0.
pub(crate) fn rank_notes(
    gain: &FeatureGain,
    kind: Kind,
    classes: &[String],
    base: LogBase,
    straight: f64,
) -> Vec<String> {
    let sign = sign(gain, kind, base, straight);
    let mut notes = notes_of(&sign, gain, classes, base);
    if !matches!(sign, Some(Sign::Id)) {
        let (known, chance) =
            (gain.n - gain.n_missing, gain.expected_by_chance(classes.len(), base));
        notes.extend(many_levels(kind, gain.n_levels, known, gain.gain(), chance));
    }
    notes
}

/// What a feature shows of an id or a leak: that it is like an id; or that it gives the target, or a
/// rare class of it, away; and that missing values tell half as much as the gain or more. `classes` are
/// the target's as text.
pub(super) fn sign_notes(
    gain: &FeatureGain,
    kind: Kind,
    classes: &[String],
    base: LogBase,
) -> Vec<String> {
    notes_of(&sign(gain, kind, base, 0.0), gain, classes, base)
}

fn notes_of(
    sign: &Option<Sign>,
    gain: &FeatureGain,
    classes: &[String],
    base: LogBase,
) -> Vec<String> {
    let missing = telling_missing(gain, base);
    let (note, missing) = match sign {
        Some(Sign::Id) => (Some(like_id(gain)), missing),
        Some(Sign::Pure(pure)) => {
            (Some(pure_side(pure, classes)), missing.filter(|_| !pure.is_missing))
        }
        Some(Sign::TellsAll) if missing.is_none() => {
            (Some("gives the target away: is it known before the target is?".to_string()), None)
        }
        Some(Sign::TellsAll) | None => (None, missing),
    };
    note.into_iter().chain(missing).collect()
}

/// Whether a feature is like an id, or gives the target away.
pub(super) fn is_id_or_leak(gain: &FeatureGain, kind: Kind, base: LogBase) -> bool {
    sign(gain, kind, base, 0.0).is_some()
}

/// What a feature is, whatever it gains.
enum Sign<'a> {
    Id,
    /// Its known values leave nothing of the target open.
    TellsAll,
    /// A rule finds a rare class.
    Pure(&'a PureSide),
}

fn sign(gain: &FeatureGain, kind: Kind, base: LogBase, straight: f64) -> Option<Sign<'_>> {
    let id_share_nominal = ScreenSpec::default().id_share_nominal;
    if gain.is_id(kind, is_told(gain, base), id_share_nominal) {
        return Some(Sign::Id);
    }
    if gives_away(gain, kind, base, straight) {
        return Some(Sign::TellsAll);
    }
    gain.signs.pure.as_deref().map(Sign::Pure)
}

/// Says that a column names its rows.
fn like_id(gain: &FeatureGain) -> String {
    format!(
        "like an id: {} values in {} rows, so that its gain says little about other rows; exclude \
         it, unless it means something",
        gain.n_levels,
        gain.n - gain.n_missing
    )
}

/// Says that a rule finds a rare class.
fn pure_side(pure: &PureSide, classes: &[String]) -> String {
    let class = classes.get(pure.class as usize).map_or("", String::as_str);
    let PureSide { rule, n, n_class, .. } = pure;
    format!(
        "gives the target away: {n_class} of {n} rows with `{rule}` are {class}; is it known before \
         the target is?"
    )
}

/// Whether the gain is more than chance finds.
fn is_told(gain: &FeatureGain, base: LogBase) -> bool {
    let bits = match &gain.measures {
        Measures::Classes(m) => in_bits(m.info_gain, base),
        Measures::Numbers(m) => (1.0 - m.variance_reduction / m.variance).log2() / -2.0,
    };
    bits * gain.n as f64 >= LEAST_BITS
}

/// Says that half or more of a nominal feature's gain is what chance gains with as many levels.
pub(super) fn many_levels(
    kind: Kind,
    n_levels: u64,
    known: u64,
    gained: f64,
    chance: f64,
) -> Option<String> {
    (kind == Kind::Nominal && n_levels > LEAST_LEVELS && 2.0 * chance >= gained).then(|| {
        format!(
            "{n_levels} levels in {known} rows: as many random levels would gain about {} of its {}",
            digits(chance.min(gained), 2),
            digits(gained, 4)
        )
    })
}

/// Whether the known values leave next to nothing of the target open, beyond what chance could do.
fn gives_away(gain: &FeatureGain, kind: Kind, base: LogBase, straight: f64) -> bool {
    let known = gain.n - gain.n_missing;
    // Of a level a row any target could be told.
    let may_tell = kind == Kind::Ordered || gain.n_levels <= known / ROWS_A_LEVEL;
    let tells_all = match &gain.measures {
        Measures::Classes(m) => {
            m.conditional_entropy <= LEFT_OVER * m.entropy
                && in_bits(m.entropy, base) * known as f64 >= LEAST_BITS
        }
        Measures::Numbers(m) => {
            let left_over = (m.variance_left_over / m.variance).min(1.0 - straight);
            left_over <= LEFT_OVER && known >= LEAST_ROWS
        }
    };
    gain.n_levels > 1 && may_tell && tells_all
}

/// Says what missing values tell, if that is no chance and half of the gain or more.
fn telling_missing(gain: &FeatureGain, base: LogBase) -> Option<String> {
    let FeatureGain { n, n_missing, missing_gain, .. } = *gain;
    // As a share of what there is to tell, and in bits of a row.
    let (share, bits) = match &gain.measures {
        Measures::Classes(m) => (missing_gain / m.entropy, in_bits(missing_gain, base)),
        Measures::Numbers(m) => {
            // Of the missing rows' own variance nothing is known.
            let known_share = (n - n_missing) as f64 / n as f64;
            let share = missing_gain / (missing_gain + known_share * m.variance);
            (share, share / (2.0 * LN_2))
        }
    };
    let tells = 2.0 * missing_gain >= gain.gain()
        && share >= LEFT_OVER
        && bits * n as f64 >= LEAST_BITS
        && n_missing.min(n - n_missing) > 0;
    tells.then(|| {
        format!(
            "missing in {n_missing} of {n} rows, which tells {} alone, where the gain is {}: is that \
             known before the target is?",
            digits(missing_gain, 4),
            digits(gain.gain(), 4)
        )
    })
}

fn in_bits(entropy: f64, base: LogBase) -> f64 {
    match base {
        LogBase::Two => entropy,
        LogBase::E => entropy / LN_2,
    }
}
