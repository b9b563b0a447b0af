//! The Arrow face: record batches in, record batches out.

use std::sync::Arc;

use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int8Type, Schema, i256};
use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{SharedTable, Voting, grow_forest};
use gaintree::prelude::*;
use gaintree::{ChunkedColumns, Fit, Tree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::agreement::{self, Case, NASTY};
use crate::arrow_columns::{array, field};
use crate::frames::{Column, Frame, Weighing, frames};
use crate::full_ranking::full;
use crate::ways::ways;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---- made-up frames as batches -------------------------------------------------------------

/// How text, and dictionaries, are laid out; `0` leaves other columns as they are.
fn layout(dtype: &DType, plain: &DataType, which: u8) -> DataType {
    let texts = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
    let keys = [DataType::UInt8, DataType::Int32, DataType::Int16, DataType::UInt64];
    let dictionary = |values: DataType| {
        DataType::Dictionary(keys[usize::from(which) % 4].clone().into(), values.into())
    };
    match dtype {
        DType::String => texts[usize::from(which) % 3].clone(),
        DType::Categorical | DType::Enum { .. } => {
            dictionary(texts[usize::from(which) % 2].clone())
        }
        DType::I64 | DType::I32 | DType::F64 | DType::U16 if which % 2 == 1 => {
            dictionary(plain.clone())
        }
        _ => plain.clone(),
    }
}

/// The frame with its target, and its weights as `w`, in batches cut at these places: each
/// column a slice of a longer array, dictionaries made batch by batch.
fn batches(frame: &Frame, cuts: &[Index], layouts: &[u8]) -> Vec<RecordBatch> {
    let n = frame.n_rows();
    let padded = |c: &Column| {
        let pad = c.cells[n - 1].clone();
        array(&Column { cells: [vec![pad], c.cells.clone()].concat(), ..c.clone() })
    };
    let made = || frame.columns.iter().chain([&frame.target]);
    let mut columns: Vec<(Field, ArrayRef)> = made()
        .zip(layouts.iter().cycle())
        .map(|(c, &which)| {
            let array = padded(c);
            let layout = layout(&c.dtype, array.data_type(), which);
            (field(&c.name, &c.dtype, &layout), array)
        })
        .collect();
    if let Some(weights) = &frame.weights {
        let weights = Float64Array::from([vec![9.0], weights.clone()].concat());
        columns.push((Field::new("w", DataType::Float64, true), Arc::new(weights)));
    }
    let fields = columns.iter().map(|(field, _)| field.clone());
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut cuts: Vec<usize> = cuts.iter().map(|at| at.index(n + 1)).collect();
    cuts.extend([0, n]);
    cuts.sort_unstable();
    let batch = |w: &[usize]| {
        let slice = |array: &ArrayRef| array.slice(1 + w[0], w[1] - w[0]);
        let arrays =
            columns.iter().map(|(to, array)| cast(&slice(array), to.data_type()).expect("casts"));
        RecordBatch::try_new(schema.clone(), arrays.collect()).expect("a batch")
    };
    cuts.windows(2).map(batch).collect()
}

/// The columns of [`batches`], each cut at places of its own.
fn chunked(frame: &Frame, cuts: &[Index], layouts: &[u8]) -> ChunkedColumns {
    let column = |at: usize| {
        let pieces = batches(frame, &cuts[at.min(cuts.len())..], layouts);
        let field = pieces[0].schema_ref().fields()[at].clone();
        (field, pieces.iter().map(|piece| piece.column(at).clone()).collect())
    };
    let n_columns = batches(frame, &[], layouts)[0].num_columns();
    let columns = ChunkedColumns::new((0..n_columns).map(column).collect(), frame.n_rows());
    columns.expect("columns of one table")
}

pub fn whole(frame: &Frame) -> Vec<RecordBatch> {
    batches(frame, &[], &[0])
}

fn kinds(frame: &Frame) -> [Vec<String>; 2] {
    [Kind::Ordered, Kind::Nominal].map(|kind| {
        let other = frame.columns.iter().filter(|c| c.kind == kind && c.dtype.kind() != kind);
        other.map(|c| c.name.clone()).collect()
    })
}

/// A column as text, nulls empty; floats by their bits.
pub fn texts(batch: &RecordBatch, name: &str) -> Vec<String> {
    let column = batch.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"));
    if let Some(floats) = column.as_any().downcast_ref::<Float64Array>() {
        let bits = |x: Option<f64>| x.map_or(String::new(), |x| format!("{:x}", x.to_bits()));
        return floats.iter().map(bits).collect();
    }
    let texts = cast(column, &DataType::Utf8).expect("text");
    texts.as_string::<i32>().iter().map(|t| t.unwrap_or("").to_string()).collect()
}

fn schema(batch: &RecordBatch) -> String {
    let fields = batch.schema_ref().fields().iter();
    fields.map(|f| format!("{} {}", f.name(), f.data_type())).collect::<Vec<_>>().join(", ")
}

// ---- laws ----------------------------------------------------------------------------------

proptest! {
    #![proptest_config(cases(300))]

    /// However a table is cut and laid out, its model is the engine's, byte for byte, and its
    /// ranking is the same.
    #[test]
    fn batches_change_no_byte(
        frame in frames(Weighing::Exact),
        spec in ways(),
        cuts in vec(any::<Index>(), 0..5),
        layouts in vec(any::<u8>(), 6),
    ) {
        let [ordered, nominal] = kinds(&frame);
        let weight = frame.weights.is_some().then(|| "w".to_string());
        let mut spec = spec.ordered(ordered.clone()).nominal(nominal.clone());
        spec.weight = weight.clone();
        let pieces = batches(&frame, &cuts, &layouts);
        let fitted = pieces.fit_tree("y", &spec);
        let plain = frame.columns.iter().any(|c| c.dtype != DType::Null);
        match frame.grow(&spec).ok().filter(|_| plain) {
            None => prop_assert!(fitted.expect_err("nothing to learn").is_data()),
            Some(tree) => {
                let Fit { tree: found, importance, .. } = fitted.expect("fits");
                prop_assert_eq!(found.to_json(), tree.to_json());
                prop_assert_eq!(importance, tree.importance_batch().expect("a batch"));
                let columns = chunked(&frame, &cuts, &layouts).fit_tree("y", &spec).expect("fits");
                prop_assert_eq!(columns.tree.to_json(), tree.to_json());
            }
        }
        let mut spec = full().ordered(ordered).nominal(nominal).chance(3);
        spec.weight = weight;
        let pairs = MatrixSpec::default().bins(3);
        let groups = [whole(&frame).redundant_groups(0.3, &pairs), pieces.redundant_groups(0.3, &pairs)];
        let [a, b] = groups.map(|groups| groups.map_err(|e| e.to_string()));
        prop_assert_eq!(a, b);
        match (whole(&frame).gain_matrix(&pairs), pieces.gain_matrix(&pairs.threads(2))) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string())),
        }
        let mut steps = SelectSpec::default().k(3);
        (steps.ordered, steps.nominal, steps.weight) =
            (spec.ordered.clone(), spec.nominal.clone(), spec.weight.clone());
        match (whole(&frame).select_features("y", &steps), pieces.select_features("y", &steps.threads(2))) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string())),
        }
        let spec = spec.given(["x0"].into_iter().filter(|_| frame.columns.len() > 1));
        match (whole(&frame).rank_gain("y", &spec), pieces.rank_gain("y", &spec.threads(2))) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string())),
        }
    }

    /// Batches are scored as the engine routes their rows, one by one or together.
    #[test]
    fn batches_score_as_rows_are_routed(
        case in agreement::cases(frames(Weighing::Exact), &NASTY),
        cuts in vec(any::<Index>(), 0..5),
        layouts in vec(any::<u8>(), 6),
    ) {
        let Some(Case { tree, rows: frame }) = case else { return Ok(()) };
        let routes = frame.routes(&tree);
        let probability = !tree.is_regression();
        let all = ScoreSpec::default().leaf(true).probability(probability).prefix("p_");
        let mut row = 0;
        let mut absent = 0;
        for batch in batches(&frame, &cuts, &layouts) {
            let (scored, report) = tree.score_with_report(&batch, &all).expect("scores");
            absent += report.absent_levels;
            prop_assert_eq!(report.rows, batch.num_rows() as u64);
            let kept = scored.project(&(0..batch.num_columns()).collect::<Vec<_>>());
            prop_assert_eq!(kept.expect("projects"), batch.clone());
            let end = row + batch.num_rows();
            if tree.is_regression() {
                let found = scored["p_prediction"].as_primitive::<arrow::datatypes::Float64Type>();
                prop_assert_eq!(&found.values()[..], &tree.means(&routes)[row..end]);
            } else {
                let labels = |class: &u32| tree.schema().class_text(*class as usize);
                prop_assert_eq!(
                    texts(&scored, "p_prediction"),
                    tree.classes(&routes)[row..end].iter().map(labels).collect::<Vec<_>>()
                );
            }
            let ids = scored["p_leaf_id"].as_primitive::<arrow::datatypes::UInt32Type>();
            prop_assert_eq!(&ids.values()[..], &routes.nodes[row..end]);
            for class in 0..tree.schema().classes.len() {
                let name = format!("p_probability_{}", tree.schema().class_text(class));
                let found = scored[name.as_str()].as_primitive::<arrow::datatypes::Float64Type>();
                prop_assert_eq!(&found.values()[..], &tree.probabilities(&routes, class)[row..end]);
            }
            row = end;
        }
        prop_assert_eq!(absent, routes.absent_levels);
        let only = all.keep([""; 0]);
        let [parts, rows] = [chunked(&frame, &cuts, &layouts), chunked(&frame, &[], &layouts)]
            .map(|columns| tree.score_with(&columns, &only).expect("scores"));
        prop_assert_eq!(&parts, &rows);
        let (columns, n) = (chunked(&frame, &cuts, &layouts), frame.n_rows());
        let last = tree.score_with(&columns.slice(n - 1..n + 5), &only).expect("scores");
        prop_assert_eq!(last, rows.slice(n - 1, 1));
        prop_assert_eq!(&parts["p_leaf_id"].as_primitive::<arrow::datatypes::UInt32Type>().values()[..], &routes.nodes[..]);
    }

    /// A forest of batches is that of their rows, and answers them as it answers rows, by either vote.
    #[test]
    fn forests_fit_and_scorees_as_they_do_rows(
        frame in frames(Weighing::Exact),
        cuts in vec(any::<Index>(), 0..4),
        layouts in vec(any::<u8>(), 6),
        seed in any::<u64>(),
    ) {
        let mut frame = Frame { weights: None, ..frame };
        frame.columns.retain(|c| c.kind == c.dtype.kind());
        prop_assume!(!frame.columns.is_empty());
        let pieces = batches(&frame, &cuts, &layouts);
        let spec = ForestSpec::default().trees(5).seed(seed);
        let table = frame.table(Task::Auto).expect("a table");
        // The engine takes columns of nothing but nulls, the faces do not.
        let (Ok(fit), Ok(forest)) = (pieces.fit_forest("y", &spec), grow_forest(&SharedTable::new(table), &spec))
        else {
            return Ok(());
        };
        prop_assert_eq!(fit.forest.to_json(), forest.to_json());
        let column = |name: &str| Ok(frame.columns.iter().find(|c| c.name == name).cloned());
        let n_classes = forest.schema().classes.len();
        for votes in [false, true] {
            let voting = if votes { Voting::Hard } else { Voting::Soft };
            let answers = forest.answers(frame.n_rows(), voting, column, &[]).expect("answers");
            let spec = ScoreSpec::default().probability(n_classes > 0).votes(votes && n_classes > 0);
            let (mut row, mut absent) = (0, 0);
            for batch in batches(&frame, &cuts, &layouts) {
                let scored = Model::Forest(forest.clone()).score_with_report(&batch, &spec);
                let (scored, report) = scored.expect("scores");
                absent += report.absent_levels;
                let end = row + batch.num_rows();
                let floats = |name: &str| scored[name].as_primitive::<arrow::datatypes::Float64Type>().values().to_vec();
                for class in 0..n_classes {
                    let name = format!("probability_{}", forest.schema().class_text(class));
                    let of_class = answers.values.iter().skip(class).step_by(n_classes);
                    let wanted: Vec<f64> = of_class.copied().skip(row).take(end - row).collect();
                    prop_assert_eq!(floats(&name), wanted);
                }
                if n_classes > 0 {
                    let label = |class: &u32| forest.schema().class_text(*class as usize);
                    let wanted: Vec<String> = answers.classes[row..end].iter().map(label).collect();
                    prop_assert_eq!(texts(&scored, "prediction"), wanted);
                } else if !votes {
                    prop_assert_eq!(floats("prediction"), &answers.values[row..end]);
                }
                row = end;
            }
            prop_assert_eq!(absent, answers.absent_levels);
        }
        let leaves = ScoreSpec::default().leaf(true);
        says(forest.score_with(&pieces[0], &leaves), &["a leaf in each tree"]);
    }
}

// ---- the DataFrame face --------------------------------------------------------------------

#[cfg(feature = "polars")]
pub mod beside_polars {
    use polars::prelude::{Column as PlColumn, DataFrame, DataType as Pl};

    use super::*;
    use crate::frame::data_frame;

    /// The same names, dtypes and values.
    fn assert_same(df: &DataFrame, batch: &RecordBatch) {
        let names: Vec<&str> = df.columns().iter().map(|c| c.name().as_str()).collect();
        let fields = batch.schema_ref().fields();
        assert_eq!(names, fields.iter().map(|f| f.name().as_str()).collect::<Vec<_>>());
        for column in df.columns() {
            let name = column.name().as_str();
            let dtype = match column.dtype() {
                Pl::UInt32 => DataType::UInt32,
                Pl::UInt64 => DataType::UInt64,
                Pl::Float64 => DataType::Float64,
                Pl::Boolean => DataType::Boolean,
                _ => DataType::Utf8,
            };
            assert_eq!(batch[name].data_type(), &dtype, "{name}");
            assert_eq!(self::column(column), texts(batch, name), "{name}");
        }
    }

    pub fn column(column: &PlColumn) -> Vec<String> {
        if let Ok(floats) = column.f64() {
            let bits = |x: Option<f64>| x.map_or(String::new(), |x| format!("{:x}", x.to_bits()));
            return floats.iter().map(bits).collect();
        }
        let texts = column.cast(&Pl::String).expect("text");
        texts.str().expect("text").iter().map(|t| t.unwrap_or("").to_string()).collect()
    }

    proptest! {
        #![proptest_config(cases(100))]

        #[test]
        fn both_faces_answer_alike(frame in frames(Weighing::Whole), groups in vec(0..3u8, 200), cuts in vec(any::<Index>(), 0..4)) {
            let mut frame = frame.clone();
            frame.columns.retain(|c| c.kind == c.dtype.kind());
            let n = frame.n_rows();
            let cell = |row: usize| (groups[row] > 0).then(|| Value::Text(groups[row].to_string()));
            frame.columns.push(Column::new("g", DType::String, (0..n).map(cell)));
            frame.columns.push(Column::floats("h", (0..n).map(|row| [0.0, -0.0, f64::NAN][usize::from(groups[n - 1 - row])])));
            let weight = frame.weights.is_some().then(|| "w".to_string());
            let (df, pieces) = (data_frame(&frame), batches(&frame, &cuts, &[0]));
            let mut spec = full().by(["g", "h"]);
            spec.weight = weight.clone();
            let (a, b) = (df.rank_gain("y", &spec), pieces.rank_gain("y", &spec));
            match (a, b) {
                (Ok(a), Ok(b)) => {
                    let rest = ["g", "h"].map(|name| (column(a.column(name).expect("there")), texts(&b, name)));
                    prop_assert_eq!(&rest[0].0, &rest[0].1);
                    let figures = b.project(&(2..b.num_columns()).collect::<Vec<_>>()).expect("projects");
                    assert_same(&a.drop_many(["g", "h"]), &figures);
                }
                (a, b) => prop_assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string())),
            }
            let mut woe = WoeSpec::default().intervals(Intervals::Quantiles(3)).exclude(["w"]);
            woe.weight = weight.clone();
            let card = ScorecardSpec::default();
            let mut by_iv = full().exclude(["w"]).sort_by(SortBy::InformationValue);
            by_iv.weight = weight.clone();
            let (some, moved) = (frame.first(0.6), DriftSpec::default().full(true).intervals(Intervals::Quantiles(3)));
            for (a, b) in [
                (drift(&data_frame(&some), &df, &moved), drift(&whole(&some), &pieces, &moved)),
                (df.woe_bins("y", &woe).map(|woe| woe.table), pieces.woe_bins("y", &woe).map(|woe| woe.table)),
                (
                    df.woe_bins("y", &woe).and_then(|woe| Ok(woe.scorecard(&card)?.table)),
                    pieces.woe_bins("y", &woe).and_then(|woe| Ok(woe.scorecard(&card)?.table)),
                ),
                (df.rank_gain("y", &by_iv), pieces.rank_gain("y", &by_iv)),
            ] {
                match (a, b) {
                    (Ok(a), Ok(b)) => assert_same(&a, &b),
                    (a, b) => prop_assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string())),
                }
            }
            let mut spec = TreeSpec::cart();
            spec.weight = weight;
            let (Ok(a), Ok(b)) = (df.fit_tree("y", &spec), pieces.fit_tree("y", &spec)) else { return Ok(()) };
            prop_assert_eq!(a.tree.to_json(), b.tree.to_json());
            let few = ForestSpec::new(spec.clone()).trees(3);
            let (c, d) = (df.fit_forest("y", &few).expect("fits"), pieces.fit_forest("y", &few).expect("fits"));
            assert_same(&c.importance, &d.importance);
            assert_same(&c.forest.evaluate(&df).expect("judges"), &d.forest.evaluate(&pieces).expect("judges"));
            assert_same(&c.forest.confusion(&df).expect("judges"), &d.forest.confusion(&pieces).expect("judges"));
            assert_same(&a.importance, &b.importance);
            assert_same(&a.tree.confusion(&df).expect("judges"), &b.tree.confusion(&pieces).expect("judges"));
            assert_same(&a.tree.evaluate(&df).expect("judges"), &b.tree.evaluate(&pieces).expect("judges"));
            assert_same(&a.tree.by_class(&df).expect("judges"), &b.tree.by_class(&pieces).expect("judges"));
            let spec = EvalSpec::default().event(a.tree.schema().class_text(0)).bootstrap(10);
            for (a, b) in [
                (a.tree.calibration(&df, &spec), b.tree.calibration(&pieces, &spec)),
                (a.tree.thresholds(&df, &spec), b.tree.thresholds(&pieces, &spec)),
                (a.tree.intervals(&df, &spec), b.tree.intervals(&pieces, &spec)),
            ] {
                assert_same(&a.expect("judges"), &b.expect("judges"));
            }
        }
    }
}

// ---- dtypes --------------------------------------------------------------------------------

/// A batch of one feature `x` and a target that tells the first two rows from the last two.
fn of_feature(x: ArrayRef) -> RecordBatch {
    let y: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "b", "b"]));
    RecordBatch::try_from_iter([("x", x), ("y", y)]).expect("a batch")
}

/// Units the engine has not are brought to those it has, and cut there.
#[test]
fn every_unit_is_read() {
    let decimal256 =
        Decimal256Array::from(vec![1, 2, 30, 40].into_iter().map(i256::from).collect::<Vec<_>>());
    let decimal256 = decimal256.with_precision_and_scale(76, 2).expect("a decimal");
    let decimal32 = Decimal32Array::from(vec![1, 2, 30, 40]).with_precision_and_scale(9, 2);
    let decimal64 = Decimal64Array::from(vec![1, 2, 30, 40]).with_precision_and_scale(18, 2);
    let ints = vec![1i64, 2, 30, 40];
    let ms = 86_400_000;
    let columns: [(ArrayRef, &str, &str); 14] = [
        (Arc::new(TimestampSecondArray::from(ints.clone())), "datetime[ms]", "1970-01-01 00:00:16"),
        (
            Arc::new(TimestampSecondArray::from(ints.clone()).with_timezone("+02:00")),
            "datetime[ms, +02:00]",
            "1970-01-01 00:00:16",
        ),
        (
            Arc::new(TimestampMicrosecondArray::from(ints.clone())),
            "datetime[μs]",
            "1970-01-01 00:00:00.000016",
        ),
        (
            Arc::new(Date64Array::from(vec![0, ms, 2 * ms, 4 * ms])),
            "datetime[ms]",
            "1970-01-02 12:00:00",
        ),
        (Arc::new(Date32Array::from(vec![1, 2, 30, 40])), "date", "1970-01-17"),
        (Arc::new(Time32SecondArray::from(vec![1, 2, 30, 40])), "time", "00:00:16"),
        (Arc::new(Time32MillisecondArray::from(vec![1, 2, 30, 40])), "time", "00:00:00.016"),
        (Arc::new(Time64MicrosecondArray::from(ints.clone())), "time", "00:00:00.000016"),
        (Arc::new(DurationSecondArray::from(ints.clone())), "duration[ms]", "0d 00:00:16"),
        (Arc::new(DurationNanosecondArray::from(ints)), "duration[ns]", "0d 00:00:00.000000016"),
        (Arc::new(decimal32.expect("a decimal")), "decimal[9,2]", "0.16"),
        (Arc::new(decimal64.expect("a decimal")), "decimal[18,2]", "0.16"),
        (Arc::new(decimal256), "decimal[38,2]", "0.16"),
        (
            Arc::new(Float16Array::from_iter_values(
                [1.0, 2.0, 30.0, 40.0].map(half::f16::from_f64),
            )),
            "f16",
            "16",
        ),
    ];
    for (x, dtype, cut) in columns {
        let batch = of_feature(x);
        let ranking = batch.rank_gain("y", &full()).expect("ranks");
        assert_eq!(texts(&ranking, "dtype"), [dtype]);
        let found = &texts(&ranking, "cut")[0];
        assert!(found.starts_with(cut), "{dtype}: {found}");
        let tree = batch.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
        let again = Tree::from_json(&tree.to_json()).expect("loads");
        let scored = again.score(&batch).expect("scores");
        assert_eq!(texts(&scored, "prediction"), ["a", "a", "b", "b"], "{dtype}");
    }
}

/// A dictionary may hold a text twice, a null, or what no row uses.
#[test]
fn a_dictionary_is_only_a_layout() {
    let values: ArrayRef =
        Arc::new(StringArray::from(vec![Some("q"), None, Some("p"), Some("q"), Some("z")]));
    let keys = Int8Array::from(vec![Some(0), Some(3), Some(2), Some(2), None, Some(1)]);
    let x: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys, values));
    let y: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "b", "b", "a", "b"]));
    let batch = RecordBatch::try_from_iter([("x", x), ("y", y)]).expect("a batch");
    let ranking = batch.rank_gain("y", &full()).expect("ranks");
    assert_eq!([texts(&ranking, "n_levels"), texts(&ranking, "n_missing")], [["2"], ["2"]]);
    let empty: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
    let nulls = Int8Array::from(vec![None; 4]);
    let x: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(nulls, empty));
    let tree = batch.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let scored = tree.score(&of_feature(x)).expect("scores");
    assert_eq!(scored.num_rows(), 4);
}

/// Short and long texts, alike but for their end, of no bytes and of a zero byte, in all layouts.
#[test]
fn texts_rank_alike_however_they_are_laid_out() {
    let texts = ["", "\0", "a", "a\0", "twelve bytes", "twelve bytes\0", "twelve bytes and more"];
    let text =
        |row: usize| (!row.is_multiple_of(11)).then(|| texts[row * 7919 % 1009 % texts.len()]);
    let x: ArrayRef = Arc::new((0..2000).map(text).collect::<StringArray>());
    let y: ArrayRef =
        Arc::new((0..2000).map(|row| Some(row * 7919 % 1009 % 3)).collect::<Int32Array>());
    let rankings = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View].map(|layout| {
        let x = cast(&x, &layout).expect("casts");
        let batch = RecordBatch::try_from_iter([("x", x), ("y", y.clone())]).expect("a batch");
        batch.rank_gain("y", &full()).expect("ranks")
    });
    assert_eq!(self::texts(&rankings[0], "n_levels"), ["7"]);
    assert_eq!(rankings[0], rankings[1]);
    assert_eq!(rankings[0], rankings[2]);
}

/// An Enum whose dictionary has a text that is none of its categories cannot be used; what is written
/// as no Enum's categories says nothing.
#[test]
fn enums_are_of_their_categories() {
    let of = |said: &str| {
        let x: DictionaryArray<Int8Type> = ["b", "a", "b", "a"].into_iter().collect();
        let y = StringArray::from(vec!["u", "v", "u", "v"]);
        let said = [("_PL_ENUM_VALUES2".to_string(), said.to_string())];
        let x_field = Field::new("x", x.data_type().clone(), true).with_metadata(said.into());
        let schema = Schema::new(vec![x_field, Field::new("y", DataType::Utf8, true)]);
        let columns: Vec<ArrayRef> = vec![Arc::new(x), Arc::new(y)];
        RecordBatch::try_new(Arc::new(schema), columns).expect("a batch")
    };
    let fit = |said| of(said).fit_tree("y", &TreeSpec::cart());
    let dtype = |said| fit(said).expect("fits").tree.schema().features[0].dtype.clone();
    let categories = ["c", "b", "a"].map(str::to_string).to_vec();
    assert_eq!(dtype("1;c1;b1;a"), DType::Enum { categories });
    for broken in ["b", "9;b1;a", "x;b", "1;b1"] {
        assert_eq!(dtype(broken), DType::Categorical, "{broken}");
    }
    says(fit("1;b1;c"), &["`x`", "none of its Enum's categories", "cast it"]);
}

/// Predictions have the target's dtype; the wide integers that Arrow has not become decimals.
#[test]
fn predictions_have_the_targets_dtype() {
    let text = |t: &str| Value::Text(t.to_string());
    let categories = vec!["z".to_string(), "a".to_string()];
    for (dtype, values, arrow) in [
        (DType::Boolean, ["true", "false"].map(text), DataType::Boolean),
        (DType::I8, [-128, 127].map(Value::Int), DataType::Int8),
        (DType::U64, [0, u64::MAX.into()].map(Value::Int), DataType::UInt64),
        (DType::I128, [i128::MIN, i128::MAX].map(Value::Int), DataType::Decimal256(39, 0)),
        (DType::U128, [0, u128::MAX].map(Value::Unsigned), DataType::Decimal256(39, 0)),
        (DType::String, ["", "é\n"].map(text), DataType::Utf8View),
        (
            DType::Enum { categories },
            ["z", "a"].map(text),
            DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
        ),
    ] {
        let labels = values.clone();
        let y = Column::new("y", dtype.clone(), values.map(Some));
        let tree = Frame::new(vec![Column::floats("x", [1.0, 2.0])], y).grow(&TreeSpec::cart());
        let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
        let batch = RecordBatch::try_from_iter([("x", x)]).expect("a batch");
        let none = ScoreSpec::default().keep(Vec::<String>::new());
        let scored = tree.expect("grows").score_with(&batch, &none).expect("scores");
        assert_eq!(schema(&scored), format!("prediction {arrow}"));
        let said = field("prediction", &dtype, &arrow);
        assert_eq!(scored.schema_ref().field(0), &said);
        assert_eq!(texts(&scored, "prediction"), labels.map(|label| dtype.write(&label)));
    }
    let regress = |target: ArrayRef| {
        let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
        let batch = RecordBatch::try_from_iter([("x", x), ("y", target)]).expect("a batch");
        let spec = TreeSpec::cart().task(Task::Regress);
        let tree = batch.fit_tree("y", &spec).expect("fits").tree;
        let scored = tree.score(&batch).expect("scores");
        assert_eq!(texts(&tree.evaluate(&[batch]).expect("judges"), "rows"), ["2"]);
        scored["prediction"].data_type().clone()
    };
    assert_eq!(regress(Arc::new(Float32Array::from(vec![0.1, 7.5]))), DataType::Float32);
    assert_eq!(regress(Arc::new(Int32Array::from(vec![1, 7]))), DataType::Float64);
}

// ---- errors --------------------------------------------------------------------------------

#[track_caller]
fn says<T>(result: gaintree::Result<T>, words: &[&str]) {
    let error = result.err().expect("refused").to_string();
    for word in words {
        assert!(error.contains(word), "{word}: {error}");
    }
}

#[test]
fn what_cannot_be_used_is_named() {
    let cart = TreeSpec::cart();
    let y: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "b", "b"]));
    let far: ArrayRef = Arc::new(TimestampSecondArray::from(vec![0, 1, 2, i64::MAX]));
    let long = Decimal256Array::from(vec![i256::MAX; 4]).with_precision_and_scale(76, 0);
    let coarse = Decimal128Array::from(vec![1; 4]).with_precision_and_scale(5, -2);
    let ends = Int32Array::from(vec![2, 4]);
    let mut lists = ListBuilder::new(Int64Builder::new());
    (0..4).for_each(|x| lists.append_value([Some(x)]));
    let runs = RunArray::try_new(&ends, &Int32Array::from(vec![1, 2])).expect("runs");
    for (x, words) in [
        (far, ["`x`", "Timestamp", "64-bit milliseconds"]),
        (Arc::new(long.expect("a decimal")), ["`x`", "Decimal256", "38 digits"]),
        (Arc::new(coarse.expect("a decimal")), ["`x`", "Decimal128", "cast"]),
        (Arc::new(runs), ["`x`", "RunEndEncoded", "cast"]),
        (Arc::new(BinaryArray::from(vec![&b"x"[..]; 4])), ["`x`", "binary", "cast"]),
        (Arc::new(lists.finish()), ["`x`", "list[i64]", "cast"]),
    ] {
        let batch = of_feature(x);
        says(batch.fit_tree("y", &cart), &words);
        let ranking = batch.rank_gain("y", &full()).expect("lists it");
        let reason = &texts(&ranking, "excluded_reason")[0];
        assert!(reason.contains(words[2]), "{reason}");
        let tree = of_feature(Arc::new(Int64Array::from(vec![1, 2, 3, 4]))).fit_tree("y", &cart);
        says(tree.expect("fits").tree.score(&batch), &["`x`", words[1]]);
    }
    let ints = of_feature(Arc::new(Int64Array::from(vec![1, 2, 3, 4])));
    let floats = of_feature(Arc::new(Float64Array::from(vec![1.0; 4])));
    says(
        [ints.clone(), floats.clone()].fit_tree("y", &cart),
        &["batch 1", "`x`", "Float64", "Int64"],
    );
    let less = ints.project(&[0]).expect("projects");
    says([ints.clone(), less].rank_gain("y", &full()), &["batch 1", "columns"]);
    says(<[RecordBatch]>::fit_tree(&[], "y", &cart), &["no record batch"]);
    says(ints.fit_tree("z", &cart), &["`z`", "no such column"]);
    says(ints.fit_tree("y", &cart.clone().threads(0)), &["threads is 0"]);
    let twice = Schema::new(vec![
        Field::new("x", DataType::Utf8, true),
        Field::new("x", DataType::Utf8, true),
        Field::new("y", DataType::Utf8, true),
    ]);
    let twice =
        RecordBatch::try_new(Arc::new(twice), vec![y.clone(), y.clone(), y]).expect("a batch");
    says(twice.fit_tree("y", &cart), &["`x`", "several columns"]);

    let tree = ints.fit_tree("y", &cart).expect("fits").tree;
    let texts = of_feature(Arc::new(StringArray::from(vec!["1"; 4])));
    says(tree.score(&texts), &["`x`", "str", "i64", "cast"]);
    assert_eq!(tree.score(&floats).expect("numbers are numbers").num_rows(), 4);
    let scored = tree.score(&ints).expect("scores");
    says(tree.score(&scored), &["`prediction`", "prefix"]);
    says(tree.score(&scored.project(&[1]).expect("projects")), &["`x`", "no such column"]);
    says(tree.score_with(&ints, &ScoreSpec::default().keep(["z"])), &["`z`"]);
    says(tree.score_with(&ints, &ScoreSpec::default().keep(["x", "x"])), &["`x`", "twice"]);
    says(tree.evaluate(&[ints.slice(0, 0)]), &["no rows"]);
    // A batch may have rows and no column.
    let leaf = ints.fit_tree("y", &cart.max_depth(0)).expect("fits").tree;
    let bare = RecordBatchOptions::new().with_row_count(Some(3));
    let bare = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &bare);
    assert_eq!(leaf.score(&bare.expect("a batch")).expect("scores").num_rows(), 3);
}
