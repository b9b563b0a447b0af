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
