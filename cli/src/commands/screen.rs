//! `gaintree screen`: what each column is.

use clap::Args;
use gaintree::{FeatureSpec, ScreenSpec, screen, target_note};
use polars::prelude::{Column, DataFrame};

use super::columns::name_columns;
use super::memory::{named_row, of_query};
use super::run::Run;
use crate::args::shared::{FeatureArgs, TargetArgs, ThemeArg, ThreadsArg, override_spec, set_spec};
use crate::output::{Output, Picture, note_all};
use crate::process::Result;
use crate::terminal::{names_of, narrowed_table, table};

#[derive(Args)]
#[command(after_help = "\
A verdict is the first of these that holds: unusable (a dtype without order and levels), constant, id \
(its values name the rows), chance (it tells no more than chance), leak (it gives the target away), \
twin (another column tells it), weak, useful. Columns to leave out come first, then useful ones by \
what each tells beside the ones before it.

Examples:
  gaintree screen examples/data/breast_cancer.parquet --target diagnosis
  gaintree screen examples/data/breast_cancer.parquet --target diagnosis -o screen.html
  gaintree screen examples/data/loan.csv --target approved --alpha 0.01 --full")]
pub struct ScreenArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Call a column chance if its false discovery rate is above this [default: 0.05]
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Call a column weak if it tells less than this share of the target [default: 0.01]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub weak_share: Option<f64>,
    /// Call a column a leak if it tells at least this share of the target [default: 0.99]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub leak_share: Option<f64>,
    /// Call a column a leak if at least this share of a rule's rows are of the rare class
    /// [default: 0.99]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub pure_share: Option<f64>,
    /// The least share of the rare class that such a rule finds [default: 0.1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub pure_recall: Option<f64>,
    /// Call a class rare if at most this share of the rows are of it [default: 0.2]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub rare_share: Option<f64>,
    /// Call whole numbers an id if at least this share of them are distinct, and they number the rows or
    /// tell nothing [default: 0.95]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub id_share: Option<f64>,
    /// Call a nominal column an id if it has at least this many levels a row [default: 0.3]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub id_share_nominal: Option<f64>,
    /// Call a column a twin if another tells at least this share of it [default: 0.9]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub twin_share: Option<f64>,
    /// Print all columns
    #[arg(long)]
    pub full: bool,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), a page (.html), or a picture (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

pub fn run(mut args: ScreenArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, None)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let to = run.places.table_picture_or_page("-o", args.output.as_deref(), args.theme.theme)?;
    let mut spec = ScreenSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args.features => features, exclude; args.target.kinds => ordered, nominal;
        args.target => weight; args.threads => threads);
    override_spec!(spec, args.target => task, log_base; args => alpha, weak_share, leak_share, pure_share, pure_recall, rare_share,
        id_share, id_share_nominal, twin_share);
    spec.full = args.full || to.is_some();
    let scan = run.scan(inputs)?;
    let target = args.target.target.as_str();
    name_columns(&mut spec, &scan, target)?;
    let needed = spec.needed_columns(target);
    let (lines, note_of_target) = if scan.is_text() || args.target.rows.drop_null_target {
        let df = run.read_known(&scan, needed.as_deref(), target, &args.target.rows)?;
        run.progress.say(format!("looking at {} rows", df.height()));
        let lines = df.named(screen(&*df, target, &spec))?;
        (lines, target_note(&*df, target, spec.task))
    } else {
        // Column by column, as a file may be larger than memory.
        run.progress.say(format!("looking at {}", scan.describe()));
        let needed: Option<Vec<&str>> =
            needed.as_ref().map(|names| names.iter().map(String::as_str).collect());
        scan.with_query(needed.as_deref(), |rows| {
            let lines = screen(&rows, target, &spec);
            let lines = lines.map_err(|e| of_query(e, |e| named_row(e, &scan)))?;
            Ok((lines, target_note(&rows, target, spec.task)))
        })?
    };
    let picture = match &to {
        Some(Output::Page(_)) => Picture::ScreenPage(&lines, target),
        _ => Picture::Screen(&lines),
    };
    run.show_picture(&lines, to.as_ref(), picture, || match args.full {
        true => table(&lines, &names_of(&lines)),
        false => narrowed_table(&four_decimals(&lines), names_of(&lines), &LEFT_OUT, 30),
    })?;
    note_all(note_of_target);
    Ok(())
}

/// The columns that a narrow terminal leaves out, in this order.
const LEFT_OUT: [&str; 4] = ["n_levels", "missing", "q_value", "share"];

/// The table with its shares as texts: they are rounded to four decimals, and need no more width.
fn four_decimals(lines: &DataFrame) -> DataFrame {
    let mut drawn = lines.clone();
    for name in ["share", "q_value", "missing"] {
        let Some(values) = lines.column(name).ok().and_then(|column| column.f64().ok()) else {
            continue;
        };
        let text = |x: Option<f64>| x.map_or("-".to_string(), |x| format!("{x:7.4}"));
        let texts: Vec<String> = values.iter().map(text).collect();
        // It takes the place of a column of its height.
        let _ = drawn.with_column(Column::new(name.into(), texts));
    }
    drawn
}
