//! Trees and rankings of record batches that are read in batches: those of the table in memory.

use std::sync::Arc;

use arrow::array::*;
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Field, Int8Type, Schema};
use gaintree::prelude::*;
use gaintree::{
    Budget, FrameReader, RankMissing, Result, StreamedRanking, fit_tree_in_batches,
    rank_gain_in_parts,
};

use crate::full_ranking::full;

/// Columns of several kinds, with missing values.
fn mixed(n: u32) -> RecordBatch {
    let number = |row: u32, step: u32| f64::from((row * step) % 97) / 7.0;
    let some = |row: u32, step: u32| (!row.is_multiple_of(step)).then_some(row);
    let texts = ["red", "green", "blue", "Blue", ""];
    let text = |row: u32| some(row, 11).map(|row| texts[(row * row % 5) as usize]);
    let signed = |row: u32| [None, Some(0.0), Some(-0.0), Some(f64::NAN)][(row * row % 4) as usize];
    let class = |row: u32| (number(row, 31) + number(row, 5) > 13.0) != row.is_multiple_of(13);
    let rows = || 0..n;
    let x: Float64Array = rows().map(|row| some(row, 9).map(|row| number(row, 31))).collect();
    let small: Float32Array = rows().map(|row| Some(number(row, 5) as f32)).collect();
    let whole: Int64Array =
        rows().map(|row| some(row, 17).map(|row| i64::from(row % 23) - 9)).collect();
    let switch: BooleanArray = rows().map(|row| Some(row % 5 > 1)).collect();
    let category: DictionaryArray<Int8Type> = rows().map(text).collect();
    let weight: Float64Array = rows().map(|row| Some(f64::from(row % 4) / 4.0)).collect();
    let classes: StringArray =
        rows().map(|row| Some(if class(row) { "yes" } else { "no" })).collect();
    let target: Float64Array = rows().map(|row| Some(number(row, 31) * number(row, 3))).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("x", Arc::new(x)),
        ("small", Arc::new(small)),
        ("whole", Arc::new(whole)),
        ("text", Arc::new(rows().map(text).collect::<StringArray>())),
        ("signed", Arc::new(rows().map(signed).collect::<Float64Array>())),
        ("switch", Arc::new(switch)),
        ("category", Arc::new(category)),
        ("weight", Arc::new(weight)),
        ("class", Arc::new(classes)),
        ("number", Arc::new(target)),
    ];
    let nullable = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(nullable).expect("a batch")
}

/// Uneven batches of a table; one of them has no rows.
struct UnevenBatches(Vec<RecordBatch>);

impl UnevenBatches {
    fn of(table: &RecordBatch) -> UnevenBatches {
        let n = table.num_rows();
        let cuts = [0, 1, 1, 9, 70, 71, 200, n].map(|cut: usize| cut.min(n));
        UnevenBatches(cuts.windows(2).map(|cut| table.slice(cut[0], cut[1] - cut[0])).collect())
    }
}

impl FrameReader for UnevenBatches {
    type Frame = Vec<RecordBatch>;

    fn empty(&self) -> Vec<RecordBatch> {
        vec![RecordBatch::new_empty(self.0[0].schema())]
    }

    fn n_rows(&mut self) -> Result<u64> {
        Ok(self.0.iter().map(|batch| batch.num_rows() as u64).sum())
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<Vec<RecordBatch>> {
        let mut left = first.map_or(usize::MAX, |first| first as usize);
        let some = |batch: &RecordBatch| {
            let rows = batch.num_rows().min(left);
            left -= rows;
            columns(batch, names).slice(0, rows)
        };
        Ok(self.0.iter().map(some).collect())
    }

    /// Two at a time.
    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(Vec<RecordBatch>) -> Result<()> + Send),
    ) -> Result<()> {
        assert!(rows_at_once > 0);
        let pairs = self.0.chunks(2);
        let mut some = pairs.map(|pair| pair.iter().map(|batch| columns(batch, names)).collect());
        some.try_for_each(take)
    }
}

/// The same batches, each by itself.
struct OneByOne(UnevenBatches);

impl FrameReader for OneByOne {
    type Frame = RecordBatch;

    fn empty(&self) -> RecordBatch {
        RecordBatch::new_empty(self.0.0[0].schema())
    }

    fn n_rows(&mut self) -> Result<u64> {
        self.0.n_rows()
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<RecordBatch> {
        let read = self.0.read(names, first)?;
        Ok(concat_batches(&read[0].schema(), &read).expect("one schema"))
    }

    fn read_batches(
        &mut self,
        names: &[&str],
        _: u32,
        take: &mut (dyn FnMut(RecordBatch) -> Result<()> + Send),
    ) -> Result<()> {
        self.0.0.iter().map(|batch| columns(batch, names)).try_for_each(take)
    }
}

fn columns(batch: &RecordBatch, names: &[&str]) -> RecordBatch {
    let index = |name: &&str| batch.schema_ref().index_of(name).expect("there");
    batch.project(&names.iter().map(index).collect::<Vec<_>>()).expect("projected")
}

#[test]
fn trees_of_batches_that_are_read_are_those_of_the_table() {
    let table = mixed(300);
    let budget = Budget::of_memory(64 << 20).bins(16).gathered_rows(40);
    let weighted = TreeSpec::cart().max_depth(6).exclude(["class", "number"]).weight("weight");
    let plain = TreeSpec::id3().max_leaves(9).exclude(["class", "number", "weight"]);
    for (target, spec) in [
        ("class", &weighted),
        ("class", &plain),
        ("number", &weighted),
        ("class", &weighted.clone().threads(1)),
    ] {
        let expected = table.fit_tree(target, spec).expect("fits");
        let (mut pairs, mut single) =
            (UnevenBatches::of(&table), OneByOne(UnevenBatches::of(&table)));
        let mut passes = 0;
        let fit = fit_tree_in_batches(&mut pairs, target, spec, &budget, &mut |_| passes += 1);
        let fit = fit.expect("fits");
        assert_eq!(fit.tree.to_json(), expected.tree.to_json());
        assert_eq!(fit.importance, expected.importance);
        assert_eq!((fit.report.passes, fit.notes), (passes, expected.notes));
        let fit = fit_tree_in_batches(&mut single, target, spec, &budget, &mut |_| {});
        assert_eq!(fit.expect("fits").tree.to_json(), expected.tree.to_json());
    }
}

#[test]
fn rankings_of_batches_that_are_read_are_those_of_the_table() {
    let table = mixed(300);
    let all = || full().exclude(["class", "number"]);
    let by = |names: &[&str]| all().by(names.iter().copied());
    for (target, spec, memory) in [
        ("class", all(), 400),
        ("number", all().threads(1), 400),
        ("class", all().weight("weight").missing(RankMissing::OwnLevel), 400),
        ("class", by(&["text"]), 8_000),
        ("class", by(&["signed"]).weight("weight"), 8_000),
        ("number", by(&["switch", "category", "signed"]), 8_000),
    ] {
        let expected = table.rank_gain(target, &spec).expect("ranks");
        let mut pairs = UnevenBatches::of(&table);
        let mut single = OneByOne(UnevenBatches::of(&table));
        for budget in [Budget::default(), Budget::of_memory(memory).bins(9)] {
            let ranked = rank_gain_in_parts(&mut pairs, target, &spec, &budget).expect("ranks");
            assert_eq!(ranked.ranking, expected, "{spec:?}");
            let weighs = |row: &u32| spec.weight.is_none() || !row.is_multiple_of(4);
            assert_eq!(ranked.rows as usize, (0..300).filter(weighs).count());
            let one_by_one: StreamedRanking<RecordBatch> =
                rank_gain_in_parts(&mut single, target, &spec, &budget).expect("ranks");
            assert_eq!(one_by_one.ranking, expected, "{spec:?}");
        }
        let little = Budget::of_memory(memory).bins(9);
        let counted = rank_gain_in_parts(&mut pairs, target, &spec, &little).expect("ranks");
        assert!(counted.readings > 2, "{} readings", counted.readings);
    }
}

#[test]
fn judging_batches_that_are_read_is_that_of_the_table() {
    let (table, plain) = (mixed(300), EvalSpec::default());
    for target in ["class", "number"] {
        let weighted = TreeSpec::cart().exclude(["class", "number"]).weight("weight");
        let tree = table.slice(0, 200).fit_tree(target, &weighted).expect("fits").tree;
        let expected = tree.evaluation(&table).expect("judged");
        let mut rows = UnevenBatches::of(&table);
        assert_eq!(tree.evaluation_in_batches(&mut rows, &plain).expect("judged"), expected);
        let pruned = tree.prune_reduced_error(&table, PruneBy::ErrorRate).expect("pruned");
        let in_batches = tree.prune_reduced_error_in_batches(&mut rows, PruneBy::ErrorRate);
        assert_eq!(in_batches.expect("pruned").to_json(), pruned.to_json());
    }
}

#[test]
fn a_row_is_named_as_that_of_the_table_and_a_column_of_another_dtype_is_refused() {
    let (table, budget) = (mixed(300), Budget::default());
    let spec = TreeSpec::cart().exclude(["number", "weight"]);
    let with = |table: &RecordBatch, name: &str, array: ArrayRef| {
        let at = table.schema_ref().index_of(name).expect("there");
        let mut fields: Vec<Field> =
            table.schema_ref().fields().iter().map(|field| field.as_ref().clone()).collect();
        fields[at] = Field::new(name, array.data_type().clone(), true);
        let mut arrays = table.columns().to_vec();
        arrays[at] = array;
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("a batch")
    };
    let class = table.column_by_name("class").expect("there").as_string::<i32>();
    let class: StringArray =
        class.iter().zip(0..).map(|(text, row)| text.filter(|_| row != 80)).collect();
    let mut holes = UnevenBatches::of(&with(&table, "class", Arc::new(class)));
    let tree = table.fit_tree("class", &spec).expect("fits").tree;
    let judged = tree.evaluation_in_batches(&mut holes, &EvalSpec::default());
    let e = judged.expect_err("refused").to_string();
    assert!(e.contains("row 81"), "{e}");
    let mut rows = UnevenBatches::of(&table);
    let whole = rows.0[6].column_by_name("whole").expect("there");
    let other = cast(whole, &DataType::Float64).expect("casts");
    rows.0[6] = with(&rows.0[6], "whole", other);
    let fit = fit_tree_in_batches(&mut rows, "class", &spec, &budget, &mut |_| {});
    let e = fit.expect_err("refused").to_string();
    assert!(e.contains("column `whole` (i64) has another dtype in some rows"), "{e}");
}
