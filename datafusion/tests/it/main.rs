//! The crate against record batches in memory: the same bytes.

mod cluster;
mod compared;
mod failures;
mod fitting;
mod naive;
mod random_trees;
mod ranking;
mod scoring;
mod store;
mod tables;

// What the crate's own suite makes up: each suite uses a part of it.
#[allow(dead_code)]
#[path = "../../../tests/it/arrow_columns.rs"]
mod arrow_columns;
#[allow(dead_code)]
#[path = "../../../tests/it/sql/expected.rs"]
mod expected;
#[allow(dead_code)]
#[path = "../../../tests/it/frames.rs"]
mod frames;
#[path = "../../../tests/it/random_cases.rs"]
mod random_cases;
#[path = "../../../tests/it/ways.rs"]
mod ways;
