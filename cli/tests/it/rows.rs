//! The row that an error names is the row of the file.

use super::*;

/// Runs words that cannot end well; the last line says why.
fn refuses(place: &Place, words: &str, said: &[&str]) {
    let ran = place.run(words);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "gaintree {words}: {}", ran.err);
    let last = ran.err.lines().last().expect("a line");
    assert!(last.starts_with("gaintree: "), "gaintree {words}: {}", ran.err);
    assert!(said.iter().all(|word| last.contains(word)), "gaintree {words}: {last}");
}

#[test]
fn rows_are_those_of_the_file_though_others_are_left_out() {
    let place = Place::new();
    place.write("w.csv", "x,w,y\n1,1,\n2,1,a\n3,1,a\n4,-1,b\n5,1,b\n");
    place.write("m.csv", "x,w,y\n1,1,\n2,0,a\n3,1,a\n,1,b\n5,1,b\n");
    place.write("n.csv", "x,w,y\n1,1,\n2,1,1.5\n3,1,1e200\n");
    let drop = "--target y --drop-null-target --weight w";
    for words in ["rank w.csv", "cuts w.csv", "select w.csv", "fit w.csv -o m.json"] {
        refuses(&place, &format!("{words} {drop}"), &["`w`", "-1 in row 4;"]);
    }
    refuses(&place, &format!("curve w.csv --feature x {drop}"), &["-1 in row 4;"]);
    refuses(&place, &format!("woe w.csv {drop}"), &["-1 in row 4;"]);
    refuses(&place, &format!("fit m.csv -o m.json --missing error {drop}"), &["`x`", "row 4,"]);
    refuses(&place, &format!("rank n.csv {drop}"), &["1e200 in row 3;"]);
    // Models on sound rows, and then other rows for them.
    place.write("sound.csv", "x,w,y\n1,1,a\n2,1,a\n3,1,b\n4,1,b\n");
    place.done("fit sound.csv --target y --weight w --missing error -o m.json");
    refuses(&place, "candidates m.json w.csv --drop-null-target", &["-1 in row 4;"]);
    refuses(&place, "prune m.json w.csv --pruning cv=2 -o p.json --drop-null-target", &["row 4;"]);
    refuses(&place, "eval m.json m.csv --drop-null-target", &["`x`", "row 4,"]);
    refuses(&place, "eval m.json w.csv", &["`y`", "row 1;"]);
}

#[test]
fn rows_of_several_files_are_named_by_their_file() {
    let place = Place::new();
    place.write("a.csv", "x,w,y\n1,1,\n2,1,a\n");
    place.write("b.csv", "x,w,y\n3,1,a\n4,-1,b\n5,1,b\n");
    let weigh = "--target y --weight w";
    let said = ["`w`", "-1 in row 2 of `b.csv`;"];
    refuses(&place, &format!("rank [ab].csv {weigh} --drop-null-target"), &said);
    refuses(&place, &format!("fit a.csv b.csv -o m.json {weigh} --drop-null-target"), &said);
    refuses(&place, "rank b.csv a.csv --target y", &["missing in row 1 of `a.csv`;"]);
    // A line with too few fields.
    place.write("short.csv", "x,w,y\n1,1,a\n\n2\n3,1,b\n");
    let short = ["`y`", "missing in row 2 (line 4, which has 1 of 3 fields);"];
    refuses(&place, "fit short.csv --target y -o m.json", &short);
    let short = ["missing in row 2 of `short.csv` (line 4, which has 1 of 3 fields);"];
    refuses(&place, "rank b.csv short.csv --target y", &short);
    // Read in batches, whose rows are counted on.
    place.write("a.csv", "x,w,y\n1,1,b\n2,1,a\n");
    refuses(&place, &format!("fit a.csv b.csv -o m.json {weigh} --memory 64MB"), &said);
    let rows = |n: usize| (0..n).map(|i| format!("{i},1,{}\n", ["a", "b"][i % 2]));
    let many: String = rows(140_000).collect();
    place.write("many.csv", format!("x,w,y\n{many}7,-2,a\n"));
    let words = format!("fit many.csv -o m.json {weigh} --memory 64MB");
    refuses(&place, &words, &["-2 in row 140001;"]);
}
