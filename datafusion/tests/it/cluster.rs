//! A Ballista cluster in this process: a scheduler and executors, which talk over TCP.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use ballista::prelude::SessionContextExt;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::default_config_producer;
use ballista_executor::new_standalone_executor_from_builder;
use ballista_scheduler::standalone::new_standalone_scheduler;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;
use tokio::runtime::{Builder, Runtime};

type Failure = Box<dyn Error + Send + Sync>;

/// A cluster, which ends when it is dropped.
pub struct Cluster {
    port: u16,
    pub scheduler: Option<Member>,
    pub executors: Vec<Member>,
}

impl Cluster {
    /// A new cluster of this many executors, each of which runs two tasks at a time.
    pub async fn start(executors: usize) -> Result<Cluster, Failure> {
        let (scheduler, address) = Member::start(new_standalone_scheduler()).await?;
        let port = address.port();
        let mut cluster = Cluster { port, scheduler: Some(scheduler), executors: Vec::new() };
        for _ in 0..executors {
            let executor = async move {
                let url = format!("http://localhost:{port}");
                let scheduler = SchedulerGrpcClient::connect(url).await?;
                // The functions that the command `ballista-executor` has.
                new_standalone_executor_from_builder(
                    scheduler,
                    2,
                    Arc::new(default_config_producer),
                    Arc::new(|_| Ok(Arc::new(RuntimeEnv::default()))),
                    BallistaCodec::default(),
                    BallistaFunctionRegistry::default(),
                )
                .await
            };
            cluster.executors.push(Member::start(executor).await?.0);
        }
        Ok(cluster)
    }

    /// A session of it.
    pub async fn session(&self) -> Result<SessionContext, Failure> {
        Ok(SessionContext::remote(&format!("df://localhost:{}", self.port)).await?)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Executors that miss their scheduler would say so.
        self.executors.clear();
        self.scheduler = None;
    }
}

/// A scheduler or an executor, in a runtime of its own. Dropped, it is gone at once, with its
/// connections, as if its machine were.
pub struct Member(Option<Runtime>);

impl Member {
    async fn start<T: Send + 'static>(
        member: impl Future<Output = Result<T, BallistaError>> + Send + 'static,
    ) -> Result<(Member, T), Failure> {
        // Plans of deep expressions are walked by recursion, so threads have room for it.
        let runtime =
            Builder::new_multi_thread().enable_all().thread_stack_size(16 << 20).build()?;
        let started = runtime.spawn(member);
        let member = Member(Some(runtime));
        Ok((member, started.await??))
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
