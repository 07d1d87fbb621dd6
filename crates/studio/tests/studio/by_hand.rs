//! Hierarchies by hand: intervals with chosen boundaries, quantiles, trees, and exported files.

use axum::http::StatusCode;
use indistinct::Session;
use indistinct::hierarchies::arx_csv;

use crate::{Answer, Desk, POLICY};

/// Submits a form until the values of the column are counted.
fn submit(desk: &Desk, action: &str, fields: &[(&str, &str)]) -> Answer {
    for _ in 0..600 {
        let answer = desk.submit(action, fields);
        if !answer.text.contains("still being counted") {
            return answer;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the values were never counted");
}

#[test]
fn chosen_boundaries_are_declared_in_the_policy() {
    let desk = Desk::new();
    let page = desk.wait_for("/hierarchies", "class=\"handles\"");
    assert!(page.contains("data-low=\"20\" data-high=\"80\" data-step=\"1\""), "{page}");
    let form = [("column", "age"), ("kind", "boundaries"), ("boundaries", "30, 35, 65")];
    let joined = [form[0], form[1], form[2], ("joined", "2")];
    let preview = desk.preview(&joined);
    assert!(
        preview.text.contains("[35, 65)") && preview.text.contains("&lt; 35"),
        "{}",
        preview.text
    );
    assert_eq!(desk.read("policy.toml"), POLICY);
    submit(&desk, "hierarchy", &joined);
    assert!(desk.read("policy.toml").contains("{ boundaries = [30, 35, 65], join = 2 }"));
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    let rows = arx_csv(&job, "age").expect("a hierarchy");
    for line in ["20;< 30;< 35;*", "30;[30, 35);< 35;*", "64;[35, 65);>= 35;*", "65;>= 65;>= 35;*"]
    {
        assert!(rows.lines().any(|own| own == line), "{line} in\n{rows}");
    }
    // The page shows the saved boundaries.
    let page = desk.page("/hierarchies");
    assert!(page.contains("value=\"30, 35, 65\"") && page.contains("value=\"2\" selected"));
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), POLICY);
    for wrong in ["", "30, 20", "30, x"] {
        let fields = [("column", "age"), ("kind", "boundaries"), ("boundaries", wrong)];
        let refused = submit(&desk, "hierarchy", &fields);
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn quantiles_fill_the_field_without_saving() {
    let desk = Desk::new();
    let ask =
        |n: &str| submit(&desk, "quantiles", &[("column", "age"), ("at", "0"), ("quantiles", n)]);
    let field = ask("4");
    assert_eq!(field.status, StatusCode::OK);
    assert!(field.text.contains("id=\"h0-boundaries\"") && !field.text.contains("<main"));
    let value = field.text.split("value=\"").nth(1).and_then(|it| it.split('"').next());
    assert_eq!(value.map(|it| it.split(", ").count()), Some(3), "{}", field.text);
    assert!(ask("1").text.contains("integer from 2 to 1000"));
    let texts =
        submit(&desk, "quantiles", &[("column", "illness"), ("at", "0"), ("quantiles", "4")]);
    assert!(texts.text.contains("must be numbers"), "{}", texts.text);
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn values_are_grouped_into_a_tree() {
    let desk = Desk::new();
    let page = desk.wait_for("/hierarchies", "Group values by hand");
    assert!(page.contains("(200 rows)") && page.contains("data-position=\"1\""), "{page}");
    assert!(!page.contains("id=\"tree-0-details\""), "intervals are a rule, not a tree");
    let edit = |fields: &[(&str, &str)]| {
        let all = [&[("column", "sex")], fields].concat();
        submit(&desk, "hierarchy-tree", &all)
    };
    edit(&[("edit", "group"), ("item", "0"), ("item", "1"), ("label", "person")]);
    assert!(desk.read("policy.toml").contains("tree = { person = [\"f\", \"m\"] }"));
    assert!(desk.page("/hierarchies").contains("(2 values, 400 rows)"));
    edit(&[("edit", "rename"), ("item", "0"), ("label", "anyone")]);
    assert!(desk.read("policy.toml").contains("tree = { anyone = [\"f\", \"m\"] }"));
    edit(&[("edit", "dissolve"), ("item", "0")]);
    assert!(desk.read("policy.toml").contains("tree = { f = [\"f\"], m = [\"m\"] }"));
    edit(&[("edit", "move"), ("item", "1"), ("target", "0")]);
    assert!(desk.read("policy.toml").contains("tree = { \"f / m\" = [\"f\", \"m\"] }"));
    for wrong in [
        vec![("edit", "group")],
        vec![("edit", "group"), ("item", "9")],
        vec![("edit", "rename"), ("item", "0")],
        vec![("edit", "move"), ("item", "0"), ("target", "0.1")],
        vec![("edit", "nothing"), ("item", "0")],
    ] {
        assert_eq!(edit(&wrong).status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong:?}");
    }
    for _ in 0..4 {
        desk.submit("undo", &[]);
    }
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn exported_hierarchy_is_a_new_file() {
    let desk = Desk::new();
    let export = |file: &str| desk.submit("hierarchy-export", &[("column", "zip"), ("file", file)]);
    assert!(export("zip.csv").text.contains("was written to zip.csv"));
    let written = desk.read("zip.csv");
    assert!(written.starts_with("10100;1010*;101**;10***;1****;*"), "{written}");
    for wrong in ["zip.csv", "people.csv", "../zip.csv", "zip.txt", ""] {
        assert_eq!(export(wrong).status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    assert_eq!(desk.read("zip.csv"), written);
    // The file describes the same hierarchy.
    desk.submit("hierarchy", &[("column", "zip"), ("kind", "csv"), ("csv", "zip.csv")]);
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    assert_eq!(arx_csv(&job, "zip").expect("a hierarchy"), written);
}
