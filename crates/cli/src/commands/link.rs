//! The command `indistinct link`.

use std::collections::BTreeMap;

use indistinct::linked::{LinkRequest, OriginalOf, link, parse_minimum, parse_quasi_identifier};
use indistinct::text::describe_link;
use indistinct::{Error, Session};

use crate::Verdict;
use crate::args::{Global, Link};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Link) -> Result<Verdict, Failure> {
    let minimum = options.minimum.as_deref().map(parse_minimum).transpose();
    let originals = OriginalOf::of_texts(&options.originals, &options.directories);
    let person: Result<BTreeMap<_, _>, _> =
        options.person.iter().map(|text| parse_quasi_identifier(text)).collect();
    let request = LinkRequest {
        person: Some(person.map_err(Error::from)?).filter(|person| !person.is_empty()),
        originals: originals.map_err(Error::from)?,
        sensitive: options.sensitive.clone(),
        minimum: minimum.map_err(Error::from)?,
        n_worst: options.worst,
        values: global.values(),
    };
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let linked = link(&session, &options.directories, &request)?;
    terminal.end();
    render::described(global, &linked, describe_link);
    Ok(if linked.holds { Verdict::Done } else { Verdict::NotMet })
}
