//! How the units of a row without a value are divided among branches.

/// Cumulative known units of a node's branches.
pub(crate) struct KnownUnits(Vec<u128>);

impl KnownUnits {
    /// From the branch and units of each row whose value is known.
    pub(crate) fn of(arity: usize, rows: impl Iterator<Item = (usize, u64)>) -> KnownUnits {
        let mut ends = vec![0u128; arity];
        rows.for_each(|(branch, units)| ends[branch] += u128::from(units));
        for branch in 1..arity {
            ends[branch] += ends[branch - 1];
        }
        KnownUnits(ends)
    }

    /// Each branch's part of a row's units. The first b branches together get their share rounded
    /// down, so that all branches together get all units. A row that stands for copies is shared
    /// out as the copies would be.
    pub(crate) fn share_out(&self, units: u64, copies: u64) -> impl Iterator<Item = u64> {
        let known = self.0.last().copied().unwrap_or(0).max(1);
        let of_each = u128::from(units / copies.max(1));
        let up_to = move |end: &u128| (of_each * end / known) as u64 * copies;
        self.0.iter().map(up_to).scan(0, |given, up_to| {
            let units = up_to - *given;
            *given = up_to;
            Some(units)
        })
    }
}
