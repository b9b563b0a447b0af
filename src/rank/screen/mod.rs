//! What each column is: a leak, an id, a twin of another, chance, weak or useful.
//!
//! Each column is looked at [once](ColumnScreen::screen), by what it tells beside chance
//! ([`Told`]), by rules that find a rare class without an error ([`PureSide`]), and by whether its
//! values name the rows. The [verdicts](Verdict) follow, with the false discovery rate among all
//! columns; the ones that are left are compared in [`pairs`].

mod bins;
mod judge;
mod pairs;
mod pure_side;
mod told;
mod verdict;

use super::classes::ClassRanker;
use super::conditional::Labels;
use super::numbers::{RatedRows, number_gain};
use super::visitor::{RankVisitor, RankedColumn};
use super::{FeatureGain, RankSpec, check_share};
use crate::data::column::{Codes, Column};
use crate::data::column_data::Source;
use crate::data::dtype::{Kind, Value};
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::Result;
use crate::spec::{Criterion, Cuts, LogBase, RankMissing, ScreenSpec};
use crate::split::{ColumnView, Scratch};
use crate::stat::{ClassRows, Count, Num, NumberRows, TargetVisitor};
use bins::ScreenBins;
pub(crate) use judge::Judged;
use pairs::{PAIR_ROWS, PairColumn};
pub(crate) use pure_side::PureSide;
use pure_side::RareClass;
pub(crate) use told::Told;
pub(crate) use verdict::{LeakBy, Verdict};

/// A column as a screen has looked at it.
pub(crate) struct Screened {
    pub(crate) kind: Kind,
    /// Its counts, its best rule, and what its missing values tell, as in a ranking.
    pub(crate) gain: FeatureGain,
    pub(crate) told: Told,
    pub(crate) pure: Option<PureSide>,
    /// Of an ordered column of nearly distinct values: whether all are whole, and whether they
    /// number the rows.
    is_whole: bool,
    is_numbered: bool,
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
        let rare = RareClass::of(&self.labels, self.spec);
        let visitor = ScreenVisitor { screen: self, ranking, rare };
        let (target, weights) = (&table.target, table.weights.as_ref());
        let screened = visitor.visit(target, weights, Criterion::Entropy, LogBase::Two)?;
        context.check_interrupt()?;
        Ok(screened)
    }

    fn screened(&self, column: &Column, gain: FeatureGain, rare: Option<&RareClass>) -> Screened {
        let bins = ScreenBins::of(column);
        let [is_whole, is_numbered] = numbering(column, &gain, self.spec.id_share);
        Screened {
            kind: column.kind,
            told: Told::of(self.table, &self.labels, column, &bins, &gain),
            pure: rare.and_then(|rare| rare.purest(column)),
            is_whole,
            is_numbered,
            of_pairs: PairColumn::of_rows(column, &bins, &self.pair_rows),
            gain,
        }
    }
}

/// Whether all values of an ordered column are whole, and whether they number the rows: the greatest
/// is above the least by less than twice the rows. Looked at only where `id_share` of them are
/// distinct.
fn numbering(column: &Column, gain: &FeatureGain, id_share: f64) -> [bool; 2] {
    let known = gain.n - gain.n_missing;
    let Codes::Sorted(sorted) = &column.codes else { return [false; 2] };
    if column.kind != Kind::Ordered || (gain.n_levels as f64) < id_share * known as f64 {
        return [false; 2];
    }
    let code = |row: &u32| sorted.codes.of(*row);
    let order = &sorted.order[..known as usize];
    let is_whole = column.dtype.holds_integers()
        || column.dtype.is_float()
            && order.iter().all(|row| match column.value(code(row)) {
                Value::Float(value) => value.fract() == 0.0,
                Value::Int(_) | Value::Unsigned(_) | Value::Text(_) => false,
            });
    let [Some(first), Some(last)] = [order.first(), order.last()] else { return [is_whole, false] };
    let key = |row: &u32| match column.value(code(row)) {
        Value::Float(value) => value,
        Value::Int(value) => value as f64,
        Value::Unsigned(value) => value as f64,
        Value::Text(_) => f64::NAN,
    };
    [is_whole, is_whole && key(last) - key(first) < 2.0 * known as f64]
}

/// Screens columns with a ranker of the target's kind.
struct ScreenVisitor<'a, F> {
    screen: &'a ColumnScreen<'a>,
    ranking: RankVisitor<'a, F>,
    rare: Option<RareClass<'a>>,
}

impl<'a, F> TargetVisitor for ScreenVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>> + Sync,
{
    type Output = Result<Vec<Screened>>;

    const LARGEST_TABLED: usize = RankVisitor::<F>::LARGEST_TABLED;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let ranker = ClassRanker::new(&rows, RankMissing::Known, Cuts::Best);
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
            self.screen.screened(column, gain(column, view, scratch), self.rare.as_ref())
        };
        let of_groups = self.ranking.each_column(|_, _, _| None, screened)?;
        Ok(of_groups.into_iter().flatten().collect())
    }
}
