//! One test binary. What needs Polars stands behind its feature; the engine's tests do not.

mod frames;
mod growth;
mod oracle;
mod textbook;
