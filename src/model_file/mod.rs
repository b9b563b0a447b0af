//! The model file: a tree, or a forest, as JSON that later versions can read.
//!
//! UTF-8 text, one JSON object, its keys in the order below when written, in any order when
//! read. Every key is required unless said otherwise, none may stand twice, and no other is
//! allowed. The file names no time, path or host: equal trees of one build give equal bytes.
//! Header keys have a line each, features and nodes one line each, so that two models can be
//! compared with `diff`.
//!
//! ```json
//! {
//!   "format": "gaintree",
//!   "version": 1,
//!   "written_by": "gaintree 0.1.0",
//!   "spec": {
//!     "algorithm": "cart",
//!     …
//!   },
//!   "schema": {
//!     "target": {"name":"species","dtype":"string","classes":["setosa","virginica"]},
//!     "features": [
//!       {"name":"petal_length","dtype":"f64","kind":"ordered","has_missing":false},
//!       {"name":"colour","dtype":"categorical","kind":"nominal","has_missing":false,"levels":["blue","red"]}
//!     ]
//!   },
//!   "nodes": [
//!     {"n":9,"counts":[5,4],"impurity":0.49,"feature":"petal_length","op":">=","cut":2.45,…},
//!     {"n":5,"counts":[5,0],"impurity":0},
//!     {"n":4,"counts":[0,4],"impurity":0}
//!   ]
//! }
//! ```
//!
//! # Top
//!
//! | key | holds |
//! | --- | --- |
//! | `format` | `"gaintree"` |
//! | `version` | `1` of a tree; a build reads the versions it knows and says which they are |
//! | `written_by` | `"gaintree X.Y.Z"`, for people; nothing depends on it |
//! | `spec` | what the tree was grown by: every field of [`TreeSpec`](crate::TreeSpec) but `threads`, which cannot change it |
//! | `schema` | what it was fitted on |
//! | `nodes` | the tree, at least one node |
//!
//! The file of a forest has `version` 2 and, in place of `nodes`, the key `trees`: a list of at least
//! one tree, each the list of its nodes. Its `spec` has every field of
//! [`ForestSpec`](crate::ForestSpec); `spec.tree` is what each tree was grown by, and `spec.trees` their
//! number. `max_features` is `"auto"`, `{"count":3}` or `{"share":0.5}`. The trees share the schema.
//!
//! # Schema
//!
//! `target` has `name`, `dtype` and `classes`: at least two labels as text, distinct, in target
//! order (numbers by value, text by text, an enum as declared). A numeric target has no
//! `classes`. Where the spec's `class_weights` are not equal, the target's own `class_weights` list
//! by what the weights of each class's rows were multiplied, in class order: finite, above 0. A
//! forest's target has `class_totals` if its trees grew on draws of the table: the weight of each
//! class in the whole table, by the rows' own weights, in class order.
//! `features` lists all features, used or not, in column order: `name` (distinct, not the target's), `dtype`, `kind`
//! (`"ordered"` or `"nominal"`), `has_missing` (whether the training frame had missing values
//! in it), and, of nominal features only, `levels`: the levels as text,
//! distinct, in text order or, of an enum, as declared; none where no rule uses the feature.
//!
//! A dtype is `"null"`, `"boolean"`, `"i8"` … `"i128"`, `"u8"` … `"u128"`, `"f16"`, `"f32"`,
//! `"f64"`, `"date"`, `"time"`, `"string"`, `"categorical"`, or an object of one key:
//! `{"decimal":{"precision":9,"scale":2}}`, `{"datetime":{"unit":"us","zone":"Europe/Paris"}}`
//! (unit `ns`, `us` or `ms`; zone may be `null`), `{"duration":{"unit":"ms"}}`,
//! `{"enum":{"categories":["low","high"]}}`.
//!
//! # Nodes
//!
//! In preorder: a node's index in the list is its id, its first branch is the node after it,
//! and each further branch follows the whole subtree of the one before. Parent and depth
//! follow from that and are not stored.
//!
//! | key | of | holds |
//! | --- | --- | --- |
//! | `n` | all | training rows that reached the node, at least 1 |
//! | `counts` | all, of classes | weight of each class, in class order: finite, not negative, not all 0 |
//! | `weight`, `mean` | all, of numbers | weight of the rows, above 0; their weighted mean |
//! | `impurity` | all | of the counts, by the spec's criterion |
//! | `feature` | inner | the name of the feature the rule asks |
//! | `op` | inner | `">="`, `"=="`, `"in"`, `"each"` or `"is missing"` |
//! | `cut` | `>=` | rows at or above it take branch 1, the others branch 0 |
//! | `level` | `==` | rows of this level take branch 1, the others branch 0 |
//! | `right`, `left` | `in` | levels of branch 1, levels of branch 0: ascending, disjoint, neither empty |
//! | `levels` | `each` | the level of each branch, ascending |
//! | `missing_to` | inner | the branch of a missing value; `null` stops the row here, or, where the spec's `missing` is `fractional`, sends it down every branch |
//! | `gain` | inner | of the rule at this node, in the criterion's units |
//! | `approximate` | inner | optional, only written as `true`: not every split of this shape was looked at |
//! | `branches` | inner | the node each branch leads to |
//!
//! `>=` asks ordered features; `==`, `in` and `each` nominal ones, whose levels they name by
//! their indices (from 0) in the feature's `levels`; `is missing` asks any, sends missing values
//! to branch 1 and so has `missing_to` 1. `each` has one branch a level, and one more, the
//! last, if `missing_to` names it; the other rules have two.
//!
//! # Values
//!
//! Counts, impurities, gains and the cuts of float features are numbers, in the fewest digits
//! that read back to the same float of their width; an infinite cut is `"inf"` or `"-inf"`.
//! Every other value is text: integers and decimals in digits (`"-12"`, `"0.50"` with as many
//! places as the scale), `"2024-02-29"`, `"2024-02-29 23:59:59.5"` (UTC if there is a zone),
//! `"3d 04:05:06"`, `"04:05:06"`, `"true"` and `"false"`. A text that is not written that way
//! is refused, as it would match nothing.

mod layout;
mod nodes;
mod preorder;
mod read;
mod schema;
mod tree_list;
mod values;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

use crate::error::{Error, Result};
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;
use crate::util::file_kind::FileKind;

/// What a model file holds.
#[expect(clippy::large_enum_variant, reason = "it is matched at once")]
pub(crate) enum ModelData {
    Tree(TreeData),
    Forest(ForestData),
}

impl ModelData {
    /// Reads the text of a model file. Time and memory are linear in its length.
    pub(crate) fn from_json(text: &str) -> Result<ModelData> {
        read::model(text)
    }

    /// Reads a model file.
    pub(crate) fn load(path: impl AsRef<Path>) -> Result<ModelData> {
        load(path.as_ref(), Ok)
    }

    fn tree(self) -> Result<TreeData> {
        match self {
            ModelData::Tree(tree) => Ok(tree),
            ModelData::Forest(forest) => Err(Error::model(format!(
                "it is a forest of {} trees, and this takes a tree: `gaintree score`, `gaintree eval` \
                 and Forest::load take forests",
                forest.n_trees()
            ))),
        }
    }

    fn forest(self) -> Result<ForestData> {
        match self {
            ModelData::Forest(forest) => Ok(forest),
            ModelData::Tree(_) => {
                Err(Error::model("it is a tree, and this takes a forest: load it as a tree"))
            }
        }
    }
}

/// Reads a file, and makes what is wanted of it.
fn load<T>(path: &Path, wanted: impl FnOnce(ModelData) -> Result<T>) -> Result<T> {
    FileKind::Model.load(path, |text| read::model(text).and_then(wanted))
}

/// The text that `write` writes into memory.
fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text).expect("memory takes all that is written to it");
    String::from_utf8(text).expect("JSON is UTF-8")
}

impl TreeData {
    /// The tree as the text of a model file. Equal trees give equal text.
    pub fn to_json(&self) -> String {
        text(|to| write::tree(self, to))
    }

    /// [`Tree::from_json`](crate::Tree::from_json).
    pub(crate) fn from_json(text: &str) -> Result<TreeData> {
        read::model(text)?.tree()
    }

    /// Writes a model file, whole or not at all: a hidden file `.gaintree-*` beside it takes
    /// its name when it is complete. What stood there before is replaced. A device or a pipe
    /// is written straight.
    ///
    /// # Errors
    /// Where the file cannot be written ([`is_io`](Error::is_io)); nothing is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        crate::util::atomic_file::write_whole(path.as_ref(), |file| write::tree(self, file))
    }

    /// [`Tree::load`](crate::Tree::load).
    pub(crate) fn load(path: impl AsRef<Path>) -> Result<TreeData> {
        load(path.as_ref(), ModelData::tree)
    }
}

impl ForestData {
    /// The forest as the text of a model file. Equal forests give equal text.
    pub fn to_json(&self) -> String {
        text(|to| write::forest(self, to))
    }

    /// [`Forest::from_json`](crate::Forest::from_json).
    pub(crate) fn from_json(text: &str) -> Result<ForestData> {
        read::model(text)?.forest()
    }

    /// Writes a model file as [`Tree::save`](TreeData::save) does.
    ///
    /// # Errors
    /// As [`Tree::save`](TreeData::save).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        crate::util::atomic_file::write_whole(path.as_ref(), |file| write::forest(self, file))
    }

    /// [`Forest::load`](crate::Forest::load).
    pub(crate) fn load(path: impl AsRef<Path>) -> Result<ForestData> {
        load(path.as_ref(), ModelData::forest)
    }
}
