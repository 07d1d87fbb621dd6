//! (epsilon, m)-anonymity.

use super::State::Held;
use super::{Item, item};

pub const ITEMS: &[Item] = &[
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
        "the background knowledge of the adversary",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &["core/tests/perturbation.rs: risks_are_those_of_bayes_rule"],
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
                "core/tests/numeric_principles.rs: proximity_agrees_with_the_definition",
                "core/tests/numeric_principles.rs: \
                 own_neighborhoods_leave_room_between_what_is_ruled_out_and_what_is_dealt",
                "core/tests/perturbation.rs: risks_are_those_of_bayes_rule",
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
        "relative (epsilon, m)-anonymity",
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
        "the bound 1/m for the risk",
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
        "maxsize of unions, and the maximum of e1 and e2",
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
                "core/tests/numeric_principles.rs: \
                 the_supremum_of_epsilon_agrees_with_all_partitions",
                "core/tests/readings.rs: c3_c4_the_running_example",
            ],
        ),
    ),
    item(
        'C',
        "Section 3.1",
        "measurement of proximity breaches under other principles",
        Held(
            "experiments/src/epsilon_m/breaches.rs",
            &["experiments/src/tests.rs: experiments_beyond_papers_run"],
        ),
    ),
    item(
        'C',
        "Section 5.1",
        "split and partition",
        Held(
            "search/src/multidimensional/textbook.rs",
            &["search/tests/multidimensional.rs: \
               numeric_principles_are_reached_as_theorems_state"],
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
        "perturbation, and its largest retention probability p",
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
        "microdata with a generalization and a perturbation",
        Held(
            "core/src/recoding/perturbation/breach.rs",
            &["core/src/recoding/perturbation/breach.rs: the_example_of_the_text"],
        ),
    ),
    item(
        'C',
        "Section 7 (minimality)",
        "the disclosure by the method itself: it is repeated for all assignments of the sensitive \
         values of its classes to their rows",
        Held(
            "attack/src/worlds.rs",
            &[
                "attack/tests/against_oracles.rs: worlds_are_those_of_all_orders_of_the_rows",
                "attack/tests/worked_examples.rs: who_runs_the_method_knows_that_both_have_it",
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
            &["core/tests/losses.rs: the_loss_of_the_epsilon_m_text_is_loss_with_weights"],
        ),
    ),
    item(
        'C',
        "Figure 4",
        "the largest m of perturbation and of generalization",
        Held(
            "experiments/src/epsilon_m/limits.rs",
            &["experiments/src/epsilon_m/limits.rs: \
               perturbation_limit_is_one_fifth_near_value"],
        ),
    ),
    item(
        'C',
        "Figures 5 and 6",
        "errors of count queries",
        Held(
            "experiments/src/epsilon_m/errors.rs",
            &["experiments/src/tests.rs: query_error_experiments_run_on_synthetic_table"],
        ),
    ),
    item(
        'C',
        "Figure 7",
        "computation times",
        Held(
            "experiments/src/epsilon_m/time.rs",
            &["experiments/src/tests.rs: experiment_names_are_unique_and_complete"],
        ),
    ),
];
