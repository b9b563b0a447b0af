//! What an export says of the model it was made of.

use sha2::{Digest, Sha256};

use crate::spec::Missing;
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;

/// The version that writes exports.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What becomes of a level that a node never saw.
pub(super) const ABSENT_LEVELS: &str = "a level that a node never saw in training is not equal to \
    any (x == level), goes where missing values go (x in a set), or ends at the node, which answers \
    (a branch per level)";

/// The model that an export was made of.
pub(super) struct Origin {
    /// What it is, and what it predicts.
    pub(super) model: String,
    /// Of the model file, as this version writes it, in hexadecimal digits.
    pub(super) sha256: String,
    /// What becomes of missing values.
    pub(super) missing: &'static str,
}

impl TreeData {
    pub(super) fn origin(&self) -> Origin {
        let schema = self.schema();
        let model = format!(
            "tree of {} nodes that predicts `{}`{} by {} of {} features",
            self.n_nodes(),
            schema.target,
            classes(schema.classes.len()),
            self.used_features().len(),
            schema.features.len()
        );
        Origin { model, sha256: sha256(&self.to_json()), missing: missing(self.spec().missing) }
    }
}

impl ForestData {
    pub(super) fn origin(&self) -> Origin {
        let schema = self.schema();
        let model = format!(
            "forest of {} trees and {} nodes that predicts `{}`{} by {} of {} features",
            self.n_trees(),
            self.n_nodes(),
            schema.target,
            classes(schema.classes.len()),
            self.used_features().len(),
            schema.features.len()
        );
        let missing = missing(self.spec().tree.missing);
        Origin { model, sha256: sha256(&self.to_json()), missing }
    }
}

fn classes(n: usize) -> String {
    if n == 0 { String::new() } else { format!(", one of {n} classes,") }
}

fn missing(missing: Missing) -> &'static str {
    match missing {
        Missing::Learn | Missing::Majority => {
            "each rule sends a missing value to one of its branches, as it was fitted; where it has \
             no branch for it, the row ends at the node, which answers"
        }
        Missing::Fractional => {
            "each rule sends a missing value down every branch, in the shares of the known rows"
        }
        Missing::Error => "a missing value in a used column is an error",
    }
}

/// The SHA-256 of a text (FIPS 180-4).
fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
