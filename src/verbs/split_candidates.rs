//! Every candidate rule on one feature.

use super::frame::Frame;
use super::table::{ResultColumn, ResultTable};
use crate::data::dtype::{DType, Kind, Value};
use crate::encode::table::Table;
use crate::error::Result;
use crate::rank::curve::{SplitCandidate, SplitMeasures, for_each_candidate};
use crate::spec::RankSpec;

/// Lists every candidate two-way rule on one feature, in level order.
///
/// Returns one row per rule: `rule str, threshold` (in the feature's own dtype) `or level str,
/// n_level u64, n_left u64, n_right u64, share_left_<class>, share_right_<class>, entropy_left,
/// entropy_right, info_gain, gain_ratio, gini_split, gini_gain f64, skippable bool`. For a
/// numeric target, `mean_left, mean_right, variance_reduction f64` replace the shares,
/// entropies and gains.
///
/// For an ordered feature this is its gain curve, for a nominal one its one-vs-rest table. Only
/// rows whose value is known count; gains are scaled by their share. `n_level` counts the rows
/// of the level just below the cut, or of the level itself. `skippable` marks a cut between two
/// levels that hold only one and the same class: growth need not look at it.
///
/// Of the spec, `by`, `features`, `missing`, `cuts` and `sort_by` are not used.
///
/// # Errors
/// Returns the errors of [`rank_gain`](crate::rank_gain), and one for a feature whose dtype
/// cannot be used.
pub fn split_candidates<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<F::Table> {
    let (table, lines) = on_one(frame, (target, feature), spec, |table| {
        let mut lines = CandidateLines::of(&table);
        for_each_candidate(&table, spec.log_base, |candidate| {
            lines.push(candidate.named(&table.columns[0]));
        });
        Ok((table, lines))
    })?;
    let column = &table.columns[0];
    let CandidateLines { rule, at, n, measures, skippable } = lines;
    let (name, dtype) = match column.kind() {
        Kind::Ordered => ("threshold", column.dtype()),
        Kind::Nominal => ("level", &DType::String),
    };
    let mut table =
        ResultTable::default().add("rule", rule).push(name, ResultColumn::Values(dtype, at.into()));
    for (name, n) in ["n_level", "n_left", "n_right"].into_iter().zip(n) {
        table = table.add(name, n);
    }
    for (name, values) in measures {
        table = table.add_floats(name, values);
    }
    table.add("skippable", skippable).into_table()
}

/// Works on the table of one feature, in the pool of the frame.
pub(super) fn on_one<F: Frame + ?Sized, R: Send>(
    frame: &F,
    (target, feature): (&str, &str),
    spec: &RankSpec,
    work: impl FnOnce(Table) -> Result<R> + Send,
) -> Result<R> {
    let request = spec.request_of_one(target, feature);
    let columns = frame.columns(&request.needed())?;
    F::in_pool(spec.threads, || {
        let table = request.training_table(&columns)?;
        table.target.check()?;
        work(table)
    })
}

/// The table of candidates as it grows.
struct CandidateLines {
    rule: Vec<String>,
    at: Vec<Value>,
    n: [Vec<u64>; 3],
    /// Named, in the order of [`push`](Self::push).
    measures: Vec<(String, Vec<f64>)>,
    skippable: Vec<bool>,
}

impl CandidateLines {
    fn of(table: &Table) -> CandidateLines {
        let labels = table.target.class_texts().into_iter();
        let shares = labels.flat_map(|l| [format!("share_left_{l}"), format!("share_right_{l}")]);
        let others: &[&str] = match table.target.labels() {
            [] => &["mean_left", "mean_right", "variance_reduction"],
            _ => &[
                "entropy_left",
                "entropy_right",
                "info_gain",
                "gain_ratio",
                "gini_split",
                "gini_gain",
            ],
        };
        let names = shares.chain(others.iter().map(ToString::to_string));
        CandidateLines {
            rule: Vec::new(),
            at: Vec::new(),
            n: Default::default(),
            measures: names.map(|name| (name, Vec::new())).collect(),
            skippable: Vec::new(),
        }
    }

    fn push(&mut self, candidate: SplitCandidate) {
        self.rule.push(candidate.rule);
        self.at.push(candidate.at);
        let n = [candidate.n_level, candidate.n_left, candidate.n_right];
        self.n.iter_mut().zip(n).for_each(|(column, n)| column.push(n));
        self.skippable.push(candidate.skippable);
        let mut columns = self.measures.iter_mut();
        let mut push = |value: f64| columns.next().into_iter().for_each(|(_, c)| c.push(value));
        match candidate.measures {
            SplitMeasures::Classes(m) => {
                let sides = m.share_left.iter().zip(&m.share_right);
                sides.for_each(|(&left, &right)| [left, right].into_iter().for_each(&mut push));
                [m.entropy_left, m.entropy_right, m.info_gain, m.gain_ratio]
                    .into_iter()
                    .chain([m.gini_split, m.gini_gain])
                    .for_each(push);
            }
            SplitMeasures::Numbers(m) => {
                [m.mean_left, m.mean_right, m.variance_reduction].into_iter().for_each(push);
            }
        }
    }
}
