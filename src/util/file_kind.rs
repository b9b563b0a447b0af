//! What the JSON files of this library hold: each says it in its key `format`.

use std::path::Path;

use super::atomic_file;
use crate::error::{Error, Result};

/// What a file holds, and so which of the loaders takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Model,
    Bins,
    Scorecard,
}

use FileKind::{Bins, Model, Scorecard};

impl FileKind {
    const ALL: [FileKind; 3] = [Model, Bins, Scorecard];

    pub(crate) const fn format(self) -> &'static str {
        match self {
            Model => "gaintree",
            Bins => "gaintree woe",
            Scorecard => "gaintree scorecard",
        }
    }

    /// The kind that a text says it is; none where it is no JSON, or of no kind.
    #[cfg(feature = "lazy")]
    pub(crate) fn of(text: &str) -> Option<FileKind> {
        #[derive(serde::Deserialize)]
        struct Format {
            format: String,
        }
        let Format { format } = serde_json::from_str(text).ok()?;
        FileKind::named(&format)
    }

    fn named(format: &str) -> Option<FileKind> {
        FileKind::ALL.into_iter().find(|kind| kind.format() == format)
    }

    /// What is wrong with a text of this format, where it is of another kind, and what takes it.
    pub(crate) fn other(self, format: &str) -> Option<String> {
        let wanted = match self {
            Model => "a tree or a forest",
            Bins => "bins",
            Scorecard => "a scorecard",
        };
        let found = match FileKind::named(format).filter(|kind| *kind != self)? {
            Model => "it is a tree or a forest, which Model::load takes",
            Bins => "it is bins, which WoeBins::load takes",
            Scorecard => {
                "it is a scorecard, which `gaintree score`, `gaintree show` and Scorecard::load take"
            }
        };
        Some(format!("{found}, and this takes {wanted}"))
    }

    /// Reads a file; what is wrong with its text says which file it is.
    pub(crate) fn load<T>(self, path: &Path, read: impl FnOnce(&str) -> Result<T>) -> Result<T> {
        let bytes = atomic_file::read(path)?;
        let of_file = |e| Error::model(format!("{} `{}`: {e}", self.title(), path.display()));
        self.text(&bytes).and_then(read).map_err(of_file)
    }

    pub(crate) fn text(self, bytes: &[u8]) -> Result<&str> {
        std::str::from_utf8(bytes).map_err(|e| {
            let (title, at) = (self.title(), e.valid_up_to());
            Error::model(format!("no {title} file: byte {at} is not UTF-8 text")).caused_by(e)
        })
    }

    fn title(self) -> &'static str {
        match self {
            Model => "model",
            Bins => "bins",
            Scorecard => "scorecard",
        }
    }
}
