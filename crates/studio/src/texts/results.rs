//! Sentences about results: releases, ledgers, published files, and the history.

use indistinct::columns::ColumnKind;
use indistinct::{Message, words};

pub(crate) const DIRECTORY: &str = "Folder of the release";
pub(crate) const REPLACE: &str = "Replace an existing release";
const EXISTS: &str = "choose another name, or select “Replace an existing release”";

const DECIDE: &str = "choose a role on the Columns page, where the reasons are listed";
const NO_ADVICE_ON_PEOPLE: &str = "continue; the Explore page supports people with several rows, \
    and each release states the levels that it reaches";

/// The remedy for a message. Pages replace remedies that refer to command-line options.
pub(crate) fn help(message: &Message) -> Option<&str> {
    match message.code.as_str() {
        "E-POLICY-029" => Some(DECIDE),
        "E-PEOPLE-002" => Some(NO_ADVICE_ON_PEOPLE),
        "E-OUTPUT-001" | "E-DATABASE-013" => Some(EXISTS),
        _ => message.help.as_deref(),
    }
}

pub(crate) const WITH_LEDGER: &str = "Record the release in";
pub(crate) const NO_LEDGER: &str = "no ledger";
pub(crate) const RELEASE_IT: &str = "Create the release";
pub(crate) const RELEASED: &str = "The release was created, and all its claims were verified.";
pub(crate) const RELEASED_FAILS: &str = "The release was created, but its claims could not be \
                                         verified. Do not publish it, and report this error to the \
                                         authors.";
pub(crate) const INFEASIBLE_PROVED: &str = "No recoding satisfies the policy. Nothing was written.";
pub(crate) const INFEASIBLE: &str =
    "No recoding that satisfies the policy was found, but one may exist. Nothing was written.";
pub(crate) const WAYS_OUT: &str = "Possible remedies";
pub(crate) const WAYS_OUT_HELP: &str =
    "Each remedy relaxes the policy by the estimated minimum. Check whether it is acceptable.";
pub(crate) const EARLIER_RELEASE: &str =
    "The policy or the table has changed since this release was created.";
pub(crate) const BEFORE: &str = "Table";
pub(crate) const AFTER: &str = "Release";
pub(crate) const RISK: &str = "Risk";
pub(crate) const HIGHEST_RISK: &str = "highest risk of a row";
pub(crate) const UNIQUE: &str = "unique rows";
pub(crate) const REPORT: &str = "Report for recipients";
pub(crate) const PRIVATE_REPORT: &str = "Private report (confidential)";
pub(crate) const ATTACK: &str = "Try known attacks";
pub(crate) const MEASURE: &str = "Measure the utility";
pub(crate) const ATTACKS: &str = "Attacks";
pub(crate) const MEASURES: &str = "Utility";
pub(crate) const ROWS_ELSEWHERE: &str = "The rows are in a database, but attacks and measurements \
                                         read rows from files. To use them, create a release \
                                         without a table in [output].";

pub(crate) const WAY_SUPPRESS: &str = "Suppress more rows";
pub(crate) fn way_limit(limit: &str) -> String {
    format!("suppression limit {limit}")
}

pub(crate) fn way_parameter(principle: &str, name: &str, value: &str) -> String {
    format!("{principle}: {name} = {value}")
}

pub(crate) const LEDGERS: &str = "Ledgers in this folder";
pub(crate) const NO_LEDGERS: &str = "This folder contains no ledger.";
pub(crate) const NEW_LEDGER: &str = "Create a ledger";
pub(crate) const LEDGER_FILE: &str = "File";
pub(crate) const LEDGER_EMPTY: &str = "This ledger contains no releases yet.";
pub(crate) const LEDGER_CHECK: &str = "Check a release for linkage";
pub(crate) const LEDGER_AHEAD: &str = "Check the current policy for linkage";
pub(crate) const LEDGER_AHEAD_HELP: &str = "A release with the current policy is simulated and \
                                            joined with the recorded releases. Nothing is written.";
pub(crate) const NOTHING_TO_JOIN: &str =
    "No release satisfies the policy, so there is nothing to join.";
pub(crate) const LEDGER_ADD: &str = "Record a release";
pub(crate) const A_RELEASE: &str = "Release";
pub(crate) const LEDGER_CREATED: &str = "An empty ledger was created. Only you can read it.";
pub(crate) const LEDGER_ADDED: &str = "The release was recorded.";
pub(crate) const ENOUGH_REMAINS: &str =
    "After linkage with the recorded releases, the requirement is met.";
pub(crate) const TOO_LITTLE_REMAINS: &str =
    "After linkage with the recorded releases, the requirement is not met.";
pub(crate) const NOTHING_REQUIRED: &str =
    "After linkage with the recorded releases, no minimum is required.";

pub(crate) const NO_RELEASES: &str = "This folder contains no release yet.";
pub(crate) const GOES_OUT: &str = "Files to publish";
pub(crate) const STAYS: &str = "Confidential files";
pub(crate) const STAYS_HELP: &str = "This folder contains confidential information: how each value \
                                     was recoded, which rows were suppressed, and the policy with \
                                     its seed. Do not publish it.";
pub(crate) const RECIPIENT: &str = "Verification by the recipient";
pub(crate) const RECIPIENT_HELP: &str = "Anyone with Indistinct can verify every claim from these \
                                         files alone. The command lists the facts that the files \
                                         cannot confirm as attested by you.";
pub(crate) const RECIPIENT_OF_TABLE: &str = "Anyone with Indistinct and read access to the \
                                             database can verify every claim: the database also \
                                             contains the certificate. The command lists the facts \
                                             that the rows cannot confirm as attested by you.";
pub(crate) const RELEASED_POLICY: &str = "Published policy";
pub(crate) const FACTS: &str = "Other facts in the certificate";
pub(crate) const VERIFIED: &str = "Every claim was recomputed from the files and holds.";
pub(crate) const NOT_VERIFIED: &str = "A claim does not hold. Do not publish the release.";
pub(crate) const ABOUT: &str = "Information for recipients";
pub(crate) const ABOUT_HELP: &str = "The report of the next release contains this information.";
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
pub(crate) const ABOUT_SET: &str = "information for recipients";
pub(crate) const RECODING_SET: &str = "recoding";

pub(crate) const GO_THERE: &str = "Go to this step";
pub(crate) const NAME_OF_STEP: &str = "Name";
pub(crate) const NOTE: &str = "Note";
pub(crate) const HERE: &str = "current version";
pub(crate) const THE_TEXT: &str = "Policy as text";
pub(crate) const TEXT_HELP: &str = "Edit all settings of the policy, including those without a \
                                    page. docs/policy.md lists all keys.";
pub(crate) const TEXT_SET: &str = "edited as text";
pub(crate) const NOTED: &str = "The name and the note were saved.";

pub(crate) fn gone_to(what: &str) -> String {
    format!("The policy was restored to the version after: {what}")
}

pub(crate) const THE_NUMBERS: &str = "The numbers";
pub(crate) const ALL_OTHERS: &str = "all others";
pub(crate) const VALUE: &str = "value";
pub(crate) const N_ROWS: &str = "rows";
pub(crate) const N_QUASI_IDENTIFIERS: &str = "quasi-identifiers";

/// A one-line summary of a column.
pub(crate) fn facts(kind: ColumnKind, n_distinct: u64, n_unique: u64, missing: &str) -> String {
    let unique = match n_unique {
        0 => "none unique".to_owned(),
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

pub(crate) const CHOICES: [&str; 9] = [
    "k",
    "Limit",
    "Highest risk",
    "Mean risk",
    "Loss",
    "Suppressed",
    "Classes",
    "Remarks",
    "Choose",
];
pub(crate) const RELEASE_FIGURES: [&str; 4] =
    ["rows released", "rows suppressed", "classes", "loss (0 to 1)"];
pub(crate) const HOLDS: &str = "holds";
pub(crate) const FAILS: &str = "fails";

pub(crate) fn stopped(gap: Option<f64>) -> String {
    let gap =
        gap.map(|gap| format!(", with a loss at most {} above the minimum", words::percent(gap)));
    format!(
        "The search was stopped. This is the best recoding that was found until then{}.",
        gap.unwrap_or_default()
    )
}

pub(crate) const NEAREST: &str = "Closest recoding";

pub(crate) fn suppressible(n: u64, n_rows: u64) -> String {
    format!("At most {} of {} may be suppressed.", words::thousands(n), words::rows(n_rows))
}

/// Describes the suppression that the nearest recoding would require.
pub(crate) fn needed(n_suppressed: Option<u64>, n_failing: u64, is_proved: bool) -> String {
    match n_suppressed {
        Some(n) => format!(
            "The search would have to suppress {}.{}",
            words::rows(n),
            if is_proved {
                ""
            } else {
                " It is unknown whether suppressing fewer other rows would suffice."
            }
        ),
        None => format!(
            "{} in failing classes. It is unknown how many rows would have to be suppressed.",
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
pub(crate) const ANYBODY: &str = "anyone";
pub(crate) const LINKED_WITH_NONE: &str = "The release was not linked with any recorded release.";

pub(crate) fn linked_with(names: &[String]) -> String {
    format!("The release was linked with {}.", words::list_some(names, 8))
}

pub(crate) fn remain(n: u64) -> String {
    let values = words::counted(n, "sensitive value remains", "sensitive values remain");
    format!("at least {values} for every person.")
}

pub(crate) fn harmed(n: u64) -> String {
    format!("fewer values than required would remain for {}.", words::people(n))
}

pub(crate) fn unclear(n_people: u64, n_combinations: u64) -> String {
    let who = match n_people {
        0 => words::counted(n_combinations, "combination of classes", "combinations of classes"),
        n => words::people(n),
    };
    format!(
        "For {who}, the quasi-identifiers match but the sensitive values contradict each other as \
         written: either these people are in only one release, or the same value is written in two \
         ways. In the second case, the number of remaining values is unknown."
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
        "The rows are in the table {} of the database, and the files of the release are in a \
         second table. This folder contains the same files without the rows.",
        words::label(table)
    )
}

/// The message that is shown after a policy has been proposed.
pub(crate) fn proposed(name: &str) -> String {
    format!("The proposed policy {} is ready.", words::label(name))
}

pub(crate) fn written_set(name: &str) -> String {
    format!("notation of {}", words::label(name))
}

/// A note about texts that are read as missing values.
pub(crate) fn read_as_missing(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|it| format!("“{}”", words::label(it))).collect();
    format!(
        "In every column, empty cells and the following texts are read as missing values: {}.",
        words::list(&values)
    )
}

/// The label of a choice in which every column loses all information.
pub(crate) const NOTHING_LEFT: &str = "no information";

/// A warning that a release contains no information about some columns.
pub(crate) fn nothing_left(names: &[String]) -> String {
    format!(
        "All information of {} is lost: each released value represents all values of the column. A \
         smaller k, fewer quasi-identifiers, or more suppressed rows may retain more.",
        words::list_some(names, 8)
    )
}

/// The message that is shown after a change has been saved in the policy file.
pub(crate) fn saved(what: &str) -> String {
    format!("Saved in the policy: {what}.")
}

pub(crate) fn accepted(name: &str) -> String {
    format!("publication of {}, which resembles an identifier", words::label(name))
}
