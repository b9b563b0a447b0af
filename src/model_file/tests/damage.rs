//! Files that are no model are refused, whatever is wrong with them, and nothing panics.

use serde_json::{Value, json};

use super::trees::{Random, sample};
use crate::model_file::{ModelData, read};
use crate::tree::TreeData;
use crate::util::file_kind::FileKind;

/// Edits to the sample's text, and what the refusal says.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    // Format and version.
    (r#""format": "gaintree""#, r#""format": "treelite""#, "its format is `treelite`, not `gaintree`"),
    (r#""format": "gaintree""#, r#""format": "gaintree scorecard""#, "it is a scorecard, which `gaintree score`, `gaintree show` and Scorecard::load take, and this takes a tree or a forest"),
    (r#""format": "gaintree""#, r#""format": "gaintree woe""#, "it is bins, which WoeBins::load takes"),
    (r#""format": "gaintree","#, "", "missing field `format`"),
    (r#""version": 1"#, r#""version": 3"#, "its version is 3, but gaintree "),
    (r#""version": 1"#, r#""version": 3"#, "reads versions 1 and 2: get a newer gaintree"),
    (r#""version": 1"#, r#""version": 2"#, "unknown field `algorithm`, expected one of `tree`"),
    (r#""version": 1"#, r#""version": 0"#, "its version is 0, but gaintree "),
    (r#""version": 1"#, r#""version": 1.0"#, "invalid type: floating point `1.0`"),
    (r#""version": 1"#, r#""version": -1"#, "invalid value: integer `-1`"),
    // Keys of the top, the spec and the schema.
    (r#""version": 1,"#, r#""version": 1, "host": "x","#, "unknown field `host`"),
    (r#""version": 1,"#, r#""version": 1, "version": 1,"#, "duplicate field `version`"),
    (r#""algorithm": "c45","#, "", "missing field `algorithm`"),
    (r#""algorithm": "c45""#, r#""algorithm": "c50""#, "unknown variant `c50`"),
    (r#""algorithm": "c45""#, r#""algorithm": {"c45": null}"#, r#"spec.algorithm: it should read "c45""#),
    (r#""max_depth": null,"#, "", "spec: missing key `max_depth`"),
    (r#""max_depth": null"#, r#""max_depth": -3"#, "invalid value: integer `-3`"),
    (r#""weight": "weight","#, "", "spec: missing key `weight`"),
    (r#""task": "auto","#, r#""task": "auto", "threads": 4,"#, "unknown field `threads`"),
    (r#""task": "auto","#, r#""task": "auto", "task": "auto","#, "duplicate field `task`"),
    (r#""missing": "learn""#, r#""missing": "fractional""#, "node 0: `missing_to` is null where the spec's `missing` is `fractional`"),
    (r#""min_gain": 0"#, r#""min_gain": -0.5"#, "spec: `min_gain` is -0.5"),
    (r#""min_gain": 0"#, r#""min_gain": 1e999"#, "number out of range"),
    (r#""min_gain": 0"#, r#""min_gain": NaN"#, "expected value"),
    (r#""min_weight_leaf": 0"#, r#""min_weight_leaf": -1"#, "spec: `min_weight_leaf` is -1"),
    (r#""ordered": []"#, r#""ordered": ["colour"]"#, "spec: feature `colour` is nominal in the schema"),
    (r#""nominal": []"#, r#""nominal": ["x"]"#, "spec: feature `x` is ordered in the schema"),
    (r#""nominal": []"#, r#""nominal": ["y"]"#, "names no feature of the schema"),
    (r#""weight": "weight""#, r#""weight": "class""#, "spec: weight `class` is the target"),
    (r#""weight": "weight""#, r#""weight": "x""#, "spec: weight `x` is a feature"),
    ("      \"x\",\n", "", "spec: `features` does not list `x` of the schema"),
    (r#""target": {"name":"class","#, r#""target": {"#, "missing field `name`"),
    (r#""target": {"name""#, r#""target": {"title":"","name""#, "unknown field `title`"),
    (r#"{"name":"x","#, r#"{"name":"x","unit":"cm","#, "unknown field `unit`"),
    (r#"{"name":"x","#, r#"{"name":"x","name":"x","#, "duplicate field `name`"),
    // Dtypes.
    (r#""dtype":"i16""#, r#""dtype":"int""#, "unknown variant `int`"),
    (r#""dtype":"f32""#, r#""dtype":{"f32":null}"#, r#"schema.features[6].dtype: it should read "f32""#),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":9,"scale":10}"#, "feature `price`: decimal[9,10] is no dtype"),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":99999999999,"scale":2}"#, "precision is from 1 to 38"),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":0,"scale":0}"#, "precision is from 1 to 38"),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":9}"#, "missing field `scale`"),
    (r#"{"precision":9,"scale":2}"#, r#"[9,2]"#, "schema.features[4].dtype.decimal: it should be an object"),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":9,"scale":2,"unit":"s"}"#, "schema.features[4].dtype.decimal: unknown key `unit`"),
    (r#"{"precision":9,"scale":2}"#, r#"{"precision":9,"scale":2,"scale":2}"#, "duplicate field `scale`"),
    (r#""unit":"us","zone":"Europe/Paris""#, r#""unit":"us""#, "schema.features[5].dtype.datetime: missing key `zone`"),
    (r#""unit":"us""#, r#""unit":"s""#, "unknown variant `s`"),
    (r#"["low","mid","high"]"#, r#"["low","mid","low"]"#, "feature `grade`: category `low` is declared twice"),
    // The target.
    (r#"["-2","3","10"]"#, r#"["-2"]"#, "target `class`: it has 1 of 2 to 65535 classes"),
    (r#"["-2","3","10"]"#, r#"["-2","3","3"]"#, "target `class`: class 2 is not above class 1"),
    (r#"["-2","3","10"]"#, r#"["-2","10","3"]"#, "target `class`: class 2 is not above class 1"),
    (r#"["-2","3","10"]"#, r#"["-2","+3","10"]"#, "target `class`: class 1, `+3` is no value of i16"),
    (r#"["-2","3","10"]"#, r#"["-2","3","32768"]"#, "class 2, `32768` is no value of i16"),
    (r#"["-2","3","10"]"#, r#"["-2","3",10]"#, "invalid type: integer `10`, expected a string"),
    (r#"["-2","3","10"]"#, r#"["-2","10"]"#, "node 0: `counts` has length 3, but there are 2 classes"),
    (r#""dtype":"i16""#, r#""dtype":"null""#, "class 0, `-2` is no value of null"),
    (r#""dtype":"i16""#, r#""dtype":"boolean""#, "class 0, `-2` is no value of bool"),
    // Features.
    (r#"{"name":"day""#, r#"{"name":"x""#, "feature `x`: another feature or the target has that name"),
    (r#"{"name":"day""#, r#"{"name":"class""#, "feature `class`: another feature or the target"),
    (r#""dtype":"f64","kind":"ordered","has_missing":false"#, r#""dtype":"f64","kind":"sorted","has_missing":false"#, "unknown variant `sorted`"),
    (r#""dtype":"f64","kind":"ordered","has_missing":false"#, r#""dtype":"f64","kind":"ordered","has_missing":false,"levels":[]"#, "feature `x`: an ordered feature has no key `levels`"),
    (r#""dtype":"f64","kind":"ordered","has_missing":false"#, r#""dtype":"f64","kind":"ordered","has_missing":false,"levels":null"#, "invalid type: null"),
    (r#","levels":["blue","green","red"]"#, "", "feature `colour`: missing key `levels`"),
    (r#"["blue","green","red"]"#, r#"["blue","red","green"]"#, "feature `colour`: level 2 does not come after level 1"),
    (r#"["blue","green","red"]"#, r#"["blue","blue","red"]"#, "feature `colour`: level 1 does not come after level 0"),
    (r#"["blue","green","red"]"#, r#"["blue","green"]"#, "node 1: `levels` names level 2, but feature `colour` has 2 levels"),
    (r#""levels":["low","high"]"#, r#""levels":["high","low"]"#, "feature `grade`: level 1 does not come after level 0"),
    (r#""levels":["low","high"]"#, r#""levels":["low","top"]"#, "feature `grade`: level 1, `top` is no value of enum"),
    (r#""dtype":"string","kind""#, r#""dtype":"i8","kind""#, "feature `colour`: level 0, `blue` is no value of i8"),
    // What every node has.
    (r#"{"n":4,"#, r#"{"#, "missing field `n`"),
    (r#"{"n":4,"#, r#"{"n":0,"#, "node 3: `n` is 0"),
    (r#"{"n":4,"#, r#"{"n":-4,"#, "invalid value: integer `-4`"),
    (r#"{"n":4,"#, r#"{"n":4,"n":4,"#, "duplicate field `n`"),
    (r#"{"n":4,"#, r#"{"n":4,"id":3,"#, "unknown field `id`"),
    (r#"{"n":4,"counts":[1.375,2.375,3.375],"impurity":0.5}"#, r#"[4,[1,2,3],0.5]"#, "invalid type: sequence, expected an object"),
    (r#"[1.375,2.375,3.375]"#, r#"[1.375,2.375]"#, "node 3: `counts` has length 2, but there are 3 classes"),
    (r#"[1.375,2.375,3.375]"#, r#"[1.375,-2.375,3.375]"#, "node 3: `counts` holds -2.375"),
    (r#"[1.375,2.375,3.375]"#, r#"[0,0,0]"#, "node 3: `counts` add up to 0"),
    (r#"[1.375,2.375,3.375]"#, r#"[1e308,1e308,1e308]"#, "node 3: `counts` add up to inf"),
    (r#"[1.375,2.375,3.375]"#, r#"[1,2,null]"#, "invalid type: null"),
    (r#"3.375],"impurity":0.5"#, r#"3.375],"impurity":-0.5"#, "node 3: `impurity` holds -0.5"),
    // Leaves.
    (r#"3.375],"impurity":0.5"#, r#"3.375],"impurity":0.5,"gain":0"#, "node 3: key `gain` does not belong"),
    (r#"3.375],"impurity":0.5"#, r#"3.375],"impurity":0.5,"cut":null"#, "a cut is a number or a text"),
    (r#"3.375],"impurity":0.5"#, r#"3.375],"impurity":0.5,"branches":[]"#, "node 3: key `branches` does not belong"),
    // Rules.
    (r#""feature":"x","op":">=","cut":2.45"#, r#""feature":"z","op":">=","cut":2.45"#, "node 0: the schema has no feature `z`"),
    (r#""feature":"x","op":">=","cut":2.45"#, r#""op":">=","cut":2.45"#, "node 0: missing key `feature`"),
    (r#""op":">=","cut":2.45"#, r#""op":"<","cut":2.45"#, "node 0: op `<` is not one of `>=`"),
    (r#""op":">=","cut":2.45"#, r#""cut":2.45"#, "node 0: key `feature` does not belong to its `op`, or to a leaf"),
    (r#""op":">=","cut":2.45"#, r#""op":"==","level":0"#, "node 0: feature `x` is ordered; `==` cannot ask it"),
    (r#""op":">=","cut":2.45"#, r#""op":">=""#, "node 0: missing key `cut`"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":null"#, "a cut is a number or a text"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":[2]"#, "a cut is a number or a text"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":"2.45""#, "node 0: cut `2.45` of f64 is a text; a finite one is a number"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":"NaN""#, "node 0: cut `NaN` of f64 is a text"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":"infinity""#, "node 0: cut `infinity` of f64 is a text"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":2.45,"cut":2.45"#, "duplicate field `cut`"),
    (r#""op":">=","cut":2.45"#, r#""op":">=","cut":2.45,"level":0"#, "node 0: key `level` does not belong"),
    (r#""cut":"2024-01-01""#, r#""cut":"2023-02-29""#, "node 2: `2023-02-29` is no value of date"),
    (r#""cut":"2024-01-01""#, r#""cut":"2024-1-1""#, "node 2: `2024-1-1` is no value of date"),
    (r#""cut":"2024-01-01""#, r#""cut":"9999999-01-01""#, "is no value of date"),
    (r#""cut":"2024-01-01""#, r#""cut":19723"#, "node 2: cut 19723 of date is a number, not a text"),
    (r#""cut":"12.50""#, r#""cut":"12.5""#, "node 11: `12.5` is no value of decimal[9,2]"),
    (r#""cut":"12.50""#, r#""cut":12.5"#, "node 11: cut 12.5 of decimal[9,2] is a number"),
    (r#""cut":"9223372036854775807""#, r#""cut":"9223372036854775808""#, "node 22: `9223372036854775808` is no value of i64"),
    (r#""cut":0.1,"#, r#""cut":0.12345678901,"#, "node 13: 0.12345678901 is no value of f32"),
    (r#""cut":0.1,"#, r#""cut":1e99,"#, "is no value of f32"),
    (r#""feature":"count","op":">=","cut":"9223372036854775807""#, r#""feature":"nothing","op":"is missing""#, "node 22: feature `nothing` is null throughout"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[]"#, "node 1: `levels` is empty"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[0,2,1]"#, "node 1: `levels` is not ascending"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[0,1,1]"#, "node 1: `levels` is not ascending"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[0,1,3]"#, "node 1: `levels` names level 3"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[0,1,-1]"#, "invalid value: integer `-1`"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","levels":[0,1]"#, "node 1: `missing_to` is 3, but there are 2 branches"),
    (r#""op":"each","levels":[0,1,2]"#, r#""op":"each","right":[0]"#, "node 1: missing key `levels`"),
    (r#""op":"each","levels":[0,1,2],"missing_to":3"#, r#""op":"each","levels":[0,1,2],"missing_to":0"#, "node 1: `branches` has length 4, but `each` has 3 branches here"),
    (r#""op":"each","levels":[0,2],"missing_to":null"#, r#""op":"each","levels":[0],"missing_to":null"#, "node 17: `each` has 1 branch; a rule has at least two"),
    (r#""op":"==","level":1"#, r#""op":"==","level":2"#, "node 6: `level` names level 2, but feature `grade` has 2 levels"),
    (r#""op":"==","level":1"#, r#""op":">=","cut":"low""#, "node 6: feature `grade` is nominal; `>=` cannot ask it"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[],"left":[1]"#, "node 10: `right` is empty"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[0],"left":[]"#, "node 10: `left` is empty"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[0,2],"left":[2]"#, "node 10: level 2 is both in `right` and in `left`"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[2,0],"left":[1]"#, "node 10: `right` is not ascending"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[0,2],"left":[7]"#, "node 10: `left` names level 7"),
    (r#""right":[0,2],"left":[1]"#, r#""right":[0,2]"#, "node 10: missing key `left`"),
    (r#""op":"is missing","missing_to":1"#, r#""op":"is missing","missing_to":0"#, "node 16: `is missing` has `missing_to` 1"),
    (r#""cut":2.45,"missing_to":1"#, r#""cut":2.45"#, "node 0: missing key `missing_to`"),
    (r#""cut":2.45,"missing_to":1"#, r#""cut":2.45,"missing_to":2"#, "node 0: `missing_to` is 2, but there are 2 branches"),
    (r#""gain":0.3333333333333333,"#, "", "node 0: missing key `gain`"),
    (r#""gain":0.3333333333333333,"#, r#""gain":-1,"#, "node 0: `gain` holds -1"),
    (r#""gain":0.3333333333333333,"#, r#""gain":null,"#, "invalid type: null"),
    (r#""approximate":true"#, r#""approximate":1"#, "invalid type: integer `1`, expected a boolean"),
    // Links.
    (r#","branches":[1,10]"#, "", "node 0: missing key `branches`"),
    (r#""branches":[1,10]"#, r#""branches":[1,99]"#, "node 0: branch 1 leads to node 99, but there are 25 nodes"),
    (r#""branches":[1,10]"#, r#""branches":[1,9]"#, "node 0: branch 1 leads to node 9; in preorder it is node 10"),
    (r#""branches":[1,10]"#, r#""branches":[0,10]"#, "node 0: branch 0 leads to node 0; in preorder it is node 1"),
    (r#""branches":[1,10]"#, r#""branches":[10,1]"#, "node 0: branch 0 leads to node 10; in preorder it is node 1"),
    (r#""branches":[1,10]"#, r#""branches":[1,10,11]"#, "node 0: `branches` has length 3, but `>=` has 2 branches here"),
    (r#""branches":[1,10]"#, r#""branches":[1]"#, "node 0: `branches` has length 1, but `>=` has 2 branches here"),
    (r#""branches":[3,4]"#, r#""branches":[3,3]"#, "node 2: branch 1 leads to node 3; in preorder it is node 4"),
    (r#""branches":[3,4]"#, r#""branches":[0,4]"#, "node 2: branch 0 leads to node 0; in preorder it is node 3"),
    ("\n  ]\n}", r#",{"n":1,"counts":[1,1,1],"impurity":0}]}"#, "node 25: no branch leads to it"),
    (",\n    {\"n\":25,\"counts\":[4,5,6],\"impurity\":0.5}", "", "node 22: branch 1 leads to node 24, but there are 24 nodes"),
    // After the end.
    ("\n  ]\n}", "\n  ]\n}}", "trailing characters"),
];

fn refusal(text: &str) -> String {
    match TreeData::from_json(text) {
        Ok(_) => panic!("read, but should not have been:\n{text}"),
        Err(e) => {
            assert!(e.is_model());
            let message = e.to_string();
            assert!(!message.contains('\n') && message.len() < 1000, "{message}");
            message
        }
    }
}

#[test]
fn each_damage_is_refused_and_named() {
    let text = sample().to_json();
    for (from, to, message) in REFUSED {
        assert!(text.contains(from), "no {from} in\n{text}");
        let said = refusal(&text.replacen(from, to, 1));
        assert!(said.contains(message), "{from} -> {to}: expected\n{message}\nbut it said\n{said}");
    }
}

#[test]
fn other_texts_are_no_models() {
    for text in ["", " ", "null", "[]", "{}", "7", "\"gaintree\"", "\u{feff}{}", "[\"gaintree\",1]"]
    {
        refusal(text);
    }
    for open in ["[", "{\"format\":", "{\"spec\":[", "{\"nodes\":[[", "{\"x\":"] {
        refusal(&open.repeat(200_000));
    }
    let long = "\n".repeat(5000);
    let stamp = r#""format":"gaintree","version":1"#;
    refusal(&format!("{{{stamp},{long:?}:1}}"));
    refusal(&format!("{{\"format\":{long:?},\"version\":1}}"));
    let mut object: Value = serde_json::from_str(&sample().to_json()).expect("JSON");
    object["nodes"] = json!([]);
    assert!(refusal(&object.to_string()).contains("no nodes; a tree has at least one"));
}

#[test]
fn a_later_version_may_differ_in_everything_else() {
    let said = refusal(r#"{"format":"gaintree","version":3,"forest":[{"trees":[]}],"spec":7}"#);
    assert!(said.contains("its version is 3"), "{said}");
}

#[test]
fn a_model_cut_short_is_refused() {
    let text = sample().to_json();
    let whole = text.trim_end().len();
    for end in (0..whole).filter(|&end| text.is_char_boundary(end)) {
        refusal(&text[..end]);
    }
    // All that a whole model may lose is the line's end.
    assert!(TreeData::from_json(&text[..whole]).is_ok());
}

/// Whatever the bytes are, they are refused or make a tree that keeps.
fn survives(bytes: &[u8]) -> bool {
    let tree = FileKind::Model.text(bytes).and_then(read::model).and_then(ModelData::tree);
    if let Ok(tree) = &tree {
        let text = tree.to_json();
        assert_eq!(TreeData::from_json(&text).expect("what was read is written and read"), *tree);
    }
    tree.is_ok()
}

#[test]
fn flipped_bytes_do_no_harm() {
    let text = sample().to_json();
    let random = &mut Random(1);
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1 << random.below(8);
        survives(&bytes);
        for _ in 0..random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        survives(&bytes);
    }
}

#[test]
fn any_part_in_the_place_of_any_other_does_no_harm() {
    let object: Value = serde_json::from_str(&sample().to_json()).expect("JSON");
    let odd = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(u64::MAX),
        json!(0.5),
        json!(1e308),
        json!(-0.0),
        json!(""),
        json!("x"),
        json!("0"),
        json!("inf"),
        json!("f16"),
        json!("boolean"),
        json!([]),
        json!([0]),
        json!([[[]]]),
        json!({}),
        json!({"n": 1, "counts": [1, 2, 3], "impurity": 0}),
    ];
    let pointers = pointers(&object);
    assert!(pointers.len() > 250);
    let mut read = 0;
    for pointer in &pointers {
        for odd in &odd {
            let mut edited = object.clone();
            *edited.pointer_mut(pointer).expect("it is there") = odd.clone();
            read += usize::from(survives(edited.to_string().as_bytes()));
        }
    }
    assert!(read > 100, "only {read} harmless edits: is all of it refused?");
}

/// The JSON pointers of all parts.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while let Some(pointer) = found.get(at).cloned() {
        match value.pointer(&pointer) {
            Some(Value::Object(o)) => found.extend(o.keys().map(|k| format!("{pointer}/{k}"))),
            Some(Value::Array(a)) => found.extend((0..a.len()).map(|i| format!("{pointer}/{i}"))),
            _ => {}
        }
        at += 1;
    }
    found
}

/// What is done to one key of the file, counted in order of writing.
#[derive(Clone, Copy, PartialEq)]
enum Edit {
    Keep,
    Remove,
    Repeat,
    AddAnother,
}

#[test]
fn no_key_may_be_absent_twice_or_new() {
    let object: Value = serde_json::from_str(&sample().to_json()).expect("JSON");
    let keys = edited(&object, Edit::Keep, usize::MAX).1;
    assert!(keys > 150);
    let mut optional = Vec::new();
    for edit in [Edit::Remove, Edit::Repeat, Edit::AddAnother] {
        for at in 0..keys {
            let (text, _) = edited(&object, edit, at);
            match TreeData::from_json(&text) {
                Err(_) => {}
                Ok(tree) if edit == Edit::Remove => optional.push(approximate(&tree)),
                Ok(_) => panic!("{text}"),
            }
        }
    }
    let all = approximate(&sample());
    let expected = [vec![all - 1; all], vec![all]].concat();
    assert_eq!(optional, expected, "only `approximate` and `subtree_raising` may be absent");
}

fn approximate(tree: &TreeData) -> usize {
    tree.nodes.iter().filter(|n| n.split.as_ref().is_some_and(|s| s.approximate)).count()
}

/// A value as text with its key number `target` edited, and how many keys there are.
fn edited(value: &Value, edit: Edit, target: usize) -> (String, usize) {
    fn write(value: &Value, edit: Edit, target: usize, keys: &mut usize) -> String {
        match value {
            Value::Object(object) => {
                let mut items = Vec::new();
                for (key, value) in object {
                    let here = *keys == target;
                    *keys += 1;
                    let item = format!("{key:?}:{}", write(value, edit, target, keys));
                    match edit {
                        Edit::Remove if here => {}
                        Edit::Repeat if here => items.extend([item.clone(), item]),
                        Edit::AddAnother if here => items.extend([item, "\"new\":1".to_string()]),
                        _ => items.push(item),
                    }
                }
                format!("{{{}}}", items.join(","))
            }
            Value::Array(array) => {
                let items = array.iter().map(|value| write(value, edit, target, keys));
                format!("[{}]", items.collect::<Vec<_>>().join(","))
            }
            other => other.to_string(),
        }
    }
    let mut keys = 0;
    let text = write(value, edit, target, &mut keys);
    (text, keys)
}
