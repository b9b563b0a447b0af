//! Pages that open from disk: plain HTML with a little CSS and script, and nothing from a network.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::card::Cards;
use super::measure::{clean, count, counted, figure, percent};
use super::outline;
use super::tree::{TreePicture, drawing};
use crate::tree::TreeData;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Rules a page lists, and the bytes they may take together.
const RULES: usize = 1000;
const RULE_BYTES: usize = 300_000;

/// Rules that are printed.
const PRINTED: usize = 100;

/// A section of a page: its anchor, its heading and what is in it.
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) heading: &'static str,
    pub(super) body: Markup,
}

impl TreeData {
    /// The tree as a page of its own: the picture, the tree to fold, unfold and search, the
    /// features' importances and the rules. One file that needs no network; the same tree gives
    /// the same bytes. Of a tree with more than 3,000 leaves the page holds the splits that gain
    /// most, and of its rules the first thousand by rows.
    pub fn to_html(&self, options: &TreePicture) -> String {
        page(self, &[], vec![tree_section(self, options), importances(self), rules(self)])
    }
}

/// The whole page; `about` are more lines under its heading.
pub(super) fn page(tree: &TreeData, about: &[String], sections: Vec<Section>) -> String {
    let target = clean(&tree.schema().target);
    let name = tree.spec().algorithm.name();
    let sizes = (counted(tree.n_nodes() as u64, "node"), counted(tree.n_leaves() as u64, "leaf"));
    let head = "<meta charset=\"utf-8\"/>\
                <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>";
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (PreEscaped(head))
                title { (name) " tree of " (target) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (name) " tree of " bdi { (target) } }
                p {
                    (sizes.0) ", " (sizes.1) ", depth " (tree.depth()) ", fitted on "
                    (counted(tree.node_slice()[0].n, "row"))
                }
                @for line in about { p { (line) } }
                nav { @for s in &sections { a href={ "#" (s.id) } { (s.heading) } } }
                @for s in &sections {
                    section id=(s.id) {
                        h2 { (s.heading) }
                        (s.body)
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

pub(super) fn tree_section(tree: &TreeData, options: &TreePicture) -> Section {
    let find = "<input type=\"search\" id=\"find\" placeholder=\"feature, level or answer\" \
                aria-label=\"Search the tree\"/>";
    let body = html! {
        div.wide { (drawing(tree, options).inline()) }
        div.tools {
            (PreEscaped(find))
            button type="button" id="unfold" { "Unfold all" }
            button type="button" id="fold" { "Fold all" }
            output id="found" {}
        }
        div.box id="outline" role="tree" aria-label="The tree" {
            noscript { "The tree that folds needs JavaScript; the picture above and the rules below do not." }
        }
        output.story id="story" { "Click a node, or move with the arrow keys, for its counts." }
        script type="application/json" id="tree-data" {
            (PreEscaped(outline::data(&Cards::new(tree))))
        }
    };
    Section { id: "tree", heading: "Tree", body }
}

pub(super) fn importances(tree: &TreeData) -> Section {
    let all = tree.feature_importance();
    let used = all.iter().filter(|i| i.n_splits > 0);
    let features = &tree.schema().features;
    let body = html! {
        div.wide { table {
            thead { tr {
                th { "feature" } th { "importance" } th {} th.n { "rules" } th.n { "first at depth" }
                th.n { "rows that meet it" }
            } }
            tbody { @for i in used { tr {
                td { bdi { (clean(&features[i.feature as usize].name)) } }
                td { (meter(i.importance)) }
                td.n { (figure(i.importance, 4)) }
                td.n { (count(i.n_splits)) }
                td.n { (i.min_depth.unwrap_or(0)) }
                td.n { (percent(i.coverage)) }
            } } }
        } }
        @let unused: Vec<String> = all
            .iter()
            .filter(|i| i.n_splits == 0)
            .map(|i| clean(&features[i.feature as usize].name))
            .collect();
        @if !unused.is_empty() {
            p.faint { "Not used by the tree: " (unused.join(", ")) }
        }
    };
    Section { id: "importance", heading: "Importance", body }
}

pub(super) fn rules(tree: &TreeData) -> Section {
    let Ok(all) = tree.leaf_rules() else {
        let body = html! { p { "The rules of this tree are too many to list." } };
        return Section { id: "rules", heading: "Rules", body };
    };
    let rows = |id: u32| tree.node_slice()[id as usize].n;
    // No training row takes an otherwise line.
    let mut leaves: Vec<_> = all.iter().filter(|rule| !rule.otherwise).collect();
    leaves.sort_by_key(|rule| std::cmp::Reverse(rows(rule.leaf)));
    let mut bytes = 0;
    let listed: Vec<_> = leaves
        .iter()
        .take(RULES)
        .take_while(|rule| {
            bytes += rule.rule.len() + 80;
            bytes <= RULE_BYTES
        })
        .collect();
    let cards = Cards::new(tree);
    let filter = "<input type=\"search\" data-filters=\"rule-table\" \
                  placeholder=\"text in a rule or answer\" aria-label=\"Filter the rules\"/>";
    let body = html! {
        @if listed.len() < leaves.len() {
            p {
                "The " (count(listed.len() as u64)) " rules of most rows, of "
                (count(leaves.len() as u64)) "; " code { "show --as rules" } " lists all."
            }
        }
        div.tools { (PreEscaped(filter)) output {} }
        div.box { table id="rule-table" {
            thead { tr {
                th { "rule" } th { "answer" }
                th.n { @if tree.is_regression() { "deviation" } @else { "probability" } }
                th.n { "rows" }
            } }
            tbody { @for (at, rule) in listed.iter().enumerate() {
                @let (answer, how) = cards.answer(rule.leaf);
                tr.rare[at >= PRINTED] {
                    td.rule { bdi dir="ltr" { (clean(&rule.rule)) } }
                    td { bdi { (answer) } }
                    td.n { (how) }
                    td.n { (count(rows(rule.leaf))) }
                }
            } }
        } }
    };
    Section { id: "rules", heading: "Rules", body }
}

/// A bar of a share.
pub(super) fn meter(share: f64) -> Markup {
    html! { span.meter style={ "--part:" (part(share)) " 100%" } {} }
}

/// A share of 1 as CSS has it.
pub(super) fn part(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("{:.1}%", 100.0 * share)
}
