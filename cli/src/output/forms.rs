//! The forms of results that are no tables, by the endings of names.

use std::io::{self, IsTerminal};
use std::path::Path;

use super::picture::{check_pictures, check_png};
use crate::args::show::Form;
use crate::input::FileFormat;
use crate::process::{Failure, Result};

use Form::{C, Dot, Header, Html, Json, Nodes, Onnx, Png, Python, Rules, Rust, Sql, Svg, Text};

/// How names end. The first ending of a form is the one that messages name.
const ENDINGS: [(&str, Form); 14] = [
    ("txt", Text),
    ("json", Json),
    ("sql", Sql),
    ("onnx", Onnx),
    ("dot", Dot),
    ("gv", Dot),
    ("svg", Svg),
    ("png", Png),
    ("html", Html),
    ("htm", Html),
    ("c", C),
    ("h", Header),
    ("rs", Rust),
    ("py", Python),
];

impl Form {
    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<Form> {
        let ending = ending(path)?;
        ENDINGS.into_iter().find(|(other, _)| *other == ending).map(|(_, form)| form)
    }

    /// Checks that a name's ending says nothing else, and that this program can write the form.
    pub(super) fn check(self, out: &str) -> Result<()> {
        let path = Path::new(out);
        let ending =
            ENDINGS.iter().find(|(_, form)| *form == self).map_or("", |(ending, _)| ending);
        // What is not text has a title.
        let title = match self {
            Png => Some("a PNG"),
            Onnx => Some("an ONNX model"),
            _ => None,
        };
        if out == "-" {
            self.check_build(&format!("--as {ending}"))?;
            return match title.filter(|_| io::stdout().is_terminal()) {
                None => Ok(()),
                Some(title) => Err(Failure::usage(format!(
                    "a terminal cannot show {title}: name a file, -o tree.{ending}, or send it to \
                     another program by a pipe",
                ))),
            };
        }
        let is_other = match (Form::of(path), title) {
            (Some(found), _) => found != self,
            (None, Some(_)) => true,
            (None, None) => FileFormat::of(path).is_some() || is_foreign(path),
        };
        if !is_other {
            return self.check_build(&format!("output `{out}`"));
        }
        let named = path.with_extension(ending);
        let named = named.display();
        let remedy = match self {
            Json => {
                " (a model or a scorecard is JSON; --importance and --scorecard take the name of a table)"
            }
            Svg if is_foreign(path) => {
                " (pictures are written as SVG and as PNG, which other programs convert)"
            }
            _ => "",
        };
        Err(Failure::usage(match title {
            Some(title) => format!(
                "output `{out}`: {title} is written, but the ending of its name says another format; \
                 name it `{named}`"
            ),
            None => format!(
                "output `{out}`: the ending of its name is that of another format; name it \
                 `{named}`{remedy}"
            ),
        }))
    }

    /// Checks that this program was built with what the form needs; `what` is what asks for it.
    fn check_build(self, what: &str) -> Result<()> {
        match self {
            Svg | Html => check_pictures(what),
            Png => check_png(what),
            Text | Rules | Nodes | Json | Sql | Onnx | C | Header | Rust | Python | Dot => Ok(()),
        }
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Whether a name asks for a picture or a page of a form that this program does not write.
pub(super) fn is_foreign(path: &Path) -> bool {
    const FOREIGN: [&str; 8] = ["png", "jpg", "jpeg", "gif", "webp", "pdf", "ps", "eps"];
    ending(path).is_some_and(|ending| FOREIGN.contains(&ending.as_str()))
}
