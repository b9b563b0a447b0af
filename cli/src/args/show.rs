//! `gaintree show`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use gaintree::Dialect;

use super::shared::ThemeArg;

/// How a tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Indented, a line a node
    Text,
    /// A line a leaf: the way there and its answer
    Rules,
    /// A line a node, in figures
    Nodes,
    /// The model file
    Json,
    /// The select list of a query that scores
    Sql,
    /// A model for ONNX Runtime; of a forest too
    Onnx,
    /// A program in C; of a forest too
    C,
    /// The header of the program in C
    Header,
    /// A module in Rust; of a forest too
    Rust,
    /// A module in Python; of a forest too
    Python,
    /// A graph for Graphviz
    Dot,
    /// A picture
    Svg,
    /// A picture in pixels
    Png,
    /// A page: the picture, and a tree to fold, unfold and search
    Html,
}

/// The dialects by their names.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
        .try_map(|name| name.parse::<Dialect>())
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  gaintree show iris.tree.json
  gaintree show fraud.tree.json --event yes
  gaintree show iris.tree.json --as rules
  gaintree show iris.tree.json --as nodes -o nodes.csv
  gaintree show iris.tree.json --max-depth 3 -o iris.svg
  gaintree show fraud.tree.json --event yes --compact -o fraud.svg
  gaintree show iris.tree.json -o iris.png
  gaintree show iris.tree.json -o iris.dot
  gaintree show iris.tree.json -o iris.onnx
  gaintree show iris.tree.json -o iris.rs
  gaintree show iris.tree.json --test iris.parquet -o iris_test.rs
  gaintree show iris.tree.json --as sql --dialect postgresql --probability
  gaintree show iris.forest.json --tree 3 -o third.svg
  gaintree show loans.card.json")]
pub struct ShowArgs {
    /// The model file, or a scorecard, which is shown as its table; - reads it from standard input
    pub model: String,
    /// Show this tree of a forest; the first is 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub tree: Option<u64>,
    /// Show the tree in this form [default: by the ending of the output's name (.txt, .svg, .png,
    /// .html, .dot, .sql, .onnx, .c, .h, .rs, .py, .json), else text]
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
    /// Fold what is below this depth, in text, dot, svg, png and html [default: 20 in text; in
    /// pictures the 32 leaves and folded subtrees that gain most are shown]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Show the share of this class in each node; pictures are coloured by how many times as frequent it is
    /// as in all rows [default: in pictures the rarer of two, in text only where it has at most 10 % of the
    /// rows]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Draw a node in two lines instead of four
    #[arg(long)]
    pub compact: bool,
    /// Let each tree of a forest vote for one class, in ONNX and code: probabilities are shares of the
    /// votes
    #[arg(long)]
    pub votes: bool,
    /// Write the SQL of this engine [default: duckdb]
    #[arg(long, value_name = "ENGINE", value_parser = dialects())]
    pub dialect: Option<Dialect>,
    /// Give an SQL expression of the probability of each class too
    #[arg(long)]
    pub probability: bool,
    /// Give an SQL expression of the id of the leaf too
    #[arg(long)]
    pub leaf: bool,
    /// Write a program that asks the code for a row, instead of the code
    #[arg(long)]
    pub example: bool,
    /// Write a program that holds the code to what the model answers to the rows of these files, instead
    /// of the code
    #[arg(long, value_name = "INPUT", conflicts_with = "example")]
    pub test: Option<String>,
    /// Name the code so: its files, and in C what its names begin with [default: the output's name
    /// without its ending, _example and _test; on standard output the target's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write to this file; rules and nodes in the format of its ending (.parquet, .csv, .ndjson,
    /// .json, .ipc; - is csv on standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
}
