//! What a feature tells beyond columns that are known already: conditional information gain.
//!
//! ```text
//! I(X; Y | Z) = Σ_z |D_z|/|D| gain(X; Y in D_z)
//! ```
//!
//! The strata `D_z` are the rows that agree on the given columns. A nominal feature is taken by all
//! its levels, an ordered one by one cut for all strata: the one of most conditional gain.

mod cut;
mod leveled;

use smallvec::smallvec;

use super::bins::{Binned, FEW_LEVELS};
use super::rule_text::ShownRule;
use super::strata::{Strata, counting_sort};
use crate::data::column::{Column, EntryLayout};
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::{FeatureKinds, Table};
use crate::error::Result;
use crate::spec::{Intervals, RankMissing};
use crate::split::ColumnView;
use crate::stat::{CountRows, Rating, StatVec, add};
use crate::util::parallel;
use leveled::Leveled;

/// What a feature tells beyond the given columns; see the table `rank_gain`.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct GivenFigures {
    pub gain_given: f64,
    /// Of an ordered feature; empty where no cut gains anything.
    pub rule_given: String,
}

/// The strata of the given columns: nominal ones by their levels, ordered ones by their levels or
/// their MDL intervals (for a numeric target, by ten intervals of about as many rows). A missing
/// value is a level of its own.
pub(super) fn strata_of<S: Source>(
    rows: &Table,
    given: &[S],
    kinds: &FeatureKinds,
) -> Result<Strata> {
    let intervals = match rows.target.values {
        TargetValues::Classes { .. } => Intervals::Mdl,
        TargetValues::Numbers { .. } => Intervals::Quantiles(FEW_LEVELS),
    };
    let binned = |source: &S| {
        let column = rows.context.raw_column(source, kinds)?.encode();
        Binned::new(rows, &column, intervals, FEW_LEVELS)
    };
    let binned = parallel::try_map(given, binned)?;
    Ok(binned.iter().fold(Strata::one(rows.n_rows()), |strata, binned| strata.refine(binned)))
}

/// The figures of a feature over the rows of a view. Linear in the rows, and in the strata if the
/// view has all rows.
pub(super) fn figures<S: CountRows>(
    rows: &S,
    column: &Column,
    view: ColumnView,
    strata: &Strata,
    missing: RankMissing,
) -> GivenFigures {
    let leveled = Leveled::new(view, strata, missing);
    let rating = rows.rating();
    let total = |of: &[u32]| rows.total(of, EntryLayout::ROWS);
    let weight = rating.weight(rating.units(&total(&leveled.rows)));
    let rated = leveled.rated();
    let impurity = rows.summarize(rated, &total(rated), &mut Vec::new()).impurity;
    let zero_below = rating.zero_below(impurity);
    // Both are sums over the rated rows, so that they are scaled by their share.
    let (sum, rule_given) = match column.kind {
        Kind::Nominal => (gain_of_levels(rows, &leveled), String::new()),
        Kind::Ordered => match cut::best(rows, &leveled, impurity) {
            Some((test, sum)) if sum > zero_below * weight => {
                (sum, ShownRule::of(column, &test).text)
            }
            Some(_) | None => (0.0, String::new()),
        },
    };
    let gain_given = if sum > zero_below * weight { sum / weight } else { 0.0 };
    GivenFigures { gain_given, rule_given }
}

/// The sum of the strata's gains by all levels, each times the weight of its rated rows.
fn gain_of_levels<S: CountRows>(rows: &S, leveled: &Leveled) -> f64 {
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
