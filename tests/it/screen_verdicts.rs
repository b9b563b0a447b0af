//! How often verdicts are false: a simulation, whose figures stand in docs/reference.md.
//!
//! ```text
//! cargo test --all-features --test it -- --ignored --nocapture false_verdicts
//! ```

use gaintree::prelude::*;
use polars::prelude::*;

use crate::messy::Draws;

const ROWS: usize = 40_000;
const TRIES: u64 = 400;

/// The targets of the simulation: what each is called, and its values for a share from 0 to 1.
const TARGETS: [&str; 4] = ["two classes", "a class of 1 %", "ten classes", "numbers"];

fn target(kind: &str, of: &[f64]) -> Column {
    let name = PlSmallStr::from_static("y");
    match kind {
        "two classes" => Column::new(name, of.iter().map(|&y| y < 0.5).collect::<Vec<_>>()),
        "a class of 1 %" => Column::new(name, of.iter().map(|&y| y < 0.01).collect::<Vec<_>>()),
        "ten classes" => {
            Column::new(name, of.iter().map(|&y| (y * 10.0) as i32).collect::<Vec<_>>())
        }
        _ => Column::new(name, of.iter().map(|&y| -y.max(1e-9).ln()).collect::<Vec<_>>()),
    }
}

/// Columns that tell nothing.
fn chance_columns(draw: &mut Draws) -> Vec<Column> {
    let mut columns = Vec::new();
    for levels in [2, 10, 100, 1_000, 10_000] {
        let of = (0..ROWS).map(|_| format!("l{}", draw.below(levels)));
        columns.push(Column::new(format!("{levels} levels").into(), of.collect::<Vec<_>>()));
    }
    // A few levels have most of the rows.
    let skewed = (0..ROWS).map(|_| format!("l{}", (1.0 / draw.share().max(1e-4)) as u32));
    columns.push(Column::new("skewed levels".into(), skewed.collect::<Vec<_>>()));
    columns
        .push(Column::new("numbers".into(), (0..ROWS).map(|_| draw.normal()).collect::<Vec<_>>()));
    columns.push(Column::new(
        "whole numbers".into(),
        (0..ROWS).map(|_| draw.below(60) as i32).collect::<Vec<_>>(),
    ));
    let half = (0..ROWS).map(|_| (draw.share() < 0.5).then_some(draw.normal()));
    let half: Vec<Option<f64>> = half.collect();
    columns.push(Column::new("half missing".into(), half));
    columns
}

fn screened(df: &DataFrame) -> DataFrame {
    df.screen("y", &ScreenSpec::default().full(true)).expect("screens")
}

fn with(mut columns: Vec<Column>, y: Column) -> DataFrame {
    columns.push(y);
    DataFrame::new(ROWS, columns).expect("a frame")
}

/// The share of tries in which each column of chance has a p-value below 0.05, and is judged to
/// tell.
#[test]
#[ignore = "takes minutes: run it by name"]
fn false_verdicts_of_chance() {
    println!("| column | {} |", TARGETS.join(" | "));
    println!("| --- | --- | --- | --- | --- |");
    let mut told: Vec<(String, Vec<[u32; 2]>)> = Vec::new();
    for (at, kind) in TARGETS.into_iter().enumerate() {
        for seed in 0..TRIES {
            let mut draw = Draws(seed + 1_000_000 * at as u64);
            let columns = chance_columns(&mut draw);
            let y: Vec<f64> = (0..ROWS).map(|_| draw.share()).collect();
            let table = screened(&with(columns, target(kind, &y)));
            let features = table.column("feature").expect("names").str().expect("texts").clone();
            let p = table.column("p_value").expect("p").f64().expect("figures").to_vec();
            let verdicts = table.column("verdict").expect("verdicts").str().expect("texts").clone();
            for ((feature, p), verdict) in features.iter().zip(p).zip(verdicts.iter()) {
                let feature = feature.unwrap_or_default();
                let line = match told.iter().position(|(name, _)| name == feature) {
                    Some(line) => line,
                    None => {
                        told.push((feature.to_string(), vec![[0; 2]; TARGETS.len()]));
                        told.len() - 1
                    }
                };
                let counts = &mut told[line].1[at];
                counts[0] += u32::from(p.unwrap_or(1.0) < 0.05);
                counts[1] += u32::from(verdict != Some("chance"));
            }
        }
    }
    told.sort();
    for (feature, of) in told {
        let share = |n: u32| format!("{:.1}", 100.0 * f64::from(n) / TRIES as f64);
        let cells: Vec<String> =
            of.iter().map(|[p, told]| format!("{} ({})", share(*p), share(*told))).collect();
        println!("| {feature} | {} |", cells.join(" | "));
    }
}

/// The verdicts on columns that tell of a rare class by so much, and on columns that go along with
/// another one.
#[test]
#[ignore = "takes minutes: run it by name"]
fn false_verdicts_of_useful_columns() {
    println!("| column | leak | twin | useful | weak | chance |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut lines: Vec<(String, [u32; 5])> = Vec::new();
    for seed in 0..TRIES {
        let mut draw = Draws(seed);
        let x: Vec<f64> = (0..ROWS).map(|_| draw.normal()).collect();
        let of = |draw: &mut Draws, r: f64| -> Vec<f64> {
            x.iter().map(|x| r * x + (1.0 - r * r).sqrt() * draw.normal()).collect()
        };
        let mut columns = vec![Column::new("x, 4 times as many events above 0".into(), &x)];
        for r in [0.9, 0.99, 0.999] {
            columns.push(Column::new(format!("r = {r} with x").into(), of(&mut draw, r)));
        }
        let event: Vec<bool> =
            x.iter().map(|&x| draw.share() < if x > 0.0 { 0.016 } else { 0.004 }).collect();
        for factor in [1.0, 1.5, 2.0, 3.0, 5.0] {
            let has = |event: bool| 0.2 * if event { factor } else { 1.0 };
            let of = event.iter().map(|&event| draw.share() < has(event)).collect::<Vec<_>>();
            columns.push(Column::new(format!("a flag, {factor} times as many events").into(), of));
        }
        let table = screened(&with(columns, Column::new("y".into(), &event)));
        let features = table.column("feature").expect("names").str().expect("texts").clone();
        let verdicts = table.column("verdict").expect("verdicts").str().expect("texts").clone();
        for (feature, verdict) in features.iter().zip(verdicts.iter()) {
            let feature = feature.unwrap_or_default();
            if !lines.iter().any(|(name, _)| name == feature) {
                lines.push((feature.to_string(), [0; 5]));
            }
            let line = lines.iter_mut().find(|(name, _)| name == feature).expect("a line");
            let known = ["leak", "twin", "useful", "weak", "chance"];
            let at = known.iter().position(|of| Some(*of) == verdict).expect("a verdict");
            line.1[at] += 1;
        }
    }
    lines.sort();
    for (feature, counts) in lines {
        let shares = counts.map(|n| format!("{:.1}", 100.0 * f64::from(n) / TRIES as f64));
        println!("| {feature} | {} |", shares.join(" | "));
    }
}
