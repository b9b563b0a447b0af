//! What columns tell beside each other, on some of the rows: twins, and the order of the useful
//! ones.

use std::collections::HashSet;
use std::f64::consts::LN_2;

use super::bins::{ScreenBins, places_of};
use crate::data::column::Column;
use crate::data::column_data::MISSING;
use crate::data::dtype::Kind;
use crate::rank::bins::Binned;
use crate::rank::chance::expected_gain;
use crate::rank::conditional::Labels;
use crate::rank::pairs::joint_counts;
use crate::rank::strata::Strata;
use crate::spec::{LogBase, Monitor};
use crate::stat::criterion::{entropy, quotient};
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// The most rows that pairs of columns are counted on, evenly spaced.
pub(super) const PAIR_ROWS: usize = 50_000;
/// Each pair of columns is first counted on about this many rows, by coarse bins.
const ROUGH_ROWS: usize = 1_000;
/// It is counted on all rows only if one column tells this part of the least share there.
const ROUGH: f64 = 0.5;
/// Ordered columns are put in order by so few intervals that a pair of them has this many rows of
/// each class on average; more would tell of chance.
const ROWS_A_CELL: usize = 5;
/// The most columns that are put in order by what they tell beside others.
const ORDERED: usize = 100;

/// A column on the rows that pairs are counted on.
pub(crate) struct PairColumn {
    kind: Kind,
    bins: ScreenBins,
    /// The place of each row's level in the column's order, or [`MISSING`].
    places: Vec<u32>,
}

impl PairColumn {
    /// A column and its bins on some of its rows.
    pub(super) fn of_rows(column: &Column, bins: &ScreenBins, rows: &[u32]) -> PairColumn {
        let (kind, places) = (column.kind, places_of(column, rows));
        PairColumn { kind, bins: bins.of_rows(rows), places }
    }
}

/// A column that is compared with others.
struct Compared<'a> {
    column: &'a PairColumn,
    /// The rows that have a value, in its order.
    order: Vec<u32>,
    /// Its coarse bins on a few of the rows.
    rough: Binned,
}

impl<'a> Compared<'a> {
    fn new(column: &'a PairColumn) -> Compared<'a> {
        let n = column.places.len();
        let place = |row: &u32| column.places[*row as usize];
        let mut order: Vec<u32> = (0..n as u32).filter(|row| place(row) != MISSING).collect();
        order.sort_by_key(place);
        let few: Vec<u32> = (0..n as u32).step_by(n.div_ceil(ROUGH_ROWS).max(1)).collect();
        Compared { column, order, rough: column.bins.of_rows(&few).coarse() }
    }

    /// Whether another column, which is ordered, tells all of this one: in its order each value of
    /// this one is an interval; those of an ordered column rise or fall. Rows where either is missing
    /// do not count.
    fn is_function_of(&self, other: &Compared) -> bool {
        let is_ordered = self.column.kind == Kind::Ordered;
        let place = |of: &Compared, row: u32| of.column.places[row as usize];
        let pairs = other.order.iter().map(|&row| (place(other, row), place(self, row)));
        let mut seen = HashSet::new();
        let mut last: Option<(u32, u32)> = None;
        let (mut rises, mut falls) = (false, false);
        for (of_other, of_self) in pairs.filter(|&(_, of_self)| of_self != MISSING) {
            if last.is_none_or(|(_, value)| value != of_self) {
                if let Some((last_of_other, value)) = last {
                    rises |= of_self > value;
                    falls |= of_self < value;
                    if of_other == last_of_other || is_ordered && rises && falls {
                        return false;
                    }
                }
                // Of an ordered column a value that came before would turn the order.
                if !is_ordered && !seen.insert(of_self) {
                    return false;
                }
            }
            last = Some((of_other, of_self));
        }
        rises || falls
    }

    /// The share of this column and of another one that the other tells; 0 for both if neither is at
    /// least `least`.
    fn shares(&self, other: &Compared, least: f64) -> [f64; 2] {
        let pair = [self, other];
        let is_exact =
            |of: &Compared, by: &Compared| by.column.kind == Kind::Ordered && of.is_function_of(by);
        let exact = [is_exact(self, other), is_exact(other, self)];
        let told = |[a, b]: [&Binned; 2], least: f64| {
            let counts = joint_counts(a, b);
            let [of_a, of_b, both] = counts.each_ref().map(|counts| entropy(counts, LogBase::E));
            let gain = of_a + of_b - both;
            let is_much = gain > 0.0 && gain >= least * of_a.min(of_b);
            (is_much, gain, [of_a, of_b], counts)
        };
        let is_any = exact != [false; 2];
        if !is_any && !told(pair.map(|of| &of.rough), ROUGH * least).0 {
            return [0.0; 2];
        }
        let (is_much, gain, entropies, [of_a, of_b, _]) =
            told(pair.map(|of| &of.column.bins.fine), least);
        if !is_any && !is_much {
            return [0.0; 2];
        }
        let n: f64 = of_a.iter().sum();
        let totals = |counts: &[f64]| counts.iter().map(|&n| n as u32).collect::<Vec<_>>();
        let expected = expected_gain(&totals(&of_a), &totals(&of_b));
        [0, 1].map(|at| {
            // Where one value is mostly missing, the other tells little of it.
            match n >= least * pair[at].order.len() as f64 {
                false => 0.0,
                true if exact[at] => 1.0,
                true => quotient(gain - expected, entropies[at] - expected).clamp(0.0, 1.0),
            }
        })
    }
}

/// The columns that another one tells: for each column the other, by its index, and the share of the
/// column that it tells. `columns` are in order: of two that tell each other the first stays.
/// Quadratic in the columns.
///
/// ```text
/// share of X that Z tells = (I(X; Z) - E) / (H(X) - E)
/// ```
///
/// E is the mean of `I(X; Z)` where the values are in random order (Vinh, Epps & Bailey 2010). The
/// share is 1 of a column whose values are intervals of an ordered one. A nominal column tells only
/// its renamings.
pub(super) fn twins(
    columns: &[&PairColumn],
    least: f64,
    monitor: Option<&Monitor>,
) -> Vec<Option<(usize, f64)>> {
    begin_stage(monitor, "comparing columns", columns.len());
    let compared = parallel::map(columns, |column| Compared::new(column));
    let shares = parallel::map(0..columns.len(), |a| {
        let stopped = monitor.is_some_and(Monitor::is_interrupted);
        let others = if stopped { &[][..] } else { &compared[a + 1..] };
        let of_pairs = others.iter().map(|b| compared[a].shares(b, least)).collect::<Vec<_>>();
        advance(monitor, 1);
        of_pairs
    });
    // How much of a column another one tells, and whether each tells the other.
    let told = |column: usize, by: usize| {
        let (a, b) = (column.min(by), column.max(by));
        let of_pair = shares[a].get(b - a - 1).copied().unwrap_or_default();
        let [of_column, of_other] = if column == a { of_pair } else { [of_pair[1], of_pair[0]] };
        let is_mutual = of_column >= least && of_other >= least;
        let is_told = match columns[by].kind {
            Kind::Ordered => of_column >= least,
            Kind::Nominal => is_mutual,
        };
        is_told.then_some((of_column, is_mutual))
    };
    let mut twins: Vec<Option<(usize, f64)>> = vec![None; columns.len()];
    let mut stays = vec![false; columns.len()];
    for column in 0..columns.len() {
        if stays[column] {
            continue;
        }
        let others = (0..columns.len()).filter(|&by| by != column && twins[by].is_none());
        let mut best: Option<(usize, f64)> = None;
        for by in others {
            let Some((share, is_mutual)) = told(column, by) else { continue };
            let may_stay = stays[by] || !is_mutual;
            if may_stay && best.is_none_or(|(_, greatest)| share > greatest) {
                best = Some((by, share));
            }
        }
        twins[column] = best;
        stays[best.map_or(column, |(by, _)| by)] = true;
    }
    twins
}

/// Columns in order, each with the gain beyond chance in bits that is left of it beside the earlier
/// column that leaves least: `min I(X; Y | Z)` (Fleuret 2004, "Fast binary feature selection with
/// conditional mutual information", JMLR 5). The first of `columns` comes first; `gains` are their
/// gains alone.
pub(super) fn in_order(
    columns: &[&PairColumn],
    gains: &[f64],
    labels: &Labels,
    monitor: Option<&Monitor>,
) -> Vec<(usize, f64)> {
    let most = (labels.classes.len() / (ROWS_A_CELL * labels.n_classes.max(1))).isqrt().max(3);
    let bins: Vec<Binned> = parallel::map(columns, |column| match column.kind {
        Kind::Ordered => column.bins.coarse().merged(most),
        Kind::Nominal => column.bins.coarse(),
    });
    let mut left: Vec<(usize, f64)> = gains.iter().copied().enumerate().collect();
    let mut ordered = Vec::with_capacity(left.len());
    begin_stage(monitor, "putting columns in order", left.len().min(ORDERED));
    while !left.is_empty() {
        let first = |best: usize, at: usize| if left[at].1 > left[best].1 { at } else { best };
        let next = left.remove((0..left.len()).fold(0, first));
        ordered.push(next);
        let is_done = ordered.len() >= ORDERED || monitor.is_some_and(Monitor::is_interrupted);
        if is_done {
            left.sort_by(|a, b| b.1.total_cmp(&a.1));
            ordered.append(&mut left);
            break;
        }
        let rows = Strata::one(labels.classes.len()).refine(&bins[next.0]).rows();
        parallel::for_each(&mut left, |(column, least)| {
            let binned = &bins[*column];
            let by_chance = labels.independence(&rows, binned).mean();
            let by_chance = quotient(by_chance, 2.0 * LN_2 * labels.classes.len() as f64);
            let gain = labels.gains(&rows, binned).gain_given - by_chance;
            *least = least.min(gain.max(0.0));
        });
        advance(monitor, 1);
    }
    ordered
}
