//! Pictures of frames' features and rankings.

use polars::prelude::{Column, DataFrame, DataType};

use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::error::{Error, Result, no_such_column};
use crate::plot::bar_chart::{self, Bar};
use crate::plot::{error_curve, feature as feature_picture};
use crate::spec::RankSpec;
use crate::verbs::split_candidates::table_of_one;

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
/// what chance gains. An `importance` or a `corrected_gain` beside a `standard_error` has whiskers of
/// one to either side.
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
    let beside = |name: &str, of: &[&str]| match ranking.column(name) {
        Ok(column) if of.contains(&figure) => finite(column),
        Ok(_) | Err(_) => Ok(Vec::new()),
    };
    let marks = beside("expected_gain", &["info_gain", "variance_reduction"])?;
    let errors = beside("standard_error", &["importance", "corrected_gain"])?;
    let bars: Vec<Bar> = names
        .iter()
        .zip(finite(figures)?)
        .enumerate()
        .map(|(at, (name, value))| Bar {
            name: name.unwrap_or("-").to_string(),
            value,
            mark: marks.get(at).copied().flatten(),
            standard_error: errors.get(at).copied().flatten(),
        })
        .collect();
    let mut about = format!("{} features", bars.len());
    if !marks.is_empty() {
        about += "; the mark is what chance gains";
    }
    if bars.iter().any(|bar| bar.standard_error.is_some()) {
        about += "; whiskers are a standard error to either side";
    }
    let title = figure.replace('_', " ");
    Ok(bar_chart::drawing(&title, &about, "features", &bars).document())
}

/// The error of a forest by its number of trees, from [`OutOfBag::curve`](crate::OutOfBag), as an SVG
/// picture. The same curve gives the same bytes.
///
/// ```
/// # use gaintree::{error_curve_svg, prelude::*};
/// # use polars::prelude::*;
/// let df = df!["size" => [1, 2, 3, 4, 8, 9], "ripe" => [0, 0, 0, 1, 1, 1]]?;
/// let fit = df.fit_forest("ripe", &ForestSpec::default().trees(100).seed(1))?;
/// let svg = error_curve_svg(&fit.out_of_bag.expect("a bootstrap").curve)?;
/// assert!(svg.contains("out-of-bag error by trees, "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A table without a column `n_trees`, or without `error` and `rmse`.
pub fn error_curve_svg(curve: &DataFrame) -> Result<String> {
    let trees = finite(find(curve, "column of a curve", "n_trees")?)?;
    let name = if curve.column("rmse").is_ok() { "rmse" } else { "error" };
    let errors = finite(find(curve, "column of a curve", name)?)?;
    // Of the first trees there may be no row that they left out.
    let points = trees.into_iter().zip(errors).filter_map(|(trees, error)| trees.zip(error));
    let points: Vec<(f64, f64)> = points.collect();
    Ok(error_curve::drawing(name, &points, error_curve::WIDTH).document())
}

/// The column of a name, or an error that suggests the near one.
pub(super) fn find<'a>(table: &'a DataFrame, role: &str, name: &str) -> Result<&'a Column> {
    table.column(name).map_err(|_| no_such_column(role, name, &names(table)))
}

/// The numbers of a column that can be drawn.
pub(super) fn finite(column: &Column) -> Result<Vec<Option<f64>>> {
    let numbers = column.cast(&DataType::Float64)?;
    let numbers = numbers.as_materialized_series().f64()?;
    Ok(numbers.iter().map(|x| x.filter(|x| x.is_finite())).collect())
}
