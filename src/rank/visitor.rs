//! One ranking: each column is read or found, viewed group by group, and rated.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::chance::{ByChance, Exact, LevelTotals, Ranked};
use super::classes::ClassRanker;
use super::figures::gain_of;
use super::given;
use super::groups::GroupedRows;
use super::numbers::{RatedRows, number_gain};
use super::signs::SignLimits;
use super::strata::Strata;
use super::{FeatureGain, Groups};
use crate::data::column::Column;
use crate::encode::RawColumn;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::table::{EncodeContext, Table};
use crate::spec::RankSpec;
use crate::split::{BinarySplits, ColumnView, Scratch, ordered};
use crate::stat::{ClassRows, Count, Num, NumberRows, RowStats, TargetVisitor};
use crate::util::monitoring::advance;
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;

pub(super) enum RankedColumn<'a> {
    Encoded(&'a Column),
    Raw(RawColumn),
}

/// A ranking of columns, which `column` reads or finds by their number.
pub(super) struct RankVisitor<'a, F> {
    pub(super) table: &'a Table,
    pub(super) n_columns: usize,
    pub(super) column: F,
    pub(super) groups: Option<Groups<'a>>,
    pub(super) spec: &'a RankSpec,
    pub(super) given: Option<&'a Strata>,
}

impl<'a, F, E> TargetVisitor for RankVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>, E> + Sync,
    E: Send,
{
    type Output = Result<Vec<Vec<FeatureGain>>, E>;

    /// Each column is looked at once, so a longer table would cost as much as it saves.
    const LARGEST_TABLED: usize = 1 << 17;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let RankSpec { log_base, missing, cuts, .. } = *self.spec;
        let ranker = ClassRanker::new(&rows, missing, cuts).with_signs(SignLimits::default());
        self.rank(
            &rows,
            |raw, sorted_keys, scratch| ranker.raw_gain(raw, sorted_keys, scratch),
            |column, view, scratch| ranker.gain(column, view, scratch),
            |splits| ranker.ordered_gain(splits),
            |gain, totals| Exact::of_classes(gain, totals, log_base),
        )
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        let (all, missing) = (RatedRows::of(&rows, &self.table.all_rows()), self.spec.missing);
        self.rank(
            &rows,
            |_, _, _| None,
            |column, view, scratch| number_gain(column, view, &rows, &all, missing, scratch),
            |splits| gain_of(&ordered::best(splits)),
            Exact::of_numbers,
        )
    }
}

impl<'a, F, E> RankVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>, E> + Sync,
    E: Send,
{
    /// `raw_gain` rates all rows of a raw column if it can, and may then take the column's data.
    /// `of_buckets` is the gain of an ordered column alone; `exact` is asked where rows have no
    /// weights.
    fn rank<S: RowStats>(
        &self,
        rows: &S,
        raw_gain: impl Fn(&mut RawColumn, &mut SortedKeys, &mut Scratch<S::Num>) -> Option<FeatureGain>
        + Sync,
        gain: impl Fn(&Column, ColumnView, &mut Scratch<S::Num>) -> FeatureGain + Sync,
        of_buckets: impl Fn(&BinarySplits<S::Rating>) -> f64 + Sync,
        exact: impl Fn(&FeatureGain, LevelTotals) -> Exact + Sync,
    ) -> Result<Vec<Vec<FeatureGain>>, E> {
        let RankSpec { missing, cuts, chance, .. } = *self.spec;
        let id_share = SignLimits::default().id_share;
        let gain = |column: &Column, view: ColumnView, scratch: &mut Scratch<S::Num>| {
            let mut gain = gain(column, view, scratch);
            gain.given = self.given.map(|of| given::figures(rows, column, view, of, missing));
            gain.with_numbering(column, view, id_share)
        };
        let Some(chance) = chance else {
            let raw_gain =
                |raw: &mut RawColumn, keys: &mut SortedKeys, scratch: &mut _| match self.given {
                    None => raw_gain(raw, keys, scratch),
                    Some(_) => None,
                };
            return self
                .each_column(raw_gain, |column, view, _, scratch| gain(column, view, scratch));
        };
        let columns = self.each_column(
            |_, _, _| None,
            |column, view, rows, scratch| {
                let gain = gain(column, view, scratch);
                Ranked::new(gain, column, view, rows, missing, cuts)
            },
        )?;
        let Table { weights, context: EncodeContext { monitor, .. }, .. } = self.table;
        let (is_weighted, monitor) = (weights.is_some(), monitor.as_ref());
        let by_chance = ByChance { rows, chance, missing, is_weighted, monitor, of_buckets, exact };
        Ok(match self.groups.map(GroupedRows::new) {
            None => {
                let all_rows = self.table.all_rows();
                by_chance.add(columns, |_| &all_rows)
            }
            Some(grouped) => by_chance.add(columns, |group| grouped.rows_of(group)),
        })
    }

    pub(super) fn each_column<N: Num, T: Send>(
        &self,
        raw: impl Fn(&mut RawColumn, &mut SortedKeys, &mut Scratch<N>) -> Option<T> + Sync,
        encoded: impl Fn(&Column, ColumnView, &[u32], &mut Scratch<N>) -> T + Sync,
    ) -> Result<Vec<Vec<T>>, E> {
        let grouped = self.groups.map(GroupedRows::new);
        let all_rows = LazyLock::new(|| self.table.all_rows());
        let rank_column = |(sorted_keys, scratch): &mut (SortedKeys, Scratch<N>), i| {
            let column = match (self.column)(i)? {
                RankedColumn::Encoded(column) => Cow::Borrowed(column),
                RankedColumn::Raw(mut column) => {
                    if grouped.is_none()
                        && let Some(found) = raw(&mut column, sorted_keys, scratch)
                    {
                        return Ok(vec![found]);
                    }
                    Cow::Owned(column.encode())
                }
            };
            let mut look = |rows: &[u32], view: ColumnView| encoded(&column, view, rows, scratch);
            Ok(match &grouped {
                None => vec![look(&all_rows, ColumnView::of(&column, &all_rows))],
                Some(rows) => rows.for_each_group(&column, look),
            })
        };
        let pool = ScratchPool::default();
        let columns = parallel::map(0..self.n_columns, |at| {
            let ranked = pool.with(|memory| rank_column(memory, at));
            advance(self.table.context.monitor.as_ref(), 1);
            ranked
        });
        columns.into_iter().collect()
    }
}
