//! `gaintree contributions`: how much each feature contributes to a model's answers.

use clap::Args;
use gaintree::{ContributionSpec, Model, ModelColumns, ModelVerbs};
use polars::prelude::{Column, DataFrame};

use super::explain::row_of;
use super::run::Run;
use crate::args::shared::{ModelArgs, RunArgs, ThemeArg, set_spec};
use crate::output::{Picture, timed};
use crate::process::Result;
use crate::terminal::whole_table;

#[derive(Args)]
#[command(after_help = "\
How much each feature contributes to the answers for rows: exact Shapley values. The base value, which \
is the answer where no feature is known, and a row's contributions sum to its prediction. Printed are \
the features by the mean of the absolute contributions; -o writes those of each row, --row N is about \
one row. The target need not be in INPUT.

Examples:
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica -o why.parquet
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica -o why.svg
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica --row 71")]
pub struct ContributionsArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    /// Explain the probability of this class [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Explain the answer for this row of the input alone, step by step; the first is 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub row: Option<u64>,
    /// Write the contributions of each row, or the steps of the one, to this file (.parquet, .csv,
    /// .ndjson, .json, .ipc; - is csv on standard output), or a picture of them (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write the features by the mean of their absolute contributions to this file, or a bar chart (.svg,
    /// .png)
    #[arg(long, value_name = "OUT", conflicts_with = "row")]
    pub importance: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

pub fn run(args: ContributionsArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_model(&args.files, args.run.report)?;
    let (ground, importance) = (args.theme.theme, args.importance.as_deref());
    let to = run.places.table_or_picture("--output", args.output.as_deref(), ground)?;
    let importance = run.places.table_or_picture("--importance", importance, ground)?;
    let mut spec = ContributionSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args => event; args.run.threads => threads);
    let model = timed(&mut run.report.read, || Model::load(&args.files.model))?;
    let columns = model.used_columns();
    let scan = run.scan_for(&model, inputs, &columns)?;
    // The event, and columns that are absent or of another dtype, are found without the rows.
    model.contributions_with(&scan.empty(), &spec)?;
    let df = run.read_used(&scan, &columns)?;
    if let Some(number) = args.row {
        let row = row_of(&df, number)?;
        let steps = timed(&mut run.report.score, || model.waterfall(&*df, row, &spec));
        let steps = df.named(steps)?;
        let picture = Picture::Waterfall { model: &model, df: &df, row, spec: &spec };
        run.show_picture(&steps, to.as_ref(), picture, || steps_text(&steps))?;
        return run.report.print();
    }
    run.progress.say(format!("explaining {} rows", df.height()));
    // A picture makes its own.
    let has_table = to.as_ref().is_some_and(|to| !to.is_picture());
    let has_ranking = to.is_none() || importance.is_some();
    let (of_rows, ranking) = timed(&mut run.report.score, || -> Result<(DataFrame, DataFrame)> {
        let none = || Ok(DataFrame::empty());
        let of_rows = if has_table { model.contributions_with(&*df, &spec) } else { none() };
        let ranking = if has_ranking { model.contribution_importance(&*df, &spec) } else { none() };
        Ok((df.named(of_rows)?, df.named(ranking)?))
    })?;
    if to.is_some() {
        let picture = Picture::Contributions { model: &model, df: &df, spec: &spec };
        run.show_picture(&of_rows, to.as_ref(), picture, String::new)?;
    }
    if has_ranking {
        let picture = Picture::Ranking(&ranking, "mean_absolute");
        run.show_picture(&ranking, importance.as_ref(), picture, || whole_table(&ranking))?;
    }
    run.report.print()
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
