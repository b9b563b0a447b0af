//! One test binary. What needs Polars stands behind its feature; the engine's tests do not.

mod agreement;
#[cfg(feature = "arrow")]
mod batches;
#[cfg(feature = "cli")]
mod cli;
mod deep;
#[cfg(feature = "polars")]
mod examples;
#[cfg(feature = "polars")]
mod frame;
mod frames;
#[cfg(feature = "polars")]
mod growing;
mod growth;
mod interrupt;
#[cfg(feature = "polars")]
mod mdl;
mod oracle;
#[cfg(all(feature = "polars", feature = "plot"))]
mod pictures;
mod pruning;
mod ranking;
#[cfg(feature = "polars")]
mod regression;
#[cfg(all(feature = "polars", feature = "plot"))]
mod reports;
mod routing;
mod rules;
mod sampling;
mod soak;
mod sql;
#[cfg(feature = "polars")]
mod streams;
mod subsets;
mod textbook;
#[cfg(feature = "polars")]
mod why;
