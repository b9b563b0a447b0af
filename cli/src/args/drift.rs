//! `gaintree drift`.

use clap::Args;
use gaintree::{DriftSpec, Intervals};

use super::parsers::intervals;
use super::shared::{CsvArgs, FeatureArgs, KindArgs, RunArgs, ThemeArg, override_spec, set_spec};

#[derive(Args)]
#[command(
    override_usage = "\
gaintree drift [OPTIONS] <REFERENCE> <CURRENT>
       gaintree drift [OPTIONS] --model <MODEL> <CURRENT>",
    after_help = "\
psi is the population stability index, sum (q - p) ln(q / p) over the bins of a column; \
js_divergence is in bits. rule is the one that tells the two files apart best. Without -o the table \
on standard output shows the columns that matter most.

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
    /// Exit with code 3 if a psi is above this, or a column that was compared with is gone
    #[arg(long, value_name = "PSI", allow_negative_numbers = true)]
    pub fail_above: Option<f64>,
    /// Bin ordered columns into so many intervals of as many rows of REFERENCE each, or into those
    /// that pay for themselves by the classes of --target (mdl) [default: 10]
    #[arg(long, value_name = "mdl|N", value_parser = intervals)]
    pub intervals: Option<Intervals>,
    /// With --intervals mdl: the column of REFERENCE whose classes choose them
    #[arg(long, value_name = "COL")]
    pub target: Option<String>,
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
        set_spec!(spec, self.features => features, exclude);
        set_spec!(spec, self.kinds => ordered, nominal);
        set_spec!(spec, self => target);
        spec.threads = self.run.threads.get();
        override_spec!(spec, self => intervals);
        spec
    }
}
