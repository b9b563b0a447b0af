//! `gaintree contributions`: how much each feature contributes to a model's answers.

use gaintree::{Model, ModelVerbs};
use polars::prelude::{Column, DataFrame};

use super::explain::row_of;
use super::{note_written, open_scan, read, show_picture, used};
use crate::args::ContributionsArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, Picture, RunReport, check_distinct, print, timed};
use crate::process::Result;
use crate::terminal::{Progress, whole_table};

pub fn run(args: ContributionsArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table_or_picture(args.output.as_deref(), &taken)?;
    let importance = Output::of_table_or_picture(args.importance.as_deref(), &taken)?;
    check_distinct(&[("--output", to.as_ref()), ("--importance", importance.as_ref())])?;
    let progress = Progress::start();
    let spec = args.spec().monitor(progress.monitor());
    let model = timed(&mut report.read, || Model::load(&files.model))?;
    let scan = timed(&mut report.read, || open_scan(&model, inputs, ModelColumns::Used))?;
    // The event, and columns that are absent or of another dtype, are found without the rows.
    model.contributions_with(&scan.empty(), &spec)?;
    // A model without rules uses no column, and its rows are to be counted all the same.
    let needed = Some(used(&model)).filter(|used| !used.is_empty());
    let df = read(&scan, needed, &mut report, &progress)?;
    if let Some(number) = args.row {
        let row = row_of(&df, number)?;
        let steps = timed(&mut report.score, || model.waterfall(&*df, row, &spec));
        let steps = df.named(steps)?;
        let picture = Picture::Waterfall { model: &model, df: &df, row, spec: &spec };
        let picture = (picture, args.theme.theme);
        show_picture(&steps, to.as_ref(), picture, progress, &mut report, || steps_text(&steps))?;
        return report.print();
    }
    progress.say(format!("explaining {} rows", df.height()));
    // A picture makes its own.
    let has_table = to.as_ref().is_some_and(|to| to.picture().is_none());
    let has_ranking = to.is_none() || importance.is_some();
    let (of_rows, ranking) = timed(&mut report.score, || -> Result<(DataFrame, DataFrame)> {
        let none = || Ok(DataFrame::empty());
        let of_rows = if has_table { model.contributions_with(&*df, &spec) } else { none() };
        let ranking = if has_ranking { model.contribution_importance(&*df, &spec) } else { none() };
        Ok((df.named(of_rows)?, df.named(ranking)?))
    })?;
    timed(&mut report.write, || -> Result<()> {
        if let Some(to) = &to {
            let picture = Picture::Contributions { model: &model, df: &df, spec: &spec };
            to.write(&of_rows, (picture, args.theme.theme))?;
        }
        if let Some(to) = &importance {
            let picture = Picture::Ranking(&ranking, "mean_absolute");
            to.write(&ranking, (picture, args.theme.theme))?;
        }
        drop(progress);
        match to.is_none() && importance.is_none() {
            true => print(&whole_table(&ranking)),
            false => Ok(()),
        }
    })?;
    let outputs = [(&of_rows, &to), (&ranking, &importance)];
    outputs.iter().for_each(|(table, to)| to.iter().for_each(|to| note_written(table, to)));
    report.print()
}

/// The steps for a terminal: the first is named.
fn steps_text(steps: &DataFrame) -> String {
    let named = steps.column("feature").and_then(|feature| {
        let names = feature.str()?.iter().map(|name| name.unwrap_or("(base value)"));
        let names = Column::new("feature".into(), names.collect::<Vec<_>>());
        let mut named = steps.clone();
        named.with_column(names)?;
        Ok(named)
    });
    whole_table(named.as_ref().unwrap_or(steps))
}
