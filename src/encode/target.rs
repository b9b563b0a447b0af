//! A target as classes or as numbers.

use std::fmt::Display;

use crate::data::column::Column;
use crate::data::column_data::ColumnData;
use crate::data::dtype::{DType, Kind, Value};
use crate::data::number_scale::NumberScale;
use crate::data::target::{MAX_CLASSES, Target, TargetValues};
use crate::error::{Error, Result};
use crate::spec::Task;

impl Target {
    /// Encodes a target as classes or as numbers. If its rows were taken from a larger table,
    /// `rows` are their numbers there, for messages.
    ///
    /// # Errors
    /// A dtype that the task does not allow, a missing value, an infinite number, or more than
    /// 65,535 classes.
    pub fn encode(
        name: impl Into<String>,
        dtype: DType,
        task: Task,
        cells: ColumnData,
        rows: Option<&[u32]>,
    ) -> Result<Target> {
        let name = name.into();
        let row_given = |row: usize| rows.map_or(row, |rows| rows[row] as usize);
        let values = match is_number(&name, &dtype, task)? {
            true => numbers(&name, &dtype, &cells, row_given)?,
            false => classes(&name, &dtype, cells, row_given)?,
        };
        Ok(Target { name, dtype, values })
    }
}

/// Whether a target is taken as a number; else its values are classes.
pub(crate) fn is_number(name: &str, dtype: &DType, task: Task) -> Result<bool> {
    let is_number = dtype.may_be_number() && !dtype.is_integer();
    match task {
        Task::Auto if is_number => Ok(true),
        Task::Regress if dtype.may_be_number() => Ok(true),
        Task::Auto | Task::Classify if is_number || dtype.may_be_classes() => Ok(false),
        Task::Regress => Err(Error::data(format!(
            "target `{name}` ({dtype}) is not a number; regression needs an integer, float or \
             decimal column: choose another, or task = classify"
        ))),
        Task::Auto | Task::Classify => Err(Error::data(format!(
            "target `{name}` ({dtype}) is neither classes nor a number: choose an integer, \
             boolean, text, float or decimal column, or cast it to one"
        ))),
    }
}

/// The classes of a target: its distinct values.
fn classes(
    name: &str,
    dtype: &DType,
    cells: ColumnData,
    row_given: impl Fn(usize) -> usize,
) -> Result<TargetValues> {
    let column = Column::encode(name, dtype.clone(), Kind::Ordered, cells)?;
    if let Some(row) = column.first_missing() {
        return Err(Error::data_in_row(
            format!("target `{name}` ({dtype}) is missing in"),
            row_given(row as usize),
            "; every row needs a class: fill it or drop the row (--drop-null-target)",
        ));
    }
    if column.n_levels() > MAX_CLASSES {
        return Err(too_many_classes(name, dtype, column.n_levels()));
    }
    let labels = (0..column.n_levels() as u32).map(|code| column.value(code)).collect();
    let codes = column.codes.by_row().map(|c| c as u16).collect();
    Ok(TargetValues::Classes { labels, codes })
}

/// The error of more classes than can be told apart.
pub(crate) fn too_many_classes(name: &str, dtype: &DType, n: impl Display) -> Error {
    let remedy = match dtype.may_be_number() {
        true => "to take it as a number, give task = regress (--task regress); else group them",
        false => "group them",
    };
    Error::data(format!(
        "target `{name}` ({dtype}) has {n} classes; at most {MAX_CLASSES} can be told apart: {remedy}"
    ))
}

/// Up to this number, the variance of a target is finite.
pub(crate) const LARGEST_NUMBER: f64 = 1e150;

/// Numbers that all lie nearer to each other have gains below the least normal float, where digits
/// get lost.
const LEAST_RANGE: f64 = 1e-140;

/// Refuses numbers that differ too little for their squares, given their extremes.
pub(crate) fn check_range(name: &str, dtype: &DType, min: f64, max: f64) -> Result<()> {
    let range = max / 2.0 - min / 2.0;
    if range > 0.0 && range < LEAST_RANGE / 2.0 {
        return Err(Error::data(format!(
            "target `{name}` ({dtype}) lies between {min:e} and {max:e}; squares of differences \
             below {LEAST_RANGE:e} cannot be told apart: multiply it by a power of ten"
        )));
    }
    Ok(())
}

/// The numbers of a target, each finite.
fn numbers(
    name: &str,
    dtype: &DType,
    cells: &ColumnData,
    row_given: impl Fn(usize) -> usize,
) -> Result<TargetValues> {
    let finite = |(row, number): (usize, Option<f64>)| {
        number.filter(|x| x.abs() <= LARGEST_NUMBER).ok_or_else(|| {
            let what = number.map_or("missing".to_string(), |x| format!("{x:e}"));
            Error::data_in_row(
                format!("target `{name}` ({dtype}) is {what} in"),
                row_given(row),
                &format!(
                    "; every row needs a finite number of at most {LARGEST_NUMBER:e}: mend it or \
                     drop the row"
                ),
            )
        })
    };
    let numbers = cells.numbers(dtype).into_iter().enumerate().map(finite);
    let numbers: Vec<f64> = numbers.collect::<Result<_>>()?;
    let extremes = |(min, max): (f64, f64), &y: &f64| (min.min(y), max.max(y));
    let (min, max) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), extremes);
    check_range(name, dtype, min, max)?;
    let is_rounded = is_beyond_floats(dtype, min, max);
    let (distances, scale) = match is_rounded.then(|| integer_distances(dtype, cells)).flatten() {
        Some((distances, scale)) => (Some(distances), scale),
        None => (None, NumberScale::new(&numbers)),
    };
    Ok(TargetValues::Numbers { numbers, distances, scale })
}

/// Whether a target holds integers with extremes beyond 2^53: an `f64` does not hold all of them.
pub(crate) fn is_beyond_floats(dtype: &DType, min: f64, max: f64) -> bool {
    const LIMIT: f64 = (1u64 << 53) as f64;
    dtype.holds_integers() && min.abs().max(max.abs()) >= LIMIT
}

/// The distances of integers; no integer is missing. `None` where they are beyond 127 bits.
fn integer_distances(dtype: &DType, cells: &ColumnData) -> Option<(Vec<i64>, NumberScale)> {
    let integer = |value: Value| match value {
        Value::Int(x) => Some(x),
        Value::Unsigned(x) => i128::try_from(x).ok(),
        Value::Float(_) | Value::Text(_) => None,
    };
    let integers: Vec<i128> = match cells {
        ColumnData::Keys(keys, _) => {
            keys.iter().map(|&key| integer(dtype.value_of_key(key))).collect::<Option<_>>()?
        }
        ColumnData::Wide(keys, _) => {
            keys.iter().map(|&key| integer(dtype.value_of_wide(key))).collect::<Option<_>>()?
        }
        ColumnData::Text(..) | ColumnData::Missing(_) => return None,
    };
    let scale = NumberScale::of_integers(*integers.iter().min()?, *integers.iter().max()?)?;
    Some((integers.iter().map(|&y| scale.distance_of_integer(y)).collect(), scale))
}
