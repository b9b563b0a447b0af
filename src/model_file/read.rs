//! The text of a model file as a tree or a forest.

use std::sync::Arc;

use serde::de::{DeserializeSeed, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::error::Category;

use super::layout::{
    BUILD, FOREST_VERSION, FORMAT, ForestObject, Keyed, ModelObject, NodeObject, SchemaObject,
    TREE_VERSION,
};
use super::tree_list::{InFile, TreeList};
use super::values::named;
use super::{ModelData, nodes, schema};
use crate::data::plain_text::one_line;
use crate::error::{Error, Result};
use crate::spec::{ForestSpec, TreeSpec};
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};
use crate::util::file_kind::FileKind;

/// What tells a model file, of any version, from other files; and the header once more, as it
/// stands.
#[derive(Deserialize)]
struct Stamp {
    format: String,
    version: u64,
    #[serde(default)]
    spec: Value,
    #[serde(default)]
    schema: Value,
}

/// Reads and checks a model.
pub(super) fn model(text: &str) -> Result<ModelData> {
    // First of all the version: a later one may differ in everything else.
    let stamp: Stamp = parse(text)?;
    check_stamp(&stamp).map_err(Error::model)?;
    match stamp.version {
        FOREST_VERSION => forest(text, &stamp).map(ModelData::Forest),
        _ => tree(text, &stamp).map(ModelData::Tree),
    }
}

fn tree(text: &str, stamp: &Stamp) -> Result<TreeData> {
    let object: ModelObject<TreeSpec, Vec<Keyed<NodeObject>>> = parse(text)?;
    let schema = header(stamp, &object.spec, object.schema)?;
    schema::check_spec(&object.spec, &schema).map_err(Error::model)?;
    let (nodes, values) =
        nodes::read(object.nodes, &schema, object.spec.missing).map_err(Error::model)?;
    Ok(TreeData { spec: object.spec.into(), schema: schema.into(), nodes, values })
}

fn forest(text: &str, stamp: &Stamp) -> Result<ForestData> {
    let object: ForestObject<ForestSpec, SchemaObject, IgnoredAny> = parse(text)?;
    let schema = header(stamp, &object.spec, object.schema)?;
    let spec = object.spec;
    schema::check_forest_spec(&spec, &schema).map_err(Error::model)?;
    let (of_trees, schema) = (Arc::new(spec.tree.clone()), Arc::new(schema));
    let mut json = serde_json::Deserializer::from_str(text);
    let list = InFile(TreeList { spec: &of_trees, schema: &schema });
    let trees = list.deserialize(&mut json).map_err(no_model)?;
    if trees.len() != spec.trees as usize {
        let n = trees.len();
        return Err(Error::model(format!("it has {n} trees, but its spec says {}", spec.trees)));
    }
    Ok(ForestData { spec, schema, trees })
}

/// The schema of a model whose header has the keys it would be written with.
fn header(stamp: &Stamp, spec: &impl Serialize, object: SchemaObject) -> Result<Schema> {
    check_keys("spec", &stamp.spec, &written(spec)?).map_err(Error::model)?;
    check_keys("schema", &stamp.schema, &written(&object)?).map_err(Error::model)?;
    schema::read(object).map_err(Error::model)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(no_model)
}

fn no_model(e: serde_json::Error) -> Error {
    let what = match e.classify() {
        Category::Eof => "it ends too early",
        Category::Syntax | Category::Io => "it is no JSON",
        Category::Data => "it is no gaintree model, or a damaged one",
    };
    // The reason may quote a key of the file; the location stands at its end.
    let location = format!(" at line {} column {}", e.line(), e.column());
    let reason = e.to_string();
    let reason = one_line(reason.strip_suffix(&location).unwrap_or(&reason), 400);
    Error::model(format!("{what}: {reason}{location}")).caused_by(e)
}

fn check_stamp(stamp: &Stamp) -> std::result::Result<(), String> {
    if stamp.format != FORMAT {
        let other = FileKind::Model.other(&stamp.format);
        let unknown = || format!("its format is {}, not `{FORMAT}`", named(&stamp.format));
        return Err(other.unwrap_or_else(unknown));
    }
    match stamp.version {
        TREE_VERSION | FOREST_VERSION => Ok(()),
        newer @ FOREST_VERSION.. => Err(format!(
            "its version is {newer}, but {BUILD} reads versions {TREE_VERSION} and \
             {FOREST_VERSION}: get a newer gaintree"
        )),
        older => Err(format!(
            "its version is {older}, but {BUILD} reads versions {TREE_VERSION} and {FOREST_VERSION}"
        )),
    }
}

fn written(header: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(header).map_err(|e| Error::model(e.to_string()).caused_by(e))
}

/// Whether a part of the header has the keys it would be written with. Serde itself takes an
/// absent key for `null`, a list for a struct, and any further key in a dtype.
///
/// It recurses no deeper than the parser does, which gives up at 128 levels.
fn check_keys(at: &str, given: &Value, written: &Value) -> std::result::Result<(), String> {
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            if let Some(key) = written.keys().find(|key| !given.contains_key(*key)) {
                return Err(format!("{at}: missing key `{key}`"));
            }
            for (key, value) in given {
                let Some(written) = written.get(key) else {
                    return Err(format!("{at}: unknown key {}", named(key)));
                };
                if value.is_object() || value.is_array() || written.is_object() {
                    check_keys(&format!("{at}.{key}"), value, written)?;
                }
            }
            Ok(())
        }
        (Value::Array(given), Value::Array(written)) => {
            let items = given.iter().zip(written).enumerate();
            let mut nested = items.filter(|(_, (item, _))| item.is_object() || item.is_array());
            nested.try_for_each(|(i, (item, written))| {
                check_keys(&format!("{at}[{i}]"), item, written)
            })
        }
        (_, Value::Object(_)) => Err(format!("{at}: it should be an object")),
        (Value::Object(_) | Value::Array(_), _) => Err(format!("{at}: it should read {written}")),
        _ => Ok(()),
    }
}
