//! (epsilon, m)-anonymity.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'C',
        "Definitions 1 and 2",
        "partitions and generalizations",
        Held(
            "core/src/certify/partition.rs",
            &["core/tests/against_oracles.rs: certifier_matches_plain_rows"],
        ),
    ),
    item(
        'C',
        "Definition 3",
        "the background knowledge of the adversary",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &["core/tests/perturbation.rs: perturbation_risks_match_bayes_rule"],
        ),
    ),
    item(
        'C',
        "Definition 4",
        "private neighborhoods, one for each sensitive value; rows with the same value share a \
         neighborhood, because no release distinguishes them further",
        Held(
            "core/src/principle/neighborhoods_m_anonymity.rs",
            &[
                "core/tests/numeric_principles.rs: proximity_matches_definition",
                "core/tests/numeric_principles.rs: neighborhoods_may_be_asymmetric",
                "core/tests/numeric_principles.rs: \
                 own_neighborhoods_may_be_undecided",
                "core/tests/perturbation.rs: perturbation_risks_match_bayes_rule",
            ],
        ),
    ),
    item(
        'C',
        "Definition 5",
        "risk of a proximity breach",
        Held(
            "core/src/principle/proximity.rs",
            &[
                "core/tests/readings.rs: c1_single_row_has_risk_one",
                "core/tests/numeric_principles.rs: proximity_matches_definition",
            ],
        ),
    ),
    item(
        'C',
        "Definitions 6 and 7",
        "absolute and relative neighborhoods, and (epsilon, m)-anonymity",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &[
                "core/tests/numeric_principles.rs: proximity_matches_definition",
                "core/tests/readings.rs: c5_relative_neighborhood_of_negative_numbers",
                "core/tests/readings.rs: c9_boundaries_of_m",
            ],
        ),
    ),
    item(
        'C',
        "Definition 8",
        "(e1, e2)-neighborhoods",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_matches_definition"],
        ),
    ),
    item(
        'C',
        "Definition 9",
        "(e1, e2, m)-anonymity",
        Held(
            "core/src/principle/e1_e2_m_anonymity.rs",
            &["core/tests/numeric_principles.rs: proximity_matches_definition"],
        ),
    ),
    item(
        'C',
        "Lemma 1",
        "the bound 1/m for relative neighborhoods, which are compared without logarithms (reading \
         C-6)",
        Held(
            "core/src/principle/proximity.rs",
            &[
                "core/tests/readings.rs: c6_logarithms_miss_closed_endpoints",
                "core/src/principle/proximity.rs: closed_endpoints_are_included_exactly",
                "core/tests/numeric_principles.rs: proximity_matches_definition",
            ],
        ),
    ),
    item(
        'C',
        "Definitions 10 and 11, Figure 1",
        "covering sets, maxsize, find-maxsize",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_generalizability_matches_enumeration"],
        ),
    ),
    item(
        'C',
        "Lemmas 2 and 3",
        "maxsize of unions, and the maximum of e1 and e2",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_generalizability_matches_enumeration"],
        ),
    ),
    item(
        'C',
        "Theorem 1",
        "the largest m",
        Held(
            "core/src/feasibility/proximity.rs",
            &[
                "core/tests/readings.rs: c2_neighborhood_has_length_two_epsilon",
                "core/tests/feasibility.rs: no_partition_exceeds_reachable_bound",
                "core/tests/numeric_principles.rs: partitions_of_larger_classes_are_valid",
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
                "core/tests/numeric_principles.rs: \
                 epsilon_supremum_matches_partition_enumeration",
                "core/tests/readings.rs: c3_c4_running_example_is_corrected",
            ],
        ),
    ),
    item(
        'C',
        "Section 4.4",
        "the choice of epsilon and m for a table, which `advise` supports",
        Held(
            "advice/src/numbers.rs",
            &[
                "indistinct/tests/advise.rs: epsilon_m_running_example",
                "indistinct/tests/advise.rs: class_column_enables_feasibility_theorems",
                "indistinct/tests/advise.rs: relative_neighborhoods_require_positive_numbers",
            ],
        ),
    ),
    item(
        'C',
        "Section 3.1 ((c, k)-safety)",
        "a limit on the belief of an adversary who knows k implications between people",
        Held(
            "core/src/principle/c_k_safety.rs",
            &[
                "core/tests/c_k_safety.rs: safety_matches_enumeration_of_guesses",
                "core/tests/c_k_safety.rs: worst_implications_span_several_classes",
                "core/tests/c_k_safety.rs: classes_that_hold_separately_hold_together",
                "core/tests/c_k_safety.rs: merging_keeps_safety_of_release",
                "attack/tests/implications.rs: worst_implications_match_enumeration",
            ],
        ),
    ),
    item(
        'C',
        "Section 3.1 (skyline privacy)",
        "privacy against several kinds of knowledge, each with its own limit",
        Not("the paper names no other type of knowledge than implications; (c, l + k + m)-safety \
             bounds an adversary who excludes l values of a person, knows the exact values of k \
             other people, and knows m rules about further people (reading G-5)"),
    ),
    item(
        'C',
        "Section 3.1 (breaches)",
        "measurement of proximity breaches under other principles",
        Held(
            "experiments/src/epsilon_m/breaches.rs",
            &["experiments/src/tests.rs: experiments_beyond_papers_run"],
        ),
    ),
    item(
        'C',
        "Section 5.2",
        "split and partition",
        Held(
            "search/src/multidimensional/textbook.rs",
            &[
                "testkit/tests/conformance.rs: all_test_vectors_agree",
                "search/tests/multidimensional.rs: \
                 numeric_principles_are_reached_as_theorems_state",
            ],
        ),
    ),
    item(
        'C',
        "Lemma 4",
        "the lack of monotonicity",
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
                "core/tests/readings.rs: c8_non_generalizable_table_is_infeasible",
                "core/tests/feasibility.rs: excluded_class_has_no_valid_partition",
            ],
        ),
    ),
    item(
        'C',
        "Figure 3",
        "anonymity-check",
        Held(
            "core/src/principle/proximity.rs",
            &["core/tests/numeric_principles.rs: proximity_matches_definition"],
        ),
    ),
    item(
        'C',
        "Section 3.2, Equation 3",
        "perturbation, and its largest retention probability p",
        Held(
            "core/src/recoding/perturbation/mod.rs",
            &[
                "core/tests/perturbation.rs: largest_p_is_maximal",
                "core/src/recoding/perturbation/breach.rs: published_example_is_reproduced",
            ],
        ),
    ),
    item(
        'C',
        "Table 1",
        "microdata with a generalization in which one group has a proximity breach",
        Held(
            "core/src/certify/claims.rs",
            &[
                "core/tests/numeric_principles.rs: table_1_has_a_breach_in_its_first_group",
                "core/src/principle/proximity.rs: running_example_is_reproduced",
            ],
        ),
    ),
    item(
        'C',
        "Section 7 (minimality)",
        "the disclosure caused by the method itself; the test repeats the method for all \
         assignments of the sensitive values in each class to its rows",
        Held(
            "attack/src/worlds.rs",
            &[
                "attack/tests/against_oracles.rs: worlds_match_row_order_enumeration",
                "attack/tests/worked_examples.rs: rerunning_the_method_discloses_both_values",
                "indistinct/tests/attacks.rs: method_attack_matches_world_enumeration",
            ],
        ),
    ),
    item(
        'C',
        "Section 6 (loss)",
        "the sum of covered values divided by the size of the domain, available as `loss` with \
         weights",
        Held(
            "core/src/loss/covered_share.rs",
            &["core/tests/losses.rs: epsilon_m_loss_equals_weighted_loss"],
        ),
    ),
    item(
        'C',
        "Figure 4",
        "errors in count queries for perturbation and for generalization, and the largest epsilon \
         for perturbation",
        Held(
            "experiments/src/epsilon_m/errors.rs",
            &[
                "experiments/src/epsilon_m/tests.rs: \
                 figure_4_compares_generalization_with_perturbation",
                "experiments/src/epsilon_m/limits.rs: \
                 perturbation_limit_is_one_fifth_near_value",
            ],
        ),
    ),
    item(
        'C',
        "Figures 5 and 6",
        "errors in count queries",
        Held(
            "experiments/src/epsilon_m/errors.rs",
            &["experiments/src/epsilon_m/tests.rs: figures_5_and_6_show_errors_by_m_and_volume"],
        ),
    ),
    item(
        'C',
        "Figure 7",
        "computation times",
        Held(
            "experiments/src/epsilon_m/time.rs",
            &[
                "experiments/src/epsilon_m/time.rs: times_are_plotted_in_seconds",
                "experiments/src/epsilon_m/time.rs: cost_must_rise_and_fall_by_a_tenth",
            ],
        ),
    ),
    item(
        'C',
        "Section 8 (several attributes)",
        "a requirement for each of several numeric sensitive attributes",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &["core/tests/numeric_principles.rs: each_numeric_attribute_has_its_own_requirement"],
        ),
    ),
    item(
        'C',
        "Section 8 (several releases)",
        "(epsilon, m)-anonymity of several versions of a growing table",
        Not("the paper leaves this question open. `link` states the values that remain possible \
             after several releases and the width of their range, and m-invariance limits growing \
             tables, but neither bounds the risk of a proximity breach."),
    ),
];
