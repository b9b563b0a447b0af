//! Bins that are to be looked into: all at once, or as many as there is room for.

/// The indices of bins in a column, each with the most values that it may have.
pub(super) type AliveBins = Vec<(usize, u64)>;

/// The bins of a node's column that are alive.
pub(super) struct AliveColumn {
    /// The node and the column, by their indices.
    pub(super) node: usize,
    pub(super) column: usize,
    pub(super) bins: AliveBins,
}

impl AliveColumn {
    pub(super) fn values(&self) -> u64 {
        self.bins.iter().map(|(_, values)| values).sum()
    }

    pub(super) fn indices(&self) -> Vec<usize> {
        self.bins.iter().map(|(bin, _)| *bin).collect()
    }
}

/// The bins in parts of at most so many values, or of one bin.
pub(super) fn in_parts(alive: Vec<AliveColumn>, most: u64) -> Vec<Vec<AliveColumn>> {
    let (mut parts, mut part, mut values) = (Vec::new(), Vec::new(), 0);
    for AliveColumn { node, column, bins } in alive {
        let mut of_part = AliveBins::new();
        for (bin, of_bin) in bins {
            if values > 0 && values + of_bin > most {
                let bins = std::mem::take(&mut of_part);
                if !bins.is_empty() {
                    part.push(AliveColumn { node, column, bins });
                }
                parts.push(std::mem::take(&mut part));
                values = 0;
            }
            of_part.push((bin, of_bin));
            values += of_bin;
        }
        part.push(AliveColumn { node, column, bins: of_part });
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
