//! `gaintree importance`: how much worse a model answers without what a feature says.

use gaintree::{Model, ModelVerbs};

use super::out_of_bag::{judged_columns, out_of_bag_forest};
use super::{check_columns, open_scan, read, show_picture, with_target};
use crate::args::ImportanceArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, Picture, RunReport, note, timed};
use crate::process::Result;
use crate::terminal::{Progress, whole_table};

pub fn run(args: ImportanceArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table_or_picture(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let spec = args.spec().monitor(progress.monitor());
    let model = timed(&mut report.read, || Model::load(&files.model))?;
    let scan = timed(&mut report.read, || open_scan(&model, inputs, ModelColumns::UsedAndTarget))?;
    check_columns(&model, &scan)?;
    let out_of_bag = out_of_bag_forest(&model, args.out_of_bag)?;
    let columns = judged_columns(&model, out_of_bag);
    let df = read(&scan, Some(columns), &mut report, &progress)?;
    let df = with_target(df, &model.schema().target, &args.rows)?;
    progress.say(format!("judging {} rows", df.height()));
    let judged = timed(&mut report.score, || match out_of_bag {
        Some(forest) => forest.out_of_bag_importance_with_note(&*df, &spec),
        None => model.permutation_importance_with_note(&*df, &spec),
    });
    let (table, remark) = df.named(judged)?;
    let picture = (Picture::Ranking(&table, "importance"), args.theme.theme);
    show_picture(&table, to.as_ref(), picture, progress, &mut report, || whole_table(&table))?;
    remark.iter().for_each(|text| note(text));
    report.print()
}
