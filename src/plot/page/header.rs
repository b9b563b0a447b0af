//! The head of a page: the figures that matter, and how the model was grown.

use maud::{Markup, html};
use serde::Serialize;
use serde_json::Value;

use crate::plot::elements::text::clean;
use crate::spec::{Algorithm, ForestSpec, TreeSpec};

/// Names of a list that the line on the spec gives.
const LISTED: usize = 4;

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

/// What a page says above its sections. Remarks are on the rows, a sentence each.
pub(super) fn header<'a>(
    tiles: impl Iterator<Item = &'a Tile>,
    spec: &Markup,
    remarks: &[String],
) -> Markup {
    html! {
        div.tiles { @for tile in tiles {
            div.tile {
                span.faint { (clean(&tile.name)) }
                strong { bdi { (clean(&tile.figure)) } }
                span.faint { bdi { (clean(&tile.about)) } }
            }
        } }
        (spec)
        @for line in remarks { p { (line) } }
    }
}

pub(super) fn spec_of_tree(spec: &TreeSpec) -> Markup {
    let preset = preset(spec.algorithm);
    unfolding(spec.algorithm.name(), fields(spec), &fields(&preset))
}

/// How a forest was grown: its own fields, and the fields of its trees.
pub(super) fn spec_of_forest(spec: &ForestSpec) -> Markup {
    let all = |spec: &ForestSpec| {
        let mut own = fields(spec);
        own.retain(|(name, _)| name != "tree");
        own.extend(fields(&spec.tree));
        own
    };
    let preset = ForestSpec::new(preset(spec.tree.algorithm));
    let name = format!("forest of {} trees", spec.tree.algorithm.name());
    unfolding(&name, all(spec), &all(&preset))
}

fn preset(algorithm: Algorithm) -> TreeSpec {
    match algorithm {
        Algorithm::Id3 => TreeSpec::id3(),
        Algorithm::C45 => TreeSpec::c45(),
        Algorithm::Cart => TreeSpec::cart(),
    }
}

/// What differs from the preset of a name, and all fields to unfold.
fn unfolding(
    name: &str,
    spec_fields: Vec<(String, String)>,
    preset_fields: &[(String, String)],
) -> Markup {
    let set: Vec<String> = spec_fields
        .iter()
        .filter(|field| !preset_fields.contains(field))
        .map(|(name, value)| format!("{name} {}", short(value)))
        .collect();
    html! {
        details.spec {
            summary {
                "Spec: " (name)
                @if set.is_empty() { " as it is preset" } @else { ", " (clean(&set.join(", "))) }
            }
            dl { @for (name, value) in spec_fields { div { dt { (name) } dd { bdi { (clean(&value)) } } } } }
        }
    }
}

/// The fields and their values, as in the model file.
fn fields(spec: &impl Serialize) -> Vec<(String, String)> {
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
