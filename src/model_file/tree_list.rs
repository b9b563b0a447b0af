//! The trees of a forest's file, read and checked one at a time: the objects of one tree's nodes are
//! larger than the tree.

use std::fmt;
use std::sync::Arc;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::layout::{Keyed, NodeObject};
use super::nodes;
use crate::spec::TreeSpec;
use crate::tree::{Schema, TreeData};

/// Reads the trees of a file whose keys were checked before.
#[derive(Clone, Copy)]
pub(super) struct TreeList<'a> {
    pub(super) spec: &'a Arc<TreeSpec>,
    pub(super) schema: &'a Arc<Schema>,
}

/// The whole file.
pub(super) struct InFile<'a>(pub(super) TreeList<'a>);

impl<'de> DeserializeSeed<'de> for InFile<'_> {
    type Value = Vec<TreeData>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for InFile<'_> {
    type Value = Vec<TreeData>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut file: A) -> Result<Self::Value, A::Error> {
        let mut trees = Vec::new();
        while let Some(key) = file.next_key::<String>()? {
            match key.as_str() {
                "trees" => trees = file.next_value_seed(self.0)?,
                _ => drop(file.next_value::<IgnoredAny>()?),
            }
        }
        Ok(trees)
    }
}

impl<'de> DeserializeSeed<'de> for TreeList<'_> {
    type Value = Vec<TreeData>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TreeList<'_> {
    type Value = Vec<TreeData>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of trees, each a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut trees = Vec::new();
        while let Some(objects) = list.next_element::<Vec<Keyed<NodeObject>>>()? {
            let (spec, schema) = (Arc::clone(self.spec), Arc::clone(self.schema));
            let read = nodes::read(objects, &schema, spec.missing);
            let at = |what| A::Error::custom(format!("tree {}: {what}", trees.len()));
            let (nodes, values) = read.map_err(at)?;
            trees.push(TreeData { spec, schema, nodes, values });
        }
        Ok(trees)
    }
}
