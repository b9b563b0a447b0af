//! Counting bins: one row of the query becomes one packed key per column.
//!
//! The key is `((node * columns + column) * width + bin) * classes + class`, of numbers from 0 on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::answers::lost;
use super::bins::{bin, width};
use super::{SqlStore, case_of};
use crate::error::Result;
use crate::external::{BinCounts, BinRequest, Bins, CountRequest, TargetCoding};

/// Requests of one query: some columns of some nodes.
#[derive(Default)]
pub(super) struct Batch {
    /// Each node once, and its place.
    pub(super) nodes: Vec<u32>,
    pub(super) place_of: HashMap<u32, usize>,
    /// The point that spreads are taken about, by node.
    centres: Vec<i64>,
    /// By column: the requests, as places in the whole list.
    pub(super) columns: BTreeMap<u32, Vec<usize>>,
    /// What is in the query already: bins that nodes share are written once.
    written: HashSet<(u32, usize)>,
    length: usize,
}

impl SqlStore<'_> {
    pub(super) fn count_bins(&self, request: &CountRequest) -> Result<Vec<BinCounts>> {
        let stat_width = self.coding()?.target.width();
        let of_numbers = matches!(self.coding()?.target, TargetCoding::Numbers(_));
        let mut counts: Vec<BinCounts> = request
            .bins
            .iter()
            .map(|asked| {
                let bins = width(&asked.bins);
                BinCounts {
                    rows: vec![0; bins],
                    stats: vec![0; bins * stat_width],
                    spreads: if of_numbers { vec![0; bins] } else { Vec::new() },
                }
            })
            .collect();
        // Those of levels that come back; those that are searched for, by type; and all others.
        let (mut many, mut searched) = (BTreeMap::new(), BTreeMap::new());
        let mut compared = Vec::new();
        for (at, asked) in request.bins.iter().enumerate() {
            match &*asked.bins {
                Bins::Levels(n) if self.is_long(asked.column, *n as usize) => {
                    many.entry(asked.column).or_insert_with(Vec::new).push(at);
                }
                Bins::Starts(_) if self.sql.counting.searches_arrays() => {
                    let (of_type, _) = self.features[asked.column as usize].searched();
                    searched.entry(of_type).or_insert_with(Vec::new).push(at);
                }
                Bins::Levels(_) | Bins::Starts(_) => compared.push(at),
            }
        }
        for batch in self.batches(request, compared) {
            self.count_batch(request, &batch, SqlStore::compared_cells, &mut counts)?;
        }
        for batch in searched.into_values().flat_map(|asked| self.batches(request, asked)) {
            self.count_batch(request, &batch, SqlStore::searched_cells, &mut counts)?;
        }
        for (column, asked) in many {
            self.count_levels(request, column, &asked, &mut counts)?;
        }
        Ok(counts)
    }

    /// Divides the requests among queries of a length that engines take.
    fn batches(&self, request: &CountRequest, places: Vec<usize>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for at in places {
            let asked = &request.bins[at];
            let key = (asked.column, Arc::as_ptr(&asked.bins) as usize);
            let cost = self.length_of(asked.column, width(&asked.bins));
            let more = |batch: &Batch| if batch.written.contains(&key) { 30 } else { cost };
            let fits = |batch: &Batch| {
                let centre = batch.place_of.get(&asked.node).map(|&place| batch.centres[place]);
                let Batch { place_of, columns, .. } = batch;
                let rows = self.length_of_rows(place_of, asked.node, columns, asked.column);
                let length = batch.length + more(batch) + rows;
                centre.is_none_or(|centre| centre == asked.centre) && length <= self.most_characters
            };
            let place = batches.iter().position(fits).unwrap_or_else(|| {
                batches.push(Batch::default());
                batches.len() - 1
            });
            let batch = &mut batches[place];
            batch.length += more(batch);
            batch.written.insert(key);
            let next = batch.nodes.len();
            if *batch.place_of.entry(asked.node).or_insert(next) == next {
                batch.nodes.push(asked.node);
                batch.centres.push(asked.centre);
            }
            batch.columns.entry(asked.column).or_default().push(at);
        }
        batches
    }

    /// About the characters of a `CASE` of so many bins: a comparison or a level each, with its
    /// literal.
    fn length_of(&self, column: u32, bins: usize) -> usize {
        bins * (self.features[column as usize].alias().len() + 60)
    }

    /// Whether a column's levels are too many to be named in a query.
    fn is_long(&self, column: u32, n_levels: usize) -> bool {
        n_levels > self.sql.counting.most_levels()
            || self.length_of(column, n_levels + 1) > self.most_characters / 2
    }

    fn count_batch(
        &self,
        request: &CountRequest,
        batch: &Batch,
        cells: impl Fn(&Self, &CountRequest, &Batch, &KeyParts) -> Result<String>,
        counts: &mut [BinCounts],
    ) -> Result<()> {
        let coding = &self.coding()?.target;
        let (n_classes, of_numbers) = match coding {
            TargetCoding::Classes { n_classes, .. } => (*n_classes, false),
            TargetCoding::Numbers(_) => (1, true),
        };
        let asked = batch.columns.values().flatten().map(|&at| width(&request.bins[at].bins));
        let mut parts = KeyParts {
            columns: batch.columns.keys().copied().collect(),
            width: asked.max().unwrap_or(1),
            n_classes,
            carried: String::new(),
            centre: None,
        };
        let mut sums_of = String::new();
        if self.has_units() {
            parts.carried += ", __u";
            sums_of += &format!(", sum({})", self.sql.wide("__u"));
        }
        if of_numbers {
            let u = self.units();
            parts.carried += ", __d";
            let centres = batch.centres.iter().map(i64::to_string);
            parts.centre = Some(case_of("__n", centres.enumerate()));
            let [d, z] = ["__d", "__z"].map(|x| self.sql.wide(x));
            let away = format!("abs({d} - {z})");
            sums_of += &format!(", sum({u} * {d}), sum({u} * {away})");
        }
        let sql = format!(
            "SELECT __k, count(*){sums_of} FROM {} GROUP BY __k",
            cells(self, request, batch, &parts)?
        );
        let n_before = 2 + usize::from(self.has_units());
        let found = self.run(n_before + if of_numbers { 2 } else { 0 }, &sql)?;
        let (keys, rows) = (found.counts(0)?, found.counts(1)?);
        let units = if self.has_units() { Some(found.sums(2)?) } else { None };
        let distances = match of_numbers {
            true => Some((found.sums(n_before)?, found.sums(n_before + 1)?)),
            false => None,
        };
        let asked_at = asked_at(request, batch);
        for (line, &key) in keys.iter().enumerate() {
            let (node, column, bin, class) = parts.unpacked(key as usize);
            let Some(&at) = asked_at.get(&(node, column)) else { continue };
            let counts = &mut counts[at];
            let bin = match counts.rows.len().checked_sub(1) {
                Some(missing) if bin == parts.width - 1 => missing,
                Some(missing) if bin <= missing => bin,
                _ => return Err(lost("a bin that was not asked for")),
            };
            counts.rows[bin] += rows[line];
            let units = units.as_ref().map_or(i128::from(rows[line]), |units| units[line]);
            match &distances {
                Some((sums, spreads)) => {
                    counts.stats[bin * 2] += units;
                    counts.stats[bin * 2 + 1] += sums[line];
                    counts.spreads[bin] += spreads[line];
                }
                None => counts.stats[bin * n_classes + class] += units,
            }
        }
        Ok(())
    }

    /// The cells of columns whose bins are told by comparisons.
    fn compared_cells(
        &self,
        request: &CountRequest,
        batch: &Batch,
        parts: &KeyParts,
    ) -> Result<String> {
        let mut keys = Vec::new();
        for (number, (&column, asked)) in batch.columns.iter().enumerate() {
            let requests: Vec<&BinRequest> = asked.iter().map(|&at| &request.bins[at]).collect();
            keys.push(parts.key(&number.to_string(), &self.bin_of(column, &requests, batch)?));
        }
        let names = self.names(batch);
        let rows = self.rows_of(request.tree, &batch.nodes, &names)?;
        let cells = self.sql.counting.cells(&keys, "__k", None, &parts.beside(), &rows);
        Ok(format!("({cells}) AS cells WHERE __k IS NOT NULL"))
    }

    pub(super) fn names(&self, batch: &Batch) -> Vec<String> {
        let features = batch.columns.keys().map(|&column| &self.features[column as usize]);
        features.map(|feature| feature.alias().to_string()).collect()
    }

    /// The bin of a row in a column, null in nodes that do not ask for it. Nodes may ask for
    /// different bins.
    fn bin_of(&self, column: u32, requests: &[&BinRequest], batch: &Batch) -> Result<String> {
        let of = &self.features[column as usize];
        let levels = self.levels[column as usize].as_deref();
        let mut different: Vec<(&BinRequest, Vec<usize>)> = Vec::new();
        for asked in requests {
            let place = batch.place_of[&asked.node];
            match different.iter_mut().find(|(other, _)| other.bins == asked.bins) {
                Some((_, places)) => places.push(place),
                None => different.push((asked, vec![place])),
            }
        }
        if let [(asked, places)] = &different[..]
            && places.len() == batch.nodes.len()
        {
            return bin(of, &asked.bins, levels);
        }
        let mut case = "CASE".to_string();
        for (asked, places) in &different {
            let list = places.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            case += &format!(" WHEN __n IN ({list}) THEN {}", bin(of, &asked.bins, levels)?);
        }
        Ok(case + " END")
    }
}

/// What a key is packed of, and what else a cell has.
pub(super) struct KeyParts {
    /// The columns, by their numbers in keys.
    columns: Vec<u32>,
    /// The most bins of a column. The last one has the missing values of each column.
    pub(super) width: usize,
    n_classes: usize,
    /// Columns of the rows that cells have too.
    pub(super) carried: String,
    /// The point that spreads are taken about.
    centre: Option<String>,
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
    fn unpacked(&self, key: usize) -> (usize, u32, usize, usize) {
        let (cell, class) = (key / self.n_classes, key % self.n_classes);
        let (of_node, bin) = (cell / self.width, cell % self.width);
        let n_columns = self.n_columns();
        (of_node / n_columns, self.columns[of_node % n_columns], bin, class)
    }
}

/// The request of each node and column.
fn asked_at(request: &CountRequest, batch: &Batch) -> HashMap<(usize, u32), usize> {
    let places = batch.columns.iter().flat_map(|(&column, asked)| {
        asked.iter().map(move |&at| ((batch.place_of[&request.bins[at].node], column), at))
    });
    places.collect()
}
