//! Selection of features.

use super::frame::{Frame, NamedColumns};
use super::notes::select_note;
use super::table::ResultTable;
use crate::data::column_data::Source;
use crate::error::{Error, Result};
use crate::rank::select::{SelectStep, select_in_turn};
use crate::spec::SelectSpec;

/// Selects features one after the other: each tells much about `target` beside those before it.
///
/// Returns one row per step: `step u32, feature str, info_gain f64, gain_given f64, score f64,
/// redundancy f64, dtype str, kind str, p_value f64, p_adjusted f64, note str?`.
///
/// - `score` is what the feature was selected by, see [`SelectScore`](crate::SelectScore); of the
///   first feature it is its `info_gain`. Of equal scores the earlier column is selected.
/// - `info_gain` is the feature's own, `I(X; Y)`. `gain_given` is what it tells beside all features
///   before it together, `I(X; Y | S)`. `redundancy` is the mean of `I(X; Z)` over these features Z.
/// - `p_value` says how often a feature that tells nothing beside those before it seems to depend as
///   much on the target: Pearson's statistic summed over the strata of these features, with its
///   exact mean and variance. It counts rows, whatever they weigh. `p_adjusted` is that of the least
///   p-value of as many features as were left (Šidák 1967).
/// - `note` warns of a nominal feature that is like an id, or has levels with which chance alone would
///   gain half as much or more, and of a feature that gives the target away.
///
/// Nominal features are taken by their levels. An ordered feature is taken by its levels too if they
/// are at most ten, else by [`intervals`](SelectSpec#structfield.intervals). A missing value is a
/// level of its own. A numeric target is taken by ten intervals. Features of a dtype that cannot be
/// used are left out, unless they are named.
///
/// The selection ends after `k` features, or where no feature has a positive score (scores of
/// [`Mrmr`](crate::SelectScore::Mrmr) may be negative). With `alpha`, a feature whose `p_adjusted` is
/// above it is passed over, in this step: it may tell more beside a later one.
/// Takes `O(k m n)` time for k of m features and n rows.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df![
///     "shape" => ["round", "round", "long", "long"],
///     "form"  => ["o", "o", "l", "l"],
///     "color" => ["red", "blue", "red", "blue"],
///     "sort"  => ["apple", "plum", "pepper", "aubergine"],
/// ]?;
/// // The form tells nothing beside the shape, the color all that is left.
/// let steps = df.select_features("sort", &SelectSpec::default().k(2))?;
/// let features: Vec<Option<&str>> = steps.column("feature")?.str()?.iter().collect();
/// assert_eq!(features, [Some("shape"), Some("color")]);
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
    let steps = select_in_turn(&table, &sources, request.kinds(), spec)?;
    let kinds = request.kinds().by_name();
    let n_rows = table.n_rows() as u64;
    let columns = || steps.iter().map(|step| &sources[step.feature]);
    let kind = |column: &F::Column| kinds.of(column.name(), column.dtype());
    let note = |(step, column): (&SelectStep, &F::Column)| {
        select_note(step, kind(column), column.dtype(), n_rows, spec.log_base)
    };
    ResultTable::default()
        .add("step", 1..=steps.len() as u32)
        .add("feature", columns().map(|column| column.name()))
        .add("info_gain", steps.iter().map(|step| step.info_gain))
        .add("gain_given", steps.iter().map(|step| step.gain_given))
        .add("score", steps.iter().map(|step| step.score))
        .add("redundancy", steps.iter().map(|step| step.redundancy))
        .add("dtype", columns().map(|column| column.dtype().to_string()))
        .add("kind", columns().map(|column| kind(column).to_string()))
        .add("p_value", steps.iter().map(|step| step.p_value))
        .add("p_adjusted", steps.iter().map(|step| step.p_adjusted))
        .add("note", steps.iter().zip(columns()).map(note))
        .into_table()
}
