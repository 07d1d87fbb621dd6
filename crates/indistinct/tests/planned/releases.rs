//! Tests of releases by a plan: their guarantees, and the changes that `verify` detects.

use indistinct::Fact;
use indistinct::verify::{Difference, Subject};

use super::*;
use indistinct_linkage::planned::PlanDifference;

#[test]
fn linked_planned_releases_remain_l_diverse() {
    const DRAWS: usize = 40;
    let scene = Scene::new();
    let (l, delta) = (3, ratio(1, 10));
    let requested = Request { basis: Basis::ActualMasses, ..request(l, delta, Choice::Classes(4)) };
    let plan = write_plan(&scene, &requested, "plan.toml");
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
        let linked = opened(link(&Session::default(), &directories, &LinkRequest::default()));
        assert!(linked.sensitive[0].distinct_l >= Some(l), "{:?}", linked.sensitive[0]);
        // Every person is in the same class of both releases, so there are as many combinations of
        // classes as classes.
        assert_eq!(linked.linked.n_combinations, plan.plan.classes.len() as u64);
        let together = linked.together.expect("both releases follow a plan");
        assert!(together.same_plan && together.l == l && together.delta == Some(0.2));
        assert_eq!(together.n_designated_missing, [0, 0]);
        for ((age, sex), class) in &class_of {
            let shared: Vec<_> = releases[0][class].intersection(&releases[1][class]).collect();
            assert!(shared.len() as u64 >= l, "{age}, {sex}: {shared:?}");
        }
    }
    assert!(n_complete > DRAWS / 2, "{n_complete}");
    // Each of the 80 releases fails with probability at most 0.1; more than 20 failures have a
    // probability below 0.0001.
    assert!(
        n_missing <= 20,
        "designated values are missing in {n_missing} of {} releases",
        2 * DRAWS
    );
    // The plan is not wasteful: with a quarter of the rows, sensitive values are missing much more
    // often.
    let few: usize = (0..40)
        .filter(|_| {
            let rows = draw(n_rows / 4, &mut dice);
            let observed: BTreeSet<(String, &String)> = rows
                .iter()
                .map(|row| (class_of[&(row[0].clone(), row[1].clone())].clone(), &row[2]))
                .collect();
            let designated = plan.plan.classes.iter().zip(1..).flat_map(|(class, number)| {
                class.designated.iter().map(move |&value| (number, value))
            });
            let mut designated = designated;
            designated.any(|(class, value)| {
                !observed.contains(&(class.to_string(), &plan.sensitive_values[value as usize]))
            })
        })
        .count();
    assert!(few > 20, "only {few} of 40 tables lack a designated value");
}

#[test]
fn planned_release_can_be_verified() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let rows = draw(n_rows + 5, &mut Dice::new(3));
    let Outcome::Released(released) =
        release(&scene, "release", &rows, "generalize_to = \"bounds\"")
    else {
        panic!("the designated values occur for this seed");
    };
    assert_eq!(released.n_released, n_rows as u64 + 5);
    assert!(released.principles.iter().all(|claim| claim.holds));
    let directory = scene.path("release");
    let verified = assert_holds(&directory);
    assert!(verified.checks.iter().any(|check| check.about == Subject::Plan));
    let names: Vec<&str> = verified.facts.iter().map(|it| it.name()).collect();
    assert!(names.contains(&"plan") && names.contains(&"designated-values"), "{names:?}");

    // The class of every row is the plan's class for its original values.
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

    // The private directory is sufficient to match the release with its original again.
    let holders = scene.path("release.private/policy.toml");
    assert!(Session::default().open(&holders, None).is_ok());
    assert!(scene.path("release.private/plan.toml").exists());
}

/// Changes a file of a release and updates its digest in the certificate.
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
fn false_plan_statements_are_detected() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let rows = draw(n_rows, &mut Dice::new(3));
    assert!(matches!(
        release(&scene, "release", &rows, "generalize_to = \"bounds\""),
        Outcome::Released(_)
    ));
    let honest = scene.path("release");
    assert!(!finds(&honest));
    let differences = |name: &str| -> Vec<Difference> {
        let verified =
            opened(indistinct::verify::verify(&Session::default(), &scene.path(name), None));
        let of_plan = verified.checks.into_iter().filter(|check| check.about == Subject::Plan);
        of_plan.flat_map(|check| check.differences).collect()
    };
    let lie = |name: &str, file: &str, change: &dyn Fn(&str) -> String, about: &str| {
        let directory = scene.path(name);
        support::copy(&honest, &directory);
        forge(&directory, file, change);
        assert!(finds(&directory), "{name}");
        let found = differences(name);
        assert!(found.iter().any(|it| format!("{it:?}").contains(about)), "{name}: {found:?}");
    };
    let number = plan.plan.n_rows.to_string();
    lie(
        "fewer",
        "plan.toml",
        &|text| text.replace(&format!("n_rows = {number}"), "n_rows = 7"),
        "",
    );
    lie("title", "plan.toml", &|text| text.replace("l = 2", "l = 1"), "");
    // Swap the class numbers 1 and 2 in the first rows of both classes.
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
        "PlanNotCovered",
    );
    let n = plan.plan.classes.len();
    lie(
        "beyond",
        "data.csv",
        &|text| text.replace(&format!(",{n}\n"), &format!(",{}\n", n + 1)),
        "OutsidePlanClasses",
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
    certificate("delta", &|it| support::fact_mut(it, "plan")["delta"] = 0.0001.into());
    certificate("event", &|it| support::fact_mut(it, "designated-values")["n_missing"] = 1.into());
    certificate("text", &|it| support::fact_mut(it, "plan")["text"] = "All is well.".into());
}

#[test]
fn plan_failure_is_reported_as_answer() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(3, ratio(1, 10), Choice::Classes(2)), "plan.toml");
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");

    let rows = draw(n_rows - 7, &mut Dice::new(3));
    let Outcome::Infeasible(too_few) = release(&scene, "few", &rows, "") else {
        panic!("the table has too few rows")
    };
    let found = not_by_plan(&too_few);
    assert_eq!((found.n_rows_missing, found.is_failure), (7, false));
    assert!(!scene.path("few").exists());

    // Everyone has the flu.
    let mut rows = draw(n_rows, &mut Dice::new(3));
    rows.iter_mut().for_each(|row| row[2] = "flu".to_owned());
    let Outcome::Infeasible(failed) = release(&scene, "flu", &rows, "") else { panic!("no l") };
    let found = not_by_plan(&failed);
    assert_eq!((found.n_rows_missing, found.is_failure), (0, true));
    assert_eq!(found.failing.len(), 2, "the l of the plan and the l of the policy fail");

    // The rows are diverse but lack a designated value of some class. The table is released, and
    // the answer states the missing value.
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
    let is = |fact: &Fact| matches!(fact, Fact::DesignatedValues { n_missing: 1, .. });
    assert!(verified.facts.iter().any(is), "{:?}", verified.facts);
}

#[test]
fn plan_for_another_table_is_rejected() {
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
        anonymize(&opened(Session::default().open(&path, None)), &scene.path("r"), Replace::Forbid);
    let text = error.expect_err("unknown").to_string();
    assert!(text.contains("2 rows have") && text.contains("row 5"), "{text}");

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
        "[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 1\npopulation = \"p.csv\"\n\
         [recoding]",
    );
    assert_eq!(refused(&scene, &rows, &population), ["E-POLICY-027"]);
    // Two ages share no label below the top level.
    let narrow = own.replace("[attributes.age]\n", "[attributes.age]\nmax_level = 0\n");
    assert_eq!(refused(&scene, &rows, &narrow), ["E-PLAN-008"]);
}

#[test]
fn releases_by_different_plans_do_not_compose() {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let n = |plan: &PlanFile| usize::try_from(plan.plan.n_rows).expect("few");
    let delta = ratio(1, 1000);
    let first = write_plan(&scene, &request(3, delta, Choice::Classes(4)), "plan.toml");
    let rows = draw(n(&first), &mut dice);
    assert!(matches!(release(&scene, "first", &rows, ""), Outcome::Released(_)));
    assert!(matches!(
        release(&scene, "align", &rows, "generalize_to = \"bounds\""),
        Outcome::Released(_)
    ));
    let second = write_plan(&scene, &request(3, delta, Choice::Classes(2)), "plan.toml");
    assert!(matches!(
        release(&scene, "second", &draw(n(&second), &mut dice), ""),
        Outcome::Released(_)
    ));
    let third = write_plan(&scene, &request(2, delta, Choice::P(ratio(1, 1000))), "plan.toml");
    assert!(third.plan.classes.len() > first.plan.classes.len());
    let together = |names: [&str; 2]| {
        let directories = names.map(|name| scene.path(name));
        let linked = opened(link(&Session::default(), &directories, &LinkRequest::default()));
        linked.together.expect("both releases follow a plan")
    };
    let same = together(["first", "align"]);
    assert!(same.same_plan && same.delta == Some(0.002), "{same:?}");
    let other = together(["first", "second"]);
    assert_eq!((other.same_plan, other.delta), (false, None));
    assert_eq!(other.difference, Some(PlanDifference::Classes));
    // There are five sensitive values, and each release excludes at most two.
    assert_eq!(other.l, 1);
    // Linking with an unplanned release produces no statement about plans.
    let unplanned =
        policy("first.csv", "").replace("method = \"planned\"\nplan = \"plan.toml\"", "");
    let unplanned = unplanned.replace("row_order = \"sorted\"", "");
    let path = scene.write("unplanned.toml", &unplanned);
    let job = opened(Session::default().open(&path, None));
    opened(anonymize(&job, &scene.path("unplanned"), Replace::Forbid));
    let directories = ["first", "unplanned"].map(|name| scene.path(name));
    let linked = opened(link(&Session::default(), &directories, &LinkRequest::default()));
    assert!(linked.together.is_none() && linked.sensitive[0].distinct_l.is_some());
}

/// The classes are those of the plan, so a single class of all rows is not a proof.
#[test]
fn advice_on_plan_is_bound() {
    let scene = Scene::new();
    write_plan(&scene, &request(2, ratio(1, 10), Choice::Classes(2)), "plan.toml");
    let rows = draw(3, &mut Dice::new(4));
    let outcome = release(&scene, "few", &rows, "");
    assert!(matches!(outcome, Outcome::Infeasible(_)), "the plan requires more rows");
    let job = opened(Session::default().open(&scene.path("few.toml"), None));
    let advice = opened(advise(&job, Values::Hidden));
    assert_eq!(advice.verdict, Feasibility::NotProved, "{advice:?}");
    assert_eq!(advice.principles[0].required_is, Some(AdviceProof::Bound));
}

/// A plan that guarantees k records and an entropy for linked classes: the guarantees are part of
/// the plan, of the certificate, and of the answer of `link`, and hold for the linked classes.
#[test]
fn guarantees_for_linked_classes_hold_and_are_stated() {
    let scene = Scene::new();
    let linked = Linked { k: Some(10), entropy_l: Some(ratio(5, 2)) };
    let plain = request(3, ratio(1, 10), Choice::Classes(2));
    let requested = Request { basis: Basis::ActualMasses, ..plain };
    let without = write_plan(&scene, &requested, "plan.toml");
    let plan = write_plan(&scene, &Request { linked, ..requested.clone() }, "plan.toml");
    assert!(plan.plan.n_rows > without.plan.n_rows);
    assert_eq!(opened(PlanFile::read(&scene.path("plan.toml")).map_err(Error::from)), plan);
    let n_rows = usize::try_from(plan.plan.n_rows).expect("few");
    let mut dice = Dice::new(5);
    let drawn: Vec<Rows> = (0..2).map(|_| draw(n_rows, &mut dice)).collect();
    let directories = ["a", "b"].map(|name| scene.path(name));
    for (name, rows) in ["a", "b"].into_iter().zip(&drawn) {
        let Outcome::Released(released) = release(&scene, name, rows, "") else { panic!("enough") };
        let found = by_plan(&released);
        assert_eq!((found.k, found.entropy_l), (Some(10), Some(2.5)));
        assert_eq!((found.n_designated_missing, found.n_unbalanced), (0, Some(0)));
        let verified = assert_holds(&scene.path(name));
        let is = |fact: &Fact| match fact {
            Fact::Plan { k, entropy_l, .. } => (*k, *entropy_l) == (Some(10), Some(2.5)),
            _ => false,
        };
        assert!(verified.facts.iter().any(is), "{:?}", verified.facts);
    }
    let together = |names: [&str; 2]| {
        let directories = names.map(|name| scene.path(name));
        let linked = opened(link(&Session::default(), &directories, &LinkRequest::default()));
        linked.together.expect("both releases follow a plan")
    };
    let found = together(["a", "b"]);
    // Each of three designated values occurs four times in both releases.
    assert_eq!((found.l, found.k, found.entropy_l), (3, Some(12), Some(2.5)));
    assert_eq!(found.n_designated_missing, [0, 0]);
    // The linked classes, counted from the files.
    let count = |directory: &Path| {
        let (header, rows) = read_table(&data_file(directory));
        let at = |name: &str| header.iter().position(|it| it == name).expect("a column");
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for row in rows {
            let key = (row[at("class")].clone(), row[at("disease")].clone());
            *counts.entry(key).or_default() += 1;
        }
        counts
    };
    let counts = directories.each_ref().map(|it| count(it));
    for class in ["1", "2"] {
        let of = |counts: &BTreeMap<(String, String), u64>, disease: &str| {
            counts.get(&(class.to_owned(), disease.to_owned())).copied().unwrap_or(0)
        };
        let smallest = DISEASES.map(|it| of(&counts[0], it).min(of(&counts[1], it)) as f64);
        let total: f64 = smallest.iter().sum();
        let shares = smallest.iter().filter(|n| **n > 0.0).map(|n| n / total);
        let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
        assert!(total >= 12.0 && entropy.exp() >= 2.5, "{smallest:?}");
    }

    // A release in which one designated value is too rare, and another with too many rows of one
    // value: both are l-diverse and contain all designated values.
    let text = std::fs::read_to_string(scene.path("plan.toml")).expect("a plan");
    let class_of = classes_of(&text);
    let (first, value) =
        (&plan.plan.classes[0], |at: u32| plan.sensitive_values[at as usize].clone());
    let (rare, other) = (value(first.designated[0]), value(first.designated[1]));
    let changed = |name: &str, n_kept: usize| {
        let (mut rows, mut n) = (drawn[0].clone(), 0);
        for row in rows.iter_mut().filter(|row| row[2] == rare) {
            if class_of[&(row[0].clone(), row[1].clone())] == "1" {
                n += 1;
                if n > n_kept {
                    row[2].clone_from(&other);
                }
            }
        }
        let Outcome::Released(released) = release(&scene, name, &rows, "") else { panic!("l = 3") };
        assert_holds(&scene.path(name));
        by_plan(&released).clone()
    };
    let few = changed("few", 3);
    assert_eq!((few.n_designated_missing, few.n_unbalanced), (1, Some(2)));
    assert_eq!(together(["few", "b"]).n_designated_missing, [3, 0]);
    let uneven = changed("uneven", 5);
    assert_eq!((uneven.n_designated_missing, uneven.n_unbalanced), (0, Some(2)));
    // A plan without these guarantees composes with the plan, without the guarantees.
    write_plan(&scene, &requested, "plan.toml");
    let Outcome::Released(_) = release(&scene, "plain", &drawn[1], "") else { panic!("enough") };
    let mixed = together(["a", "plain"]);
    assert_eq!((mixed.l, mixed.k, mixed.entropy_l, mixed.same_plan), (3, None, None, false));
}
