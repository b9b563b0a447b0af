//! Columns of dtypes that other programs write. The files in `foreign/` are PyArrow's: `x` is 1, 1,
//! 2, 2, `y` is a, a, b, b, and there is one more column.

use super::*;

fn with_files() -> Place {
    let place = Place::with("zone.parquet", include_bytes!("foreign/zone.parquet"));
    place.write("uuid.parquet", include_bytes!("foreign/uuid.parquet"));
    place.write("interval.arrow", include_bytes!("foreign/interval.arrow"));
    place.write("decimal256.arrow", include_bytes!("foreign/decimal256.arrow"));
    place.write("int96.parquet", include_bytes!("foreign/int96.parquet"));
    place.write("int96_far.parquet", include_bytes!("../../../tests/it/int96.parquet"));
    place.write("extensions.parquet", include_bytes!("foreign/extensions.parquet"));
    place.write("extensions.arrow", include_bytes!("foreign/extensions.arrow"));
    place
}

/// Hours of 1 January 2024 in the zone `+05:30`.
#[test]
fn a_zone_that_is_an_offset_is_read_as_instants() {
    let place = with_files();
    place.done("fit zone.parquet --target y --features t -o m.json");
    let tree = place.done("show m.json");
    assert!(tree.contains("t >= 2024-01-01 01:30:00Z: b (100.0 % of 2)"), "{tree}");
    for name in ["z.csv", "z.ndjson", "z.parquet", "z.ipc"] {
        place.done(&format!("score m.json zone.parquet -o {name}"));
        let again = place.done(&format!("score m.json {name} --prefix again_ --keep="));
        assert_eq!(again, "again_prediction\na\na\nb\nb\n", "{name}");
    }
    assert!(place.done("rank zone.parquet --target y --features x").contains("x >= 2"));
}

#[test]
fn a_column_that_is_not_read_does_not_matter() {
    let place = with_files();
    for name in ["interval.arrow", "decimal256.arrow"] {
        let words = format!("rank {name} --target y --features x -o -");
        assert!(place.done(&words).contains("x >= 2"), "{name}");
    }
    assert!(place.done("rank interval.arrow --target y").contains("struct[3] has no order"));
    place.refuses("rank decimal256.arrow --target y", 1, &["decimal256", "cast it to decimal128"]);
}

/// Times as parquet's INT96, two years each: 1700 and 2200, which nanoseconds reach, and 1000 and 9999.
#[test]
fn int96_is_right_or_refused() {
    let place = with_files();
    let fit = "--target y --features t -o m.json";
    for memory in ["", "--memory 64MB"] {
        place.done(&format!("fit int96.parquet {fit} {memory}"));
        assert!(place.done("show m.json").contains("t >= 1950-01-01 12:00:00: b (100.0 % of 2)"));
    }
    let ranked = place.done("rank int96.parquet --target y --features t");
    assert!(ranked.contains("t >= 1950-01-01 12:00:00   1.000000"), "{ranked}");
    for name in ["s.csv", "s.parquet"] {
        place.done(&format!("score m.json int96.parquet -o {name}"));
    }
    place.done("fit int96.parquet --target y --features x -o x.json");
    for (words, column) in [
        ("rank F --target y --features t", "`t` (datetime[ns])"),
        ("rank F --target y --features t --memory 64MB", "`t`"),
        ("fit F --target y --features t -o n.json", "`t`"),
        ("fit F --target y --features t -o n.json --memory 64MB", "`t`"),
        ("eval m.json F", "`t`"),
        ("score m.json F --keep t -o o.csv", "`t`"),
        ("score m.json F --keep t -o o.parquet", "`t`"),
        ("score m.json F --keep t -o o.json", "`t`"),
        ("score x.json F --keep l -o o.parquet", "`l` (list[datetime[ns]])"),
    ] {
        let words = words.replace('F', "int96_far.parquet");
        let said = ["`int96_far.parquet`", column, "INT96", "outputTimestampType=TIMESTAMP_MICROS"];
        place.refuses(&words, 1, &said);
    }
    // A column that is not read does not matter.
    let scored = place.done("score x.json int96_far.parquet --keep x");
    assert_eq!(scored, "x,prediction\n1,a\n1,a\n2,b\n2,b\n");
}

/// Arrow's extension types are read as what they are stored as.
#[test]
fn extension_types_do_not_matter() {
    let place = with_files();
    place.done("fit uuid.parquet --target y --features x -o m.json");
    assert!(place.done("show m.json").contains("x >= 2"));
    let scored = place.done("score m.json uuid.parquet --keep x");
    assert_eq!(scored, "x,prediction\n1,a\n1,a\n2,b\n2,b\n");
    let ranked = place.done("rank uuid.parquet --target y");
    assert!(ranked.contains("dtype binary has no order"), "{ranked}");
    let fit = "fit uuid.parquet --target y -o m.json";
    place.refuses(fit, 1, &["`u`", "binary"]);
    place.done("score m.json uuid.parquet -o o.parquet");
    // The columns `j` of JSON and `b` of bool8 tell the classes apart as `x` does.
    for name in ["extensions.parquet", "extensions.arrow"] {
        for (feature, cut) in [("j", "j in {1}"), ("b", "b >= 1")] {
            place.done(&format!("fit {name} --target y --features {feature} -o m.json"));
            assert!(place.done("show m.json").contains(cut), "{}", place.done("show m.json"));
            let scored = place.done(&format!("score m.json {name} --keep={feature}"));
            assert_eq!(scored.lines().count(), 5);
        }
    }
}

#[test]
fn a_column_that_an_output_cannot_hold_is_named() {
    let place = Place::new();
    let mut df = df!["x" => [1, 1, 2, 2], "y" => ["a", "a", "b", "b"]].expect("a frame");
    let bytes: [&[u8]; 4] = [b"a", b"\xff", b"", b"c"];
    df.with_column(Column::new("raw".into(), bytes)).expect("added");
    let micros = Column::new("took".into(), [1i64, 2, 3, 4]);
    let took = micros.cast(&DataType::Duration(TimeUnit::Microseconds)).expect("casts");
    df.with_column(took).expect("added");
    place.save("t.parquet", df);
    place.done("fit t.parquet --target y --features x -o m.json");
    for out in ["-o o.csv", "-o o.csv.gz", "-o o.ndjson", "-o o.json", ""] {
        let words = format!("score m.json t.parquet --keep x,raw {out}");
        place.refuses(&words, 1, &["`raw` (binary)", "--keep", ".parquet"]);
    }
    place.refuses("score m.json t.parquet --keep took -o o.tsv", 1, &["`took` (duration"]);
    for out in ["o.parquet", "o.ipc"] {
        place.done(&format!("score m.json t.parquet -o {out}"));
        assert_eq!(place.frame(out).width(), 5);
    }
}

/// Dates and times that Polars has no text for, as DuckDB's infinite ones.
#[test]
fn years_beyond_text_are_named() {
    let place = Place::new();
    let [infinite, last] = [i32::MAX, 95_026_236];
    let day = 86_400_000_000i64;
    let times = [0, 0, i64::MAX, 0];
    let mut df = df![
        "x" => [1, 1, 2, 2], "y" => ["a", "a", "b", "b"], "d" => [0, 1, infinite, infinite],
        "first" => [0, 0, 0, i32::MIN], "t" => times, "ms" => times, "z" => times,
        "last" => [last; 4], "end" => [i64::from(last) * day + day - 1; 4],
    ]
    .expect("a frame");
    let zone = TimeZone::opt_try_new(Some("Asia/Tokyo")).expect("a zone");
    let of_micros = || DataType::Datetime(TimeUnit::Microseconds, None);
    for (name, dtype) in [
        ("d", DataType::Date),
        ("first", DataType::Date),
        ("t", of_micros()),
        ("ms", DataType::Datetime(TimeUnit::Milliseconds, None)),
        ("z", DataType::Datetime(TimeUnit::Microseconds, zone)),
        ("last", DataType::Date),
        ("end", of_micros()),
    ] {
        let cast = df.column(name).expect("there").cast(&dtype).expect("casts");
        df.with_column(cast).expect("replaced");
    }
    let s = df.clone().into_struct("s".into()).into_series();
    df.with_column(s.into_column()).expect("added");
    place.save("t.parquet", df);
    place.done("fit t.parquet --target y --features x -o x.json");
    for (column, said) in [
        ("d", "`d` (date) has 5881580-07-11,"),
        ("first", "`first` (date) has -5877641-06-23,"),
        ("t", "`t` (datetime[μs]) has 294247-01-10 04:00:54.775807,"),
        ("ms", "`ms` (datetime[ms]) has 292278994-08-17 07:12:55.807,"),
        ("z", "`z` (datetime[μs, Asia/Tokyo]) has 294247-01-10"),
        ("s", "`s` (struct[9]) has 5881580-07-11,"),
    ] {
        for out in ["-o o.csv", "-o o.csv.gz", "-o o.ndjson", "-o o.json", ""] {
            let words = format!("score x.json t.parquet --keep {column} {out}");
            place.refuses(&words, 1, &[said, "missing", "--keep", ".parquet"]);
        }
        for out in ["o.parquet", "o.ipc"] {
            place.done(&format!("score x.json t.parquet --keep {column} -o {out}"));
        }
    }
    // The last that text has.
    for name in ["o.csv", "o.csv.gz", "o.ndjson", "o.json"] {
        place.done(&format!("score x.json t.parquet --keep last,end -o {name}"));
    }
    assert!(place.text("o.csv").contains("+262142-12-31,+262142-12-31T23:59:59.999999,a"));
    // Tables for people have them all.
    let curve = place.done("curve t.parquet --target y --feature d");
    assert!(curve.contains("d >= 2941775-04-07  2941775-04-07"), "{curve}");
    let ranked = place.done("rank t.parquet --target y --features x --by d,t,s");
    assert!(ranked.contains("5881580-07-11") && ranked.contains("294247-01-10"), "{ranked}");
    place.refuses("rank t.parquet --target y --features x --by d -o o.csv", 1, &["`d` (date)"]);
}
