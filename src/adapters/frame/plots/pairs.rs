//! Pictures of what columns tell beside each other.

use std::collections::HashMap;

use polars::prelude::DataFrame;

use super::svg::{find, finite};
use crate::error::{Error, Result};
use crate::plot::heat_map;
use crate::plot::selection::{self, Step};

/// A matrix of pairs, from [`gain_matrix`](crate::gain_matrix), as a heat map (SVG): a darker cell
/// where two columns tell more about each other. Columns are in the order of the wide form, or in
/// that in which pairs of the long form name them, the closest first. The sixty first are drawn. The
/// same matrix gives the same bytes.
///
/// # Errors
/// A table that is not of either form.
pub fn matrix_svg(matrix: &DataFrame) -> Result<String> {
    let is_wide = matrix.column("feature").is_ok();
    let (names, of_pairs) = if is_wide { wide(matrix)? } else { long(matrix)? };
    let value = |a: usize, b: usize| match of_pairs.get(&(a, b)).or(of_pairs.get(&(b, a))) {
        Some(value) => *value,
        // The long form has no diagonal.
        None => (a == b).then_some(1.0),
    };
    Ok(heat_map::drawing(&names, value).document())
}

/// Names, and what pairs of them tell, by their indices.
type Pairs = (Vec<String>, HashMap<(usize, usize), Option<f64>>);

fn wide(matrix: &DataFrame) -> Result<Pairs> {
    let names = texts(matrix, "feature")?;
    let mut of_pairs = HashMap::new();
    for (at, name) in names.iter().enumerate() {
        let values = finite(find(matrix, "column of a wide matrix", name)?)?;
        of_pairs.extend((0..).zip(values).map(|(other, value)| ((other, at), value)));
    }
    Ok((names, of_pairs))
}

fn long(matrix: &DataFrame) -> Result<Pairs> {
    let [first, second] = [texts(matrix, "feature_1")?, texts(matrix, "feature_2")?];
    let figure = "symmetric_uncertainty";
    let values = finite(find(matrix, "figure of a matrix", figure)?)?;
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
pub fn selection_svg(steps: &DataFrame) -> Result<String> {
    let number = |name: &str| finite(find(steps, "column of a selection", name)?);
    let features = texts(steps, "feature")?;
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

fn texts(table: &DataFrame, name: &str) -> Result<Vec<String>> {
    let column = find(table, "column of names", name)?;
    let texts = column.str()?;
    let known = texts.iter().map(|text| text.map(str::to_string)).collect::<Option<Vec<_>>>();
    known.ok_or_else(|| Error::data(format!("column `{name}` of names has nulls: leave them out")))
}
