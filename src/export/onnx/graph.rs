//! The graph of a tree or a forest.

use prost::Message;

use super::graph_builder::{Dim, GraphBuilder, ONNX, ONNX_ML};
use super::proto::{
    AttributeProto, ModelProto, OperatorSetIdProto, StringStringEntryProto, TensorProto, element,
};
use super::{columns, ensemble};
use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};
use crate::export::binary_tree::{BinaryTest, BinaryTree, NumberCondition};
use crate::export::feature_numbers::FeatureNumbers;
use crate::export::origin::{ABSENT_LEVELS, Origin, VERSION};
use crate::export::takes_one_branch;
use crate::score::Voting;
use crate::spec::Missing;
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};

/// Versions that came with ONNX 1.16, the first to have `TreeEnsemble`.
const IR_VERSION: i64 = 10;
/// The version of models that ask whether a value is in a set, which ONNX Runtime answers wrongly up to
/// 1.22. From 1.24 on it reads this version.
const IR_VERSION_OF_SETS: i64 = 12;
const ONNX_OPSET: i64 = 21;
const ONNX_ML_OPSET: i64 = 5;

/// The outputs.
const PREDICTION: &str = "prediction";
const PROBABILITIES: &str = "probabilities";
const LEAF_ID: &str = "leaf_id";

pub(super) struct Graph<'t> {
    schema: &'t Schema,
    builder: GraphBuilder,
    columns: Vec<FeatureNumbers<'t>>,
    /// The column of each feature; 0 for one that is not used.
    column_of: Vec<u32>,
    /// The name of the columns' matrix.
    matrix: String,
    /// The name of the constant `[1]`: the axis of columns.
    axis: String,
    /// The name of 1 for each row with a missing value, and 0 for the others, where such a value is an
    /// error.
    is_missing: Option<String>,
    has_sets: bool,
}

impl<'t> Graph<'t> {
    pub(super) fn new(
        schema: &'t Schema,
        mut used: Vec<u32>,
        missing: Missing,
    ) -> Result<Graph<'t>> {
        if missing.shares_rows() && !used.is_empty() {
            return Err(takes_one_branch("model", "ONNX"));
        }
        let feature = |&index: &u32| FeatureNumbers::new(&schema.features[index as usize], "ONNX");
        if used.is_empty() {
            // No column is asked, but one says how many rows there are.
            let mut all = 0..schema.features.len() as u32;
            used.extend(all.find(|index| feature(index).is_ok()));
        }
        let columns: Vec<FeatureNumbers> = used.iter().map(feature).collect::<Result<_>>()?;
        if columns.is_empty() {
            return Err(Error::spec(
                "the model uses no feature, and has none that could be the input of an ONNX graph",
            ));
        }
        let mut column_of = vec![0; schema.features.len()];
        used.iter().zip(0..).for_each(|(&feature, column)| column_of[feature as usize] = column);
        let mut builder = GraphBuilder::default();
        for output in [PREDICTION, PROBABILITIES, LEAF_ID] {
            builder.take_name(output);
        }
        let matrix = columns::matrix(&mut builder, &columns)?;
        let axis = builder.constant("axis", TensorProto::int64s(&[1], &[1]));
        let is_missing = (missing == Missing::Error).then(|| {
            let is_nan = builder.node((ONNX, "IsNaN"), &[&matrix], Vec::new());
            let is_nan = builder.cast(&is_nan, element::INT64);
            let keep = AttributeProto::int("keepdims", 0);
            builder.node((ONNX, "ReduceMax"), &[&is_nan, &axis], vec![keep])
        });
        let has_sets = false;
        Ok(Graph { schema, builder, columns, column_of, matrix, axis, is_missing, has_sets })
    }

    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(super) fn inputs(&self) -> Vec<columns::OnnxInput<'t>> {
        self.columns.iter().map(|column| columns::OnnxInput::of(column.feature)).collect()
    }

    /// Adds a tree, and gives the name of the index of each row's answer.
    fn answer_indices(&mut self, tree: &BinaryTree) -> String {
        let is_set = |test: &BinaryTest| matches!(test.condition, NumberCondition::In(_));
        self.has_sets |= tree.tests.iter().any(is_set);
        let Graph { builder, column_of, matrix, axis, is_missing, .. } = self;
        let answer = ensemble::answer_indices(builder, tree, column_of, matrix, axis);
        let Some(is_missing) = is_missing else { return answer };
        // The index is then beyond all answers, which is an error.
        let n_answers = TensorProto::int64s(&[], &[tree.answers.len() as i64]);
        let n_answers = builder.constant("answers", n_answers);
        let beyond = builder.node((ONNX, "Mul"), &[is_missing, &n_answers], Vec::new());
        builder.node((ONNX, "Add"), &[&answer, &beyond], Vec::new())
    }

    /// A table by rows.
    fn look_up(&mut self, table: TensorProto, indices: &str, output: &str) {
        let table = self.builder.constant("table", table);
        self.builder.node_to((ONNX, "Gather"), &[&table, indices], Vec::new(), output);
    }

    pub(super) fn tree(mut self, tree: &TreeData) -> Result<Self> {
        let tests = ensemble::binary_tree(tree, &self.columns, &self.column_of)?;
        let indices = self.answer_indices(&tests);
        let nodes = &tests.answers;
        let said = said(tree, nodes, Voting::Soft);
        if tree.is_regression() {
            self.look_up(said, &indices, PREDICTION);
            self.number_output();
        } else {
            let classes = nodes.iter().map(|&node| tree.majority(node));
            self.look_up(labels(self.schema, classes)?, &indices, PREDICTION);
            self.look_up(said, &indices, PROBABILITIES);
            self.class_outputs();
        }
        let ids: Vec<i64> = nodes.iter().map(|&node| node.into()).collect();
        self.look_up(TensorProto::int64s(&[ids.len()], &ids), &indices, LEAF_ID);
        let about = "the node that each row ended at";
        self.builder.output(LEAF_ID, element::INT64, &[Dim::Rows], about);
        Ok(self)
    }

    pub(super) fn forest(mut self, forest: &ForestData, voting: Voting) -> Result<Self> {
        let is_regression = forest.is_regression();
        let mut sum: Option<String> = None;
        for tree in &forest.trees {
            let tests = ensemble::binary_tree(tree, &self.columns, &self.column_of)?;
            let indices = self.answer_indices(&tests);
            let table = self.builder.constant("table", said(tree, &tests.answers, voting));
            let said = self.builder.node((ONNX, "Gather"), &[&table, &indices], Vec::new());
            sum = Some(match sum {
                None => said,
                Some(sum) => self.builder.node((ONNX, "Add"), &[&sum, &said], Vec::new()),
            });
        }
        let n_trees = TensorProto::doubles(&[], &[forest.n_trees() as f64]);
        let n_trees = self.builder.constant("trees", n_trees);
        let mean = if is_regression { PREDICTION } else { PROBABILITIES };
        let sum = sum.unwrap_or_default();
        self.builder.node_to((ONNX, "Div"), &[&sum, &n_trees], Vec::new(), mean);
        if is_regression {
            self.number_output();
            return Ok(self);
        }
        // The first of equals, as scoring takes it.
        let attributes = vec![AttributeProto::int("axis", 1), AttributeProto::int("keepdims", 0)];
        let class = self.builder.node((ONNX, "ArgMax"), &[PROBABILITIES], attributes);
        self.look_up(labels(self.schema, 0..self.schema.classes.len())?, &class, PREDICTION);
        self.class_outputs();
        Ok(self)
    }

    fn number_output(&mut self) {
        self.builder.output(PREDICTION, element::DOUBLE, &[Dim::Rows], "the number");
    }

    fn class_outputs(&mut self) {
        let element = label_element(self.schema);
        self.builder.output(PREDICTION, element, &[Dim::Rows], "the class");
        let classes: Vec<String> =
            (0..self.schema.classes.len()).map(|class| self.schema.class_text(class)).collect();
        let shape = [Dim::Rows, Dim::Fixed(classes.len())];
        let about = format!("of the classes {}", classes.join(", "));
        self.builder.output(PROBABILITIES, element::DOUBLE, &shape, &about);
    }

    pub(super) fn encoded(self, origin: Origin) -> Result<Vec<u8>> {
        let entry = |key: &str, value: String| StringStringEntryProto {
            key: format!("gaintree.{key}"),
            value,
        };
        let opset =
            |domain: &str, version| OperatorSetIdProto { domain: domain.to_string(), version };
        let model = origin.model(str::to_string);
        let model = ModelProto {
            ir_version: if self.has_sets { IR_VERSION_OF_SETS } else { IR_VERSION },
            producer_name: "gaintree".to_string(),
            producer_version: VERSION.to_string(),
            doc_string: model.clone(),
            graph: Some(self.builder.finish()),
            opset_import: vec![opset(ONNX, ONNX_OPSET), opset(ONNX_ML, ONNX_ML_OPSET)],
            metadata_props: vec![
                entry("model", model),
                entry("sha256", origin.sha256),
                entry("version", VERSION.to_string()),
                entry("missing", origin.missing.to_string()),
                entry("absent_levels", ABSENT_LEVELS.to_string()),
            ],
        };
        match model.encoded_len() {
            0..=0x7fff_ffff => Ok(model.encode_to_vec()),
            n => Err(Error::spec(format!(
                "the model takes {n} bytes as ONNX, of at most 2 GB: fit fewer or smaller trees"
            ))),
        }
    }
}

/// What some nodes say: a mean, or a number a class.
fn said(tree: &TreeData, nodes: &[u32], voting: Voting) -> TensorProto {
    if tree.is_regression() {
        let means: Vec<f64> = nodes.iter().filter_map(|&node| tree.mean(node)).collect();
        return TensorProto::doubles(&[means.len()], &means);
    }
    let n_classes = tree.schema().classes.len();
    let mut of_classes = vec![0.0; nodes.len() * n_classes];
    for (&node, of_node) in nodes.iter().zip(of_classes.chunks_mut(n_classes)) {
        voting.add(&tree.shares(node).collect::<Vec<f64>>(), of_node);
    }
    TensorProto::doubles(&[nodes.len(), n_classes], &of_classes)
}

fn label_element(schema: &Schema) -> i32 {
    match &schema.target_dtype {
        DType::Boolean => element::BOOL,
        dtype if dtype.is_text() => element::STRING,
        _ => element::INT64,
    }
}

/// The labels of classes, by their indices.
fn labels(schema: &Schema, classes: impl Iterator<Item = usize>) -> Result<TensorProto> {
    let values: Vec<&Value> = classes.map(|class| &schema.classes[class]).collect();
    let shape = [values.len()];
    let text = |value: &&Value| schema.target_dtype.write(value);
    Ok(match label_element(schema) {
        element::BOOL => TensorProto::bools(&shape, values.iter().map(|v| text(v) == "true")),
        element::STRING => TensorProto::strings(&shape, values.iter().map(text).collect()),
        _ => {
            let integer = |value: &&Value| {
                text(value).parse::<i64>().map_err(|_| {
                    Error::spec(format!(
                        "target `{}` ({}) cannot be put into ONNX: its class {} is beyond the \
                         64-bit integers of labels: cast it to text, and fit again",
                        schema.target,
                        schema.target_dtype,
                        text(value)
                    ))
                })
            };
            let integers: Vec<i64> = values.iter().map(integer).collect::<Result<_>>()?;
            TensorProto::int64s(&shape, &integers)
        }
    })
}
