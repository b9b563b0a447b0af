//! Levels and codes of keys within a small range, by a table of the keys that occur.

use super::ranks::from_ranks;
use super::sort::payload_keys::{Extent, PayloadKeys, RowNumbers};
use crate::data::column::Codes;

const SMALL_RANGE: u64 = 1 << 16;

/// Whether a table is used for this many rows whose greatest key is `span` above the least: it
/// should not be longer than the column.
pub(crate) fn is_small_range(span: u64, n_rows: usize) -> bool {
    span < SMALL_RANGE.min(n_rows as u64)
}

/// Levels and codes of keys within the range of a byte. If every key of the range occurs, as in
/// most columns of small integers, a key's distance from the least one is its code already.
pub(super) fn byte_range(column: PayloadKeys<RowNumbers>, extent: Extent) -> (Vec<u64>, Codes) {
    let distance = |key: &u64| key.wrapping_sub(extent.min) as u8;
    let mut codes: Vec<u8> = column.keys.iter().map(distance).collect();
    let mut present = [false; 1 << u8::BITS];
    match column.missing {
        None => codes.iter().for_each(|&at| present[usize::from(at)] = true),
        Some(missing) => {
            let known = codes.iter().zip(missing).filter(|(_, missing)| !**missing);
            known.for_each(|(&at, _)| present[usize::from(at)] = true);
        }
    }
    let (levels, code_of) = ranks(&present, extent.min);
    if present[..levels.len()].contains(&false) {
        let code_of = &code_of[..1 << u8::BITS];
        codes.iter_mut().for_each(|code| *code = code_of[usize::from(*code)] as u8);
    }
    if let Some(missing) = column.missing {
        let rows = codes.iter_mut().zip(missing).filter(|(_, missing)| **missing);
        rows.for_each(|(code, _)| *code = levels.len() as u8);
    }
    (levels, Codes::ByRow(codes))
}

/// Levels and codes of keys within a [small range](is_small_range).
pub(super) fn small_range(column: PayloadKeys<RowNumbers>, extent: Extent) -> (Vec<u64>, Codes) {
    let mut present = vec![false; (extent.max - extent.min) as usize + 1];
    column.each_known(|key, _| present[(key - extent.min) as usize] = true);
    let (levels, code_of) = ranks(&present, extent.min);
    let code = |(row, key): (usize, &u64)| match column.is_missing(row) {
        true => levels.len() as u32,
        false => code_of[(key - extent.min) as usize],
    };
    let codes = from_ranks(column.keys.iter().enumerate().map(code), levels.len(), None);
    (levels, codes)
}

/// The keys that occur, and the code of each key of the range.
fn ranks(present: &[bool], min: u64) -> (Vec<u64>, Vec<u32>) {
    let mut levels = Vec::new();
    let mut code_of = vec![0; present.len()];
    for at in (0..present.len()).filter(|&at| present[at]) {
        code_of[at] = levels.len() as u32;
        levels.push(min + at as u64);
    }
    (levels, code_of)
}
