//! Random tables of all dtypes.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::SessionContext;

/// Numbers that look random: xorshift, seeded.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// `None` one time in eight.
    fn maybe<T>(&mut self, value: T) -> Option<T> {
        (self.below(8) > 0).then_some(value)
    }
}

const FLOATS: [f64; 10] =
    [0.0, -0.0, 0.1, -1.5, 1e300, -1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2.5];
const TEXTS: [&str; 7] = ["a", "b", "it's", "back\\slash", "Ä\"quoted", "", "null"];

fn column<T: ArrowPrimitiveType>(
    rows: usize,
    random: &mut Random,
    value: impl Fn(&mut Random) -> T::Native,
) -> PrimitiveArray<T> {
    let values: Vec<Option<T::Native>> = (0..rows)
        .map(|_| {
            let value = value(random);
            random.maybe(value)
        })
        .collect();
    PrimitiveArray::from_iter(values)
}

/// A column of every dtype, with nulls.
fn features(rows: usize, r: &mut Random) -> Vec<(&'static str, ArrayRef)> {
    let texts: Vec<Option<&str>> = (0..rows)
        .map(|_| {
            let text = TEXTS[r.below(7) as usize];
            r.maybe(text)
        })
        .collect();
    let float = |r: &mut Random| match r.below(2) {
        0 => FLOATS[r.below(10) as usize],
        _ => r.below(1000) as f64 / 7.0 - 60.0,
    };
    let zoned = column::<TimestampMicrosecondType>(rows, r, |r| r.below(1 << 40) as i64);
    let decimals = column::<Decimal128Type>(rows, r, |r| i128::from(r.below(9999)) - 5000);
    let bools: Vec<Option<bool>> = (0..rows)
        .map(|_| {
            let is = r.below(2) > 0;
            r.maybe(is)
        })
        .collect();
    vec![
        ("i64", Arc::new(column::<Int64Type>(rows, r, |r| r.below(40) as i64 - 20))),
        ("I64", Arc::new(column::<Int64Type>(rows, r, |r| i64::MAX - r.below(9) as i64))),
        ("i8", Arc::new(column::<Int8Type>(rows, r, |r| r.below(250) as i8))),
        ("u64", Arc::new(column::<UInt64Type>(rows, r, |r| u64::MAX - r.below(9)))),
        ("f64", Arc::new(column::<Float64Type>(rows, r, float))),
        ("f32 \"x\"", Arc::new(column::<Float32Type>(rows, r, |r| float(r) as f32))),
        ("zeros", Arc::new(column::<Float64Type>(rows, r, |r| FLOATS[r.below(4) as usize]))),
        ("text", Arc::new(StringArray::from(texts.clone()))),
        ("view", Arc::new(StringViewArray::from(texts.clone()))),
        ("dictionary", Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("bool", Arc::new(BooleanArray::from(bools))),
        ("date", Arc::new(column::<Date32Type>(rows, r, |r| r.below(9000) as i32 - 4000))),
        ("ns", Arc::new(column::<TimestampNanosecondType>(rows, r, |r| r.below(1 << 60) as i64))),
        ("s", Arc::new(column::<TimestampSecondType>(rows, r, |r| r.below(20) as i64))),
        ("zoned", Arc::new(zoned.with_timezone("+02:00"))),
        ("time", Arc::new(column::<Time64MicrosecondType>(rows, r, |r| r.below(86_400) as i64))),
        ("span", Arc::new(column::<DurationMillisecondType>(rows, r, |r| r.below(50) as i64))),
        (
            "decimal",
            Arc::new(decimals.with_precision_and_scale(10, 3).expect("ten digits are enough")),
        ),
        ("nothing", Arc::new(NullArray::new(rows))),
    ]
}

/// The kinds of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    Text,
    Integer,
    Boolean,
    Number,
}

pub const TARGETS: [TargetKind; 4] =
    [TargetKind::Text, TargetKind::Integer, TargetKind::Boolean, TargetKind::Number];

/// A table of `id`, a feature of every dtype, `weight` and a target `y` that some features tell
/// something about.
pub fn random_table(seed: u64, rows: usize, target: TargetKind) -> RecordBatch {
    let mut random = Random::new(seed + 1);
    let r = &mut random;
    let features = features(rows, r);
    let numbers = features[0].1.as_primitive::<Int64Type>().clone();
    let dates = features[11].1.as_primitive::<Date32Type>().clone();
    let classes: Vec<u64> = (0..rows)
        .map(|row| {
            let by = numbers.value(row).rem_euclid(3) as u64 + u64::from(dates.value(row) > 500);
            if r.below(4) > 0 { by % 3 } else { r.below(3) }
        })
        .collect();
    let y: ArrayRef = match target {
        TargetKind::Text => Arc::new(StringArray::from_iter_values(
            classes.iter().map(|&c| ["no", "it's", "b"][c as usize]),
        )),
        TargetKind::Integer => {
            Arc::new(Int16Array::from_iter_values(classes.iter().map(|&c| c as i16 * 9 - 7)))
        }
        TargetKind::Boolean => {
            Arc::new(BooleanArray::from_iter(classes.iter().map(|&c| Some(c > 0))))
        }
        TargetKind::Number => Arc::new(Float64Array::from_iter_values(
            classes.iter().map(|&c| c as f64 / 3.0 + r.below(100) as f64 * 1e-3),
        )),
    };
    let ids = UInt32Array::from_iter_values(0..rows as u32);
    let weights = Float64Array::from_iter_values((0..rows).map(|_| r.below(5) as f64 / 4.0));
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![("id", Arc::new(ids), false)];
    columns.extend(features.into_iter().map(|(name, column)| (name, column, true)));
    columns.push(("weight", Arc::new(weights), false));
    columns.push(("y", y, false));
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
}

/// The names of the features.
pub fn feature_names(table: &RecordBatch) -> Vec<String> {
    let names = table.schema_ref().fields().iter().map(|field| field.name().clone());
    names.filter(|name| !["id", "weight", "y"].contains(&name.as_str())).collect()
}

/// Registers a table in pieces of unequal length.
pub fn register(session: &SessionContext, table: &RecordBatch, pieces: usize) {
    let schema = table.schema();
    let parts = pieces_of(table, pieces).into_iter().map(|piece| vec![piece]).collect();
    let provider = datafusion::datasource::MemTable::try_new(schema, parts).expect("a table");
    let _ = session.deregister_table("t");
    session.register_table("t", Arc::new(provider)).expect("registers");
}

fn pieces_of(table: &RecordBatch, pieces: usize) -> Vec<RecordBatch> {
    let rows = table.num_rows();
    let ends: Vec<usize> = (0..=pieces).map(|i| rows * i * i / (pieces * pieces)).collect();
    ends.windows(2).map(|ends| table.slice(ends[0], ends[1] - ends[0])).collect()
}

/// Writes a table as a folder of parquet files.
pub fn write_parquet(folder: &Path, table: &RecordBatch, pieces: usize) {
    for (i, piece) in pieces_of(table, pieces).into_iter().enumerate() {
        let file = File::create(folder.join(format!("part-{i}.parquet"))).expect("a file");
        let mut writer = ArrowWriter::try_new(file, table.schema(), None).expect("a writer");
        writer.write(&piece).expect("writes");
        writer.close().expect("closes");
    }
}
