//! Text about ledgers and the releases that they record.

use indistinct_answers::ledger::{CheckedLinkage, DirectoryState, VerifiedLedger};
use indistinct_ledger::{Finding, Record, State};
use indistinct_methods::invariant::{SeriesCheck, VersionCheck};

use crate::anonymize::describe_infeasible;
use crate::document::{left, right};
use crate::messages::{Messages, fields, filled, message, plain};
use crate::{
    Block, Document, Section, Table, Text, Verdict, describe_coarser, describe_effect,
    describe_repair, name, words,
};

/// Describes the answer of `ledger check`.
pub fn describe_checked_linkage(checked: &CheckedLinkage) -> Document {
    if let Some(infeasible) = &checked.infeasible {
        return describe_infeasible(infeasible);
    }
    let mut document = Document::new();
    let Some(effect) = &checked.effect else { return document };
    let were_below = effect.sensitive.iter().any(|it| !it.below_before.is_empty());
    document.paragraph(plain(
        "ledger",
        match (checked.holds, &effect.required) {
            (true, None) => "no-minimum",
            (true, Some(_)) if were_below => "no-one-more-below",
            (true, Some(_)) => "minimum-met",
            (false, _) => "minimum-not-met",
        },
    ));
    if checked.recorded_as.is_some() {
        document.paragraph(Messages::about("ledger", checked).say("recorded-as").paragraph());
    }
    document.push(describe_effect(effect));
    if let Some(versions) = &checked.versions {
        document.push(series(versions));
    }
    if let Some(coarser) = &checked.coarser {
        document.paragraph(describe_coarser(coarser));
    }
    document
}

/// Describes the guarantees of the recorded versions of a growing table.
fn series(series: &SeriesCheck) -> Section {
    let mut section = Section::new(format!("Versions of '{}'", words::label(&series.series)));
    for version in &series.versions {
        section.verdict(Verdict::of_check(version.holds()), version_of(version));
    }
    section
}

fn version_of(version: &VersionCheck) -> Text {
    let mut text = Messages::about("ledger", version)
        .with("smallest_m", version.m.map_or("-".to_owned(), |m| m.to_string()))
        .say("version")
        .paragraph();
    let more = Messages::about("ledger", version)
        .say_if(version.n_changed > 0, "version-changed")
        .say_if(version.n_without_class > 0, "version-without-class");
    for part in more.texts() {
        text.push(", ");
        text.push(part);
    }
    text.push(".");
    text
}

/// Lists the releases of a ledger.
pub fn describe_records(releases: &[Record]) -> Document {
    let mut document = Document::new();
    if releases.is_empty() {
        document.paragraph(plain("ledger", "no-releases"));
        return document;
    }
    let row = |record: &Record| {
        vec![
            name(&record.name).into(),
            name(&record.added_at).into(),
            if record.state == State::Pending { "pending" } else { "published" }.into(),
            record.population.as_ref().map_or("any".into(), |it| name(it).into()),
            words::thousands(record.n_rows).into(),
            words::thousands(record.n_classes).into(),
            name(record.directory.display().to_string()).into(),
        ]
    };
    let columns = [
        left("release"),
        left("recorded"),
        left("state"),
        left("population"),
        right("rows"),
        right("classes"),
        left("directory"),
    ];
    let mut section = Section::untitled();
    section.push(Block::Table(Table::new(columns).with_rows(releases.iter().map(row))));
    document.push(section);
    document
}

/// Describes the answer of `ledger verify`.
pub fn describe_verified_ledger(verified: &VerifiedLedger) -> Document {
    let mut section = Section::untitled();
    section.paragraph(plain("ledger", if verified.holds { "intact" } else { "not-intact" }));
    let healed = verified.healed.iter().filter_map(describe_repair);
    section.list(healed.map(|text| format!("repaired: {text}.")));
    for finding in &verified.findings {
        section.verdict(Verdict::Fails, found(finding));
    }
    for release in &verified.releases {
        let verdict = match release.directory {
            DirectoryState::AsRecorded => Verdict::Holds,
            DirectoryState::Changed => Verdict::Fails,
            _ => Verdict::NotCompared,
        };
        let about = Messages::about("ledger", release);
        let about = match release.directory {
            DirectoryState::Changed => about.say("files-changed"),
            state => about.with("state", message("directory", &state).to_string()).say("release"),
        };
        section.verdict(verdict, about.paragraph());
    }
    let mut document = Document::new();
    document.push(section);
    let mut chain = Section::untitled();
    chain.paragraph(Messages::about("ledger", verified).say("chain").paragraph());
    document.push(chain);
    document
}

fn found(finding: &Finding) -> Text {
    let fields = fields(finding);
    filled("finding", fields["what"].as_str().unwrap_or_default(), &fields)
}
