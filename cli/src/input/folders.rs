//! Columns that folders name: the rows of `year=2024/a.parquet` have 2024 in a column `year`, as
//! Hive, Spark and Polars write them.

use std::collections::HashMap;
use std::path::{Component, Path};

use chrono::NaiveDate;
use percent_encoding::percent_decode_str;
use polars::prelude::{Column, DataType, Expr, PlSmallStr, PolarsResult, Scalar, Schema, lit};

use super::Input;
use super::dtypes::cast_text;

/// What Hive writes for a missing value.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

#[derive(Clone, Debug)]
pub(super) struct FolderColumn {
    pub name: PlSmallStr,
    value: Option<String>,
}

impl FolderColumn {
    pub fn value(&self, dtype: &DataType) -> PolarsResult<Expr> {
        let column = Column::new(self.name.clone(), [self.value.as_deref()]);
        let value = cast_text(&column, dtype)?.get(0)?.into_static();
        Ok(lit(Scalar::new(dtype.clone(), value)).alias(self.name.clone()))
    }
}

/// Adds the columns that folders name and files have not to the schemas. Their dtypes are given, or
/// hold the values of all files.
pub(super) fn add_folders(files: &mut [(Input, Schema)], given: &Schema) {
    for (input, schema) in &mut *files {
        input.folders = match input.standard {
            Some(_) => Vec::new(),
            None => columns_of(&input.path),
        };
        input.folders.retain(|column| !schema.contains(&column.name));
    }
    let mut values: HashMap<PlSmallStr, Vec<String>> = HashMap::new();
    for column in files.iter().flat_map(|(input, _)| &input.folders) {
        values.entry(column.name.clone()).or_default().extend(column.value.clone());
    }
    for (input, schema) in files {
        for FolderColumn { name, .. } in &input.folders {
            let dtype = given.get(name).cloned();
            schema.insert(name.clone(), dtype.unwrap_or_else(|| dtype_of(&values[name])));
        }
    }
}

/// The columns that the folders of a path name, as text; the last one where two have one name.
fn columns_of(path: &Path) -> Vec<FolderColumn> {
    let mut columns: Vec<FolderColumn> = Vec::new();
    for folder in path.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(folder) = folder else { continue };
        let Some((name, value)) = folder.to_str().and_then(|folder| folder.split_once('=')) else {
            continue;
        };
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let name = PlSmallStr::from(decoded(name));
        let value = (!value.is_empty() && value != MISSING).then(|| decoded(value));
        columns.retain(|other| other.name != name);
        columns.push(FolderColumn { name, value });
    }
    columns
}

fn dtype_of(values: &[impl AsRef<str>]) -> DataType {
    let all = |is_one: fn(&str) -> bool| values.iter().all(|value| is_one(value.as_ref()));
    match () {
        () if values.is_empty() => DataType::String,
        () if all(|text| text.parse::<i64>().is_ok()) => DataType::Int64,
        () if all(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) => DataType::Float64,
        () if all(|text| text.parse::<NaiveDate>().is_ok()) => DataType::Date,
        () => DataType::String,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_columns() {
        let found = |path: &str| -> Vec<(String, Option<String>)> {
            let columns = columns_of(Path::new(path)).into_iter();
            columns.map(|column| (column.name.to_string(), column.value)).collect()
        };
        let text = |text: &str| Some(text.to_string());
        assert_eq!(
            found("/h=1/../year=2024/city=S%C3%A3o%20Paulo/h=2/c=3.csv"),
            [
                ("year".to_string(), text("2024")),
                ("city".to_string(), text("São Paulo")),
                ("h".to_string(), text("2"))
            ]
        );
        let missing = found(&format!("a={MISSING}/b=/c.csv"));
        assert_eq!(missing, [("a".to_string(), None), ("b".to_string(), None)]);
        assert_eq!(found("c=3.csv"), []);
    }

    #[test]
    fn their_dtype_holds_all_values() {
        for (values, expected) in [
            (&["01", "-2"][..], DataType::Int64),
            (&["1", "2.5"], DataType::Float64),
            (&["2024-01-31"], DataType::Date),
            (&["1", "a"], DataType::String),
            (&["nan"], DataType::String),
            (&[], DataType::String),
        ] {
            assert_eq!(dtype_of(values), expected, "{values:?}");
        }
    }
}
