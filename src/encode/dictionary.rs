//! Levels and codes of text.

use super::ranks::from_ranks;
use crate::data::column::Codes;
use crate::data::column_data::MISSING;
use crate::data::dtype::DType;

pub(super) fn encode_text(ids: &[u32], texts: Vec<String>, dtype: &DType) -> (Vec<String>, Codes) {
    let dictionary = Dictionary::new(ids, texts, dtype);
    let codes = ids.iter().map(|&id| dictionary.code(id));
    let codes = from_ranks(codes, dictionary.levels.len(), None);
    (dictionary.levels, codes)
}

/// The texts that occur, in level order, and the code of each text's id.
pub(crate) struct Dictionary {
    pub(crate) levels: Vec<String>,
    /// By id; for a text that does not occur the code has no meaning.
    code_of: Vec<u32>,
}

impl Dictionary {
    /// The dictionary of rows whose texts are given by id, or [`MISSING`]. Linear in the rows, plus
    /// `l log l` in the levels.
    pub(crate) fn new(ids: &[u32], mut texts: Vec<String>, dtype: &DType) -> Dictionary {
        let mut occurs = vec![false; texts.len()];
        ids.iter().filter(|&&id| id != MISSING).for_each(|&id| occurs[id as usize] = true);
        // Prefixes decide nearly all comparisons, without a cache miss for the text itself.
        let used = texts.iter().enumerate().filter(|&(id, _)| occurs[id]);
        let mut order: Vec<(u128, usize)> = used.map(|(id, text)| (prefix(text), id)).collect();
        // The texts of an enum are in declared order already.
        if !matches!(dtype, DType::Enum { .. }) {
            order.sort_unstable_by(|(a_prefix, a), (b_prefix, b)| {
                a_prefix.cmp(b_prefix).then_with(|| texts[*a].cmp(&texts[*b]))
            });
        }
        let mut levels: Vec<String> = Vec::with_capacity(order.len());
        let mut code_of = vec![0; texts.len()];
        for (_, id) in order {
            if levels.last() != Some(&texts[id]) {
                levels.push(std::mem::take(&mut texts[id]));
            }
            code_of[id] = levels.len() as u32 - 1;
        }
        Dictionary { levels, code_of }
    }

    /// The code of a row by its text's id; missing comes after the levels.
    #[inline(always)]
    pub(crate) fn code(&self, id: u32) -> u32 {
        match self.code_of.get(id as usize) {
            Some(&code) => code,
            None => self.levels.len() as u32,
        }
    }
}

/// The first bytes of a text as a number; texts with different prefixes compare as these do.
fn prefix(text: &str) -> u128 {
    let mut bytes = [0; size_of::<u128>()];
    let n = text.len().min(bytes.len());
    bytes[..n].copy_from_slice(&text.as_bytes()[..n]);
    u128::from_be_bytes(bytes)
}
