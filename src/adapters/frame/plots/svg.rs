//! Pictures of frames' features and rankings.

use polars::prelude::{Column, DataFrame, DataType};

use crate::adapters::frame::columns::find;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::verbs::table_of_one;
use crate::error::{Error, Result};
use crate::plot::{bar_chart, feature as feature_picture};
use crate::spec::RankSpec;

/// One feature as an SVG picture. Of an ordered one, four panels over its values: rows; the
/// share of each class in all rows, left and right of each cut; the entropy of all rows, left
/// and right; and the information gain of each cut, the best one marked (of a numeric target:
/// means, standard deviations and variance reduction). Of a nominal one, a bar a level: its
/// rows, its class shares (or mean), and the gain of it against the rest. It draws what
/// [`split_candidates`](crate::split_candidates) lists. The same frame gives the same bytes.
///
/// ```
/// # use gaintree::{prelude::*, curve_svg};
/// # use polars::prelude::*;
/// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
/// let svg = curve_svg(&df, "play", "wind", &RankSpec::default())?;
/// assert!(svg.contains("best: wind &gt;= 20, gain 1 bits"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`split_candidates`](crate::split_candidates).
pub fn curve_svg(df: &DataFrame, target: &str, feature: &str, spec: &RankSpec) -> Result<String> {
    in_pool(spec.threads, || {
        let table = table_of_one(df, target, feature, spec)?;
        Ok(feature_picture::drawing(&table, spec.log_base)?.document())
    })
}

/// A ranking, or a table of importances, as an SVG picture: a bar a feature, of the figure in
/// the column named (`info_gain`, `gain_ratio`, `importance`, …), in the table's order. With
/// [`chance`](RankSpec::chance), a mark in each bar of `info_gain` or `variance_reduction` says
/// what chance gains.
///
/// ```
/// # use gaintree::{prelude::*, ranking_svg};
/// # use polars::prelude::*;
/// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
/// let svg = ranking_svg(&df.rank_gain("play", &RankSpec::default())?, "info_gain")?;
/// assert!(svg.contains("wind: 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A table without a column `feature` or the figure's, one whose figure is no number, and a
/// ranking of several groups.
pub fn ranking_svg(ranking: &DataFrame, figure: &str) -> Result<String> {
    let names = find(ranking, "column of features", "feature")?;
    let names = names.str()?;
    let figures = find(ranking, "figure", figure)?;
    if !figures.dtype().is_primitive_numeric() {
        return Err(Error::data(format!(
            "figure `{figure}` ({}) is no number: name a column of numbers, as info_gain",
            figures.dtype()
        )));
    }
    let mut seen: Vec<&str> = names.iter().flatten().collect();
    seen.sort_unstable();
    if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::data(format!(
            "feature `{}` is ranked more than once, in several groups: a picture is of one \
             group, so filter the ranking to one",
            pair[0]
        )));
    }
    let bars: Vec<(String, Option<f64>)> = names
        .iter()
        .zip(finite(figures)?)
        .map(|(name, figure)| (name.unwrap_or("-").to_string(), figure))
        .collect();
    let marks = match ranking.column("expected_gain") {
        Ok(expected) if ["info_gain", "variance_reduction"].contains(&figure) => finite(expected)?,
        Ok(_) | Err(_) => Vec::new(),
    };
    let mut about = format!("{} features", bars.len());
    if !marks.is_empty() {
        about += "; the mark is what chance gains";
    }
    let title = figure.replace('_', " ");
    Ok(bar_chart::drawing(&title, &about, "features", &bars, &marks).document())
}

/// The numbers of a column that can be drawn.
pub(super) fn finite(column: &Column) -> Result<Vec<Option<f64>>> {
    let numbers = column.cast(&DataType::Float64)?;
    let numbers = numbers.as_materialized_series().f64()?;
    Ok(numbers.iter().map(|x| x.filter(|x| x.is_finite())).collect())
}
