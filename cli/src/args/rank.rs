//! `gaintree rank`.

use clap::Args;
use gaintree::{Chance, Cuts, RankMissing, RankSpec, SortBy};

use super::parsers::{choice, memory, permutations, seed};
use super::shared::{FeatureArgs, RunArgs, TargetArgs, ThemeArg, override_spec, set_spec};

#[derive(Args)]
#[command(after_help = "\
Without -o the table on standard output shows the columns that matter most; with -o or --full it \
has all of them (entropies, split info, cuts, thresholds …).

Examples:
  gaintree rank examples/data/weather.csv --target play
  gaintree rank examples/data/breast_cancer.parquet --target diagnosis --sort-by gain_ratio
  gaintree rank examples/data/weather.csv --target play --chance 1000
  gaintree rank examples/data/loan.csv --target approved --given owns_house
  gaintree rank examples/data/loan.csv --target approved --by age -o gains.csv
  gaintree rank examples/data/wine.parquet --target cultivar -o wine.svg")]
pub struct RankArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Rank within each group of rows that are equal in these columns
    #[arg(long, value_name = "COL,…")]
    pub by: Vec<String>,
    /// Rank by what features tell beside these columns: the gain within rows that agree on them
    #[arg(long, value_name = "COL,…")]
    pub given: Vec<String>,
    /// Leave missing values out (known), or take them as a level of their own [default: known]
    #[arg(long, value_name = "HOW", value_parser = choice::<RankMissing>())]
    pub missing: Option<RankMissing>,
    /// Sort by this figure, best first; with --given always by gain_given [default: info_gain]
    #[arg(long, value_name = "FIGURE", value_parser = choice::<SortBy>())]
    pub sort_by: Option<SortBy>,
    /// Rate ordered features by this: their best cut, or all cuts that pay (Fayyad & Irani's MDL)
    /// [default: best]
    #[arg(long, value_name = "WHICH", value_parser = choice::<Cuts>())]
    pub cuts: Option<Cuts>,
    /// Print all columns
    #[arg(long)]
    pub full: bool,
    /// Compare each gain with that of chance, by at most so many permutations of the target
    #[arg(long, value_name = "N", value_parser = permutations, allow_negative_numbers = true)]
    pub chance: Option<u32>,
    /// Permute by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0, requires = "chance",
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a bar chart (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    /// Rank in this much memory, as 500MB or 2GB, by reading a few columns at a time; the table is
    /// the same [default: read all columns into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl RankArgs {
    pub fn spec(&self) -> RankSpec {
        let mut spec = self.target.rank_spec(&self.run.threads);
        set_spec!(spec, self.features => features, exclude);
        set_spec!(spec, self => by, given);
        // What is printed is chosen from all columns, and a file has them.
        spec.full = true;
        override_spec!(spec, self => missing, sort_by, cuts);
        spec.chance = self.chance.map(|n| Chance::new(n).seed(self.seed));
        spec
    }
}
