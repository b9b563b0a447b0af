//! `gaintree select`: features one after the other.

use gaintree::{RankSpec, select_features};
use polars::prelude::Schema;

use super::{
    features, fitted, names, note_target, notes_of_features, read, show_picture, with_target,
};
use crate::args::SelectArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, note};
use crate::process::Result;
use crate::terminal::{Progress, fitted_table};

pub fn run(args: SelectArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let to = Output::of_table_or_picture(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let target = args.target.target.as_str();
    spec.ordered = names(&spec.ordered, &scan);
    spec.nominal = names(&spec.nominal, &scan);
    spec.monitor = Some(progress.monitor());
    let mut reserved = RankSpec::default();
    reserved.weight = spec.weight.clone();
    features(&mut spec.features, &mut spec.exclude, &scan, target, &reserved)?;
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("looking at {} rows", df.height()));
    let steps = df.named(select_features(&*df, target, &spec))?;
    // What is noted is said below.
    let columns = steps.get_column_names().into_iter().map(|name| name.as_str());
    let columns: Vec<&str> = columns.filter(|name| *name != "note").collect();
    let text = || fitted_table(&steps, &columns);
    show_picture(
        &steps,
        to.as_ref(),
        (Picture::Selection(&steps), args.theme.theme),
        progress,
        &mut report,
        text,
    )?;
    note_target(&df, target, spec.task);
    notes_of_features(&steps).iter().for_each(|text| note(text));
    if steps.height() == 0 {
        note(&match spec.alpha {
            None => format!("no feature tells anything about `{target}`"),
            Some(alpha) => format!(
                "no feature tells more about `{target}` than chance would: none has a p_adjusted of \
                 at most {alpha}"
            ),
        });
    }
    Ok(())
}
