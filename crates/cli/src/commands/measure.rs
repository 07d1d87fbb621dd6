//! The command `indistinct measure`.

use indistinct::Session;
use indistinct::measure::{self, Options};

use crate::Verdict;
use crate::args::{Global, Measure};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Measure) -> Result<Verdict, Failure> {
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let request = Options {
        n_queries: options.queries,
        dimension: options.dimension,
        volume: options.volume,
        seed: options.seed,
        target: options.target.clone(),
        sampling_fraction: options.sampling_fraction,
        excess: options.excess.clone(),
    };
    let policy = options.policy.as_deref();
    let measured =
        measure::measure(&session, &options.directory, &options.original, policy, &request)?;
    terminal.end();
    render::described(global, &measured, indistinct::text::describe_measurement);
    Ok(Verdict::Done)
}
