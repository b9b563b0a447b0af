//! `gaintree prune`, and how `fit` prunes.

use clap::Args;
use gaintree::{CvSpec, PruneBy, Pruning};

use super::parsers::{choice, memory};
use super::shared::{CsvArgs, RowArgs, ThreadsArg};
use crate::process::{Failure, Result};

#[derive(Args)]
#[command(after_help = "\
Without --pruning and --held-out, the cost-complexity sequence is listed: each alpha with the \
leaves that are left. Only cross-validation takes an INPUT: the rows the tree was fitted on.

Examples:
  gaintree prune iris.tree.json
  gaintree prune iris.tree.json --pruning leaves=3 -o small.json
  gaintree prune iris.tree.json --held-out new.parquet -o small.json
  gaintree prune iris.tree.json iris.parquet --pruning cv=10 --scores cv.csv -o small.json")]
pub struct PruneArgs {
    /// The model file
    pub model: String,
    /// Parquet, csv, ndjson or ipc files, folders or quoted globs of them, to cross-validate on
    pub input: Vec<String>,
    /// Prune in this way: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated)
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning)]
    pub pruning: Option<PruningChoice>,
    #[command(flatten)]
    pub judging: JudgingArgs,
    #[command(flatten)]
    pub csv: CsvArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Read the held-out rows in batches, in about this much memory, as 500MB or 2GB; the tree is
    /// the same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    /// Write the pruned model to this file, or the list (.parquet, .csv, …; - is standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

/// How a tree is pruned: by a rule of the spec, or by cross-validation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PruningChoice {
    Spec(Pruning),
    CrossValidated { folds: usize },
}

/// Pruning by the errors on rows.
#[derive(Args)]
pub struct JudgingArgs {
    /// Prune what makes more errors than it saves on the rows of these files (reduced error)
    #[arg(long, value_name = "INPUT", conflicts_with = "pruning")]
    pub held_out: Vec<String>,
    /// With cv or --held-out: count as errors wrong classes, or log loss or Gini, by which the splits
    /// stay that tell of a rare class [default: error-rate]
    #[arg(long, value_name = "LOSS", value_parser = choice::<PruneBy>())]
    pub prune_by: Option<PruneBy>,
    /// With cv: take the smallest tree whose error is within one standard error of the least,
    /// rather than the one of least error [default: true]
    #[arg(long, value_name = "BOOL")]
    pub one_standard_error: Option<bool>,
    /// With cv: write each subtree's error to this file (.parquet, .csv, .ndjson, .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub scores: Option<String>,
}

impl JudgingArgs {
    /// The cross-validation, if one was asked for.
    pub fn cross_validation(&self, pruning: Option<PruningChoice>) -> Result<Option<CvSpec>> {
        if let Some(PruningChoice::CrossValidated { folds }) = pruning {
            let spec = CvSpec::default().folds(folds);
            let allowed = self.one_standard_error.unwrap_or(spec.one_standard_error);
            let spec = spec.prune_by(self.prune_by.unwrap_or_default());
            return Ok(Some(spec.one_standard_error(allowed)));
        }
        if self.prune_by.is_some() && self.held_out.is_empty() {
            return Err(Failure::usage(
                "--prune-by is of pruning by rows: add --pruning cv=10 or --held-out FILE",
            ));
        }
        let lost = match (&self.scores, self.one_standard_error) {
            (Some(_), _) => "--scores",
            (_, Some(_)) => "--one-standard-error",
            _ => return Ok(None),
        };
        Err(Failure::usage(format!("{lost} is of cross-validation: add --pruning cv=10")))
    }
}

/// `none`, `alpha=A`, `leaves=N`, `pessimistic`, `pessimistic=CONFIDENCE`, `cv` or `cv=FOLDS`.
pub(super) fn pruning(text: &str) -> std::result::Result<PruningChoice, String> {
    let (how, figure) = text.split_once('=').map_or((text, None), |(how, x)| (how, Some(x)));
    let number =
        |figure: &str| figure.parse::<f64>().map_err(|_| format!("`{figure}` is no number"));
    let parsed = match (how, figure) {
        ("none", None) => Pruning::None,
        ("pessimistic", None) => Pruning::Pessimistic { confidence: 0.25 },
        ("pessimistic", Some(x)) => Pruning::Pessimistic { confidence: number(x)? },
        ("alpha", Some(x)) => Pruning::CostComplexity { alpha: number(x)? },
        ("leaves", Some(x)) => {
            let at_most = x.parse().map_err(|_| format!("`{x}` is no number of leaves"))?;
            Pruning::Leaves { at_most }
        }
        ("cv", x) => {
            let parse = |x: &str| x.parse().map_err(|_| format!("`{x}` is no number of folds"));
            let folds = x.map_or(Ok(CvSpec::default().folds), parse)?;
            return Ok(PruningChoice::CrossValidated { folds });
        }
        _ => {
            let choices = "choose none, alpha=A, leaves=N, pessimistic=CONFIDENCE or cv=FOLDS";
            return Err(choices.to_string());
        }
    };
    Ok(PruningChoice::Spec(parsed))
}
