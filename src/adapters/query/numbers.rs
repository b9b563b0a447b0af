//! Numbers in SQL: literals, and weights and numeric targets as whole numbers.

use super::cases::case_of;
use super::counting_sql::{CountingSql, counting_sql};
use super::run_query::RunQuery;
use crate::data::number_scale::NumberScale;
use crate::error::Result;
use crate::export::Dialect;
use crate::external::UnitCoding;

/// Numbers as an engine writes them.
#[derive(Clone, Copy)]
pub(super) struct SqlNumbers {
    dialect: Dialect,
    pub(super) counting: &'static dyn CountingSql,
}

impl SqlNumbers {
    pub(super) fn new(engine: &dyn RunQuery) -> Result<Self> {
        Ok(SqlNumbers { dialect: engine.dialect(), counting: counting_sql(engine)? })
    }

    /// A float that reads back exactly.
    pub(super) fn literal(&self, x: f64) -> String {
        self.dialect.float(x)
    }

    /// A whole number of 38 digits, whose sums do not overflow.
    pub(super) fn wide(&self, x: &str) -> String {
        self.counting.wide(x)
    }

    /// The weight of a row, of a column `w` of weights and `c` of classes.
    pub(super) fn weight(&self, coding: &UnitCoding, w: &str, c: &str) -> String {
        let weight = match coding.row_unit {
            Some(unit) => {
                let units = format!("CAST({} AS DOUBLE)", self.units_of(w, unit));
                self.by_unit(&units, " * ", unit)
            }
            None => w.to_string(),
        };
        if coding.of_class.is_empty() {
            return weight;
        }
        let factors = coding.of_class.iter().map(|of_class| self.literal(*of_class));
        format!("({weight} * {})", case_of(c, factors.enumerate()))
    }

    /// The units of a row, a `BIGINT`.
    pub(super) fn units(&self, coding: &UnitCoding, w: &str, c: &str) -> String {
        match (coding.unit, coding.row_unit) {
            (Some(unit), _) => self.units_of(&self.weight(coding, w, c), unit),
            (None, Some(unit)) => self.units_of(w, unit),
            (None, None) => "CAST(1 AS BIGINT)".to_string(),
        }
    }

    fn units_of(&self, weight: &str, unit: f64) -> String {
        let units = self.by_unit(weight, " / ", unit);
        format!("greatest(CAST(round({units}) AS BIGINT), CAST(1 AS BIGINT))")
    }

    /// `x * unit` or `x / unit`. A subnormal unit, which not every engine reads, is two factors.
    fn by_unit(&self, x: &str, operator: &str, unit: f64) -> String {
        const SMALL: f64 = 1.0 / (1u128 << 100) as f64;
        let factors = if unit.is_normal() { vec![unit] } else { vec![unit / SMALL, SMALL] };
        let factors = factors.into_iter().map(|x| self.literal(x));
        let terms: Vec<String> = std::iter::once(x.to_string()).chain(factors).collect();
        format!("({})", terms.join(operator))
    }

    /// The whole distance of a number from the centre, a `BIGINT`.
    pub(super) fn distance(&self, scale: &NumberScale, y: &str) -> String {
        let scaled = format!("round({})", self.scaled(y, scale.shift()));
        let scaled = self.counting.wide_of_float(&scaled);
        let centre = self.wide(&format!("'{}'", scale.centre()));
        format!("CAST({scaled} - {centre} AS BIGINT)")
    }

    /// `x * 2^power`, in the same two steps as the engine.
    fn scaled(&self, x: &str, power: i32) -> String {
        let half = power / 2;
        let [a, b] = [half, power - half].map(|power| self.literal(2f64.powi(power)));
        format!("({x} * {a} * {b})")
    }
}
