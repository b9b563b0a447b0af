//! The section on the columns of a frame: what each holds, and what to know about it.

use maud::{Markup, html};

use super::header::Tile;
use super::{PageSection, SectionRows, unbroken};
use crate::data::column::Column;
use crate::data::dtype::DType;
use crate::plot::elements::text::{clean, count, percent, short};
use crate::plot::feature::summary::{ColumnSummary, ColumnValues};
use crate::rank::FeatureGain;

pub(crate) struct ColumnNotes<'a> {
    pub(crate) column: &'a Column,
    /// What it gains, and its rows.
    pub(crate) gain: FeatureGain,
    pub(crate) summary: ColumnSummary,
    pub(crate) notes: Vec<String>,
}

impl ColumnNotes<'_> {
    /// From when to when the rows are, by a column of dates.
    pub(super) fn dates(&self) -> Option<Tile> {
        let ColumnValues::Ordered { least, greatest, .. } = &self.summary.values else {
            return None;
        };
        let is_date = matches!(self.column.dtype(), DType::Date | DType::Datetime { .. });
        let day = |text: &str| text.split(' ').next().unwrap_or_default().to_string();
        is_date.then(|| Tile::new(self.column.name(), day(least), format!("to {}", day(greatest))))
    }
}

pub(super) fn columns(columns: &[ColumnNotes], rows: SectionRows) -> PageSection {
    let body = html! {
        div.wide { table {
            thead { tr {
                th { "column" } th.opt { "dtype, kind" } th { "distribution" } th { "values" }
                th.n.opt { "levels" } th.n { "missing" } th { "notes" }
            } }
            tbody { @for ColumnNotes { column, gain, summary, notes } in columns { tr {
                td { bdi { (clean(column.name())) } }
                td.opt { (clean(&column.dtype().to_string())) div.faint { (column.kind()) } }
                td { (summary.bars) }
                td { (values(&summary.values, column.dtype(), gain.n - gain.n_missing)) }
                td.n.opt { (count(gain.n_levels)) }
                td.n { (percent(gain.n_missing as f64 / gain.n.max(1) as f64)) }
                td.note { (notes.join("; ")) }
            } } }
        } }
    };
    PageSection { id: "data", heading: "Data", rows, span: 12, body }
}

/// `n_known` are the rows with a value.
fn values(values: &ColumnValues, dtype: &DType, n_known: u64) -> Markup {
    html! {
        @match values {
            ColumnValues::Ordered { least, median, greatest } => {
                @let [least, median, greatest] = [least, median, greatest].map(|value| {
                    if dtype.is_float() { short(value) } else { clean(value) }
                });
                (unbroken(&least)) " to " (unbroken(&greatest))
                div.faint { "median " (unbroken(&median)) }
            }
            ColumnValues::Nominal(levels) => {
                @for (level, n) in levels {
                    div {
                        bdi { (clean(level)) } " "
                        span.faint { (percent(*n as f64 / n_known.max(1) as f64)) }
                    }
                }
            }
            ColumnValues::None => {}
        }
    }
}
