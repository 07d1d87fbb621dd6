//! The complete workflow, form by form, with checks of the resulting files.

use std::path::Path;

use axum::http::{Method, StatusCode};
use indistinct::Session;
use indistinct::anonymize::{Outcome, Replace, anonymize};

use crate::{Desk, PAGES, POLICY, files, table};

#[test]
fn every_page_works_with_and_without_policy() {
    let desk = Desk::new();
    let empty = Desk::with(&[], None);
    for path in PAGES {
        for desk in [&desk, &empty] {
            let page = desk.page(path);
            assert!(
                page.contains("<h1>") && page.contains("id=\"main\"") && page.contains("<nav"),
                "{path}"
            );
        }
    }
    assert_eq!(desk.ask(desk.own(Method::GET, "/nothing")).status, StatusCode::NOT_FOUND);
}

#[test]
fn studio_and_cli_produce_identical_files() {
    let desk = Desk::new();
    desk.submit("principle-set", &[("at", "0"), ("k", "8")]);
    desk.submit("recoding", &[("method", "multidimensional"), ("limit", "0.02"), ("seed", "11")]);
    desk.submit("release", &[("directory", "by-page")]);
    let page = desk.wait_for("/release", "The release was created");
    assert!(page.contains("all its claims were verified"), "{page}");
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    let other = desk.folder.join("by-hand");
    let Ok(Outcome::Released(_)) = anonymize(&job, &other, Replace::Forbid) else {
        panic!("no release")
    };
    assert!(files(&other).len() > 4);
    assert_eq!(files(&desk.folder.join("by-page")), files(&other));
}

#[test]
fn rows_page_shows_rows_before_and_after_recoding() {
    let desk = Desk::new();
    let original = desk.wait_for("/rows", "groups of equal rows");
    assert!(original.contains("10100") && !original.contains("<ins>"), "{original}");
    let before = desk.page("/rows?view=difference");
    assert!(before.contains("id=\"preview-rows\""), "{before}");
    assert!(!before.contains("id=\"grid\""));
    desk.submit("preview-rows", &[]);
    let difference = desk.wait_for("/rows?view=difference", "id=\"grid\"");
    assert!(difference.contains("Preview (not released)"));
    assert!(difference.contains("<del>") && difference.contains("<ins>"));
    // The address of a class contains its number, and no value.
    assert!(difference.contains("href=\"/rows?view=difference&amp;class=1\""), "{difference}");
    let next = desk.page("/rows?view=difference&first=100");
    assert!(next.contains("aria-rowindex=\"102\"") && !next.contains("aria-rowindex=\"2\""));
    let class = desk.page("/rows?view=released&class=1");
    assert!(class.contains("Only class 2 is shown.") && !class.contains("p0@example.org"));
    let sorted = desk.page("/rows?view=original&sort=0&down=yes");
    assert!(sorted.contains("aria-sort=\"descending\""));
    // The rows follow the policy. Values outside the range of an index are harmless.
    desk.submit("principle-set", &[("at", "0"), ("k", "401")]);
    desk.wait_for("/rows?view=released&sort=99&class=99&first=99999", "No recoding");
}

#[test]
fn sheet_of_a_spreadsheet_can_be_chosen() {
    let desk = Desk::with(&[("people.csv", &table(20))], None);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adbc/tests/databases/data");
    std::fs::copy(data.join("visits.xlsx"), desk.folder.join("visits.xlsx")).expect("copied");
    let page = desk.page("/");
    assert!(page.contains("visits.xlsx"), "{page}");
    assert_eq!(page.matches("name=\"sheet\"").count(), 1, "only spreadsheets have sheets");
    let start = |sheet: &str| {
        let fields = [("table", "visits.xlsx"), ("sheet", sheet), ("policy", "visits.toml")];
        desk.submit_at("start", "", &fields)
    };
    let refused = start("");
    assert!(refused.text.contains("Visits and Notes"), "{}", refused.text);
    start("Visits");
    desk.wait_for("/columns", "disease");
    assert!(desk.read("visits.toml").contains("table = \"Visits\""));
}

/// The page and the command read the same values as missing.
#[test]
fn missing_codes_of_one_column_can_be_set() {
    let desk = Desk::new();
    let shown = desk.wait_for("/columns", "Values of this column that represent a missing value");
    assert!(!shown.contains("(only in the column"), "{shown}");
    desk.submit("null_values", &[("column", "illness"), ("null_values", "Zebra77, k.A., -9")]);
    assert!(desk.read("policy.toml").contains("null_values = [\"Zebra77\", \"k.A.\", \"-9\"]"));
    let shown = desk.wait_for("/columns", "Zebra77 (only in the column illness)");
    assert!(shown.contains("100 missing"), "{shown}");
    desk.submit("null_values", &[("column", "illness"), ("null_values", " ")]);
    assert!(!desk.read("policy.toml").contains("null_values"));
}

#[test]
fn page_edits_preserve_comments() {
    let desk = Desk::new();
    let answer = desk.submit("role", &[("column", "sex"), ("role", "identifier")]);
    assert_eq!(answer.status, StatusCode::OK);
    desk.submit("bounds", &[("column", "age"), ("min_level", "1"), ("max_level", "3")]);
    desk.submit("hierarchy", &[("column", "zip"), ("kind", "mask"), ("side", "left")]);
    desk.submit("about", &[("title", "A \"title\""), ("purpose", "")]);
    let text = desk.read("policy.toml");
    for line in [
        "version = 1 # of the format",
        "# how old",
        "[attributes.sex]\nrole = \"identifier\"",
        "min_level = 1\nmax_level = 3",
        "hierarchy = { mask = \"left\" }",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    let job =
        Session::default().open(&desk.folder.join("policy.toml"), None).expect("still a policy");
    assert_eq!(job.policy().title.as_deref(), Some("A \"title\""));
}

#[test]
fn undo_reverts_and_redo_reapplies_edits() {
    let desk = Desk::new();
    desk.submit("principle-set", &[("at", "0"), ("k", "9")]);
    let changed = desk.read("policy.toml");
    assert!(changed.contains("k = 9"));
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), POLICY);
    desk.submit("redo", &[]);
    assert_eq!(desk.read("policy.toml"), changed);
    desk.submit("note", &[("step", "1"), ("note", "as the board asked")]);
    assert!(desk.page("/history").contains("as the board asked"));
    // A step can be renamed, and the undo and redo buttons show the new name.
    desk.submit(
        "note",
        &[("step", "1"), ("name", "k of the board"), ("note", "as the board asked")],
    );
    assert!(desk.page("/history").contains("Undo: k of the board"));
    desk.submit("go", &[("step", "0")]);
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn stale_tab_receives_conflict() {
    let desk = Desk::new();
    let visited = desk.hidden("/columns", "version");
    assert_eq!(
        desk.submit_at("principle-set", &visited, &[("at", "0"), ("k", "6")]).status,
        StatusCode::OK
    );
    let text = desk.read("policy.toml");
    let late = desk.submit_at("principle-set", &visited, &[("at", "0"), ("k", "7")]);
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text.contains("changed elsewhere"));
    assert_eq!(desk.read("policy.toml"), text);
}

#[test]
fn external_edit_is_adopted() {
    let desk = Desk::new();
    desk.page("/columns");
    let visited = desk.hidden("/columns", "version");
    std::fs::write(desk.folder.join("policy.toml"), POLICY.replace("k = 5", "k = 4"))
        .expect("written");
    let late = desk.submit_at("role", &visited, &[("column", "sex"), ("role", "identifier")]);
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(desk.page("/history").contains("changed outside"));
    assert!(desk.page("/principles").contains("value=\"4\""));
}

#[test]
fn infeasible_policy_shows_remedies() {
    let desk = Desk::new();
    desk.submit("principle-set", &[("at", "1"), ("l", "9")]);
    desk.submit("release", &[("directory", "out")]);
    let page = desk.wait_for("/release", "Possible remedies");
    assert!(page.contains("l = 4"), "the table contains only four illnesses: {page}");
    assert!(!desk.folder.join("out").exists(), "nothing was written");
    desk.submit("principle-set", &[("at", "1"), ("l", "4")]);
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "The release was created");
    assert!(desk.folder.join("out/certificate.json").is_file());
}

#[test]
fn invalid_hierarchy_is_reported_and_not_saved() {
    let desk = Desk::new();
    let wrong = [("column", "age"), ("kind", "intervals"), ("widths", "5, 7")];
    let preview = desk.preview(&wrong);
    assert_eq!(preview.status, StatusCode::OK);
    assert!(preview.text.contains("E-POLICY"), "{}", preview.text);
    assert_eq!(desk.read("policy.toml"), POLICY);
    let right = desk.preview(&[("column", "age"), ("kind", "intervals"), ("widths", "10, 20")]);
    assert!(right.text.contains("not saved") && right.text.contains("[20, 30)"), "{}", right.text);
    assert_eq!(desk.submit("hierarchy", &wrong).status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(desk.read("policy.toml"), POLICY);
    let nonsense =
        desk.submit("hierarchy", &[("column", "age"), ("kind", "written"), ("written", "[1")]);
    assert_eq!(nonsense.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn applied_choice_produces_displayed_loss() {
    let desk = Desk::new();
    desk.submit("compare", &[("k", "4, 10"), ("method", "multidimensional"), ("limits", "0.03")]);
    let page = desk.wait_for("/explore", "All choices");
    let loss = page.split("Apply").count();
    assert!(loss > 2, "expected two choices: {page}");
    desk.submit("take", &[("k", "10"), ("method", "multidimensional"), ("limit", "0.03")]);
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    assert_eq!(job.policy().recoding.method.name, "multidimensional");
    let comparison = indistinct::compare::compare(
        &Session::default(),
        &desk.folder.join("policy.toml"),
        &indistinct::compare::Choices {
            k: vec![10],
            methods: vec!["multidimensional".to_owned()],
            limits: vec![0.03],
            varied: Vec::new(),
        },
    )
    .expect("compared");
    let shown = comparison.choices[0].release.expect("a release").loss;
    let Ok(Outcome::Released(released)) =
        anonymize(&job, &desk.folder.join("out"), Replace::Forbid)
    else {
        panic!("no release")
    };
    assert!((released.loss["loss"] - shown).abs() < 1e-12);
}

#[test]
fn table_without_policy_gets_draft_with_questions() {
    let desk = Desk::with(&[("people.csv", &table(200))], None);
    let started =
        desk.submit_at("start", "", &[("table", "people.csv"), ("policy", "people.toml")]);
    assert_eq!(started.header("hx-redirect"), "/columns");
    let page = desk.wait_for("/columns", "e-mail addresses");
    assert!(page.contains("Identifier"), "{page}");
    for (column, role) in [
        ("age", "quasi-identifier"),
        ("zip", "quasi-identifier"),
        ("sex", "quasi-identifier"),
        ("illness", "sensitive"),
    ] {
        desk.submit("role", &[("column", column), ("role", role)]);
    }
    assert!(desk.page("/columns").contains("The policy is valid"));
    let again = desk.submit("start", &[("table", "people.csv"), ("policy", "people.toml")]);
    assert_eq!(
        again.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "an existing policy is not overwritten"
    );
}

#[test]
fn ledger_is_created_and_records_releases() {
    let desk = Desk::new();
    desk.submit("ledger-init", &[("path", "all.ledger")]);
    desk.submit("release", &[("directory", "out"), ("ledger", "all.ledger")]);
    desk.wait_for("/release", "The release was created");
    let page = desk.page("/ledger");
    assert!(page.contains("all.ledger") && page.contains("published"), "{page}");
    desk.submit("ledger-check", &[("ledger", "all.ledger"), ("release", "out")]);
    desk.wait_for("/ledger", "After linkage with the recorded releases");
    let page = desk.page("/hand-over");
    assert!(
        page.contains("indistinct verify out") && page.contains("Every claim was recomputed"),
        "{page}"
    );
}

/// All user-visible sentences are in one folder, which simplifies translation. The exceptions are
/// the errors in `lib.rs`, which belong to the command line, and panic messages.
#[test]
fn user_visible_sentences_are_in_texts_folder() {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut n_files = 0;
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                open.extend((name != "texts").then_some(path));
                continue;
            }
            n_files += 1;
            let text = std::fs::read_to_string(&path).expect("a file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines =
                code.lines().filter(|line| name != "lib.rs" && !line.trim().starts_with("//"));
            for literal in lines.flat_map(literals) {
                assert!(!is_sentence(&literal), "{}: {literal}", path.display());
            }
        }
    }
    assert!(n_files > 20);
    assert!(is_sentence("'{path}' does not exist") && is_sentence("Nothing was written"));
    assert!(
        !is_sentence("indistinct verify {}")
            && !is_sentence("default-src 'none'; script-src 'self'")
    );
}

/// The string literals of a line, except for panic messages.
fn literals(line: &str) -> Vec<String> {
    let line = line.replace("\\\"", "");
    let parts: Vec<&str> = line.split('"').collect();
    let is_panic = |before: &str| before.ends_with("expect(") || before.ends_with("panic!(");
    let inside = parts.iter().enumerate().filter(|(at, _)| at % 2 == 1);
    inside.filter(|(at, _)| !is_panic(parts[at - 1])).map(|(_, it)| (*it).to_owned()).collect()
}

/// Whether a text contains three consecutive words, unlike commands and content security policies.
fn is_sentence(text: &str) -> bool {
    let words: Vec<bool> = text
        .split(' ')
        .map(|word| {
            word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_uppercase())
        })
        .collect();
    !text.starts_with("indistinct ") && words.windows(3).any(|three| three.iter().all(|it| *it))
}

/// If a release folder from another person names a database server, the studio does not connect to
/// it, and displays the command instead.
#[test]
fn release_check_contacts_only_typed_servers() {
    let desk = Desk::new();
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "The release was created");
    let change = |file: &str, what: &str, by: &str| {
        let text = desk.read(file);
        assert!(text.contains(what), "{text}");
        std::fs::write(desk.folder.join(file), text.replace(what, by)).expect("written");
    };
    change("out/policy.toml", "[output]", "[output]\ntable = \"public.people released\"");
    let own = desk.read("out.private/policy.toml");
    let path = own.lines().find(|line| line.starts_with("path")).expect("the table").to_owned();
    for (address, shown) in [
        ("postgresql://host/clinic", "postgresql://host/clinic"),
        ("sqlite:/etc/clinic.db", "sqlite:/etc/clinic.db"),
    ] {
        std::fs::write(
            desk.folder.join("out.private/policy.toml"),
            own.replace(&path, &format!("path = \"{address}\"")),
        )
        .expect("written");
        let page = desk.page("/hand-over");
        let command = format!("indistinct verify {shown} --table 'public.people released'");
        assert!(page.contains(&command), "{page}");
        assert!(page.contains("was not entered here") && !page.contains("E-DATABASE"), "{page}");
        assert!(!page.contains("A claim does not hold"), "{page}");
    }
    // The studio may open a database in the workspace. This build has no database engine, and
    // reports this fact.
    std::fs::write(
        desk.folder.join("out.private/policy.toml"),
        own.replace(&path, &format!("path = \"sqlite:{}/clinic.db\"", desk.folder.display())),
    )
    .expect("written");
    let page = desk.page("/hand-over");
    assert!(page.contains("indistinct verify sqlite:clinic.db --table"), "{page}");
    assert!(page.contains("E-DATABASE-001") && !page.contains("A claim does not hold"), "{page}");
}
