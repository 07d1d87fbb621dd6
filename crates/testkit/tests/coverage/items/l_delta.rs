//! (l, delta)-diversity across releases.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'D',
        "Definition 2.1",
        "l-diversity as a lower bound l, not as the largest l",
        Held(
            "linkage/src/planned/plan.rs",
            &["linkage/tests/readings.rs: d8_at_least_l_and_classes_without_rows_ignored"],
        ),
    ),
    item(
        'D',
        "Proposition 3.1, Lemma 3.2, Corollary 3.3",
        "the worst case after linkage",
        Held(
            "linkage/src/worst_case.rs",
            &[
                "linkage/src/worst_case.rs: the_printed_cases",
                "linkage/tests/against_brute_force.rs: the_worst_case_is_that_of_all_sets",
            ],
        ),
    ),
    item(
        'D',
        "Definition 4.1",
        "(l, delta)-diversity",
        Held(
            "linkage/src/planned/failure.rs",
            &["linkage/tests/against_brute_force.rs: the_exact_failure_is_that_of_all_samples"],
        ),
    ),
    item(
        'D',
        "Algorithm 1",
        "the broadcast of the central agency",
        Held(
            "linkage/src/planned/plan.rs",
            &["indistinct/tests/planned/releases.rs: \
               two_hospitals_that_follow_one_plan_leave_l_sensitive_values_for_everybody"],
        ),
    ),
    item(
        'D',
        "Lemmas 4.2 and 4.3, Remark 1",
        "the sample size and the number of classes",
        Held(
            "linkage/src/planned/samples.rs",
            &[
                "linkage/src/planned/samples.rs: section_5_of_the_text",
                "linkage/tests/readings.rs: d12_remark_1_holds_for_all_p",
            ],
        ),
    ),
    item(
        'D',
        "Theorem 4.4",
        "(l, delta)-diversity of a single release",
        Held(
            "linkage/src/planned/samples.rs",
            &[
                "linkage/tests/monte_carlo.rs: theorem_4_4_with_n_rounded_up",
                "linkage/tests/against_brute_force.rs: every_basis_holds",
            ],
        ),
    ),
    item(
        'D',
        "Remark 2",
        "the trade-off between classes and rows",
        Held(
            "search/src/planned/trade_off.rs",
            &[
                "search/tests/planned.rs: every_number_of_classes_has_its_largest_p",
                "indistinct/tests/planned/making.rs: \
                 no_other_p_gives_as_many_classes_with_fewer_rows",
            ],
        ),
    ),
    item(
        'D',
        "Theorem 4.5",
        "linked releases of one plan",
        Held(
            "linkage/src/planned/composition.rs",
            &[
                "linkage/tests/monte_carlo.rs: theorem_4_5_with_the_same_plan",
                "linkage/tests/readings.rs: d10_releases_with_other_classes_do_not_compose",
            ],
        ),
    ),
    item(
        'D',
        "Assumption 1",
        "the record of a given person",
        Held(
            "linkage/src/planned/plan.rs",
            &[
                "linkage/tests/readings.rs: d13_a_given_person_costs_no_more_than_one_row",
                "linkage/tests/readings.rs: a_given_person_costs_what_is_stated_on_every_basis",
            ],
        ),
    ),
    item(
        'D',
        "Algorithm 2, Proposition 4.6, Remark 3",
        "greedy contiguous generalization and its optimality",
        Held(
            "search/src/planned/greedy.rs",
            &[
                "linkage/tests/against_brute_force.rs: greedy_and_trade_off_are_those_of_all_cuts",
                "linkage/tests/readings.rs: d4_the_last_combination_is_not_lost",
                "linkage/tests/readings.rs: d5_an_incomplete_last_class_joins_the_one_before",
            ],
        ),
    ),
    item(
        'D',
        "Algorithm 3, Lemma 4.7, Corollary 4.8",
        "classes of equal size",
        Held(
            "linkage/src/planned/equal_size.rs",
            &[
                "linkage/tests/readings.rs: d1_the_size_of_equal_classes_is_rounded_up",
                "linkage/tests/readings.rs: d2_the_claimed_number_of_classes_cannot_be_reached",
            ],
        ),
    ),
    item(
        'D',
        "Section 4.1 (a wrong distribution)",
        "the propagated error",
        Held(
            "linkage/src/planned/wrong_distribution.rs",
            &["linkage/tests/monte_carlo.rs: a_wrong_distribution_costs_no_more_than_stated"],
        ),
    ),
    item(
        'D',
        "Section 5 (conjecture)",
        "the unproved conjecture that independently generalized releases with many rows retain \
         nearly the same l, measured as a function of the number of rows",
        Held(
            "experiments/src/l_delta/conjecture.rs",
            &["experiments/src/tests.rs: what_the_texts_do_not_measure_is_measured"],
        ),
    ),
    item(
        'D',
        "Section 6 (other principles)",
        "k-anonymity and entropy l-diversity of a plan",
        Held(
            "linkage/src/planned/people.rs",
            &[
                "linkage/tests/monte_carlo.rs: k_anonymity_of_one_release_and_of_linked_ones",
                "linkage/tests/monte_carlo.rs: \
                 entropy_l_diversity_of_one_release_and_of_linked_ones",
                "indistinct/tests/planned/making.rs: other_promises_of_a_plans_classes",
            ],
        ),
    ),
    item(
        'D',
        "Section 6 (correlated samples)",
        "rows in independent groups, with as many groups as the plan requires rows; there is no \
         guarantee for any other dependence (docs/releases.md)",
        Held(
            "linkage/src/planned/samples.rs",
            &["linkage/tests/monte_carlo.rs: as_many_independent_groups_as_rows_are_enough"],
        ),
    ),
    item(
        'D',
        "Section 6 (no agency)",
        "(l, delta)-diversity without a central agency",
        Not("this is open in the paper, and no bound can depend only on l and N (D-10); data \
             holders who agree on a distribution need only the inputs of the plan, not an agency \
             (docs/releases.md)"),
    ),
    item(
        'D',
        "Tables 1 and 2",
        "two hospitals with a patient in both",
        Held(
            "experiments/src/l_delta/two_tables.rs",
            &["experiments/src/tests.rs: two_tables_reveal_a_patient_and_a_plan_does_not"],
        ),
    ),
    item(
        'D',
        "Figures 1 and 2",
        "sample sizes and numbers of classes",
        Held(
            "experiments/src/l_delta/samples.rs",
            &["experiments/src/tests.rs: sample_sizes_are_those_of_the_readings"],
        ),
    ),
];
