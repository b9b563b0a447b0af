//! Measures of Arrow arrays: those of Polars' columns.

use std::fmt::Debug;
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::{DataType, Field, Int32Type};
use gaintree::{
    ColumnChunks, Result, class_measures, level_entropy, mdl_intervals,
    symmetric_uncertainty_of_levels,
};
use polars::prelude::Column;

/// A column of both libraries.
struct Both {
    column: Column,
    arrow: ColumnChunks,
}

impl Both {
    fn new(column: Column, array: impl Array + 'static) -> Both {
        let field = Field::new(column.name().as_str(), array.data_type().clone(), true);
        // In two chunks, with an empty one between them.
        let middle = array.len() / 2;
        let parts = [(0, middle), (middle, 0), (middle, array.len() - middle)];
        let chunks = parts.map(|(first, length)| array.slice(first, length)).to_vec();
        Both { column, arrow: (Arc::new(field), chunks) }
    }

    fn texts(name: &str, texts: Vec<Option<&str>>) -> Both {
        Both::new(Column::new(name.into(), &texts), StringArray::from(texts))
    }

    fn floats(name: &str, floats: Vec<Option<f64>>) -> Both {
        Both::new(Column::new(name.into(), &floats), Float64Array::from(floats))
    }

    fn integers(name: &str, integers: Vec<Option<i64>>) -> Both {
        Both::new(Column::new(name.into(), &integers), Int64Array::from(integers))
    }

    fn switches(name: &str, switches: Vec<Option<bool>>) -> Both {
        Both::new(Column::new(name.into(), &switches), BooleanArray::from(switches))
    }

    fn arrow(&self) -> &ColumnChunks {
        &self.arrow
    }
}

/// Two results that are the same, as text.
fn same<T: Debug>(polars: Result<T>, arrow: Result<T>) -> String {
    let [polars, arrow] = [polars, arrow].map(|result| match result {
        Ok(value) => format!("{value:?}"),
        Err(e) => format!("error: {e}"),
    });
    assert_eq!(polars, arrow);
    polars
}

fn of_both(feature: &Both, target: &Both) -> [String; 3] {
    let (x, y) = (&feature.column, &target.column);
    let (a, b) = (feature.arrow(), target.arrow());
    [
        same(class_measures(x, y), class_measures(a, b)),
        same(mdl_intervals(x, y), mdl_intervals(a, b)),
        same(symmetric_uncertainty_of_levels(x, y), symmetric_uncertainty_of_levels(a, b)),
    ]
}

fn features(n: usize) -> Vec<Both> {
    let rows = || 0..n as u32;
    let some = |row: u32, step: u32| (!row.is_multiple_of(step)).then_some(row);
    let number =
        |row: u32| if row.is_multiple_of(13) { f64::NAN } else { f64::from(row * 31 % 97) };
    let texts = ["red", "green", "blue", "Blue", ""];
    let text = |row: u32| some(row, 11).map(|row| texts[(row * row % 5) as usize]);
    vec![
        Both::floats("x", rows().map(|row| some(row, 9).map(number)).collect()),
        Both::integers(
            "i",
            rows().map(|row| some(row, 7).map(|row| i64::from(row % 23))).collect(),
        ),
        Both::texts("t", rows().map(text).collect()),
        Both::switches("b", rows().map(|row| some(row, 5).map(|row| row % 3 == 0)).collect()),
        Both::floats("none", vec![None; n]),
    ]
}

fn targets(n: usize) -> Vec<Both> {
    let rows = || 0..n as i64;
    let class = |row: i64| if (row * 31 % 97) > 40 { "yes" } else { "no" };
    vec![
        Both::texts("y", rows().map(|row| Some(class(row))).collect()),
        Both::texts("y", rows().map(|row| (row % 6 != 2).then(|| class(row))).collect()),
        // Of the name of a feature.
        Both::integers("x", rows().map(|row| (row % 4 != 1).then_some(row % 3)).collect()),
        Both::switches("y", rows().map(|row| Some(row % 5 > 1)).collect()),
        Both::texts("y", vec![None; n]),
    ]
}

#[test]
fn measures_of_arrays_are_those_of_columns() {
    let mut seen = 0;
    for n in [0, 1, 2, 100] {
        for feature in &features(n) {
            let (column, array) = (&feature.column, feature.arrow());
            same(level_entropy(column), level_entropy(array));
            for target in &targets(n) {
                let [measures, ..] = of_both(feature, target);
                let all_null = target.column.null_count() == n;
                assert_eq!(measures == "None", all_null, "{measures}");
                seen += usize::from(measures.contains("info_gain"));
            }
        }
    }
    assert!(seen > 50);
}

#[test]
fn a_column_of_one_row_stands_for_many() {
    let [feature, target] = [&features(40)[0], &targets(40)[1]];
    let (long, one) =
        (&Both::integers("x", vec![Some(7); 40]), &Both::integers("x", vec![Some(7)]));
    assert_eq!(of_both(one, target), of_both(long, target));
    let long = &Both::texts("y", vec![Some("yes"); 40]);
    let one = &Both::texts("y", vec![Some("yes")]);
    assert_eq!(of_both(feature, one), of_both(feature, long));
    let one = &Both::texts("y", vec![None]);
    assert_eq!(of_both(feature, one)[0], "None");
}

#[test]
fn what_has_no_measure_is_refused_alike() {
    let [feature, target] = [&features(9)[0], &targets(9)[0]];
    for (feature, target, said) in [
        (feature, &targets(8)[0], "`x` (f64) has 9 rows, and column `y` (str) 8"),
        (feature, &targets(0)[0], "`x` (f64) has 9 rows, and column `y` (str) 0"),
        (feature, &features(9)[0], "target `x` (f64) holds numbers"),
    ] {
        let [measures, intervals, _] = of_both(feature, target);
        assert!(measures.contains(said) && intervals.contains(said), "{measures}");
    }
    assert!(
        of_both(target, target)[1].contains("is nominal, and only an ordered feature has cuts")
    );
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)]); 9]);
    let list: ArrayRef = Arc::new(list);
    let field = Field::new("l", list.data_type().clone(), true);
    let list = &(Arc::new(field), vec![list]);
    let refused = |result: Result<()>| result.expect_err("refused").to_string();
    let no_kind = "has no order and no levels: unnest or cast it";
    for e in [
        refused(class_measures(list, target.arrow()).map(drop)),
        refused(mdl_intervals(list, target.arrow()).map(drop)),
        refused(level_entropy(list).map(drop)),
    ] {
        assert!(e.contains("`l` (list[i32])") && e.contains(no_kind), "{e}");
    }
    let e = refused(class_measures(feature.arrow(), list).map(drop));
    assert!(e.contains("target `l`") && e.contains("is neither classes nor a number"), "{e}");
    let other = Field::new("x", DataType::Int64, true);
    let chunks = feature.arrow().1.clone();
    let e = refused(level_entropy(&(Arc::new(other), chunks)).map(drop));
    assert!(e.contains("column `x` (Int64) has a chunk of Float64"), "{e}");
}
