//! Decimals in text have every digit that stands there.

use super::*;

/// A model that cuts between 1.00 and 1.01.
fn fitted() -> Place {
    let cents = |cents: &[i64]| {
        let x = Int64Chunked::from_slice("x".into(), cents).cast(&DataType::Int128).expect("wide");
        let x = x.i128().expect("i128").clone().into_decimal_unchecked(10, 2).into_series();
        DataFrame::new(cents.len(), vec![x.into(), Column::new("y".into(), ["a", "a", "b", "b"])])
            .expect("a frame")
    };
    let place = Place::new();
    place.save("x.parquet", cents(&[100, 100, 101, 101]));
    place.done("fit x.parquet --target y -o m.json");
    assert!(place.done("show m.json --as nodes -o -").contains("1.01"));
    place
}

#[test]
fn a_text_is_never_rounded_to_a_cut() {
    let place = fitted();
    let texts = ["1.009", "1.0099999999999999999999", "1.01", "-1.5e-3", "", "12345678901.25"];
    let answers = ["a", "a", "b", "a", "", "b"];
    let csv: String = texts.iter().map(|x| format!("{x},a\n")).collect();
    place.write("x.csv", format!("x,y\n{csv}"));
    place.write("x.tsv", format!("x,y\n{csv}").replace(',', "\t"));
    place.write("x.csv.zst", zstd::encode_all(place.text("x.csv").as_bytes(), 3).expect("packed"));
    let quoted = |x: &&str| match *x {
        "" => "{\"x\":null,\"y\":\"a\"}\n".to_string(),
        x => format!("{{\"x\":\"{x}\",\"y\":\"a\"}}\n"),
    };
    place.write("x.ndjson", texts.iter().map(quoted).collect::<String>());
    for name in ["x.csv", "x.tsv", "x.csv.zst", "x.ndjson"] {
        place.done(&format!("score m.json {name} -o out.parquet"));
        let scored = place.frame("out.parquet");
        let predicted = scored.column("prediction").expect("there").str().expect("text").clone();
        for (at, answer) in answers.iter().enumerate().filter(|(_, answer)| !answer.is_empty()) {
            assert_eq!(predicted.get(at), Some(*answer), "{name}: {}", texts[at]);
        }
        // What is kept has the digits that were there.
        let x = scored.column("x").expect("there");
        assert_eq!(x.dtype(), &DataType::Decimal(38, 22), "{name}");
        assert_eq!(x.get(0).expect("a value").to_string(), "1.0090000000000000000000");
        assert!(x.get(4).expect("a value").is_null());
    }
    // As many digits as the model has are enough for all that have no more.
    place.write("few.csv", "x\n1\n1.0\n1.010000\n");
    assert_eq!(place.done("score m.json few.csv"), "x,prediction\n1.00,a\n1.00,a\n1.01,b\n");
}

#[test]
fn digits_far_down_a_file_count_too() {
    let place = fitted();
    let rows = "1.00,a\n".repeat(10_001);
    place.write("late.csv", format!("x,y\n{rows}1.009,a\n"));
    let scored = place.done("score m.json late.csv --keep=");
    assert_eq!(scored.lines().last(), Some("a"));
    assert_eq!(scored.lines().count(), 10_003);
    assert!(place.done("eval m.json late.csv").contains("10002"));
    // In the other of two files.
    place.write("a.csv", "x,y\n1.01,b\n");
    assert_eq!(place.done("score m.json a.csv late.csv --keep=").lines().last(), Some("a"));
    // The second file has more digits than the first. 1.009 lies above the cut between 1.00 and
    // 1.01, and 1.00 below the cut between 1.009 and 1.01.
    place.write("b.csv", "x,y\n1.00,a\n1.01,b\n");
    place.write("c.csv", "x,y\n1.009,a\n1.01,b\n");
    for (words, drifts) in
        [("drift b.csv c.csv", true), ("drift c.csv b.csv", false), ("drift x.parquet c.csv", true)]
    {
        place.done(&format!("{words} --model m.json -o d.csv"));
        let psi = place.frame("d.csv").column("psi").expect("there").f64().expect("f64").get(0);
        assert_eq!(psi.map(|psi| psi > 0.5), Some(drifts), "{words}: {psi:?}");
    }
}

#[test]
fn what_is_no_decimal_is_refused() {
    let place = fitted();
    for (text, said) in [
        ("1,5", "fields"),
        ("1.0.0", "`1.0.0`"),
        ("one", "`one`"),
        ("123456789012345678901234567890123456789", "`1234567890"),
    ] {
        place.write("x.csv", format!("x\n{text}\n"));
        place.refuses("score m.json x.csv -o out.csv", 1, &["x.csv", said]);
    }
}
