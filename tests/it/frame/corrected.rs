//! Gains beside permuted copies, and Boruta over them, beside forests on frames that have the copies as
//! columns; and what noise gets.

use gaintree::engine::rows_of_copies;
use gaintree::{BorutaSpec, CorrectedSpec};

use super::forests::{numbers, tried};
use super::*;
use crate::noise::Noise;

/// Frames of other rows: many levels, distinct numbers with nulls, weights.
fn wide() -> Vec<(DataFrame, &'static str, TreeSpec)> {
    let (n, mut noise) = (300, Noise(5));
    let distinct: Vec<Option<f64>> =
        (0..n).map(|at| (at % 9 != 0).then(|| noise.below(1 << 40) as f64 + 0.5)).collect();
    let coarse: Vec<u64> = (0..n).map(|_| noise.below(5)).collect();
    let texts: Vec<String> = (0..n).map(|_| format!("t{}", noise.below(290))).collect();
    let weights: Vec<f64> = (0..n).map(|_| 1.0 + noise.below(3) as f64).collect();
    let y: Vec<u64> = coarse.iter().map(|&x| u64::from(x + noise.below(4) > 3)).collect();
    let df = df!["distinct" => distinct, "coarse" => coarse, "texts" => texts, "weight" => weights,
                 "y" => y]
    .expect("a frame");
    let weighted = TreeSpec::cart().weight("weight").min_samples_leaf(3);
    let numbers = TreeSpec::cart().exclude(["weight"]).max_depth(4);
    vec![(df.clone(), "y", weighted), (df, "coarse", numbers)]
}

/// Numbers that tell nothing.
fn noise_of(n: usize) -> Vec<u64> {
    let mut noise = Noise(3);
    (0..n).map(|_| noise.below(1 << 40)).collect()
}

fn features_of(df: &DataFrame, target: &str) -> Vec<String> {
    let names = df.get_column_names().into_iter().map(|name| name.as_str());
    names.filter(|&name| name != target && name != "weight").map(str::to_string).collect()
}

/// The mean gains of features, and of each of their copies, in the forest of one permutation: one that
/// is fitted on a frame with all of them.
fn gains(
    df: &DataFrame,
    target: &str,
    features: &[String],
    n_copies: u32,
    (spec, permutation): (&ForestSpec, u32),
) -> Vec<Vec<f64>> {
    let mut joined = df.clone();
    for name in features_of(df, target) {
        joined.drop_in_place(&name).expect("there");
    }
    let name_of = |copy: u32, name: &str| format!("{copy} of {name}");
    for copy in 0..=n_copies {
        let mut rows: Vec<u32> = (0..df.height() as u32).collect();
        if copy > 0 {
            rows = rows_of_copies(spec.seed, permutation, copy - 1, df.height());
        }
        let rows: IdxCa = rows.into_iter().map(Some).collect();
        for name in features {
            let copied = df.column(name).expect("there").take(&rows).expect("rows");
            joined.with_column(copied.with_name(name_of(copy, name).into())).expect("fits");
        }
    }
    let m = spec.trees;
    let up_to = spec.clone().trees(m * (permutation + 1)).out_of_bag(false);
    let forest = joined.fit_forest(target, &up_to).expect("fits").forest;
    let of_copy = |copy| {
        let of_feature = |name: &String| {
            let trees = (m * permutation..m * (permutation + 1)).map(|at| {
                let importance = forest.tree(at as usize).expect("a tree").importance();
                figure(&importance.expect("a table"), &name_of(copy, name), "total_gain")
            });
            trees.sum::<f64>() / f64::from(m)
        };
        features.iter().map(of_feature).collect()
    };
    (0..=n_copies).map(of_copy).collect()
}

#[track_caller]
fn assert_near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{what}: {a} {b}");
}

#[test]
fn gains_are_those_beside_copies_in_a_frame() {
    for (df, target, tree) in tried().into_iter().chain(wide()) {
        let spec = CorrectedSpec::new(ForestSpec::new(tree).trees(2).seed(4)).permutations(10);
        let table = df.corrected_importance(target, &spec).expect("corrects");
        assert_eq!(
            schema(&table),
            "rank u32, feature str, corrected_gain f64, standard_error f64, gain f64, \
             permuted_gain f64, p_value f64, q_value f64"
        );
        let features = features_of(&df, target);
        let forests: Vec<Vec<Vec<f64>>> = (0..10)
            .map(|permutation| gains(&df, target, &features, 1, (&spec.forest, permutation)))
            .collect();
        for (at, name) in features.iter().enumerate() {
            let mean = |copy: usize| forests.iter().map(|of| of[copy][at]).sum::<f64>() / 10.0;
            let differences = forests.iter().map(|of| of[0][at] - of[1][at]);
            let corrected = mean(0) - mean(1);
            let squares: f64 = differences.map(|d| (d - corrected).powi(2)).sum();
            let found = forests[0][0][at] * (1.0 - 1e-9);
            let p_value =
                (1 + forests.iter().filter(|of| of[1][at] >= found).count()) as f64 / 11.0;
            for (column, expected) in [
                ("gain", mean(0)),
                ("permuted_gain", mean(1)),
                ("corrected_gain", corrected),
                ("standard_error", (squares / 90.0).sqrt()),
                ("p_value", p_value),
            ] {
                assert_near(figure(&table, name, column), expected, &format!("{name} {column}"));
            }
        }
        let corrected = numbers(&table, "corrected_gain");
        assert!(corrected.is_sorted_by(|a, b| a >= b));
        let tree = &spec.forest.tree;
        let threads = |n| {
            let forest = spec.forest.clone().tree(tree.clone().threads(n));
            spec.clone().forest(forest)
        };
        for n in [1, 8] {
            let again = df.corrected_importance(target, &threads(n)).expect("corrects");
            assert_same(&again, &table, target);
        }
    }
}

/// Boruta as the paper tells it, on gains that are less the mean of the copies' in earlier runs. Of each
/// feature its decision, hits and runs.
fn naive_boruta(
    df: &DataFrame,
    target: &str,
    spec: &BorutaSpec,
) -> Vec<(String, String, u32, u32)> {
    let all = features_of(df, target);
    // Chances of a number of heads: Pascal's triangle.
    let upper = |heads: u32, n: u32| {
        let mut chances = vec![1.0];
        for _ in 0..n {
            let padded = |at: i64| chances.get(at as usize).copied().unwrap_or(0.0);
            chances =
                (0..=chances.len() as i64).map(|at| (padded(at - 1) + padded(at)) / 2.0).collect();
        }
        chances[heads as usize..].iter().sum::<f64>()
    };
    let threshold = spec.alpha / all.len() as f64;
    let mut decided: Vec<(String, String, u32, u32)> =
        all.iter().map(|name| (name.clone(), "tentative".to_string(), 0, 0)).collect();
    let mut past: Vec<Vec<Vec<f64>>> = Vec::new();
    for run in 0..spec.runs {
        let left: Vec<String> =
            decided.iter().filter(|one| one.1 != "rejected").map(|one| one.0.clone()).collect();
        if decided.iter().all(|one| one.1 != "tentative") {
            break;
        }
        let n_copies = 5usize.div_ceil(left.len()) as u32;
        let now = gains(df, target, &left, n_copies, (&spec.forest, run));
        if !past.is_empty() {
            let mean = |at: usize| {
                let copies = past.iter().flat_map(|run| &run[1..]);
                copies.map(|copy| copy[at]).sum::<f64>() / (past.len() * n_copies as usize) as f64
            };
            let above = |copy: usize, at: usize| now[copy][at] - mean(at);
            let bar = (1..now.len())
                .flat_map(|copy| (0..left.len()).map(move |at| (copy, at)))
                .map(|(copy, at)| above(copy, at))
                .fold(f64::MIN, f64::max);
            for (at, name) in left.iter().enumerate() {
                let one = decided.iter_mut().find(|one| one.0 == *name).expect("there");
                if one.1 != "tentative" {
                    continue;
                }
                one.2 += u32::from(above(0, at) > bar);
                one.3 += 1;
                if upper(one.2, one.3) < threshold {
                    one.1 = "confirmed".to_string();
                } else if upper(one.3 - one.2, one.3) < threshold {
                    one.1 = "rejected".to_string();
                }
            }
        }
        past.push(now);
        if decided.iter().filter(|one| one.1 != "rejected").count() < left.len() {
            past.clear();
        }
    }
    decided
}

#[test]
fn boruta_follows_the_paper() {
    let iris = with(&parquet("iris"), Column::new("noise".into(), noise_of(150)));
    let cases = [
        (iris, "species", TreeSpec::cart()),
        (wide()[0].0.clone(), "y", wide()[0].2.clone()),
        (parquet("iris").head(Some(60)), "sepal_width_cm", TreeSpec::cart().min_samples_leaf(5)),
    ];
    for (df, target, tree) in cases {
        let forest = ForestSpec::new(tree).trees(3).seed(8);
        let spec = BorutaSpec::new(forest).runs(14).alpha(0.1);
        let table = df.boruta(target, &spec).expect("decides");
        assert_eq!(
            schema(&table),
            "rank u32, feature str, decision str, corrected_gain f64, hits u32, runs u32"
        );
        let naive = naive_boruta(&df, target, &spec);
        for (name, decision, hits, runs) in naive {
            let row = texts(&table, "feature").iter().position(|of| of.as_ref() == Some(&name));
            let row = row.expect("is listed");
            assert_eq!(word(&table, "decision", row), decision, "{name}\n{table}");
            let counts = (figure(&table, &name, "hits"), figure(&table, &name, "runs"));
            assert_eq!(counts, (hits.into(), runs.into()), "{name}\n{table}");
        }
    }
}

/// The largest distance of the shares of numbers below a bound from those of a uniform distribution
/// (Kolmogorov & Smirnov).
fn distance_from_uniform(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len() as f64;
    let distances = (0..).zip(&numbers).map(|(at, x)| {
        let below = f64::from(at) / n;
        (x - below).max(below + 1.0 / n - x)
    });
    distances.fold(0.0, f64::max)
}

/// On noise the p-values of features of few and of many levels are uniform alike, and gains without
/// what chance makes are about 0; with what it makes many levels gain more.
#[test]
fn p_values_of_noise_are_uniform() {
    const DATASETS: u64 = 60;
    let kinds = ["two", "twenty", "texts", "distinct"];
    let mut p_values = vec![Vec::new(); kinds.len()];
    let (mut gains, mut corrected) = (vec![0.0; kinds.len()], vec![Vec::new(); kinds.len()]);
    for dataset in 0..DATASETS {
        let (n, mut noise) = (60, Noise(dataset * 7919 + 1));
        let mut ints = |k| (0..n).map(|_| noise.below(k)).collect::<Vec<_>>();
        let (two, twenty, texts) = (ints(2), ints(20), ints(20));
        let (y, distinct) = (ints(2), ints(1 << 40));
        let texts: Vec<String> = texts.iter().map(|x| format!("t{x}")).collect();
        let df = df!["two" => two, "twenty" => twenty, "texts" => texts, "distinct" => distinct, "y" => y];
        // Grown to the end, trees have many nodes where splits of several columns gain the same.
        let spec =
            CorrectedSpec::new(ForestSpec::default().trees(4).seed(dataset)).permutations(20);
        let table = df.expect("a frame").corrected_importance("y", &spec).expect("corrects");
        for (at, kind) in kinds.iter().enumerate() {
            p_values[at].push(figure(&table, kind, "p_value"));
            gains[at] += figure(&table, kind, "gain");
            corrected[at].push(figure(&table, kind, "corrected_gain"));
        }
    }
    // Of 60 uniform numbers the distance is above this in one of a hundred.
    let bound = 1.63 / (DATASETS as f64).sqrt();
    for (at, kind) in kinds.iter().enumerate() {
        let distance = distance_from_uniform(p_values[at].clone());
        assert!(distance < bound, "{kind}: {distance} {:?}", p_values[at]);
        let n = DATASETS as f64;
        let mean = corrected[at].iter().sum::<f64>() / n;
        let squares: f64 = corrected[at].iter().map(|gain| (gain - mean).powi(2)).sum();
        let error = (squares / (n - 1.0) / n).sqrt();
        assert!(mean.abs() < 3.0 * error, "{kind}: {mean} of an error of {error}");
    }
    assert!(gains[1..].iter().all(|gain| *gain > 2.0 * gains[0]), "{gains:?}");
}

#[test]
fn what_tells_is_told_from_noise() {
    let (n, mut noise) = (200, Noise(11));
    let mut ints = |k| (0..n).map(|_| noise.below(k)).collect::<Vec<_>>();
    let (flag, ids, other, flips) = (ints(2), ints(1 << 40), ints(3), ints(5));
    let y: Vec<u64> =
        flag.iter().zip(&flips).map(|(&x, &flip)| if flip == 0 { 1 - x } else { x }).collect();
    let df = df!["flag" => flag, "ids" => ids, "other" => other, "y" => y].expect("a frame");
    let forest = ForestSpec::default().trees(20).seed(2);
    let table =
        df.corrected_importance("y", &CorrectedSpec::new(forest.clone())).expect("corrects");
    // No copy gained as much in 100 permutations.
    assert_near(figure(&table, "flag", "p_value"), 1.0 / 101.0, "p_value");
    assert_near(figure(&table, "flag", "q_value"), 3.0 / 101.0, "q_value");
    assert!(figure(&table, "ids", "p_value") > 0.05 && figure(&table, "other", "p_value") > 0.05);
    let decided = df.boruta("y", &BorutaSpec::new(forest)).expect("decides");
    let decisions: Vec<String> = (0..3).map(|row| word(&decided, "decision", row)).collect();
    assert_eq!(decisions, ["confirmed", "rejected", "rejected"]);
    assert_eq!(word(&decided, "feature", 0), "flag");
}

#[test]
fn what_cannot_be_corrected_is_said() {
    let df = parquet("iris");
    let message = |spec: CorrectedSpec| {
        df.corrected_importance("species", &spec).expect_err("refuses").to_string()
    };
    let few = CorrectedSpec::default().permutations(9);
    assert_eq!(message(few), "permutations is 9; at least 10 are needed to tell what chance makes");
    let many = CorrectedSpec::new(ForestSpec::default().trees(u32::MAX));
    assert_eq!(
        message(many),
        "permutations is 100 with 4294967295 trees each; together they are at most 4294967295"
    );
    let none = CorrectedSpec::new(ForestSpec::default().trees(0));
    assert_eq!(message(none), "trees is 0; a forest has at least 1 tree");
    let features = CorrectedSpec::new(ForestSpec::default().max_features(MaxFeatures::Count(5)));
    assert!(message(features).contains("there are 4 features beside target `species`"));
    let message = |spec: BorutaSpec| df.boruta("species", &spec).expect_err("refuses").to_string();
    assert_eq!(
        message(BorutaSpec::default().runs(3)),
        "runs is 3; at least 10 are needed to tell what chance makes"
    );
    for alpha in [0.0, 1.0, f64::NAN] {
        let said = message(BorutaSpec::default().alpha(alpha));
        assert!(
            said.ends_with("; the chance of a wrong decision is above 0 and below 1"),
            "{said}"
        );
    }
}

/// Constant columns, columns of nulls and a target that nothing tells of are no trouble.
#[test]
fn what_varies_nowhere_gains_nothing() {
    let df = df!["one" => [1, 1, 1, 1, 1, 1], "x" => [1, 2, 3, 4, 5, 6], "y" => [0, 1, 0, 1, 0, 1]];
    let df = with(&df.expect("a frame"), Column::full_null("null".into(), 6, &DataType::Int64));
    let table = df.corrected_importance("y", &CorrectedSpec::default()).expect("corrects");
    for name in ["one", "null"] {
        let of = |column| figure(&table, name, column);
        assert_eq!((of("gain"), of("p_value"), of("corrected_gain")), (0.0, 1.0, 0.0));
    }
    let decided = df.boruta("y", &BorutaSpec::default()).expect("decides");
    assert_eq!(figure(&decided, "one", "hits"), 0.0);
    let alone = df.select(["one", "y"]).expect("there");
    let decided = alone.boruta("y", &BorutaSpec::default()).expect("decides");
    assert_eq!(word(&decided, "decision", 0), "rejected");
}
