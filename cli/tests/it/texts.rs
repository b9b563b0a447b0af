//! Text files as people write them: headers, blank lines, odd texts, and what is wrong in which
//! line.

use super::*;

#[test]
fn quotes_in_headers_are_those_of_the_name() {
    let place = Place::new();
    let df = df!["height 6\"" => [1, 2, 3, 4], "a,b" => [1, 1, 1, 1], "y" => ["p", "p", "q", "q"]];
    place.save("t.parquet", df.expect("a frame"));
    place.done("fit t.parquet --target y -o m.json");
    let expected = place.done("score m.json t.parquet");
    for name in ["t.csv", "t.tsv", "t.csv.gz"] {
        place.done(&format!("score m.json t.parquet -o {name}"));
        let again = place.done(&format!("score m.json {name} --prefix again_ --keep="));
        let answers = |csv: &str| -> Vec<String> {
            csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap_or("").into()).collect()
        };
        assert_eq!(answers(&again), answers(&expected), "{name}");
    }
    let csv = place.text("t.csv");
    assert!(csv.starts_with("\"height 6\"\"\",\"a,b\",y"), "{csv}");
    place.write("mark.csv", "\u{feff}\"x\"\"\",y\n1,p\n2,q\n");
    assert!(place.done("rank mark.csv --target y -o -").contains("x\"\" >= 2"));
}

#[test]
fn columns_of_one_name_are_refused() {
    let place = Place::with("two.csv", "x,y,y\n1,p,p\n2,q,q\n");
    place.write("two.tsv", "x\ty\t\"y\"\n1\tp\tp\n");
    place.write("nameless.csv", "x,y,,\n1,p,,\n2,q,,\n");
    place.refuses("fit two.csv --target y -o m.json", 1, &["two.csv", "two columns", "`y`"]);
    let said = ["two.tsv", "`y`", "name them apart"];
    place.refuses("rank two.tsv --target x --features x", 1, &said);
    place.write("two.ndjson", "{\"x\":1,\"y\":\"p\",\"x\":2}\n{\"x\":1,\"y\":\"q\",\"x\":3}\n");
    place.refuses("rank two.ndjson --target y", 1, &["two.ndjson", "two columns", "`x`"]);
    // Commas at the end of lines are a habit of spreadsheets.
    place.done("rank nameless.csv --target y");
}

#[test]
fn blank_lines_are_no_rows() {
    let place = Place::with("t.csv", "x,y\n1,p\n2,p\n3,q\n4,q\n");
    place.done("fit t.csv --target y -o m.json");
    let expected = "x,y,prediction\n1,p,p\n4,q,q\n,q,q\n";
    for text in [
        "x,y\n1,p\n\n4,q\n,q\n",
        "\n\nx,y\n1,p\n4,q\n,q\n\n\n",
        "x,y\r\n\r\n1,p\r\n4,q\r\n\r\n,q\r\n\r\n",
        "x,y\n1,p\n4,q\n\n\n,q",
    ] {
        place.write("b.csv", text);
        assert_eq!(place.done("score m.json b.csv"), expected, "{text:?}");
        let packed = zstd::encode_all(text.replace(',', "\t").as_bytes(), 3).expect("packed");
        place.write("b.tsv.zst", packed);
        assert_eq!(place.done("score m.json b.tsv.zst"), expected, "{text:?}");
    }
    // A line break in quotes is of the value.
    place.write("q.csv", "x,y\n1,\"p\n\nq\"\n\n4,q\n");
    assert_eq!(place.done("score m.json q.csv"), "x,y,prediction\n1,\"p\n\nq\",p\n4,q,q\n");
    // A missing value is all that a line of one column can be without.
    place.write("one.csv", "x\n1\n\n4\n");
    assert_eq!(place.done("score m.json one.csv").lines().count(), 4);
}

#[test]
fn what_is_wrong_has_its_line_and_column() {
    let place = Place::with("t.csv", "x,y\n1,p\n2,p\n3,q\n4,q\n");
    place.done("fit t.csv --target y -o m.json");
    place.write("ragged.csv", "x,y\n1,p\n\n2,\"p\nq\"\n3,q,7\n");
    place.write("latin1.csv", b"x,y\n1,p\n2,caf\xe9\n");
    place.write("header.csv", b"x,\xe9\n1,p\n");
    place.write("utf16.csv", b"\xff\xfex\0,\0y\0\n\0");
    place.write("sep.csv", "sep=;\nx;y\n1;p\n2;q\n");
    place.write("word.csv", "y,x\nten,1\np,ten\n");
    place.write("word.ndjson", "{\"y\":\"ten\",\"x\":1}\n\n{\"y\":\"p\",\"x\":\"ten\"}\n");
    place.write("torn.ndjson", "{\"x\":1,\"y\":\"p\"}\n{\"x\":2,\"y\":");
    place.write("list.ndjson", "{\"x\":1,\"y\":\"p\"}\n[1,2]\n");
    for (words, said) in [
        ("rank ragged.csv --target y", &["line 6", "3 fields", "header 2", "quotes"][..]),
        ("rank latin1.csv --target y", &["line 3", "UTF-8", "iconv"]),
        ("rank header.csv --target x", &["line 1", "UTF-8", "iconv"]),
        ("rank utf16.csv --target x", &["UTF-16", "UTF-8"]),
        ("rank sep.csv --target y", &["`sep=;`", "--separator ';'"]),
        ("score m.json word.csv", &["`x`", "`ten`", "i64", "line 3", "--null-values"]),
        ("score m.json word.ndjson", &["`x`", "ten", "i64", "line 3", "null"]),
        ("rank torn.ndjson --target y", &["line 2", "JSON"]),
        ("rank list.ndjson --target y", &["line 2", "JSON object"]),
    ] {
        place.refuses(words, 1, said);
    }
    // Names that differ by a space, and names that are none.
    place.write("space.csv", "x, y,\n1,p,\n2,q,\n");
    place.refuses("rank space.csv --target y", 1, &["did you mean ` y`?"]);
    place.refuses("rank space.csv --target z", 1, &["the columns are"]);
}

#[test]
fn an_odd_text_among_numbers_is_told_of() {
    let age =
        |i: usize| if i % 100 == 7 { "NA".to_string() } else { (18 + i * 7 % 60).to_string() };
    let rows: String = (0..1000).map(|i| format!("{},{}\n", age(i), ["p", "q"][i % 2])).collect();
    let place = Place::with("t.csv", format!("age,y\n{rows}"));
    for words in
        ["rank t.csv --target y", "fit t.csv --target y -o m.json", "cuts t.csv --target y"]
    {
        let ran = place.run(words);
        let note = ran.err.lines().find(|line| line.contains("`age`")).unwrap_or_default();
        for said in ["`NA`", "1.00 %", "1000 values", "--null-values NA"] {
            assert!(note.contains(said), "{words}: {said}: {}", ran.err);
        }
    }
    place.says("fit t.csv --target y -o s.json --memory 64MB", "--null-values NA");
    let quiet = place.run("rank t.csv --target y --null-values NA");
    assert!(!quiet.err.contains("NA"), "{}", quiet.err);
    assert!(quiet.out.contains("ordered"), "{}", quiet.out);
    // Codes, some of them words, and columns that are not looked at.
    place.write("c.csv", "x,code,y\n1,7,p\n2,A,q\n3,8,p\n");
    assert!(!place.run("rank c.csv --target y").err.contains("null-values"));
    assert!(!place.run("rank t.csv --target y --features y2").err.contains("null-values"));
}

/// Numbers that ndjson makes text, for one value of another kind.
#[test]
fn ndjson_says_that_numbers_became_text() {
    let place = Place::new();
    let note = |odd: &[&str], words: &str| {
        let x = |i: usize| odd.get(i).map_or(i.to_string(), |odd| odd.to_string());
        let row = |i: usize| format!("{{\"x\":{},\"y\":\"{}\"}}\n", x(i), ["p", "q"][i % 2]);
        place.write("t.ndjson", (0..200).map(row).collect::<String>());
        let Ran { err, .. } = place.ends_well(words);
        err.lines().find(|line| line.contains("taken as text")).unwrap_or_default().to_string()
    };
    let one_na = "column `x` is taken as text, each value a level, because of `NA` among its \
                  numbers (0.50 % of 200 values): write null where a value is missing";
    for words in [
        "rank t.ndjson --target y",
        "fit t.ndjson --target y -o m.json",
        "fit t.ndjson --target y -o m.json --memory 64MB",
    ] {
        assert_eq!(note(&["\"NA\""], words), one_na, "{words}");
    }
    let rank = "rank t.ndjson --target y";
    let half = note(&["\"NA\""; 100], rank);
    assert!(half.contains("`NA` among its numbers (50.00 % of 200 values)"), "{half}");
    for odd in ["\"7\"", "\"nan\""] {
        assert!(note(&[odd], rank).contains("in quotes: write numbers without quotes"));
    }
    // What the file has as text is text, and other columns do not matter.
    for odd in [["null"; 200], ["\"7\""; 200], ["\"a\""; 200]] {
        assert_eq!(note(&odd, rank), "");
    }
    assert_eq!(note(&["\"NA\""], "rank t.ndjson --target x --features y"), one_na);
    place.write("z.ndjson", "{\"x\":1,\"z\":3,\"y\":\"p\"}\n{\"x\":\"NA\",\"z\":4,\"y\":\"q\"}\n");
    assert!(!place.run("rank z.ndjson --target y --features z").err.contains("`x`"));
}

/// What scoring takes for a number or for missing, fitting does too.
#[test]
fn numbers_are_read_alike_in_fitting_and_scoring() {
    let values = ["nan", "NaN", "Inf", "-inf", "  ", "", " 3.5", "4", "+5", "1e3"];
    let rows: String = values.iter().enumerate().map(|(i, v)| format!("{v},{}\n", i / 6)).collect();
    let place = Place::with("t.csv", format!("x,y\n{rows}"));
    place.done("rank t.csv --target y -o r.csv");
    let ranking = place.frame("r.csv");
    let text = |name: &str| ranking.column(name).expect("there").get(0).expect("one").to_string();
    assert_eq!((text("dtype"), text("n_missing")), ("\"f64\"".into(), "4".into()));
    place.done("fit t.csv --target y -o m.json");
    let scored = place.done("score m.json t.csv --keep=");
    assert_eq!(scored, "prediction\n0\n0\n0\n0\n0\n0\n1\n1\n1\n1\n");
    // Integers in fitting, with fractions and `nan` among them in scoring: no digit gets lost.
    let large = 9_007_199_254_740_993i64;
    place.write("i.csv", format!("x,y\n{},p\n{large},q\n", large - 1));
    place.done("fit i.csv --target y -o i.json");
    let [below, above] = [format!("{}.75", large - 1), format!("{large}.0")];
    let late = "1\n".repeat(11_000);
    for (start, n_late) in [("", 0), (late.as_str(), 11_000)] {
        place.write("j.csv", format!("x\n{start}nan\n {below}\n{above}\n{large}\n{}\n", large - 1));
        let scored = place.done("score i.json j.csv --keep=");
        let answers: Vec<&str> = scored.lines().skip(1 + n_late).collect();
        assert_eq!(answers, ["q", "p", "q", "q", "p"]);
    }
    place.refuses("score i.json t.csv", 1, &["`x`", "`Inf`", "line 4"]);
    // Further down than dtypes are inferred from.
    let rows = format!("x,y\n{}{}", "1,0\n".repeat(10_001), "nan,1\n 2,1\n");
    place.write("late.csv", rows);
    assert!(place.done("rank late.csv --target y").contains("ordered"));
}

/// Blanks behind numbers are no part of them, also further down than dtypes are inferred from.
#[test]
fn blanks_behind_numbers_are_taken_off() {
    let place = Place::new();
    place.write("t.csv", "x,i,y\n1.5 ,1\t,p\n nan ,2,p\nInf ,3 ,q\n7.5,\"4 \",q\n ,,q\n");
    place.done("rank t.csv --target y --full -o r.parquet");
    let ranking = place.frame("r.parquet");
    let texts = |name: &str| -> Vec<String> {
        let column = ranking.column(name).expect("there");
        (0..2).map(|row| column.get(row).expect("a cell").to_string()).collect()
    };
    let mut found: Vec<(String, String)> =
        texts("dtype").into_iter().zip(texts("n_missing")).collect();
    found.sort();
    assert_eq!(found, [("\"f64\"".into(), "2".into()), ("\"i64\"".into(), "1".into())]);
    place.write("plain.csv", "x,i,y\n1.5,1,p\nnan,2,p\nInf,3,q\n7.5,4,q\n,,q\n");
    place.done("fit plain.csv --target y -o m.json");
    let scored = |file: &str| place.done(&format!("score m.json {file} --keep="));
    assert_eq!(scored("t.csv"), scored("plain.csv"));
    let many: String = (0..11_000).map(|row| format!("{row},{}\n", row % 2)).collect();
    place.write("late.csv", format!("x,y\n{many}7 ,1\n"));
    assert!(place.done("rank late.csv --target y").contains("ordered"));
    place.write("late.csv", format!("x,i\n{}7 ,1\n", many.replace(',', ".5,")));
    place.done("score m.json late.csv --keep=");
    // A text that only looks like a number stays as it is.
    place.write("words.csv", "x,y\n1 ,p\na,q\n1,p\n");
    assert!(place.done("curve words.csv --target y --feature x").contains("x == \"1 \""));
}

/// A file or a value that cannot be read says what mends it.
#[test]
fn what_cannot_be_read_says_what_to_do() {
    let place = Place::with("t.csv", "x,i,y\n1.5,1,p\n2.5,2,q\n");
    place.done("fit t.csv --target y --features x -o m.json");
    place.done("fit t.csv --target y --features i -o i.json");
    place.write("comma.csv", "x,i\n\"1,5\",1\n");
    place.write("large.csv", "x,i\n1.5,12345678901234567890\n");
    place.write("large.ndjson", "{\"x\":1.5,\"i\":12345678901234567890}\n");
    place.write("quote.csv", "x,i,y\n1.5,1,p\n2.5,2,\"q\n3.5,3,p\n");
    place.write("mark.ndjson", "\u{feff}{\"x\":1.5,\"y\":\"p\"}\n");
    place.write("mac.csv", "x,i,y\r1.5,1,p\r2.5,2,q\r");
    // What each message of a stream begins with.
    place.write("stream.arrow", [0xff, 0xff, 0xff, 0xff, 0x78, 0, 0, 0]);
    for (words, said) in [
        ("score m.json comma.csv", ["`1,5`", "line 2", "read the file with --decimal-comma"]),
        ("score i.json large.csv", ["`i`", "line 2", "out of the range of i64"]),
        ("score i.json large.ndjson", ["`i`", "line 1", "out of the range of i64"]),
        ("rank quote.csv --target y", ["quote.csv", "line 3", "a quote that is not closed"]),
        ("rank mark.ndjson --target y", ["mark.ndjson", "begins with", "a byte order mark"]),
        ("rank mac.csv --target y", ["mac.csv", "CR alone", "tr '\\r' '\\n'"]),
        ("rank stream.arrow --target y", ["stream.arrow", "an Arrow stream", "write_ipc"]),
    ] {
        place.refuses(words, 1, &said);
    }
}

/// Numbers as they are written in other countries.
#[test]
fn numbers_with_a_decimal_comma_or_thousands_are_read_as_told() {
    let plain = "x,y\n999.5,p\n1000.25,p\n1234567.5,q\n,q\n";
    let place = Place::with("t.csv", plain);
    place.done("fit t.csv --target y -o m.json");
    let expected = place.done("score m.json t.csv");
    for (text, flags) in [
        ("x;y\n999,5;p\n1000,25;p\n1234567,5;q\n;q\n", "--separator ; --decimal-comma"),
        (
            "x;y\n999,5;p\n1.000,25;p\n\"1.234.567,5\";q\n;q\n",
            "--separator ; --decimal-comma --thousands .",
        ),
        ("x,y\n999.5,p\n\"1,000.25\",p\n\"1,234,567.5\",q\n\n,q\n", "--thousands ,"),
        ("x,y\n\"999,5\",p\n\"1000,25\",p\n\"1234567,5\",q\n,q\n", "--decimal-comma"),
        ("x,y\n999.5,p\n1’000.25,p\n1’234’567.5,q\n,q\n", "--thousands ’"),
    ] {
        place.write("o.csv", text);
        place.done(&format!("fit o.csv --target y -o n.json {flags}"));
        assert_eq!(place.text("n.json"), place.text("m.json"), "{flags}");
        assert_eq!(place.done(&format!("score m.json o.csv {flags}")), expected, "{flags}");
        let odd = place
            .run(&format!("rank o.csv --target y {}", &flags[..flags.find("--d").unwrap_or(0)]));
        if !flags.contains('’') {
            let note = format!("with {}", flags.trim_start_matches("--separator ; "));
            assert!(odd.err.contains(&note), "{note}: {}", odd.err);
        }
    }
    place.write("o.csv", "x;y\n1,5;p\n1.234;q\n");
    let said = ["line 3", "`1.234` has a point", "--thousands ."];
    place.refuses("rank o.csv --target y --separator ; --decimal-comma", 1, &said);
    place.refuses("rank t.csv --target y --thousands .", 2, &["--thousands .", "--decimal-comma"]);
    place.refuses("rank t.csv --target y --thousands 5", 2, &["--thousands", "one character"]);
}
