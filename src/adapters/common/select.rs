//! The table of `select_features`, for columns of either face.

use std::borrow::Cow;

use super::notes::select_note;
use super::request::{ColumnOrReason, NamedColumns, usable};
use super::tables::{ResultTable, ResultValue};
use crate::data::column_data::Source;
use crate::error::{Error, Result};
use crate::rank::select::{SelectStep, select_in_turn};
use crate::spec::SelectSpec;

/// Selects features of a frame, one a line, in the current pool.
pub(crate) fn selection<F: NamedColumns>(
    frame: &F,
    target: &str,
    spec: &SelectSpec,
) -> Result<ResultTable> {
    let request = spec.request(target);
    let features = request.features(frame)?;
    let sources = match &spec.features {
        Some(_) => usable(features)?,
        None => features.into_iter().filter_map(ColumnOrReason::column).collect(),
    };
    if sources.is_empty() {
        return Err(Error::data(format!(
            "no feature to select beside target `{target}`: name some, or add columns"
        )));
    }
    let table = request.table_of_target(frame)?;
    table.target.check()?;
    let steps = select_in_turn(&table, &sources, request.kinds(), spec)?;
    let kinds = request.kinds().by_name();
    fn of_steps<T: ResultValue<'static>>(
        steps: &[SelectStep],
        value: impl Fn(&SelectStep) -> T,
    ) -> Vec<T> {
        steps.iter().map(value).collect()
    }
    let text = |value: &dyn Fn(&F::Column) -> String| {
        of_steps(&steps, |step| Cow::<'static, str>::from(value(&sources[step.feature])))
    };
    let n_rows = table.n_rows() as u64;
    let note = |step: &SelectStep| {
        let column = &sources[step.feature];
        let kind = kinds.of(column.name(), column.dtype());
        select_note(step, kind, column.dtype(), n_rows, spec.log_base).map(Cow::from)
    };
    let notes: Vec<Option<Cow<'static, str>>> = of_steps(&steps, note);
    let number = |value: fn(&SelectStep) -> f64| of_steps(&steps, value);
    Ok(ResultTable::default()
        .add("step", 1..=steps.len() as u32)
        .add("feature", text(&|c| c.name().to_string()))
        .add("info_gain", number(|step| step.info_gain))
        .add("gain_given", number(|step| step.gain_given))
        .add("score", number(|step| step.score))
        .add("redundancy", number(|step| step.redundancy))
        .add("dtype", text(&|c| c.dtype().to_string()))
        .add("kind", text(&|c| kinds.of(c.name(), c.dtype()).to_string()))
        .add("p_value", number(|step| step.p_value))
        .add("p_adjusted", number(|step| step.p_adjusted))
        .add("note", notes))
}
