//! The columns of a query as SQL and as the engine see them.

use std::collections::HashMap;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::DataType;
use gaintree::engine::{
    ColumnData, DType, Feature, Kind, MISSING, StoreColumn, Value, key_of_value, value_of_key,
};
use gaintree::{Dialect, SqlColumn, cells_of_arrays};

use crate::error::{Error, Result};
use crate::query::quote_name;

/// A column of the query.
pub(super) struct Column {
    pub(super) store: StoreColumn,
    /// The column as an ordered one, and as one of levels, whose zeros are equal.
    ordered: Feature,
    nominal: Feature,
    arrow: DataType,
}

/// What tells the values of one column apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    Number(i128),
    Text(String),
}

impl Column {
    pub(super) fn new(name: &str, dtype: &DType, arrow: &DataType) -> Self {
        let feature = |kind| Feature {
            name: name.to_string(),
            dtype: dtype.clone(),
            kind,
            has_missing: true,
            levels: Vec::new(),
        };
        Column {
            store: StoreColumn { name: name.to_string(), dtype: dtype.clone() },
            ordered: feature(Kind::Ordered),
            nominal: feature(Kind::Nominal),
            arrow: arrow.clone(),
        }
    }

    pub(super) fn quoted(&self) -> String {
        quote_name(&self.store.name)
    }

    /// The Arrow type, without a dictionary around it.
    pub(super) fn plain_type(&self) -> &DataType {
        match &self.arrow {
            DataType::Dictionary(_, values) => values,
            plain => plain,
        }
    }

    /// The column of this type.
    pub(super) fn plain(&self) -> String {
        match &self.arrow {
            DataType::Dictionary(_, values) => {
                format!("arrow_cast({}, '{values}')", self.quoted())
            }
            _ => self.quoted(),
        }
    }

    /// The column in conditions of order.
    pub(super) fn ordered(&self) -> Result<SqlColumn<'_>> {
        Ok(SqlColumn::new(Dialect::DataFusion, &self.ordered)?)
    }

    /// The column in conditions of equality.
    pub(super) fn nominal(&self) -> Result<SqlColumn<'_>> {
        Ok(SqlColumn::new(Dialect::DataFusion, &self.nominal)?)
    }

    /// The column as a 64-bit float, the nearest one; null or NaN where missing.
    pub(super) fn as_float(&self) -> String {
        match self.store.dtype {
            // By its text, as a quotient of floats would be rounded twice.
            DType::Decimal { .. } => {
                format!("CAST(CAST({} AS VARCHAR) AS DOUBLE)", self.quoted())
            }
            _ => format!("CAST({} AS DOUBLE)", self.quoted()),
        }
    }

    /// The cells of a result's column that has this column's values.
    pub(super) fn cells(&self, batches: &[RecordBatch], at: usize) -> Result<ColumnData> {
        let arrays: Vec<ArrayRef> = batches.iter().map(|batch| batch.column(at).clone()).collect();
        let arrow = batches.first().map_or(&self.arrow, |batch| batch.column(at).data_type());
        Ok(cells_of_arrays(&self.store.name, arrow, arrays)?)
    }

    /// The key of each cell; `None` where missing.
    pub(super) fn keys(&self, cells: &ColumnData) -> Vec<Option<Key>> {
        let known = |missing: &Option<Vec<bool>>, row: usize| {
            missing.as_ref().is_none_or(|missing| !missing[row])
        };
        match cells {
            ColumnData::Keys(keys, missing) => (0..keys.len())
                .map(|row| known(missing, row).then(|| Key::Number(keys[row].into())))
                .collect(),
            ColumnData::Wide(keys, missing) => (0..keys.len())
                .map(|row| known(missing, row).then(|| Key::Number(keys[row])))
                .collect(),
            ColumnData::Text(ids, texts) => ids
                .iter()
                .map(|&id| (id != MISSING).then(|| Key::Text(texts[id as usize].clone())))
                .collect(),
            ColumnData::Missing(n) => vec![None; *n],
        }
    }

    /// The key of a value; `None` for one that is missing.
    pub(super) fn key(&self, value: &Value) -> Option<Key> {
        match value {
            Value::Text(text) => Some(Key::Text(text.clone())),
            value => key_of_value(&self.store.dtype, value).map(Key::Number),
        }
    }

    pub(super) fn value(&self, key: &Key) -> Value {
        match key {
            Key::Number(key) => value_of_key(&self.store.dtype, *key),
            Key::Text(text) => Value::Text(text.clone()),
        }
    }

    /// The numbers of values listed by their literals: `CASE x WHEN 'a' THEN 0 …`; null where
    /// missing.
    pub(super) fn codes(&self, values: &[Value], code: impl Fn(usize) -> u32) -> Result<String> {
        if values.is_empty() {
            return Ok("CAST(NULL AS BIGINT)".to_string());
        }
        let sql = self.nominal()?;
        let mut case = format!("CASE ({})", sql.expression());
        for (at, value) in values.iter().enumerate() {
            case += &format!(" WHEN {} THEN {}", sql.literal(value)?, code(at));
        }
        Ok(case + " END")
    }
}

/// The distinct keys of a result's column: values that Arrow tells apart may be one to the engine.
pub(super) fn distinct(column: &Column, batches: &[RecordBatch], at: usize) -> Result<Vec<Key>> {
    let keys = column.keys(&column.cells(batches, at)?);
    let mut seen = HashMap::new();
    for key in keys.into_iter().flatten() {
        let next = seen.len();
        seen.entry(key).or_insert(next);
    }
    let mut distinct: Vec<Key> = seen.into_keys().collect();
    distinct.sort();
    Ok(distinct)
}

/// A number that a query's result has to have.
pub(super) fn lost(what: &str) -> Error {
    Error::Request(format!(
        "the engine's answer has {what}: its tables may have changed between two passes"
    ))
}
