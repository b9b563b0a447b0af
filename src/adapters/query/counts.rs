//! Counting bins: one row of the query becomes one packed key per column.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::SqlStore;
use super::answers::{sums, whole};
use super::bins::{bin, width};
use super::columns::lost;
use crate::error::Result;
use crate::external::{BinCounts, BinRequest, Bins, CountRequest, TargetCoding};

/// Requests of one query: some columns of some nodes.
struct Batch {
    /// Each node once.
    nodes: Vec<u32>,
    /// The point that spreads are taken about, by node.
    centres: Vec<i64>,
    /// By column: the requests, as places in the whole list.
    columns: BTreeMap<u32, Vec<usize>>,
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
        let mut batches: Vec<(Batch, usize)> = Vec::new();
        // What is in a query already: bins that nodes share are written once.
        let mut written: Vec<HashMap<(u32, usize), ()>> = Vec::new();
        for at in places {
            let asked = &request.bins[at];
            let key = (asked.column, Arc::as_ptr(&asked.bins) as usize);
            let cost = self.length_of(asked.column, width(&asked.bins));
            let fits = |(batch, length): &(Batch, usize), written: &HashMap<_, _>| {
                let same_centre = batch
                    .nodes
                    .iter()
                    .zip(&batch.centres)
                    .all(|(&node, &centre)| node != asked.node || centre == asked.centre);
                let more = if written.contains_key(&key) { 30 } else { cost };
                same_centre && length + more <= self.most_characters
            };
            let place = (0..batches.len()).find(|&i| fits(&batches[i], &written[i]));
            let place = place.unwrap_or_else(|| {
                let columns = BTreeMap::new();
                let batch = Batch { nodes: Vec::new(), centres: Vec::new(), columns };
                batches.push((batch, 0));
                written.push(HashMap::new());
                batches.len() - 1
            });
            let (batch, length) = &mut batches[place];
            *length += if written[place].insert(key, ()).is_some() { 30 } else { cost };
            if !batch.nodes.contains(&asked.node) {
                batch.nodes.push(asked.node);
                batch.centres.push(asked.centre);
                // The conditions of its path.
                *length += 200;
            }
            batch.columns.entry(asked.column).or_default().push(at);
        }
        batches.into_iter().map(|(batch, _)| batch).collect()
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
        let position_of: HashMap<u32, usize> = batch.nodes.iter().copied().zip(0..).collect();
        // Each column has a stretch of bins, as wide as its widest request.
        let mut starts = Vec::new();
        let mut stretch = 0;
        let (mut elements, mut names) = (Vec::new(), Vec::new());
        for (&column, asked) in &batch.columns {
            let requests: Vec<&BinRequest> = asked.iter().map(|&at| &request.bins[at]).collect();
            let bin = self.bin_of(column, &requests, &position_of, batch.nodes.len())?;
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
            let mut centre = "CASE __n".to_string();
            for (at, of_node) in batch.centres.iter().enumerate() {
                centre += &format!(" WHEN {at} THEN {of_node}");
            }
            beside += &format!(", __d, {centre} END AS __z");
            let [d, z] = ["__d", "__z"].map(|x| self.sql.wide(x));
            let away = format!("abs({d} - {z})");
            sums_of += &format!(", sum({u} * {d}), sum({u} * {away})");
        }
        let found = self.run(&format!(
            "SELECT __k, count(*){sums_of} FROM \
             (SELECT {keys}{beside} FROM {rows}) AS cells \
             WHERE __k IS NOT NULL GROUP BY __k"
        ))?;
        let (keys, rows) = (whole(&found, 0)?, whole(&found, 1)?);
        let mut next = 2..;
        let mut column = || sums(&found, next.next().unwrap_or(0));
        let units = if self.has_units() { Some(column()?) } else { None };
        let distances = if of_numbers { Some((column()?, column()?)) } else { None };
        let asked_at = asked_at(request, batch, &position_of);
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
            counts.rows[bin] += rows[line] as u64;
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
    fn bin_of(
        &self,
        column: u32,
        requests: &[&BinRequest],
        position_of: &HashMap<u32, usize>,
        n_nodes: usize,
    ) -> Result<String> {
        let of = &self.features[column as usize];
        let levels = self.levels[column as usize].as_deref();
        let mut different: Vec<(&BinRequest, Vec<usize>)> = Vec::new();
        for asked in requests {
            let place = position_of[&asked.node];
            match different.iter_mut().find(|(other, _)| other.bins == asked.bins) {
                Some((_, places)) => places.push(place),
                None => different.push((asked, vec![place])),
            }
        }
        if let [(asked, places)] = &different[..]
            && places.len() == n_nodes
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
fn asked_at(
    request: &CountRequest,
    batch: &Batch,
    position_of: &HashMap<u32, usize>,
) -> HashMap<(usize, u32), usize> {
    let places = batch.columns.iter().flat_map(|(&column, asked)| {
        asked.iter().map(move |&at| ((position_of[&request.bins[at].node], column), at))
    });
    places.collect()
}
