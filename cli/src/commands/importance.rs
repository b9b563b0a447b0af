//! `gaintree importance`: how much worse a model answers without what a feature says.

use clap::Args;
use gaintree::{FeatureGroup, Model, ModelVerbs, PermutationLoss, PermutationSpec};

use super::run::Run;
use crate::args::parsers::{choice, feature_group, seed};
use crate::args::shared::{ModelArgs, RowArgs, RunArgs, ThemeArg, set_spec};
use crate::output::{Picture, note_all, timed};
use crate::process::Result;
use crate::terminal::whole_table;

#[derive(Args)]
#[command(after_help = "\
A feature's importance is by how much the loss of the rows rises where its values are permuted among \
them. INPUT holds the target. Rows that training had not seen tell what features do for new rows; \
with --out-of-bag they are the rows a forest was fitted on. Of features that say the same each seems to \
matter little: name them as a group.

Examples:
  gaintree importance iris.tree.json examples/data/iris.parquet
  gaintree importance iris.forest.json examples/data/iris.parquet --out-of-bag
  gaintree importance iris.forest.json examples/data/iris.parquet --loss roc_auc \
--group petal=petal_length_cm,petal_width_cm -o importance.csv")]
pub struct ImportanceArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Let each tree answer the rows that it did not draw: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long)]
    pub out_of_bag: bool,
    /// Judge classes by this; all but error see probabilities, and so tell of rare classes [default: brier;
    /// numbers are judged by the squared error]
    #[arg(long, value_name = "LOSS", value_parser = choice::<PermutationLoss>())]
    pub loss: Option<PermutationLoss>,
    /// Permute each feature this number of times [default: 5, out of bag once for each tree]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub repeats: Option<u32>,
    /// Permute by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0,
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Permute these features together, under a name of their own; may be given several times
    #[arg(long, value_name = "NAME=COL,…", value_parser = feature_group)]
    pub group: Vec<FeatureGroup>,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output), or a bar chart (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

pub fn run(args: ImportanceArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_model(&args.files, args.run.report)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let mut spec = PermutationSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args => loss, repeats, seed; args.run.threads => threads);
    spec.groups = args.group;
    let model = timed(&mut run.report.read, || Model::load(&args.files.model))?;
    let (scan, out_of_bag) = run.scan_to_judge(&model, inputs, args.out_of_bag)?;
    let df = run.read_judged(&scan, &model, out_of_bag.is_some(), &args.rows)?;
    run.progress.say(format!("judging {} rows", df.height()));
    let judged = timed(&mut run.report.score, || match out_of_bag {
        Some(forest) => forest.out_of_bag_importance_with_note(&*df, &spec),
        None => model.permutation_importance_with_note(&*df, &spec),
    });
    let (table, remark) = df.named(judged)?;
    let picture = Picture::Ranking(&table, "importance");
    run.show_picture(&table, to.as_ref(), picture, || whole_table(&table))?;
    note_all(&remark);
    run.report.print()
}
