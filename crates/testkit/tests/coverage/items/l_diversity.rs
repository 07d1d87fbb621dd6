//! l-diversity.

use super::State::{Held, Not};
use super::{Item, item};

pub const ITEMS: &[Item] = &[
    item(
        'B',
        "Definition 2.1",
        "quasi-identifier",
        Held(
            "attack/src/linkage.rs",
            &[
                "attack/tests/worked_examples.rs: linkage_attack_with_population_register",
                "core/tests/worked_examples.rs: figure_1_has_only_unique_rows",
            ],
        ),
    ),
    item(
        'B',
        "Definition 2.2",
        "k-anonymity",
        Held(
            "core/src/principle/k_anonymity.rs",
            &[
                "core/src/principle/k_anonymity.rs: class_size_determines_result",
                "core/tests/worked_examples.rs: \
                 figure_2_is_4_anonymous_with_homogeneous_class",
            ],
        ),
    ),
    item(
        'B',
        "Definition 2.3",
        "domain generalization",
        Held(
            "core/src/hierarchy/mod.rs",
            &[
                "core/tests/bad_input.rs: levels_must_be_nested",
                "core/src/hierarchy/tests.rs: hierarchies_are_nested_with_consistent_counts",
            ],
        ),
    ),
    item(
        'B',
        "Observation 1",
        "homogeneity attack",
        Held(
            "attack/src/homogeneity.rs",
            &["attack/tests/worked_examples.rs: homogeneous_class_discloses_sensitive_value"],
        ),
    ),
    item(
        'B',
        "Observation 2",
        "attack with background knowledge",
        Held(
            "attack/src/background.rs",
            &["attack/tests/worked_examples.rs: one_statement_discloses_sensitive_value"],
        ),
    ),
    item(
        'B',
        "Theorem 3.1, Figure 3",
        "the belief of a Bayes-optimal adversary",
        Held(
            "core/src/belief.rs",
            &[
                "core/tests/beliefs.rs: theorem_3_1_matches_world_enumeration",
                "attack/tests/against_oracles.rs: prior_beliefs_match_world_enumeration",
            ],
        ),
    ),
    item(
        'B',
        "Definitions 3.1 and 3.2",
        "positive and negative disclosure",
        Held(
            "attack/src/prior.rs",
            &[
                "attack/tests/against_oracles.rs: prior_beliefs_match_world_enumeration",
                "core/src/belief.rs: limits_are_strict_and_exact",
                "indistinct/tests/attacks.rs: prior_beliefs_are_updated_by_class",
            ],
        ),
    ),
    item(
        'B',
        "Principle 1",
        "the uninformative principle",
        Not(
            "this principle is a criterion for other principles; its parts are the disclosures in \
             Definitions 3.1 to 3.3",
        ),
    ),
    item(
        'B',
        "Definition 3.3",
        "(rho1, rho2)-privacy",
        Held(
            "core/src/belief.rs",
            &[
                "attack/tests/against_oracles.rs: prior_beliefs_match_world_enumeration",
                "core/src/belief.rs: counterexample_to_theorem_5_1",
                "core/src/belief.rs: limits_are_strict_and_exact",
            ],
        ),
    ),
    item(
        'B',
        "Section 3.2",
        "a Bayes-optimal privacy definition that bounds the difference between prior and posterior \
         belief",
        Held(
            "core/src/principle/bayes_optimal_privacy.rs",
            &[
                "core/tests/categorical_principles.rs: bayes_optimal_privacy_matches_largest_change",
                "core/tests/merging.rs: merging_keeps",
                "core/tests/merging.rs: suppression_may_increase_change_in_belief",
            ],
        ),
    ),
    item(
        'B',
        "Principle 2",
        "l-diversity in all its variants",
        Held(
            "core/src/principle/distinct_l_diversity.rs",
            &["core/tests/against_oracles.rs: principles_match_oracles_on_one_class"],
        ),
    ),
    item(
        'B',
        "Definition 4.1",
        "entropy l-diversity",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/src/principle/entropy_l_diversity.rs: boundary_comparison_is_exact",
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
                "core/tests/readings.rs: b1_printed_example_violates_recursive_diversity",
                "core/tests/peers.rs: counts_9_and_1_require_c_above_9",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.3",
        "recursive diversity with values for which positive disclosure is permitted",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &[
                "core/tests/readings.rs: b3_tail_uses_original_counts",
                "core/tests/categorical_principles.rs: pd_and_npd_recursive_match_elimination",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.4",
        "recursive diversity with negative disclosure",
        Held(
            "core/src/principle/recursive_diversity.rs",
            &["core/tests/categorical_principles.rs: pd_and_npd_recursive_match_elimination"],
        ),
    ),
    item(
        'B',
        "Definition 4.5",
        "adjusted entropy",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &["core/tests/categorical_principles.rs: adjusted_entropy_is_maximal"],
        ),
    ),
    item(
        'B',
        "Theorem 4.1, Algorithm 1",
        "computation of the adjusted entropy",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/src/principle/entropy_l_diversity.rs: algorithm_1_example_is_reproduced",
                "core/tests/readings.rs: b5_valid_input_without_minimum_or_mean",
            ],
        ),
    ),
    item(
        'B',
        "Definition 4.6",
        "several sensitive attributes",
        Held(
            "core/src/certify/claims.rs",
            &["core/tests/categorical_principles.rs: \
               other_sensitive_attributes_can_divide_classes"],
        ),
    ),
    item(
        'B',
        "Section 4.3 (example)",
        "a statement about one sensitive attribute that discloses the value of another",
        Held(
            "attack/src/background.rs",
            &[
                "attack/tests/worked_examples.rs: \
                 statement_about_another_attribute_discloses_value",
                "attack/src/statements.rs: statement_counts_match_enumeration",
            ],
        ),
    ),
    item(
        'B',
        "Theorem 5.1, Figures 5 and 6",
        "(rho1, rho2)-privacy and disclosure are not monotone",
        Held(
            "core/src/belief.rs",
            &[
                "core/src/belief.rs: counterexample_to_theorem_5_1",
                "indistinct/tests/attacks.rs: coarsening_can_introduce_breach",
                "core/tests/readings.rs: b8_people_of_one_block_have_different_posteriors",
            ],
        ),
    ),
    item(
        'B',
        "Theorems 5.2 to 5.4, Lemma 5.1, Corollary 5.1",
        "merging preserves all kinds of l-diversity",
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
        "the prerequisites for the proofs about adjusted entropy",
        Held(
            "core/src/principle/entropy_l_diversity.rs",
            &[
                "core/tests/categorical_principles.rs: adjusted_entropy_is_maximal",
                "core/tests/categorical_principles.rs: adjusted_entropy_is_exact_at_integers",
            ],
        ),
    ),
    item(
        'B',
        "Figures 1, 2 and 4",
        "twelve patients, and their 4-anonymous and 3-diverse tables",
        Held(
            "core/src/certify/mod.rs",
            &["core/tests/worked_examples.rs: figures_2_and_4_follow_from_figure_1"],
        ),
    ),
    item(
        'B',
        "Figure 7",
        "the Adult table and its hierarchies",
        Held(
            "experiments/src/data/adult.rs",
            &["experiments/src/tests.rs: built_in_hierarchies_match_common_hierarchies"],
        ),
    ),
    item(
        'B',
        "Figure 8",
        "the Lands End table, which was never published; a synthetic table with the same domains \
         replaces it",
        Held(
            "experiments/src/data/lands_end.rs",
            &["experiments/src/data/lands_end.rs: synthetic_domains_match_paper"],
        ),
    ),
    item(
        'B',
        "Figures 9 and 11",
        "homogeneous classes of Adult, with correct labels and with the labeling error of the \
         paper",
        Held(
            "experiments/src/l_diversity/homogeneity.rs",
            &[
                "experiments/src/tests.rs: figures_9_and_11_match_plain_counting",
                "experiments/src/tests.rs: b19_labeling_error_reproduces_figures_9_and_11",
            ],
        ),
    ),
    item(
        'B',
        "Figures 10, 12 and 14",
        "homogeneous classes and running times on the synthetic Lands End table",
        Held(
            "experiments/src/l_diversity/lands_end.rs",
            &[
                "experiments/src/l_diversity/tests.rs: figures_10_and_12_match_plain_counting",
                "experiments/src/l_diversity/tests.rs: \
                 figures_13_and_14_show_times_of_their_searches",
            ],
        ),
    ),
    item(
        'B',
        "Figure 13",
        "running times for Adult",
        Held(
            "experiments/src/l_diversity/performance.rs",
            &["experiments/src/l_diversity/tests.rs: \
               figures_13_and_14_show_times_of_their_searches"],
        ),
    ),
    item(
        'B',
        "Figures 15 to 18",
        "utility on Adult",
        Held(
            "experiments/src/l_diversity/utility.rs",
            &["experiments/src/l_diversity/tests.rs: figures_15_to_18_match_exhaustive_search"],
        ),
    ),
    item(
        'B',
        "Figures 19 and 20",
        "KL-divergence on Adult",
        Held(
            "experiments/src/l_diversity/divergence.rs",
            &[
                "experiments/src/l_diversity/tests.rs: figures_19_and_20_match_exhaustive_search",
                "core/tests/kl_divergence.rs: b14_printed_formula_is_not_a_distribution",
            ],
        ),
    ),
    item(
        'B',
        "Section 7 (related work)",
        "marginals in addition to a release",
        Not("several marginals with the sensitive attribute may disclose every person's value, \
             even if each marginal satisfies the principle (F-4). Their joint disclosure requires \
             counting all consistent tables, which is #P-hard, and the maximum-entropy belief that \
             the authors use is not a bound for any adversary. Compared with a single such \
             marginal and any number of quasi-identifier marginals, `anatomy` releases more \
             information with the same protection."),
    ),
    item(
        'B',
        "Section 7 (condensation)",
        "synthetic records from the moments of groups",
        Not("synthetic records require a different guarantee than classes; the most similar \
             methods replace numbers within classes"),
    ),
];
