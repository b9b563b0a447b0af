//! Tables whose answers are published or can be worked out on paper.

use gaintree::criterion::{
    entropy, gain_ratio, gini, gini_gain, gini_split, information_gain, split_info,
};
use gaintree::engine::Test;
use gaintree::engine::dtype::{DType, Value};
use gaintree::{Criterion, Grouping, LogBase, Missing, Pruning, Tree, TreeSpec};

use crate::frames::{Column, Frame};

/// Quinlan's weather table (1986): the last column is the target.
const WEATHER: &str = "\
outlook,temperature,humidity,windy,play
sunny,hot,high,false,no
sunny,hot,high,true,no
overcast,hot,high,false,yes
rainy,mild,high,false,yes
rainy,cool,normal,false,yes
rainy,cool,normal,true,no
overcast,cool,normal,true,yes
sunny,mild,high,false,no
sunny,cool,normal,false,yes
rainy,mild,normal,false,yes
sunny,mild,normal,true,yes
overcast,mild,high,true,yes
overcast,hot,normal,false,yes
rainy,mild,high,true,no";

/// The loan table of Li Hang's textbook; its first column numbers the rows.
const LOAN: &str = "\
id,age,has_job,owns_house,credit,approved
1,young,no,no,fair,no
2,young,no,no,good,no
3,young,yes,no,good,yes
4,young,yes,yes,fair,yes
5,young,no,no,fair,no
6,middle,no,no,fair,no
7,middle,no,no,good,no
8,middle,yes,yes,good,yes
9,middle,no,yes,excellent,yes
10,middle,no,yes,excellent,yes
11,old,no,yes,excellent,yes
12,old,no,yes,good,yes
13,old,yes,no,good,yes
14,old,yes,no,excellent,yes
15,old,no,no,fair,no";

/// A table of text.
fn table(csv: &str) -> Frame {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |(i, name): (usize, &&str)| Column::texts(name, rows.iter().map(|row| row[i]));
    let mut columns: Vec<Column> = names.iter().enumerate().map(column).collect();
    let target = columns.pop().expect("a target");
    Frame::new(columns, target)
}

fn loan_without_id() -> Frame {
    let mut frame = table(LOAN);
    frame.columns.remove(0);
    frame
}

/// Class counts of each level of a column of text (the last class second), in level order.
fn counts(frame: &Frame, name: &str) -> Vec<(String, [f64; 2])> {
    let column = frame.columns.iter().find(|c| c.name == name).expect("a column");
    let text = |cell: &Option<Value>| match cell {
        Some(Value::Text(text)) => text.clone(),
        other => panic!("{other:?}"),
    };
    let mut counts = std::collections::BTreeMap::new();
    for (cell, class) in column.cells.iter().zip(&frame.target.cells) {
        let stat: &mut [f64; 2] = counts.entry(text(cell)).or_default();
        stat[usize::from(text(class) == "yes")] += 1.0;
    }
    counts.into_iter().collect()
}

/// What the tree asks, indented, and what its leaves answer.
fn outline(tree: &Tree) -> Vec<String> {
    let nodes = tree.node_slice();
    let lines = nodes.iter().enumerate().skip(1).map(|(id, node)| {
        let parent = node.parent.expect("not the root") as usize;
        let split = nodes[parent].split.as_ref().expect("it has branches");
        let feature = &tree.schema().features[split.rule.feature as usize];
        let branch = split.branches.iter().position(|&b| b as usize == id).expect("its branch");
        let answer = match node.split {
            Some(_) => String::new(),
            None => format!(": {}", tree.schema().class_text(tree.majority(id as u32))),
        };
        let asked = split.rule.describe_branch(feature, branch as u32);
        format!("{:1$}{asked}{answer}", "", 2 * (node.depth as usize - 1))
    });
    lines.collect()
}

fn six(x: f64) -> String {
    format!("{x:.6}")
}

/// The root's feature, and its gain.
fn root(tree: &Tree) -> (&str, String) {
    let split = tree.node_slice()[0].split.as_ref().expect("a split root");
    (&tree.schema().features[split.rule.feature as usize].name, six(split.gain))
}

// ---- published tables ----------------------------------------------------------------------

#[test]
fn the_formulas_give_the_published_figures() {
    // Feature: gain, split info, gain ratio, gini of the multiway split, of each level's rule.
    let weather = "
        outlook      0.246750 1.577406 0.156428 0.342857 0.357143 0.457143 0.393651
        temperature  0.029223 1.556657 0.018773 0.440476 0.450000 0.442857 0.458333
        humidity     0.151836 1.000000 0.151836 0.367347 0.367347 0.367347
        windy        0.048127 0.985228 0.048849 0.428571 0.428571 0.428571";
    let loan = "
        age          0.083007 1.584963 0.052372 0.426667 0.480000 0.440000 0.440000
        has_job      0.323650 0.918296 0.352447 0.320000 0.320000 0.320000
        owns_house   0.419973 0.970951 0.432538 0.266667 0.266667 0.266667
        credit       0.362990 1.565596 0.231854 0.284444 0.363636 0.320000 0.474074
        id           0.970951 3.906891 0.248523 0.000000";
    let bits = LogBase::Two;
    for (csv, parent, target_entropy, figures) in
        [(WEATHER, [5.0, 9.0], "0.940286", weather), (LOAN, [6.0, 9.0], "0.970951", loan)]
    {
        let frame = table(csv);
        assert_eq!(six(entropy(&parent, bits)), target_entropy);
        for line in figures.lines().skip(1) {
            let expected: Vec<&str> = line.split_whitespace().collect();
            let levels = counts(&frame, expected[0]);
            let branches: Vec<[f64; 2]> = levels.iter().map(|(_, stat)| *stat).collect();
            let weights: Vec<f64> = branches.iter().map(|[no, yes]| no + yes).collect();
            let mut figures = vec![
                information_gain(&parent, &branches, bits),
                split_info(&weights, bits),
                gain_ratio(&parent, &branches, bits),
                gini_split(&parent, &branches),
            ];
            if branches.len() < 15 {
                let rest = |[no, yes]: &[f64; 2]| [parent[0] - no, parent[1] - yes];
                figures.extend(branches.iter().map(|b| gini_split(&parent, &[*b, rest(b)])));
            }
            assert_eq!(figures.into_iter().map(six).collect::<Vec<_>>(), expected[1..], "{line}");
        }
    }
}

#[test]
fn weather_grows_quinlans_tree() {
    let frame = table(WEATHER);
    let expected = [
        "outlook == overcast: yes",
        "outlook == rainy",
        "  windy == false: yes",
        "  windy == true: no",
        "outlook == sunny",
        "  humidity == high: no",
        "  humidity == normal: yes",
    ];
    for spec in [TreeSpec::id3(), TreeSpec::c45().pruning(Pruning::None)] {
        let tree = frame.grow(&spec).expect("grows");
        assert_eq!(root(&tree), ("outlook", "0.246750".to_string()));
        assert_eq!(outline(&tree), expected);
    }
    let cart = frame.grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(root(&cart), ("outlook", six(gini(&[5.0, 9.0]) - 0.357143)));
    assert_eq!(outline(&cart).last().expect("a leaf"), "outlook in {overcast}: yes");
}

#[test]
fn loan_asks_for_the_house_and_then_the_job() {
    let expected = [
        "owns_house == no",
        "  has_job == no: no",
        "  has_job == yes: yes",
        "owns_house == yes: yes",
    ];
    for spec in [TreeSpec::id3(), TreeSpec::c45().pruning(Pruning::None)] {
        let tree = loan_without_id().grow(&spec).expect("grows");
        assert_eq!(root(&tree), ("owns_house", "0.419973".to_string()));
        assert_eq!(outline(&tree), expected);
    }
}

/// A number for every row gains all there is. ID3 falls for it; C4.5's ratio does not, if the
/// number stays out of the mean gain.
#[test]
fn an_id_takes_in_id3_and_not_c45() {
    let frame = table(LOAN);
    assert_eq!(root(&frame.grow(&TreeSpec::id3()).expect("grows")), ("id", "0.970951".to_string()));
    // Two rows a leaf would forbid the id by themselves.
    let c45 = TreeSpec::c45().pruning(Pruning::None).min_samples_leaf(1);
    let tree = frame.grow(&c45).expect("grows");
    assert_eq!(root(&tree), ("owns_house", "0.419973".to_string()));

    // With the id in the mean nothing but the id would reach it.
    let gain = |name: &str| {
        let branches: Vec<[f64; 2]> = counts(&frame, name).iter().map(|(_, s)| *s).collect();
        information_gain(&[6.0, 9.0], &branches, LogBase::Two)
    };
    let gains: Vec<f64> = frame.columns.iter().map(|c| gain(&c.name)).collect();
    let mean = gains.iter().sum::<f64>() / 5.0;
    assert_eq!(format!("{mean:.3}"), "0.432");
    assert_eq!(gains.iter().position(|&g| g >= mean), Some(0));
    assert!(gains[1..].iter().all(|&g| g < mean));

    // The guard asks for levels in 30 % of the rows: 15 in 45 are, 15 in 60 are not.
    for (copies, expected) in [(3, "owns_house"), (4, "id")] {
        let rows: Vec<usize> = (0..15).cycle().take(15 * copies).collect();
        let tree = frame.take(&rows).grow(&c45).expect("grows");
        assert_eq!(root(&tree).0, expected, "{copies} copies");
    }
}

// ---- worked out on paper -------------------------------------------------------------------

/// Classes of one letter each, A before B.
fn classes(text: &str) -> Column {
    Column::texts("y", text.chars())
}

fn one(column: Column, target: &str) -> Frame {
    Frame::new(vec![column], classes(target))
}

/// The cut of the root.
fn root_cut(frame: &Frame, spec: &TreeSpec) -> Option<Value> {
    let tree = frame.grow(spec).expect("grows");
    match &tree.node_slice()[0].split.as_ref()?.rule.test {
        Test::AtLeast(cut) => Some(cut.clone()),
        other => panic!("{other:?}"),
    }
}

/// The best cut, at 7, is forbidden by the five rows a leaf; the only one left is between two
/// rows of one class.
#[test]
fn a_cut_inside_a_pure_run_is_found_where_leaves_must_be_large() {
    let frame = one(Column::ints("x", DType::I32, 0..10), "AAAAAAABBB");
    assert_eq!(root_cut(&frame, &TreeSpec::cart()), Some(Value::Int(7)));
    assert_eq!(root_cut(&frame, &TreeSpec::cart().min_samples_leaf(5)), Some(Value::Int(5)));
    assert_eq!(root_cut(&frame, &TreeSpec::cart().min_samples_leaf(6)), None);
    let weighed = Frame { weights: Some(vec![0.5; 10]), ..frame };
    assert_eq!(root_cut(&weighed, &TreeSpec::cart().min_weight_leaf(2.5)), Some(Value::Int(5)));
}

/// Skipping row by row where the class does not change would lose this cut.
#[test]
fn equal_values_are_grouped_before_cuts_are_looked_for() {
    let tree =
        one(Column::ints("x", DType::I64, [1, 1, 2]), "ABB").grow(&TreeSpec::id3()).expect("grows");
    assert_eq!(root(&tree), ("x", "0.251629".to_string()));
    assert_eq!(outline(&tree), ["x < 2: A", "x >= 2: B"]);
}

/// Cuts lie in the middle, in the column's own type, at any size.
#[test]
fn cuts_are_exact_at_the_ends_of_the_types() {
    let two_to_53 = 1i128 << 53;
    let max = i128::from(u64::MAX);
    let (i64_min, i64_max) = (i128::from(i64::MIN), i128::from(i64::MAX));
    for (dtype, values, target, cut) in [
        (DType::I64, [two_to_53, two_to_53 + 1, two_to_53 + 2], "ABB", two_to_53 + 1),
        (DType::I64, [two_to_53, two_to_53 + 1, two_to_53 + 2], "AAB", two_to_53 + 2),
        (DType::U64, [max - 2, max - 1, max], "ABB", max - 1),
        (DType::U64, [max - 2, max - 1, max], "AAB", max),
        (DType::U64, [0, 0, max], "AAB", 1 << 63),
        (DType::I64, [i64_min, i64_min, i64_max], "AAB", 0),
        (DType::I128, [i128::MIN, i128::MIN, i128::MAX], "AAB", 0),
        (DType::Decimal { precision: 38, scale: 3 }, [-5, -5, 10], "AAB", 3),
        (DType::Date, [-1, -1, 2], "AAB", 1),
    ] {
        let frame = one(Column::ints("x", dtype.clone(), values), target);
        assert_eq!(
            root_cut(&frame, &TreeSpec::cart()),
            Some(Value::Int(cut)),
            "{dtype} {values:?}"
        );
    }
    let unsigned = [0, u128::MAX].map(|x| Some(Value::Unsigned(x)));
    let frame = one(Column::new("x", DType::U128, unsigned), "AB");
    assert_eq!(root_cut(&frame, &TreeSpec::cart()), Some(Value::Unsigned(1 << 127)));

    let inf = f64::INFINITY;
    for (lo, hi, cut) in [
        (1.0, 1.0f64.next_up(), 1.0f64.next_up()),
        (0.0, 5e-324, 5e-324),
        (-1.7e308, 1.7e308, 0.0),
        (2f64.powi(1022), 2f64.powi(1023), 1.5 * 2f64.powi(1022)),
        (-inf, inf, inf),
        (-inf, 1.0, 1.0),
        (1.0, inf, inf),
    ] {
        let frame = one(Column::floats("x", [hi, lo]), "BA");
        assert_eq!(root_cut(&frame, &TreeSpec::cart()), Some(Value::Float(cut)), "{lo:e} {hi:e}");
    }
}

#[test]
fn zeros_of_both_signs_are_one_value() {
    assert_eq!(root_cut(&one(Column::floats("x", [-0.0, 0.0]), "AB"), &TreeSpec::cart()), None);
    let frame = one(Column::floats("x", [0.0, -0.0, 1.0]), "AAB");
    assert_eq!(root_cut(&frame, &TreeSpec::cart()), Some(Value::Float(0.5)));
}

#[test]
fn a_column_of_nan_or_null_is_no_column() {
    let nan = Column::floats("x", [f64::NAN; 3]);
    let null = Column::new("x", DType::Null, [None, None, None]);
    let text = Column::new("x", DType::String, [None, None, None]);
    for column in [nan, null, text] {
        let frame = one(column, "ABB");
        for spec in [TreeSpec::cart(), TreeSpec::id3(), TreeSpec::cart().missing(Missing::Majority)]
        {
            assert_eq!(frame.grow(&spec).expect("grows").n_nodes(), 1);
        }
        let refused = frame.grow(&TreeSpec::cart().missing(Missing::Error));
        assert!(refused.expect_err("missing").is_data());
    }
    // NaN and null are the same missing; known or not tells the classes apart.
    let mixed = [Some(Value::Float(f64::NAN)), None, Some(Value::Float(1.0))];
    let tree =
        one(Column::new("x", DType::F64, mixed), "AAB").grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(outline(&tree), ["x is not missing: B", "x is missing: A"]);
}

/// Neither input of an exclusive-or tells anything alone.
#[test]
fn exclusive_or_takes_a_split_that_gains_nothing() {
    let input = |name: &str, values: &str| Column::texts(name, values.chars());
    let columns = vec![input("a", "ffttff"), input("b", "ftftft")];
    let balanced = Frame::new(columns, classes("ABBAAB")).take(&[0, 1, 2, 3]);
    let cart = balanced.grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(root(&cart), ("a", "0.000000".to_string()));
    assert_eq!(cart.node_slice()[0].split.as_ref().map(|split| split.gain), Some(0.0));
    assert_eq!((cart.n_leaves(), cart.depth()), (4, 2));
    let leaf = balanced.grow(&TreeSpec::id3()).expect("grows");
    assert_eq!((leaf.n_nodes(), leaf.majority(0)), (1, 0));
}

/// `x in {a, c}`: the levels where the last class is more common go right.
#[test]
fn a_subset_names_the_levels_of_the_last_class() {
    let frame = one(Column::texts("x", "aabbccdd".chars()), "BBAABBAA");
    let tree = frame.grow(&TreeSpec::cart()).expect("grows");
    assert_eq!(outline(&tree), ["x in {b, d}: A", "x in {a, c}: B"]);
    // {a} and {a, b} gain the same: the lower set is named.
    let frame = one(Column::texts("x", "aabbcc".chars()), "BBABAA");
    let tree = frame.grow(&TreeSpec::cart().max_depth(1)).expect("grows");
    assert_eq!(outline(&tree), ["x in {b, c}: A", "x in {a}: B"]);
    // With a third class the right set is the one without the lowest level.
    let frame = one(Column::texts("x", "aabbccdd".chars()), "BBCCBBAA");
    let tree = frame.grow(&TreeSpec::cart().max_depth(1)).expect("grows");
    assert_eq!(outline(&tree), ["x in {a, c}: B", "x in {b, d}: A"]);
    let gain = gini_gain(&[2.0, 4.0, 2.0], &[[0.0, 4.0, 0.0], [2.0, 0.0, 2.0]]);
    assert_eq!(tree.node_slice()[0].split.as_ref().map(|split| split.gain), Some(gain));
}

/// Past ten levels of three classes the best one-vs-rest rule stands in, and says so.
#[test]
fn an_approximate_subset_is_marked() {
    let levels = |n: usize| one(Column::texts("x", ('a'..='z').take(n)), &"ABC".repeat(9)[..n]);
    for (n, approximate) in [(10, false), (11, true)] {
        for (grouping, marked) in [(Grouping::Subset, approximate), (Grouping::OneVsRest, false)] {
            let spec = TreeSpec::cart().criterion(Criterion::Entropy).grouping(grouping);
            let tree = levels(n).grow(&spec).expect("grows");
            let split = tree.node_slice()[0].split.as_ref().expect("splits");
            assert_eq!(split.approximate, marked, "{n} {grouping:?}");
        }
    }
}

// ---- C4.5's fractional cases -----------------------------------------------------------------

/// Quinlan 1993, section 3.2: the weather of golf with the outlook of one overcast day unknown.
/// Of 13 known days the gain is .199 bits, the split info with the unknown day as a fourth
/// branch 1.809, the ratio .110; the unknown day goes 5/13 to sunny, 3/13 to overcast and 5/13 to
/// rain.
#[test]
fn quinlans_unknown_outlook() {
    let outlook =
        "sunny sunny sunny sunny sunny ? overcast overcast overcast rain rain rain rain rain";
    let temperature = [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70];
    let humidity = [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96];
    let windy = "t t f f f t f t f t t f f f";
    let play = "y n n n y y y y y n n y y y";
    let texts = |name: &str, cells: &str| {
        let cell = |c: &str| (c != "?").then(|| Value::Text(c.to_string()));
        Column::new(name, DType::String, cells.split(' ').map(cell))
    };
    let frame = Frame::new(
        vec![
            texts("outlook", outlook),
            Column::ints("temperature", DType::I64, temperature.map(i128::from)),
            Column::ints("humidity", DType::I64, humidity.map(i128::from)),
            texts("windy", windy),
        ],
        texts("play", play),
    );
    let tree = frame.grow(&TreeSpec::c45().pruning(Pruning::None)).expect("grows");
    let root = tree.node_slice()[0].split.as_ref().expect("splits");
    assert_eq!(
        root.rule.summary(&tree.schema().features[0]),
        "outlook each {overcast, rain, sunny}"
    );
    assert_eq!(format!("{:.3}", root.gain), "0.199");

    // Class counts (n, y) of the branches, with the unknown day's shares.
    let expected = [[0.0, 3.0 + 3.0 / 13.0], [2.0, 3.0 + 5.0 / 13.0], [3.0, 2.0 + 5.0 / 13.0]];
    for (&branch, expected) in root.branches.iter().zip(expected) {
        for (count, expected) in tree.class_counts(branch).iter().zip(expected) {
            assert!((count - expected).abs() < 1e-9, "{count} {expected}");
        }
    }
    // Sunny splits on humidity at its own levels, as in the book: 2 and 5/13 play below.
    let sunny = &tree.node_slice()[root.branches[2] as usize];
    let split = sunny.split.as_ref().expect("splits");
    assert_eq!(split.rule.describe(&tree.schema().features[2]), "humidity >= 78");
}
