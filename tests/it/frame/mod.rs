//! The Polars face: frames in, frames out.

mod choose;
mod corrected;
mod dtypes;
mod errors;
mod evaluation;
mod expressions;
mod forests;
mod out_of_bag;
mod permutation;
mod pruning;
mod rankings;
mod score;
mod selections;
mod trees;

use gaintree::engine::dtype::{DType, Kind, TimeUnit, Value};
use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::frames::{Column as Made, Frame as MadeFrame};
use crate::full_ranking::full;

// ---- data ----------------------------------------------------------------------------------

/// One of the example files.
pub fn parquet(name: &str) -> DataFrame {
    scan(name).collect().expect("reads")
}

fn scan(name: &str) -> LazyFrame {
    let path = format!("{}/examples/data/{name}.parquet", env!("CARGO_MANIFEST_DIR"));
    LazyFrame::scan_parquet(PlRefPath::new(path), ScanArgsParquet::default()).expect("scans")
}

/// A csv of text, read without the `csv` feature of Polars.
fn text_table(csv: &str) -> DataFrame {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |(i, name): (usize, &&str)| {
        Column::new((*name).into(), rows.iter().map(|row| row[i]).collect::<Vec<_>>())
    };
    DataFrame::new(rows.len(), names.iter().enumerate().map(column).collect()).expect("a table")
}

pub fn weather() -> DataFrame {
    text_table(include_str!("../../../examples/data/weather.csv"))
}

/// The loan table without its row numbers.
fn loan() -> DataFrame {
    text_table(include_str!("../../../examples/data/loan.csv")).drop("id").expect("has an id")
}

// ---- frames in few words -------------------------------------------------------------------

/// `name dtype` of every column, in order.
pub fn schema(df: &DataFrame) -> String {
    let columns = df.columns().iter().map(|c| format!("{} {}", c.name(), c.dtype()));
    columns.collect::<Vec<_>>().join(", ")
}

pub fn texts(df: &DataFrame, name: &str) -> Vec<Option<String>> {
    let column = df.column(name).expect("a column").cast(&DataType::String).expect("text");
    column.str().expect("text").iter().map(|t| t.map(str::to_string)).collect()
}

pub fn floats(df: &DataFrame, name: &str) -> Vec<Option<f64>> {
    let column = df.column(name).expect("a column").cast(&DataType::Float64).expect("numbers");
    column.f64().expect("numbers").to_vec()
}

/// The figure of each line of a ranking, by feature.
pub fn figure(ranking: &DataFrame, feature: &str, name: &str) -> f64 {
    let row = texts(ranking, "feature").iter().position(|f| f.as_deref() == Some(feature));
    floats(ranking, name)[row.expect("is ranked")].expect("a figure")
}

pub fn word(table: &DataFrame, name: &str, row: usize) -> String {
    texts(table, name)[row].clone().expect("a text")
}

pub fn digits(figure: f64, n: usize) -> String {
    format!("{figure:.n$}")
}

/// Names, dtypes and values; null equals null.
#[track_caller]
pub fn assert_same(a: &DataFrame, b: &DataFrame, what: &str) {
    assert_eq!(schema(a), schema(b), "{what}");
    assert!(a.equals_missing(b), "{what}\n{a}\n{b}");
}

pub fn only(df: &DataFrame, rows: Expr) -> DataFrame {
    df.clone().lazy().filter(rows).collect().expect("filters")
}

pub fn with(df: &DataFrame, column: Column) -> DataFrame {
    let mut df = df.clone();
    df.with_column(column).expect("fits");
    df
}

pub fn cast(df: &DataFrame, name: &str, dtype: &DataType) -> DataFrame {
    with(df, df.column(name).expect("a column").strict_cast(dtype).expect("casts"))
}

pub fn enum_of(categories: &[&str]) -> DataType {
    let categories = FrozenCategories::new(categories.iter().copied()).expect("categories");
    DataType::from_frozen_categories(categories)
}

/// The same query by the engine in memory and the streaming one, which must agree.
#[track_caller]
pub fn collected(query: LazyFrame) -> DataFrame {
    let by = |engine| query.clone().collect_with_engine(engine).expect("runs").unwrap_single();
    let (here, streamed) = (by(Engine::InMemory), by(Engine::Streaming));
    assert_same(&here, &streamed, "streamed");
    here
}

/// The same rows in pieces, cut at these places.
fn in_pieces(df: &DataFrame, cuts: &[Index]) -> DataFrame {
    let mut cuts: Vec<usize> = cuts.iter().map(|at| at.index(df.height() + 1)).collect();
    cuts.extend([0, df.height()]);
    cuts.sort_unstable();
    let mut pieces = cuts.windows(2).map(|w| df.slice(w[0] as i64, w[1] - w[0]));
    let mut whole = pieces.next().expect("a piece");
    pieces.for_each(|piece| {
        whole.vstack_mut(&piece).expect("one schema");
    });
    whole
}

// ---- made-up frames as Polars has them -----------------------------------------------------

pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The frame with its target `y` and, where it has weights, `w`.
pub fn data_frame(frame: &MadeFrame) -> DataFrame {
    let columns = frame.columns.iter().chain([&frame.target]).map(column);
    let mut df = DataFrame::new(frame.n_rows(), columns.collect()).expect("one height");
    if let Some(weights) = &frame.weights {
        df = with(&df, Column::new("w".into(), weights));
    }
    df
}

fn column(made: &Made) -> Column {
    let float = |v: &Value| if let Value::Float(x) = v { Some(*x) } else { None };
    let int = |v: &Value| if let Value::Int(x) = v { Some(*x) } else { None };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { Some(*x) } else { None };
    let text = |v: &Value| if let Value::Text(x) = v { Some(x.clone()) } else { None };
    let name: PlSmallStr = made.name.as_str().into();
    let cells = || made.cells.iter();
    let ints = || {
        let ints: Int128Chunked = cells().map(|c| int(c.as_ref()?)).collect();
        ints.with_name(name.clone())
    };
    let dtype = polars_dtype(&made.dtype);
    let series = match &made.dtype {
        DType::Null => return Column::full_null(name, made.cells.len(), &DataType::Null),
        DType::Decimal { precision, scale } => {
            return ints().into_decimal_unchecked(*precision, *scale).into_series().into();
        }
        DType::F16 | DType::F32 | DType::F64 => {
            Series::new(name, cells().map(|c| float(c.as_ref()?)).collect::<Vec<_>>())
        }
        DType::U128 => {
            let values: UInt128Chunked = cells().map(|c| unsigned(c.as_ref()?)).collect();
            values.with_name(name).into_series()
        }
        DType::Boolean => {
            let truths = cells().map(|c| Some(text(c.as_ref()?)? == "true"));
            Series::new(name, truths.collect::<Vec<_>>())
        }
        DType::String | DType::Categorical | DType::Enum { .. } => {
            Series::new(name, cells().map(|c| text(c.as_ref()?)).collect::<Vec<_>>())
        }
        // Dates and times from the integers behind them.
        _ => ints().into_series().strict_cast(&dtype.to_physical()).expect("in range"),
    };
    series.cast(&dtype).expect("casts").into()
}

fn polars_dtype(dtype: &DType) -> DataType {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => polars::prelude::TimeUnit::Nanoseconds,
        TimeUnit::Microseconds => polars::prelude::TimeUnit::Microseconds,
        TimeUnit::Milliseconds => polars::prelude::TimeUnit::Milliseconds,
    };
    match dtype {
        DType::Null => DataType::Null,
        DType::Boolean => DataType::Boolean,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::I128 => DataType::Int128,
        DType::U8 => DataType::UInt8,
        DType::U16 => DataType::UInt16,
        DType::U32 => DataType::UInt32,
        DType::U64 => DataType::UInt64,
        DType::U128 => DataType::UInt128,
        DType::F16 => DataType::Float16,
        DType::F32 => DataType::Float32,
        DType::F64 => DataType::Float64,
        DType::Decimal { precision, scale } => DataType::Decimal(*precision, *scale),
        DType::Date => DataType::Date,
        DType::Datetime { unit: u, zone } => {
            let zone = zone.as_deref().map(|z| polars::prelude::TimeZone::opt_try_new(Some(z)));
            DataType::Datetime(unit(u), zone.and_then(|z| z.expect("a zone")))
        }
        DType::Duration { unit: u } => DataType::Duration(unit(u)),
        DType::Time => DataType::Time,
        DType::Categorical => DataType::from_categories(Categories::global()),
        DType::Enum { categories } => {
            enum_of(&categories.iter().map(String::as_str).collect::<Vec<_>>())
        }
        _ => DataType::String,
    }
}

/// The presets with every grouping, criterion, selection and way with missing values.
pub fn specs() -> impl Strategy<Value = TreeSpec> {
    let unpruned = TreeSpec::c45().pruning(Pruning::None);
    let presets = select(vec![TreeSpec::cart(), TreeSpec::id3(), unpruned, TreeSpec::c45()]);
    let groupings = select(vec![
        None,
        Some(Grouping::Multiway),
        Some(Grouping::OneVsRest),
        Some(Grouping::Subset),
    ]);
    let missing = select(vec![Missing::Learn, Missing::Majority]);
    let selections = select(vec![None, Some(Selection::BestRatio)]);
    let leaf = select(vec![None, Some(1), Some(3)]);
    (presets, groupings, missing, selections, leaf).prop_map(|(spec, group, missing, by, leaf)| {
        let grouping = group.unwrap_or(spec.grouping);
        let selection = by.unwrap_or(spec.selection);
        let leaf = leaf.unwrap_or(spec.min_samples_leaf);
        spec.grouping(grouping).missing(missing).selection(selection).min_samples_leaf(leaf)
    })
}

/// The spec with the weight and the kinds that a made-up frame asks for.
pub fn spec_for(frame: &MadeFrame, spec: TreeSpec) -> TreeSpec {
    let [ordered, nominal] = overridden(frame);
    let spec = spec.ordered(ordered).nominal(nominal);
    if frame.weights.is_some() { spec.weight("w") } else { spec }
}

/// The columns taken as ordered, and as nominal, against their dtype.
fn overridden(frame: &MadeFrame) -> [Vec<String>; 2] {
    [Kind::Ordered, Kind::Nominal].map(|kind| {
        let columns = frame.columns.iter().filter(|c| c.kind == kind && c.dtype.kind() != kind);
        columns.map(|c| c.name.clone()).collect()
    })
}

/// Whether there is something to learn: two classes among the rows that count, and a feature
/// that is more than nulls by its dtype.
pub fn can_be_learnt(frame: &MadeFrame) -> bool {
    let counts = |row: &usize| frame.weights.as_ref().is_none_or(|w| w[*row] > 0.0);
    let mut classes: Vec<String> = (0..frame.n_rows())
        .filter(counts)
        .map(|r| format!("{:?}", frame.target.cells[r]))
        .collect();
    classes.sort();
    classes.dedup();
    classes.len() > 1 && frame.columns.iter().any(|c| c.dtype != DType::Null)
}
