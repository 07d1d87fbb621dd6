//! Sentences about the available choices: hierarchies, principles, methods, and the lattice.

use indistinct::lattice::{Lattice, Survey, SurveyedNode};
use indistinct::principle::Subject;
use indistinct::words;

pub(crate) const KIND_OF_HIERARCHY: &str = "How";
pub(crate) const DATES_OF_SEVERAL_WAYS: &str = "A value stays as it is or becomes a star, with nothing between: these dates have no hierarchy yet. Take one of dates below. If they are written in several ways it does not fit: say on the page Columns which way it is, write them all as YYYY-MM-DD in the table, or make the column an identifier, which leaves it out.";
pub(crate) const NOTHING_BETWEEN: &str = "A value stays as it is or becomes a star, with nothing between. Steps between lose less: type them below, as a tree or a line for each value.";
pub(crate) const HIERARCHY_KINDS: [(&str, &str); 8] = [
    ("flat", "The value or a star"),
    ("intervals", "Intervals of numbers"),
    ("mask", "Characters hidden one by one"),
    ("dates", "Months, quarters, years"),
    ("csv", "A file in the format of ARX"),
    ("tree", "A tree, by lines"),
    ("rows", "Every value with its labels, by lines"),
    ("written", "As the policy writes it"),
];
pub(crate) const TREE: &str = "The tree";
pub(crate) const TREE_HELP: &str = "A label, and below it, further to the right, what belongs to it: labels again, or values. Each value stands in one place.";
pub(crate) const ARX_ROWS: &str = "The lines";
pub(crate) const ARX_ROWS_HELP: &str = "One for each value, as in a file of ARX: value;label;coarser label, as many in each line. The last is usually a star.";
pub(crate) const MISSING_VALUES: &str = "Missing values";
pub(crate) const MISSING_RULES: [(&str, &str); 3] = [
    ("", "as the policy does by itself"),
    ("separate-value", "are a value of their own"),
    ("error", "are an error"),
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
pub(crate) fn unprotected(attribute: &str) -> String {
    format!(
        "No principle is about the sensitive column {}: a class may have one value of it in all its rows, and then everybody knows it of everybody there.",
        words::label(attribute)
    )
}

pub(crate) fn protect(kind: &str, attribute: &str, parameter: &str, least: u64) -> String {
    format!("Ask for {kind} of {}, {parameter} = {least}", words::label(attribute))
}

pub(crate) const PROTECTS: &str = "Protects against, as far as its definition goes";

/// The kind of disclosure that a principle prevents.
pub(crate) fn protects_against(subject: Subject) -> &'static str {
    match subject {
        Subject::Class => {
            "Finding the row of a person whose quasi-identifiers are known (identity disclosure)."
        }
        Subject::SensitiveAttribute => {
            "Learning a sensitive value of a person whose class is known (attribute disclosure)."
        }
        Subject::Population => {
            "Learning whether a person of the population is in the table (membership disclosure)."
        }
    }
}

pub(crate) const DOES_NOT_PROTECT: &str = "Does not protect against";
pub(crate) const SOURCE: &str = "Source";
pub(crate) const EXPERIMENTAL: &str = "Experimental";
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
pub(crate) const METHODS_HELP: &str = "none ticked: all that go with the policy";
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
pub(crate) const LIMIT_HELP: &str = "from 0 to 1: 0.02 is 2 of 100 rows";
pub(crate) const SEED: &str = "Seed";
pub(crate) const SEED_HELP: &str = "makes random choices repeatable; never released";

pub(crate) const ALSO_VARY: &str = "Also vary";
pub(crate) const VARY_HELP: &str = "several, with commas between; empty: as the policy says";
/// Describes a choice that was adopted as the policy. `varied` contains principles with their
/// parameters and values.
pub(crate) fn choice_taken(
    method: &str,
    k: &str,
    limit: &str,
    varied: &[(&str, &str, &str)],
) -> String {
    let varied = varied.iter().map(|(kind, key, value)| format!(", {kind}: {key} = {value}"));
    format!("{method}, k = {k}, limit {limit}{}", varied.collect::<String>())
}

pub(crate) const LATTICE: &str = "The lattice of levels";
pub(crate) const LATTICE_HELP: &str = "Each mark is one choice of a level for every quasi-identifier, the coarsest on top. Whole classes are left out where a principle fails in them; whether a choice does better without other rows is not looked at.";
pub(crate) const LATTICE_OTHER: &str = "The policy has another method, which gives each class values of its own: its release is no node of this picture. Compare both above.";
pub(crate) const LATTICE_OF_CELLS: &str = "The policy suppresses single cells. Here rows that stand in the way are counted as left out; in a release only some of their cells become *.";
pub(crate) const DRAW_LATTICE: &str = "Draw the lattice";
pub(crate) const NO_LATTICE: &str = "The method of the policy makes something else than one table of coarser values: there is no lattice to be drawn.";
pub(crate) const NO_NODE: &str =
    "No node satisfies the policy. The marks tell what each would still need.";
pub(crate) const LATTICE_PICTURE: &str = "The lattice as a picture";
pub(crate) const MARK_BEST: &str = "best: satisfies the policy with the least loss";
pub(crate) const MARK_MINIMAL: &str = "minimal: satisfies it, and no finer node does";
pub(crate) const MARK_FEASIBLE: &str = "satisfies the policy";
pub(crate) const MARK_INFEASIBLE: &str = "does not satisfy the policy";
pub(crate) const BARS: &str = "Bars: how many nodes a layer has. Marks and lines: the way through the best one, and its neighbors.";
pub(crate) const LAYERS: &str = "The layers as numbers";
pub(crate) const LAYER_COLUMNS: [&str; 5] =
    ["steps up", "nodes", "looked at", "satisfy the policy", "minimal"];
pub(crate) const LEVELS: &str = "Levels";
pub(crate) const CHOOSE_NODE: &str = "Any node, by its levels";
pub(crate) const SHOW_NODE: &str = "Show this node";
pub(crate) const NODE_FIGURES: [&str; 5] = [
    "rows left out",
    "rows that would have to go",
    "classes",
    "highest risk of a row",
    "loss, 0 to 1",
];
pub(crate) const NODE_HOLDS: &str = "satisfies the policy";
pub(crate) const NODE_FAILS: &str = "does not satisfy the policy";
pub(crate) const NODE_AS_IT_IS: &str =
    "The other figures and the rows are with these levels before any row is left out.";
pub(crate) const BEFORE_AND_AFTER: &str = "Before and after: some rows";
pub(crate) const BECOMES: &str = "becomes";
pub(crate) const LEFT_OUT: &str = "left out";
pub(crate) const SOME_CLASSES: &str = "Classes: the smallest and the largest";
pub(crate) const PIN: &str = "Allow these levels only";
pub(crate) const PIN_HELP: &str = "Sets the lowest and highest level of each quasi-identifier to these, and the method that follows levels. Undo takes it back.";

/// The levels of a node, with the attribute names.
pub(crate) fn levels(attributes: &[(String, usize)], levels: &[usize]) -> String {
    let each = attributes.iter().zip(levels);
    let each: Vec<String> =
        each.map(|((name, _), level)| format!("{} {level}", words::label(name))).collect();
    each.join(", ")
}

pub(crate) fn pinned(names: &[String], levels: &[i64]) -> String {
    let each: Vec<String> = names
        .iter()
        .zip(levels)
        .map(|(name, level)| format!("{} {level}", words::label(name)))
        .collect();
    format!("only levels {}", each.join(", "))
}

pub(crate) fn best_node(levels: &str) -> String {
    format!("The best one has levels {levels}.")
}

/// Describes the extent of a survey.
pub(crate) fn surveyed(survey: &Survey) -> String {
    let n_satisfying = survey.nodes.iter().filter(|node| node.satisfied.is_some()).count() as u64;
    let n_minimal = survey.nodes.iter().filter(|node| node.is_minimal).count() as u64;
    let nodes = words::counted(survey.n_nodes, "node", "nodes");
    match survey.is_whole {
        true => format!(
            "{nodes}: {} the policy, {} of them minimal.",
            words::counted(n_satisfying, "satisfies", "satisfy"),
            words::thousands(n_minimal)
        ),
        false => format!(
            "{nodes}: too many to look at each. Shown are {}: the way through the best one, and its neighbors.",
            words::thousands(survey.nodes.len() as u64)
        ),
    }
}

pub(crate) fn lattice_picture(layers: &[u64]) -> String {
    format!(
        "{} of nodes, the coarsest on top",
        words::counted(layers.len() as u64, "layer", "layers")
    )
}

/// The label of a mark for screen readers.
pub(crate) fn node_label(lattice: &Lattice, mark: &str, node: &SurveyedNode) -> String {
    let levels = levels(&lattice.attributes, &node.levels);
    let figures = match (node.satisfied, node.n_needed) {
        (Some(found), _) => format!(
            "{} {}, {} left out, {}",
            lattice.objective,
            words::number(found.objective),
            words::rows(found.n_suppressed),
            words::counted(found.n_classes, "class", "classes")
        ),
        (None, Some(n)) => format!("the search would have to leave out {}", words::rows(n)),
        (None, None) => format!("{} in classes that fail", words::rows(node.n_failing)),
    };
    format!("{levels}: {mark}; {figures}")
}

pub(crate) const BY_ITSELF: &str = "left to the default";
pub(crate) const OTHER_METHOD: &str = "Take another method";
pub(crate) const NEEDS_PLAN: &str = "It follows a plan, which is made once, before any release: the command is below. Then its file is named here as plan.";
pub(crate) const NEEDS_SERIES: &str = "Each release is a version of a growing table: it needs a series here, whom the rows are about, and a ledger where the release is made.";

/// The heading of a policy section.
pub(crate) fn section(name: &str) -> String {
    let about = match name {
        "recoding" => "Recoding",
        "people" => "People with several rows",
        "population" => "The population behind a sample",
        "linkage" => "Earlier releases",
        "input" => "Reading the table",
        "search" => "The search",
        "output" => "Writing the release",
        other => return other.to_owned(),
    };
    about.to_owned()
}

pub(crate) fn settings_of(section: &str) -> String {
    format!("keys of [{section}]")
}

pub(crate) const MORE_SETTINGS: &str =
    "More about the method, and everything else that a policy says";

pub(crate) fn levels_of(name: &str) -> String {
    format!("Levels of {}", words::label(name))
}

pub(crate) fn reachable_of(name: &str) -> String {
    format!("What is reachable of {}", words::label(name))
}
