//! `experiment`: figures of the literature.

use crate::folder::Folder;

#[test]
fn all_experiments_are_listed_with_what_they_need() {
    let folder = Folder::empty();
    let text = folder.run(&["experiment", "list"]).done().stdout;
    for words in ["l-diversity-9", "tau-l-8", "Adult, Nursery", "its table is made up"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let listed = folder.run(&["experiment", "list", "--format", "json"]).done().json();
    let names: Vec<&str> =
        listed.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"epsilon-m-4") && names.contains(&"l-delta-2"), "{names:?}");
}

#[test]
fn what_cannot_be_run_is_refused_with_what_to_do() {
    let folder = Folder::empty();
    for (arguments, words) in [
        (
            &["experiment", "l-diversity-9", "-o", "out"][..],
            "https://archive.ics.uci.edu/dataset/2/adult",
        ),
        (&["experiment", "tau-l-5", "-o", "out", "--data", "."], "not in '.'"),
        (&["experiment", "l-diversity-10", "-o", "out"], "l-diversity-11"),
        (&["experiment", "epsilon-m-6"], "-o DIR"),
    ] {
        let message = folder.refused(arguments).replace("\n  | ", " ").replace("\n        ", " ");
        assert!(message.contains(words), "{words} in {message}");
    }
    assert!(folder.listing().is_empty());
}

#[test]
fn an_experiment_on_made_up_rows_needs_nothing() {
    let folder = Folder::empty();
    let arguments = ["experiment", "epsilon-m-6", "--quick", "-o", "out"];
    let text = folder.run(&arguments).done().stdout;
    assert!(text.contains("pass: The error decreases as s increases"), "{text}");
    assert!(folder.text("out/experiments.md").contains("## epsilon-m-6"));
    assert!(folder.listing().contains_key("out/experiments/epsilon-m-6.comparison.csv"));
    let message = folder.refused(&arguments);
    assert!(message.contains("already exists"), "{message}");
}
