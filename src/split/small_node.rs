//! The cuts of a node of few rows, without what a larger one is worth: no buckets, no blocks, no
//! memory. RadixPass all nodes of a full tree are such: this, and that a node's search ends at a rule
//! that makes it pure, took a sixth off its growth.

use smallvec::smallvec;

use crate::spec::Missing;
use crate::split::{Candidate, CodeTest, RowLevels, Search, SortedView, difference};
use crate::stat::{Stat, StatVec};

/// Rows that are few.
const FEW: usize = 128;

/// Whether [`best_cut`] is the whole answer: few rows, none of them missing, and no limit that
/// could forbid a cut.
pub(super) fn is_simple<S: Stat, L: RowLevels>(
    search: &Search,
    stat: &S,
    view: SortedView<L>,
) -> bool {
    let n = view.entries.len();
    (2..=FEW).contains(&n) && stat.bounds_proxies() && !search.limits.bind() && view.n_known() == n
}

/// The best cut: highest gain, then lowest. `None` where all are below the bar; `total` is the
/// stat of the entries.
pub(super) fn best_cut<S: Stat, L: RowLevels>(
    search: &Search,
    stat: &S,
    total: &[S::Num],
    view: SortedView<L>,
) -> Option<Candidate> {
    let last = view.entries.len() - 1;
    let mut proxies = [0.0; FEW];
    let proxies = &mut proxies[..last];
    let mut moved: StatVec<S::Num> = smallvec![S::Num::default(); total.len()];
    stat.proxies_along(&view.entries[..last], view.packing, total, &mut moved, proxies);
    let bar = stat.proxy_of(search.bar, total);
    // All are asked at once, without a jump, and mostly in vain.
    let floor = stat.proxy_floor(bar, total);
    if !proxies.iter().fold(false, |any, &proxy| any | (proxy >= floor)) {
        return None;
    }
    let highest =
        (0..last).filter(|&i| view.is_boundary(i + 1)).fold(bar, |max, i| proxies[i].max(max));
    let floor = stat.proxy_floor(highest, total);
    let mut best: Option<(f64, usize)> = None;
    for (i, &proxy) in proxies.iter().enumerate() {
        if proxy < floor || !view.is_boundary(i + 1) {
            continue;
        }
        let [left, right] = sides(stat, total, view, i + 1);
        let gain = stat.gain(total, &[&left, &right]);
        if gain >= search.bar && best.is_none_or(|(highest, _)| gain > highest) {
            best = Some((gain, i + 1));
        }
    }
    let (gain, at) = best?;
    let [left, right] = sides(stat, total, view, at);
    let goes_right = stat.units(&right) >= stat.units(&left);
    Some(Candidate {
        gain,
        split_info: stat.split_info(&[&left, &right]),
        test: CodeTest::AtLeast { lo: view.code(at - 1), hi: view.code(at) },
        missing_to: (search.missing != Missing::Fractional).then_some(goes_right.into()),
        approximate: false,
    })
}

/// The stats of the entries before and from `at`.
fn sides<S: Stat, L: RowLevels>(
    stat: &S,
    total: &[S::Num],
    view: SortedView<L>,
    at: usize,
) -> [StatVec<S::Num>; 2] {
    let mut left: StatVec<S::Num> = smallvec![S::Num::default(); total.len()];
    stat.take(&view.entries[..at], view.packing, &mut left);
    let right = difference(total, &left);
    [left, right]
}
