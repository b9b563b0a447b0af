//! Random trees of every dtype as SQL, over the rows that all ways of scoring are held to.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, UInt32Array};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::prelude::SessionContext;
use gaintree::engine::dtype::{DType, Value};
use gaintree::{Dialect, Missing};

use crate::arrow_columns::array;
use crate::expected::{NAMES, answers, bits, expressions, hostile, nasty};
use crate::frames::Frame;
use crate::random_cases::random_cases;

/// The columns of dtypes that Arrow has, with levels of ill will.
fn of_arrow(frame: Frame) -> Frame {
    let has = |dtype: &DType| !matches!(dtype, DType::I128 | DType::U128);
    let columns = frame.columns.into_iter().filter(|column| has(&column.dtype)).collect();
    hostile(&Frame { columns, ..frame }, &NAMES, |dtype, value| match (dtype, value) {
        (DType::String | DType::Categorical, Value::Text(text)) => Value::Text(nasty(&text)),
        (_, value) => value,
    })
}

/// The rows as a table `t`, with their number as `nr`.
fn session(frame: &Frame) -> SessionContext {
    let nr: ArrayRef = Arc::new(UInt32Array::from_iter_values(0..frame.n_rows() as u32));
    let columns = frame.columns.iter().map(|column| (column.name.as_str(), array(column), true));
    let columns = columns.chain([("nr", nr, false)]);
    let session = SessionContext::new();
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
    session.register_batch("t", batch).expect("registers");
    session
}

/// A column as [`answers`] writes it.
fn texts(column: &ArrayRef) -> Vec<String> {
    match column.data_type() {
        DataType::Float64 => {
            column.as_primitive::<Float64Type>().values().iter().map(|x| bits(*x)).collect()
        }
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().values().iter().map(i64::to_string).collect()
        }
        DataType::Boolean => column.as_boolean().values().iter().map(|x| x.to_string()).collect(),
        _ => column.as_string::<i32>().iter().map(|x| x.unwrap_or("null").to_string()).collect(),
    }
}

/// As many as all other engines are asked.
#[tokio::test]
async fn random_trees_answer_as_routing_does() {
    let mut asked = 0;
    for (frame, mut spec, share) in random_cases() {
        if asked == 1_000 {
            break;
        }
        if spec.missing == Missing::Fractional {
            spec.missing = Missing::Learn;
        }
        let frame = of_arrow(frame);
        let Ok(tree) = frame.first(share).grow(&spec) else { continue };
        let rows = frame.with_cuts(&tree).with_nan(|row| (asked + row) % 3 < asked % 4);
        let sql = expressions(&tree, Dialect::DataFusion).expect("SQL");
        let columns: Vec<String> =
            sql.iter().enumerate().map(|(at, sql)| format!("{sql} AS a{at}")).collect();
        let query = format!("SELECT {} FROM t ORDER BY nr", columns.join(", "));
        let batches = session(&rows).sql(&query).await.expect(&query).collect().await;
        let batches = batches.expect(&query);
        let batch = arrow::compute::concat_batches(&batches[0].schema(), &batches);
        let found: Vec<Vec<String>> = batch.expect("a batch").columns().iter().map(texts).collect();
        for (row, expected) in answers(&rows, &tree).into_iter().enumerate() {
            let answer: Vec<&str> = found.iter().map(|column| column[row].as_str()).collect();
            assert_eq!(answer, expected, "case {asked}, row {row}\n{tree}\n{query}");
        }
        asked += 1;
    }
}
