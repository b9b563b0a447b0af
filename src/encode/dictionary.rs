//! The texts of a dictionary as levels.

use crate::data::column_data::MISSING;
use crate::data::dtype::DType;

/// The texts that are there, in level order, and the codes of their numbers.
pub(crate) struct Dictionary {
    pub(crate) levels: Vec<String>,
    /// By number; of a text that is not there it means nothing.
    code_of: Vec<u32>,
}

impl Dictionary {
    /// Of rows that go by a text's number, or [`MISSING`]. Linear in the rows, plus `l log l` in
    /// the levels.
    pub(crate) fn new(ids: &[u32], mut texts: Vec<String>, dtype: &DType) -> Dictionary {
        let mut is_there = vec![false; texts.len()];
        ids.iter().filter(|&&id| id != MISSING).for_each(|&id| is_there[id as usize] = true);
        // Their prefixes tell nearly all texts apart, and lie side by side.
        let there = texts.iter().enumerate().filter(|&(id, _)| is_there[id]);
        let mut order: Vec<(u128, usize)> = there.map(|(id, text)| (prefix(text), id)).collect();
        match dtype {
            // The dictionary of an enum is in declared order, as its levels are to be.
            DType::Enum { .. } => {}
            _ => order.sort_unstable_by(|(a_prefix, a), (b_prefix, b)| {
                a_prefix.cmp(b_prefix).then_with(|| texts[*a].cmp(&texts[*b]))
            }),
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

    /// The code of a row by its number; missing comes after the levels.
    #[inline(always)]
    pub(crate) fn code(&self, id: u32) -> u32 {
        match self.code_of.get(id as usize) {
            Some(&code) => code,
            None => self.levels.len() as u32,
        }
    }
}

/// The first bytes of a text as a number: texts of unlike prefixes are in order of these.
fn prefix(text: &str) -> u128 {
    let mut bytes = [0; size_of::<u128>()];
    let n = text.len().min(bytes.len());
    bytes[..n].copy_from_slice(&text.as_bytes()[..n]);
    u128::from_be_bytes(bytes)
}
