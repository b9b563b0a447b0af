//! The row that a report explains.

use std::collections::HashSet;

use polars::prelude::DataFrame;

use super::classes_of;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::data::column_data::only_text;
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::Result;
use crate::fitted::Tree;
use crate::plot::report::OneRow;
use crate::score::Routes;

impl Tree {
    /// A row of the frame, counted from 0, that is named; or the row of most loss, the first of
    /// equals, among the rows that weigh something and end in one leaf. `event` is what the page is about.
    pub(super) fn chosen_row(
        &self,
        df: &DataFrame,
        table: &Table,
        routes: &Routes,
        named: Option<usize>,
        event: Option<usize>,
    ) -> Result<Option<OneRow>> {
        let Some(row) = named.or_else(|| self.most_loss(table, routes)) else { return Ok(None) };
        let reasons = self.reasons_of(df, row, event)?;
        let target = df.column(&self.schema().target)?.slice(row as i64, 1);
        let actual = FrameColumn::new(&target).and_then(|target| only_text(&target));
        let actual = actual.unwrap_or_else(|| "missing".to_string());
        let is_chosen = named.is_some();
        Ok(Some(OneRow { number: row as u64 + 1, is_chosen, actual, reasons }))
    }

    /// The row whose class was held least likely, or whose number is farthest from its prediction.
    fn most_loss(&self, table: &Table, routes: &Routes) -> Option<usize> {
        let given = |row: usize| table.context.kept.as_ref().map_or(row, |kept| kept[row] as usize);
        let mixed: HashSet<usize> = routes.mixtures.iter().map(|(row, _)| row as usize).collect();
        let n_nodes = self.node_slice().len() as u32;
        let weights: Vec<f64> = (0..n_nodes).map(|node| self.weight(node)).collect();
        let class_of = classes_of(self.schema(), table);
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
        most.map(|(row, _)| row).or((table.n_rows() > 0).then_some(0)).map(given)
    }
}
