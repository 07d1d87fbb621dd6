//! Plans from a distribution, and releases by them: what they promise, measured on many draws, and every wrong request.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct::anonymize::{
    ByPlan, Infeasible, NotByPlan, NotPossible, OfMethod, Outcome, Replace, WrittenRelease,
    anonymize,
};
use indistinct::linked::{Asked, link};
use indistinct::plan::{
    Basis, Choice, Cover, Dependence, Domain, Failure, Order, Outcome as Found, PlanAnswer,
    PlanFile, Rational, Request, Source, Weight, Weighted, figures, parse_fraction, plan,
};
use indistinct::{Error, InputSpec, Job, Silent, Values};
use support::{Dice, Rows, Scene, assert_holds, data_file, finds, opened, read_table, row};

const AGES: [&str; 6] = ["20", "30", "40", "50", "60", "70"];
const SEXES: [&str; 2] = ["f", "m"];
const DISEASES: [&str; 5] = ["asthma", "cancer", "flu", "gastritis", "ulcer"];

/// How frequent a line is, in some unit: diseases depend on age and sex.
fn weight(age: usize, sex: usize, disease: usize) -> u64 {
    (1 + (age * 3 + sex * 5 + disease * 7) % 6) as u64 * if disease == 1 { 1 } else { 3 }
}

fn lines() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..6)
        .flat_map(|age| (0..2).flat_map(move |sex| (0..5).map(move |disease| (age, sex, disease))))
}

fn cells((age, sex, disease): (usize, usize, usize)) -> [&'static str; 3] {
    [AGES[age], SEXES[sex], DISEASES[disease]]
}

fn write_counts(scene: &Scene, name: &str) {
    let mut text = "age,sex,disease,n\n".to_owned();
    for line in lines() {
        text += &format!("{},{}\n", cells(line).join(","), weight(line.0, line.1, line.2));
    }
    scene.write(name, &text);
}

fn source(path: &Path, weight: Weight) -> Source<'static> {
    Source::Weighted(Weighted {
        input: InputSpec {
            path: path.to_owned(),
            format: None,
            delimiter: None,
            null_values: Vec::new(),
        },
        sensitive: "disease".to_owned(),
        quasi_identifiers: Vec::new(),
        weight,
    })
}

fn request(l: u64, delta: Rational, choice: Choice) -> Request {
    Request {
        title: Some("Patients".to_owned()),
        l,
        failure: Failure::OfEach(delta),
        order: Order::SpaceFilling,
        choice,
        basis: Basis::Text,
        eta: None,
        dependence: Dependence::Dependent,
        cover: Cover::Occurring,
    }
}

fn try_plan(scene: &Scene, request: &Request) -> Result<Found, Error> {
    write_counts(scene, "counts.csv");
    plan(&source(&scene.path("counts.csv"), Weight::Count("n".to_owned())), request, &Silent)
}

fn planned(found: Found) -> PlanAnswer {
    match found {
        Found::Planned(planned) => *planned,
        Found::TooFewRows(too_few) => panic!("{too_few:?}"),
    }
}

/// Writes a plan, and answers with it.
fn write_plan(scene: &Scene, request: &Request, name: &str) -> PlanFile {
    let found = planned(opened(try_plan(scene, request)));
    for (name, text) in found.plan.texts(name).files {
        scene.write(&name, &text);
    }
    found.plan
}

fn codes(error: &Error) -> Vec<String> {
    error.messages(Values::Hidden).into_iter().map(|message| message.code).collect()
}

fn ratio(numerator: i128, denominator: i128) -> Rational {
    Rational::new(numerator, denominator)
}

/// Rows drawn from the distribution.
fn draw(n: usize, dice: &mut Dice) -> Rows {
    let all: Vec<(usize, usize, usize)> =
        lines().flat_map(|line| (0..weight(line.0, line.1, line.2)).map(move |_| line)).collect();
    (0..n).map(|_| row(&cells(all[dice.below(all.len())]))).collect()
}

fn policy(input: &str, extra: &str) -> String {
    format!(
        r#"version = 1
title = "Patients"
[input]
path = "{input}"
[attributes.age]
role = "quasi-identifier"
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
method = "planned"
plan = "plan.toml"
{extra}
[output]
order = "sorted"
"#
    )
}

fn write_rows(scene: &Scene, name: &str, rows: &Rows) {
    let header = ["age", "sex", "disease"].map(str::to_owned);
    support::write_table(&scene.path(name), &header, rows);
}

fn release(scene: &Scene, name: &str, rows: &Rows, extra: &str) -> Outcome {
    write_rows(scene, &format!("{name}.csv"), rows);
    let path = scene.write(&format!("{name}.toml"), &policy(&format!("{name}.csv"), extra));
    let job = opened(Job::open(&path, None));
    opened(anonymize(&job, &scene.path(name), Replace::Forbid, &Silent))
}

fn refused(scene: &Scene, rows: &Rows, policy: &str) -> Vec<String> {
    write_rows(scene, "table.csv", rows);
    let path = scene.write("policy.toml", policy);
    let answer = Job::open(&path, None).and_then(|job| {
        anonymize(&job, &scene.path("refused"), Replace::Forbid, &Silent).map(|_| ())
    });
    assert!(!scene.path("refused").exists());
    let error = answer.expect_err("a wrong request");
    for message in error.messages(Values::Hidden) {
        let is_cell = |cell: &&str| message.text.contains(*cell);
        assert!(!DISEASES.iter().any(is_cell), "a cell in: {}", message.text);
    }
    codes(&error)
}

/// The class of each combination by the text of the plan, read without the library.
fn classes_of(text: &str) -> BTreeMap<(String, String), String> {
    let plan: toml::Table = toml::from_str(text).expect("TOML");
    let mut classes = BTreeMap::new();
    let cell = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    for (at, class) in plan["class"].as_array().expect("classes").iter().enumerate() {
        for combination in class["combinations"].as_array().expect("combinations") {
            let values = combination.as_array().expect("values");
            let key = (cell(&values[0]), cell(&values[1]));
            assert!(classes.insert(key, (at + 1).to_string()).is_none(), "in one class only");
        }
    }
    classes
}

/// For each released class its diseases.
fn diseases(directory: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let (header, rows) = read_table(&data_file(directory));
    let at = |name: &str| header.iter().position(|it| it == name).expect("a column");
    let (class, disease) = (at("class"), at("disease"));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows {
        found.entry(row[class].clone()).or_default().insert(row[disease].clone());
    }
    found
}

#[test]
fn two_hospitals_that_follow_one_plan_leave_l_sensitive_values_for_everybody() {
    const DRAWS: usize = 40;
    let scene = Scene::new();
    let (l, delta) = (3, ratio(1, 10));
    let asked = Request { basis: Basis::ActualMasses, ..request(l, delta, Choice::Classes(4)) };
    let plan = write_plan(&scene, &asked, "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let text = std::fs::read_to_string(scene.path("plan.toml")).expect("a plan");
    let class_of = classes_of(&text);
    assert_eq!(class_of.len(), 12);
    let mut dice = Dice::new(11);
    let (mut n_missing, mut n_complete) = (0, 0);
    for at in 0..DRAWS {
        let mut complete = true;
        let mut releases = Vec::new();
        for hospital in ["a", "b"] {
            let name = format!("{hospital}{at}");
            match release(&scene, &name, &draw(n_rows, &mut dice), "") {
                Outcome::Released(released) => {
                    let found = by_plan(&released);
                    assert_eq!((found.l, found.n_rows_needed), (l, plan.plan.n_rows));
                    n_missing += usize::from(found.n_designated_missing > 0);
                    complete &= found.n_designated_missing == 0;
                    releases.push(diseases(&scene.path(&name)));
                }
                Outcome::Infeasible(infeasible) => {
                    let found = not_by_plan(&infeasible);
                    assert!(found.is_failure && found.n_rows_missing == 0);
                    n_missing += 1;
                    complete = false;
                }
            }
        }
        if !complete {
            continue;
        }
        n_complete += 1;
        let directories = ["a", "b"].map(|hospital| scene.path(&format!("{hospital}{at}")));
        let linked = opened(link(&directories, &Asked::default(), &Silent));
        assert!(linked.sensitive[0].distinct_l >= Some(l), "{:?}", linked.sensitive[0]);
        // Everybody is in the same class of both: there are as many combinations of classes as classes.
        assert_eq!(linked.linked.n_combinations, plan.plan.classes.len() as u64);
        let together = linked.together.expect("both are by plans");
        assert!(together.same_plan && together.l == l && together.delta == Some(0.2));
        assert_eq!(together.n_designated_missing, [0, 0]);
        for ((age, sex), class) in &class_of {
            let shared: Vec<_> = releases[0][class].intersection(&releases[1][class]).collect();
            assert!(shared.len() as u64 >= l, "{age}, {sex}: {shared:?}");
        }
    }
    assert!(n_complete > DRAWS / 2, "{n_complete}");
    // 80 releases, each with probability at most 0.1: more than 20 has a probability below 0.0001.
    assert!(n_missing <= 20, "{n_missing} of {} releases", 2 * DRAWS);
    // The plan is not wasteful either: with a quarter of the rows, its sensitive values are missing much more often.
    let few: usize = (0..40)
        .filter(|_| {
            let rows = draw(n_rows / 4, &mut dice);
            let seen: BTreeSet<(String, &String)> = rows
                .iter()
                .map(|row| (class_of[&(row[0].clone(), row[1].clone())].clone(), &row[2]))
                .collect();
            let designated = plan.plan.classes.iter().zip(1..).flat_map(|(class, number)| {
                class.designated.iter().map(move |&value| (number, value))
            });
            let mut designated = designated;
            designated.any(|(class, value)| {
                !seen.contains(&(class.to_string(), &plan.sensitive_values[value as usize]))
            })
        })
        .count();
    assert!(few > 20, "{few} of 40");
}

#[test]
fn a_planned_release_can_be_checked_by_anyone() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let rows = draw(n_rows + 5, &mut Dice::new(3));
    let Outcome::Released(released) = release(&scene, "release", &rows, "align = \"values\"")
    else {
        panic!("the designated values occur for this seed");
    };
    assert_eq!(released.n_released, n_rows as u64 + 5);
    assert!(released.principles.iter().all(|claim| claim.holds));
    let directory = scene.path("release");
    let verified = assert_holds(&directory);
    assert!(verified.checks.iter().any(|check| check.about == "plan"));
    let about: Vec<&str> = verified.statements.iter().map(|it| it.about.as_str()).collect();
    assert!(about.contains(&"plan") && about.contains(&"designated values"), "{about:?}");

    // The class of every row is the plan's, by its raw values.
    let text = std::fs::read_to_string(directory.join("plan.toml")).expect("a plan");
    let class_of = classes_of(&text);
    let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in &rows {
        let class = class_of[&(row[0].clone(), row[1].clone())].clone();
        *expected.entry((class, row[2].clone())).or_default() += 1;
    }
    let (header, released) = read_table(&data_file(&directory));
    assert_eq!(header, ["age", "sex", "disease", "class"]);
    let mut found: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in &released {
        *found.entry((row[3].clone(), row[2].clone())).or_default() += 1;
    }
    assert_eq!(found, expected);

    // The private part is enough to lay the release beside its original again.
    let holders = scene.path("release.private/policy.toml");
    assert!(Job::open(&holders, None).is_ok());
    assert!(scene.path("release.private/plan.toml").exists());
}

/// Changes a file of a release, and makes the certificate name its new digest.
fn forge(directory: &Path, name: &str, change: impl Fn(&str) -> String) {
    let path = directory.join(name);
    let text = std::fs::read_to_string(&path).expect("a file");
    let changed = change(&text);
    assert_ne!(text, changed, "{name} was not changed");
    std::fs::write(&path, &changed).expect("written");
    let mut certificate = support::read_certificate(directory);
    certificate["claims"]["sha256"][name] = support::sha256(changed.as_bytes()).into();
    let text = serde_json::to_string_pretty(&certificate).expect("JSON");
    std::fs::write(directory.join("certificate.json"), text).expect("written");
}

#[test]
fn lies_about_the_plan_are_found() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let rows = draw(n_rows, &mut Dice::new(3));
    assert!(matches!(
        release(&scene, "release", &rows, "align = \"values\""),
        Outcome::Released(_)
    ));
    let honest = scene.path("release");
    assert!(!finds(&honest));
    let differences = |name: &str| -> Vec<String> {
        let verified = opened(indistinct::verify::verify(&scene.path(name), None, &Silent));
        let of_plan = verified.checks.into_iter().filter(|check| check.about == "plan");
        of_plan.flat_map(|check| check.differences).collect()
    };
    let lie = |name: &str, file: &str, change: &dyn Fn(&str) -> String, about: &str| {
        let directory = scene.path(name);
        support::copy(&honest, &directory);
        forge(&directory, file, change);
        assert!(finds(&directory), "{name}");
        let found = differences(name);
        assert!(found.iter().any(|it| it.contains(about)), "{name}: {found:?}");
    };
    let number = plan.plan.n_rows.to_string();
    lie(
        "fewer",
        "plan.toml",
        &|text| text.replace(&format!("n_rows = {number}"), "n_rows = 7"),
        "",
    );
    lie("title", "plan.toml", &|text| text.replace("l = 2", "l = 1"), "");
    // The class of a row: 1 and 2 change places in the first rows of both.
    lie(
        "class",
        "data.csv",
        &|text| {
            let swap = |line: &str| match (line.strip_suffix(",1"), line.strip_suffix(",2")) {
                (Some(rest), _) => format!("{rest},2"),
                (_, Some(rest)) => format!("{rest},1"),
                _ => line.to_owned(),
            };
            text.lines().map(swap).collect::<Vec<_>>().join("\n") + "\n"
        },
        "does not cover",
    );
    let n = plan.plan.classes.len();
    lie(
        "beyond",
        "data.csv",
        &|text| text.replace(&format!(",{n}\n"), &format!(",{}\n", n + 1)),
        "in no class of the plan",
    );
    let certificate = |name: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let directory = scene.path(name);
        support::copy(&honest, &directory);
        let mut certificate = support::read_certificate(&directory);
        change(&mut certificate);
        let text = serde_json::to_string_pretty(&certificate).expect("JSON");
        std::fs::write(directory.join("certificate.json"), text).expect("written");
        assert!(finds(&directory), "{name}");
    };
    fn stated<'a>(
        certificate: &'a mut serde_json::Value,
        about: &str,
    ) -> &'a mut serde_json::Value {
        let statements = certificate["statements"].as_array_mut().expect("statements");
        statements.iter_mut().find(|it| it["about"] == about).expect("a statement")
    }
    certificate("delta", &|it| stated(it, "plan")["value"]["delta"] = 0.0001.into());
    certificate("event", &|it| stated(it, "designated values")["value"]["n_missing"] = 1.into());
    certificate("text", &|it| stated(it, "plan")["text"] = "All is well.".into());
}

#[test]
fn the_failure_that_delta_speaks_of_is_an_answer() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(3, ratio(1, 10), Choice::Classes(2)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");

    let rows = draw(n_rows - 7, &mut Dice::new(3));
    let Outcome::Infeasible(too_few) = release(&scene, "few", &rows, "") else { panic!("too few") };
    let found = not_by_plan(&too_few);
    assert_eq!((found.n_rows_missing, found.is_failure), (7, false));
    assert!(!scene.path("few").exists());

    // Everybody has the flu.
    let mut rows = draw(n_rows, &mut Dice::new(3));
    rows.iter_mut().for_each(|row| row[2] = "flu".to_owned());
    let Outcome::Infeasible(failed) = release(&scene, "flu", &rows, "") else { panic!("no l") };
    let found = not_by_plan(&failed);
    assert_eq!((found.n_rows_missing, found.is_failure), (0, true));
    assert_eq!(found.failing.len(), 2, "the plan's l and the policy's");

    // Diverse, but without a designated value of some class: released, and said.
    let value = plan.plan.classes[0].designated[0];
    let (gone, class_of) = (
        plan.sensitive_values[value as usize].clone(),
        classes_of(&std::fs::read_to_string(scene.path("plan.toml")).expect("a plan")),
    );
    let mut rows = draw(n_rows, &mut Dice::new(3));
    for row in rows.iter_mut().filter(|row| row[2] == gone) {
        if class_of[&(row[0].clone(), row[1].clone())] == "1" {
            row[2] = DISEASES.iter().find(|it| **it != gone).expect("another").to_string();
        }
    }
    let Outcome::Released(released) = release(&scene, "gone", &rows, "") else { panic!("diverse") };
    assert_eq!(by_plan(&released).n_designated_missing, 1);
    let verified = assert_holds(&scene.path("gone"));
    let event = verified.statements.iter().find(|it| it.about == "designated values");
    assert!(event.expect("stated").text.contains("do not occur"));
}

#[test]
fn a_plan_for_another_table_is_refused() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let rows = draw(n_rows, &mut Dice::new(3));
    let own = policy("table.csv", "");

    let mut strange = rows.clone();
    strange[4][0] = "25".to_owned();
    strange[9][0] = "25".to_owned();
    assert_eq!(refused(&scene, &strange, &own), ["E-PLAN-006"]);
    let path = scene.path("policy.toml");
    let error =
        anonymize(&opened(Job::open(&path, None)), &scene.path("r"), Replace::Forbid, &Silent);
    let text = error.expect_err("unknown").to_string();
    assert!(text.contains("2 rows are") && text.contains("row 5"), "{text}");

    let mut strange = rows.clone();
    strange[2][2] = "measles".to_owned();
    assert_eq!(refused(&scene, &strange, &own), ["E-PLAN-007"]);

    let other = own.replace(
        "[attributes.sex]\nrole = \"quasi-identifier\"",
        "[attributes.sex]\nrole = \"identifier\"",
    );
    assert_eq!(refused(&scene, &rows, &other), ["E-PLAN-005"]);
    assert_eq!(refused(&scene, &rows, &own.replace("plan.toml", "none.toml")), ["E-FILE-001"]);
    let suppressing = own.replace("[output]", "suppression_limit = 0.1\n[output]");
    assert_eq!(refused(&scene, &rows, &suppressing), ["E-POLICY-027"]);
    assert_eq!(
        refused(&scene, &rows, &own.replace("plan = \"plan.toml\"\n", "")),
        ["E-POLICY-008"]
    );
    let population = own.replace(
        "[recoding]",
        "[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 1\npopulation = \"p.csv\"\n[recoding]",
    );
    assert_eq!(refused(&scene, &rows, &population), ["E-POLICY-027"]);
    // Two ages share no label below the top.
    let narrow = own.replace("[attributes.age]\n", "[attributes.age]\nmax_level = 0\n");
    assert_eq!(refused(&scene, &rows, &narrow), ["E-PLAN-008"]);
}

#[test]
fn a_plan_that_was_changed_is_refused() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let text = std::fs::read_to_string(scene.path("plan.toml")).expect("a plan");
    assert_eq!(opened(PlanFile::read(&scene.path("plan.toml")).map_err(Error::from)), plan);
    let read = |changed: String| {
        assert_ne!(changed, text);
        let path = scene.write("changed.toml", &changed);
        let error = PlanFile::read(&path).map_err(Error::from).expect_err("changed");
        assert!(!DISEASES.iter().any(|it| error.to_string().contains(it)), "a value in {error}");
        codes(&error).remove(0)
    };
    let line = |key: &str| {
        text.lines().find(|line| line.starts_with(&format!("{key} = "))).expect("a line").to_owned()
    };
    assert_eq!(read(text.replace("[[class]]", "[[klass]]")), "E-PLAN-001");
    assert_eq!(read(text.replace(&line("l"), "l = \"two\"")), "E-PLAN-001");
    assert_eq!(read(text.replace("version = 1", "version = 2")), "E-PLAN-002");
    assert_eq!(read(text.replace(&line("distribution"), "distribution = \"0\"")), "E-PLAN-003");
    assert_eq!(read(text.replacen("[\"70\", \"m\"]", "[\"80\", \"m\"]", 1)), "E-PLAN-003");
    assert_eq!(read(text.replacen("[\"70\", \"m\"]", "[\"60\", \"m\"]", 1)), "E-PLAN-004");
    assert_eq!(read(text.replace(&line("n_rows"), "n_rows = 3")), "E-PLAN-004");
    assert_eq!(read(text.replace(&line("l"), "l = 1")), "E-PLAN-004");
    assert_eq!(read(text.replace(&line("l"), "l = 6")), "E-PLAN-021");
    assert_eq!(read(text.replace(&line("l"), "l = 0")), "E-PLAN-021");
    for delta in ["0", "1", "3/2"] {
        assert_eq!(
            read(text.replace(&line("delta"), &format!("delta = \"{delta}\""))),
            "E-PLAN-022"
        );
    }
    assert_eq!(read(text.replace(&line("p"), "p = \"0\"")), "E-PLAN-023");
    assert_eq!(read(text.replace(&line("p"), "p = \"9/10\"")), "E-PLAN-024");
    assert_eq!(read(text.replace(&line("total"), "total = 1")), "E-PLAN-025");
}

#[test]
fn a_large_plan_has_tables_beside_it() {
    let scene = Scene::new();
    let mut text = "q,\"r, s\",disease,n\n".to_owned();
    for q in 0..60 {
        for r in 0..25 {
            for (at, disease) in DISEASES.iter().enumerate() {
                text += &format!("{q},\"{r}\"\"x\",{disease},{}\n", 1 + (q + r + at) % 4);
            }
        }
    }
    let path = scene.write("large.csv", &text);
    let source = source(&path, Weight::Count("n".to_owned()));
    let found =
        planned(opened(plan(&source, &request(3, ratio(1, 100), Choice::Classes(40)), &Silent)));
    assert!(found.chosen.n_classes >= 40);
    let texts = found.plan.texts("plan.toml").files;
    let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["plan.toml", "plan.classes.csv", "plan.designated.csv"]);
    for (name, text) in &texts {
        scene.write(name, text);
    }
    assert_eq!(opened(PlanFile::read(&scene.path("plan.toml")).map_err(Error::from)), found.plan);
    for (name, text) in &texts[1..] {
        scene.write(name, &text.replacen('1', "2", 1));
        let error = PlanFile::read(&scene.path("plan.toml"))
            .map_err(Error::from)
            .map(|_| ())
            .expect_err("changed");
        assert_eq!(codes(&error), ["E-PLAN-003"]);
        scene.write(name, text);
    }
    scene.write("plan.toml", &texts[0].1.replace("plan.classes.csv", "../plan.classes.csv"));
    let error = PlanFile::read(&scene.path("plan.toml"))
        .map_err(Error::from)
        .map(|_| ())
        .expect_err("elsewhere");
    assert_eq!(codes(&error), ["E-PLAN-001"]);
}

#[test]
fn choices_and_what_they_rest_on() {
    let scene = Scene::new();
    let delta = ratio(1, 100);
    let by = |choice, basis| Request { basis, ..request(3, delta, choice) };
    let chosen = |request: &Request| planned(opened(try_plan(&scene, request))).chosen;

    let exact = chosen(&by(Choice::Classes(3), Basis::ExactFailure));
    let rows = [
        exact.n_rows_text,
        exact.n_rows_actual_classes,
        exact.n_rows_actual_masses,
        exact.n_rows_exact_failure.expect("few rows"),
    ];
    assert!(rows.windows(2).all(|pair| pair[0] >= pair[1]), "{rows:?}");
    assert_eq!(exact.n_rows, rows[3]);

    for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
        let rows = 150;
        let most = chosen(&by(Choice::Rows(rows), basis));
        assert!(most.n_rows <= rows, "{most:?}");
        // One class more needs more rows, for the bases that fall with p.
        if matches!(basis, Basis::Text | Basis::ActualClasses) {
            let more = chosen(&by(Choice::Classes(most.n_classes + 1), basis));
            assert!(more.n_rows > rows, "{most:?} {more:?}");
        }
    }
    let fewer = chosen(&by(Choice::Rows(150), Basis::Text)).n_classes;
    let more = chosen(&by(Choice::Rows(150), Basis::ActualMasses)).n_classes;
    assert!(more >= fewer);

    let found = opened(try_plan(&scene, &by(Choice::Rows(5), Basis::Text)));
    let Found::TooFewRows(too_few) = found else {
        panic!("five rows do not show three sensitive values")
    };
    assert!(too_few.n_rows == 5 && too_few.n_rows_needed > 5);

    // The failure of several releases is shared equally.
    let shared = Request {
        failure: Failure::OfAny { releases: 10, total: ratio(1, 10) },
        ..by(Choice::Classes(3), Basis::Text)
    };
    let shared = planned(opened(try_plan(&scene, &shared)));
    let each = planned(opened(try_plan(&scene, &by(Choice::Classes(3), Basis::Text))));
    assert_eq!((shared.releases, shared.delta, &shared.chosen), (Some(10), 0.01, &each.chosen));
    assert_ne!(shared.digest, each.digest);
    assert_eq!(shared.distribution, each.distribution);

    // A wrong distribution, and independent sensitive values.
    let wrong = Request { eta: Some(ratio(1, 10_000)), ..by(Choice::Classes(2), Basis::Text) };
    let found = planned(opened(try_plan(&scene, &wrong))).robustness.expect("asked");
    assert!(found.delta > 0.0 && found.n_rows.is_some());
    let free =
        Request { dependence: Dependence::Independent, ..by(Choice::Classes(2), Basis::Text) };
    let found = planned(opened(try_plan(&scene, &free)));
    let equal = found.equal_size.expect("compared");
    assert!(equal.n_classes <= found.chosen.n_classes);

    // The lexicographic order puts one sex after the other; the plan says so.
    let by_sex = Request {
        order: Order::Lexicographic(vec!["sex".to_owned(), "age".to_owned()]),
        ..by(Choice::Classes(2), Basis::Text)
    };
    let found = planned(opened(try_plan(&scene, &by_sex)));
    let sexes = &found.plan.columns.iter().find(|column| column.name == "sex").expect("it");
    assert!(sexes.codes.windows(2).all(|pair| pair[0] <= pair[1]));
    let figures = figures(&found);
    assert_eq!(figures.files[0].1.lines().count(), found.trade_off.len() + 1);
    assert!(figures.files[1].1.starts_with("<svg"));
}

#[test]
fn no_other_p_gives_as_many_classes_with_fewer_rows() {
    let scene = Scene::new();
    for (seed, n_sensitive) in [(3, 2), (4, 3), (5, 4), (6, 3), (7, 2), (8, 3)] {
        let mut dice = Dice::new(seed);
        let (mut text, mut total) = ("age,disease,n\n".to_owned(), 0);
        for age in AGES {
            for disease in &DISEASES[..n_sensitive] {
                let n = dice.below(5);
                total += n as i128;
                text += &format!("{age},{disease},{n}\n");
            }
        }
        let path = scene.write(&format!("counts-{seed}.csv"), &text);
        let source = source(&path, Weight::Count("n".to_owned()));
        let answer = |choice, basis| {
            let asked = Request { basis, ..request(2, ratio(1, 10), choice) };
            plan(&source, &asked, &Silent)
        };
        for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
            for rows in [30, 60, 120] {
                let Found::Planned(most) = opened(answer(Choice::Rows(rows), basis)) else {
                    continue;
                };
                let most = most.chosen;
                assert!(most.n_rows <= rows);
                for weight in 1..=total {
                    let Ok(Found::Planned(other)) = answer(Choice::P(ratio(weight, total)), basis)
                    else {
                        break; // p is larger than any class can have
                    };
                    let other = other.chosen;
                    let is_better = other.n_rows <= rows
                        && (other.n_classes, most.n_rows) > (most.n_classes, other.n_rows);
                    assert!(!is_better, "{basis:?}, {rows}: {most:?}, better: {other:?}");
                }
            }
        }
    }
}

#[test]
fn wrong_requests_for_a_plan() {
    let scene = Scene::new();
    let delta = ratio(1, 100);
    let fine = request(3, delta, Choice::Classes(2));
    let code = |request: &Request| codes(&try_plan(&scene, request).expect_err("wrong")).remove(0);
    assert_eq!(code(&Request { l: 6, ..fine.clone() }), "E-PLAN-021");
    assert_eq!(code(&Request { l: 0, ..fine.clone() }), "E-PLAN-021");
    for delta in [ratio(0, 1), ratio(1, 1), ratio(-1, 2)] {
        assert_eq!(
            code(&Request { failure: Failure::OfEach(delta), ..fine.clone() }),
            "E-PLAN-022"
        );
        let failure = Failure::OfAny { releases: 4, total: delta };
        assert_eq!(code(&Request { failure, ..fine.clone() }), "E-PLAN-022");
    }
    let none = Failure::OfAny { releases: 0, total: delta };
    assert_eq!(code(&Request { failure: none, ..fine.clone() }), "E-PLAN-014");
    assert_eq!(code(&Request { choice: Choice::P(ratio(0, 1)), ..fine.clone() }), "E-PLAN-023");
    let too_large = Request { choice: Choice::P(ratio(1, 2)), ..fine.clone() };
    assert_eq!(code(&too_large), "E-PLAN-024");
    let text = try_plan(&scene, &too_large).expect_err("too large").to_string();
    assert!(text.contains("at most 0.2"), "it says the largest: {text}");
    assert_eq!(code(&Request { choice: Choice::Classes(13), ..fine.clone() }), "E-PLAN-009");
    let order = Order::Lexicographic(vec!["age".to_owned()]);
    assert_eq!(code(&Request { order, ..fine.clone() }), "E-PLAN-012");
    assert_eq!(code(&Request { eta: Some(ratio(2, 1)), ..fine.clone() }), "E-LINKAGE-008");

    let of = |text: &str, weight| {
        let path = scene.write("wrong.csv", text);
        let error = plan(&source(&path, weight), &fine, &Silent).expect_err("wrong");
        codes(&error).remove(0)
    };
    let (count, probability) = (Weight::Count("n".to_owned()), Weight::Probability("n".to_owned()));
    assert_eq!(of("age,disease\n1,flu\n", count.clone()), "E-PLAN-010");
    assert_eq!(of("age,disease,n\n1,flu,1.5\n", count.clone()), "E-PLAN-013");
    assert_eq!(of("age,disease,n\n1,flu,-1\n", count.clone()), "E-PLAN-013");
    assert_eq!(of("age,disease,n\n1,flu,\n", probability.clone()), "E-PLAN-013");
    assert_eq!(of("age,disease,n\n1,flu,0.5\n1,ulcer,0.4\n", probability.clone()), "E-PLAN-025");
    assert_eq!(of("disease,n\nflu,1\n", count), "E-LINKAGE-011");
}

#[test]
fn counts_and_their_probabilities_make_the_same_classes() {
    let scene = Scene::new();
    write_counts(&scene, "counts.csv");
    let total: u64 = lines().map(|line| weight(line.0, line.1, line.2)).sum();
    let mut text = "age,sex,disease,p\n".to_owned();
    for line in lines() {
        let p = weight(line.0, line.1, line.2) as f64 / total as f64;
        text += &format!("{},{p:.12}\n", cells(line).join(","));
    }
    let path = scene.write("probabilities.csv", &text);
    let asked = request(3, ratio(1, 100), Choice::Classes(3));
    let by_count = planned(opened(try_plan(&scene, &asked)));
    let source = source(&path, Weight::Probability("p".to_owned()));
    let by_probability = planned(opened(plan(&source, &asked, &Silent)));
    let ranges = |planned: &PlanAnswer| -> Vec<_> {
        planned.plan.plan.classes.iter().map(|class| class.combinations.clone()).collect()
    };
    assert_eq!(ranges(&by_count), ranges(&by_probability));
    assert!((by_count.chosen.p - by_probability.chosen.p).abs() < 1e-9);
}

#[test]
fn earlier_data_of_a_policy_is_a_distribution() {
    let scene = Scene::new();
    // Each line as often as it is frequent.
    let rows: Rows = lines()
        .flat_map(|line| (0..weight(line.0, line.1, line.2)).map(move |_| row(&cells(line))))
        .collect();
    write_rows(&scene, "table.csv", &rows);
    // The plan that the policy names is yet to be made.
    let path = scene.write("policy.toml", &policy("table.csv", ""));
    assert!(Job::open(&path, None).is_err());
    let job = opened(Job::open_to_plan(&path));
    let asked = request(3, ratio(1, 100), Choice::Classes(3));
    let of_policy =
        planned(opened(plan(&Source::Earlier { job: &job, sensitive: None }, &asked, &Silent)));
    let of_counts = planned(opened(try_plan(&scene, &asked)));
    assert_eq!(of_policy.plan, of_counts.plan);
    let other = Source::Earlier { job: &job, sensitive: Some("age".to_owned()) };
    let error = plan(&other, &asked, &Silent).expect_err("no sensitive value");
    assert_eq!(codes(&error), ["E-PLAN-011"]);
}

#[test]
fn a_plan_over_declared_domains_serves_data_of_another_year() {
    let scene = Scene::new();
    // Nobody of 70 was counted, no man of 60, and ages in between never were.
    let was_counted = |line: &(usize, usize, usize)| line.0 < 4 || (line.0 == 4 && line.1 == 0);
    let mut text = "age,sex,disease,n\n".to_owned();
    for line in lines().filter(was_counted) {
        text += &format!("{},{}\n", cells(line).join(","), weight(line.0, line.1, line.2));
    }
    let path = scene.write("last-year.csv", &text);
    let source = source(&path, Weight::Count("n".to_owned()));
    let domains = vec![Domain::parse("age=0..99").expect("a range")];
    let asked = |cover| Request { cover, ..request(2, ratio(1, 100), Choice::Classes(4)) };
    let write = |cover| {
        let found = planned(opened(plan(&source, &asked(cover), &Silent)));
        for (name, text) in found.plan.texts("plan.toml").files {
            scene.write(&name, &text);
        }
        found
    };
    let mut dice = Dice::new(12);
    let mut rows = draw(500, &mut dice);
    for (at, age) in [(0, "35"), (1, "62"), (2, "0"), (3, "99"), (4, "70")] {
        rows[at][0] = age.to_owned();
    }
    let occurring = write(Cover::Occurring);
    assert_eq!(refused(&scene, &rows, &policy("table.csv", "")), ["E-PLAN-006"]);
    let all = write(Cover::All(domains));
    assert_eq!(all.n_combinations, 200);
    assert_eq!(all.distribution, occurring.distribution, "what was counted is the same");
    assert!(all.plan.plan.classes.len() >= 4);
    let Outcome::Released(released) = release(&scene, "this-year", &rows, "align = \"values\"\n")
    else {
        panic!("the plan has a class for everybody")
    };
    assert_eq!(released.n_released, 500);
    assert_holds(&scene.path("this-year"));
    // What was never counted is where the released ranges say it is.
    let (header, written) = read_table(&data_file(&scene.path("this-year")));
    let at = header.iter().position(|name| name == "age").expect("a column");
    let covers = |label: &str, age: i64| match label.trim_matches(['[', ']']).split_once(", ") {
        Some((low, high)) => {
            low.parse().is_ok_and(|low: i64| low <= age)
                && high.parse().is_ok_and(|high: i64| age <= high)
        }
        None => label == age.to_string(),
    };
    for age in [0, 35, 62, 99] {
        assert!(written.iter().any(|row| covers(&row[at], age)), "{age}");
    }
    // Too many combinations are an error that says of which columns.
    let domains =
        ["age=0..99999", "sex=a,b,c,d,e,f,g,h,i,j"].map(|it| Domain::parse(it).expect("it"));
    let error = plan(&source, &asked(Cover::All(domains.to_vec())), &Silent).expect_err("many");
    assert_eq!(codes(&error), ["E-PLAN-015"]);
    assert!(error.to_string().contains("'age'"));
    let error =
        plan(&source, &asked(Cover::All(vec![Domain::parse("zip=1..2").expect("it")])), &Silent);
    assert_eq!(codes(&error.expect_err("no such column")), ["E-PLAN-010"]);
    for text in ["age", "=1..2", "age=2..1", "age=0..9999999", "age=", "age=a,,b"] {
        assert_eq!(Domain::parse(text), None, "{text}");
    }
}

#[test]
fn a_plan_made_from_the_table_that_it_releases_is_warned_of() {
    let scene = Scene::new();
    let mut dice = Dice::new(13);
    let (own, other) = (draw(600, &mut dice), draw(600, &mut dice));
    write_rows(&scene, "own.csv", &own);
    let path = scene.write("own.toml", &policy("own.csv", ""));
    let job = opened(Job::open_to_plan(&path));
    let asked = request(2, ratio(1, 100), Choice::Classes(3));
    let source = Source::Earlier { job: &job, sensitive: None };
    let found = planned(opened(plan(&source, &asked, &Silent)));
    assert!(found.warnings.iter().any(|warning| warning.contains("--all-combinations")));
    for (name, text) in found.plan.texts("plan.toml").files {
        scene.write(&name, &text);
    }
    for (name, rows, is_warned) in [("own", own, true), ("other", other, false)] {
        let Outcome::Released(released) = release(&scene, name, &rows, "") else {
            panic!("enough rows")
        };
        let is_told = released.warnings.iter().any(|warning| warning.contains("this very table"));
        assert_eq!(is_told, is_warned, "{name}");
    }
}

#[test]
fn fractions_are_exact() {
    assert_eq!(parse_fraction("1/300"), Some(ratio(1, 300)));
    assert_eq!(parse_fraction("0.01"), Some(ratio(1, 100)));
    assert_eq!(parse_fraction("0.5/2"), Some(ratio(1, 4)));
    for text in ["", "1/0", "a", "1/2/3", "1/"] {
        assert_eq!(parse_fraction(text), None, "{text}");
    }
}

#[test]
fn releases_by_other_plans_do_not_compose() {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let n = |plan: &PlanFile| usize::try_from(plan.plan.n_rows).expect("few");
    let delta = ratio(1, 1000);
    let first = write_plan(&scene, &request(3, delta, Choice::Classes(4)), "plan.toml");
    let rows = draw(n(&first), &mut dice);
    assert!(matches!(release(&scene, "first", &rows, ""), Outcome::Released(_)));
    assert!(matches!(release(&scene, "align", &rows, "align = \"values\""), Outcome::Released(_)));
    let second = write_plan(&scene, &request(3, delta, Choice::Classes(2)), "plan.toml");
    assert!(matches!(
        release(&scene, "second", &draw(n(&second), &mut dice), ""),
        Outcome::Released(_)
    ));
    let third = write_plan(&scene, &request(2, delta, Choice::P(ratio(1, 1000))), "plan.toml");
    assert!(third.plan.classes.len() > first.plan.classes.len());
    let together = |names: [&str; 2]| {
        let directories = names.map(|name| scene.path(name));
        let linked = opened(link(&directories, &Asked::default(), &Silent));
        linked.together.expect("both are by plans")
    };
    let same = together(["first", "align"]);
    assert!(same.same_plan && same.delta == Some(0.002), "{same:?}");
    let other = together(["first", "second"]);
    assert!(!other.same_plan && other.delta.is_none() && other.meaning.contains("D-10"));
    // Five sensitive values, of which each release excludes two at most.
    assert_eq!(other.l, 1);
    // With a release that nobody planned nothing is said of plans.
    let unplanned =
        policy("first.csv", "").replace("method = \"planned\"\nplan = \"plan.toml\"", "");
    let unplanned = unplanned.replace("order = \"sorted\"", "");
    let path = scene.write("unplanned.toml", &unplanned);
    let job = opened(Job::open(&path, None));
    opened(anonymize(&job, &scene.path("unplanned"), Replace::Forbid, &Silent));
    let directories = ["first", "unplanned"].map(|name| scene.path(name));
    let linked = opened(link(&directories, &Asked::default(), &Silent));
    assert!(linked.together.is_none() && linked.sensitive[0].distinct_l.is_some());
}

/// What became of the plan.
fn by_plan(released: &WrittenRelease) -> &ByPlan {
    match &released.of_method {
        Some(OfMethod::ByPlan { planned }) => planned,
        other => panic!("it is a planned release: {other:?}"),
    }
}

/// What keeps a table from being released by its plan.
fn not_by_plan(infeasible: &Infeasible) -> &NotByPlan {
    match &infeasible.of_method {
        Some(NotPossible::ByPlan { planned }) => planned,
        other => panic!("there is no release by the plan: {other:?}"),
    }
}
