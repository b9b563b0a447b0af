//! The row that an error names is the row of the file.

use super::*;

#[test]
fn rows_are_those_of_the_file_though_others_are_left_out() {
    let place = Place::with("w.csv", "x,w,y\n1,1,\n2,1,a\n3,1,a\n4,-1,b\n5,1,b\n");
    place.write("m.csv", "x,w,y\n1,1,\n2,0,a\n3,1,a\n,1,b\n5,1,b\n");
    place.write("n.csv", "x,w,y\n1,1,\n2,1,1.5\n3,1,1e200\n");
    let drop = "--target y --drop-null-target --weight w";
    for words in ["rank w.csv", "cuts w.csv", "select w.csv", "fit w.csv -o m.json"] {
        place.fails(&format!("{words} {drop}"), 1, &["`w`", "-1 in row 4;"]);
    }
    place.fails(&format!("curve w.csv --feature x {drop}"), 1, &["-1 in row 4;"]);
    place.fails(&format!("woe w.csv {drop}"), 1, &["-1 in row 4;"]);
    place.fails(&format!("fit m.csv -o m.json --missing error {drop}"), 1, &["`x`", "row 4,"]);
    place.fails(&format!("rank n.csv {drop}"), 1, &["1e200 in row 3;"]);
    // Models on sound rows, and then other rows for them.
    place.write("sound.csv", "x,w,y\n1,1,a\n2,1,a\n3,1,b\n4,1,b\n");
    place.done("fit sound.csv --target y --weight w --missing error -o m.json");
    place.fails("candidates m.json w.csv --drop-null-target", 1, &["-1 in row 4;"]);
    place.fails("prune m.json w.csv --pruning cv=2 -o p.json --drop-null-target", 1, &["row 4;"]);
    place.fails("eval m.json m.csv --drop-null-target", 1, &["`x`", "row 4,"]);
    place.fails("eval m.json w.csv", 1, &["`y`", "row 1;"]);
}

#[test]
fn rows_of_several_files_are_named_by_their_file() {
    let place = Place::with("a.csv", "x,w,y\n1,1,\n2,1,a\n");
    place.write("b.csv", "x,w,y\n3,1,a\n4,-1,b\n5,1,b\n");
    let weigh = "--target y --weight w";
    let said = ["`w`", "-1 in row 2 of `b.csv`;"];
    place.fails(&format!("rank [ab].csv {weigh} --drop-null-target"), 1, &said);
    place.fails(&format!("fit a.csv b.csv -o m.json {weigh} --drop-null-target"), 1, &said);
    place.fails("rank b.csv a.csv --target y", 1, &["missing in row 1 of `a.csv`;"]);
    // A line with too few fields.
    place.write("short.csv", "x,w,y\n1,1,a\n\n2\n3,1,b\n");
    let short = ["`y`", "missing in row 2 (line 4, which has 1 of 3 fields);"];
    place.fails("fit short.csv --target y -o m.json", 1, &short);
    let short = ["missing in row 2 of `short.csv` (line 4, which has 1 of 3 fields);"];
    place.fails("rank b.csv short.csv --target y", 1, &short);
    // Read in batches, whose rows are counted on.
    place.write("a.csv", "x,w,y\n1,1,b\n2,1,a\n");
    place.fails(&format!("fit a.csv b.csv -o m.json {weigh} --memory 64MB"), 1, &said);
    let rows = |n: usize| (0..n).map(|i| format!("{i},1,{}\n", ["a", "b"][i % 2]));
    let many: String = rows(140_000).collect();
    place.write("many.csv", format!("x,w,y\n{many}7,-2,a\n"));
    let words = format!("fit many.csv -o m.json {weigh} --memory 64MB");
    place.fails(&words, 1, &["-2 in row 140001;"]);
}

/// Scoring streams, and yet it names the row that `fit` names.
#[test]
fn score_names_the_row_of_a_missing_value_as_fit_does() {
    let place = Place::new();
    let table = |n: i64, holes: &[(&str, i64)]| {
        let value = |name: &str, i: i64, x: i64| (!holes.contains(&(name, i))).then_some(x);
        let x: Vec<Option<i64>> = (0..n).map(|i| value("x", i, i % 100)).collect();
        let z: Vec<Option<i64>> = (0..n).map(|i| value("z", i, i * 7 % 10)).collect();
        let y = (0..n).map(|i| if i % 100 < 50 && i * 7 % 10 < 5 { "a" } else { "b" });
        df!["y" => y.collect::<Vec<_>>(), "x" => x, "z" => z].expect("a table")
    };
    place.save("known.parquet", table(100, &[]));
    place.done("fit known.parquet --target y --missing error -o m.json");
    place.done("forest known.parquet --target y --missing error --trees 3 -o f.json");
    // `z` lacks a value before `x` does, which is the earlier column.
    let holes = [("z", 3), ("x", 120_000), ("x", 139_999)];
    place.save("large.parquet", table(140_000, &holes));
    place.write("a.csv", "y,x,z\na,1,1\nb,2,4\n");
    place.write("b.csv", "y,x,z\na,3,1\nb,,5\n");
    place.write("short.csv", "y,x,z\na,3,1\n\nb,5\nb,6,\n");
    // What lies behind the rows that dtypes are inferred from.
    place.write("late.csv", format!("y,x,z\n{}a,nan,1\n", "a,1,2\nb,2,4\n".repeat(6_000)));
    for (files, column, row) in [
        ("b.csv", "x", "row 2"),
        ("short.csv", "z", "row 2 (line 4, which has 2 of 3 fields)"),
        ("short.csv b.csv a.csv", "x", "row 2 of `b.csv`"),
        ("late.csv", "x", "row 12001"),
        ("known.parquet large.parquet", "x", "row 120001 of `large.parquet`"),
    ] {
        let dtype = if files == "late.csv" { "" } else { " (i64)" };
        let said = format!("`{column}`{dtype}");
        for words in [
            "fit {} --target y --missing error -o n.json",
            "score m.json {} -o out.csv",
            "score f.json {} --keep y",
        ] {
            let words = words.replace("{}", files);
            place.fails(&words, 1, &[&said, &format!(" is missing in {row}, and")]);
        }
    }
    let said = " is missing in row 2 of `b.csv`, and";
    place.fails("score m.json a.csv b.csv -o out.json", 1, &[said]);
    place.fails("score m.json a.csv b.csv --partition parts", 1, &[said]);
}
