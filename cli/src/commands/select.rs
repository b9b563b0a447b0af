//! `gaintree select`: features one after the other.

use gaintree::select_features;

use super::run::Run;
use super::{note_target, notes_of_features};
use crate::args::SelectArgs;
use crate::output::{Picture, note};
use crate::process::Result;
use crate::terminal::fitted_table;

pub fn run(args: SelectArgs) -> Result<()> {
    let mut run = Run::start(None);
    let mut spec = args.spec().monitor(run.progress.monitor());
    let inputs = run.table(&args.target.table)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref())?;
    let target = args.target.target.as_str();
    let df = run.read_to_learn(inputs, &mut spec, target, &args.target.rows)?;
    run.progress.say(format!("looking at {} rows", df.height()));
    let steps = df.named(select_features(&*df, target, &spec))?;
    // What is noted is said below.
    let columns = steps.get_column_names().into_iter().map(|name| name.as_str());
    let columns: Vec<&str> = columns.filter(|name| *name != "note").collect();
    let picture = (Picture::Selection(&steps), args.theme.theme);
    run.show_picture(&steps, to.as_ref(), picture, || fitted_table(&steps, &columns))?;
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
