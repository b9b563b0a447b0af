//! Whether rows are those a tree was fitted on, as far as the tree can tell.

use crate::data::dtype::Value;
use crate::data::number_text::digits;
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::tree::TreeData;

/// A note on rows to cross-validate a tree on that are not those it was fitted on.
pub(super) fn other_rows_note(tree: &TreeData, table: &Table) -> Option<String> {
    let weight = |row: usize| table.weights.as_ref().map_or(1.0, |w| w.weight(row));
    let (fitted, given, same) = match &table.target.values {
        TargetValues::Classes { labels, codes } => {
            let mut counts = vec![0.0; labels.len()];
            for (row, &code) in codes.iter().enumerate() {
                counts[usize::from(code)] += weight(row);
            }
            let classes = &tree.schema().classes;
            let of_fit = tree.counts_before_class_weights(0);
            let same =
                labels == classes && counts.iter().zip(&of_fit).all(|(a, b)| close(*a, *b, *b));
            (counted(tree, classes, &of_fit), counted(tree, labels, &counts), same)
        }
        TargetValues::Numbers { numbers, .. } => {
            let total: f64 = (0..numbers.len()).map(weight).sum();
            let sum: f64 = numbers.iter().enumerate().map(|(row, x)| x * weight(row)).sum();
            let (mean, of_fit) = (sum / total, tree.mean(0).unwrap_or(f64::NAN));
            let size = of_fit.abs() + tree.node_slice()[0].impurity.sqrt();
            let said = |mean| format!("of mean {}", digits(mean, 6));
            (said(of_fit), said(mean), close(mean, of_fit, size))
        }
    };
    let n = tree.node_slice()[0].n;
    if same && n == table.n_rows() as u64 {
        return None;
    }
    Some(format!(
        "the tree was fitted on {n} rows ({fitted}), and these are {} ({given}): cross-validation \
         grows its trees on these rows, so the alpha it chooses is for a tree of them; name the \
         rows it was fitted on, or prune by held-out rows (--held-out)",
        table.n_rows()
    ))
}

/// Whether sums agree but for their rounding.
fn close(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-9 * size.abs()
}

/// "50 setosa, 50 versicolor, 3 other classes"
fn counted(tree: &TreeData, classes: &[Value], counts: &[f64]) -> String {
    const NAMED: usize = 4;
    let name = |class: &Value| tree.schema().target_dtype.show(class);
    let named = classes.iter().zip(counts).take(NAMED);
    let mut all: Vec<String> =
        named.map(|(class, n)| format!("{} {}", digits(*n, 6), name(class))).collect();
    if classes.len() > NAMED {
        all.push(format!("{} other classes", classes.len() - NAMED));
    }
    all.join(", ")
}
