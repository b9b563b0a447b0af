//! What features tell beside others, on frames.

use gaintree::prelude::*;
use polars::prelude::*;

use super::{floats, full, loan, parquet, schema, texts, weather};

#[test]
fn a_ranking_beside_given_columns_goes_by_what_is_left_to_tell() {
    let df = loan();
    let ranking =
        df.rank_gain("approved", &RankSpec::default().given(["owns_house"])).expect("ranks");
    // Within those who own no house, a job tells all: 9 of 15 rows, of 6 no and 3 yes.
    assert_eq!(texts(&ranking, "feature")[0].as_deref(), Some("has_job"));
    let told = 9.0 / 15.0 * 0.918_295_834_054_49;
    assert!((floats(&ranking, "gain_given")[0].expect("ranked") - told).abs() < 1e-12);
    assert!(!texts(&ranking, "feature").contains(&Some("owns_house".to_string())));
    assert!(
        schema(&ranking).starts_with("rank u32, feature str, gain_given f64, kind str"),
        "{}",
        schema(&ranking)
    );
    let whole = df.rank_gain("approved", &full().given(["owns_house"])).expect("ranks");
    assert!(schema(&whole).contains("gain_given f64, rule_given str, rule str"), "{whole}");

    // By groups, chance and given columns stand beside each other.
    let spec = RankSpec::default().given(["owns_house"]).by(["age"]).chance(9);
    let by_age = df.rank_gain("approved", &spec).expect("ranks");
    assert_eq!((by_age.height(), by_age.column("p_value").is_ok()), (6, true));
    let ranking_of = |df: DataFrame| {
        let spec = RankSpec::default().given(["owns_house"]).features(["has_job", "credit"]);
        df.rank_gain("approved", &spec).expect("ranks")
    };
    let young =
        ranking_of(df.clone().lazy().filter(col("age").eq(lit("young"))).collect().expect("rows"));
    let group = by_age.lazy().filter(col("age").eq(lit("young"))).collect().expect("rows");
    assert_eq!(floats(&group, "gain_given"), floats(&young, "gain_given"));
}

#[test]
fn a_number_is_ranked_beside_given_columns_too() {
    let df = parquet("diabetes");
    let ranking = df.rank_gain("progression", &RankSpec::default().given(["bmi"])).expect("ranks");
    let (given, alone) = (floats(&ranking, "gain_given"), floats(&ranking, "variance_reduction"));
    assert!(given.is_sorted_by(|a, b| a >= b) && !alone.is_sorted_by(|a, b| a >= b), "{ranking}");
    assert!(
        texts(&ranking, "rule_given")[0].as_ref().is_some_and(|rule| rule.starts_with("s5 >= "))
    );
}

#[test]
fn faces_select_the_same_features() {
    let df = parquet("wine");
    for score in
        [SelectScore::Jmi, SelectScore::Mrmr, SelectScore::Cmim, SelectScore::ConditionalGain]
    {
        let spec = SelectSpec::default().score(score).k(5);
        let steps = df.select_features("cultivar", &spec).expect("selects");
        let lazy = df.clone().lazy().select_features("cultivar", &spec).expect("selects");
        let one_thread = df.select_features("cultivar", &spec.clone().threads(1)).expect("selects");
        assert!(steps.equals_missing(&lazy) && steps.equals_missing(&one_thread), "{steps} {lazy}");
        assert_eq!(texts(&steps, "feature")[0].as_deref(), Some("flavanoids"), "{steps}");
    }
    let steps = df.select_features("cultivar", &SelectSpec::default()).expect("selects");
    assert_eq!(
        schema(&steps),
        "step u32, feature str, info_gain f64, gain_given f64, score f64, redundancy f64, dtype str, \
         kind str, p_value f64, p_adjusted f64, note str"
    );
    // A weight of one for each row is none.
    let weighted = df.clone().lazy().with_column(lit(1.0).alias("w")).collect().expect("a frame");
    let weighted = weighted.select_features("cultivar", &SelectSpec::default().weight("w"));
    assert!(weighted.expect("selects").equals_missing(&steps));
}

#[test]
fn what_cannot_be_selected_is_refused_in_words() {
    let df = weather();
    let select =
        |spec: SelectSpec| df.select_features("play", &spec).expect_err("refused").to_string();
    let rank = |spec: RankSpec| df.rank_gain("play", &spec).expect_err("refused").to_string();
    let others = ["outlook", "temperature", "humidity", "windy"];
    for (said, words) in [
        (select(SelectSpec::default().k(0)), "k is 0"),
        (select(SelectSpec::default().alpha(1.5)), "alpha is 1.5"),
        (select(SelectSpec::default().features(["wind"])), "did you mean `windy`"),
        (select(SelectSpec::default().intervals(Intervals::Quantiles(1))), "2 to 100"),
        (select(SelectSpec::default().ordered(["play"])), "`play`"),
        (rank(RankSpec::default().given(["play"])), "given column `play` is the target"),
        (rank(RankSpec::default().given(["windy", "windy"])), "named twice"),
        (rank(RankSpec::default().given(["wind"])), "did you mean `windy`"),
        // No columns are left.
        (
            select(SelectSpec::default().exclude(others)),
            "no feature to select beside target `play`",
        ),
        (rank(RankSpec::default().exclude(others)), "no feature to rank beside target `play`"),
        (rank(RankSpec::default().given(others)), "no feature to rank beside target `play`"),
        (rank(RankSpec::default().given(["windy"]).by(["windy"])), "a group's column"),
        (
            rank(RankSpec::default().given(["windy"]).features(["windy"])),
            "feature `windy` is given",
        ),
    ] {
        assert!(said.contains(words) && !said.contains('\n'), "{said}");
    }
    let numbers = parquet("diabetes");
    let mdl = SelectSpec::default().intervals(Intervals::Mdl);
    let said = numbers.select_features("progression", &mdl).expect_err("refused").to_string();
    assert!(said.contains("`progression` (f64) holds numbers"), "{said}");
}

/// Queries of Parquet files are compared a few columns at a time, others at once.
#[test]
fn queries_drift_as_frames_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let df = parquet("breast_cancer");
    let (reference, current) = (df.head(Some(300)), df.tail(Some(269)));
    let scan = |name: &str, df: &DataFrame| {
        let path = folder.path().join(name);
        let file = std::fs::File::create(&path).expect("a file");
        ParquetWriter::new(file).finish(&mut df.clone()).expect("written");
        let path = PlRefPath::try_from_path(&path).expect("a path");
        LazyFrame::scan_parquet(path, ScanArgsParquet::default()).expect("scans")
    };
    let (a, b) = (scan("a.parquet", &reference), scan("b.parquet", &current));
    let mdl = DriftSpec::default().full(true).intervals(Intervals::Mdl).target("diagnosis");
    for spec in [
        DriftSpec::default().full(true),
        mdl,
        DriftSpec::default().full(true).exclude(["diagnosis"]).nominal(["mean_radius"]),
    ] {
        let spec = spec.threads(3);
        let expected = reference.drift(&current, &spec).expect("compared");
        let of_files = a.clone().drift(b.clone(), &spec).expect("compared");
        assert!(of_files.equals_missing(&expected), "{of_files} {expected}");
        let filtered = a.clone().filter(lit(true)).drift(b.clone(), &spec).expect("compared");
        assert!(filtered.equals_missing(&expected));
    }
    let tree = reference.fit_tree("diagnosis", &TreeSpec::cart().max_depth(3)).expect("fits").tree;
    let expected =
        tree.drift(&reference, &current, &DriftSpec::default().full(true)).expect("compared");
    let of_files = tree.drift(&a, &b, &DriftSpec::default().full(true)).expect("compared");
    assert!(of_files.equals_missing(&expected), "{of_files} {expected}");
    let error =
        a.drift(b, &DriftSpec::default().full(true).features(["mean_radus"])).expect_err("refused");
    assert!(error.to_string().contains("did you mean `mean_radius`"), "{error}");
}

#[test]
fn a_selected_feature_of_many_levels_is_noted() {
    let rows = 0..200u32;
    let df = df!["id" => rows.clone().map(|row| format!("n{row}")).collect::<Vec<_>>(),
        "x" => rows.clone().map(|row| row % 7).collect::<Vec<_>>(),
        "y" => rows.map(|row| (row % 7 > 3) ^ row.is_multiple_of(31)).collect::<Vec<_>>()];
    let df = df.expect("a frame");
    let all = SelectSpec::default().keep_all(true).alpha(1.0);
    let steps = df.select_features("y", &all).expect("selects");
    assert_eq!(texts(&steps, "note")[0].as_deref(), Some("id: 200 values in 200 rows"));
    let told = df.select_features("y", &all.alpha(0.05)).expect("selects");
    assert_eq!(
        (texts(&told, "feature"), texts(&told, "note")),
        (vec![Some("x".into())], vec![None])
    );
}
