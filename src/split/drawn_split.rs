//! The one split of a column that a node of an extremely randomised tree rates (Geurts, Ernst &
//! Wehenkel 2006).
//!
//! A cut that is drawn parts the known rows into two buckets, whatever the levels are, and what
//! rates the cuts between buckets rates this one: with missing on either side, by the same limits,
//! and beside `x is missing`. The place of a cut of numbers or times is between the node's least
//! level and its greatest, so the rows need no order: one pass finds the two, another counts the
//! sides.

use smallvec::SmallVec;

use super::binary_splits::better;
use super::{
    BinarySplits, Buckets, Candidate, CodeCut, DrawnCut, PresortedView, RowLevels, Scratch,
    SplitPolicy, nominal, ordered, subset,
};
use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
use crate::spec::Grouping;
use crate::stat::{CountRows, Rating, RowStats};
use crate::util::random::Random;

/// The codes of at most this many rows are sorted to look a place up among them; that is less than
/// among all levels between the least and the greatest.
const FEW: usize = 64;

/// The draw of a split of one column at one node.
pub(crate) struct DrawnSplit<'a> {
    /// What its random numbers are made of.
    pub(crate) seed: u64,
    pub(crate) column: &'a ColumnInfo,
    /// The column's code of each code here, where they are not the same.
    pub(crate) table_codes: Option<&'a [u32]>,
}

impl DrawnSplit<'_> {
    /// The candidate of buckets, whose codes ascend with the levels.
    pub(crate) fn of_buckets<R: Rating>(
        &self,
        policy: &SplitPolicy,
        rating: &R,
        kind: Kind,
        buckets: &Buckets<R::Num>,
    ) -> Option<Candidate> {
        if !buckets.varies() {
            return None;
        }
        if let (Kind::Ordered, Some((at, cut))) = (kind, self.cut_of_levels(&buckets.codes)) {
            let sides = buckets.merged(&[at]);
            return of_sides(&BinarySplits::new(policy, rating, &sides), cut);
        }
        let splits = &BinarySplits::new(policy, rating, buckets);
        let (n_levels, mut random) = (buckets.len(), Random::of_seed(self.seed));
        let drawn = match (kind, policy.grouping) {
            // A branch per level leaves nothing to draw.
            (Kind::Nominal, Grouping::Multiway) => return nominal::multiway(splits),
            // Nothing can be drawn from one level, or none.
            (Kind::Ordered, _) => None,
            (Kind::Nominal, _) if n_levels < 2 => None,
            (Kind::Nominal, Grouping::OneVsRest) => {
                nominal::of_level(splits, random.below(n_levels))
            }
            (Kind::Nominal, Grouping::Subset) => {
                subset::of_set(splits, &drawn_set(&mut random, n_levels))
            }
        };
        better(drawn, splits.is_missing())
    }

    /// The candidate of entries in order of level, of a column whose levels are few for them or have no
    /// scale.
    pub(crate) fn of_presorted<S: RowStats, L: RowLevels>(
        &self,
        policy: &SplitPolicy,
        rows: &S,
        kind: Kind,
        view: PresortedView<L>,
        scratch: &mut Scratch<S::Num>,
    ) -> Option<Candidate> {
        scratch.fill_presorted(rows, view);
        self.of_buckets(policy, rows.rating(), kind, &scratch.buckets)
    }

    /// The candidate of an ordered column with a scale by its rows in any order, each with its code.
    pub(crate) fn of_rows<S: CountRows>(
        &self,
        policy: &SplitPolicy,
        rows: &S,
        coded: impl ExactSizeIterator<Item = (u32, u32)> + Clone,
        missing: u32,
        scratch: &mut Scratch<S::Num>,
    ) -> Option<Candidate> {
        let known = coded.clone().map(|(_, code)| code).filter(|&code| code < missing);
        let cut = if coded.len() <= FEW {
            let mut codes: SmallVec<[u32; FEW]> = known.collect();
            codes.sort_unstable();
            self.cut_of_levels(&codes).map(|(_, cut)| cut)
        } else {
            self.cut_of_range(known)
        };
        // All known rows are left of no cut.
        let hi = cut.map_or(missing, |cut| cut.hi);
        let side = |code| if code == missing { 2 } else { u32::from(code >= hi) };
        scratch.fill_counting(rows, coded.map(|(row, code)| (row, side(code))), 2);
        let splits = &BinarySplits::new(policy, rows.rating(), &scratch.buckets);
        match cut {
            Some(cut) => of_sides(splits, cut),
            None => splits.is_missing(),
        }
    }

    /// A cut of levels, which ascend, and the first one right of it. Without a scale it is one of their
    /// gaps. `None` if they are one level, or none.
    fn cut_of_levels(&self, codes: &[u32]) -> Option<(usize, CodeCut)> {
        let (&least, &greatest) = (codes.first()?, codes.last()?);
        if least == greatest {
            return None;
        }
        let (at, drawn) = match self.place(least, greatest) {
            Some((place, drawn)) => {
                (codes.partition_point(|&code| self.is_below(code, place)), Some(drawn))
            }
            None => (1 + Random::of_seed(self.seed).below(codes.len() - 1), None),
        };
        Some((at, CodeCut { lo: codes[at - 1], hi: codes[at], drawn }))
    }

    /// A cut of many levels in any order, of a column with a scale.
    fn cut_of_range(&self, codes: impl Iterator<Item = u32>) -> Option<CodeCut> {
        let (least, greatest) = codes
            .fold((u32::MAX, 0), |(least, greatest), code| (least.min(code), greatest.max(code)));
        if least >= greatest {
            return None;
        }
        let (place, drawn) = self.place(least, greatest)?;
        let (mut lo, mut hi) = (least, greatest);
        while hi - lo > 1 {
            let middle = lo.midpoint(hi);
            *(if self.is_below(middle, place) { &mut lo } else { &mut hi }) = middle;
        }
        Some(CodeCut { lo, hi, drawn: Some(drawn) })
    }

    /// The key of a uniform place above one level and up to another; `None` without a scale.
    fn place(&self, least: u32, greatest: u32) -> Option<(i128, DrawnCut)> {
        let number = Random::of_seed(self.seed).next();
        let (lo, hi) = (self.in_table(least), self.in_table(greatest));
        Some((self.column.drawn_key(lo, hi, number)?, DrawnCut { least, greatest, number }))
    }

    fn is_below(&self, code: u32, place: i128) -> bool {
        self.column.key_of_level(self.in_table(code)) < Some(place)
    }

    fn in_table(&self, code: u32) -> u32 {
        self.table_codes.map_or(code, |codes| codes[code as usize])
    }
}

/// The candidate of the two sides of a cut, or `x is missing`.
fn of_sides<R: Rating>(sides: &BinarySplits<R>, cut: CodeCut) -> Option<Candidate> {
    let best = ordered::best(sides)?;
    Some(Candidate { test: best.test.map_cut(|_| cut), ..best })
}

/// One of the sets of `n` levels, all as likely, that hold some and not all. There are two or more.
fn drawn_set(random: &mut Random, n: usize) -> Vec<bool> {
    loop {
        let set: Vec<bool> = (0..n).map(|_| random.below(2) == 1).collect();
        if set.contains(&true) && set.contains(&false) {
            return set;
        }
    }
}
