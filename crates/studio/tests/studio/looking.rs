//! Exploration before a decision: lattice, trees, settings, databases, linkage before a release,
//! and answers from cached counts.

use std::time::Instant;

use axum::http::StatusCode;
use indistinct::Session;

use crate::{Desk, POLICY, table};

#[test]
fn lattice_is_drawn_with_node_details() {
    let desk = Desk::new();
    assert!(desk.page("/explore").contains("Draw the lattice"));
    desk.submit("lattice", &[]);
    let page = desk.wait_for("/explore", "Picture of the lattice");
    // The lattice has 5 levels of age, 6 of zip, and 2 of sex, and each node has a mark with a link
    // to its figures.
    assert_eq!(page.matches("href=\"/explore?level=").count(), 5 * 6 * 2, "{page}");
    assert!(page.contains("60 nodes") && page.contains("class=\"best\""), "{page}");
    assert!(page.contains("class=\"infeasible\"") && page.contains("Before and after"), "{page}");
    let raw = desk.wait_for("/explore?level=0&level=0&level=0", "Before and after");
    assert!(
        raw.contains("does not satisfy the policy")
            && raw.contains("rows that would have to be suppressed")
    );
    let top = desk.wait_for("/explore?level=4&level=5&level=1", "Before and after");
    assert!(top.contains("becomes") && top.contains("class=\"after\">*<"), "{top}");
    // If the address does not name a valid node, the page shows the best node.
    for path in ["/explore?level=9&level=9&level=9", "/explore?level=1", "/explore?level=x"] {
        assert!(desk.page(path).contains("The best node has levels"), "{path}");
    }
}

#[test]
fn lattice_follows_policy_and_levels_can_be_pinned() {
    let desk = Desk::new();
    desk.submit("lattice", &[]);
    desk.wait_for("/explore", "60 nodes");
    desk.submit("pin", &[("level", "2"), ("level", "3"), ("level", "1")]);
    desk.wait_for("/explore", "1 node");
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    let levels =
        |at: usize| (job.policy().attributes[at].min_level, job.policy().attributes[at].max_level);
    assert_eq!([levels(1), levels(2), levels(3)], [2, 3, 1].map(|it| (Some(it), Some(it))));
    assert_eq!(job.policy().recoding.method.name, "full-domain");
    let wrong = desk.submit("pin", &[("level", "2")]);
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), POLICY);
    desk.wait_for("/explore", "60 nodes");
    // A method without levels has no lattice.
    desk.submit("recoding", &[("method", "anatomy"), ("limit", "0"), ("seed", "7")]);
    assert!(desk.page("/explore").contains("there is no lattice"));
}

#[test]
fn hierarchies_can_be_edited_as_lines() {
    let desk = Desk::new();
    let lines = "all\n  young\n    f\n  old\n    m\n";
    let preview = desk.preview(&[("column", "sex"), ("kind", "tree"), ("tree", lines)]);
    assert!(
        preview.text.contains("young") && preview.text.contains("not saved"),
        "{}",
        preview.text
    );
    desk.submit("hierarchy", &[("column", "sex"), ("kind", "tree"), ("tree", lines)]);
    assert!(desk.read("policy.toml").contains("tree = { all = { young = [\"f\"]"));
    assert!(desk.page("/hierarchies").contains("all\n  young\n    f\n"));
    desk.submit(
        "hierarchy",
        &[("column", "sex"), ("kind", "rows"), ("rows", "f;person;*\nm;person;*\n")],
    );
    assert!(desk.read("policy.toml").contains("rows = [[\"f\", \"person\", \"*\"]"));
    assert!(Session::default().open(&desk.folder.join("policy.toml"), None).is_ok());
    // Intervals become editable lines.
    desk.wait_for("/hierarchies", "20;[20, 25);[20, 30);[20, 40);*");
    let empty = desk.submit("hierarchy", &[("column", "sex"), ("kind", "tree"), ("tree", " ")]);
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    desk.submit("bounds", &[("column", "age"), ("missing", "error")]);
    assert!(desk.read("policy.toml").contains("missing = \"error\""));
}

#[test]
fn every_method_key_can_be_set() {
    let desk = Desk::new();
    desk.submit("recoding", &[("method", "perturbation"), ("limit", ""), ("seed", "7")]);
    let page = desk.page("/settings");
    assert!(page.contains("name=\"key-domain\"") && !page.contains("name=\"key-align\""), "{page}");
    desk.submit(
        "settings",
        &[("section", "recoding"), ("key-domain", "{ min = 0, max = 9, step = 1 }")],
    );
    assert!(desk.read("policy.toml").contains("domain = { min = 0, max = 9, step = 1 }"));
    desk.submit("recoding", &[("method", "planned"), ("limit", ""), ("seed", "7")]);
    assert!(desk.page("/settings").contains("indistinct plan policy.toml"));
    desk.submit("recoding", &[("method", "invariant"), ("limit", ""), ("seed", "7")]);
    desk.submit(
        "settings",
        &[("section", "linkage"), ("key-series", "visits"), ("key-minimum", "{ l = 2 }")],
    );
    desk.submit("settings", &[("section", "people"), ("key-id", "mail"), ("key-rows", "")]);
    let text = desk.read("policy.toml");
    assert!(text.contains("series = \"visits\"") && text.contains("minimum = { l = 2 }"), "{text}");
    assert!(text.contains("[people]\nid = \"mail\""), "{text}");
    desk.submit("settings", &[("section", "people"), ("key-id", "")]);
    assert!(!desk.read("policy.toml").contains("[people]"), "the section was removed");
    for path in ["/settings", "/explore", "/release", "/ledger"] {
        desk.page(path);
    }
    for fields in [
        [("section", "attributes"), ("key-role", "x")],
        [("section", "search"), ("key-time_limit_seconds", "[")],
    ] {
        assert_eq!(desk.submit("settings", &fields).status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    // Files in settings must also be within the workspace.
    let outside =
        desk.submit("settings", &[("section", "linkage"), ("key-key_file", "../outside.csv")]);
    assert_eq!(outside.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn database_opens_only_for_typed_address() {
    let theirs =
        POLICY.replace("path = \"people.csv\"", "path = \"postgresql://host/name\"\ntable = \"t\"");
    let desk = Desk::with(&[("people.csv", &table(50)), ("theirs.toml", &theirs)], None);
    let refused = desk.submit_at("open", "", &[("file", "theirs.toml")]);
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("was not entered here"), "{}", refused.text);
    for (address, why) in [
        ("people.csv", "address of a database must be"),
        ("sqlite:../outside.csv", "outside the folder"),
        ("duckdb:/etc/passwd", "outside the folder"),
        // A build without database support states how to obtain it, and writes nothing.
        ("postgresql://host/name", "features databases"),
        ("postgresql://me:hunter2@host/name", "E-DATABASE"),
    ] {
        let fields = [("address", address), ("table", "t"), ("policy", "new.toml")];
        let answer = desk.submit_at("start-database", "", &fields);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{address}");
        assert!(answer.text.contains(why), "{address}: {}", answer.text);
        assert!(!desk.folder.join("new.toml").exists());
    }
}

#[test]
fn recent_files_are_remembered_by_path() {
    let scratch = tempfile::tempdir().expect("a folder");
    let state = scratch.path().join("recent.json");
    let first = Desk::remembering(
        &[("people.csv", &table(20)), ("policy.toml", POLICY)],
        Some("policy.toml"),
        &state,
    );
    let page = first.page("/");
    assert!(page.contains("Recently opened") && page.contains("id=\"recent-0\""), "{page}");
    let second = Desk::remembering(&[], None, &state);
    let page = second.page("/");
    let path = first.folder.join("policy.toml").display().to_string();
    assert!(page.contains(&format!("indistinct studio {path}")), "{page}");
    let retained = std::fs::read_to_string(&state).expect("written");
    assert!(
        retained.contains(&path) && !retained.contains("Zebra") && !retained.contains("quasi"),
        "{retained}"
    );
}

#[test]
fn ledger_previews_linkage_before_release() {
    let desk = Desk::new();
    desk.submit("ledger-init", &[("path", "all.ledger")]);
    desk.submit("release", &[("directory", "first"), ("ledger", "all.ledger")]);
    desk.wait_for("/release", "The release was created");
    desk.submit("principle-set", &[("at", "0"), ("k", "12")]);
    desk.submit("ledger-ahead", &[("ledger", "all.ledger")]);
    let page = desk.wait_for("/ledger", "After linkage with the recorded releases");
    assert!(page.contains("first") && !desk.folder.join("second").exists(), "{page}");
    desk.submit("principle-set", &[("at", "1"), ("l", "9")]);
    desk.submit("ledger-ahead", &[("ledger", "all.ledger")]);
    desk.wait_for("/ledger", "nothing to join");
}

/// Prints the response times with `cargo test -- --nocapture`. There is no time limit, because the
/// times depend on the machine.
#[test]
fn parameter_change_reuses_cached_counts() {
    let desk =
        Desk::with(&[("people.csv", &table(40_000)), ("policy.toml", POLICY)], Some("policy.toml"));
    desk.wait_for("/principles", "within reach");
    desk.submit("lattice", &[]);
    desk.wait_for("/explore", "Picture of the lattice");
    for (k, path, text) in
        [("6", "/principles", "within reach"), ("7", "/explore", "Picture of the lattice")]
    {
        desk.submit("principle-set", &[("at", "0"), ("k", k)]);
        let started = Instant::now();
        desk.wait_for(path, text);
        println!("{path} with k = {k}: {} ms", started.elapsed().as_millis());
    }
}

/// A release is computed from the current table, regardless of cached counts.
#[test]
fn release_ignores_cached_counts() {
    let desk = Desk::new();
    desk.wait_for("/principles", "within reach");
    let path = desk.folder.join("people.csv");
    let old = std::fs::metadata(&path).expect("there").modified().expect("a time");
    // The changed file has the same size and the same modification time; only Zebra77 became
    // Zebra78.
    std::fs::write(&path, table(400).replace("Zebra77", "Zebra78")).expect("written");
    let file = std::fs::File::options().write(true).open(&path).expect("opened");
    file.set_modified(old).expect("set");
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "The release was created");
    assert!(desk.read("out/data.csv").contains("Zebra78"));
    assert!(!desk.read("out/data.csv").contains("Zebra77"));
}

#[test]
fn lattice_urls_contain_no_cell_values() {
    let desk = Desk::new();
    desk.submit("lattice", &[]);
    let page = desk.wait_for("/explore", "Picture of the lattice");
    for address in page.split("href=\"").skip(1).filter_map(|it| it.split('"').next()) {
        assert!(!address.contains("Zebra") && !address.contains("example.org"), "{address}");
    }
}
