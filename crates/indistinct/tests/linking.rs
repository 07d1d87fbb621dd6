//! Tests `link` on releases of every pair of methods, with an oracle that reads the files directly.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::ledger;
use indistinct::linked::{
    Combinations, LinkAnswer, LinkRequest, OriginalOf, ReadBy, Who, link, parse_minimum,
};
use indistinct::{Error, Job, Session, Values};
use support::{Dice, Rows, Scene, opened, read_table, released, row, write_table};

const COLUMNS: [&str; 5] = ["age", "sex", "zip", "city", "disease"];

const ATTRIBUTES: &str = r#"version = 1
[input]
path = "TABLE"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 30] }
[attributes.sex]
role = "quasi-identifier"
[attributes.zip]
role = "quasi-identifier"
hierarchy = { mask = "right" }
[attributes.city]
role = "quasi-identifier"
hierarchy = { tree = { "south" = ["Rome", "Bari", "Lecce"], "north" = ["Milan", "Turin"] } }
[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "lungs" = ["asthma", "flu", "cough"], "stomach" = ["ulcer", "gastritis"], "other" = ["acne"] } }
"#;

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 3\n";
const L: &str = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 3\n";
const TAU: &str = "[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.45\nl = 4\n";

/// The principles and the recoding of each method.
const METHODS: &[(&str, &str, &str)] = &[
    ("full-domain", K, "method = \"full-domain\"\n"),
    ("starred", K, "method = \"full-domain\"\nsuppression = \"star-rows\"\n"),
    ("regions", K, "method = \"multidimensional\"\n"),
    (
        "values",
        K,
        "method = \"multidimensional\"\ngeneralize_to = \"bounds\"\nsplit = \"median\"\n",
    ),
    ("curve", K, "method = \"curve\"\ngeneralize_to = \"bounds\"\n"),
    ("sweep", TAU, "method = \"sweep\"\n"),
    ("anatomy", L, "method = \"anatomy\"\n"),
    ("class-column", K, "method = \"multidimensional\"\nCLASS"),
    ("partition", K, "method = \"partition\"\n"),
];

fn policy(table: &str, principles: &str, recoding: &str) -> String {
    let attributes = ATTRIBUTES.replace("TABLE", table);
    let (recoding, output) = match recoding.strip_suffix("CLASS") {
        Some(recoding) => (recoding, "[output]\nclass_column = \"class\"\n"),
        None => (recoding, ""),
    };
    format!(
        "{attributes}{principles}[recoding]\n{recoding}suppression_limit = 0.1\nseed = 7\n{output}"
    )
}

/// Two hospitals that share patients.
fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(11);
    let diseases = ["asthma", "flu", "flu", "cough", "ulcer", "gastritis", "acne"];
    let people: Rows = (0..150)
        .map(|_| {
            let age = (20 + dice.below(40)).to_string();
            let zip = format!("13{}", 10 + dice.below(20));
            let city = *dice.pick(&["Rome", "Bari", "Milan", "Turin"]);
            row(&[&age, *dice.pick(&["f", "m"]), &zip, city, *dice.pick(&diseases)])
        })
        .collect();
    let header = row(&COLUMNS);
    write_table(&scene.path("a.csv"), &header, &people[..100]);
    write_table(&scene.path("b.csv"), &header, &people[50..]);
    scene
}

/// Creates a release of table `a` or `b`.
fn release(scene: &Scene, which: &str, method: &(&str, &str, &str)) -> PathBuf {
    let (name, principles, recoding) = method;
    let text = policy(&format!("{which}.csv"), principles, recoding);
    scene.release(&text, &format!("{name}-{which}")).0
}

fn public_copy(directory: &Path) -> PathBuf {
    let copy = directory.with_extension("public");
    support::copy(directory, &copy);
    copy
}

/// A class as read by the oracle: the labels of its rows, and the number of rows that may represent
/// each disease.
struct Class {
    regions: BTreeSet<Vec<String>>,
    sensitive: BTreeMap<String, u64>,
}

fn classes(directory: &Path) -> Vec<Class> {
    let mut classes: BTreeMap<Vec<String>, Class> = BTreeMap::new();
    let class = || Class { regions: BTreeSet::new(), sensitive: BTreeMap::new() };
    let anatomy = directory.join("quasi_identifiers.csv");
    if anatomy.exists() {
        for row in read_table(&anatomy).1 {
            let of = classes.entry(vec![row[4].clone()]).or_insert_with(class);
            of.regions.insert(row[..4].to_vec());
        }
        for row in read_table(&directory.join("sensitive.csv")).1 {
            let of = classes.get_mut(&row[..1]).expect("the class has people");
            *of.sensitive.entry(row[1].clone()).or_default() +=
                row[2].parse::<u64>().expect("count");
        }
    } else {
        for row in read_table(&directory.join("data.csv")).1 {
            let key = if row.len() > 5 { vec![row[5].clone()] } else { row[..4].to_vec() };
            let of = classes.entry(key).or_insert_with(class);
            of.regions.insert(row[..4].to_vec());
            *of.sensitive.entry(row[4].clone()).or_default() += 1;
        }
    }
    classes.into_values().collect()
}

/// Returns the original values that a label of a tree represents.
fn below(label: &str) -> Vec<&str> {
    match label {
        "south" => vec!["Rome", "Bari", "Lecce"],
        "north" => vec!["Milan", "Turin"],
        "lungs" => vec!["asthma", "flu", "cough"],
        "stomach" => vec!["ulcer", "gastritis"],
        "other" => vec!["acne"],
        "*" => vec!["asthma", "flu", "cough", "ulcer", "gastritis", "acne"],
        value => vec![value],
    }
}

/// Whether a released label covers an original value of the column at index `at`.
fn covers(at: usize, label: &str, value: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let inner = label.get(1..label.len() - 1).unwrap_or("");
    match (at, label.chars().next(), label.chars().last()) {
        _ if label == "*" || label == value => true,
        (_, Some('{'), _) => inner.split(", ").any(|it| it == value),
        (0 | 2, Some('['), Some(end)) => {
            let (low, high) = inner.split_once(", ").expect("an interval has two bounds");
            let (value, high) = (number(value), number(high));
            number(low) <= value && (value < high || (end == ']' && value == high))
        }
        (2, _, Some('*')) => {
            label.len() == value.len() && value.starts_with(label.trim_end_matches('*'))
        }
        (3, _, _) => below(label).contains(&value),
        _ => false,
    }
}

/// Returns the number of people by the number of possible diseases, the number of people who are
/// linked to nothing, and the number of people with too few possible diseases.
fn naive(
    directories: [&Path; 2],
    tables: [&str; 2],
    scene: &Scene,
) -> (BTreeMap<u64, u64>, u64, u64) {
    let mut people: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for table in tables {
        let mut own: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for row in read_table(&scene.path(table)).1 {
            *own.entry(row[..4].to_vec()).or_default() += 1;
        }
        for (person, n) in own {
            let most = people.entry(person).or_default();
            *most = n.max(*most);
        }
    }
    let releases = directories.map(classes);
    let (mut distribution, mut contradictory, mut not_linked) = (BTreeMap::new(), 0, 0);
    for (person, n) in people {
        let mut allowed: Vec<BTreeSet<&str>> = Vec::new();
        for release in &releases {
            let fits = |region: &Vec<String>| {
                region
                    .iter()
                    .zip(&person)
                    .enumerate()
                    .all(|(at, (label, value))| covers(at, label, value))
            };
            let fitting: Vec<&Class> =
                release.iter().filter(|class| class.regions.iter().any(fits)).collect();
            if !fitting.is_empty() {
                let labels = fitting.iter().flat_map(|class| class.sensitive.keys());
                allowed.push(labels.flat_map(|label| below(label)).collect());
            }
        }
        match &allowed[..] {
            [a, b] => match a.intersection(b).count() as u64 {
                0 => contradictory += n,
                l => *distribution.entry(l).or_insert(0) += n,
            },
            _ => not_linked += n,
        }
    }
    (distribution, contradictory, not_linked)
}

fn linked(directories: &[&Path], requested: &LinkRequest) -> LinkAnswer {
    let directories: Vec<PathBuf> = directories.iter().map(|it| it.to_path_buf()).collect();
    opened(link(&Session::default(), &directories, requested))
}

fn with_originals(scene: &Scene, tables: [&str; 2]) -> LinkRequest {
    let original =
        |(release, table): (usize, &str)| OriginalOf { release, data: scene.path(table) };
    LinkRequest {
        originals: tables.into_iter().enumerate().map(original).collect(),
        ..LinkRequest::default()
    }
}

#[test]
fn releases_of_all_methods_can_be_linked() {
    let scene = scene();
    let of = |which: &str| -> Vec<PathBuf> {
        METHODS.iter().map(|method| release(&scene, which, method)).collect()
    };
    let (first, second) = (of("a"), of("b"));
    let public: Vec<PathBuf> = second.iter().map(|it| public_copy(it)).collect();
    for (a, (one, _, _)) in first.iter().zip(METHODS) {
        for ((b, public), (other, _, _)) in second.iter().zip(&public).zip(METHODS) {
            let case = format!("{one} with {other}");
            let tables = ["a.csv", "b.csv"];
            let found = linked(&[a, b], &with_originals(&scene, tables));
            let (distribution, contradictory, not_linked) = naive([a, b], tables, &scene);
            assert_eq!((found.who, &found.not_understood[..]), (Who::People, &[][..]), "{case}");
            let value = &found.sensitive[0];
            person_by_person_as_all_people(&scene, [a, b], tables);
            let remains: BTreeMap<u64, u64> = value
                .distribution
                .iter()
                .map(|it| (it.distinct_l, it.combinations.n_people.expect("known")))
                .collect();
            assert_eq!(remains, distribution, "{case}");
            assert_eq!(found.contradictory.n_people, Some(contradictory), "{case}");
            assert_eq!(found.n_not_linked, Some(not_linked), "{case}");
            // With less knowledge about people, the guaranteed number of remaining values is not
            // larger.
            for (directory, read_by) in [(b, ReadBy::Holder), (public, ReadBy::Published)] {
                let less = linked(&[a, directory], &LinkRequest::default());
                assert_eq!((less.who, less.releases[1].labels_read_by), (Who::Anybody, read_by));
                assert!(less.sensitive[0].distinct_l <= value.distinct_l, "{case} {read_by:?}");
            }
        }
    }
}

/// Asserts that the same values remain for each person alone as for this person among all people.
fn person_by_person_as_all_people(scene: &Scene, releases: [&Path; 2], tables: [&str; 2]) {
    let shown = |person| LinkRequest {
        person,
        values: Values::Shown,
        n_worst: Some(2),
        ..with_originals(scene, tables)
    };
    for worst in linked(&releases, &shown(None)).sensitive[0].worst.iter().flatten() {
        let person = worst.quasi_identifiers.iter().cloned().collect();
        let alone = linked(&releases, &shown(Some(person)));
        assert_eq!((alone.who, alone.linked.n_people), (Who::Person, Some(1)));
        let remaining = &alone.sensitive[0].worst.as_ref().expect("shown")[0].remaining;
        assert_eq!(remaining, &worst.remaining, "{:?}", worst.quasi_identifiers);
    }
}

#[test]
fn person_requires_exactly_the_common_quasi_identifiers() {
    let scene = scene();
    let (one, other) = (release(&scene, "a", &METHODS[0]), release(&scene, "b", &METHODS[0]));
    let refusal = |person: &[(&str, &str)]| {
        let person = person.iter().map(|(column, value)| (column.to_string(), value.to_string()));
        let request = LinkRequest { person: Some(person.collect()), ..LinkRequest::default() };
        refused(&[&one, &other], &request)
    };
    let (code, text) = refusal(&[("age", "34"), ("name", "Ann")]);
    assert_eq!(code, "E-LINK-009");
    assert!(
        text.contains("are age, sex, zip, and city, but the person has values for age and"),
        "{text}"
    );
    assert!(!text.contains("34") && !text.contains("Ann"), "{text}");
}

fn refused(directories: &[&Path], requested: &LinkRequest) -> (String, String) {
    let directories: Vec<PathBuf> = directories.iter().map(|it| it.to_path_buf()).collect();
    let error = link(&Session::default(), &directories, requested)
        .expect_err("the releases cannot be linked");
    let message = error.messages(Values::Hidden).remove(0);
    (message.code, message.text)
}

#[test]
fn unlinkable_releases_are_rejected() {
    let scene = scene();
    let make = |name: &str, policy: &str| scene.release(policy, name).0;
    let usual = policy("a.csv", K, METHODS[0].2);
    let one = make("one", &usual);
    let code = |directories: &[&Path]| refused(directories, &LinkRequest::default()).0;
    assert_eq!(code(&[&one]), "E-LINK-001");
    assert_eq!(code(&[&one, &scene.path("./one")]), "E-LINK-002");
    assert_eq!(code(&[&one, scene.folder()]), "E-VERIFY-001");
    let text = refused(&[&one, &one, &one], &LinkRequest::default()).1;
    assert!(text.contains("one' is given twice"), "{text}");

    // Two releases without a common quasi-identifier are rejected.
    let without = |columns: &[&str]| {
        let mut text = usual.clone();
        for column in columns {
            let start = text.find(&format!("[attributes.{column}]")).expect("declared");
            let end = text[start..].find("\n[").expect("more") + start + 1;
            text.replace_range(
                start..end,
                &format!(
                    "[attributes.{column}]\nrole = \"insensitive\"\nunique_values_reason = \"the \
                     table is synthetic\"\n"
                ),
            );
        }
        text
    };
    let reason = "[release]\ninsensitive_reason = \"the table is synthetic\"\n";
    let without =
        |columns: &[&str]| without(columns).replacen("[input]", &format!("{reason}[input]"), 1);
    let by_age = make("by-age", &without(&["sex", "zip", "city"]));
    let by_city = make("by-city", &without(&["sex", "zip", "age"]));
    let (code_, text) = refused(&[&by_age, &by_city], &LinkRequest::default());
    assert_eq!(code_, "E-LINK-005");
    assert!(text.contains("by-age"), "{text}");
    // An additional column in one release is allowed.
    assert!(linked(&[&one, &by_age], &LinkRequest::default()).sensitive[0].distinct_l.is_some());

    let other_sensitive = usual
        .replace(
            "[attributes.zip]\nrole = \"quasi-identifier\"\nhierarchy = { mask = \"right\" }",
            "[attributes.zip]\nrole = \"sensitive\"",
        )
        .replace(
            "[attributes.disease]\nrole = \"sensitive\"",
            "[attributes.disease]\nrole = \"quasi-identifier\"",
        );
    let zip = make("zip", &other_sensitive);
    assert_eq!(code(&[&one, &zip]), "E-LINK-006");

    // The taxonomies contradict each other.
    let moved = usual.replace(
        "\"lungs\" = [\"asthma\", \"flu\", \"cough\"], \"stomach\" = [\"ulcer\"",
        "\"lungs\" = [\"asthma\", \"flu\"], \"stomach\" = [\"cough\", \"ulcer\"",
    );
    assert_ne!(moved, usual);
    let moved = make("moved", &moved);
    let (code_, text) = refused(&[&one, &moved], &LinkRequest::default());
    assert_eq!(code_, "E-LINKAGE-027");
    assert!(text.contains("2 labels of 'disease'"), "{text}");

    let noise = format!(
        "{}[[principles]]\nkind = \"epsilon-m-anonymity\"\nepsilon = 1\nm = 4\n[recoding]\n\
         method = \"perturbation\"\nseed = 7\ndomain = {{ min = 1300, max = 1350, step = 1 }}\n",
        ATTRIBUTES.replace("TABLE", "a.csv")
            .replace("[attributes.zip]\nrole = \"quasi-identifier\"\n\
                      hierarchy = { mask = \"right\" }", "[attributes.zip]\nrole = \"sensitive\"")
            .replace("[attributes.disease]\nrole = \"sensitive\"", "[attributes.disease]\n\
                role = \"insensitive\"")
            .replace("hierarchy = { tree = { \"lungs\" = [\"asthma\", \"flu\", \"cough\"], \"stomach\" = [\"ulcer\", \"gastritis\"], \"other\" = [\"acne\"] } }\n", "")
    );
    let noise = make("noise", &noise);
    assert_eq!(code(&[&zip, &noise]), "E-LINK-003");

    let requested = LinkRequest { sensitive: Some("zip".to_owned()), ..LinkRequest::default() };
    let other = release(&scene, "b", &METHODS[2]);
    assert_eq!(refused(&[&one, &other], &requested).0, "E-LINK-004");
    assert_eq!(
        refused(&[&one, &other], &with_originals(&scene, ["a.csv", "a.csv"])).0,
        "E-ORIGINAL-001"
    );
}

#[test]
fn invalid_minima_and_originals_are_rejected() {
    for text in ["l=3", "l=2.5,measure=entropy", "measure=frequency, l=1"] {
        assert!(parse_minimum(text).is_ok(), "{text}");
    }
    for text in ["", "3", "l=", "l=0.5", "measure=entropy", "l=3,l=4", "l=3,measure=some", "k=3"] {
        let error = Error::from(parse_minimum(text).expect_err(text));
        assert_eq!(error.messages(Values::Hidden)[0].code, "E-LINK-008");
    }
    let directories = ["a", "b=c"].map(PathBuf::from);
    let of = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let found = OriginalOf::of_texts(&texts, &directories);
        found.map(|found| found.into_iter().map(|it| (it.release, it.data)).collect::<Vec<_>>())
    };
    let data = |release: usize, text: &str| (release, PathBuf::from(text));
    assert_eq!(of(&["x", "y"]).expect("two"), [data(0, "x"), data(1, "y")]);
    assert_eq!(of(&["b=c=x", "y"]).expect("two"), [data(1, "x"), data(0, "y")]);
    assert_eq!(of(&["c=x"]).expect("a file"), [data(0, "c=x")]);
    let error =
        Error::from(of(&["x", "y", "z"]).expect_err("there are more originals than releases"));
    assert_eq!(error.messages(Values::Hidden)[0].code, "E-LINK-007");
}

#[test]
fn required_minimum_applies_to_all_people() {
    let scene = scene();
    let [a, b] = ["a", "b"].map(|which| release(&scene, which, &METHODS[2]));
    let of = |minimum: &str, originals: bool| {
        let minimum = parse_minimum(minimum).expect("a minimum");
        let tables = ["a.csv", "b.csv"];
        let requested =
            if originals { with_originals(&scene, tables) } else { LinkRequest::default() };
        linked(&[&a, &b], &LinkRequest { minimum: Some(minimum), ..requested })
    };
    for originals in [false, true] {
        assert!(of("l=1", originals).holds);
        let found = of("l=2", originals);
        let value = &found.sensitive[0];
        assert_eq!((found.holds, value.distinct_l), (false, Some(1)));
        assert_eq!(value.below, Some(value.revealed));
        assert_eq!(found.sensitive[0].worst, None);
    }
    let entropy = of("l=2,measure=entropy", true).sensitive.remove(0);
    let frequency = of("l=2,measure=frequency", true).sensitive.remove(0);
    let people = |of: &indistinct::linked::LinkedSensitive| of.below.and_then(|it| it.n_people);
    // Total / largest never exceeds the exponential of the entropy.
    assert!(
        people(&frequency) >= people(&entropy)
            && people(&entropy) >= people(&of("l=2", true).sensitive[0])
    );
}

/// Four people in two tables with different notations of sex or disease.
#[test]
fn people_match_across_notations() {
    let people = [("1", "flu"), ("2", "ulcer"), ("3", "gout"), ("4", "flu")];
    let policy = |table: &str, tree: &str| {
        format!(
            "version = 1\n[input]\npath = \"{table}\"\n[attributes.age]\n\
             role = \"quasi-identifier\"\n\
             hierarchy = {{ tree = {{ {tree} }} }}\n[attributes.sex]\nrole = \"quasi-identifier\"\n\
             [attributes.disease]\nrole = \"sensitive\"\n[[principles]]\n\
             kind = \"distinct-l-diversity\"\nl = 2\n\
             [recoding]\nseed = 1\n[linkage]\nminimum = {{ l = 2 }}\n"
        )
    };
    let trees =
        ["x = [\"1\", \"2\"], y = [\"3\", \"4\"]", "u = [\"1\", \"3\"], v = [\"2\", \"4\"]"];
    // The notation of sex and disease in the second table, and whether there is a release that
    // provably leaves two diseases for everyone.
    type Writing = fn(&str) -> String;
    let same: Writing = str::to_owned;
    let upper: Writing = str::to_uppercase;
    let coded: Writing = |text| format!("code of {text}");
    for (sex, disease, can_hold) in [
        (same, same, true),
        (upper, same, true),
        (same, upper, true),
        (coded, same, true),
        (same, coded, false),
    ] {
        let scene = Scene::new();
        let ledger = scene.path("releases.ledger");
        opened(ledger::init(&ledger));
        let table = |name: &str, sex: &str, disease: Writing| {
            let rows = people.map(|it| format!("{},{sex},{}\n", it.0, disease(it.1)));
            scene.write(name, &format!("age,sex,disease\n{}", rows.concat()))
        };
        table("a.csv", "m", same);
        table("b.csv", &sex("m"), disease);
        let jobs = ["a", "b"].map(|name| {
            let tree = trees[usize::from(name == "b")];
            let text = policy(&format!("{name}.csv"), tree);
            opened(Session::default().open(&scene.write(&format!("{name}.toml"), &text), None))
        });
        let [a, b, alone] = ["a", "b", "alone"].map(|name| scene.path(name));
        let with_ledger = |job: &Job, directory: &Path| {
            opened(ledger::anonymize(job, directory, Replace::Forbid, &ledger, &|_| {}))
        };
        released(with_ledger(&jobs[0], &a));
        // The ledger links the release with the other release, and either makes it coarser or
        // refuses it.
        match (with_ledger(&jobs[1], &b), can_hold) {
            (Outcome::Released(release), true) => {
                let linkage =
                    release.linkage.as_ref().expect("the release was linked with earlier releases");
                assert!(linkage.effect.holds && linkage.coarser.is_some());
            }
            (Outcome::Infeasible(refused), false) => {
                let effect = &refused
                    .linkage
                    .as_ref()
                    .expect("the linkage requirement rejects the release")
                    .effect;
                let n = |of: Combinations| of.n_people.expect("the number of people is known");
                assert_eq!((effect.holds, n(effect.unclear), n(effect.linked)), (false, 4, 0));
            }
            other => panic!("{other:?}"),
        }
        // Without the ledger, the recoding is as fine as possible, and joining with the other
        // release leaves too little.
        let text = policy("b.csv", trees[1]).replace("[linkage]\nminimum = { l = 2 }\n", "");
        let job = opened(Session::default().open(&scene.write("alone.toml", &text), None));
        released(opened(anonymize(&job, &alone, Replace::Forbid)));
        let minimum = Some(parse_minimum("l=2").expect("a minimum"));
        let requested = LinkRequest { minimum, ..with_originals(&scene, ["a.csv", "b.csv"]) };
        let found = linked(&[&a, &alone], &requested);
        assert!(!found.holds, "{found:?}");
        if !can_hold {
            assert_eq!((found.unclear.n_people, found.sensitive[0].distinct_l), (Some(4), None));
        }
    }
}

#[test]
fn worst_combinations_are_shown_only_on_request() {
    let scene = scene();
    let a = release(&scene, "a", &METHODS[0]);
    let b = release(&scene, "b", &METHODS[6]);
    let tables = ["a.csv", "b.csv"];
    let requested =
        LinkRequest { values: Values::Shown, n_worst: Some(3), ..with_originals(&scene, tables) };
    let found = linked(&[&a, &b], &requested);
    let value = &found.sensitive[0];
    let worst = value.worst.as_ref().expect("the request includes the worst case");
    assert_eq!(worst.len(), 3);
    let people: BTreeSet<Vec<String>> = tables
        .iter()
        .flat_map(|table| read_table(&scene.path(table)).1)
        .map(|row| row[..4].to_vec())
        .collect();
    for it in worst {
        let names: Vec<&str> = it.quasi_identifiers.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names, COLUMNS[..4]);
        let person: Vec<String> = it.quasi_identifiers.iter().map(|it| it.1.clone()).collect();
        assert!(people.contains(&person), "{person:?}");
        for release in &it.releases {
            for labels in &release.classes {
                assert!(
                    labels.iter().zip(&person).enumerate().all(|(at, (l, v))| covers(at, l, v))
                );
            }
        }
        assert!(
            it.remaining.len() as u64 >= value.distinct_l.expect("at least one person is linked")
        );
    }
    assert_eq!(
        worst[0].remaining.len() as u64,
        value.distinct_l.expect("at least one person is linked")
    );
}

#[test]
fn linking_release_with_its_copy_discloses_nothing_new() {
    let scene = scene();
    let a = release(&scene, "a", &METHODS[6]);
    let found = linked(&[&a, &public_copy(&a)], &LinkRequest::default());
    assert_eq!(found.releases[0].same_as, None);
    assert_eq!(found.releases[1].same_as.as_ref(), Some(&a));
    let alone = found.sensitive[0].distinct_l_alone[0];
    assert_eq!((found.sensitive[0].distinct_l, alone.is_some()), (alone, true));
}
