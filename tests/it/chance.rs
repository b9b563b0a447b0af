//! What chance would have gained, beside all orders of the target, scikit-learn and pure noise.

use gaintree::engine::dtype::{DType, Kind};
use gaintree::engine::{ChanceFigures, FeatureGain, Groups, Kinds, Measures, Table, rank_by_spec};
use gaintree::{Chance, Cuts, LogBase, RankMissing, RankSpec, Task};

use crate::frames::{Column, Frame};
use crate::noise::Noise;
use crate::oracle;

fn ranked(frame: &Frame, groups: Option<Groups>, spec: &RankSpec) -> Vec<Vec<FeatureGain>> {
    let (ordered, nominal) = (frame.overridden(Kind::Ordered), frame.overridden(Kind::Nominal));
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, task: spec.task };
    let rows = Table::of_target(&frame.target, frame.weights.clone(), spec.task).expect("a target");
    rank_by_spec(&rows, &frame.columns, &[], kinds, groups, spec).expect("ranks")
}

fn figures(frame: &Frame, spec: &RankSpec) -> Vec<ChanceFigures> {
    let columns = ranked(frame, None, spec);
    columns.into_iter().map(|groups| groups[0].chance.expect("asked for")).collect()
}

/// All gains that the orders of six or seven targets make, by the naive formulas, against the exact
/// expectations, and against permutations as far as they can know.
#[test]
fn permutations_gain_what_all_orders_of_the_target_gain() {
    // A few rows are not enough work for several threads: they would mostly wait for each other.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    pool.install(check_all_orders);
}

fn check_all_orders() {
    let mut noise = Noise(5);
    for case in 0..60 {
        // Seven rows have seven times as many orders as six: a few cases have them.
        let n = if case % 11 < 3 { 7 } else { 6 };
        let kind = if case % 2 == 0 { Kind::Nominal } else { Kind::Ordered };
        let column = noise.column(kind, n, 2 + case % 5, if case % 3 == 0 { 2 } else { 0 });
        let (task, classes) = if case % 4 < 3 { (Task::Auto, 3) } else { (Task::Regress, 50) };
        let target = Column::ints("y", DType::I64, noise.ints(n, classes));
        let weights =
            (case % 5 == 4).then(|| (0..n).map(|_| 1.0 + noise.below(3) as f64).collect());
        let mut frame = Frame { columns: vec![column], target, weights };
        if oracle::levels(&frame.target, &(0..n).collect::<Vec<_>>()).len() < 2 {
            continue;
        }
        let missing = if case % 7 < 4 { RankMissing::Known } else { RankMissing::OwnLevel };
        let spec = RankSpec::default().task(task).missing(missing);
        let gain = |frame: &Frame| match &ranked(frame, None, &spec)[0][0].measures {
            Measures::Classes(m) => m.info_gain,
            Measures::Numbers(m) => m.variance_reduction,
        };
        let observed = gain(&frame);
        let found = figures(&frame, &spec.clone().chance(Chance::new(2000).seed(case)))[0];

        // The rows that are rated: those of the missing values stay as they are.
        let rated: Vec<usize> = match missing {
            RankMissing::Known => {
                (0..n).filter(|&row| frame.columns[0].known(row).is_some()).collect()
            }
            RankMissing::OwnLevel => (0..n).collect(),
        };
        let given = frame.clone();
        let (mut sum, mut squares, mut reached, mut all) = (0.0, 0.0, 0.0, 0.0);
        for order in orders(&rated) {
            for (&to, &from) in rated.iter().zip(&order) {
                frame.target.cells[to] = given.target.cells[from].clone();
                if let (Some(to_weights), Some(weights)) = (&mut frame.weights, &given.weights) {
                    to_weights[to] = weights[from];
                }
            }
            let gain = gain(&frame);
            sum += gain;
            squares += gain * gain;
            reached += f64::from(u8::from(gain >= observed * (1.0 - 1e-9)));
            all += 1.0;
        }
        let (mean, p) = (sum / all, reached / all);
        let deviation = (squares / all - mean * mean).max(0.0).sqrt();
        let what = format!("case {case}: {found:?} beside {mean} and {p}");
        // Twenty permutations are the fewest; what is exact is so to rounding.
        let slack = match kind == Kind::Nominal && given.weights.is_none() {
            true => 1e-12,
            false => 5.0 * deviation / f64::from(20u8).sqrt() + 1e-12,
        };
        assert!((found.expected_gain - mean).abs() <= slack, "{what}");
        assert!((found.adjusted_gain - (observed - found.expected_gain)).abs() < 1e-15, "{what}");
        // A p-value of 20 hits is within 5 standard errors.
        assert!((found.p_value - p).abs() <= 5.0 * p / 20f64.sqrt() + 1e-3, "{what}");
        assert_eq!(found.q_value, found.p_value, "{what}");
    }
}

fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    if items.len() < 2 {
        return vec![items.to_vec()];
    }
    let with_first = |at: usize| {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        orders(&rest).into_iter().map(move |order| [vec![first], order].concat())
    };
    (0..items.len()).flat_map(with_first).collect()
}

/// Of scikit-learn 1.7: `mutual_info_score`, `expected_mutual_information` and
/// `adjusted_mutual_info_score` of contingency tables, in nats.
#[test]
fn the_parts_of_adjusted_mutual_information_are_scikit_learns() {
    for (counts, gain, expected, adjusted) in OF_SCIKIT_LEARN {
        let cells = counts.iter().enumerate().flat_map(|(x, of_level)| {
            let of_class = of_level.iter().enumerate();
            of_class.flat_map(move |(y, &n)| std::iter::repeat_n((x as i128, y as i128), n))
        });
        let (x, y): (Vec<i128>, Vec<i128>) = cells.unzip();
        let x = Column { kind: Kind::Nominal, ..Column::ints("x", DType::I64, x) };
        let frame = Frame::new(vec![x], Column::ints("y", DType::I64, y));
        let spec = RankSpec::default().log_base(LogBase::E).chance(20);
        let ranked = ranked(&frame, None, &spec)[0].remove(0);
        let (Measures::Classes(m), Some(chance)) = (ranked.measures, ranked.chance) else {
            unreachable!("classes, and chance")
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{counts:?}: {a} {b}");
        near(m.info_gain, *gain);
        near(chance.expected_gain, *expected);
        let most = (m.entropy + m.split_info) / 2.0;
        let of_most = most - chance.expected_gain;
        // Where every row has a level of its own, 0/0.
        near(if of_most < 1e-9 { 0.0 } else { chance.adjusted_gain / of_most }, *adjusted);
    }
}

type Counts = &'static [&'static [usize]];

const OF_SCIKIT_LEARN: &[(Counts, f64, f64, f64)] = &[
    (&[&[3, 0], &[1, 2]], 0.3182570841474064, 0.12730283365896256, 0.355245321275764),
    (
        &[&[5, 1, 0], &[2, 2, 2], &[0, 1, 7]],
        0.4331936755964552,
        0.12445052330571321,
        0.3269453926950209,
    ),
    (
        &[&[1, 0], &[1, 0], &[1, 0], &[1, 0], &[1, 0], &[0, 1], &[0, 1], &[0, 1], &[0, 1]],
        0.6869615765973233,
        0.6869615765973247,
        0.0,
    ),
    (&[&[20, 30], &[25, 25]], 0.005059389928988023, 0.00507745263983458, -2.6347168394834478e-05),
    (
        &[&[7, 1, 3, 2], &[2, 9, 0, 4], &[3, 3, 3, 3], &[0, 0, 1, 12], &[40, 2, 5, 1]],
        0.43836487165100024,
        0.06781963068011981,
        0.2973765218132059,
    ),
    (
        &[&[100, 80], &[70, 60], &[3, 40]],
        0.057659301628543665,
        0.0028572462610128154,
        0.06622613531728863,
    ),
];

/// Of 1,000 columns that tell nothing, about 50 have a p-value below 0.05, whatever their kind.
#[test]
fn p_values_of_noise_are_honest() {
    const FRAMES: usize = 1000;
    let n = 80;
    let mut noise = Noise(1);
    let spec = RankSpec::default();
    let kinds: [(&str, Kind, u64, u64); 7] = [
        ("ordered", Kind::Ordered, 1 << 30, 0),
        ("ordered, missing", Kind::Ordered, 1 << 30, 3),
        ("ordered, ties", Kind::Ordered, 40, 0),
        ("ordered, few levels", Kind::Ordered, 6, 1),
        ("nominal, few levels", Kind::Nominal, 5, 0),
        ("nominal, many levels", Kind::Nominal, 40, 0),
        ("nominal, missing", Kind::Nominal, 12, 3),
    ];
    for task in [Task::Classify, Task::Regress] {
        let mut low = [0i32; 7];
        for seed in 0..FRAMES as u64 {
            let columns = kinds.map(|(_, kind, k, missing)| noise.column(kind, n, k, missing));
            let target = Column::ints("y", DType::I64, noise.ints(n, 3));
            let frame = Frame::new(columns.to_vec(), target);
            let chance = Chance::new(59).seed(seed);
            for (low, found) in
                low.iter_mut().zip(figures(&frame, &spec.clone().task(task).chance(chance)))
            {
                *low += i32::from(found.p_value <= 0.05);
            }
        }
        for ((what, ..), low) in kinds.iter().zip(low) {
            // A binomial of 1,000 and 0.05 has a standard deviation of 6.9.
            assert!((50 - low).abs() <= 25, "{task:?}, {what}: {low} of {FRAMES}");
        }
    }
}

/// Where counts are large the G test stands in for permutations, and is as honest.
#[test]
fn g_tests_of_noise_are_honest() {
    let (n, mut noise, mut low) = (1500, Noise(2), 0i32);
    for _ in 0..1000 {
        let column = noise.column(Kind::Nominal, n, 4, 1);
        let frame = Frame::new(vec![column], Column::ints("y", DType::I64, noise.ints(n, 3)));
        let p_value = figures(&frame, &RankSpec::default().chance(1))[0].p_value;
        assert!(p_value != 0.5 && p_value != 1.0, "one permutation: {p_value}");
        low += i32::from(p_value <= 0.05);
    }
    assert!((50 - low).abs() <= 25, "{low} of 1,000");
}

/// What tells something is told from what does not; threads and other columns change no figure.
#[test]
fn signals_are_told_from_noise_by_any_threads() {
    let mut noise = Noise(3);
    let n = 1000;
    let class = noise.ints(n, 2);
    let ids = Column::texts("id", (0..n).map(|i| format!("row {i}")));
    let signal = class.iter().map(|c| *c as f64 * 0.5 + noise.below(1000) as f64 / 1000.0);
    let columns = vec![
        Column::floats("signal", signal.collect::<Vec<_>>()),
        noise.column(Kind::Ordered, n, 1 << 30, 1),
        noise.column(Kind::Nominal, n, 4, 0),
        ids,
        Column::ints("constant", DType::I64, vec![1; n]),
    ];
    let frame = Frame::new(columns, Column::ints("y", DType::I64, class));
    let group_of: Vec<u32> = (0..n as u32).map(|row| row % 3).collect();
    let groups = Groups { of: &group_of, count: 3 };
    for (cuts, groups) in [(Cuts::Best, None), (Cuts::Mdl, None), (Cuts::Best, Some(groups))] {
        let spec = RankSpec::default().cuts(cuts).chance(199);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| ranked(&frame, groups, &spec))
        };
        let found = with(1);
        assert_eq!(found, with(2));
        assert_eq!(found, with(5));
        let of_group = |group: usize| {
            [0, 1, 2, 3, 4].map(|at: usize| found[at][group].chance.expect("asked for"))
        };
        for [signal, no_signal, few, ids, constant] in (0..found[0].len()).map(of_group) {
            assert_eq!((signal.p_value, signal.q_value), (1.0 / 200.0, 5.0 / 200.0));
            assert!(signal.adjusted_gain > 0.05 && signal.expected_gain < 0.03, "{signal:?}");
            assert!(no_signal.p_value > 0.01 && few.p_value > 0.01, "{no_signal:?} {few:?}");
            // A column of ids gains all there is, and so does chance.
            assert!(ids.p_value == 1.0 && ids.adjusted_gain.abs() < 1e-12, "{ids:?}");
            assert_eq!((constant.expected_gain, constant.p_value), (0.0, 1.0));
        }
        let other = ranked(&frame, groups, &spec.clone().chance(Chance::new(199).seed(9)));
        // No cut pays in any order of the target, and the gain is 0 of all.
        let is_told = cuts == Cuts::Best;
        assert_eq!(found[1][0].chance != other[1][0].chance, is_told);
        // The others' figures do not depend on a column.
        let alone = Frame { columns: vec![frame.columns[1].clone()], ..frame.clone() };
        let alone = ranked(&alone, groups, &spec)[0][0].chance.expect("asked for");
        assert_eq!(alone.p_value, found[1][0].chance.expect("asked for").p_value);
    }
}
