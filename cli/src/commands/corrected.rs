//! `gaintree corrected-importance` and `gaintree boruta`: what features gain beside permuted copies.

use clap::Args;
use gaintree::{BorutaSpec, CorrectedSpec, ForestSpec, boruta, corrected_importance};
use polars::prelude::DataFrame;

use super::run::Run;
use crate::args::growth::{DrawArgs, GrowthArgs};
use crate::args::shared::{FeatureArgs, RunArgs, TargetArgs, ThemeArg};
use crate::output::{Picture, timed};
use crate::process::Result;
use crate::terminal::whole_table;

/// What both commands take.
#[derive(Args)]
pub struct CopyArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    #[command(flatten)]
    pub draws: DrawArgs,
    #[command(flatten)]
    pub growth: GrowthArgs,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard output),
    /// or a bar chart of the corrected gains (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
Gains of trees favour features of many levels: noise with many levels gains much. corrected_gain is \
what a feature gains more than permuted copies of it do, and about 0 for one that tells nothing. \
p_value says how often a copy gains as much in the trees of one permutation as the feature does in \
those of the first; it is at least 1 / (permutations + 1).

Examples:
  gaintree corrected-importance examples/data/wine.parquet --target cultivar
  gaintree corrected-importance examples/data/diabetes.parquet --target progression --trees 100 \
-o gains.csv")]
pub struct CorrectedArgs {
    /// Number of permutations, at least 10; a forest is grown for each
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    pub permutations: u32,
    /// Number of trees in each forest
    #[arg(long, value_name = "N", default_value_t = 25, allow_negative_numbers = true)]
    pub trees: u32,
    #[command(flatten)]
    pub copies: CopyArgs,
}

#[derive(Args)]
#[command(after_help = "\
In each run a forest is grown on the features and on permuted copies of them. A feature has a hit \
where it gains more than the best copy of any feature, each gain less what copies of the feature gain \
in the mean. A feature is confirmed if a coin would hardly give as many hits, and rejected if a coin \
would hardly give as few. Features that say the same are all confirmed: `gaintree select` drops what is redundant.

Examples:
  gaintree boruta examples/data/wine.parquet --target cultivar
  gaintree boruta examples/data/diabetes.parquet --target progression --alpha 0.05 -o decisions.csv")]
pub struct BorutaArgs {
    /// Number of runs at most, at least 10
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    pub runs: u32,
    /// Decide on a feature where a coin would give its hits with a chance below this, over the number of
    /// features
    #[arg(long, value_name = "P", default_value_t = 0.01, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Number of trees in each forest
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true)]
    pub trees: u32,
    #[command(flatten)]
    pub copies: CopyArgs,
}

pub fn run(args: CorrectedArgs) -> Result<()> {
    work(args.copies, args.trees, args.permutations, |df, target, forest| {
        let spec = CorrectedSpec::new(forest).permutations(args.permutations);
        corrected_importance(df, target, &spec)
    })
}

pub fn run_boruta(args: BorutaArgs) -> Result<()> {
    work(args.copies, args.trees, args.runs, |df, target, forest| {
        boruta(df, target, &BorutaSpec::new(forest).runs(args.runs).alpha(args.alpha))
    })
}

/// Reads the rows, grows up to `forests` forests of `trees` trees, and shows the table.
fn work(
    mut args: CopyArgs,
    trees: u32,
    forests: u32,
    table_of: impl FnOnce(&DataFrame, &str, ForestSpec) -> gaintree::Result<DataFrame>,
) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, args.run.report)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let tree = args.growth.spec(&args.target, &args.features, &args.run);
    let mut tree = tree.monitor(run.progress.monitor());
    let df = run.read_to_learn(inputs, &mut tree, &args.target)?;
    let (target, forest) = (args.target.target.as_str(), args.draws.spec(tree, trees));
    let at_most = u64::from(forests) * u64::from(trees);
    run.progress.say(format!("up to {at_most} trees on {} rows", df.height()));
    let table = timed(&mut run.report.grow, || table_of(&df, target, forest));
    let table = df.named(table)?;
    let picture = Picture::Ranking(&table, "corrected_gain");
    run.show_picture(&table, to.as_ref(), picture, || whole_table(&table))?;
    run.report.print()
}
