//! What a store of a query answers is what looking at each row gives.

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use gaintree::engine::*;
use gaintree::{SqlStore, TreeSpec};
use gaintree_datafusion::SessionEngine;

use crate::cluster::Cluster;
use crate::compared::Compared;
use crate::naive::NaiveStore;
use crate::tables::{
    Random, TARGETS, TargetKind, feature_names, random_table, register, write_parquet,
};

/// A question about the rows of a random tree, and all that it is asked of.
struct Question {
    tree: GrowingTree,
    bins: Vec<BinRequest>,
    moments: Vec<MomentRequest>,
    values: Vec<ValueRequest>,
    open: Vec<u32>,
}

impl Question {
    /// Splits nodes at random, and asks about the nodes that are left.
    fn random(
        naive: &NaiveStore,
        coding: &Coding,
        columns: &[StoreColumn],
        binning: &[Binning],
        r: &mut Random,
    ) -> Self {
        let mut tree = GrowingTree { nodes: vec![GrowingNode::default()] };
        for _ in 0..r.below(7) {
            let node = r.below(tree.nodes.len() as u64) as usize;
            let column = r.below(columns.len() as u64) as u32;
            if tree.nodes[node].rule.is_some() {
                continue;
            }
            let Some(rule) = random_rule(naive, coding, columns, column, r) else { continue };
            let branches = match &rule.test {
                Test::Each(levels) => levels.len() + usize::from(rule.missing_to.is_some()),
                _ => 2,
            };
            tree.nodes[node].first_branch = tree.nodes.len() as u32;
            tree.nodes[node].rule = Some(rule);
            for branch in 0..branches as u32 {
                let parent = Some((node as u32, branch));
                tree.nodes.push(GrowingNode { parent, ..GrowingNode::default() });
            }
        }
        let open: Vec<u32> = (0..tree.nodes.len() as u32)
            .filter(|&node| tree.nodes[node as usize].rule.is_none() && r.below(4) > 0)
            .collect();
        let of_numbers = matches!(coding.target, TargetCoding::Numbers(_));
        let (mut bins, mut values, mut moments) = (Vec::new(), Vec::new(), Vec::new());
        for &node in &open {
            let centre = if of_numbers { r.below(1 << 61) as i64 - (1 << 60) } else { 0 };
            if of_numbers {
                moments.push(MomentRequest { node, centre: centre.into() });
            }
            for (column, StoreColumn { dtype, .. }) in (0..).zip(columns) {
                let keys = some_keys(naive, dtype, column as usize, r);
                if coding.level_codes[column as usize].is_some() {
                    let levels = Arc::new(Bins::Levels(coding.n_levels[column as usize]));
                    let within = Vec::new();
                    bins.push(BinRequest { node, column, bins: levels, within, centre });
                    continue;
                }
                if r.below(3) > 0 {
                    let in_steps = binning[column as usize].in_steps && r.below(3) > 0;
                    let (of, within) = random_bins(dtype, &keys, in_steps, r);
                    bins.push(BinRequest { node, column, bins: Arc::new(of), within, centre });
                }
                if keys.len() > 3 {
                    let (first, last) = (keys[0], keys[1]);
                    let mut ranges = vec![KeyRange { first, last }];
                    ranges.extend(keys[2..].iter().map(|&key| KeyRange { first: key, last: key }));
                    values.push(ValueRequest { node, column, ranges });
                }
            }
        }
        Question { tree, bins, moments, values, open }
    }

    fn request(&self) -> CountRequest<'_> {
        CountRequest {
            tree: &self.tree,
            bins: self.bins.clone(),
            moments: self.moments.clone(),
            values: self.values.clone(),
        }
    }
}

/// Bins of a column, by some of its keys, and the ranges that they are asked within.
fn random_bins(
    dtype: &DType,
    keys: &[i128],
    in_steps: bool,
    r: &mut Random,
) -> (Bins, Vec<KeyRange>) {
    let pairs = keys.chunks_exact(2).filter(|_| r.below(2) > 0).collect::<Vec<_>>();
    let within: Vec<KeyRange> =
        pairs.iter().map(|pair| KeyRange { first: pair[0], last: pair[1] }).collect();
    let n_bins = 2 + r.below(9) as usize;
    match (in_steps, within.is_empty() || r.below(2) > 0) {
        (true, true) => {
            let all = KeyRange { first: i128::MIN, last: i128::MAX };
            (Bins::Steps(Steps::new(dtype, keys, &[all], n_bins)), Vec::new())
        }
        (true, false) => (Bins::Steps(Steps::new(dtype, keys, &within, n_bins)), within),
        (false, true) => (Bins::Starts(keys.to_vec()), Vec::new()),
        (false, false) => {
            let ends = within.iter().flat_map(|range| [range.first, range.last + 1]);
            (Bins::Starts(ends.collect()), within)
        }
    }
}

/// Some keys of a column, ascending.
fn some_keys(naive: &NaiveStore, dtype: &DType, column: usize, r: &mut Random) -> Vec<i128> {
    let mut keys: Vec<i128> = naive
        .distinct(column)
        .iter()
        .filter(|_| r.below(5) == 0)
        .filter_map(|value| key_of_value(dtype, value))
        .collect();
    keys.sort_unstable();
    keys
}

fn random_rule(
    naive: &NaiveStore,
    coding: &Coding,
    columns: &[StoreColumn],
    column: u32,
    r: &mut Random,
) -> Option<NodeRule> {
    let n_levels = coding.n_levels[column as usize];
    let missing_to = Some(r.below(2) as u32);
    let some: Vec<u32> = (0..n_levels).filter(|_| r.below(2) > 0).collect();
    let test = match (coding.level_codes[column as usize].is_some(), r.below(6)) {
        (_, 0) => return Some(NodeRule { column, test: Test::IsMissing, missing_to: None }),
        (false, _) => {
            let keys = some_keys(naive, &columns[column as usize].dtype, column as usize, r);
            Test::AtLeast(*keys.get(keys.len() / 2)?)
        }
        (true, _) if n_levels < 2 => return None,
        (true, 1) => Test::AtLeast(r.below(n_levels.into()).into()),
        (true, 2) => Test::Equals(r.below(n_levels.into()) as u32),
        (true, 3) => {
            let missing_to = Some(n_levels);
            return Some(NodeRule {
                column,
                test: Test::Each((0..n_levels).collect()),
                missing_to,
            });
        }
        (true, _) if some.is_empty() => return None,
        (true, _) => {
            let left = (0..n_levels).filter(|level| !some.contains(level)).collect();
            Test::In { right: some, left }
        }
    };
    Some(NodeRule { column, test, missing_to })
}

/// Codes and classes in an order of our own; units and numbers as growth has them.
fn coding(summary: &StoreSummary, units: Option<UnitCoding>) -> Coding {
    let target = match &summary.target {
        TargetSummary::Classes { values, .. } => {
            let n = values.len();
            let class_of = (0..n).map(|at| ((at + 1) % n) as u16).collect();
            TargetCoding::Classes { class_of, n_classes: n }
        }
        TargetSummary::Numbers { min, max, .. } => {
            TargetCoding::Numbers(NumberScale::new(&[*min, *max]))
        }
    };
    let has_levels = |feature: &&FeatureSummary| feature.is_all;
    let level_codes = summary.features.iter().map(|feature| {
        // The listed values are in order of their keys.
        Some(feature).filter(has_levels).map(|f| (0..f.values.len() as u32).collect())
    });
    let n_levels = summary.features.iter();
    Coding {
        target,
        units,
        level_codes: level_codes.collect(),
        n_levels: n_levels.map(|f| if f.is_all { f.values.len() as u32 } else { 0 }).collect(),
    }
}

fn wishes(columns: &[StoreColumn], few: usize) -> Vec<FeatureWish> {
    let wish = |column: &StoreColumn| match column.dtype {
        DType::String | DType::Categorical | DType::Boolean => FeatureWish::Levels,
        _ => FeatureWish::Values { few, sample: 20 },
    };
    columns.iter().map(wish).collect()
}

pub fn sorted_rows(rows: &GatheredRows, columns: &[StoreColumn]) -> Vec<String> {
    let n = rows.columns[0].len();
    let cell = |at: usize, row: usize| {
        let is_known = |missing: &Option<Vec<bool>>| missing.as_ref().is_none_or(|m| !m[row]);
        match &rows.columns[at] {
            ColumnData::Keys(keys, missing) => {
                is_known(missing).then(|| value_of_key(&columns[at].dtype, keys[row].into()))
            }
            ColumnData::Wide(keys, missing) => {
                is_known(missing).then(|| value_of_key(&columns[at].dtype, keys[row]))
            }
            ColumnData::Text(ids, texts) => {
                (ids[row] != MISSING).then(|| Value::Text(texts[ids[row] as usize].clone()))
            }
            ColumnData::Missing(_) => None,
        }
    };
    let mut lines: Vec<String> = (0..n)
        .map(|row| {
            let cells: Vec<_> = (0..columns.len()).map(|at| cell(at, row)).collect();
            let target = match &rows.target {
                GatheredTarget::Classes(classes) => f64::from(classes[row]),
                GatheredTarget::Numbers(numbers) => numbers[row],
            };
            let units = rows.units.as_ref().map_or(1, |units| units[row]);
            format!("{cells:?} {target:?} {units}")
        })
        .collect();
    lines.sort();
    lines
}

/// Asks a store of a query and looks at each row; gives how often a row was in an answer.
fn check(engine: &SessionEngine, table: &RecordBatch, seed: u64, rounds: usize) -> usize {
    let mut looked_at = 0;
    let r = &mut Random::new(seed + 77);
    let weight = (!seed.is_multiple_of(3)).then_some("weight");
    let mut spec = TreeSpec::cart().features(feature_names(table));
    spec.weight = weight.map(str::to_string);
    let mut store = SqlStore::new(engine, "SELECT * FROM t", "y", &spec).expect("a store");
    if !seed.is_multiple_of(2) {
        // Questions are divided, and levels are counted by value.
        store = store.most_characters(4_000);
    }
    let mut store = Compared::new(store, table);
    let columns = store.features().to_vec();
    let target_is_number = store.target().dtype == DType::F64;
    let features = wishes(&columns, [4, 12, 60][seed as usize % 3]);
    let max_levels = 1 << 14;
    let request = SummaryRequest { target_is_number, max_classes: 9, max_levels, features };
    let summary = store.summarize(&request).expect("sums up");
    let units = match (weight, seed % 2) {
        (None, 0) => None,
        (None, _) => Some(UnitCoding {
            unit: Some(1.0 / 512.0),
            of_class: vec![1.5, 0.3, 2.0],
            ..UnitCoding::default()
        }),
        (Some(_), 0) => Some(UnitCoding { row_unit: Some(0.25), ..UnitCoding::default() }),
        (Some(_), _) => Some(UnitCoding {
            row_unit: Some(0.5),
            of_class: vec![0.7; 3],
            unit: Some(2f64.powi(-40)),
        }),
    };
    let units = units.map(|units| match target_is_number {
        true => UnitCoding { of_class: Vec::new(), ..units },
        false => units,
    });
    let coding = coding(&summary, units);
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let naive = NaiveStore::new(table, &names, weight, coding.clone(), &summary);
    let coding = Arc::new(coding);
    store.begin(&coding).expect("begins");
    let binning: Vec<Binning> = (0..columns.len()).map(|at| store.binning(at)).collect();
    for _ in 0..rounds {
        let question = Question::random(&naive, &coding, &columns, &binning, r);
        let counts = store.count(&question.request()).expect("counts");
        looked_at += counts.bins.iter().flat_map(|bins| &bins.rows).sum::<u64>() as usize;
        looked_at += counts.values.iter().map(|values| values.keys.len()).sum::<usize>();
        let gathered = store.gather(&question.tree, &question.open).expect("gathers");
        looked_at += gathered.iter().map(|rows| rows.columns[0].len()).sum::<usize>();
    }
    looked_at
}

/// In a thread that may block, as growth does.
async fn check_all(session: SessionContext, table: RecordBatch, seed: u64, rounds: usize) -> usize {
    let engine = SessionEngine::new(&session).expect("a runtime");
    let checked = tokio::task::spawn_blocking(move || check(&engine, &table, seed, rounds));
    match checked.await {
        Ok(looked_at) => looked_at,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

#[tokio::test]
async fn answers_are_those_of_each_row() {
    let mut looked_at = 0;
    for (seed, target) in (0..3).flat_map(|seed| TARGETS.map(|target| (seed, target))) {
        let table = random_table(seed, 80, target);
        let session = SessionContext::new();
        register(&session, &table, 1 + seed as usize % 4);
        looked_at += check_all(session, table, seed + 3 * (target as u64 % 2), 1).await;
    }
    assert!(looked_at > 5_000, "{looked_at} rows in bins, values and nodes");
}

async fn read(session: &SessionContext, folder: &Path) {
    let path = folder.to_str().expect("a name");
    session.deregister_table("t").expect("no table");
    session.register_parquet("t", path, ParquetReadOptions::default()).await.expect("reads");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_answers_alike() {
    let cluster = Cluster::start(2).await.expect("a cluster");
    let session = cluster.session().await.expect("a session");
    for (seed, target) in [(1, TargetKind::Text), (2, TargetKind::Number)] {
        // A column costs a query or two, and each of them a round among the processes.
        let table = random_table(seed, 120, target).project(&[1, 5, 7, 8, 12, 20, 21]);
        let table = table.expect("columns that are there");
        let folder = tempfile::tempdir().expect("a folder");
        write_parquet(folder.path(), &table, 3);
        read(&session, folder.path()).await;
        check_all(session.clone(), table, seed, 1).await;
    }
}
