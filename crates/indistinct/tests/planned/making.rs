//! Tests of plans: their sources, their bases, and invalid requests.

use indistinct::warning::Warning;

use super::*;

#[test]
fn changed_plan_is_rejected() {
    let scene = Scene::new();
    let plan = write_plan(&scene, &request(2, ratio(1, 100), Choice::Classes(3)), "plan.toml");
    let text = std::fs::read_to_string(scene.path("plan.toml")).expect("a plan");
    assert_eq!(opened(PlanFile::read(&scene.path("plan.toml")).map_err(Error::from)), plan);
    let read = |changed: String| {
        assert_ne!(changed, text);
        let path = scene.write("changed.toml", &changed);
        let error = PlanFile::read(&path).map_err(Error::from).expect_err("changed");
        assert!(
            !DISEASES.iter().any(|it| error.to_string().contains(it)),
            "the message contains a value: {error}"
        );
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

/// The guarantees for linked classes are part of the digest, and inconsistent ones are rejected.
#[test]
fn changed_guarantees_for_linked_classes_are_rejected() {
    let scene = Scene::new();
    let linked = Linked { k: Some(10), entropy_l: Some(ratio(5, 2)) };
    let requested = Request { linked, ..request(3, ratio(1, 10), Choice::Classes(2)) };
    let plan = write_plan(&scene, &requested, "plan.toml");
    let text = std::fs::read_to_string(scene.path("plan.toml")).expect("a plan");
    assert_eq!(opened(PlanFile::read(&scene.path("plan.toml")).map_err(Error::from)), plan);
    let read = |key: &str, value: &str| {
        let line = text.lines().find(|it| it.starts_with(&format!("{key} = "))).expect("a line");
        let changed = text.replace(&format!("{line}\n"), value);
        assert_ne!(changed, text);
        let path = scene.write("changed.toml", &changed);
        codes(&PlanFile::read(&path).map_err(Error::from).expect_err("changed")).remove(0)
    };
    assert_eq!(read("k", "k = 11\n"), "E-PLAN-003");
    assert_eq!(read("k", ""), "E-PLAN-003");
    assert_eq!(read("k", "k = 0\n"), "E-PLAN-026");
    assert_eq!(read("k", "k = 1000001\n"), "E-PLAN-026");
    assert_eq!(read("k", "k = 900000\n"), "E-PLAN-004");
    assert_eq!(read("entropy_l", "entropy_l = \"4\"\n"), "E-PLAN-026");
    assert_eq!(read("entropy_l", "entropy_l = \"3\"\n"), "E-PLAN-004");
    assert_eq!(read("entropy_l", "entropy_l = \"2\"\n"), "E-PLAN-003");
    assert_eq!(read("entropy_l", ""), "E-PLAN-004");
    assert_eq!(read("slack", ""), "E-PLAN-004");
    assert_eq!(read("slack", "slack = \"1/2\"\n"), "E-PLAN-004");
    assert_eq!(read("slack", "slack = \"1/65537\"\n"), "E-PLAN-004");
    assert_eq!(read("n_rows", "n_rows = 200\n"), "E-PLAN-004");
}

/// A plan for a number of rows has the most classes among those that the rows permit.
#[test]
fn guarantees_for_linked_classes_reduce_the_number_of_classes() {
    let scene = Scene::new();
    let of = |linked: Linked, rows: u64| {
        let requested = Request {
            basis: Basis::ActualMasses,
            linked,
            ..request(2, ratio(1, 10), Choice::Rows(rows))
        };
        match opened(try_plan(&scene, &requested)) {
            PlanOutcome::Planned(it) => Ok((it.chosen.n_classes, it.chosen.n_rows)),
            PlanOutcome::TooFewRows(it) => Err(it.n_rows_needed),
        }
    };
    let entropy_l = Some(ratio(3, 2));
    for linked in [
        Linked { k: Some(20), entropy_l: None },
        Linked { k: None, entropy_l },
        Linked { k: Some(20), entropy_l },
    ] {
        let needed = of(linked, 2).expect_err("too few rows");
        assert_eq!(of(linked, needed - 1), Err(needed), "{linked:?}");
        let mut before = 0;
        for rows in [needed, 300, 1000, 4000] {
            let rows = rows.max(needed);
            let (n_classes, n_rows) = of(linked, rows).expect("enough rows");
            let (most, _) = of(Linked::default(), rows).expect("enough rows");
            assert!(
                n_rows <= rows && n_classes <= most && n_classes >= before,
                "{linked:?} {rows}"
            );
            before = n_classes;
        }
        assert!(before > 1, "{linked:?}");
        assert!(
            of(linked, 300.max(needed)).expect("enough").0
                < of(Linked::default(), 300).expect("enough").0
        );
    }
}

#[test]
fn large_plan_has_separate_tables() {
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
    let found = planned(opened(plan(
        &Session::default(),
        &source,
        &request(3, ratio(1, 100), Choice::Classes(40)),
    )));
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

/// Tests additional figures of a plan's classes: the failure probability for other numbers of rows,
/// k-anonymity, and entropy.
#[test]
fn additional_figures_of_plan_classes() {
    let scene = Scene::new();
    let delta = ratio(1, 100);
    let further = |l: u64, also: FurtherRequest| {
        let requested =
            Request { basis: Basis::ExactFailure, also, ..request(l, delta, Choice::Classes(3)) };
        let found = planned(opened(try_plan(&scene, &requested)));
        (found.chosen.n_rows, found.further)
    };
    assert_eq!(further(3, FurtherRequest::default()).1, None);
    let n_rows = further(3, FurtherRequest::default()).0;
    let with_rows = |n: u64| {
        let found = further(3, FurtherRequest { with_rows: Some(n), ..FurtherRequest::default() })
            .1
            .expect("asked");
        assert!(found.k_anonymity.is_none() && found.entropy.is_none());
        found.with_rows.expect("asked")
    };
    // The plan requires the smallest number of rows for which the failure probability is at most
    // delta.
    let exact = |n: u64| {
        with_rows(n).exact.expect("the number of rows is small enough for the exact probability")
    };
    assert!(exact(n_rows) <= 0.01 && exact(n_rows - 1) > 0.01);
    for n in [1, 10, n_rows, 2 * n_rows] {
        let it = with_rows(n);
        assert!(
            it.exact.expect("the number of rows is small enough for the exact probability")
                <= it.at_most + 1e-9
                && it.at_most <= 1.0,
            "{it:?}"
        );
    }
    assert_eq!((with_rows(0).at_most, with_rows(0).exact), (1.0, Some(1.0)));
    let of_k = |k: u64| {
        let found = further(3, FurtherRequest { k: Some(k), ..FurtherRequest::default() })
            .1
            .expect("asked");
        found.k_anonymity.expect("asked")
    };
    let (one, ten) = (of_k(1), of_k(10));
    // One row in every class is a weaker requirement than all designated values in every class.
    // After linkage, only the designated values are guaranteed.
    assert!(one.n_rows < n_rows && one.n_rows < ten.n_rows && ten.n_rows < ten.n_rows_linked);
    assert!(of_k(3).n_rows_linked >= n_rows && of_k(4).n_rows_linked > of_k(3).n_rows_linked);
    let of_l = |l: Rational| {
        let found = further(3, FurtherRequest { entropy_l: Some(l), ..FurtherRequest::default() })
            .1
            .expect("asked");
        found.entropy.expect("asked").n_rows
    };
    assert!(
        of_l(ratio(11, 10)).expect("a small l requires few rows")
            < of_l(ratio(3, 2)).unwrap_or(u64::MAX)
    );
    assert_eq!(of_l(ratio(100, 1)), None);
}

#[test]
fn plan_choices_depend_on_basis() {
    let scene = Scene::new();
    let delta = ratio(1, 100);
    let by = |choice, basis| Request { basis, ..request(3, delta, choice) };
    let chosen = |request: &Request| planned(opened(try_plan(&scene, request))).chosen;

    let exact = chosen(&by(Choice::Classes(3), Basis::ExactFailure));
    let rows = [
        exact.n_rows_text,
        exact.n_rows_actual_classes,
        exact.n_rows_actual_masses,
        exact
            .n_rows_exact_failure
            .expect("the number of rows is small enough for the exact probability"),
    ];
    assert!(rows.windows(2).all(|pair| pair[0] >= pair[1]), "{rows:?}");
    assert_eq!(exact.n_rows, rows[3]);

    for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
        let rows = 150;
        let most = chosen(&by(Choice::Rows(rows), basis));
        assert!(most.n_rows <= rows, "{most:?}");
        // An additional class needs more rows, for the bases that decrease with p.
        if matches!(basis, Basis::Text | Basis::ActualClasses) {
            let more = chosen(&by(Choice::Classes(most.n_classes + 1), basis));
            assert!(more.n_rows > rows, "{most:?} {more:?}");
        }
    }
    let fewer = chosen(&by(Choice::Rows(150), Basis::Text)).n_classes;
    let more = chosen(&by(Choice::Rows(150), Basis::ActualMasses)).n_classes;
    assert!(more >= fewer);

    let found = opened(try_plan(&scene, &by(Choice::Rows(5), Basis::Text)));
    let PlanOutcome::TooFewRows(too_few) = found else {
        panic!("five rows are too few for three sensitive values")
    };
    assert!(too_few.n_rows == 5 && too_few.n_rows_needed > 5);

    // The failure probability of several releases is shared equally.
    let shared = Request {
        failure: Failure::OfAny { releases: 10, total: ratio(1, 10) },
        ..by(Choice::Classes(3), Basis::Text)
    };
    let shared = planned(opened(try_plan(&scene, &shared)));
    let each = planned(opened(try_plan(&scene, &by(Choice::Classes(3), Basis::Text))));
    assert_eq!((shared.releases, shared.delta, &shared.chosen), (Some(10), 0.01, &each.chosen));
    assert_ne!(shared.digest, each.digest);
    assert_eq!(shared.distribution, each.distribution);

    // Test a wrong distribution, and independent sensitive values.
    let wrong = Request { eta: Some(ratio(1, 10_000)), ..by(Choice::Classes(2), Basis::Text) };
    let found = planned(opened(try_plan(&scene, &wrong))).robustness.expect("asked");
    assert!(found.delta > 0.0 && found.n_rows.is_some());
    let free =
        Request { dependence: Dependence::Independent, ..by(Choice::Classes(2), Basis::Text) };
    let found = planned(opened(try_plan(&scene, &free)));
    let equal = found.equal_size.expect("compared");
    assert!(equal.n_classes <= found.chosen.n_classes);

    // The lexicographic order separates the sexes, and the plan records this order.
    let by_sex = Request {
        order: Order::Lexicographic(vec!["sex".to_owned(), "age".to_owned()]),
        ..by(Choice::Classes(2), Basis::Text)
    };
    let found = planned(opened(try_plan(&scene, &by_sex)));
    let sexes = &found.plan.columns.iter().find(|column| column.name == "sex").expect("it");
    assert!(sexes.codes.windows(2).all(|pair| pair[0] <= pair[1]));
    let figures = figures(&found);
    assert_eq!(figures[0].1.lines().count(), found.trade_off.len() + 1);
    assert!(figures[1].1.starts_with("<svg"));
}

#[test]
fn chosen_p_is_optimal_for_class_count() {
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
            let requested = Request { basis, ..request(2, ratio(1, 10), choice) };
            plan(&Session::default(), &source, &requested)
        };
        for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
            for rows in [30, 60, 120] {
                let PlanOutcome::Planned(most) = opened(answer(Choice::Rows(rows), basis)) else {
                    continue;
                };
                let most = most.chosen;
                assert!(most.n_rows <= rows);
                for weight in 1..=total {
                    let Ok(PlanOutcome::Planned(other)) =
                        answer(Choice::P(ratio(weight, total)), basis)
                    else {
                        break; // p exceeds the probability of every class
                    };
                    let other = other.chosen;
                    let is_better = other.n_rows <= rows
                        && (other.n_classes, most.n_rows) > (most.n_classes, other.n_rows);
                    assert!(!is_better, "{basis:?}, {rows} rows: {most:?} is worse than {other:?}");
                }
            }
        }
    }
}

#[test]
fn invalid_plan_requests_are_rejected() {
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
    let text = try_plan(&scene, &too_large).expect_err("the value of p is too large").to_string();
    assert!(text.contains("at most 0.2"), "the message states the maximum: {text}");
    assert_eq!(code(&Request { choice: Choice::Classes(13), ..fine.clone() }), "E-PLAN-009");
    let order = Order::Lexicographic(vec!["age".to_owned()]);
    assert_eq!(code(&Request { order, ..fine.clone() }), "E-PLAN-012");
    assert_eq!(code(&Request { eta: Some(ratio(2, 1)), ..fine.clone() }), "E-LINKAGE-008");
    for (k, entropy_l) in [(Some(0), None), (Some(1_000_001), None), (None, Some(ratio(7, 2)))] {
        let linked = Linked { k, entropy_l };
        assert_eq!(code(&Request { linked, ..fine.clone() }), "E-PLAN-026", "{linked:?}");
    }
    let linked = Linked { k: None, entropy_l: Some(ratio(2, 1)) };
    let estimated = Request { linked, confidence: Some(ratio(19, 20)), ..fine.clone() };
    assert_eq!(code(&estimated), "E-PLAN-017");
    let linked = Linked { k: Some(9), entropy_l: None };
    assert!(try_plan(&scene, &Request { linked, ..fine.clone() }).is_ok());

    let of = |text: &str, weight| {
        let path = scene.write("wrong.csv", text);
        let error = plan(&Session::default(), &source(&path, weight), &fine).expect_err("wrong");
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
fn counts_and_probabilities_give_equal_classes() {
    let scene = Scene::new();
    write_counts(&scene, "counts.csv");
    let total: u64 = lines().map(|line| weight(line.0, line.1, line.2)).sum();
    let mut text = "age,sex,disease,p\n".to_owned();
    for line in lines() {
        let p = weight(line.0, line.1, line.2) as f64 / total as f64;
        text += &format!("{},{p:.12}\n", cells(line).join(","));
    }
    let path = scene.write("probabilities.csv", &text);
    let requested = request(3, ratio(1, 100), Choice::Classes(3));
    let by_count = planned(opened(try_plan(&scene, &requested)));
    let source = source(&path, Weight::Probability("p".to_owned()));
    let by_probability = planned(opened(plan(&Session::default(), &source, &requested)));
    let ranges = |planned: &PlanAnswer| -> Vec<_> {
        planned.plan.plan.classes.iter().map(|class| class.combinations.clone()).collect()
    };
    assert_eq!(ranges(&by_count), ranges(&by_probability));
    assert!((by_count.chosen.p - by_probability.chosen.p).abs() < 1e-9);
}

#[test]
fn earlier_data_of_policy_is_used_as_distribution() {
    let scene = Scene::new();
    // Each line occurs in proportion to its frequency.
    let rows: Rows = lines()
        .flat_map(|line| (0..weight(line.0, line.1, line.2)).map(move |_| row(&cells(line))))
        .collect();
    write_rows(&scene, "table.csv", &rows);
    // The plan that the policy names does not exist yet.
    let path = scene.write("policy.toml", &policy("table.csv", ""));
    assert!(Session::default().open(&path, None).is_err());
    let job = opened(Session::default().open_to_plan(&path));
    let requested = request(3, ratio(1, 100), Choice::Classes(3));
    let of_policy = planned(opened(plan(
        &Session::default(),
        &Source::Earlier { job: &job, sensitive: None },
        &requested,
    )));
    let of_counts = planned(opened(try_plan(&scene, &requested)));
    assert_eq!(of_policy.plan, of_counts.plan);
    let other = Source::Earlier { job: &job, sensitive: Some("age".to_owned()) };
    let error = plan(&Session::default(), &other, &requested)
        .expect_err("the column is not a sensitive attribute");
    assert_eq!(codes(&error), ["E-PLAN-011"]);
}

#[test]
fn plan_over_declared_domains_fits_later_data() {
    let scene = Scene::new();
    // The counts contain no one of age 70, no man of age 60, and no ages in between.
    let was_counted = |line: &(usize, usize, usize)| line.0 < 4 || (line.0 == 4 && line.1 == 0);
    let mut text = "age,sex,disease,n\n".to_owned();
    for line in lines().filter(was_counted) {
        text += &format!("{},{}\n", cells(line).join(","), weight(line.0, line.1, line.2));
    }
    let path = scene.write("last-year.csv", &text);
    let source = source(&path, Weight::Count("n".to_owned()));
    let domains = vec![Domain::parse("age=0..99").expect("a range")];
    let requested = |cover| Request { cover, ..request(2, ratio(1, 100), Choice::Classes(4)) };
    let write = |cover| {
        let found = planned(opened(plan(&Session::default(), &source, &requested(cover))));
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
    assert_eq!(all.distribution, occurring.distribution, "the counted distribution is the same");
    assert!(all.plan.plan.classes.len() >= 4);
    let Outcome::Released(released) =
        release(&scene, "this-year", &rows, "generalize_to = \"bounds\"\n")
    else {
        panic!("the plan has a class for every person")
    };
    assert_eq!(released.n_released, 500);
    assert_holds(&scene.path("this-year"));
    // Values that were never counted are in the released ranges that cover them.
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
    // Too many combinations are an error that names the columns.
    let domains =
        ["age=0..99999", "sex=a,b,c,d,e,f,g,h,i,j"].map(|it| Domain::parse(it).expect("it"));
    let error = plan(&Session::default(), &source, &requested(Cover::All(domains.to_vec())))
        .expect_err("many");
    assert_eq!(codes(&error), ["E-PLAN-015"]);
    assert!(error.to_string().contains("'age'"));
    let error = plan(
        &Session::default(),
        &source,
        &requested(Cover::All(vec![Domain::parse("zip=1..2").expect("it")])),
    );
    assert_eq!(codes(&error.expect_err("the column does not exist")), ["E-PLAN-010"]);
    for text in ["age", "=1..2", "age=2..1", "age=0..9999999", "age=", "age=a,,b"] {
        assert_eq!(Domain::parse(text), None, "{text}");
    }
}

#[test]
fn plan_from_released_table_triggers_warning() {
    let scene = Scene::new();
    let mut dice = Dice::new(13);
    let (own, other) = (draw(600, &mut dice), draw(600, &mut dice));
    write_rows(&scene, "own.csv", &own);
    let path = scene.write("own.toml", &policy("own.csv", ""));
    let job = opened(Session::default().open_to_plan(&path));
    let requested = request(2, ratio(1, 100), Choice::Classes(3));
    let source = Source::Earlier { job: &job, sensitive: None };
    let found = planned(opened(plan(&Session::default(), &source, &requested)));
    assert!(found.warnings.contains(&Warning::OnlyCountedCombinations));
    for (name, text) in found.plan.texts("plan.toml").files {
        scene.write(&name, &text);
    }
    for (name, rows, is_warned) in [("own", own, true), ("other", other, false)] {
        let Outcome::Released(released) = release(&scene, name, &rows, "") else {
            panic!("the table has enough rows")
        };
        let is_told = released.warnings.contains(&Warning::PlanOfThisTable);
        assert_eq!(is_told, is_warned, "{name}");
    }
}

#[test]
fn fractions_are_parsed_exactly() {
    assert_eq!(parse_fraction("1/300"), Some(ratio(1, 300)));
    assert_eq!(parse_fraction("0.01"), Some(ratio(1, 100)));
    assert_eq!(parse_fraction("0.5/2"), Some(ratio(1, 4)));
    for text in ["", "1/0", "a", "1/2/3", "1/"] {
        assert_eq!(parse_fraction(text), None, "{text}");
    }
}
