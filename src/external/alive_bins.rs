//! Bins that are to be looked into: all at once, or as many as there is room for.

/// The indices of bins in a column, each with what looking into it takes: the most values that it may
/// have, or their bytes.
pub(super) type AliveBins = Vec<(usize, u64)>;

/// The bins of a column that are alive; `of` says which column it is.
pub(super) struct AliveColumn<C> {
    pub(super) of: C,
    pub(super) bins: AliveBins,
}

impl<C> AliveColumn<C> {
    /// What looking into all bins takes.
    pub(super) fn size(&self) -> u64 {
        self.bins.iter().map(|(_, size)| size).sum()
    }

    pub(super) fn indices(&self) -> Vec<usize> {
        self.bins.iter().map(|(bin, _)| *bin).collect()
    }
}

/// The bins in parts that take at most so much each, or are of one bin.
pub(super) fn in_parts<C: Copy>(alive: Vec<AliveColumn<C>>, most: u64) -> Vec<Vec<AliveColumn<C>>> {
    let (mut parts, mut part, mut size) = (Vec::new(), Vec::new(), 0);
    for AliveColumn { of, bins } in alive {
        let mut of_part = AliveBins::new();
        for (bin, of_bin) in bins {
            if size > 0 && size + of_bin > most {
                let bins = std::mem::take(&mut of_part);
                if !bins.is_empty() {
                    part.push(AliveColumn { of, bins });
                }
                parts.push(std::mem::take(&mut part));
                size = 0;
            }
            of_part.push((bin, of_bin));
            size += of_bin;
        }
        part.push(AliveColumn { of, bins: of_part });
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// Finer bins for each of so many bins, as many as `most_cells` allow; `None` if that is less than two.
pub(super) fn fine_bins_each(n_alive: usize, most_cells: u64) -> Option<usize> {
    let n_bins = most_cells / n_alive.max(1) as u64;
    let n_bins = n_bins.saturating_sub(1).min(FINE_BINS);
    (n_bins >= 2).then_some(n_bins as usize)
}

/// The most finer bins of a bin.
const FINE_BINS: u64 = 16;
