//! The conditional gain of the partition into all levels.

use smallvec::smallvec;

use super::leveled::Leveled;
use crate::rank::strata::counting_sort;
use crate::stat::{CountRows, Rating, StatVec, add};

/// The sum of the strata's gains, each times the weight of its rated rows.
pub(super) fn gain<S: CountRows>(rows: &S, leveled: &Leveled) -> f64 {
    let (rating, k) = (rows.rating(), rows.rating().width());
    let n_rated = leveled.n_rated;
    let mut level_of = vec![leveled.codes.len() as u32; n_rated];
    for (level, ends) in (0..).zip(leveled.starts.windows(2)) {
        level_of[ends[0]..ends[1]].fill(level);
    }
    let stratum = |index: u32| leveled.strata[index as usize];
    let (indices, ends) = counting_sort(0..n_rated as u32, leveled.n_strata, stratum);
    let mut branches = Vec::new();
    let mut sum = 0.0;
    for ends in ends.windows(2) {
        // The sort is stable: the rows of a level lie together.
        let mut total: StatVec<_> = smallvec![Default::default(); k];
        branches.clear();
        let level = |index: &u32| level_of[*index as usize];
        for run in indices[ends[0]..ends[1]].chunk_by(|a, b| level(a) == level(b)) {
            let start = branches.len();
            branches.resize(start + k, S::Num::default());
            let branch = &mut branches[start..];
            run.iter().for_each(|&index| rows.add(leveled.rows[index as usize], branch));
            add(&mut total, branch);
        }
        if branches.len() > k {
            let branches: Vec<&[S::Num]> = branches.chunks(k).collect();
            sum += rating.weight(rating.units(&total)) * rating.gain(&total, &branches);
        }
    }
    sum
}
