//! The command `indistinct ledger`.

use indistinct::Session;
use indistinct::ledger::{
    AddOptions, CheckOptions, CheckedLinkage, DirectoryState, Finding, Record, State,
    VerifiedLedger,
};
use indistinct::linked::parse_minimum;
use indistinct::text::{describe_coarser, describe_effect, describe_repair};
use indistinct::{Error, words};

use super::{is_policy, open_job, warn_all};
use crate::Verdict;
use crate::answers::infeasible::print_infeasible;
use crate::answers::versions::print_series;
use crate::answers::written::{NewLedger, RemovedRelease};
use crate::args::{Format, Global, Ledger, LedgerCheck, LedgerRemove};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render::{self, Align};
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
                Format::Text => print_list(&listing.releases),
            }
            Ok(Verdict::Done)
        }
        Ledger::Verify(options) => {
            let verified = indistinct::ledger::verify(&options.ledger)?;
            warn_all(&verified.warnings);
            render::answer(global, &verified, print_verified);
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
    render::answer(global, &checked, print_checked);
    Ok(if checked.holds { Verdict::Done } else { Verdict::NotMet })
}

fn print_checked(checked: &CheckedLinkage) {
    if let Some(infeasible) = &checked.infeasible {
        return print_infeasible(infeasible);
    }
    let Some(effect) = &checked.effect else { return };
    say!(
        "{}",
        match (checked.holds, &effect.required) {
            (true, None) =>
                "Linked with the releases in the ledger. The policy requires no minimum after \
                 linkage.",
            (true, Some(_)) if effect.sensitive.iter().any(|it| !it.below_before.is_empty()) =>
                "Linkage of this release with the releases in the ledger brings no additional \
                 person below the required minimum. Some people were already below this minimum.",
            (true, Some(_)) =>
                "The required minimum is met even after linkage with the releases in the ledger.",
            (false, _) =>
                "After linkage with the releases in the ledger, the required minimum is not met.",
        }
    );
    if let Some(name) = &checked.recorded_as {
        render::sentence(
            "  ",
            &format!(
                "The release is recorded as '{name}', so it was compared only with the other \
                 releases in the ledger about the same population."
            ),
        );
    }
    render::section(describe_effect(effect));
    if let Some(versions) = &checked.versions {
        print_series(versions);
    }
    if let Some(coarser) = &checked.coarser {
        render::sentence("", &describe_coarser(coarser));
    }
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

fn print_list(releases: &[Record]) {
    if releases.is_empty() {
        say!("The ledger has no releases.");
        return;
    }
    let rows = releases
        .iter()
        .map(|record| {
            vec![
                record.name.clone(),
                record.added_at.clone(),
                match record.state {
                    State::Pending => "pending".to_owned(),
                    _ => "published".to_owned(),
                },
                record.population.clone().unwrap_or_else(|| "any".to_owned()),
                words::thousands(record.n_rows),
                words::thousands(record.n_classes),
                record.directory.display().to_string(),
            ]
        })
        .collect();
    let header = [
        ("release", Align::Text),
        ("recorded", Align::Text),
        ("state", Align::Text),
        ("population", Align::Text),
        ("rows", Align::Number),
        ("classes", Align::Number),
        ("directory", Align::Text),
    ];
    render::table(&header, rows);
}

fn print_verified(verified: &VerifiedLedger) {
    say!(
        "{}",
        if verified.holds {
            "The ledger is intact."
        } else {
            "Verification failed: the ledger is NOT intact."
        }
    );
    for text in verified.healed.iter().filter_map(describe_repair) {
        render::sentence("  healed  ", &format!("{text}."));
    }
    for finding in &verified.findings {
        render::sentence("  FAILS   ", &format!("{}.", finding_text(finding)));
    }
    for release in &verified.releases {
        let (lead, text) = match release.directory {
            DirectoryState::AsRecorded => ("  holds   ", "all files match the record".to_owned()),
            DirectoryState::NotThere => ("  -       ", "the directory does not exist".to_owned()),
            DirectoryState::Replaced => {
                ("  -       ", "the directory contains another recorded release".to_owned())
            }
            DirectoryState::Pending => {
                ("  -       ", "another process is writing the release".to_owned())
            }
            DirectoryState::Changed => (
                "  FAILS   ",
                format!(
                    "{} changed or missing",
                    words::counted(release.n_files_changed, "file is", "files are")
                ),
            ),
        };
        render::sentence(lead, &format!("{}: {text}.", release.name));
    }
    say!();
    render::sentence(
        "",
        &format!(
            "{} recorded; {} in the chain, which ends with {}. Anyone with write access to the \
             file can replace the whole chain; to detect this, record the end of the chain \
             elsewhere.",
            words::counted(verified.n_releases, "release is", "releases are"),
            words::counted(verified.n_events, "event", "events"),
            verified.head
        ),
    );
}

fn finding_text(finding: &Finding) -> String {
    match finding {
        Finding::ChainBroken { event } => {
            format!("event {event} does not match its predecessor: an event was changed or removed")
        }
        Finding::ChainCut => "the last events are missing".to_owned(),
        Finding::RecordChanged { name } => format!("the record of '{name}' was changed"),
        Finding::Unreadable { name } => format!("the record of '{name}' is unreadable"),
        Finding::RecordAdded { name } => {
            format!("'{name}' is recorded without a corresponding event")
        }
        Finding::RecordMissing { name } => {
            format!("'{name}' is missing without a corresponding event")
        }
        Finding::StateChanged { name } => {
            format!("the state of '{name}' differs from the state in the events")
        }
        Finding::PeopleChanged { name } => {
            format!("the recorded people of '{name}' were changed")
        }
        Finding::PeopleWithoutRelease { n_people } => {
            format!(
                "{} recorded for missing releases",
                words::counted(*n_people, "person is", "people are")
            )
        }
        other => format!("{other:?}"),
    }
}
