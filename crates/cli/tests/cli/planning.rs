//! Tests of `plan` and of releases by a plan: answers and errors.

use insta::assert_snapshot;

use crate::folder::Folder;

const COUNTS: &str = "\
age,sex,disease,n,share
20,f,asthma,40,0.1
20,f,flu,80,0.2
20,m,flu,40,0.1
20,m,ulcer,40,0.1
30,f,asthma,80,0.2
30,f,ulcer,40,0.1
30,m,asthma,40,0.1
30,m,flu,40,0.1
";

const BY_COUNT: [&str; 9] = [
    "plan",
    "--known-distribution",
    "--counts",
    "counts.csv",
    "--sensitive",
    "disease",
    "--quasi-identifiers",
    "age,sex",
    "--l",
];

fn folder() -> Folder {
    Folder::empty().with("counts.csv", COUNTS)
}

fn with<'a>(l: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    BY_COUNT.iter().copied().chain([l]).chain(more.iter().copied()).collect()
}

/// Adds a table in which each line of the counts is repeated as often as its count.
fn with_table(folder: Folder) -> Folder {
    let mut table = "age,sex,disease\n".to_owned();
    for line in COUNTS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        for _ in 0..cells[3].parse::<usize>().expect("a count") {
            table += &format!("{}\n", cells[..3].join(","));
        }
    }
    folder.with("table.csv", table).with(
        "policy.toml",
        "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\nrole = \
         \"quasi-identifier\"\n[attributes.sex]\nrole = \"quasi-identifier\"\n\
         [attributes.disease]\nrole = \"sensitive\"\n[[principles]]\nkind = \
         \"distinct-l-diversity\"\nl = 2\n[recoding]\nmethod = \"planned\"\nplan = \"plan.toml\"\n",
    )
}

#[test]
fn plan_as_text() {
    let folder = folder();
    let answer = folder.run(&with(
        "2",
        &[
            "--count",
            "n",
            "--delta",
            "0.01",
            "--rows",
            "200",
            "--eta",
            "0.001",
            "-o",
            "plan.toml",
            "--figures",
            "figures",
        ],
    ));
    let answer = answer.done();
    assert_snapshot!(answer.stdout);
    assert!(answer.stderr.contains("a plan is public"));
    let names: Vec<String> = folder.listing().into_keys().collect();
    assert_eq!(
        names,
        ["counts.csv", "figures/", "figures/trade-off.csv", "figures/trade-off.svg", "plan.toml"]
    );
}

/// Probabilities that are estimated from counts are lower bounds, so a plan needs more rows.
#[test]
fn plan_from_counts_states_confidence() {
    let folder = folder();
    let more = ["--count", "n", "--delta", "0.01", "--classes", "2", "--format", "json"];
    let known = folder.run(&with("2", &more)).done().json();
    let mut options = with("2", &more);
    options.retain(|it| *it != "--known-distribution");
    let chosen = folder.run(&options).done().json();
    assert_eq!(chosen["plan"]["confidence"], serde_json::Value::Null, "only counted combinations");
    options.push("--all-combinations");
    let counted = folder.run(&options).done().json();
    assert_eq!(counted["plan"]["confidence"], 0.95);
    assert_eq!(known["plan"]["confidence"], serde_json::Value::Null);
    let rows = |json: &serde_json::Value| json["plan"]["chosen"]["n_rows"].as_u64();
    assert!(rows(&counted) > rows(&known), "{counted} {known}");
    let answer = folder.run(&[&with("2", &["--count", "n", "--delta", "0.01"])[..]].concat());
    assert!(!answer.done().stdout.contains("confidence of"));
}

#[test]
fn plan_as_json() {
    let folder = folder();
    let options =
        ["--probability", "share", "--delta", "1/100", "--classes", "2", "--format", "json"];
    let json = folder.run(&with("2", &options)).done().json();
    assert_eq!((&json["status"], &json["plan"]["l"]), (&"planned".into(), &2.into()));
    assert!(json["plan"]["chosen"]["n_classes"].as_u64().expect("a number") >= 2);
    let points = json["plan"]["trade_off"].as_array().expect("points");
    let rows: Vec<u64> =
        points.iter().map(|it| it["n_rows_text"].as_u64().expect("rows")).collect();
    assert!(rows.windows(2).all(|pair| pair[0] <= pair[1]), "{rows:?}");
    assert_eq!(folder.listing().len(), 1, "without -o, no file is written");
}

#[test]
fn plan_leads_to_verifiable_release() {
    let folder = with_table(folder());
    let created = [
        "plan",
        "policy.toml",
        "--l",
        "2",
        "--releases",
        "2",
        "--total-failure",
        "0.02",
        "-o",
        "plan.toml",
    ];
    folder.run(&created).done();
    let json = folder
        .run(&["anonymize", "policy.toml", "-o", "release", "--format", "json"])
        .done()
        .json();
    assert_eq!(json["planned"]["n_designated_missing"], 0);
    let text = folder.run(&["verify", "release"]).done().stdout;
    assert!(text.contains("designated"), "{text}");
    assert!(folder.path("release/plan.toml").exists());
    // Other commands read a planned release like any other release.
    folder.run(&["measure", "release", "--original", "table.csv"]).done();
    folder.run(&["attack", "release", "--original", "table.csv"]).done();
}

/// Plans are composed before any release exists; the failure probabilities add up.
#[test]
fn plans_compose_if_their_classes_are_equal() {
    let folder = folder();
    let shared = ["--count", "n", "--releases", "2", "--total-failure", "0.02"];
    folder.run(&with("2", &[&shared[..], &["-o", "one.toml"]].concat())).done();
    let other = ["--count", "n", "--delta", "0.01", "--classes", "1", "-o", "other.toml"];
    folder.run(&with("2", &other)).done();
    let joint =
        |plans: &[&str]| folder.run(&[&["plan", "--format", "json", "--compose"], plans].concat());
    let promise = joint(&["one.toml", "one.toml"]).done().json();
    let delta = promise["delta"].as_f64().expect("a probability");
    assert_eq!((promise["l"].as_u64(), &promise["same_plan"]), (Some(2), &true.into()));
    assert!((delta - 0.02).abs() < 1e-9, "{promise:#}");
    let exceeded = joint(&["one.toml", "one.toml", "one.toml"]).not_met().json();
    assert_eq!(exceeded["limit"]["is_exceeded"], true);
    let different = joint(&["one.toml", "other.toml"]).not_met().json();
    assert_eq!(different["difference"], "classes");
    let text = folder.run(&["plan", "--compose", "one.toml", "one.toml"]).done().stdout;
    assert!(text.contains("at least 2 values remain for every person after linkage"), "{text}");
    assert_eq!(folder.run(&["plan", "--compose", "one.toml"]).status, 2);
}

/// A plan can also guarantee k records and an entropy for linked classes.
#[test]
fn plan_guarantees_k_and_entropy_after_linkage() {
    let folder = folder();
    let also = ["--linked-k", "10", "--linked-entropy", "1.5", "-o", "plan.toml"];
    let delta = ["--count", "n", "--delta", "0.01", "--classes", "1"];
    let text = folder.run(&with("2", &[&delta[..], &also].concat())).done().stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("at least 10 records after linkage"), "{text}");
    assert!(text.contains("entropy l-diversity for l = 1.5 after linkage"), "{text}");
    let text = folder.run(&["plan", "--compose", "plan.toml", "plan.toml"]).done().stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("at least 10 records"), "{text}");
    assert!(text.contains("entropy l-diversity for l = 1.5"), "{text}");
    let table = with_table(folder);
    let policy = std::fs::read_to_string(table.path("policy.toml")).expect("a policy");
    assert!(policy.contains("plan.toml"));
    table.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let text = table.run(&["verify", "release"]).done().stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("at least 10 records"), "{text}");
}

/// Corollary 3.3: of five sensitive values, two releases with l = 4 can leave three, and two
/// releases with l = 3 a single one.
#[test]
fn worst_case_of_unplanned_releases_is_computed() {
    let folder = Folder::empty();
    let of = |levels: &str| {
        let arguments = ["plan", "--worst-case", levels, "--sensitive-values", "5"];
        folder.run(&[&arguments[..], &["--format", "json"]].concat()).done().json()["l"].as_u64()
    };
    assert_eq!([of("4,4"), of("3,3"), of("4,5"), of("4,4,4")], [3, 1, 4, 2].map(Some));
    let text = folder.run(&["plan", "--worst-case", "4,4", "--sensitive-values", "5"]).done();
    let expected = "l = 4, 4 over the same 5 sensitive values, at least 3 values remain";
    assert!(text.stdout.replace('\n', " ").contains(expected), "{}", text.stdout);
    let above = folder.run(&["plan", "--worst-case", "6", "--sensitive-values", "5"]);
    assert!(above.status == 2 && above.stderr.contains("E-PLAN"), "{}", above.stderr);
    assert_eq!(folder.run(&["plan", "--worst-case", "4,4"]).status, 2);
}

#[test]
fn too_few_rows_are_reported_as_result() {
    let folder = with_table(folder());
    let few = folder
        .run(&with("2", &["--count", "n", "--delta", "0.01", "--rows", "3", "-o", "plan.toml"]));
    assert_snapshot!(few.not_met().stdout);
    assert!(!folder.path("plan.toml").exists());
    folder
        .run(&with("2", &["--count", "n", "--delta", "0.0000001", "--p", "0.1", "-o", "plan.toml"]))
        .done();
    let folder = folder.with("table.csv", "age,sex,disease\n20,f,flu\n30,m,asthma\n");
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).not_met();
    assert_snapshot!(answer.stdout);
    assert!(!folder.path("release").exists());
}

#[test]
fn invalid_plans_are_rejected() {
    let folder = folder().with("plan.toml", "taken");
    let n = ["--count", "n", "--delta", "0.01"];
    let and = |more: &[&'static str]| -> Vec<&'static str> {
        n.iter().copied().chain(more.iter().copied()).collect()
    };
    let calls: Vec<String> = [
        with("9", &n),
        with("2", &["--count", "n", "--delta", "1"]),
        with("2", &["--count", "n", "--delta", "much"]),
        with("2", &and(&["--p", "0.9"])),
        with("2", &and(&["--classes", "9"])),
        with("2", &["--probability", "n", "--delta", "0.01"]),
        with("2", &["--count", "share", "--delta", "0.01"]),
        with("2", &["--count", "m", "--delta", "0.01"]),
        with("2", &and(&["-o", "plan.toml"])),
        with("2", &and(&["-o", "plan.txt"])),
        with("2", &and(&["--columns", "age"])),
        with("2", &and(&["--order", "lexicographic", "--columns", "age"])),
        with("2", &["--delta", "0.01"]),
    ]
    .iter()
    .map(|call| folder.refused(call))
    .collect();
    assert_snapshot!(calls.join("\n\n"));
}
