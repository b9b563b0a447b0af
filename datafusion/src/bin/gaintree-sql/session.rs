//! A session, with its tables.

use std::error::Error;
use std::path::Path;

use ballista::prelude::SessionContextExt;
use datafusion::prelude::{CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionContext};

use crate::args::SourceArgs;

/// The session that the arguments name: of this process, or of a cluster.
pub async fn session(args: &SourceArgs) -> Result<SessionContext, Box<dyn Error>> {
    let session = match &args.url {
        Some(url) => SessionContext::remote(url).await.map_err(|e| format!("{url}: {e}"))?,
        None => SessionContext::new(),
    };
    // Nanoseconds reach from 1677 to 2262, and INT96 timestamps of other years would wrap around.
    let microseconds = Some("us".to_string());
    session.state_ref().write().config_mut().options_mut().execution.parquet.coerce_int96 =
        microseconds;
    for (name, path) in &args.register {
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        let registered = match ending {
            Some("csv") => session.register_csv(name, path, CsvReadOptions::new()).await,
            Some(ending @ ("json" | "ndjson")) => {
                let options = JsonReadOptions::default().file_extension(ending);
                session.register_json(name, path, options).await
            }
            _ => session.register_parquet(name, path, ParquetReadOptions::default()).await,
        };
        registered.map_err(|e| format!("table {name}={path}: {}", e.strip_backtrace()))?;
    }
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Years 1000 and 9999 as parquet's INT96.
    #[tokio::test]
    async fn int96_has_years_that_nanoseconds_do_not_reach() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/it/int96.parquet");
        let register = vec![("far".to_string(), path.to_string())];
        let source = SourceArgs { url: None, register, query: String::new() };
        let session = session(&source).await.expect("opens");
        let years = "SELECT DISTINCT date_part('year', t) AS year, y FROM far ORDER BY y";
        let years = session.sql(years).await.expect("plans").to_string().await.expect("runs");
        assert!(years.contains("| 1000 | a |") && years.contains("| 9999 | b |"), "{years}");
    }
}
