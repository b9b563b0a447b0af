//! Names of columns in the words of arguments.

use gaintree::FeatureSpec;

use crate::input::Scan;
use crate::process::Result;

/// Makes the words of a spec names of columns. Patterns `^…$` for features and for columns to exclude stand
/// for the columns that they match.
pub fn name_columns(spec: &mut impl FeatureSpec, scan: &Scan, target: &str) -> Result<()> {
    spec.map_columns(|words| names(words, scan));
    Ok(spec.choose_features(scan.empty().schema(), target)?)
}

/// The columns that words name: a word is a column's name, or several with commas between them.
pub fn names(words: &[String], scan: &Scan) -> Vec<String> {
    words.iter().flat_map(|word| parts(word, scan)).collect()
}

fn parts(word: &str, scan: &Scan) -> Vec<String> {
    if scan.has(word) {
        return vec![word.to_string()];
    }
    let name = |part: &str| if scan.has(part) { part } else { part.trim() }.to_string();
    let parts: Vec<String> = word.split(',').filter(|part| !part.is_empty()).map(name).collect();
    // A pattern may have a comma in it too.
    let known = |part: &String| scan.has(part) || is_pattern(part);
    if is_pattern(word) && !parts.iter().all(known) { vec![word.to_string()] } else { parts }
}

pub fn is_pattern(word: &str) -> bool {
    word.starts_with('^') && word.ends_with('$')
}
