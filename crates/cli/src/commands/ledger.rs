//! `indistinct ledger`.

use indistinct::ledger::{
    Adding, CheckedLinkage, Checking, Coarser, Effect, Finding, Healed, Linkage, Record, Refusal,
    SecretEffect, State, VerifiedLedger, Whereabouts,
};
use indistinct::words;
use serde_json::json;

use super::{anonymize, is_policy, open_job, versions, warn_all};
use crate::Verdict;
use crate::args::{Format, Global, Ledger, LedgerCheck, LedgerRemove};
use crate::failure::{Failure, usage};
use crate::progress::Terminal;
use crate::render::{self, Align};

pub fn run(global: &Global, command: &Ledger) -> Result<Verdict, Failure> {
    match command {
        Ledger::Init(options) => {
            match &options.key {
                Some(key) => indistinct::invariant::init(&options.ledger, key)?,
                None => indistinct::ledger::init(&options.ledger)?,
            }
            match (global.format, &options.key) {
                (Format::Json, None) => render::json(&json!({ "ledger": options.ledger })),
                (Format::Json, Some(key)) => {
                    render::json(&json!({ "ledger": options.ledger, "key": key }));
                }
                (Format::Text, key) => {
                    println!(
                        "An empty ledger is in {}; only you can read it. Name it with anonymize --ledger.",
                        options.ledger.display()
                    );
                    if let Some(key) = key {
                        println!(
                            "The key under which it knows people is in {}. Keep a copy, and not beside the ledger: whoever has both can \
                             find people in it, and without the key no version can follow.",
                            key.display()
                        );
                    }
                }
            }
            Ok(Verdict::Done)
        }
        Ledger::Add(options) => {
            let observer = Terminal::new(global);
            let adding =
                Adding { name: options.name.clone(), population: options.population.clone() };
            let record =
                indistinct::ledger::add(&options.ledger, &options.directory, &adding, &observer)?;
            drop(observer);
            match global.format {
                Format::Json => render::json(&record),
                Format::Text => println!(
                    "Recorded as '{}': {} in {}.",
                    record.name,
                    words::rows(record.n_rows),
                    words::classes(record.n_classes)
                ),
            }
            Ok(Verdict::Done)
        }
        Ledger::Check(options) => check(global, options),
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
            match global.format {
                Format::Json => render::json(&verified),
                Format::Text => print_verified(&verified),
            }
            Ok(if verified.holds { Verdict::Done } else { Verdict::NotMet })
        }
        Ledger::Remove(options) => remove(global, options),
    }
}

fn check(global: &Global, options: &LedgerCheck) -> Result<Verdict, Failure> {
    let checking = Checking {
        minimum: options.minimum.as_deref().map(str::parse).transpose()?,
        original: options.original.clone(),
        population: options.population.clone(),
    };
    let observer = Terminal::new(global);
    let (ledger, what) = (&options.ledger, &options.release_or_policy);
    let checked = match is_policy(what) {
        true => {
            let job = open_job(global, what, options.original.as_deref())?;
            indistinct::ledger::check_policy(ledger, &job, &checking, &observer)?
        }
        false => indistinct::ledger::check_release(ledger, what, &checking, &observer)?,
    };
    drop(observer);
    match global.format {
        Format::Json => render::json(&checked),
        Format::Text => print_checked(&checked),
    }
    Ok(if checked.holds { Verdict::Done } else { Verdict::NotMet })
}

fn print_checked(checked: &CheckedLinkage) {
    if let Some(infeasible) = &checked.infeasible {
        return anonymize::print_infeasible(infeasible);
    }
    let Some(effect) = &checked.effect else { return };
    println!(
        "{}",
        match (checked.holds, &effect.required) {
            (true, None) => "Linked with the releases in the ledger; nothing was required.",
            (true, Some(_)) => "Linked with the releases in the ledger, enough remains.",
            (false, _) => "Linked with the releases in the ledger, too little remains.",
        }
    );
    if let Some(name) = &checked.recorded_as {
        render::sentence(
            "  ",
            &format!("The ledger has it as '{name}'; it was linked with the others."),
        );
    }
    print_effect(effect);
    if let Some(versions) = &checked.versions {
        versions::print_series(versions);
    }
    if let Some(coarser) = &checked.coarser {
        print_coarser(coarser);
    }
}

fn remove(global: &Global, options: &LedgerRemove) -> Result<Verdict, Failure> {
    if !options.yes {
        return Err(Failure::Usage {
            code: usage::NOT_CONFIRMED.code,
            message: format!(
                "removing '{}' makes every later check blind to it, and whoever has the release keeps it",
                options.name
            ),
            help: "if nobody ever got it, confirm with --yes".to_owned(),
        });
    }
    let removed = indistinct::ledger::remove(&options.ledger, &options.name, &options.reason)?;
    match global.format {
        Format::Json => render::json(&json!({ "removed": removed, "reason": options.reason })),
        Format::Text => println!(
            "'{}' is no longer in the ledger; that it was, and why it was removed, is.",
            removed.name
        ),
    }
    Ok(Verdict::Done)
}

fn print_list(releases: &[Record]) {
    if releases.is_empty() {
        println!("The ledger has no releases.");
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
                record.population.clone().unwrap_or_else(|| "anybody".to_owned()),
                words::thousands(record.n_rows),
                words::thousands(record.n_classes),
                record.directory.display().to_string(),
            ]
        })
        .collect();
    let header = [
        ("release", Align::Left),
        ("recorded", Align::Left),
        ("state", Align::Left),
        ("population", Align::Left),
        ("rows", Align::Right),
        ("classes", Align::Right),
        ("directory", Align::Left),
    ];
    render::table(&header, rows);
}

fn print_verified(verified: &VerifiedLedger) {
    println!(
        "{}",
        if verified.holds {
            "The ledger is as it was written."
        } else {
            "The ledger is NOT as it was written."
        }
    );
    for text in verified.healed.iter().filter_map(Healed::text) {
        render::sentence("  healed  ", &format!("{text}."));
    }
    for finding in &verified.findings {
        render::sentence("  FAILS   ", &format!("{}.", finding_text(finding)));
    }
    for release in &verified.releases {
        let (lead, text) = match release.directory {
            Whereabouts::AsRecorded => ("  holds   ", "all its files are as recorded".to_owned()),
            Whereabouts::NotThere => ("  -       ", "its directory is not there".to_owned()),
            Whereabouts::Replaced => {
                ("  -       ", "another recorded release is in its directory".to_owned())
            }
            Whereabouts::Pending => {
                ("  -       ", "another process is about to put it in place".to_owned())
            }
            Whereabouts::Changed => (
                "  FAILS   ",
                format!(
                    "{} changed or missing",
                    words::counted(release.n_files_changed, "file is", "files are")
                ),
            ),
        };
        render::sentence(lead, &format!("{}: {text}.", release.name));
    }
    println!();
    render::sentence(
        "",
        &format!(
            "{} recorded; {} in the chain, which ends with {}. Whoever can write the file can write another chain: noted elsewhere, this \
             end shows that too.",
            words::counted(verified.n_releases, "release is", "releases are"),
            words::counted(verified.n_events, "event", "events"),
            verified.head
        ),
    );
}

fn finding_text(finding: &Finding) -> String {
    match finding {
        Finding::ChainBroken { event } => {
            format!("event {event} does not fit the one before: something was changed or taken out")
        }
        Finding::ChainCut => "the last events are missing".to_owned(),
        Finding::RecordChanged { name } => format!("'{name}' is not what was recorded"),
        Finding::Unreadable { name } => format!("what '{name}' says cannot be read"),
        Finding::RecordAdded { name } => format!("'{name}' is there, and no event says why"),
        Finding::RecordMissing { name } => format!("'{name}' is not there, and no event says why"),
        Finding::StateChanged { name } => {
            format!("'{name}' is in another state than the events say")
        }
        Finding::PeopleChanged { name } => {
            format!("what is recorded of the people of '{name}' is not what was recorded")
        }
        Finding::PeopleWithoutRelease { n_people } => {
            format!("{n_people} people are recorded for releases that are not there")
        }
        other => format!("{other:?}"),
    }
}

/// What linking does to people, under a heading.
pub fn print_linkage(linkage: &Linkage) {
    render::heading("Linked with the releases in the ledger");
    print_effect(&linkage.effect);
    if let Some(coarser) = &linkage.coarser {
        print_coarser(coarser);
    }
    if let Some(name) = &linkage.name {
        render::sentence("  ", &format!("It is recorded as '{name}'."));
    }
}

fn print_coarser(coarser: &Coarser) {
    let cost = match (coarser.without, coarser.with) {
        (Some(without), Some(with)) => format!(
            ": {} {} instead of {}",
            coarser.objective,
            words::number(with),
            words::number(without)
        ),
        _ => String::new(),
    };
    let text = format!(
        "The recoding was made coarser for this{cost}. {} tried.",
        words::counted(coarser.n_tried, "recoding was", "recodings were")
    );
    render::sentence("  ", &text);
}

/// Why there is no release.
pub fn print_refusal(refusal: &Refusal) {
    let tried = match refusal.n_tried {
        1 => String::new(),
        n => {
            format!(" {} recodings were tried; of the one that comes nearest:", words::thousands(n))
        }
    };
    render::sentence(
        "",
        &format!(
            "The policy can be met, but linked with the releases in the ledger too little would remain; nothing was written.{tried}"
        ),
    );
    println!();
    print_effect(&refusal.effect);
    println!();
    render::sentence(
        "",
        "What may help: fewer or coarser quasi-identifiers, a higher level allowed (max_level), a stronger principle on the secret, a \
         smaller [linkage] minimum; or not to publish.",
    );
}

/// What linking does to people.
pub fn print_effect(effect: &Effect) {
    let with = match effect.linked_with.as_slice() {
        [] => "No recorded release has people in common with it.".to_owned(),
        names => format!("It was linked with {}.", some(names)),
    };
    render::sentence("  ", &with);
    if !effect.nothing_in_common.is_empty() {
        let names = some(&effect.nothing_in_common);
        render::sentence("  ", &format!("Without a common quasi-identifier or secret: {names}."));
    }
    if !effect.linked_with.is_empty() {
        let who = match effect.people_known {
            true => format!(
                "{} of the table are in one of them too, by their quasi-identifiers",
                words::counted(effect.n_people, "person", "people")
            ),
            false => format!(
                "who the people are is not known: {} of classes could be somebody's",
                words::counted(effect.n_combinations, "combination", "combinations")
            ),
        };
        render::sentence("  ", &format!("{who}."));
    }
    if effect.n_labels_not_understood > 0 {
        let text = format!(
            "Of {} it is not known what they cover; anything, to be safe.",
            words::counted(effect.n_labels_not_understood, "released label", "released labels")
        );
        render::sentence("  ", &text);
    }
    for secret in &effect.secrets {
        print_secret(effect, secret);
    }
}

/// So many names are written out.
const MOST_NAMES: usize = 8;

/// Names, of which the JSON answer has all.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(MOST_NAMES) {
        None | Some(0) => words::list(names),
        Some(more) => {
            let mut shown = names[..MOST_NAMES].to_vec();
            shown.push(format!("{more} more"));
            words::list(&shown)
        }
    }
}

fn print_secret(effect: &Effect, secret: &SecretEffect) {
    let name = &secret.attribute;
    if let (Some(distinct), Some(frequency), Some(entropy)) =
        (secret.distinct_l, secret.frequency_l, secret.entropy_l)
    {
        let text = format!(
            "{name}: for everybody at least {} (by frequency {}, by entropy {}).",
            words::counted(distinct, "secret remains", "secrets remain"),
            words::number(frequency),
            words::number(entropy)
        );
        render::sentence("  - ", &text);
    }
    let Some(required) = &effect.required else { return };
    let wanted = format!("{} by the measure {}", words::number(required.l), required.measure);
    if secret.n_harmed_combinations > 0 {
        let who = match effect.people_known {
            true => words::counted(secret.n_harmed, "person", "people"),
            false => words::counted(
                secret.n_harmed_combinations,
                "combination of classes",
                "combinations of classes",
            ),
        };
        let text = format!(
            "{name}: {who} would be left with less than {wanted}, through this release together with {}.",
            some(&secret.harmed_with)
        );
        render::sentence("  FAILS  ", &text);
    }
    if secret.n_classes_below > 0 {
        let text = format!(
            "{name}: {} of this release with {} show less than {wanted} by themselves.",
            words::classes(secret.n_classes_below),
            words::rows(secret.n_rows_below)
        );
        render::sentence("  FAILS  ", &text);
    }
    if secret.n_below_before > 0 {
        let text = format!(
            "{name}: {} had less than {wanted} before, through earlier releases; this one takes nothing more from them.",
            words::counted(secret.n_below_before, "person", "people")
        );
        render::sentence("  - ", &text);
    }
}
