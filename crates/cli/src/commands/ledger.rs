//! The command `indistinct ledger`.

use indistinct::Session;
use indistinct::ledger::{AddOptions, CheckOptions};
use indistinct::linked::parse_minimum;
use indistinct::text::{describe_checked_linkage, describe_records, describe_verified_ledger};
use indistinct::{Error, words};

use super::{is_policy, open_job, warn_all};
use crate::Verdict;
use crate::answers::written::{NewLedger, RemovedRelease};
use crate::args::{Format, Global, Ledger, LedgerCheck, LedgerRemove};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render;
use crate::say;

pub fn run(global: &Global, session: &Session, command: &Ledger) -> Result<Verdict, Failure> {
    match command {
        Ledger::Init(options) => {
            match &options.key {
                Some(key) => indistinct::invariant::init(&options.ledger, key)?,
                None => indistinct::ledger::init(&options.ledger)?,
            }
            match (global.format, &options.key) {
                (Format::Json, key) => {
                    render::json(&NewLedger { ledger: &options.ledger, key: key.as_deref() });
                }
                (Format::Text, key) => {
                    say!(
                        "Created an empty ledger in {}, which only you can read. Use it with \
                         `anonymize --ledger`.",
                        options.ledger.display()
                    );
                    if let Some(key) = key {
                        say!(
                            "Created the key for recognizing people in {}. Keep a copy of the key, \
                             but do not store it with the ledger: together, they identify people. \
                             Without the key, no further versions are possible.",
                            key.display()
                        );
                    }
                }
            }
            Ok(Verdict::Done)
        }
        Ledger::Add(options) => {
            let (terminal, session) = Terminal::new(global).observe(session);
            let adding =
                AddOptions { name: options.name.clone(), population: options.population.clone() };
            let record =
                indistinct::ledger::add(&session, &options.ledger, &options.directory, &adding)?;
            terminal.end();
            match global.format {
                Format::Json => render::json(&record),
                Format::Text => say!(
                    "Recorded as '{}': {} in {}.",
                    record.name,
                    words::rows(record.n_rows),
                    words::classes(record.n_classes)
                ),
            }
            Ok(Verdict::Done)
        }
        Ledger::Check(options) => check(global, session, options),
        Ledger::List(options) => {
            let listing = indistinct::ledger::list(&options.ledger)?;
            warn_all(&listing.warnings);
            match global.format {
                Format::Json => render::json(&listing),
                Format::Text => render::document(&describe_records(&listing.releases)),
            }
            Ok(Verdict::Done)
        }
        Ledger::Verify(options) => {
            let verified = indistinct::ledger::verify(&options.ledger)?;
            warn_all(&verified.warnings);
            render::described(global, &verified, describe_verified_ledger);
            Ok(if verified.holds { Verdict::Done } else { Verdict::NotMet })
        }
        Ledger::Remove(options) => remove(global, options),
    }
}

fn check(global: &Global, session: &Session, options: &LedgerCheck) -> Result<Verdict, Failure> {
    let minimum = options.minimum.as_deref().map(parse_minimum).transpose();
    let checking = CheckOptions {
        minimum: minimum.map_err(Error::from)?,
        original: options.original.clone(),
        population: options.population.clone(),
    };
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let (ledger, what) = (&options.ledger, &options.release_or_policy);
    let checked = match is_policy(what) {
        true => {
            let job = open_job(global, &session, what, options.original.as_deref())?;
            indistinct::ledger::check_policy(ledger, &job, &checking)?
        }
        false => indistinct::ledger::check_release(&session, ledger, what, &checking)?,
    };
    terminal.end();
    render::described(global, &checked, describe_checked_linkage);
    Ok(if checked.holds { Verdict::Done } else { Verdict::NotMet })
}

fn remove(global: &Global, options: &LedgerRemove) -> Result<Verdict, Failure> {
    if !options.yes {
        return Err(UsageError::NotConfirmed(options.name.clone()).into());
    }
    let removed = indistinct::ledger::remove(&options.ledger, &options.name, &options.reason)?;
    match global.format {
        Format::Json => {
            render::json(&RemovedRelease { removed: &removed, reason: &options.reason });
        }
        Format::Text => {
            say!("Removed '{}'. The ledger records the removal and its reason.", removed.name)
        }
    }
    Ok(Verdict::Done)
}
