//! The columns of a table that may name its rows, or be known only after the target.

use super::FeatureGain;
use super::classes::ClassRanker;
use super::numbers::{RatedRows, number_gain};
use super::signs::{Numbering, PureScan, SignLimits};
use crate::data::column::{Column, EntryLayout};
use crate::data::dtype::Kind;
use crate::data::target::{Target, TargetValues};
use crate::encode::table::Table;
use crate::spec::{Criterion, Cuts, LogBase, RankMissing, ScreenSpec};
use crate::split::{ColumnView, Scratch};
use crate::stat::{ClassRating, ClassRows, Count, CountRows, Num, NumberRows, TargetVisitor};
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;

/// The figures of each column of a table that has a [sign](super::signs::Signs) or as many levels as
/// an id; `None` of the others, which takes a fraction of the time that ranks them. Columns are
/// looked at in parallel in the current pool.
pub(crate) fn suspects(table: &Table) -> Vec<Option<FeatureGain>> {
    let spec = ScreenSpec::default();
    let visitor = SuspectVisitor { table, spec: &spec };
    visitor.visit(&table.target, table.weights.as_ref(), Criterion::Entropy, LogBase::Two)
}

struct SuspectVisitor<'a> {
    table: &'a Table,
    spec: &'a ScreenSpec,
}

impl TargetVisitor for SuspectVisitor<'_> {
    type Output = Vec<Option<FeatureGain>>;

    const LARGEST_TABLED: usize = 1 << 17;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let limits = SignLimits::of(self.spec);
        let ranker = ClassRanker::new(&rows, RankMissing::Known, Cuts::Best).with_signs(limits);
        let all_rows = self.table.all_rows();
        let total = rows.total(&all_rows, EntryLayout::ROWS);
        let scan = PureScan::new(rows.rating(), limits, all_rows.len(), &total);
        let filter = scan.map(|scan| PureFilter::new(&rows, scan, &self.table.target));
        self.each_column(&all_rows, |column, view, scratch| {
            let is_suspect = self.may_be_id(column, view)
                || filter.as_ref().is_some_and(|filter| filter.passes(column, view, scratch));
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

/// Passes every column that has a pure rule, and hardly another.
struct PureFilter<'a, 'b, N: Count> {
    rows: &'a ClassRows<'b, N>,
    scan: PureScan<'a, ClassRating<'b, N>>,
    /// All rows of the class and some others. A pure rule finds hardly any of the others.
    few: Vec<u32>,
    of_few: PureScan<'a, ClassRating<'b, N>>,
}

/// One of this many rows of the other class is among the few.
const OTHERS: u32 = 16;

impl<'a, 'b, N: Count> PureFilter<'a, 'b, N> {
    fn new(
        rows: &'a ClassRows<'b, N>,
        scan: PureScan<'a, ClassRating<'b, N>>,
        target: &Target,
    ) -> Self {
        let codes: &[u16] = match &target.values {
            TargetValues::Classes { codes, .. } => codes,
            TargetValues::Numbers { .. } => &[],
        };
        let is_taken = |&(row, code): &(u32, &u16)| {
            usize::from(*code) == scan.class() || row.is_multiple_of(OTHERS)
        };
        let few: Vec<u32> = (0..).zip(codes).filter(is_taken).map(|(row, _)| row).collect();
        let of_few = scan.among(few.len(), &rows.total(&few, EntryLayout::ROWS));
        PureFilter { rows, scan, few, of_few }
    }

    fn passes(&self, column: &Column, view: ColumnView, scratch: &mut Scratch<N>) -> bool {
        let found = match (column.kind, view) {
            (Kind::Ordered, ColumnView::Presorted(view)) => {
                self.scan.of_view(self.rows, view, column.n_levels())
            }
            (Kind::Nominal, ColumnView::Presorted(_)) => {
                scratch.fill(self.rows, view);
                self.scan.of_buckets(column.kind, &scratch.buckets)
            }
            (kind, ColumnView::ByRow { codes, missing, .. }) => {
                scratch.fill(self.rows, ColumnView::ByRow { codes, rows: &self.few, missing });
                self.of_few.of_buckets(kind, &scratch.buckets)
            }
        };
        found.is_some()
    }
}

impl SuspectVisitor<'_> {
    /// Whether the levels are as many as those of an id.
    fn may_be_id(&self, column: &Column, view: ColumnView) -> bool {
        let (n_levels, known) =
            (column.n_levels() as u64, column.len() as u64 - column.n_missing());
        match column.kind {
            Kind::Nominal => n_levels as f64 >= self.spec.id_share_nominal * known as f64,
            Kind::Ordered => {
                let counts = [n_levels, known];
                Numbering::of_view(column, view, counts, self.spec.id_share) != Numbering::None
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
            Some(gain.with_numbering(column, view, self.spec.id_share))
        })
    }
}
