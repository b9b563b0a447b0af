//! Random frames against the oracle for as long as told:
//!
//! ```text
//! GAINTREE_SOAK_SECONDS=3600 cargo test -p gaintree --release --no-default-features -- --ignored --nocapture soak
//! ```
//!
//! [`soak`] tries every spec option, dtype, missing and weight pattern, class count and number of
//! threads of the properties of `growth.rs`, from a new seed each time. The cases are counted and
//! printed; the first mismatch is shrunk, and printed as code for a test.
//!
//! [`soak_of_all_properties`] runs every test of this binary but the command's, again and again,
//! each time from another seed, which it prints.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::process::Command;
use std::time::{Duration, Instant};

use gaintree::TreeSpec;
use gaintree::engine::dtype::{DType, Value};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestError, TestRunner};

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::{check, specs};

/// Cases between two looks at the clock.
const BATCH: u32 = 1000;

fn duration() -> Duration {
    let seconds = std::env::var("GAINTREE_SOAK_SECONDS");
    Duration::from_secs(seconds.map_or(10, |s| s.parse().expect("seconds")))
}

#[test]
#[ignore = "runs for as long as GAINTREE_SOAK_SECONDS says (10 without it)"]
fn soak_of_all_properties() {
    let (start, mut runs) = (Instant::now(), 0);
    while start.elapsed() < duration() {
        let seed = RandomState::new().hash_one(runs);
        let mut run = Command::new(std::env::current_exe().expect("a test binary"));
        run.args(["--skip", "cli::", "--skip", "soak::", "--test-threads", "1"]);
        let ran = run.env("PROPTEST_RNG_SEED", seed.to_string()).output().expect("it starts");
        let printed = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "after {runs} runs, PROPTEST_RNG_SEED={seed}:\n{printed}");
        runs += 1;
    }
    println!("{runs} runs of all properties in {} s", start.elapsed().as_secs());
}

#[test]
#[ignore = "runs for as long as GAINTREE_SOAK_SECONDS says (10 without it)"]
fn soak() {
    let (start, mut cases) = (Instant::now(), 0u64);
    while start.elapsed() < duration() {
        let config = ProptestConfig {
            cases: BATCH,
            failure_persistence: None,
            max_shrink_iters: 100_000,
            rng_seed: RngSeed::Random,
            ..ProptestConfig::default()
        };
        let tried = (frames(Weighing::Exact), specs(), 1..=4usize);
        let found = TestRunner::new(config).run(&tried, |(frame, spec, threads)| {
            check(&frame, &spec)?;
            same_in_threads(&frame, &spec, threads)
        });
        match found {
            Ok(()) => cases += u64::from(BATCH),
            Err(TestError::Fail(why, (frame, spec, threads))) => panic!(
                "after {cases} cases: {why}\n{}\n// {threads} threads",
                as_code(&frame, &spec)
            ),
            Err(e) => panic!("{e}"),
        }
    }
    println!("{cases} cases without a mismatch in {} s", start.elapsed().as_secs());
}

fn same_in_threads(frame: &Frame, spec: &TreeSpec, threads: usize) -> Result<(), TestCaseError> {
    let text = |tree: gaintree::Result<gaintree::Tree>| tree.map(|t| t.to_json()).ok();
    prop_assert_eq!(text(frame.grow(spec)), text(frame.grow_with(threads, spec)));
    Ok(())
}

/// A test of this frame and spec, to be pasted into `growth.rs`.
fn as_code(frame: &Frame, spec: &TreeSpec) -> String {
    let mut code = String::from("let frame = Frame {\n    columns: vec![\n");
    for column in &frame.columns {
        let _ = writeln!(code, "        {},", column_code(column));
    }
    let spec = serde_json::to_string(spec).expect("a spec is JSON");
    let _ = write!(
        code,
        "    ],\n    target: {},\n    weights: {},\n}};\n\
         let spec: TreeSpec = serde_json::from_str(r#\"{spec}\"#).expect(\"a spec\");\n\
         check(&frame, &spec).expect(\"the oracle's tree\");",
        column_code(&frame.target),
        frame.weights.as_ref().map_or("None".to_string(), |w| format!("Some(vec!{w:?})")),
    );
    code
}

fn column_code(column: &Column) -> String {
    let cells: Vec<String> = column.cells.iter().map(|c| cell_code(c.as_ref())).collect();
    let own = format!(
        "Column::new({:?}, {}, [{}])",
        column.name,
        dtype_code(&column.dtype),
        cells.join(", ")
    );
    match column.kind == column.dtype.kind() {
        true => own,
        false => format!("Column {{ kind: Kind::{:?}, ..{own} }}", column.kind),
    }
}

fn dtype_code(dtype: &DType) -> String {
    match dtype {
        DType::Enum { categories } => {
            format!("DType::Enum {{ categories: {categories:?}.map(String::from).to_vec() }}")
        }
        DType::Datetime { unit, zone } => format!(
            "DType::Datetime {{ unit: TimeUnit::{unit:?}, zone: {} }}",
            zone.as_ref().map_or("None".to_string(), |z| format!("Some({z:?}.to_string())"))
        ),
        DType::Duration { unit } => format!("DType::Duration {{ unit: TimeUnit::{unit:?} }}"),
        other => format!("DType::{other:?}"),
    }
}

fn cell_code(cell: Option<&Value>) -> String {
    match cell {
        None => "None".to_string(),
        Some(Value::Float(x)) if !x.is_finite() => {
            let name = match x {
                x if x.is_nan() => "NAN",
                x if *x > 0.0 => "INFINITY",
                _ => "NEG_INFINITY",
            };
            format!("Some(Value::Float(f64::{name}))")
        }
        Some(Value::Text(text)) => format!("Some(Value::Text({text:?}.to_string()))"),
        Some(value) => format!("Some(Value::{value:?})"),
    }
}

/// What the soak would print is code: this is it, pasted.
#[test]
fn a_frame_prints_as_code() {
    let frame = Frame {
        columns: vec![
            Column::new("x0", DType::I8, [Some(Value::Int(3)), None]),
            Column::new(
                "x1",
                DType::F64,
                [Some(Value::Float(f64::INFINITY)), Some(Value::Float(0.1))],
            ),
            Column::new(
                "x2",
                DType::Enum { categories: ["b", "a"].map(String::from).to_vec() },
                [Some(Value::Text("a".to_string())), Some(Value::Text("b".to_string()))],
            ),
        ],
        target: Column::new("y", DType::I64, [Some(Value::Int(0)), Some(Value::Int(1))]),
        weights: Some(vec![0.25, 1.0]),
    };
    let code = as_code(&frame, &TreeSpec::cart());
    // The frame above, less its line breaks.
    for line in [
        r#"Column::new("x0", DType::I8, [Some(Value::Int(3)), None]),"#,
        r#"[Some(Value::Float(f64::INFINITY)), Some(Value::Float(0.1))]),"#,
        r#"DType::Enum { categories: ["b", "a"].map(String::from).to_vec() }, [Some(Value::Text("a".to_string())),"#,
        r#"weights: Some(vec![0.25, 1.0]),"#,
        r#""algorithm":"cart""#,
    ] {
        assert!(code.contains(line), "{line}\n{code}");
    }
    check(&frame, &TreeSpec::cart()).expect("the oracle's tree");
}
