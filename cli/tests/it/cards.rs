//! Scorecards: written by `woe --save-card`, shown, and applied to the rows of other files.

use polars::prelude::*;

use super::Place;

/// The rows of a month: a number with missing values, codes of digits and letters, a date, a boolean.
fn month(salt: i64, n: i64) -> DataFrame {
    let draw = |i: i64, by: i64| (i * 7919 + salt) * 31 % by;
    let x: Vec<Option<f64>> =
        (0..n).map(|i| (i % 11 > 0).then_some(draw(i, 97) as f64 / 4.0)).collect();
    let code: Vec<String> =
        (0..n).map(|i| ["07", "a1", "12", "b2"][draw(i, 4) as usize].to_string()).collect();
    let day: Vec<i32> = (0..n).map(|i| 19_000 + draw(i, 13) as i32).collect();
    let owns: Vec<bool> = (0..n).map(|i| draw(i, 3) > 0).collect();
    let y: Vec<&str> = (0..n)
        .map(|i| if draw(i, 97) + draw(i, 4) * 9 > 60 + i % 29 { "bad" } else { "good" })
        .collect();
    let id: Vec<i64> = (0..n).collect();
    let df = df!["id" => id, "x" => x, "code" => code, "day" => day, "owns" => owns, "y" => y];
    let mut df = df.expect("a frame");
    let day = df.column("day").and_then(|day| day.cast(&DataType::Date)).expect("dates");
    df.with_column(day).expect("replaced");
    df
}

fn csv(df: &DataFrame) -> Vec<u8> {
    let mut text = Vec::new();
    CsvWriter::new(&mut text).finish(&mut df.clone()).expect("written");
    text
}

/// A column's numbers; csv may have read whole ones as integers.
fn numbers(df: &DataFrame, name: &str) -> Vec<Option<f64>> {
    let column = df.column(name).and_then(|column| column.cast(&DataType::Float64));
    column.expect(name).f64().expect("f64").iter().collect()
}

const ADDED: [&str; 5] = ["x_points", "code_points", "day_points", "owns_points", "score"];

/// What a card adds to the rows it was made of is what `woe --rows` added to them.
#[test]
fn a_card_is_applied_to_other_files() {
    let place = Place::new();
    let (january, february) = (month(0, 600), month(5, 400));
    place.save("january.parquet", january.clone());
    place.write("january.csv", csv(&january));
    for file in ["january.parquet", "january.csv"] {
        let woe = format!("woe {file} --target y --event bad --exclude id --intervals 5 --pdo 40");
        let save = format!("{woe} --rows rows.parquet --save-card card.json");
        place.says(&save, "a scorecard of 4 features -> card.json");
        place.done(&format!("score card.json {file} --points -o scored.parquet"));
        let (rows, scored) = (place.frame("rows.parquet"), place.frame("scored.parquet"));
        assert_eq!(scored.width(), january.width() + ADDED.len());
        ADDED.iter().for_each(|name| assert_eq!(numbers(&rows, name), numbers(&scored, name)));
        // It is the card of --scorecard, and the same run writes both.
        place.done(&format!("{woe} --scorecard points.parquet --save-card again.json --rounded"));
        place.done("show again.json -o table.parquet");
        assert!(place.frame("points.parquet").equals_missing(&place.frame("table.parquet")));
        let whole = numbers(&place.frame("table.parquet"), "points");
        assert!(whole.iter().all(|points| points.is_some_and(|points| points.fract() == 0.0)));
    }
    // Next month's csv is read with the dtypes of the card: here all codes look like integers.
    let digits = col("code").lt(lit("a"));
    let few = february.clone().lazy().filter(digits).collect().expect("few");
    place.write("few.csv", csv(&few));
    place.save("few.parquet", few);
    place.done("score card.json few.csv --points -o csv.csv");
    place.done("score card.json few.parquet --points -o parquet.csv");
    let (a, b) = (place.frame("csv.csv"), place.frame("parquet.csv"));
    ADDED.iter().for_each(|name| assert_eq!(numbers(&a, name), numbers(&b, name)));

    // Some columns, another name, several files, a file each.
    std::fs::create_dir(place.path("months")).expect("made");
    place.save("months/a.parquet", january);
    place.save("months/b.parquet", february);
    let report =
        place.done("score card.json months --keep id --prefix p_ -o all.parquet --report json");
    assert!(report.contains("\"rows\":1000"), "{report}");
    let all = place.frame("all.parquet");
    assert_eq!((all.shape(), all.schema().contains("id")), ((1000, 2), true));
    place.done("score card.json months --keep= --partition out");
    let [a, b] =
        ["out/a.parquet", "out/b.parquet"].map(|name| numbers(&place.frame(name), "score"));
    assert_eq!([a, b].concat(), numbers(&all, "p_score"));
}

#[test]
fn a_card_is_shown_as_its_table() {
    let place = Place::new();
    let woe = "woe loan.csv --target approved --event no --features age,credit --intervals 3";
    place.done(&format!("{woe} --save-card card.json"));
    let text = place.done("show card.json");
    let first: Vec<&str> = super::words(text.lines().next().expect("a header"));
    assert_eq!(first, ["feature", "rule", "event", "n", "event_rate", "woe", "points"]);
    assert_eq!(place.done("show card.json --as json"), place.text("card.json"));
    place.done("show card.json -o copy.json");
    assert_eq!(place.text("copy.json"), place.text("card.json"));
    let printed = place.done(&format!("{woe} -o bins.csv --save-card -"));
    assert_eq!(printed, place.text("card.json"));
    // A level that was not seen is counted.
    place.write("new.csv", "age,credit\nyoung,good\nunborn,good\n");
    place.says("score card.json new.csv", "1 row of 2 has a level that was not seen");
}

#[test]
fn what_is_not_of_cards_is_refused() {
    let place = Place::new();
    let woe = "woe loan.csv --target approved --event no --features age,credit";
    place.done(&format!("{woe} --save-card card.json"));
    place.done("fit loan.csv --target approved -o tree.json");
    let takes =
        "it is a scorecard, which `gaintree score`, `gaintree show` and Scorecard::load take";
    for words in [
        "eval card.json loan.csv",
        "importance card.json loan.csv",
        "contributions card.json loan.csv",
        "explain card.json loan.csv --row 1",
        "candidates card.json loan.csv",
        "prune card.json",
        "drift loan.csv loan.csv --model card.json",
        "report card.json loan.csv -o page.html",
        "report tree.json loan.csv --against card.json -o page.html",
    ] {
        place.refuses(words, 1, &[takes]);
    }
    place.refuses_each(&[
        ("score card.json loan.csv --probability", 2, "no probabilities: leave them out"),
        ("score card.json loan.csv --leaf", 2, "no leaf ids: leave them out"),
        ("score card.json loan.csv --votes", 2, "no votes: leave them out"),
        ("score tree.json loan.csv --points", 2, "points are of a scorecard: leave them out"),
        ("score card.json iris.parquet", 1, "feature of the card"),
        ("show card.json --as sql", 2, "--as is of trees"),
        ("show card.json --max-depth 3", 2, "--max-depth is of trees"),
        ("show card.json -o card.svg", 2, "name it with"),
        ("woe loan.csv --target approved --points 500", 2, "--save-card"),
        (&format!("{woe} --save-card card.csv"), 2, "a model or a scorecard is JSON"),
        (&format!("{woe} --save-card c.json --scorecard c.json"), 2, "one place"),
    ]);
    let text = place.text("card.json");
    place.write("later.json", text.replace("\"version\":1", "\"version\":2"));
    place.refuses("score later.json loan.csv", 1, &["get a newer gaintree"]);
    place.write("cut.json", &text[..text.len() / 2]);
    place.refuses("score cut.json loan.csv", 1, &["ends too early"]);
}
