//! Weights of evidence, for columns of either face.

use std::borrow::Cow;
use std::collections::HashMap;

use super::request::{ColumnOrReason, NamedColumns, usable};
use super::tables::{ResultTable, ResultValue};
use crate::error::{Error, Result, listed};
use crate::rank::scorecard::{FeaturePoints, Points};
use crate::rank::woe::{FeatureWoe, WoeBin, woe_in_turn};
use crate::spec::WoeSpec;

/// The bins of the features of a frame, most information value first, in the current pool.
pub(crate) fn woe_features<F: NamedColumns>(
    frame: &F,
    target: &str,
    spec: &WoeSpec,
) -> Result<Vec<FeatureWoe>> {
    let request = spec.request(target);
    let features = request.features(frame)?;
    let sources = match &spec.features {
        Some(_) => usable(features)?,
        None => features.into_iter().filter_map(ColumnOrReason::column).collect(),
    };
    if sources.is_empty() {
        return Err(Error::data(format!(
            "no feature to bin beside target `{target}`; the columns are {}",
            listed(&frame.names())
        )));
    }
    let table = request.table_of_target(frame)?;
    table.target.check()?;
    let mut features = woe_in_turn(&table, &sources, request.kinds(), spec)?;
    // The sort is stable: ties stay in column order.
    features.sort_by(|a, b| b.iv.total_cmp(&a.iv));
    Ok(features)
}

/// The table of a scorecard.
pub(crate) fn scorecard_table(features: &[FeatureWoe], points: &Points) -> ResultTable {
    let by_name: HashMap<&str, &FeatureWoe> =
        features.iter().map(|feature| (feature.name.as_str(), feature)).collect();
    let lines: Vec<(&FeaturePoints, &FeatureWoe, u32, &WoeBin)> = points
        .features
        .iter()
        .filter_map(|points| Some((points, *by_name.get(points.name.as_str())?)))
        .flat_map(|(points, f)| (0..).zip(&f.bins).map(move |(at, bin)| (points, f, at, bin)))
        .collect();
    let text = |text: &str| Cow::<'static, str>::from(text.to_string());
    let number = |value: fn(&WoeBin) -> f64| lines.iter().map(move |(.., bin)| value(bin));
    ResultTable::default()
        .add("feature", lines.iter().map(|(points, ..)| text(&points.name)))
        .add("bin", lines.iter().map(|(_, _, at, _)| *at))
        .add("rule", lines.iter().map(|(.., bin)| text(&bin.rule)))
        .add("event", lines.iter().map(|(_, f, ..)| text(&f.event)))
        .add("n", lines.iter().map(|(.., bin)| bin.n))
        .add("share", number(|bin| bin.share))
        .add("event_rate", number(|bin| bin.event_rate))
        .add("woe", number(|bin| bin.woe))
        .add("coefficient", lines.iter().map(|(points, ..)| points.coefficient))
        .add("points", lines.iter().map(|(points, .., bin)| points.of(bin.woe)))
}

/// The table of `woe_bins`.
pub(crate) fn woe_table(features: &[FeatureWoe]) -> ResultTable {
    fn of_bins<T: ResultValue<'static>>(
        features: &[FeatureWoe],
        value: impl Fn(&FeatureWoe, &WoeBin) -> T,
    ) -> Vec<T> {
        features.iter().flat_map(|f| f.bins.iter().map(|bin| value(f, bin))).collect()
    }
    let text = |text: String| Cow::<'static, str>::from(text);
    let number = |value: fn(&WoeBin) -> f64| of_bins(features, |_, bin| value(bin));
    ResultTable::default()
        .add("feature", of_bins(features, |f, _| text(f.name.clone())))
        .add("feature_iv", of_bins(features, |f, _| f.iv))
        .add("rule", of_bins(features, |_, bin| text(bin.rule.clone())))
        .add("event", of_bins(features, |f, _| text(f.event.clone())))
        .add("dtype", of_bins(features, |f, _| text(f.dtype.to_string())))
        .add("kind", of_bins(features, |f, _| text(f.kind.to_string())))
        .add("bin", features.iter().flat_map(|f| 0..f.bins.len() as u32))
        .add("n", of_bins(features, |_, bin| bin.n))
        .add("share", number(|bin| bin.share))
        .add("events", number(|bin| bin.events))
        .add("non_events", number(|bin| bin.non_events))
        .add("event_rate", number(|bin| bin.event_rate))
        .add("woe", number(|bin| bin.woe))
        .add("iv", number(|bin| bin.iv))
}
