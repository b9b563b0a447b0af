//! Levels and codes of keys within a small range, by a table of the keys that occur.

use super::ranks::from_codes;
use crate::data::column::Codes;

const SMALL_RANGE: u64 = 1 << 16;

/// Whether a table is used for this many rows whose greatest key is `span` above the least: it
/// should not be longer than the column.
pub(crate) fn is_small_range(span: u64, n_rows: usize) -> bool {
    span < SMALL_RANGE.min(n_rows as u64)
}

/// Levels and codes of keys within the range of a byte. If every key of the range occurs, as in
/// most columns of small integers, a key's distance from `min` is its code already.
pub(super) fn byte_range(keys: &[u64], missing: Option<&[bool]>, min: u64) -> (Vec<u64>, Codes) {
    let mut codes: Vec<u8> = keys.iter().map(|key| key.wrapping_sub(min) as u8).collect();
    let mut present = [false; 1 << u8::BITS];
    match missing {
        None => codes.iter().for_each(|&at| present[usize::from(at)] = true),
        Some(missing) => {
            let known = codes.iter().zip(missing).filter(|(_, missing)| !**missing);
            known.for_each(|(&at, _)| present[usize::from(at)] = true);
        }
    }
    let levels = levels(&present, min);
    let mut code_of = [0; 1 << u8::BITS];
    for (code, level) in levels.iter().enumerate() {
        code_of[(level - min) as usize] = code as u8;
    }
    if present[..levels.len()].contains(&false) {
        codes.iter_mut().for_each(|code| *code = code_of[usize::from(*code)]);
    }
    if let Some(missing) = missing {
        let rows = codes.iter_mut().zip(missing).filter(|(_, missing)| **missing);
        rows.for_each(|(code, _)| *code = levels.len() as u8);
    }
    (levels, Codes::ByRow(codes))
}

/// Levels and codes of keys at most `span` above `min`.
pub(super) fn small_range(
    keys: &[u64],
    missing: Option<&[bool]>,
    min: u64,
    span: usize,
) -> (Vec<u64>, Codes) {
    let is_missing = |row: usize| missing.is_some_and(|m| m[row]);
    let mut present = vec![false; span + 1];
    for (row, key) in keys.iter().enumerate() {
        if !is_missing(row) {
            present[(key - min) as usize] = true;
        }
    }
    let levels = levels(&present, min);
    let mut code_of = vec![0; span + 1];
    for (code, level) in levels.iter().enumerate() {
        code_of[(level - min) as usize] = code as u32;
    }
    let n_levels = levels.len();
    let code = |(row, key): (usize, &u64)| match is_missing(row) {
        true => n_levels as u32,
        false => code_of[(key - min) as usize],
    };
    (levels, from_codes(keys.iter().enumerate().map(code), n_levels))
}

fn levels(present: &[bool], min: u64) -> Vec<u64> {
    (0..present.len()).filter(|&at| present[at]).map(|at| min + at as u64).collect()
}
