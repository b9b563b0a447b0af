//! Arithmetic on stats: all that a scan needs to know of a target.

use super::Num;

/// How stats of one kind are weighed and splits of them rated.
///
/// A *proxy* is a cheap number that orders the two-way splits of one parent as the gain does, up
/// to rounding. Scans compare proxies and rate only the splits near the best one.
pub(crate) trait Rating: Send + Sync {
    type Num: Num;

    /// Numbers in a stat.
    fn width(&self) -> usize;

    /// Whether a stat's units are its rows.
    fn counts_rows(&self) -> bool {
        false
    }

    fn units(&self, stat: &[Self::Num]) -> Self::Num;

    fn weight(&self, units: Self::Num) -> f64;

    /// The gain of a split: a pure function of the parent's and the branches' stats, symmetric
    /// in two branches.
    fn gain(&self, parent: &[Self::Num], branches: &[&[Self::Num]]) -> f64;

    /// Gains below this are rounding at a node of this impurity, and count as zero. The default
    /// is for ratings whose [`gain`](Self::gain) decides that exactly.
    fn zero_below(&self, _impurity: f64) -> f64 {
        0.0
    }

    /// An upper bound of the gain of any split: the impurity, where a stat tells it.
    fn impurity_bound(&self, _parent: &[Self::Num]) -> f64 {
        f64::INFINITY
    }

    /// Whether some two-way split of any rows of this stat reaches
    /// [`impurity_bound`](Self::impurity_bound).
    fn reaches_impurity_bound(&self, _parent: &[Self::Num]) -> bool {
        false
    }

    /// Entropy of the branches' weights.
    fn split_info(&self, branches: &[&[Self::Num]]) -> f64;

    /// The proxy of the split after each of these neighbouring buckets. `left` is the stat left
    /// of the first bucket, and is moved past the last one.
    fn proxies(
        &self,
        stats: &[Self::Num],
        parent: &[Self::Num],
        left: &mut [Self::Num],
        out: &mut [f64],
    );

    /// The proxies of splits given by their left sides.
    fn proxies_at(&self, lefts: &[Self::Num], parent: &[Self::Num], out: &mut [f64]);

    /// For each pair of neighbours in a growing sequence of left sides, an upper bound of the
    /// proxies of all left sides between them, up to rounding. `proxies` are the proxies of
    /// `lefts`; `spreads` are from [`BoundCuts::sum_blocks`](super::BoundCuts::sum_blocks).
    fn block_bounds(
        &self,
        lefts: &[Self::Num],
        parent: &[Self::Num],
        proxies: &[f64],
        spreads: &[f64],
        out: &mut [f64],
    );

    /// The proxy of a split of this gain, up to rounding.
    fn proxy_of(&self, gain: f64, parent: &[Self::Num]) -> f64;

    /// The lowest proxy that may belong to the highest gain, where `best` is the highest proxy.
    /// The margin is far above the rounding of proxies and far below any gain that matters.
    fn proxy_floor(&self, best: f64, parent: &[Self::Num]) -> f64;

    /// Whether the best subset of a nominal feature's levels is always an upper part of
    /// [`level_order`](Self::level_order), where no limit forbids it.
    fn orders_exactly(&self) -> bool;

    /// The levels, given by their stats, in an order to cut subsets from; ties in level order.
    fn level_order(&self, stats: &[Self::Num]) -> Vec<usize>;

    /// More such orders, where none is exact.
    fn orders_by_class(&self, _stats: &[Self::Num]) -> Vec<Vec<usize>> {
        Vec::new()
    }
}
