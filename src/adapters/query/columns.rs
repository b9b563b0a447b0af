//! The columns of a query as SQL and as the engine see them.

use arrow_array::Array;
use arrow_schema::{DataType, Schema};

use super::answers::{Answer, lost};
use super::counting_sql::CountingSql;
use crate::adapters::record_batch::{arrow_error, cells_of_arrays, dtype_of_arrow};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::keys::{key_of_value, value_of_key};
use crate::data::dtype::{DType, Kind, Value};
use crate::error::Result;
use crate::export::{Dialect, SqlColumn};
use crate::external::StoreColumn;
use crate::tree::Feature;

/// A column of the query. All queries but the innermost know it by a name of ours, an alias.
pub(super) struct QueryColumn {
    pub(super) store: StoreColumn,
    dialect: Dialect,
    counting: &'static dyn CountingSql,
    /// The alias in the engine's quotes.
    alias: String,
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

impl QueryColumn {
    pub(super) fn new(
        dialect: Dialect,
        counting: &'static dyn CountingSql,
        schema: &Schema,
        alias: &str,
        (name, dtype): &(String, DType),
    ) -> Result<Self> {
        let feature = |kind| Feature {
            name: alias.to_string(),
            dtype: dtype.clone(),
            kind,
            has_missing: true,
            levels: Vec::new(),
        };
        let arrow = schema.field_with_name(name).map_err(arrow_error)?.data_type().clone();
        Ok(QueryColumn {
            store: StoreColumn { name: name.clone(), dtype: dtype.clone() },
            dialect,
            counting,
            alias: dialect.quote_name(alias)?,
            ordered: feature(Kind::Ordered),
            nominal: feature(Kind::Nominal),
            arrow,
        })
    }

    /// What the innermost query selects: the only place where the column has its own name.
    pub(super) fn selected(&self) -> Result<String> {
        let name = self.dialect.quote_name(&self.store.name)?;
        let dictionary_of = match &self.arrow {
            DataType::Dictionary(_, values) => Some(values.to_string()),
            _ => None,
        };
        let plain = self.counting.plain(&name, &self.store.dtype, dictionary_of.as_deref());
        Ok(format!("{plain} AS {}", self.alias))
    }

    pub(super) fn alias(&self) -> &str {
        &self.alias
    }

    /// The Arrow type, without a dictionary around it.
    pub(super) fn plain_type(&self) -> &DataType {
        match &self.arrow {
            DataType::Dictionary(_, values) => values,
            plain => plain,
        }
    }

    pub(super) fn ordered(&self) -> Result<SqlColumn<'_>> {
        SqlColumn::new(self.dialect, &self.ordered)
    }

    pub(super) fn nominal(&self) -> Result<SqlColumn<'_>> {
        SqlColumn::new(self.dialect, &self.nominal)
    }

    /// The column as a 64-bit float, the nearest one; null or NaN where missing.
    pub(super) fn as_float(&self) -> String {
        self.float_of(&self.alias)
    }

    /// As [`as_float`](Self::as_float), in the innermost query.
    pub(super) fn selected_float(&self) -> Result<String> {
        Ok(self.float_of(&self.dialect.quote_name(&self.store.name)?))
    }

    fn float_of(&self, name: &str) -> String {
        match self.store.dtype {
            // By its text, as a quotient of floats would be rounded twice.
            DType::Decimal { .. } => {
                format!("CAST(CAST({name} AS {}) AS DOUBLE)", self.counting.text_type())
            }
            _ => format!("CAST({name} AS DOUBLE)"),
        }
    }

    /// A value of the column as a number, if its bins are even steps; see [`CountingSql::number`].
    pub(super) fn number(&self, x: &str) -> Option<String> {
        self.counting.number(x, &self.store.dtype, &self.arrow)
    }

    /// The type of the column's cells among several columns: integers have one, and so have floats.
    fn cell_type(&self) -> Option<&'static str> {
        use DType::{F32, F64, I8, I16, I32, I64, U8, U16, U32};
        match self.store.dtype {
            I8 | I16 | I32 | I64 | U8 | U16 | U32 => Some("BIGINT"),
            F32 | F64 => Some("DOUBLE"),
            _ => None,
        }
    }

    /// The name of that type. Columns with the same name are cells of one query.
    pub(super) fn type_name(&self) -> String {
        self.cell_type().map_or_else(|| self.plain_type().to_string(), str::to_string)
    }

    /// The column as one of that type, null where missing. Its zeros are equal.
    pub(super) fn cell(&self) -> Result<String> {
        let (known, nominal) = (self.ordered()?.known(), self.nominal()?);
        let x = nominal.expression();
        Ok(match self.cell_type() {
            Some(cell_type) => format!("CASE WHEN {known} THEN CAST({x} AS {cell_type}) END"),
            None => format!("CASE WHEN {known} THEN {x} END"),
        })
    }

    /// The cells of an answer's column that has this column's values.
    pub(super) fn cells(&self, answer: &Answer, at: usize) -> Result<ColumnData> {
        let arrays = answer.arrays(at);
        let arrow = arrays.first().map_or(&self.arrow, |array| array.data_type()).clone();
        let StoreColumn { name, dtype } = &self.store;
        let is_same = |came: &DType| came == dtype || (came.is_text() && dtype.is_text());
        match dtype_of_arrow(&arrow) {
            // A column without a value may come as one of no dtype.
            Some(came) if is_same(&came) || came == DType::Null => {
                cells_of_arrays(name, &arrow, arrays)
            }
            _ => Err(lost(&format!("column `{name}` as {arrow}, which is {dtype}"))),
        }
    }

    /// The values of an answer's column of cells of this column's type, none of them missing.
    pub(super) fn values_of_cells(&self, answer: &Answer, at: usize) -> Result<Vec<Value>> {
        let missing = || lost("a value that is missing");
        match self.cell_type() {
            Some("BIGINT") => {
                Ok(answer.whole(at)?.into_iter().map(|x| Value::Int(x.into())).collect())
            }
            Some(_) => {
                let floats = answer.floats(at)?.into_iter();
                floats.map(|x| x.map(Value::Float).ok_or_else(missing)).collect()
            }
            None => {
                let keys = self.keys(&self.cells(answer, at)?).into_iter();
                keys.map(|key| Ok(self.value(&key.ok_or_else(missing)?))).collect()
            }
        }
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
