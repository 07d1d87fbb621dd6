//! Sentences about results: releases, ledgers, published files, and the history.

use indistinct::columns::ColumnKind;
use indistinct::{Message, words};

pub(crate) const DIRECTORY: &str = "Folder of the release";
pub(crate) const REPLACE: &str = "Replace a release that is there";
const EXISTS: &str = "take another name, or tick that what is there is replaced";

const DECIDE: &str =
    "press the role that it has on the page Columns; what speaks for each stands there";
const NO_ADVICE_ON_PEOPLE: &str = "go on: what people with several rows reach is tried on the page Explore, and told of each release";

/// The remedy for a message. Pages replace remedies that refer to command-line options.
pub(crate) fn help(message: &Message) -> Option<&str> {
    match message.code.as_str() {
        "E-POLICY-029" => Some(DECIDE),
        "E-PEOPLE-002" => Some(NO_ADVICE_ON_PEOPLE),
        "E-OUTPUT-001" | "E-DATABASE-013" => Some(EXISTS),
        _ => message.help.as_deref(),
    }
}

pub(crate) const WITH_LEDGER: &str = "Record it in";
pub(crate) const NO_LEDGER: &str = "no ledger";
pub(crate) const RELEASE_IT: &str = "Make the release";
pub(crate) const RELEASED: &str = "A release was made, and it holds what it claims.";
pub(crate) const RELEASED_FAILS: &str = "A release was made, and it does not hold what it claims. Do not hand it out, and tell the authors.";
pub(crate) const INFEASIBLE_PROVED: &str = "No recoding satisfies the policy; nothing was written.";
pub(crate) const INFEASIBLE: &str = "No recoding was found that satisfies the policy, which does not prove that there is none; nothing was written.";
pub(crate) const WAYS_OUT: &str = "Ways out";
pub(crate) const WAYS_OUT_HELP: &str = "Each changes the policy by what would be just enough. Whether that is acceptable is yours to decide.";
pub(crate) const EARLIER_RELEASE: &str =
    "The policy or the table was changed since this release was made.";
pub(crate) const BEFORE: &str = "Table";
pub(crate) const AFTER: &str = "Release";
pub(crate) const RISK: &str = "Risk";
pub(crate) const HIGHEST_RISK: &str = "highest risk of a row";
pub(crate) const UNIQUE: &str = "rows alone in their class";
pub(crate) const REPORT: &str = "The report, which goes out";
pub(crate) const PRIVATE_REPORT: &str = "The private report, which stays";
pub(crate) const ATTACK: &str = "Try the known attacks";
pub(crate) const MEASURE: &str = "Measure what it is still good for";
pub(crate) const ATTACKS: &str = "What attacks get out of it";
pub(crate) const MEASURES: &str = "What it is still good for";
pub(crate) const ROWS_ELSEWHERE: &str = "The rows are in a database. Attacks and measures read rows in files: leave the table of [output] out for a release that they can be tried on.";

pub(crate) const WAY_SUPPRESS: &str = "Leave out more rows";
pub(crate) fn way_limit(limit: &str) -> String {
    format!("suppression limit {limit}")
}

pub(crate) fn way_parameter(principle: &str, name: &str, value: &str) -> String {
    format!("{principle}: {name} = {value}")
}

pub(crate) const LEDGERS: &str = "Ledgers in this folder";
pub(crate) const NO_LEDGERS: &str = "There is no ledger here.";
pub(crate) const NEW_LEDGER: &str = "Make a ledger";
pub(crate) const LEDGER_FILE: &str = "File";
pub(crate) const LEDGER_EMPTY: &str = "It has no releases yet.";
pub(crate) const LEDGER_CHECK: &str = "What would joining leave?";
pub(crate) const LEDGER_AHEAD: &str = "What would this policy's release leave?";
pub(crate) const LEDGER_AHEAD_HELP: &str = "The release that the policy would make is joined with the recorded ones before it is made; nothing is written.";
pub(crate) const NOTHING_TO_JOIN: &str =
    "No release satisfies the policy, so there is nothing to join.";
pub(crate) const LEDGER_ADD: &str = "Record it";
pub(crate) const A_RELEASE: &str = "Release";
pub(crate) const LEDGER_CREATED: &str = "An empty ledger was made; only you can read it.";
pub(crate) const LEDGER_ADDED: &str = "The release is recorded.";
pub(crate) const ENOUGH_REMAINS: &str = "Linked with the recorded releases, enough remains.";
pub(crate) const TOO_LITTLE_REMAINS: &str =
    "Linked with the recorded releases, less than required is sure to remain.";
pub(crate) const NOTHING_REQUIRED: &str =
    "Linked with the recorded releases; nothing was required.";

pub(crate) const NO_RELEASES: &str = "There is no release in this folder yet.";
pub(crate) const GOES_OUT: &str = "What goes out";
pub(crate) const STAYS: &str = "What stays with you";
pub(crate) const STAYS_HELP: &str = "This folder has what only you may know: which value became which, what was left out, and the policy with its seed. Do not hand it out.";
pub(crate) const RECIPIENT: &str = "What the recipient does";
pub(crate) const RECIPIENT_HELP: &str = "Anyone with Indistinct can check every claim from these files alone. What the files cannot show is listed as your statement.";
pub(crate) const RECIPIENT_OF_TABLE: &str = "Anyone with Indistinct who may read the database can check every claim there: the certificate lies beside the rows. What they cannot show is listed as your statement.";
pub(crate) const RELEASED_POLICY: &str = "The policy that goes out";
pub(crate) const FACTS: &str = "Further facts of the certificate";
pub(crate) const VERIFIED: &str = "Every claim holds, recomputed from the files.";
pub(crate) const NOT_VERIFIED: &str = "A claim does not hold. Do not hand it out.";
pub(crate) const ABOUT: &str = "What readers are told";
pub(crate) const ABOUT_HELP: &str = "These stand in the report of the next release.";
pub(crate) const TITLE: &str = "Title";
pub(crate) const CONTEXT_KEYS: [(&str, &str); 10] = [
    ("purpose", "Purpose"),
    ("recipient", "Recipient"),
    ("environment", "Environment"),
    ("contact", "Contact"),
    ("license", "License"),
    ("version", "Version"),
    ("date", "Date"),
    ("expires", "Expires"),
    ("review_by", "Review by"),
    ("supersedes", "Supersedes"),
];
pub(crate) const ABOUT_SET: &str = "what readers are told";
pub(crate) const RECODING_SET: &str = "how it is recoded";

pub(crate) const GO_THERE: &str = "Go to this step";
pub(crate) const NAME_OF_STEP: &str = "Name";
pub(crate) const NOTE: &str = "Note";
pub(crate) const HERE: &str = "the policy is here";
pub(crate) const THE_TEXT: &str = "The policy as text";
pub(crate) const TEXT_HELP: &str =
    "Everything a policy can say, also what no page here offers. docs/policy.md has all keys.";
pub(crate) const TEXT_SET: &str = "edited as text";
pub(crate) const NOTED: &str = "Name and note are kept.";

pub(crate) fn gone_to(what: &str) -> String {
    format!("The policy is as it was after: {what}")
}

pub(crate) const THE_NUMBERS: &str = "The numbers";
pub(crate) const ALL_OTHERS: &str = "all others";
pub(crate) const VALUE: &str = "value";
pub(crate) const N_ROWS: &str = "rows";
pub(crate) const N_QUASI_IDENTIFIERS: &str = "quasi-identifiers";

/// A one-line summary of a column.
pub(crate) fn facts(kind: ColumnKind, n_distinct: u64, n_unique: u64, missing: &str) -> String {
    let unique = match n_unique {
        0 => "none of them unique".to_owned(),
        n => format!("{} unique", words::thousands(n)),
    };
    format!("{}, {} distinct, {unique}, {missing}", super::kind(kind), words::thousands(n_distinct))
}

pub(crate) fn looks_like(what: &str) -> String {
    format!("looks like {what}")
}

pub(crate) fn values_of(name: &str) -> String {
    format!("Values of {}", words::label(name))
}

pub(crate) const CHOICES: [&str; 9] =
    ["k", "Limit", "Highest risk", "Mean risk", "Loss", "Left out", "Classes", "Remarks", "Choose"];
pub(crate) const RELEASE_FIGURES: [&str; 4] =
    ["rows released", "rows left out", "classes", "loss, 0 to 1"];
pub(crate) const HOLDS: &str = "holds";
pub(crate) const FAILS: &str = "fails";

pub(crate) fn stopped(gap: Option<f64>) -> String {
    let gap = gap.map(|gap| format!(", at most {} above the least loss", words::percent(gap)));
    format!(
        "The search was stopped: this is the best that it had found{}.",
        gap.unwrap_or_default()
    )
}

pub(crate) const NEAREST: &str = "What comes nearest";

pub(crate) fn suppressible(n: u64, n_rows: u64) -> String {
    format!("At most {} of {} may be left out.", words::thousands(n), words::rows(n_rows))
}

/// Describes the suppression that the nearest recoding would require.
pub(crate) fn needed(n_suppressed: Option<u64>, n_failing: u64, is_proved: bool) -> String {
    match n_suppressed {
        Some(n) => format!(
            "The search would have to leave out {}.{}",
            words::rows(n),
            if is_proved { "" } else { " Whether fewer others would do is unknown." }
        ),
        None => format!(
            "{} in classes that fail; no number of rows is known without which every principle would hold.",
            words::counted(n_failing, "row is", "rows are")
        ),
    }
}

pub(crate) const PRINCIPLE: &str = "principle";
pub(crate) const RANGE: &str = "reachable";

pub(crate) fn k_up_to(k: u64) -> String {
    format!("k up to {}.", words::thousands(k))
}

pub(crate) const LEDGER_COLUMNS: [&str; 6] =
    ["release", "recorded", "state", "population", "rows", "classes"];
pub(crate) const PENDING: &str = "pending";
pub(crate) const PUBLISHED: &str = "published";
pub(crate) const ANYBODY: &str = "anybody";
pub(crate) const LINKED_WITH_NONE: &str = "It was linked with no recorded release.";

pub(crate) fn linked_with(names: &[String]) -> String {
    format!("It was linked with {}.", words::list_some(names, 8))
}

pub(crate) fn remain(n: u64) -> String {
    let values = words::counted(n, "sensitive value remains", "sensitive values remain");
    format!("for everybody at least {values}.")
}

pub(crate) fn harmed(n: u64) -> String {
    format!("{} would be left with less than required.", words::people(n))
}

pub(crate) fn unclear(n_people: u64, n_combinations: u64) -> String {
    let who = match n_people {
        0 => words::counted(n_combinations, "combination of classes", "combinations of classes"),
        n => words::people(n),
    };
    format!(
        "For {who} the quasi-identifiers fit and the sensitive values contradict each other as they are written: either they are in one \
         release only, or values are written in two ways; then it is not known what remains."
    )
}

pub(crate) const FILE: &str = "file";
pub(crate) const N_BYTES: &str = "bytes";

pub(crate) fn differences(n: u64) -> String {
    words::counted(n, "difference", "differences")
}

/// The location of the rows of a release whose folder does not contain them.
pub(crate) fn rows_in_table(table: &str) -> String {
    format!(
        "The rows are in the table {} of the database, with the files of the release in a second one beside it. This folder has the same files without the rows.",
        words::label(table)
    )
}

/// A message that a policy was proposed.
pub(crate) fn proposed(name: &str) -> String {
    format!("The policy {} is proposed.", words::label(name))
}

pub(crate) fn written_set(name: &str) -> String {
    format!("how {} is written", words::label(name))
}

/// A note about texts that are read as missing values.
pub(crate) fn read_as_missing(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|it| format!("“{}”", words::label(it))).collect();
    format!(
        "Read as a missing value in every column, as an empty cell is: {}.",
        words::list(&values)
    )
}

/// The label of a choice in which every column loses all information.
pub(crate) const NOTHING_LEFT: &str = "nothing is left";

/// A warning that a release contains no information about some columns.
pub(crate) fn nothing_left(names: &[String]) -> String {
    format!(
        "Nothing is left of {}: each released value stands for all values of the column. A smaller k, fewer quasi-identifiers, or more rows left out may keep more.",
        words::list_some(names, 8)
    )
}

/// A message that a change was saved in the policy file.
pub(crate) fn saved(what: &str) -> String {
    format!("Saved in the policy: {what}.")
}

pub(crate) fn accepted(name: &str) -> String {
    format!("{} may be published though it looks like an identifier", words::label(name))
}
