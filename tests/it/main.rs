//! One test binary. What needs Polars stands behind its feature; the engine's tests do not.

#[cfg(feature = "polars")]
mod frame;
mod frames;
mod growth;
#[cfg(feature = "polars")]
mod mdl;
mod oracle;
mod textbook;
#[cfg(feature = "polars")]
mod why;
