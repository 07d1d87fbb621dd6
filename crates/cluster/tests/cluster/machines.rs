//! The processes of a test cluster.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::address::Address;

/// The maximum duration of any operation.
pub const WITHIN: Duration = Duration::from_secs(120);

/// A scheduler and two executors.
pub struct Machines {
    pub scheduler: String,
    processes: Vec<Option<Child>>,
    work: tempfile::TempDir,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its address").port()
}

/// Starts a scheduler, waits until it listens, and returns its address.
fn scheduler() -> (Child, String) {
    let port = free_port().to_string();
    let mut command = program();
    command.args(["scheduler", "--executor-timeout", "20", "--port", &port]);
    let process = command.stderr(Stdio::null()).spawn().expect("it starts");
    let address = format!("127.0.0.1:{port}");
    let until = Instant::now() + WITHIN;
    while TcpStream::connect(&address).is_err() {
        assert!(Instant::now() < until, "the scheduler does not accept connections");
        std::thread::sleep(Duration::from_millis(50));
    }
    (process, address)
}

/// The program under test, without arguments.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_indistinct-cluster"))
}

impl Machines {
    pub fn start() -> Self {
        let (process, scheduler) = scheduler();
        Self::over(process, scheduler)
    }

    /// Starts two schedulers, and executors that use the first one through a proxy address, which
    /// can be redirected to the second one.
    pub fn with_two_schedulers() -> (Self, Address, String) {
        let ((process, first), (second_process, second)) = (scheduler(), scheduler());
        let address = Address::leading_to(&first);
        let mut this = Self::over(process, address.name.clone());
        this.processes.push(Some(second_process));
        (this, address, second)
    }

    fn over(process: Child, scheduler: String) -> Self {
        let work = tempfile::tempdir().expect("a folder");
        let mut this = Self { scheduler, processes: vec![Some(process)], work };
        for n in [1, 2] {
            this.processes.push(None);
            this.start_executor(n);
        }
        this
    }

    /// The folder for the intermediate results of an executor.
    pub fn work(&self, executor: usize) -> PathBuf {
        self.work.path().join(executor.to_string())
    }

    pub fn start_executor(&mut self, executor: usize) {
        let work = self.work(executor);
        std::fs::create_dir_all(&work).expect("made");
        let mut command = program();
        command.args([
            "executor",
            "--cores",
            "1",
            "--memory",
            "1G",
            "--scheduler",
            &self.scheduler,
        ]);
        command.args(["--port", &free_port().to_string()]).arg("--work").arg(work);
        let process = command.stderr(Stdio::null()).spawn().expect("it starts");
        self.processes[executor] = Some(process);
    }

    /// Kills an executor, or the scheduler (0), without an opportunity to clean up.
    pub fn kill(&mut self, which: usize) {
        let mut process = self.processes[which].take().expect("it runs");
        process.kill().expect("killed");
        process.wait().expect("waited for");
    }

    /// Asks an executor to exit.
    pub fn end(&mut self, executor: usize) {
        let mut process = self.processes[executor].take().expect("it runs");
        let reported = Command::new("kill").arg(process.id().to_string()).status().expect("told");
        assert!(reported.success());
        let until = Instant::now() + WITHIN;
        while process.try_wait().expect("known").is_none() {
            assert!(Instant::now() < until, "the process did not exit");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until no intermediate results remain.
    pub fn is_clean(&self, executor: usize) -> bool {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let left = files_below(&self.work(executor));
            if left.iter().all(|path| path.extension().is_some_and(|it| it == "lock")) {
                return true;
            }
            if Instant::now() > until {
                eprintln!("left: {left:?}");
                return false;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for process in self.processes.iter_mut().flatten() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// All files below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().is_ok_and(|it| it.is_dir()) {
            true => files.extend(files_below(&entry.path())),
            false => files.push(entry.path()),
        }
    }
    files
}
