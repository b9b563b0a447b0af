//! Exact decision trees and information-gain ranking on the columns of a Polars DataFrame.
//!
//! ```
//! # #[cfg(feature = "polars")] {
//! use gaintree::prelude::*;
//! use polars::prelude::*;
//!
//! let df = df![
//!     "outlook" => ["sunny", "sunny", "overcast", "rainy", "rainy", "overcast"],
//!     "wind"    => [8.5, 30.0, 12.0, 7.0, 33.5, 25.0],
//!     "play"    => ["no", "no", "yes", "yes", "no", "yes"],
//! ]?;
//! let ranking = df.rank_gain("play", &RankSpec::default())?;
//! assert_eq!(ranking.column("feature")?.str()?.get(0), Some("outlook"));
//!
//! let fit = df.fit_tree("play", &TreeSpec::id3())?;
//! println!("{}\n{}", fit.tree, fit.importance);
//! let scored = fit.tree.score(&df)?;
//! assert_eq!(scored.column("prediction")?, &df.column("play")?.clone().with_name("prediction".into()));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! Every column is encoded once into dense ordered codes; from there on nothing knows a dtype.
//!
//! ```text
//! DataFrame ─ encode ─> Column, Target ─> buckets ─> scan ─> candidates ─ select ─> rule
//!                                           ^                                        │
//!                                           └────────── partition the rows <─────────┘
//! Tree ─> prune ─> score · explain · model file ─ decode ─> DataFrame
//! ```
//!
//! One engine grows ID3, C4.5 and CART trees, and forests of them, and looks at every threshold: no
//! bins, no `f32`, no tolerance on values. What each word and formula means is said at [`TreeSpec`],
//! [`ForestSpec`], [`RankSpec`], [`criterion`] and the tables' functions.
//!
//! # Ties
//! The higher score wins; then the earlier column, or the first one drawn for a node of a forest; then the lower cut, level or level set; then
//! missing to the right before the left, and `x is missing` last. Threads and chunks never
//! change a model, byte for byte.
//!
//! # Limits
//! Rows and levels of a feature below 2^32 - 1, at most 65,535 classes, counts exact to 2^53.
//!
//! # Features
//! `polars` is the DataFrame face, `lazy` adds expressions, LazyFrames and Parquet files (both are
//! on by default); `arrow` is the face of record batches. `zones`, which `polars` includes, shows times in
//! their zones. Without them the [`engine`] stands alone. `plot` draws pictures (`Tree::to_svg`, `curve_svg`,
//! `Tree::report`, …), `png` makes pixels of them (`svg_to_png`). `onnx` makes ONNX models (`Tree::to_onnx`). `cli` builds the `gaintree` command.
#![deny(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(feature = "polars", feature = "arrow"))]
mod adapters;
mod data;
mod encode;
pub mod engine;
mod error;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod evaluation;
mod explain;
mod export;
mod external;
mod fitted;
mod forest;
mod grow;
mod model_file;
#[cfg(feature = "plot")]
mod plot;
mod prune;
mod rank;
mod score;
mod spec;
mod split;
mod stat;
mod tree;
mod util;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod verbs;

#[cfg(feature = "polars")]
pub use adapters::frame::PolarsScoring;
#[cfg(feature = "lazy")]
pub use adapters::frame::{
    ExprGain, FeatureSpec, LazyFrameGain, LazyScore, RowScorer, fit_parquet, fit_tree_streaming,
    rank_gain_streaming, rank_parquet, scan_parquet_in_parts, scan_parquet_within, sink_into,
};
#[cfg(feature = "arrow")]
pub use adapters::query::{
    Fetched, QueryBatches, QueryFit, RunQuery, SqlStore, fit_query, rank_query, score_query,
};
#[cfg(feature = "arrow")]
pub use adapters::record_batch::{
    ChunkedColumns, ColumnChunks, ColumnRoles, INTEGER_KEY, cells_of_arrays, dtype_of_arrow,
    roles_of_schema,
};
pub use error::{Error, Result};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub use evaluation::{
    CalibrationBin, ClassScore, Confusion, Evaluation, FigureInterval, Threshold,
};
pub use export::{
    Code, CodeSpec, Dialect, Language, MAX_SQL_LEAVES, MAX_WHEN_THEN_NODES, SqlColumn, SqlSpec,
    WhenThenStep,
};
pub use external::{ExternalReport, Pass, PassTask};
pub use fitted::{Forest, Model, Tree};
#[cfg(feature = "png")]
pub use plot::svg_to_png;
#[cfg(feature = "plot")]
pub use plot::{Direction, Theme, TreePicture, bar_chart_svg, svg_on};
pub use prune::{CvSpec, CvStep, PruneStep};
pub use score::Voting;
pub use spec::*;
pub use stat::criterion;
pub use util::atomic_file::{AtomicFile, remove_unfinished_files};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub use verbs::*;

/// The README's Rust runs as a test.
#[cfg(all(doctest, feature = "lazy"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The verbs and what they take and give.
pub mod prelude {
    #[cfg(feature = "polars")]
    pub use crate::adapters::frame::PolarsScoring;
    #[cfg(feature = "lazy")]
    pub use crate::adapters::frame::{ExprGain, FeatureSpec, LazyFrameGain};
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub use crate::evaluation::Evaluation;
    pub use crate::export::{CodeSpec, Dialect, Language, SqlSpec};
    pub use crate::fitted::{Forest, Model, Tree};
    pub use crate::prune::CvSpec;
    pub use crate::spec::{
        Bootstrap, BorutaSpec, Chance, ClassWeights, ContributionSpec, CorrectedSpec, Criterion,
        Cuts, DriftSpec, EvalSpec, ForestSpec, Grouping, Intervals, LogBase, MatrixForm,
        MatrixSpec, MaxFeatures, Missing, Monotone, PermutationLoss, PermutationSpec, PruneBy,
        Pruning, QuantileSpec, RankMissing, RankSpec, ScorecardSpec, ScreenSpec, SelectScore,
        SelectSpec, Selection, SortBy, Task, TreeSpec, WoeSpec,
    };
    #[cfg(all(any(feature = "polars", feature = "arrow"), feature = "plot"))]
    pub use crate::verbs::ModelPictures;
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub use crate::verbs::{
        Fit, ForestFit, Frame, FrameVerbs, ModelAnswers, ModelColumns, ModelVerbs, OutOfBag,
        PruningCv, RowExplanation, ScoreReport, ScoreSpec, Scorecard, WoeBins, boruta,
        corrected_importance, cross_validate_pruning, drift, drift_bins, fit_forest, fit_tree,
        gain_matrix, mdl_cuts, mdl_cuts_by_feature, rank_gain, redundant_groups, screen,
        select_features, split_candidates, woe_bins,
    };
}
