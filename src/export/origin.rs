//! What an export says of the model it was made of.

use sha2::{Digest, Sha256};

use crate::spec::Missing;
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What becomes of a level that a node never saw.
pub(super) const ABSENT_LEVELS: &str = "a level that a node never saw in training is not equal to \
    any (x == level), goes where missing values go (x in a set), or ends at the node, which answers \
    (a branch per level)";

pub(super) struct Origin {
    /// What it is.
    model: String,
    target: String,
    /// Out of how many classes, and by how many features.
    by: String,
    /// The SHA-256 (FIPS 180-4) of the model file, as this version writes it, in hexadecimal digits.
    pub(super) sha256: String,
    /// What becomes of missing values.
    pub(super) missing: &'static str,
}

impl TreeData {
    pub(super) fn origin(&self) -> Origin {
        let model = format!("tree of {} nodes", self.n_nodes());
        let n_used = self.used_features().len();
        Origin::new(&model, self.schema(), n_used, self.spec().missing, &self.to_json())
    }
}

impl ForestData {
    pub(super) fn origin(&self) -> Origin {
        let model = format!("forest of {} trees and {} nodes", self.n_trees(), self.n_nodes());
        let n_used = self.used_features().len();
        Origin::new(&model, self.schema(), n_used, self.spec().tree.missing, &self.to_json())
    }
}

impl Origin {
    /// What the model is, and what it predicts; `show` gives the target's name as it may stand there.
    pub(super) fn model(&self, show: impl Fn(&str) -> String) -> String {
        format!("{} that predicts `{}`{}", self.model, show(&self.target), self.by)
    }

    /// What an export says of its model, in lines of at most 96 characters: `show` gives the target's
    /// name as it may stand there, `reader` is what reads the export.
    pub(super) fn lines(&self, show: impl Fn(&str) -> String, reader: Option<&str>) -> Vec<String> {
        let reader = reader.map_or(String::new(), |reader| format!(" for {reader}"));
        let lines = [
            format!("A {}.", self.model(show)),
            format!("SHA-256 of the model file: {}.", self.sha256),
            format!("Written by gaintree {VERSION}{reader}."),
            format!("Missing: {}.", self.missing),
            format!("Absent: {ABSENT_LEVELS}."),
        ];
        lines.iter().flat_map(|line| wrapped(line)).collect()
    }

    /// `file` is the text of the model file.
    fn new(model: &str, schema: &Schema, n_used: usize, missing: Missing, file: &str) -> Origin {
        let classes = match schema.classes.len() {
            0 => String::new(),
            n => format!(", one of {n} classes,"),
        };
        Origin {
            model: model.to_string(),
            target: schema.target.clone(),
            by: format!("{classes} by {n_used} of {} features", schema.features.len()),
            sha256: Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect(),
            missing: match missing {
                Missing::Learn | Missing::Majority => {
                    "each rule sends a missing value to one of its branches, as it was fitted; where \
                     it has no branch for it, the row ends at the node, which answers"
                }
                Missing::Fractional => {
                    "each rule sends a missing value down every branch, in the shares of the known rows"
                }
                Missing::Error => "a missing value in a used column is an error",
            },
        }
    }
}

/// A text in lines of at most 96 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line += word,
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 96 => {
                line.push(' ');
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
