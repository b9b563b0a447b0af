//! One test binary. What needs Polars stands behind its feature; the engine's tests do not.

#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "polars")]
mod examples;
#[cfg(feature = "polars")]
mod frame;
mod frames;
#[cfg(feature = "polars")]
mod growing;
mod growth;
#[cfg(feature = "polars")]
mod mdl;
mod oracle;
mod pruning;
#[cfg(feature = "polars")]
mod regression;
mod routing;
mod textbook;
#[cfg(feature = "polars")]
mod why;
