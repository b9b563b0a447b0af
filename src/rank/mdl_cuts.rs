//! MDL cuts of one feature, as a list and as bins of the rows.

use super::mdl::{Accepted, accepted};
use super::rule_text::ShownRule;
use crate::data::column::Column;
use crate::data::dtype::{Kind, Value};
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::spec::{Criterion, LogBase};
use crate::split::{CodeCut, CodeTest, ColumnView, Scratch};
use crate::stat::{ClassRows, Count, CountRows, NumberRows, TargetVisitor};

/// A cut that pays for itself by the minimum description length.
#[derive(Clone, Debug, PartialEq)]
pub struct MdlCut {
    /// The cut, in the column's own type.
    pub cut: Value,
    /// `x >= cut`.
    pub rule: String,
    /// Rows of the interval it splits.
    pub n: u64,
    /// The gain within that interval, in bits (or nats).
    pub info_gain: f64,
}

/// The cuts of the table's first feature by recursive entropy discretisation with the MDL stop
/// (Fayyad & Irani 1993), ascending, over the rows whose value is known. Among equal boundaries the
/// lower one is the cut; N is the weight of the rows, if they have weights. `base` is the unit of
/// `info_gain` and does not change what is accepted.
///
/// # Errors
/// A nominal feature, or a target of numbers.
pub fn mdl_cuts_of(table: &Table, base: LogBase) -> Result<Vec<MdlCut>> {
    let Some(column) = table.columns.first() else { return Ok(Vec::new()) };
    mdl_cuts_of_column(table, column, base)
}

/// [`mdl_cuts_of`] one of the table's columns.
pub(crate) fn mdl_cuts_of_column(
    table: &Table,
    column: &Column,
    base: LogBase,
) -> Result<Vec<MdlCut>> {
    check_ordered(column)?;
    check_classes(table)?;
    if table.target.is_empty() {
        return Ok(Vec::new());
    }
    let weights = table.weights.as_ref();
    Ok(MdlVisitor { table, column }.visit(&table.target, weights, Criterion::Entropy, base))
}

struct MdlVisitor<'a> {
    table: &'a Table,
    column: &'a Column,
}

impl TargetVisitor for MdlVisitor<'_> {
    type Output = Vec<MdlCut>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let mut scratch = Scratch::default();
        scratch.fill(&rows, ColumnView::of(self.column, &self.table.all_rows()));
        let codes = &scratch.buckets.codes;
        let cut = |Accepted { start, rows, gain }| {
            let test = CodeTest::AtLeast(CodeCut::between(codes[start - 1], codes[start]));
            let ShownRule { text, cut } = ShownRule::of(self.column, &test);
            Some(MdlCut { cut: cut?, rule: text, n: rows.into(), info_gain: gain })
        };
        accepted(rows.rating(), &scratch.buckets).into_iter().filter_map(cut).collect()
    }

    /// Numeric targets are refused before.
    fn numbers(self, _: NumberRows) -> Self::Output {
        Vec::new()
    }
}

pub(crate) fn check_classes(table: &Table) -> Result<()> {
    match &table.target.values {
        TargetValues::Classes { .. } => Ok(()),
        TargetValues::Numbers { .. } => Err(Error::data(format!(
            "target `{}` ({}) holds numbers, and MDL cuts are chosen by classes: take task = \
             classify, or bin the target first",
            table.target.name, table.target.dtype
        ))),
    }
}

pub(crate) fn check_ordered(column: &Column) -> Result<()> {
    match column.kind {
        Kind::Ordered => Ok(()),
        Kind::Nominal => Err(Error::data(format!(
            "feature `{}` ({}) is nominal, and only an ordered feature has cuts: take it as \
             ordered, or choose a column of numbers, dates or times",
            column.name, column.dtype
        ))),
    }
}

/// The interval of each row, counted from 0: the number of cuts at or below its value; `None` if
/// it is missing. The cuts ascend and have the column's dtype.
pub fn mdl_bins(column: &Column, cuts: &[Value]) -> Vec<Option<u32>> {
    let of_level = column.cuts_at_or_below(cuts);
    column.codes.by_row().map(|code| of_level.get(code as usize).copied()).collect()
}
