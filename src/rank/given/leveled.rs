//! The rows of a view in order of level, each with its stratum.

use crate::rank::strata::{Strata, counting_sort};
use crate::spec::RankMissing;
use crate::split::ColumnView;

/// Rows in order of level; those without a value come last.
pub(super) struct Leveled {
    pub(super) rows: Vec<u32>,
    /// The stratum of each of them, numbered among the strata that are present.
    pub(super) strata: Vec<u32>,
    pub(super) n_strata: usize,
    /// The first row of each level, and the end of the last one.
    pub(super) starts: Vec<usize>,
    pub(super) codes: Vec<u32>,
    pub(super) n_rated: usize,
}

impl Leveled {
    pub(super) fn new(view: ColumnView, strata: &Strata, missing: RankMissing) -> Leveled {
        let (mut starts, mut codes) = (Vec::new(), Vec::new());
        let mut n_known = 0;
        let rows: Vec<u32> = match view {
            ColumnView::Presorted(view) => {
                n_known = view.n_known();
                let mut at = 0;
                while at < n_known {
                    starts.push(at);
                    codes.push(view.code(at));
                    at = view.level_end(at, n_known);
                }
                view.entries.iter().map(|&entry| view.layout.row(entry)).collect()
            }
            ColumnView::ByRow { codes: code_of, rows, missing } => {
                let code = |row: u32| u32::from(code_of[row as usize]);
                let (sorted, ends) =
                    counting_sort(rows.iter().copied(), missing as usize + 1, code);
                for code in 0..missing as usize {
                    if ends[code] < ends[code + 1] {
                        starts.push(ends[code]);
                        codes.push(code as u32);
                        n_known = ends[code + 1];
                    }
                }
                sorted
            }
        };
        starts.push(n_known);
        let (strata, n_strata) = present(&rows, strata);
        let n_rated = match missing {
            RankMissing::Known => n_known,
            RankMissing::OwnLevel => rows.len(),
        };
        Leveled { rows, strata, n_strata, starts, codes, n_rated }
    }

    pub(super) fn n_known(&self) -> usize {
        self.starts[self.codes.len()]
    }

    /// The rows that gains are of.
    pub(super) fn rated(&self) -> &[u32] {
        &self.rows[..self.n_rated]
    }
}

/// The strata of some rows, numbered from 0 without gaps.
fn present(rows: &[u32], strata: &Strata) -> (Vec<u32>, usize) {
    let of_rows = rows.iter().map(|&row| strata.of_row[row as usize]);
    if rows.len() == strata.of_row.len() {
        return (of_rows.collect(), strata.count);
    }
    // Some of many groups: its own strata are few beside all.
    let mut there: Vec<u32> = of_rows.clone().collect();
    there.sort_unstable();
    there.dedup();
    let number = |stratum: u32| there.partition_point(|&other| other < stratum) as u32;
    (of_rows.map(number).collect(), there.len())
}
