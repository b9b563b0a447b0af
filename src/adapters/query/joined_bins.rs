//! Counting finer bins within some bins.

use super::SqlStore;
use super::answers::lost;
use super::joined::AskedRange;
use crate::error::Result;
use crate::external::{BinCounts, BinRequest, Bins, CountRequest, EvenSteps, KeyRange};

impl SqlStore<'_> {
    /// Counts bins within ranges. A line of the joined table is a run of bins.
    pub(super) fn count_joined(
        &self,
        request: &CountRequest,
        asked: &[usize],
        counts: &mut [BinCounts],
    ) -> Result<()> {
        // The bins of all requests are numbered one after another.
        let (mut ranges, mut firsts, mut n_bins) = (Vec::new(), Vec::new(), 0);
        for &at in asked {
            let BinRequest { node, column, bins, within, centre } = &request.bins[at];
            for run in runs_within(bins, within) {
                let Run { range, bin, steps } = run;
                let [origin, scale] = steps.map_or([0.0, 0.0], |s| [s.origin, s.scale]);
                let [origin, scale] = [origin, scale].map(|x| self.sql.literal(x));
                let said = vec![(n_bins + bin).to_string(), origin, scale, centre.to_string()];
                ranges.push(AskedRange { node: *node, column: *column, range, said });
            }
            firsts.push(n_bins);
            n_bins += bins.len();
        }
        let (n_classes, carried) = (self.n_classes()?, self.carried()?);
        let beside = match self.of_numbers()? {
            true => format!("{carried}, __z"),
            false => carried.clone(),
        };
        let names = ["__b", "__o", "__s", "__z"];
        for (column, cells) in self.cells_in_ranges(request.tree, ranges, &names, &carried)? {
            let bin = match self.features[column as usize].number("__v") {
                Some(x) => format!(
                    "(__b + CASE WHEN __s > 0 \
                     THEN CAST(floor(({x} - __o) * __s) AS BIGINT) ELSE 0 END)"
                ),
                None => "__b".to_string(),
            };
            let key = format!("{bin} * {n_classes} + __c");
            let cells = format!("(SELECT {key} AS __k{beside} FROM {cells}) AS cells");
            self.count_keys(&cells, counts, |key| {
                let (bin, class) = (key / n_classes, key % n_classes);
                let of = firsts.partition_point(|&first| first <= bin).checked_sub(1);
                let of = of.filter(|_| bin < n_bins);
                let of = of.ok_or_else(|| lost("a bin that was not asked for"))?;
                Ok(Some((asked[of], bin - firsts[of], class)))
            })?;
        }
        Ok(())
    }
}

/// Bins that follow each other: one, or even steps.
struct Run {
    range: KeyRange,
    bin: usize,
    steps: Option<EvenSteps>,
}

fn runs_within(bins: &Bins, within: &[KeyRange]) -> Vec<Run> {
    let firsts: Vec<(usize, i128, Option<EvenSteps>)> = match bins {
        Bins::Levels(_) => Vec::new(),
        Bins::Starts(starts) => std::iter::once(&i128::MIN)
            .chain(starts)
            .enumerate()
            .map(|(bin, &first)| (bin, first, None))
            .collect(),
        Bins::Steps(steps) => {
            steps.runs().iter().map(|of| (of.bin as usize, of.first, of.steps)).collect()
        }
    };
    let lasts = firsts.iter().skip(1).map(|(_, next, _)| next - 1).chain([i128::MAX]);
    let runs = firsts.iter().zip(lasts).map(|(&(bin, first, steps), last)| {
        let range = KeyRange { first, last };
        Run { range, bin, steps }
    });
    let is_within = |run: &Run| {
        let KeyRange { first, last } = run.range;
        first <= last && KeyRange::any_has(within, first)
    };
    runs.filter(is_within).collect()
}
