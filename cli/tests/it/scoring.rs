//! `gaintree score` of many and large files.

use super::*;

/// A csv of two classes by one cut, and a column no tree uses; rows have numbers.
fn csv(from: usize, rows: usize) -> String {
    let line = |i: usize| format!("{i},{},{},free\n", i % 97, if i % 97 < 40 { "p" } else { "q" });
    (from..from + rows).map(line).collect()
}

fn fitted() -> Place {
    let place = Place::with("train.csv", format!("nr,x,y,note\n{}", csv(0, 300)));
    place.done("fit train.csv --target y --features x -o m.json");
    place
}

/// Many row groups, read at once by all threads; many files, in the order of their names.
#[test]
fn rows_keep_their_order() {
    let place = fitted();
    let df = |from: usize, rows: usize| {
        let text = format!("nr,x,y,note\n{}", csv(from, rows));
        CsvReader::new(std::io::Cursor::new(text)).finish().expect("a table")
    };
    for i in 0..4 {
        let file = std::fs::File::create(place.path(&format!("part-{i}.parquet"))).expect("a file");
        let writer = ParquetWriter::new(file).with_row_group_size(Some(300));
        writer.finish(&mut df(i * 20_000, 20_000)).expect("written");
    }
    let expected = df(0, 80_000);
    for out in ["out.parquet", "out.ipc", "out.csv", "out.ndjson"] {
        place.done(&format!("score m.json part-*.parquet -o {out}"));
        let scored = place.frame(out);
        assert_eq!(scored.drop("prediction").expect("there"), expected, "{out}");
        let prediction = scored.column("prediction").expect("there").clone();
        assert_eq!(&prediction.with_name("y".into()), expected.column("y").expect("there"));
        place.done(&format!("score m.json part-*.parquet --keep nr --leaf -o {out}"));
        let kept = place.frame(out);
        assert_eq!(kept.column("nr").expect("there"), expected.column("nr").expect("there"));
    }
}

#[test]
fn a_file_for_each_input() {
    let place = fitted();
    for i in 0..3 {
        place.write(&format!("part-{i}.csv"), format!("nr,x,y,note\n{}", csv(i * 50, 50)));
    }
    place.write("part-3.csv", "nr,x,y,note\n");
    // The folder is made, and what was written is said.
    let ran = place.run("score m.json part-*.csv --partition new/out --keep nr --report json");
    assert_eq!(ran.err, "150 rows -> 4 files in new/out\n");
    std::fs::rename(place.path("new/out"), place.path("out")).expect("moved");
    let report = json(&ran.out);
    assert_eq!((&report["rows"], &report["columns"]), (&150.into(), &2.into()));
    for i in 0..3 {
        let expected = place.done(&format!("score m.json part-{i}.csv --keep nr"));
        assert_eq!(place.text(&format!("out/part-{i}.csv")), expected);
    }
    assert_eq!(place.text("out/part-3.csv"), "nr,prediction\n");

    std::fs::create_dir(place.path("more")).expect("a folder");
    place.write("more/part-0.csv", format!("nr,x,y,note\n{}", csv(0, 5)));
    for (words, code, said) in [
        ("part-0.csv more/part-0.csv --partition out", 2, &["`part-0.csv`", "two folders"][..]),
        ("part-0.csv --partition .", 2, &["part-0.csv", "another name"]),
        ("part-0.csv --partition out -o x.csv", 2, &["--partition", "--output"]),
    ] {
        place.refuses(&format!("score m.json {words}"), code, said);
    }
}

/// Which of many files it is, and nothing of what was written before.
#[test]
fn the_file_at_fault_is_named() {
    let place = fitted();
    let df = |n: i64| df!["x" => (0..n).collect::<Vec<i64>>(), "note" => vec!["n"; n as usize]];
    for name in ["a.parquet", "b.parquet", "c.parquet"] {
        place.save(name, df(60_000).expect("a frame"));
    }
    let mut bytes = std::fs::read(place.path("b.parquet")).expect("read");
    bytes[100..50_000].fill(0xff);
    place.write("b.parquet", bytes);
    place.write("a.csv", format!("nr,x,y,note\n{}", csv(0, 30_000)));
    place.write("b.csv", format!("nr,x,y,note\n{}1,twelve,p,free\n", csv(0, 30_000)));
    place.write("x.csv", "old");
    let before = place.names();
    for (words, said) in [
        ("?.parquet -o x.parquet", &["cannot read `b.parquet` as parquet"][..]),
        ("?.parquet", &["cannot read `b.parquet` as parquet"]),
        (
            "a.csv b.csv -o x.csv",
            &["`b.csv` as csv", "`twelve`", "`x`", "i64", "line 30002", "mend"],
        ),
        ("a.csv b.csv --partition out", &["`b.csv` as csv", "`twelve`"]),
    ] {
        if words.contains("--partition") {
            std::fs::create_dir(place.path("out")).expect("a folder");
        }
        place.refuses(&format!("score m.json {words}"), 1, said);
    }
    // The file before the one at fault is whole.
    assert_eq!(place.text("out/a.csv").lines().count(), 30_001);
    assert_eq!(std::fs::read_dir(place.path("out")).expect("a folder").count(), 1);
    std::fs::remove_dir_all(place.path("out")).expect("removed");
    assert_eq!((place.names(), place.text("x.csv").as_str()), (before, "old"));
}

/// A late odd value in a column that is not read is nobody's business.
#[test]
fn what_is_not_needed_is_not_read() {
    let place = fitted();
    let numbers: String = (0..30_000).map(|i| format!("{i},{}\n", i % 97)).collect();
    place.write("late.csv", format!("odd,x\n{numbers}none,3\n"));
    let out = place.done("score m.json late.csv --keep x");
    assert_eq!(out.lines().count(), 30_002);
    // With it, all rows tell that it is text.
    let out = place.done("score m.json late.csv");
    assert!(out.ends_with("none,3,p\n"), "{}", &out[out.len() - 40..]);
    // Nothing named, nothing kept.
    place.done("score m.json late.csv --keep= -o alone.parquet");
    assert_eq!(place.frame("alone.parquet").get_column_names(), ["prediction"]);
    assert_eq!(place.frame("alone.parquet").height(), 30_001);
}

#[cfg(target_os = "linux")]
mod on_linux {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// A run is signalled while its hidden file grows. It may be quicker than the signal, though
    /// hardly in every try.
    #[test]
    fn a_killed_run_leaves_the_old_output_or_the_whole_new_one() {
        const TRIES: usize = 20;
        let place = fitted();
        place.write("long.csv", format!("nr,x,y,note\n{}", csv(0, 400_000)));
        let whole = place.done("score m.json long.csv");
        for signal in [libc::SIGKILL, libc::SIGINT, libc::SIGTERM] {
            let is_killed = (0..TRIES).any(|_| killed_by(signal, &place, &whole));
            assert!(is_killed, "{TRIES} runs were quicker than signal {signal}");
        }
    }

    fn killed_by(signal: i32, place: &Place, whole: &str) -> bool {
        place.write("out.csv", "old");
        let mut run = place.command("score m.json long.csv -o out.csv").spawn().expect("starts");
        let hidden = || place.names().into_iter().find(|name| name.starts_with(".gaintree-"));
        while hidden().is_none() && run.try_wait().expect("asked").is_none() {
            std::thread::yield_now();
        }
        // Safety: a call without pointers, of a child that nobody has waited for since.
        assert_eq!(unsafe { libc::kill(run.id() as i32, signal) }, 0);
        let is_killed = run.wait().expect("ends").signal() == Some(signal);
        let out = place.text("out.csv");
        assert!(out == "old" || out == whole, "{} bytes", out.len());
        // Only what cannot be caught leaves the hidden file.
        let left = hidden();
        assert!(left.is_none() || signal == libc::SIGKILL, "{left:?}");
        left.iter().for_each(|name| std::fs::remove_file(place.path(name)).expect("removed"));
        is_killed
    }

    #[test]
    fn a_full_disk_is_one_clear_line() {
        let place = fitted();
        std::os::unix::fs::symlink("/dev/full", place.path("full.csv")).expect("a link");
        let score = "score m.json train.csv -o full.csv";
        place.refuses(score, 1, &["`full.csv`", "No space left"]);
        // The device is still one.
        place.refuses(score, 1, &["No space left"]);
    }
}

/// Columns that no one asks for may be in one file and not in another.
#[test]
fn files_need_the_same_columns_only_of_those_that_are_read() {
    let place = Place::with("a.csv", "x,note_a,y\n1,p,no\n2,q,no\n3,r,yes\n4,s,yes\n");
    place.write("b.csv", "late,x,note_b,y\n9,1,t,no\n9,4,u,yes\n");
    place.done("fit a.csv --target y --features x -o m.json");
    for (files, kept) in [("a.csv b.csv", "x"), ("b.csv a.csv", "^x$"), ("b.csv a.csv", "^[xy]$")] {
        let scored = place.done(&format!("score m.json {files} --keep {kept}"));
        assert_eq!(scored.lines().count(), 7, "{scored}");
        assert!(scored.starts_with("x,"), "{scored}");
        assert_eq!(scored.matches("yes").count() % 3, 0, "{scored}");
    }
    let judged = place.done("eval m.json b.csv a.csv");
    let figures = judged.lines().nth(1).expect("a line");
    assert!(figures.trim_start().starts_with("6  1.0"), "{judged}");
    for (words, code, parts) in [
        ("score m.json a.csv b.csv", 1, vec!["`a.csv` lacks", "`late`"]),
        ("score m.json a.csv b.csv --keep note_a", 1, vec!["`b.csv` lacks the column `note_a`"]),
        ("score m.json a.csv --keep ^z.*$", 2, vec!["`^z.*$`", "no column matches"]),
        ("score m.json a.csv --keep ^x($", 2, vec!["`^x($`"]),
    ] {
        place.refuses(words, code, &parts);
    }
    place.write("c.csv", "z,y\n1,no\n");
    place.refuses("eval m.json a.csv c.csv", 1, &["`c.csv` lacks the column `x`"]);
    // A pattern matches in the order of the file, and a column once.
    let scored = place.done("score m.json a.csv --keep ^n.*$,y,^y$");
    assert!(scored.starts_with("note_a,y,prediction\n"), "{scored}");
}

/// A row without a target names the flag that leaves it out; what is written is told of.
#[test]
fn thresholds_are_written_and_rows_without_a_target_named() {
    let place = Place::with("t.csv", "x,y\n1,no\n1,no\n1,yes\n2,yes\n2,\n");
    for words in ["fit t.csv --target y -o m.json", "rank t.csv --target y"] {
        place.refuses(words, 1, &["row 5", "--drop-null-target"]);
    }
    place.done("fit t.csv --target y --drop-null-target -o m.json");
    let eval = "eval m.json t.csv --drop-null-target";
    let out = place.done(&format!("{eval} --false-negative-cost 9 --event yes --thresholds c.csv"));
    assert!(out.contains("least cost"), "{out}");
    let table = place.text("c.csv");
    assert!(table.starts_with("event,threshold,predicted,true_positives,"), "{table}");
    assert_eq!(table.lines().count(), 4, "{table}");
    let intervals = place.done(&format!("{eval} --bootstrap 50 --confidence 0.5 --seed 3"));
    assert!(intervals.contains("figure") && intervals.contains("high"), "{intervals}");
    for (flags, parts) in [
        ("--event maybe", vec!["`maybe`", "`no`, `yes`"]),
        ("--bins 0", vec!["bins is 0"]),
        ("--false-positive-cost -1", vec!["false_positive_cost is -1"]),
        ("--bootstrap 2", vec!["resamples is 2"]),
        ("--seed 2", vec!["--bootstrap"]),
        ("--thresholds c.csv -o c.csv", vec!["-o and --thresholds"]),
    ] {
        place.fails(&format!("{eval} {flags}"), 2, &parts);
    }
    let ran = place.run("rank iris.parquet --target species -o r.csv");
    assert!(ran.err.ends_with("4 rows -> r.csv\n"), "{}", ran.err);
    place.done("fit iris.parquet --target species --max-depth 1 -o i.json");
    place.refuses("eval i.json iris.parquet --thresholds c.csv", 2, &["3 classes", "--event"]);
}
