//! The row that a report explains.

use std::collections::{HashMap, HashSet};

use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::plot::figure;
use crate::plot::report::OneRow;
use crate::score::Routes;

impl Tree {
    /// The row of a number, counted from 1 in the frame; or the row of most loss, the first of
    /// equals, of those that weigh something and end in one leaf.
    pub(super) fn chosen_row(
        &self,
        table: &Table,
        routes: &Routes,
        number: Option<u64>,
    ) -> Result<Option<OneRow>> {
        let given = |row: usize| table.context.kept.as_ref().map_or(row, |kept| kept[row] as usize);
        let mixed: HashSet<usize> = routes.mixtures.iter().map(|(row, _)| row as usize).collect();
        let at = match number {
            None => self.most_loss(table, routes, &mixed, given),
            Some(number) => (0..table.n_rows()).find(|&row| given(row) as u64 + 1 == number),
        };
        let Some(at) = at else {
            return match number {
                None => Ok(None),
                Some(number) => Err(Error::data(format!(
                    "row {number} is not there, or weighs nothing: there are {} rows, counted from 1",
                    routes.nodes.len()
                ))),
            };
        };
        let actual = match &table.target.values {
            TargetValues::Classes { labels, codes } => {
                table.target.dtype.show(&labels[usize::from(codes[at])])
            }
            TargetValues::Numbers { numbers, .. } => figure(numbers[at], 6),
        };
        let features = self.schema().features.iter();
        let values = (0u32..).zip(features).filter_map(|(id, feature)| {
            let column = table.columns.iter().find(|c| c.name() == feature.name)?;
            let code = column.codes.of(at as u32);
            (code < column.missing_code()).then(|| (id, column.level_text(code)))
        });
        Ok(Some(OneRow {
            number: given(at) as u64 + 1,
            is_chosen: number.is_some(),
            leaf: routes.nodes[given(at)],
            in_parts: mixed.contains(&given(at)),
            actual,
            values: values.collect(),
        }))
    }

    /// The row whose class was held least likely, or whose number is farthest from its prediction.
    fn most_loss(
        &self,
        table: &Table,
        routes: &Routes,
        mixed: &HashSet<usize>,
        given: impl Fn(usize) -> usize,
    ) -> Option<usize> {
        let n_nodes = self.node_slice().len() as u32;
        let weights: Vec<f64> = (0..n_nodes).map(|node| self.weight(node)).collect();
        let class_of = self.classes_of(table);
        let loss = |row: usize| {
            let leaf = routes.nodes[given(row)];
            match &table.target.values {
                TargetValues::Numbers { numbers, .. } => {
                    (numbers[row] - self.mean(leaf).unwrap_or_default()).abs()
                }
                TargetValues::Classes { codes, .. } => match class_of[usize::from(codes[row])] {
                    Some(class) => 1.0 - self.class_counts(leaf)[class] / weights[leaf as usize],
                    None => 1.0,
                },
            }
        };
        let mut most: Option<(usize, f64)> = None;
        for row in (0..table.n_rows()).filter(|&row| !mixed.contains(&given(row))) {
            let loss = loss(row);
            if most.is_none_or(|(_, before)| loss > before) {
                most = Some((row, loss));
            }
        }
        most.map(|(row, _)| row).or((table.n_rows() > 0).then_some(0))
    }

    /// The tree's class of each label of a table's target; `None` is one never trained.
    pub(super) fn classes_of(&self, table: &Table) -> Vec<Option<usize>> {
        let n = self.schema().classes.len();
        let trained: HashMap<String, usize> =
            (0..n).map(|class| (self.schema().class_text(class), class)).collect();
        let labels = table.target.labels().iter();
        labels.map(|label| trained.get(&table.target.dtype.show(label)).copied()).collect()
    }
}
