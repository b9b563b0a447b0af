//! The used columns as inputs of a graph, and as one matrix of doubles.

use super::graph_builder::{Dim, GraphBuilder, ONNX, ONNX_ML};
use super::proto::{AttributeProto, TensorProto, element};
use crate::data::dtype::{DType, Kind};
use crate::error::{Error, Result};
use crate::export::comment::cells;
use crate::export::feature_numbers::{FeatureNumbers, IndexedValues};
use crate::tree::Feature;

/// The input of a column: for the graph, and for callers that feed it.
pub(crate) struct OnnxInput<'t> {
    pub(crate) feature: &'t Feature,
    /// The dtype of what is put in: numbers, booleans or texts.
    pub(crate) dtype: DType,
    /// The name of the Boolean input that says which values are missing; none where NaN says so.
    pub(crate) missing: Option<String>,
}

impl<'t> OnnxInput<'t> {
    /// What is put in has the physical dtype that Polars has for the column, of at most 64 bits; texts
    /// are put in as they are.
    pub(super) fn of(feature: &'t Feature) -> OnnxInput<'t> {
        let missing = (!feature.dtype.is_float()).then(|| format!("{}__missing", feature.name));
        let dtype = match &feature.dtype {
            DType::Date => DType::I32,
            DType::Categorical | DType::Enum { .. } => DType::String,
            DType::Decimal { .. } | DType::Datetime { .. } | DType::Duration { .. } => DType::I64,
            DType::Time => DType::I64,
            own => own.clone(),
        };
        OnnxInput { feature, dtype, missing }
    }
}

/// Adds the inputs of columns, and what makes numbers of them. Gives the name of a matrix of doubles:
/// a row a row, a column a feature, NaN where a value is missing.
///
/// # Errors
/// A name that is empty, has a NUL or is the name of an output or of another input.
pub(super) fn matrix(graph: &mut GraphBuilder, columns: &[FeatureNumbers]) -> Result<String> {
    let is_put =
        |Feature { dtype, kind, .. }: &Feature| !dtype.is_float() || *kind == Kind::Nominal;
    let nan = match columns.iter().any(|column| is_put(column.feature)) {
        true => graph.constant("nan", TensorProto::doubles(&[], &[f64::NAN])),
        // ONNX Runtime remarks on a constant that no node takes.
        false => String::new(),
    };
    columns.iter().try_for_each(|numbers| take_name(graph, &numbers.feature.name))?;
    let lanes: Vec<String> =
        columns.iter().map(|column| lane(graph, column, &nan)).collect::<Result<_>>()?;
    let lanes: Vec<&str> = lanes.iter().map(String::as_str).collect();
    Ok(graph.node((ONNX, "Concat"), &lanes, vec![AttributeProto::int("axis", 1)]))
}

fn take_name(graph: &mut GraphBuilder, name: &str) -> Result<()> {
    let why = if name.is_empty() {
        "its name is empty: name the column"
    } else if name.contains('\0') {
        "its name has a NUL: rename the column"
    } else if !graph.take_name(name) {
        "an output, or another input, has its name: rename the column"
    } else {
        return Ok(());
    };
    Err(Error::spec(format!("feature `{name}` cannot be put into ONNX: {why}")))
}

/// A column as doubles, NaN where it is missing.
fn lane(graph: &mut GraphBuilder, numbers: &FeatureNumbers, nan: &str) -> Result<String> {
    let OnnxInput { feature, dtype: put_in, missing } = OnnxInput::of(numbers.feature);
    let Feature { name, dtype, has_missing, .. } = feature;
    let shape = [Dim::Rows, Dim::Fixed(1)];
    graph.input(name, element_type(&put_in), &shape, &format!("{dtype}: {}", cells(dtype)));
    let number = |graph: &mut GraphBuilder| match dtype {
        DType::F64 => name.clone(),
        _ => graph.cast(name, element::DOUBLE),
    };
    let kind = numbers.feature.kind;
    let value = match numbers.indexed()? {
        None => number(graph),
        Some(IndexedValues::Texts(texts)) => {
            let keys = TensorProto::strings(&[texts.len()], texts.to_vec());
            label_encoder(graph, name, keys, kind)
        }
        Some(IndexedValues::Numbers(levels)) => {
            let number = number(graph);
            let keys = TensorProto::doubles(&[levels.len()], &levels);
            let index = label_encoder(graph, &number, keys, kind);
            let is_nan = graph.node((ONNX, "IsNaN"), &[&number], Vec::new());
            graph.node((ONNX, "Where"), &[&is_nan, nan, &index], Vec::new())
        }
    };
    let Some(missing) = missing else { return Ok(value) };
    take_name(graph, &missing)?;
    let about = format!("whether the value of `{name}` is missing, whatever stands there");
    graph.input(&missing, element::BOOL, &shape, &about);
    if !has_missing {
        // Who fitted without missing values need not speak of them.
        graph.initialize(&missing, TensorProto::bools(&[1, 1], [false]));
    }
    Ok(graph.node((ONNX, "Where"), &[&missing, nan, &value], Vec::new()))
}

/// The index of each value among keys. Another value is -1, which is no level; of an ordered enum it is
/// missing.
fn label_encoder(graph: &mut GraphBuilder, input: &str, keys: TensorProto, kind: Kind) -> String {
    let other = match kind {
        Kind::Nominal => -1.0,
        Kind::Ordered => f64::NAN,
    };
    let n: i64 = keys.dims.iter().product();
    let indices: Vec<f64> = (0..n).map(|index| index as f64).collect();
    let attributes = vec![
        AttributeProto::tensor("keys_tensor", keys),
        AttributeProto::tensor("values_tensor", TensorProto::doubles(&[indices.len()], &indices)),
        AttributeProto::tensor("default_tensor", TensorProto::doubles(&[1], &[other])),
    ];
    graph.node((ONNX_ML, "LabelEncoder"), &[input], attributes)
}

fn element_type(put_in: &DType) -> i32 {
    match put_in {
        DType::Boolean => element::BOOL,
        DType::I8 => element::INT8,
        DType::I16 => element::INT16,
        DType::I32 => element::INT32,
        DType::U8 => element::UINT8,
        DType::U16 => element::UINT16,
        DType::U32 => element::UINT32,
        DType::U64 => element::UINT64,
        DType::F16 => element::FLOAT16,
        DType::F32 => element::FLOAT,
        DType::F64 => element::DOUBLE,
        DType::String => element::STRING,
        // Nothing else is put in.
        _ => element::INT64,
    }
}
