//! Why a node split as it did, as a table.

use polars::prelude::DataFrame;

use super::column::FrameColumn;
use super::in_pool;
use super::tables::Columns;
use crate::adapters::common::request::{Request, usable};
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::encode::table::Kinds;
use crate::error::Result;
use crate::explain::{NodeCandidate, node_candidates};
use crate::fitted::Tree;
use crate::spec::Task;

impl Tree {
    /// Every feature's best candidate at a node, over the rows of a frame whose way passes it:
    /// `rank u32, feature str, rule str?, gain f64?, split_info f64?, gain_ratio f64?, allowed
    /// bool, chosen bool, tied bool, missing_to str?`.
    ///
    /// Candidates are rated by the tree's own spec, and sorted by the score of its selection
    /// (gain, or ratio), then column order; features without a candidate come last, their
    /// figures null. `allowed` ones may be chosen: they reach `min_gain` and (C4.5) the mean
    /// gain, gain more than 0 unless `zero_gain_splits`, and the node is not a leaf by
    /// `max_depth`, `min_samples_split` or being pure. The first of them is `chosen`; `tied`
    /// marks all that have its score, where it is not the only one. On the training frame it
    /// is the tree's own rule. `gain` is in the criterion's units, `split_info` in bits or nats.
    /// `missing_to` says what holds in the branch missing values take, and is null where they
    /// stop at the node. C4.5's guard against features of many levels goes by the levels and
    /// rows of the whole frame.
    ///
    /// Encoding and routing the frame dominate: `O(m n)` for m columns of n rows.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["colour" => ["red", "red", "blue", "blue"], "size" => [1, 2, 8, 9], "ripe" => [true, true, false, false]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let why = tree.candidates(&df, 0)?;
    /// assert_eq!(why.column("feature")?.str()?.get(0), Some("colour"));
    /// assert_eq!(why.column("tied")?.bool()?.sum(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A node the tree does not have; a frame without the target, the weight or one of the
    /// features, or with one of another dtype; else as in fitting.
    pub fn candidates(&self, df: &DataFrame, node_id: u32) -> Result<DataFrame> {
        let schema = self.schema();
        let named = |kind: Option<Kind>| -> Vec<String> {
            let features = schema.features.iter();
            let features = features.filter(|f| kind.is_none_or(|kind| f.kind == kind));
            features.map(|f| f.name.clone()).collect()
        };
        let features = named(None);
        let (ordered, nominal) = (named(Some(Kind::Ordered)), named(Some(Kind::Nominal)));
        let task = if self.is_regression() { Task::Regress } else { Task::Classify };
        let request = Request {
            target: &schema.target,
            features: Some(&features),
            kinds: Kinds { ordered: &ordered, nominal: &nominal, task },
            weight: self.spec().weight.as_deref(),
            by: &[],
        };
        let sources = self.sources(&request, df)?;
        let candidates = in_pool(None, || {
            let table = request.table(df, &sources)?;
            let routes = self.route_frame(df)?;
            node_candidates(self, &table, node_id, &routes)
        })?;
        table(&features, &candidates)
    }

    /// The features, each of a dtype the tree can compare with.
    pub(crate) fn sources(&self, request: &Request, df: &DataFrame) -> Result<Vec<FrameColumn>> {
        let sources = usable(request.features(df)?)?;
        for (feature, source) in self.schema().features.iter().zip(&sources) {
            feature.check(source.dtype())?;
        }
        Ok(sources)
    }
}

fn table(features: &[String], candidates: &[NodeCandidate]) -> Result<DataFrame> {
    let unrated = (0..features.len() as u32).filter(|&f| candidates.iter().all(|c| c.column != f));
    let lines: Vec<(u32, Option<&NodeCandidate>)> = candidates
        .iter()
        .map(|c| (c.column, Some(c)))
        .chain(unrated.map(|feature| (feature, None)))
        .collect();
    let figure = |get: fn(&NodeCandidate) -> f64| -> Vec<Option<f64>> {
        lines.iter().map(|(_, c)| c.map(get)).collect()
    };
    let is = |get: fn(&NodeCandidate) -> bool| -> Vec<bool> {
        lines.iter().map(|(_, c)| c.is_some_and(get)).collect()
    };
    let text = |get: fn(&NodeCandidate) -> Option<&str>| -> Vec<Option<&str>> {
        lines.iter().map(|(_, c)| c.and_then(get)).collect()
    };
    Columns::default()
        .add("rank", (1..=lines.len() as u32).collect::<Vec<_>>())
        .add(
            "feature",
            lines.iter().map(|(f, _)| features[*f as usize].as_str()).collect::<Vec<_>>(),
        )
        .add("rule", text(|c| Some(&c.rule)))
        .add("gain", figure(|c| c.gain))
        .add("split_info", figure(|c| c.split_info))
        .add("gain_ratio", figure(|c| c.gain_ratio))
        .add("allowed", is(|c| c.allowed))
        .add("chosen", is(|c| c.chosen))
        .add("tied", is(|c| c.tied))
        .add("missing_to", text(|c| c.missing_to.as_deref()))
        .frame()
}
