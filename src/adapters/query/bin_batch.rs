//! The bins that one query counts, and how they are numbered in its keys.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::external::CountRequest;

/// Requests of one query: some columns of some nodes.
#[derive(Default)]
pub(super) struct BinBatch {
    /// Each node once, and its place.
    pub(super) nodes: Vec<u32>,
    pub(super) place_of: HashMap<u32, usize>,
    /// The point that spreads are taken about, by node.
    pub(super) centres: Vec<i64>,
    /// By column: the requests, as places in the whole list.
    pub(super) columns: BTreeMap<u32, Vec<usize>>,
    /// What is in the query already: bins that nodes share are written once.
    pub(super) written: HashSet<(u32, usize)>,
    pub(super) length: usize,
}

impl BinBatch {
    /// The request of each node, by its place, and column.
    pub(super) fn asked_at(&self, request: &CountRequest) -> HashMap<(usize, u32), usize> {
        let places = self.columns.iter().flat_map(|(&column, asked)| {
            asked.iter().map(move |&at| ((self.place_of[&request.bins[at].node], column), at))
        });
        places.collect()
    }
}

/// What a key is packed of, and what else a cell has.
pub(super) struct KeyParts {
    /// The columns, by their numbers in keys.
    pub(super) columns: Vec<u32>,
    /// The most bins of a column. The last one has the missing values of each column.
    pub(super) width: usize,
    pub(super) n_classes: usize,
    /// Columns of the rows that cells have too.
    pub(super) carried: String,
    /// The point that spreads are taken about.
    pub(super) centre: Option<String>,
}

impl KeyParts {
    pub(super) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The key of a cell, of a row's `__n` and `__c`.
    pub(super) fn key(&self, column: &str, bin: &str) -> String {
        let (n_columns, KeyParts { width, n_classes, .. }) = (self.n_columns(), self);
        format!("((__n * {n_columns} + {column}) * {width} + {bin}) * {n_classes} + __c")
    }

    /// What is selected beside the key.
    pub(super) fn beside(&self) -> String {
        let centre = self.centre.as_ref().map(|centre| format!(", {centre} AS __z"));
        format!("{}{}", self.carried, centre.unwrap_or_default())
    }

    /// The node's place, the column, the bin and the class.
    pub(super) fn unpacked(&self, key: usize) -> (usize, u32, usize, usize) {
        let (cell, class) = (key / self.n_classes, key % self.n_classes);
        let (of_node, bin) = (cell / self.width, cell % self.width);
        let n_columns = self.n_columns();
        (of_node / n_columns, self.columns[of_node % n_columns], bin, class)
    }
}
