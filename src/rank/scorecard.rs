//! The points of bins: weights of evidence on the scale of a scorecard.
//!
//! ```text
//! factor = pdo / ln 2,  offset = points - factor * ln(odds)
//! log_odds = intercept + sum over the features of coefficient * woe
//! score = offset - factor * log_odds
//!       = sum over the n features of (offset - factor * intercept) / n - factor * coefficient * woe
//! ```

use std::collections::{HashMap, HashSet};
use std::f64::consts::LN_2;

use super::woe::FeatureWoe;
use crate::error::{Error, Result, no_such_column};
use crate::spec::ScorecardSpec;

/// The scale of a scorecard, and what each of its features adds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Points {
    pub(crate) scale: PointScale,
    pub(crate) features: Vec<FeaturePoints>,
}

/// How log-odds become a score, and whether the points of each feature are rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointScale {
    pub(crate) factor: f64,
    pub(crate) offset: f64,
    pub(crate) intercept: f64,
    pub(crate) rounded: bool,
}

/// What a feature adds to the score: `base + per_woe * woe`, rounded or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeaturePoints {
    pub(crate) name: String,
    pub(crate) coefficient: f64,
    pub(crate) base: f64,
    pub(crate) per_woe: f64,
    pub(crate) rounded: bool,
}

impl Points {
    /// The points of features that have been binned, in their order.
    ///
    /// # Errors
    /// Numbers that are not finite, odds or points to double them that are not above 0, coefficients
    /// of no feature, of one that was not binned, or two of one; and no intercept where features leave
    /// out different rows.
    pub(crate) fn new(bins: &[FeatureWoe], spec: &ScorecardSpec) -> Result<Points> {
        for (name, x, is_scale) in
            [("points", spec.points, false), ("odds", spec.odds, true), ("pdo", spec.pdo, true)]
        {
            if !x.is_finite() || is_scale && x <= 0.0 {
                let kind = if is_scale { "finite number above 0" } else { "finite number" };
                return Err(Error::spec(format!("{name} is {x}: a {kind}")));
            }
        }
        if let Some(x) = spec.intercept.filter(|x| !x.is_finite()) {
            return Err(Error::spec(format!("intercept is {x}: a finite number")));
        }
        let coefficients = coefficients(bins, spec)?;
        let intercept = match spec.intercept {
            Some(intercept) => intercept,
            None => log_odds(bins, &coefficients)?,
        };
        let factor = spec.pdo / LN_2;
        let offset = spec.points - factor * spec.odds.ln();
        let scale = PointScale { factor, offset, intercept, rounded: spec.rounded };
        let named =
            |(feature, coefficient): (usize, f64)| (bins[feature].name.clone(), coefficient);
        Points::on_scale(scale, coefficients.into_iter().map(named).collect()).map_err(Error::spec)
    }

    /// The points of at least one feature, by names and coefficients.
    ///
    /// # Errors
    /// Numbers so large that no finite points come of them.
    pub(crate) fn on_scale(
        scale: PointScale,
        coefficients: Vec<(String, f64)>,
    ) -> std::result::Result<Points, String> {
        let PointScale { factor, offset, intercept, rounded } = scale;
        let base = (offset - factor * intercept) / coefficients.len() as f64;
        let feature = |(name, coefficient): (String, f64)| {
            let per_woe = -factor * coefficient;
            match base.is_finite() && per_woe.is_finite() {
                true => Ok(FeaturePoints { name, coefficient, base, per_woe, rounded }),
                false => Err(format!(
                    "the points of feature `{name}` are not finite: points, pdo, the intercept or its \
                     coefficient is too large"
                )),
            }
        };
        let features = coefficients.into_iter().map(feature).collect::<std::result::Result<_, _>>();
        Ok(Points { scale, features: features? })
    }
}

impl FeaturePoints {
    pub(crate) fn of(&self, woe: f64) -> f64 {
        let points = self.base + self.per_woe * woe;
        if self.rounded { points.round_ties_even() } else { points }
    }
}

/// The features of a card by their number, in order, and their coefficients.
fn coefficients(bins: &[FeatureWoe], spec: &ScorecardSpec) -> Result<Vec<(usize, f64)>> {
    if bins.is_empty() {
        return Err(Error::spec("the bins are of no feature, and a card needs at least one"));
    }
    let Some(given) = &spec.coefficients else {
        return Ok((0..bins.len()).map(|feature| (feature, 1.0)).collect());
    };
    if given.is_empty() {
        return Err(Error::spec("coefficients of no feature: name at least one"));
    }
    let features: HashMap<&str, usize> =
        bins.iter().enumerate().map(|(at, feature)| (feature.name.as_str(), at)).collect();
    let mut seen = HashSet::new();
    let mut of_features = Vec::new();
    for (name, coefficient) in given {
        let Some(&feature) = features.get(name.as_str()) else {
            let known: Vec<&str> = bins.iter().map(|feature| feature.name.as_str()).collect();
            return Err(no_such_column("feature with a coefficient", name, &known));
        };
        if !seen.insert(feature) {
            return Err(Error::spec(format!(
                "feature `{name}` has two coefficients: leave one of them out"
            )));
        }
        if !coefficient.is_finite() {
            return Err(Error::spec(format!(
                "the coefficient of feature `{name}` is {coefficient}: a finite number"
            )));
        }
        of_features.push((feature, *coefficient));
    }
    of_features.sort_unstable_by_key(|(feature, _)| *feature);
    Ok(of_features)
}

/// The log-odds of the event in the rows that all features of a card count.
fn log_odds(bins: &[FeatureWoe], of_card: &[(usize, f64)]) -> Result<f64> {
    /// How far apart sums of the same weights may be.
    const SLACK: f64 = 1e-9;
    let sums = of_card.iter().map(|&(feature, _)| {
        let bins = bins[feature].bins.iter();
        bins.fold([0.0, 0.0], |[e, n], bin| [e + bin.events, n + bin.non_events])
    });
    let sums: Vec<[f64; 2]> = sums.collect();
    let first = sums.first().copied().unwrap_or_default();
    let is_near = |a: f64, b: f64| (a - b).abs() <= SLACK * a.max(b);
    let differs = |sum: &[f64; 2]| !(is_near(sum[0], first[0]) && is_near(sum[1], first[1]));
    match sums.iter().position(differs) {
        None if first[0] > 0.0 && first[1] > 0.0 => Ok((first[0] / first[1]).ln()),
        None => Err(Error::spec(
            "the rows that were binned are all of one class: name the intercept of the card",
        )),
        Some(other) => Err(Error::spec(format!(
            "features `{}` and `{}` were binned by different rows, as missing values have no bin: \
             name the intercept of the card",
            bins[of_card[0].0].name, bins[of_card[other].0].name
        ))),
    }
}
