//! The rows that a tree was grown on, as its rules see them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::data::column::{ColumnInfo, Levels};
use crate::data::dtype::{Kind, Value};
use crate::data::weights::Weights;
use crate::grow::GrownRows;
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::{Split, TreeData};

/// The cell of a missing value, above those of all values.
pub(super) const MISSING: u64 = u64::MAX;

pub(super) struct TrainingRows {
    /// The cells of the features that rules use, row after row: levels, or what orders as the
    /// values do.
    cells: Vec<u64>,
    /// The features that rules use, ascending.
    features: Vec<u32>,
    pub(super) classes: Vec<u16>,
    pub(super) weights: Option<Weights>,
    /// The copies each row stands for, where rows may be shared out; empty if all are one.
    pub(super) copies: Arc<[u64]>,
    pub(super) missing: Missing,
    /// Whether rows with a missing value go down every branch.
    pub(super) are_shared: bool,
}

impl TrainingRows {
    /// The rows that a tree was grown on, and the cell of the cut of each node that has one (of
    /// other nodes 0).
    pub(super) fn new(tree: &TreeData, rows: GrownRows) -> (Self, Vec<u64>) {
        let (features, classes) = (tree.used_features(), rows.classes());
        let mut cells = vec![MISSING; features.len() * classes.len()];
        let mut cuts = vec![0; tree.n_nodes()];
        let mut cuts_of: Vec<Vec<(&Value, &mut u64)>> =
            tree.schema.features.iter().map(|_| Vec::new()).collect();
        for (cut, node) in cuts.iter_mut().zip(&tree.nodes) {
            if let Some(Split { rule, .. }) = &node.split
                && let Test::AtLeast(value) = &rule.test
            {
                cuts_of[rule.feature as usize].push((value, cut));
            }
        }
        for (at, &feature) in features.iter().enumerate() {
            let column = rows.info(feature);
            let scale = Scale::of(column, rows.is_identity(feature));
            let missing = column.missing_code();
            let of_column = cells[at..].iter_mut().step_by(features.len());
            for (code, cell) in rows.codes(feature).zip(of_column) {
                *cell = if code == missing { MISSING } else { scale.cell(code) };
            }
            for (value, cut) in cuts_of[feature as usize].drain(..) {
                *cut = scale.cell_of_cut(value);
            }
        }
        let are_shared = rows.copies.is_some();
        let copies = rows.copies.unwrap_or_default();
        let (weights, missing) = (rows.weights.map(Cow::into_owned), tree.spec.missing);
        (TrainingRows { cells, features, classes, weights, copies, missing, are_shared }, cuts)
    }

    pub(super) fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// The index of a feature among those that rules use.
    pub(super) fn index(&self, feature: u32) -> usize {
        self.features.partition_point(|&f| f < feature)
    }

    /// A row's cell of the feature at a [index](Self::index).
    #[inline]
    pub(super) fn cell(&self, row: u32, index: usize) -> u64 {
        self.cells[row as usize * self.features.len() + index]
    }

    /// Puts whole rows in another order.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        let width = self.features.len();
        let mut cells = Vec::with_capacity(self.cells.len());
        for &row in order {
            cells.extend_from_slice(&self.cells[row as usize * width..][..width]);
        }
        self.cells = cells;
        self.classes = order.iter().map(|&row| self.classes[row as usize]).collect();
    }

    /// The units of a row that was not [put elsewhere](Self::reorder).
    pub(super) fn units(&self, row: u32) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights.units[row as usize])
    }

    pub(super) fn copies(&self, row: u32) -> u64 {
        self.copies.get(row as usize).copied().unwrap_or(1)
    }
}

/// What orders as a column's values do: its keys where codes are row numbers, else its codes.
struct Scale<'a> {
    column: &'a ColumnInfo,
    by_key: bool,
    /// The keys in order, where one of them is [`MISSING`] and their ranks have to do.
    ranks: Option<Vec<u64>>,
    /// The code of each text that may be a cut.
    texts: HashMap<&'a str, u64>,
}

impl<'a> Scale<'a> {
    fn of(column: &'a ColumnInfo, by_key: bool) -> Scale<'a> {
        let texts = match (&column.levels, column.kind) {
            (Levels::Text(texts), Kind::Ordered) => {
                texts.iter().map(String::as_str).zip(0..).collect()
            }
            _ => HashMap::new(),
        };
        let ranks = match &column.levels {
            Levels::Keys(keys) if by_key && keys.contains(&MISSING) => {
                let mut keys = keys.clone();
                keys.sort_unstable();
                Some(keys)
            }
            Levels::Keys(_) | Levels::Wide(_) | Levels::Text(_) => None,
        };
        Scale { column, by_key, ranks, texts }
    }

    fn cell_of_key(&self, key: u64) -> u64 {
        self.ranks.as_ref().map_or(key, |keys| keys.partition_point(|&k| k < key) as u64)
    }

    fn cell(&self, code: u32) -> u64 {
        match &self.column.levels {
            Levels::Keys(keys) if self.by_key => self.cell_of_key(keys[code as usize]),
            Levels::Keys(_) | Levels::Wide(_) | Levels::Text(_) => code.into(),
        }
    }

    /// The least cell right of a cut.
    fn cell_of_cut(&self, cut: &Value) -> u64 {
        let dtype = &self.column.dtype;
        let key = dtype.key_of_value(cut).unwrap_or(MISSING);
        match (&self.column.levels, cut) {
            (Levels::Keys(_), _) if self.by_key => self.cell_of_key(key),
            (Levels::Keys(keys), _) => keys.partition_point(|&k| k < key) as u64,
            (Levels::Wide(keys), _) => {
                let key = dtype.wide_of_value(cut);
                keys.partition_point(|&k| Some(k) < key) as u64
            }
            (Levels::Text(_), Value::Text(text)) => {
                self.texts.get(text.as_str()).copied().unwrap_or(MISSING)
            }
            (Levels::Text(_), _) => MISSING,
        }
    }
}
