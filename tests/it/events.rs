//! The event: one rule for every verb.

use gaintree::prelude::*;
use gaintree::{ContributionSpec, Model};
use polars::prelude::*;
use proptest::prelude::*;

use crate::frame::cases;

fn events(table: &DataFrame) -> Vec<String> {
    let column = table.column("event").expect("it is named").str().expect("text");
    let mut events: Vec<String> = column.iter().flatten().map(str::to_string).collect();
    events.dedup();
    events
}

/// Every table of a model that depends on the event.
fn tables(model: &Model, df: &DataFrame) -> Vec<DataFrame> {
    let (spec, why) = (EvalSpec::default(), ContributionSpec::default());
    [
        model.evaluate(df),
        model.calibration(df, &spec),
        model.thresholds(df, &spec),
        model.intervals(df, &EvalSpec::default().bootstrap(10)),
        model.contributions(df),
        model.contribution_importance(df, &why),
        model.interactions(df, &why),
        model.waterfall(df, 0, &why),
    ]
    .into_iter()
    .map(|table| table.expect("a table"))
    // A tree without a rule has no interactions.
    .filter(|table| table.height() > 0)
    .collect()
}

proptest! {
    #![proptest_config(cases(60))]

    /// The rarer of two classes by the weight of the rows, the later of equals; whatever rows the
    /// trees of a forest drew, and after the model was saved.
    #[test]
    fn it_is_the_same_from_every_verb(
        rows in prop::collection::vec((0..4i32, any::<bool>(), 1..4u8), 6..24),
        weighted: bool,
        balanced: bool,
        seed: u64,
    ) {
        let class = |is_good: bool| if is_good { "good" } else { "bad" };
        prop_assume!(rows.iter().any(|row| row.1) && rows.iter().any(|row| !row.1));
        let weight = |row: &(i32, bool, u8)| if weighted { f64::from(row.2) } else { 1.0 };
        let of = |is_good| rows.iter().filter(|row| row.1 == is_good).map(weight).sum::<f64>();
        let expected = class(of(true) <= of(false));

        let df = df![
            "x" => rows.iter().map(|row| row.0).collect::<Vec<_>>(),
            "w" => rows.iter().map(weight).collect::<Vec<_>>(),
            "y" => rows.iter().map(|row| class(row.1)).collect::<Vec<_>>()
        ].expect("a frame");
        let woe = df.woe_bins("y", &WoeSpec::default().weight("w")).expect("bins");
        let card = woe.scorecard(&ScorecardSpec::default()).expect("a card");
        let mut tables_of_bins = vec![woe.table.clone(), card.table.clone()];
        tables_of_bins.push(WoeBins::from_json(&woe.to_json()).expect("its own text").table);

        let mut spec = TreeSpec::cart().weight("w");
        if balanced {
            spec = spec.class_weights(ClassWeights::Balanced);
        }
        let tree = Model::Tree(df.fit_tree("y", &spec).expect("fits").tree);
        let forest = ForestSpec::new(spec).trees(2).seed(seed);
        let forest = df.fit_forest("y", &forest).expect("fits").forest;
        let of_forest = Model::Tree(forest.tree(0).expect("a tree"));
        let forest = Model::Forest(forest);
        let again = Model::from_json(&forest.to_json()).expect("its own text");
        prop_assert_eq!(&forest, &again);
        let models = [tree, forest, of_forest, again];
        for table in tables_of_bins.into_iter().chain(models.iter().flat_map(|m| tables(m, &df))) {
            prop_assert_eq!(events(&table), [expected], "{}", table);
        }
    }
}
