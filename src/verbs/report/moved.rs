//! How far the rows of a report are from a reference.

use super::ReportSpec;
use crate::error::{Error, Result};
use crate::plot::bins::drift_drawing;
use crate::plot::report::Moved;
use crate::rank::drift::{DriftLine, FeatureDrift};
use crate::spec::DriftSpec;
use crate::verbs::drift::{DriftLines, column_drift};
use crate::verbs::frame::NamedColumns;
use crate::verbs::model_ref::ModelRef;

/// Columns whose bins are drawn, side by side, and the most bins of one.
const DRAWN: usize = 2;
const DRAWN_BINS: u32 = 24;

impl ModelRef<'_> {
    /// How far the features and what the model says of the rows have moved from a reference.
    pub(super) fn moved<F: NamedColumns>(
        self,
        frame: &F,
        spec: &ReportSpec<F>,
    ) -> Result<Option<Moved>> {
        let Some((reference, name)) = &spec.reference else { return Ok(None) };
        if reference.n_rows() == 0 {
            return Err(Error::data("the reference has no rows: pass a frame with rows"));
        }
        let has = |frame: &F, name: &str| frame.column_or_reason(name).is_some();
        let features = self.schema().features.iter().map(|feature| &feature.name);
        let known = features.filter(|name| has(reference, name) || has(frame, name));
        let columns = scored_drift(self, [reference, frame], known.cloned().collect())?;
        let drawn = columns.iter().filter(|line| {
            let is_short = |f: &FeatureDrift| f.psi > 0.0 && f.n_bins <= DRAWN_BINS;
            let is_there = has(frame, &line.feature) && has(reference, &line.feature);
            line.drift().is_some_and(is_short) && is_there
        });
        let drawing = |line: &DriftLine| {
            let drift = column_drift(reference, frame, &line.feature, &DriftSpec::default())?;
            Ok(drift_drawing(&line.feature, &drift))
        };
        let drawings = drawn.take(DRAWN).map(drawing).collect::<Result<_>>()?;
        let names = [spec.name_of_rows(), name.clone()];
        let n_reference = reference.n_rows() as u64;
        Ok(Some(Moved { names, n_reference, columns, drawings }))
    }
}

/// The lines of a drift of features and of what the model says of the rows, worst first.
pub(super) fn scored_drift<F: NamedColumns>(
    model: ModelRef,
    [reference, current]: [&F; 2],
    features: Vec<String>,
) -> Result<Vec<DriftLine>> {
    let (before, after) = (model.said(reference)?, model.said(current)?);
    let is_feature = |name: &&str| model.schema().features.iter().any(|of| of.name == **name);
    let added: Vec<&str> = before.names().into_iter().filter(|name| !is_feature(name)).collect();
    let mut lines = DriftLines::default();
    lines.add(reference.into(), current, &DriftSpec::default().features(features))?;
    lines.add((&before).into(), &after, &DriftSpec::default().features(added))?;
    Ok(lines.sorted())
}
