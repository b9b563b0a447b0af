//! `gaintree importance`: how much worse a model answers without what a feature says.

use gaintree::{Model, ModelVerbs};

use super::run::Run;
use crate::args::ImportanceArgs;
use crate::output::{Picture, note, timed};
use crate::process::Result;
use crate::terminal::whole_table;

pub fn run(args: ImportanceArgs) -> Result<()> {
    let mut run = Run::start(args.run.report);
    let inputs = run.rows_of(&args.files)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref())?;
    let spec = args.spec().monitor(run.progress.monitor());
    let model = timed(&mut run.report.read, || Model::load(&args.files.model))?;
    let (scan, out_of_bag) = run.scan_to_judge(&model, inputs, args.out_of_bag)?;
    let df = run.read_judged(&scan, &model, out_of_bag.is_some(), &args.rows)?;
    run.progress.say(format!("judging {} rows", df.height()));
    let judged = timed(&mut run.report.score, || match out_of_bag {
        Some(forest) => forest.out_of_bag_importance_with_note(&*df, &spec),
        None => model.permutation_importance_with_note(&*df, &spec),
    });
    let (table, remark) = df.named(judged)?;
    let picture = (Picture::Ranking(&table, "importance"), args.theme.theme);
    run.show_picture(&table, to.as_ref(), picture, || whole_table(&table))?;
    remark.iter().for_each(|text| note(text));
    run.report.print()
}
