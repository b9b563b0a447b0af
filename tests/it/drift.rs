//! Drift against a table worked out by hand, and against its formulas in the slow and obvious form.

use std::collections::BTreeSet;

use gaintree::drift_bins;
use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;

use crate::frame::{enum_of, with};
use crate::full_ranking::full;

/// The spec of a table with all its columns.
fn all_columns() -> DriftSpec {
    DriftSpec::default().full(true)
}

fn float(df: &DataFrame, name: &str, row: usize) -> f64 {
    df.column(name).expect("there").f64().expect("f64").get(row).expect("a number")
}

fn count(df: &DataFrame, name: &str, row: usize) -> u64 {
    df.column(name)
        .expect("there")
        .cast(&DataType::UInt64)
        .expect("a count")
        .u64()
        .expect("u64")
        .get(row)
        .expect("a number")
}

fn text(df: &DataFrame, name: &str, row: usize) -> Option<String> {
    df.column(name).expect("there").str().expect("texts").get(row).map(str::to_string)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1.0)
}

/// Four levels whose shares go from a quarter each to 0.4, 0.3, 0.2 and 0.1.
#[test]
fn figures_equal_a_table_made_by_hand() {
    let levels = |counts: [usize; 4]| -> Vec<&str> {
        ["a", "b", "c", "d"].iter().zip(counts).flat_map(|(l, n)| vec![*l; n]).collect()
    };
    let reference = df!["x" => levels([25, 25, 25, 25])].expect("a frame");
    let current = df!["x" => levels([80, 60, 40, 20])].expect("a frame");
    let table = drift(&reference, &current, &all_columns()).expect("compared");
    // 0.15 ln 1.6 + 0.05 ln 1.2 + 0.05 ln 1.25 + 0.15 ln 2.5
    assert!(near(float(&table, "psi", 0), 0.228_217_409_573_391_8), "{table}");
    // H(.325, .275, .225, .175) - (2 + H(.4, .3, .2, .1)) / 2
    assert!(near(float(&table, "js_divergence", 0), 0.040_201_582_346_141_7), "{table}");
    assert_eq!(text(&table, "worst_bin", 0).as_deref(), Some("x == d"));
    assert_eq!(
        (float(&table, "share_reference", 0), float(&table, "share_current", 0)),
        (0.25, 0.1)
    );
}

// ---- the formulas ------------------------------------------------------------------------------

/// Shares in the bins of both frames, as rows fall into them.
struct Naive {
    bins: Vec<[f64; 2]>,
}

impl Naive {
    fn new(bins: impl IntoIterator<Item = [usize; 2]>) -> Naive {
        let bins = bins.into_iter().filter(|bin| *bin != [0, 0]);
        Naive { bins: bins.map(|bin| bin.map(|n| n as f64)).collect() }
    }

    fn total(&self, frame: usize) -> f64 {
        self.bins.iter().map(|bin| bin[frame]).sum()
    }

    fn psi(&self) -> f64 {
        let adds = |bin: &[f64; 2]| {
            let half = if bin.contains(&0.0) { 0.5 } else { 0.0 };
            let p = (bin[0] + half) / self.total(0);
            let q = (bin[1] + half) / self.total(1);
            (q - p) * (q / p).ln()
        };
        self.bins.iter().map(adds).sum()
    }

    fn js(&self) -> f64 {
        let entropy = |shares: Vec<f64>| -> f64 {
            shares.into_iter().filter(|p| *p > 0.0).map(|p| -p * p.log2()).sum()
        };
        let shares = |frame: usize| {
            self.bins.iter().map(|bin| bin[frame] / self.total(frame)).collect::<Vec<_>>()
        };
        let middle = shares(0).iter().zip(shares(1)).map(|(p, q)| (p + q) / 2.0).collect();
        entropy(middle) - (entropy(shares(0)) + entropy(shares(1))) / 2.0
    }

    /// Pearson's statistic of these bins as they are.
    fn chi_square(&self) -> f64 {
        let n = self.total(0) + self.total(1);
        let mut sum = 0.0;
        for bin in &self.bins {
            for (frame, observed) in bin.iter().enumerate() {
                let expected = (bin[0] + bin[1]) * self.total(frame) / n;
                sum += (observed - expected).powi(2) / expected;
            }
        }
        sum
    }

    /// Whether the statistic has several values if the rows of the bins are dealt out to the frames
    /// by chance: its variance as Dawson (1954) has it.
    fn varies(&self) -> bool {
        let frames = [self.total(0), self.total(1)];
        let bins: Vec<f64> = self.bins.iter().map(|bin| bin[0] + bin[1]).collect();
        let n = frames[0] + frames[1];
        if n < 3.0 {
            return false;
        }
        let v =
            |totals: &[f64]| (totals.len() as f64 - 1.0) * (n - totals.len() as f64) / (n - 1.0);
        let w = |totals: &[f64]| {
            let inverse: f64 = totals.iter().map(|total| 1.0 / total).sum();
            (n * inverse - (totals.len() as f64).powi(2)) / (n - 2.0)
        };
        let first = (v(&frames) - w(&frames)) * (v(&bins) - w(&bins));
        let first = if n > 3.0 { 2.0 * n / (n - 3.0) * first } else { 0.0 };
        first + n * n / (n - 1.0) * w(&frames) * w(&bins) > 1e-9
    }
}

#[derive(Clone, Debug)]
struct Rows {
    x: [Vec<Option<i32>>; 2],
}

impl Rows {
    fn count(&self, holds: impl Fn(Option<i32>) -> bool) -> [usize; 2] {
        [0, 1].map(|frame| self.x[frame].iter().filter(|x| holds(**x)).count())
    }

    fn frames(&self, name: &str) -> [DataFrame; 2] {
        [0, 1].map(|frame| {
            let texts: Vec<_> = self.x[frame].iter().map(|x| x.map(|x| format!("l{x}"))).collect();
            let floats: Vec<_> = self.x[frame].iter().map(|x| x.map(f64::from)).collect();
            let mut levels: Vec<String> = (0..40).map(|x| format!("l{x}")).collect();
            levels.sort();
            let categories: Vec<&str> = levels.iter().map(String::as_str).collect();
            let texts = Column::new("text".into(), texts);
            let of_enum = texts.cast(&enum_of(&categories)).expect("categories");
            let df = df![name => &self.x[frame], "float" => floats].expect("a frame");
            with(&with(&df, texts), of_enum.with_name("enum".into()))
        })
    }

    /// The least values of the intervals at the quantiles of some of the frames, but the first.
    fn starts(&self, frames: usize, n: usize) -> BTreeSet<i32> {
        let mut known: Vec<i32> = self.x[..frames].iter().flatten().flatten().copied().collect();
        known.sort_unstable();
        let is_alone = |value: i32| {
            let rows = known.iter().filter(|x| **x == value).count();
            rows > 1 && rows * n > known.len()
        };
        let mut starts = BTreeSet::new();
        for at in 1..n {
            let Some(&end) = known.get((at * known.len()).div_ceil(n).max(1) - 1) else { continue };
            let next = known.iter().copied().find(|x| *x > end);
            match next {
                _ if is_alone(end) => starts.extend([end, end + 1]),
                // Halfway to the reference's next value.
                Some(next) if !is_alone(next) => starts.extend([end + (next - end + 1) / 2]),
                _ => {}
            }
        }
        starts
    }
}

fn side(most: usize) -> impl Strategy<Value = Vec<Option<i32>>> {
    (0i32..6, 1i32..30).prop_flat_map(move |(from, width)| {
        prop::collection::vec(prop::option::weighted(0.9, from..from + width), 1..most)
    })
}

proptest! {
    #[test]
    fn figures_equal_their_formulas(a in side(80), b in side(60), n in 2usize..12) {
        let rows = Rows { x: [a, b] };
        let [reference, current] = rows.frames("x");
        let spec = all_columns().intervals(Intervals::Quantiles(n));
        let table = drift(&reference, &current, &spec).expect("compared");
        let missing = rows.count(|x| x.is_none());
        let known: BTreeSet<i32> = rows.x[0].iter().flatten().copied().collect();
        let all: BTreeSet<i32> = rows.x.iter().flatten().flatten().copied().collect();

        let between = |cuts: BTreeSet<i32>| -> Vec<[usize; 2]> {
            let is_in = |x: i32, at: usize| cuts.iter().filter(|cut| **cut <= x).count() == at;
            let bins = (0..=cuts.len()).map(|at| rows.count(|x| x.is_some_and(|x| is_in(x, at))));
            bins.chain([missing]).collect()
        };
        // The test goes by intervals of both frames together.
        let (of_x, of_both) = (between(rows.starts(1, n)), between(rows.starts(2, n)));
        let mut texts: Vec<i32> = known.iter().copied().collect();
        texts.sort_by_key(|level| format!("l{level}"));
        let mut of_text: Vec<[usize; 2]> = texts.iter().map(|level| rows.count(|x| x == Some(*level))).collect();
        let new = rows.count(|x| x.is_some_and(|x| !known.contains(&x)));
        of_text.extend([new, missing]);

        let of_levels = texts.iter().map(|level| rows.count(|x| x == Some(*level)));
        let new_levels = all.difference(&known).map(|level| rows.count(|x| x == Some(*level)));
        let of_levels: Vec<_> = of_levels.chain(new_levels).chain([missing]).collect();

        let mut p_values = Vec::new();
        let mut beyond_chance = Vec::new();
        for row in 0..4 {
            let feature = text(&table, "feature", row).expect("a name");
            let is_nominal = ["text", "enum"].contains(&feature.as_str());
            let (bins, tested) = if is_nominal { (&of_text, &of_levels) } else { (&of_x, &of_both) };
            let naive = Naive::new(bins.clone());
            let tested = Naive::new(tested.clone());
            prop_assert!(near(float(&table, "psi", row), naive.psi()), "{feature} {table} {}", naive.psi());
            prop_assert!(near(float(&table, "js_divergence", row), naive.js().max(0.0)), "{table} {}", naive.js());
            prop_assert!(near(float(&table, "chi_square", row), tested.chi_square()), "{table}");
            prop_assert_eq!(count(&table, "n_bins", row), naive.bins.len() as u64);
            for (frame, name) in ["missing_reference", "missing_current"].into_iter().enumerate() {
                prop_assert!(near(float(&table, name, row), missing[frame] as f64 / rows.x[frame].len() as f64));
            }
            let p_value = table.column("p_value").expect("there").f64().expect("f64").get(row);
            prop_assert_eq!(p_value.is_some(), tested.bins.len() == 1 || tested.varies(), "{}", table);
            p_values.push(p_value);
            beyond_chance.push((naive.psi() - float(&table, "expected_psi", row)).max(0.0));
            if is_nominal {
                let vanished = known.iter().filter(|l| rows.count(|x| x == Some(**l))[1] == 0).count();
                prop_assert_eq!(count(&table, "new_levels", row), all.difference(&known).count() as u64);
                prop_assert_eq!(count(&table, "vanished_levels", row), vanished as u64);
                prop_assert!(near(float(&table, "new_share", row), new[1] as f64 / rows.x[1].len() as f64));
            }
            // The bins by themselves.
            let bins = drift_bins(&reference, &current, &feature, &spec).expect("bins");
            let own: Vec<[f64; 2]> = (0..bins.height())
                .map(|at| ["n_reference", "n_current"].map(|name| count(&bins, name, at) as f64))
                .collect();
            prop_assert_eq!(own, naive.bins);
        }
        prop_assert!(beyond_chance.is_sorted_by(|a, b| *a >= b - 1e-12));
        let mut sorted: Vec<f64> = p_values.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let q_values = table.column("q_value").expect("there").f64().expect("f64");
        for (p, found) in p_values.iter().zip(q_values.iter()) {
            prop_assert_eq!(p.is_some(), found.is_some());
            let (Some(p), Some(found)) = (p, found) else { continue };
            let larger = (0..sorted.len()).filter(|at| sorted[*at] >= *p);
            let q = |at: usize| sorted[at] * sorted.len() as f64 / (at + 1) as f64;
            prop_assert!(near(found, larger.map(q).fold(1.0, f64::min)), "{table}");
        }
        // The gain is that of a ranking for the frame a row is from.
        let mut both = reference.clone();
        both.vstack_mut(&current).expect("one schema");
        let of: Vec<bool> = (0..both.height()).map(|row| row >= reference.height()).collect();
        both.with_column(Column::new("frame".into(), of)).expect("added");
        let ranking = both.rank_gain("frame", &full().missing(RankMissing::OwnLevel)).expect("ranked");
        for row in 0..4 {
            let same = (0..4).find(|at| text(&ranking, "feature", *at) == text(&table, "feature", row)).expect("ranked");
            prop_assert_eq!(float(&table, "info_gain", row), float(&ranking, "info_gain", same));
            prop_assert_eq!(text(&table, "rule", row), text(&ranking, "rule", same));
        }
    }
}

/// Values that the reference lacks are counted apart from a value that many of its rows have.
#[test]
fn a_value_of_many_rows_is_a_bin_by_itself() {
    let rules = |reference: &[f64], current: &[f64]| -> Vec<String> {
        let [a, b] = [reference, current].map(|x| df!["x" => x].expect("a frame"));
        let bins = drift_bins(&a, &b, "x", &all_columns()).expect("bins");
        (0..bins.height()).map(|at| text(&bins, "rule", at).expect("a rule")).collect()
    };
    assert_eq!(rules(&[5.0; 100], &[6.0; 100]), ["x == 5", "x > 5"]);
    assert_eq!(rules(&[5.0; 100], &[4.0, 5.0]), ["x < 5", "x == 5"]);
    // 40 rows are 0 and 40 are 1; the rest lies above.
    let counts: Vec<f64> = (0..100).map(|i| f64::from((i - 80).max(i / 40))).collect();
    assert_eq!(
        rules(&counts, &[-1.0, 0.5, 1.0, 1.5, 90.0]),
        ["x < 0", "x == 0", "0 < x < 1", "x == 1", "1 < x < 9.5", "x >= 9.5"]
    );
    let table = |x: i64| df!["x" => vec![x; 100]].expect("a frame");
    let moved = drift(&table(5), &table(6), &all_columns()).expect("compared");
    // Two bins of the shares 1 and 0, with half a row added to each count.
    assert!(near(float(&moved, "psi", 0), 2.0 * (100.5f64 / 0.5).ln()), "{moved}");
    assert!(near(float(&moved, "chi_square", 0), 200.0), "{moved}");
    assert!(float(&moved, "p_value", 0) < 1e-40, "{moved}");
}

/// Categories that do not occur in a frame are no levels of it.
#[test]
fn an_enum_without_its_last_category_is_the_same_enum() {
    let dtype = enum_of(&["low", "medium", "high"]);
    let frame = |levels: &[&str]| {
        let texts = Column::new("text".into(), levels.repeat(50));
        let levels = texts.cast(&dtype).expect("categories").with_name("enum".into());
        DataFrame::new(texts.len(), vec![texts, levels]).expect("a frame")
    };
    let [reference, current] = [&["low", "medium", "high"][..], &["low", "medium"]].map(frame);
    let table = drift(&reference, &current, &all_columns()).expect("compared");
    for row in 0..2 {
        // (1/2 - 1/3) ln(3/2) twice, and half a row of high in each frame.
        let high = [50.5f64 / 150.0, 0.5 / 100.0];
        let psi = (1.5f64).ln() / 3.0 + (high[1] - high[0]) * (high[1] / high[0]).ln();
        assert!(near(float(&table, "psi", row), psi), "{table}");
        assert_eq!(
            [count(&table, "new_levels", row), count(&table, "vanished_levels", row)],
            [0, 1]
        );
    }
}

#[test]
fn intervals_by_the_target_are_those_of_the_reference() {
    let x: Vec<f64> = (0..200).map(f64::from).collect();
    let y: Vec<&str> =
        (0..200).map(|i| if (50..120).contains(&i) { "yes" } else { "no" }).collect();
    let reference = df!["x" => &x, "y" => y].expect("a frame");
    let current =
        df!["x" => x.iter().map(|x| x / 2.0).collect::<Vec<_>>(), "y" => vec![None::<&str>; 200]];
    let spec = all_columns().features(["x"]).intervals(Intervals::Mdl).target("y");
    let bins = drift_bins(&reference, &current.expect("a frame"), "x", &spec).expect("bins");
    let rules: Vec<_> =
        (0..bins.height()).map(|at| text(&bins, "rule", at).expect("a rule")).collect();
    assert_eq!(rules, ["x < 49.5", "49.5 <= x < 119.5", "x >= 119.5"]);
    assert_eq!(
        (0..3).map(|at| count(&bins, "n_current", at)).collect::<Vec<_>>(),
        [99, 101].into_iter().chain([0]).take(bins.height()).collect::<Vec<_>>()
    );
}

/// Missing values make floats of integers in other tools. Such a column compares as the integers do, and
/// one with fractions as floats do.
#[test]
fn integers_compare_with_floats() {
    let cells = |step: i64| (0..200).map(move |row| (row % 7 > 0).then_some(row * step % 31 - 9));
    let frame = |cells: Vec<Option<i64>>, dtype: &DataType| {
        let x = Column::new("x".into(), cells).cast(dtype).expect("cast");
        DataFrame::new(200, vec![x]).expect("a frame")
    };
    let figures = |table: &DataFrame| table.drop_many(["dtype"]);
    let whole = [7, 5].map(|step| frame(cells(step).collect(), &DataType::Int64));
    for spec in [all_columns(), all_columns().intervals(Intervals::Quantiles(3))] {
        let expected = drift(&whole[0], &whole[1], &spec).expect("compared");
        for dtype in [DataType::Float64, DataType::Float32] {
            let floats = [7, 5].map(|step| frame(cells(step).collect(), &dtype));
            for [a, b] in [[&whole[0], &floats[1]], [&floats[0], &whole[1]]] {
                let found = drift(a, b, &spec).expect("compared");
                assert!(figures(&found).equals_missing(&figures(&expected)), "{found} {expected}");
            }
        }
    }
    let half =
        df!["x" => (0..200).map(|row| f64::from(row) / 2.0).collect::<Vec<_>>()].expect("a frame");
    let floats = frame(cells(7).collect(), &DataType::Float64);
    let spec = all_columns();
    assert!(
        figures(&drift(&whole[0], &half, &spec).expect("compared"))
            .equals_missing(&figures(&drift(&floats, &half, &spec).expect("compared")))
    );
    // What no float holds is not compared with fractions.
    let large = frame(vec![Some((1 << 53) + 1); 200], &DataType::Int64);
    let refused = drift(&large, &half, &spec).expect_err("refused").to_string();
    assert!(refused.contains("i64 in the reference, f64 in the current"), "{refused}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let a = df!["x" => [1, 2], "t" => ["a", "b"], "gone" => [1, 2]].expect("a frame");
    let b = df!["x" => ["1.5", "2.5"], "t" => ["a", "b"], "fresh" => [1, 2]].expect("a frame");
    let error = |a: &DataFrame, b: &DataFrame, spec: DriftSpec| {
        drift(a, b, &spec).expect_err("refused").to_string()
    };
    let spec = all_columns;
    for (said, part) in [
        (
            error(&a, &b, spec().features(["x"])),
            "no column in common that can be compared; the reference has `x`, `t`, `gone`, the \
             current frame `x`, `t`, `fresh`; `x` is i32 in the reference, str in the current frame: \
             cast one of them",
        ),
        (
            drift_bins(&a, &b, "x", &spec()).expect_err("refused").to_string(),
            "column `x` is i32 in the reference and str in the current frame",
        ),
        (error(&a, &b, spec().features(["z"])), "`z`: no such column"),
        (error(&a, &b.select(["fresh"]).expect("there"), spec()), "no column in common"),
        (error(&a, &a.head(Some(0)), spec()), "the current frame has no rows"),
        (error(&a.head(Some(0)), &a, spec()), "the reference has no rows"),
        (error(&a, &a, spec().intervals(Intervals::Mdl)), "name the target"),
        (error(&a, &a, spec().intervals(Intervals::Quantiles(1))), "2 to 100"),
        (error(&a, &a, spec().alpha(1.5)), "alpha is 1.5; it is a probability, from 0 to 1"),
        (error(&a, &a, spec().threshold(-0.1)), "threshold is -0.1; it is a psi beyond chance"),
        (error(&a, &a, spec().threshold(f64::NAN)), "threshold is NaN"),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
    // Columns of one frame alone, or of other dtypes in the two, come last, with the reason.
    let table = drift(&a, &b, &spec()).expect("compared");
    let reasons: Vec<_> = (0..4).map(|row| text(&table, "excluded_reason", row)).collect();
    let only = |frame: &str| Some(format!("only in the {frame}"));
    let dtypes = "i32 in the reference, str in the current frame: cast one of them".to_string();
    assert_eq!(reasons, [None, Some(dtypes), only("reference"), only("current frame")]);
    let lazy = a.clone().lazy().drift(b.clone().lazy(), &spec()).expect("compared");
    assert!(lazy.equals_missing(&table), "{lazy}");
    // Text of any sort and integers of any width compare; a column of nulls has no dtype.
    let other =
        df!["x" => [1i64, 2], "t" => ["a", "b"], "gone" => Series::new_null("gone".into(), 2)];
    let mut other = other.expect("a frame");
    let categories =
        other.column("t").expect("t").cast(&DataType::from_categories(Categories::global()));
    other.with_column(categories.expect("cast")).expect("set");
    let table = drift(&a, &other, &spec()).expect("compared");
    let psi: Vec<f64> = (0..3).map(|row| float(&table, "psi", row)).collect();
    assert_eq!((psi[1], psi[2], float(&table, "missing_current", 0)), (0.0, 0.0, 1.0));
}

#[test]
fn the_same_bytes_at_any_number_of_threads_and_on_a_tree() {
    let made = |from: i64| {
        let x: Vec<i64> = (0..2000).map(|i| i * 7919 % 997 + from).collect();
        let c: Vec<String> = (0..2000).map(|i| format!("c{}", i * 31 % 17 + from / 50)).collect();
        let y: Vec<bool> = x.iter().map(|x| x * 37 % 101 < x / 10).collect();
        df!["x" => x, "c" => c, "y" => y].expect("a frame")
    };
    let (reference, current) = (made(0), made(100));
    let of =
        |threads| drift(&reference, &current, &all_columns().threads(threads)).expect("compared");
    assert_eq!(format!("{:?}", of(1)), format!("{:?}", of(2)));
    assert!(of(1).equals_missing(&of(5)));
    let lazy =
        reference.clone().lazy().drift(current.clone().lazy(), &all_columns().features(["c"]));
    assert_eq!(float(&lazy.expect("compared"), "psi", 0), {
        let table = reference.drift(&current, &all_columns()).expect("compared");
        let row = (0..3).find(|row| text(&table, "feature", *row).as_deref() == Some("c"));
        float(&table, "psi", row.expect("compared"))
    });
    // The leaves' shares are those of the rows scored.
    let tree = reference.fit_tree("y", &TreeSpec::cart().max_depth(3)).expect("fits").tree;
    let table = tree.drift(&reference, &current, &all_columns()).expect("compared");
    let row =
        (0..table.height()).find(|row| text(&table, "feature", *row).as_deref() == Some("leaf_id"));
    let leaves =
        |df: &DataFrame| tree.score_with(df, &ScoreSpec::default().leaf(true)).expect("scored");
    let ids = [leaves(&reference), leaves(&current)].map(|df| -> Vec<u32> {
        df.column("leaf_id").expect("ids").u32().expect("u32").iter().flatten().collect()
    });
    let nodes = 0..tree.nodes().expect("nodes").height() as u32;
    let naive =
        Naive::new(nodes.map(|id| [0, 1].map(|f| ids[f].iter().filter(|x| **x == id).count())));
    assert!(near(float(&table, "psi", row.expect("leaves")), naive.psi()), "{table}");
    // The table is that of the rows with the columns that scoring adds.
    let forest = ForestSpec::new(TreeSpec::cart().max_depth(3)).trees(3);
    let forest = reference.fit_forest("y", &forest).expect("fits").forest;
    for (model, added) in [
        (Model::Tree(tree), vec!["prediction", "leaf_id"]),
        (Model::Forest(forest), vec!["prediction"]),
    ] {
        let scored = |df: &DataFrame| {
            let spec = ScoreSpec::default().leaf(added.contains(&"leaf_id"));
            let mut scored = model.score_with(df, &spec).expect("scored");
            if let Ok(leaf) = scored.column("leaf_id") {
                let leaf = leaf.cast(&DataType::String).expect("cast");
                scored.with_column(leaf).expect("set");
            }
            scored
        };
        let names = model.used_columns().into_iter().chain(added.iter().copied());
        let spec = all_columns().intervals(Intervals::Quantiles(4)).exclude(["c"]);
        let expected = drift(&scored(&reference), &scored(&current), &spec.clone().features(names));
        // Columns of an earlier scoring do not count.
        let old =
            scored(&current.reverse()).with_column(current["x"].clone()).expect("set").clone();
        let old = old.drop("c").expect("dropped").hstack(&[current["c"].clone()]).expect("added");
        let table = model.drift(&reference, &old, &spec).expect("compared");
        assert!(table.equals_missing(&expected.expect("compared")), "{table}");
    }
    // A forest says no leaf, so that a feature may be called that.
    let renamed =
        reference.clone().lazy().rename(["x"], ["leaf_id"], true).collect().expect("rows");
    let spec = all_columns();
    let forest = ForestSpec::new(TreeSpec::cart().max_depth(3)).trees(3);
    let forest = renamed.fit_forest("y", &forest).expect("fits").forest;
    assert!(forest.drift(&renamed, &renamed, &spec).is_ok());
    let tree = renamed.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let error = tree.drift(&renamed, &renamed, &spec).expect_err("refused").to_string();
    assert!(error.contains("already has a column `leaf_id`"), "{error}");
}

/// A tree knows how many of its training rows ended in each leaf: the lines of its predictions and
/// leaves are those of the training rows themselves.
#[test]
fn a_tree_says_how_its_training_rows_have_moved() {
    let made = |from: i64| {
        let x: Vec<Option<i64>> =
            (0..1500).map(|i| (i % 11 > 0).then_some(i * 7919 % 997 + from)).collect();
        let c: Vec<String> = (0..1500).map(|i| format!("c{}", i * 31 % (9 + from / 50))).collect();
        let w: Vec<f64> = (0..1500).map(|i| (i % 4) as f64).collect();
        let y: Vec<bool> = x.iter().map(|x| x.is_none_or(|x| x * 37 % 101 < x / 10)).collect();
        let z: Vec<f64> = x.iter().map(|x| x.unwrap_or(50) as f64 / 7.0).collect();
        df!["x" => x, "c" => c, "w" => w, "y" => y, "z" => z].expect("a frame")
    };
    let (train, current) = (made(0), made(100));
    let drift_spec = all_columns().intervals(Intervals::Quantiles(4));
    let lines = |table: &DataFrame| {
        let is_known = |name: &str| col("feature").eq(lit(name.to_string()));
        let is_known = is_known("prediction").or(is_known("leaf_id"));
        let lines = table.clone().lazy().filter(is_known);
        // Ranks and rates of false discoveries go by all columns.
        let lines = lines.select([all().exclude_cols(["rank", "q_value"]).as_expr()]);
        lines.sort(["feature"], SortMultipleOptions::default()).collect().expect("lines")
    };
    for (target, spec) in [
        ("y", TreeSpec::cart().max_depth(4)),
        ("y", TreeSpec::cart().max_depth(4).weight("w")),
        ("y", TreeSpec::id3().max_depth(2)),
        ("z", TreeSpec::cart().max_depth(3)),
        ("y", TreeSpec::cart().max_depth(0)),
    ] {
        let spec = spec.features(["x", "c"]);
        let tree = train.fit_tree(target, &spec).expect("fits").tree;
        // A row without weight is as if absent.
        let rows = match spec.weight {
            Some(_) => train.clone().lazy().filter(col("w").gt(0)).collect().expect("rows"),
            None => train.clone(),
        };
        let expected = lines(&tree.drift(&rows, &current, &drift_spec).expect("compared"));
        let table = tree.drift_from_training(&current, &drift_spec).expect("compared");
        assert_eq!(table.height(), 2);
        assert!(lines(&table).equals_missing(&expected), "{table} {expected}");
        let lazy = tree.drift_from_training(&current.clone().lazy(), &drift_spec);
        assert!(lazy.expect("compared").equals_missing(&table));
        let itself = tree.drift_from_training(&rows, &all_columns()).expect("compared");
        for row in 0..2 {
            assert_eq!(
                ["psi", "js_divergence", "chi_square"].map(|name| float(&itself, name, row)),
                [0.0; 3]
            );
            assert_eq!(float(&itself, "p_value", row), 1.0);
        }
    }
    // Rows that stop where training had no branch are at a leaf that is new.
    let tree = train.fit_tree("y", &TreeSpec::id3().features(["c"])).expect("fits").tree;
    let table = tree.drift_from_training(&current, &drift_spec).expect("compared");
    let leaf = (0..2).find(|row| text(&table, "feature", *row).as_deref() == Some("leaf_id"));
    assert_eq!(count(&table, "new_levels", leaf.expect("there")), 1);

    let error = |tree: &Tree, df: &DataFrame, spec: &DriftSpec| {
        tree.drift_from_training(df, spec).expect_err("refused").to_string()
    };
    let c45 = train.fit_tree("y", &TreeSpec::c45()).expect("fits").tree;
    for (said, part) in [
        (error(&tree, &current, &all_columns().features(["c"])), "column `c` is named"),
        (error(&tree, &current, &all_columns().target("y")), "column `y` is named"),
        (error(&tree, &current, &all_columns().intervals(Intervals::Mdl)), "take quantiles"),
        (error(&tree, &current.head(Some(0)), &drift_spec), "the current frame has no rows"),
        (error(&tree, &current.drop("c").expect("dropped"), &drift_spec), "`c`"),
        (error(&c45, &current, &drift_spec), "pass the training rows as the reference"),
    ] {
        assert!(said.contains(part) && !said.contains('\n'), "{said}");
    }
}
