//! What trees and forests answer to rows, as tests of their code.

use crate::data::column_data::Source;
use crate::error::Result;
use crate::export::{CodeSpec, TestAnswers};
use crate::fitted::{Forest, Tree};
use crate::score::Voting;
use crate::tree::forest_data::ForestData;

impl Tree {
    /// A program that compares the [code](crate::engine::TreeData::to_code) of this tree with the
    /// tree's answers for rows: class or number, probabilities and leaf. Arguments are the same as
    /// for [`route`](Self::route). The program has all the rows in it.
    ///
    /// # Errors
    /// As `to_code` and `route`; no rows, and a column whose values a field of the code does not hold.
    pub fn code_test<S: Source + Send>(
        &self,
        spec: impl Into<CodeSpec>,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<String> {
        let routes = self.route(n_rows, &column, known)?;
        let by_class: Vec<Vec<f64>> = (0..self.schema().classes.len())
            .map(|class| self.probabilities(&routes, class))
            .collect();
        let answers = match self.is_regression() {
            true => {
                let (values, leaf_ids) = (self.means(&routes), Some(routes.nodes));
                TestAnswers { classes: Vec::new(), values, leaf_ids }
            }
            false => TestAnswers {
                classes: self.classes(&routes),
                values: (0..n_rows).flat_map(|row| by_class.iter().map(move |p| p[row])).collect(),
                leaf_ids: Some(routes.nodes),
            },
        };
        self.data.code_test(&spec.into(), &answers, column)
    }
}

impl Forest {
    /// As [`Tree::code_test`], without leaves.
    ///
    /// # Errors
    /// As the code test of a tree.
    pub fn code_test<S: Source + Send>(
        &self,
        spec: impl Into<CodeSpec>,
        voting: Voting,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<String> {
        let found = self.answers(n_rows, voting, &column, known)?;
        let answers = TestAnswers { classes: found.classes, values: found.values, leaf_ids: None };
        ForestData::code_test(self, &spec.into(), voting, &answers, column)
    }
}
