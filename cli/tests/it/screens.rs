//! What each column is, as the command says it.

use super::*;

#[path = "../../../tests/it/messy.rs"]
mod messy;

/// Each column's verdict in what the command printed or wrote as csv.
fn verdicts<'a>(text: &'a str, split: impl Fn(&'a str) -> Vec<&'a str>) -> Vec<(&'a str, &'a str)> {
    text.lines().skip(1).map(split).map(|words| (words[1], words[0])).collect()
}

#[test]
fn a_messy_file_is_judged_as_it_was_planted() {
    let (mut df, mut expected) = messy::messy(40_000, 1);
    let place = Place::new();
    let file = std::fs::File::create(place.path("messy.parquet")).expect("a file");
    ParquetWriter::new(file).finish(&mut df).expect("writes");
    expected.sort_unstable();
    let words = format!("screen messy.parquet --target {}", messy::EVENT);
    let printed = place.done(&words);
    let mut found = verdicts(&printed, |line| line.split_whitespace().collect());
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(
        printed.lines().all(|line| line.starts_with("unusable") || line.len() <= 100),
        "{printed}"
    );
    // A row at a time or column by column, the answer is the same.
    place.done(&format!("{words} --drop-null-target -o rows.csv"));
    place.done(&format!("{words} -o columns.csv"));
    let whole = place.text("columns.csv");
    assert_eq!(whole, place.text("rows.csv"));
    let mut found = verdicts(&whole, |line| line.splitn(3, ',').collect());
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(whole.lines().next().is_some_and(|line| line.ends_with("twin_of,twin_share,why")));
    assert_eq!(place.done(&format!("{words} --full")).lines().count(), 33);
    let strict = place.done(&format!("{words} --alpha 0 --features age,born"));
    assert!(strict.lines().skip(1).all(|line| line.starts_with("chance")), "{strict}");
    // Other commands pass over what the screen is against, or leave it out.
    let selected = place.ends_well(&words.replace("screen", "select"));
    assert!(selected.out.lines().skip(1).all(|line| !line.contains("_id")), "{}", selected.out);
    assert!(
        selected.err.contains("customer_id: id: 40000 values in 40000 rows\n"),
        "{}",
        selected.err
    );
    assert!(selected.err.ends_with("more were passed over: `gaintree screen` lists them all\n"));
    let fit =
        format!("{} --exclude-from columns.csv --max-depth 2", words.replace("screen", "fit"));
    let fitted = place.ends_well(&format!("{fit} --max-subset-levels 9 -o m.json"));
    assert_eq!(fitted.err.lines().count(), 1, "{}", fitted.err);
    let ranked =
        place.done(&format!("{} --exclude-from columns.csv", words.replace("screen", "rank")));
    let useful =
        expected.iter().filter(|(_, of)| ["useful", "weak", "chance"].contains(of)).count();
    assert_eq!(ranked.lines().count(), 1 + useful, "{ranked}");
    // A report of the run is on the rows, and not on the screen.
    let report = place.done(&format!("{fit} -o m.json --report json"));
    assert!(report.contains("\"rows\":40000"), "{report}");
    let other = format!("{} --exclude-from messy.parquet", words.replace("screen", "rank"));
    place.fails(&other, 1, &["column of a screen `verdict`: no such column"]);
    #[cfg(feature = "plot")]
    for (name, start, part) in [
        ("s.svg", "<svg ", "32 columns: leak 7, "),
        ("s.html", "<!DOCTYPE html>", "on 40,000 rows"),
    ] {
        assert_eq!(place.done(&format!("{words} -o {name}")), "");
        let text = place.text(name);
        assert!(
            text.starts_with(start) && text.contains(part) && text.contains(">useful<"),
            "{text}"
        );
    }
    place.fails(&format!("{words} -o s.pdf"), 2, &["s.svg"]);
    place.fails(
        &format!("{words} --twin-share 2"),
        2,
        &["twin_share is 2; it is a share, from 0 to 1"],
    );
}
