//! A frame made of bytes, well-formed or not: refused, or a tree that holds the laws.
#![no_main]

use arbitrary::Arbitrary;
use gaintree::engine::dtype::{DType, TimeUnit, key_of_f32, key_of_f64, key_of_i64};
use gaintree::engine::{ColumnData, Kinds, MISSING, Source, Table, curve, grow, rank, rank_in_turn};
use gaintree::{Criterion, Cuts, Grouping, LogBase, Missing, Pruning, RankMissing, Selection, Task, Tree, TreeSpec};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Values {
    Floats(Vec<Option<f64>>),
    Singles(Vec<Option<f32>>),
    Small(Vec<Option<u8>>),
    Ints(Vec<Option<i64>>),
    Dates(Vec<Option<i32>>),
    Wide(Vec<Option<i128>>),
    Texts(Vec<Option<u8>>),
    Nothing(u8),
    /// What no adapter would offer: values that are none of the dtype's, ids of no text, a mask
    /// of another length.
    Odd {
        dtype: Kept,
        keys: Vec<u64>,
        mask: Option<Vec<bool>>,
    },
    OddWide {
        dtype: Kept,
        keys: Vec<i128>,
        mask: Option<Vec<bool>>,
    },
    OddTexts {
        dtype: Kept,
        ids: Vec<u32>,
        texts: Vec<String>,
    },
}

impl Values {
    /// A date of no calendar grows a tree, whose file is then refused; cells are checked for what
    /// would do harm, not value by value.
    fn is_odd(&self) -> bool {
        matches!(self, Values::Odd { .. } | Values::OddWide { .. } | Values::OddTexts { .. })
    }
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kept {
    Null,
    Boolean,
    I8,
    U64,
    I128,
    U128,
    F16,
    F64,
    Decimal,
    Date,
    Datetime,
    Time,
    String,
    Enum,
}

#[derive(Arbitrary, Debug)]
struct Request {
    columns: Vec<Values>,
    target: Values,
    weights: Option<Vec<f64>>,
    nominal: u8,
    ordered: u8,
    algorithm: u8,
    choices: u16,
    max_depth: Option<u8>,
    max_leaves: Option<u8>,
    least: (u8, u8, f64, f64),
    pruning: (u8, f64),
}

struct Column {
    name: String,
    dtype: DType,
    cells: ColumnData,
}

impl Source for Column {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        self.cells.clone()
    }
}

fn keys<T: Copy>(values: &[Option<T>], key: impl Fn(T) -> Option<u64>) -> ColumnData {
    let keys: Vec<Option<u64>> = values.iter().map(|v| v.and_then(&key)).collect();
    let mask = keys.iter().map(Option::is_none).collect();
    ColumnData::Keys(keys.into_iter().map(Option::unwrap_or_default).collect(), Some(mask))
}

fn dtype(kept: Kept) -> DType {
    match kept {
        Kept::Null => DType::Null,
        Kept::Boolean => DType::Boolean,
        Kept::I8 => DType::I8,
        Kept::U64 => DType::U64,
        Kept::I128 => DType::I128,
        Kept::U128 => DType::U128,
        Kept::F16 => DType::F16,
        Kept::F64 => DType::F64,
        Kept::Decimal => DType::Decimal { precision: 9, scale: 2 },
        Kept::Date => DType::Date,
        Kept::Datetime => {
            DType::Datetime { unit: TimeUnit::Microseconds, zone: Some("Europe/Paris".into()) }
        }
        Kept::Time => DType::Time,
        Kept::String => DType::String,
        Kept::Enum => DType::Enum { categories: vec!["b".into(), "a".into()] },
    }
}

fn column(name: String, values: &Values) -> Column {
    let (dtype, cells) = match values {
        Values::Floats(v) => (DType::F64, keys(v, key_of_f64)),
        Values::Singles(v) => (DType::F32, keys(v, key_of_f32)),
        Values::Small(v) => (DType::U8, keys(v, |x| Some(key_of_i64(x.into())))),
        Values::Ints(v) => (DType::I64, keys(v, |x| Some(key_of_i64(x)))),
        Values::Dates(v) => (DType::Date, keys(v, |x| Some(key_of_i64(x.into())))),
        Values::Wide(v) => {
            let mask = v.iter().map(Option::is_none).collect();
            (DType::I128, ColumnData::Wide(v.iter().map(|x| x.unwrap_or(0)).collect(), Some(mask)))
        }
        Values::Texts(v) => {
            let ids = v.iter().map(|x| x.map_or(MISSING, u32::from)).collect();
            (DType::String, ColumnData::Text(ids, (0..256).map(|x| format!("{}", x % 99)).collect()))
        }
        Values::Nothing(n) => (DType::Null, ColumnData::Missing((*n).into())),
        Values::Odd { dtype: d, keys, mask } => {
            (dtype(*d), ColumnData::Keys(keys.clone(), mask.clone()))
        }
        Values::OddWide { dtype: d, keys, mask } => {
            (dtype(*d), ColumnData::Wide(keys.clone(), mask.clone()))
        }
        Values::OddTexts { dtype: d, ids, texts } => {
            (dtype(*d), ColumnData::Text(ids.clone(), texts.clone()))
        }
    };
    Column { name, dtype, cells }
}

fn spec(request: &Request) -> TreeSpec {
    let mut spec = match request.algorithm % 3 {
        0 => TreeSpec::id3(),
        1 => TreeSpec::c45(),
        _ => TreeSpec::cart(),
    };
    let pick = |at: u32, n: u16| (request.choices >> at) % n;
    spec.criterion =
        [Criterion::Entropy, Criterion::Gini, Criterion::Variance][pick(0, 3) as usize];
    spec.selection = [Selection::BestScore, Selection::BestRatio, Selection::RatioAboveMeanGain]
        [pick(2, 3) as usize];
    spec.grouping =
        [Grouping::Multiway, Grouping::OneVsRest, Grouping::Subset][pick(4, 3) as usize];
    spec.missing = [Missing::Learn, Missing::Majority, Missing::Fractional, Missing::Error]
        [pick(6, 4) as usize];
    spec.log_base = [LogBase::Two, LogBase::E][pick(8, 2) as usize];
    spec.zero_gain_splits = pick(9, 2) == 1;
    spec.max_depth = request.max_depth.map(u32::from);
    spec.max_leaves = request.max_leaves.map(u32::from);
    let (split, leaf, weight, gain) = request.least;
    spec.min_samples_split = split.into();
    spec.min_samples_leaf = u64::from(leaf).max(1);
    if pick(10, 4) == 0 {
        (spec.min_weight_leaf, spec.min_gain) = (weight, gain);
    }
    spec.pruning = match request.pruning {
        (1, alpha) => Pruning::CostComplexity { alpha },
        (2, n) => Pruning::Leaves { at_most: n as u32 },
        (3, confidence) => Pruning::Pessimistic { confidence },
        _ => Pruning::None,
    };
    spec
}

fuzz_target!(|request: Request| {
    let features: Vec<Column> =
        request.columns.iter().enumerate().map(|(i, v)| column(format!("x{i}"), v)).collect();
    let target = column("y".into(), &request.target);
    let chosen = |bits: u8| -> Vec<String> {
        let names = features.iter().enumerate().filter(|(i, _)| bits >> (i % 8) & 1 == 1);
        names.map(|(_, column)| column.name.clone()).collect()
    };
    let nominal = chosen(request.nominal);
    let ordered = chosen(request.ordered & !request.nominal);
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, ..Kinds::default() };
    let Ok(table) = Table::encode(&features, &target, request.weights.clone(), kinds) else {
        return;
    };
    let known = [RankMissing::Known, RankMissing::OwnLevel][usize::from(request.algorithm) % 2];
    let ranked = rank(&table, None, LogBase::Two, known, Cuts::Best);
    let rows = Table::of_target(&target, request.weights.clone(), Task::Auto).expect("as above");
    let in_turn = rank_in_turn(&rows, &features, kinds, None, LogBase::Two, known, Cuts::Best);
    assert_eq!(format!("{:?}", in_turn.expect("as above")), format!("{ranked:?}"));
    let _ = curve(&table, LogBase::Two);
    let Ok(tree) = grow(table, &spec(&request)) else { return };
    let is_odd = request.columns.iter().chain([&request.target]).any(Values::is_odd);
    if !is_odd {
        assert_eq!(Tree::from_json(&tree.to_json()).expect("what was grown loads"), tree);
    }
    let column = |name: &str| {
        Ok(features.iter().find(|f| f.name == name).map(|f| Column {
            name: f.name.clone(),
            dtype: f.dtype.clone(),
            cells: f.cells.clone(),
        }))
    };
    let n = target.cells.len();
    match tree.route(n, column, &[]) {
        Ok(routes) => assert_eq!(routes.nodes.len(), n),
        // A key that no half float has counts as a value and reads as NaN.
        Err(e) => assert!(is_odd, "rows it was grown on: {e}"),
    }
});
