//! Cached answers equal uncached answers, and changes of the table invalidate the cache.

use indistinct::advise::advise;
use indistinct::compare::{Choices, compare};
use indistinct::lattice::{lattice, node};
use indistinct::{Job, Session, Values};

use crate::{Desk, POLICY, table};

/// The order of earlier queries, principles, limits, hierarchies, and roles does not affect
/// answers.
#[test]
fn cached_answers_match_uncached_answers() {
    let desk = Desk::new();
    let path = desk.folder.join("policy.toml");
    let with = |changes: &[(&str, &str)]| {
        let change = |text: String, (old, new): &(&str, &str)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        };
        changes.iter().fold(POLICY.to_owned(), change)
    };
    let policies = [
        with(&[]),
        with(&[("k = 5", "k = 9")]),
        with(&[("l = 2", "l = 3")]),
        with(&[("limit = 0.05", "limit = 0")]),
        with(&[("[5, 10, 20]", "[5, 20]")]),
        with(&[("mask = \"right\"", "mask = \"left\"")]),
        with(&[(
            "[attributes.sex]\nrole = \"quasi-identifier\"",
            "[attributes.sex]\nrole = \"identifier\"",
        )]),
        with(&[("[output]", "[output]\nclass_column = \"class\"")]),
        with(&[("k = 5", "k = 500")]),
    ];
    let shown = |job: &Job| {
        let lattice = lattice(job, 4_000).expect("a lattice");
        let levels = vec![1; lattice.attributes.len()];
        let node = node(job, &levels).expect("a node");
        format!("{:?}\n{lattice:?}\n{node:?}", advise(job, Values::Shown).expect("advice"))
    };
    let session = Session::default().with_cache();
    for round in 0..2 {
        for text in &policies {
            std::fs::write(&path, text).expect("written");
            let cached = session.open(&path, None).expect("a policy");
            let fresh = session.without_cache().open(&path, None).expect("a policy");
            assert_eq!(shown(&cached), shown(&fresh), "{round}: {text}");
        }
    }
}

/// The answer to a repeated choice comes from the cache, including its recorded duration.
#[test]
fn repeated_choice_is_searched_once() {
    let desk = Desk::new();
    let path = desk.folder.join("policy.toml");
    let choices = |k: &[u64]| Choices { k: k.to_vec(), limits: vec![0.05], ..Choices::default() };
    let session = Session::default().with_cache();
    let ask = |k: &[u64]| compare(&session, &path, &choices(k)).expect("a comparison").choices;
    let first = ask(&[3, 5]);
    let more = ask(&[3, 5, 7]);
    for old in &first {
        let again = more.iter().find(|it| (it.k, &it.method) == (old.k, &old.method));
        let again = again.expect("tried again");
        assert_eq!(again.seconds.to_bits(), old.seconds.to_bits(), "{} {}", old.method, old.k);
    }
    assert!(more.len() > first.len());
    // Changes of the principle or of the table cause a new search.
    let of = |choices: &[indistinct::compare::Choice]| {
        let release = choices.iter().find_map(|it| it.release);
        release.map(|it| (it.n_classes, it.n_suppressed))
    };
    let before = of(&first);
    std::fs::write(&path, POLICY.replace("l = 2", "l = 4")).expect("written");
    let stricter = ask(&[3, 5]);
    assert_ne!(of(&stricter), before, "l = 4 changes the result");
    std::fs::write(&path, POLICY).expect("written");
    std::fs::write(desk.folder.join("people.csv"), table(200)).expect("written");
    assert_ne!(of(&ask(&[3, 5])), before, "half of the rows were removed");
}

/// If a folder serves as a table, a change of any of its files updates the pages.
#[test]
fn edit_of_any_table_file_updates_pages() {
    let policy = POLICY.replace("path = \"people.csv\"", "path = \"parts\"");
    let desk = Desk::with(&[("policy.toml", &policy)], None);
    let parts = desk.folder.join("parts");
    std::fs::create_dir(&parts).expect("made");
    std::fs::write(parts.join("1.csv"), table(100)).expect("written");
    std::fs::write(parts.join("2.csv"), table(40)).expect("written");
    desk.submit_at("open", "", &[("file", "policy.toml")]);
    desk.wait_for("/columns", ">140<");
    desk.wait_for("/principles", "k up to 140");
    // The changed file has the same size as before.
    std::fs::write(parts.join("2.csv"), table(40).replace("Zebra77", "Zebra78")).expect("written");
    desk.wait_for("/columns", "Zebra78");
    std::fs::write(parts.join("3.csv"), table(10)).expect("written");
    desk.wait_for("/columns", ">150<");
    desk.wait_for("/principles", "k up to 150");
    std::fs::remove_file(parts.join("1.csv")).expect("removed");
    desk.wait_for("/principles", "k up to 50");
}
