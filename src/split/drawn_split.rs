//! The one split of a column that a node of an extremely randomised tree rates (Geurts, Ernst &
//! Wehenkel 2006).
//!
//! A cut that is drawn parts the known rows into two buckets, whatever the levels are, and what
//! rates the cuts between buckets rates this one: with missing on either side, by the same limits,
//! and beside `x is missing`. Its place is between the node's least level and its greatest, which
//! are the ends of a presorted column, so that no level is looked at but those of a binary search.

use super::binary_splits::better;
use super::{
    BinarySplits, Buckets, Candidate, CodeCut, DrawnCut, PresortedView, RowLevels, Scratch,
    SplitPolicy, nominal, ordered, subset,
};
use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
use crate::spec::Grouping;
use crate::stat::{Rating, RowStats};
use crate::util::random::Random;

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
        if let (Kind::Ordered, Some((at, cut))) = (kind, self.cut(&buckets.codes, |&code| code)) {
            return of_sides(policy, rating, &buckets.merged(&[at]), cut);
        }
        let splits = &BinarySplits::new(policy, rating, buckets);
        let (n_levels, mut random) = (buckets.len(), Random::of_seed(self.seed));
        let drawn = match (kind, policy.grouping) {
            // A branch per level leaves nothing to draw.
            (Kind::Nominal, Grouping::Multiway) => return nominal::multiway(splits),
            // Of one level, or none, nothing can be drawn.
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

    /// The candidate of entries in order of level, whose codes ascend.
    pub(crate) fn of_presorted<S: RowStats, L: RowLevels>(
        &self,
        policy: &SplitPolicy,
        rows: &S,
        kind: Kind,
        view: PresortedView<L>,
        scratch: &mut Scratch<S::Num>,
    ) -> Option<Candidate> {
        let known = &view.entries[..view.n_known()];
        let code = |&entry: &u32| view.levels.code(view.layout.row(entry));
        let has_places = kind == Kind::Ordered && self.column.has_scale();
        match has_places.then(|| self.cut(known, code)).flatten() {
            Some((at, cut)) => {
                let sizes = [at as u32, (known.len() - at) as u32];
                scratch.fill_sizes(rows, view.entries, view.layout, &sizes);
                of_sides(policy, rows.rating(), &scratch.buckets, cut)
            }
            None => {
                scratch.fill_presorted(rows, view);
                self.of_buckets(policy, rows.rating(), kind, &scratch.buckets)
            }
        }
    }

    /// A cut of items in order of level, and the first item right of it. Without a scale it is a
    /// gap between two items, which must be levels. `None` where all are of one level.
    fn cut<T>(&self, items: &[T], code: impl Fn(&T) -> u32) -> Option<(usize, CodeCut)> {
        let (least, greatest) = (code(items.first()?), code(items.last()?));
        if least == greatest {
            return None;
        }
        let mut random = Random::of_seed(self.seed);
        let column = self.column;
        let (at, drawn) = if column.has_scale() {
            let number = random.next();
            let key = column.drawn_key(self.in_table(least), self.in_table(greatest), number)?;
            let is_left = |item: &T| column.key_of_level(self.in_table(code(item))) < Some(key);
            (items.partition_point(is_left), Some(DrawnCut { least, greatest, number }))
        } else {
            (1 + random.below(items.len() - 1), None)
        };
        Some((at, CodeCut { lo: code(&items[at - 1]), hi: code(&items[at]), drawn }))
    }

    fn in_table(&self, code: u32) -> u32 {
        self.table_codes.map_or(code, |codes| codes[code as usize])
    }
}

/// The candidate of the two sides of a cut, or `x is missing`.
fn of_sides<R: Rating>(
    policy: &SplitPolicy,
    rating: &R,
    sides: &Buckets<R::Num>,
    cut: CodeCut,
) -> Option<Candidate> {
    let best = ordered::best(&BinarySplits::new(policy, rating, sides))?;
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
