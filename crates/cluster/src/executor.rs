//! An executor, which reads tables, counts and joins rows, and writes released rows for the
//! scheduler.

use std::fs::{self, File, TryLockError};
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::execution_engine::DefaultExecutionEngine;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::execution::session_state::SessionStateBuilder;
use tempfile::TempDir;

use crate::connections::Connections;
use crate::place::PORT;
use crate::scheduler::RETENTION_SECONDS;
use crate::session::runtime;
use crate::tasks::{Jobs, Tasks};

/// The name prefix of folders for intermediate results.
const PREFIX: &str = "indistinct-executor-";

/// The extension of lock files, which mark the folders of running processes.
const LOCK: &str = "lock";

/// The number of seconds that an executor waits for its scheduler to become available.
const WAIT_SECONDS: u16 = 60;

/// The command-line options of an executor.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The scheduler, as HOST:PORT
    #[arg(long, default_value_t = format!("127.0.0.1:{PORT}"))]
    scheduler: String,
    /// The address to listen on; restrict access to a trusted network, because clients can read
    /// intermediate results
    #[arg(long, default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The host name or address of this machine for other machines; `--bind` by default
    #[arg(long)]
    host: Option<String>,
    /// The port to listen on, distinct for each executor of a machine
    #[arg(long, default_value_t = 50051)]
    port: u16,
    /// The number of concurrent tasks; all cores by default
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cores: Option<u32>,
    /// The memory for all tasks, such as 8G or 500M; tasks that need more use the disk or fail; 70
    /// % of the machine's memory by default
    #[arg(long, value_parser = bytes)]
    memory: Option<u64>,
    /// The folder for intermediate results, which contain values from the table; use a local disk
    /// and a folder that is accessible only to this user
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    work: PathBuf,
}

/// Runs the executor until a termination request.
///
/// # Errors
/// Returns an error message if the executor cannot run.
pub fn run(options: &Options) -> Result<(), String> {
    let scheduler = options.scheduler.rsplit_once(':');
    let scheduler = scheduler.and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
    let Some((scheduler_host, scheduler_port)) = scheduler else {
        return Err(format!("'{}' is not of the form HOST:PORT", options.scheduler));
    };
    let work = Work::new(&options.work)
        .map_err(|error| format!("'{}': {error}", options.work.display()))?;
    let inner = DefaultExecutionEngine::with_client_pool(Arc::new(Connections::default()));
    let jobs = Jobs::default();
    let config = ExecutorProcessConfig {
        bind_host: options.bind.to_string(),
        external_host: Some(options.host.clone().unwrap_or_else(|| options.bind.to_string())),
        port: options.port,
        scheduler_host: scheduler_host.to_owned(),
        scheduler_port,
        scheduler_connect_timeout_seconds: WAIT_SECONDS,
        // Zero selects all cores.
        vcores: options.cores.map_or(0, |n| n as usize),
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(work.folder.path().display().to_string()),
        // Clients normally remove their results. This timeout removes the results of clients that
        // disconnected early, at the same time as the scheduler discards the job.
        job_data_ttl_seconds: RETENTION_SECONDS,
        job_data_clean_up_interval_seconds: 60,
        memory_pool_size: options.memory,
        override_function_registry: Some(Arc::new(functions())),
        override_execution_engine: Some(Arc::new(Tasks { inner, jobs: jobs.clone() })),
        ..ExecutorProcessConfig::default()
    };
    eprintln!(
        "executor listening on {}:{} for the scheduler {}",
        options.bind, options.port, options.scheduler
    );
    let address = format!("http://{}", options.scheduler);
    let watching = runtime().spawn(jobs.watch(address, work.folder.path().to_owned()));
    let done = runtime().block_on(start_executor_process(Arc::new(config)));
    watching.abort();
    drop(work);
    done.map_err(|error| error.to_string())
}

/// Returns the functions of a session. By default, executors lack the functions for lists.
fn functions() -> BallistaFunctionRegistry {
    (&SessionStateBuilder::new().with_default_features().build()).into()
}

/// A folder of this process, removed on exit. The next process on the machine removes folders of
/// killed processes.
struct Work {
    folder: TempDir,
    lock: PathBuf,
    _held: File,
}

impl Work {
    fn new(below: &Path) -> io::Result<Self> {
        for entry in fs::read_dir(below)? {
            let lock = entry?.path();
            let name = lock.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_owned =
                name.starts_with(PREFIX) && lock.extension().is_some_and(|it| it == LOCK);
            // Folders of other users cannot be opened, and a running process holds the lock of its
            // folder.
            let held = is_owned.then(|| File::open(&lock).ok()).flatten();
            if held.is_some_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(lock.with_extension(""));
                let _ = fs::remove_file(&lock);
            }
        }
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(below)?;
        let lock = folder.path().with_extension(LOCK);
        let held = File::create_new(&lock)?;
        held.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => io::ErrorKind::ResourceBusy.into(),
        })?;
        Ok(Self { folder, lock, _held: held })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.folder.path());
        let _ = fs::remove_file(&self.lock);
    }
}

/// Parses a number of bytes with an optional suffix K, M, G, or T.
fn bytes(text: &str) -> Result<u64, String> {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(at);
    let power = match unit
        .trim()
        .trim_end_matches(['B', 'b'])
        .trim_end_matches('i')
        .to_ascii_uppercase()
        .as_str()
    {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let n = digits.parse::<u64>().ok().zip(power).and_then(|(n, power)| n.checked_mul(1 << power));
    // A limit of 0 would disable the limit.
    n.filter(|&n| n > 0)
        .ok_or_else(|| "expected a positive number of bytes, such as 8G or 500M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_sizes_are_parsed_with_units() {
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("8GiB"), Ok(8 << 30));
        assert_eq!(bytes("1024"), Ok(1024));
        for wrong in ["", "0", "G", "-1", "8X", "99999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let below = tempfile::tempdir().expect("a folder");
        let living = Work::new(below.path()).expect("a folder");
        let left = below.path().join("indistinct-executor-abc");
        fs::create_dir(&left).expect("made");
        fs::write(left.join("shuffle"), "values").expect("written");
        fs::write(left.with_extension(LOCK), "").expect("written");
        let next = Work::new(below.path()).expect("a folder");
        assert!(!left.exists() && living.folder.path().exists());
        drop((living, next));
        assert_eq!(fs::read_dir(below.path()).expect("a folder").count(), 0);
    }
}
