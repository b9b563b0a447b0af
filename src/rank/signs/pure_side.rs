//! Rules that find the rare one of two classes without an error: one side of a cut, a level, or
//! missing values.
//!
//! A column that is filled in after the event often tells it on one side alone: all 16 rows with a
//! refund are events, and of the other rows nothing is known.

use smallvec::smallvec;

use super::{LEAST_BITS, SignLimits};
use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
use crate::rank::rule_text::text_of_branch;
use crate::split::{Buckets, CodeCut, CodeTest, PresortedView, RowLevels};
use crate::stat::{CountRows, Rating, StatVec};
use crate::tree::rule::Test;

/// A rule whose rows are all, or nearly all, of the rare class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PureSide {
    /// The rule.
    pub(crate) rule: String,
    /// Whether it is about missing values.
    pub(crate) is_missing: bool,
    /// The class, by its index.
    pub(crate) class: u32,
    /// The rule's rows.
    pub(crate) n: u64,
    /// Of these, the rows of the class; where rows have weights, that share of the rule's rows.
    pub(crate) n_class: u64,
    /// How often chance finds such a rule, at most.
    pub(crate) p_value: f64,
}

/// The rare one of two classes, and what makes a rule that finds it pure.
pub(in crate::rank) struct PureScan<'a, R> {
    rating: &'a R,
    class: usize,
    /// The rows that are looked at, and the share of the class in all rows.
    all: Rows,
    share: f64,
    limits: SignLimits,
}

/// Some rows, what they weigh, and what those of the rare class weigh.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    n: u64,
    weight: f64,
    of_class: f64,
}

/// A pure rule in codes.
pub(in crate::rank) struct FoundSide {
    pub(in crate::rank) test: CodeTest,
    /// The branch of the test.
    branch: u32,
    class: u32,
    rows: Rows,
    p_value: f64,
}

impl<'a, R: Rating> PureScan<'a, R> {
    /// `n` rows of this stat. `None` if there are other than two classes, if neither is rare, or if
    /// the rare one has too few rows to tell a rule from chance.
    pub(in crate::rank) fn new(
        rating: &'a R,
        limits: SignLimits,
        n: usize,
        total: &[R::Num],
    ) -> Option<Self> {
        let &[first, second] = total else { return None };
        let [first, second] = [first, second].map(|units| rating.weight(units));
        let (class, of_class) = if second <= first { (1, second) } else { (0, first) };
        let all = Rows { n: n as u64, weight: first + second, of_class };
        let is_rare = of_class > 0.0 && of_class <= limits.rare_share * all.weight;
        // A rule of all rows of the class, and no others.
        let most = is_rare && all.share() * n as f64 * -all.share().log2() >= LEAST_BITS;
        most.then_some(PureScan { rating, class, all, share: all.share(), limits })
    }

    /// The class, by its index.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(in crate::rank) fn class(&self) -> usize {
        self.class
    }

    /// This scan of `n` rows of this stat alone. If all rows of the class are among them, it finds a
    /// rule wherever a scan of all rows does.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(in crate::rank) fn among(&self, n: usize, total: &[R::Num]) -> Self {
        PureScan { all: self.rows(n as u64, total), ..*self }
    }

    /// The pure rule that finds most of the class in buckets of a level each. Linear in the buckets.
    pub(in crate::rank) fn of_buckets(
        &self,
        kind: Kind,
        buckets: &Buckets<R::Num>,
    ) -> Option<FoundSide> {
        let (n_levels, codes) = (buckets.len(), &buckets.codes);
        let level = |at: usize| self.rows(buckets.rows[at].into(), buckets.stat(at));
        let mut best = Best::default();
        self.offer_missing(self.rows(buckets.missing_rows.into(), &buckets.missing), &mut best);
        if kind == Kind::Ordered {
            let cut = |at: usize| Some(CodeCut::between(codes[at - 1], codes[at]));
            self.offer_cuts(n_levels, level, cut, &mut best);
        }
        for (at, &code) in codes.iter().enumerate() {
            self.offer(|| CodeTest::Equals(code), 1, level(at), &mut best);
        }
        self.found(best, kind, n_levels)
    }

    /// The pure rule that finds most of the class in the entries of an ordered column of `n_levels`
    /// levels. Looks at few entries from either end, and at as many as levels of enough rows have.
    pub(in crate::rank) fn of_view<S, L>(
        &self,
        rows: &S,
        view: PresortedView<L>,
        n_levels: usize,
    ) -> Option<FoundSide>
    where
        S: CountRows<Rating = R, Num = R::Num>,
        L: RowLevels,
    {
        let n_known = view.n_known();
        let count = |entries: &[u32]| {
            let mut stat: StatVec<R::Num> = smallvec![R::Num::default(); self.rating.width()];
            rows.add_entries(entries, view.layout, &mut stat);
            self.rows(entries.len() as u64, &stat)
        };
        let one = |at: usize| count(&view.entries[at..=at]);
        let cut = |at: usize| {
            let cut = || CodeCut::between(view.code(at - 1), view.code(at));
            view.is_boundary(at).then(cut)
        };
        let mut best = Best::default();
        self.offer_missing(count(&view.entries[n_known..]), &mut best);
        self.offer_cuts(n_known, one, cut, &mut best);
        // A level of at least `2 step - 1` rows has all rows of one of the steps.
        let step = self.least_rows().div_ceil(2);
        let mut at = 0;
        while !view.is_distinct && at + step <= n_known {
            if !view.is_one_level(at, at + step - 1) {
                at += step;
                continue;
            }
            let begin = (0..at).rev().find(|&before| view.is_boundary(before + 1));
            let begin = begin.map_or(0, |before| before + 1);
            let end = view.level_end(at, n_known);
            let mut level = Rows::default();
            for part in view.entries[begin..end].chunks(64) {
                level.add(count(part));
                if self.is_spoilt(level) {
                    break;
                }
            }
            self.offer(|| CodeTest::Equals(view.code(begin)), 1, level, &mut best);
            at = end.next_multiple_of(step);
        }
        self.found(best, Kind::Ordered, n_levels)
    }

    fn rows(&self, n: u64, stat: &[R::Num]) -> Rows {
        let weight = self.rating.weight(self.rating.units(stat));
        Rows { n, weight, of_class: self.rating.weight(stat[self.class]) }
    }

    /// The least rows of a rule that finds enough of the class; 1 where rows have weights.
    fn least_rows(&self) -> usize {
        match self.rating.counts_rows() {
            true => (self.all.of_class * self.limits.pure_recall).ceil().max(1.0) as usize,
            false => 1,
        }
    }

    /// Whether no more rows can make these pure.
    fn is_spoilt(&self, rows: Rows) -> bool {
        let pure_share = self.limits.pure_share;
        pure_share * (rows.weight - rows.of_class) > (1.0 - pure_share) * self.all.of_class
    }

    fn is_pure(&self, rows: Rows) -> bool {
        rows.of_class > 0.0
            && rows.of_class >= self.limits.pure_recall * self.all.of_class
            && rows.of_class >= self.limits.pure_share * rows.weight
    }

    fn offer_missing(&self, missing: Rows, best: &mut Best) {
        let Rows { n, weight, of_class } = self.all;
        let known = Rows {
            n: n - missing.n,
            weight: weight - missing.weight,
            of_class: of_class - missing.of_class,
        };
        if missing.n > 0 && known.n > 0 {
            self.offer(|| CodeTest::IsMissing, 1, missing, best);
            self.offer(|| CodeTest::IsMissing, 0, known, best);
        }
    }

    /// Offers the cuts between `n` parts in order, from either end until no other can be pure. `cut`
    /// is the one before a part, if there is one.
    fn offer_cuts(
        &self,
        n: usize,
        part: impl Fn(usize) -> Rows,
        cut: impl Fn(usize) -> Option<CodeCut>,
        best: &mut Best,
    ) {
        let mut offer = |branch: u32, cuts: &mut dyn Iterator<Item = usize>| {
            let mut side = Rows::default();
            for at in cuts {
                side.add(part(if branch == 0 { at - 1 } else { at }));
                if self.is_spoilt(side) {
                    break;
                }
                if let Some(cut) = cut(at) {
                    self.offer(|| CodeTest::AtLeast(cut), branch, side, best);
                }
            }
        };
        offer(0, &mut (1..n));
        offer(1, &mut (1..n).rev());
    }

    /// Of equal rules the first is kept.
    fn offer(&self, test: impl Fn() -> CodeTest, branch: u32, rows: Rows, best: &mut Best) {
        let is_better = best.as_ref().is_none_or(|(_, _, of)| rows.of_class > of.of_class);
        if self.is_pure(rows) && is_better {
            *best = Some((test(), branch, rows));
        }
    }

    fn found(&self, best: Best, kind: Kind, n_levels: usize) -> Option<FoundSide> {
        let (test, branch, rows) = best?;
        let n_rules = if kind == Kind::Ordered { 3 * n_levels } else { n_levels } + 2;
        let p_value = (n_rules as f64 * self.chance_of(rows)).min(1.0);
        let is_told = -p_value.log2() >= LEAST_BITS;
        is_told.then_some(FoundSide { test, branch, class: self.class as u32, rows, p_value })
    }

    /// At most how often this share or more of as many random rows are of the class: `exp(-n D)`
    /// with the Kullback-Leibler divergence D of the two shares in nats (Hoeffding 1963, theorem 1
    /// and section 6).
    fn chance_of(&self, rows: Rows) -> f64 {
        let (found, all) = (rows.share(), self.share);
        let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
        (-(rows.n as f64) * (term(found, all) + term(1.0 - found, 1.0 - all))).exp()
    }
}

/// A test, its branch, and the rows that take it.
type Best = Option<(CodeTest, u32, Rows)>;

impl Rows {
    fn add(&mut self, other: Rows) {
        self.n += other.n;
        self.weight += other.weight;
        self.of_class += other.of_class;
    }

    /// The share of the class.
    fn share(self) -> f64 {
        self.of_class / self.weight
    }
}

impl FoundSide {
    /// This rule as text.
    pub(in crate::rank) fn named(&self, column: &ColumnInfo) -> PureSide {
        let FoundSide { test, branch, class, rows, p_value } = self;
        let test = test.map_cut(|cut| column.cut(cut.lo, cut.hi));
        PureSide {
            rule: text_of_branch(column, &test, *branch),
            is_missing: test == Test::IsMissing,
            class: *class,
            n: rows.n,
            n_class: (rows.share() * rows.n as f64).round() as u64,
            p_value: *p_value,
        }
    }
}
