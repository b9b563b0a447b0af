//! What `gaintree score` takes: a model or a scorecard.

use std::path::Path;

use polars::prelude::LazyFrame;

use super::score_lazy::LazyScore;
use super::verbs::PolarsScoring;
use crate::error::Result;
use crate::fitted::Model;
use crate::util::file_kind::FileKind;
use crate::verbs::{ScoreSpec, Scorecard};

/// What scores rows, as a file holds it: a model or a scorecard.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a program has one or two")]
pub enum RowScorer {
    /// A tree or a forest.
    Model(Model),
    /// A scorecard.
    Scorecard(Scorecard),
}

impl RowScorer {
    /// Reads the text of a model file or of a scorecard.
    ///
    /// # Errors
    /// As [`Model::from_json`] and [`Scorecard::from_json`].
    pub fn from_json(text: &str) -> Result<RowScorer> {
        match Model::from_json(text) {
            Ok(model) => Ok(RowScorer::Model(model)),
            Err(_) if FileKind::of(text) == Some(FileKind::Scorecard) => {
                Scorecard::from_json(text).map(RowScorer::Scorecard)
            }
            Err(e) => Err(e),
        }
    }

    /// Reads a model file or the file of a scorecard.
    ///
    /// # Errors
    /// As [`Model::load`] and [`Scorecard::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<RowScorer> {
        FileKind::Model.load(path.as_ref(), RowScorer::from_json)
    }

    /// The rows of a query scored: see [`PolarsScoring::score_lazy`] and [`Scorecard::score_lazy`].
    ///
    /// # Errors
    /// As these.
    pub fn score_lazy(&self, input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
        match self {
            RowScorer::Model(model) => model.score_lazy(input, spec),
            RowScorer::Scorecard(card) => card.score_lazy(input, spec),
        }
    }
}
