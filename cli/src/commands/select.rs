//! `gaintree select`: features one after the other.

use clap::Args;
use gaintree::{Intervals, SelectScore, SelectSpec, select_features, target_note};

use polars::prelude::DataFrame;

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
  gaintree select examples/data/wine.parquet --target cultivar --score mrmr --alpha 0.01
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
    /// Select only features whose p_adjusted is at most this; 1 takes all [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Select from ids, leaks and twins too, as `gaintree screen` finds them
    #[arg(long)]
    pub keep_all: bool,
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

pub fn run(mut args: SelectArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, None)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let mut spec = SelectSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args.features => features, exclude; args.target.kinds => ordered, nominal;
        args.target => weight; args => keep_all; args.threads => threads);
    override_spec!(spec, args.target => task, log_base; args => score, k, alpha, intervals);
    spec.full = true;
    let df = run.read_to_learn(inputs, &mut spec, &args.target)?;
    run.progress.say(format!("looking at {} rows", df.height()));
    let target = args.target.target.as_str();
    let lines = df.named(select_features(&*df, target, &spec))?;
    let (steps, passed_over) = parts(&lines)?;
    // What is noted is said below.
    let mut columns = names_of(&steps);
    columns.retain(|name| *name != "note");
    let picture = Picture::Selection(&steps);
    run.show_picture(&steps, to.as_ref(), picture, || fitted_table(&steps, &columns))?;
    note_all(target_note(&*df, target, spec.task));
    note_all(notes_of_features(&steps));
    note_all(notes_of_passed_over(&passed_over));
    if steps.height() == 0 {
        note(&format!(
            "no feature tells more about `{target}` than chance would: none has a p_adjusted of at \
             most {}",
            spec.alpha
        ));
    }
    Ok(())
}

/// The steps of a selection, and the features that were passed over.
fn parts(lines: &DataFrame) -> Result<(DataFrame, DataFrame)> {
    let steps = lines.column("step")?;
    Ok((lines.filter(&steps.is_not_null())?, lines.filter(&steps.is_null())?))
}

/// The most features that are said to be passed over.
const SAID: usize = 12;

fn notes_of_passed_over(passed_over: &DataFrame) -> Vec<String> {
    let mut notes = notes_of_features(&passed_over.head(Some(SAID)));
    if let Some(last) = notes.last_mut() {
        *last += &match passed_over.height().saturating_sub(SAID) {
            0 => "; these were passed over: --keep-all selects from them too".to_string(),
            n => format!("; these and {n} more were passed over: `gaintree screen` lists them all"),
        };
    }
    notes
}
