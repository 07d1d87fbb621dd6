//! The `indistinct` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(indistinct_cli::main(std::env::args_os()))
}
