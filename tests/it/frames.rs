//! Small tables as plain values, how the engine reads them, and how proptest makes them up.

use std::ops::Range;

use gaintree::engine::dtype::{
    DType, Kind, TimeUnit, Value, key_of_f16, key_of_f32, key_of_f64, key_of_i64, wide_key_of_u128,
};
use gaintree::engine::{ColumnData, Kinds, MISSING, Routes, Source, Table, Test, grow};
use gaintree::{Task, Tree, TreeSpec};
use half::f16;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Scattered whole numbers below `levels`, one a row: others for another `salt`.
pub fn scattered(n: u32, salt: u32, levels: u32) -> impl Iterator<Item = u32> {
    let number = move |row: u32| {
        let x = (row.wrapping_mul(0x9e37_79b9) ^ salt).wrapping_mul(0x85eb_ca6b);
        (x ^ x >> 15).wrapping_mul(0xc2b2_ae35) >> 8
    };
    (0..n).map(move |row| number(row) % levels)
}

/// A column of values; `None` and NaN are missing.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub dtype: DType,
    /// How the tree is to take it: the dtype's own kind, or the other one by override.
    pub kind: Kind,
    pub cells: Vec<Option<Value>>,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub columns: Vec<Column>,
    pub target: Column,
    pub weights: Option<Vec<f64>>,
}

impl Column {
    pub fn new(name: &str, dtype: DType, cells: impl IntoIterator<Item = Option<Value>>) -> Self {
        let (kind, cells) = (dtype.kind(), cells.into_iter().collect());
        Column { name: name.to_string(), dtype, kind, cells }
    }

    pub fn floats(name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        Column::new(name, DType::F64, values.into_iter().map(|x| Some(Value::Float(x))))
    }

    pub fn ints(name: &str, dtype: DType, values: impl IntoIterator<Item = i128>) -> Self {
        Column::new(name, dtype, values.into_iter().map(|x| Some(Value::Int(x))))
    }

    pub fn texts<T: Into<String>>(name: &str, values: impl IntoIterator<Item = T>) -> Self {
        Column::new(name, DType::String, values.into_iter().map(|x| Some(Value::Text(x.into()))))
    }

    /// The value of a row, unless it is missing.
    pub fn known(&self, row: usize) -> Option<&Value> {
        self.cells[row].as_ref().filter(|v| !matches!(v, Value::Float(x) if x.is_nan()))
    }

    /// Which rows are missing; where none are, the mask may be there or not.
    fn mask(&self) -> Option<Vec<bool>> {
        let mask: Vec<bool> = (0..self.cells.len()).map(|row| self.known(row).is_none()).collect();
        (mask.contains(&true) || self.cells.len().is_multiple_of(3)).then_some(mask)
    }

    /// The key of each row; a missing one's key is never to be read, so it is any number.
    fn keys<K: Copy>(&self, never_read: K, key: impl Fn(&Value) -> Option<K>) -> Vec<K> {
        let key = |v| key(v).unwrap_or_else(|| panic!("{v:?} in a column of {}", self.dtype));
        (0..self.cells.len()).map(|row| self.known(row).map_or(never_read, key)).collect()
    }

    fn narrow(&self, key: impl Fn(&Value) -> Option<u64>) -> ColumnData {
        ColumnData::Keys(self.keys(u64::MAX / 3, key), self.mask())
    }

    fn wide(&self, key: impl Fn(&Value) -> Option<i128>) -> ColumnData {
        ColumnData::Wide(self.keys(i128::MIN / 3, key), self.mask())
    }

    /// Ids into a dictionary. That of an enum is its declaration; any other is in no order, has
    /// a text that no row uses, and may hold a text twice, as Polars' and Arrow's may.
    fn text(&self) -> ColumnData {
        let mut texts = match &self.dtype {
            DType::Enum { categories } => categories.clone(),
            _ => vec!["no row uses this".to_string()],
        };
        let mut ids = Vec::with_capacity(self.cells.len());
        let mut id_of = std::collections::HashMap::new();
        for row in 0..self.cells.len() {
            let Some(value) = self.known(row) else {
                ids.push(MISSING);
                continue;
            };
            let Value::Text(text) = value else {
                panic!("{value:?} in a column of {}", self.dtype)
            };
            ids.push(match self.dtype {
                DType::Enum { .. } => {
                    texts.iter().position(|t| t == text).expect("a category") as u32
                }
                _ => *id_of.entry((text, row % 2)).or_insert_with(|| {
                    texts.push(text.clone());
                    texts.len() as u32 - 1
                }),
            });
        }
        ColumnData::Text(ids, texts)
    }
}

fn float(value: &Value) -> Option<f64> {
    if let Value::Float(x) = value { Some(*x) } else { None }
}

fn int(value: &Value) -> Option<i128> {
    if let Value::Int(x) = value { Some(*x) } else { None }
}

impl Source for Column {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        match &self.dtype {
            DType::Null => ColumnData::Missing(self.cells.len()),
            DType::F64 => self.narrow(|v| key_of_f64(float(v)?)),
            DType::F32 => self.narrow(|v| key_of_f32(float(v)? as f32)),
            DType::F16 => self.narrow(|v| key_of_f16(f16::from_f64(float(v)?))),
            DType::U64 => self.narrow(|v| u64::try_from(int(v)?).ok()),
            DType::I128 | DType::Decimal { .. } => self.wide(int),
            DType::U128 => self.wide(|v| match v {
                Value::Unsigned(x) => Some(wide_key_of_u128(*x)),
                _ => None,
            }),
            DType::Boolean | DType::String | DType::Categorical | DType::Enum { .. } => self.text(),
            _ => self.narrow(|v| i64::try_from(int(v)?).ok().map(key_of_i64)),
        }
    }

    fn numbers<'a>(&'a self, rows: Range<usize>, room: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        if self.dtype != DType::F64 {
            return None;
        }
        let number = |row| self.known(row).and_then(float).unwrap_or(f64::NAN);
        *room = rows.map(number).collect();
        Some(room)
    }
}

impl Frame {
    pub fn new(columns: Vec<Column>, target: Column) -> Self {
        Frame { columns, target, weights: None }
    }

    pub fn n_rows(&self) -> usize {
        self.target.cells.len()
    }

    /// The columns taken as a kind that is not their dtype's own.
    pub fn overridden(&self, kind: Kind) -> Vec<String> {
        let columns = self.columns.iter().filter(|c| c.kind == kind && c.dtype.kind() != kind);
        columns.map(|c| c.name.clone()).collect()
    }

    /// The frame encoded, its target taken as a task says.
    pub fn table(&self, task: Task) -> gaintree::Result<Table> {
        let (ordered, nominal) = (self.overridden(Kind::Ordered), self.overridden(Kind::Nominal));
        let kinds = Kinds { task, ordered: &ordered, nominal: &nominal };
        Table::encode(&self.columns, &self.target, self.weights.clone(), kinds)
    }

    /// The engine's tree.
    pub fn grow(&self, spec: &TreeSpec) -> gaintree::Result<Tree> {
        grow(self.table(spec.task)?, spec)
    }

    /// The same in a pool of so many threads.
    pub fn grow_with(&self, threads: usize, spec: &TreeSpec) -> gaintree::Result<Tree> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| self.grow(spec))
    }

    /// The frame with these names of its first columns, and each value changed.
    pub fn changed(&self, names: &[&str], change: impl Fn(&DType, Value) -> Value) -> Frame {
        let column = |c: &Column| Column {
            cells: c.cells.iter().map(|v| v.clone().map(|v| change(&c.dtype, v))).collect(),
            ..c.clone()
        };
        let mut columns: Vec<Column> = self.columns.iter().map(column).collect();
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = name.to_string();
        }
        Frame { columns, target: column(&self.target), weights: self.weights.clone() }
    }

    /// The frame with a target of thirds.
    pub fn of_numbers(&self, thirds: &[i8]) -> Frame {
        let numbers = thirds[..self.n_rows()].iter().map(|&x| f64::from(x) / 3.0);
        Frame { target: Column::floats("y", numbers), ..self.clone() }
    }

    /// Some missing floats, or all, as NaN.
    pub fn with_nan(mut self, is_nan: impl Fn(usize) -> bool) -> Frame {
        let is_float = |c: &&mut Column| matches!(c.dtype, DType::F16 | DType::F32 | DType::F64);
        for column in self.columns.iter_mut().filter(is_float) {
            for (row, cell) in column.cells.iter_mut().enumerate() {
                if cell.is_none() && is_nan(row) {
                    *cell = Some(Value::Float(f64::NAN));
                }
            }
        }
        self
    }

    /// Some of the rows, each as often as it is named.
    pub fn take(&self, rows: &[usize]) -> Frame {
        let take = |c: &Column| Column {
            cells: rows.iter().map(|&row| c.cells[row].clone()).collect(),
            ..c.clone()
        };
        Frame {
            columns: self.columns.iter().map(take).collect(),
            target: take(&self.target),
            weights: self.weights.as_ref().map(|w| rows.iter().map(|&row| w[row]).collect()),
        }
    }

    /// The first rows: a share of all, and at least one.
    pub fn first(&self, share: f64) -> Frame {
        let n = ((self.n_rows() as f64 * share) as usize).max(1);
        self.take(&(0..n).collect::<Vec<_>>())
    }

    /// The frame with a row more for each cut of the tree, which stands in all columns of its dtype.
    pub fn with_cuts(&self, tree: &Tree) -> Frame {
        let splits = tree.node_slice().iter().filter_map(|node| node.split.as_ref());
        let cuts: Vec<(usize, Value)> = splits
            .filter_map(|split| match &split.rule.test {
                Test::AtLeast(cut) => Some((split.rule.feature as usize, cut.clone())),
                _ => None,
            })
            .collect();
        let n = self.n_rows();
        let rows: Vec<usize> = (0..n).chain((0..cuts.len()).map(|i| i % n)).collect();
        let mut frame = self.take(&rows);
        for (row, (feature, cut)) in (n..).zip(cuts) {
            let dtype = frame.columns[feature].dtype.clone();
            let like = |column: &&mut Column| column.dtype == dtype;
            for column in frame.columns.iter_mut().filter(like) {
                column.cells[row] = Some(cut.clone());
            }
        }
        frame
    }

    /// Where the rows end.
    pub fn routes(&self, tree: &Tree) -> Routes {
        let column = |name: &str| Ok(self.columns.iter().find(|c| c.name == name).cloned());
        tree.route(self.n_rows(), column, &[]).expect("routes")
    }
}

/// What weights a made-up frame has.
#[derive(Clone, Copy, Debug)]
pub enum Weighing {
    /// None, whole numbers or quarters: sums of them are exact, so ties are ties everywhere.
    Exact,
    /// Whole numbers, some of them 0.
    Whole,
    /// Any positive numbers.
    Fractions,
}

/// Frames of 1 to 40 rows, now and then 200, of 1 to 5 columns and 2 to 6 classes.
pub fn frames(weighing: Weighing) -> impl Strategy<Value = Frame> {
    let n_rows = prop_oneof![4 => 1..=12usize, 12 => 6..=40usize, 1 => 100..=200usize];
    let n_classes = prop_oneof![3 => Just(2), 3 => 3..=4usize, 1 => 5..=6usize];
    (n_rows, n_classes).prop_flat_map(move |(n, k)| {
        let columns = prop::collection::vec(column(n), 1..=5);
        (columns, target(n, k), weights(n, weighing)).prop_map(|(mut columns, target, weights)| {
            for (i, column) in columns.iter_mut().enumerate() {
                column.name = format!("x{i}");
            }
            Frame { columns, target, weights }
        })
    })
}

fn weights(n: usize, weighing: Weighing) -> BoxedStrategy<Option<Vec<f64>>> {
    let vec = |w: BoxedStrategy<f64>| prop::collection::vec(w, n).prop_map(Some);
    let whole = (0..=4u8).prop_map(f64::from).boxed();
    let large = select(vec![0.0, 1.0, 1_000_000_007.0, 2_000_000_014.0]).boxed();
    let quarters = (0..=16u8).prop_map(|w| f64::from(w) / 4.0).boxed();
    let any = prop_oneof![0.01..10.0f64, 1e-3..2e-3f64].boxed();
    match weighing {
        Weighing::Exact => {
            prop_oneof![4 => Just(None), 2 => vec(whole), 1 => vec(large), 2 => vec(quarters)]
                .boxed()
        }
        Weighing::Whole => vec(whole).boxed(),
        Weighing::Fractions => vec(any).boxed(),
    }
}

/// Classes as integers, text, booleans, or an enum declared against the order of its text.
fn target(n: usize, k: usize) -> impl Strategy<Value = Column> {
    let categories: Vec<String> = "zyxwvu".chars().map(String::from).collect();
    let text = |t: &str| Value::Text(t.to_string());
    let mut kinds = vec![
        (DType::I64, (0..6).map(|c| Value::Int(c * 7 - 20)).collect::<Vec<_>>()),
        (DType::String, ["B", "a", "b", "b2", "c", "é"].map(text).to_vec()),
        (
            DType::Enum { categories: categories.clone() },
            categories.iter().map(|c| text(c)).collect(),
        ),
    ];
    if k == 2 {
        kinds.push((DType::Boolean, ["false", "true"].map(text).to_vec()));
    }
    (select(kinds), prop::collection::vec(0..k, n)).prop_map(|((dtype, labels), classes)| {
        Column::new("y", dtype, classes.into_iter().map(|c| Some(labels[c].clone())))
    })
}

/// A column of few distinct values in many rows, or of many.
fn column(n: usize) -> impl Strategy<Value = Column> {
    let missing_in_ten = prop_oneof![4 => Just(0), 3 => Just(2), 1 => Just(6), 1 => Just(10)];
    (dtypes(), missing_in_ten).prop_flat_map(move |((dtype, kind), missing_in_ten)| {
        let missing_in_ten = if dtype == DType::Null { 10 } else { missing_in_ten };
        let n_values = prop_oneof![4 => 1..=4usize, 3 => 3..=14usize, 2 => 20..=60usize];
        let pool = n_values.prop_flat_map({
            let dtype = dtype.clone();
            move |n_values| prop::collection::vec(value(&dtype, kind), n_values)
        });
        let picks = prop::collection::vec((any::<Index>(), 0..10), n);
        (pool, picks).prop_map(move |(pool, picks)| {
            let known = |at: Index| at.get(&pool).clone();
            let cells =
                picks.into_iter().map(|(at, roll)| (roll >= missing_in_ten).then(|| known(at)));
            Column { kind, ..Column::new("", dtype.clone(), cells) }
        })
    })
}

/// Every dtype as what it is, and those that make sense as the other kind.
fn dtypes() -> impl Strategy<Value = (DType, Kind)> {
    use DType::*;
    let grades = ["poor", "fair", "good", "best", "a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let grades = Enum { categories: grades.map(|g| g.to_string()).to_vec() };
    let unit =
        |n: usize| [TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds][n];
    let zone = |n: usize| [None, Some("Europe/Zurich".to_string())][n].clone();
    let integers = vec![I8, I16, I32, I64, I128, U8, U16, U32, U64, U128];
    let texts = vec![Boolean, String, Categorical, grades];
    let decimal = Decimal { precision: 38, scale: 2 };
    let numbers = [vec![F16, F32, F64, decimal], integers].concat();
    let own = |d: DType| (d.kind(), d);
    let swap = |(kind, dtype)| (dtype, kind);
    prop_oneof![
        6 => select(numbers.clone()).prop_map(own).prop_map(swap),
        5 => select(texts.clone()).prop_map(own).prop_map(swap),
        2 => (0..3usize, 0..2usize, 0..4usize).prop_map(move |(u, z, which)| match which {
            0 => Date,
            1 => Datetime { unit: unit(u), zone: zone(z) },
            2 => Duration { unit: unit(u) },
            _ => Time,
        }).prop_map(own).prop_map(swap),
        1 => Just(Null).prop_map(own).prop_map(swap),
        2 => select(numbers).prop_map(|d| (d, Kind::Nominal)),
        1 => select(texts).prop_map(|d| (d, Kind::Ordered)),
    ]
}

/// A value of a dtype: everyday ones, neighbours, and the ends of its range.
fn value(dtype: &DType, kind: Kind) -> BoxedStrategy<Value> {
    let ints = |lo: i128, hi: i128| {
        let near_ends = select(vec![lo, lo + 1, lo + 2, hi - 2, hi - 1, hi]);
        let small = (lo.max(-3))..=hi.min(12);
        prop_oneof![4 => small, 1 => lo..=hi, 1 => near_ends].prop_map(Value::Int).boxed()
    };
    // As levels, floats are matched by their text: those everybody writes alike.
    let plain = || select(vec![-1.5, -0.0, 0.0, 0.25, 1.0, 2.0, 10.0, 300.5, f64::INFINITY]);
    let texts = "b,B,a,,é,10,9,true,two words,\"quoted\",a\nline,c,d,e,f,g,h".split(',');
    match dtype {
        DType::F16 | DType::F32 | DType::F64 if kind == Kind::Nominal => {
            plain().prop_map(Value::Float).boxed()
        }
        DType::F64 => {
            let x = 0.1f64;
            let edges = vec![x.next_down(), x, x.next_up(), 5e-324, -5e-324, 1e-323, 0.0, -0.0];
            let ends =
                vec![f64::INFINITY, f64::NEG_INFINITY, 1.7e308, -1.7e308, f64::MAX, f64::NAN];
            let special = select([edges, ends].concat());
            prop_oneof![plain(), special, any::<f64>()].prop_map(Value::Float).boxed()
        }
        DType::F32 => {
            let x = 0.1f32;
            let edges = vec![x.next_down(), x, x.next_up(), f32::MAX, f32::MIN, 1e-45, f32::NAN];
            let narrow = prop_oneof![select(edges), any::<f32>()].prop_map(f64::from);
            prop_oneof![plain(), narrow].prop_map(Value::Float).boxed()
        }
        DType::F16 => {
            let bits = any::<u16>().prop_map(|b| f16::from_bits(b).to_f64());
            prop_oneof![plain(), bits].prop_map(Value::Float).boxed()
        }
        DType::Boolean => any::<bool>().prop_map(|b| Value::Text(b.to_string())).boxed(),
        DType::String | DType::Categorical => {
            select(texts.map(|t| Value::Text(t.to_string())).collect::<Vec<_>>()).boxed()
        }
        DType::Enum { categories } => select(categories.clone()).prop_map(Value::Text).boxed(),
        DType::U128 => {
            let near_ends = select(vec![1 << 127, (1 << 127) - 1, u128::MAX, u128::MAX - 1]);
            prop_oneof![0..12u128, near_ends, any::<u128>()].prop_map(Value::Unsigned).boxed()
        }
        DType::I8 => ints(i8::MIN.into(), i8::MAX.into()),
        DType::I16 => ints(i16::MIN.into(), i16::MAX.into()),
        DType::I32 | DType::Date => ints(i32::MIN.into(), i32::MAX.into()),
        DType::U8 => ints(0, u8::MAX.into()),
        DType::U16 => ints(0, u16::MAX.into()),
        DType::U32 => ints(0, u32::MAX.into()),
        DType::U64 => ints(0, u64::MAX.into()),
        DType::Time => ints(0, 86_399_999_999_999),
        DType::I128 => ints(i128::MIN, i128::MAX),
        DType::Decimal { .. } => ints(1 - 10i128.pow(38), 10i128.pow(38) - 1),
        _ => ints(i64::MIN.into(), i64::MAX.into()),
    }
}
