//! Tests of particular tables: solved, rejected, and starred cases.

use super::*;

/// Four sensitive values, one of them frequent. Libraries return tables that violate the request,
/// or no table although one exists.
#[test]
fn skewed_values_are_solved_iff_feasible() {
    let mut random = Random(11);
    let (mut n_solved, mut n_refused) = (0, 0);
    for round in 0..300u64 {
        let c = ["1", "2", "3"][(round % 3) as usize];
        let n = 6 + random.below(30);
        let skew = 40 + random.below(55);
        let row = |random: &mut Random| {
            let frequent = random.below(100) < skew;
            let value = if frequent { 0 } else { 1 + random.below(3) as u32 };
            (random.below(9) as u32, random.below(4) as u32, value)
        };
        let rows = Rows { rows: (0..n).map(|_| row(&mut random)).collect() };
        let table = table(&rows, 4);
        let required: &[RequiredPrinciple<'_>] =
            &[("recursive-diversity", &[("c", c), ("l", "2")])];
        let policy = policy(&table, required, (0, 1), ClassColumn::Absent);
        let is_satisfiable = one_class_holds(&table, &policy);
        for split in SPLITS {
            let problem = problem(&table, &policy, GeneralizeTo::Hierarchy, split);
            match search(&problem) {
                Outcome::Found(found) => {
                    assert!(is_satisfiable, "round {round}");
                    is_certified(&problem, &found).expect("certified");
                    n_solved += 1;
                }
                Outcome::NotFound(infeasible) => {
                    assert!(!is_satisfiable, "round {round}");
                    assert!(infeasible.is_proved);
                    n_refused += 1;
                }
            }
        }
    }
    assert!(n_solved > 100 && n_refused > 50, "{n_solved} {n_refused}");
}

/// Reading F-1: all rows have the same quasi-identifiers, so the policy is feasible only with a
/// class column.
#[test]
fn class_column_determines_feasibility() {
    let rows = Rows { rows: [0, 2, 4, 6].map(|value| (0, 0, value)).to_vec() };
    let table = table(&rows, 9);
    let required: &[RequiredPrinciple<'_>] =
        &[("epsilon-m-anonymity", &[("epsilon", "20"), ("m", "2")])];
    for (published, is_found) in [(ClassColumn::Published, true), (ClassColumn::Absent, false)] {
        let policy = policy(&table, required, (0, 1), published);
        for split in SPLITS {
            let problem = problem(&table, &policy, GeneralizeTo::Hierarchy, split);
            match search(&problem) {
                Outcome::Found(found) => {
                    assert!(is_found);
                    assert_eq!(found.n_classes, 2);
                    is_certified(&problem, &found).expect("certified");
                }
                Outcome::NotFound(infeasible) => {
                    assert!(!is_found);
                    assert!(!infeasible.is_proved);
                }
            }
        }
    }
}

#[test]
fn empty_table_has_no_classes() {
    let table = table(&Rows { rows: Vec::new() }, 4);
    let policy = policy(&table, PRESERVED[0], (0, 1), ClassColumn::Absent);
    for split in SPLITS {
        let Outcome::Found(found) =
            search(&problem(&table, &policy, GeneralizeTo::Hierarchy, split))
        else {
            panic!("an empty table satisfies every policy");
        };
        let Generalization::Classes(classes) = &found.proposal.generalization else {
            panic!("classes")
        };
        assert_eq!((found.n_classes, found.n_suppressed, classes.cells.n_classes()), (0, 0, 0));
    }
}

/// For every objective except `loss`, a search for the objective is better on some tables than a
/// search for `loss`.
#[test]
fn objectives_yield_different_recodings() {
    let mut random = Random(5);
    let mut n_better: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..60 {
        let row = |random: &mut Random| {
            (random.below(9) as u32, random.below(4) as u32, random.below(3) as u32)
        };
        let rows = Rows { rows: (0..40).map(|_| row(&mut random)).collect() };
        let table = table(&rows, 5);
        let policy = policy(&table, PRESERVED[0], (0, 1), ClassColumn::Absent);
        for align in ALIGNS {
            let for_loss = problem(&table, &policy, align, Split::Best);
            let Outcome::Found(of_loss) = search(&for_loss) else {
                panic!("the search finds a recoding")
            };
            for objective in objectives() {
                let mut own = for_loss.clone();
                own.problem.objective = objective;
                let Outcome::Found(found) = search(&own) else {
                    panic!("the search finds a recoding")
                };
                let before = objective_of(&own, &of_loss, objective);
                *n_better.entry(objective.name).or_default() +=
                    usize::from(found.objective.expect("minimized") < before * (1.0 - 1e-6));
            }
        }
    }
    assert_eq!(n_better.remove("loss"), Some(0));
    assert!(n_better.values().all(|n| *n >= 10), "{n_better:?}");
    assert_eq!(n_better.len(), 5);
}

/// Creates a table with ten similar rows, and three rows far from them and from each other.
fn outliers() -> FrequencyTable {
    let near = (0..10).map(|row| (row % 2, 0, 0));
    table(&Rows { rows: near.chain([(8, 3, 0), (5, 2, 0), (7, 1, 0)]).collect() }, 1)
}

#[test]
fn uncovered_outliers_are_starred() {
    let table = outliers();
    let mut policy = policy(&table, PRESERVED[0], (3, 13), ClassColumn::Absent);
    policy.suppressed = SuppressionRule::Starred;
    for split in SPLITS {
        let mut problem = problem(&table, &policy, GeneralizeTo::Hierarchy, split);
        problem.problem.bounds[0] = 0..=1;
        let Outcome::Found(found) = search(&problem) else {
            panic!("suppressing three rows satisfies the policy")
        };
        is_certified(&problem, &found).expect("certified");
        assert_eq!(found.n_suppressed, 3);
    }
    // With a limit that is lower by one row, the problem is infeasible.
    policy.suppression_limit = Rational::new(2, 13);
    let mut problem = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
    problem.problem.bounds[0] = 0..=1;
    assert!(matches!(search(&problem), Outcome::NotFound(_)));
}

/// Outliers in two classes increase the cost of both classes: together, they form a class of their
/// own, in which no row is suppressed.
#[test]
fn covered_outliers_form_their_own_class() {
    let table = outliers();
    let mut policy = policy(&table, PRESERVED[0], (3, 13), ClassColumn::Absent);
    policy.suppressed = SuppressionRule::Starred;
    let of = |policy: &Policy| {
        let problem = problem(&table, policy, GeneralizeTo::Hierarchy, Split::Best);
        let Outcome::Found(found) = search(&problem) else {
            panic!("a single class satisfies the policy")
        };
        is_certified(&problem, &found).expect("certified");
        found
    };
    let starred = of(&policy);
    assert_eq!(starred.n_suppressed, 0);
    policy.suppressed = SuppressionRule::Dropped;
    let value = |found: &FoundRecoding| found.objective.expect("minimized");
    assert!(value(&starred) <= value(&of(&policy)) + 1e-9);
}

#[test]
fn level_objective_is_rejected_for_classes() {
    let table = outliers();
    let policy = policy(&table, PRESERVED[0], (0, 1), ClassColumn::Absent);
    let height = loss::find("height").expect("the registry contains the loss");
    let mut task = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
    task.problem.objective = height;
    let refused = task.run(&Silent);
    assert!(matches!(refused, Err(SearchError::NoObjectiveOfClasses { objective: "height" })));
}

/// Returns whether any division of the rows into classes, regardless of their quasi-identifiers,
/// satisfies the principles in all parts.
fn any_division_holds(rows: &Rows, policy: &Policy, table: &FrequencyTable) -> bool {
    let dictionary = &table.sensitive()[0].dictionary;
    any_partition(rows.rows.len(), &mut |part_of| {
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        (0..n_parts).all(|part| {
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            for (row, _) in rows.rows.iter().zip(part_of).filter(|(_, at)| **at == part) {
                *counts.entry(row.2).or_default() += 1;
            }
            let entries: Vec<(u32, u64)> = counts.into_iter().collect();
            let size = entries.iter().map(|entry| entry.1).sum();
            let histograms = [Histogram { entries: &entries, dictionary }];
            policy.requirements.iter().all(|requirement| {
                let principle = &*requirement.principle;
                principle.of_class(&ClassView::new(size, &histograms)).meets(principle.bounds())
            })
        })
    })
}

/// Infeasibility is reported as proved only if no division of the rows into classes satisfies the
/// policy.
#[test]
fn reported_proofs_are_never_wrong() {
    let l = ["1.25", "1.5", "2", "2.5", "3"];
    let strategy = (rows(7, 7), 0..5usize, 0..l.len(), prop::bool::ANY);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    let n_proved = std::cell::Cell::new(0);
    let ran = runner.run(&strategy, |(rows, kind, at, is_published)| {
        let table = table(&rows, 7);
        let of_delta = [("delta", "10"), ("l", l[at])];
        let of_epsilon = [("epsilon", "20"), ("m", ["2", "2", "2", "3", "3"][at])];
        let of_m = [("m", ["2", "2", "2", "3", "3"][at])];
        let of_l = [("l", l[at])];
        let required: Vec<RequiredPrinciple<'_>> = match kind {
            0 | 1 => vec![("delta-l-diversity", &of_delta)],
            2 => vec![("epsilon-m-anonymity", &of_epsilon)],
            3 => vec![("m-invariance", &of_m), ("delta-l-diversity", &of_delta)],
            _ => vec![("k-anonymity", &[("k", "2")]), ("frequency-l-diversity", &of_l)],
        };
        let published = if is_published { ClassColumn::Published } else { ClassColumn::Absent };
        let policy = policy(&table, &required, (0, 1), published);
        let task = problem(&table, &policy, GeneralizeTo::Bounds, Split::Best);
        if let Outcome::NotFound(not_found) = search(&task)
            && not_found.is_proved
        {
            n_proved.set(n_proved.get() + 1);
            prop_assert!(!any_division_holds(&rows, &policy, &table), "{required:?}");
        }
        Ok(())
    });
    ran.expect("a proof");
    assert!(n_proved.get() > 40, "{} proved", n_proved.get());
}

/// The classes {0, 1, 4} and {0, 2, 5} with delta = 1 and l = 1.5: their union fails, and so does
/// its assignment to buckets.
#[test]
fn fractional_l_reached_by_two_classes_is_found() {
    let rows = Rows {
        rows: [(0, 0), (0, 1), (0, 4), (8, 0), (8, 2), (8, 5)].map(|(age, s)| (age, 0, s)).to_vec(),
    };
    let table = table(&rows, 7);
    let required: RequiredPrinciple<'_> = ("delta-l-diversity", &[("delta", "10"), ("l", "1.5")]);
    for published in [ClassColumn::Absent, ClassColumn::Published] {
        let policy = policy(&table, &[required], (0, 1), published);
        assert!(any_division_holds(&rows, &policy, &table));
        let task = problem(&table, &policy, GeneralizeTo::Bounds, Split::Best);
        match search(&task) {
            Outcome::Found(found) => {
                is_certified(&task, &found).expect("the certifier accepts the recoding")
            }
            Outcome::NotFound(not_found) => {
                assert!(published == ClassColumn::Published && !not_found.is_proved);
            }
        }
    }
}
