//! Codes for pairs of class and weight: an entry has room for a code, and not for a weight.

use hashbrown::HashMap;

use super::count::Count;

/// Codes pairs in the order in which they come up.
pub(super) struct PairCoder<N> {
    pub(super) pairs: Vec<(u16, N)>,
    codes: HashMap<(u16, N), u16>,
    most: usize,
}

impl<N: Count> PairCoder<N> {
    /// Codes at most `most` pairs.
    pub(super) fn new(most: usize) -> Self {
        PairCoder { pairs: Vec::new(), codes: HashMap::new(), most: most.min(NO_CODE.into()) }
    }

    /// The code of a pair, unless there are too many.
    pub(super) fn code(&mut self, pair: (u16, N)) -> Option<u16> {
        let PairCoder { pairs, codes, .. } = self;
        let code = *codes.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            (pairs.len() - 1) as u16
        });
        (pairs.len() <= self.most).then_some(code)
    }
}

const NO_CODE: u16 = u16::MAX;

/// Codes rows that have a pair already, and keep its class but not always its weight.
pub(super) struct PairRecoder<'a, N> {
    before: &'a [(u16, N)],
    pub(super) coder: PairCoder<N>,
    /// For each pair before, the weight and the code of the last row with the pair's own weight,
    /// and of the last row with another one. Most rows are like it.
    last: Vec<[(N, u16); 2]>,
}

impl<'a, N: Count> PairRecoder<'a, N> {
    pub(super) fn new(before: &'a [(u16, N)], most: usize) -> Self {
        let last = vec![[(N::default(), NO_CODE); 2]; before.len()];
        PairRecoder { before, coder: PairCoder::new(most), last }
    }

    /// The code of a row of this weight that had the pair `code` before.
    #[inline]
    pub(super) fn code(&mut self, code: u16, units: N) -> Option<u16> {
        let (class, whole) = self.before[usize::from(code)];
        let last = &mut self.last[usize::from(code)][usize::from(units != whole)];
        if last.1 == NO_CODE || last.0 != units {
            *last = (units, self.coder.code((class, units))?);
        }
        Some(last.1)
    }
}
