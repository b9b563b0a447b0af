//! The verbs by name: what each takes of what Python gives, and what it answers.

use gaintree::{
    BorutaSpec, ChunkedColumns, CorrectedSpec, ModelAnswers, ModelPictures, ModelVerbs, OutOfBag,
    PruningCv, ReportSpec, RowAnswer, ScoreSpec, pruning_note,
};
use pyo3::prelude::*;

use crate::asked::{Answer, Asked, answer, noted, run, table, unknown};
use crate::capsules::{Table, TableColumn};
use crate::errors::Result;
use crate::models::{KeptModel, voting};
use crate::specs::prune_by;
use crate::woe::WoeBins;

/// The answer of a verb of frames.
#[pyfunction]
pub fn call(py: Python, verb: &str, asked: Asked) -> PyResult<Py<PyAny>> {
    run(py, asked, false, |it| of_frames(verb, it))
}

/// The verbs of frames.
fn of_frames(verb: &str, it: &Asked) -> Result<Answer> {
    match verb {
        "rank_gain" => table(gaintree::rank_gain(it.rows()?, it.text("target")?, &it.spec()?)?),
        "screen" => table(gaintree::screen(it.rows()?, it.text("target")?, &it.spec()?)?),
        "columns_to_exclude" => answer(gaintree::columns_to_exclude(it.rows()?)?),
        "select_features" => {
            table(gaintree::select_features(it.rows()?, it.text("target")?, &it.spec()?)?)
        }
        "split_candidates" => {
            let (target, feature) = (it.text("target")?, it.text("feature")?);
            table(gaintree::split_candidates(it.rows()?, target, feature, &it.spec()?)?)
        }
        "mdl_cuts" => {
            let (target, feature) = (it.text("target")?, it.text("feature")?);
            table(gaintree::mdl_cuts(it.rows()?, target, feature, &it.spec()?)?)
        }
        "mdl_cuts_by_feature" => {
            table(gaintree::mdl_cuts_by_feature(it.rows()?, it.text("target")?, &it.spec()?)?)
        }
        "curve_svg" => {
            let (target, feature) = (it.text("target")?, it.text("feature")?);
            answer(gaintree::curve_svg(it.rows()?, target, feature, &it.spec()?)?)
        }
        "gain_matrix" => table(gaintree::gain_matrix(it.rows()?, &it.spec()?)?),
        "redundant_groups" => {
            table(gaintree::redundant_groups(it.rows()?, it.value("threshold")?, &it.spec()?)?)
        }
        "woe_bins" => {
            answer(WoeBins(gaintree::woe_bins(it.rows()?, it.text("target")?, &it.spec()?)?))
        }
        "drift" => {
            table(gaintree::drift(it.frame("reference")?, it.frame("current")?, &it.spec()?)?)
        }
        "drift_bins" => {
            let (reference, current) = (it.frame("reference")?, it.frame("current")?);
            table(gaintree::drift_bins(reference, current, it.text("feature")?, &it.spec()?)?)
        }
        "drift_svg" => {
            let (reference, current) = (it.frame("reference")?, it.frame("current")?);
            answer(gaintree::drift_svg(reference, current, it.text("feature")?, &it.spec()?)?)
        }
        "fit_tree" => {
            let fit = gaintree::fit_tree(it.rows()?, it.text("target")?, &it.tree_spec()?)?;
            let times = (fit.timing.encode, fit.timing.grow);
            answer((KeptModel::from(fit.tree), Table::new(fit.importance)?, fit.notes, times))
        }
        "fit_forest" => {
            let spec = it.forest_spec()?.out_of_bag(it.value("out_of_bag")?);
            let fit = gaintree::fit_forest(it.rows()?, it.text("target")?, &spec)?;
            let times = (fit.timing.encode, fit.timing.grow, fit.timing.out_of_bag);
            let out_of_bag = fit.out_of_bag.map(out_of_bag).transpose()?;
            let forest = KeptModel::from(fit.forest);
            answer((forest, Table::new(fit.importance)?, out_of_bag, fit.notes, times))
        }
        "corrected_importance" => {
            let spec = CorrectedSpec::new(it.forest_spec()?);
            let spec = spec.permutations(it.value("permutations")?);
            table(gaintree::corrected_importance(it.rows()?, it.text("target")?, &spec)?)
        }
        "boruta" => {
            let spec = BorutaSpec::new(it.forest_spec()?).runs(it.value("runs")?);
            let spec = spec.alpha(it.value("alpha")?);
            table(gaintree::boruta(it.rows()?, it.text("target")?, &spec)?)
        }
        "cross_validate_pruning" => {
            let (target, spec, cv) = (it.text("target")?, it.tree_spec()?, it.cv_spec()?);
            cross_validated(gaintree::cross_validate_pruning(it.rows()?, target, &spec, &cv)?)
        }
        _ => Err(unknown(verb).into()),
    }
}

/// The verbs of models that are over before a thread to watch them would pay.
pub const SHORT: [&str; 6] =
    ["score", "onnx_inputs", "by_class", "confusion", "explain_row", "prune_reduced_error"];

/// The verbs of models.
pub fn of_model(kept: &KeptModel, verb: &str, it: &Asked) -> Result<Answer> {
    let model = kept.model();
    match (verb, kept) {
        ("score", _) => {
            let spec = ScoreSpec::default().keep(Vec::<String>::new()).prefix(it.text("prefix")?);
            let spec = spec.probability(it.value("probability")?).leaf(it.value("leaf")?);
            let mut spec = spec.votes(it.value("votes")?);
            spec.threads = it.value("threads")?;
            table(model.score_with(it.rows()?, &spec)?)
        }
        ("onnx_inputs", KeptModel::Tree(tree)) => table(tree.onnx_inputs(it.rows()?)?),
        ("onnx_inputs", KeptModel::Forest(forest)) => table(forest.onnx_inputs(it.rows()?)?),
        ("evaluate", _) => table(model.evaluation_with(it.rows()?, &it.spec()?)?.to_frame()?),
        ("intervals", _) => table(model.intervals(it.rows()?, &it.spec()?)?),
        ("by_class", _) => table(model.by_class(it.rows()?)?),
        ("calibration", _) => table(model.calibration(it.rows()?, &it.spec()?)?),
        ("thresholds", _) => table(model.thresholds(it.rows()?, &it.spec()?)?),
        ("confusion", _) => table(model.confusion(it.rows()?)?),
        ("permutation_importance", _) => {
            noted(model.permutation_importance_with_note(it.rows()?, &it.spec()?)?)
        }
        ("drift", _) => {
            table(model.drift(it.frame("reference")?, it.frame("current")?, &it.spec()?)?)
        }
        ("contributions", _) => table(model.contributions_with(it.rows()?, &it.spec()?)?),
        ("contribution_importance", _) => {
            table(model.contribution_importance(it.rows()?, &it.spec()?)?)
        }
        ("interactions", _) => table(model.interactions(it.rows()?, &it.spec()?)?),
        ("waterfall", _) => table(model.waterfall(it.rows()?, it.value("row")?, &it.spec()?)?),
        ("waterfall_svg", _) => {
            answer(model.waterfall_svg(it.rows()?, it.value("row")?, &it.spec()?)?)
        }
        ("contributions_svg", _) => answer(model.contributions_svg(it.rows()?, &it.spec()?)?),
        ("report", _) => answer(model.report_with(it.rows()?, &report_spec(it)?)?),
        (_, KeptModel::Tree(tree)) => of_tree(tree, verb, it),
        (_, KeptModel::Forest(forest)) => of_forest(forest, verb, it),
    }
}

/// What a forest does not do.
fn of_tree(tree: &gaintree::Tree, verb: &str, it: &Asked) -> Result<Answer> {
    match verb {
        "candidates" => table(tree.candidates(it.rows()?, it.value("node")?)?),
        "explain_row" => {
            let (rows, row) = (it.rows()?, it.value("row")?);
            let why = tree.explain_row(rows, row)?;
            let one = rows.slice(row..row + 1);
            let prediction = tree.answers_of(&one, RowAnswer::Prediction, voting(false))?;
            let prediction = TableColumn(Table::new(prediction)?);
            let text = why.to_string();
            let (path, changes) = (Table::new(why.path)?, Table::new(why.changes)?);
            let (probability, mean) = (why.probability, why.mean);
            let (leaf, in_parts) = (why.leaf_id, why.in_parts);
            answer((prediction, probability, mean, leaf, in_parts, path, changes, text))
        }
        "drift_from_training" => {
            table(tree.drift_from_training(it.frame("current")?, &it.spec()?)?)
        }
        "prune_reduced_error" => {
            let by = prune_by(it.text("prune_by")?)?;
            let pruned = tree.prune_reduced_error(it.rows()?, by)?;
            let note = pruning_note(tree, &pruned, by);
            answer((KeptModel::from(pruned), note))
        }
        "prune_cross_validated" => {
            cross_validated(tree.prune_cross_validated(it.rows()?, &it.cv_spec()?)?)
        }
        _ => Err(unknown(verb).into()),
    }
}

/// What a tree does not do.
fn of_forest(forest: &gaintree::Forest, verb: &str, it: &Asked) -> Result<Answer> {
    match verb {
        "out_of_bag" => {
            let votes = voting(it.value("votes")?);
            answer(out_of_bag(forest.out_of_bag_with(it.rows()?, votes, &it.spec()?)?)?)
        }
        "out_of_bag_importance" => {
            noted(forest.out_of_bag_importance_with_note(it.rows()?, &it.spec()?)?)
        }
        "out_of_bag_quantiles" => {
            table(forest.out_of_bag_quantiles(it.rows()?, &it.quantile_spec()?)?)
        }
        _ => Err(unknown(verb).into()),
    }
}

/// What a report is about, and the other rows and the other tree in it.
fn report_spec(it: &Asked) -> Result<ReportSpec<ChunkedColumns>> {
    let mut spec = ReportSpec::default().monitor(it.monitor());
    (spec.event, spec.row, spec.source) =
        (it.value("event")?, it.value("row")?, it.value("source")?);
    spec.threads = it.value("threads")?;
    if let Some(rows) = it.frame_if_given("beside") {
        spec = spec.beside(rows.clone(), "the other rows");
    }
    if let Some(rows) = it.frame_if_given("reference") {
        spec = spec.reference(rows.clone(), "the reference");
    }
    if let Some(json) = it.value::<Option<String>>("against")? {
        spec = spec.against(gaintree::Tree::from_json(&json)?, "the other tree");
    }
    Ok(spec.out_of_bag(it.value::<Option<bool>>("out_of_bag")?.unwrap_or_default()))
}

/// A pruned tree, what cross-validation saw, and notes.
fn cross_validated(pruning: PruningCv) -> Result<Answer> {
    answer((KeptModel::from(pruning.tree), Table::new(pruning.cv)?, pruning.notes))
}

/// Predictions, evaluation, confusion, curve, and the number of rows that were always drawn.
type Answers = (Table, Option<Table>, Option<Table>, Table, u64);

fn out_of_bag(answers: OutOfBag) -> Result<Answers> {
    let evaluation = answers.evaluation.map(|evaluation| evaluation.to_frame()).transpose()?;
    Ok((
        Table::new(answers.predictions)?,
        evaluation.map(Table::new).transpose()?,
        answers.confusion.map(Table::new).transpose()?,
        Table::new(answers.curve)?,
        answers.always_drawn,
    ))
}
