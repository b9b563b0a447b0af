//! The picture of a screen, and its page.

use super::frame::{Frame, NamedColumns, Needed, texts};
use super::table_pictures::{names, numbers};
use crate::error::{Error, Result};
use crate::plot::screen::{ScreenLine, VerdictNotes, drawing};
use crate::plot::screen_page;

/// The columns that are drawn.
const DRAWN: [&str; 7] = ["verdict", "feature", "share", "q_value", "missing", "n_levels", "why"];

/// What each column is, from [`screen`](crate::screen), as an SVG picture: a line a column, grouped by
/// verdict, with a bar of the share of the target that the column tells, and the reason. The sixty
/// first columns are drawn. The same table gives the same bytes.
///
/// ```
/// # use gaintree::{prelude::*, screen_svg};
/// # use polars::prelude::*;
/// let df = df!["wind" => [8, 30, 12, 28], "zone" => [1; 4], "play" => ["yes", "no", "yes", "no"]]?;
/// let svg = screen_svg(&df.screen("play", &ScreenSpec::default())?)?;
/// assert!(svg.contains("zone: constant, one value in all rows"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A table that is not of a screen, and one without a line.
pub fn screen_svg<F: Frame + ?Sized>(screen: &F) -> Result<String> {
    Ok(drawing(&lines(&screen.columns(&Needed::All)?)?).document())
}

/// What each column is, from [`screen`](crate::screen), as an HTML page in one file: a table of the
/// columns, grouped by verdict, with what each verdict means and what to do about it. `target` is
/// what the page calls the target. With [`full`](crate::ScreenSpec::full) the page has the best rules
/// too. The same table gives the same bytes.
///
/// # Errors
/// As [`screen_svg`].
pub fn screen_html<F: Frame + ?Sized>(screen: &F, target: &str) -> Result<String> {
    let screen = screen.columns(&Needed::All)?;
    let n = match screen.column_or_reason("n") {
        Some(_) => numbers(&screen, "column of a screen", "n")?.first().copied().flatten(),
        None => None,
    };
    Ok(screen_page(target, &lines(&screen)?, n.map(|n| n as u64)))
}

/// The lines of a table that `screen` made.
pub(super) fn lines<F: NamedColumns>(screen: &F) -> Result<Vec<ScreenLine>> {
    let remedy = "draw the table that `screen` returns";
    if let Some(name) = DRAWN.iter().find(|name| screen.column_or_reason(name).is_none()) {
        return Err(Error::data(format!("a screen has a column `{name}`: {remedy}")));
    }
    let role = "column of a screen";
    let number = |name: &str| numbers(screen, role, name);
    let [shares, q_values, missing] = [number("share")?, number("q_value")?, number("missing")?];
    let levels = number("n_levels")?;
    let (reasons, verdicts) = (texts(screen, role, "why")?, names(screen, "verdict")?);
    let rules = match screen.column_or_reason("rule") {
        Some(_) => texts(screen, role, "rule")?,
        None => vec![None; verdicts.len()],
    };
    let line = |(at, feature): (usize, String)| {
        let verdict = VerdictNotes::of(&verdicts[at]).ok_or_else(|| {
            Error::data(format!("verdict `{}` is none of a screen: {remedy}", verdicts[at]))
        })?;
        Ok(ScreenLine {
            verdict,
            feature,
            share: shares[at],
            q_value: q_values[at],
            missing: missing[at],
            n_levels: levels[at].map(|n| n as u64),
            rule: rules[at].clone(),
            why: reasons[at].clone().unwrap_or_default(),
        })
    };
    names(screen, "feature")?.into_iter().enumerate().map(line).collect()
}
