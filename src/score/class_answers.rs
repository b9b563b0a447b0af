//! What a model says of the classes of rows, whatever the model is.

use crate::score::{ForestAnswers, PreparedTree, Routes};

/// Answers, and which of them each row got. Rows that went the same path down a tree share one.
pub(crate) struct ClassAnswers {
    /// The answer of each row.
    pub(crate) of_row: Vec<u32>,
    /// The class of each answer.
    pub(crate) predicted: Vec<u32>,
    /// Class by class, its probability in each answer.
    pub(crate) probabilities: Vec<Vec<f64>>,
    pub(crate) absent_levels: u64,
}

impl PreparedTree<'_> {
    /// The answers of rows that are routed.
    pub(crate) fn class_answers(self, routes: &Routes) -> ClassAnswers {
        let (paths, of_row) = routes.paths(self.data.nodes.len());
        let classes = 0..self.data.schema.classes.len();
        ClassAnswers {
            of_row,
            predicted: self.classes(&paths),
            probabilities: classes.map(|class| self.probabilities(&paths, class)).collect(),
            absent_levels: routes.absent_levels,
        }
    }
}

impl ForestAnswers {
    /// The probability of a class in each row, of so many classes.
    pub(crate) fn probabilities(
        &self,
        class: usize,
        n_classes: usize,
    ) -> impl Iterator<Item = f64> {
        self.values.iter().skip(class).step_by(n_classes).copied()
    }

    /// An answer a row.
    pub(crate) fn class_answers(&self, n_classes: usize) -> ClassAnswers {
        let of_class = |class| self.probabilities(class, n_classes).collect();
        ClassAnswers {
            of_row: (0..self.classes.len() as u32).collect(),
            probabilities: (0..n_classes).map(of_class).collect(),
            predicted: self.classes.clone(),
            absent_levels: self.absent_levels,
        }
    }
}
