//! `gaintree eval`: how good the answers are where they are known.

use gaintree::Tree;
use polars::prelude::DataFrame;

use super::score::note_absent_levels;
use super::{check_columns, read, show_table, used};
use crate::args::EvalArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Needed, Scan, model_dtypes};
use crate::output::Destination;
use crate::progress::Progress;
use crate::report::{Report, timed};
use crate::terminal;

/// The most classes a matrix of them is printed for.
const MATRIX_CLASSES: usize = 20;

pub fn run(args: EvalArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    let inputs = input::resolve(&args.input)?;
    let to =
        Destination::resolve(args.output.as_deref(), &input::paths(Some(&args.model), &inputs))?;
    let progress = Progress::start();
    let (tree, scan) = timed(&mut report.read, || {
        let tree = Tree::load(&args.model)?;
        let scan = Scan::new(inputs, model_dtypes(&tree, Needed::UsedAndTarget))?;
        Ok::<_, Failure>((tree, scan))
    })?;
    check_columns(&tree, &scan)?;
    let mut needed = used(&tree);
    needed.push(&tree.schema().target);
    let df = read(&scan, Some(needed), &mut report, &progress)?;
    progress.say(format!("scoring {} rows", df.height()));
    let figures = timed(&mut report.score, || tree.evaluate(&df))?;
    let confusion = match to {
        None if !tree.is_regression() => Some(tree.confusion(&df)?),
        _ => None,
    };
    drop(progress);
    report.figures_of(&figures);
    show_table(&figures, to.as_ref(), &mut report, || {
        let figures = terminal::whole_table(&figures);
        let confusion = confusion.as_ref().map_or(String::new(), |c| readable(c, &tree));
        format!("{figures}\n{confusion}")
    })?;
    note_absent_levels(absent_levels(&figures), df.height() as u64);
    report.print()
}

/// Actual classes down, predicted ones across; a line a pair where they are too many for that.
fn readable(confusion: &DataFrame, tree: &Tree) -> String {
    let schema = tree.schema();
    let n = confusion.column("n").ok().and_then(|n| n.u64().ok());
    let counts: Vec<u64> = n.map_or_else(Vec::new, |n| n.iter().flatten().collect());
    let classes = schema.classes.len();
    if classes > MATRIX_CLASSES {
        return terminal::whole_table(confusion);
    }
    let predicted: Vec<String> = (0..classes).map(|class| schema.class_text(class)).collect();
    let mut actual = predicted.clone();
    if counts.len() > classes * classes {
        actual.push("(never trained)".to_string());
    }
    terminal::matrix("actual \\ predicted", &actual, &predicted, &counts)
}

fn absent_levels(figures: &DataFrame) -> u64 {
    let absent = figures.column("absent_levels").ok().and_then(|c| c.u64().ok()?.get(0));
    absent.unwrap_or(0)
}
