//! The best cut of a node of few rows, without buckets, blocks or allocation. Most nodes of a
//! full tree are of this kind.

use smallvec::smallvec;

use super::{Candidate, CodeCut, CodeTest, PresortedView, RowLevels, SplitPolicy};
use crate::stat::{Rating, RowStats, StatVec, subtract};
use crate::tree::missing::heavier_branch;

const MAX_ROWS: usize = 128;

/// Whether [`best_cut`] applies: few rows, none of them missing, and no limit but one of rows.
pub(crate) fn applies<L: RowLevels>(policy: &SplitPolicy, view: PresortedView<L>) -> bool {
    let n = view.entries.len();
    (2..=MAX_ROWS).contains(&n) && policy.limits.rows_alone().is_some() && view.n_known() == n
}

/// The best cut by a rating: highest gain, then lowest. `None` if all are below the gain floor, or
/// if there are too few rows; `total` is the stat of the entries.
pub(crate) fn best_cut<S: RowStats, L: RowLevels>(
    policy: &SplitPolicy,
    rows: &S,
    rating: &S::Rating,
    total: &[S::Num],
    view: PresortedView<L>,
) -> Option<Candidate> {
    let n = view.entries.len();
    let least = policy.limits.rows_alone()?;
    // The allowed cuts, each named by the first entry right of it.
    let allowed = least..(n + 1).checked_sub(least)?;
    let mut proxies = [0.0; MAX_ROWS];
    let proxies = &mut proxies[..n];
    let mut left: StatVec<S::Num> = smallvec![S::Num::default(); total.len()];
    let (before, along) = (&view.entries[..n - 1], &mut proxies[1..]);
    rows.proxies_along(rating, before, view.layout, total, &mut left, along);
    let floor_proxy = rating.proxy_of(policy.gain_floor, total);
    // Branchless, as most columns have no cut above the floor.
    let floor = policy.contender_floor(rating, floor_proxy, total);
    let of_allowed = proxies.get(allowed.clone())?;
    if !of_allowed.iter().fold(false, |any, &proxy| any | (proxy >= floor)) {
        return None;
    }
    let boundaries = allowed.clone().filter(|&at| view.is_boundary(at));
    let highest = boundaries.fold(floor_proxy, |max, at| proxies[at].max(max));
    let floor = policy.contender_floor(rating, highest, total);
    let (mut right, mut best) = (left.clone(), None::<(f64, usize)>);
    for at in allowed {
        if proxies[at] < floor || !view.is_boundary(at) {
            continue;
        }
        fill_sides(rows, total, view, at, &mut left, &mut right);
        let gain = policy.denoised(rating.gain(total, &[&left, &right]));
        if gain >= policy.gain_floor && best.is_none_or(|(highest, _)| gain > highest) {
            best = Some((gain, at));
        }
    }
    let (gain, at) = best?;
    fill_sides(rows, total, view, at, &mut left, &mut right);
    let heavier = heavier_branch(rating.units(&left), rating.units(&right));
    Some(Candidate {
        gain,
        split_info: rating.split_info(&[&left, &right]),
        test: CodeTest::AtLeast(CodeCut::between(view.code(at - 1), view.code(at))),
        missing_to: policy.missing.joins(heavier),
        approximate: false,
    })
}

/// Fills in the stats of the entries before `at` and from it on.
fn fill_sides<S: RowStats, L: RowLevels>(
    rows: &S,
    total: &[S::Num],
    view: PresortedView<L>,
    at: usize,
    left: &mut [S::Num],
    right: &mut [S::Num],
) {
    left.fill(S::Num::default());
    rows.add_entries(&view.entries[..at], view.layout, left);
    right.copy_from_slice(total);
    subtract(right, left);
}
