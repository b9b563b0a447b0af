//! Formats, globs, and files that appear whole or not at all.

use super::*;

#[test]
fn every_format_reads_back_as_the_same_table() {
    let place = Place::after("rank iris.parquet --target species -o whole.parquet");
    let whole = place.frame("whole.parquet");
    assert_eq!(whole.shape(), (4, 26));
    for name in ["a.csv", "a.ndjson", "a.jsonl", "a.json", "a.ipc", "a.arrow", "a.feather", "A.CSV"]
    {
        assert_eq!(place.done(&format!("rank iris.parquet --target species -o {name}")), "");
        let table = place.frame(&name.to_lowercase().replace("a.csv", name));
        assert_eq!(table.get_column_names(), whole.get_column_names(), "{name}");
        for column in whole.columns() {
            let read = table.column(column.name()).expect("there");
            // Text has no dtype for a column of nulls, and one width of integers.
            let read = read.cast(column.dtype()).expect("casts");
            assert!(read.equals_missing(column), "{name}: {read:?} {column:?}");
        }
    }
    let printed = place.done("rank iris.parquet --target species -o -");
    assert_eq!(printed, place.text("A.CSV"));
}

#[test]
fn the_same_rows_score_alike_in_every_format() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.done("score m.json iris.parquet --keep species -o expected.csv");
    for ending in ["csv", "ndjson", "ipc"] {
        place.done(&format!("score m.json iris.parquet --prefix first_ -o copy.{ending}"));
        place.done(&format!("score m.json copy.{ending} --keep species -o again.csv"));
        assert_eq!(place.text("again.csv"), place.text("expected.csv"), "{ending}");
    }
}

/// What a model was fitted on comes back from text as what it was.
#[test]
fn text_is_read_with_the_dtypes_of_the_model() {
    let place = Place::new();
    let ints = Column::new("x".into(), (0..8i64).map(|i| i * 40_000).collect::<Vec<_>>());
    let texts = Column::new("x".into(), ["007", "1", "2", "3", "1", "2", "3", "007"]);
    let floats = Column::new("x".into(), [0.1, 0.2, 0.25, 0.3, 1.0, 2.0, 3.0, 4.0]);
    let us = DataType::Datetime(TimeUnit::Microseconds, None);
    let ms_paris = DataType::Datetime(
        TimeUnit::Milliseconds,
        TimeZone::opt_try_new(Some("Europe/Paris")).expect("a zone"),
    );
    let cases = [
        (&ints, DataType::UInt32),
        (&ints, DataType::UInt64),
        (&ints, DataType::Int128),
        (&ints, DataType::UInt128),
        (&floats, DataType::Float16),
        (&ints, DataType::Float64),
        (&ints, DataType::Date),
        (&ints, us),
        (&ints, DataType::Datetime(TimeUnit::Nanoseconds, None)),
        (&ints, ms_paris),
        (&floats, DataType::Float32),
        (&floats, DataType::Decimal(9, 2)),
        (&ints, DataType::Time),
        (&texts, DataType::String),
        (&texts, DataType::from_categories(Categories::global())),
    ];
    let y = Column::new("y".into(), ["p", "q", "p", "p", "q", "q", "q", "p"]);
    for (values, dtype) in cases {
        let x = values.cast(&dtype).expect("casts");
        place.save("x.parquet", DataFrame::new(8, vec![x, y.clone()]).expect("a frame"));
        place.done("fit x.parquet --target y -o m.json");
        let expected = place.done("score m.json x.parquet --keep y");
        for ending in ["csv", "ndjson"] {
            place.done(&format!("score m.json x.parquet --prefix first_ -o x.{ending}"));
            let read = place.run(&format!("score m.json x.{ending} --keep y"));
            assert_eq!(read.out, expected, "{dtype} from {ending}: {}", read.err);
        }
        std::fs::remove_file(place.path("x.csv")).expect("removed");
    }
}

#[test]
fn lists_and_structs_are_json_in_csv() {
    let place = Place::after("fit weather.csv --target play -o m.json");
    place.done("show m.json --as nodes -o nodes.csv");
    place.done("show m.json --as nodes -o nodes.parquet");
    let csv = place.frame("nodes.csv");
    let levels = csv.column("levels").expect("there").str().expect("text");
    assert_eq!(levels.get(0), Some(r#"["overcast"]"#));
    let counts = csv.column("class_counts").expect("there").str().expect("text");
    assert_eq!(counts.get(0), Some("[5.0,9.0]"));
    let nodes = place.frame("nodes.parquet");
    assert!(matches!(nodes.column("levels").expect("there").dtype(), DataType::List(_)));

    let point =
        df!["a" => [1, 2], "b" => [Some("x"), None]].expect("a frame").into_struct("point".into());
    let mut df = df!["outlook" => ["rainy", "sunny"], "humidity" => ["high", "high"], "windy" => [true, false]]
        .expect("a frame");
    df.with_column(point.into_column()).expect("added");
    place.save("nested.parquet", df);
    let csv = place.done("score m.json nested.parquet --keep point");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[1], r#""{""a"":1,""b"":""x""}",no"#);
    assert_eq!(lines[2], r#""{""a"":2,""b"":null}",no"#);
}

#[test]
fn globs_are_read_in_the_order_of_their_names() {
    let place = Place::with("part-2.csv", "x,y\n3,q\n4.5,q\n");
    place.write("part-1.csv", "y,x\np,1\np,2\n");
    place.write("part-3.csv", "x,y\n,q\n");
    place.done("fit part-*.csv --target y -o m.json");
    let scored = place.done("score m.json part-*.csv");
    assert_eq!(scored, "y,x,prediction\np,1.0,p\np,2.0,p\nq,3.0,q\nq,4.5,q\nq,,q\n");
    // Inputs keep their order, and a name that is there is no glob.
    place.write("part-[1].csv", "x,y\n9,q\n");
    let scored = place.done("score m.json part-2.csv part-[1].csv part-1.csv --keep x");
    assert_eq!(scored, "x,prediction\n3.0,q\n4.5,q\n9.0,q\n1.0,p\n2.0,p\n");
}

/// The dtypes of a csv file are told from its first rows, but never in spite of the others.
#[test]
fn late_values_of_csv_change_its_dtypes() {
    let place = Place::new();
    for (early, late, dtype) in [
        ("7", "4.5", "f64"),
        ("", "5", "i64"),
        ("true", "maybe", "str"),
        ("2024-02-29", "?", "str"),
    ] {
        let rows: String = (0..10_001).map(|i| format!("{early},{}\n", i % 2)).collect();
        place.write("late.csv", format!("x,y\n{rows}{late},1\n"));
        let ranking = place.done("rank late.csv --target y -o -");
        let found = ranking.lines().nth(1).and_then(|line| line.split(',').nth(2));
        assert_eq!(found, Some(dtype), "{early} then {late}");
    }
}

#[test]
fn files_read_together_have_one_schema() {
    let place = Place::with("a.csv", "x,y\n1,p\n2,q\n");
    for (name, text, said) in [
        ("b.csv", "x,y\nred,q\n", ["b.csv", "`x`", "str", "i64"]),
        ("b.csv", "x\n1\n", ["b.csv", "lacks", "`y`", "a.csv"]),
        ("b.csv", "x,y,z\n1,p,3\n", ["b.csv", "`z`", "a.csv", "lacks"]),
    ] {
        place.write(name, text);
        place.refuses("rank [ab].csv --target y", 1, &said);
    }
}

/// What a folder's name says of all rows in it is a column of them.
#[test]
fn folders_named_for_keys_are_columns() {
    let place = Place::new();
    let save = |folder: &str, name: &str, y: &str| {
        std::fs::create_dir_all(place.path(folder)).expect("folders");
        let df = df!["x" => [1, 2], "y" => [y, y]].expect("a frame");
        place.save(&format!("{folder}/{name}.parquet"), df);
        place.write(&format!("{folder}/{name}.csv"), format!("x,y\n1,{y}\n2,{y}\n"));
    };
    save("h/year=2023/city=a%20b", "a", "p");
    save("h/year=2023/city=__HIVE_DEFAULT_PARTITION__", "a", "q");
    save("h/year=2024/city=1", "a", "q");
    for ending in ["parquet", "csv"] {
        let files = format!("h/**/*.{ending}");
        place.done(&format!("rank {files} --target y -o r.csv"));
        let text = place.text("r.csv");
        let dtypes: Vec<&str> = text.lines().filter_map(|line| line.split(',').nth(2)).collect();
        assert_eq!(dtypes[1..], ["str", "i64", if ending == "csv" { "i64" } else { "i32" }]);
        place.done(&format!("fit {files} --target y --features city -o m.json"));
        let scored = place.done(&format!("score m.json {files} --keep year,city"));
        let rows: Vec<&str> = scored.lines().collect();
        // Paths are read in their order.
        assert_eq!(rows[..4], ["year,city,prediction", "2023,,q", "2023,,q", "2023,a b,p"]);
        // One file on its own: the model's dtype holds, though `1` looks like a number.
        let file = format!("h/year=2024/city=1/a.{ending}");
        let scored = place.done(&format!("score m.json {file} --keep city"));
        assert_eq!(scored.lines().last(), Some("1,q"));
        let streamed =
            place.done(&format!("fit {files} --target y --features city -o -  --memory 64MB"));
        assert_eq!(streamed, place.text("m.json"));
    }
    // The file's own column counts, and all files need one.
    place.write("h/year=2023/b.csv", "x,y,year\n1,p,7\n2,q,8\n");
    assert!(place.done("rank h/year=2023/b.csv --target y -o -").contains("year >= 8"));
    place.write("h/c.csv", "x,y\n1,p\n2,q\n");
    for words in
        ["rank h/c.csv h/year=2023/city=a%20b/a.csv", "rank h/year=2023/city=a%20b/a.csv h/c.csv"]
    {
        let said = ["h/c.csv", "`year`", "by its folder's name"];
        place.refuses(&format!("{words} --target y"), 1, &said);
    }
}

/// A folder is the tables in it, at any depth.
#[test]
fn a_folder_is_an_input() {
    let place = Place::new();
    for (name, rows) in [
        ("d/b.csv", "x,y\n3,q\n4,q\n"),
        ("d/a.csv", "x,y\n1,p\n2,p\n"),
        ("d/[c]/c.csv", "x,y\n5,q\n"),
        ("d/_SUCCESS", ""),
        ("d/.b.csv.crc", "x"),
        ("d/_old/z.csv", "x,y\n9,z\n"),
        ("h/_k=1/a.csv", "x,y\n1,p\n2,q\n"),
        ("mixed/a.csv", "x,y\n1,p\n"),
        ("mixed/a.ndjson", "{}"),
        ("noted/a.csv", "x,y\n1,p\n"),
        ("noted/README.md", "rows"),
        ("table/_delta_log/0.json", "{}"),
    ] {
        std::fs::create_dir_all(place.path(name).parent().expect("a folder")).expect("folders");
        place.write(name, rows);
    }
    std::fs::create_dir(place.path("empty")).expect("a folder");
    let whole = place.done("rank d/a.csv d/b.csv d/[c]/c.csv --target y --full -o -");
    for folder in ["d", "d/", "./d"] {
        assert_eq!(place.done(&format!("rank {folder} --target y --full -o -")), whole, "{folder}");
    }
    assert!(place.done("rank d/[c] d/a.csv --target y -o -").contains("x >= 4"));
    place.done("fit d --target y -o m.json");
    let scored = place.done("score m.json d --keep x");
    // The names are in the order of their bytes.
    assert_eq!(words(&scored)[1..], ["5,q", "1,p", "2,p", "3,q", "4,q"]);
    assert!(place.done("rank h --target y -o -").contains("_k"));
    place.refuses_each(&[
        ("rank empty --target y", 1, "`empty` is a folder without files of rows"),
        ("rank mixed --target y", 1, "csv and ndjson: name those to read, as in 'mixed/*.parquet'"),
        ("rank noted --target y", 1, "`noted/README.md`, which is no table"),
        ("rank table --target y", 1, "`table` is a Delta table"),
    ]);
}

#[test]
fn a_shell_completes_commands_and_flags() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.done(&format!("completions {shell}"));
        assert!(script.contains("drop-null-target") && script.contains("drift"), "{shell}");
    }
    place.refuses("completions tcsh", 2, &["[possible values: bash,"]);
}

/// Bytes on standard input, to a run of words.
fn piped(place: &Place, words: &str, bytes: &[u8]) -> Ran {
    place.write("piped", bytes);
    let bytes = std::fs::File::open(place.path("piped")).expect("it is there");
    let kept = place.path("kept");
    std::fs::create_dir_all(&kept).expect("a folder");
    let mut command = place.command(words);
    let ran = Ran::of(command.env("TMPDIR", &kept).stdin(bytes));
    assert_eq!(std::fs::read_dir(&kept).expect("a folder").count(), 0, "{words}");
    ran
}

#[test]
fn rows_come_by_standard_input() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    let expected = place.done("score m.json iris.parquet");
    for name in ["s.parquet", "s.csv", "s.csv.gz", "s.csv.zst", "s.tsv", "s.ndjson", "s.ipc"] {
        place.done(&format!("score m.json iris.parquet --prefix own_ -o {name}"));
        let bytes = std::fs::read(place.path(name)).expect("it is there");
        let tab = if name == "s.tsv" { "--separator tab" } else { "" };
        let keep = "--keep sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm,species";
        let ran = piped(&place, &format!("score m.json - {keep} {tab}"), &bytes);
        assert_eq!(ran.out, expected, "{name}: {}", ran.err);
        let ran = piped(&place, &format!("eval m.json - {tab} -o -"), &bytes);
        assert_eq!(ran.out, place.done("eval m.json iris.parquet -o -"), "{name}: {}", ran.err);
    }
    for (words, bytes, said) in [
        ("rank - --target y", &b""[..], "standard input` as csv: no data: the file is empty"),
        ("rank - --target y", b"x,y\n1,p\n2,q,7\n", "standard input` as csv: line 3"),
        ("score m.json - --partition out", b"x\n1\n", "standard input has no name"),
        ("rank - --target y --weight w", b"x,w,y\n1,-1,p\n2,1,q\n", "row 1"),
    ] {
        let ran = piped(&place, words, bytes);
        assert_ne!(ran.code, Some(0), "{words}");
        assert!(ran.err.contains(said), "{words}: {}", ran.err);
    }
}

/// The wider number holds the values of both.
#[test]
fn widths_of_numbers_agree() {
    let place = Place::new();
    let column = |values: &[i64], dtype: &DataType| {
        Column::new("x".into(), values).cast(dtype).expect("casts")
    };
    let frame = |name: &str, x: Column| {
        let y = Column::new("y".into(), ["p", "q"]);
        place.save(name, DataFrame::new(2, vec![x, y]).expect("a frame"));
    };
    for (a, b, both) in [
        (DataType::Int32, DataType::Int64, "i64"),
        (DataType::UInt8, DataType::Int8, "i16"),
        (DataType::UInt64, DataType::Int16, "i128"),
        (DataType::UInt32, DataType::UInt64, "u64"),
        (DataType::Float32, DataType::Float64, "f64"),
        (DataType::Decimal(9, 1), DataType::Decimal(9, 3), "decimal[38,3]"),
        (DataType::Null, DataType::Date, "date"),
    ] {
        let empty = [1, 2].map(|_| None::<i64>);
        let first = match a {
            DataType::Null => Column::full_null("x".into(), empty.len(), &a),
            _ => column(&[1, 2], &a),
        };
        frame("a.parquet", first);
        frame("b.parquet", column(&[3, 4], &b));
        place.done("rank a.parquet b.parquet --target y -o r.csv");
        let dtype =
            place.frame("r.csv").column("dtype").expect("there").get(0).expect("one").to_string();
        assert_eq!(dtype, format!("\"{both}\""), "{a} and {b}");
        place.done("fit b.parquet --target y -o m.json");
        assert_eq!(place.done("score m.json a.parquet b.parquet --keep y").lines().count(), 5);
    }
    // Floats and integers, and enums of other categories, are left to who knows what they mean.
    frame("a.parquet", column(&[1, 2], &DataType::Int64));
    frame("b.parquet", column(&[1, 2], &DataType::Float64));
    place.refuses("rank a.parquet b.parquet --target y", 1, &["`x` is f64", "i64"]);
    for (name, words) in [("a.parquet", ["low", "high"]), ("b.parquet", ["low", "top"])] {
        let dtype = DataType::from_frozen_categories(FrozenCategories::new(words).expect("words"));
        frame(name, Column::new("x".into(), words).cast(&dtype).expect("casts"));
    }
    let said = ["`x` is enum[low, top]", "enum[low, high]"];
    place.refuses("rank a.parquet b.parquet --target y", 1, &said);
}

#[test]
fn only_named_features_are_read() {
    let place = Place::new();
    // A feature that could not be used does not matter where it is not named.
    let lists = Column::new("l".into(), [Series::new("".into(), [1]), Series::new("".into(), [2])]);
    let mut df = df!["x" => [1, 2], "y" => ["p", "q"]].expect("a frame");
    df.with_column(lists).expect("added");
    place.save("l.parquet", df);
    place.done("fit l.parquet --target y --features x -o m.json");
    let ranking = place.done("rank l.parquet --target y");
    let last = ranking.lines().last().expect("a line");
    assert!(last.contains("list[i32]") && last.starts_with("   2  l "), "{ranking}");
}

#[test]
fn outputs_replace_what_stood_there() {
    let place = Place::with("out.csv", "old");
    place.done("rank weather.csv --target play -o out.csv");
    assert!(place.text("out.csv").starts_with("rank,feature,"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, symlink};
        // As readable as any file that is made here, though a temporary one is not.
        place.done("rank weather.csv --target play -o new.csv");
        let mode = |name: &str| place.path(name).metadata().expect("there").mode();
        assert_eq!(mode("new.csv"), mode("out.csv"));
        symlink("out.csv", place.path("link.csv")).expect("a link");
        place.done("rank weather.csv --target play --features windy -o link.csv");
        assert!(place.path("link.csv").is_symlink());
        assert_eq!(place.text("out.csv").lines().count(), 2);
    }
    assert!(place.names().iter().all(|name| !name.starts_with('.')));
}
