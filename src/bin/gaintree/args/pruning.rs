//! The words for pruning.

use std::num::NonZeroUsize;

use clap::Args;
use gaintree::{CvSpec, Pruning};

use crate::failure::{Failure, Result};
use crate::words::threads;

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
    /// Parquet, csv, ndjson or ipc files, or quoted globs of them, to cross-validate on
    pub input: Vec<String>,
    /// Prune in this way: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated)
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning)]
    pub pruning: Option<PruningWord>,
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// Write the pruned model to this file, or the list (.parquet, .csv, …; - is standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Use this many threads, for reading files too [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
}

/// How a tree is pruned: as a spec can say it, or by cross-validation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PruningWord {
    Spec(Pruning),
    CrossValidated { folds: usize },
}

/// What the ways to prune by judging on rows need beside.
#[derive(Args)]
pub struct JudgedArgs {
    /// Prune what makes more errors than it saves on the rows of these files (reduced error)
    #[arg(long, value_name = "INPUT", conflicts_with = "pruning")]
    pub held_out: Vec<String>,
    /// With cv: take the smallest tree whose error is within one standard error of the least,
    /// rather than the one of least error [default: true]
    #[arg(long, value_name = "BOOL")]
    pub one_standard_error: Option<bool>,
    /// With cv: write each subtree's error to this file (.parquet, .csv, .ndjson, .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub scores: Option<String>,
}

impl JudgedArgs {
    /// The cross-validation that is asked for, if it is.
    pub fn cross_validation(&self, pruning: Option<PruningWord>) -> Result<Option<CvSpec>> {
        if let Some(PruningWord::CrossValidated { folds }) = pruning {
            let spec = CvSpec::default().folds(folds);
            let allowed = self.one_standard_error.unwrap_or(spec.one_standard_error);
            return Ok(Some(spec.one_standard_error(allowed)));
        }
        let lost = match (&self.scores, self.one_standard_error) {
            (Some(_), _) => "--scores",
            (_, Some(_)) => "--one-standard-error",
            _ => return Ok(None),
        };
        Err(Failure::words(format!("{lost} is of cross-validation: add --pruning cv=10")))
    }
}

/// `none`, `alpha=A`, `leaves=N`, `pessimistic`, `pessimistic=CONFIDENCE`, `cv` or `cv=FOLDS`.
pub fn pruning(text: &str) -> std::result::Result<PruningWord, String> {
    let (how, figure) = text.split_once('=').map_or((text, None), |(how, x)| (how, Some(x)));
    let number =
        |figure: &str| figure.parse::<f64>().map_err(|_| format!("`{figure}` is no number"));
    let spec = match (how, figure) {
        ("none", None) => Pruning::None,
        ("pessimistic", None) => Pruning::Pessimistic { confidence: 0.25 },
        ("pessimistic", Some(x)) => Pruning::Pessimistic { confidence: number(x)? },
        ("alpha", Some(x)) => Pruning::CostComplexity { alpha: number(x)? },
        ("leaves", Some(x)) => {
            let at_most = x.parse().map_err(|_| format!("`{x}` is no number of leaves"))?;
            Pruning::Leaves { at_most }
        }
        ("cv", None) => {
            return Ok(PruningWord::CrossValidated { folds: CvSpec::default().folds });
        }
        ("cv", Some(x)) => {
            let folds = x.parse().map_err(|_| format!("`{x}` is no number of folds"))?;
            return Ok(PruningWord::CrossValidated { folds });
        }
        _ => {
            return Err(
                "choose none, alpha=A, leaves=N, pessimistic=CONFIDENCE or cv=FOLDS".to_string()
            );
        }
    };
    Ok(PruningWord::Spec(spec))
}
