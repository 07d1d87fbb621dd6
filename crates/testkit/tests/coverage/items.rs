//! What the five texts define, prove, give as an algorithm, print or draw; and the sentences that the program says about a guarantee.

/// Something of a text.
pub struct Item {
    /// The text, by its letter in `docs/readings.md`.
    pub text: char,
    /// Its name there.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What became of it.
    pub state: State,
}

/// What became of an item.
pub enum State {
    /// It is in this file of `crates/`, and these tests hold it: `file: test`.
    Held(&'static str, &'static [&'static str]),
    /// It is not here, for this reason.
    Not(&'static str),
}

use State::{Held, Not};

const fn item(text: char, name: &'static str, what: &'static str, state: State) -> Item {
    Item { text, name, what, state }
}

/// All of them, in the order of the texts.
pub const ITEMS: &[Item] = &[
    item(
        'A',
        "Definition 1",
        "frequency l-diversity",
        Held(
            "core/src/principle/frequency_l_diversity.rs",
            &[
                "core/tests/worked_examples.rs: thresholds_of_frequency_are_exact",
                "core/tests/against_oracles.rs: principles_agree_with_their_oracles_on_one_class",
            ],
        ),
    ),
    item(
        'A',
        "Definition 2",
        "(epsilon, m)-anonymity, and m of a class",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &["core/tests/numeric_principles.rs: proximity_agrees_with_the_definition"],
        ),
    ),
    item(
        'A',
        "Definitions 3 and 4",
        "delta-intervals and delta-similar values",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &["core/tests/readings.rs: a7_intervals_that_touch_overlap"],
        ),
    ),
    item(
        'A',
        "Definition 5",
        "(delta, l)-diversity",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &["core/tests/numeric_principles.rs: delta_l_agrees_with_both_readings"],
        ),
    ),
    item(
        'A',
        "Figure 1, Example 1",
        "a 3-diverse table whose salaries are near each other",
        Not("it motivates the text; `attack` finds such classes in any release (`proximity`)"),
    ),
    item(
        'A',
        "Figure 2, Examples 2 and 3",
        "{40, 60} and {40, 50, 60}",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &[
                "core/tests/readings.rs: a5_a_value_in_between_still_looks_worse",
                "core/tests/readings.rs: a2_the_algorithm_checks_another_principle_than_the_definition",
            ],
        ),
    ),
    item(
        'A',
        "Figure 3",
        "algorithm d-l-checking",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &[
                "core/tests/readings.rs: a3_a_single_row_has_l_1",
                "core/tests/readings.rs: a4_quotients_are_real",
                "core/tests/numeric_principles.rs: delta_l_agrees_with_both_readings",
            ],
        ),
    ),
    item(
        'A',
        "monotony (claimed)",
        "that merging keeps (delta, l)-diversity: false",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &[
                "core/tests/readings.rs: a1_the_definition_is_not_kept_by_merging",
                "core/tests/merging.rs: merging_may_break_proximity",
            ],
        ),
    ),
    item(
        'B',
        "Definition 2.1",
        "quasi-identifier",
        Held(
            "policy/src/attributes.rs",
            &["core/tests/worked_examples.rs: figure_1_singles_everybody_out"],
        ),
    ),
    item(
        'B',
        "Definition 2.2",
        "k-anonymity",
        Held(
            "core/src/principle/k_anonymity.rs",
            &[
                "core/src/principle/k_anonymity.rs: the_size_decides",
                "core/tests/worked_examples.rs: figure_2_is_4_anonymous_and_has_a_homogeneous_class",
            ],
        ),
    ),
    item(
        'B',
        "Definition 2.3",
        "domain generalization",
        Held(
            "core/src/hierarchy/mod.rs",
            &["core/src/hierarchy/tests.rs: every_hierarchy_is_nested_and_its_counts_add_up"],
        ),
    ),
    item(
        'B',
        "Observation 1",
        "homogeneity attack",
        Held(
            "attack/src/homogeneity.rs",
            &["attack/tests/worked_examples.rs: everybody_in_their_thirties_has_cancer"],
        ),
    ),
    item(
        'B',
        "Observation 2",
        "attack with background knowledge",
        Held(
            "attack/src/background.rs",
            &["attack/tests/worked_examples.rs: umeko_is_found_out_by_one_statement"],
        ),
    ),
    item(
        'B',
        "Theorem 3.1, Figure 3",
        "the belief of a Bayes-optimal adversary",
        Held("core/src/belief.rs", &["core/tests/beliefs.rs: theorem_3_1_agrees_with_all_worlds"]),
    ),
    item(
        'B',
        "Definitions 3.1 and 3.2",
        "positive and negative disclosure",
        Held("core/src/belief.rs", &["core/src/belief.rs: limits_are_strict_and_exact"]),
    ),
    item(
        'B',
        "Principle 1",
        "the uninformative principle",
        Not(
            "a principle to judge others by; its parts are the disclosures of Definitions 3.1 to 3.3",
        ),
    ),
    item(
        'B',
        "Definition 3.3",
        "(rho1, rho2)-privacy",
        Held(
            "core/src/belief.rs",
            &[
                "core/src/belief.rs: the_counterexample_of_theorem_5_1",
                "core/src/belief.rs: limits_are_strict_and_exact",
            ],
        ),
    ),
    item(
        'B',
        "Principle 2",
        "l-diversity, in any of its forms",
        Held(
            "core/src/principle/distinct_l_diversity.rs",
            &["core/tests/against_oracles.rs: principles_agree_with_their_oracles_on_one_class"],
        ),
    ),
    item(
        'B',
        "Definition 4.1",
        "entropy l-diversity",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/src/principle/entropy_l_diversity.rs: the_boundary_is_decided_exactly",
                "core/tests/worked_examples.rs: figure_4_reaches_entropy_l_2_828",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.2",
        "recursive (c, l)-diversity",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &[
                "core/tests/readings.rs: b1_the_printed_example_is_not_recursive",
                "core/tests/peers.rs: nine_and_one_need_c_above_nine",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.3",
        "the same with values for which positive disclosure is allowed",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &[
                "core/tests/readings.rs: b3_the_original_counts_stay_in_the_tail",
                "core/tests/categorical_principles.rs: pd_and_npd_recursive_agree_with_elimination",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.4",
        "the same with negative disclosure",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &["core/tests/categorical_principles.rs: pd_and_npd_recursive_agree_with_elimination"],
        ),
    ),
    item(
        'B',
        "Definition 4.5",
        "adjusted entropy",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &["core/tests/categorical_principles.rs: adjusted_entropy_is_the_largest_there_is"],
        ),
    ),
    item(
        'B',
        "Theorem 4.1, Algorithm 1",
        "adjusted entropy, computed",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/src/principle/entropy_l_diversity.rs: the_worked_example_of_algorithm_1",
                "core/tests/readings.rs: b5_legal_input_without_a_minimum_or_a_mean",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.6",
        "several sensitive attributes",
        Held(
            "core/src/recoding/mod.rs",
            &[
                "core/tests/categorical_principles.rs: the_others_as_quasi_identifier_are_part_of_the_class",
            ],
        ),
    ),
    item(
        'B',
        "Theorem 5.1, Figures 5 and 6",
        "(rho1, rho2) and disclosure are not monotone",
        Held(
            "core/src/belief.rs",
            &[
                "core/src/belief.rs: the_counterexample_of_theorem_5_1",
                "core/tests/readings.rs: b8_people_of_one_block_have_different_posteriors",
            ],
        ),
    ),
    item(
        'B',
        "Theorems 5.2 to 5.4, Lemma 5.1, Corollary 5.1",
        "merging keeps the kinds of l-diversity",
        Held(
            "core/src/principle/mod.rs",
            &[
                "core/tests/merging.rs: merging_keeps",
                "core/tests/readings.rs: b9_tails_are_super_additive_not_additive",
            ],
        ),
    ),
    item(
        'B',
        "Theorems A.1 to A.3, Lemma A.1, Corollary A.1",
        "what the proofs on adjusted entropy need",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/tests/readings.rs: b7_normalized_entropy_is_not_concave_in_the_counts",
                "core/tests/categorical_principles.rs: adjusted_entropy_is_the_largest_there_is",
            ],
        ),
    ),
    item(
        'B',
        "Figures 1, 2 and 4",
        "twelve patients, 4-anonymous and 3-diverse",
        Held(
            "core/src/certify/mod.rs",
            &["core/tests/worked_examples.rs: the_certifier_makes_figures_2_and_4_of_figure_1"],
        ),
    ),
    item(
        'B',
        "Figure 7",
        "the Adult table and its hierarchies",
        Held(
            "experiments/src/data/adult.rs",
            &["experiments/src/tests.rs: built_in_hierarchies_are_those_that_are_in_common_use"],
        ),
    ),
    item('B', "Figure 8", "the Lands End table", Not("the table was never published")),
    item(
        'B',
        "Figures 9 and 11",
        "homogeneous classes of Adult",
        Held(
            "experiments/src/l_diversity/homogeneity.rs",
            &["experiments/src/tests.rs: figures_9_and_11_are_what_plain_counting_gives"],
        ),
    ),
    item(
        'B',
        "Figures 10, 12 and 14",
        "the same and running times on Lands End",
        Not("the table was never published"),
    ),
    item(
        'B',
        "Figure 13",
        "running times on Adult",
        Held(
            "experiments/src/l_diversity/performance.rs",
            &["experiments/src/tests.rs: the_other_figures_on_adult_run"],
        ),
    ),
    item(
        'B',
        "Figures 15 to 18",
        "utility on Adult",
        Held(
            "experiments/src/l_diversity/utility.rs",
            &["experiments/src/tests.rs: the_other_figures_on_adult_run"],
        ),
    ),
    item(
        'B',
        "Figures 19 and 20",
        "KL-divergence on Adult",
        Held(
            "experiments/src/l_diversity/divergence.rs",
            &[
                "experiments/src/tests.rs: the_other_figures_on_adult_run",
                "core/tests/kl_divergence.rs: b14_what_is_printed_is_no_distribution",
            ],
        ),
    ),
    item(
        'C',
        "Definitions 1 and 2",
        "partitions and generalizations",
        Held(
            "core/src/certify/partition.rs",
            &["core/tests/against_oracles.rs: the_certifier_agrees_with_plain_rows"],
        ),
    ),
    item(
        'C',
        "Definition 3",
        "what the adversary knows",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &["core/tests/perturbation.rs: risks_are_those_of_bayes_rule"],
        ),
    ),
    item(
        'C',
        "Definition 4",
        "private neighborhoods, one for each row",
        Not(
            "one neighborhood for all rows, absolute or relative; a neighborhood for each row has no place in a policy yet",
        ),
    ),
    item(
        'C',
        "Definition 5",
        "risk of a proximity breach",
        Held(
            "core/src/principle/proximity.rs",
            &[
                "core/tests/readings.rs: c1_a_single_row_is_at_full_risk",
                "core/tests/numeric_principles.rs: proximity_agrees_with_the_definition",
            ],
        ),
    ),
    item(
        'C',
        "Definitions 6 and 7",
        "absolute (epsilon, m)-anonymity",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &[
                "core/src/principle/proximity.rs: the_running_example_of_the_text",
                "core/tests/readings.rs: c9_boundaries_of_m",
            ],
        ),
    ),
    item(
        'C',
        "Definition 8",
        "the relative one",
        Held(
            "core/src/principle/proximity.rs",
            &[
                "core/tests/readings.rs: c5_a_relative_neighborhood_of_negative_numbers",
                "core/src/principle/proximity.rs: closed_ends_are_kept_where_logarithms_lose_them",
            ],
        ),
    ),
    item(
        'C',
        "Definition 9",
        "(e1, e2, m)-anonymity",
        Held(
            "core/src/principle/e1_e2_m_anonymity.rs",
            &["core/tests/numeric_principles.rs: proximity_agrees_with_the_definition"],
        ),
    ),
    item(
        'C',
        "Lemma 1",
        "the risk is at most 1/m",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_agrees_with_the_definition"],
        ),
    ),
    item(
        'C',
        "Definitions 10 and 11, Figure 1",
        "covering sets, maxsize, find-maxsize",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: generalizable_against_all_partitions"],
        ),
    ),
    item(
        'C',
        "Lemmas 2 and 3",
        "maxsize of unions, and the larger of e1 and e2",
        Held(
            "core/src/feasibility/proximity.rs",
            &["core/tests/numeric_principles.rs: generalizable_against_all_partitions"],
        ),
    ),
    item(
        'C',
        "Theorem 1",
        "the largest m",
        Held(
            "core/src/feasibility/proximity.rs",
            &[
                "core/tests/feasibility.rs: no_partition_does_better",
                "core/tests/numeric_principles.rs: partitions_of_larger_classes_prove_themselves",
            ],
        ),
    ),
    item(
        'C',
        "Theorem 2, Figure 2",
        "the supremum of epsilon, find-e-max",
        Held(
            "core/src/feasibility/proximity.rs",
            &[
                "core/tests/numeric_principles.rs: the_supremum_of_epsilon_agrees_with_all_partitions",
                "core/tests/readings.rs: c3_c4_the_running_example",
            ],
        ),
    ),
    item(
        'C',
        "Section 5.1",
        "split and partition",
        Held(
            "search/src/multidimensional/textbook.rs",
            &[
                "search/tests/multidimensional.rs: numeric_principles_are_reached_where_the_theorems_say",
            ],
        ),
    ),
    item(
        'C',
        "Lemma 4",
        "it is not monotone",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &["core/tests/merging.rs: merging_may_break_proximity"],
        ),
    ),
    item(
        'C',
        "Definition 12, Lemma 5",
        "predictability",
        Held(
            "core/src/principle/mod.rs",
            &[
                "core/tests/readings.rs: c8_what_is_not_generalizable_is_infeasible_at_once",
                "core/tests/feasibility.rs: what_is_ruled_out_has_no_partition",
            ],
        ),
    ),
    item(
        'C',
        "Figure 3",
        "anonymity-check",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_agrees_with_the_definition"],
        ),
    ),
    item(
        'C',
        "Section 6, Equation 3",
        "perturbation, and its largest p",
        Held(
            "core/src/recoding/perturbation/mod.rs",
            &[
                "core/src/recoding/perturbation/breach.rs: the_example_of_the_text",
                "core/tests/perturbation.rs: the_largest_p_is_the_largest",
            ],
        ),
    ),
    item(
        'C',
        "Table 1",
        "microdata, a generalization, a perturbation",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &["core/src/recoding/perturbation/breach.rs: the_example_of_the_text"],
        ),
    ),
    item(
        'C',
        "Section 7 (minimality)",
        "that minimality does not undo split and partition",
        Not("the attack `minimality` tries full-domain recodings only"),
    ),
    item(
        'C',
        "Figure 4",
        "the largest m of perturbation and of generalization",
        Held(
            "experiments/src/epsilon_m/limits.rs",
            &[
                "experiments/src/epsilon_m/limits.rs: perturbation_ends_where_a_fifth_of_the_rows_is_near_one_income",
            ],
        ),
    ),
    item(
        'C',
        "Figures 5 and 6",
        "errors of count queries",
        Held(
            "experiments/src/epsilon_m/errors.rs",
            &["experiments/src/tests.rs: query_errors_are_small_where_nothing_is_hidden"],
        ),
    ),
    item(
        'C',
        "Figure 7",
        "computation times",
        Held(
            "experiments/src/epsilon_m/time.rs",
            &["experiments/src/tests.rs: names_are_unique_and_all_are_those_that_are_there"],
        ),
    ),
    item(
        'D',
        "Definition 2.1",
        "l-diversity: at least l, not the largest l",
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
        "what the central agency broadcasts",
        Held(
            "linkage/src/planned/plan.rs",
            &[
                "indistinct/tests/planned/releases.rs: two_hospitals_that_follow_one_plan_leave_l_sensitive_values_for_everybody",
            ],
        ),
    ),
    item(
        'D',
        "Lemmas 4.2 and 4.3, Remark 1",
        "the sample size, and how many classes there are",
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
        "one release is (l, delta)-diverse",
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
                "indistinct/tests/planned/making.rs: no_other_p_gives_as_many_classes_with_fewer_rows",
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
        "one record is given",
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
        "greedy contiguous generalization, and that it is best",
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
        "an error carried forward",
        Held(
            "linkage/src/planned/wrong_distribution.rs",
            &["linkage/tests/monte_carlo.rs: a_wrong_distribution_costs_no_more_than_stated"],
        ),
    ),
    item(
        'D',
        "Section 6 (other principles)",
        "k-anonymity and entropy l-diversity by a plan",
        Held(
            "linkage/src/planned/people.rs",
            &[
                "linkage/tests/monte_carlo.rs: k_anonymity_of_one_release_and_of_linked_ones",
                "linkage/tests/monte_carlo.rs: entropy_l_diversity_of_one_release_and_of_linked_ones",
            ],
        ),
    ),
    item(
        'D',
        "Section 6 (conjectures)",
        "correlated samples; (l, delta) without an agency",
        Not(
            "the text leaves them open; so do we, and a plan says that it rests on independent rows",
        ),
    ),
    item(
        'D',
        "Tables 1 and 2",
        "two hospitals and a patient in both",
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
    item(
        'E',
        "Definition 1",
        "simple and (c, l)-diversity",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &["core/tests/categorical_principles.rs: pd_and_npd_recursive_agree_with_elimination"],
        ),
    ),
    item(
        'E',
        "eligible range",
        "which parameters a table can reach",
        Held(
            "core/src/feasibility/mod.rs",
            &[
                "core/tests/feasibility.rs: no_partition_does_better",
                "indistinct/tests/advise.rs: what_is_proved_is_found_and_what_is_beyond_reach_is_not",
                "indistinct/tests/advise.rs: what_a_sweep_can_reach_counts_for_a_sweep",
            ],
        ),
    ),
    item(
        'E',
        "Definitions 2 and 3, Examples 1 and 2",
        "induced and cumulative frequency",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &[
                "core/tests/readings.rs: e6_sums_of_shares_are_exact",
                "core/tests/categorical_principles.rs: tau_l_agrees_with_the_definition",
            ],
        ),
    ),
    item(
        'E',
        "Definition 4, Example 3",
        "functional (tau, l)-diversity, psi linear",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &[
                "core/tests/readings.rs: e5_psi_at_its_ends",
                "core/tests/categorical_principles.rs: tau_l_agrees_with_the_definition",
            ],
        ),
    ),
    item(
        'E',
        "other psi",
        "functions that are not linear",
        Not("the text names none; the linear one is what it uses throughout"),
    ),
    item(
        'E',
        "Theorem 1",
        "at least l values, and none above tau",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &["core/tests/categorical_principles.rs: tau_l_agrees_with_the_definition"],
        ),
    ),
    item(
        'E',
        "Definition 5, Example 4",
        "utility",
        Held(
            "measure/src/tau_l.rs",
            &[
                "measure/tests/tau_l.rs: what_is_retained_is_one_over_what_is_covered",
                "measure/tests/tau_l.rs: generalized_sensitive_values_retain_less",
            ],
        ),
    ),
    item(
        'E',
        "Definition 6, Theorem 2, Figure 3, Examples 5 and 6",
        "the order of quasi-identifier values",
        Held("search/src/sweep/order.rs", &["search/src/sweep/order.rs: the_lattice_of_the_text"]),
    ),
    item(
        'E',
        "Definition 7, Example 7, Figure 4, Theorem 3",
        "the sequential sweep",
        Held(
            "search/src/sweep/engine.rs",
            &[
                "search/tests/sweep.rs: what_is_found_holds",
                "search/tests/sweep.rs: the_loop_of_the_text_ends",
                "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
            ],
        ),
    ),
    item(
        'E',
        "Definition 8",
        "excessive protection",
        Held(
            "measure/src/tau_l.rs",
            &["measure/tests/tau_l.rs: excess_is_the_distance_from_what_was_asked_for"],
        ),
    ),
    item(
        'E',
        "Figures 1 and 2",
        "tables of l-diverse and (0.5, 3)-diverse classes",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &["core/tests/readings.rs: e3_a_table_that_holds_does_not_protect_its_parts"],
        ),
    ),
    item(
        'E',
        "Figures 5 to 8",
        "excess, utility, accuracy and time of three methods",
        Held(
            "experiments/src/tau_l/figures.rs",
            &["experiments/src/tests.rs: the_sweep_serves_all_requirements"],
        ),
    ),
];

/// A kind of sentence that the program says about a guarantee, where it is made, and what holds it.
pub struct Sentence {
    /// What is said.
    pub says: &'static str,
    /// The file of `crates/` that makes it.
    pub made_in: &'static str,
    /// `file: test`.
    pub tests: &'static [&'static str],
}

const fn says(
    says: &'static str,
    made_in: &'static str,
    tests: &'static [&'static str],
) -> Sentence {
    Sentence { says, made_in, tests }
}

/// All of them.
pub const SENTENCES: &[Sentence] = &[
    says(
        "a principle holds; required and reached",
        "release/src/words/principle.rs",
        &[
            "core/tests/against_oracles.rs: the_certifier_agrees_with_plain_rows",
            "indistinct/tests/verify_finds.rs: an_untouched_release_verifies_and_claims_what_the_oracles_see",
        ],
    ),
    says(
        "every statement of a certificate, with its figures",
        "release/src/statements.rs",
        &[
            "indistinct/tests/methods.rs: no_sentence_or_figure_of_a_statement_can_be_changed",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_statements_are_found",
        ],
    ),
    says(
        "\"N pairs of classes cover some of the same\"",
        "release/src/statements.rs",
        &[
            "core/tests/classes.rs: f2_overlapping_classes_are_counted",
            "indistinct/tests/methods.rs: no_sentence_or_figure_of_a_statement_can_be_changed",
        ],
    ),
    says(
        "\"the risk is at most 1/m\" of a perturbation, by each principle",
        "release/src/forms/noisy.rs",
        &[
            "core/tests/perturbation.rs: risks_are_those_of_bayes_rule",
            "indistinct/tests/perturbation.rs: several_principles_state_a_risk_each_and_each_is_warned_of",
        ],
    ),
    says(
        "\"except with probability delta\", \"t releases\", \"for one person\" of a plan",
        "release/src/forms/planned.rs",
        &[
            "linkage/tests/against_brute_force.rs: every_basis_holds",
            "linkage/tests/readings.rs: a_given_person_costs_what_is_stated_on_every_basis",
            "indistinct/tests/planned/releases.rs: lies_about_the_plan_are_found",
        ],
    ),
    says(
        "\"if the distribution is wrong, but the probability of no event by more than eta\"",
        "linkage/src/planned/wrong_distribution.rs",
        &["linkage/tests/monte_carlo.rs: a_wrong_distribution_costs_no_more_than_stated"],
    ),
    says(
        "\"no other recoding has a lower loss\"; how much lower a stopped search could get",
        "search/src/full_domain/search.rs",
        &[
            "search/tests/against_exhaustive_search.rs: the_search_finds_what_exhaustive_search_finds",
            "search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much",
        ],
    ),
    says(
        "\"no recoding satisfies the policy\"",
        "search/src/multidimensional/candidates.rs",
        &[
            "search/tests/multidimensional/particular.rs: what_is_said_to_be_proved_is_never_wrong",
            "search/tests/curve.rs: it_is_infeasible_only_where_no_partition_holds",
            "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
        ],
    ),
    says(
        "\"cannot be met\", \"proved\", \"bound\" of `advise`; what no recoding reaches",
        "report/src/advice/in_words.rs",
        &[
            "indistinct/tests/advise.rs: what_is_proved_is_found_and_what_is_beyond_reach_is_not",
            "indistinct/tests/advise.rs: infeasibility_names_the_bounds_of_the_table",
            "core/tests/feasibility.rs: what_is_ruled_out_has_no_partition",
        ],
    ),
    says(
        "\"the policy can be met: with probability p\" of `advise`",
        "report/src/advice/in_words.rs",
        &[
            "indistinct/tests/advise.rs: what_noise_can_reach_counts_for_a_perturbation",
            "core/tests/perturbation.rs: the_largest_p_is_the_largest",
        ],
    ),
    says(
        "\"at least l remain\" after linkage",
        "linkage/src/post_linkage/mod.rs",
        &[
            "linkage/tests/against_brute_force.rs: linkage_is_that_of_every_person",
            "linkage/tests/common_domains.rs: with_labels_alone_it_is_never_safer",
        ],
    ),
    says(
        "\"so as in every earlier version\" of a growing table",
        "core/src/principle/m_invariance.rs",
        &[
            "search/tests/invariant.rs: every_history_is_m_invariant",
            "core/tests/m_invariance.rs: across_versions_says_what_the_definition_says",
        ],
    ),
    says(
        "\"every way to match the rows of a class is as likely\"",
        "search/src/anatomy/buckets.rs",
        &["search/tests/anatomy.rs: every_matching_is_as_likely"],
    ),
    says(
        "what implications can make somebody believe",
        "attack/src/implications.rs",
        &[
            "attack/tests/implications.rs: the_worst_implications_are_found",
            "attack/tests/implications.rs: implications_reach_over_classes",
        ],
    ),
];
