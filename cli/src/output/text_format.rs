//! What a text is, by the ending of its name.

use std::path::Path;

use super::picture::{check_pictures, check_png};
use crate::input::FileFormat;
use crate::process::{Failure, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    Text,
    Model,
    Sql,
    Dot,
    Svg,
    Html,
    C,
    Header,
    Rust,
    Python,
}

use TextFormat::{C, Dot, Header, Html, Model, Python, Rust, Sql, Svg, Text};

impl TextFormat {
    const ALL: [TextFormat; 10] = [Text, Model, Sql, Dot, Svg, Html, C, Header, Rust, Python];

    fn endings(self) -> &'static [&'static str] {
        match self {
            Text => &["txt"],
            Model => &["json"],
            Sql => &["sql"],
            Dot => &["dot", "gv"],
            Svg => &["svg"],
            Html => &["html", "htm"],
            C => &["c"],
            Header => &["h"],
            Rust => &["rs"],
            Python => &["py"],
        }
    }

    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<TextFormat> {
        let ending = ending(path)?;
        Self::ALL.into_iter().find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Checks that a name's ending says nothing else, and that this program can write the format.
    pub(super) fn check(self, path: &Path) -> Result<()> {
        let is_other = TextFormat::of(path).is_some_and(|format| format != self)
            || TextFormat::of(path).is_none() && FileFormat::of(path).is_some()
            || BinaryFormat::of(path).is_some()
            || is_foreign(path);
        if is_other {
            let named = path.with_extension(self.endings()[0]);
            let remedy = match (self, is_foreign(path)) {
                (Model, _) => {
                    " (a model or a scorecard is JSON; --importance and --scorecard take the name of a \
                     table)"
                }
                (Svg, true) => {
                    " (pictures are written as SVG and as PNG, which other programs convert)"
                }
                _ => "",
            };
            return Err(Failure::usage(format!(
                "output `{}`: the ending of its name is that of another format; name it `{}`{remedy}",
                path.display(),
                named.display()
            )));
        }
        match self {
            Svg | Html => check_pictures(&format!("output `{}`", path.display())),
            Text | Model | Sql | Dot | C | Header | Rust | Python => Ok(()),
        }
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// What is not text, nor a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryFormat {
    Png,
    Onnx,
}

impl BinaryFormat {
    const ALL: [BinaryFormat; 2] = [BinaryFormat::Png, BinaryFormat::Onnx];

    pub(super) fn ending(self) -> &'static str {
        match self {
            BinaryFormat::Png => "png",
            BinaryFormat::Onnx => "onnx",
        }
    }

    /// In messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            BinaryFormat::Png => "a PNG",
            BinaryFormat::Onnx => "an ONNX model",
        }
    }

    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<BinaryFormat> {
        let ending = ending(path)?;
        Self::ALL.into_iter().find(|format| format.ending() == ending)
    }

    /// Checks that this program can write the format; `what` is what asks for it.
    pub(super) fn check(self, what: &str) -> Result<()> {
        match self {
            BinaryFormat::Png => check_png(what),
            BinaryFormat::Onnx => Ok(()),
        }
    }
}

/// Whether a name asks for a picture or a page that is not made of text.
pub(super) fn is_foreign(path: &Path) -> bool {
    const FOREIGN: [&str; 8] = ["png", "jpg", "jpeg", "gif", "webp", "pdf", "ps", "eps"];
    ending(path).is_some_and(|ending| FOREIGN.contains(&ending.as_str()))
}
