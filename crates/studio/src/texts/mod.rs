//! All sentences of the pages, in English. A translation would be another folder with the same
//! names.

mod choices;
mod refusals;
mod results;

use indistinct::columns::ColumnKind;
use indistinct::{Phase, words};

use crate::work::{Now, Slot};

pub(crate) use choices::*;
pub(crate) use refusals::*;
pub(crate) use results::*;

pub(crate) const LANGUAGE: &str = "en";
pub(crate) const NAME: &str = "Indistinct studio";
pub(crate) const SKIP: &str = "Skip to the content";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const NOTHING_OPEN: &str = "no policy is open: choose a table or a policy first";
pub(crate) const COMMAND: &str = "Equivalent commands";
pub(crate) const NEXT: &str = "Next";
pub(crate) const FOOTER: &str = "The studio runs only on this machine. Its pages show values from \
    your table, so close them when you leave.";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const REDO: &str = "Redo";
pub(crate) const NOTHING_TO_UNDO: &str = "nothing to undo";
pub(crate) const NOTHING_TO_REDO: &str = "nothing to redo";
pub(crate) const CHANGED_ELSEWHERE: &str =
    "The policy was changed elsewhere. Your input on this page is not saved yet.";
pub(crate) const SHOW_CHANGES: &str = "Show the changes";
pub(crate) const STOPPED: &str = "The studio has stopped. All saved changes are preserved. To \
    continue, start the studio again in the same folder.";
pub(crate) const STALE: &str = "The policy was changed elsewhere since this page was loaded. Your \
                                change was not applied, and the page now shows the current policy.";

pub(crate) const REFUSED: &str = "Refused";
pub(crate) const REFUSED_HOST: &str = "This address does not belong to the studio.";
pub(crate) const REFUSED_ORIGIN: &str = "This request comes from another page.";
pub(crate) const REFUSED_SESSION: &str = "This browser has no session here. Open the address in \
                                          the terminal, which works only once. Press Enter in the \
                                          terminal to create a new address.";
pub(crate) const REFUSED_FORM: &str =
    "This form does not belong to the current session. Reload the page.";
pub(crate) const NOT_HERE: &str = "Page not found";
pub(crate) const NOT_HERE_HELP: &str = "This page does not exist.";
pub(crate) const FAULT: &str = "Internal error";
pub(crate) const FAULT_HELP: &str = "An internal error occurred. The policy is unchanged.";
pub(crate) const ENTERING: &str = "Opening the studio";
pub(crate) const ENTER: &str = "Continue";

pub(crate) const STEP_OPENED: &str = "opened";
pub(crate) const STEP_OUTSIDE: &str = "changed outside the studio";

/// Describes the current phase, its progress, and the estimated remaining time.
pub(crate) fn progress(now: &Now) -> String {
    let what = match now.phase {
        None => "Starting",
        Some(Phase::Count) => "Reading the table",
        Some(Phase::Search) => "Searching",
        Some(Phase::Write) => "Writing",
        Some(Phase::Link) => "Joining releases",
    };
    let mut text = format!("{what}, {:.0} s so far", now.seconds);
    if let Some(left) = now.seconds_left.filter(|left| *left >= 1.0) {
        text += &format!(", about {left:.0} s remaining in this phase");
    }
    if now.phase == Some(Phase::Search) && now.done > 0 {
        text += &format!(", {} evaluated", words::count(now.done, "node"));
    }
    if let Some(best) = now.best {
        text += &format!(". The lowest loss so far is {}", words::number(best.objective));
        if let Some(gap) = best.fraction() {
            text += &format!(", at most {} above the minimum", words::percent(gap));
        }
    }
    if now.wants_best {
        text += ". The search is ending with the best recoding so far";
    }
    text + "."
}

/// The completed fraction from 0 to 1; `None` if the total is unknown.
pub(crate) fn share_done(now: &Now) -> Option<f64> {
    let is_known = now.phase != Some(Phase::Search) && now.total > 0 && now.done <= now.total;
    is_known.then(|| now.done as f64 / now.total as f64)
}

/// The name of a query.
pub(crate) fn question(slot: &Slot) -> String {
    match slot {
        Slot::Proposal => "Analyzing the table to propose a policy".to_owned(),
        Slot::Columns => "Analyzing the columns".to_owned(),
        Slot::Levels(name) => format!("Counting the labels of {}", words::label(name)),
        Slot::Values(name) => format!("Reading the values of {}", words::label(name)),
        Slot::Profile => "Computing the risk of the table".to_owned(),
        Slot::Advice => "Computing feasible parameters".to_owned(),
        Slot::Comparison => "Comparing the choices".to_owned(),
        Slot::Lattice => "Evaluating the lattice".to_owned(),
        Slot::Node => "Evaluating a node of the lattice".to_owned(),
        Slot::Release => "Creating the release".to_owned(),
        Slot::Verified => "Verifying the release".to_owned(),
        Slot::Attack => "Trying the attacks".to_owned(),
        Slot::Measure => "Measuring the utility".to_owned(),
        Slot::Linkage => "Joining the release with earlier releases".to_owned(),
    }
}

pub(crate) const RUNNING: &str = "In progress";
pub(crate) const STOP_WITH_BEST: &str = "Stop with the best recoding so far";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CANCELLED: &str = "Canceled. Nothing was written.";
pub(crate) const BEST_SO_FAR: &str = "The search is stopping and will return the best recoding \
    found so far.";

pub(crate) fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Numbers => "numbers",
        ColumnKind::Dates => "dates",
        ColumnKind::Codes => "numeric codes",
        ColumnKind::Texts => "texts",
        ColumnKind::Nothing => "no values",
    }
}

/// The roles, each with its keyboard shortcut and its meaning.
pub(crate) const ROLES: [(&str, char, &str, &str); 4] = [
    (
        "identifier",
        'i',
        "Identifier",
        "identifies a person, or is omitted for another reason; never released",
    ),
    (
        "quasi-identifier",
        'q',
        "Quasi-identifier",
        "may be known to others and can identify a person in combination with other columns; \
         generalized",
    ),
    (
        "sensitive",
        's',
        "Sensitive",
        "must not be disclosed about a person; released under the protection of the principles",
    ),
    (
        "insensitive",
        'u',
        "Unchanged",
        "released unchanged and without protection; choose this role only if the column cannot \
         identify anyone",
    ),
];

pub(crate) fn role_name(role: &str) -> &str {
    ROLES.iter().find(|it| it.0 == role).map_or("not decided", |it| it.2)
}

/// Texts of each page: the title in the navigation, the heading, and the sentence below the
/// heading.
pub(crate) mod page {
    pub(crate) const OPEN: [&str; 3] = [
        "Table",
        "Choose a table",
        "Start with a table, or open a policy. The studio shows and uses only files in the folder \
         in which it was started.",
    ];
    pub(crate) const COLUMNS: [&str; 3] = [
        "Columns",
        "Roles of the columns",
        "The proposals are based on the names and values of the columns. You know the table and \
         what others may know about its people, so check the role of each column.",
    ];
    pub(crate) const HIERARCHIES: [&str; 3] = [
        "Hierarchies",
        "Generalization hierarchies",
        "Each quasi-identifier has levels, from original values to a star. For each level, the \
         page shows the number of distinct labels in your table, the number of rows with the \
         rarest label, and the loss.",
    ];
    pub(crate) const PRINCIPLES: [&str; 3] = [
        "Principles",
        "Requirements for the release",
        "Every principle is verified on the released rows. The levels that the table can reach are \
         computed before any search.",
    ];
    pub(crate) const EXPLORE: [&str; 3] = [
        "Explore",
        "Risk and loss of each choice",
        "Compare the policy for different values of k, methods, and suppression limits. The search \
         and the certification run for each choice, but no files are written.",
    ];
    pub(crate) const RELEASE: [&str; 3] = [
        "Release",
        "Create the release",
        "The search proposes a recoding, and the certifier decides. Only a release that satisfies \
         the policy is written, and its files are then verified again independently.",
    ];
    pub(crate) const LEDGER: [&str; 3] = [
        "Ledger",
        "Earlier releases",
        "Recipients of several releases about the same people can join them. A ledger records \
         releases and determines how many sensitive values remain after joining them. If this is \
         the only release about these people, you do not need a ledger.",
    ];
    pub(crate) const HAND_OVER: [&str; 3] = [
        "Hand over",
        "Hand over the release",
        "This page lists the files to publish, the files to keep confidential, and the command \
         with which recipients can verify the release.",
    ];
    pub(crate) const SETTINGS: [&str; 3] = [
        "Settings",
        "Other settings",
        "Settings of the policy that no other page contains: the method, people with several rows, \
         earlier releases, and the file formats of the table and the release.",
    ];
    pub(crate) const HISTORY: [&str; 3] = [
        "History",
        "All changes of the policy",
        "Each change of the policy is a step, including changes outside the studio. All steps are \
         preserved, and you can return to any of them.",
    ];
}

pub(crate) const PROBLEMS: &str = "Problems to solve before a release";
pub(crate) const WARNINGS: &str = "Warnings";
pub(crate) const POLICY_IN_ORDER: &str = "The policy is valid.";
pub(crate) const NOT_DECIDED: &str = "not decided";

pub(crate) const TABLES: &str = "Tables in this folder";
pub(crate) const POLICIES: &str = "Policies in this folder";
pub(crate) const EXAMPLES: &str = "Synthetic examples";
pub(crate) const EXAMPLES_HELP: &str =
    "The people in these tables are fictitious. The table and a policy are written to this folder.";
/// The example tables, by their names in `indistinct generate`.
pub(crate) const EXAMPLE_TABLES: [(&str, &str); 4] = [
    ("hospital", "inpatients: age, sex, zip code, nationality, admission, diagnosis, cost"),
    ("census", "a census extract: eight quasi-identifiers and an occupation"),
    ("salary", "incomes: age, birthplace, occupation, income"),
    ("survey", "survey answers: a wide table"),
];
pub(crate) const NO_TABLES: &str =
    "This folder contains no table. Add a table to the folder, or create an example.";
pub(crate) const NO_POLICIES: &str =
    "This folder contains no policy yet. Choose a table to receive a proposal.";
pub(crate) const RECENT: &str = "Recently opened";
pub(crate) const RECENT_HELP: &str = "The studio uses only the files of one folder. To open a \
    policy in another folder, run the displayed command.";
pub(crate) const DATABASE: &str = "A table in a database";
pub(crate) const DATABASE_HELP: &str = "The policy contains the address, which must not include a \
                                        password: PostgreSQL reads passwords from PGPASSWORD or \
                                        ~/.pgpass. A database file must be in this folder.";
pub(crate) const ADDRESS: &str = "Address";
pub(crate) const ADDRESS_HELP: &str = "postgresql://me@host/clinic, sqlite:FILE, or duckdb:FILE";
pub(crate) const DATABASE_TABLE: &str = "Table name";
pub(crate) const NO_ADDRESS: &str =
    "the address of a database must be postgresql://user@host/name, sqlite:FILE, or duckdb:FILE";
pub(crate) const ADDRESS_NOT_ALLOWED: &str = "the policy reads from an address that was not \
                                              entered here; to connect to it, enter the address \
                                              under 'A table in a database', or start the studio \
                                              with this policy";
pub(crate) const IN_DATABASE: &str = "The table is in a database, which does not report changes. \
                                      The figures show the state of the table when it was last \
                                      counted.";
pub(crate) const AGAIN: &str = "Count again";
pub(crate) const COUNTED_AGAIN: &str = "All figures will be counted again.";
pub(crate) const START: &str = "Propose a policy";
pub(crate) const OPEN_NOW: &str = "open";
pub(crate) const OPEN_IT: &str = "Open";
pub(crate) const MAKE: &str = "Create";
pub(crate) const ROWS: &str = "Rows";
pub(crate) const POLICY_FILE: &str = "New policy file";

pub(crate) const PROPOSED: &str = "Proposed";
pub(crate) const COLUMN_KEYS: &str = "If a column has the focus, a key sets its role: i for \
                                      identifier, q for quasi-identifier, s for sensitive, u for \
                                      unchanged. The arrow keys move to the next column.";
pub(crate) const ACCEPT_LABEL: &str = "Reason for publishing the column";
pub(crate) const ACCEPT: &str = "Publish with this reason";
pub(crate) const ACCEPT_HELP: &str =
    "The certificate will contain the reason, which all recipients can read.";
pub(crate) const SINGLED_OUT: &str = "Columns that single out rows";
pub(crate) const UNTOUCHED: &str = "Released unchanged and without protection: an adversary who \
                                    knows this value of a person may find the person's row.";

/// The reason for a proposed role. The policy file contains a capitalized warning, which the page
/// displays in lowercase next to the buttons.
pub(crate) fn reason(reason: &str) -> String {
    let plain = reason.trim_start_matches("CHECK: ");
    plain.replacen("HARD TO TELL", "hard to tell", 1)
}

pub(crate) const PARAMETERS_OF: &str = "Protection and parameters";
pub(crate) const WRITTEN_AS: &str = "Notation of the values";
pub(crate) const WRITTEN_PLAINLY: &str = "– (text, 1234.56, or YYYY-MM-DD)";
pub(crate) const HOW_MISSING_IS_READ: &str = "Change null_values in the settings";
pub(crate) const OF_PEOPLE: &str =
    "Rows with the same value belong to one person, so principles count people as well as rows.";
pub(crate) const OF_HOUSEHOLDS: &str = "Rows with the same value belong to one household, so \
    principles count households as well as rows.";
pub(crate) const ROWS_TOGETHER: &str = "All rows of a person receive the same values. A column \
                                        that differs between these rows, such as the date of a \
                                        visit, then becomes a star. If rows is set to \
                                        “independent”, each row is recoded separately.";
pub(crate) const OF_PEOPLE_SETTINGS: &str = "Change the settings for people with several rows";

pub(crate) const TO_CONFIRM: &str = "to be confirmed";
pub(crate) const CONFIRM: &str = "Press the correct role to confirm it.";

pub(crate) const NOT_NAMED: &str = "The policy does not declare this column.";

pub(crate) fn role_set(name: &str, role: &str) -> String {
    format!("role {} for {}", role_name(role).to_lowercase(), words::label(name))
}

pub(crate) fn histogram(name: &str, n_bars: usize) -> String {
    format!("Distribution of the values of {} in {} bars", words::label(name), n_bars)
}
