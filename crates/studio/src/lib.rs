//! `indistinct studio`: a local web application for preparing a release.
//!
//! A server on the loopback interface displays one policy and its table. Every action edits the
//! policy file and preserves its comments, and every page shows the equivalent command.
//!
//! The key decision: **pages make no decisions**. The studio calls the façade (`indistinct`), like
//! the command line does. Answers become HTML, and forms become edits of the policy file. The
//! studio and the command line therefore write identical bytes for a release.
//!
//! - `place` accesses databases and the files of the workspace folder, `recent` stores recently
//!   opened policies, and `guard` controls access.
//! - `document` edits a policy, `history` stores its versions, and `desk` synchronizes the open
//!   policy with the file on disk.
//! - `work` runs long computations in separate threads, with progress and cancellation.
//! - `pages` contains one file per page, `texts` all sentences of the pages, `actions` the action
//!   of each form, and `server` the routes.

#![deny(missing_docs)]

mod actions;
mod desk;
mod document;
mod fields;
mod guard;
mod hierarchy_text;
mod history;
mod pages;
mod place;
mod recent;
mod server;
mod studio;
mod texts;
mod work;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use indistinct::{Coded, Session};

pub use place::Refusal;
pub use server::{router, serve};
pub use studio::Studio;

/// Options for starting the studio.
#[derive(Debug, Clone)]
pub struct Options {
    /// The session for all computations. The studio enables the cache of this session.
    pub session: Session,
    /// The workspace folder, which contains all files that the studio may read or write.
    pub folder: PathBuf,
    /// The policy or table to open first.
    pub file: Option<PathBuf>,
    /// The address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// The idle time, without requests or computations, after which the studio exits.
    pub idle: Duration,
    /// The file that stores the paths of recently opened policies; `None` to store no paths.
    pub recent: Option<PathBuf>,
}

impl Options {
    /// Creates options with a free port of the loopback interface and an idle timeout of one hour.
    pub fn new(folder: PathBuf) -> Self {
        let listen = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let (session, idle) = (Session::default(), Duration::from_secs(3600));
        Self { session, folder, file: None, listen, idle, recent: None }
    }
}

/// A reason why the studio cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudioError {
    /// The listening address is reachable from other machines.
    #[error(
        "{address} is reachable from other machines, but the studio does not encrypt its \
         connections"
    )]
    NotLoopback {
        /// The rejected address.
        address: SocketAddr,
    },
    /// The server cannot listen on the address, or cannot start a thread.
    #[error("the studio cannot listen on {address}: {error}")]
    Listen {
        /// The address to listen on.
        address: SocketAddr,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The initial file or the workspace folder cannot be used.
    #[error("{0}")]
    Folder(Refusal),
}

impl Coded for StudioError {
    fn code(&self) -> &'static str {
        // The command line also returns this code if the build does not include the studio.
        "E-USAGE-012"
    }

    fn help(&self) -> Option<String> {
        let what = match self {
            Self::NotLoopback { .. } => {
                "listen on 127.0.0.1, and use `ssh -L PORT:127.0.0.1:PORT HOST` for encrypted \
                 connections from other machines"
            }
            Self::Listen { .. } => "omit --listen to use a free port",
            Self::Folder(_) => {
                "start the studio in the folder with the table and the policy, or specify this \
                 folder with --folder"
            }
        };
        Some(what.to_owned())
    }
}
