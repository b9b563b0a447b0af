//! Csv files of every make, and names as they come.

use super::*;

/// The ranking of the weather table, whatever form it is in.
#[test]
fn csv_files_of_every_make_are_read_and_written() {
    let place = Place::new();
    let expected = place.done("rank weather.csv --target play -o -");
    let weather = place.text("weather.csv");
    place.write("semicolons.csv", weather.replace(',', ";"));
    place.write("tabs.txt.tsv", weather.replace(',', "\t"));
    place.write("pipes.csv", weather.replace(',', "|"));
    place.write("holes.csv", weather.replacen("sunny", "?", 1).replacen("false", "n/a", 1));
    for words in ["tabs.txt.tsv", "semicolons.csv --separator ;", "pipes.csv --separator |"] {
        assert_eq!(place.done(&format!("rank {words} --target play -o -")), expected, "{words}");
    }
    let holes = place.done("rank holes.csv --target play --null-values ?,n/a -o h.csv");
    assert_eq!(holes, "");
    let missing =
        place.frame("h.csv").column("n_missing").expect("there").i64().expect("i64").sum();
    assert_eq!(missing, Some(2));

    // Compressed by others, and by ourselves.
    place.done("fit weather.csv --target play --algorithm id3 -o m.json");
    let plain = place.done("score m.json weather.csv");
    for name in ["s.csv.gz", "s.csv.zst", "s.tsv.gz", "S.CSV.GZ", "s.tsv"] {
        place.done(&format!("score m.json weather.csv -o {name}"));
        let again = place.done(&format!("score m.json {name} --keep play --prefix p_"));
        assert_eq!(again, place.done("score m.json weather.csv --keep play --prefix p_"), "{name}");
        place.done(&format!("rank weather.csv --target play -o {name}"));
        assert!(!place.path(name).metadata().expect("there").len().eq(&0), "{name}");
    }
    place.done("score m.json weather.csv -o s.tsv");
    assert_eq!(place.text("s.tsv"), plain.replace(',', "\t"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, weather.as_bytes()).expect("packed");
    place.write("w.csv.gz", packed.finish().expect("packed"));
    assert_eq!(place.done("rank w.csv.gz --target play -o -"), expected);
    place.write("w.csv.zst", zstd::encode_all(weather.as_bytes(), 3).expect("packed"));
    assert_eq!(place.done("rank w.csv.zst --target play -o -"), expected);
    assert_eq!(place.done("score m.json w.csv.gz"), plain);

    // A wrong separator, and files that are not what they say.
    place.write("torn.csv.gz", &std::fs::read(place.path("w.csv.gz")).expect("read")[..60]);
    place.write("not.csv.zst", "outlook,play\nsunny,no\n");
    place.refuses_each(&[
        ("rank semicolons.csv --target play", 1, "--separator ';' it has 5"),
        ("rank pipes.csv --target play", 1, "--separator '|' it has 5"),
        ("score m.json semicolons.csv", 1, "--separator ';'"),
        ("rank torn.csv.gz --target play", 1, "cannot read `torn.csv.gz`"),
        ("rank not.csv.zst --target play", 1, "cannot read `not.csv.zst`"),
    ]);
}

/// A flag names a column, or several with commas between them; a pattern stands for many.
#[test]
fn columns_have_any_name() {
    let place = Place::new();
    let mut df = df![
        "a b" => [1, 2, 3, 4], "x, y" => [1, 1, 2, 2], "plain" => [4, 3, 2, 1],
        "the y" => ["p", "p", "q", "q"],
    ]
    .expect("a frame");
    df.with_column(Column::new("w,t".into(), [1, 2, 1, 2])).expect("added");
    place.save("t.parquet", df);
    let run = |words: &[&str]| {
        let mut command = place.command("rank t.parquet --target");
        let ran = Ran::of(command.arg("the y").args(words).args(["-o", "-"]));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let table = CsvReader::new(std::io::Cursor::new(ran.out)).finish().expect("a table");
        let names = table.column("feature").expect("there").str().expect("text").clone();
        let mut names: Vec<String> = names.iter().flatten().map(str::to_string).collect();
        names.sort();
        names.join("|")
    };
    assert_eq!(run(&["--features", "a b", "--features", "x, y"]), "a b|x, y");
    assert_eq!(run(&["--features", "a b, plain"]), "a b|plain");
    assert_eq!(run(&["--features", "x, y"]), "x, y");
    assert_eq!(run(&["--exclude", "x, y", "--exclude", "plain"]), "a b|w,t");
    assert_eq!(run(&["--exclude", "w,t", "--exclude", "^p.*$"]), "a b|x, y");
    assert_eq!(run(&["--features", "^.{3,5}$", "--weight", "w,t"]), "a b|plain|x, y");
    let by_weight = run(&["--by", "w,t", "--nominal", "x, y", "--exclude", "plain"]);
    assert_eq!(by_weight, "a b|a b|x, y|x, y");
    for (words, said) in [
        ("--exclude plin", "did you mean `plain`?"),
        ("--exclude ^z.*$", "features `^z.*$`"),
        ("--features plain --exclude plain", "no feature"),
    ] {
        let mut command = place.command("rank t.parquet --target");
        let Ran { err, .. } = Ran::of(command.arg("the y").args(words.split(' ')));
        assert!(err.contains(said) && err.lines().count() == 1, "{words}: {err}");
    }
}
