//! The head of a page: the figures that matter, and how the tree was grown.

use maud::{Markup, html};
use serde_json::Value;

use crate::plot::elements::text::{clean, counted};
use crate::spec::{Algorithm, TreeSpec};
use crate::tree::TreeData;

/// Names of a list that the line on the spec gives.
const LISTED: usize = 4;

/// What a page says above its sections, besides the tree's size and spec.
#[derive(Default)]
pub(super) struct Header {
    pub(super) tiles: Vec<Tile>,
    /// Remarks on the rows, a sentence each.
    pub(super) remarks: Vec<String>,
}

/// A figure with its name, and what to hold it against.
pub(super) struct Tile {
    pub(super) name: String,
    pub(super) figure: String,
    pub(super) about: String,
}

impl Tile {
    pub(super) fn new(name: &str, figure: String, about: String) -> Tile {
        Tile { name: name.into(), figure, about }
    }
}

impl Header {
    pub(super) fn markup(&self, tree: &TreeData) -> Markup {
        let leaves = Tile::new(
            "Tree",
            counted(tree.n_leaves() as u64, "leaf"),
            format!(
                "depth {}, fitted on {}, {}",
                tree.depth(),
                counted(tree.node_slice()[0].n, "row"),
                counted(tree.schema().features.len() as u64, "feature")
            ),
        );
        html! {
            div.tiles { @for tile in self.tiles.iter().chain([&leaves]) {
                div.tile {
                    span.faint { (clean(&tile.name)) }
                    strong { bdi { (clean(&tile.figure)) } }
                    span.faint { bdi { (clean(&tile.about)) } }
                }
            } }
            (spec(tree.spec()))
            @for line in &self.remarks { p { (line) } }
        }
    }
}

/// The spec: what differs from its preset, and all of it to unfold.
fn spec(spec: &TreeSpec) -> Markup {
    let preset = match spec.algorithm {
        Algorithm::Id3 => TreeSpec::id3(),
        Algorithm::C45 => TreeSpec::c45(),
        Algorithm::Cart => TreeSpec::cart(),
    };
    let (spec_fields, preset_fields) = (fields(spec), fields(&preset));
    let set: Vec<String> = spec_fields
        .iter()
        .filter(|field| !preset_fields.contains(field))
        .map(|(name, value)| format!("{name} {}", short(value)))
        .collect();
    html! {
        details.spec {
            summary {
                "Spec: " (spec.algorithm.name())
                @if set.is_empty() { " as it is preset" } @else { ", " (clean(&set.join(", "))) }
            }
            dl { @for (name, value) in spec_fields { div { dt { (name) } dd { bdi { (clean(&value)) } } } } }
        }
    }
}

/// The fields and their values, as the model file has them.
fn fields(spec: &TreeSpec) -> Vec<(String, String)> {
    let Ok(Value::Object(fields)) = serde_json::to_value(spec) else { return Vec::new() };
    fields.into_iter().map(|(name, value)| (name, text(&value))).collect()
}

/// A value without the end of a long list.
fn short(value: &str) -> String {
    let mut items = value.split(", ");
    let first: Vec<&str> = items.by_ref().take(LISTED).collect();
    match items.count() {
        0 => first.join(", "),
        more => format!("{}, +{more}", first.join(", ")),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "-".into(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(k, v)| format!("{k} {}", text(v))).collect();
            fields.join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
