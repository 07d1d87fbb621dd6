//! Functional (tau, l)-diversity.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'E',
        "Definition 1",
        "simple and (c, l)-diversity",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &[
                "core/tests/against_oracles.rs: principles_match_oracles_on_one_class",
                "core/tests/readings.rs: e12_printed_fractions_of_missing_figures",
            ],
        ),
    ),
    item(
        'E',
        "eligible range",
        "the feasible parameters of a table",
        Held(
            "core/src/feasibility/mod.rs",
            &[
                "core/tests/feasibility.rs: assignment_proof_requires_class_column",
                "core/tests/feasibility.rs: no_partition_exceeds_reachable_bound",
                "indistinct/tests/advise.rs: \
                 advice_verdict_matches_search",
                "indistinct/tests/advise.rs: advice_for_sweep_includes_generalized_values",
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
                "core/tests/readings.rs: e6_sums_of_fractions_are_exact",
                "core/tests/categorical_principles.rs: tau_l_matches_definition",
            ],
        ),
    ),
    item(
        'E',
        "Definition 4, Example 3",
        "functional (tau, l)-diversity with linear psi",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &[
                "core/tests/readings.rs: e5_psi_boundary_cases",
                "core/tests/categorical_principles.rs: tau_l_matches_definition",
            ],
        ),
    ),
    item(
        'E',
        "Definition 4 (other psi)",
        "psi that grows with the square of (k - 1) / (l - 1), or inversely; a policy does not \
         support other functions",
        Held(
            "core/src/principle/induced.rs",
            &[
                "core/tests/readings.rs: e5_psi_boundary_cases",
                "core/tests/categorical_principles.rs: tau_l_matches_definition",
                "core/tests/merging.rs: merging_keeps",
                "search/tests/sweep.rs: sweep_feasibility_matches_brute_force",
            ],
        ),
    ),
    item(
        'E',
        "weights p'(v)",
        "the weights of values in the order of classes, by occurrence, domain, or rows \
         (`level_weights`); weights for single values are not supported",
        Held(
            "search/src/sweep/rows.rs",
            &[
                "search/tests/sweep.rs: level_weights_follow_their_definition",
                "search/src/sweep/rows.rs: weights_determine_retained_information",
            ],
        ),
    ),
    item(
        'E',
        "weights p(a)",
        "weights of base values: by occurrence, by domain, or as specified in the policy",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &[
                "core/tests/categorical_principles.rs: tau_l_matches_definition",
                "core/tests/bad_input.rs: weights_must_cover_base_values_of_rows",
            ],
        ),
    ),
    item(
        'E',
        "Section IV-C (weakest measures)",
        "the weakest simple diversity and (c, l)-diversity that imply (tau, l)-diversity, which \
         `advise` states",
        Held(
            "core/src/feasibility/generalized_sensitive.rs",
            &[
                "core/tests/feasibility.rs: simple_guarantees_imply_tau_l_diversity",
                "experiments/src/tau_l/guarantees.rs: \
                 implied_principles_are_guaranteed_and_tight",
            ],
        ),
    ),
    item(
        'E',
        "Theorem 1",
        "the bound psi(k) for the belief in any k base values",
        Held(
            "core/src/principle/induced.rs",
            &["core/tests/generalized_sensitive_values.rs: \
               belief_in_any_k_base_values_is_at_most_psi"],
        ),
    ),
    item(
        'E',
        "Definition 5, Example 4",
        "utility",
        Held(
            "measure/src/tau_l.rs",
            &[
                "core/tests/readings.rs: e12_printed_fractions_of_missing_figures",
                "measure/tests/tau_l.rs: retained_information_is_inverse_of_coverage",
                "measure/tests/tau_l.rs: generalized_sensitive_values_retain_less_information",
            ],
        ),
    ),
    item(
        'E',
        "Definition 6, Theorem 2, Figure 3, Examples 5 and 6",
        "the order of quasi-identifier values",
        Held(
            "search/src/sweep/rows.rs",
            &[
                "testkit/tests/conformance.rs: all_test_vectors_agree",
                "search/src/sweep/rows.rs: level_vectors_match_paper_example_5",
            ],
        ),
    ),
    item(
        'E',
        "Definition 7, Example 7, Figure 4",
        "the sequential sweep",
        Held(
            "search/src/sweep/engine.rs",
            &[
                "testkit/tests/conformance.rs: all_test_vectors_agree",
                "search/tests/sweep.rs: sweep_results_satisfy_policy",
                "search/tests/sweep.rs: published_sweep_loop_terminates",
                "search/tests/sweep.rs: sweep_feasibility_matches_brute_force",
            ],
        ),
    ),
    item(
        'E',
        "Theorem 3",
        "the running time of the sequential sweep",
        Not("the sweep is implemented, but tests are not timed; `bench/growth.py` measures the \
             time for different numbers of rows"),
    ),
    item(
        'E',
        "Definition 8",
        "excessive protection",
        Held(
            "measure/src/tau_l.rs",
            &["measure/tests/tau_l.rs: excess_is_distance_from_required_level"],
        ),
    ),
    item(
        'E',
        "Figures 1 and 2",
        "tables of l-diverse and (0.5, 3)-diverse classes",
        Held(
            "core/src/principle/tau_l_diversity.rs",
            &["core/tests/readings.rs: e12_printed_fractions_of_missing_figures"],
        ),
    ),
    item(
        'E',
        "Figures 5 to 8",
        "excess, utility, accuracy, and time for three methods",
        Held(
            "experiments/src/tau_l/figures.rs",
            &[
                "experiments/src/tau_l/figures.rs: sweep_is_compared_with_the_better_of_both",
                "experiments/src/tests.rs: sweep_experiments_cover_all_requirements",
            ],
        ),
    ),
];
