//! The section on the columns of a frame: what each holds, and what to know about it.

use maud::{Markup, html};

use super::header::Tile;
use super::{PageSection, SectionRows, unbroken};
use crate::plot::elements::text::{clean, count, percent, short};
use crate::plot::feature::summary::{ColumnSummary, ColumnValues};

/// A column of the frame.
pub(crate) struct ColumnNotes {
    pub(crate) name: String,
    pub(crate) dtype: String,
    pub(crate) is_float: bool,
    pub(crate) kind: String,
    pub(crate) n_levels: u64,
    /// Rows with a value.
    pub(crate) n_known: u64,
    pub(crate) missing: f64,
    pub(crate) summary: ColumnSummary,
    pub(crate) notes: Vec<String>,
}

impl ColumnNotes {
    /// From when to when the rows are, by a column of dates.
    pub(super) fn dates(&self) -> Option<Tile> {
        let ColumnValues::Ordered { least, greatest, .. } = &self.summary.values else {
            return None;
        };
        let is_date = self.dtype == "date" || self.dtype.starts_with("datetime");
        let day = |text: &str| text.split(' ').next().unwrap_or_default().to_string();
        is_date.then(|| Tile::new(&self.name, day(least), format!("to {}", day(greatest))))
    }
}

pub(super) fn columns(columns: &[ColumnNotes], rows: SectionRows) -> PageSection {
    let body = html! {
        div.wide { table {
            thead { tr {
                th { "column" } th.opt { "dtype, kind" } th { "distribution" } th { "values" }
                th.n.opt { "levels" } th.n { "missing" } th { "notes" }
            } }
            tbody { @for column in columns { tr {
                td { bdi { (clean(&column.name)) } }
                td.opt { (clean(&column.dtype)) div.faint { (column.kind) } }
                td { (column.summary.bars) }
                td { (values(column)) }
                td.n.opt { (count(column.n_levels)) }
                td.n { (percent(column.missing)) }
                td.note { (column.notes.join("; ")) }
            } } }
        } }
    };
    PageSection { id: "data", heading: "Data", rows, span: 12, body }
}

fn values(column: &ColumnNotes) -> Markup {
    html! {
        @match &column.summary.values {
            ColumnValues::Ordered { least, median, greatest } => {
                @let [least, median, greatest] = [least, median, greatest].map(|value| {
                    if column.is_float { short(value) } else { clean(value) }
                });
                (unbroken(&least)) " to " (unbroken(&greatest))
                div.faint { "median " (unbroken(&median)) }
            }
            ColumnValues::Nominal(levels) => {
                @for (level, n) in levels {
                    div {
                        bdi { (clean(level)) } " "
                        span.faint { (percent(*n as f64 / column.n_known.max(1) as f64)) }
                    }
                }
            }
            ColumnValues::None => {}
        }
    }
}
