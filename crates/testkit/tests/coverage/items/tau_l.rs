//! Functional (tau, l)-diversity.

use super::State::Held;
use super::{Item, item};

pub const ITEMS: &[Item] = &[
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
        "the feasible parameters of a table",
        Held(
            "core/src/feasibility/mod.rs",
            &[
                "core/tests/feasibility.rs: no_partition_does_better",
                "indistinct/tests/advise.rs: \
                 what_is_proved_is_found_and_what_is_beyond_reach_is_not",
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
        "functional (tau, l)-diversity with linear psi",
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
        "Definition 4 (other psi)",
        "psi that grows with the square of (k - 1) / (l - 1), or inversely; a policy does not \
         support other functions",
        Held(
            "core/src/principle/induced.rs",
            &[
                "core/tests/readings.rs: e5_psi_at_its_ends",
                "core/tests/categorical_principles.rs: tau_l_agrees_with_the_definition",
                "core/tests/merging.rs: merging_keeps",
                "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
            ],
        ),
    ),
    item(
        'E',
        "weights p'(v)",
        "the weights of values in the order of classes, by occurrence, domain, or rows \
         (`level_weights`); weights of single values are not supported",
        Held(
            "search/src/sweep/order.rs",
            &[
                "search/src/sweep/order.rs: the_weights_decide_what_a_level_retains",
                "search/src/sweep/order.rs: the_lattice_of_the_text",
                "search/tests/sweep.rs: level_weights_count_what_they_say",
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
                "core/tests/categorical_principles.rs: tau_l_agrees_with_the_definition",
                "core/tests/bad_input.rs: weights_must_be_for_base_values_and_leave_none_without",
            ],
        ),
    ),
    item(
        'E',
        "Section IV-C (weakest measures)",
        "the weakest simple diversity and (c, l)-diversity that imply (tau, l)-diversity, which \
         `advise` states",
        Held(
            "core/src/feasibility/guarantees.rs",
            &[
                "core/tests/feasibility.rs: what_guarantees_a_tau_l_diversity_does",
                "experiments/src/tau_l/guarantees.rs: \
                 what_is_implied_is_guaranteed_and_nothing_weaker_is",
            ],
        ),
    ),
    item(
        'E',
        "Theorem 1",
        "at least l values, none with a share above tau",
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
        "excess, utility, accuracy, and time of three methods",
        Held(
            "experiments/src/tau_l/figures.rs",
            &["experiments/src/tests.rs: the_sweep_serves_all_requirements"],
        ),
    ),
];
