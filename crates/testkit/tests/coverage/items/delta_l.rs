//! (delta, l)-diversity.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'A',
        "Definition 1",
        "frequency l-diversity",
        Held(
            "core/src/principle/frequency_l_diversity.rs",
            &[
                "core/tests/worked_examples.rs: frequency_thresholds_are_exact",
                "core/tests/against_oracles.rs: principles_match_oracles_on_one_class",
            ],
        ),
    ),
    item(
        'A',
        "Definition 2",
        "(epsilon, m)-anonymity, and the value of m for a class",
        Held(
            "core/src/principle/epsilon_m_anonymity.rs",
            &["core/tests/numeric_principles.rs: proximity_matches_definition"],
        ),
    ),
    item(
        'A',
        "Definitions 3 and 4",
        "delta-intervals and delta-similar values",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &["core/tests/readings.rs: a7_touching_intervals_overlap"],
        ),
    ),
    item(
        'A',
        "Definition 5",
        "(delta, l)-diversity",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &["core/tests/numeric_principles.rs: delta_l_matches_both_readings"],
        ),
    ),
    item(
        'A',
        "Definition 5 (perturbation)",
        "perturbation of sensitive values, with the bound of (2 delta, l)-anonymity, which is \
         equivalent to (delta, l)-diversity (reading A-1)",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &[
                "core/tests/perturbation.rs: largest_p_is_maximal",
                "indistinct/tests/perturbation.rs: delta_l_diversity_uses_equivalent_epsilon_m_noise",
            ],
        ),
    ),
    item(
        'A',
        "Figure 1, Example 1",
        "a 3-diverse table with similar salaries",
        Not("the example motivates the paper; `attack` finds such classes in any release \
             (`proximity`)"),
    ),
    item(
        'A',
        "Figure 2, Examples 2 and 3",
        "{40, 60} and {40, 50, 60}",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &[
                "core/tests/readings.rs: a5_intermediate_value_lowers_delta_l",
                "core/tests/readings.rs: \
                 a2_algorithm_and_definition_differ",
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
                "core/tests/numeric_principles.rs: delta_l_matches_both_readings",
            ],
        ),
    ),
    item(
        'A',
        "monotonicity (claimed)",
        "the incorrect claim that merging preserves (delta, l)-diversity",
        Held(
            "core/src/principle/delta_l_diversity.rs",
            &[
                "core/tests/readings.rs: a1_merging_may_break_the_definition",
                "core/tests/merging.rs: merging_may_break_proximity",
            ],
        ),
    ),
    item(
        'A',
        "Sections 3 to 5 (claims)",
        "merging, the algorithm, and the advantage over (epsilon, m)-anonymity, measured on random \
         classes; the paper contains no measurements",
        Held(
            "experiments/src/delta_l/mod.rs",
            &[
                "experiments/src/delta_l/mod.rs: counterexamples_of_readings",
                "experiments/src/tests.rs: experiments_beyond_papers_run",
            ],
        ),
    ),
];
