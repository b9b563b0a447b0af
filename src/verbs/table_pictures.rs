//! Pictures of the tables of verbs.

use std::collections::HashMap;

use super::frame::{Frame, NamedColumns, Needed, find, texts};
use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::plot::bar_chart::{self, Bar};
use crate::plot::selection::{self, Step};
use crate::plot::{error_curve, heat_map};

/// A ranking, or a table of importances, as an SVG picture: a bar a feature, of the figure in
/// the column named (`info_gain`, `gain_ratio`, `importance`, …), in the table's order. With
/// [`chance`](crate::RankSpec::chance), a mark in each bar of `info_gain` or `variance_reduction` says
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
pub fn ranking_svg<F: Frame + ?Sized>(ranking: &F, figure: &str) -> Result<String> {
    let ranking = ranking.columns(&Needed::All)?;
    let names = texts(&ranking, "column of features", "feature")?;
    let values = numbers(&ranking, "figure", figure)?;
    let mut seen: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    seen.sort_unstable();
    if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::data(format!(
            "feature `{}` is ranked more than once, in several groups: a picture is of one \
             group, so filter the ranking to one",
            pair[0]
        )));
    }
    let beside = |name: &str, of: &[&str]| match ranking.column_or_reason(name) {
        Some(_) if of.contains(&figure) => numbers(&ranking, "figure", name),
        Some(_) | None => Ok(Vec::new()),
    };
    let gains = beside("expected_gain", &["info_gain", "variance_reduction"])?;
    let psis = beside("expected_psi", &["psi"])?;
    let marks = if gains.is_empty() { &psis } else { &gains };
    let errors = beside("standard_error", &["importance", "corrected_gain"])?;
    let bar = |(at, (name, value)): (usize, (Option<String>, Option<f64>))| Bar {
        name: name.unwrap_or_else(|| "-".to_string()),
        value,
        mark: marks.get(at).copied().flatten(),
        standard_error: errors.get(at).copied().flatten(),
    };
    let bars: Vec<Bar> = names.into_iter().zip(values).enumerate().map(bar).collect();
    let mut about = format!("{} features", bars.len());
    if !gains.is_empty() {
        about += "; the mark is what chance gains";
    }
    if !psis.is_empty() {
        about += "; the mark is what it is by chance";
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
pub fn error_curve_svg<F: Frame + ?Sized>(curve: &F) -> Result<String> {
    let curve = curve.columns(&Needed::All)?;
    let trees = numbers(&curve, "column of a curve", "n_trees")?;
    let name = if curve.column_or_reason("rmse").is_some() { "rmse" } else { "error" };
    let errors = numbers(&curve, "column of a curve", name)?;
    // Of the first trees there may be no row that they left out.
    let points = trees.into_iter().zip(errors).filter_map(|(trees, error)| trees.zip(error));
    let points: Vec<(f64, f64)> = points.collect();
    Ok(error_curve::drawing(name, &points, error_curve::WIDTH).document())
}

/// A matrix of pairs, from [`gain_matrix`](crate::gain_matrix), as a heat map (SVG): a darker cell
/// where two columns tell more about each other. Columns are in the order of the wide form, or in
/// that in which pairs of the long form name them, the closest first. The sixty first are drawn. The
/// same matrix gives the same bytes.
///
/// # Errors
/// A table that is not of either form.
pub fn matrix_svg<F: Frame + ?Sized>(matrix: &F) -> Result<String> {
    let matrix = matrix.columns(&Needed::All)?;
    let is_wide = matrix.column_or_reason("feature").is_some();
    let (names, of_pairs) = if is_wide { wide(&matrix)? } else { long(&matrix)? };
    let value = |a: usize, b: usize| match of_pairs.get(&(a, b)).or(of_pairs.get(&(b, a))) {
        Some(value) => *value,
        // The long form has no diagonal.
        None => (a == b).then_some(1.0),
    };
    Ok(heat_map::drawing(&names, value).document())
}

/// Names, and what pairs of them tell, by their indices.
type Pairs = (Vec<String>, HashMap<(usize, usize), Option<f64>>);

fn wide<F: NamedColumns>(matrix: &F) -> Result<Pairs> {
    let names = names(matrix, "feature")?;
    let mut of_pairs = HashMap::new();
    for (at, name) in names.iter().enumerate() {
        let values = numbers(matrix, "column of a wide matrix", name)?;
        of_pairs.extend((0..).zip(values).map(|(other, value)| ((other, at), value)));
    }
    Ok((names, of_pairs))
}

fn long<F: NamedColumns>(matrix: &F) -> Result<Pairs> {
    let [first, second] = [names(matrix, "feature_1")?, names(matrix, "feature_2")?];
    let values = numbers(matrix, "figure of a matrix", "symmetric_uncertainty")?;
    let (mut names, mut indices) = (Vec::new(), HashMap::new());
    let mut index = |name: &String| {
        *indices.entry(name.clone()).or_insert_with(|| {
            names.push(name.clone());
            names.len() - 1
        })
    };
    let of_pairs = first.iter().zip(&second).zip(values);
    let of_pairs = of_pairs.map(|((a, b), value)| ((index(a), index(b)), value)).collect();
    Ok((names, of_pairs))
}

/// The steps of [`select_features`](crate::select_features) as an SVG picture: a bar a step of the
/// feature's own gain, and in it what it tells beside the features before it. The same steps give
/// the same bytes.
///
/// # Errors
/// A table that lacks a column of a selection.
pub fn selection_svg<F: Frame + ?Sized>(steps: &F) -> Result<String> {
    let steps = steps.columns(&Needed::All)?;
    let number = |name: &str| numbers(&steps, "column of a selection", name);
    let features = names(&steps, "feature")?;
    let [own, given, p] = [number("info_gain")?, number("gain_given")?, number("p_adjusted")?];
    let step = |(at, feature): (usize, String)| Step {
        feature,
        info_gain: own[at].unwrap_or(0.0),
        gain_given: given[at].unwrap_or(0.0),
        p_adjusted: p[at].unwrap_or(1.0),
    };
    let steps: Vec<Step> = features.into_iter().enumerate().map(step).collect();
    Ok(selection::drawing(&steps).document())
}

/// The numbers of a column that can be drawn.
pub(super) fn numbers<F: NamedColumns>(
    table: &F,
    role: &str,
    name: &str,
) -> Result<Vec<Option<f64>>> {
    let column = find(table, role, name)?.usable(role)?;
    let dtype = column.dtype();
    if !dtype.may_be_number() && *dtype != DType::Null {
        return Err(Error::data(format!(
            "{role} `{name}` ({dtype}) is no number: name a column of numbers, as info_gain"
        )));
    }
    let numbers = column.cells().numbers(dtype).into_iter();
    Ok(numbers.map(|x| x.filter(|x| x.is_finite())).collect())
}

/// The texts of a column without nulls.
pub(super) fn names<F: NamedColumns>(table: &F, name: &str) -> Result<Vec<String>> {
    let known = texts(table, "column of names", name)?.into_iter().collect::<Option<Vec<_>>>();
    known.ok_or_else(|| Error::data(format!("column `{name}` of names has nulls: leave them out")))
}
