//! Files appear whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::trees::{deep, sample};
use crate::tree::TreeData;
use crate::util::atomic_file::write_whole;

/// A folder of one test's own, gone when it ends.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder");
        let name = |e: io::Result<fs::DirEntry>| e.expect("an entry").file_name();
        let mut names: Vec<String> = entries.map(|e| name(e).to_string_lossy().into()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_saved_tree_is_loaded_and_replaced() {
    let folder = Folder::new();
    let path = folder.path().join("model.json");
    for tree in [deep(3), sample(), deep(1)] {
        tree.save(&path).expect("saved");
        assert_eq!(fs::read_to_string(&path).expect("text"), tree.to_json());
        assert_eq!(TreeData::load(&path).expect("loaded"), tree);
        assert_eq!(folder.names(), ["model.json"]);
    }
}

#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let folder = Folder::new();
    let path = folder.path().join("model.json");
    fs::write(&path, "old").expect("written");
    for target in [path.clone(), folder.path().join("other.json")] {
        let failed = write_whole(&target, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::other("no more room"))
        });
        let error = failed.expect_err("it failed");
        assert!(error.is_io());
        let message = error.to_string();
        assert!(message.contains("no more room") && message.contains(".json"), "{message}");
        assert_eq!(folder.names(), ["model.json"]);
        assert_eq!(fs::read_to_string(&path).expect("text"), "old");
    }
}

#[test]
fn places_that_cannot_be_written_or_read_are_named() {
    let folder = Folder::new();
    let tree = deep(1);
    let saved = |path: &str| {
        let error = tree.save(folder.path().join(path)).expect_err(path);
        assert!(error.is_io());
        error.to_string()
    };
    let missing = saved("no/such/model.json");
    assert!(
        missing.contains("no/such/model.json") && missing.contains("make it first"),
        "{missing}"
    );
    assert!(saved("").contains("it is a folder"));
    assert!(tree.save("").expect_err("no name").is_io());
    assert!(tree.save("/").expect_err("no name").is_io());

    let absent = TreeData::load(folder.path().join("model.json")).expect_err("absent");
    assert!(absent.is_io() && absent.to_string().contains("there is no such file"), "{absent}");
    assert!(TreeData::load(folder.path()).expect_err("a folder").is_io());
    assert_eq!(folder.names(), [] as [&str; 0]);
}

#[test]
fn a_damaged_file_is_named() {
    let folder = Folder::new();
    let path = folder.path().join("model.json");
    for (bytes, why) in [
        (&b""[..], "it ends too early"),
        (b"PAR1", "it is no JSON"),
        (b"\xff\xfe{", "byte 0 is not UTF-8 text"),
        (b"{\"format\":\"onnx\",\"version\":1}", "its format is `onnx`"),
    ] {
        fs::write(&path, bytes).expect("written");
        let error = TreeData::load(&path).expect_err(why);
        let message = error.to_string();
        assert!(
            error.is_model() && message.contains("model.json") && message.contains(why),
            "{message}"
        );
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_and_rights_are_kept() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let folder = Folder::new();
    let (file, link) = (folder.path().join("file.json"), folder.path().join("link.json"));
    fs::write(&file, "old").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("rights");
    symlink(&file, &link).expect("a link");
    deep(1).save(&link).expect("saved");
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    let mode = fs::metadata(&file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(TreeData::load(&file).expect("loaded"), deep(1));

    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("text")
    });
    deep(1).save(&pipe).expect("written");
    assert_eq!(reader.join().expect("read"), deep(1).to_json());
    assert!(fs::metadata(&pipe).expect("the pipe").file_type().is_fifo());
}
