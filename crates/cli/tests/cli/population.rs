//! Tests of `profile` for a table that is a sample of a population, and for rows that are not
//! people.

use crate::folder::Folder;

/// The table in tests/testthat/test_indivRisk.R of sdcMicro, with additional households.
const SAMPLE: &str = "A,B,C,weight,home\n2,3,1,18,a\n3,3,1,45.5,a\n2,3,1,39,b\n2,3,2,17,b\n\
                      3,4,1,92,c\n3,4,1,8,d\n1,4,1,123.5,e\n2,3,1,51,e\n";

const POLICY: &str = "version = 1\n[input]\npath = \"sample.csv\"\n\
    [attributes.A]\nrole = \"quasi-identifier\"\n[attributes.B]\nrole = \"quasi-identifier\"\n\
    [attributes.C]\nrole = \"quasi-identifier\"\n[attributes.weight]\nrole = \"identifier\"\n\
    [attributes.home]\nrole = \"identifier\"\n[[principles]]\nkind = \"k-anonymity\"\nk = 2\n";

fn sample() -> Folder {
    Folder::empty().with("sample.csv", SAMPLE).with("policy.toml", POLICY)
}

/// The risks of the rows in sdcMicro ("method = exact, survey = TRUE").
const RISKS: [f64; 8] = [
    0.013_552_97,
    0.085_791_29,
    0.013_552_97,
    0.177_075_83,
    0.018_778_83,
    0.018_778_83,
    0.039_316_25,
    0.013_552_97,
];

fn is_near(a: &serde_json::Value, b: f64) -> bool {
    (a.as_f64().expect("a number") - b).abs() < 1e-7
}

#[test]
fn individual_risk_matches_sdcmicro() {
    let folder = sample();
    let requested = ["profile", "policy.toml", "--weights", "weight", "--household", "home"];
    let rows = [&requested[..], &["--risk-of-rows", "rows.csv", "--format", "json"]].concat();
    let answer = folder.run(&rows).done().json();
    let risk = &answer["population"];
    assert!(is_near(&risk["individual"]["expected_rows"], RISKS.iter().sum()), "{risk}");
    assert!(is_near(&risk["individual"]["max"], RISKS[3]));
    // The 8 rows represent 394 people.
    assert!(is_near(&risk["uniqueness"]["sampling_fraction"], 8.0 / 394.0));
    let of_home =
        |members: &[usize]| 1.0 - members.iter().map(|at| 1.0 - RISKS[*at]).product::<f64>();
    let homes = [of_home(&[0, 1]), of_home(&[2, 3]), RISKS[4], RISKS[5], of_home(&[6, 7])];
    let sum = 2.0 * homes[0] + 2.0 * homes[1] + homes[2] + homes[3] + 2.0 * homes[4];
    assert!(is_near(&risk["household"]["expected_rows"], sum), "{risk}");
    assert_eq!(risk["household"]["n_households"], 5);
    let written = folder.text("rows.csv");
    let lines: Vec<Vec<&str>> = written.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 9);
    for (line, risk) in lines[1..].iter().zip(RISKS) {
        assert!((line[3].parse::<f64>().expect("a number") - risk).abs() < 5e-9, "{line:?}");
    }
    assert_eq!((lines[4][0], lines[4][1], lines[4][2]), ("4", "1", "17"));
    let text = folder.run(&requested).done().stdout;
    assert!(
        text.contains("Individual risk: ") && text.contains("Household risk (5 households;"),
        "{text}"
    );
    // An existing file must not change.
    folder.run(&[&requested[..], &["--risk-of-rows", "rows.csv"]].concat()).refused("E-FILE-001");
}

#[test]
fn population_determines_k_map_and_unique_estimates() {
    let people = "A,B,C\n".to_owned()
        + &"2,3,1\n".repeat(6)
        + &"3,4,1\n".repeat(4)
        + "3,3,1\n2,3,2\n2,3,2\n1,4,1\n";
    let folder = sample().with("people.csv", people.clone());
    let requested = ["profile", "policy.toml", "--population", "people.csv", "--format", "json"];
    let map = &folder.run(&requested).done().json()["population"]["k_map"];
    assert_eq!(
        (&map["k"], &map["n_unique_rows"], &map["n_people"]),
        (&1.into(), &2.into(), &14.into())
    );
    let folder = folder.with("people.csv", people.replace("3,3,1\n", ""));
    let map = &folder.run(&requested).done().json()["population"]["k_map"];
    assert_eq!((&map["k"], &map["n_rows_outside_population"]), (&0.into(), &1.into()));
    let text = folder.run(&["profile", "policy.toml", "--sampling-fraction", "0.05"]).done().stdout;
    assert!(text.contains("with the Pitman sampling formula"), "{text}");
    assert!(!text.contains("pitman"), "{text}");
    folder.run(&["profile", "policy.toml", "--sampling-fraction", "0"]).refused("");
}

/// Classes of the release have at least two rows, so no one is unique in the population.
#[test]
fn release_can_be_measured_as_population_sample() {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let measure = ["measure", "release", "--original", "table.csv", "--sampling-fraction", "0.1"];
    let answer = folder.run(&[&measure[..], &["--format", "json"]].concat()).done().json();
    assert_eq!(answer["uniqueness"]["population_unique_fraction"], 0.0, "{answer}");
    folder.run(&measure).done();
}

/// The policy can contain the same settings as the options.
#[test]
fn policy_settings_match_population_options() {
    let known = "[population]\nweights = \"weight\"\nhousehold = \"home\"\n";
    let folder = sample().with("known.toml", format!("{POLICY}{known}"));
    let answer = |call: &[&str]| folder.run(&[call, &["--format", "json"]].concat()).done().json();
    let requested =
        answer(&["profile", "policy.toml", "--weights", "weight", "--household", "home"]);
    let message = answer(&["profile", "known.toml"]);
    assert_eq!(message["population"], requested["population"]);
    // Options override the policy.
    let other = answer(&["profile", "known.toml", "--sampling-fraction", "0.5"]);
    assert_eq!(other["population"]["uniqueness"]["sampling_fraction"], 0.5);
    let created = answer(&["anonymize", "known.toml", "-o", "release"]);
    let (before, after) = (&created["population"]["before"], &created["population"]["after"]);
    for figure in ["individual", "household", "uniqueness"] {
        assert_eq!(before[figure], requested["population"][figure], "{figure}");
        assert!(after[figure].is_object(), "{after}");
    }
    assert!(after["individual"]["max"].as_f64() < before["individual"]["max"].as_f64());
    let report = folder.text("release.private/report.html");
    assert_eq!(report.matches("Household risk (5 households;").count(), 2);
    for (name, bytes) in folder.listing() {
        let is_public = name.starts_with("release/");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!(is_public && text.contains("ousehold")), "{name} is public");
    }
    folder.run(&["verify", "release"]).done();
    folder.run(&["anonymize", "known.toml", "-o", "text"]).done();
}

/// Compares the household risk and k-map of a release with manual counts: 1 / rows of the class,
/// and the number of people with the labels of the class.
#[test]
fn household_risk_and_k_map_match_counts() {
    let people = SAMPLE.to_owned() + "2,3,1,1,z\n1,3,1,1,z\n1,4,2,1,z\n";
    let with = |known: &str| {
        format!("{POLICY}[recoding]\nsuppression_limit = 0.3\n[population]\n{known}\n")
    };
    let folder = sample()
        .with("people.csv", people.clone())
        .with("homes.toml", with("household = \"home\""))
        .with("map.toml", with("path = \"people.csv\""));
    let created = |policy: &str| {
        let release = policy.replace(".toml", "");
        folder.run(&["anonymize", policy, "-o", &release, "--format", "json"]).done().json()
    };
    let (homes, map) = (created("homes.toml"), created("map.toml"));
    assert_eq!(homes["recoding"]["levels"], map["recoding"]["levels"]);
    let key = |row: &str| -> Vec<String> {
        let label = |(cell, name): (&str, &str)| match homes["recoding"]["levels"][name] == 0 {
            true => cell.to_owned(),
            false => "*".to_owned(),
        };
        row.split(',').zip(["A", "B", "C"]).map(label).collect()
    };
    let rows: Vec<&str> = SAMPLE.lines().skip(1).collect();
    let size = |row: &str| rows.iter().filter(|other| key(other) == key(row)).count();
    let retained: Vec<&str> = rows.iter().copied().filter(|row| size(row) >= 2).collect();
    assert_eq!(homes["n_released"], retained.len());
    let home = |row: &str| row.rsplit(',').next().map(str::to_owned);
    let found = |row: &&str| {
        let members = retained.iter().filter(|other| home(other) == home(row));
        1.0 - members.map(|other| 1.0 - 1.0 / size(other) as f64).product::<f64>()
    };
    let risk = &homes["population"]["after"]["household"]["expected_rows"];
    assert!(is_near(risk, retained.iter().map(found).sum()), "{homes}");
    let behind = |row: &str| people.lines().skip(1).filter(|one| key(one) == key(row)).count();
    let fewest = retained.iter().map(|row| behind(row)).min();
    assert_eq!(map["population"]["after"]["k_map"]["k"].as_u64(), fewest.map(|n| n as u64));
    let same = |row: &str| people.lines().filter(|one| one[..5] == row[..5]).count();
    let fewest = rows.iter().map(|row| same(row)).min();
    assert_eq!(map["population"]["before"]["k_map"]["k"].as_u64(), fewest.map(|n| n as u64));
}

#[test]
fn measure_uses_sampling_fraction_of_policy() {
    let folder =
        sample().with("known.toml", format!("{POLICY}[population]\nsampling_fraction = 0.25\n"));
    folder.run(&["anonymize", "known.toml", "-o", "release"]).done();
    let measure = ["measure", "release", "--original", "sample.csv", "--format", "json"];
    let answer = folder.run(&measure).done().json();
    assert_eq!(answer["uniqueness"]["sampling_fraction"], 0.25, "{answer}");
}

#[test]
fn population_figures_are_omitted_by_default() {
    let answer = sample().run(&["profile", "policy.toml", "--format", "json"]).done().json();
    assert!(answer.get("population").is_none(), "{answer}");
}

#[test]
fn population_errors_contain_no_cells() {
    let folder = sample().with("people.csv", "A,B\n2,3\n");
    let profile = |options: &[&str]| folder.run(&[&["profile", "policy.toml"], options].concat());
    let no_column = profile(&["--weights", "gewicht"]).refused("E-PROFILE-001");
    assert!(no_column.stderr.contains("weight"), "{no_column:?}");
    let no_weight = profile(&["--weights", "home"]).refused("E-PROFILE-002");
    assert!(no_weight.stderr.contains("8 rows"), "{no_weight:?}");
    profile(&["--population", "people.csv"]).refused("E-PROFILE-003");
}

#[test]
fn repeating_identifier_reports_k_by_people() {
    let mut table = String::from("patient,age,reason\n");
    for row in 0..60 {
        table += &format!("p{:04},{},{}\n", row / 6, 30 + row / 30, ["flu", "back"][row % 2]);
    }
    let folder = Folder::empty().with("visits.csv", table);
    let answer = folder.run(&["profile", "visits.csv", "--format", "json"]).done().json();
    let people = &answer["people"];
    assert_eq!((&people["n_people"], &people["most_rows"]), (&10.into(), &6.into()), "{answer}");
    assert!(people["k"].as_u64() < answer["smallest_class"].as_u64(), "{answer}");
    folder.run(&["init", "visits.csv", "-o", "policy.toml"]).done();
    assert!(folder.text("policy.toml").contains("[people]\nid = \"patient\""));
}

/// Few people may have several rows, and studies number their participants from 1. The proposed
/// policy limits the most frequent diagnosis of the people, too.
#[test]
fn partly_repeated_and_consecutive_record_numbers_are_reported() {
    let table = |name: &str, ids: &dyn Fn(usize) -> String| {
        let row = |row: usize| {
            let diagnosis = ["flu", "flu", "flu", "flu", "flu", "cold"][row / 4 % 6];
            format!("{},{},{diagnosis}\n", ids(row), 30 + row / 30)
        };
        format!("{name},age,diagnosis\n{}", (0..240).map(row).collect::<String>())
    };
    let partly = table("subject_id", &|row| (1000 + 7 * (row % 210)).to_string());
    let all = table("id", &|row| (1 + row / 4).to_string());
    for (id, table) in [("subject_id", partly), ("id", all)] {
        let folder = Folder::empty().with("visits.csv", table);
        folder.run(&["init", "visits.csv", "-o", "policy.toml"]).done();
        let policy = folder.text("policy.toml");
        let people = format!("[people]\nid = \"{id}\"\nrows = \"uniform\"\n");
        assert!(policy.contains(&people), "{policy}");
        assert!(policy.contains("kind = \"t-closeness\""), "{policy}");
        let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
        assert!(answer.stdout.contains("fractions of all released people"), "{answer:?}");
        assert!(!answer.stderr.contains("belong to the same person"), "{answer:?}");
        let without =
            policy.replace(&people, "").replace("unlisted = \"error\"", "null_values = [\"none\"]");
        let folder = folder.with("without.toml", without);
        let answer = folder.run(&["anonymize", "without.toml", "-o", "other"]).done();
        assert!(answer.stderr.contains(&format!("id = \"{id}\"")), "{answer:?}");
    }
}

/// Weights are not read from a coarsened column, because the population would differ.
#[test]
fn coarsened_weights_are_rejected() {
    let rows = (0..60).map(|row| format!("{},flu,{}.25\n", 30 + row / 30, 100 + row));
    let policy = "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\n\
                  role = \"quasi-identifier\"\n[attributes.disease]\nrole = \"sensitive\"\n\
                  [attributes.w]\nrole = \"insensitive\"\ncoarsen = { round = 50 }\n\
                  [[principles]]\nkind = \"k-anonymity\"\nk = 5\n";
    let folder = Folder::empty()
        .with("table.csv", format!("age,disease,w\n{}", rows.collect::<String>()))
        .with("policy.toml", policy)
        .with("weighted.toml", format!("{policy}[population]\nweights = \"w\"\n"));
    folder.run(&["profile", "policy.toml", "--weights", "w"]).refused("E-PROFILE-004");
    folder.run(&["anonymize", "weighted.toml", "-o", "release"]).refused("E-POLICY-027");
    let exact = folder.text("weighted.toml").replace("coarsen = { round = 50 }\n", "");
    let folder = folder.with("exact.toml", exact.replace("insensitive", "identifier"));
    folder.run(&["anonymize", "exact.toml", "-o", "release"]).done();
}

/// The output of `examples/sdcmicro/from_sdcmicro.R` must be a valid policy, and its table must be
/// releasable with household protection as the policy requires.
#[test]
fn sdcmicro_conversion_can_be_released() {
    let created = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sdcmicro/made/");
        std::fs::read_to_string(format!("{folder}{name}")).expect("the file is in the repository")
    };
    let folder = Folder::empty()
        .with("table.csv", created("table.csv"))
        .with("policy.toml", created("policy.toml"));
    let answer = folder.run(&["profile", "policy.toml", "--weights", "weight"]).done().stdout;
    assert!(answer.contains("Household risk (12 households;"), "{answer}");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder.run(&["verify", "release"]).done();
    let stated = folder.fact("several-rows-per-person");
    assert_eq!((&stated["unit"], &stated["k"]), (&"household".into(), &3.into()));
}

/// A policy with zip codes that are masked from the right, and with a file of the population.
const MASKED: &str = "version = 1\n[input]\npath = \"zips.csv\"\nnull_values = [\"NA\"]\n\
    [population]\npath = \"people.csv\"\n\
    [attributes.zip]\nrole = \"quasi-identifier\"\nhierarchy = { mask = \"right\" }\n\
    [[principles]]\nkind = \"k-anonymity\"\nk = 3\n";

/// A mask has one level for each character of the longest value. If the population has longer or
/// shorter values, the levels differ, and the program must claim nothing.
#[test]
fn k_map_is_unknown_if_mask_levels_differ() {
    let zips = "zip\n12345\n12346\n12347\n12355\n12356\nNA\nNA\nNA\n";
    let folder = Folder::empty().with("zips.csv", zips).with("policy.toml", MASKED);
    let answer = |people: &str| {
        std::fs::write(folder.path("people.csv"), people).expect("written");
        let args = ["anonymize", "policy.toml", "-o", "r", "--force", "--format", "json"];
        folder.run(&args).done().json()
    };
    let after = |answer: &serde_json::Value| answer["population"]["after"]["k_map"].clone();
    // The population has the same values, including missing values.
    let same = answer(zips);
    assert!(after(&same)["k"].as_u64().is_some_and(|k| k >= 3), "{same}");
    assert_eq!(same["population"]["before"]["k_map"]["n_rows_outside_population"], 0, "{same}");
    for people in [format!("{zips}123456\n"), "zip\n1234\n1235\nNA\n".to_owned()] {
        let other = answer(&people);
        assert!(after(&other).is_null(), "{people}: {other}");
    }
}

/// A hundred quasi-identifiers have too many subsets. Figures that require all subsets are unknown,
/// and the answer must state this.
#[test]
fn subset_figures_are_unknown_for_many_quasi_identifiers() {
    let columns: Vec<String> = (0..100).map(|at| format!("c{at}")).collect();
    let row = |of_last: &str| format!("{}{of_last}\n", "1,".repeat(99));
    let table = [columns.join(",") + "\n", row("1").repeat(2), row("2")].concat();
    let mut policy = String::from("version = 1\n[input]\npath = \"sample.csv\"\n");
    for column in &columns {
        policy += &format!("[attributes.{column}]\nrole = \"quasi-identifier\"\n");
    }
    policy += "[[principles]]\nkind = \"k-anonymity\"\nk = 2\n";
    let folder = Folder::empty().with("sample.csv", table).with("policy.toml", policy);
    let requested = ["profile", "policy.toml", "--sampling-fraction", "0.1"];
    let rows = [&requested[..], &["--risk-of-rows", "rows.csv", "--format", "json"]].concat();
    let risk = &folder.run(&rows).done().json()["population"]["special_uniques"];
    assert_eq!(risk["highest_dis_suda"], serde_json::Value::Null, "{risk}");
    assert_eq!((&risk["depth"], &risk["n_special"]), (&3.into(), &1.into()));
    let written = folder.text("rows.csv");
    assert!(written.lines().skip(1).all(|line| line.ends_with(',')), "{written}");
    let text =
        folder.run(&requested).done().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("DIS-SUDA is therefore unknown"), "{text}");
}
