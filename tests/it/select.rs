//! Selections beside plain formulas, and their p-values on noise.

use std::collections::HashMap;

use gaintree::criterion::entropy;
use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{Kinds, SelectStep, Table, select_in_turn};
use gaintree::{LogBase, SelectScore, SelectSpec, Task};
use proptest::prelude::*;

use crate::binning;
use crate::frames::{Column, Frame, Weighing, frames};
use crate::noise::Noise;
use crate::oracle;

fn select(frame: &Frame, spec: &SelectSpec) -> Vec<SelectStep> {
    let (ordered, nominal) = (frame.overridden(Kind::Ordered), frame.overridden(Kind::Nominal));
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, task: spec.task };
    let rows = Table::of_target(&frame.target, frame.weights.clone(), spec.task).expect("a target");
    select_in_turn(&rows, &frame.columns, kinds, |_| false, spec).expect("selects")
}

/// Entropies of columns of bins together.
struct Entropies<'a> {
    bins: &'a [Vec<Option<usize>>],
    weights: &'a [f64],
}

impl Entropies<'_> {
    fn of(&self, columns: &[usize]) -> f64 {
        let mut counts: HashMap<Vec<Option<usize>>, f64> = HashMap::new();
        for (row, weight) in self.weights.iter().enumerate() {
            let key = columns.iter().map(|&column| self.bins[column][row]).collect();
            *counts.entry(key).or_default() += weight;
        }
        entropy(&counts.into_values().collect::<Vec<_>>(), LogBase::Two)
    }

    /// `I(x; y | z)`
    fn gain(&self, x: usize, y: usize, z: &[usize]) -> f64 {
        let with = |others: &[usize]| self.of(&[z, others].concat());
        with(&[x]) + with(&[y]) - with(&[x, y]) - with(&[])
    }
}

/// The scores of all columns beside those that are selected, by the formulas of Brown et al. 2012.
fn score(of: &Entropies, by: SelectScore, x: usize, y: usize, before: &[usize]) -> f64 {
    let relevance = of.gain(x, y, &[]);
    let given = before.iter().map(|&z| of.gain(x, y, &[z]));
    let n = before.len() as f64;
    match by {
        _ if before.is_empty() => relevance,
        // As the paper has it: relevance, less redundancy, plus conditional redundancy.
        SelectScore::Jmi => {
            let terms = before.iter().map(|&z| {
                let conditional = of.of(&[x, y]) + of.of(&[z, y]) - of.of(&[x, z, y]) - of.of(&[y]);
                of.gain(x, z, &[]) - conditional
            });
            relevance - terms.sum::<f64>() / n
        }
        SelectScore::Mrmr => {
            relevance - before.iter().map(|&z| of.gain(x, z, &[])).sum::<f64>() / n
        }
        SelectScore::Cmim => given.fold(f64::INFINITY, f64::min),
        SelectScore::ConditionalGain => of.gain(x, y, before),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn steps_are_those_of_the_formulas(
        frame in frames(Weighing::Exact),
        by in prop::sample::select(vec![
            SelectScore::Jmi, SelectScore::Mrmr, SelectScore::Cmim, SelectScore::ConditionalGain,
        ]),
        regress: bool,
    ) {
        let numbers = regress && frame.target.dtype == DType::I64;
        let task = if numbers { Task::Regress } else { Task::Classify };
        let rows = oracle::positive_rows(&frame);
        prop_assume!(!rows.is_empty());
        let steps = select(&frame, &SelectSpec::default().score(by).task(task).k(9).alpha(1.0));
        let weights: Vec<f64> =
            rows.iter().map(|&row| frame.weights.as_ref().map_or(1.0, |w| w[row])).collect();
        let mut bins: Vec<Vec<Option<usize>>> =
            frame.columns.iter().map(|c| binning::bins(c, &rows, 10)).collect();
        let target = Column { kind: Kind::Ordered, ..frame.target.clone() };
        bins.push(if numbers { binning::bins(&target, &rows, 10) } else { binning::levels(&frame.target, &rows) });
        let of = Entropies { bins: &bins, weights: &weights };
        let y = frame.columns.len();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let mut before: Vec<usize> = Vec::new();
        for step in &steps {
            let left = (0..y).filter(|x| !before.contains(x));
            let best = left.map(|x| score(&of, by, x, y, &before)).fold(f64::NEG_INFINITY, f64::max);
            let own = score(&of, by, step.feature, y, &before);
            // Where scores are equal but for rounding, either may be selected.
            prop_assert!(near(own, best) && near(step.score, own), "{step:?} {own} {best}");
            prop_assert!(near(step.info_gain, of.gain(step.feature, y, &[])));
            prop_assert!(near(step.gain_given, of.gain(step.feature, y, &before)));
            let shared = before.iter().map(|&z| of.gain(step.feature, z, &[])).sum::<f64>();
            prop_assert!(near(step.redundancy, shared / before.len().max(1) as f64));
            // The least of m p-values is as small in 1 - (1 - p)^m of all cases.
            let n_left = (y - before.len()) as i32;
            prop_assert!(near(step.p_adjusted, 1.0 - (1.0 - step.p_value).powi(n_left)));
            before.push(step.feature);
        }
        // What is left tells nothing.
        let left = (0..y).filter(|x| !before.contains(x));
        let best = left.map(|x| score(&of, by, x, y, &before)).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(before.len() == y || best < 1e-9, "{best} is left of {steps:?}");
    }
}

/// Features that tell nothing beside a first one, which they depend on as the target does: of 1,000
/// frames the share with a p-value of at most 5 % is 5 % within four standard errors, whatever the
/// levels, and however few rows are in a stratum.
#[test]
fn p_values_of_noise_are_honest() {
    let mut noise = Noise(11);
    for (n, n_given, n_levels, n_classes) in
        [(60, 1, 4, 2), (200, 5, 12, 3), (150, 40, 3, 2), (300, 1, 1_000, 2)]
    {
        let mut few = 0;
        let mut tested = 0;
        for _ in 0..1_000 {
            let z: Vec<u64> = (0..n).map(|_| noise.below(n_given)).collect();
            let mut ints = |levels: u64| -> Vec<i128> {
                z.iter().map(|z| (noise.below(levels) + noise.below(2) * z).into()).collect()
            };
            let (x, y) = (ints(n_levels), ints(n_classes));
            let nominal = |name: &str, cells: Vec<i128>| Column {
                kind: Kind::Nominal,
                ..Column::ints(name, DType::I64, cells)
            };
            let z = nominal("z", z.into_iter().map(i128::from).collect());
            let frame = Frame::new(vec![z, nominal("x", x)], nominal("y", y));
            let spec = SelectSpec::default()
                .score(SelectScore::ConditionalGain)
                .task(Task::Classify)
                .alpha(1.0);
            let steps = select(&frame, &spec);
            let second = if n_given == 1 { steps.first() } else { steps.get(1) };
            let Some(step) = second.filter(|step| step.feature == 1) else { continue };
            tested += 1;
            few += usize::from(step.p_value <= 0.05);
        }
        let n = tested as f64;
        let error = (0.05 * 0.95 / n).sqrt();
        let share = few as f64 / n;
        assert!(
            tested > 500 && (share - 0.05).abs() < 4.0 * error,
            "{n_given} {n_levels}: {share} of {n}"
        );
    }
}

/// A selection stops where chance explains what is left, and goes on without that.
#[test]
fn a_selection_stops_before_noise() {
    let mut noise = Noise(3);
    let n = 400;
    let tells: Vec<i128> = (0..n).map(|_| noise.below(4).into()).collect();
    let y: Vec<i128> =
        tells.iter().map(|x| i128::from(noise.below(5) < 1) ^ i128::from(*x < 2)).collect();
    let mut columns = vec![Column::ints("tells", DType::I64, tells)];
    for at in 0..30 {
        let cells: Vec<Option<Value>> =
            (0..n).map(|_| Some(Value::Int(noise.below(8).into()))).collect();
        columns.push(Column::new(&format!("noise{at}"), DType::I64, cells));
    }
    let frame = Frame::new(columns, Column::ints("y", DType::I64, y));
    let all = select(&frame, &SelectSpec::default().alpha(1.0));
    assert_eq!(all.len(), 10);
    let stopped = select(&frame, &SelectSpec::default());
    assert_eq!(stopped, all[..1]);
    assert!(all[0].feature == 0 && all[0].p_adjusted < 1e-9, "{all:?}");
}

/// A feature of so many levels that it seems to tell most is passed over where chance explains it.
#[test]
fn features_that_chance_explains_are_passed_over() {
    let mut noise = Noise(5);
    let n = 1_000;
    let [a, b]: [Vec<i128>; 2] = [4, 5].map(|m| (0..n).map(|_| noise.below(m).into()).collect());
    let other = |odds: i128, (a, b): (&i128, &i128), chance: u64| {
        i128::from(chance == 0) ^ i128::from(a + odds * b < 3)
    };
    let y: Vec<i128> = a.iter().zip(&b).map(|pair| other(1, pair, noise.below(8))).collect();
    let zip: Vec<i128> = (0..n).map(|_| noise.below(293).into()).collect();
    let id: Vec<i128> = (0..n).collect();
    let nominal = |name: &str, cells: Vec<i128>| Column {
        kind: Kind::Nominal,
        ..Column::ints(name, DType::I64, cells)
    };
    let columns = vec![
        nominal("zip", zip),
        Column::ints("a", DType::I64, a),
        nominal("id", id),
        Column::ints("b", DType::I64, b),
    ];
    let frame = Frame::new(columns, Column::ints("y", DType::I64, y));
    for score in
        [SelectScore::Jmi, SelectScore::Mrmr, SelectScore::Cmim, SelectScore::ConditionalGain]
    {
        let spec = SelectSpec::default().score(score).alpha(1.0);
        let all = select(&frame, &spec);
        assert!(all[0].feature == 2 && 2.0 * all[0].expected_gain > all[0].info_gain, "{all:?}");
        let told = select(&frame, &spec.alpha(0.01));
        let mut features: Vec<usize> = told.iter().map(|step| step.feature).collect();
        features.sort_unstable();
        assert_eq!(features, [1, 3], "{told:?}");
        assert!(told.iter().all(|step| step.p_adjusted <= 0.01), "{told:?}");
    }
}
