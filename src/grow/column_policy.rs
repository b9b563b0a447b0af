//! What the number of a column's levels among the training rows decides, at every node alike.

use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
use crate::spec::{Grouping, TreeSpec};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColumnPolicy {
    /// The form of its rules, if it is nominal.
    pub(super) grouping: Grouping,
    /// Whether it [has many levels](has_many_levels), and so is left out of the mean gain.
    pub(super) has_many_levels: bool,
}

/// Levels per training row from which a nominal feature does not count towards the mean gain
/// (C4.5 Release 8, `MaxAttVal < 0.3 * MaxItem`).
const MANY_LEVELS_SHARE: f64 = 0.3;

/// Whether a feature is nominal and has so many levels for its rows that its gain says little.
pub(crate) fn has_many_levels(kind: Kind, n_levels: u64, rows: u64) -> bool {
    kind == Kind::Nominal && n_levels as f64 >= MANY_LEVELS_SHARE * rows as f64
}

impl ColumnPolicy {
    /// Of a column with `n_levels` levels in a table of `rows` rows.
    pub(crate) fn new(spec: &TreeSpec, kind: Kind, n_levels: u64, rows: u64) -> ColumnPolicy {
        let is_large = spec.max_subset_levels.is_some_and(|most| n_levels > u64::from(most));
        let grouping = match spec.grouping {
            Grouping::Subset if is_large => Grouping::OneVsRest,
            grouping => grouping,
        };
        ColumnPolicy { grouping, has_many_levels: has_many_levels(kind, n_levels, rows) }
    }

    /// Of each column of a table of `rows` rows.
    pub(super) fn of_columns<'c>(
        spec: &TreeSpec,
        columns: impl IntoIterator<Item = &'c ColumnInfo>,
        n_rows: usize,
    ) -> Vec<ColumnPolicy> {
        // No nominal column has levels that are not in use.
        let of = |column: &ColumnInfo| {
            ColumnPolicy::new(spec, column.kind, column.missing_code().into(), n_rows as u64)
        };
        columns.into_iter().map(of).collect()
    }
}
