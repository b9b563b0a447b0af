//! The objects of the file, for writing and for reading.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Deserialize as Readable, Serialize};

use crate::data::dtype::{DType, Kind};
use crate::util::file_kind::FileKind;

pub(super) const FORMAT: &str = FileKind::Model.format();

/// The version of a tree's file.
pub(super) const TREE_VERSION: u64 = 1;

/// The version of a forest's file.
pub(super) const FOREST_VERSION: u64 = 2;

/// This build, as `written_by` and messages name it.
pub(super) const BUILD: &str = concat!("gaintree ", env!("CARGO_PKG_VERSION"));

/// The whole file of a tree: written from borrowed parts, read into owned ones.
#[derive(Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelObject<Spec, Nodes> {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) written_by: String,
    pub(super) spec: Spec,
    pub(super) schema: SchemaObject,
    pub(super) nodes: Nodes,
}

/// The whole file of a forest. It is written from borrowed parts. It is read twice: the header first,
/// and then the trees, whose nodes are checked by it one tree at a time.
#[derive(Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct ForestObject<Spec, Schema, Trees> {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) written_by: String,
    pub(super) spec: Spec,
    pub(super) schema: Schema,
    pub(super) trees: Trees,
}

#[derive(Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct SchemaObject {
    pub(super) target: TargetObject,
    pub(super) features: Vec<FeatureObject>,
}

#[derive(Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetObject {
    pub(super) name: String,
    pub(super) dtype: DType,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) classes: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) class_weights: Option<Vec<f64>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) class_totals: Option<Vec<f64>>,
}

#[derive(Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureObject {
    pub(super) name: String,
    pub(super) dtype: DType,
    pub(super) kind: Kind,
    pub(super) has_missing: bool,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) levels: Option<Vec<String>>,
}

/// A node. Which keys it has depends on the kind of target and, for an inner node, on its `op`.
#[derive(Default, Serialize, Readable)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeObject {
    pub(super) n: u64,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) counts: Option<Vec<f64>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) weight: Option<f64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<f64>,
    pub(super) impurity: f64,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) feature: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) op: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) cut: Option<Cut>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<u32>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) right: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) levels: Option<Vec<u32>>,
    /// The inner option is `null`, the outer one an absent key.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) missing_to: Option<Option<u32>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) gain: Option<f64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) approximate: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) branches: Option<Vec<u32>>,
}

/// A cut: a number for a float feature, text for any other.
#[derive(Serialize, Readable)]
#[serde(untagged, expecting = "a cut is a number or a text")]
pub(super) enum Cut {
    Number(f64),
    Text(String),
}

/// A present key has a value: `null` does not stand for an absent key.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A struct written as an object only. Serde also accepts a list of its fields.
pub(super) struct Keyed<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeyedVisitor(PhantomData))
    }
}

struct KeyedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for KeyedVisitor<T> {
    type Value = Keyed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Keyed)
    }
}
