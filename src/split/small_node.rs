//! The best cut of a node of few rows, without buckets or blocks.

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
    let mut proxies = [0.0; MAX_ROWS];
    let (mut left, mut right) = (StatVec::from_slice(total), StatVec::from_slice(total));
    let rows = Entries { rows, view };
    best_cut_of(policy, rating, total, &rows, &mut proxies, [&mut left, &mut right])
}

/// Known rows in order of level, at least two.
pub(super) trait RowsInOrder<R: Rating> {
    fn n_rows(&self) -> usize;

    /// The stat of all rows as proxies take it, from theirs.
    fn parent<'p>(&'p self, total: &'p [R::Num]) -> &'p [R::Num];

    /// The proxy of the cut after each row but the last.
    fn proxies(&self, rating: &R, parent: &[R::Num], out: &mut [f64]);

    /// Adds the first rows to a stat.
    fn add_first(&self, n_rows: usize, stat: &mut [R::Num]);

    /// Whether a level ends before a row.
    fn is_boundary(&self, at: usize) -> bool;

    /// The code of a row's level.
    fn code(&self, at: usize) -> u32;
}

/// [`best_cut`] of any rows in order. `proxies`, a number a row, and the two stats are scratch.
pub(super) fn best_cut_of<R: Rating>(
    policy: &SplitPolicy,
    rating: &R,
    total: &[R::Num],
    rows: &impl RowsInOrder<R>,
    proxies: &mut [f64],
    [left, right]: [&mut [R::Num]; 2],
) -> Option<Candidate> {
    let (n, parent) = (rows.n_rows(), rows.parent(total));
    let least = policy.limits.rows_alone()?;
    // The allowed cuts, each named by the first row right of it.
    let allowed = least..(n + 1).checked_sub(least)?;
    let proxies = &mut proxies[..n];
    rows.proxies(rating, parent, &mut proxies[1..]);
    let floor_proxy = rating.proxy_of(policy.gain_floor, parent);
    // Branchless, as most columns have no cut above the floor.
    let floor = policy.contender_floor(rating, floor_proxy, parent);
    let of_allowed = proxies.get(allowed.clone())?;
    if !of_allowed.iter().fold(false, |any, &proxy| any | (proxy >= floor)) {
        return None;
    }
    let mut highest = floor_proxy;
    for at in allowed.clone() {
        if proxies[at] > highest && rows.is_boundary(at) {
            highest = proxies[at];
        }
    }
    let floor = policy.contender_floor(rating, highest, parent);
    let (mut filled, mut best) = (0, None::<(f64, usize)>);
    for at in allowed {
        if proxies[at] < floor || !rows.is_boundary(at) {
            continue;
        }
        fill_sides(total, rows, at, left, right);
        filled = at;
        let gain = policy.denoised(rating.gain(total, &[left, right]));
        if gain >= policy.gain_floor && best.is_none_or(|(highest, _)| gain > highest) {
            best = Some((gain, at));
        }
    }
    let (gain, at) = best?;
    if at != filled {
        fill_sides(total, rows, at, left, right);
    }
    let heavier = heavier_branch(rating.units(left), rating.units(right));
    Some(Candidate {
        gain,
        split_info: policy.split_info(|| rating.split_info(&[left, right])),
        test: CodeTest::AtLeast(CodeCut::between(rows.code(at - 1), rows.code(at))),
        missing_to: policy.missing.joins(heavier),
        approximate: false,
    })
}

/// Fills in the stats of the rows before `at` and from it on.
fn fill_sides<R: Rating>(
    total: &[R::Num],
    rows: &impl RowsInOrder<R>,
    at: usize,
    left: &mut [R::Num],
    right: &mut [R::Num],
) {
    left.fill(R::Num::default());
    rows.add_first(at, left);
    right.copy_from_slice(total);
    subtract(right, left);
}

/// Presorted entries, all of them known.
struct Entries<'a, S, L> {
    rows: &'a S,
    view: PresortedView<'a, L>,
}

impl<S: RowStats, L: RowLevels> RowsInOrder<S::Rating> for Entries<'_, S, L> {
    fn n_rows(&self) -> usize {
        self.view.entries.len()
    }

    fn parent<'p>(&'p self, total: &'p [S::Num]) -> &'p [S::Num] {
        total
    }

    #[inline]
    fn proxies(&self, rating: &S::Rating, parent: &[S::Num], out: &mut [f64]) {
        let mut left = StatVec::from_elem(S::Num::default(), parent.len());
        let before = &self.view.entries[..out.len()];
        self.rows.proxies_along(rating, before, self.view.layout, parent, &mut left, out);
    }

    #[inline]
    fn add_first(&self, n_rows: usize, stat: &mut [S::Num]) {
        self.rows.add_entries(&self.view.entries[..n_rows], self.view.layout, stat);
    }

    #[inline]
    fn is_boundary(&self, at: usize) -> bool {
        self.view.is_boundary(at)
    }

    #[inline]
    fn code(&self, at: usize) -> u32 {
        self.view.code(at)
    }
}
