//! Every verb on every kind of frame: a DataFrame, a LazyFrame, record batches and one of them.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use gaintree::engine::dtype::{DType, Value};
use gaintree::prelude::*;
use gaintree::{
    PermutationSpec, ReportSpec, RowAnswer, Voting, columns_to_exclude, curve_svg, drift_svg,
    error_curve_svg, matrix_svg, ranking_svg, screen_html, screen_svg, selection_svg, target_note,
};
use polars::prelude::{DataFrame, IntoLazy};

use crate::batches::{beside_polars::column, texts, whole};
use crate::frame::data_frame;
use crate::frames::{Column, Frame as Made, scattered};

/// Names and what they stand for.
type Named<T> = Vec<(&'static str, T)>;
/// The columns of a table, with their names.
type Texts = Vec<(String, Vec<String>)>;

/// Rows with every kind of column and missing values. A target of two classes, or of numbers.
fn rows(n: u32, of_numbers: bool) -> Made {
    let ints: Vec<i128> = scattered(n, 1, 40).map(i128::from).collect();
    let text = |level: u32| (level > 0).then(|| Value::Text(format!("t{level}")));
    let date = |day: u32| (!day.is_multiple_of(9)).then_some(Value::Int(19_000 + i128::from(day)));
    let class = |(at, x): (u32, &i128)| (*x > 20) ^ at.is_multiple_of(7);
    let classes = (0..).zip(&ints).map(class);
    let target = match of_numbers {
        true => {
            Column::floats("y", classes.zip(&ints).map(|(c, x)| f64::from(u8::from(c)) + *x as f64))
        }
        false => Column::texts("y", classes.map(|c| if c { "yes" } else { "no" })),
    };
    let mut made = Made::new(
        vec![
            Column::ints("i", DType::I32, ints),
            Column::floats(
                "f",
                scattered(n, 2, 30).map(|x| if x == 3 { f64::NAN } else { x.into() }),
            ),
            Column::new("t", DType::String, scattered(n, 3, 5).map(text)),
            Column::new("d", DType::Date, scattered(n, 4, 60).map(date)),
            Column::new(
                "i2",
                DType::I64,
                scattered(n, 1, 40).map(|x| Some(Value::Int((2 * x).into()))),
            ),
        ],
        target,
    );
    made.weights = Some(scattered(n, 5, 3).map(f64::from).collect());
    made
}

/// What models of both kinds of target were fitted on the same rows.
struct Models {
    tree: Tree,
    forest: Forest,
    of_numbers: Forest,
}

impl Models {
    fn new() -> Models {
        let (classes, numbers) = (data_frame(&rows(120, false)), data_frame(&rows(120, true)));
        let tree = classes.fit_tree("y", &TreeSpec::cart().max_depth(3).weight("w"));
        let spec = ForestSpec::new(TreeSpec::cart().max_depth(3).weight("w")).trees(9).seed(1);
        Models {
            tree: tree.expect("fits").tree,
            forest: classes.fit_forest("y", &spec).expect("fits").forest,
            of_numbers: numbers.fit_forest("y", &spec).expect("fits").forest,
        }
    }
}

/// The table of each verb of frames and models: of rows, of some of them, and of rows of numbers.
#[rustfmt::skip]
fn tables<F: Frame>(models: &Models, [all, some, numbers]: [&F; 3]) -> Named<gaintree::Result<F::Table>> {
    let Models { tree, forest, of_numbers } = models;
    let rank = RankSpec::default().weight("w").full(true);
    let forests = ForestSpec::new(TreeSpec::cart().max_depth(2).weight("w")).trees(5).seed(2);
    let eval = EvalSpec::default().bootstrap(10).event("yes");
    let shapley = ContributionSpec::default();
    let permuted = PermutationSpec::default().repeats(2);
    let woe = WoeSpec::default().features(["i", "f", "d", "t"]).unseen(Some(0.25));
    let card = || all.woe_bins("y", &woe)?.scorecard(&ScorecardSpec::default());
    vec![
        ("rank_gain", all.rank_gain("y", &rank.clone().by(["t"]))),
        ("rank_gain", all.rank_gain("y", &rank.clone().features(["f", "d"]).given(["t"]))),
        ("screen", all.screen("y", &ScreenSpec::default().weight("w").full(true))),
        ("select_features", all.select_features("y", &SelectSpec::default().weight("w").k(3))),
        ("split_candidates", all.split_candidates("y", "d", &rank)),
        ("split_candidates", all.split_candidates("y", "t", &rank)),
        ("mdl_cuts", all.mdl_cuts("y", "i", &rank)),
        ("mdl_cuts_by_feature", all.mdl_cuts_by_feature("y", &rank)),
        ("woe_bins", all.woe_bins("y", &WoeSpec::default().weight("w")).map(|woe| woe.table)),
        ("woe_bins", all.woe_bins("y", &WoeSpec::default().features(["i", "f", "d", "t"]))
            .and_then(|woe| woe.scorecard(&ScorecardSpec::default()).map(|card| card.table))),
        ("drift", gaintree::drift(some, all, &DriftSpec::default().full(true).target("y").intervals(Intervals::Mdl))),
        ("drift", tree.drift(some, all, &DriftSpec::default().full(true).exclude(["leaf_id"]))),
        ("drift", of_numbers.drift(all, numbers, &DriftSpec::default().full(true).intervals(Intervals::Mdl).target("y").exclude(["f"]))),
        ("drift_from_training", tree.drift_from_training(all, &DriftSpec::default().full(true))),
        ("drift_bins", gaintree::drift_bins(some, all, "f", &DriftSpec::default().full(true))),
        ("gain_matrix", all.gain_matrix(&MatrixSpec::default())),
        ("gain_matrix", all.gain_matrix(&MatrixSpec::default().columns(["f", "t", "i"]).form(MatrixForm::Wide))),
        ("redundant_groups", all.redundant_groups(0.9, &MatrixSpec::default())),
        ("fit_tree", all.fit_tree("y", &TreeSpec::c45().weight("w")).map(|fit| fit.importance)),
        ("fit_forest", all.fit_forest("y", &forests).map(|fit| fit.importance)),
        ("fit_forest", all.fit_forest("y", &forests).map(|fit| fit.out_of_bag.expect("rows").predictions)),
        ("corrected_importance", all.corrected_importance("y", &CorrectedSpec::new(forests.clone()))),
        ("boruta", all.boruta("y", &BorutaSpec::new(forests.clone()).runs(10))),
        ("cross_validate_pruning", all.cross_validate_pruning("y", &TreeSpec::cart(), &CvSpec::default()).map(|cv| cv.cv)),
        ("prune_cross_validated", tree.prune_cross_validated(all, &CvSpec::default()).map(|cv| cv.cv)),
        ("candidates", tree.candidates(all, 0)),
        ("explain_row", tree.explain_row(all, 3).map(|row| row.path)),
        ("explain_row", tree.explain_row(all, 3).map(|row| row.changes)),
        ("score", tree.score(all)),
        ("score", of_numbers.score(numbers)),
        ("score_with", tree.score_with(some, &ScoreSpec::default().leaf(true).probability(true).keep(["d", "t"]))),
        ("score_with", forest.score_with(some, &ScoreSpec::default().votes(true).probability(true).prefix("of_"))),
        ("score_with_report", forest.score_with_report(all, &ScoreSpec::default().keep(["i"])).map(|it| it.0)),
        ("answers_of", tree.answers_of(all, RowAnswer::Prediction, Voting::Soft)),
        ("answers_of", tree.answers_of(some, RowAnswer::LeafId, Voting::Soft)),
        ("answers_of", forest.answers_of(all, RowAnswer::Prediction, Voting::Hard)),
        ("answers_of", of_numbers.answers_of(numbers, RowAnswer::Prediction, Voting::Soft)),
        ("onnx_inputs", tree.onnx_inputs(all)),
        ("onnx_inputs", of_numbers.onnx_inputs(numbers)),
        ("map_frame", all.woe_bins("y", &woe).and_then(|woe| woe.map_frame(some, "d"))),
        ("map_frame", card().and_then(|card| card.map_frame(some, "t"))),
        ("scores", card().and_then(|card| card.scores(some))),
        ("evaluate", forest.evaluate(all)),
        ("evaluate", of_numbers.evaluate(numbers)),
        ("intervals", tree.intervals(all, &eval)),
        ("by_class", tree.by_class(all)),
        ("calibration", tree.calibration(all, &eval)),
        ("thresholds", forest.thresholds(all, &eval)),
        ("confusion", tree.confusion(some)),
        ("contributions", tree.contributions(all)),
        ("contributions_with", of_numbers.contributions_with(numbers, &shapley)),
        ("contribution_importance", forest.contribution_importance(all, &shapley)),
        ("interactions", tree.interactions(some, &shapley)),
        ("waterfall", forest.waterfall(all, 5, &shapley)),
        ("permutation_importance", tree.permutation_importance(all, &permuted)),
        ("permutation_importance_with_note", forest.permutation_importance_with_note(some, &permuted).map(|it| it.0)),
        ("out_of_bag", forest.out_of_bag(all).map(|it| it.predictions)),
        ("out_of_bag", forest.out_of_bag(all).map(|it| it.confusion.expect("classes"))),
        ("out_of_bag_with", of_numbers.out_of_bag_with(numbers, Voting::Soft, &EvalSpec::default()).map(|it| it.curve)),
        ("out_of_bag_quantiles", of_numbers.out_of_bag_quantiles(numbers, &QuantileSpec::new([0.1, 0.9]))),
        ("out_of_bag_importance", forest.out_of_bag_importance(all, &permuted)),
        ("out_of_bag_importance_with_note", forest.out_of_bag_importance_with_note(all, &permuted).map(|it| it.0)),
    ]
}

/// What the verbs that give no table say of the same rows.
fn values<F: Frame>(models: &Models, [all, some, numbers]: [&F; 3]) -> Named<String>
where
    F::Table: Frame,
{
    fn said<T: Debug>(value: gaintree::Result<T>) -> String {
        format!("{value:?}")
    }
    let pruned = models.tree.prune_reduced_error(some, PruneBy::LogLoss).map(|tree| tree.to_json());
    let ranking = all.rank_gain("y", &RankSpec::default());
    let matrix = all.gain_matrix(&MatrixSpec::default());
    let steps = all.select_features("y", &SelectSpec::default().k(3));
    let screen = || all.screen("y", &ScreenSpec::default().full(true));
    let curve = models.of_numbers.out_of_bag(numbers);
    let (shapley, out_of_bag) =
        (ContributionSpec::default(), ReportSpec::default().out_of_bag(true));
    vec![
        ("target_note", format!("{:?}", target_note(all, "i", Task::Auto))),
        ("columns_to_exclude", said(screen().and_then(|table| columns_to_exclude(&table)))),
        ("evaluation", said(models.tree.evaluation(all))),
        ("evaluation_with", said(models.forest.evaluation_with(some, &EvalSpec::default()))),
        ("prune_reduced_error", said(pruned)),
        ("to_code_test", said(models.tree.to_code_test(Language::Rust, all))),
        ("to_code_test", said(models.forest.to_code_test(Language::C, Voting::Hard, some))),
        ("ranking_svg", said(ranking.and_then(|table| ranking_svg(&table, "gain_ratio")))),
        ("matrix_svg", said(matrix.and_then(|table| matrix_svg(&table)))),
        ("selection_svg", said(steps.and_then(|table| selection_svg(&table)))),
        ("screen_svg", said(screen().and_then(|table| screen_svg(&table)))),
        ("screen_html", said(screen().and_then(|table| screen_html(&table, "y")))),
        ("error_curve_svg", said(curve.and_then(|of| error_curve_svg(&of.curve)))),
        ("curve_svg", said(curve_svg(all, "y", "d", &RankSpec::default().weight("w")))),
        ("drift_svg", said(drift_svg(some, all, "f", &DriftSpec::default().full(true)))),
        ("contributions_svg", said(models.forest.contributions_svg(all, &shapley))),
        ("waterfall_svg", said(models.tree.waterfall_svg(all, 5, &shapley))),
        ("report", said(models.tree.report(all))),
        ("report_with", said(models.of_numbers.report_with(numbers, &out_of_bag))),
        ("check_judged", said(models.forest.check_judged(some))),
    ]
}

/// The columns of each table as texts, or what went wrong.
fn read<T>(
    tables: Named<gaintree::Result<T>>,
    texts: fn(&T) -> Texts,
) -> Named<Result<Texts, String>> {
    let read = |(name, table): (_, gaintree::Result<T>)| {
        (name, table.map(|table| texts(&table)).map_err(|e| e.to_string()))
    };
    tables.into_iter().map(read).collect()
}

fn of_frame(df: &DataFrame) -> Texts {
    df.columns().iter().map(|of| (of.name().to_string(), column(of))).collect()
}

fn of_batch(batch: &RecordBatch) -> Texts {
    let fields = batch.schema_ref().fields().iter();
    fields.map(|field| (field.name().clone(), texts(batch, field.name()))).collect()
}

#[test]
fn every_verb_answers_alike_on_every_frame() {
    let models = Models::new();
    let made = [rows(120, false), rows(60, false), rows(120, true)];
    let frames = made.each_ref().map(data_frame);
    let lazy = frames.each_ref().map(|df| df.clone().lazy());
    let whole = made.each_ref().map(|made| whole(made).remove(0));
    let parts = |batch: &RecordBatch| {
        let (n, cut) = (batch.num_rows(), 41);
        vec![batch.slice(0, cut), batch.slice(cut, 0), batch.slice(cut, n - cut)]
    };
    let batches = whole.each_ref().map(parts);
    let expected = read(tables(&models, frames.each_ref()), of_frame);
    let mut wrong: Vec<String> = Vec::new();
    for (face, found) in [
        ("a LazyFrame", read(tables(&models, lazy.each_ref()), of_frame)),
        ("record batches", read(tables(&models, batches.each_ref()), of_batch)),
        ("a record batch", read(tables(&models, whole.each_ref()), of_batch)),
    ] {
        for ((name, expected), (_, found)) in expected.iter().zip(found) {
            let is_there =
                expected.as_ref().is_ok_and(|table| table.iter().any(|of| !of.1.is_empty()));
            if !is_there || *expected != found {
                wrong.push(format!(
                    "{name} of {face}: {found:?}\nand of a DataFrame: {expected:?}\n"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = expected.iter().map(|(name, _)| *name).collect();
    let expected = values(&models, frames.each_ref());
    let names = names.into_iter().chain(expected.iter().map(|of| of.0)).map(str::to_string);
    assert_eq!(names.collect::<BTreeSet<_>>(), verbs_of_the_sources());
    assert_eq!(expected, values(&models, lazy.each_ref()));
    assert_eq!(expected, values(&models, batches.each_ref()));
    assert!(expected.iter().all(|(_, value)| !value.starts_with("Err")), "{expected:?}");
    // Other rows are of the face's own tables.
    let [all, some] = [&frames[0], &frames[1]];
    let others = |rows: &DataFrame| {
        ReportSpec::default().beside(rows.clone(), "others").reference(rows.clone(), "before")
    };
    let page = models.tree.report_with(all, &others(some)).expect("a report");
    assert_eq!(page, models.tree.report_with(&lazy[0], &others(some)).expect("a report"));
    let others = ReportSpec::default().beside(whole[1].clone(), "others");
    let others = others.reference(whole[1].clone(), "before");
    assert_eq!(page, models.tree.report_with(&batches[0], &others).expect("a report"));
}

#[test]
fn batches_may_differ_in_whether_a_column_may_be_null() {
    let batch = |x: Vec<Option<f64>>, may_be_null: bool| {
        let schema = Schema::new(vec![
            Field::new("x", DataType::Float64, may_be_null),
            Field::new("y", DataType::Utf8, false),
        ]);
        let y =
            StringArray::from_iter_values(x.iter().map(|x| if *x > Some(2.0) { "b" } else { "a" }));
        let arrays: [ArrayRef; 2] = [Arc::new(Float64Array::from(x)), Arc::new(y)];
        RecordBatch::try_new(Arc::new(schema), arrays.to_vec()).expect("a batch")
    };
    let batches = [batch(vec![Some(1.0), Some(4.0)], false), batch(vec![None, Some(3.0)], true)];
    let tree = batches.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let why = tree.explain_row(&batches, 3).expect("explains");
    assert_eq!((why.prediction.as_str(), texts(&why.path, "value")[1].as_str()), ("b", "3"));
    let spec = ForestSpec::new(TreeSpec::cart().weight("w")).trees(5);
    let weighted = |batch: &RecordBatch, weights: [f64; 2]| {
        let weights: ArrayRef = Arc::new(Float64Array::from(weights.to_vec()));
        let columns = [
            ("x", batch["x"].clone(), true),
            ("y", batch["y"].clone(), true),
            ("w", weights, false),
        ];
        RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
    };
    let weighted = [weighted(&batches[0], [1.0, 2.0]), weighted(&batches[1], [0.0, 1.0])];
    let out_of_bag =
        weighted.fit_forest("y", &spec).expect("fits").out_of_bag.expect("a bootstrap");
    assert_eq!(texts(&out_of_bag.predictions, "n_trees")[2], "");
}

/// The public functions and methods over a frame that the sources of the verbs define.
fn verbs_of_the_sources() -> BTreeSet<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/verbs");
    let mut names = BTreeSet::new();
    for file in std::fs::read_dir(folder).expect("the folder") {
        let path = file.expect("a file").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let is_trait = ["answers.rs", "model_verbs.rs", "model_columns.rs", "model_pictures.rs"];
        let is_trait = is_trait.iter().any(|name| path.ends_with(name));
        for line in text.lines().map(str::trim_start) {
            let public =
                line.strip_prefix("pub fn ").or(line.strip_prefix("fn ").filter(|_| is_trait));
            let name = public.and_then(|rest| rest.split_once("<F: Frame + ?Sized>"));
            names.extend(name.map(|(name, _)| name.to_string()));
        }
    }
    names
}
