//! A graph as it grows: values by their names. Each name is given once.

use std::collections::HashSet;

use super::proto::{
    AttributeProto, DimensionProto, GraphProto, NodeProto, TensorProto, TensorShapeProto,
    TensorTypeProto, TypeProto, ValueInfoProto,
};

/// The domain of the operators of ONNX itself.
pub(super) const ONNX: &str = "";
/// The domain of the operators for machine learning.
pub(super) const ONNX_ML: &str = "ai.onnx.ml";

/// A graph, and the names in it. Inputs, outputs and what is between them share one set of names.
#[derive(Default)]
pub(super) struct GraphBuilder {
    graph: GraphProto,
    names: HashSet<String>,
}

pub(super) enum Dim {
    /// One a row.
    Rows,
    Fixed(usize),
}

impl GraphBuilder {
    /// Takes a name; `false` if it is taken.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        self.names.insert(name.to_string())
    }

    fn new_name(&mut self, like: &str) -> String {
        let numbers = std::iter::successors(Some(0usize), |n| n.checked_add(1));
        let mut names = numbers.map(|n| format!("gaintree/{like}/{}", self.names.len() + n));
        let name = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(name.clone());
        name
    }

    /// Adds a node with one output, and gives the output's name.
    pub(super) fn node(
        &mut self,
        operator: (&str, &str),
        inputs: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let output = self.new_name(operator.1);
        self.node_to(operator, inputs, attributes, &output);
        output
    }

    /// Adds a node that makes another element type of a value, and gives the output's name.
    pub(super) fn cast(&mut self, value: &str, element: i32) -> String {
        self.node((ONNX, "Cast"), &[value], vec![AttributeProto::int("to", element.into())])
    }

    /// Adds a node whose output has a name that is taken already.
    pub(super) fn node_to(
        &mut self,
        (domain, operator): (&str, &str),
        inputs: &[&str],
        attribute: Vec<AttributeProto>,
        output: &str,
    ) {
        self.graph.node.push(NodeProto {
            input: inputs.iter().map(|input| input.to_string()).collect(),
            output: vec![output.to_string()],
            name: output.to_string(),
            op_type: operator.to_string(),
            attribute,
            domain: domain.to_string(),
        });
    }

    pub(super) fn constant(&mut self, like: &str, tensor: TensorProto) -> String {
        let name = self.new_name(like);
        self.initialize(&name, tensor);
        name
    }

    /// Gives a name that is taken already a value. An input takes it where a caller gives none.
    pub(super) fn initialize(&mut self, name: &str, tensor: TensorProto) {
        self.graph.initializer.push(TensorProto { name: name.to_string(), ..tensor });
    }

    pub(super) fn input(&mut self, name: &str, element: i32, shape: &[Dim], about: &str) {
        self.graph.input.push(value_info(name, element, shape, about));
    }

    pub(super) fn output(&mut self, name: &str, element: i32, shape: &[Dim], about: &str) {
        self.graph.output.push(value_info(name, element, shape, about));
    }

    pub(super) fn finish(self) -> GraphProto {
        GraphProto { name: "gaintree".to_string(), ..self.graph }
    }
}

fn value_info(name: &str, elem_type: i32, shape: &[Dim], about: &str) -> ValueInfoProto {
    let dim = shape.iter().map(|dim| match dim {
        Dim::Rows => DimensionProto { dim_param: Some("rows".to_string()), ..Default::default() },
        Dim::Fixed(n) => DimensionProto { dim_value: Some(*n as i64), ..Default::default() },
    });
    let shape = Some(TensorShapeProto { dim: dim.collect() });
    ValueInfoProto {
        name: name.to_string(),
        r#type: Some(TypeProto { tensor_type: Some(TensorTypeProto { elem_type, shape }) }),
        doc_string: about.to_string(),
    }
}
