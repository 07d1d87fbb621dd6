//! Sentences about the available choices: hierarchies, principles, methods, and the lattice.

use indistinct::lattice::{Lattice, Survey, SurveyedNode};
use indistinct::principle::Subject;
use indistinct::words;

pub(crate) const KIND_OF_HIERARCHY: &str = "Type of hierarchy";
pub(crate) const DATES_OF_SEVERAL_WAYS: &str = "These dates have no hierarchy yet: a date either \
                                                remains unchanged or becomes a star. Choose \
                                                “Months, quarters, years” below. If this choice \
                                                does not match the notation of the dates, declare \
                                                the notation on the Columns page, convert the \
                                                dates to YYYY-MM-DD, or make the column an \
                                                identifier, which is never released.";
pub(crate) const NOTHING_BETWEEN: &str = "A value either remains unchanged or becomes a star. \
                                          Intermediate levels lose less information: enter them \
                                          below as a tree, or as one line for each value.";
pub(crate) const HIERARCHY_KINDS: [(&str, &str); 8] = [
    ("flat", "Original value or star"),
    ("intervals", "Numeric intervals"),
    ("mask", "Masked characters"),
    ("dates", "Months, quarters, years"),
    ("csv", "A file in ARX format"),
    ("tree", "A tree of labels"),
    ("rows", "A list of values with their labels"),
    ("written", "A declaration in TOML"),
];
pub(crate) const TREE: &str = "Tree";
pub(crate) const TREE_HELP: &str = "Enter each label on a line. The labels or values that it \
                                    covers follow on more indented lines. Each value must occur \
                                    exactly once.";
pub(crate) const ARX_ROWS: &str = "Values and labels";
pub(crate) const ARX_ROWS_HELP: &str = "Enter one line for each value, as in an ARX file: \
                                        value;label;coarser label. All lines must have the same \
                                        number of fields. The last label is usually a star.";
pub(crate) const MISSING_VALUES: &str = "Missing values";
pub(crate) const MISSING_RULES: [(&str, &str); 3] = [
    ("", "use the default"),
    ("separate-value", "treat as a separate value"),
    ("error", "report an error"),
];

pub(crate) const WIDTHS: &str = "Widths of levels 1, 2, …";
pub(crate) const WIDTHS_HELP: &str = "each a multiple of the previous width, such as 5, 10, 20";
pub(crate) const FROM: &str = "Lower bound (all smaller values form one interval)";
pub(crate) const TO: &str = "Upper bound (this and all larger values form one interval)";
pub(crate) const SIDE: &str = "Mask from";
pub(crate) const RIGHT: &str = "the right";
pub(crate) const LEFT: &str = "the left";
pub(crate) const DATE_LEVELS: &str = "Levels";
pub(crate) const CSV_FILE: &str = "File";
pub(crate) const WRITTEN: &str = "Declaration, such as { tree = { \"north\" = [\"a\", \"b\"] } }";
pub(crate) const SAVE: &str = "Save";
pub(crate) const LEVEL: &str = "Level";
pub(crate) const LABELS: &str = "Labels";
pub(crate) const RAREST: &str = "Rows with the rarest label";
pub(crate) const COST: &str = "Loss";
pub(crate) const FOR_EXAMPLE: &str = "Examples";
pub(crate) const NOT_SAVED: &str = "Preview (not saved)";
pub(crate) const LOWEST: &str = "Minimum level";
pub(crate) const HIGHEST: &str = "Maximum level";
pub(crate) const LEVEL_BOUNDS: &str = "Limits";
pub(crate) const NO_QUASI_IDENTIFIERS: &str =
    "No column is a quasi-identifier yet. Choose the roles of the columns first.";

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

pub(crate) const REQUIRED: &str = "Principles of the policy";
pub(crate) const NO_PRINCIPLES: &str =
    "The policy does not require any principle yet, but a release needs at least one.";
pub(crate) const ADD_PRINCIPLE: &str = "Add a principle";
pub(crate) const ADD: &str = "Add";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const ABOUT_COLUMN: &str = "Sensitive column";
pub(crate) fn unprotected(attribute: &str) -> String {
    format!(
        "No principle protects the sensitive column {}. If all rows of a class have the same \
         value, the value is disclosed for every person in the class.",
        words::label(attribute)
    )
}

pub(crate) fn protect(kind: &str, attribute: &str, parameter: &str, least: u64) -> String {
    format!("Require {kind} for {}, {parameter} = {least}", words::label(attribute))
}

pub(crate) const PROTECTS: &str = "Protects against the following, within the limits of its \
    definition";

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
pub(crate) const REACHABLE: &str = "Feasible parameters";
pub(crate) const WITHIN_REACH: &str = "within reach";
pub(crate) const BEYOND_REACH: &str = "beyond reach";
pub(crate) const NO_SENSITIVE: &str =
    "This principle requires a sensitive column, but the policy has none.";
pub(crate) const NOT_NEEDED: &str = "optional";

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
pub(crate) const LIMITS: &str = "Suppression limits";
pub(crate) const SEVERAL: &str = "one or more values, separated by commas";
pub(crate) const METHODS: &str = "Methods";
pub(crate) const METHODS_HELP: &str =
    "If no method is selected, all methods that support the policy are compared.";
pub(crate) const TRY: &str = "Compare choices";
pub(crate) const ALL_CHOICES: &str = "All choices";
pub(crate) const TAKE: &str = "Apply";
pub(crate) const TAKEN: &str = "current policy";
pub(crate) const ON_FRONTIER: &str = "frontier";
pub(crate) const OLD_COMPARISON: &str =
    "The policy or the table has changed since this comparison.";
pub(crate) const RECODING: &str = "Current recoding";
pub(crate) const METHOD: &str = "Method";
pub(crate) const LIMIT: &str = "Suppression limit";
pub(crate) const LIMIT_HELP: &str =
    "the maximum share of suppressed rows, from 0 to 1; 0.02 means 2 of 100 rows";
pub(crate) const SEED: &str = "Seed";
pub(crate) const SEED_HELP: &str = "makes random choices reproducible; never released";

pub(crate) const ALSO_VARY: &str = "Also vary";
pub(crate) const VARY_HELP: &str =
    "one or more values, separated by commas; if empty, the value in the policy";
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

pub(crate) const LATTICE: &str = "Lattice of levels";
pub(crate) const LATTICE_HELP: &str = "Each mark represents a node, which is a choice of one level \
    for every quasi-identifier. The coarsest choice is at the top. \
                                       Classes that violate a principle are suppressed as a whole. \
                                       The suppression of other rows is not considered.";
pub(crate) const LATTICE_OTHER: &str = "The method of the policy selects separate released values \
                                        for each class, so its release does not correspond to a \
                                        node of this picture. Compare both methods above.";
pub(crate) const LATTICE_OF_CELLS: &str = "The policy suppresses single cells. In this picture, \
                                           all rows of failing classes count as suppressed. In a \
                                           release, only some of their cells become *.";
pub(crate) const DRAW_LATTICE: &str = "Draw the lattice";
pub(crate) const NO_LATTICE: &str =
    "The method of the policy does not generalize values by level, so there is no lattice to draw.";
pub(crate) const NO_NODE: &str =
    "No node satisfies the policy. The label of each mark states how many rows violate it.";
pub(crate) const LATTICE_PICTURE: &str = "Picture of the lattice";
pub(crate) const MARK_BEST: &str = "best: satisfies the policy with the least loss";
pub(crate) const MARK_MINIMAL: &str = "minimal: satisfies the policy, but no finer node does";
pub(crate) const MARK_FEASIBLE: &str = "satisfies the policy";
pub(crate) const MARK_INFEASIBLE: &str = "does not satisfy the policy";
pub(crate) const BARS: &str = "Bars show the number of nodes in each layer. Marks and lines show \
                               the path through the best node, and its neighbors.";
pub(crate) const LAYERS: &str = "Number of nodes by layer";
pub(crate) const LAYER_COLUMNS: [&str; 5] =
    ["sum of levels", "nodes", "evaluated", "satisfy the policy", "minimal"];
pub(crate) const LEVELS: &str = "Levels";
pub(crate) const CHOOSE_NODE: &str = "Select a node by its levels";
pub(crate) const SHOW_NODE: &str = "Show this node";
pub(crate) const NODE_FIGURES: [&str; 5] = [
    "suppressed rows",
    "rows that would have to be suppressed",
    "classes",
    "highest risk of a row",
    "loss (0 to 1)",
];
pub(crate) const NODE_HOLDS: &str = "satisfies the policy";
pub(crate) const NODE_FAILS: &str = "does not satisfy the policy";
pub(crate) const NODE_AS_IT_IS: &str =
    "The other figures and the rows below show the table at these levels without suppression.";
pub(crate) const BEFORE_AND_AFTER: &str = "Before and after: sample rows";
pub(crate) const BECOMES: &str = "becomes";
pub(crate) const LEFT_OUT: &str = "left out";
pub(crate) const SOME_CLASSES: &str = "Smallest and largest classes";
pub(crate) const PIN: &str = "Allow only these levels";
pub(crate) const PIN_HELP: &str = "Sets the minimum and maximum level of each quasi-identifier to \
                                   these levels, and selects the method that generalizes by level. \
                                   You can undo this change.";

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
    format!("The best node has levels {levels}.")
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
            "{nodes}, which is too many to evaluate each of them. The picture shows {}: the path \
             through the best node, and its neighbors.",
            words::thousands(survey.nodes.len() as u64)
        ),
    }
}

pub(crate) fn lattice_picture(layers: &[u64]) -> String {
    format!(
        "{} of nodes, with the coarsest at the top",
        words::counted(layers.len() as u64, "layer", "layers")
    )
}

/// The label of a mark for screen readers.
pub(crate) fn node_label(lattice: &Lattice, mark: &str, node: &SurveyedNode) -> String {
    let levels = levels(&lattice.attributes, &node.levels);
    let figures = match (node.satisfied, node.n_needed) {
        (Some(found), _) => format!(
            "{} {}, {} suppressed, {}",
            lattice.objective,
            words::number(found.objective),
            words::rows(found.n_suppressed),
            words::counted(found.n_classes, "class", "classes")
        ),
        (None, Some(n)) => format!("the search would have to suppress {}", words::rows(n)),
        (None, None) => format!("{} in failing classes", words::rows(node.n_failing)),
    };
    format!("{levels}: {mark}; {figures}")
}

pub(crate) const BY_ITSELF: &str = "default";
pub(crate) const OTHER_METHOD: &str = "Choose another method";
pub(crate) const NEEDS_PLAN: &str = "This method follows a plan, which must be created once before \
    any release. Create it with the command below, and enter the path of the plan file as plan.";
pub(crate) const NEEDS_SERIES: &str = "Each release is a version of a growing table. This method \
                                       requires a series, a column that identifies people, and a \
                                       ledger on the Release page.";

/// The heading of a policy section.
pub(crate) fn section(name: &str) -> String {
    let about = match name {
        "recoding" => "Recoding",
        "people" => "People with several rows",
        "population" => "The population of a sample",
        "linkage" => "Earlier releases",
        "input" => "Reading the table",
        "search" => "The search",
        "output" => "Writing the release",
        other => return other.to_owned(),
    };
    about.to_owned()
}

pub(crate) fn settings_of(section: &str) -> String {
    format!("settings of [{section}]")
}

pub(crate) const MORE_SETTINGS: &str = "All other settings of the method and the policy";

pub(crate) fn levels_of(name: &str) -> String {
    format!("Levels of {}", words::label(name))
}

pub(crate) fn reachable_of(name: &str) -> String {
    format!("Feasible parameters for {}", words::label(name))
}
