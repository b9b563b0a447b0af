//! What the JSON of bins and of scorecards shares: format and version, and the errors of a text that
//! cannot be read.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::data::plain_text::one_line;
use crate::error::{Error, Result};
use crate::util::file_kind::FileKind;

/// The version of both texts.
pub(super) const VERSION: u64 = 1;

/// What tells a text, whatever its version, from any other.
#[derive(Deserialize)]
struct Stamp {
    format: String,
    version: u64,
}

/// Reads a text of a kind: `of` makes its object what is wanted. `what` names the text in messages.
///
/// # Errors
/// A text of another kind, one of a later version, or a damaged one.
pub(super) fn read<T: DeserializeOwned, U>(
    text: &str,
    kind: FileKind,
    what: &str,
    of: impl FnOnce(T) -> std::result::Result<U, String>,
) -> Result<U> {
    let said = |e: serde_json::Error| one_line(&e.to_string(), 400);
    let stamp = serde_json::from_str(text).map_err(said);
    // First of all the version: a later one may differ in everything else.
    let object = stamp.and_then(|stamp: Stamp| {
        check(&stamp, kind)?;
        serde_json::from_str(text).map_err(said)
    });
    object.and_then(of).map_err(|why| Error::model(format!("it is no text of {what}: {why}")))
}

fn check(stamp: &Stamp, kind: FileKind) -> std::result::Result<(), String> {
    let Stamp { format, version } = stamp;
    if format != kind.format() {
        let unknown = || {
            let format = one_line(format, 60);
            format!("its format is `{format}`, not `{}`", kind.format())
        };
        return Err(kind.other(format).unwrap_or_else(unknown));
    }
    match *version {
        VERSION => Ok(()),
        version => Err(format!(
            "its version is {version}, but gaintree {} reads version {VERSION}{}",
            env!("CARGO_PKG_VERSION"),
            if version > VERSION { ": get a newer gaintree" } else { "" }
        )),
    }
}

/// A key that stands in every text, although it may be `null`.
pub(super) fn present<'de, D, T>(from: D) -> std::result::Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(from)
}
