//! Pruning by frames: the path, held-out rows, cross-validation.

use super::*;

fn grown(df: &DataFrame, target: &str) -> Tree {
    df.fit_tree(target, &TreeSpec::cart()).expect("fits").tree
}

/// Every third row, from the first on, or the others.
fn part(df: &DataFrame, held_out: bool) -> DataFrame {
    let rows = (0..df.height() as u32).filter(|row| (row % 3 == 0) == held_out).collect();
    df.take(&IdxCa::from_vec("".into(), rows)).expect("takes")
}

#[test]
fn the_path_is_a_table() {
    let tree = grown(&parquet("iris"), "species");
    let path = tree.cost_complexity_path().expect("a path");
    assert_eq!(schema(&path), "alpha f64, leaves u32, depth u32, total_impurity f64");
    let last = path.height() - 1;
    let cell = |name: &str, row: usize| floats(&path, name)[row].expect("a figure");
    assert_eq!((cell("alpha", 0), cell("leaves", 0)), (0.0, tree.n_leaves() as f64));
    assert_eq!((cell("depth", 0), cell("total_impurity", 0)), (f64::from(tree.depth()), 0.0));
    assert_eq!((cell("leaves", last), cell("depth", last)), (1.0, 0.0));
    // Cutting off setosa, which is what the root's split does, takes half of the impurity: the
    // last link of iris is a third of a row (Gini of three equal classes, 2/3, less 1/3).
    assert_eq!(digits(cell("alpha", last), 6), "0.333334");
    assert_eq!(digits(cell("total_impurity", last), 6), "0.666667");
    for row in 0..path.height() {
        let pruned = tree.prune_cost_complexity(cell("alpha", row)).expect("prunes");
        assert_eq!(pruned.n_leaves() as f64, cell("leaves", row));
        assert_eq!(f64::from(pruned.depth()), cell("depth", row));
    }
}

#[test]
fn held_out_rows_prune() {
    let df = parquet("breast_cancer");
    let tree = grown(&part(&df, false), "diagnosis");
    let held_out = part(&df, true);
    let pruned = tree.prune_reduced_error(&held_out, PruneBy::ErrorRate).expect("prunes");
    assert!(pruned.n_leaves() > 1 && pruned.n_leaves() < tree.n_leaves());
    let right = |tree: &Tree| {
        floats(&tree.evaluate(&held_out).expect("evaluates"), "accuracy")[0].expect("a share")
    };
    assert!(right(&pruned) >= right(&tree));
    assert_eq!(
        tree.prune_reduced_error(&held_out.head(Some(0)), PruneBy::ErrorRate)
            .expect("prunes")
            .n_nodes(),
        1
    );
    assert!(
        tree.prune_reduced_error(&held_out.drop("diagnosis").expect("drops"), PruneBy::ErrorRate)
            .is_err()
    );

    let df = parquet("diabetes");
    let target = df.columns().last().expect("a target").name().to_string();
    let spec = TreeSpec::cart().task(Task::Regress);
    let tree = part(&df, false).fit_tree(&target, &spec).expect("fits").tree;
    let pruned = tree.prune_reduced_error(&part(&df, true), PruneBy::ErrorRate).expect("prunes");
    let off = |tree: &Tree| {
        floats(&tree.evaluate(&part(&df, true)).expect("evaluates"), "rmse")[0].expect("a figure")
    };
    assert!(pruned.n_leaves() > 1 && pruned.n_leaves() < tree.n_leaves());
    assert!(off(&pruned) < off(&tree));
}

const CV: &str = "alpha f64, leaves u32, mean_error f64, standard_error f64, chosen bool";

/// Cross-validation by its words: every fold scored by every pruned tree, one after the other.
fn slowly(df: &DataFrame, target: &str, spec: &TreeSpec, cv: &CvSpec) -> Vec<(f64, f64)> {
    let folds = cv.folds;
    let tree = df.fit_tree(target, spec).expect("fits").tree;
    let alphas: Vec<f64> = tree.cost_complexity_steps().iter().map(|step| step.alpha).collect();
    let sorted = if tree.is_regression() { floats(df, target) } else { Vec::new() };
    let classes = texts(df, target);
    let mut order: Vec<usize> = (0..df.height()).collect();
    order.sort_by(|&a, &b| match sorted.is_empty() {
        true => classes[a].cmp(&classes[b]),
        false => sorted[a].partial_cmp(&sorted[b]).expect("numbers"),
    });
    let of_class = |class: &Option<String>| match &spec.class_weights {
        ClassWeights::Equal => 1.0,
        ClassWeights::Balanced => 1.0 / classes.iter().filter(|c| *c == class).count() as f64,
        ClassWeights::Given(given) => {
            given.iter().find(|(name, _)| Some(name) == class.as_ref()).map_or(1.0, |(_, w)| *w)
        }
    };
    let of_row =
        |row: usize| spec.weight.as_ref().map_or(1.0, |w| floats(df, w)[row].unwrap_or(0.0));
    let weights: Vec<f64> =
        (0..df.height()).map(|row| of_row(row) * of_class(&classes[row])).collect();
    let mut errors = vec![Vec::new(); alphas.len()];
    for fold in 0..folds {
        let rows = |held_out: bool| -> Vec<u32> {
            let of_fold = |at: &usize| (at % folds == fold) == held_out;
            (0..order.len()).filter(of_fold).map(|at| order[at] as u32).collect()
        };
        let take = |rows: &[u32]| df.take(&IdxCa::from_slice("".into(), rows)).expect("takes");
        let mut rest = rows(false);
        rest.sort_unstable();
        let fitted = take(&rest).fit_tree(target, spec).expect("fits").tree;
        for (k, errors) in errors.iter_mut().enumerate() {
            let next = alphas.get(k + 1).copied().unwrap_or(f64::INFINITY);
            let between = if next.is_infinite() { next } else { (alphas[k] * next).sqrt() };
            let scored = fitted.prune_cost_complexity(between).expect("prunes");
            let probabilities = ScoreSpec::default().probability(!fitted.is_regression());
            let scored = scored.score_with(&take(&rows(true)), &probabilities).expect("scores");
            let (is, was) = (texts(&scored, "prediction"), texts(&scored, target));
            for (at, &row) in rows(true).iter().enumerate() {
                let error = if tree.is_regression() {
                    let (is, was) = (floats(&scored, "prediction"), floats(&scored, target));
                    (is[at].expect("a number") - was[at].expect("a number")).powi(2)
                } else {
                    let was = was[at].as_deref().expect("a class");
                    let p = |class: &str| floats(&scored, &format!("probability_{class}"))[at];
                    let p_actual = p(was).expect("a share");
                    let all = fitted.schema().classes.len();
                    let all = (0..all).map(|class| p(&fitted.schema().class_text(class)));
                    match cv.prune_by {
                        PruneBy::ErrorRate => f64::from(u8::from(is[at].as_deref() != Some(was))),
                        PruneBy::LogLoss => -p_actual.max(2f64.powi(-52)).ln(),
                        PruneBy::Gini => {
                            1.0 - 2.0 * p_actual + all.flatten().map(|p| p * p).sum::<f64>()
                        }
                    }
                };
                errors.push((error, weights[row as usize]));
            }
        }
    }
    let mean_and_error = |errors: Vec<(f64, f64)>| {
        let total: f64 = errors.iter().map(|e| e.1).sum();
        let mean = errors.iter().map(|(e, w)| e * w).sum::<f64>() / total;
        let spread: f64 = errors.iter().map(|(e, w)| (w * (e - mean)).powi(2)).sum();
        (mean, spread.sqrt() / total)
    };
    errors.into_iter().map(mean_and_error).collect()
}

#[test]
fn cross_validation_is_what_it_says() {
    let iris = parquet("iris");
    let weights: Vec<f64> = (0..150).map(|i| 1.0 + f64::from(i % 3) / 2.0).collect();
    let weighed = with(&iris, Column::new("w".into(), weights));
    let numbers = weather_of_numbers();
    let given = [("yes", 0.5), ("no", 3.0)].map(|(class, w)| (class.to_string(), w)).to_vec();
    let uneven = TreeSpec::cart().class_weights(ClassWeights::Given(given));
    let rare = iris.slice(40, 70);
    let balanced = TreeSpec::cart().class_weights(ClassWeights::Balanced);
    for (df, target, spec, folds, prune_by) in [
        (&iris, "species", TreeSpec::cart(), 10, PruneBy::ErrorRate),
        (&iris, "species", TreeSpec::cart(), 4, PruneBy::LogLoss),
        (&weather(), "play", uneven, 3, PruneBy::ErrorRate),
        (&rare, "species", balanced, 5, PruneBy::Gini),
        (&weighed, "species", TreeSpec::cart().weight("w"), 4, PruneBy::ErrorRate),
        (&weather(), "play", TreeSpec::id3(), 3, PruneBy::Gini),
        (&numbers, "y", TreeSpec::cart(), 5, PruneBy::ErrorRate),
    ] {
        for allowed in [true, false] {
            let cv = CvSpec::default().folds(folds).one_standard_error(allowed);
            let cv = cv.prune_by(prune_by);
            let found = df.cross_validate_pruning(target, &spec, &cv).expect("validates");
            assert_eq!(schema(&found.cv), CV);
            let expected = slowly(df, target, &spec, &cv);
            let column = |name: &str| -> Vec<f64> {
                floats(&found.cv, name).into_iter().flatten().collect()
            };
            let (means, errors) = (column("mean_error"), column("standard_error"));
            assert_eq!(means.len(), expected.len());
            for (i, (mean, error)) in expected.into_iter().enumerate() {
                assert!((means[i] - mean).abs() <= 1e-9 * (1.0 + mean), "{} {mean}", means[i]);
                assert!((errors[i] - error).abs() <= 1e-6 * (1.0 + error), "{} {error}", errors[i]);
            }
            let least = means.iter().copied().fold(f64::INFINITY, f64::min);
            let best = means.iter().rposition(|&m| m == least).expect("a least");
            let limit = least + if allowed { errors[best] } else { 0.0 };
            let chosen = means.iter().rposition(|&m| m <= limit).expect("one");
            let is_chosen: Vec<bool> = column("chosen").iter().map(|&c| c == 1.0).collect();
            assert_eq!(is_chosen.iter().position(|&c| c), Some(chosen));
            assert_eq!(is_chosen.iter().filter(|&&c| c).count(), 1);
            assert_eq!(found.tree.n_leaves() as f64, column("leaves")[chosen]);
            // The same each time, lazily, and by a fit that asks for the alpha chosen.
            let again = df.clone().lazy().cross_validate_pruning(target, &spec, &cv);
            let again = again.expect("validates");
            assert_same(&again.cv, &found.cv, "again");
            assert_eq!(again.tree, found.tree);
            let alpha = column("alpha")[chosen];
            let fitted =
                df.fit_tree(target, &spec.clone().pruning(Pruning::CostComplexity { alpha }));
            assert_eq!(fitted.expect("fits").tree, found.tree);
            // Without fitting again, by the tree's own spec and columns.
            let more = with(df, df.column(target).expect("there").clone().with_name("x9".into()));
            let tree = df.fit_tree(target, &spec).expect("fits").tree;
            let again = tree.prune_cross_validated(&more, &cv).expect("validates");
            assert_same(&again.cv, &found.cv, "of the tree");
            assert_eq!(again.tree.to_text(99), found.tree.to_text(99));
        }
    }
}

/// A step with some noise on it.
fn weather_of_numbers() -> DataFrame {
    let x: Vec<f64> = (0..60).map(f64::from).collect();
    let y: Vec<f64> =
        (0..60).map(|i| f64::from(i / 20) * 10.0 + f64::from(i * 7 % 5) / 2.0).collect();
    df!["x" => x, "y" => y].expect("a frame")
}

#[test]
fn rows_of_weight_0_are_as_if_absent_to_folds() {
    let iris = parquet("iris");
    let weights: Vec<f64> = (0..150).map(|i| f64::from(u8::from(i % 4 != 0))).collect();
    let weighed = with(&iris, Column::new("w".into(), weights));
    let rows = (0..150).filter(|row| row % 4 != 0).collect();
    let kept = iris.take(&IdxCa::from_vec("".into(), rows)).expect("takes");
    let cv = CvSpec::default().folds(5);
    let spec = TreeSpec::cart();
    let of_kept = kept.cross_validate_pruning("species", &spec, &cv).expect("validates");
    let of_weighed = weighed.cross_validate_pruning("species", &spec.weight("w"), &cv);
    assert_same(&of_weighed.expect("validates").cv, &of_kept.cv, "weighed");
}

/// "yes" where x is high, in one row of 90; most of the highest are "no" all the same.
fn rare(n: i64) -> DataFrame {
    let is_yes = |i: i64| i % 90 == 29;
    let x: Vec<i64> = (0..n).map(|i| i % 30).collect();
    let y: Vec<&str> = (0..n).map(|i| if is_yes(i) { "yes" } else { "no" }).collect();
    df!["x" => x, "z" => (0..n).map(|i| i * 13 % 17).collect::<Vec<_>>(), "y" => y]
        .expect("a frame")
}

/// Pruning takes class weights for what they are: weights of the rows.
#[test]
fn classes_weigh_as_their_rows_would_in_all_pruning() {
    let df = rare(900);
    let is_yes: Vec<bool> = texts(&df, "y").iter().map(|y| y.as_deref() == Some("yes")).collect();
    let weights: Vec<f64> = is_yes.iter().map(|&yes| if yes { 32.0 } else { 0.5 }).collect();
    let weighed = with(&df, Column::new("w".into(), weights));
    let given = [("yes", 32.0), ("no", 0.5)].map(|(class, w)| (class.to_string(), w)).to_vec();
    let spec = TreeSpec::cart().max_depth(5).exclude(["w"]);
    let by_class = spec.clone().class_weights(ClassWeights::Given(given));
    let by_row = TreeSpec::cart().max_depth(5).weight("w");
    let cv = CvSpec::default().folds(5);
    let validated = |spec: &TreeSpec| weighed.cross_validate_pruning("y", spec, &cv).expect("cv");
    let (of_class, of_row) = (validated(&by_class), validated(&by_row));
    assert_same(&of_class.cv, &of_row.cv, "validated");
    assert_eq!(of_class.tree.node_slice(), of_row.tree.node_slice());
    // Without weights all that is rare is pruned away, and it is said; not by log loss.
    let plain = validated(&spec);
    assert_eq!((of_class.tree.n_leaves() > 1, plain.tree.n_leaves()), (true, 1));
    let note = plain.notes.last().expect("a note");
    assert!(note.contains("one leaf, which answers no") && note.contains("log_loss"), "{note}");
    for by in [PruneBy::LogLoss, PruneBy::Gini] {
        // Of few rows the standard error is as large as what a split saves.
        let found = rare(3600).cross_validate_pruning(
            "y",
            &TreeSpec::cart().max_depth(5),
            &cv.clone().prune_by(by),
        );
        let found = found.expect("validates");
        assert!(found.tree.n_leaves() > 1 && found.notes.is_empty(), "{:?}", found.notes);
    }
    let numbers = weather_of_numbers();
    let refused =
        numbers.cross_validate_pruning("y", &TreeSpec::cart(), &cv.clone().prune_by(PruneBy::Gini));
    let refused = refused.expect_err("refused");
    assert!(refused.is_spec() && refused.to_string().contains("prune_by = gini"), "{refused}");

    let fitted = |spec: &TreeSpec| part(&weighed, false).fit_tree("y", spec).expect("fits").tree;
    let (of_class, of_row, plain) = (fitted(&by_class), fitted(&by_row), fitted(&spec));
    let pruned = |tree: &Tree| {
        tree.prune_reduced_error(&part(&weighed, true), PruneBy::ErrorRate).expect("prunes")
    };
    assert_eq!(pruned(&of_class).node_slice(), pruned(&of_row).node_slice());
    assert!(pruned(&of_class).n_leaves() > pruned(&plain).n_leaves());
    let held_out = part(&weighed, true);
    let by_loss = plain.prune_reduced_error(&held_out, PruneBy::LogLoss).expect("prunes");
    assert_eq!((pruned(&plain).n_leaves(), by_loss.n_leaves() > 1), (1, true));
    let said = |pruned: &Tree, by| gaintree::pruning_note(&plain, pruned, by);
    assert!(said(&pruned(&plain), PruneBy::ErrorRate).is_some());
    assert_eq!(said(&by_loss, PruneBy::LogLoss), None);
    // The model keeps what its classes weigh.
    let loaded = Tree::from_json(&of_class.to_json()).expect("reads");
    assert_eq!(loaded.schema().class_weights, [0.5, 32.0]);
    assert_eq!(pruned(&loaded), pruned(&of_class));
    // Held-out rows weigh as the training rows did, or it is said that they have no weights.
    let error =
        of_row.prune_reduced_error(&df, PruneBy::ErrorRate).expect_err("refused").to_string();
    assert!(error.contains("`w`") && error.contains("held-out"), "{error}");
}

#[test]
fn folds_that_cannot_be_are_refused() {
    let refused = |df: &DataFrame, folds: usize| {
        let cv = CvSpec::default().folds(folds);
        df.cross_validate_pruning("play", &TreeSpec::cart(), &cv).expect_err("refused")
    };
    for folds in [0, 1, 15] {
        assert!(refused(&weather(), folds).is_spec());
    }
    // Without the one row of the other class there is nothing to learn.
    let lonely = df!["x" => [1, 2, 3], "play" => ["a", "a", "b"]].expect("a frame");
    assert!(refused(&lonely, 3).is_data());
    // A whole tree that is a leaf has a line of its own.
    let flat = df!["x" => [1, 1, 1, 1], "play" => ["a", "a", "b", "b"]].expect("a frame");
    let cv = CvSpec::default().folds(2);
    let one = cross_validate_pruning(&flat, "play", &TreeSpec::cart(), &cv).expect("validates");
    assert_eq!((one.cv.height(), one.tree.n_nodes()), (1, 1));
}
