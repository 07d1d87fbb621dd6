//! The program `indistinct-cluster`: a scheduler, an executor, and all commands of `indistinct`
//! with support for tables on the cluster.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use indistinct_cluster::{Cluster, executor, scheduler};

/// Publishes tables about people under stated privacy principles, on a dedicated cluster
#[derive(Parser)]
#[command(
    name = "indistinct-cluster",
    version,
    after_help = "All commands of indistinct are also available, for example \
                  `indistinct-cluster anonymize --help`. Tables on the cluster have addresses \
                  such as ballista://HOST:50050/FOLDER; see docs/cluster.md."
)]
enum Typed {
    /// Run the scheduler, which assigns tasks to executors
    Scheduler(scheduler::Options),
    /// Run an executor, which processes tasks
    Executor(executor::Options),
}

fn main() -> ExitCode {
    let typed: Vec<_> = std::env::args_os().collect();
    let is_owned = typed.get(1).and_then(|word| word.to_str()).is_none_or(|word| {
        ["scheduler", "executor", "help", "-h", "--help", "-V", "--version"].contains(&word)
    });
    if !is_owned {
        let code = indistinct_cli::main_with(|files| Arc::new(Cluster::over(files)), typed);
        return ExitCode::from(code);
    }
    let done = match Typed::parse_from(typed) {
        Typed::Scheduler(options) => scheduler::run(&options),
        Typed::Executor(options) => executor::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
