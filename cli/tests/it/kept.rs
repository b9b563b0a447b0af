//! Models of released versions, kept with what they answered: both are read for ever.
//!
//! A file here is never changed. A new version adds its own.

use super::*;

#[test]
fn kept_models_answer_as_they_did() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
    let place = Place::new();
    let mut kept = 0;
    for entry in std::fs::read_dir(&data).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("UTF-8").to_string();
        let forest = name.strip_suffix(".forest.json");
        let Some(stem) = forest.or_else(|| name.strip_suffix(".tree.json")) else { continue };
        let text = |name: &str| std::fs::read_to_string(data.join(name)).expect("kept");
        // Each version writes its name; the rest is as it was.
        let model = gaintree::Model::load(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (written, leaf) = match &model {
            gaintree::Model::Tree(tree) => (tree.to_json(), "--leaf"),
            gaintree::Model::Forest(forest) => (forest.to_json(), ""),
        };
        let without_version = |text: &str| -> String {
            text.lines().filter(|line| !line.contains("\"written_by\"")).collect()
        };
        assert_eq!(without_version(&written), without_version(&text(&name)), "{name}");
        place.write(&name, text(&name));
        place.write("rows.csv", text("rows.csv"));
        let probability = if model.is_regression() { "" } else { "--probability" };
        let scored = place.done(&format!("score {name} rows.csv {leaf} --keep id {probability}"));
        assert_eq!(scored, text(&format!("{stem}.scores.csv")), "{name}");
        kept += 1;
    }
    assert!(kept >= 6);
}
