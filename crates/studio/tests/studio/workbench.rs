//! Parts of several pages: the states of steps, sliders for parameters, and the rows.

use crate::{Desk, POLICY, table};

/// Returns the states of the steps *Columns*, *Principles*, and *Release* in the navigation.
fn states(page: &str) -> Vec<String> {
    let step = |path: &str| {
        let link = page.split(&format!("href=\"/{path}\"")).nth(1).expect("a link");
        let text = link.split("</a>").next().expect("the end of the link");
        let state = text.split('(').nth(1).and_then(|it| it.split(')').next());
        state.unwrap_or_default().to_owned()
    };
    ["columns", "principles", "release", "settings"].map(step).to_vec()
}

#[test]
fn steps_show_their_state() {
    let desk = Desk::new();
    assert_eq!(states(&desk.page("/columns")), ["done", "done", "to do", ""]);
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "all its claims were verified");
    assert_eq!(states(&desk.page("/history")), ["done", "done", "done", ""]);
    // A change requires a new release, and principles for the sensitive column.
    desk.submit("principle-remove", &[("at", "1")]);
    assert_eq!(states(&desk.page("/history")), ["done", "needs attention", "to do", ""]);
    let undecided = POLICY.replace("[attributes.sex]\nrole = \"quasi-identifier\"", "");
    let undecided = undecided.split("[[principles]]").next().expect("a part").to_owned();
    let undecided = format!("{undecided}\n[attributes.sex]\nrole = \"?\"\n");
    let desk = Desk::with(
        &[("people.csv", &table(400)), ("policy.toml", &undecided)],
        Some("policy.toml"),
    );
    assert_eq!(states(&desk.page("/columns")), ["needs attention", "to do", "to do", ""]);
}

#[test]
fn sliders_change_parameters_and_show_the_preview() {
    let desk = Desk::new();
    let page = desk.page("/explore");
    assert!(
        page.contains("id=\"slider-0-k\" name=\"k\" min=\"1\" max=\"20\" value=\"5\""),
        "{page}"
    );
    assert!(page.contains("id=\"slider-1-l\"") && page.contains("id=\"preview-figures\""));
    desk.submit("preview-rows", &[("page", "explore")]);
    let figure = |page: &str| {
        let card = page.split("rows in the smallest class").nth(1).expect("a card");
        let figure = card.split("figure\">").nth(1).and_then(|it| it.split('<').next());
        figure.and_then(|it| it.parse::<u64>().ok()).expect("a number")
    };
    assert!(figure(&desk.wait_for("/explore", "rows in the smallest class")) >= 5);
    desk.submit("principle-set", &[("at", "0"), ("k", "40"), ("page", "explore")]);
    assert!(desk.read("policy.toml").contains("k = 40"));
    assert!(figure(&desk.wait_for("/explore", "rows in the smallest class")) >= 40);
    let end = desk.page("/explore");
    assert!(end.contains("max=\"80\" value=\"40\""), "the slider reaches further values");
    desk.submit("principle-set", &[("at", "1"), ("l", "9")]);
    desk.wait_for("/explore", "No recoding that satisfies the policy was found");
    desk.submit("undo", &[]);
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn other_pages_can_show_the_rows() {
    let desk = Desk::new();
    for page in ["/columns", "/hierarchies", "/principles", "/explore"] {
        assert!(desk.page(page).contains("data-part=\"#rows-part\""), "{page}");
    }
    for page in ["/", "/rows", "/release"] {
        assert!(!desk.page(page).contains("id=\"rows-pane\""), "{page}");
    }
    assert!(desk.wait_for("/rows", "id=\"grid\"").contains("<div id=\"rows-part\">"));
}

/// The list of principles is grouped by the concern that a principle addresses.
#[test]
fn principles_are_grouped_by_concern() {
    let page = Desk::new().page("/principles");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    let order = [
        "Someone could be singled out",
        "id=\"kind-k-anonymity\"",
        "A sensitive value could be inferred",
        "id=\"kind-t-closeness\"",
        "The table is a sample of a known population",
        "id=\"kind-delta-presence\"",
        "Several releases could be joined",
    ];
    assert!(order.map(at).is_sorted(), "{page}");
    assert_eq!(page.matches(">suggested<").count(), 2);
}
