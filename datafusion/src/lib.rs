//! Exact decision trees on [DataFusion](https://datafusion.apache.org) and
//! [Ballista](https://datafusion.apache.org/ballista): ranked, trained and scored where the data
//! is.
//!
//! A [`SessionContext`](datafusion::prelude::SessionContext) works in this process, or sends its
//! queries to a Ballista cluster; here both are the same. All that is asked of it is plain SQL, so
//! that the executors of a cluster need none of our code.
//!
//! - [`fit_sql`] grows the tree that [`fit_tree`](gaintree::fit_tree) grows, from counts.
//! - [`rank_sql`] gives the table of `rank_gain`, byte for byte, from counts too.
//! - [`score_sql`] adds the predictions of a tree to a query as SQL; [`ModelUdf`] makes functions of
//!   a tree or a forest for sessions of this process, which are faster.
//! - [`SessionEngine`] is a session as gaintree's [`fit_query`](gaintree::fit_query) and
//!   [`rank_query`](gaintree::rank_query) ask it, in threads that may block: they tell how far they
//!   are.
//!
//! ```
//! use datafusion::prelude::{ParquetReadOptions, SessionContext};
//! use gaintree::{Budget, RankSpec, TreeSpec, prelude::FrameVerbs};
//! use gaintree_datafusion::{ModelUdf, rank_sql, score_sql};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let session = SessionContext::new();
//! let iris = "../examples/data/iris.parquet";
//! session.register_parquet("iris", iris, ParquetReadOptions::default()).await?;
//!
//! let (spec, budget) = (RankSpec::default(), Budget::default());
//! let ranking = rank_sql(&session, "SELECT * FROM iris", "species", &spec, &budget).await?;
//! assert_eq!(ranking.num_rows(), 4);
//!
//! let batches = session.sql("SELECT * FROM iris").await?.collect().await?;
//! let tree = batches.fit_tree("species", &TreeSpec::cart().max_depth(3))?.tree;
//! let scored = score_sql(&session, "SELECT * FROM iris", &tree, false).await?;
//! assert_eq!(scored.count().await?, 150);
//!
//! session.register_udf(tree.to_udf("species_of")?);
//! let called = format!("SELECT {} FROM iris", tree.udf_call("species_of"));
//! assert_eq!(session.sql(&called).await?.count().await?, 150);
//! # Ok(())
//! # }
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod error;
mod score;
mod session_engine;
mod udf;
mod verbs;

pub use error::{Error, Result};
pub use score::score_sql;
pub use session_engine::SessionEngine;
pub use udf::{ModelUdf, quote_name};
pub use verbs::{fit_sql, rank_sql};
