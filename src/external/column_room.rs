//! The memory of a ranking whose columns are read a few at a time.

use crate::data::dtype::DType;
use crate::error::Error;
use crate::spec::RankSpec;

/// The memory that there is, in bytes.
pub(crate) struct ColumnRoom {
    n_rows: u64,
    /// What target, weights, groups and given columns take while they are read.
    roles_as_read: u64,
    /// What they take afterwards.
    roles: u64,
    /// What each feature takes while it is ranked.
    features: Vec<u64>,
    budget: u64,
    threads: usize,
}

impl ColumnRoom {
    /// What columns take by their dtype. `distinct` has, for each feature of texts, the distinct texts among
    /// a few rows, and the number of those rows.
    pub(crate) fn new(
        n_rows: u64,
        rated: &[(&str, &DType)],
        distinct: &[(u64, u64)],
        spec: &RankSpec,
        budget: u64,
        threads: usize,
    ) -> ColumnRoom {
        let mut distinct = distinct.iter();
        let bytes = |(_, dtype): &(&str, &DType)| {
            let of_row = match dtype {
                dtype if dtype.is_text() => {
                    let (texts, rows) = distinct.next().copied().unwrap_or_default();
                    TEXT_ID_BYTES + TEXT_BYTES * texts / rows.max(1)
                }
                dtype if dtype.is_wide() => WIDE_KEY_BYTES,
                _ => KEY_BYTES,
            };
            n_rows * of_row
        };
        let features: Vec<u64> = rated.iter().map(bytes).collect();
        let roles = 1 + usize::from(spec.weight.is_some()) + spec.by.len() + spec.given.len();
        let [roles_as_read, roles] =
            [READ_ROLE_BYTES, ROLE_BYTES].map(|of_row| n_rows * of_row * roles as u64);
        ColumnRoom { n_rows, roles_as_read, roles, features, budget, threads }
    }

    /// The most bytes at a time, where the features that are ranked together take at most `peak`.
    pub(crate) fn with_roles(&self, peak: u64) -> u64 {
        self.roles_as_read.max(self.roles + peak)
    }

    /// The feature that needs most, if the budget has no room for it and the target.
    pub(crate) fn lack(&self, rated: &[(&str, &DType)]) -> Option<Lack> {
        let ColumnRoom { n_rows, roles_as_read, roles, budget, .. } = *self;
        let needed = self.features.iter().map(|bytes| bytes + roles);
        let ((name, dtype), bytes) = rated.iter().zip(needed).max_by_key(|(_, bytes)| *bytes)?;
        let (feature, needed) = (format!("`{name}` ({dtype})"), bytes.max(roles_as_read));
        (needed > budget).then_some(Lack { feature, n_rows, needed, budget })
    }

    /// How many features from the `first` on there is room for, at most one a thread, and their bytes.
    pub(crate) fn next(&self, first: usize) -> (usize, u64) {
        let (mut count, mut bytes) = (0, 0);
        for more in self.features[first..].iter().take(self.threads) {
            if count > 0 && self.roles + bytes + more > self.budget {
                break;
            }
            (count, bytes) = (count + 1, bytes + more);
        }
        (count, bytes)
    }
}

/// What a feature needs that has no room.
pub(crate) struct Lack {
    feature: String,
    n_rows: u64,
    needed: u64,
    budget: u64,
}

impl Lack {
    /// The error of a ranking that cannot do without.
    pub(crate) fn of(self, ranking: &str) -> Error {
        let Lack { feature, n_rows, needed, budget } = self;
        Error::spec(format!(
            "{ranking} has each feature in memory; feature {feature} of {n_rows} rows takes about \
             {} MiB, and the memory budget is {} MiB: allow more memory",
            needed.div_ceil(1 << 20),
            budget >> 20
        ))
    }
}

// Bytes of a row.

/// Of a column with another role, while it is read and encoded.
const READ_ROLE_BYTES: u64 = 24;
/// Of a column with another role, while others are ranked.
const ROLE_BYTES: u64 = 8;
/// Of a column of keys: as it is read, its key, the key's place while it is sorted, and the entry.
const KEY_BYTES: u64 = 32;
/// Of a column of 128-bit keys.
const WIDE_KEY_BYTES: u64 = 80;
/// Of a column of texts, the texts themselves apart.
const TEXT_ID_BYTES: u64 = 40;
/// Of each distinct text.
const TEXT_BYTES: u64 = 160;
