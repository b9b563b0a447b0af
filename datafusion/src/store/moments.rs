//! Sums of squares of a numeric target, in SQL that has integers of 64 bits and decimals.

use std::collections::HashMap;

use gaintree::engine::{CountRequest, Moments};

use super::SqlStore;
use super::answers::{floats, sums, whole};
use super::columns::lost;
use super::numbers::decimal;
use crate::error::Result;
use crate::query::RunQuery;

impl<E: RunQuery> SqlStore<'_, E> {
    /// A distance from the centre is `h * 2^32 + l`. With `m = h * l` its square is
    /// `h * h * 2^64 + m * 2^33 + l * l`, of which `t` is what counts below 2^64, with a carry. Each
    /// square is parted at 2^64, as growth wants it.
    pub(super) fn count_moments(&self, request: &CountRequest) -> Result<Vec<Moments>> {
        if request.moments.is_empty() {
            return Ok(Vec::new());
        }
        let nodes: Vec<u32> = request.moments.iter().map(|asked| asked.node).collect();
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut centre = "CASE __n".to_string();
        for (at, asked) in request.moments.iter().enumerate() {
            if places.insert(asked.node, at).is_some() {
                return Err(lost("moments of one node that were asked for twice"));
            }
            centre += &format!(" WHEN {at} THEN CAST('{}' AS DECIMAL(38, 0))", asked.centre);
        }
        let y = format!("{} AS y", self.target.as_float());
        let rows = self.rows_of(request.tree, &nodes, &[y])?;
        let u = if self.has_units() { decimal("__u") } else { decimal("1") };
        let away = format!("abs(CAST({} - {centre} END AS BIGINT)) AS e", decimal("__d"));
        let rows = format!("SELECT __n AS n, {u} AS u, __d AS d, y, {away} FROM {rows}");
        let halves = format!("SELECT n, u, d, y, e >> 32 AS h, e & 4294967295 AS l FROM ({rows})");
        let t = format!(
            "{} * 8589934592 + {} * {}",
            decimal("(h * l) & 2147483647"),
            decimal("l"),
            decimal("l")
        );
        let high = "h * h + ((h * l) >> 31) AS high";
        let parted = format!("SELECT n, u, d, y, {high}, {} AS t FROM ({halves})", decimal(&t));
        let one = format!("CAST('{}' AS DECIMAL(38, 0))", 1u128 << 64);
        let found = self.run(&format!(
            "SELECT n, min(d), max(d), min(y), \
             sum(u * {} + CASE WHEN t >= {one} THEN u ELSE {} END), \
             sum(u * (CASE WHEN t >= {one} THEN t - {one} ELSE t END)) \
             FROM ({parted}) GROUP BY n",
            decimal("high"),
            decimal("0"),
        ))?;
        let (places, least) = (whole(&found, 0)?, floats(&found, 3)?);
        let extremes = (whole(&found, 1)?, whole(&found, 2)?);
        let (high, low) = (sums(&found, 4)?, sums(&found, 5)?);
        let none = Moments { squares_high: 0, squares_low: 0, extremes: (0, 0), least: 0.0 };
        let mut moments = vec![none; nodes.len()];
        for (line, &place) in places.iter().enumerate() {
            moments[place as usize] = Moments {
                squares_high: high[line] as u128,
                squares_low: low[line] as u128,
                extremes: (extremes.0[line], extremes.1[line]),
                least: least[line].unwrap_or(0.0),
            };
        }
        Ok(moments)
    }
}
