//! Selection of features.

use super::frame::{Frame, NamedColumns};
use super::screen::FeatureScreen;
use super::sign_notes::many_levels;
use super::table::ResultTable;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::error::{Error, Result};
use crate::rank::select::{SelectStep, select_in_turn};
use crate::spec::SelectSpec;

/// Selects features one after the other: each tells much about `target` beside those before it.
///
/// Returns one row per step: `step u32, feature str, info_gain f64, gain_given f64, score f64,
/// redundancy f64, dtype str, kind str, p_value f64, p_adjusted f64, note str?`. With
/// [`full`](SelectSpec::full), a row without step and figures follows for each feature that was passed
/// over; its `note` says why.
///
/// - `score` is what the feature was selected by, see [`SelectScore`](crate::SelectScore); of the
///   first feature it is its `info_gain`. Of equal scores the earlier column is selected.
/// - `info_gain` is the feature's own, `I(X; Y)`. `gain_given` is what it tells beside all features
///   before it together, `I(X; Y | S)`. `redundancy` is the mean of `I(X; Z)` over these features Z.
/// - `p_value` says how often a feature that tells nothing beside those before it seems to depend as
///   much on the target: Pearson's statistic summed over the strata of these features, with its
///   exact mean and variance. It counts rows, whatever they weigh. `p_adjusted` is that of the least
///   p-value of as many features as were left (Šidák 1967).
/// - `note` warns of a nominal feature with levels by which chance alone would gain half as much or
///   more, and of an id, a leak or a twin.
///
/// Ids, leaks and twins, as [`screen`](crate::screen) finds them with its defaults, are passed over,
/// unless the spec [keeps](SelectSpec::keep_all) them.
///
/// Nominal features are taken by their levels. An ordered feature is taken by its levels too if they
/// are at most ten, else by [`intervals`](SelectSpec#structfield.intervals). A missing value is a
/// level of its own. A numeric target is taken by ten intervals. Features of a dtype that cannot be
/// used are left out, unless they are named.
///
/// The selection ends after `k` features, or where no feature has a positive score (scores of
/// [`Mrmr`](crate::SelectScore::Mrmr) may be negative). A feature whose `p_adjusted` is above `alpha`
/// is passed over, in this step: it may tell more beside a later one.
/// Takes `O(k m n)` time for k of m features and n rows, and that of a screen.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "shape" => ["round", "round", "long", "long"].repeat(10),
///     "form"  => ["o", "o", "l", "l"].repeat(10),
///     "color" => ["red", "blue", "red", "blue"].repeat(10),
///     "sort"  => ["apple", "plum", "pepper", "aubergine"].repeat(10),
/// ]?;
/// // The color tells all that the shape leaves. The form is the shape by another name.
/// let steps = df.select_features("sort", &SelectSpec::default().full(true))?;
/// let features: Vec<Option<&str>> = steps.column("feature")?.str()?.iter().collect();
/// assert_eq!(features, [Some("shape"), Some("color"), Some("form")]);
/// assert_eq!(steps.column("note")?.str()?.get(2), Some("twin: 100 % told by shape"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a column that does not exist, a target with nulls or with one class, a
/// weight that is null, negative or not finite, no feature, `k = 0`, an `alpha` that is no
/// probability, and MDL intervals for a numeric target.
pub fn select_features<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &SelectSpec,
) -> Result<F::Table> {
    let columns = frame.columns(&spec.request(target).needed())?;
    F::in_pool(spec.threads, || selection(&columns, target, spec))
}

/// The table, in the current pool.
fn selection<F: NamedColumns>(frame: &F, target: &str, spec: &SelectSpec) -> Result<F::Table> {
    let request = spec.request(target);
    let sources = request.sources(frame)?;
    if sources.is_empty() {
        return Err(Error::data(format!(
            "no feature to select beside target `{target}`: name some, or add columns"
        )));
    }
    let table = request.table_of_target(frame)?;
    table.target.check()?;
    let kinds = request.kinds();
    let reasons = FeatureScreen::of(&table, &sources, kinds)?.reasons;
    let is_passed_over = |feature: usize| !spec.keep_all && reasons[feature].is_some();
    let steps = select_in_turn(&table, &sources, kinds, is_passed_over, spec)?;
    let note = |step: &SelectStep, kind: Kind| {
        let &SelectStep { n_bins, n_known, info_gain, expected_gain, .. } = step;
        let of_levels = || many_levels(kind, n_bins, n_known, info_gain, expected_gain);
        reasons[step.feature].clone().or_else(of_levels)
    };
    let kinds = kinds.by_name();
    let passed_over = (0..sources.len()).filter(|&at| spec.full && is_passed_over(at));
    let of_steps = steps.iter().map(|step| (step.feature, Some(step)));
    let lines: Vec<(usize, Option<&SelectStep>)> =
        of_steps.chain(passed_over.map(|at| (at, None))).collect();
    let columns = || lines.iter().map(|&(at, _)| &sources[at]);
    let kind = |column: &F::Column| kinds.of(column.name(), column.dtype());
    let figures = |of: fn(&SelectStep) -> f64| lines.iter().map(move |(_, step)| step.map(of));
    let notes = lines.iter().map(|&(at, step)| match step {
        Some(step) => note(step, kind(&sources[at])),
        None => reasons[at].clone(),
    });
    ResultTable::default()
        .add("step", (1..).zip(&lines).map(|(at, (_, step))| step.map(|_| at as u32)))
        .add("feature", columns().map(|column| column.name()))
        .add("info_gain", figures(|step| step.info_gain))
        .add("gain_given", figures(|step| step.gain_given))
        .add("score", figures(|step| step.score))
        .add("redundancy", figures(|step| step.redundancy))
        .add("dtype", columns().map(|column| column.dtype().to_string()))
        .add("kind", columns().map(|column| kind(column).to_string()))
        .add("p_value", figures(|step| step.p_value))
        .add("p_adjusted", figures(|step| step.p_adjusted))
        .add("note", notes)
        .into_table()
}
