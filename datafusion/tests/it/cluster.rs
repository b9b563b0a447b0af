//! A Ballista cluster in this process: a scheduler and executors, which talk over TCP.

use std::error::Error;

use ballista::prelude::SessionContextExt;
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_executor::new_standalone_executor;
use ballista_scheduler::standalone::new_standalone_scheduler;
use datafusion::prelude::SessionContext;

/// The URL of a new cluster of this many executors, each of which runs two tasks at a time.
pub async fn start(executors: usize) -> Result<String, Box<dyn Error + Send + Sync>> {
    let address = new_standalone_scheduler().await?;
    let url = format!("http://localhost:{}", address.port());
    for _ in 0..executors {
        let scheduler = SchedulerGrpcClient::connect(url.clone()).await?;
        new_standalone_executor(scheduler, 2, BallistaCodec::default()).await?;
    }
    Ok(format!("df://localhost:{}", address.port()))
}

/// A session of a new cluster.
pub async fn session(executors: usize) -> Result<SessionContext, Box<dyn Error + Send + Sync>> {
    Ok(SessionContext::remote(&start(executors).await?).await?)
}
