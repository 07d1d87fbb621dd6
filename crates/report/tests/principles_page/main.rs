//! Checks that `docs/principles.md` is up to date and that its links are valid. `UPDATE_DOCS=1`
//! updates the page.

mod page;

use std::path::PathBuf;

use indistinct_core::principle::{ParameterKind, ParameterSpec, REGISTRY};

use page::principles_page;

fn document(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(document(name)).unwrap_or_default()
}

/// The anchors of a Markdown page, as GitHub generates them.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let retained =
                text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            retained.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn principles_page_is_up_to_date() {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(document("principles.md"), principles_page()).expect("docs/ is writable");
    }
    assert!(
        read("principles.md") == principles_page(),
        "docs/principles.md is outdated; run UPDATE_DOCS=1 cargo test -p indistinct-report"
    );
}

#[test]
fn every_kind_is_documented_with_all_parameters() {
    fn paths(specs: &[ParameterSpec], within: &str, all: &mut Vec<String>) {
        for spec in specs {
            all.push(format!("{within}{}", spec.name));
            if let ParameterKind::Table { fields } = spec.kind {
                paths(fields, &format!("{within}{}.", spec.name), all);
            }
        }
    }
    let page = principles_page();
    let sections: Vec<&str> = page.split("\n## ").collect();
    for kind in REGISTRY {
        let section = sections
            .iter()
            .find(|section| section.lines().next() == Some(kind.name))
            .unwrap_or_else(|| panic!("the page has no section on {}", kind.name));
        let mut all = Vec::new();
        paths(kind.parameters, "", &mut all);
        for path in all {
            assert_eq!(section.matches(&format!("\n| `{path}` |")).count(), 1, "{}", kind.name);
        }
        for text in [kind.definition, kind.does_not_protect_against, kind.level] {
            assert!(section.contains(text), "{}: {text}", kind.name);
        }
    }
    assert!(
        page.contains(
            "\n| `other_sensitive` | \"ignored\" or \"quasi-identifier\" | `\"ignored\"` |"
        )
    );
    assert!(page.contains("\n| `negative.c2` |"));
}

#[test]
fn principles_page_links_resolve() {
    let page = principles_page();
    let (here, readings) = (anchors(&page), read("readings.md"));
    let there = anchors(&readings);
    let targets: Vec<&str> =
        page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(targets.len() > REGISTRY.len());
    for target in targets {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let found = match file {
            "" => here.iter().any(|it| it == anchor),
            "readings.md" => anchor.is_empty() || there.iter().any(|it| it == anchor),
            file => document(file).exists(),
        };
        assert!(found, "{target} does not exist");
    }
    for reading in REGISTRY.iter().flat_map(|kind| kind.readings) {
        let entry = |end: &str| readings.contains(&format!("**{reading}{end}"));
        assert!(
            entry(".") || entry(" (") || entry(","),
            "docs/readings.md does not contain reading {reading}"
        );
    }
}
