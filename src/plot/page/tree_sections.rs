//! The sections on the tree: its picture, importances and rules.

use maud::{Markup, PreEscaped, html};

use super::{PageSection, SectionRows, collapsible_tree, meter};
use crate::explain::LeafRule;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{clean, count, figure, percent, rate};
use crate::plot::tree_picture::node_text::NodeTexts;
use crate::tree::TreeData;
use crate::tree::rule_text::{SHOWN_LEVELS, shorten_sets};

/// Rules a page lists, and the bytes they may take together.
const RULES: usize = 1000;
const RULE_BYTES: usize = 300_000;

/// Rules that are printed.
const PRINTED: usize = 100;

pub(super) fn tree_section(
    tree: &TreeData,
    picture: &Drawing,
    event: Option<usize>,
) -> PageSection {
    let find = "<input type=\"search\" id=\"find\" placeholder=\"feature, level or answer\" \
                aria-label=\"Search the tree\"/>";
    let body = html! {
        div.wide.picture { (picture.inline()) }
        p.faint.narrow { "The picture is wider than the window: it moves sideways. The tree below it folds." }
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
            (PreEscaped(collapsible_tree::data(&NodeTexts::new(tree, event))))
        }
    };
    PageSection { id: "tree", heading: "Tree", rows: SectionRows::Fitted, span: 12, body }
}

pub(super) fn importances(tree: &TreeData) -> PageSection {
    let all = tree.feature_importance();
    let used = all.iter().filter(|i| i.n_splits > 0);
    let features = &tree.schema().features;
    let most = all.iter().map(|i| i.importance).fold(0.0, f64::max);
    let body = html! {
        div.wide { table.filled {
            thead { tr {
                th { "feature" } th.bars {} th.n { "importance" } th.n { "rules" }
                th.n.opt { "first at depth" } th.n.opt { "rows that meet it" }
            } }
            tbody { @for i in used { tr {
                td { bdi { (clean(&features[i.feature as usize].name)) } }
                td { (meter(i.importance / most)) }
                td.n { (figure(i.importance, 4)) }
                td.n { (count(i.n_splits)) }
                td.n.opt { (i.min_depth.unwrap_or(0)) }
                td.n.opt { (percent(i.coverage)) }
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
    let rows = SectionRows::Fitted;
    PageSection { id: "importance", heading: "Importance", rows, span: 12, body }
}

pub(super) fn rules(tree: &TreeData, event: Option<usize>) -> PageSection {
    let body = match tree.leaf_rules() {
        Ok(all) => rule_table(tree, &all, event),
        Err(_) => html! { p { "The rules of this tree are too many to list." } },
    };
    PageSection { id: "rules", heading: "Rules", rows: SectionRows::Fitted, span: 12, body }
}

fn rule_table(tree: &TreeData, all: &[LeafRule], event: Option<usize>) -> Markup {
    let rows = |id: u32| tree.node_slice()[id as usize].n;
    // No training row takes an otherwise line.
    let mut leaves: Vec<_> = all.iter().filter(|rule| !rule.otherwise).collect();
    let cards = NodeTexts::new(tree, event);
    leaves.sort_by_cached_key(|rule| {
        // Shares are not negative, so that their bits are in order.
        let share = cards.event_share(rule.leaf).map(f64::to_bits);
        std::cmp::Reverse((share, rows(rule.leaf)))
    });
    let event = cards.event_name();
    let mut bytes = 0;
    let short = leaves.iter().map(|rule| (rule.leaf, shorten_sets(&rule.rule, SHOWN_LEVELS)));
    let listed: Vec<(u32, String)> = short
        .take(RULES)
        .take_while(|(_, rule)| {
            bytes += rule.len() + 80;
            bytes <= RULE_BYTES
        })
        .collect();
    let filter = "<input type=\"search\" data-filters=\"rule-table\" \
                  placeholder=\"text in a rule or answer\" aria-label=\"Filter the rules\"/>";
    html! {
        @if listed.len() < leaves.len() {
            p {
                "The " (count(listed.len() as u64)) " rules of "
                @match &event {
                    Some(event) => { "the highest share of " bdi { (event) } }
                    None => "most rows"
                }
                ", of " (count(leaves.len() as u64)) "; " code { "show --as rules" } " lists all."
            }
        } @else if let Some(event) = &event {
            p.faint { "The rules of the highest share of " bdi { (event) } " come first." }
        }
        div.tools { (PreEscaped(filter)) output {} }
        div.box { table id="rule-table" {
            thead { tr {
                th { "rule" }
                @if let Some(event) = &event { th.n { "share of " bdi { (event) } } }
                th { "answer" }
                th.n { @if tree.is_regression() { "deviation" } @else { "probability" } }
                th.n { "rows" }
            } }
            tbody { @for (at, (leaf, rule)) in listed.iter().enumerate() {
                @let (answer, how) = cards.answer(*leaf);
                tr.rare[at >= PRINTED] {
                    td.rule { bdi dir="ltr" { (clean(rule)) } }
                    @if let Some(share) = cards.event_share(*leaf) { td.n { (rate(share)) } }
                    td { bdi { (answer) } }
                    td.n { (how) }
                    td.n { (count(rows(*leaf))) }
                }
            } }
        } }
    }
}
