//! Every sentence of the pages, in one place. English; another language is another file of the same names.

use indistinct::columns::ColumnKind;
use indistinct::{Phase, words};

use crate::work::{Now, Slot};

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

pub(crate) fn not_a_policy(name: &str) -> String {
    format!("'{name}' is not a policy: its name does not end in .toml")
}

/// What is being done, how much of it, and how long it may take.
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
        text += &format!(", {} nodes looked at", words::thousands(now.done));
    }
    if let Some(best) = now.best {
        text += &format!(". The best so far costs {}", words::number(best.objective));
        if let Some(gap) = best.gap_fraction() {
            text += &format!(", at most {} above what is possible", words::percent(gap));
        }
    }
    if now.wants_best {
        text += ". It ends with the best so far";
    }
    text + "."
}

/// How much is done, from 0 to 1; `None` where nobody knows.
pub(crate) fn share_done(now: &Now) -> Option<f64> {
    let is_known = now.phase != Some(Phase::Search) && now.total > 0 && now.done <= now.total;
    is_known.then(|| now.done as f64 / now.total as f64)
}

/// What a question is called.
pub(crate) fn question(slot: &Slot) -> String {
    match slot {
        Slot::Columns => "Looking at the columns".to_owned(),
        Slot::Levels(name) => format!("Counting the levels of {}", words::label(name)),
        Slot::Profile => "Looking at the risk of the table".to_owned(),
        Slot::Advice => "Working out what is reachable".to_owned(),
        Slot::Comparison => "Trying the choices".to_owned(),
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
pub(crate) const BEST_ASKED: &str = "The search ends with the best that it has.";

pub(crate) fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Numbers => "numbers",
        ColumnKind::Dates => "dates",
        ColumnKind::Codes => "codes of digits",
        ColumnKind::Texts => "texts",
        ColumnKind::Nothing => "no values",
    }
}

/// Roles with the key that sets one, and what it means.
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

/// Pages: title in the navigation, heading, and the sentence below it.
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
        "Whoever has several releases about the same people can join them. A ledger remembers what was released, and tells what joining would leave.",
    ];
    pub(crate) const HAND_OVER: [&str; 3] = [
        "Hand over",
        "Give the release away",
        "What goes out, what stays, and how whoever gets it can check it without trusting anybody.",
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
pub(crate) const NO_TABLES: &str =
    "There is no table here. Put one into the folder, or make an example.";
pub(crate) const NO_POLICIES: &str =
    "There is no policy here yet: choose a table, and one is proposed.";
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
pub(crate) const NOT_NAMED: &str = "The policy does not name this column.";

pub(crate) fn role_set(name: &str, role: &str) -> String {
    format!("{} is {}", words::label(name), role_name(role).to_lowercase())
}

pub(crate) fn histogram(name: &str, n_bars: usize) -> String {
    format!("How the values of {} are distributed, in {} bars", words::label(name), n_bars)
}

pub(crate) const KIND_OF_HIERARCHY: &str = "How";
pub(crate) const HIERARCHY_KINDS: [(&str, &str); 6] = [
    ("flat", "The value or a star"),
    ("intervals", "Intervals of numbers"),
    ("mask", "Characters hidden one by one"),
    ("dates", "Months, quarters, years"),
    ("csv", "A file in the format of ARX"),
    ("written", "A tree or rows, as text"),
];
pub(crate) const WIDTHS: &str = "Widths of levels 1, 2, …";
pub(crate) const WIDTHS_HELP: &str = "each a multiple of the one before, such as 5, 10, 20";
pub(crate) const FROM: &str = "All below are one";
pub(crate) const TO: &str = "This and all above are one";
pub(crate) const SIDE: &str = "Hidden from";
pub(crate) const RIGHT: &str = "the right";
pub(crate) const LEFT: &str = "the left";
pub(crate) const DATE_LEVELS: &str = "Levels";
pub(crate) const CSV_FILE: &str = "File";
pub(crate) const WRITTEN: &str =
    "The declaration, such as { tree = { \"north\" = [\"a\", \"b\"] } }";
pub(crate) const SAVE: &str = "Save";
pub(crate) const LEVEL: &str = "Level";
pub(crate) const LABELS: &str = "Labels";
pub(crate) const RAREST: &str = "Rows of the rarest";
pub(crate) const COST: &str = "Cost";
pub(crate) const FOR_EXAMPLE: &str = "For example";
pub(crate) const NOT_SAVED: &str = "This is how it would be; it is not saved yet.";
pub(crate) const LOWEST: &str = "Never finer than level";
pub(crate) const HIGHEST: &str = "Never coarser than level";
pub(crate) const LEVEL_BOUNDS: &str = "Limits";
pub(crate) const NO_QUASI_IDENTIFIERS: &str =
    "No column is a quasi-identifier yet: decide the columns first.";

pub(crate) fn hierarchy_set(name: &str) -> String {
    format!("hierarchy of {}", words::label(name))
}

pub(crate) fn bounds_set(name: &str) -> String {
    format!("levels of {}", words::label(name))
}

pub(crate) fn missing(n: u64, n_rows: u64) -> String {
    match n {
        0 => "none missing".to_owned(),
        n => format!("{} missing ({})", words::thousands(n), words::share(n, n_rows)),
    }
}

pub(crate) const REQUIRED: &str = "Required now";
pub(crate) const NO_PRINCIPLES: &str =
    "Nothing is required yet: a release needs at least one principle.";
pub(crate) const ADD_PRINCIPLE: &str = "Add a principle";
pub(crate) const ADD: &str = "Add";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const ABOUT_COLUMN: &str = "Sensitive column";
pub(crate) const DOES_NOT_PROTECT: &str = "Does not protect against";
pub(crate) const SOURCE: &str = "Source";
pub(crate) const REACHABLE: &str = "What is reachable";
pub(crate) const WITHIN_REACH: &str = "within reach";
pub(crate) const BEYOND_REACH: &str = "beyond reach";
pub(crate) const NO_SENSITIVE: &str = "It needs a sensitive column, and there is none.";
pub(crate) const NOT_NEEDED: &str = "may be left out";

pub(crate) fn principle_added(kind: &str) -> String {
    format!("added {kind}")
}

pub(crate) fn principle_changed(kind: &str) -> String {
    format!("changed {kind}")
}

pub(crate) fn principle_removed(kind: &str) -> String {
    format!("removed {kind}")
}

pub(crate) const K_VALUES: &str = "k";
pub(crate) const LIMITS: &str = "Limits of suppression";
pub(crate) const SEVERAL: &str = "several, with commas between";
pub(crate) const METHODS: &str = "Methods";
pub(crate) const TRY: &str = "Try the choices";
pub(crate) const ALL_CHOICES: &str = "All choices";
pub(crate) const TAKE: &str = "Take it";
pub(crate) const TAKEN: &str = "this is the policy now";
pub(crate) const ON_FRONTIER: &str = "frontier";
pub(crate) const OLD_COMPARISON: &str =
    "The policy or the table was changed since these choices were tried.";
pub(crate) const RECODING: &str = "How it is recoded now";
pub(crate) const METHOD: &str = "Method";
pub(crate) const LIMIT: &str = "At most this share of the rows may be left out";
pub(crate) const SEED: &str = "Seed";
pub(crate) const SEED_HELP: &str = "makes random choices repeatable; never released";

pub(crate) fn choice_taken(method: &str, k: &str, limit: &str) -> String {
    format!("{method}, k = {k}, limit {limit}")
}

pub(crate) const DIRECTORY: &str = "Folder of the release";
pub(crate) const REPLACE: &str = "Replace a release that is there";
pub(crate) const WITH_LEDGER: &str = "Record it in";
pub(crate) const NO_LEDGER: &str = "no ledger";
pub(crate) const RELEASE_IT: &str = "Make the release";
pub(crate) const RELEASED: &str = "A release was made, and it holds what it claims.";
pub(crate) const RELEASED_FAILS: &str = "A release was made, and it does not hold what it claims. Do not hand it out, and tell the authors.";
pub(crate) const INFEASIBLE_PROVED: &str = "No recoding satisfies the policy; nothing was written.";
pub(crate) const INFEASIBLE: &str = "No recoding was found that satisfies the policy, which does not prove that there is none; nothing was written.";
pub(crate) const WAYS_OUT: &str = "Ways out";
pub(crate) const WAYS_OUT_HELP: &str = "Each changes the policy by what would be just enough. Whether that is acceptable is yours to decide.";
pub(crate) const MADE_BEFORE: &str =
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
pub(crate) const SINGLING_OUT: &str = "Singling out: can the row of a person be isolated?";
pub(crate) const LINKABILITY: &str =
    "Linkability: can it be linked with other records of that person?";
pub(crate) const INFERENCE: &str = "Inference: can a sensitive value of that person be deduced?";
pub(crate) const ATTACKS_LIMIT: &str = "These are the attacks that were tried, under the assumptions stated. If they learned nothing, that says nothing about other attacks.";
pub(crate) const NOT_TRIED: &str = "Not tried";

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
pub(crate) const LEDGER_ADD: &str = "Record it";
pub(crate) const A_RELEASE: &str = "Release";
pub(crate) const LEDGER_MADE: &str = "An empty ledger was made; only you can read it.";
pub(crate) const LEDGER_ADDED: &str = "The release is recorded.";
pub(crate) const ENOUGH_REMAINS: &str = "Linked with the recorded releases, enough remains.";
pub(crate) const TOO_LITTLE_REMAINS: &str =
    "Linked with the recorded releases, too little remains.";
pub(crate) const NOTHING_REQUIRED: &str =
    "Linked with the recorded releases; nothing was required.";

pub(crate) const NO_RELEASES: &str = "There is no release in this folder yet.";
pub(crate) const GOES_OUT: &str = "What goes out";
pub(crate) const STAYS: &str = "What stays with you";
pub(crate) const STAYS_HELP: &str = "This folder has what only you may know: which value became which, what was left out, and the policy with its seed. Do not hand it out.";
pub(crate) const RECIPIENT: &str = "What the recipient does";
pub(crate) const RECIPIENT_HELP: &str = "Anyone with Indistinct can check every claim from these files alone. What the files cannot show is listed as your statement.";
pub(crate) const STATEMENTS: &str = "What you state, and the files cannot show";
pub(crate) const VERIFIED: &str = "Every claim holds, recomputed from the files.";
pub(crate) const NOT_VERIFIED: &str = "A claim does not hold. Do not hand it out.";
pub(crate) const ABOUT: &str = "What readers are told";
pub(crate) const ABOUT_HELP: &str = "These stand in the report of the next release.";
pub(crate) const ABOUT_KEYS: [(&str, &str); 5] = [
    ("title", "Title"),
    ("purpose", "Purpose"),
    ("recipient", "Recipient"),
    ("contact", "Contact"),
    ("date", "Date"),
];
pub(crate) const ABOUT_SET: &str = "what readers are told";
pub(crate) const RECODING_SET: &str = "how it is recoded";

pub(crate) const GO_THERE: &str = "Go to this step";
pub(crate) const NOTE: &str = "Note";
pub(crate) const HERE: &str = "the policy is here";
pub(crate) const THE_TEXT: &str = "The policy as text";
pub(crate) const TEXT_HELP: &str =
    "Everything a policy can say, also what no page here offers. docs/policy.md has all keys.";
pub(crate) const TEXT_SET: &str = "edited as text";
pub(crate) const NOTED: &str = "The note is kept.";

pub(crate) fn gone_to(what: &str) -> String {
    format!("The policy is as it was after: {what}")
}

pub(crate) const THE_NUMBERS: &str = "The numbers";
pub(crate) const ALL_OTHERS: &str = "all others";
pub(crate) const VALUE: &str = "value";
pub(crate) const N_ROWS: &str = "rows";
pub(crate) const N_QUASI_IDENTIFIERS: &str = "quasi-identifiers";

/// What a column holds, in a line.
pub(crate) fn facts(kind: ColumnKind, n_distinct: u64, n_unique: u64, missing: &str) -> String {
    let unique = match n_unique {
        0 => "none of them unique".to_owned(),
        n => format!("{} unique", words::thousands(n)),
    };
    format!("{}, {} distinct, {unique}, {missing}", self::kind(kind), words::thousands(n_distinct))
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

pub(crate) const LOSSES: &str = "What was lost (lower is better)";
pub(crate) const LOSS: &str = "loss";
pub(crate) const FIGURE: &str = "figure";
pub(crate) const DISTRIBUTIONS: &str =
    "Distributions: the share of rows that would have to change their value";
pub(crate) const COLUMN: &str = "column";
pub(crate) const CHANGED: &str = "changed";
pub(crate) const NEAREST: &str = "What comes nearest";

pub(crate) fn suppressible(n: u64, n_rows: u64) -> String {
    format!("At most {} of {} may be left out.", words::thousands(n), words::rows(n_rows))
}

/// What the nearest recoding would still need.
pub(crate) fn needed(n_suppressed: Option<u64>, n_failing: u64) -> String {
    match n_suppressed {
        Some(n) => format!("{} would have to be left out.", words::rows(n)),
        None => format!(
            "{} are in classes that fail, and the class of starred rows would fail, too.",
            words::rows(n_failing)
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
pub(crate) const LINKED_WITH_NONE: &str = "No recorded release has people in common with it.";

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

pub(crate) const FILE: &str = "file";
pub(crate) const N_BYTES: &str = "bytes";

pub(crate) fn differences(n: u64) -> String {
    words::counted(n, "difference", "differences")
}

/// That a change is in the policy file.
pub(crate) fn saved(what: &str) -> String {
    format!("Saved in the policy: {what}.")
}

pub(crate) fn accepted(name: &str) -> String {
    format!("{} may be published though it looks like an identifier", words::label(name))
}
