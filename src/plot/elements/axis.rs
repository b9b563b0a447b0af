//! The axis of a feature: where its values stand, and the ticks that name them.

use super::text::{self, clean, figure};
use crate::data::dtype::{DType, TimeUnit, Value};

/// A range of a feature's values, at positions 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

/// The font size of ticks, in pixels.
pub(crate) const TICK: f64 = 11.0;
/// Between two ticks, at least.
const GAP: f64 = 22.0;
/// At a panel's side, about.
const UPRIGHT_TICKS: usize = 5;
const DAY: f64 = 86_400.0;

impl Axis {
    /// Of values in a dtype's own order, over a width in pixels.
    pub(crate) fn of_values(dtype: &DType, lo: f64, hi: f64, width: f64) -> Axis {
        let mut axis = Axis { lo, hi, ticks: Vec::new() };
        // Fewer ticks until their names clear each other.
        for n in (1..=8).rev() {
            axis.set_ticks(dtype, n);
            let clear = axis.ticks.windows(2).all(|pair| {
                let names = (text::width(&pair[0].1, TICK) + text::width(&pair[1].1, TICK)) / 2.0;
                (pair[1].0 - pair[0].0) * width >= names + GAP
            });
            if clear {
                break;
            }
        }
        axis
    }

    /// Of levels that have an order and no size: one step each.
    pub(crate) fn of_levels(names: &[String], width: f64) -> Axis {
        let mut axis = Axis { lo: -0.5, hi: names.len() as f64 - 0.5, ticks: Vec::new() };
        let widest = names.iter().map(|name| text::width(name, TICK)).fold(1.0, f64::max);
        let every = ((widest + GAP) * names.len() as f64 / width).ceil().max(1.0) as usize;
        axis.ticks = (0..names.len())
            .step_by(every)
            .map(|at| (axis.position(at as f64), clean(&names[at])))
            .collect();
        axis
    }

    /// Of a panel's values, from below.
    pub(crate) fn upright(lo: f64, hi: f64) -> Axis {
        let mut axis = Axis { lo, hi, ticks: Vec::new() };
        axis.set_ticks(&DType::F64, UPRIGHT_TICKS);
        axis
    }

    /// About `n` ticks.
    fn set_ticks(&mut self, dtype: &DType, n: usize) {
        let ticks = ticks(dtype, self.lo, self.hi, n).into_iter();
        let ticks = ticks.map(|(x, name)| (self.position(x), name));
        self.ticks = ticks.filter(|(at, _)| (0.0..=1.0).contains(at)).collect();
    }

    pub(crate) fn position(&self, x: f64) -> f64 {
        position_between(x, (self.lo, self.hi))
    }
}

/// [`share_between`], and the middle where that is no number.
pub(crate) fn position_between(x: f64, ends: (f64, f64)) -> f64 {
    let at = share_between(x, ends);
    if at.is_finite() { at } else { 0.5 }
}

/// How far a value is from one to another, as a share of the way.
pub(crate) fn share_between(x: f64, (from, to): (f64, f64)) -> f64 {
    // Halves first, so that no two finite values are infinitely far apart.
    let [x, from, to] = [x, from, to].map(|x| x / 2.0);
    (x - from) / (to - from)
}

/// The least and the greatest of some values; infinity and its negative where there are none.
pub(crate) fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
}

/// About `n` values that are easy to read, with their names.
fn ticks(dtype: &DType, lo: f64, hi: f64, n: usize) -> Vec<(f64, String)> {
    let n = n as f64;
    let shown = |x: f64| (x, dtype.show(&Value::Int(x as i128)));
    let clock = |second: f64| {
        steps(lo, hi, clock_step((hi - lo) / n / second) * second).map(shown).collect()
    };
    match dtype {
        DType::Date => match hi - lo {
            span if span > 60.0 => months(lo, hi, n, 1.0),
            span => steps(lo, hi, day_step(span / n)).map(shown).collect(),
        },
        DType::Datetime { unit, .. } => {
            let second = per_second(*unit);
            match (hi - lo) / second / DAY {
                span if span > 60.0 => months(lo, hi, n, DAY * second),
                _ => {
                    let step = clock_step((hi - lo) / n / second);
                    let short = |(x, name): (f64, String)| (x, without_zeros(&name, step).into());
                    steps(lo, hi, step * second).map(shown).map(short).collect()
                }
            }
        }
        DType::Duration { unit } => clock(per_second(*unit)),
        DType::Time => clock(per_second(TimeUnit::Nanoseconds)),
        DType::Null
        | DType::Boolean
        | DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::I128
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::U128
        | DType::F16
        | DType::F32
        | DType::F64
        | DType::Decimal { .. }
        | DType::String
        | DType::Categorical
        | DType::Enum { .. } => {
            let step = decimal_step(hi / n - lo / n);
            let step = if dtype.is_integer() { step.max(1.0) } else { step };
            // As many digits as tell two ticks apart.
            let size = lo.abs().max(hi.abs());
            let digits = (size / step).log10().ceil().clamp(0.0, 16.0) as usize + 1;
            steps(lo, hi, step).map(|x| (x, figure(x, digits))).collect()
        }
    }
}

/// A date and time without the parts that are 0 at every step of `step` seconds.
fn without_zeros(name: &str, step: f64) -> &str {
    let zeros = match step {
        s if s >= DAY => " 00:00:00",
        s if s >= 60.0 => ":00",
        _ => "",
    };
    name.strip_suffix(zeros).unwrap_or(name)
}

fn per_second(unit: TimeUnit) -> f64 {
    unit.per_second() as f64
}

/// Multiples of a step within bounds; a hundred are more than any axis has.
fn steps(lo: f64, hi: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (lo / step).ceil();
    (0..100).map(move |k| (first + f64::from(k)) * step).take_while(move |x| *x <= hi)
}

/// The least of 1, 2 and 5 times a power of ten that is not below.
fn decimal_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= least).unwrap_or(least)
}

fn day_step(least: f64) -> f64 {
    [1.0, 2.0, 7.0, 14.0, 28.0].into_iter().find(|s| *s >= least).unwrap_or(28.0)
}

/// Seconds; below one, decimal parts of it.
fn clock_step(least: f64) -> f64 {
    const HOUR: f64 = 3600.0;
    let seconds = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0];
    let longer = [HOUR, 2.0 * HOUR, 6.0 * HOUR, 12.0 * HOUR, DAY, 2.0 * DAY, 7.0 * DAY, 14.0 * DAY];
    if least < 0.5 {
        return decimal_step(least);
    }
    let mut known = seconds.into_iter().chain(longer);
    known.find(|s| *s >= least).unwrap_or_else(|| decimal_step(least / DAY).max(1.0) * DAY)
}

/// The beginnings of months or years; `day` is a day in the axis's unit.
fn months(lo: f64, hi: f64, n: f64, day: f64) -> Vec<(f64, String)> {
    let apart = (hi - lo) / day / n / 30.44;
    let known = [1.0, 2.0, 3.0, 6.0, 12.0];
    let step = known.into_iter().find(|s| *s >= apart);
    let step = step.unwrap_or_else(|| 12.0 * decimal_step(apart / 12.0).max(1.0));
    // Months since year 0, from a day count; a month early is cut off by its position.
    let month_of = |x: f64| ((x / day + 719_528.0) / 30.436_875).floor();
    let first = (month_of(lo) / step).floor() - 1.0;
    let mut ticks = Vec::new();
    for k in 0..60 {
        let month = ((first + f64::from(k)) * step) as i64;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
        let Some(Value::Int(days)) = DType::Date.parse(&format!("{year:04}-{month:02}-01")) else {
            continue;
        };
        let x = days as f64 * day;
        let name =
            if step >= 12.0 { format!("{year:04}") } else { format!("{year:04}-{month:02}") };
        if (lo..=hi).contains(&x) {
            ticks.push((x, name));
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dtype: &DType, lo: f64, hi: f64) -> Vec<String> {
        Axis::of_values(dtype, lo, hi, 640.0).ticks.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn ticks_are_easy_to_read() {
        assert_eq!(names(&DType::F64, 1.0, 6.9), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(names(&DType::F64, 0.1, 0.17)[..2], ["0.1", "0.11"]);
        assert_eq!(names(&DType::I64, 0.0, 2.0), ["0", "1", "2"]);
        assert_eq!(names(&DType::Date, 19_723.0, 20_200.0)[..2], ["2024-01", "2024-03"]);
        assert_eq!(names(&DType::Date, 0.0, 20_000.0)[..2], ["1970", "1980"]);
        let hours = DType::Datetime { unit: TimeUnit::Milliseconds, zone: None };
        assert_eq!(names(&hours, 0.0, 432e6)[..2], ["1970-01-01", "1970-01-02"]);
        assert_eq!(names(&hours, 0.0, 36e6)[..2], ["1970-01-01 00:00", "1970-01-01 02:00"]);
        assert_eq!(names(&DType::Time, 0.0, 86_399e9)[..2], ["00:00:00", "06:00:00"]);
    }

    #[test]
    fn no_range_is_too_wide_or_too_narrow() {
        for (lo, hi) in [(-1.7e308, 1.7e308), (0.0, 5e-324), (1.0, 1.0f64.next_up()), (3.0, 3.0)] {
            let axis = Axis::of_values(&DType::F64, lo, hi, 640.0);
            assert!(axis.ticks.len() < 20, "{axis:?}");
            assert!(axis.ticks.iter().all(|(at, _)| (0.0..=1.0).contains(at)), "{axis:?}");
            assert!((0.0..=1.0).contains(&axis.position(lo)), "{axis:?}");
        }
    }
}
