//! Wrong words and wrong files: one line that helps, the exit code, and nothing left behind.

use super::*;

#[test]
fn words() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
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
        ("prune m.json --pruning leaves=2", &["-o"]),
        ("prune m.json --pruning alpha=-1 -o x.json", &["alpha"]),
        (
            "fit iris.parquet --target species -o x.parquet",
            &["x.parquet", "x.json", "--importance"],
        ),
        ("fit iris.parquet --target species -o - --importance -", &["--importance"]),
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
        place.refuses(words, 2, said);
    }
    for (flags, said) in [
        ("--algorithm crat", &["'cart'"][..]),
        ("--max-depth deep", &["'deep' for '--max-depth <N>': it has to be a whole number;"]),
        ("--min-gain 0,1", &["'0,1' for '--min-gain <GAIN>': it has to be a number;"]),
        ("--max-leaves 0", &["max_leaves"]),
        ("--min-samples-leaf 0", &["--min-samples-leaf", "at least 1"]),
        ("--class-weights a", &["CLASS=WEIGHT"]),
        ("--class-weights a=1", &["`a`", "setosa"]),
        ("--pruning hard", &["alpha=A"]),
        ("--criterion variance", &["`species`", "gini"]),
        ("--min-gain -1", &["min_gain", "-1"]),
        ("--min-gain NaN", &["min_gain"]),
        ("--zero-gain-splits 7", &["true, false"]),
        ("--features species", &["`species`", "target"]),
        ("--importance ./x.json", &["--importance"]),
        ("--importance x.xls", &["x.xls", ".parquet"]),
        ("--max-depth -3", &["'-3'", "--max-depth"]),
    ] {
        place.refuses(&format!("fit iris.parquet --target species -o x.json {flags}"), 2, said);
    }
}

#[test]
fn files_and_places() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
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
        place.refuses(words, 1, said);
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
    for (name, df) in [
        ("zero.parquet", df!["x" => Vec::<i32>::new(), "y" => Vec::<&str>::new()]),
        ("gap.parquet", df!["x" => [1, 2, 3], "y" => [Some("p"), None, Some("q")]]),
        ("one.parquet", df!["x" => [1, 2], "y" => ["p", "p"]]),
        ("float.parquet", df!["x" => [1, 2], "y" => [0.5, f64::NAN]]),
        (
            "weights.parquet",
            df![
                "x" => [1, 2], "y" => ["p", "q"], "low" => [1, -2], "nan" => [1.0, f64::NAN],
                "inf" => [f64::INFINITY, 1.0], "null" => [Some(1), None], "text" => ["1", "2"],
            ],
        ),
    ] {
        place.save(name, df.expect("a frame"));
    }
    for (words, said) in [
        ("iris.parquet --target kind", &["`kind`", "no such column", "`species`"][..]),
        ("iris.parquet --target speces", &["`speces`", "did you mean `species`?"]),
        (
            "iris.parquet --target species --features petal_lenght_cm,sepal_width_cm",
            &["`petal_lenght_cm`", "did you mean `petal_length_cm`?"],
        ),
        ("iris.parquet --target species --weight wieght", &["weight `wieght`"]),
        ("iris.parquet --target species --ordered sex", &["`sex`"]),
        ("gap.parquet --target y", &["`y`", "str", "missing", "drop the row"]),
        ("one.parquet --target y", &["`y`", "one class", "another target"]),
        ("zero.parquet --target y", &["`y`", "no rows"]),
        ("lone.parquet --target y", &["feature", "`y`"]),
        ("nulls.parquet --target y", &["`x`", "null", "no usable feature"]),
        ("list.parquet --target y", &["`x`", "list[i32]", "leave it out"]),
        ("struct.parquet --target y", &["`x`", "struct", "unnest"]),
        ("list.parquet --target x", &["`x`", "list[i32]"]),
        ("weights.parquet --target y --weight low", &["`low`", "i32", "-2", "row 2"]),
        ("weights.parquet --target y --weight nan", &["`nan`", "f64", "NaN"]),
        ("weights.parquet --target y --weight inf", &["`inf`", "row 1"]),
        ("weights.parquet --target y --weight null", &["`null`", "missing", "fill it"]),
        ("weights.parquet --target y --weight text", &["`text`", "str", "number"]),
    ] {
        place.refuses(&format!("fit {words} -o x.json --importance x.csv"), 1, said);
    }
    for (words, said) in [
        ("rank iris.parquet --target speces -o x.csv", &["did you mean `species`?"][..]),
        ("rank weather.csv --target play --by outlok", &["did you mean `outlook`?"]),
        ("rank gap.parquet --target y", &["`y`", "missing"]),
        ("rank one.parquet --target y", &["`y`", "one class"]),
        (
            "curve iris.parquet --target species --feature petal_width",
            &["`petal_width`", "did you mean `petal_width_cm`?"],
        ),
        ("curve struct.parquet --target y --feature x", &["`x`", "struct"]),
    ] {
        place.refuses(words, 1, said);
    }
}

#[test]
fn frames_a_model_does_not_fit() {
    let place = Place::after("fit iris.parquet --target species -o iris.json");
    place.done("fit weather.csv --target play --algorithm id3 -o play.json");
    place.write("lacks.csv", "outlook,humidty,play\nsunny,high,no\n");
    place.write("words.csv", "petal_length_cm,petal_width_cm,sepal_length_cm\n1,wide,2\n");
    place.write("bare.csv", "outlook,humidity,windy\nsunny,high,true\n");
    let df = df!["outlook" => [1, 2], "humidity" => ["high", "low"], "windy" => [true, false]];
    place.save("numbers.parquet", df.expect("a frame"));
    for (words, said) in [
        ("score play.json lacks.csv -o x.csv", &["`humidity`", "did you mean `humidty`?"][..]),
        ("score play.json numbers.parquet -o x.csv", &["`outlook`", "i32", "str"]),
        ("score iris.json words.csv -o x.csv", &["words.csv", "wide", "f64"]),
        ("score play.json bare.csv --keep outlok -o x.csv", &["did you mean `outlook`?"]),
        ("eval play.json bare.csv -o x.csv", &["`play`"]),
        ("eval iris.json weather.csv", &["no such column"]),
    ] {
        place.refuses(words, 1, said);
    }
    place.done("score play.json weather.csv -o once.csv");
    place.refuses("score play.json once.csv -o x.csv", 1, &["`prediction`", "--prefix"]);
    place.done("score play.json once.csv --prefix second_ -o twice.csv");
}

#[test]
fn damaged_models() {
    let place = Place::after("fit weather.csv --target play --algorithm id3 -o whole.json");
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
            place.refuses(words, 1, &["m.json", said]);
        }
    }
}

#[test]
fn a_failure_leaves_the_old_output_alone() {
    let place = Place::with("x.csv", "old");
    place.write("x.json", "old");
    place.write("bad.csv", "a,y\n1,p\n2,\n");
    place.refuses("rank bad.csv --target y -o x.csv", 1, &["`y`"]);
    place.refuses("fit bad.csv --target y -o x.json --importance x.csv", 1, &["`y`"]);
    assert_eq!((place.text("x.csv"), place.text("x.json")), ("old".into(), "old".into()));
}
