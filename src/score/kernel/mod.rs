//! The flat tree, and the walk of blocks of rows down it.
//!
//! A tree becomes an array of tests `x >= cut`, level by level. The two children of a test are
//! neighbours, so a test stores only the first; 16 bytes each, four to a cache line:
//!
//! ```text
//!            test (16 bytes)                       array, breadth first
//!  ┌───────────┬────────┬──────────────┐   ┌───┬───┬───┬───┬───┬───┬───┬─
//!  │  cut: f64 │  lane  │ first child, │   │ 0 │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │ …
//!  │           │  u32   │ missing: bit │   └─┬─┴─┬─┴─┬─┴───┴───┴───┴───┴─
//!  └───────────┴────────┴──────────────┘     └──>└───┼──>┘ children of 0, of 1, …
//! ```
//!
//! Rows go down in blocks of 64. Each used feature is a lane of 64 numbers; all rows of a block
//! take one level before any takes the next, so that their loads overlap:
//!
//! ```text
//!                rows of a block                      levels
//!          0   1   2   3   4  …  63         ┌────────────────────────┐
//!  lane 0 [x] [x] [x] [x] [x] … [x]         │ 0 to 2  all 7 tests on │  top_levels
//!  lane 1 [x] [x] [x] [x] [x] … [x]         │         all rows       │
//!  lane 2 [x] [x] [x] [x] [x] … [x]         ├────────────────────────┤
//!           ╰───────────╯                   │ 3 …     four rows at a │  avx2
//!         four rows at a time               │         time           │
//!                                           ├────────────────────────┤
//!  block i   i+1   …   i+8                  │ rest    rows not at    │  walk
//!  walked              prefetched           │         their end      │
//!                                           └────────────────────────┘
//! ```
//!
//! While block i is walked, the cache lines of block i + 8 are prefetched, some at each level.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod block;
pub(crate) mod flat_test;
pub(crate) mod flat_tree;
mod flatten;
pub(crate) mod prefetch;
pub(crate) mod scaled_node;
pub(crate) mod slow_path;
mod top_levels;
pub(crate) mod walk;
