//! What a permutation of the target leaves as it is: how many rows share each level.

use crate::data::dtype::Kind;
use crate::spec::{Cuts, RankMissing};
use crate::split::ColumnView;

/// A column where the target is permuted. Which row has which level does not matter then: the rows
/// come in random order, the first ones of the lowest level.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) levels: RowsOfLevels,
    /// Whether the gain is by a branch for each level, whatever their order.
    pub(super) is_partition: bool,
    /// The rows that are rated, by their position in the group; `None` if all are.
    pub(super) rated: Option<Vec<bool>>,
    /// Rows, and how many of them are missing and beside the levels.
    pub(super) n: usize,
    pub(super) n_missing: usize,
}

/// The levels of rows in order of level.
#[derive(Debug)]
pub(super) enum RowsOfLevels {
    /// The rows of each level, the missing ones last where they are a level.
    Sizes(Vec<u32>),
    /// Many ordered levels: the level of each row.
    Sorted(Vec<u32>),
    /// No two rows share a level.
    Distinct,
}

impl Shape {
    /// The shape of a column in a group of rows, which ascend.
    pub(super) fn of(
        view: ColumnView,
        rows: &[u32],
        kind: Kind,
        missing: RankMissing,
        cuts: Cuts,
    ) -> Shape {
        let (mut sizes, n_known) = match view {
            ColumnView::Presorted(view) => {
                let n_known = view.n_known();
                let mut sizes = Vec::new();
                let mut at = 0;
                while at < n_known {
                    let end = view.level_end(at, n_known);
                    sizes.push((end - at) as u32);
                    at = end;
                }
                (sizes, n_known)
            }
            ColumnView::ByRow { codes, rows, missing } => {
                let mut sizes = vec![0u32; missing as usize + 1];
                rows.iter().for_each(|&row| sizes[usize::from(codes[row as usize])] += 1);
                sizes.truncate(missing as usize);
                sizes.retain(|&size| size > 0);
                let n_known: u32 = sizes.iter().sum();
                (sizes, n_known as usize)
            }
        };
        let n_missing = rows.len() - n_known;
        let (mut n, mut beside, mut rated) = (rows.len(), n_missing, None);
        match (missing, kind) {
            _ if n_missing == 0 => {}
            (RankMissing::Known, _) => {
                (n, beside, rated) = (n_known, 0, Some(positions_of(&view.known_rows(), rows)));
            }
            (RankMissing::OwnLevel, Kind::Nominal) => {
                sizes.push(n_missing as u32);
                beside = 0;
            }
            (RankMissing::OwnLevel, Kind::Ordered) => {}
        }
        let is_cut = kind == Kind::Ordered && cuts == Cuts::Best;
        // There is one cut of two levels.
        let is_partition = kind == Kind::Nominal || (is_cut && sizes.len() == 2 && beside == 0);
        let levels = match view {
            ColumnView::Presorted(_) if is_cut && !is_partition => match sizes.len() == n_known {
                true => RowsOfLevels::Distinct,
                false => RowsOfLevels::Sorted(by_position(&sizes, beside)),
            },
            _ => RowsOfLevels::Sizes(sizes),
        };
        Shape { levels, is_partition, rated, n, n_missing: beside }
    }

    /// Whether there is nothing to split by.
    pub(super) fn is_constant(&self) -> bool {
        let n_levels = match &self.levels {
            RowsOfLevels::Sizes(sizes) => sizes.len(),
            RowsOfLevels::Sorted(_) => 2,
            RowsOfLevels::Distinct => self.n - self.n_missing,
        };
        n_levels + usize::from(self.n_missing > 0) < 2
    }

    /// Whether permutations gain the same here as in all such columns of as many rows.
    pub(super) fn is_common(&self) -> bool {
        matches!(self.levels, RowsOfLevels::Distinct) && self.rated.is_none() && self.n_missing == 0
    }
}

/// Which of the rows are known; both ascend.
fn positions_of(known: &[u32], rows: &[u32]) -> Vec<bool> {
    let mut known = known.iter().peekable();
    rows.iter().map(|row| known.next_if_eq(&row).is_some()).collect()
}

/// The level of each row, and of the missing ones after them.
fn by_position(sizes: &[u32], n_missing: usize) -> Vec<u32> {
    let sizes = sizes.iter().map(|&size| size as usize).chain([n_missing]);
    (0..).zip(sizes).flat_map(|(level, size)| std::iter::repeat_n(level, size)).collect()
}
