//! Weights and numeric targets as whole numbers, in SQL.

use gaintree::engine::{NumberScale, UnitCoding};

/// A column `w` of weights, `c` of classes.
pub(super) fn weight(coding: &UnitCoding, w: &str, c: &str) -> String {
    let weight = match coding.row_shift {
        Some(shift) => {
            format!("({} * {})", float(1.0, -shift), as_float(&units_of(w, shift)))
        }
        None => w.to_string(),
    };
    if coding.of_class.is_empty() {
        return weight;
    }
    let mut factor = format!("CASE {c}");
    for (class, of_class) in coding.of_class.iter().enumerate() {
        factor += &format!(" WHEN {class} THEN {}", literal(*of_class));
    }
    format!("({weight} * {factor} END)")
}

/// The units of a row, a `BIGINT`.
pub(super) fn units(coding: &UnitCoding, w: &str, c: &str) -> String {
    match (coding.shift, coding.row_shift) {
        (Some(shift), _) => units_of(&weight(coding, w, c), shift),
        (None, Some(shift)) => units_of(w, shift),
        (None, None) => "CAST(1 AS BIGINT)".to_string(),
    }
}

fn units_of(weight: &str, shift: i32) -> String {
    format!("greatest(CAST(round({}) AS BIGINT), CAST(1 AS BIGINT))", scaled(weight, shift))
}

/// The whole distance of a number from the centre, a `BIGINT`.
pub(super) fn distance(scale: &NumberScale, y: &str) -> String {
    format!(
        "CAST({} - CAST('{}' AS DECIMAL(38, 0)) AS BIGINT)",
        decimal(&format!("round({})", scaled(y, scale.shift()))),
        scale.centre()
    )
}

/// `x * 2^power`, in the same two steps as the engine.
fn scaled(x: &str, power: i32) -> String {
    let half = power / 2;
    format!("({x} * {} * {})", literal(2f64.powi(half)), literal(2f64.powi(power - half)))
}

fn float(x: f64, power: i32) -> String {
    scaled(&literal(x), power)
}

/// A float that reads back exactly.
pub(super) fn literal(x: f64) -> String {
    format!("CAST('{x:e}' AS DOUBLE)")
}

fn as_float(x: &str) -> String {
    format!("CAST({x} AS DOUBLE)")
}

/// Sums of these do not overflow.
pub(super) fn decimal(x: &str) -> String {
    format!("CAST({x} AS DECIMAL(38, 0))")
}
