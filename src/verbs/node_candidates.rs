//! The candidates of a node as a table.

use super::frame::{Frame, NamedColumns};
use super::request::{Request, usable};
use super::table::{FromResults, ResultTable};
use crate::data::column_data::Source;
use crate::error::Result;
use crate::explain::{NodeCandidate, node_candidates};
use crate::fitted::Tree;

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
    pub fn candidates<F: Frame + ?Sized>(&self, frame: &F, node_id: u32) -> Result<F::Table> {
        let request = self.request();
        let columns = frame.columns(&request.needed())?;
        let sources = self.sources(&request, &columns)?;
        let candidates = F::in_pool(None, || {
            let table = request.table(&columns, &sources)?;
            let routes = self.route_frame(&columns)?;
            node_candidates(self, &table, node_id, &routes)
        })?;
        self.candidate_table(&candidates)
    }

    /// The features, each of a dtype the tree can compare with.
    pub(super) fn sources<F: NamedColumns>(
        &self,
        request: &Request,
        frame: &F,
    ) -> Result<Vec<F::Column>> {
        let sources = usable(request.features(frame)?)?;
        for (feature, source) in self.schema().features.iter().zip(&sources) {
            feature.check(source.dtype())?;
        }
        Ok(sources)
    }

    /// A line per candidate, then one per feature without any.
    fn candidate_table<T: FromResults>(&self, candidates: &[NodeCandidate]) -> Result<T> {
        let features = &self.schema().features;
        let mut is_rated = vec![false; features.len()];
        candidates.iter().for_each(|c| is_rated[c.column as usize] = true);
        let unrated = (0..features.len() as u32).filter(|&f| !is_rated[f as usize]);
        let rated = candidates.iter().map(|c| (c.column, Some(c)));
        let lines: Vec<(u32, Option<&NodeCandidate>)> =
            rated.chain(unrated.map(|feature| (feature, None))).collect();
        let rated = || lines.iter().map(|(_, candidate)| *candidate);
        ResultTable::default()
            .add("rank", 1..=lines.len() as u32)
            .add("feature", lines.iter().map(|(f, _)| features[*f as usize].name.as_str()))
            .add("rule", rated().map(|c| Some(c?.rule.as_str())))
            .add("gain", rated().map(|c| Some(c?.gain)))
            .add("split_info", rated().map(|c| Some(c?.split_info)))
            .add("gain_ratio", rated().map(|c| Some(c?.gain_ratio)))
            .add("allowed", rated().map(|c| c.is_some_and(|c| c.allowed)))
            .add("chosen", rated().map(|c| c.is_some_and(|c| c.chosen)))
            .add("tied", rated().map(|c| c.is_some_and(|c| c.tied)))
            .add("missing_to", rated().map(|c| c?.missing_to.as_deref()))
            .into_table()
    }
}
