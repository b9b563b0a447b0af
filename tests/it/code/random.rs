//! Random trees and forests of every dtype.

use gaintree::engine::dtype::{DType, Value};
use gaintree::engine::{SharedTable, grow_forest};
use gaintree::{CodeSpec, ForestSpec, Language, Missing, Voting};

use super::harness::{Folder, code_test, test, write};
use crate::frames::Frame;
use crate::random_cases::random_cases;

/// Names that would break out of comments and identifiers.
const NAMES: [&str; 5] = ["*/ int main", "new\nline\\", "a\"\"\"b??/", "class", "[ünï] \u{202e}"];

/// A text as somebody might name it who wishes no good.
fn nasty(text: &str, language: Language) -> String {
    let nul = if language == Language::C { "??/" } else { "\0" };
    match text {
        "a" => "*/ \"); exit(1); //".to_string(),
        "b" => "\"\"\"\n\\".to_string(),
        "c" => nul.to_string(),
        "d" => "{0:?} %s ${x}".to_string(),
        "e" => "\u{202e}\u{1f600}ü".to_string(),
        _ => text.to_string(),
    }
}

fn hostile(frame: &Frame, language: Language) -> Frame {
    frame.changed(&NAMES, |dtype, value| match (dtype, value) {
        (DType::String | DType::Categorical, Value::Text(text)) => {
            Value::Text(nasty(&text, language))
        }
        (_, value) => value,
    })
}

/// Trees of all ways, each in both forms, and a forest for every fourth.
fn check(language: Language, cases: usize) {
    let folder = Folder::new(&format!("{}-{cases}", language.name()));
    let mut names = Vec::new();
    for (frame, mut spec, share) in random_cases() {
        if names.len() == cases {
            break;
        }
        if spec.missing == Missing::Fractional {
            spec.missing = Missing::Learn;
        }
        let frame = hostile(&frame, language);
        let fitted = frame.first(share);
        let Ok(tree) = fitted.grow(&spec) else { continue };
        let rows = frame.with_cuts(&tree).with_nan(|row| row % 2 == 0);
        let name = format!("case_{}", names.len());
        let conditions = if names.len() % 2 == 0 { usize::MAX } else { 0 };
        let spec_of_code = CodeSpec::new(language).name(&name).max_conditions(conditions);
        if names.len() % 4 == 3 {
            let Ok(table) = fitted.table(spec.task) else { continue };
            let table = SharedTable::new(table);
            let spec = ForestSpec::new(spec).trees(3).seed(names.len() as u64);
            let Ok(forest) = grow_forest(&table, &spec) else { continue };
            let voting = match forest.is_regression() || names.len() % 8 == 3 {
                true => Voting::Soft,
                false => Voting::Hard,
            };
            let column = |name: &str| Ok(rows.columns.iter().find(|c| c.name == name).cloned());
            let code = forest.to_code(spec_of_code.clone(), voting).expect("code");
            let rows = forest.code_test(spec_of_code, voting, rows.n_rows(), column, &[]);
            write(&folder, language, &code, &rows.expect("a test"));
        } else {
            let code = tree.to_code(spec_of_code.clone()).expect("code");
            let rows = code_test(&tree, &spec_of_code, &rows).expect("a test");
            write(&folder, language, &code, &rows);
        }
        names.push(name);
    }
    test(&folder, language, &names);
}

#[test]
fn c_answers_as_scoring() {
    check(Language::C, 60);
}

#[test]
fn rust_answers_as_scoring() {
    check(Language::Rust, 60);
}

#[test]
fn python_answers_as_scoring() {
    check(Language::Python, 200);
}

#[test]
#[ignore = "a thousand models a language: tests/engines/run"]
fn many_models_as_code() {
    for language in Language::ALL {
        check(language, 1_000);
        println!("{}: 1,000 models, 0 answered wrongly", language.name());
    }
}
