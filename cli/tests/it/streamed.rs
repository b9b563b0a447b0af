//! `gaintree fit --memory` and `gaintree rank --memory`.

use super::Place;

#[test]
fn a_fit_in_little_memory_gives_the_same_model_and_leaves_nothing_else() {
    let place = Place::after("fit iris.parquet --target species -o all.json");
    let out =
        place.done("fit iris.parquet --target species --memory 64MiB -o little.json --report json");
    assert_eq!(place.text("little.json"), place.text("all.json"));
    assert!(out.contains("\"passes\":2,\"gathers\":1"), "{out}");
    place.done("fit weather.csv --target play --algorithm id3 -o all.json");
    place.done("fit weather.csv --target play --algorithm id3 --memory 64MB -o little.json");
    assert_eq!(place.text("little.json"), place.text("all.json"));
    let names = ["all.json", "iris.parquet", "little.json", "loan.csv", "weather.csv"];
    assert_eq!(place.names(), names);
}

#[test]
fn a_ranking_in_little_memory_is_the_same() {
    let place = Place::new();
    for words in [
        "iris.parquet --target species",
        "weather.csv --target play --chance 50",
        "loan.csv --target approved --by age",
        "loan.csv --target approved --given owns_house --exclude age",
    ] {
        let all = place.run(&format!("rank {words} -o all.csv"));
        let little = place.run(&format!("rank {words} --memory 16MiB --threads 1 -o little.csv"));
        assert_eq!((all.code, little.code), (Some(0), Some(0)), "{}", little.err);
        assert_eq!(place.text("little.csv"), place.text("all.csv"), "{words}");
    }
    let out = place.done("rank iris.parquet --target species --memory 64MiB --report json");
    assert!(out.contains("\"rows\":150,\"columns\":5"), "{out}");
    assert!(out.contains("\"readings\":"), "{out}");
    let rank = "rank weather.csv --target play --memory 16MiB";
    place.refuses_each(&[
        (&format!("{rank} --drop-null-target"), 2, "--drop-null-target"),
        ("rank iris.parquet --target species --memory 9KX", 2, "no unit of memory"),
        ("rank iris.parquet --target specie --memory 16MiB", 1, "did you mean `species`?"),
    ]);
}

#[test]
fn judging_and_pruning_in_little_memory_are_the_same() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let all = place.done("eval m.json iris.parquet");
    assert_eq!(place.done("eval m.json iris.parquet --memory 16MiB"), all);
    place.done("prune m.json --held-out iris.parquet -o all.json");
    place.done("prune m.json --held-out iris.parquet --memory 16MiB -o little.json");
    assert_eq!(place.text("little.json"), place.text("all.json"));
    place.done("fit iris.parquet --target species --held-out iris.parquet -o all.json");
    let fit = "fit iris.parquet --target species --held-out iris.parquet --memory 32MiB";
    place.done(&format!("{fit} -o little.json"));
    assert_eq!(place.text("little.json"), place.text("all.json"));
    place.refuses_each(&[
        ("eval m.json iris.parquet --memory 16MiB --drop-null-target", 2, "--drop-null-target"),
        ("eval m.json weather.csv --memory 16MiB", 1, "species"),
        ("prune m.json --pruning leaves=2 --memory 16MiB -o p.json", 2, "--held-out"),
    ]);
}

#[test]
fn what_does_not_go_with_batches_is_refused() {
    let place = Place::new();
    let fit = "fit iris.parquet --target species -o m.json --memory";
    place.refuses_each(&[
        (&format!("{fit} 64MiB --prune cv=5"), 2, "cv=FOLDS"),
        (&format!("{fit} 1GX"), 2, "no unit of memory"),
        (&format!("{fit} 64MiB --algorithm c45"), 2, "subtree_raising = false"),
    ]);
}
