//! Enforces the layers of the workspace with `cargo metadata`, and the files that each kind of
//! addition touches, as listed in CONTRIBUTING.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// The workspace crates on which each crate may depend, except in tests. Unlisted crates fail the
/// test.
const ALLOWED: &[(&str, &[&str])] = &[
    ("indistinct-diagnostics", &[]),
    (
        "indistinct-profiling",
        &[
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-engine",
            "indistinct-labels",
            "indistinct-policy",
        ],
    ),
    ("indistinct-core", &["indistinct-diagnostics", "indistinct-labels"]),
    // Only the conformance program has dependencies; see `oracles_share_no_code_with_the_core`.
    (
        "indistinct-testkit",
        &["indistinct-core", "indistinct-diagnostics", "indistinct-linkage", "indistinct-search"],
    ),
    ("indistinct-search", &["indistinct-core", "indistinct-diagnostics", "indistinct-linkage"]),
    ("indistinct-linkage", &["indistinct-core", "indistinct-diagnostics", "indistinct-labels"]),
    ("indistinct-ledger", &["indistinct-core", "indistinct-diagnostics", "indistinct-linkage"]),
    ("indistinct-policy", &["indistinct-core", "indistinct-diagnostics"]),
    ("indistinct-engine", &["indistinct-core", "indistinct-diagnostics", "indistinct-labels"]),
    (
        "indistinct-release",
        &[
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-engine",
            "indistinct-labels",
            "indistinct-linkage",
            "indistinct-policy",
        ],
    ),
    ("indistinct-sql", &["indistinct-core", "indistinct-diagnostics", "indistinct-engine"]),
    (
        "indistinct-adbc",
        &["indistinct-core", "indistinct-diagnostics", "indistinct-engine", "indistinct-sql"],
    ),
    ("indistinct-objects", &["indistinct-engine"]),
    ("indistinct-import", &["indistinct-diagnostics", "indistinct-policy"]),
    ("indistinct-generate", &["indistinct-diagnostics", "indistinct-engine"]),
    (
        "indistinct-answers",
        &[
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-ledger",
            "indistinct-linkage",
            "indistinct-measure",
            "indistinct-methods",
            "indistinct-profiling",
            "indistinct-release",
        ],
    ),
    (
        "indistinct-report",
        &[
            "indistinct-answers",
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-labels",
            "indistinct-release",
            "indistinct-render",
            "indistinct-text",
        ],
    ),
    ("indistinct-measure", &["indistinct-core", "indistinct-diagnostics"]),
    ("indistinct-attack", &["indistinct-core", "indistinct-diagnostics", "indistinct-labels"]),
    (
        "indistinct-methods",
        &[
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-engine",
            "indistinct-labels",
            "indistinct-ledger",
            "indistinct-linkage",
            "indistinct-policy",
            "indistinct-release",
            "indistinct-search",
        ],
    ),
    (
        "indistinct-advice",
        &[
            "indistinct-answers",
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-methods",
            "indistinct-release",
        ],
    ),
    (
        "indistinct",
        &[
            "indistinct-advice",
            "indistinct-answers",
            "indistinct-attack",
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-engine",
            "indistinct-generate",
            "indistinct-import",
            "indistinct-ledger",
            "indistinct-linkage",
            "indistinct-measure",
            "indistinct-methods",
            "indistinct-policy",
            "indistinct-profiling",
            "indistinct-release",
            "indistinct-render",
            "indistinct-report",
            "indistinct-search",
            "indistinct-sql",
            "indistinct-text",
        ],
    ),
    (
        "indistinct-cli",
        &[
            "indistinct",
            "indistinct-adbc",
            "indistinct-diagnostics",
            "indistinct-objects",
            "indistinct-render",
            "indistinct-studio",
        ],
    ),
    // The studio makes no decisions. It calls the façade and displays documents, and depends on no
    // lower layer.
    ("indistinct-studio", &["indistinct", "indistinct-render"]),
    (
        "indistinct-experiments",
        &[
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-generate",
            "indistinct-linkage",
            "indistinct-measure",
            "indistinct-render",
            "indistinct-search",
            "indistinct-text",
        ],
    ),
    ("indistinct-labels", &["indistinct-diagnostics"]),
    // The crate for sentences depends on every crate with answer types; none of them may depend on
    // it.
    (
        "indistinct-text",
        &[
            "indistinct-answers",
            "indistinct-attack",
            "indistinct-core",
            "indistinct-diagnostics",
            "indistinct-labels",
            "indistinct-ledger",
            "indistinct-linkage",
            "indistinct-measure",
            "indistinct-methods",
            "indistinct-policy",
            "indistinct-profiling",
            "indistinct-release",
        ],
    ),
    ("indistinct-render", &["indistinct-text"]),
];

struct Arrow {
    from: String,
    to: String,
    kind: DependencyKind,
}

/// All dependencies between workspace crates.
fn arrows() -> (BTreeSet<String>, Vec<Arrow>) {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .expect("`cargo metadata` succeeds for the workspace");
    let packages: Vec<Package> = metadata.workspace_packages().into_iter().cloned().collect();
    let members: BTreeSet<String> =
        packages.iter().map(|package| package.name.to_string()).collect();
    let arrows = packages
        .iter()
        .flat_map(|package| {
            package.dependencies.iter().map(|dependency| Arrow {
                from: package.name.to_string(),
                to: dependency.name.clone(),
                kind: dependency.kind,
            })
        })
        .filter(|arrow| members.contains(&arrow.to))
        .collect();
    (members, arrows)
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let (members, arrows) = arrows();
    for member in &members {
        assert!(allowed.contains_key(member.as_str()), "{member} is missing in the list of layers");
    }
    for Arrow { from, to, kind } in &arrows {
        if *kind != DependencyKind::Development {
            assert!(
                allowed[from.as_str()].contains(&to.as_str()),
                "{from} must not depend on {to}"
            );
        }
    }
    assert!(arrows.iter().any(|arrow| arrow.from == "indistinct-cli" && arrow.to == "indistinct"));
}

/// Crates in separate workspaces depend only on the listed crates.
#[test]
fn external_crates_use_only_listed_dependencies() {
    let outside: [(&str, &[&str]); 3] = [
        (
            "crates/cluster",
            &[
                "indistinct",
                "indistinct-cli",
                "indistinct-core",
                "indistinct-sql",
                "indistinct-engine",
            ],
        ),
        ("python", &["indistinct", "indistinct-cli"]),
        (
            "crates/testkit/fuzz",
            &[
                "indistinct",
                "indistinct-core",
                "indistinct-engine",
                "indistinct-ledger",
                "indistinct-linkage",
                "indistinct-policy",
                "indistinct-release",
                "indistinct-testkit",
            ],
        ),
    ];
    for (folder, allowed) in outside {
        let manifest = format!("{}/../../{folder}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
        let metadata = metadata.expect("`cargo metadata` succeeds for the crate");
        let used: Vec<&str> = metadata.packages[0]
            .dependencies
            .iter()
            .filter(|it| it.kind != DependencyKind::Development && it.path.is_some())
            .map(|it| it.name.as_str())
            .collect();
        assert!(used.contains(&"indistinct"), "{folder}: {used:?}");
        let further: Vec<&&str> = used.iter().filter(|it| !allowed.contains(it)).collect();
        assert!(further.is_empty(), "{folder} must not depend on {further:?}");
    }
}

/// The crates that a crate reaches through non-development dependencies, each with the dependency
/// path.
fn reached<'a>(from: &'a str, arrows: &'a [Arrow]) -> BTreeMap<&'a str, &'a str> {
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        let ships = |arrow: &&Arrow| arrow.kind != DependencyKind::Development && arrow.from == at;
        for arrow in arrows.iter().filter(ships) {
            if found.insert(&arrow.to, at).is_none() {
                open.push(&arrow.to);
            }
        }
    }
    found
}

/// Crates that verify a release must not depend on searches, directly or indirectly.
#[test]
fn verifying_crates_do_not_depend_on_search() {
    let (members, arrows) = arrows();
    for checker in ["indistinct-release", "indistinct-core", "indistinct-policy"] {
        assert!(
            members.contains(checker),
            "unknown crate {checker}: update the test if it was renamed"
        );
        let reached = reached(checker, &arrows);
        for search in ["indistinct-search", "indistinct-methods", "indistinct"] {
            assert!(
                members.contains(search),
                "unknown crate {search}: update the test if it was renamed"
            );
            let by = reached.get(search);
            assert!(by.is_none(), "{checker} depends on {search} through {}", by.unwrap_or(&""));
        }
    }
    // This check detects indirect dependencies: the command line reaches the searches only
    // indirectly.
    let direct = |arrow: &Arrow| {
        let ships = arrow.kind != DependencyKind::Development;
        ships && arrow.from == "indistinct-cli" && arrow.to == "indistinct-search"
    };
    assert!(!arrows.iter().any(direct));
    assert!(reached("indistinct-cli", &arrows).contains_key("indistinct-search"));
    assert!(reached("indistinct-release", &arrows).contains_key("indistinct-core"));
}

#[test]
fn test_kit_is_a_development_dependency() {
    let (_, arrows) = arrows();
    let users: Vec<&Arrow> =
        arrows.iter().filter(|arrow| arrow.to == "indistinct-testkit").collect();
    assert!(!users.is_empty());
    for Arrow { from, kind, .. } in users {
        assert_eq!(
            *kind,
            DependencyKind::Development,
            "{from} depends on the test kit outside tests"
        );
    }
}

#[test]
fn oracles_share_no_code_with_the_core() {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut n_oracles = 0;
    for entry in std::fs::read_dir(sources).expect("the source folder exists") {
        let path = entry.expect("the folder is readable").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("the source file is readable");
            let uses = |name: &str| text.contains(name);
            assert!(!uses("indistinct_core"), "{} must not use the core", path.display());
            assert!(!uses("indistinct_search"), "{} must not use the search", path.display());
            assert!(!uses("indistinct_linkage"), "{} must not use the linkage", path.display());
            n_oracles += 1;
        }
    }
    assert!(n_oracles > 8, "expected more than 8 files, found {n_oracles}");
}

/// The rows of the table in CONTRIBUTING: the kind of addition, the files to change, and the
/// example.
fn rows_of_additions() -> Vec<[String; 3]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CONTRIBUTING.md");
    let text = std::fs::read_to_string(path).expect("CONTRIBUTING.md is readable");
    let rows = text.lines().skip_while(|line| !line.starts_with("| you want to add")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|line| {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().to_owned());
        std::array::from_fn(|_| cells.next().expect("three cells"))
    });
    rows.collect()
}

/// The parts of a string between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The paths of all files and folders of the crates and of `.ci`, relative to the repository root.
fn all_paths() -> BTreeSet<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut open = vec![root.join("crates"), root.join(".ci")];
    let mut found = BTreeSet::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let from_root =
                path.strip_prefix(root).expect("the path is below the root").display().to_string();
            if path.is_dir() {
                found.insert(format!("{from_root}/"));
                open.push(path);
            } else {
                found.insert(from_root);
            }
        }
    }
    found
}

#[test]
fn documented_addition_paths_exist() {
    let (rows, all) = (rows_of_additions(), all_paths());
    assert!(rows.len() >= 14, "{}", rows.len());
    for [what, touches, example] in &rows {
        let example = quoted(example).next().expect("an example");
        let name = example.rsplit('/').find(|part| !part.is_empty()).unwrap_or(example);
        let name = name.strip_suffix(".rs").unwrap_or(name);
        let is_path = |it: &&str| it.contains('/') || it.ends_with(".rs");
        for path in quoted(touches).filter(is_path) {
            let path = path.replace("NAME", name);
            let is_it = |known: &String| *known == path || known.ends_with(&format!("/{path}"));
            assert!(all.iter().any(is_it), "{what}: {path} does not exist");
        }
    }
}

/// Counts lines of code like `.ci/size`, without tests, comments, and blank lines.
fn code_lines(folder: &Path) -> usize {
    let mut n_lines = 0;
    for entry in std::fs::read_dir(folder).expect("the source folder is readable").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            n_lines += code_lines(&path);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).expect("the source file is readable");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().map(str::trim);
            n_lines += lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        }
    }
    n_lines
}

/// The façade only coordinates: mathematics and sentences belong to lower layers.
#[test]
fn facade_has_at_most_6310_lines_of_code() {
    let n_lines = code_lines(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../indistinct/src")));
    assert!((1_000..=6_310).contains(&n_lines), "{n_lines}");
}
