//! The sentences that the program says about a guarantee.

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
            "core/tests/classes/main.rs: f2_overlapping_classes_are_counted",
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
            "search/tests/single_rows/mod.rs: single_rows_are_found_wherever_some_do",
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
    says(
        "the report of a release, as a whole: nothing is in it that certificate, policy and rows do not say",
        "report/src/again.rs",
        &["indistinct/tests/verify_finds.rs: a_report_that_says_anything_else_is_found"],
    ),
    says(
        "\"the time limit was reached before any recoding was found that satisfies the policy, or proved that there is none\"",
        "search/src/error.rs",
        &["search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much"],
    ),
];

/// Words with which a guarantee, or that there is none, is told.
pub const WORDS: &[&str] =
    &["proved", "Proved", "cannot be met", "no recoding", "No recoding", "guarantee"];

/// Files that say such a word, and no sentence of their own: what another one computes is passed on there, or it is a refusal.
pub const PASSED_ON: &[(&str, &str)] = &[
    ("cli/src/answers/infeasible.rs", "what the search answered"),
    ("cli/src/args.rs", "help of an option"),
    ("cli/src/commands/anonymize.rs", "what the search answered"),
    ("indistinct/src/compare.rs", "what the searches answered"),
    ("indistinct/src/errors_page.rs", "documentation of error codes"),
    ("methods/src/invariant/problem.rs", "a refusal"),
    ("policy/src/method/anatomy.rs", "a refusal"),
    ("policy/src/method/microaggregation.rs", "a refusal"),
    ("policy/src/method/sweep.rs", "a refusal"),
    ("report/src/advice/beyond.rs", "part of the sentences of advice/in_words.rs"),
    ("report/src/advice_page.rs", "the page of the sentences of advice/in_words.rs"),
    ("report/src/search_section.rs", "what the search answered"),
    ("studio/src/texts/results.rs", "what the search answered"),
];
