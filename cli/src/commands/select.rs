//! `gaintree select`: features one after the other.

use clap::Args;
use gaintree::{Intervals, SelectScore, SelectSpec, select_features};

use super::run::Run;
use super::{note_target, notes_of_features};
use crate::args::parsers::{choice, intervals};
use crate::args::shared::{FeatureArgs, TargetArgs, ThemeArg, ThreadsArg, override_spec, set_spec};
use crate::output::{Picture, note};
use crate::process::Result;
use crate::terminal::fitted_table;

#[derive(Args)]
#[command(after_help = "\
Each step adds the feature of the highest score beside those before it. gain_given is what it tells \
beside all of them together, redundancy what it shares with them on average, and p_adjusted how often \
chance alone would make the best of the features that are left as good.

Examples:
  gaintree select examples/data/breast_cancer.parquet --target diagnosis --k 5
  gaintree select examples/data/wine.parquet --target cultivar --score mrmr --alpha 0.05
  gaintree select examples/data/wine.parquet --target cultivar -o selection.svg")]
pub struct SelectArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Select by this score: jmi (joint mutual information), mrmr (relevance less redundancy), cmim
    /// (the least conditional gain), or conditional_gain (beside all features together)
    /// [default: jmi]
    #[arg(long, value_name = "SCORE", value_parser = choice::<SelectScore>())]
    pub score: Option<SelectScore>,
    /// Select at most N features [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub k: Option<usize>,
    /// Select only features whose p_adjusted is at most this, as 0.05 [default: whatever it is]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Divide an ordered feature of more than ten levels into N intervals with about equal numbers of
    /// rows, or at the cuts that pay for themselves (mdl) [default: 10]
    #[arg(long, value_name = "mdl|N", value_parser = intervals)]
    pub intervals: Option<Intervals>,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output), or a picture (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

impl SelectArgs {
    pub fn spec(&self) -> SelectSpec {
        let mut spec = SelectSpec::default();
        set_spec!(spec, self.features => features, exclude);
        set_spec!(spec, self.target.kinds => ordered, nominal);
        set_spec!(spec, self.target => weight);
        set_spec!(spec, self => alpha);
        spec.threads = self.threads.get();
        override_spec!(spec, self.target => task, log_base);
        override_spec!(spec, self => score, k, intervals);
        spec
    }
}

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
