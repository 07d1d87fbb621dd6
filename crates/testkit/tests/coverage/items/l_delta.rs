//! (l, delta)-diversity across releases.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'D',
        "Definition 2.1",
        "l-diversity with l as a lower bound, not as the largest possible value",
        Held(
            "linkage/src/post_linkage/mod.rs",
            &["linkage/tests/readings.rs: d8_excess_values_and_empty_classes_satisfy_l"],
        ),
    ),
    item(
        'D',
        "Section 2.3",
        "the linkage of several releases, and the values that remain for a person",
        Held(
            "linkage/src/post_linkage/mod.rs",
            &[
                "linkage/tests/against_brute_force.rs: linkage_matches_each_person",
                "linkage/tests/readings.rs: d11_linked_counts_are_upper_bounds",
            ],
        ),
    ),
    item(
        'D',
        "Proposition 3.1, Lemma 3.2, Corollary 3.3",
        "the worst case after linkage",
        Held(
            "linkage/src/worst_case.rs",
            &[
                "linkage/src/worst_case.rs: worst_case_matches_paper",
                "linkage/tests/against_brute_force.rs: worst_case_matches_all_sets",
            ],
        ),
    ),
    item(
        'D',
        "Definition 4.1",
        "(l, delta)-diversity",
        Held(
            "linkage/src/planned/failure.rs",
            &["linkage/tests/against_brute_force.rs: exact_failure_matches_all_samples"],
        ),
    ),
    item(
        'D',
        "Algorithm 1",
        "the broadcast of the central agency",
        Held(
            "linkage/src/planned/plan.rs",
            &[
                "linkage/tests/readings.rs: d7_actual_class_count_needs_fewer_rows",
                "indistinct/tests/planned/releases.rs: linked_planned_releases_remain_l_diverse",
            ],
        ),
    ),
    item(
        'D',
        "Lemmas 4.2 and 4.3, Remark 1",
        "the sample size and the number of classes",
        Held(
            "linkage/src/planned/samples.rs",
            &[
                "linkage/tests/readings.rs: d12_remark_1_holds_for_all_p",
                "linkage/src/planned/samples.rs: sample_size_matches_section_5",
            ],
        ),
    ),
    item(
        'D',
        "Theorem 4.4",
        "(l, delta)-diversity for a single release",
        Held(
            "linkage/src/planned/samples.rs",
            &[
                "linkage/tests/readings.rs: d7_sample_size_is_rounded_up",
                "linkage/tests/monte_carlo.rs: theorem_4_4_holds_with_n_rounded_up",
                "linkage/tests/against_brute_force.rs: every_basis_bounds_failure_probability",
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
                "search/tests/planned.rs: every_class_count_has_its_largest_p",
                "indistinct/tests/planned/making.rs: \
                 chosen_p_is_optimal_for_class_count",
            ],
        ),
    ),
    item(
        'D',
        "Theorem 4.5",
        "linked releases from one plan",
        Held(
            "linkage/src/planned/composition.rs",
            &[
                "linkage/tests/monte_carlo.rs: theorem_4_5_holds_for_equal_plans",
                "linkage/tests/readings.rs: d10_releases_with_different_classes_do_not_compose",
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
                "linkage/tests/readings.rs: d13_fixed_person_costs_at_most_one_row",
                "linkage/tests/readings.rs: fixed_person_failure_stays_within_stated_bound",
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
                "linkage/tests/against_brute_force.rs: greedy_and_trade_off_match_all_cuts",
                "linkage/tests/readings.rs: d4_last_combination_is_included",
                "linkage/tests/readings.rs: d5_incomplete_last_class_joins_previous_class",
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
                "linkage/tests/readings.rs: d1_equal_class_size_is_rounded_up",
                "linkage/tests/readings.rs: d2_claimed_class_count_is_unreachable",
            ],
        ),
    ),
    item(
        'D',
        "Section 4.1 (a wrong distribution)",
        "the propagated error",
        Held(
            "linkage/src/planned/wrong_distribution.rs",
            &["linkage/tests/monte_carlo.rs: distribution_error_stays_within_stated_effect"],
        ),
    ),
    item(
        'D',
        "Section 5 (conjecture)",
        "the unproved conjecture that independently generalized releases with many rows retain \
         nearly the same l, measured as a function of the number of rows",
        Held(
            "experiments/src/l_delta/conjecture.rs",
            &["experiments/src/l_delta/conjecture.rs: \
               remaining_diseases_match_plain_intersections"],
        ),
    ),
    item(
        'D',
        "Section 6 (other principles)",
        "k-anonymity and entropy l-diversity for a plan",
        Held(
            "linkage/src/planned/people.rs",
            &[
                "linkage/src/planned/people.rs: linked_k_rounds_number_of_rows_up",
                "linkage/tests/monte_carlo.rs: sample_size_yields_k_anonymity_after_linkage",
                "linkage/tests/monte_carlo.rs: \
                 sample_size_yields_entropy_l_after_linkage",
                "linkage/tests/monte_carlo.rs: planned_k_holds_after_linkage",
                "linkage/tests/monte_carlo.rs: planned_entropy_holds_after_linkage",
                "indistinct/tests/planned/releases.rs: \
                 guarantees_for_linked_classes_hold_and_are_stated",
                "indistinct/tests/planned/making.rs: additional_figures_of_plan_classes",
            ],
        ),
    ),
    item(
        'D',
        "Section 6 (correlated samples)",
        "rows in independent groups, with as many groups as the plan requires rows; for any other \
         dependence, there is no guarantee (docs/releases.md)",
        Held(
            "linkage/src/planned/samples.rs",
            &["linkage/tests/monte_carlo.rs: n_independent_groups_suffice"],
        ),
    ),
    item(
        'D',
        "Section 6 (no agency)",
        "(l, delta)-diversity without a central agency",
        Not(
            "the paper leaves this question open, and no bound can depend only on l and N (D-10); \
             data holders who agree on a distribution need only the inputs of the plan, not an \
             agency (docs/releases.md)",
        ),
    ),
    item(
        'D',
        "Tables 1 and 2",
        "two hospitals with a common patient",
        Held(
            "experiments/src/l_delta/two_tables.rs",
            &["experiments/src/tests.rs: separate_tables_disclose_but_common_plan_does_not"],
        ),
    ),
    item(
        'D',
        "Figures 1 and 2",
        "sample sizes and numbers of classes",
        Held(
            "experiments/src/l_delta/samples.rs",
            &["experiments/src/tests.rs: sample_sizes_match_readings"],
        ),
    ),
];
