//! Counting bins: one row of the query becomes one packed key per column.
//!
//! The key is `((node * columns + column) * width + bin) * classes + class`, of numbers from 0 on.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::SqlStore;
use super::answers::lost;
use super::bin_batch::{BinBatch, KeyParts};
use super::cases::case_of;
use crate::error::Result;
use crate::external::{BinCounts, BinRequest, Bins, CountRequest, TargetCoding};

impl SqlStore<'_> {
    pub(super) fn count_bins(&self, request: &CountRequest) -> Result<Vec<BinCounts>> {
        let stat_width = self.coding()?.target.width();
        let of_numbers = self.of_numbers()?;
        let mut counts: Vec<BinCounts> = request
            .bins
            .iter()
            .map(|asked| {
                // The last one is that of missing values.
                let bins = asked.bins.len() + 1;
                BinCounts {
                    rows: vec![0; bins],
                    stats: vec![0; bins * stat_width],
                    spreads: if of_numbers { vec![0; bins] } else { Vec::new() },
                }
            })
            .collect();
        // Those within some ranges; of levels that come back; that are searched for, by type; and all
        // others.
        let (mut many, mut searched) = (BTreeMap::new(), BTreeMap::new());
        let (mut joined, mut compared) = (Vec::new(), Vec::new());
        for (at, asked) in request.bins.iter().enumerate() {
            match &*asked.bins {
                _ if !asked.within.is_empty() => joined.push(at),
                bins @ Bins::Levels(_) if self.is_long(asked.column, bins) => {
                    many.entry(asked.column).or_insert_with(Vec::new).push(at);
                }
                Bins::Starts(_) | Bins::Steps(_) if self.sql.counting.searches_arrays() => {
                    let of_type = self.features[asked.column as usize].type_name();
                    searched.entry(of_type).or_insert_with(Vec::new).push(at);
                }
                Bins::Levels(_) | Bins::Starts(_) | Bins::Steps(_) => compared.push(at),
            }
        }
        for batch in self.batches(request, compared) {
            self.count_batch(request, &batch, SqlStore::compared_cells, &mut counts)?;
        }
        for batch in searched.into_values().flat_map(|asked| self.batches(request, asked)) {
            self.count_batch(request, &batch, SqlStore::searched_cells, &mut counts)?;
        }
        self.count_joined(request, &joined, &mut counts)?;
        for (column, asked) in many {
            self.count_levels(request, column, &asked, &mut counts)?;
        }
        Ok(counts)
    }

    /// Divides the requests among queries of a length that engines take.
    fn batches(&self, request: &CountRequest, places: Vec<usize>) -> Vec<BinBatch> {
        let mut batches: Vec<BinBatch> = Vec::new();
        for at in places {
            let asked = &request.bins[at];
            let key = (asked.column, Arc::as_ptr(&asked.bins) as usize);
            let cost = self.length_of(asked.column, &asked.bins);
            let more = |batch: &BinBatch| if batch.written.contains(&key) { 30 } else { cost };
            let fits = |batch: &BinBatch| {
                let centre = batch.place_of.get(&asked.node).map(|&place| batch.centres[place]);
                let is_new_column = !batch.columns.contains_key(&asked.column);
                let n_nodes = batch.nodes.len() + usize::from(centre.is_none());
                let n_columns = batch.columns.len() + usize::from(is_new_column);
                let rows = self.length_of_rows(n_nodes, n_columns);
                let length = batch.length + more(batch) + rows;
                centre.is_none_or(|centre| centre == asked.centre) && length <= self.most_characters
            };
            let place = batches.iter().position(fits).unwrap_or_else(|| {
                batches.push(BinBatch::default());
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

    /// About the characters of a `CASE` of bins: a comparison, a level or a few for the steps of a run
    /// each, with their literals.
    pub(super) fn length_of(&self, column: u32, bins: &Bins) -> usize {
        let literals = match bins {
            Bins::Steps(steps) => 3 * steps.runs().len(),
            Bins::Levels(_) | Bins::Starts(_) => bins.len(),
        };
        (literals + 1) * (self.features[column as usize].alias().len() + 60)
    }

    /// Whether a column's levels are too many to be named in a query.
    fn is_long(&self, column: u32, bins: &Bins) -> bool {
        bins.len() > self.sql.counting.most_levels()
            || self.length_of(column, bins) > self.most_characters / 2
    }

    fn count_batch(
        &self,
        request: &CountRequest,
        batch: &BinBatch,
        cells: impl Fn(&Self, &CountRequest, &BinBatch, &KeyParts) -> Result<String>,
        counts: &mut [BinCounts],
    ) -> Result<()> {
        let asked = batch.columns.values().flatten().map(|&at| request.bins[at].bins.len() + 1);
        let centres = batch.centres.iter().map(i64::to_string);
        let parts = KeyParts {
            columns: batch.columns.keys().copied().collect(),
            width: asked.max().unwrap_or(1),
            n_classes: self.n_classes()?,
            carried: self.carried()?,
            centre: self.of_numbers()?.then(|| case_of("__n", centres.enumerate())),
        };
        let asked_at = batch.asked_at(request);
        let cells = cells(self, request, batch, &parts)?;
        self.count_keys(&cells, counts, |key| {
            let (node, column, bin, class) = parts.unpacked(key);
            // What no node asks for has a key too where columns are searched.
            let Some(&at) = asked_at.get(&(node, column)) else { return Ok(None) };
            let n_bins = request.bins[at].bins.len();
            match bin {
                bin if bin == parts.width - 1 => Ok(Some((at, n_bins, class))),
                bin if bin <= n_bins => Ok(Some((at, bin, class))),
                _ => Err(lost("a bin that was not asked for")),
            }
        })
    }

    /// The classes of a row; 1 if the target is a number.
    pub(super) fn n_classes(&self) -> Result<usize> {
        Ok(match &self.coding()?.target {
            TargetCoding::Classes { n_classes, .. } => *n_classes,
            TargetCoding::Numbers(_) => 1,
        })
    }

    pub(super) fn of_numbers(&self) -> Result<bool> {
        Ok(matches!(self.coding()?.target, TargetCoding::Numbers(_)))
    }

    /// The columns of a row that its cells have too.
    pub(super) fn carried(&self) -> Result<String> {
        let mut carried = String::new();
        if self.has_units() {
            carried += ", __u";
        }
        if self.of_numbers()? {
            carried += ", __d";
        }
        Ok(carried)
    }

    /// Counts the cells of each key `__k`, which `unpacked` takes apart: a request, a bin and a class.
    /// Distances are taken from `__z`.
    pub(super) fn count_keys(
        &self,
        cells: &str,
        counts: &mut [BinCounts],
        unpacked: impl Fn(usize) -> Result<Option<(usize, usize, usize)>>,
    ) -> Result<()> {
        let (n_classes, of_numbers) = (self.n_classes()?, self.of_numbers()?);
        let mut sums_of = String::new();
        if self.has_units() {
            sums_of += &format!(", sum({})", self.sql.wide("__u"));
        }
        if of_numbers {
            let u = self.units();
            let [d, z] = ["__d", "__z"].map(|x| self.sql.wide(x));
            let away = format!("abs({d} - {z})");
            sums_of += &format!(", sum({u} * {d}), sum({u} * {away})");
        }
        let sql = format!("SELECT __k, count(*){sums_of} FROM {cells} GROUP BY __k");
        let n_before = 2 + usize::from(self.has_units());
        let found = self.run(n_before + if of_numbers { 2 } else { 0 }, &sql)?;
        let (keys, rows) = (found.counts(0)?, found.counts(1)?);
        let units = if self.has_units() { Some(found.sums(2)?) } else { None };
        let distances = match of_numbers {
            true => Some((found.sums(n_before)?, found.sums(n_before + 1)?)),
            false => None,
        };
        for (line, &key) in keys.iter().enumerate() {
            let Some((at, bin, class)) = unpacked(key as usize)? else { continue };
            let counts = &mut counts[at];
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
        batch: &BinBatch,
        parts: &KeyParts,
    ) -> Result<String> {
        let mut keys = Vec::new();
        for (number, (&column, asked)) in batch.columns.iter().enumerate() {
            let requests: Vec<&BinRequest> = asked.iter().map(|&at| &request.bins[at]).collect();
            keys.push(parts.key(&number.to_string(), &self.bin_of(column, &requests, batch)?));
        }
        let names = self.names(batch);
        let rows = self.rows_of(request.tree, &batch.nodes, &names)?;
        let cells = self.sql.counting.cells(None, &[("__k", keys)], &parts.beside(), &rows);
        Ok(format!("({cells}) AS cells WHERE __k IS NOT NULL"))
    }

    pub(super) fn names(&self, batch: &BinBatch) -> Vec<String> {
        let features = batch.columns.keys().map(|&column| &self.features[column as usize]);
        features.map(|feature| feature.alias().to_string()).collect()
    }

    /// The bin of a row in a column, null in nodes that do not ask. Nodes may ask for different bins.
    fn bin_of(&self, column: u32, requests: &[&BinRequest], batch: &BinBatch) -> Result<String> {
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
            return self.bin(column, &asked.bins);
        }
        let mut arms = Vec::new();
        for (asked, places) in &different {
            let bin = self.bin(column, &asked.bins)?;
            arms.extend(places.iter().map(|&place| (place, bin.clone())));
        }
        Ok(case_of("__n", arms))
    }
}
