//! `gaintree drift`: what has moved between two files.

use clap::Args;
use gaintree::{DriftSpec, FrameVerbs, Intervals, ModelColumns, ModelVerbs, Tree, drift};
use polars::prelude::{Column, DataFrame, DataType, Schema};

use super::columns::names;
use super::memory::of_query;
use super::run::Run;
use crate::args::parsers::intervals;
use crate::args::shared::{
    CsvArgs, FeatureArgs, KindArgs, RunArgs, ThemeArg, override_spec, set_spec,
};
use crate::input::{Input, Rows, Scan, model_dtypes};
use crate::output::{Output, Picture, note, timed};
use crate::process::{Failure, QueryFailure, Result};
use crate::terminal::{names_of, narrowed_table, table};

#[derive(Args)]
#[command(
    override_usage = "\
gaintree drift [OPTIONS] <REFERENCE> <CURRENT>
       gaintree drift [OPTIONS] --model <MODEL> <CURRENT>",
    after_help = "\
psi is the population stability index, sum (q - p) ln(q / p) over the bins of a column, and \
expected_psi what it is on average without drift. A column has moved if psi is above that by \
--threshold, and q_value, the false discovery rate, is at most --alpha. It is stable if psi is \
not above expected_psi by --threshold, and expected_psi is not above --threshold; else the rows \
cannot tell. rule tells the two files apart best. Without -o the table on standard output shows \
the columns that matter most; with -o or --full it has all of them.

Examples:
  gaintree drift january.parquet february.parquet
  gaintree drift train.parquet today.csv --model churn.tree.json --fail-above 0.25
  gaintree drift --model churn.tree.json today.csv --fail-above 0.25
  gaintree drift train.parquet 'today/*.parquet' --intervals mdl --target churn -o drift.csv"
)]
pub struct DriftArgs {
    /// The file to compare with (parquet, csv, ndjson, ipc), or a folder or quoted glob of them; with
    /// --model it may be left out: the model knows how its training rows ended
    #[arg(required = true, num_args = 1..=2, value_names = ["REFERENCE", "CURRENT"])]
    pub files: Vec<String>,
    /// Compare the columns this tree uses, its predictions, and the shares of its leaves; without
    /// REFERENCE its predictions and leaves alone, with those of the rows it was fitted on
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Exit with code 3 if a psi is above what chance makes of it (expected_psi) by more than this and
    /// its q_value is at most --alpha, or a column that was compared with is gone
    #[arg(long, value_name = "PSI", allow_negative_numbers = true)]
    pub fail_above: Option<f64>,
    /// Bin ordered columns into N intervals with equal numbers of rows of REFERENCE, or at the cuts
    /// that pay for themselves by the classes of --target (mdl) [default: 10]
    #[arg(long, value_name = "mdl|N", value_parser = intervals)]
    pub intervals: Option<Intervals>,
    /// With --intervals mdl: the column of REFERENCE whose classes choose them
    #[arg(long, value_name = "COL")]
    pub target: Option<String>,
    /// Call a column moved only if its q_value is at most this [default: 0.05]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Call a column moved only if its psi is above its expected_psi by this or more [default: 0.1]
    #[arg(long, value_name = "PSI", allow_negative_numbers = true)]
    pub threshold: Option<f64>,
    /// Print all columns
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub features: FeatureArgs,
    #[command(flatten)]
    pub kinds: KindArgs,
    #[command(flatten)]
    pub csv: CsvArgs,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a picture (.svg, .png): of one column (--features) its bins in both
    /// files, of more their psi
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

impl DriftArgs {
    pub fn spec(&self) -> DriftSpec {
        let mut spec = DriftSpec::default();
        set_spec!(spec, self.features => features, exclude; self.kinds => ordered, nominal;
            self => target; self.run.threads => threads);
        override_spec!(spec, self => intervals, alpha, threshold);
        // What is printed is chosen from all columns, and a file has them.
        spec.full = true;
        spec
    }
}

const PRINTED: [&str; 16] = [
    "rank",
    "feature",
    "verdict",
    "psi",
    "expected_psi",
    "q_value",
    "worst_bin",
    "share_reference",
    "share_current",
    "kind",
    "missing_reference",
    "missing_current",
    "new_levels",
    "rule",
    "rule_gain",
    "note",
];

/// The columns that a narrow terminal leaves out, in this order.
const LEFT_OUT: [&str; 13] = [
    "rule_gain",
    "missing_reference",
    "rule",
    "new_levels",
    "kind",
    "missing_current",
    "share_reference",
    "share_current",
    "rank",
    "q_value",
    "expected_psi",
    "worst_bin",
    "note",
];

pub fn run(mut args: DriftArgs) -> Result<()> {
    if args.fail_above.is_some_and(f64::is_nan) {
        return Err(Failure::usage("--fail-above is no number: name a psi, as in 0.25"));
    }
    Run::start(None).add_excluded(&mut args.features, &args.csv)?;
    match (args.files.as_slice(), &args.model) {
        ([reference, current], _) => compare_files(&args, reference, current),
        ([current], Some(model)) => compare_with_training(&args, model, current),
        _ => Err(Failure::usage(
            "drift compares two files: name REFERENCE and CURRENT, or CURRENT and the --model that \
             knows its training rows",
        )),
    }
}

/// Compares the rows of files with the rows a model was fitted on.
fn compare_with_training(args: &DriftArgs, model: &str, current: &str) -> Result<()> {
    let mut run = Run::start(args.run.report);
    let inputs = open(&mut run, current, args)?;
    run.places.protect(model.as_ref());
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let tree = Tree::load(model)?;
    let needed = tree.used_columns();
    let scan = run.scan_for(&tree, inputs, &needed)?;
    run.progress.say(format!("comparing {} with the training rows", scan.describe()));
    let table = timed(&mut run.report.score, || {
        scan.with_query(Some(&needed), |rows| {
            tree.drift_from_training(&rows, &args.spec()).map_err(|e| of_query(e, Failure::from))
        })
    })?;
    finish(run, args, &table, to.as_ref(), Picture::Ranking(&table, "psi"))
}

fn compare_files(args: &DriftArgs, reference: &str, current: &str) -> Result<()> {
    let mut run = Run::start(args.run.report);
    let mut spec = args.spec();
    let (references, currents) = (open(&mut run, reference, args)?, open(&mut run, current, args)?);
    args.model.iter().for_each(|model| run.places.protect(model.as_ref()));
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let tree = args.model.as_deref().map(Tree::load).transpose()?;
    let given = |tree: &Tree| model_dtypes(tree.schema(), &tree.used_columns());
    let given = tree.as_ref().map_or_else(Schema::default, given);
    let scans = timed(&mut run.report.read, || {
        Ok::<_, Failure>([Scan::new(references, given.clone())?, Scan::new(currents, given)?])
    })?;
    words(&mut spec, &scans)?;
    let needed = needed(&spec, tree.as_ref());
    let picture_of = match spec.features.as_deref() {
        Some([one]) if tree.is_none() => Some(one.as_str()),
        _ => None,
    };
    let picture_of = picture_of.filter(|_| to.as_ref().is_some_and(Output::is_picture));
    let (table, frames) = if picture_of.is_none() && scans.iter().all(|scan| !scan.is_text()) {
        // Column by column, as a file may be larger than memory.
        run.progress.say(format!("comparing {} with {}", scans[1].describe(), scans[0].describe()));
        let compare = || by_columns(&scans, needed.as_deref(), tree.as_ref(), &spec);
        (timed(&mut run.report.score, compare)?, None)
    } else {
        let read = |scan: &Scan| {
            run.progress.say(format!("reading {}", scan.describe()));
            scan.read(needed.as_deref()).map(|(rows, _)| rows)
        };
        let frames =
            timed(&mut run.report.read, || Ok::<_, Failure>([read(&scans[0])?, read(&scans[1])?]));
        let [mut reference, mut current] = frames?.map(Rows::into_frame);
        agree([(&mut reference, scans[0].is_text()), (&mut current, scans[1].is_text())])?;
        run.progress.say(format!(
            "comparing {} rows with {}",
            current.height(),
            reference.height()
        ));
        let table = timed(&mut run.report.score, || match &tree {
            Some(tree) => tree.drift(&reference, &current, &spec),
            None => drift(&reference, &current, &spec),
        })?;
        (table, Some([reference, current]))
    };
    let picture = match (&frames, picture_of) {
        (Some([reference, current]), Some(feature)) => {
            Picture::Drift { frames: [reference, current], feature, spec: &spec }
        }
        _ => Picture::Ranking(&table, "psi"),
    };
    finish(run, args, &table, to.as_ref(), picture)
}

/// Writes what was found, and fails if it is more than may be.
fn finish(
    mut run: Run,
    args: &DriftArgs,
    table: &DataFrame,
    to: Option<&Output>,
    picture: Picture,
) -> Result<()> {
    run.report.size(rows(table)?, table.height());
    run.show_picture(table, to, picture, || text(table, args.full))?;
    let drifted = drifted(table, args.fail_above, args.spec().alpha)?;
    run.report.print()?;
    match drifted.as_slice() {
        [] => Ok(()),
        columns => Err(Failure::Drift(format!("drifted: {}", columns.join(", ")))),
    }
}

fn by_columns(
    [reference, current]: &[Scan; 2],
    needed: Option<&[&str]>,
    tree: Option<&Tree>,
    spec: &DriftSpec,
) -> Result<DataFrame> {
    reference.with_query(needed, |of_reference| {
        let mut is_of_rows = false;
        let compared = current.with_query(needed, |of_current| {
            let of_reference = of_reference.clone();
            let compared = match tree {
                Some(tree) => tree.drift(&of_reference, &of_current, spec),
                None => of_reference.drift(of_current, spec),
            };
            compared.map_err(|e| {
                let failure = of_query(e, Failure::from);
                is_of_rows = matches!(failure, QueryFailure::Rows(_));
                failure
            })
        });
        // The rows may be of either file.
        compared.map_err(|failure| match failure {
            Failure::Work(what) if is_of_rows => QueryFailure::Rows(what),
            failure => failure.into(),
        })
    })
}

fn rows(table: &DataFrame) -> Result<u64> {
    let rows = |name| Ok::<_, Failure>(table.column(name)?.u64()?.first().unwrap_or_default());
    Ok(rows("n_reference")? + rows("n_current")?)
}

fn open(run: &mut Run, words: &str, args: &DriftArgs) -> Result<Vec<Input>> {
    run.inputs(&[words.to_string()], &args.csv)
}

/// Makes words for columns names of columns.
fn words(spec: &mut DriftSpec, [reference, current]: &[Scan; 2]) -> Result<()> {
    // A column may be in one of the files alone.
    let scan = |words: &[String]| {
        if names(words, reference).iter().all(|n| reference.has(n)) { reference } else { current }
    };
    let lists = [&mut spec.exclude, &mut spec.ordered, &mut spec.nominal];
    for words in lists.into_iter().chain(&mut spec.features) {
        *words = names(words, scan(words));
    }
    Ok(())
}

/// The columns that are read; none where it is all of them.
fn needed<'a>(spec: &'a DriftSpec, tree: Option<&'a Tree>) -> Option<Vec<&'a str>> {
    let mut needed: Vec<&str> = match (&spec.features, tree) {
        (Some(features), _) => features.iter().map(String::as_str).collect(),
        (None, Some(_)) => Vec::new(),
        (None, None) => return None,
    };
    needed.extend(tree.map(Tree::used_columns).unwrap_or_default());
    needed.extend(spec.target.as_deref());
    Some(needed)
}

/// Text says no dtype: whole numbers of one file may be fractions in the other, decimals may have
/// more digits there, and a column without a value is of any dtype.
fn agree(frames: [(&mut DataFrame, bool); 2]) -> Result<()> {
    let [(a, a_text), (b, b_text)] = frames;
    let schema = a.schema().clone();
    for (name, dtype) in schema.iter() {
        let Some(other) = b.schema().get(name).cloned() else { continue };
        for (df, is_text, own, to) in
            [(&mut *a, a_text, dtype, &other), (&mut *b, b_text, &other, dtype)]
        {
            let column = df.column(name)?;
            let is_blank = own != to && column.null_count() == column.len();
            let is_whole = *own == DataType::Int64 && *to == DataType::Float64;
            let has_less = match (own, to) {
                (DataType::Decimal(_, own), DataType::Decimal(_, to)) => own < to,
                _ => false,
            };
            if is_text && (is_blank || is_whole) || has_less {
                let cast = column.cast(to)?;
                df.with_column(cast)?;
            }
        }
    }
    Ok(())
}

fn text(df: &DataFrame, full: bool) -> String {
    if full {
        // All columns were asked for, so lines are not cut to the terminal.
        return table(df, &names_of(df));
    }
    let mut df = df.clone();
    // It takes the place of a column of its height.
    let _ = df.with_column(Column::new("note".into(), notes(&df)));
    let is_empty = |name: &str| df.column(name).is_ok_and(|c| c.null_count() == c.len());
    let printed = PRINTED.into_iter().filter(|name| !is_empty(name)).collect();
    narrowed_table(&df, printed, &LEFT_OUT, 16)
}

/// Why a line cannot tell, or why its column is not compared.
fn notes(df: &DataFrame) -> Vec<Option<String>> {
    let texts = |name: &str| df.column(name).ok().and_then(|column| column.str().ok());
    let (Some(notes), Some(reasons)) = (texts("note"), texts("excluded_reason")) else {
        return vec![None; df.height()];
    };
    let either = notes.iter().zip(reasons.iter()).map(|(note, reason)| note.or(reason));
    either.map(|text| text.map(str::to_string)).collect()
}

/// The columns that are farther beyond chance than the limit, or that are gone or of another dtype.
fn drifted(table: &DataFrame, limit: Option<f64>, alpha: f64) -> Result<Vec<String>> {
    let figures = |name: &str| Ok::<_, Failure>(table.column(name)?.f64()?.iter());
    let texts = |name: &str| Ok::<_, Failure>(table.column(name)?.str()?.iter());
    let (features, reasons) = (texts("feature")?, texts("excluded_reason")?);
    let by_chance = figures("expected_psi")?.zip(figures("q_value")?);
    let mut drifted = Vec::new();
    for (((feature, reason), psi), (expected, q)) in
        features.zip(reasons).zip(figures("psi")?).zip(by_chance)
    {
        let feature = feature.unwrap_or_default();
        match (psi.zip(expected), reason, limit) {
            (Some((psi, expected)), _, Some(limit)) => {
                let beyond = psi - expected;
                if let Some(q) = q.filter(|&q| q <= alpha && beyond > limit) {
                    drifted.push(format!(
                        "`{feature}` has psi {psi:.4}, {beyond:.4} beyond chance (q_value {q:.2e})"
                    ));
                }
            }
            (None, Some(reason), Some(_)) if reason.contains("in the reference") => {
                drifted.push(format!("`{feature}` is {reason}"));
            }
            (None, Some(reason), _) => note(&format!("`{feature}` is not compared: {reason}")),
            _ => {}
        }
    }
    Ok(drifted)
}
