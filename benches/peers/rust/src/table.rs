//! A parquet file as columns of f64.

use std::error::Error;
use std::fs::File;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::{FileReader, SerializedFileReader};

pub struct Table {
    pub rows: usize,
    pub n_columns: usize,
    /// The features, one column after the other.
    pub by_column: Vec<f64>,
    /// The classes, from 0.
    pub target: Vec<usize>,
}

impl Table {
    /// Numbers without nulls; the target is the column `y`.
    pub fn read(path: &str) -> Result<Table, Box<dyn Error>> {
        let file = SerializedFileReader::new(File::open(path)?)?;
        let schema = file.metadata().file_metadata().schema_descr();
        let rows = file.metadata().file_metadata().num_rows() as usize;
        let (mut by_column, mut target) = (Vec::new(), Vec::new());
        for column in 0..schema.num_columns() {
            let name = schema.column(column).name().to_string();
            let mut values = Vec::with_capacity(rows);
            for group in 0..file.num_row_groups() {
                match file.get_row_group(group)?.get_column_reader(column)? {
                    ColumnReader::DoubleColumnReader(r) => take(r, &mut values, |v| v)?,
                    ColumnReader::FloatColumnReader(r) => take(r, &mut values, f64::from)?,
                    ColumnReader::Int32ColumnReader(r) => take(r, &mut values, f64::from)?,
                    ColumnReader::Int64ColumnReader(r) => take(r, &mut values, |v| v as f64)?,
                    _ => return Err(format!("column {name} holds no numbers").into()),
                }
            }
            if values.len() != rows {
                return Err(format!("column {name} has nulls").into());
            }
            if name == "y" {
                target = values.into_iter().map(|v| v as usize).collect();
            } else {
                by_column.extend(values);
            }
        }
        let n_columns = by_column.len() / rows.max(1);
        Ok(Table { rows, n_columns, by_column, target })
    }

    pub fn n_classes(&self) -> usize {
        self.target.iter().max().map_or(0, |&c| c + 1)
    }
}

fn take<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    values: &mut Vec<f64>,
    number: impl Fn(T::T) -> f64,
) -> Result<(), Box<dyn Error>> {
    let (mut page, mut levels) = (Vec::new(), Vec::new());
    loop {
        page.clear();
        levels.clear();
        let (records, ..) = reader.read_records(1 << 16, Some(&mut levels), None, &mut page)?;
        if records == 0 {
            return Ok(());
        }
        values.extend(page.drain(..).map(&number));
    }
}
