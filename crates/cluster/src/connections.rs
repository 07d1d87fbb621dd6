//! A pool of connections to other executors.
//!
//! Ballista has such a pool, but does not provide it to custom execution engines. Without a pool,
//! each part that a task reads from another executor opens a new connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::error::Result;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::utils::GrpcClientConfig;

/// The time after which an unused connection is closed.
const IDLE: Duration = Duration::from_secs(30);

/// The idle connections for each destination, each with the time at which it became idle.
type IdleConnections =
    Mutex<HashMap<(String, u16, GrpcClientConfig), Vec<(BallistaClient, Instant)>>>;

/// The connection pool of an executor.
#[derive(Default)]
pub(crate) struct Connections(Arc<IdleConnections>);

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connections")
    }
}

/// Closes connections that have been idle for too long.
fn tidy(pool: &IdleConnections) {
    let mut pool = pool.lock().expect("no thread panics while holding the lock");
    pool.retain(|_, clients| {
        clients.retain(|(_, since)| since.elapsed() < IDLE);
        !clients.is_empty()
    });
}

#[async_trait::async_trait]
impl BallistaClientPool for Connections {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customize_endpoint: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> Result<PooledClient> {
        tidy(&self.0);
        let key = (host.to_owned(), port, config.clone());
        let idle = {
            let mut pool = self.0.lock().expect("no thread panics while holding the lock");
            pool.get_mut(&key).and_then(Vec::pop)
        };
        let client = match idle {
            Some((client, _)) => client,
            None => {
                BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    config.use_tls,
                    customize_endpoint,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    config.initial_connection_window_size,
                    config.initial_stream_window_size,
                )
                .await?
            }
        };
        let pool = Arc::clone(&self.0);
        let give_back = move |client| {
            let mut pool = pool.lock().expect("no thread panics while holding the lock");
            pool.entry(key).or_default().push((client, Instant::now()));
        };
        Ok(PooledClient::new(client, Box::new(give_back)))
    }

    async fn evict_idle(&self) {
        tidy(&self.0);
    }
}
