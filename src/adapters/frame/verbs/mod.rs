//! What the Polars face adds to the verbs of all frames: expressions, and maps of columns.

#[cfg(feature = "lazy")]
mod expr_gain;
#[cfg(feature = "lazy")]
mod feature_spec;
mod scorecard;
mod woe;

#[cfg(feature = "lazy")]
pub use expr_gain::ExprGain;
#[cfg(feature = "lazy")]
pub use feature_spec::FeatureSpec;
