//! Scorecards.

use std::path::Path;

use super::table::{FaceTable, FromResults, ResultTable};
use super::woe_bins::WoeBins;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::rank::scorecard::{FeaturePoints, Points};
use crate::rank::scorecard_text;
use crate::rank::woe::{FeatureWoe, WoeBin};
use crate::spec::ScorecardSpec;
use crate::util::atomic_file::write_whole;
use crate::util::file_kind::FileKind;

/// The points of bins, which sum to a score: the higher, the less likely the event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scorecard<T = FaceTable> {
    /// A row per bin: `feature str, bin u32, rule str, event str, n u64, share f64, event_rate f64,
    /// woe f64, coefficient f64, points f64`, in order of the bins' table.
    pub table: T,
    /// Of the features of the card alone, in its order.
    bins: WoeBins<T>,
    points: Points,
}

impl<T: FromResults> WoeBins<T> {
    /// The points of these bins on the scale of a scorecard; see [`ScorecardSpec`].
    ///
    /// ```
    /// # use gaintree::{ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 1, 2, 2], "churn" => ["no", "no", "no", "yes"]]?;
    /// let woe = df.woe_bins("churn", &WoeSpec::default().intervals(Intervals::Quantiles(2)))?;
    /// let card = woe.scorecard(&ScorecardSpec::default())?;
    /// let points = card.table.column("points")?.f64()?;
    /// assert!(points.get(0) > points.get(1));
    /// # #[cfg(feature = "lazy")]
    /// assert_eq!(df.lazy().with_column(card.score()).collect()?.column("score")?.f64()?.get(0), points.get(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Numbers that are not finite, odds or points to double them that are not above 0, coefficients
    /// of no feature, of one that was not binned, or two of one; and no intercept where features leave
    /// out different rows.
    pub fn scorecard(&self, spec: &ScorecardSpec) -> Result<Scorecard<T>> {
        let points = Points::new(&self.features, spec)?;
        let of_card = |feature: &FeaturePoints| self.feature(&feature.name).cloned();
        let bins = points.features.iter().map(of_card).collect::<Result<_>>()?;
        Scorecard::of(bins, points)
    }
}

impl<T: FromResults> Scorecard<T> {
    fn of(bins: Vec<FeatureWoe>, points: Points) -> Result<Scorecard<T>> {
        let table = table(&bins, &points).into_table()?;
        Ok(Scorecard { table, bins: WoeBins::of(bins)?, points })
    }
}

impl<T> Scorecard<T> {
    /// The names of the features, in order of the table.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.points.features.iter().map(|feature| feature.name.as_str())
    }

    /// The bins of the features, and no others.
    pub fn bins(&self) -> &WoeBins<T> {
        &self.bins
    }

    /// The features, with the dtypes that they had when they were binned.
    pub fn dtypes(&self) -> impl Iterator<Item = (&str, &DType)> {
        self.bins.features.iter().map(|feature| (feature.name.as_str(), &feature.dtype))
    }

    /// What the log-odds of the event are multiplied by, and taken from [`offset`](Self::offset).
    pub fn factor(&self) -> f64 {
        self.points.scale.factor
    }

    /// The score at even odds.
    pub fn offset(&self) -> f64 {
        self.points.scale.offset
    }

    /// The intercept of the log-odds.
    pub fn intercept(&self) -> f64 {
        self.points.scale.intercept
    }

    /// Whether the points of each feature are rounded.
    pub fn rounded(&self) -> bool {
        self.points.scale.rounded
    }

    /// What each feature adds to the score: its name, the points at a weight of evidence of 0, and
    /// the points that one unit of it adds.
    pub fn scales(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.points.features.iter().map(|f| (f.name.as_str(), f.base, f.per_woe))
    }

    /// The card as JSON, to score rows later or elsewhere. The same card gives the same bytes.
    ///
    /// ```
    /// # use gaintree::{ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let card = df.woe_bins("churn", &WoeSpec::default())?.scorecard(&ScorecardSpec::default())?;
    /// let again = Scorecard::from_json(&card.to_json())?;
    /// assert_eq!(again.score_frame(&df)?, card.score_frame(&df)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        scorecard_text::write(&self.bins.features, &self.points)
    }

    /// Writes [the text](Self::to_json) to a file, whole or not at all.
    ///
    /// # Errors
    /// Where the file cannot be written ([`is_io`](crate::Error::is_io)); nothing is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |file| file.write_all(self.to_json().as_bytes()))
    }

    /// The bins and the points of a feature.
    pub(crate) fn feature(&self, name: &str) -> Result<(&FeatureWoe, &FeaturePoints)> {
        let at = self.bins.index("feature of the card", name)?;
        Ok((&self.bins.features[at], &self.points.features[at]))
    }

    /// The bins and the points of each feature, in order.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&FeatureWoe, &FeaturePoints)> {
        self.bins.features.iter().zip(&self.points.features)
    }
}

impl Scorecard {
    /// The card that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A text that it did not write, as that of a tree, and one of a later version.
    pub fn from_json(text: &str) -> Result<Scorecard> {
        let (bins, points) = scorecard_text::read(text)?;
        Scorecard::of(bins, points)
    }

    /// Reads the file that [`save`](Self::save) wrote, or `gaintree woe --save-card`.
    ///
    /// # Errors
    /// A file that cannot be read ([`is_io`](crate::Error::is_io)), and one that holds no scorecard.
    pub fn load(path: impl AsRef<Path>) -> Result<Scorecard> {
        FileKind::Scorecard.load(path.as_ref(), Scorecard::from_json)
    }
}

/// The table of a scorecard.
fn table<'a>(features: &'a [FeatureWoe], points: &'a Points) -> ResultTable<'a> {
    let lines: Vec<(&FeaturePoints, &FeatureWoe, u32, &WoeBin)> = points
        .features
        .iter()
        .zip(features)
        .flat_map(|(points, f)| (0..).zip(&f.bins).map(move |(at, bin)| (points, f, at, bin)))
        .collect();
    let number = |value: fn(&WoeBin) -> f64| lines.iter().map(move |(.., bin)| value(bin));
    ResultTable::default()
        .add("feature", lines.iter().map(|(points, ..)| points.name.as_str()))
        .add("bin", lines.iter().map(|(_, _, at, _)| *at))
        .add("rule", lines.iter().map(|(.., bin)| bin.rule.as_str()))
        .add("event", lines.iter().map(|(_, f, ..)| f.event.as_str()))
        .add("n", lines.iter().map(|(.., bin)| bin.n))
        .add("share", number(|bin| bin.share))
        .add("event_rate", number(|bin| bin.event_rate))
        .add("woe", number(|bin| bin.woe))
        .add("coefficient", lines.iter().map(|(points, ..)| points.coefficient))
        .add("points", lines.iter().map(|(points, .., bin)| points.of(bin.woe)))
}
