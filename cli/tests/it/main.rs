//! The command as a user runs it: words in, files and lines out, and an exit code.

mod cards;
mod damaged;
mod decimals;
mod dialects;
mod exports;
mod files;
mod foreign;
mod forests;
mod kept;
mod looking;
mod notes;
mod pictures;
mod road;
mod rows;
mod scoring;
mod screens;
mod streamed;
mod texts;
mod wrong;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use polars::prelude::*;
use tempfile::TempDir;

/// A folder of its own with the example data in it, where the command runs.
struct Place(TempDir);

/// What a run left.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(command: &mut Command) -> Ran {
        let output = command.output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/data");
        for name in ["iris.parquet", "weather.csv", "loan.csv"] {
            std::fs::copy(data.join(name), place.path(name)).expect("copied");
        }
        place
    }

    /// A folder in which `gaintree` has run with some words.
    fn after(words: &str) -> Place {
        let place = Place::new();
        place.done(words);
        place
    }

    /// A folder with another file in it.
    fn with(name: &str, text: impl AsRef<[u8]>) -> Place {
        let place = Place::new();
        place.write(name, text);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text file")
    }

    /// Every name in the folder, hidden ones too.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gaintree"));
        command.args(words.split_whitespace()).current_dir(self.0.path()).stdin(Stdio::null());
        // What whoever runs the tests has set for programs of their own.
        let set = std::env::vars_os().map(|(name, _)| name);
        let steers = |name: &std::ffi::OsString| {
            let starts = ["POLARS_", "RAYON_", "CLICOLOR", "NO_COLOR", "FORCE_COLOR", "COLUMNS"];
            name.to_str().is_some_and(|name| starts.iter().any(|start| name.starts_with(start)))
        };
        set.filter(steers).for_each(|name| {
            command.env_remove(name);
        });
        command
    }

    /// Runs `gaintree` with words that have no spaces in them.
    fn run(&self, words: &str) -> Ran {
        Ran::of(&mut self.command(words))
    }

    /// Runs words that end well.
    fn ends_well(&self, words: &str) -> Ran {
        let ran = self.run(words);
        assert_eq!(ran.code, Some(0), "gaintree {words}: {}", ran.err);
        ran
    }

    /// The standard output of a run that ends well.
    fn done(&self, words: &str) -> String {
        self.ends_well(words).out
    }

    /// Runs words that end well, with this on standard error.
    fn says(&self, words: &str, said: &str) {
        let Ran { err, .. } = self.ends_well(words);
        assert!(err.contains(said), "gaintree {words}: {err}");
    }

    /// Runs words that cannot end well: the last line says why.
    fn fails(&self, words: &str, code: i32, said: &[&str]) -> Ran {
        let ran = self.run(words);
        assert_eq!(ran.code, Some(code), "gaintree {words}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "gaintree {words}");
        let last = ran.err.lines().last().expect("a line");
        assert!(last.starts_with("gaintree: "), "gaintree {words}: {}", ran.err);
        for word in said {
            assert!(last.contains(word), "gaintree {words}: {:?} is not in {last}", word);
        }
        for word in ["panic", "RUST_BACKTRACE", "internal error", "unwrap"] {
            assert!(!ran.err.contains(word), "gaintree {words}: {}", ran.err);
        }
        ran
    }

    /// As [`fails`](Self::fails), with nothing but that line said, and nothing left behind.
    fn refuses(&self, words: &str, code: i32, said: &[&str]) {
        let before = self.names();
        let ran = self.fails(words, code, said);
        assert_eq!(ran.err.lines().count(), 1, "gaintree {words}: {}", ran.err);
        assert_eq!(self.names(), before, "gaintree {words}");
    }

    /// As [`refuses`](Self::refuses), of words, codes, and what is said.
    fn refuses_each(&self, cases: &[(&str, i32, &str)]) {
        cases.iter().for_each(|(words, code, said)| self.refuses(words, *code, &[said]));
    }

    /// Reads a table by the ending of its name.
    fn frame(&self, name: &str) -> DataFrame {
        let file = std::fs::File::open(self.path(name)).expect("it is there");
        let df = match name.rsplit('.').next().expect("an ending") {
            "parquet" => ParquetReader::new(file).finish(),
            "ipc" | "arrow" | "feather" => IpcReader::new(file).finish(),
            "json" => JsonReader::new(file).finish(),
            "ndjson" | "jsonl" => {
                JsonReader::new(file).with_json_format(JsonFormat::JsonLines).finish()
            }
            _ => CsvReader::new(file).finish(),
        };
        df.expect("a table")
    }

    /// Writes a frame as parquet.
    fn save(&self, name: &str, mut df: DataFrame) {
        let file = std::fs::File::create(self.path(name)).expect("a file");
        ParquetWriter::new(file).finish(&mut df).expect("written");
    }
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

/// A line's words.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
