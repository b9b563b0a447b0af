//! What drift says of two samples of one distribution: nothing, beyond chance.

use gaintree::prelude::*;
use polars::prelude::*;

use crate::noise::Noise;

/// What the rows of a column are drawn from.
#[derive(Clone, Copy, Debug)]
enum Draws {
    /// Texts that are as likely.
    Even(u64),
    /// Texts whose logarithm of the rank is even, so that the first ones have most rows (Zipf).
    Skewed(u64),
    /// Whole numbers from 0 on, that are as likely.
    Whole(u64),
    /// Numbers that hardly come twice.
    Distinct,
}

impl Draws {
    fn sample(self, n: usize, missing_in_ten: u64, random: &mut Noise) -> Vec<Option<u64>> {
        let mut value = || match self {
            Draws::Even(k) | Draws::Whole(k) => random.below(k),
            Draws::Skewed(k) => {
                (k as f64).powf(random.below(1 << 30) as f64 / 2f64.powi(30)) as u64
            }
            Draws::Distinct => random.below(1 << 31),
        };
        let values: Vec<u64> = (0..n).map(|_| value()).collect();
        values.into_iter().map(|x| (random.below(10) >= missing_in_ten).then_some(x)).collect()
    }

    fn frame(self, rows: &[Option<u64>]) -> DataFrame {
        let rows = rows.iter();
        let x = match self {
            Draws::Even(_) | Draws::Skewed(_) => Column::new(
                "x".into(),
                rows.map(|x| x.map(|x| format!("l{x}"))).collect::<Vec<_>>(),
            ),
            Draws::Whole(_) | Draws::Distinct => {
                Column::new("x".into(), rows.map(|x| x.map(|x| x as f64)).collect::<Vec<_>>())
            }
        };
        DataFrame::new(x.len(), vec![x]).expect("a frame")
    }
}

struct Found {
    psi: f64,
    expected_psi: f64,
    p_value: Option<f64>,
    verdict: String,
    note: Option<String>,
}

fn found(reference: &DataFrame, current: &DataFrame) -> Found {
    let table = drift(reference, current, &DriftSpec::default().full(true)).expect("compared");
    let number = |name: &str| table.column(name).expect("there").f64().expect("f64").get(0);
    let text = |name: &str| table.column(name).expect("there").str().expect("texts").get(0);
    Found {
        psi: number("psi").expect("a number"),
        expected_psi: number("expected_psi").expect("a number"),
        p_value: number("p_value"),
        verdict: text("verdict").expect("a verdict").to_string(),
        note: text("note").map(str::to_string),
    }
}

/// What drift says of many pairs of samples of one distribution.
#[derive(Debug, Default)]
struct Alarms {
    /// Shares of all pairs.
    p_below_5_percent: f64,
    moved: f64,
    cannot_tell: f64,
    untested: f64,
    /// Means.
    psi: f64,
    expected_psi: f64,
}

fn alarms(draws: Draws, [n, m]: [usize; 2], missing_in_ten: u64, tries: usize) -> Alarms {
    let mut random = Noise(n as u64 + 7 * m as u64);
    let mut sums = Alarms::default();
    for _ in 0..tries {
        let [a, b] = [n, m].map(|n| draws.frame(&draws.sample(n, missing_in_ten, &mut random)));
        let found = found(&a, &b);
        let share = |is: bool| if is { 1.0 / tries as f64 } else { 0.0 };
        sums.p_below_5_percent += share(found.p_value.is_some_and(|p| p < 0.05));
        sums.untested += share(found.p_value.is_none());
        sums.moved += share(found.verdict == "moved");
        sums.cannot_tell += share(found.verdict == "cannot tell");
        sums.psi += found.psi / tries as f64;
        sums.expected_psi += found.expected_psi / tries as f64;
    }
    sums
}

/// Levels of few rows were joined until there was no test, and the intervals of a small reference
/// gave an alarm in every eighth try.
#[test]
fn false_alarms_are_as_rare_as_said() {
    for (draws, rows, missing_in_ten) in [
        (Draws::Even(1000), [3300, 3300], 0),
        (Draws::Even(1000), [3300, 330], 1),
        (Draws::Skewed(1000), [600, 600], 0),
        (Draws::Distinct, [50, 500], 0),
        (Draws::Whole(200), [50, 500], 1),
    ] {
        let found = alarms(draws, rows, missing_in_ten, 400);
        let about = format!("{draws:?} {rows:?}: {found:?}");
        assert!((0.02..=0.08).contains(&found.p_below_5_percent), "{about}");
        assert!(found.untested == 0.0 && found.moved <= 0.05, "{about}");
        assert!((found.psi / found.expected_psi - 1.0).abs() < 0.2, "{about}");
    }
}

/// The rows of both frames as they are, dealt out to the frames by chance.
#[test]
fn expected_psi_is_the_mean_of_shuffled_rows() {
    let mut random = Noise(11);
    for (draws, [n, m], missing_in_ten, shuffles) in [
        (Draws::Even(2), [100, 150], 0, 8000),
        (Draws::Skewed(2), [40, 400], 1, 8000),
        (Draws::Even(10), [100, 100], 1, 3000),
        (Draws::Skewed(100), [300, 300], 0, 500),
        (Draws::Even(100), [1000, 100], 0, 500),
        (Draws::Even(100), [100, 1000], 0, 500),
        (Draws::Even(1000), [1500, 1500], 1, 60),
        (Draws::Skewed(1000), [200, 2000], 0, 200),
        (Draws::Skewed(1000), [2000, 200], 0, 200),
        (Draws::Even(10_000), [1000, 1000], 0, 60),
        (Draws::Skewed(10_000), [1000, 1000], 0, 60),
        (Draws::Whole(5), [200, 300], 1, 1500),
        (Draws::Whole(300), [1000, 1000], 0, 800),
        (Draws::Distinct, [1000, 1000], 1, 800),
        (Draws::Distinct, [1000, 200], 0, 800),
    ] {
        let mut rows = draws.sample(n + m, missing_in_ten, &mut random);
        let expected = {
            let (a, b) = rows.split_at(n);
            found(&draws.frame(a), &draws.frame(b)).expected_psi
        };
        let mut mean = 0.0;
        for _ in 0..shuffles {
            for at in (1..rows.len()).rev() {
                rows.swap(at, random.below(at as u64 + 1) as usize);
            }
            let (a, b) = rows.split_at(n);
            mean += psi(draws, a, b) / f64::from(shuffles);
        }
        let about = format!("{draws:?} {n} {m}: {expected} {mean}");
        assert!((expected / mean - 1.0).abs() < 0.05, "{about}");
    }
}

/// The PSI of rows; of levels in the slow and obvious form, which is faster than frames.
fn psi(draws: Draws, reference: &[Option<u64>], current: &[Option<u64>]) -> f64 {
    let (Draws::Even(k) | Draws::Skewed(k)) = draws else {
        return found(&draws.frame(reference), &draws.frame(current)).psi;
    };
    // The last two bins are of missing values and of new levels.
    let mut bins = vec![[0.0; 2]; k as usize + 2];
    for (frame, rows) in [reference, current].into_iter().enumerate() {
        rows.iter().for_each(|x| bins[x.unwrap_or(k) as usize][frame] += 1.0);
    }
    for level in 0..k as usize {
        if bins[level][0] == 0.0 {
            bins[k as usize + 1][1] += bins[level][1];
            bins[level][1] = 0.0;
        }
    }
    let [n, m] = [reference, current].map(|rows| rows.len() as f64);
    let bins = bins.iter().filter(|bin| **bin != [0.0; 2]).map(|bin| {
        let half = if bin.contains(&0.0) { 0.5 } else { 0.0 };
        let (p, q) = ((bin[0] + half) / n, (bin[1] + half) / m);
        (q - p) * (q / p).ln()
    });
    bins.sum()
}

#[test]
fn verdicts_go_by_chance_and_threshold() {
    let levels = |counts: &[usize]| {
        let x: Vec<String> =
            (0..).zip(counts).flat_map(|(x, &n)| vec![format!("l{x}"); n]).collect();
        df!["x" => x].expect("a frame")
    };
    let mut random = Noise(4);
    let mut sample = |draws: Draws, n| draws.frame(&draws.sample(n, 0, &mut random));
    for (reference, current, verdict, note) in [
        (levels(&[25; 4]), levels(&[80, 60, 40, 20]), "moved", None),
        (levels(&[25; 4]), levels(&[50, 51, 50, 49]), "stable", None),
        (sample(Draws::Even(9), 900), sample(Draws::Even(9), 900), "stable", None),
        (
            sample(Draws::Even(1000), 3300),
            sample(Draws::Even(1000), 3300),
            "cannot tell",
            Some("too few rows to see such a shift"),
        ),
        (sample(Draws::Even(1000), 3300), sample(Draws::Skewed(1000), 3300), "moved", None),
        (levels(&[6, 4]), levels(&[3, 7]), "cannot tell", Some("chance may have done it")),
    ] {
        let found = found(&reference, &current);
        assert_eq!((found.verdict.as_str(), found.note.as_deref()), (verdict, note));
    }
    // Limits of one's own.
    let verdict = |spec: DriftSpec| {
        let table = drift(&levels(&[25; 4]), &levels(&[80, 60, 40, 20]), &spec).expect("compared");
        let names: Vec<String> = table.get_column_names().iter().map(|n| n.to_string()).collect();
        let of =
            ["rank", "feature", "verdict", "psi", "expected_psi", "q_value", "worst_bin", "note"];
        assert_eq!(names, of);
        table.column("verdict").expect("there").str().expect("texts").get(0).map(str::to_string)
    };
    let spec = DriftSpec::default;
    for (spec, expected) in [
        (spec(), "moved"),
        (spec().threshold(0.5), "stable"),
        (spec().alpha(0.0), "cannot tell"),
        (spec().threshold(0.01), "moved"),
    ] {
        assert_eq!(verdict(spec.clone()).as_deref(), Some(expected), "{spec:?}");
    }
}

/// The table of docs/reference.md:
///
///     cargo test --all-features --lib --bins --test it -- --ignored --nocapture table_of_false_alarms
#[test]
#[ignore = "prints a table, and takes minutes"]
fn table_of_false_alarms() {
    println!(
        "| column | rows | p < 0.05 | `moved` | `cannot tell` | mean `psi` | mean `expected_psi` |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (what, draws) in [
        ("2 texts", Draws::Even(2)),
        ("10 texts", Draws::Even(10)),
        ("10 texts, skewed", Draws::Skewed(10)),
        ("100 texts", Draws::Even(100)),
        ("100 texts, skewed", Draws::Skewed(100)),
        ("1,000 texts", Draws::Even(1000)),
        ("1,000 texts, skewed", Draws::Skewed(1000)),
        ("10,000 texts", Draws::Even(10_000)),
        ("10,000 texts, skewed", Draws::Skewed(10_000)),
        ("whole numbers to 5", Draws::Whole(5)),
        ("whole numbers to 200", Draws::Whole(200)),
        ("distinct numbers", Draws::Distinct),
    ] {
        for rows in [[3300, 3300], [3300, 330], [330, 3300]] {
            let found = alarms(draws, rows, 1, 2000);
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            println!(
                "| {what} | {} : {} | {} | {} | {} | {:.4} | {:.4} |",
                rows[0],
                rows[1],
                percent(found.p_below_5_percent),
                percent(found.moved),
                percent(found.cannot_tell),
                found.psi,
                found.expected_psi,
            );
        }
    }
}
