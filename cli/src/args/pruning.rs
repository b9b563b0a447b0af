//! How a tree is pruned.

use clap::Args;
use gaintree::{CvSpec, PruneBy, Pruning};

use super::parsers::choice;
use crate::process::{Failure, Result};

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
pub fn pruning(text: &str) -> std::result::Result<PruningChoice, String> {
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
