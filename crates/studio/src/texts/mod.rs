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
pub(crate) const COMMAND: &str = "The same on the command line";
pub(crate) const NEXT: &str = "Next";
pub(crate) const FOOTER: &str =
    "On this machine only. The pages show cells of your table: close them when you leave.";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const REDO: &str = "Redo";
pub(crate) const NOTHING_TO_UNDO: &str = "nothing to undo";
pub(crate) const NOTHING_TO_REDO: &str = "nothing to do again";
pub(crate) const CHANGED_ELSEWHERE: &str =
    "Something was changed elsewhere. What you typed here is not saved yet.";
pub(crate) const SHOW_CHANGES: &str = "Show the changes";
pub(crate) const STOPPED: &str =
    "The studio has stopped. Nothing is lost: start it again in the same folder.";
pub(crate) const STALE: &str = "The policy was changed elsewhere since this page was shown. Nothing was done; this is how it is now.";

pub(crate) const REFUSED: &str = "Refused";
pub(crate) const REFUSED_HOST: &str = "This address is not the studio's own.";
pub(crate) const REFUSED_ORIGIN: &str = "This request comes from another page.";
pub(crate) const REFUSED_SESSION: &str = "This browser has no session here. Open the address that the terminal shows; it works once. Enter in the terminal makes a new one.";
pub(crate) const REFUSED_FORM: &str = "This form is not of this session. Load the page again.";
pub(crate) const NOT_HERE: &str = "Not here";
pub(crate) const NOT_HERE_HELP: &str = "There is no such page.";
pub(crate) const FAULT: &str = "A fault";
pub(crate) const FAULT_HELP: &str = "The program has a fault here. The policy is as it was.";
pub(crate) const ENTERING: &str = "Opening the studio";
pub(crate) const ENTER: &str = "Go on";

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
        text += &format!(", about {left:.0} s left of this part");
    }
    if now.phase == Some(Phase::Search) && now.done > 0 {
        text += &format!(", {} looked at", words::count(now.done, "node"));
    }
    if let Some(best) = now.best {
        text += &format!(". The best so far costs {}", words::number(best.objective));
        if let Some(gap) = best.fraction() {
            text += &format!(", at most {} above what is possible", words::percent(gap));
        }
    }
    if now.wants_best {
        text += ". It ends with the best so far";
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
        Slot::Proposal => "Looking at the table, to propose a policy".to_owned(),
        Slot::Columns => "Looking at the columns".to_owned(),
        Slot::Levels(name) => format!("Counting the levels of {}", words::label(name)),
        Slot::Values(name) => format!("Reading the values of {}", words::label(name)),
        Slot::Profile => "Looking at the risk of the table".to_owned(),
        Slot::Advice => "Working out what is reachable".to_owned(),
        Slot::Comparison => "Trying the choices".to_owned(),
        Slot::Lattice => "Looking at the lattice".to_owned(),
        Slot::Node => "Looking at a node of the lattice".to_owned(),
        Slot::Release => "Making the release".to_owned(),
        Slot::Verified => "Checking the release".to_owned(),
        Slot::Attack => "Trying the attacks".to_owned(),
        Slot::Measure => "Measuring".to_owned(),
        Slot::Linkage => "Joining it with earlier releases".to_owned(),
    }
}

pub(crate) const RUNNING: &str = "Under way";
pub(crate) const STOP_WITH_BEST: &str = "Stop with the best so far";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CANCELLED: &str = "It was cancelled; nothing was written.";
pub(crate) const BEST_SO_FAR: &str = "The search ends with the best that it has.";

pub(crate) fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Numbers => "numbers",
        ColumnKind::Dates => "dates",
        ColumnKind::Codes => "codes of digits",
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
        "names the person, or is left out for another reason: never written",
    ),
    (
        "quasi-identifier",
        'q',
        "Quasi-identifier",
        "others may know it; together with others it singles people out: generalized",
    ),
    (
        "sensitive",
        's',
        "Sensitive",
        "what nobody may learn about a person: published, protected by the principles",
    ),
    (
        "insensitive",
        'u',
        "Untouched",
        "published as it is, and nothing protects it; choose it only if nobody could tell a person by it",
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
        "Start with a table, or go on with a policy. Only files below the folder that the studio was started in are shown and used.",
    ];
    pub(crate) const COLUMNS: [&str; 3] = [
        "Columns",
        "What is each column?",
        "The proposals come from names and values. You know the table and what others may know about these people: decide each of them.",
    ];
    pub(crate) const HIERARCHIES: [&str; 3] = [
        "Hierarchies",
        "How may values become coarser?",
        "Each quasi-identifier has levels, from the value as it is to a star. The figures are of your table: how many different labels a level keeps, how many rows share the rarest, and what it costs.",
    ];
    pub(crate) const PRINCIPLES: [&str; 3] = [
        "Principles",
        "What must hold of the release?",
        "Every principle is checked on the released rows. What the table can reach at all is computed before any search.",
    ];
    pub(crate) const EXPLORE: [&str; 3] = [
        "Explore",
        "What does each choice cost?",
        "The same policy with other k, methods and limits, from one counting pass. Each choice is searched for and certified; nothing is written.",
    ];
    pub(crate) const RELEASE: [&str; 3] = [
        "Release",
        "Make the release",
        "The search proposes, the certifier decides, and only what holds is written. Then the files are checked again from their bytes alone.",
    ];
    pub(crate) const LEDGER: [&str; 3] = [
        "Ledger",
        "Earlier releases",
        "Whoever has several releases about the same people can join them. A ledger remembers what was released, and tells what joining would leave. If this is the only release about them, go on: none is needed.",
    ];
    pub(crate) const HAND_OVER: [&str; 3] = [
        "Hand over",
        "Give the release away",
        "What goes out, what stays, and how whoever gets it can check it without trusting anybody.",
    ];
    pub(crate) const SETTINGS: [&str; 3] = [
        "Settings",
        "What else the policy says",
        "Keys of the policy that no other page has: of the method, of people with several rows, of earlier releases, of how the table is read and the release written.",
    ];
    pub(crate) const HISTORY: [&str; 3] = [
        "History",
        "Every step",
        "Each change of the policy is a step, also those made outside. Nothing is thrown away: go to any of them.",
    ];
}

pub(crate) const PROBLEMS: &str = "Before anything can be released";
pub(crate) const WARNINGS: &str = "Probably not intended";
pub(crate) const POLICY_IN_ORDER: &str = "The policy can be used.";
pub(crate) const NOT_DECIDED: &str = "not decided";

pub(crate) const TABLES: &str = "Tables in this folder";
pub(crate) const POLICIES: &str = "Policies in this folder";
pub(crate) const EXAMPLES: &str = "Made-up examples";
pub(crate) const EXAMPLES_HELP: &str =
    "Nobody in them exists. The table and a policy are written to this folder.";
/// The example tables, by their names in `indistinct generate`.
pub(crate) const EXAMPLE_TABLES: [(&str, &str); 4] = [
    ("hospital", "inpatients: age, sex, zip code, nationality, admission, diagnosis, cost"),
    ("census", "a census extract: eight quasi-identifiers and an occupation"),
    ("salary", "incomes: age, birthplace, occupation, income"),
    ("survey", "answers to many questions: a wide table"),
];
pub(crate) const NO_TABLES: &str =
    "There is no table here. Put one into the folder, or make an example.";
pub(crate) const NO_POLICIES: &str =
    "There is no policy here yet: choose a table, and one is proposed.";
pub(crate) const RECENT: &str = "Opened lately";
pub(crate) const RECENT_HELP: &str = "Those in other folders are opened by their command: the studio uses the files of one folder only.";
pub(crate) const DATABASE: &str = "A table in a database";
pub(crate) const DATABASE_HELP: &str = "Its address stands in the policy, and no password may be in it: PostgreSQL takes one from PGPASSWORD or ~/.pgpass. A database in a file is one of this folder.";
pub(crate) const ADDRESS: &str = "Address";
pub(crate) const ADDRESS_HELP: &str = "postgresql://me@host/clinic, sqlite:FILE or duckdb:FILE";
pub(crate) const DATABASE_TABLE: &str = "Name of the table";
pub(crate) const NO_ADDRESS: &str =
    "that is no address of a database: postgresql://user@host/name, sqlite:FILE or duckdb:FILE";
pub(crate) const ADDRESS_NOT_ALLOWED: &str = "the policy reads from an address that you have not typed here: type it below 'A table in a database', or start the studio with the policy, if you want to connect to it";
pub(crate) const IN_DATABASE: &str = "The table is in a database, which does not tell when it changes: what is shown was counted when it was asked for.";
pub(crate) const AGAIN: &str = "Count it again";
pub(crate) const COUNTED_AGAIN: &str = "Everything is counted again.";
pub(crate) const START: &str = "Propose a policy";
pub(crate) const OPEN_NOW: &str = "open now";
pub(crate) const OPEN_IT: &str = "Open";
pub(crate) const MAKE: &str = "Make";
pub(crate) const ROWS: &str = "Rows";
pub(crate) const POLICY_FILE: &str = "Policy to write";

pub(crate) const PROPOSED: &str = "Proposed";
pub(crate) const COLUMN_KEYS: &str = "With a column in focus one key sets its role: i identifier, q quasi-identifier, s sensitive, u untouched. The arrow keys go to the next column.";
pub(crate) const ACCEPT_LABEL: &str = "Why it may be published nevertheless";
pub(crate) const ACCEPT: &str = "Publish it with this reason";
pub(crate) const ACCEPT_HELP: &str =
    "The reason becomes a statement of the certificate: everybody reads it.";
pub(crate) const SINGLED_OUT: &str = "What singles rows out";
pub(crate) const UNTOUCHED: &str = "Published as it is, and nothing protects it: whoever knows it of a person can find that person's row by it.";

/// The reason for a proposed role. The policy file contains a capitalized warning, which the page
/// displays in lowercase next to the buttons.
pub(crate) fn reason(reason: &str) -> String {
    let plain = reason.trim_start_matches("CHECK: ");
    plain.replacen("HARD TO TELL", "hard to tell", 1)
}

pub(crate) const PARAMETERS_OF: &str = "What it protects against, and its parameters";
pub(crate) const WRITTEN_AS: &str = "How its values are written";
pub(crate) const WRITTEN_PLAINLY: &str = "– (texts, or 1234.56, or YYYY-MM-DD)";
pub(crate) const HOW_MISSING_IS_READ: &str = "Change it in Settings, null_values";
pub(crate) const OF_PEOPLE: &str =
    "Rows with one value of it are about one person: principles count people as well as rows.";
pub(crate) const OF_HOUSEHOLDS: &str = "Rows with one value of it are about one household: principles count households as well as rows.";
pub(crate) const ROWS_TOGETHER: &str = "All rows of a person get the same values. A column that changes from row to row, such as the date of a visit, then becomes a star at once; with “apart” each row has values of its own.";
pub(crate) const OF_PEOPLE_SETTINGS: &str = "Change it in Settings, People with several rows";

pub(crate) const TO_CONFIRM: &str = "to be confirmed";
pub(crate) const CONFIRM: &str = "Press the role that it has: then this is decided.";

pub(crate) const NOT_NAMED: &str = "The policy does not name this column.";

pub(crate) fn role_set(name: &str, role: &str) -> String {
    format!("{} is {}", words::label(name), role_name(role).to_lowercase())
}

pub(crate) fn histogram(name: &str, n_bars: usize) -> String {
    format!("How the values of {} are distributed, in {} bars", words::label(name), n_bars)
}
