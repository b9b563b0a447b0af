//! The engine's own face: tables, columns and what is counted from them.
//!
//! It is for programs built on the engine: adapters of other data frames, ensembles of trees,
//! clusters, and programs without Polars. Users of DataFrames or record batches need none of it.
//!
//! - In: a [`Source`] offers a column's name, [`DType`] and [`ColumnData`]. [`Table::encode`]
//!   encodes sources once, into dense ordered codes.
//! - Growth: [`grow`] takes a table for itself. [`grow_sample`] takes rows, weights and features
//!   of a [`SharedTable`] that it only reads, as often and by as many threads as one likes; features
//!   may be drawn at each node, and splits. [`cross_validate`] prunes by folds of a table.
//! - Forests: [`grow_forest`]; [`corrected_gains`] and [`boruta_features`] say what features gain beside
//!   permuted copies.
//! - Rankings: [`rank`], [`rank_in_turn`], [`rank_by_spec`], [`rank_from_store`], [`curve`], [`mdl_cuts_of`],
//!   [`node_candidates`], [`pair_gains`], [`select_in_turn`], [`woe_in_turn`], [`drift_in_turn`].
//! - Out: [`TreeData`] is the plain data of a [`Tree`](crate::Tree); [`Routes`] says where rows
//!   end.
//!
//! The engine works in the rayon pool it is called in. Results do not depend on the number of
//! threads.
//!
//! ```
//! use gaintree::engine::{ColumnData, DType, Kinds, Source, Table, dtype, grow};
//! use gaintree::TreeSpec;
//!
//! struct Numbers(&'static str, DType, Vec<i64>);
//!
//! impl Source for Numbers {
//!     fn name(&self) -> &str {
//!         self.0
//!     }
//!     fn dtype(&self) -> &DType {
//!         &self.1
//!     }
//!     fn cells(&self) -> ColumnData {
//!         ColumnData::Keys(self.2.iter().map(|&x| dtype::key_of_i64(x)).collect(), None)
//!     }
//! }
//!
//! let x = Numbers("x", DType::I64, vec![1, 2, 3, 4]);
//! let y = Numbers("y", DType::I64, vec![0, 0, 1, 1]);
//! let table = Table::encode(&[x], &y, None, Kinds::default())?;
//! let tree = grow(table, &TreeSpec::cart())?;
//! assert_eq!(tree.n_leaves(), 2);
//! # Ok::<(), gaintree::Error>(())
//! ```

pub use crate::data::column::{Column, ColumnInfo};
pub use crate::data::column_data::{ColumnData, MISSING, Source};
pub use crate::data::common_unit::MAX_DISTINCT_WEIGHTS;
pub use crate::data::dtype::keys::{key_of_value, value_of_key};
pub use crate::data::dtype::{self, DType, Kind, TimeUnit, Value};
pub use crate::data::number_scale::NumberScale;
pub use crate::data::target::Target;
pub use crate::data::weights::check_weights;
pub use crate::encode::table::{Kinds, Table};
pub use crate::explain::{
    ForestImportance, Importance, LeafRule, MAX_CONDITIONS, NodeCandidate, PathStep, RowChange,
    RowReasons, TextLine, node_candidates,
};
pub use crate::external::{
    BatchStore, BinCounts, BinRequest, Binning, Bins, Cell, Coding, CountRequest, Counts,
    EvenSteps, ExternalReport, FeatureSummary, FeatureWish, GatheredRows, GatheredTarget,
    GrowingNode, GrowingTree, KeyRange, LevelCount, LevelRequest, MomentRequest, Moments, NodeRule,
    Pass, PassTask, RankStore, RatedMomentRequest, RowBatch, RowBatches, RowStore, StepRun, Steps,
    StoreColumn, StoreLimits, StoreRanking, StoreSummary, SummaryRequest, TargetCoding,
    TargetSummary, UnitCoding, ValueCounts, ValueRequest, Weighed, Weighing, grow_from_store,
    rank_from_store,
};
pub use crate::fitted::{cross_validate, grow, grow_forest, grow_sample};
pub use crate::forest::{
    CorrectedGain, DecidedFeature, Decision, boruta_features, corrected_gains, drawn_features,
    drawn_rows, rows_of_copies, split_seed,
};
pub use crate::grow::{
    DrawnFeatures, FeatureOrder, Features, NodePath, Sample, SharedTable, SplitSeeds, Splits,
};
pub use crate::prune::{HeldOut, upper_error_rate};
pub use crate::rank::curve::{ClassSplit, NumberSplit, SplitCandidate, SplitMeasures, curve};
pub use crate::rank::drift::{
    ColumnDrift, DriftBin, DriftVerdict, FeatureDrift, FramePair, drift_bins_of, drift_in_turn,
};
pub use crate::rank::mdl_cuts::{MdlCut, mdl_bins, mdl_cuts_of};
pub use crate::rank::pairs::{
    PairGain, RedundantColumn, pair_gain_of_levels, pair_gains, redundant_columns,
};
pub use crate::rank::select::{SelectStep, select_in_turn};
pub use crate::rank::woe::{FeatureWoe, WoeBin, woe_in_turn};
pub use crate::rank::{
    ChanceFigures, ClassMeasures, FeatureGain, GivenFigures, Groups, Measures, NumberMeasures,
    rank, rank_by_spec, rank_in_turn,
};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub use crate::score::permuted_rows;
pub use crate::score::{ForestAnswers, Mixtures, Part, Routes, Voting};
pub use crate::tree::forest_data::ForestData;
pub use crate::tree::rule::{Rule, Test};
pub use crate::tree::rule_text::{SHOWN_LEVELS, shorten_sets};
pub use crate::tree::{Feature, Node, Schema, Split, TreeData};
