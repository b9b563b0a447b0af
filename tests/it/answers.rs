//! What models say of rows alone, in either face: answers, inputs of ONNX, scores of cards.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Float64Type;
use gaintree::engine::dtype::{DType, TimeUnit, Value};
use gaintree::prelude::*;
use gaintree::{RowAnswer, Voting};
use polars::prelude::{DataFrame, DataType, IntoLazy, col, concat_list};

use crate::batches::{beside_polars, texts, whole};
use crate::frame::data_frame;
use crate::frames::{Column, Frame as Made, scattered};

const ANSWERS: [RowAnswer; 3] =
    [RowAnswer::Prediction, RowAnswer::Probabilities, RowAnswer::LeafId];

/// Rows of three classes, or of numbers of a dtype.
fn made(n: u32, of_numbers: Option<DType>) -> Made {
    let x: Vec<u32> = scattered(n, 1, 40).collect();
    let text = |x: &u32| (!x.is_multiple_of(7)).then(|| Value::Text(format!("t{}", x % 5)));
    let target = match of_numbers {
        None => Column::texts("y", x.iter().map(|x| ["low", "mid", "top"][*x as usize / 14])),
        Some(dtype) if dtype == DType::F32 => {
            Column::new("y", dtype, x.iter().map(|x| Some(Value::Float((*x).into()))))
        }
        Some(dtype) => Column::ints("y", dtype, x.iter().map(|x| i128::from(*x))),
    };
    let ints = Column::ints("i", DType::I32, x.iter().map(|x| i128::from(*x)));
    Made::new(vec![ints, Column::new("t", DType::String, x.iter().map(text))], target)
}

/// The batches of a frame: two, and one without rows between them.
fn batches(made: &Made) -> Vec<RecordBatch> {
    let batch = whole(made).remove(0);
    let (n, cut) = (batch.num_rows(), batch.num_rows() / 3);
    vec![batch.slice(0, cut), batch.slice(cut, 0), batch.slice(cut, n - cut)]
}

fn models(made: &Made) -> [Model; 2] {
    let df = data_frame(made);
    let spec = TreeSpec::cart().max_depth(3);
    let forest = df.fit_forest("y", &ForestSpec::new(spec.clone()).trees(3)).expect("fits").forest;
    [Model::Tree(df.fit_tree("y", &spec).expect("fits").tree), Model::Forest(forest)]
}

#[test]
fn probabilities_are_a_struct_of_the_scored_columns() {
    let [tree, forest] = models(&made(500, None));
    // More rows than the calling thread takes.
    for n in [1, 50, 300_000] {
        let made = made(n, None);
        let (df, pieces) = (data_frame(&made), batches(&made));
        for (model, voting) in
            [(&tree, Voting::Soft), (&forest, Voting::Soft), (&forest, Voting::Hard)]
        {
            let spec = ScoreSpec::default().probability(true).votes(voting == Voting::Hard);
            let scored = model.score_with(&df, &spec).expect("scores");
            let of_frame =
                model.answers_of(&df, RowAnswer::Probabilities, voting).expect("answers");
            let of_pieces = model.answers_of(&pieces, RowAnswer::Probabilities, voting);
            let of_pieces = of_pieces.expect("answers");
            let column = of_frame.column("probabilities").expect("there");
            assert_eq!(
                column,
                &model.answer_by(&df, RowAnswer::Probabilities, voting).expect("answers")
            );
            assert_eq!([column.len(), of_pieces.num_rows()], [n as usize; 2]);
            let fields = column.struct_().expect("a struct").fields_as_series();
            let arrays = of_pieces["probabilities"].as_struct();
            let classes = ["low", "mid", "top"];
            assert_eq!(arrays.column_names(), classes);
            for (class, field) in classes.iter().zip(&fields) {
                let name = format!("probability_{class}");
                let wanted = scored.column(&name).expect("there").f64().expect("f64");
                let wanted: Vec<f64> = wanted.into_no_null_iter().collect();
                assert_eq!(field.name().as_str(), *class);
                assert_eq!(
                    field.f64().expect("f64").into_no_null_iter().collect::<Vec<_>>(),
                    wanted
                );
                let array = arrays.column_by_name(class).expect("there");
                assert_eq!(array.as_primitive::<Float64Type>().values()[..], wanted);
            }
        }
    }
}

#[test]
fn the_dtype_of_an_answer_is_known_without_rows() {
    let targets = [None, Some(DType::F32), Some(DType::I64)];
    for of_numbers in targets {
        let made = made(200, of_numbers.clone());
        let (df, pieces) = (data_frame(&made), batches(&made));
        for (model, answer) in
            models(&made).iter().flat_map(|model| ANSWERS.map(|answer| (model, answer)))
        {
            let none = model.answers_of_no_rows::<DataFrame>(answer);
            let no_batch = model.answers_of_no_rows::<RecordBatch>(answer);
            let found = model.answers_of(&df, answer, Voting::Soft);
            let in_pieces = model.answers_of(&pieces, answer, Voting::Soft);
            let (Ok(none), Ok(no_batch)) = (&none, &no_batch) else {
                let why = none.expect_err("none there").to_string();
                assert_eq!(no_batch.expect_err("none there").to_string(), why);
                assert_eq!(found.expect_err("none there").to_string(), why);
                assert_eq!(in_pieces.expect_err("none there").to_string(), why);
                assert_eq!(model.answer_dtype(answer).expect_err("none there").to_string(), why);
                continue;
            };
            let (found, in_pieces) = (found.expect("answers"), in_pieces.expect("answers"));
            assert_eq!((none.height(), none.schema()), (0, found.schema()));
            assert_eq!((no_batch.num_rows(), no_batch.schema()), (0, in_pieces.schema()));
            let lazy = model.answers_of(&df.clone().lazy(), answer, Voting::Soft).expect("answers");
            assert_eq!(lazy, found);
            let column = model.answer(&df, answer).expect("answers");
            assert_eq!(column.dtype(), &model.answer_dtype(answer).expect("a dtype"));
            assert_eq!(found.column(answer.name()).expect("there"), &column);
            if answer != RowAnswer::Probabilities {
                assert_eq!(beside_polars::column(&column).len(), in_pieces.num_rows());
                if of_numbers != Some(DType::F32) {
                    assert_eq!(beside_polars::column(&column), texts(&in_pieces, answer.name()));
                }
            }
            let no_rows = model.answers_of(&pieces[1], answer, Voting::Soft).expect("answers");
            assert_eq!(&no_rows, no_batch);
        }
    }
}

#[test]
fn votes_of_one_tree_are_refused() {
    let made = made(50, None);
    let [tree, _] = models(&made);
    let refused = tree.answers_of(&whole(&made), RowAnswer::Prediction, Voting::Hard);
    assert!(refused.expect_err("no votes").to_string().contains("one tree, which has no votes"));
}

#[cfg(feature = "onnx")]
#[test]
fn both_faces_put_the_same_into_onnx() {
    let ms = TimeUnit::Milliseconds;
    let ints = |dtype: DType| {
        Column::new("x", dtype, [None, Some(10), Some(20), Some(30)].map(|x| x.map(Value::Int)))
    };
    let words = |dtype: DType, words: [&str; 2]| {
        let word = |at: usize| Some(Value::Text(words[at].to_string()));
        Column::new("x", dtype, [None, word(0), word(1), word(1)])
    };
    let zone = Some("Europe/Berlin".to_string());
    let numbers = ["0", "10", "20", "30"];
    let of_words = ["", "p", "q", "q"];
    for (column, dtype, expected) in [
        (ints(DType::U8), DataType::UInt8, numbers),
        (ints(DType::I16), DataType::Int16, numbers),
        (ints(DType::U64), DataType::UInt64, numbers),
        (ints(DType::Date), DataType::Int32, numbers),
        (ints(DType::Time), DataType::Int64, numbers),
        (ints(DType::Duration { unit: ms }), DataType::Int64, numbers),
        (ints(DType::Datetime { unit: ms, zone }), DataType::Int64, numbers),
        (ints(DType::Decimal { precision: 9, scale: 1 }), DataType::Int64, numbers),
        (
            words(DType::Boolean, ["false", "true"]),
            DataType::Boolean,
            ["false", "false", "true", "true"],
        ),
        (words(DType::String, ["p", "q"]), DataType::String, of_words),
        (words(DType::Categorical, ["p", "q"]), DataType::String, of_words),
    ] {
        let made = Made::new(vec![column], Column::texts("y", ["a", "a", "b", "b"]));
        let df = data_frame(&made);
        let tree = df.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
        let inputs = tree.onnx_inputs(&df).expect("inputs");
        let x = inputs.column("x").expect("there");
        assert_eq!((x.dtype(), x.null_count()), (&dtype, 0));
        assert_eq!(beside_polars::column(x), expected, "{dtype}");
        let missing = inputs.column("x__missing").expect("there");
        assert_eq!(beside_polars::column(missing), ["true", "false", "false", "false"]);
        for of_batches in [tree.onnx_inputs(&batches(&made)), tree.onnx_inputs(&whole(&made))] {
            let of_batches = of_batches.expect("inputs");
            assert_eq!(texts(&of_batches, "x"), expected, "{dtype}");
            assert_eq!(texts(&of_batches, "x__missing"), beside_polars::column(missing));
            assert_eq!(of_batches["x"].null_count(), 0);
        }
    }
}

#[cfg(feature = "onnx")]
#[test]
fn what_an_input_cannot_hold_is_refused_by_its_row() {
    let y = || Column::texts("y", ["a", "a", "b", "b"]);
    let of =
        |dtype: DType, values: [i128; 4]| Made::new(vec![Column::ints("x", dtype, values)], y());
    let decimal = |precision: usize| DType::Decimal { precision, scale: 1 };
    let wide = 10i128.pow(25);
    for (fitted, asked, words) in [
        (
            of(DType::I8, [1, 2, 3, 4]),
            of(DType::I64, [1, 2, 300, 400]),
            ["column `x` is i64 here, and the 300 of row 3", "which i8 cannot hold exactly"],
        ),
        (
            of(decimal(30), [1, 2, 3, 4]),
            of(decimal(30), [1, wide, 3, 4]),
            ["the 1000000000000000000000000.0 of row 2", "which i64 cannot hold exactly"],
        ),
        (
            of(DType::Datetime { unit: TimeUnit::Milliseconds, zone: None }, [1, 2, 3, 4]),
            of(DType::Datetime { unit: TimeUnit::Microseconds, zone: None }, [1000, 1001, 3, 4]),
            ["of row 2", "which datetime[ms] cannot hold exactly"],
        ),
    ] {
        let tree = data_frame(&fitted).fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
        let refused = tree.onnx_inputs(&data_frame(&asked)).expect_err("refused").to_string();
        words.iter().for_each(|words| assert!(refused.contains(words), "{words}: {refused}"));
        let of_batches = tree.onnx_inputs(&batches(&asked)).expect_err("refused");
        assert_eq!(of_batches.to_string(), refused);
    }
    let other = data_frame(&Made::new(vec![Column::floats("z", [1.0; 4])], y()));
    let tree = data_frame(&of(DType::I8, [1, 2, 3, 4])).fit_tree("y", &TreeSpec::cart());
    let refused = tree.expect("fits").tree.onnx_inputs(&other).expect_err("refused").to_string();
    assert!(refused.contains("feature of the model `x`"), "{refused}");
}

#[test]
fn cards_score_batches_as_frames() {
    let n = 200_000;
    let made = {
        let mut made = made(n, None);
        let class = |x: u32| if x > 20 { "bad" } else { "good" };
        made.target = Column::texts("y", scattered(n, 1, 40).map(class));
        made
    };
    let (df, pieces) = (data_frame(&made), batches(&made));
    let spec = WoeSpec::default().event("bad").intervals(Intervals::Quantiles(4));
    let (woe, of_pieces) = (df.woe_bins("y", &spec), pieces.woe_bins("y", &spec));
    let (woe, of_pieces) = (woe.expect("bins"), of_pieces.expect("bins"));
    let card = woe.scorecard(&ScorecardSpec::default()).expect("a card");
    let of_batches = of_pieces.scorecard(&ScorecardSpec::default()).expect("a card");
    let scores = beside_polars::column(&card.score_frame(&df).expect("scores"));
    assert_eq!(texts(&of_batches.scores(&pieces).expect("scores"), "score"), scores);
    assert_eq!(of_batches.scores(&pieces[1]).expect("scores").num_rows(), 0);
    for name in ["i", "t"] {
        let column = df.column(name).expect("there");
        let mapped = of_pieces.map_frame(&pieces, name).expect("maps");
        let found = texts(&mapped, &format!("{name}_woe"));
        assert_eq!(found, beside_polars::column(&woe.map(column).expect("maps")));
        let points = of_batches.map_frame(&pieces, name).expect("maps");
        let found = texts(&points, &format!("{name}_points"));
        assert_eq!(found, beside_polars::column(&card.map(column).expect("maps")));
    }
    let few = df.drop("t").expect("there");
    let refused = card.score_frame(&few).expect_err("refused").to_string();
    assert!(refused.contains("feature of the card `t`"), "{refused}");
    let list =
        df.clone().lazy().select([col("i"), concat_list([col("i")]).expect("a list").alias("t")]);
    let list = list.collect().expect("a frame");
    let refused = card.score_frame(&list).expect_err("refused").to_string();
    assert!(
        refused.contains("feature `t` is list[i32]") && refused.contains("cast it"),
        "{refused}"
    );
}
