//! The scheduler, which accepts jobs and assigns their tasks to executors.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;

use crate::place::PORT;
use crate::session::runtime;

/// The interval between checks for lost executors, in seconds.
const LOOK_EVERY_SECONDS: u64 = 2;

/// The number of seconds after which the scheduler discards a finished job and its result. Clients
/// must read the result before.
pub(crate) const RETENTION_SECONDS: u64 = 24 * 3600;

/// The command-line options of a scheduler.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The address to listen on; restrict access to a trusted network, because clients can read and
    /// write all files that executors can access
    #[arg(long, default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The port to listen on
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// The number of seconds without a heartbeat, at least 10, after which an executor is
    /// considered lost and its tasks are reassigned
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..))]
    executor_timeout: u64,
}

/// Runs the scheduler until a termination request.
///
/// # Errors
/// Returns an error message if the scheduler cannot run.
pub fn run(options: &Options) -> Result<(), String> {
    let address = SocketAddr::new(options.bind, options.port);
    let config = SchedulerConfig {
        bind_host: options.bind.to_string(),
        bind_port: options.port,
        external_host: options.bind.to_string(),
        // Executors poll for tasks. Only the scheduler and the data ports of the executors must be
        // reachable.
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: LOOK_EVERY_SECONDS,
        no_executors_grace_period_seconds: options.executor_timeout,
        // Clients normally remove their results immediately; this timeout applies to clients that
        // disconnected early.
        finished_job_data_clean_up_interval_seconds: RETENTION_SECONDS,
        // Executors remove the data of jobs that no longer exist on the scheduler.
        finished_job_state_clean_up_interval_seconds: RETENTION_SECONDS,
        ..SchedulerConfig::default()
    };
    runtime().block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await;
        let cluster = cluster.map_err(|error| error.to_string())?;
        eprintln!("scheduler listening on {address}");
        tokio::select! {
            served = start_server(cluster, address, Arc::new(config)) => {
                served.map_err(|error| format!("{address}: {error}"))
            }
            () = shutdown_requested() => Ok(()),
        }
    })
}

/// Waits for Ctrl-C or a termination signal.
async fn shutdown_requested() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut end = signal(SignalKind::terminate()).expect("a signal handler can be installed");
    tokio::select! {
        _ = end.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
