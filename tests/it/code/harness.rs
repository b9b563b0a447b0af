//! Code in a folder, and the compilers that run it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use gaintree::{Code, Language, Result, Tree};

use crate::frames::Frame;

/// A folder that is removed when it is done with.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("gaintree-code-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("written");
    }

    /// Runs a program in the folder, which must succeed.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let path = if program.starts_with("./") { self.0.join(program) } else { program.into() };
        let done = Command::new(path).args(arguments).current_dir(&self.0).output().expect(program);
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (said(&done.stdout), said(&done.stderr));
        assert!(done.status.success(), "{program} {arguments:?} in {:?}:\n{out}{err}", self.0);
        out
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// Writes the files of a model: code, header, example and test.
pub fn write(folder: &Folder, language: Language, code: &Code, test: &str) {
    let (name, end) = (&code.name, language.extension());
    folder.write(&format!("{name}.{end}"), &code.source);
    folder.write(&format!("{name}_example.{end}"), &code.example);
    folder.write(&format!("{name}_test.{end}"), test);
    if let Some(header) = &code.header {
        folder.write(&format!("{name}.h"), header);
    }
}

const C_FLAGS: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-lm"];

/// Runs the tests of models in a folder.
pub fn test(folder: &Folder, language: Language, names: &[String]) {
    match language {
        Language::C => {
            for name in names {
                let files = [format!("{name}.c"), format!("{name}_test.c")];
                let files = files.each_ref().map(String::as_str);
                folder.run("cc", &[&files[..], &C_FLAGS, &["-o", "test"]].concat());
                folder.run("./test", &[]);
            }
        }
        Language::Rust => {
            let modules =
                names.iter().map(|name| format!("#[path = \"{name}_test.rs\"]\nmod {name};\n"));
            folder.write("all.rs", &modules.collect::<String>());
            let rustc = std::env::var("RUSTC").unwrap_or("rustc".to_string());
            folder.run(&rustc, &["--test", "--edition=2021", "-D", "warnings", "all.rs"]);
            let said = folder.run("./all", &[]);
            assert!(said.contains(&format!("{} passed", names.len())), "{said}");
        }
        Language::Python => {
            let runs =
                names.iter().map(|name| format!("import {name}_test\n{name}_test.test_rows()\n"));
            folder.write("all.py", &runs.collect::<String>());
            folder.run("python3", &["-W", "error", "all.py"]);
        }
        _ => unreachable!("a language without a compiler here"),
    }
}

/// Runs the example of a model, and gives what it prints.
pub fn example(folder: &Folder, language: Language, name: &str) -> String {
    match language {
        Language::C => {
            let files = [format!("{name}.c"), format!("{name}_example.c")];
            let files = files.each_ref().map(String::as_str);
            folder.run("cc", &[&files[..], &C_FLAGS, &["-o", "example"]].concat());
            folder.run("./example", &[])
        }
        Language::Rust => {
            let rustc = std::env::var("RUSTC").unwrap_or("rustc".to_string());
            folder.run(&rustc, &["-D", "warnings", &format!("{name}_example.rs")]);
            folder.run(&format!("./{name}_example"), &[])
        }
        Language::Python => folder.run("python3", &[&format!("{name}_example.py")]),
        _ => unreachable!("a language without a compiler here"),
    }
}

/// The test of a tree's code over the rows of a frame.
pub fn code_test(tree: &Tree, spec: &gaintree::CodeSpec, frame: &Frame) -> Result<String> {
    let column = |name: &str| Ok(frame.columns.iter().find(|c| c.name == name).cloned());
    tree.code_test(spec.clone(), frame.n_rows(), column, &[])
}
