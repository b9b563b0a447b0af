//! Sums of squares of a numeric target, in SQL that has whole numbers of 64 bits and of 38 digits.

use std::collections::BTreeMap;

use super::SqlStore;
use super::cases::case_of;
use crate::error::Result;
use crate::external::{CountRequest, GrowingTree, Moments, RatedMomentRequest};

/// About the characters that a request takes in a query, with the conditions of its node.
const CHARACTERS_EACH: usize = 300;

impl SqlStore<'_> {
    pub(super) fn count_moments(&self, request: &CountRequest) -> Result<Vec<Moments>> {
        let of_all = request.moments.iter().map(|asked| RatedMomentRequest {
            node: asked.node,
            known_in: None,
            centre: asked.centre,
        });
        self.moments(request.tree, &of_all.collect::<Vec<_>>())
    }

    pub(super) fn moments(
        &self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> Result<Vec<Moments>> {
        let most = (self.most_characters / CHARACTERS_EACH).max(1);
        let parts = requests.chunks(most).map(|part| self.moments_of(tree, part));
        Ok(parts.collect::<Result<Vec<_>>>()?.concat())
    }

    /// A distance from the centre is `h * 2^32 + l`. With `m = h * l` its square is
    /// `h * h * 2^64 + m * 2^33 + l * l`, of which `t` is what counts below 2^64, with a carry. Each
    /// square is parted at 2^64, as growth wants it.
    fn moments_of(
        &self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> Result<Vec<Moments>> {
        let mut nodes: Vec<u32> = requests.iter().map(|of| of.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |of: &RatedMomentRequest| nodes.partition_point(|&node| node < of.node);
        // A row is in one request of each column at most, whose number it is given.
        let mut numbers: BTreeMap<Option<u32>, Vec<(usize, String)>> = BTreeMap::new();
        for (at, of) in requests.iter().enumerate() {
            numbers.entry(of.known_in).or_default().push((place(of), at.to_string()));
        }
        let mut columns = vec![format!("{} AS number", self.target.as_float())];
        let mut elements = Vec::new();
        for (known_in, numbers) in numbers {
            let number = case_of("__n", numbers);
            let Some(column) = known_in.map(|column| &self.features[column as usize]) else {
                elements.push(number);
                continue;
            };
            columns.push(column.alias().to_string());
            let known = column.ordered()?.known();
            elements.push(format!("CASE WHEN {known} THEN {number} END"));
        }
        let rows = self.rows_of(tree, &nodes, &columns)?;
        let away = |from: &str, number: &dyn Fn(usize) -> usize| {
            let centre = |at: usize| self.sql.wide(&format!("'{}'", requests[at].centre));
            let centre = case_of(from, (0..requests.len()).map(|at| (number(at), centre(at))));
            format!("abs(CAST({} - {centre} AS BIGINT)) AS e", self.sql.wide("__d"))
        };
        let u = self.units();
        // Engines run out of stack where queries are nested deeply.
        let cells = match &elements[..] {
            [one] => {
                let away = away("__n", &|at| place(&requests[at]));
                format!("SELECT {one} AS m, {u} AS u, __d AS d, number, {away} FROM {rows}")
            }
            many => {
                let (away, beside) = (away("__m", &|at| at), format!(", {u} AS u, __d, number"));
                let cells =
                    self.sql.counting.cells(None, &[("__m", many.to_vec())], &beside, &rows);
                format!("SELECT __m AS m, u, __d AS d, number, {away} FROM ({cells}) AS cells")
            }
        };
        let [h, l] = ["e >> 32 AS h", "e & 4294967295 AS l"];
        let halves = format!("SELECT m, u, d, number, {h}, {l} FROM ({cells}) AS away");
        let [below, l] = ["(h * l) & 2147483647", "l"].map(|x| self.sql.wide(x));
        let high = self.sql.wide("h * h + ((h * l) >> 31)");
        let t = self.sql.wide(&format!("{below} * 8589934592 + {l} * {l}"));
        let parted =
            format!("SELECT m, u, d, number, {high} AS high, {t} AS t FROM ({halves}) AS halves");
        let [one, zero] = [1u128 << 64, 0].map(|x| self.sql.wide(&format!("'{x}'")));
        let sql = format!(
            "SELECT m, min(d), max(d), min(number), \
             sum(u * high + CASE WHEN t >= {one} THEN u ELSE {zero} END), \
             sum(u * (CASE WHEN t >= {one} THEN t - {one} ELSE t END)) \
             FROM ({parted}) AS parted WHERE m IS NOT NULL GROUP BY m"
        );
        let found = self.run(6, &sql)?;
        let (numbers, least) = (found.indices(0, requests.len())?, found.floats(3)?);
        let extremes = (found.whole(1)?, found.whole(2)?);
        let (high, low) = (found.sums(4)?, found.sums(5)?);
        let none = Moments { squares_high: 0, squares_low: 0, extremes: (0, 0), least: 0.0 };
        let mut moments = vec![none; requests.len()];
        for (line, &number) in numbers.iter().enumerate() {
            moments[number] = Moments {
                squares_high: high[line] as u128,
                squares_low: low[line] as u128,
                extremes: (extremes.0[line], extremes.1[line]),
                least: least[line].unwrap_or(0.0),
            };
        }
        Ok(moments)
    }
}
