//! Counting bins: one row of the query becomes one packed key per column.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::answers::lost;
use super::bins::{bin, width};
use super::{SqlStore, case_of};
use crate::error::Result;
use crate::external::{BinCounts, BinRequest, Bins, CountRequest, TargetCoding};

/// Requests of one query: some columns of some nodes.
#[derive(Default)]
struct Batch {
    /// Each node once, and its place.
    nodes: Vec<u32>,
    place_of: HashMap<u32, usize>,
    /// The point that spreads are taken about, by node.
    centres: Vec<i64>,
    /// By column: the requests, as places in the whole list.
    columns: BTreeMap<u32, Vec<usize>>,
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
        let (mut many, mut packed) = (BTreeMap::new(), Vec::new());
        for (at, asked) in request.bins.iter().enumerate() {
            match &*asked.bins {
                Bins::Levels(n) if self.is_long(asked.column, *n as usize) => {
                    many.entry(asked.column).or_insert_with(Vec::new).push(at);
                }
                Bins::Levels(_) | Bins::Starts(_) => packed.push(at),
            }
        }
        for batch in self.batches(request, packed) {
            self.count_batch(request, &batch, &mut counts)?;
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
                centre.is_none_or(|centre| centre == asked.centre)
                    && batch.length + more(batch) <= self.most_characters
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
                // The conditions of its path.
                batch.length += 200;
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
        counts: &mut [BinCounts],
    ) -> Result<()> {
        let coding = &self.coding()?.target;
        let (n_classes, of_numbers) = match coding {
            TargetCoding::Classes { n_classes, .. } => (*n_classes, false),
            TargetCoding::Numbers(_) => (1, true),
        };
        // Each column has a stretch of bins, as wide as its widest request.
        let mut starts = Vec::new();
        let mut stretch = 0;
        let (mut elements, mut names) = (Vec::new(), Vec::new());
        for (&column, asked) in &batch.columns {
            let requests: Vec<&BinRequest> = asked.iter().map(|&at| &request.bins[at]).collect();
            let bin = self.bin_of(column, &requests, batch)?;
            elements.push(format!("({stretch} + {bin})"));
            names.push(self.features[column as usize].alias().to_string());
            starts.push((stretch, column));
            stretch += requests.iter().map(|asked| width(&asked.bins)).max().unwrap_or(0);
        }
        let rows = self.rows_of(request.tree, &batch.nodes, &names)?;
        let key = |bin: &String| format!("(__n * {stretch} + {bin}) * {n_classes} + __c");
        let keys: Vec<String> = elements.iter().map(key).collect();
        let keys = self.sql.counting.unnest(&keys, "__k");
        let (mut beside, mut sums_of) = (String::new(), String::new());
        if self.has_units() {
            beside += ", __u";
            sums_of += &format!(", sum({})", self.sql.wide("__u"));
        }
        if of_numbers {
            let u = self.units();
            let centres = batch.centres.iter().map(i64::to_string);
            beside += &format!(", __d, {} AS __z", case_of("__n", centres.enumerate()));
            let [d, z] = ["__d", "__z"].map(|x| self.sql.wide(x));
            let away = format!("abs({d} - {z})");
            sums_of += &format!(", sum({u} * {d}), sum({u} * {away})");
        }
        let sql = format!(
            "SELECT __k, count(*){sums_of} FROM \
             (SELECT {keys}{beside} FROM {rows}) AS cells \
             WHERE __k IS NOT NULL GROUP BY __k"
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
            let key = key as usize;
            let (cell, class) = (key / n_classes, key % n_classes);
            let (node, in_node) = (cell / stretch, cell % stretch);
            let (start, column) = starts[starts.partition_point(|&(s, _)| s <= in_node) - 1];
            let Some(&at) = asked_at.get(&(node, column)) else { continue };
            let counts = &mut counts[at];
            let bin = in_node - start;
            if bin >= counts.rows.len() {
                return Err(lost("a bin that was not asked for"));
            }
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

/// The request of each node and column.
fn asked_at(request: &CountRequest, batch: &Batch) -> HashMap<(usize, u32), usize> {
    let places = batch.columns.iter().flat_map(|(&column, asked)| {
        asked.iter().map(move |&at| ((batch.place_of[&request.bins[at].node], column), at))
    });
    places.collect()
}
