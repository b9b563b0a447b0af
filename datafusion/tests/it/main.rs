//! The crate against record batches in memory: the same bytes.

mod cluster;
mod compared;
mod failures;
mod fitting;
mod naive;
mod ranking;
mod scoring;
mod store;
mod tables;
