//! `gaintree select`: features one after the other.

use clap::Args;
use gaintree::{Intervals, SelectScore, SelectSpec, select_features, target_note};

use super::notes_of_features;
use super::run::Run;
use crate::args::parsers::{choice, intervals};
use crate::args::shared::{FeatureArgs, TargetArgs, ThemeArg, ThreadsArg, override_spec, set_spec};
use crate::output::{Picture, note, note_all};
use crate::process::Result;
use crate::terminal::{fitted_table, names_of};

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

pub fn run(args: SelectArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, None)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let mut spec = SelectSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args.features => features, exclude; args.target.kinds => ordered, nominal;
        args.target => weight; args => alpha; args.threads => threads);
    override_spec!(spec, args.target => task, log_base; args => score, k, intervals);
    let df = run.read_to_learn(inputs, &mut spec, &args.target)?;
    run.progress.say(format!("looking at {} rows", df.height()));
    let target = args.target.target.as_str();
    let steps = df.named(select_features(&*df, target, &spec))?;
    // What is noted is said below.
    let mut columns = names_of(&steps);
    columns.retain(|name| *name != "note");
    let picture = Picture::Selection(&steps);
    run.show_picture(&steps, to.as_ref(), picture, || fitted_table(&steps, &columns))?;
    note_all(target_note(&*df, target, spec.task));
    note_all(notes_of_features(&steps));
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
