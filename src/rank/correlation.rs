//! How straight the line is between a feature and a numeric target.

use crate::data::column::{Column, Levels};
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::Table;

/// Pearson's r of an ordered feature and a numeric target, over the rows where the feature has a value;
/// `None` for classes, for levels without a size, and where one of the two is constant. Linear in the
/// rows.
pub(crate) fn correlation(column: &Column, table: &Table) -> Option<f64> {
    let TargetValues::Numbers { numbers, .. } = &table.target.values else { return None };
    if column.kind == Kind::Nominal || matches!(column.levels, Levels::Text(_)) {
        return None;
    }
    let size = |code: u32| column.dtype.threshold(&column.value(code)).unwrap_or(f64::NAN);
    let sizes: Vec<f64> = (0..column.missing_code()).map(size).collect();
    let known = || {
        let rows = column.codes.by_row().zip(numbers).enumerate();
        rows.filter_map(|(row, (code, &y))| {
            let weight = table.weights.as_ref().map_or(1.0, |weights| weights.weight(row));
            Some((*sizes.get(code as usize)?, y, weight))
        })
    };
    let all: f64 = known().map(|(_, _, weight)| weight).sum();
    let [mean_x, mean_y] = known().fold([0.0; 2], |[of_x, of_y], (x, y, weight)| {
        let share = weight / all;
        [of_x + share * x, of_y + share * y]
    });
    let [xx, xy, yy] = known().fold([0.0; 3], |[xx, xy, yy], (x, y, weight)| {
        let (x, y) = (x - mean_x, y - mean_y);
        [xx + weight * x * x, xy + weight * x * y, yy + weight * y * y]
    });
    let r = xy / (xx * yy).sqrt();
    r.is_finite().then_some(r)
}
