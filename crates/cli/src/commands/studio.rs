//! The command `indistinct studio`.

use indistinct::Session;

use crate::Verdict;
use crate::args::Studio;
use crate::failure::{Failure, UsageError};

/// Serves the studio until no request arrives within the timeout.
#[cfg(feature = "studio")]
pub fn run(session: &Session, options: &Studio) -> Result<Verdict, Failure> {
    use std::io::{BufRead, IsTerminal};
    use std::time::Duration;

    use indistinct::Coded;

    use crate::out;

    let default = indistinct_studio::Options::new(folder(options)?);
    let studio_options = indistinct_studio::Options {
        session: session.clone(),
        file: options.file.clone(),
        listen: options.listen.unwrap_or(default.listen),
        idle: options.idle.map_or(default.idle, |minutes| Duration::from_secs(minutes * 60)),
        recent: state_folder().map(|folder| folder.join("indistinct").join("studio-recent.json")),
        ..default
    };
    let announce = |address: &str, studio: &std::sync::Arc<indistinct_studio::Studio>| {
        out::now(&format!("Indistinct studio: {address}"));
        let is_terminal = std::io::stdin().is_terminal();
        if is_terminal {
            out::error(
                "The address is valid for only one session. Press Enter for a new address, or \
                 Ctrl-C to stop the studio.",
            );
        }
        if !options.no_browser && is_terminal {
            open_browser(address);
        }
        let (studio, base) = (
            std::sync::Arc::clone(studio),
            address.split("/?").next().unwrap_or_default().to_owned(),
        );
        // Prints a new address when the user presses Enter. The main thread does not wait for this
        // thread.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                if line.is_err() {
                    break;
                }
                out::now(&format!("Indistinct studio: {base}{}", studio.entrance()));
            }
        });
    };
    match indistinct_studio::serve(&studio_options, announce) {
        Ok(()) => {
            out::error("The studio has stopped because it received no request for a long time.");
            Ok(Verdict::Done)
        }
        Err(error) => {
            let help = error.help().unwrap_or_default();
            Err(UsageError::Studio { message: error.to_string(), help }.into())
        }
    }
}

/// Returns the folder to serve: the current folder, unless the file is outside of it.
#[cfg(feature = "studio")]
fn folder(options: &Studio) -> Result<std::path::PathBuf, Failure> {
    if let Some(folder) = &options.folder {
        return Ok(folder.clone());
    }
    let real = |path: &std::path::Path| path.canonicalize().ok();
    let current = std::env::current_dir().ok().and_then(|it| real(&it));
    let Some(file) = options.file.as_deref().and_then(real) else {
        return Ok(current.unwrap_or_default());
    };
    match current {
        Some(current) if file.starts_with(&current) => Ok(current),
        _ => Ok(file.parent().map(std::path::Path::to_owned).unwrap_or_default()),
    }
}

/// Returns the folder in which applications store the persistent state of the current user.
#[cfg(feature = "studio")]
fn state_folder() -> Option<std::path::PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).map(std::path::PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        _ => folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state"))),
    }
}

/// Opens an address in the browser. Errors are ignored, because the address is also printed.
#[cfg(feature = "studio")]
fn open_browser(address: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let _ = std::process::Command::new(program)
        .args(first)
        .arg(address)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}

/// Returns an error that explains how to build the studio.
#[cfg(not(feature = "studio"))]
pub fn run(_: &Session, _: &Studio) -> Result<Verdict, Failure> {
    let message = "this build was compiled without the studio".to_owned();
    let help =
        "enable the feature: cargo run --release --features studio -- studio FILE".to_owned();
    Err(UsageError::Studio { message, help }.into())
}
