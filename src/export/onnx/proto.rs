//! The messages of `onnx.proto` that are written, with their tags.

use prost::Message;

/// The element types of tensors (`TensorProto.DataType`).
pub(super) mod element {
    pub const FLOAT: i32 = 1;
    pub const UINT8: i32 = 2;
    pub const INT8: i32 = 3;
    pub const UINT16: i32 = 4;
    pub const INT16: i32 = 5;
    pub const INT32: i32 = 6;
    pub const INT64: i32 = 7;
    pub const STRING: i32 = 8;
    pub const BOOL: i32 = 9;
    pub const FLOAT16: i32 = 10;
    pub const DOUBLE: i32 = 11;
    pub const UINT32: i32 = 12;
    pub const UINT64: i32 = 13;
}

/// What an attribute holds (`AttributeProto.AttributeType`).
mod attribute_type {
    pub const INT: i32 = 2;
    pub const TENSOR: i32 = 4;
    pub const INTS: i32 = 7;
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    #[prost(string, tag = "2")]
    pub producer_name: String,
    #[prost(string, tag = "3")]
    pub producer_version: String,
    #[prost(string, tag = "6")]
    pub doc_string: String,
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OperatorSetIdProto {
    #[prost(string, tag = "1")]
    pub domain: String,
    #[prost(int64, tag = "2")]
    pub version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StringStringEntryProto {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(string, tag = "2")]
    pub value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(string, tag = "4")]
    pub op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    #[prost(string, tag = "7")]
    pub domain: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AttributeProto {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    #[prost(message, optional, tag = "5")]
    pub t: Option<TensorProto>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    #[prost(int32, tag = "20")]
    pub r#type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorProto {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    #[prost(string, repeated, tag = "6")]
    pub string_data: Vec<String>,
    #[prost(string, tag = "8")]
    pub name: String,
    /// Little-endian.
    #[prost(bytes = "vec", optional, tag = "9")]
    pub raw_data: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfoProto {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
    #[prost(string, tag = "3")]
    pub doc_string: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TypeProto {
    #[prost(message, optional, tag = "1")]
    pub tensor_type: Option<TensorTypeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorTypeProto {
    #[prost(int32, tag = "1")]
    pub elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<DimensionProto>,
}

/// Either a number or a name.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DimensionProto {
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
}

impl AttributeProto {
    pub(super) fn int(name: &str, value: i64) -> AttributeProto {
        let r#type = attribute_type::INT;
        AttributeProto { name: name.to_string(), i: Some(value), r#type, ..Default::default() }
    }

    pub(super) fn ints(name: &str, ints: Vec<i64>) -> AttributeProto {
        let r#type = attribute_type::INTS;
        AttributeProto { name: name.to_string(), ints, r#type, ..Default::default() }
    }

    pub(super) fn tensor(name: &str, tensor: TensorProto) -> AttributeProto {
        let r#type = attribute_type::TENSOR;
        let t = Some(TensorProto { name: name.to_string(), ..tensor });
        AttributeProto { name: name.to_string(), t, r#type, ..Default::default() }
    }
}

impl TensorProto {
    pub(super) fn doubles(dims: &[usize], values: &[f64]) -> TensorProto {
        TensorProto::raw(dims, element::DOUBLE, values.iter().flat_map(|x| x.to_le_bytes()))
    }

    pub(super) fn int64s(dims: &[usize], values: &[i64]) -> TensorProto {
        TensorProto::raw(dims, element::INT64, values.iter().flat_map(|x| x.to_le_bytes()))
    }

    pub(super) fn bytes(dims: &[usize], values: impl IntoIterator<Item = u8>) -> TensorProto {
        TensorProto::raw(dims, element::UINT8, values)
    }

    pub(super) fn bools(dims: &[usize], values: impl IntoIterator<Item = bool>) -> TensorProto {
        TensorProto::raw(dims, element::BOOL, values.into_iter().map(u8::from))
    }

    pub(super) fn strings(dims: &[usize], string_data: Vec<String>) -> TensorProto {
        let data_type = element::STRING;
        TensorProto { dims: as_int64s(dims), data_type, string_data, ..Default::default() }
    }

    fn raw(dims: &[usize], data_type: i32, bytes: impl IntoIterator<Item = u8>) -> TensorProto {
        let raw_data = Some(bytes.into_iter().collect());
        TensorProto { dims: as_int64s(dims), data_type, raw_data, ..Default::default() }
    }
}

fn as_int64s(dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|&dim| dim as i64).collect()
}
