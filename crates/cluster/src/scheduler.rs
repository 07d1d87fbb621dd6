//! The scheduler: takes jobs, and hands out their parts to executors.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;

use crate::place::PORT;
use crate::session::runtime;

/// How often it is looked for executors that are gone, in seconds.
const LOOK_EVERY_SECONDS: u64 = 2;

/// Seconds after which a job that was done is forgotten, and its answer removed. Whoever reads an answer has to have read it by then.
pub(crate) const RETENTION_SECONDS: u64 = 24 * 3600;

/// What the scheduler is told.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The address to listen at. Whoever reaches it may read and write whatever the executors may: no other network than one's own
    #[arg(long, default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The port to listen at
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Seconds without a word, 10 at the least, after which an executor counts as gone, and its work is given to others
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..))]
    executor_timeout: u64,
}

/// Runs it until it is told to end.
///
/// # Errors
/// Why it cannot run, in words.
pub fn run(options: &Options) -> Result<(), String> {
    let address = SocketAddr::new(options.bind, options.port);
    let config = SchedulerConfig {
        bind_host: options.bind.to_string(),
        bind_port: options.port,
        external_host: options.bind.to_string(),
        // Executors ask for work: only the scheduler and what executors serve to each other has to be reached.
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: LOOK_EVERY_SECONDS,
        no_executors_grace_period_seconds: options.executor_timeout,
        // Who asked has what was asked for removed at once; this is for who went away.
        finished_job_data_clean_up_interval_seconds: RETENTION_SECONDS,
        // Executors remove what belongs to jobs that are not known any more.
        finished_job_state_clean_up_interval_seconds: RETENTION_SECONDS,
        ..SchedulerConfig::default()
    };
    runtime().block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await;
        let cluster = cluster.map_err(|error| error.to_string())?;
        eprintln!("the scheduler listens at {address}");
        tokio::select! {
            served = start_server(cluster, address, Arc::new(config)) => {
                served.map_err(|error| format!("{address}: {error}"))
            }
            () = shutdown_requested() => Ok(()),
        }
    })
}

/// Waits for Ctrl-C, or for the system to end the process.
async fn shutdown_requested() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut end = signal(SignalKind::terminate()).expect("signals can be heard");
    tokio::select! {
        _ = end.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
