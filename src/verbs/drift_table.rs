//! The table of `drift`.

use super::table::ResultTable;
use crate::data::dtype::{DType, Value};
use crate::rank::drift::{DriftLine, FeatureDrift};
use crate::spec::DriftSpec;

/// The columns that matter most: Polars prints eight columns, and of more the first and the last four.
const SHORT: [&str; 8] =
    ["rank", "feature", "verdict", "psi", "expected_psi", "q_value", "worst_bin", "note"];

/// The table of lines that have their q-values.
pub(super) fn table<'a>(
    lines: &'a [DriftLine],
    [n_reference, n_current]: [u64; 2],
    spec: &'a DriftSpec,
) -> ResultTable<'a> {
    fn of<'a, T>(
        lines: &'a [DriftLine],
        value: impl Fn(&'a FeatureDrift) -> Option<T>,
    ) -> impl Iterator<Item = Option<T>> {
        lines.iter().map(move |line| value(line.drift()?))
    }
    let number = |value: fn(&FeatureDrift) -> f64| of(lines, move |drift| Some(value(drift)));
    let cut = |line: &'_ DriftLine| {
        let (dtype, _, drift) = line.compared.as_ref().ok()?;
        Some((dtype.clone(), drift.gain.cut.clone()?))
    };
    let cut_text = |(dtype, cut): (DType, Value)| dtype.show(&cut);
    let threshold = |(dtype, cut): (DType, Value)| dtype.threshold(&cut);
    let reason = |line: &'a DriftLine| line.compared.as_ref().err().map(String::as_str);
    let note = |line: &'a DriftLine| match line.drift() {
        Some(drift) => drift.verdict(spec).doubt(),
        // The whole table has a column of reasons.
        None => reason(line).filter(|_| !spec.full),
    };
    let table = ResultTable::default()
        .add("rank", 1..=lines.len() as u32)
        .add("feature", lines.iter().map(|l| l.feature.as_str()))
        .add("dtype", lines.iter().map(|l| l.dtype.as_str()))
        .add("kind", lines.iter().map(|l| Some(l.compared.as_ref().ok()?.1.to_string())))
        .repeat("n_reference", n_reference, lines.len())
        .repeat("n_current", n_current, lines.len())
        .add("missing_reference", number(|d| d.missing[0]))
        .add("missing_current", number(|d| d.missing[1]))
        .add("verdict", of(lines, |d| Some(d.verdict(spec).to_string())))
        .add("psi", number(|d| d.psi))
        .add("expected_psi", number(|d| d.expected_psi))
        .add("js_divergence", number(|d| d.js_divergence))
        .add("n_bins", of(lines, |d| Some(d.n_bins)))
        .add("worst_bin", of(lines, |d| Some(d.worst.rule.as_str())))
        .add("share_reference", number(|d| d.worst.share[0]))
        .add("share_current", number(|d| d.worst.share[1]))
        .add("new_levels", of(lines, |d| Some(d.levels?[0])))
        .add("vanished_levels", of(lines, |d| Some(d.levels?[1])))
        .add("new_share", of(lines, |d| d.new_share))
        .add("info_gain", of(lines, |d| d.gain.info_gain()))
        .add("rule", of(lines, |d| Some(d.gain.rule.as_str())))
        .add("rule_gain", of(lines, |d| d.gain.rule_gain))
        .add("cut", lines.iter().map(|l| cut(l).map(cut_text)))
        .add("threshold", lines.iter().map(|l| cut(l).and_then(threshold)))
        .add("chi_square", number(|d| d.chi_square))
        .add("p_value", of(lines, |d| d.p_value))
        .add("q_value", of(lines, |d| d.q_value))
        .add("note", lines.iter().map(note))
        .add("excluded_reason", lines.iter().map(reason));
    if spec.full { table } else { table.only(&SHORT) }
}
