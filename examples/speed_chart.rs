//! Draws the README's chart of speed, `docs/speed.svg`, from `benches/peers/speed.csv`.
//!
//!     cargo run --features plot --example speed_chart

use std::error::Error;
use std::path::Path;

use gaintree::bar_chart_svg;

pub fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("benches/peers/speed.csv"))?;
    let mut lines = table.lines();
    if lines.next() != Some("learner,seconds") {
        return Err("the columns have to be learner,seconds".into());
    }
    let bars = lines.map(|line| {
        let (learner, seconds) = line.rsplit_once(',').ok_or("a line without a comma")?;
        Ok((learner.to_string(), seconds.parse()?))
    });
    let bars = bars.collect::<Result<Vec<(String, f64)>, Box<dyn Error>>>()?;
    let svg = bar_chart_svg("Time to fit one tree", &bars, "seconds; less is better");
    std::fs::write(root.join("docs/speed.svg"), svg)?;
    Ok(())
}
