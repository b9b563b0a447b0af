//! The columns of a table that may name its rows, or be known only after the target.

use super::FeatureGain;
use super::classes::ClassRanker;
use super::numbers::{RatedRows, number_gain};
use super::signs::{Numbering, PureScan, SignLimits};
use crate::data::column::{Column, EntryLayout};
use crate::data::dtype::Kind;
use crate::encode::table::Table;
use crate::spec::{Criterion, Cuts, LogBase, RankMissing};
use crate::split::{ColumnView, Scratch};
use crate::stat::{ClassRows, Count, CountRows, Num, NumberRows, TargetVisitor};
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;

/// The figures of each column of a table that has a [sign](super::signs::Signs) or as many levels as
/// an id; `None` of the others, which takes a fraction of the time that ranks them. Columns are
/// looked at in parallel in the current pool.
pub(crate) fn suspects(table: &Table) -> Vec<Option<FeatureGain>> {
    let visitor = SuspectVisitor { table, limits: SignLimits::default() };
    visitor.visit(&table.target, table.weights.as_ref(), Criterion::Entropy, LogBase::Two)
}

struct SuspectVisitor<'a> {
    table: &'a Table,
    limits: SignLimits,
}

impl TargetVisitor for SuspectVisitor<'_> {
    type Output = Vec<Option<FeatureGain>>;

    const LARGEST_TABLED: usize = 1 << 17;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let ranker =
            ClassRanker::new(&rows, RankMissing::Known, Cuts::Best).with_signs(self.limits);
        let all_rows = self.table.all_rows();
        let total = rows.total(&all_rows, EntryLayout::ROWS);
        let scan = PureScan::new(rows.rating(), self.limits, all_rows.len(), &total);
        self.each_column(&all_rows, |column, view, scratch| {
            let is_pure =
                |scan: &PureScan<_>, scratch: &mut _| scan.finds(&rows, column, view, scratch);
            let is_suspect = self.may_be_id(column, view)
                || scan.as_ref().is_some_and(|scan| is_pure(scan, scratch));
            is_suspect.then(|| ranker.gain(column, view, scratch))
        })
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        let all_rows = self.table.all_rows();
        let all = RatedRows::of(&rows, &all_rows);
        self.each_column(&all_rows, |column, view, scratch| {
            let gain = || number_gain(column, view, &rows, &all, RankMissing::Known, scratch);
            self.may_be_id(column, view).then(gain)
        })
    }
}

impl SuspectVisitor<'_> {
    /// Whether the levels are as many as those of an id.
    fn may_be_id(&self, column: &Column, view: ColumnView) -> bool {
        let (n_levels, known) =
            (column.n_levels() as u64, column.len() as u64 - column.n_missing());
        match column.kind {
            Kind::Nominal => n_levels as f64 >= self.limits.id_share_nominal * known as f64,
            Kind::Ordered => {
                let counts = [n_levels, known];
                Numbering::of_view(column, view, counts, self.limits.id_share) != Numbering::None
            }
        }
    }

    fn each_column<N: Num>(
        &self,
        all_rows: &[u32],
        gain: impl Fn(&Column, ColumnView, &mut Scratch<N>) -> Option<FeatureGain> + Sync,
    ) -> Vec<Option<FeatureGain>> {
        let pool = ScratchPool::default();
        parallel::map(self.table.columns(), |column: &Column| {
            let view = ColumnView::of(column, all_rows);
            let gain = pool.with(|scratch| gain(column, view, scratch))?;
            Some(gain.with_numbering(column, view, self.limits.id_share))
        })
    }
}
