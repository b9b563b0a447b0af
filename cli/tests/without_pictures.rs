//! The command without the feature `plot`: a test of its own, as no other is built without it.
#![cfg(not(feature = "plot"))]

use std::process::{Command, Output};

#[test]
fn one_line_says_how_to_get_pictures() {
    let place = tempfile::tempdir().expect("a folder");
    let iris = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/iris.parquet");
    std::fs::copy(iris, place.path().join("iris.parquet")).expect("a copy");
    let run = |words: &str| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gaintree"));
        command.args(words.split(' ')).current_dir(&place).output().expect("the command runs")
    };
    assert!(run("fit iris.parquet --target species -o m.json").status.success());
    for words in [
        "show m.json --as svg",
        "show m.json --as html -o m.html",
        "show m.json -o m.png",
        "contributions m.json iris.parquet --event setosa -o c.svg",
        "report m.json iris.parquet -o r.html",
        "rank iris.parquet --target species -o r.svg",
        "rank iris.parquet --target species -o r.png",
        "fit iris.parquet --target species -o n.json --importance i.svg",
        "curve iris.parquet --target species --feature petal_width_cm -o x.svg",
    ] {
        let ran = run(words);
        assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(2), &b""[..]), "{words}");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(said.contains("--features png") && said.lines().count() == 1, "{said}");
    }
}
