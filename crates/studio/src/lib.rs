//! `indistinct studio`: a page on this machine where a steward decides about a release.
//!
//! A server on the loopback interface shows one policy and its table. Whatever is clicked ends in the policy file, by an edit that keeps its
//! comments, and every page names the command that does the same.
//!
//! The key decision: **the page decides nothing**. Questions go to the façade (`indistinct`), which the command line asks as well; an
//! answer becomes HTML, a form becomes an edit of the file. So a release made here has the bytes of one made there.
//!
//! - `place`: the folder below which files are read and written, and the databases that may be asked. `recent`: what was opened last.
//!   `guard`: who may ask at all.
//! - `document`: the edits of a policy. `history`: every text it ever had. `desk`: both together, and the file on disk.
//! - `work`: what takes long goes on in a thread of its own, with progress and a way to stop it.
//! - `pages`: one file a page, and `texts`, every sentence of them. `actions`: what a form does. `server`: addresses to both.

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

/// How the studio is started.
#[derive(Debug, Clone)]
pub struct Options {
    /// What questions are asked with. The studio caches answers.
    pub session: Session,
    /// Files are read and written below this folder alone.
    pub folder: PathBuf,
    /// A policy or a table to begin with.
    pub file: Option<PathBuf>,
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// After so long without a request, and nothing under way, it stops.
    pub idle: Duration,
    /// Where the policies that were opened last are remembered, by their paths; `None` remembers nothing.
    pub recent: Option<PathBuf>,
}

impl Options {
    /// On a free port of the loopback interface, for an hour without a request.
    pub fn new(folder: PathBuf) -> Self {
        let listen = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let (session, idle) = (Session::default(), Duration::from_secs(3600));
        Self { session, folder, file: None, listen, idle, recent: None }
    }
}

/// Why the studio cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudioError {
    /// An address that other machines reach.
    #[error("{address} can be reached from other machines, and the studio speaks plain HTTP")]
    NotLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be listened on, or no thread be started.
    #[error("nothing can listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The file to begin with, or the folder, is not to be used.
    #[error("{0}")]
    Folder(Refusal),
}

impl Coded for StudioError {
    fn code(&self) -> &'static str {
        // The command line lists it: a build without the studio answers with it, too.
        "E-USAGE-012"
    }

    fn help(&self) -> Option<String> {
        let what = match self {
            Self::NotLoopback { .. } => {
                "listen on 127.0.0.1, and from another machine come through `ssh -L PORT:127.0.0.1:PORT HOST`, which encrypts"
            }
            Self::Listen { .. } => "leave --listen out: then a free port is taken",
            Self::Folder(_) => {
                "start it in the folder that has the table and the policy, or name that folder with --folder"
            }
        };
        Some(what.to_owned())
    }
}
