//! Weights of evidence as a table, and as a map from rows.

use std::collections::HashMap;
use std::path::Path;

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{DataType, Expr, Field, Schema, map_multiple};

use crate::adapters::common::woe::{woe_features, woe_table};
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::{in_pool, tables};
use crate::data::column_data::Source;
use crate::error::{Error, Result, no_such_column};
use crate::rank::woe::FeatureWoe;
use crate::rank::woe_text;
use crate::spec::WoeSpec;
use crate::util::atomic_file::write_whole;
use crate::util::file_kind::FileKind;

/// Features in bins, with the weight of evidence of each bin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WoeBins {
    /// A row per bin, the feature of most information value first; see [`woe_bins`].
    pub table: DataFrame,
    pub(in crate::adapters::frame) features: Vec<FeatureWoe>,
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
pub fn woe_bins(df: &DataFrame, target: &str, spec: &WoeSpec) -> Result<WoeBins> {
    WoeBins::of(in_pool(spec.threads, || woe_features(df, target, spec))?)
}

impl WoeBins {
    pub(super) fn of(features: Vec<FeatureWoe>) -> Result<WoeBins> {
        let indices = features.iter().map(|f| f.name.clone()).zip(0..).collect();
        Ok(WoeBins { table: tables::frame(woe_table(&features))?, features, indices })
    }

    /// The names of the features, in order of the table.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(|feature| feature.name.as_str())
    }

    /// The weight of evidence of each value of a column, which has the name of its feature; the
    /// result is named `<feature>_woe`. A missing value has that of its bin; without such a bin,
    /// and for a level that was never seen, it is
    /// [`unseen`](crate::WoeSpec#structfield.unseen).
    ///
    /// # Errors
    /// A name that is no feature, and a column of another dtype.
    pub fn map(&self, column: &Column) -> Result<Column> {
        mapped(self.feature(column.name())?, column)
    }

    /// [`map`](Self::map) as an expression over the column of this name, named `<feature>_woe`. It
    /// is elementwise, so that a query streams.
    ///
    /// # Errors
    /// A name that is no feature. A column of another dtype is an error of the query.
    #[cfg(feature = "lazy")]
    pub fn woe(&self, feature: &str) -> Result<Expr> {
        let bins = self.feature(feature)?.clone();
        Ok(mapping(feature, format!("{feature}_woe"), move |column| mapped(&bins, column)))
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

    /// The bins that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A text that it did not write.
    pub fn from_json(text: &str) -> Result<WoeBins> {
        WoeBins::of(woe_text::read(text)?)
    }

    /// Writes [the text](Self::to_json) to a file, whole or not at all.
    ///
    /// # Errors
    /// Where the file cannot be written ([`is_io`](Error::is_io)); nothing is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |file| file.write_all(self.to_json().as_bytes()))
    }

    /// Reads the file that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// A file that cannot be read ([`is_io`](Error::is_io)), and one that it did not write.
    pub fn load(path: impl AsRef<Path>) -> Result<WoeBins> {
        FileKind::Bins.load(path.as_ref(), WoeBins::from_json)
    }

    pub(crate) fn feature(&self, name: &str) -> Result<&FeatureWoe> {
        self.index("feature", name).map(|at| &self.features[at])
    }

    /// The place of a feature in the table; `role` names it in the error.
    pub(super) fn index(&self, role: &str, name: &str) -> Result<usize> {
        let found = self.indices.get(name).copied();
        found.ok_or_else(|| no_such_column(role, name, &self.features().collect::<Vec<_>>()))
    }
}

/// A map from a feature's column to one of f64 as an expression.
#[cfg(feature = "lazy")]
pub(super) fn mapping(
    feature: &str,
    name: String,
    map: impl Fn(&Column) -> Result<Column> + Send + Sync + 'static,
) -> Expr {
    let output = {
        let name = name.clone();
        move |_: &Schema, _: &[Field]| Ok(Field::new(name.as_str().into(), DataType::Float64))
    };
    let function = move |columns: &mut [Column]| Ok(map(&columns[0])?);
    map_multiple(function, [column(feature)], output).alias(name)
}

pub(super) fn mapped(feature: &FeatureWoe, column: &Column) -> Result<Column> {
    let source = source_of(feature, column)?;
    let woe = feature.woe_of(source.dtype(), source.cells())?;
    Ok(Column::new(format!("{}_woe", feature.name).into(), woe))
}

/// The column of a feature, as the engine reads it.
pub(super) fn source_of(feature: &FeatureWoe, column: &Column) -> Result<FrameColumn> {
    FrameColumn::new(column).ok_or_else(|| {
        Error::data(format!(
            "feature `{}` is {}, and its weights of evidence are of {}: cast it",
            feature.name,
            column.dtype(),
            feature.dtype
        ))
    })
}
