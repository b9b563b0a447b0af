//! What each column is: a leak, an id, a twin of another, chance, weak or useful.
//!
//! Each column is looked at [once](ColumnScreen::screen), by what it tells beside chance
//! ([`Told`]), by rules that find a rare class without an error, and by whether its values name the
//! rows ([`Signs`](super::signs::Signs)). The [verdicts](Verdict) follow, with the false discovery rate among all
//! columns; the ones that are left are compared in [`pairs`].

mod bins;
mod judge;
mod pairs;
mod told;
mod verdict;

use super::classes::ClassRanker;
use super::conditional::Labels;
use super::numbers::{RatedRows, number_gain};
use super::signs::SignLimits;
use super::visitor::{RankVisitor, RankedColumn};
use super::{FeatureGain, RankSpec, check_share};
use crate::data::column::Column;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::Result;
use crate::spec::{Criterion, Cuts, LogBase, RankMissing, ScreenSpec};
use crate::split::{ColumnView, Scratch};
use crate::stat::{ClassRows, Count, Num, NumberRows, TargetVisitor};
use crate::util::monitoring::begin_stage;
use bins::ScreenBins;
pub(crate) use judge::Judged;
use pairs::{PAIR_ROWS, PairColumn};
pub(crate) use told::Told;
pub(crate) use verdict::{LeakBy, Verdict};

/// A column as a screen has looked at it.
pub(crate) struct Screened {
    pub(crate) kind: Kind,
    /// Its counts, its best rule, and what its missing values tell, as in a ranking.
    pub(crate) gain: FeatureGain,
    pub(crate) told: Told,
    /// The column on the rows that pairs are counted on.
    of_pairs: PairColumn,
}

/// Screens columns, a few at a time.
pub(crate) struct ColumnScreen<'a> {
    table: &'a Table,
    kinds: FeatureKinds<'a>,
    spec: &'a ScreenSpec,
    rank_spec: RankSpec,
    labels: Labels<'a>,
    /// The rows that pairs of columns are counted on.
    pair_rows: Vec<u32>,
}

impl<'a> ColumnScreen<'a> {
    /// `table` has the target; `features` are the names of all columns that are screened.
    ///
    /// # Errors
    /// A threshold that is no share, and names among `kinds` that are no features.
    pub(crate) fn new(
        table: &'a Table,
        features: &[&str],
        kinds: Kinds<'a>,
        spec: &'a ScreenSpec,
    ) -> Result<Self> {
        kinds.check(features)?;
        check_share("alpha", spec.alpha, "a probability")?;
        for (name, share) in spec.shares() {
            check_share(name, share, "a share")?;
        }
        let n = table.n_rows();
        let n_pairs = n.min(PAIR_ROWS);
        let pair_rows = (0..n_pairs).map(|at| (at * n / n_pairs) as u32).collect();
        let (kinds, labels) = (kinds.by_name(), Labels::of(table)?);
        begin_stage(spec.monitor.as_ref(), "screening columns", features.len());
        let rank_spec = RankSpec { monitor: spec.monitor.clone(), ..RankSpec::default() };
        Ok(ColumnScreen { table, kinds, spec, rank_spec, labels, pair_rows })
    }

    /// Looks at some of the columns, in parallel. Linear in the rows but for sorting.
    pub(crate) fn screen<S: Source>(&self, features: &[S]) -> Result<Vec<Screened>> {
        let context = &self.table.context;
        let column =
            |i: usize| context.raw_column(&features[i], &self.kinds).map(RankedColumn::Raw);
        let (table, spec) = (self.table, &self.rank_spec);
        let ranking = RankVisitor {
            table,
            n_columns: features.len(),
            column,
            groups: None,
            spec,
            given: None,
        };
        let visitor = ScreenVisitor { screen: self, ranking };
        let (target, weights) = (&table.target, table.weights.as_ref());
        let screened = visitor.visit(target, weights, Criterion::Entropy, LogBase::Two)?;
        context.check_interrupt()?;
        Ok(screened)
    }

    fn screened(&self, column: &Column, gain: FeatureGain) -> Screened {
        let bins = ScreenBins::of(column);
        Screened {
            kind: column.kind,
            told: Told::of(self.table, &self.labels, column, &bins, &gain),
            of_pairs: PairColumn::of_rows(column, &bins, &self.pair_rows),
            gain,
        }
    }
}

/// Screens columns with a ranker of the target's kind.
struct ScreenVisitor<'a, F> {
    screen: &'a ColumnScreen<'a>,
    ranking: RankVisitor<'a, F>,
}

impl<'a, F> TargetVisitor for ScreenVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>> + Sync,
{
    type Output = Result<Vec<Screened>>;

    const LARGEST_TABLED: usize = RankVisitor::<F>::LARGEST_TABLED;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let ranker = ClassRanker::new(&rows, RankMissing::Known, Cuts::Best);
        let ranker = ranker.with_signs(SignLimits::of(self.screen.spec));
        self.visit_columns(|column, view, scratch| ranker.gain(column, view, scratch))
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        let all = RatedRows::of(&rows, &self.screen.table.all_rows());
        let missing = RankMissing::Known;
        self.visit_columns(|column, view, scratch| {
            number_gain(column, view, &rows, &all, missing, scratch)
        })
    }
}

impl<'a, F> ScreenVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>> + Sync,
{
    fn visit_columns<N: Num>(
        &self,
        gain: impl Fn(&Column, ColumnView, &mut Scratch<N>) -> FeatureGain + Sync,
    ) -> Result<Vec<Screened>> {
        let screened = |column: &Column, view: ColumnView, _: &[u32], scratch: &mut Scratch<N>| {
            let id_share = self.screen.spec.id_share;
            let gain = gain(column, view, scratch).with_numbering(column, view, id_share);
            self.screen.screened(column, gain)
        };
        let of_groups = self.ranking.each_column(|_, _, _| None, screened)?;
        Ok(of_groups.into_iter().flatten().collect())
    }
}
