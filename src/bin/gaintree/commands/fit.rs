//! `gaintree fit`: a tree, as a model file.

use gaintree::{CvSpec, RankSpec, Tree, TreeSpec, cross_validate_pruning, fit_tree};
use polars::prelude::{DataFrame, Schema};

use super::model::Model;
use super::prune::by_held_out;
use super::{features, fitted, other_places, read};
use crate::args::FitArgs;
use crate::failure::Result;
use crate::input::{self, Scan};
use crate::output::Destination;
use crate::picture::{Picture, Place};
use crate::progress::Progress;
use crate::report::{Report, timed};

pub fn run(args: FitArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    let mut spec = args.spec();
    let cv = args.judged.cross_validation(args.pruning)?;
    let inputs = input::resolve(&args.target.input)?;
    let held_out = input::resolve(&args.judged.held_out)?;
    let mut places = input::paths(None, &inputs);
    places.extend(input::paths(None, &held_out));
    let model = Model::resolve(&args.output, &places)?;
    let importance = Place::resolve(args.importance.as_deref(), &places)?;
    let scores = Destination::resolve(args.judged.scores.as_deref(), &places)?;
    let tables = [
        ("--importance", importance.as_ref().map(Place::path)),
        ("--scores", scores.as_ref().map(Destination::path)),
    ];
    other_places(&model, &tables)?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    let mut reserved = RankSpec::default();
    reserved.weight.clone_from(&spec.weight);
    spec.features = features(spec.features.as_deref(), &scan, target, &reserved)?;
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("fitting a tree on {} rows", df.height()));
    let (mut tree, table) = fit(&df, target, &spec, cv.as_ref(), &mut report)?;
    drop(df);
    if !held_out.is_empty() {
        tree = timed(&mut report.grow, || by_held_out(&tree, held_out, &progress))?;
    }
    drop(progress);
    timed(&mut report.write, || -> Result<()> {
        model.write(&tree)?;
        if let Some(to) = &importance {
            let table = tree.importance()?;
            to.write(&table, Picture::Ranking(&table, "importance"))?;
        }
        if let (Some(to), Some(table)) = (&scores, &table) {
            to.write(table)?;
        }
        Ok(())
    })?;
    model.note(&tree);
    report.figure("nodes", tree.n_nodes());
    report.figure("leaves", tree.n_leaves());
    report.figure("depth", tree.depth());
    report.print()
}

/// The tree, and the scores of its subtrees if it is cross-validated.
fn fit(
    df: &DataFrame,
    target: &str,
    spec: &TreeSpec,
    cv: Option<&CvSpec>,
    report: &mut Report,
) -> Result<(Tree, Option<DataFrame>)> {
    match cv {
        Some(cv) => {
            // Folds are encoded and grown in turns.
            let found = timed(&mut report.grow, || cross_validate_pruning(df, target, spec, cv))?;
            Ok((found.tree, Some(found.cv)))
        }
        None => {
            let fit = fit_tree(df, target, spec)?;
            (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
            Ok((fit.tree, None))
        }
    }
}
