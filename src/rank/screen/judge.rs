//! The verdicts on all columns, in order.

use super::pairs::{PairColumn, in_order, twins};
use super::verdict::Verdict;
use super::{ColumnScreen, Screened};
use crate::error::Result;
use crate::rank::conditional::Labels;
use crate::stat::significance::benjamini_hochberg;

/// The verdict on a column.
pub(crate) struct Judged {
    /// Its index among the columns that were screened.
    pub(crate) column: usize,
    pub(crate) verdict: Verdict,
    pub(crate) p_value: f64,
    pub(crate) q_value: f64,
    /// What a useful column tells beside the earlier one that leaves least of it, in bits.
    pub(crate) gain_given: Option<f64>,
}

/// The share of the level that the test of the bins gets. A rule that finds a rare class and is no
/// chance is far below what is left.
const BINS_LEVEL: f64 = 0.99;

impl ColumnScreen<'_> {
    /// The verdicts on all columns, the ones to act on first.
    pub(crate) fn judge(&self, columns: &[Screened]) -> Result<Vec<Judged>> {
        let p_values = columns.iter().map(Screened::p_value).collect::<Vec<_>>();
        let judged = |(column, q_value): (usize, f64)| Judged {
            column,
            verdict: Verdict::alone(&columns[column], q_value, self.spec),
            p_value: p_values[column],
            q_value,
            gain_given: None,
        };
        let mut lines: Vec<Judged> =
            benjamini_hochberg(&p_values).into_iter().enumerate().map(judged).collect();
        // The sort is stable: among columns that tell as much the earlier one comes first.
        let share = |line: &Judged| without_rounding(columns[line.column].told.share());
        lines.sort_by(|a, b| share(b).total_cmp(&share(a)));
        self.mark_twins(columns, &mut lines);
        self.order_useful(columns, &mut lines);
        lines.sort_by_key(|line| line.verdict.place());
        self.table.context.check_interrupt()?;
        Ok(lines)
    }

    /// Finds twins among the columns that tell of the target.
    fn mark_twins(&self, columns: &[Screened], lines: &mut [Judged]) {
        let tells = |line: &&mut Judged| matches!(line.verdict, Verdict::Useful | Verdict::Weak);
        let telling: Vec<&mut Judged> = lines.iter_mut().filter(tells).collect();
        let of_pairs: Vec<&PairColumn> =
            telling.iter().map(|line| &columns[line.column].of_pairs).collect();
        let found = twins(&of_pairs, self.spec.twin_share, self.spec.monitor.as_ref());
        let numbers: Vec<usize> = telling.iter().map(|line| line.column).collect();
        for (line, twin) in telling.into_iter().zip(found) {
            if let Some((of, share)) = twin {
                line.verdict = Verdict::Twin(numbers[of], share);
            }
        }
    }

    /// Puts the useful columns in order by what each tells beside those before it.
    fn order_useful(&self, columns: &[Screened], lines: &mut Vec<Judged>) {
        let is_useful = |line: &mut Judged| line.verdict == Verdict::Useful;
        let mut useful: Vec<Judged> = lines.extract_if(.., is_useful).collect();
        let of_pairs: Vec<&PairColumn> =
            useful.iter().map(|line| &columns[line.column].of_pairs).collect();
        let gains: Vec<f64> =
            useful.iter().map(|line| columns[line.column].told.adjusted()).collect();
        let units: Option<Vec<u64>> = self
            .labels
            .units
            .map(|units| self.pair_rows.iter().map(|&row| units[row as usize]).collect());
        let classes = self.pair_rows.iter().map(|&row| self.labels.classes[row as usize]);
        let labels = Labels::new(classes.collect(), self.labels.n_classes, units.as_deref());
        let ordered = in_order(&of_pairs, &gains, &labels, self.spec.monitor.as_ref());
        let mut places = vec![0; useful.len()];
        for (place, (at, gain)) in ordered.into_iter().enumerate() {
            places[at] = place;
            useful[at].gain_given = Some(gain);
        }
        let mut placed: Vec<(usize, Judged)> = places.into_iter().zip(useful).collect();
        placed.sort_by_key(|&(place, _)| place);
        lines.extend(placed.into_iter().map(|(_, line)| line));
    }
}

impl Screened {
    /// How often chance tells as much, by the bins or by the rule that finds a rare class.
    fn p_value(&self) -> f64 {
        let of_bins = self.told.p_value;
        let Some(pure) = &self.gain.signs.pure else { return of_bins };
        (of_bins / BINS_LEVEL).min(pure.p_value / (1.0 - BINS_LEVEL)).min(1.0)
    }
}

/// A share without its rounding: columns that tell the same are equal.
fn without_rounding(share: f64) -> f64 {
    (share * 1e9).round()
}
