//! What an adversary learns who joins several releases of overlapping people: see [`indistinct_release::linked`].

use std::path::{Path, PathBuf};

use indistinct_core::Observer;
use indistinct_methods::Registry;
use indistinct_release::linked::{OpenedRelease, check_directories, view_of};
use rayon::prelude::*;

use crate::error::Error;
use crate::original::original as read_original;

pub use indistinct_release::forms::JointPromise;
pub use indistinct_release::linked::{
    Combinations, LinkAnswer, LinkProblem, LinkRequest, LinkedRelease, LinkedSensitive,
    NotUnderstood, OriginalOf, ReadBy, Remain, Who, Worst, WorstRelease, parse_minimum,
};

/// Links release directories.
///
/// # Errors
/// [`Error`] if a directory or original cannot be read, they do not go together, or the observer cancels.
pub fn link(
    directories: &[PathBuf],
    request: &LinkRequest,
    observer: &dyn Observer,
) -> Result<LinkAnswer, Error> {
    link_with(&Registry::standard(), directories, request, observer)
}

/// The same where the policies may name other methods than those of Indistinct.
///
/// # Errors
/// As [`link`].
pub fn link_with(
    methods: &Registry,
    directories: &[PathBuf],
    request: &LinkRequest,
    observer: &dyn Observer,
) -> Result<LinkAnswer, Error> {
    check_directories(directories)?;
    let kinds = methods.kinds();
    let read = |(release, directory): (usize, &PathBuf)| -> Result<OpenedRelease, Error> {
        let view = view_of(&kinds, directory, observer)?;
        let original = request.originals.iter().find(|it| it.release == release);
        let read = |data: &Path| read_original(methods, &view, data.into(), None, observer);
        let original = original.map(|it| read(&it.data)).transpose()?;
        Ok(OpenedRelease::new(view, original)?)
    };
    let read: Vec<Result<_, _>> = directories.par_iter().enumerate().map(read).collect();
    let read: Vec<OpenedRelease> = read.into_iter().collect::<Result<_, _>>()?;
    Ok(indistinct_release::linked::link(directories, &read, request, observer)?)
}
