//! The pictures of models, and the report on them, as methods.

use super::frame::Frame;
use super::model_verbs::ModelVerbs;
use super::report::ReportSpec;
use crate::error::Result;
use crate::spec::ContributionSpec;

/// What a [`Tree`](crate::Tree), a [`Forest`](crate::Forest) and a [`Model`](crate::Model) of either kind show
/// alike of the rows of a [frame](Frame): pictures, and a page.
pub trait ModelPictures: ModelVerbs {
    /// How much each feature contributes to the model's answers for the rows of a frame, as an SVG
    /// picture: a line for each of the twenty features that contribute most, and on it its
    /// [contributions](ModelVerbs::contributions), lower to the left and higher to the right, in bins
    /// as high as their rows. The colour of a bin is that of its rows' values, from the
    /// feature's low ones to its high ones. Its size does not grow with the rows; memory is that of
    /// the table of contributions. The same rows give the same bytes.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let svg = tree.contributions_svg(&df, &ContributionSpec::default())?;
    /// assert!(svg.contains("to the prediction of y, of 4 rows"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`contribution_importance`](ModelVerbs::contribution_importance).
    fn contributions_svg<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<String> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || {
            Ok(self.model_ref().contributions_drawing(&columns, spec)?.document())
        })
    }

    /// How the model's answer for one row of a frame, counted from 0, comes about, as an SVG
    /// picture: the steps of its [`waterfall`](ModelVerbs::waterfall). The fourteen largest have
    /// a line each. The same row gives the same bytes.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let svg = tree.waterfall_svg(&df, 3, &ContributionSpec::default())?;
    /// assert!(svg.contains("x = 9") && svg.contains("the prediction of y is 4.5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`waterfall`](ModelVerbs::waterfall).
    fn waterfall_svg<F: Frame + ?Sized>(
        &self,
        frame: &F,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<String> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || {
            Ok(self.model_ref().waterfall_drawing(&columns, row, spec)?.document())
        })
    }

    /// A page on the model and a frame that holds its target: the figures that matter, how good the
    /// predictions are (confusion, precision and recall of each class; ROC, precision and calibration of
    /// the rarer of two; or residuals), why the row of most loss is answered as it is, importances, what
    /// each feature alone tells, the curves of the six best features, what the twelve best tell about each
    /// other, which few features tell most together, and the columns (distribution, extremes, missing
    /// shares, and notes on constant ones, ids and ones that give the target away). The page of a tree has
    /// the tree to fold and search, and its rules. The page of a forest has the contributions to the answers
    /// for up to a thousand rows, and one of its trees. One HTML file that needs no network; the same
    /// model and frame give the same bytes.
    ///
    /// The frame may lack the features that no rule uses, and the weight.
    ///
    /// # Errors
    /// As [`evaluation`](ModelVerbs::evaluation).
    fn report<F: Frame + ?Sized>(&self, frame: &F) -> Result<String> {
        self.report_with(frame, &ReportSpec::default())
    }

    /// The [`report`](Self::report) about a class or a row that the spec names, beside other rows, or on the
    /// training rows out of bag.
    ///
    /// ```
    /// use gaintree::{ReportSpec, prelude::*};
    /// use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["a", "a", "a", "b", "b", "b"]]?;
    /// let forest = df.fit_forest("y", &ForestSpec::default().trees(50).seed(1))?.forest;
    /// let page = forest.report_with(&df, &ReportSpec::default().out_of_bag(true))?;
    /// assert!(page.contains("Forest of"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](ModelVerbs::evaluation), and out of bag as
    /// [`out_of_bag`](crate::Forest::out_of_bag); an event that is no class of the target, a row that is not
    /// there, a reference without rows or that cannot be scored, rows out of bag of a tree, and of a forest
    /// other rows or another model to hold it against.
    fn report_with<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ReportSpec<F::Columns>,
    ) -> Result<String> {
        let columns = self.model_ref().reported_columns(frame)?;
        F::in_pool(spec.threads, || self.model_ref().report_page(&columns, spec))
    }
}

impl<M: ModelVerbs> ModelPictures for M {}
