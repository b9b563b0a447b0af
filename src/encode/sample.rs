//! Part of an encoded table, without encoding it again: what forests, cross-validation and
//! bootstraps learn from.

use rayon::prelude::*;

use super::ranks::MAX_BYTE_LEVELS;
use super::table::{EncodeContext, Table};
use crate::data::column::{Codes, Column, Levels, MissingRows, RowCodes, Sorted};
use crate::data::target::{Target, TargetValues};
use crate::data::weights::{Weights, check_weights};
use crate::error::{Error, Result};
use crate::util::parallel::Tasks;

/// Rows, weights and features of an encoded table to learn from.
///
/// ```
/// use gaintree::engine::Sample;
/// let rows = [0, 2, 3];
/// let sample = Sample { rows: Some(&rows), ..Sample::default() };
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample<'a> {
    /// Indices of the table's rows, ascending; `None` is all.
    pub rows: Option<&'a [u32]>,
    /// A weight for each of these rows, in place of the table's own. Rows of weight 0 are left
    /// out; a weight of k stands for k copies.
    pub weights: Option<&'a [f64]>,
    /// Indices of the table's columns, ascending; `None` is all.
    pub features: Option<&'a [u32]>,
}

/// The number of a row that is not in a sample.
const ABSENT: u32 = u32::MAX;

/// The kept rows, and the new number of each row of the table.
struct Renumbering {
    rows: Vec<u32>,
    new: Vec<u32>,
}

impl Table {
    /// The table of a sample. It has only the levels and classes that the sample's rows have, as
    /// if these rows had been encoded alone; but nothing is sorted or hashed again. The unit of
    /// a numeric target, and of the table's own weights, stays that of the whole table.
    ///
    /// Linear in the table's rows per feature, columns in parallel in the current pool.
    ///
    /// # Errors
    /// Rows or features that are not ascending or not in the table, and weights that are not one
    /// per row, negative or not finite.
    pub fn sample(&self, sample: &Sample) -> Result<Table> {
        let features = match sample.features {
            None => self.columns.iter().collect(),
            Some(features) => {
                check_indices("feature", features, self.columns.len())?;
                features.iter().map(|&f| &self.columns[f as usize]).collect::<Vec<_>>()
            }
        };
        let (rows, weights) = self.sampled_rows(sample)?;
        let mut new = vec![ABSENT; self.n_rows()];
        (0..).zip(&rows).for_each(|(number, &row)| new[row as usize] = number);
        let renumbering = Renumbering { rows, new };
        let columns = features.par_iter().one_item_per_task();
        let columns = columns.map(|column| column.take(&renumbering)).collect();
        let target = self.target.take(&renumbering.rows);
        Ok(Table { columns, target, weights, context: self.context.take(&renumbering.rows) })
    }

    fn sampled_rows(&self, sample: &Sample) -> Result<(Vec<u32>, Option<Weights>)> {
        let rows = match sample.rows {
            None => self.all_rows(),
            Some(rows) => {
                check_indices("row", rows, self.n_rows())?;
                rows.to_vec()
            }
        };
        let Some(weights) = sample.weights else {
            let take = |w: &Weights| Weights {
                units: rows.iter().map(|&row| w.units[row as usize]).collect(),
                ..*w
            };
            let weights = self.weights.as_ref().map(take);
            return Ok((rows, weights));
        };
        if weights.len() != rows.len() {
            return Err(Error::data(format!(
                "the sample has {} rows and {} weights; each row needs one",
                rows.len(),
                weights.len()
            )));
        }
        check_weights("of the sample", "f64", weights.iter().map(|&w| Some(w)))?;
        let rows = rows.into_iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let (rows, weights): (Vec<u32>, Vec<f64>) = rows.unzip();
        Ok((rows, Some(Weights::new(&weights)?)))
    }
}

/// Checks that indices ascend and are below `n`.
fn check_indices(what: &str, indices: &[u32], n: usize) -> Result<()> {
    let is_sorted = indices.windows(2).all(|pair| pair[0] < pair[1]);
    match indices.last() {
        Some(&last) if !is_sorted || last as usize >= n => Err(Error::data(format!(
            "the sample's {what} indices must ascend and be below {n}: sort them, and name each once"
        ))),
        Some(_) | None => Ok(()),
    }
}

impl EncodeContext {
    fn take(&self, rows: &[u32]) -> EncodeContext {
        let given = |&row: &u32| self.kept.as_ref().map_or(row, |kept| kept[row as usize]);
        EncodeContext { kept: Some(rows.iter().map(given).collect()), ..self.clone() }
    }
}

impl Target {
    fn take(&self, rows: &[u32]) -> Target {
        let values = match &self.values {
            TargetValues::Classes { labels, codes } => {
                let codes = rows.iter().map(|&row| u32::from(codes[row as usize]));
                let (present, codes) = compact(codes, labels.len());
                let labels = present.iter().map(|&code| labels[code as usize].clone()).collect();
                TargetValues::Classes { labels, codes: codes.map(|code| code as u16).collect() }
            }
            TargetValues::Numbers { numbers, distances, scale } => TargetValues::Numbers {
                numbers: rows.iter().map(|&row| numbers[row as usize]).collect(),
                distances: distances
                    .as_ref()
                    .map(|all| rows.iter().map(|&row| all[row as usize]).collect()),
                scale: *scale,
            },
        };
        Target { values, ..self.clone() }
    }
}

/// The codes that are present, ascending, and all codes by their index among these. Codes are
/// below `n_codes`.
fn compact(
    codes: impl Iterator<Item = u32> + Clone,
    n_codes: usize,
) -> (Vec<u32>, impl Iterator<Item = u32>) {
    let mut new = vec![ABSENT; n_codes];
    codes.clone().for_each(|code| new[code as usize] = 0);
    let present: Vec<u32> = (0..).zip(&new).filter(|(_, n)| **n == 0).map(|(c, _)| c).collect();
    (0..).zip(&present).for_each(|(index, &code)| new[code as usize] = index);
    (present, codes.map(move |code| new[code as usize]))
}

impl Levels {
    fn take(&self, codes: impl Iterator<Item = u32>) -> Levels {
        match self {
            Levels::Keys(keys) => Levels::Keys(codes.map(|code| keys[code as usize]).collect()),
            Levels::Wide(keys) => Levels::Wide(codes.map(|code| keys[code as usize]).collect()),
            Levels::Text(texts) => {
                Levels::Text(codes.map(|code| texts[code as usize].clone()).collect())
            }
        }
    }
}

impl Column {
    fn take(&self, rows: &Renumbering) -> Column {
        let (levels, codes) = match &self.codes {
            Codes::ByRow(codes) => {
                let missing = self.missing_code();
                let codes = rows.rows.iter().map(|&row| u32::from(codes[row as usize]));
                let (mut present, codes) = compact(codes, missing as usize + 1);
                // Missing keeps the code after all levels, whether or not a row has it.
                present.retain(|&code| code < missing);
                let codes = codes.map(|code| code as u8).collect();
                (self.levels.take(present.into_iter()), Codes::ByRow(codes))
            }
            Codes::Sorted(sorted) => match &sorted.codes {
                RowCodes::Identity(_) => self.take_identity(sorted, rows),
                RowCodes::Stored(codes) => self.take_stored(codes, &sorted.order, rows),
            },
        };
        Column { levels, codes, name: self.name.clone(), dtype: self.dtype.clone(), ..*self }
    }

    /// Rows that are their own levels.
    fn take_identity(&self, sorted: &Sorted, rows: &Renumbering) -> (Levels, Codes) {
        let (known, missing) = sorted.order.split_at(sorted.n_known(self.missing_code()));
        let renumber = |order: &[u32]| -> Vec<u32> {
            order.iter().map(|&row| rows.new[row as usize]).filter(|&row| row != ABSENT).collect()
        };
        let (mut order, missing) = (renumber(known), renumber(missing));
        let n_rows = rows.rows.len();
        if order.len() <= MAX_BYTE_LEVELS {
            // Few rows: their ranks are codes that fit a byte.
            let levels = self.levels.take(order.iter().map(|&row| rows.rows[row as usize]));
            let mut codes = vec![order.len() as u8; n_rows];
            (0..).zip(&order).for_each(|(code, &row)| codes[row as usize] = code);
            return (levels, Codes::ByRow(codes));
        }
        let codes = MissingRows::new(missing.iter().copied(), n_rows, n_rows as u32);
        order.extend(missing);
        let levels = self.levels.take(rows.rows.iter().copied());
        (levels, Codes::Sorted(Sorted { codes: RowCodes::Identity(codes), order }))
    }

    /// Rows with a code each, in order of code.
    fn take_stored(&self, codes: &[u32], order: &[u32], rows: &Renumbering) -> (Levels, Codes) {
        let missing = self.missing_code();
        let (mut present, mut new_codes) = (Vec::new(), vec![0; rows.rows.len()]);
        let mut new_order = Vec::with_capacity(rows.rows.len());
        let mut n_missing = 0;
        for &row in order {
            let (new, code) = (rows.new[row as usize], codes[row as usize]);
            if new == ABSENT {
                continue;
            }
            new_order.push(new);
            if code == missing {
                n_missing += 1;
                continue;
            }
            if present.last() != Some(&code) {
                present.push(code);
            }
            new_codes[new as usize] = present.len() as u32 - 1;
        }
        let n_known = new_order.len() - n_missing;
        new_order[n_known..].iter().for_each(|&row| new_codes[row as usize] = present.len() as u32);
        let codes = match present.len() <= MAX_BYTE_LEVELS {
            true => Codes::ByRow(new_codes.into_iter().map(|code| code as u8).collect()),
            false => Codes::Sorted(Sorted { codes: RowCodes::Stored(new_codes), order: new_order }),
        };
        (self.levels.take(present.into_iter()), codes)
    }
}
