//! Wrong words and wrong files: one line that helps, the exit code, and nothing left behind.

use super::*;

/// Runs words that cannot end well.
pub(super) fn refuses(place: &Place, words: &str, code: i32, said: &[&str]) {
    let before = place.names();
    let ran = place.run(words);
    assert_eq!(ran.code, Some(code), "gaintree {words}: {}{}", ran.out, ran.err);
    assert_eq!(ran.out, "", "gaintree {words}");
    assert_eq!(ran.err.lines().count(), 1, "gaintree {words}: {}", ran.err);
    assert!(ran.err.starts_with("gaintree: "), "gaintree {words}: {}", ran.err);
    for word in said {
        assert!(ran.err.contains(word), "gaintree {words}: {:?} is not in {}", word, ran.err);
    }
    for word in ["panic", "RUST_BACKTRACE", "internal error", "unwrap"] {
        assert!(!ran.err.contains(word), "gaintree {words}: {}", ran.err);
    }
    assert_eq!(place.names(), before, "gaintree {words}");
}

/// Runs words that cannot end well beside a CART model of iris, `m.json`, and one of C4.5, `c45.json`.
pub(super) fn refuses_on_models(cases: &[(&str, i32, &str)]) {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
    place.done("fit iris.parquet --target species --algorithm c45 -o c45.json");
    for (words, code, said) in cases {
        refuses(&place, words, *code, &[said]);
    }
}

#[test]
fn words() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
    for (words, said) in [
        ("frobnicate", &["'frobnicate'", "gaintree --help"][..]),
        ("rank iris.parquet", &["--target", "gaintree rank --help"]),
        ("rank --target species", &["<INPUT>"]),
        ("fit iris.parquet --target species", &["--output"]),
        ("rank iris.parquet --target species --frob", &["'--frob'"]),
        ("rank iris.parquet --target species --threads 0", &["--threads", "at least 1"]),
        ("rank iris.parquet --target species --threads -2", &["-2"]),
        ("rank iris.parquet --target species --sort-by beauty", &["beauty", "gain_ratio"]),
        ("rank iris.parquet --target species --missing learn", &["learn", "own_level"]),
        ("fit iris.parquet --target species -o x.json --algorithm crat", &["'cart'"]),
        (
            "fit iris.parquet --target species -o x.json --max-depth deep",
            &["'deep' for '--max-depth <N>': it has to be a whole number;"],
        ),
        (
            "fit iris.parquet --target species -o x.json --min-gain 0,1",
            &["'0,1' for '--min-gain <GAIN>': it has to be a number;"],
        ),
        ("fit iris.parquet --target species -o x.json --max-leaves 0", &["max_leaves"]),
        (
            "fit iris.parquet --target species -o x.json --min-samples-leaf 0",
            &["--min-samples-leaf", "at least 1"],
        ),
        ("fit iris.parquet --target species -o x.json --class-weights a", &["CLASS=WEIGHT"]),
        ("fit iris.parquet --target species -o x.json --class-weights a=1", &["`a`", "setosa"]),
        ("fit iris.parquet --target species -o x.json --pruning hard", &["alpha=A"]),
        (
            "fit iris.parquet --target species -o x.json --criterion variance",
            &["`species`", "gini"],
        ),
        ("prune m.json --pruning leaves=2", &["-o"]),
        ("prune m.json --pruning alpha=-1 -o x.json", &["alpha"]),
        ("fit iris.parquet --target species -o x.json --min-gain -1", &["min_gain", "-1"]),
        ("fit iris.parquet --target species -o x.json --min-gain NaN", &["min_gain"]),
        ("fit iris.parquet --target species -o x.json --zero-gain-splits 7", &["true, false"]),
        (
            "fit iris.parquet --target species -o x.json --features species",
            &["`species`", "target"],
        ),
        (
            "fit iris.parquet --target species -o x.parquet",
            &["x.parquet", "x.json", "--importance"],
        ),
        ("fit iris.parquet --target species -o x.json --importance ./x.json", &["--importance"]),
        ("fit iris.parquet --target species -o - --importance -", &["--importance"]),
        ("fit iris.parquet --target species -o x.json --importance x.xls", &["x.xls", ".parquet"]),
        ("rank iris.parquet --target species -o table.txt", &["table.txt", ".csv"]),
        ("rank iris.parquet --target species -o table", &["table", ".ndjson"]),
        ("score m.json iris.parquet --keep species,species", &["`species`", "twice"]),
        ("score m.json iris.parquet -o out.xlsx", &["out.xlsx", ".ipc"]),
        ("rank iris.parquet --target species -o iris.parquet", &["iris.parquet", "another name"]),
        ("rank *.csv --target play -o ./weather.csv", &["./weather.csv", "another name"]),
        ("score m.json iris.parquet -o m.json", &["m.json", "another name"]),
        ("fit weather.csv --target play -o x.json --importance weather.csv", &["weather.csv"]),
        ("rank table.xlsx --target species", &["table.xlsx", ".parquet"]),
        ("show m.json --as pdf", &["pdf", "text, rules, nodes, json"]),
        ("fit iris.parquet --target species -o x.json --max-depth -3", &["'-3'", "--max-depth"]),
        ("score iris.parquet m.json", &["`iris.parquet`", "`m.json iris.parquet`"]),
        ("rank iris.parquet --target species --features ^z.*$", &["features `^z.*$`", "`species`"]),
        ("rank iris.parquet --target species --features ^(^$", &["features `^(^$`", "regex"]),
        ("rank iris.parquet --target species --separator ;;", &["--separator", "one character"]),
        ("score m.json iris.parquet --keep", &["--keep", "value"]),
        ("show m.json --as rules --max-depth 3", &["--max-depth", "--as text"]),
        ("show m.json -o tree.csv", &["tree.csv", "--as rules"]),
        (
            "curve iris.parquet --target species --feature petal_width_cm --nominal x",
            &["`x`", "`petal_width_cm`"],
        ),
    ] {
        refuses(&place, words, 2, said);
    }
}

#[test]
fn files_and_places() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o m.json");
    let whole = std::fs::read(place.path("iris.parquet")).expect("read");
    place.write("short.parquet", &whole[..whole.len() / 2]);
    place.write("junk.parquet", "this is no parquet file, though it says so");
    place.write("junk.arrow", "this is no arrow file, though it says so");
    for ending in ["parquet", "csv", "ndjson", "arrow"] {
        place.write(&format!("empty.{ending}"), "");
    }
    place.write("short.ndjson", "{\"x\":1,\"y\":\"p\"}\n{\"x\":");
    place.write("wide.csv", "x,y\n1,p\n2,q,7\n");
    std::fs::create_dir(place.path("folder.csv")).expect("a folder");
    for (words, said) in [
        ("rank gone.parquet --target species", &["gone.parquet", "no such file"][..]),
        ("rank gone-*.parquet --target species", &["gone-*.parquet", "matches no file"]),
        ("rank folder.csv --target species", &["folder.csv", "folder"]),
        ("rank short.parquet --target species", &["short.parquet"]),
        ("rank junk.parquet --target species", &["junk.parquet", "as parquet"]),
        ("rank junk.arrow --target species", &["junk.arrow", "as ipc"]),
        ("rank empty.parquet --target species", &["empty.parquet", "empty"]),
        ("rank empty.csv --target species", &["empty.csv", "empty"]),
        ("rank empty.ndjson --target species", &["empty.ndjson", "empty"]),
        ("rank empty.arrow --target species", &["empty.arrow", "empty"]),
        ("rank short.ndjson --target y", &["short.ndjson"]),
        ("rank wide.csv --target y", &["wide.csv", "fields"]),
        ("rank iris.parquet --target species -o no/such/x.csv", &["no/such", "make it first"]),
        ("fit iris.parquet --target species -o no/x.json", &["`no`", "make it first"]),
        ("rank iris.parquet --target species -o folder.csv", &["folder.csv", "folder"]),
        ("score gone.json iris.parquet -o x.csv", &["gone.json", "no such file"]),
        ("score m.json short.parquet -o x.csv", &["short.parquet"]),
        ("show iris.parquet", &["iris.parquet", "UTF-8"]),
    ] {
        refuses(&place, words, 1, said);
    }
}

#[test]
fn data_that_cannot_be_learnt_from() {
    let place = Place::new();
    let list = Column::new("x".into(), [Series::new("".into(), [1]), Series::new("".into(), [2])]);
    let pair = df!["a" => [1, 2], "b" => [3, 4]].expect("a frame").into_struct("x".into());
    let two = df!["y" => ["p", "q"]].expect("a frame");
    let beside = |column: Column| {
        let mut df = two.clone();
        df.with_column(column).expect("added");
        df
    };
    place.save("list.parquet", beside(list));
    place.save("struct.parquet", beside(pair.into_column()));
    place.save("lone.parquet", two.clone());
    place.save("nulls.parquet", beside(Column::full_null("x".into(), 2, &DataType::Null)));
    place.save(
        "zero.parquet",
        df!["x" => [1, 2], "y" => ["p", "q"]].expect("a frame").head(Some(0)),
    );
    place.save(
        "gap.parquet",
        df!["x" => [1, 2, 3], "y" => [Some("p"), None, Some("q")]].expect("a frame"),
    );
    place.save("one.parquet", df!["x" => [1, 2], "y" => ["p", "p"]].expect("a frame"));
    place.save("float.parquet", df!["x" => [1, 2], "y" => [0.5, f64::NAN]].expect("a frame"));
    place.save(
        "weights.parquet",
        df![
            "x" => [1, 2], "y" => ["p", "q"], "low" => [1, -2], "nan" => [1.0, f64::NAN],
            "inf" => [f64::INFINITY, 1.0], "null" => [Some(1), None], "text" => ["1", "2"],
        ]
        .expect("a frame"),
    );
    let fit = |words: &str| format!("fit {words} -o x.json --importance x.csv");
    for (words, said) in [
        (fit("iris.parquet --target kind"), &["`kind`", "no such column", "`species`"][..]),
        (fit("iris.parquet --target speces"), &["`speces`", "did you mean `species`?"]),
        (
            fit("iris.parquet --target species --features petal_lenght_cm,sepal_width_cm"),
            &["`petal_lenght_cm`", "did you mean `petal_length_cm`?"],
        ),
        (fit("iris.parquet --target species --weight wieght"), &["weight `wieght`"]),
        (fit("iris.parquet --target species --ordered sex"), &["`sex`"]),
        (fit("gap.parquet --target y"), &["`y`", "str", "missing", "drop the row"]),
        (fit("one.parquet --target y"), &["`y`", "one class", "another target"]),
        (fit("zero.parquet --target y"), &["`y`", "no rows"]),
        (fit("lone.parquet --target y"), &["feature", "`y`"]),
        (fit("nulls.parquet --target y"), &["`x`", "null", "no usable feature"]),
        (fit("list.parquet --target y"), &["`x`", "list[i32]", "leave it out"]),
        (fit("struct.parquet --target y"), &["`x`", "struct", "unnest"]),
        (fit("list.parquet --target x"), &["`x`", "list[i32]"]),
        (fit("weights.parquet --target y --weight low"), &["`low`", "i32", "-2", "row 2"]),
        (fit("weights.parquet --target y --weight nan"), &["`nan`", "f64", "NaN"]),
        (fit("weights.parquet --target y --weight inf"), &["`inf`", "row 1"]),
        (fit("weights.parquet --target y --weight null"), &["`null`", "missing", "fill it"]),
        (fit("weights.parquet --target y --weight text"), &["`text`", "str", "number"]),
        ("rank iris.parquet --target speces -o x.csv".to_string(), &["did you mean `species`?"]),
        ("rank weather.csv --target play --by outlok".to_string(), &["did you mean `outlook`?"]),
        ("rank gap.parquet --target y".to_string(), &["`y`", "missing"]),
        ("rank one.parquet --target y".to_string(), &["`y`", "one class"]),
        (
            "curve iris.parquet --target species --feature petal_width".to_string(),
            &["`petal_width`", "did you mean `petal_width_cm`?"],
        ),
        ("curve struct.parquet --target y --feature x".to_string(), &["`x`", "struct"]),
    ] {
        refuses(&place, &words, 1, said);
    }
}

#[test]
fn frames_a_model_does_not_fit() {
    let place = Place::new();
    place.done("fit iris.parquet --target species -o iris.json");
    place.done("fit weather.csv --target play --algorithm id3 -o play.json");
    place.write("lacks.csv", "outlook,humidty,play\nsunny,high,no\n");
    place.write("words.csv", "petal_length_cm,petal_width_cm,sepal_length_cm\n1,wide,2\n");
    place.write("bare.csv", "outlook,humidity,windy\nsunny,high,true\n");
    place.save(
        "numbers.parquet",
        df!["outlook" => [1, 2], "humidity" => ["high", "low"], "windy" => [true, false]]
            .expect("a frame"),
    );
    for (words, said) in [
        ("score play.json lacks.csv -o x.csv", &["`humidity`", "did you mean `humidty`?"][..]),
        ("score play.json numbers.parquet -o x.csv", &["`outlook`", "i32", "str"]),
        ("score iris.json words.csv -o x.csv", &["words.csv", "wide", "f64"]),
        ("score play.json bare.csv --keep outlok -o x.csv", &["did you mean `outlook`?"]),
        ("eval play.json bare.csv -o x.csv", &["`play`"]),
        ("eval iris.json weather.csv", &["no such column"]),
    ] {
        refuses(&place, words, 1, said);
    }
    place.done("score play.json weather.csv -o once.csv");
    refuses(&place, "score play.json once.csv -o x.csv", 1, &["`prediction`", "--prefix"]);
    place.done("score play.json once.csv --prefix second_ -o twice.csv");
}

#[test]
fn damaged_models() {
    let place = Place::new();
    place.done("fit weather.csv --target play --algorithm id3 -o whole.json");
    let whole = place.text("whole.json");
    let once = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}: {whole}");
        whole.replacen(from, to, 1)
    };
    for (text, said) in [
        (whole[..whole.len() / 2].to_string(), "ends too early"),
        (String::new(), "ends too early"),
        (once("\"branches\":[1,2,5]", "\"branches\":[1,2,0]"), "node 0"),
        (once("\"branches\":[1,2,5]", "\"branches\":[1,2,4000000000]"), "node 0"),
        (once("\"version\": 1", "\"version\": 99"), "99"),
        (once("\"counts\":[5,9]", "\"counts\":[5,9,1]"), "node 0"),
        (once("\"n\":14", "\"n\":0"), "node 0"),
        (once("\"nodes\": [", "\"nodes\": 1000000000, \"_\": ["), "1000000000"),
        (once("\"outlook\"", "\"otlook\""), "outlook"),
    ] {
        place.write("m.json", &text);
        for words in ["score m.json weather.csv -o x.csv", "show m.json", "eval m.json weather.csv"]
        {
            refuses(&place, words, 1, &["m.json", said]);
        }
    }
}

#[test]
fn a_failure_leaves_the_old_output_alone() {
    let place = Place::new();
    place.write("x.csv", "old");
    place.write("x.json", "old");
    place.write("bad.csv", "a,y\n1,p\n2,\n");
    refuses(&place, "rank bad.csv --target y -o x.csv", 1, &["`y`"]);
    refuses(&place, "fit bad.csv --target y -o x.json --importance x.csv", 1, &["`y`"]);
    assert_eq!((place.text("x.csv"), place.text("x.json")), ("old".into(), "old".into()));
}
