//! The guide: five questions that lead from a table to a release, and roles of several columns.

use axum::http::StatusCode;
use indistinct::Session;

use crate::{Desk, POLICY, table};

/// Submits the answer to a question, and checks that the next step follows.
fn answer(desk: &Desk, action: &str, step: usize, fields: &[(&str, &str)]) {
    let next = (step + 1).to_string();
    let mut all = vec![("next", "guide"), ("next-step", next.as_str())];
    all.extend(fields);
    let answered = desk.submit(action, &all);
    assert_eq!(answered.header("hx-redirect"), format!("/guide?step={next}"), "{}", answered.text);
}

#[test]
fn answers_lead_to_a_release() {
    let desk = Desk::with(&[("people.csv", &table(400))], None);
    let fields = [("table", "people.csv"), ("policy", "people.toml"), ("guided", "yes")];
    assert_eq!(desk.submit_at("start", "", &fields).header("hx-redirect"), "/guide");
    assert!(desk.wait_for("/guide", "400 rows").contains("5 columns"));
    answer(&desk, "about", 1, &[("title", "Patients"), ("purpose", "research")]);
    desk.wait_for("/guide?step=2", "Each row is a different person.");
    answer(&desk, "guide-people", 2, &[("who", "")]);
    let known = desk.wait_for("/guide?step=3", "Others may know the value");
    assert_eq!(known.matches("<fieldset>").count(), 5, "{known}");
    let columns = ["mail", "age", "zip", "sex", "illness"].map(|name| ("column", name));
    let roles = ["identifier", "quasi-identifier", "quasi-identifier", "quasi-identifier", "?"];
    let names: Vec<String> = (0..roles.len()).map(|at| format!("role-{at}")).collect();
    let roles = names.iter().map(String::as_str).zip(roles);
    let fields: Vec<(&str, &str)> = columns.into_iter().chain(roles).collect();
    answer(&desk, "role", 3, &fields);
    let sensitive = desk.wait_for("/guide?step=4", "Must not be disclosed");
    assert_eq!(sensitive.matches("<fieldset>").count(), 1, "only the column that is left");
    let fields = [("column", "illness"), ("role-0", "sensitive"), ("protect", "yes")];
    answer(&desk, "role", 4, &fields);
    desk.wait_for("/guide?step=5", "European Medicines Agency");
    let fields = [("recipient", "a university"), ("environment", ""), ("k", "11")];
    answer(&desk, "guide-recipient", 5, &fields);
    let proposal = desk.wait_for("/guide?step=6", "within reach");
    assert!(proposal.contains("released, protected by distinct-l-diversity"), "{proposal}");
    assert!(proposal.contains("Every row counts as a different person."), "{proposal}");
    let job = Session::default().open(&desk.folder.join("people.toml"), None).expect("a policy");
    assert_eq!(job.policy().title.as_deref(), Some("Patients"));
    let policy = desk.read("people.toml");
    for line in ["purpose = \"research\"", "recipient = \"a university\"", "k = 11"] {
        assert!(policy.contains(line), "{line} in\n{policy}");
    }
    let created = desk.submit("release", &[("directory", "out"), ("next", "release")]);
    assert_eq!(created.header("hx-redirect"), "/release");
    desk.wait_for("/release", "all its claims were verified");
}

/// Every answer is one step of the history, and an unchanged answer adds no step.
#[test]
fn answers_can_be_undone() {
    let desk = Desk::new();
    answer(&desk, "guide-people", 2, &[("who", "id"), ("column", "mail"), ("rows", "independent")]);
    let people = desk.read("policy.toml");
    assert!(people.contains("[people]\nid = \"mail\"\nrows = \"independent\""), "{people}");
    answer(
        &desk,
        "guide-people",
        2,
        &[("who", "household"), ("column", "mail"), ("rows", "uniform")],
    );
    let household = desk.read("policy.toml");
    assert!(household.contains("[people]\nhousehold = \"mail\"\n"), "{household}");
    assert!(!household.contains("rows = \"uniform\""), "households have no uniform rows");
    answer(&desk, "guide-people", 2, &[("who", "")]);
    assert!(!desk.read("policy.toml").contains("[people]"));
    for _ in 0..3 {
        desk.submit("undo", &[]);
    }
    assert_eq!(desk.read("policy.toml"), POLICY);
    let version = desk.hidden("/columns", "version");
    answer(&desk, "role", 3, &[("column", "age"), ("role-0", "quasi-identifier")]);
    assert_eq!(desk.hidden("/columns", "version"), version, "nothing changed");
    let wrong = desk.submit("guide-people", &[("who", "nobody"), ("next", "guide")]);
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// The principles of the policy follow the sensitive columns, but only if the guide asks for it.
#[test]
fn principles_follow_sensitive_columns() {
    let desk = Desk::new();
    let columns = [("column", "sex"), ("column", "illness")];
    let roles = [("role-0", "sensitive"), ("role-1", "identifier"), ("protect", "yes")];
    desk.submit("role", &[columns, [roles[0], roles[1]], [roles[2], ("page", "guide")]].concat());
    let policy = desk.read("policy.toml");
    assert!(policy.contains("kind = \"distinct-l-diversity\"\nattribute = \"sex\"\nl = 2"));
    assert!(!policy.contains("attribute = \"illness\""), "{policy}");
    assert!(desk.page("/columns").contains("The policy is valid"));
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), POLICY, "one step");
}

#[test]
fn several_columns_receive_one_role() {
    let undecided = POLICY.replace("role = \"quasi-identifier\"", "role = \"?\"");
    let undecided = undecided.replace("hierarchy = { intervals = [5, 10, 20] }\n", "");
    let desk = Desk::with(
        &[("people.csv", &table(400)), ("policy.toml", &undecided)],
        Some("policy.toml"),
    );
    let all = desk.wait_for("/columns", "Undecided (3)");
    assert_eq!(all.matches("<article").count(), 5);
    let open = desk.page("/columns?show=open");
    assert_eq!(open.matches("<article").count(), 3, "{open}");
    assert!(open.contains("name=\"show\" value=\"open\""), "forms preserve the filter");
    let fields = [("column", "age"), ("column", "sex"), ("role", "quasi-identifier")];
    let saved = desk.submit("role", &fields);
    assert!(saved.text.contains("quasi-identifier for age and sex"), "{}", saved.text);
    let policy = desk.read("policy.toml");
    assert!(policy.contains("role = \"quasi-identifier\"\nhierarchy = { intervals = "), "{policy}");
    assert_eq!(desk.page("/columns?show=open").matches("<article").count(), 1);
    desk.submit("undo", &[]);
    assert_eq!(desk.read("policy.toml"), undecided, "one step");
    for wrong in [vec![("role", "sensitive")], vec![("column", "age"), ("role", "nothing")]] {
        assert_eq!(desk.submit("role", &wrong).status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

/// The column of people and the column of weights are roles, which write the keys of the policy in
/// one step.
#[test]
fn people_and_weights_are_roles() {
    let desk = Desk::new();
    let page = desk.wait_for("/columns", "id=\"role-0-person\"");
    assert!(page.contains("data-key=\"p\"") && page.contains("data-key=\"w\""), "{page}");
    let set = |column: &str, role: &str| {
        let saved = desk.submit("role", &[("column", column), ("role", role)]);
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.text);
        saved.text
    };
    let pressed = |at: usize, role: &str| {
        let button = format!("id=\"role-{at}-{role}\"");
        let page = desk.page("/columns");
        let button = page.split(&button).nth(1).and_then(|it| it.split('>').next());
        button.expect("a button").contains("aria-pressed=\"true\"")
    };
    assert!(set("mail", "person").contains("role person for mail"));
    assert!(set("age", "weight").contains("role weight for age"));
    let policy = desk.read("policy.toml");
    assert!(policy.contains("[people]\nid = \"mail\"\n"), "{policy}");
    assert!(policy.contains("[population]\nweights = \"age\"\n"), "{policy}");
    assert!(policy.contains("[attributes.age]\nrole = \"identifier\"\n\n"), "no hierarchy");
    let job = Session::default().open(&desk.folder.join("policy.toml"), None).expect("a policy");
    assert!(job.policy().people.is_some());
    assert!(pressed(0, "person") && pressed(1, "weight") && !pressed(0, "identifier"));
    // The guide asks about people separately, so the role of its answer preserves the special role.
    let version = desk.hidden("/columns", "version");
    answer(&desk, "role", 3, &[("column", "mail"), ("role-0", "identifier")]);
    assert_eq!(desk.hidden("/columns", "version"), version, "nothing changed");
    for (column, role) in [("mail", "identifier"), ("age", "quasi-identifier")] {
        set(column, role);
    }
    let policy = desk.read("policy.toml");
    assert!(!policy.contains("[people]") && !policy.contains("[population]"), "{policy}");
    assert!(pressed(0, "identifier"));
    for _ in 0..4 {
        desk.submit("undo", &[]);
    }
    assert_eq!(desk.read("policy.toml"), POLICY, "each role is one step");
    let several = [("column", "mail"), ("column", "age"), ("role", "person")];
    assert_eq!(desk.submit("role", &several).status, StatusCode::UNPROCESSABLE_ENTITY);
}
