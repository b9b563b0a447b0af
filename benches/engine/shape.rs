//! The size of the table, from the environment; the defaults are small.

use std::fmt::Display;
use std::str::FromStr;

/// What is measured on.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub rows: usize,
    pub columns: usize,
    /// Of the target; 0 for a number.
    pub classes: usize,
    /// Of the tree; 0 sets no limit.
    pub depth: u32,
    /// Whether rows have weights (1, 2 or 3).
    pub weights: bool,
    pub threads: usize,
}

impl Shape {
    /// `ROWS`, `COLUMNS`, `CLASSES`, `DEPTH`, `WEIGHTS` (0 or 1) and `THREADS`.
    pub fn from_env() -> Shape {
        Shape {
            rows: number("ROWS", 50_000),
            columns: number("COLUMNS", 10),
            classes: number("CLASSES", 2),
            depth: number("DEPTH", 12),
            weights: number("WEIGHTS", 0) != 0,
            threads: number("THREADS", 1),
        }
    }
}

fn number<T: FromStr + Display>(name: &str, default: T) -> T {
    match std::env::var(name) {
        Err(_) => default,
        Ok(text) => text.parse().unwrap_or_else(|_| {
            eprintln!("{name}={text} is no whole number; it is {default} by default");
            std::process::exit(2)
        }),
    }
}
