//! Groups of columns that tell the same.

use super::{PairGain, ROUNDING};

/// A column of a group, and how much it shares with the others of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedundantColumn {
    /// From 0 up, in order of the groups' first columns.
    pub group: u32,
    /// The column's index.
    pub column: usize,
    /// The other column of the group that it shares most with; the first of several.
    pub nearest: usize,
    /// The symmetric uncertainty of the two.
    pub greatest: f64,
    /// The least one with any column of the group.
    pub least: f64,
}

/// The columns that share at least `threshold` with another one, as a symmetric uncertainty, group
/// by group. A chain of such pairs makes one group, so that two columns of it may share less. Linear in
/// the pairs.
pub fn redundant_columns(pairs: &[PairGain], threshold: f64) -> Vec<RedundantColumn> {
    let n = pairs.iter().map(|pair| pair.columns[1] + 1).max().unwrap_or(0);
    let mut first: Vec<usize> = (0..n).collect();
    for PairGain { columns, symmetric_uncertainty, .. } in pairs {
        if *symmetric_uncertainty >= threshold - ROUNDING {
            let [a, b] = columns.map(|column| first_of(&mut first, column));
            first[a.max(b)] = a.min(b);
        }
    }
    let first: Vec<usize> = (0..n).map(|column| first_of(&mut first, column)).collect();
    let mut members: Vec<Option<RedundantColumn>> = vec![None; n];
    for PairGain { columns: [a, b], symmetric_uncertainty: shared, .. } in pairs {
        if first[*a] != first[*b] {
            continue;
        }
        for (column, nearest) in [(*a, *b), (*b, *a)] {
            let of_pair =
                RedundantColumn { group: 0, column, nearest, greatest: *shared, least: *shared };
            let member = members[column].get_or_insert(of_pair);
            member.least = member.least.min(*shared);
            if *shared > member.greatest {
                (member.nearest, member.greatest) = (nearest, *shared);
            }
        }
    }
    let mut members: Vec<RedundantColumn> = members.into_iter().flatten().collect();
    members.sort_by_key(|member| (first[member.column], member.column));
    let groups = members.chunk_by_mut(|a, b| first[a.column] == first[b.column]);
    for (group, members) in groups.enumerate() {
        members.iter_mut().for_each(|member| member.group = group as u32);
    }
    members
}

/// The first column of a column's group, found by way of columns before it.
fn first_of(first: &mut [usize], mut column: usize) -> usize {
    while first[column] != column {
        first[column] = first[first[column]];
        column = first[column];
    }
    column
}
