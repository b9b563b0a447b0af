//! The table of `screen`.

use super::frame::ColumnOrReason;
use super::table::ResultTable;
use crate::data::column_data::Source;
use crate::data::number_text::digits;
use crate::data::target::Target;
use crate::rank::screen::{Judged, LeakBy, Screened, Verdict};
use crate::spec::ScreenSpec;

/// The columns that matter most.
const SHORT: [&str; 7] = ["verdict", "feature", "share", "q_value", "missing", "n_levels", "why"];

/// The table of columns that were judged, and of those that cannot be.
pub(super) fn table<'a, C: Source>(
    found: &'a [ColumnOrReason<C>],
    screened: &'a [Screened],
    judged: &'a [Judged],
    target: &'a Target,
    spec: &ScreenSpec,
) -> ResultTable<'a> {
    let usable: Vec<&C> = found.iter().filter_map(ColumnOrReason::as_column).collect();
    let of_judged = judged.iter().map(|judged| Line {
        name: usable[judged.column].name(),
        dtype: usable[judged.column].dtype().to_string(),
        judged: Ok((&screened[judged.column], judged)),
    });
    let of_others = found.iter().filter_map(|found| match found {
        ColumnOrReason::Usable(_) => None,
        ColumnOrReason::Excluded { name, dtype, reason } => {
            Some(Line { name, dtype: dtype.clone(), judged: Err(reason) })
        }
    });
    let lines: Vec<Line> = of_judged.chain(of_others).collect();
    fn of<'a, T>(
        lines: &[Line<'a>],
        value: impl Fn(&'a Screened, &'a Judged) -> Option<T>,
    ) -> impl Iterator<Item = Option<T>> {
        lines.iter().map(move |line| line.judged.ok().and_then(|(column, of)| value(column, of)))
    }
    let figures = |value: fn(&Screened, &Judged) -> f64| {
        // The short table is rounded to be read. A rounded -0.00001 is 0, and not -0.
        let shown = |x: f64| if spec.full { x } else { (x * 1e4).round() / 1e4 + 0.0 };
        of(&lines, move |column, of| Some(shown(value(column, of))))
    };
    let bit = spec.log_base.log(2.0);
    // Of numbers it is in their unit squared.
    let unit = if target.labels().is_empty() { 1.0 } else { bit };
    let name = |column: usize| usable[column].name();
    let twin = |_: &Screened, of: &Judged| match of.verdict {
        Verdict::Twin(by, share) => Some((name(by), share)),
        _ => None,
    };
    let table = ResultTable::default()
        .add("verdict", lines.iter().map(Line::verdict))
        .add("feature", lines.iter().map(|line| line.name))
        .add("dtype", lines.iter().map(|line| line.dtype.clone()))
        .add("kind", of(&lines, |column, _| Some(column.kind.to_string())))
        .repeat("n", target.len() as u64, lines.len())
        .add("n_missing", of(&lines, |column, _| Some(column.gain.n_missing)))
        .add("missing", figures(|column, _| column.missing()))
        .add("n_levels", of(&lines, |column, _| Some(column.gain.n_levels)))
        .add("adjusted_gain", of(&lines, |column, _| Some(column.told.adjusted() * unit)))
        .add("expected_gain", of(&lines, |column, _| Some(column.told.expected * unit)))
        .add("share", figures(|column, _| column.told.share()))
        .add("gain_given", of(&lines, |_, of| Some(of.gain_given? * bit)))
        .add("p_value", of(&lines, |_, of| Some(of.p_value)))
        .add("q_value", figures(|_, of| of.q_value))
        .add("rule", of(&lines, |column, of| rule(column, &of.verdict)))
        .add("twin_of", of(&lines, |column, of| Some(twin(column, of)?.0)))
        .add("twin_share", of(&lines, |column, of| Some(twin(column, of)?.1)))
        .add("why", lines.iter().map(|line| line.why(name, target)));
    if spec.full { table } else { table.only(&SHORT) }
}

/// A line of the table: a column that was judged, or the reason why it cannot be.
struct Line<'a> {
    name: &'a str,
    dtype: String,
    judged: Result<(&'a Screened, &'a Judged), &'a String>,
}

/// The rule of a leak, or the best one; `None` where there is none.
fn rule<'a>(column: &'a Screened, verdict: &Verdict) -> Option<&'a str> {
    match (verdict, &column.gain.signs.pure) {
        (Verdict::Leak(LeakBy::OneSide | LeakBy::Missing), Some(pure)) => Some(&pure.rule),
        _ => Some(column.gain.rule.as_str()).filter(|rule| !rule.is_empty()),
    }
}

impl<'a> Line<'a> {
    fn verdict(&self) -> &'static str {
        self.judged.map_or("unusable", |(_, judged)| judged.verdict.name())
    }

    fn why(&self, name: impl Fn(usize) -> &'a str, target: &Target) -> String {
        match self.judged {
            Ok((column, judged)) => why(self.name, column, judged, name, target),
            Err(reason) => reason.clone(),
        }
    }
}

/// One sentence that says what a verdict is made of. `of` is the name of the column, and `name` that
/// of another one by its index.
pub(super) fn why<'a>(
    of: &str,
    column: &Screened,
    judged: &Judged,
    name: impl Fn(usize) -> &'a str,
    target: &Target,
) -> String {
    let (gain, told) = (&column.gain, &column.told);
    let known = gain.n - gain.n_missing;
    match (&judged.verdict, &gain.signs.pure) {
        (Verdict::Leak(LeakBy::OneSide | LeakBy::Missing), Some(pure)) => {
            let class = target.class_text(pure.class as usize);
            // The name stands in the line, and Polars prints thirty letters of a text.
            let rule = pure.rule.strip_prefix(of).unwrap_or(&pure.rule).trim_start();
            let rule = match rule {
                "is missing" => "missing",
                "is not missing" => "known",
                rule => rule,
            };
            format!("{} of {} {class} if {rule}", pure.n_class, pure.n)
        }
        (Verdict::Leak(LeakBy::Missing), None) => "missing tells the target".to_string(),
        (Verdict::Leak(_), _) => format!("tells {} of the target", percent(told.share_of_rest)),
        (Verdict::Id, _) => format!("{} values in {known} rows", gain.n_levels),
        (Verdict::Twin(by, share), _) => format!("{} told by {}", percent(*share), name(*by)),
        (Verdict::Useful | Verdict::Weak, _) => match rule(column, &judged.verdict) {
            Some(rule) => rule.to_string(),
            None => format!("tells {} of the target", percent(told.share())),
        },
        (Verdict::Chance, _) => "chance tells as much".to_string(),
        (Verdict::Constant, _) if known == 0 => "missing in all rows".to_string(),
        (Verdict::Constant, _) => "one value in all rows".to_string(),
    }
}

impl Screened {
    /// The share of rows without a value.
    fn missing(&self) -> f64 {
        self.gain.n_missing as f64 / self.gain.n as f64
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share, 3))
}
