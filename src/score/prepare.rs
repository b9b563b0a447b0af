//! The columns of a batch brought to the model's keys and level places.

use hashbrown::HashMap;

use crate::column::{Column, Levels};
use crate::dtype::{DType, Kind, Value};
use crate::encode::{Cells, MISSING};
use crate::error::{Error, Result};
use crate::rule::Test;
use crate::spec::Missing;
use crate::table::Source;
use crate::tree::{Feature, Tree};

/// A feature of the batch, as the tree compares it.
pub(super) enum Prepared {
    Keys(Vec<u64>, Option<Vec<bool>>),
    Wide(Vec<i128>, Option<Vec<bool>>),
    /// Places in the feature's levels, [`MISSING`], or [`UNSEEN`].
    Levels(Vec<u32>),
    Missing,
}

/// The place of a level the training frame did not have.
pub(super) const UNSEEN: u32 = u32::MAX - 1;

impl Prepared {
    #[inline]
    pub(super) fn is_missing(&self, row: usize) -> bool {
        match self {
            Prepared::Keys(_, missing) | Prepared::Wide(_, missing) => {
                missing.as_ref().is_some_and(|m| m[row])
            }
            Prepared::Levels(places) => places[row] == MISSING,
            Prepared::Missing => true,
        }
    }

    fn first_missing(&self) -> Option<usize> {
        match self {
            Prepared::Keys(_, missing) | Prepared::Wide(_, missing) => {
                missing.as_ref()?.iter().position(|&m| m)
            }
            Prepared::Levels(places) => places.iter().position(|&p| p == MISSING),
            Prepared::Missing => Some(0),
        }
    }
}

impl Tree {
    pub(crate) fn check(&self, feature: &Feature, source: &impl Source) -> Result<()> {
        if feature.dtype.accepts(source.dtype()) {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {} here, but the model was fitted on {}: cast it to {}",
            feature.name,
            source.dtype(),
            feature.dtype,
            feature.dtype
        )))
    }

    /// Per feature, the distinct cuts of text taken as ordered, in the feature's order.
    pub(super) fn text_cuts(&self) -> Vec<Vec<&str>> {
        let mut cuts = vec![Vec::new(); self.schema.features.len()];
        for split in self.nodes.iter().filter_map(|n| n.split.as_ref()) {
            if let Test::AtLeast(Value::Text(cut)) = &split.rule.test {
                cuts[split.rule.feature as usize].push(cut.as_str());
            }
        }
        for (cuts, feature) in cuts.iter_mut().zip(&self.schema.features) {
            cuts.sort_by_key(|cut| text_rank(&feature.dtype, cut));
            cuts.dedup();
        }
        cuts
    }

    pub(super) fn prepare(
        &self,
        feature: u32,
        source: &impl Source,
        cuts: &[&str],
    ) -> Result<Prepared> {
        let feature = &self.schema.features[feature as usize];
        let prepared = self.prepare_as(feature, source, cuts)?;
        if self.spec.missing == Missing::Error
            && let Some(row) = prepared.first_missing()
        {
            return Err(Error::data(format!(
                "column `{}` ({}) is missing in row {row}, and the model was fitted with missing \
                 = error: fill it, or fit with another way with missing values",
                feature.name,
                source.dtype()
            )));
        }
        Ok(prepared)
    }

    pub(super) fn prepare_as(
        &self,
        feature: &Feature,
        source: &impl Source,
        cuts: &[&str],
    ) -> Result<Prepared> {
        // Integers taken as nominal match by their text, which is the same in every width.
        let dtype = match feature.kind {
            Kind::Nominal if source.dtype().is_integer() => source.dtype(),
            _ => &feature.dtype,
        };
        let cells = convert(source.cells(), source.dtype(), dtype);
        Ok(match (feature.kind, cells) {
            (_, Cells::Missing(_)) => Prepared::Missing,
            (Kind::Nominal, cells) => Prepared::Levels(places(feature, dtype, cells)?),
            (Kind::Ordered, Cells::Keys(keys, missing)) => Prepared::Keys(keys, missing),
            (Kind::Ordered, Cells::Wide(keys, missing)) => Prepared::Wide(keys, missing),
            (Kind::Ordered, Cells::Text(ids, texts)) => {
                let key = |text: &String| {
                    let rank = text_rank(&feature.dtype, text);
                    let at = cuts.partition_point(|cut| text_rank(&feature.dtype, cut) <= rank);
                    (at as u64, rank == TextRank::Undeclared)
                };
                let keys: Vec<(u64, bool)> = texts.iter().map(key).collect();
                let key = |&id: &u32| if id == MISSING { (0, true) } else { keys[id as usize] };
                let (keys, missing) = ids.iter().map(key).unzip();
                Prepared::Keys(keys, Some(missing))
            }
        })
    }
}

/// Where a text stands in the order of its dtype.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextRank<'a> {
    /// Not one of an enum's categories.
    Undeclared,
    Declared(usize),
    Text(&'a str),
}

pub(super) fn text_rank<'a>(dtype: &DType, text: &'a str) -> TextRank<'a> {
    match dtype {
        DType::Enum { categories } => categories
            .iter()
            .position(|c| c == text)
            .map_or(TextRank::Undeclared, TextRank::Declared),
        _ => TextRank::Text(text),
    }
}

/// A batch's cells in the keys of the model's dtype, which accepts the batch's.
fn convert(cells: Cells, from: &DType, to: &DType) -> Cells {
    let same_keys = from == to || (from.has_i64_keys() && to.has_i64_keys());
    let widen = |missing| (missing, to.is_wide());
    match cells {
        Cells::Keys(keys, missing) if !same_keys => match widen(missing) {
            (missing, true) => {
                let wide = |&k: &u64| to.wide_of_value(&from.value_of_key(k)).unwrap_or(i128::MAX);
                Cells::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &u64| to.key_of_value(&from.value_of_key(k)).unwrap_or(u64::MAX);
                Cells::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        Cells::Wide(keys, missing) if from != to => match widen(missing) {
            (missing, true) => {
                let wide =
                    |&k: &i128| to.wide_of_value(&from.value_of_wide(k)).unwrap_or(i128::MAX);
                Cells::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &i128| to.key_of_value(&from.value_of_wide(k)).unwrap_or(u64::MAX);
                Cells::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        same => same,
    }
}

/// Each row's place in a nominal feature's levels, looked up once a level.
fn places(feature: &Feature, dtype: &DType, cells: Cells) -> Result<Vec<u32>> {
    let known: HashMap<&str, u32> =
        feature.levels.iter().enumerate().map(|(i, l)| (l.as_str(), i as u32)).collect();
    let place = |text: &String| known.get(text.as_str()).copied().unwrap_or(UNSEEN);
    let (ids, texts) = match cells {
        Cells::Text(ids, texts) => (ids, texts),
        // Numbers taken as nominal match by their text, as they were encoded in training.
        cells => {
            let name = feature.name.as_str();
            let column = Column::encode(name, dtype.clone(), Kind::Nominal, cells)?;
            let missing = column.missing_code();
            let ids = column.codes.by_row().into_iter();
            let ids = ids.map(|c| if c == missing { MISSING } else { c }).collect();
            match column.levels {
                Levels::Text(texts) => (ids, texts),
                _ => (ids, Vec::new()),
            }
        }
    };
    let places: Vec<u32> = texts.iter().map(place).collect();
    Ok(ids.iter().map(|&id| if id == MISSING { MISSING } else { places[id as usize] }).collect())
}
