//! One test binary. What needs Polars stands behind its feature; the engine's tests do not.

mod agreement;
#[cfg(all(feature = "lazy", feature = "arrow"))]
mod answers;
#[cfg(feature = "arrow")]
mod arrow_columns;
#[cfg(feature = "arrow")]
mod batch_reader;
#[cfg(feature = "arrow")]
mod batches;
mod binning;
mod chance;
mod code;
#[cfg(feature = "polars")]
mod contributions;
mod deep;
mod drawn;
#[cfg(feature = "polars")]
mod drift;
#[cfg(feature = "polars")]
mod drift_chance;
#[cfg(feature = "polars")]
mod events;
#[cfg(feature = "polars")]
mod examples;
mod explaining;
mod external;
mod external_ranking;
mod extra;
mod forests;
#[cfg(feature = "polars")]
mod frame;
mod frames;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod full_ranking;
mod given;
#[cfg(feature = "polars")]
mod growing;
mod growth;
mod large_integers;
#[cfg(feature = "polars")]
mod mdl;
#[cfg(all(feature = "polars", feature = "arrow"))]
mod measures;
#[cfg(feature = "polars")]
mod messy;
mod models;
mod monitor;
mod noise;
#[cfg(feature = "onnx")]
mod onnx;
mod oracle;
mod pairs;
#[cfg(all(feature = "polars", feature = "plot"))]
mod pictures;
#[cfg(all(feature = "polars", feature = "png"))]
mod png;
mod pruning;
#[cfg(feature = "polars")]
mod pure_rules;
#[cfg(feature = "polars")]
mod quantiles;
mod random_cases;
mod ranking;
#[cfg(feature = "polars")]
mod regression;
#[cfg(all(feature = "polars", feature = "plot"))]
mod reports;
mod routing;
mod row_store;
mod rules;
mod sampling;
#[cfg(feature = "lazy")]
mod saved_cards;
#[cfg(feature = "lazy")]
mod scorecard;
#[cfg(feature = "polars")]
mod screen;
#[cfg(feature = "polars")]
mod screen_verdicts;
mod select;
mod soak;
mod sql;
#[cfg(feature = "lazy")]
mod streamed;
#[cfg(feature = "polars")]
mod streams;
mod subsets;
mod textbook;
#[cfg(all(feature = "lazy", feature = "arrow", feature = "plot", feature = "onnx"))]
mod verbs;
mod ways;
#[cfg(feature = "polars")]
mod why;
#[cfg(feature = "lazy")]
mod woe;
