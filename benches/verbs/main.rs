//! How the time of every verb grows with its input: rows, levels, groups, nodes.
//!
//! ```text
//! cargo bench --all-features --bench verbs                            # 10^4, 10^5, 10^6
//! cargo bench --all-features --bench verbs -- curve prune             # of these names
//! SIZES=1000,10000 RUNS=1 cargo bench --all-features --bench verbs    # a look
//! ```
//!
//! It prints a table: the fastest of `RUNS` (3) at each size, and the growth exponent between the
//! last two, which is 1 of a linear verb and at most 1.15 of n log n. A verb whose output grows
//! faster than its input may have more. A time above `LIMIT` seconds (60) is the verb's last.
//! POLARS_MAX_THREADS bounds the threads.

mod data;
mod of_rows;
mod of_trees;
#[path = "../common/random.rs"]
mod random;

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

pub type Outcome = Result<(), Box<dyn Error>>;

/// A verb, and its work on an input.
pub struct Verb<I> {
    pub name: &'static str,
    pub run: fn(&I) -> Outcome,
}

fn main() -> Outcome {
    // Cargo adds `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let sizes = set("SIZES", "10000,100000,1000000");
    let sizes: Vec<usize> = sizes.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let heads: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    println!("| verb | {} | exponent |", heads.join(" | "));
    println!("| --- {}| --- |", "| --- ".repeat(sizes.len()));
    measure("", &of_rows::VERBS, &sizes, &wanted, data::Rows::new)?;
    for (kind, spec) in data::trees() {
        let tree = |size| data::TreeInput::new(size, kind, spec.clone());
        measure(kind.name, &of_trees::VERBS, &sizes, &wanted, tree)?;
    }
    Ok(())
}

/// Prints a line for each verb that is wanted; all of them if none is.
fn measure<I>(
    on: &str,
    verbs: &[Verb<I>],
    sizes: &[usize],
    wanted: &[String],
    input: impl Fn(usize) -> I,
) -> Outcome {
    let limit: f64 = set("LIMIT", "60").parse()?;
    let title = |verb: &Verb<I>| format!("{} {on}", verb.name).trim_end().to_string();
    let is_wanted =
        |verb: &Verb<I>| wanted.is_empty() || wanted.iter().any(|w| title(verb).contains(w));
    let verbs: Vec<&Verb<I>> = verbs.iter().filter(|verb| is_wanted(verb)).collect();
    if verbs.is_empty() {
        return Ok(());
    }
    let mut times = vec![Vec::new(); verbs.len()];
    for &size in sizes {
        let input = input(size);
        for (verb, times) in verbs.iter().zip(&mut times) {
            if times.last().is_none_or(|last| matches!(last, Ok(seconds) if *seconds < limit)) {
                times.push(fastest(verb, &input)?);
            }
        }
    }
    for (verb, times) in verbs.iter().zip(&times) {
        let cells = (0..sizes.len()).map(|at| match times.get(at) {
            None => "–".to_string(),
            Some(Err(why)) => why.clone(),
            Some(Ok(seconds)) if *seconds < 0.1 => format!("{:.2} ms", 1e3 * seconds),
            Some(Ok(seconds)) => format!("{seconds:.2} s"),
        });
        let exponent = match times.as_slice() {
            [.., Ok(small), Ok(large)] => {
                let growth = sizes[times.len() - 1] as f64 / sizes[times.len() - 2] as f64;
                format!("{:.2}", (large / small).log(growth))
            }
            _ => "–".to_string(),
        };
        println!("| {} | {} | {exponent} |", title(verb), cells.collect::<Vec<_>>().join(" | "));
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// The fastest of some runs in seconds, or why there is none.
fn fastest<I>(verb: &Verb<I>, input: &I) -> Result<Result<f64, String>, Box<dyn Error>> {
    let runs: usize = set("RUNS", "3").parse()?;
    let mut fastest = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        if let Err(e) = black_box((verb.run)(input)) {
            eprintln!("{}: {e}", verb.name);
            return Ok(Err("refused".to_string()));
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
        if fastest > 10.0 {
            break;
        }
    }
    Ok(Ok(fastest))
}

fn set(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_string())
}
