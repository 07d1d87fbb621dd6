//! An executor: reads tables, counts, joins, and writes released rows, as the scheduler tells it.

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

/// What the names of folders for intermediate results begin with.
const PREFIX: &str = "indistinct-executor-";

/// The ending of the file by which the folder of a process that lives is known.
const LOCK: &str = "lock";

/// Seconds that an executor waits for its scheduler to be there.
const WAIT_SECONDS: u16 = 60;

/// What an executor is told.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The scheduler, as HOST:PORT
    #[arg(long, default_value_t = format!("127.0.0.1:{PORT}"))]
    scheduler: String,
    /// The address to listen at. Whoever reaches it may read intermediate results: no other network than one's own
    #[arg(long, default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The name or address by which others reach this machine; `--bind` if left out
    #[arg(long)]
    host: Option<String>,
    /// The port to listen at: each executor of a machine has its own
    #[arg(long, default_value_t = 50051)]
    port: u16,
    /// Tasks at a time; all cores if left out
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cores: Option<u32>,
    /// Memory for all tasks together, such as 8G or 500M: beyond it they use the disk, or fail; 70 % of the machine's if left out
    #[arg(long, value_parser = bytes)]
    memory: Option<u64>,
    /// The folder for intermediate results, which hold values of the table: on a disk of this machine, for this user alone
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    work: PathBuf,
}

/// Runs it until it is told to end.
///
/// # Errors
/// Why it cannot run, in words.
pub fn run(options: &Options) -> Result<(), String> {
    let scheduler = options.scheduler.rsplit_once(':');
    let scheduler = scheduler.and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
    let Some((scheduler_host, scheduler_port)) = scheduler else {
        return Err(format!("'{}' is no HOST:PORT", options.scheduler));
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
        // None are all.
        vcores: options.cores.map_or(0, |n| n as usize),
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(work.folder.path().display().to_string()),
        // For who went away without a word; what is asked for is removed once it was read. The scheduler knows a job for as long.
        job_data_ttl_seconds: RETENTION_SECONDS,
        job_data_clean_up_interval_seconds: 60,
        memory_pool_size: options.memory,
        override_function_registry: Some(Arc::new(functions())),
        override_execution_engine: Some(Arc::new(Tasks { inner, jobs: jobs.clone() })),
        ..ExecutorProcessConfig::default()
    };
    eprintln!(
        "the executor listens at {}:{} for {}",
        options.bind, options.port, options.scheduler
    );
    let address = format!("http://{}", options.scheduler);
    let watching = runtime().spawn(jobs.watch(address, work.folder.path().to_owned()));
    let done = runtime().block_on(start_executor_process(Arc::new(config)));
    watching.abort();
    drop(work);
    done.map_err(|error| error.to_string())
}

/// The functions of a session: without being told, an executor lacks those on lists.
fn functions() -> BallistaFunctionRegistry {
    (&SessionStateBuilder::new().with_default_features().build()).into()
}

/// A folder of this process alone, removed at its end. What a process left that was killed, the next one here removes.
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
            let is_owned = name.starts_with(PREFIX) && lock.extension().is_some_and(|it| it == LOCK);
            // Another user's cannot be opened, and a living process holds its own.
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

/// Reads a number of bytes, with K, M, G or T behind it.
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
    // Nothing at all would be no limit.
    n.filter(|&n| n > 0).ok_or_else(|| "such as 8G or 500M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_unit() {
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("8GiB"), Ok(8 << 30));
        assert_eq!(bytes("1024"), Ok(1024));
        for wrong in ["", "0", "G", "-1", "8X", "99999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_a_living_ones_is_not() {
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
