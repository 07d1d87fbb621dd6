//! `indistinct verify`.

use indistinct::text::describe_verification;
use indistinct::verify::ReleaseLocation;

use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Verify) -> Result<Verdict, Failure> {
    let observer = Terminal::new(global).that_only_reads(None);
    let found = ReleaseLocation::at(&options.directory, options.table.as_deref());
    let verified = found.verify(options.population.as_deref(), &observer)?;
    drop(observer);
    render::described(global, &verified, describe_verification);
    Ok(if verified.holds { Verdict::Done } else { Verdict::NotMet })
}
