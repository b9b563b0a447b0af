//! Weights of evidence.

use std::collections::HashMap;
use std::path::Path;

use super::frame::{Frame, NamedColumns};
use super::table::{FaceTable, FromResults, ResultTable};
use crate::error::{Error, Result, listed, no_such_column};
use crate::rank::woe::{FeatureWoe, WoeBin, woe_in_turn};
use crate::rank::woe_text;
use crate::spec::WoeSpec;
use crate::util::atomic_file::write_whole;
use crate::util::file_kind::FileKind;

/// The columns of a bin that matter most.
const SHORT: [&str; 5] = ["rule", "n", "event_rate", "woe", "iv"];

/// Features in bins, with the weight of evidence of each bin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WoeBins<T = FaceTable> {
    /// A row per bin, the feature of most information value first; see [`woe_bins`].
    pub table: T,
    pub(crate) features: Vec<FeatureWoe>,
    /// The index of each feature.
    indices: HashMap<String, usize>,
}

/// Bins features by what they tell about a target of two classes, and rates each bin by its weight
/// of evidence.
///
/// The table has a row per bin: `feature str, feature_iv f64, rule str, event str, dtype str,
/// kind str, bin u32, n u64, share f64, events f64, non_events f64, event_rate f64, woe f64, iv f64`.
/// Features come by `feature_iv`, which is the sum of `iv` over their bins; ties stay in column
/// order. The bins of an ordered feature ascend, those of a nominal one rise in event rate; missing
/// values come last.
///
/// - `woe = ln(share of the events / share of the non-events)`: above 0 where events are more
///   frequent than in all rows. `iv = (share of the events - share of the non-events) * woe`.
///   Both are in nats. The event is the rarer of the two classes, by weight, and of equals the
///   later one; or [`event`](WoeSpec#structfield.event).
/// - To a bin without events, or without non-events, half a row of each is added for `woe` and
///   `iv`; `events`, `non_events` and `event_rate` stay as counted.
/// - `events` and `non_events` are sums of weights, where there are weights; `n` counts rows.
/// - [`intervals`](WoeSpec#structfield.intervals) are the bins to begin with. Where `max_bins`,
///   `min_share` or `monotone` ask for it, neighbours are merged; of all ways to merge them, the one
///   with the highest information value is taken.
/// - A feature has at most 100 bins beside that of missing values.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df!["price" => [1, 2, 3, 4, 5, 6], "churn" => ["no", "no", "yes", "no", "yes", "yes"]]?;
/// let spec = WoeSpec::default().intervals(Intervals::Quantiles(3)).monotone(Monotone::Increasing);
/// let woe = df.woe_bins("churn", &spec)?;
/// assert_eq!(woe.table.column("rule")?.str()?.get(0), Some("price < 3"));
/// # #[cfg(feature = "lazy")] {
/// let mapped = df.lazy().with_column(woe.woe("price")?).collect()?;
/// assert_eq!(mapped.column("price_woe")?.f64()?.get(2), Some(0.0));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a column that does not exist, a target with nulls or of other than two
/// classes, an event that is none of them, bad weights, a named feature whose dtype cannot be used,
/// and limits out of range.
pub fn woe_bins<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &WoeSpec,
) -> Result<WoeBins<F::Table>> {
    let columns = frame.columns(&spec.request(target).needed())?;
    WoeBins::of(F::in_pool(spec.threads, || binned(&columns, target, spec))?)
}

/// The bins of the features, most information value first, in the current pool.
fn binned<F: NamedColumns>(frame: &F, target: &str, spec: &WoeSpec) -> Result<Vec<FeatureWoe>> {
    let request = spec.request(target);
    let sources = request.sources(frame)?;
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

/// The table of the bins, with figures as they are shown.
fn table(features: &[FeatureWoe], shown: fn(f64) -> f64) -> ResultTable<'_> {
    let lines: Vec<(&FeatureWoe, u32, &WoeBin)> = features
        .iter()
        .flat_map(|f| (0..).zip(&f.bins).map(move |(at, bin)| (f, at, bin)))
        .collect();
    let number = |value: fn(&WoeBin) -> f64| lines.iter().map(move |(.., bin)| shown(value(bin)));
    ResultTable::default()
        .add("feature", lines.iter().map(|(f, ..)| f.name.as_str()))
        .add("feature_iv", lines.iter().map(|(f, ..)| shown(f.iv)))
        .add("rule", lines.iter().map(|(.., bin)| bin.rule.as_str()))
        .add("event", lines.iter().map(|(f, ..)| f.event.as_str()))
        .add("dtype", lines.iter().map(|(f, ..)| f.dtype.to_string()))
        .add("kind", lines.iter().map(|(f, ..)| f.kind.to_string()))
        .add("bin", lines.iter().map(|(_, at, _)| *at))
        .add("n", lines.iter().map(|(.., bin)| bin.n))
        .add("share", number(|bin| bin.share))
        .add("events", number(|bin| bin.events))
        .add("non_events", number(|bin| bin.non_events))
        .add("event_rate", number(|bin| bin.event_rate))
        .add("woe", number(|bin| bin.woe))
        .add("iv", number(|bin| bin.iv))
}

impl<T: FromResults> WoeBins<T> {
    pub(crate) fn of(features: Vec<FeatureWoe>) -> Result<WoeBins<T>> {
        let indices = features.iter().map(|f| f.name.clone()).zip(0..).collect();
        Ok(WoeBins { table: table(&features, |x| x).into_table()?, features, indices })
    }

    /// The table to be read, which a terminal of 80 columns shows whole: `rule str, n u64,
    /// event_rate f64, woe f64, iv f64`, rounded to four decimals. Bins of Polars print as it.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let woe = df.woe_bins("churn", &WoeSpec::default().intervals(Intervals::Quantiles(2)))?;
    /// assert_eq!(woe.short_table()?.column("woe")?.f64()?.to_vec(), [Some(-1.6094), Some(1.6094)]);
    /// assert_eq!(woe.to_string(), woe.short_table()?.to_string());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where the face cannot make a table.
    pub fn short_table(&self) -> Result<T> {
        // A rounded -0.00001 is 0, and not -0.
        table(&self.features, |x| (x * 1e4).round() / 1e4 + 0.0).only(&SHORT).into_table()
    }
}

impl<T> WoeBins<T> {
    /// The names of the features, in order of the table.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(|feature| feature.name.as_str())
    }

    /// The bins as JSON, to map rows later or elsewhere. The same bins give the same bytes.
    ///
    /// ```
    /// # use gaintree::{WoeBins, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let woe = df.woe_bins("churn", &WoeSpec::default())?;
    /// assert_eq!(WoeBins::from_json(&woe.to_json())?.map(df.column("price")?)?.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        woe_text::write(&self.features)
    }

    /// Writes [the text](Self::to_json) to a file, whole or not at all.
    ///
    /// # Errors
    /// Where the file cannot be written ([`is_io`](Error::is_io)); nothing is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |file| file.write_all(self.to_json().as_bytes()))
    }

    pub(crate) fn feature(&self, name: &str) -> Result<&FeatureWoe> {
        self.index("feature", name).map(|at| &self.features[at])
    }

    /// The place of a feature in the table; `role` names it in the error.
    pub(crate) fn index(&self, role: &str, name: &str) -> Result<usize> {
        let found = self.indices.get(name).copied();
        found.ok_or_else(|| no_such_column(role, name, &self.features().collect::<Vec<_>>()))
    }
}

impl WoeBins {
    /// The bins that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A text that it did not write.
    pub fn from_json(text: &str) -> Result<WoeBins> {
        WoeBins::of(woe_text::read(text)?)
    }

    /// Reads the file that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// A file that cannot be read ([`is_io`](Error::is_io)), and one that it did not write.
    pub fn load(path: impl AsRef<Path>) -> Result<WoeBins> {
        FileKind::Bins.load(path.as_ref(), WoeBins::from_json)
    }
}
