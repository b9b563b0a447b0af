//! What a LazyFrame does beside the verbs of all frames.

use polars::prelude::LazyFrame;

use super::{StreamedFit, StreamedRanking};
use crate::adapters::frame::streamed::{fit_tree_streaming, rank_gain_streaming};
use crate::error::Result;
use crate::spec::{Budget, RankSpec, TreeSpec};

/// What a LazyFrame does beside the [verbs of all frames](crate::FrameVerbs), which collect the columns
/// that they need. It has the errors of the functions, and whatever the query ends in.
pub trait LazyFrameGain {
    /// See [`rank_gain_streaming`]; no file is watched.
    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking>;
    /// See [`fit_tree_streaming`]; no file is watched.
    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit>;
}

impl LazyFrameGain for LazyFrame {
    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking> {
        rank_gain_streaming(vec![self], &[], target, spec, budget)
    }

    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit> {
        fit_tree_streaming(vec![self], &[], target, spec, budget, &mut |_| {})
    }
}
