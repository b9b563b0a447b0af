//! A tree as the bytes of a model file.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};

use super::layout::{
    BUILD, Cut, FOREST_VERSION, FORMAT, FeatureObject, ForestObject, ModelObject, NodeObject,
    SchemaObject, TREE_VERSION, TargetObject,
};
use crate::data::dtype::{DType, Kind, Value};
use crate::tree::forest_data::ForestData;
use crate::tree::rule::Test;
use crate::tree::{Feature, Schema, Split, TreeData};

/// Writes the file of a tree.
pub(super) fn tree(tree: &TreeData, to: impl Write) -> io::Result<()> {
    let model = ModelObject {
        format: FORMAT.to_string(),
        version: TREE_VERSION,
        written_by: BUILD.to_string(),
        spec: &*tree.spec,
        schema: schema(&tree.schema),
        nodes: Nodes(tree),
    };
    write(&model, to)
}

/// Writes the file of a forest.
pub(super) fn forest(forest: &ForestData, to: impl Write) -> io::Result<()> {
    let model = ForestObject {
        format: FORMAT.to_string(),
        version: FOREST_VERSION,
        written_by: BUILD.to_string(),
        spec: &forest.spec,
        schema: schema(&forest.schema),
        trees: Trees(forest),
    };
    write(&model, to)
}

fn write(model: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut to, LineFormatter::default());
    model.serialize(&mut serializer)?;
    to.write_all(b"\n")
}

fn schema(schema: &Schema) -> SchemaObject {
    let dtype = &schema.target_dtype;
    SchemaObject {
        target: TargetObject {
            name: schema.target.clone(),
            dtype: dtype.clone(),
            classes: (!schema.classes.is_empty())
                .then(|| schema.classes.iter().map(|class| dtype.write(class)).collect()),
            class_weights: (!schema.class_weights.is_empty()).then(|| schema.class_weights.clone()),
            class_totals: (!schema.class_totals.is_empty()).then(|| schema.class_totals.clone()),
        },
        features: schema.features.iter().map(feature).collect(),
    }
}

fn feature(feature: &Feature) -> FeatureObject {
    FeatureObject {
        name: feature.name.clone(),
        dtype: feature.dtype.clone(),
        kind: feature.kind,
        has_missing: feature.has_missing,
        levels: (feature.kind == Kind::Nominal).then(|| feature.levels.clone()),
    }
}

/// The trees of a forest, each a list of its nodes.
struct Trees<'a>(&'a ForestData);

impl Serialize for Trees<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.trees.iter().map(Nodes))
    }
}

/// The nodes of a tree, made into objects one at a time.
struct Nodes<'a>(&'a TreeData);

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.n_nodes() as u32).map(|id| node(self.0, id)))
    }
}

fn node(tree: &TreeData, id: u32) -> NodeObject {
    let node = &tree.nodes[id as usize];
    let leaf = NodeObject {
        n: node.n,
        counts: (!tree.is_regression()).then(|| tree.class_counts(id).to_vec()),
        weight: tree.is_regression().then(|| tree.weight(id)),
        mean: tree.mean(id),
        impurity: node.impurity,
        ..NodeObject::default()
    };
    match &node.split {
        None => leaf,
        Some(split) => with_split(leaf, split, tree.feature(split)),
    }
}

fn with_split(leaf: NodeObject, split: &Split, feature: &Feature) -> NodeObject {
    let rule = &split.rule;
    let inner = NodeObject {
        feature: Some(feature.name.clone()),
        op: Some(rule.op().to_string()),
        missing_to: Some(rule.missing_to),
        gain: Some(split.gain),
        approximate: split.approximate.then_some(true),
        branches: Some(split.branches.clone()),
        ..leaf
    };
    match &rule.test {
        Test::AtLeast(value) => NodeObject { cut: Some(cut(&feature.dtype, value)), ..inner },
        Test::Equals(level) => NodeObject { level: Some(*level), ..inner },
        Test::In { right, left } => {
            NodeObject { right: Some(right.clone()), left: Some(left.clone()), ..inner }
        }
        Test::Each(levels) => NodeObject { levels: Some(levels.clone()), ..inner },
        Test::IsMissing => inner,
    }
}

fn cut(dtype: &DType, value: &Value) -> Cut {
    let text = dtype.write(value);
    match text.parse::<f64>() {
        // The fewest digits of a narrow float are the fewest of the f64 they read as, too.
        Ok(x) if dtype.is_float() && x.is_finite() => Cut::Number(x),
        _ => Cut::Text(text),
    }
}

/// Formats JSON with one line per header key, feature and node.
#[derive(Default)]
struct LineFormatter {
    /// Whether the items of each open object or list have lines of their own.
    open: Vec<bool>,
    /// Whether the innermost one is empty so far.
    empty: bool,
}

impl LineFormatter {
    fn open<W: ?Sized + Write>(&mut self, to: &mut W, list: bool) -> io::Result<()> {
        let depth = self.open.len() + 1;
        let outer = self.open.last().copied().unwrap_or(true);
        // At depth 3 are the lists of features and of names in the spec, and the nodes.
        self.open.push(outer && (depth < 3 || (depth == 3 && list)));
        self.empty = true;
        to.write_all(if list { b"[" } else { b"{" })
    }

    fn close<W: ?Sized + Write>(&mut self, to: &mut W, end: &[u8]) -> io::Result<()> {
        let broken = self.open.pop().unwrap_or(false) && !self.empty;
        self.empty = false;
        if broken {
            self.new_line(to)?;
        }
        to.write_all(end)
    }

    fn item<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if !first {
            to.write_all(b",")?;
        }
        if self.is_broken() { self.new_line(to) } else { Ok(()) }
    }

    fn is_broken(&self) -> bool {
        self.open.last().copied().unwrap_or(false)
    }

    fn new_line<W: ?Sized + Write>(&self, to: &mut W) -> io::Result<()> {
        to.write_all(b"\n")?;
        self.open.iter().try_for_each(|_| to.write_all(b"  "))
    }
}

impl Formatter for LineFormatter {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.open(to, true)
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.close(to, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.item(to, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.empty = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.open(to, false)
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.close(to, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.item(to, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(if self.is_broken() { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.empty = false;
        Ok(())
    }

    /// Integers, as most counts are, without a fraction.
    fn write_f64<W: ?Sized + Write>(&mut self, to: &mut W, x: f64) -> io::Result<()> {
        const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
        let minus_zero = x == 0.0 && x.is_sign_negative();
        if x.fract() == 0.0 && x.abs() < EXACT && !minus_zero {
            self.write_i64(to, x as i64)
        } else {
            CompactFormatter.write_f64(to, x)
        }
    }
}
