//! What code cannot hold, and what names cannot do.

use gaintree::engine::dtype::{DType, Value};
use gaintree::{CodeSpec, Language, Missing, Tree, TreeSpec};

use super::harness::{Folder, code_test, example, test, write};
use crate::frames::{Column, Frame};

fn grown(column: Column, spec: TreeSpec) -> Tree {
    let n = column.cells.len();
    let y = Column::texts("y", (0..n).map(|row| if row < n / 2 { "a" } else { "b" }));
    Frame::new(vec![column], y).grow(&spec).expect("grows")
}

#[test]
fn c_takes_no_nul() {
    let tree = grown(Column::texts("x", ["a\0b", "a"]), TreeSpec::cart());
    let error = tree.to_code(Language::C).unwrap_err();
    let said =
        "feature `x` (str): its level \"a\\0b\" has a NUL, which ends a string in C: replace it";
    assert_eq!(error.to_string(), said);
    assert!(tree.to_code(Language::Rust).is_ok() && tree.to_code(Language::Python).is_ok());
}

#[test]
fn rows_go_down_one_branch() {
    let tree =
        grown(Column::floats("x", [1.0, 2.0]), TreeSpec::cart().missing(Missing::Fractional));
    let error = tree.to_code(Language::Python).unwrap_err();
    let said = "the model sends a missing value down every branch (missing = fractional), which code \
        cannot: score it otherwise, or fit it with missing = learn or majority";
    assert_eq!(error.to_string(), said);
}

#[test]
fn a_test_needs_rows_of_the_models_types() {
    let column = Column::ints("x", DType::I64, [1, 2]);
    let tree = grown(column, TreeSpec::cart());
    let said = |column: Column| {
        let y = Column::texts("y", vec!["a"; column.cells.len()]);
        let frame = Frame::new(vec![column], y);
        code_test(&tree, &Language::C.into(), &frame).unwrap_err().to_string()
    };
    assert_eq!(
        said(Column::floats("x", [0.5])),
        "column `x` is f64 here, but the model was fitted on i64, which is the type of its C code: \
         cast it to i64"
    );
    let none = Column::ints("x", DType::I64, []);
    assert_eq!(said(none), "the table has no rows: a test of the code needs one");
}

/// Names of 64 KB, reserved ones, and those that differ in nothing that an identifier holds.
#[test]
fn names_do_no_harm() {
    let long = "*/\n\"??/".repeat(10_000);
    for language in Language::ALL {
        let folder = Folder::new(&format!("names-{}", language.name()));
        for (at, target) in ["int", "lambda", &long, "2 b", "", "a\r\nb"].into_iter().enumerate() {
            let texts = [format!("{long}b"), format!("{long}a"), "it".to_string(), "c".to_string()];
            let columns = vec![
                Column::texts("a b", texts),
                Column::floats("a_b", [1.0, 2.0, 2.0, 1.0]),
                Column::ints("A-B", DType::U64, [1, 2, u64::MAX.into(), 1 << 63]),
            ];
            let y = Column::texts(target, [long.as_str(), "b", "c", "d"]);
            let frame = Frame::new(columns, y);
            for conditions in [usize::MAX, 0] {
                let tree = frame.grow(&TreeSpec::id3()).expect("grows");
                let spec = CodeSpec::new(language).max_conditions(conditions);
                let mut code = tree.to_code(spec.clone()).expect("code");
                let rows = code_test(&tree, &spec, &frame).expect("a test");
                write(&folder, language, &code, &rows);
                test(&folder, language, std::slice::from_ref(&code.name));
                assert!(at != 0 || code.name == "int_", "{}", code.name);
                code.name.truncate(60);
            }
        }
    }
}

/// A value that is not there fails an assertion, where the model was fitted without.
#[test]
fn a_missing_value_is_an_error_where_it_was() {
    let tree = grown(Column::floats("x", [1.0, 2.0]), TreeSpec::cart().missing(Missing::Error));
    for (language, line) in [
        (Language::C, "assert(row->x == row->x);"),
        (Language::Rust, "assert!(!row.x.is_nan(), \"x is missing\");"),
        (Language::Python, "raise ValueError(f\"`{name}` is missing"),
    ] {
        let code = tree.to_code(language).expect("code");
        assert!(code.source.contains(line), "{}", code.source);
        let folder = Folder::new(&format!("error-{}", language.name()));
        write(&folder, language, &code, "");
        assert!(example(&folder, language, "y").starts_with("b\n"));
    }
}

/// The largest and the least of each type, and a label of each.
#[test]
fn values_at_the_ends_of_their_types() {
    let ends = |dtype: &DType| -> [Value; 2] {
        match dtype {
            DType::I64 => [Value::Int(i64::MIN.into()), Value::Int(i64::MAX.into())],
            DType::U64 => [Value::Int(0), Value::Int(u64::MAX.into())],
            DType::I128 => [Value::Int(i128::MIN), Value::Int(i128::MAX)],
            DType::U128 => [Value::Unsigned(0), Value::Unsigned(u128::MAX)],
            _ => [Value::Float(f64::NEG_INFINITY), Value::Float(f64::INFINITY)],
        }
    };
    for language in Language::ALL {
        let folder = Folder::new(&format!("ends-{}", language.name()));
        let mut names = Vec::new();
        for dtype in [DType::I64, DType::U64, DType::I128, DType::U128, DType::F64] {
            let target_dtype = if dtype == DType::F64 { DType::I8 } else { dtype.clone() };
            let labels = match &target_dtype {
                DType::I8 => [Value::Int(-128), Value::Int(127)],
                dtype => ends(dtype),
            };
            let x = Column::new("x", dtype.clone(), ends(&dtype).map(Some));
            let y = Column::new("y", target_dtype, labels.map(Some));
            let frame = Frame::new(vec![x], y);
            for conditions in [usize::MAX, 0] {
                let name = format!("{dtype}_{}", conditions.min(1));
                let spec = CodeSpec::new(language).name(&name).max_conditions(conditions);
                let mut cart = TreeSpec::cart();
                cart.task = gaintree::Task::Classify;
                let tree = frame.grow(&cart).expect("grows");
                let code = tree.to_code(spec.clone()).expect("code");
                write(&folder, language, &code, &code_test(&tree, &spec, &frame).expect("a test"));
                example(&folder, language, &name);
                names.push(name);
            }
        }
        test(&folder, language, &names);
    }
}
