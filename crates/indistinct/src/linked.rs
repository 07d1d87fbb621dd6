//! Computes what an adversary learns by joining several releases about overlapping people; see
//! [`indistinct_release::linked`].

use std::path::{Path, PathBuf};

use indistinct_release::linked::{OpenedRelease, check_directories, view_of};
use rayon::prelude::*;

use crate::error::Error;
use crate::original::original as read_original;
use crate::session::Session;

pub use indistinct_release::forms::JointPromise;
pub use indistinct_release::linked::{
    Combinations, LinkAnswer, LinkProblem, LinkRequest, LinkedRelease, LinkedSensitive,
    NotUnderstood, OriginalOf, ReadBy, Remain, Who, Worst, WorstRelease, parse_minimum,
    parse_quasi_identifier,
};

/// Links release directories.
///
/// # Errors
/// [`Error`] if a directory or an original cannot be read, if these do not match, or if the
/// observer cancels.
pub fn link(
    session: &Session,
    directories: &[PathBuf],
    request: &LinkRequest,
) -> Result<LinkAnswer, Error> {
    session.run(|observer| {
        check_directories(directories)?;
        let kinds = session.methods().kinds();
        let read = |(release, directory): (usize, &PathBuf)| -> Result<OpenedRelease, Error> {
            let view = view_of(&kinds, directory, observer)?;
            let original = request.originals.iter().find(|it| it.release == release);
            let read = |data: &Path| read_original(session, &view, data.into(), None);
            let original = original.map(|it| read(&it.data)).transpose()?;
            Ok(OpenedRelease::new(view, original)?)
        };
        let read: Vec<Result<_, _>> = directories.par_iter().enumerate().map(read).collect();
        let read: Vec<OpenedRelease> = read.into_iter().collect::<Result<_, _>>()?;
        Ok(indistinct_release::linked::link(directories, &read, request, observer)?)
    })
}
