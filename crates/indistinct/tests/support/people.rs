//! Tests of tables with several rows per person, from the policy file to a verified release. A
//! column that is released unchanged identifies the owner of each row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct::anonymize::{Outcome, WrittenRelease};
use indistinct::attack::{AttackRequest, UntriedAttack, attack};
use indistinct::check::check;
use indistinct::warning::Warning;
use indistinct::{CountedUnit, Session, TableRef, Values};

use super::support::{
    Dice, Scene, assert_holds, fact, fact_mut, finds, opened, read_certificate, read_table,
    write_certificate,
};

const POLICY: &str = r#"version = 1
[input]
path = "visits.csv"
[attributes.patient]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[attributes.sex]
role = "quasi-identifier"
[attributes.visit]
role = "quasi-identifier"
hierarchy = { dates = ["month", "quarter", "year"] }
[attributes.reason]
role = "sensitive"
[attributes.line]
role = "insensitive"
unique_values_reason = "the table is synthetic"
looks_like_identifier = "accepted"
looks_like_identifier_reason = "it is for this test"
[recoding]
suppression_limit = 0.05
seed = 3
"#;

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 4\n";
const DISTINCT: &str = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n";
const FREQUENCY: &str = "[[principles]]\nkind = \"frequency-l-diversity\"\nl = 1.25\n";
const ENTROPY: &str = "[[principles]]\nkind = \"entropy-l-diversity\"\nl = 1.3\n";
const ALPHA: &str = "[[principles]]\nkind = \"alpha-k-anonymity\"\nalpha = 0.8\nk = 3\n";

/// Returns 60 people with up to six visits each. Some people have a birthday between visits; most
/// people always come for the same reason.
fn scene(seed: u64) -> (Scene, Vec<(String, String)>) {
    let scene = Scene::new();
    let mut dice = Dice::new(seed);
    let mut table = String::from("patient,age,sex,visit,reason,line\n");
    let mut lines = Vec::new();
    for person in 0..60 {
        let (age, sex) = (20 + dice.below(50), *dice.pick(&["f", "m"]));
        let usual = *dice.pick(&["flu", "back", "cough", "eyes", "skin"]);
        for visit in 0..1 + dice.below(6) {
            let age = age + usize::from(dice.below(4) == 0 && visit > 2);
            let date = format!("2024-{:02}-{:02}", 1 + dice.below(12), 1 + dice.below(28));
            let reason = if dice.below(5) == 0 { "check" } else { usual };
            table += &format!("p{person},{age},{sex},{date},{reason},{}\n", lines.len());
            lines.push((format!("p{person}"), reason.to_owned()));
        }
    }
    scene.write("visits.csv", &table);
    (scene, lines)
}

/// Returns the people of each class of a release, with their reasons in this class.
fn people_of_classes(
    directory: &Path,
    lines: &[(String, String)],
) -> Vec<BTreeMap<String, BTreeSet<String>>> {
    let (header, rows) = read_table(&directory.join("data.csv"));
    let at = |name: &str| header.iter().position(|column| column == name).expect("released");
    assert!(!header.contains(&"patient".to_owned()));
    let (labels, line) = (["age", "sex", "visit"].map(at), at("line"));
    let mut classes: BTreeMap<Vec<&str>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for row in &rows {
        let key = labels.iter().map(|&at| row[at].as_str()).collect();
        let (person, reason) = &lines[row[line].parse::<usize>().expect("a number")];
        let people = classes.entry(key).or_default();
        people.entry(person.clone()).or_default().insert(reason.clone());
    }
    classes.into_values().collect()
}

fn policy(principles: &[&str], people: &str) -> String {
    format!("{POLICY}{people}{}", principles.concat())
}

fn released(scene: &Scene, policy: &str, name: &str) -> WrittenRelease {
    let (directory, released) = scene.release(policy, name);
    assert_holds(&directory);
    released
}

#[test]
fn every_class_has_enough_people() {
    let all: &[&str] = &[K, DISTINCT, FREQUENCY, ALPHA, ENTROPY];
    let (mut rows_alone_fail, mut coarser) = (0, 0);
    let cases = [
        (1, "uniform", "full-domain"),
        (2, "independent", "full-domain"),
        (3, "independent", "multidimensional"),
        (4, "uniform", "multidimensional"),
        (5, "uniform", "multidimensional"),
    ];
    for (seed, rows, method) in cases {
        let (scene, lines) = scene(seed);
        let policy = |principles: &[&str], people: &str| {
            let method = format!("[recoding]\nmethod = \"{method}\"");
            policy(principles, people).replace("[recoding]", &method)
        };
        let people = format!("[people]\nid = \"patient\"\nrows = \"{rows}\"\n");
        let by_people = released(&scene, &policy(all, &people), "people");
        let classes = people_of_classes(&scene.path("people"), &lines);
        let mut of_person: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (number, class) in classes.iter().enumerate() {
            assert!(class.len() >= 4, "{} people", class.len());
            for reason in ["flu", "back", "cough", "eyes", "skin", "check"] {
                let having = class.values().filter(|reasons| reasons.contains(reason)).count();
                assert!(having * 5 <= class.len() * 4, "{having} of {}", class.len());
            }
            for person in class.keys() {
                of_person.entry(person).or_default().insert(number);
            }
        }
        let n_apart = of_person.values().filter(|classes| classes.len() > 1).count();
        assert_eq!(
            n_apart == 0,
            rows == "uniform" || classes.len() == 1,
            "{n_apart} people have rows in several classes"
        );
        let smallest = classes.iter().map(BTreeMap::len).min().expect("the release has classes");
        let claim = &by_people.principles[all.len()];
        assert_eq!(
            claim.reached.as_ref().expect("the release has rows")["k"],
            Some(indistinct::Figure::Count(smallest as u64))
        );

        let by_rows = released(&scene, &policy(all, ""), "rows");
        let fewest = people_of_classes(&scene.path("rows"), &lines).iter().map(BTreeMap::len).min();
        rows_alone_fail += u32::from(fewest < Some(4));
        coarser += u32::from(by_people.loss["loss"] > by_rows.loss["loss"]);
        let repeated = |warnings: &[Warning]| {
            warnings.iter().find_map(|it| match it {
                Warning::RepeatedIdentifier(it) if it.column == "patient" => Some(it.clone()),
                _ => None,
            })
        };
        let stated = repeated(&by_rows.warnings).expect("a warning about the identifier");
        let fewest = fewest.expect("the release has classes") as u64;
        assert_eq!(stated.fewest_in_class, Some(fewest));
        assert_eq!(repeated(&by_people.warnings), None);
    }
    assert!(rows_alone_fail > 0 && coarser > 0, "{rows_alone_fail}, {coarser}");
}

#[test]
fn release_states_people_requirements_without_reached_levels() {
    let (scene, _) = scene(5);
    let people = "[people]\nid = \"patient\"\nrows = \"independent\"\n";
    released(&scene, &policy(&[K, FREQUENCY], people), "out");
    let directory = scene.path("out");
    let mut certificate = read_certificate(&directory);
    let claims = certificate["claims"]["rows"]["principles"].as_array().expect("claims");
    assert_eq!(claims.len(), 2, "only principles on rows are claimed: {claims:?}");
    let stated = fact_mut(&mut certificate, "several-rows-per-person");
    assert_eq!((&stated["unit"], &stated["rows"]), (&"person".into(), &"independent".into()));
    assert_eq!((&stated["k"], &stated["principles"][0]["required"]["k"]), (&4.into(), &4.into()));
    assert_eq!(stated["principles"][1]["attribute"], "reason");
    // A larger claim is detected.
    stated["principles"][0]["required"]["k"] = 5.into();
    write_certificate(&directory, &certificate);
    assert!(finds(&directory));
}

#[test]
fn households_count_once() {
    let scene = Scene::new();
    let mut dice = Dice::new(9);
    let mut table = String::from("hh,age,sex,income,line\n");
    let mut lines = Vec::new();
    for household in 0..80 {
        for _ in 0..1 + dice.below(5) {
            let (age, sex) = (dice.below(80), *dice.pick(&["f", "m"]));
            table += &format!("{household},{age},{sex},{},{}\n", dice.below(9), lines.len());
            lines.push(household);
        }
    }
    scene.write("homes.csv", &table);
    let policy = |people: &str| {
        let roles = POLICY.replace("visits", "homes").replace("patient", "hh");
        let roles = roles.replace("attributes.reason", "attributes.income");
        let from = roles.find("[attributes.visit]").expect("the policy contains the section");
        let to = roles.find("[attributes.income]").expect("the policy contains the section");
        format!("{}{}{people}{K}", &roles[..from], &roles[to..])
    };
    let fewest = |name: &str| {
        let (header, rows) = read_table(&scene.path(name).join("data.csv"));
        let at = |name: &str| header.iter().position(|it| it == name).expect("released");
        let mut homes: BTreeMap<(&str, &str), BTreeSet<i32>> = BTreeMap::new();
        for row in &rows {
            let line: usize = row[at("line")].parse().expect("a number");
            let class = homes.entry((&row[at("age")], &row[at("sex")])).or_default();
            class.insert(lines[line]);
        }
        homes.values().map(BTreeSet::len).min().expect("the release has classes")
    };
    released(&scene, &policy("[people]\nhousehold = \"hh\"\n"), "homes");
    released(&scene, &policy(""), "rows");
    assert!(fewest("homes") >= 4);
    let certificate = read_certificate(&scene.path("homes"));
    let people =
        fact(&certificate, "several-rows-per-person").expect("the certificate contains the fact");
    assert_eq!(people["unit"], "household");
    assert_eq!((&people["rows"], &people["k"]), (&"independent".into(), &4.into()));
}

#[test]
fn sufficient_rows_may_have_too_few_people() {
    let scene = Scene::new();
    let mut table = String::from("patient,age,sex,visit,reason,line\n");
    for line in 0..30 {
        table +=
            &format!("p{},{},f,2024-01-0{},flu,{line}\n", line % 3, 30 + line % 3, 1 + line % 9);
    }
    scene.write("visits.csv", &table);
    let with = policy(&[K], "[people]\nid = \"patient\"\nrows = \"independent\"\n");
    let Outcome::Infeasible(infeasible) = scene.outcome(&with, "out") else {
        panic!("the table has only three people");
    };
    assert!(!infeasible.is_proved && !scene.path("out").exists());
    let nearest = infeasible.nearest().expect("the answer contains the nearest recoding");
    let failing: Vec<_> = nearest.principles.iter().filter(|claim| !claim.holds).collect();
    assert_eq!(failing.len(), 1, "{failing:?}");
    released(&scene, &policy(&[K], ""), "rows");

    let checked = opened(check(&scene.job(&with), Values::Hidden));
    assert_eq!(checked.principles.len(), 2);
    assert!(!checked.holds());

    // Rows without a person are an error.
    scene.write("visits.csv", &table.replace("p1,", ","));
    let error = indistinct::anonymize::anonymize(
        &scene.job(&with),
        &scene.path("nobody"),
        indistinct::anonymize::Replace::Forbid,
    );
    let messages = error.expect_err("10 rows do not identify a person").messages(Values::Hidden);
    assert_eq!(messages[0].code, "E-INVARIANT-202");
}

#[test]
fn levels_unify_rows_of_each_person() {
    let (scene, _) = scene(6);
    let people = "[people]\nid = \"patient\"\n";
    let released = released(&scene, &policy(&[K], people), "out");
    // The visits of a person are in several quarters, so no label is below the year.
    assert!(released.recoding.levels.expect("full-domain has levels")["visit"] >= 3);
    let with = policy(&[K], people).replace(
        "[\"month\", \"quarter\", \"year\"] }",
        "[\"month\", \"quarter\"] }\nmax_level = 2",
    );
    let error = super::support::anonymized(&scene.job(&with), &scene.path("no"));
    let messages =
        error.expect_err("the visits of a person are in several quarters").messages(Values::Hidden);
    assert_eq!(messages[0].code, "E-PEOPLE-001");
}

/// One person has six of the eight rows of a class. No sentence about the release claims that such
/// a row is found with probability 1/8.
#[test]
fn row_risk_is_not_reported_as_person_risk() {
    let scene = Scene::new();
    let mut table = String::from("patient,age,sex,visit,reason,line\n");
    let rows = "1111112344556677".chars().zip("fugachfgugggaach".chars()).enumerate();
    for (line, (patient, reason)) in rows {
        let age = if line < 8 { 40 } else { 50 };
        table += &format!("p{patient},{age},f,2024-01-01,{reason},{line}\n");
    }
    scene.write("visits.csv", &table);
    let original = scene.path("visits.csv");
    let of_rows = |text: &str| {
        text.contains("identifies the row of that person") || text.contains("guesses it with")
    };
    for (people, name) in [("", "rows"), ("[people]\nid = \"patient\"\n", "people")] {
        let by_people = name == "people";
        let policy = policy(&[&K.replace('4', "3")], people);
        released(&scene, &policy, name);
        let page = |folder: &str| {
            let page = std::fs::read_to_string(scene.path(folder).join("report.html"));
            page.expect("the report exists")
        };
        let public = page(name);
        let private = page(&format!("{name}.private"));
        assert_eq!(
            public.contains("identifies this particular row with a probability of at most"),
            by_people
        );
        assert_eq!((of_rows(&public), of_rows(&private)), (!by_people, !by_people));

        let attacked = |original: Option<TableRef<'_>>| {
            let minima = vec!["class=4".parse().expect("a minimum")];
            let requested = AttackRequest { original, minima, ..AttackRequest::default() };
            opened(attack(&Session::default(), &scene.path(name), &requested))
        };
        let by_anybody = attacked(None);
        assert_eq!(by_anybody.counts == CountedUnit::People, by_people);
        // The eight rows belong to three people, counted or promised.
        assert_eq!(by_anybody.minima[0].holds, !by_people);
        let is_untried = |it: &UntriedAttack| it.attack == "several-rows";
        assert_eq!(by_anybody.not_tried.iter().any(is_untried), by_people);
        let believed = by_anybody.findings.iter().find(|it| it.attack == "implications");
        let believed = believed.expect("the policy has a sensitive attribute");
        assert_eq!(believed.takes_rows_for_people, by_people);

        let by_holder = attacked(Some(original.as_path().into()));
        let counted = by_holder.findings.iter().find(|it| it.attack == "several-rows");
        assert_eq!(counted.is_some(), by_people);
        assert_eq!(by_holder.minima[0].found, Some(if by_people { 3.0 } else { 8.0 }));
    }
}

/// Returns the identifier of a person, which differs between the rows of the person only in
/// spelling.
type Spelled = fn(person: usize, row: usize) -> String;

const SPELLINGS: [(&str, Spelled); 6] = [
    ("numbers", |person, row| match row % 3 {
        0 => format!("{}", person + 7),
        1 => format!("{}.0", person + 7),
        _ => format!("0{}", person + 7),
    }),
    ("exponents", |person, row| match row % 2 {
        0 => format!("{}e3", person + 1),
        _ => format!("{}000", person + 1),
    }),
    ("case", |person, row| format!("{}{person}", if row % 2 == 0 { "ana" } else { "Ana" })),
    ("normalization", |person, row| {
        format!("{}{person}", if row % 2 == 0 { "zo\u{e9}" } else { "zoe\u{301}" })
    }),
    ("zero-width spaces", |person, row| {
        format!("p{}{person}", if row % 2 == 0 { "" } else { "\u{200b}" })
    }),
    ("zero-width spaces in numbers", |person, row| {
        format!("{person}{}", if row % 2 == 0 { "" } else { "\u{200b}" })
    }),
];

/// Two people share an age and have three rows each, so a class of one age has six rows but only
/// two people.
#[test]
fn spelling_variants_of_identifiers_are_not_counted_as_people_without_a_decision() {
    for (name, spelled) in SPELLINGS {
        let scene = Scene::new();
        let mut table = String::from("patient,age,sex,visit,reason,line\n");
        let (mut lines, mut spellings) = (Vec::new(), BTreeSet::new());
        for (person, row) in (0..24).flat_map(|person| (0..3).map(move |row| (person, row))) {
            let (id, line) = (spelled(person, row), lines.len());
            table += &format!("{id},{},f,2024-01-01,flu,{line}\n", 20 + 5 * (person / 2));
            lines.push((person.to_string(), "flu".to_owned()));
            spellings.insert(id);
        }
        scene.write("visits.csv", &table);
        let n_variants = (spellings.len() - 24) as u64;
        for key in ["id", "household"] {
            let with = |variants: &str| {
                let people = format!("[people]\n{key} = \"patient\"\n{variants}");
                let rows = if key == "id" { "rows = \"independent\"\n" } else { "" };
                policy(&[K], &format!("{people}{rows}"))
            };
            // The policy has to state the meaning of the spelling variants.
            let job = scene.job(&with(""));
            let refused = super::support::anonymized(&job, &scene.path("none")).map(|_| ());
            for error in [refused, check(&job, Values::Hidden).map(|_| ())] {
                let messages = error.expect_err("no decision").messages(Values::Hidden);
                assert_eq!(messages[0].code, "E-PEOPLE-004", "{name}");
                assert!(!messages[0].text.contains(&spelled(0, 1)), "{messages:?}");
            }
            assert!(!scene.path("none").exists());

            let fewest = |directory: &str| {
                let classes = people_of_classes(&scene.path(directory), &lines);
                classes.iter().map(BTreeMap::len).min().expect("the release has classes") as u64
            };
            let k_of = |released: &WrittenRelease| {
                let claim = released.principles.last().expect("a principle for people");
                claim.reached.as_ref().expect("the release has rows")["k"].clone()
            };
            let column = || "patient".to_owned();
            let directory = format!("merged-{key}");
            let merged = released(&scene, &with("spelling_variants = \"merged\"\n"), &directory);
            assert!(fewest(&directory) >= 4, "{name}");
            assert_eq!(k_of(&merged), Some(indistinct::Figure::Count(fewest(&directory))));
            let warning = Warning::UnifiedPeople { column: column(), n_values: n_variants };
            assert!(merged.warnings.contains(&warning), "{name}: {:?}", merged.warnings);

            // Here, the statement of the data holder is wrong.
            let directory = format!("distinct-{key}");
            let distinct =
                released(&scene, &with("spelling_variants = \"distinct\"\n"), &directory);
            assert_eq!(fewest(&directory), 2, "{name}");
            let warning = Warning::SimilarPeople { column: column(), n_values: n_variants };
            assert!(distinct.warnings.contains(&warning), "{name}: {:?}", distinct.warnings);
            let released_policy =
                std::fs::read_to_string(scene.path(&directory).join("policy.toml"));
            assert!(released_policy.expect("read").contains("spelling_variants = \"distinct\""));
        }
    }
}

#[test]
fn invisible_identifiers_identify_nobody() {
    let (scene, _) = scene(8);
    let table = std::fs::read_to_string(scene.path("visits.csv")).expect("read");
    scene.write("visits.csv", &table.replace("\np1,", "\n\u{200b},"));
    let job = scene.job(&policy(&[K], "[people]\nid = \"patient\"\n"));
    let error = super::support::anonymized(&job, &scene.path("out"));
    let messages = error.expect_err("no person").messages(Values::Hidden);
    assert_eq!(messages[0].code, "E-INVARIANT-202");
}
