//! One ranking: each column is read or found, viewed group by group, and rated.

use std::borrow::Cow;
use std::sync::LazyLock;

use rayon::prelude::*;

use super::classes::ClassRanker;
use super::groups::GroupedRows;
use super::numbers::number_gain;
use super::{FeatureGain, Groups};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::encode::RawColumn;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::table::Table;
use crate::spec::{Criterion, Cuts, RankMissing};
use crate::split::{ColumnView, Scratch};
use crate::stat::{ClassRows, Count, Num, NumberRows, RowStats, TargetVisitor};
use crate::util::parallel::Tasks;
use crate::util::scratch_pool::ScratchPool;

/// A column to rank.
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
    pub(super) missing: RankMissing,
    pub(super) cuts: Cuts,
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
        let entropy = *rows.rating();
        let ratings = [entropy, entropy.by(Criterion::Gini)];
        let ranker = ClassRanker { rows: &rows, ratings, missing: self.missing, cuts: self.cuts };
        self.rank(
            |raw, sorted_keys, scratch| match raw.kind {
                Kind::Ordered => ranker.sorted_gain(raw, sorted_keys, scratch),
                Kind::Nominal => ranker.counted_gain(raw, scratch),
            },
            |column, view, scratch| ranker.gain(column, view, scratch),
        )
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        self.rank(
            |_, _, _| None,
            |column, view, scratch| number_gain(column, view, &rows, self.missing, scratch),
        )
    }
}

impl<'a, F, E> RankVisitor<'a, F>
where
    F: Fn(usize) -> Result<RankedColumn<'a>, E> + Sync,
    E: Send,
{
    /// `raw_gain` rates all rows of a raw column if it can, and may then take the column's data.
    fn rank<N: Num>(
        &self,
        raw_gain: impl Fn(&mut RawColumn, &mut SortedKeys, &mut Scratch<N>) -> Option<FeatureGain>
        + Sync,
        gain: impl Fn(&Column, ColumnView, &mut Scratch<N>) -> FeatureGain + Sync,
    ) -> Result<Vec<Vec<FeatureGain>>, E> {
        let grouped = self.groups.map(GroupedRows::new);
        let all_rows = LazyLock::new(|| self.table.all_rows());
        let rank_column = |(sorted_keys, scratch): &mut (SortedKeys, Scratch<N>), i| {
            let column = match (self.column)(i)? {
                RankedColumn::Encoded(column) => Cow::Borrowed(column),
                RankedColumn::Raw(mut raw) => {
                    if grouped.is_none()
                        && let Some(gain) = raw_gain(&mut raw, sorted_keys, scratch)
                    {
                        return Ok(vec![gain]);
                    }
                    Cow::Owned(raw.encode())
                }
            };
            let mut gain = |view: ColumnView| gain(&column, view, scratch);
            Ok(match &grouped {
                None => vec![gain(ColumnView::of(&column, &all_rows))],
                Some(rows) => rows.for_each_group(&column, gain),
            })
        };
        let pool = ScratchPool::default();
        let columns = (0..self.n_columns).into_par_iter().one_item_per_task();
        columns.map(|i| pool.with(|memory| rank_column(memory, i))).collect()
    }
}
