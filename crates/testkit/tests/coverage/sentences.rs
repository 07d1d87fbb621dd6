//! Sentences of the program about guarantees.

/// A kind of sentence about a guarantee, with its source file and its tests.
pub struct Sentence {
    /// The content of the sentence.
    pub says: &'static str,
    /// The file in `crates/` that produces the sentence, or the page that contains it.
    pub source: &'static str,
    /// The tests, in the form `file: test`.
    pub tests: &'static [&'static str],
}

const fn says(
    says: &'static str,
    source: &'static str,
    tests: &'static [&'static str],
) -> Sentence {
    Sentence { says, source, tests }
}

/// All kinds of sentences about guarantees.
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
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_facts_are_found",
        ],
    ),
    says(
        "\"N pairs of classes cover some of the same\"",
        "text/src/facts.rs",
        &[
            "core/tests/classes/main.rs: f2_overlapping_classes_are_counted",
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
        ],
    ),
    says(
        "\"the risk is at most 1/m\" of a perturbation, by each principle",
        "release/src/forms/perturbed.rs",
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
        "\"no other recoding has a lower loss\", \"no other levels have a lower loss where the classes that fail are suppressed whole\"; how much lower a stopped search could get",
        "search/src/full_domain/search.rs",
        &[
            "search/tests/against_exhaustive_search.rs: the_search_finds_what_exhaustive_search_finds",
            "search/tests/against_exhaustive_search.rs: no_set_of_suppressed_rows_refutes_what_is_claimed",
            "search/tests/against_exhaustive_search.rs: a_loss_that_single_rows_lower_is_not_called_the_lowest",
            "search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much",
        ],
    ),
    says(
        "\"no recoding satisfies the policy\"",
        "search/src/multidimensional/candidates.rs",
        &[
            "search/tests/multidimensional/particular.rs: what_is_said_to_be_proved_is_never_wrong",
            "search/tests/single_rows/mod.rs: single_rows_are_found_wherever_some_do",
            "search/tests/against_exhaustive_search.rs: no_set_of_suppressed_rows_refutes_what_is_claimed",
            "search/tests/curve.rs: it_is_infeasible_only_where_no_partition_holds",
            "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
        ],
    ),
    says(
        "\"infeasible\", \"proved\", \"bound\" of `advise`; what no recoding reaches",
        "text/src/advice/findings.rs",
        &[
            "indistinct/tests/advise.rs: what_is_proved_is_found_and_what_is_beyond_reach_is_not",
            "indistinct/tests/advise.rs: infeasibility_names_the_bounds_of_the_table",
            "core/tests/feasibility.rs: what_is_ruled_out_has_no_partition",
        ],
    ),
    says(
        "\"the policy is feasible: a row keeps its sensitive value with probability p\" of `advise`",
        "text/src/advice/findings.rs",
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
        "\"the least that remains is at most what is true\" of labels that are not understood",
        "release/src/linked/answer.rs",
        &["linkage/tests/common_domains.rs: with_labels_alone_it_is_never_safer"],
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
        "of people: each class has so many, and \"whoever guesses which of the people of a class somebody is, is right with a probability of at most p\"",
        "text/src/facts.rs",
        &[
            "indistinct/tests/support/people.rs: every_class_has_enough_people_and_not_only_rows",
            "indistinct/tests/support/people.rs: a_release_states_what_it_promises_of_people_and_nothing_that_they_reach",
        ],
    ),
    says(
        "of suppressed cells: \"of at most s of the rows\", and that none can be restored",
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods/single_cells.rs: what_is_stated_of_cells_is_counted_again",
            "search/tests/multidimensional/cells.rs: no_single_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "of centers of classes: that the numbers are made, and of how many rows",
        "release/src/forms/centers.rs",
        &[
            "search/tests/microaggregation/mod.rs: what_is_found_is_certified_and_holds_by_the_oracle",
            "indistinct/tests/generated_values/mod.rs: centers_are_linked_no_better_than_one_in_k",
        ],
    ),
    says(
        "\"identifies the row of that person with a probability of at most\" the highest risk, \"on average\" the mean",
        "release/src/words/risk.rs",
        &[
            "core/src/risk/mod.rs: three_classes_of_four",
            "core/src/risk/mod.rs: a_unique_row_is_certain",
            "indistinct/tests/verify_finds.rs: an_untouched_release_verifies_and_claims_what_the_oracles_see",
        ],
    ),
    says(
        "\"identifies this particular row with a probability of at most\" if people may have several",
        "release/src/words/risk.rs",
        &[
            "release/src/words/risk.rs: where_people_have_several_rows_the_risk_is_that_of_one_given_row",
            "indistinct/tests/support/people.rs: the_risk_of_a_row_is_not_told_as_that_of_a_person",
        ],
    ),
    says(
        "\"more frequent than in all released rows by at most beta\"; the logarithm of delta-disclosure",
        "core/src/principle/beta_likeness.rs",
        &[
            "core/tests/categorical_principles.rs: beta_likeness_is_the_largest_gain",
            "core/tests/categorical_principles.rs: delta_disclosure_is_the_largest_logarithm",
            "core/tests/categorical_principles.rs: gains_and_logarithms_at_their_limits",
        ],
    ),
    says(
        "what each choice of `compare` would cost, and that it would hold",
        "indistinct/src/compare.rs",
        &["cli/tests/cli/comparing.rs: each_choice_is_what_anonymize_would_release"],
    ),
    says(
        "what a page of `studio` says of a release, and of a choice before it is taken",
        "studio/src/texts/results.rs",
        &[
            "studio/tests/studio/way.rs: the_page_and_the_command_line_give_the_same_bytes",
            "studio/tests/studio/way.rs: a_choice_that_is_taken_gives_what_was_shown",
        ],
    ),
    says(
        "\"no one can determine which row of a class has which of its sensitive values\" of two tables",
        "text/src/release/two_tables.rs",
        &[
            "search/tests/anatomy.rs: every_matching_is_as_likely",
            "indistinct/tests/anatomy.rs: quasi_identifiers_and_sensitive_values_are_exact_and_only_classes_join_them",
        ],
    ),
    says(
        "\"a row leads to the right person with probability p at most\" of a joined register",
        "attack/src/linkage.rs",
        &[
            "attack/tests/against_oracles.rs: everybody_fits_what_covers_all_their_values",
            "attack/tests/worked_examples.rs: a_register_is_joined",
        ],
    ),
    says(
        "the report of a release, as a whole: nothing is in it that certificate, policy and rows do not say",
        "report/src/again.rs",
        &["indistinct/tests/verify_finds.rs: a_report_that_says_anything_else_is_found"],
    ),
    says(
        "\"the time limit was reached before a recoding that satisfies the policy was found or proved impossible\"",
        "search/src/error.rs",
        &["search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much"],
    ),
    says(
        "a result \"guaranteed to be no worse than the textbook split\", and \"no worse than the result for `loss`\"",
        "../docs/recodings.md",
        &[
            "search/tests/multidimensional.rs: no_objective_is_worse_than_where_it_started",
            "search/tests/multidimensional/wide.rs: whoever_stops_a_search_gets_no_less_than_the_textbook_order",
        ],
    ),
    says(
        "\"met with cells exactly where it can be met with `starred`\", and that by `loss`, `entropy` and `information` cells \"never lose more\", by `average-class-size` they may",
        "../docs/recodings.md",
        &[
            "indistinct/tests/methods/single_cells.rs: only_the_cells_that_stand_in_the_way_are_replaced",
            "indistinct/tests/methods/single_cells.rs: by_the_mean_size_of_classes_cells_may_lose_more_than_starred_rows",
            "indistinct/tests/methods/single_cells.rs: what_is_stated_of_cells_is_counted_again",
            "search/tests/multidimensional/cells.rs: no_single_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "\"swaps its number with one whose rank is at most 5% of all ranks away\"",
        "../docs/recodings.md",
        &[
            "core/tests/masking/mod.rs: what_is_swapped_or_dealt_occurs_as_often_and_the_rest_is_as_it_was",
        ],
    ),
    says(
        "\"the union of two classes that satisfy the principle satisfies it, too\"",
        "../docs/principles.md",
        &["core/tests/merging.rs: merging_keeps"],
    ),
];

/// Words that indicate a statement about a guarantee or its absence.
pub const WORDS: &[&str] =
    &["proved", "Proved", "cannot be met", "no recoding", "No recoding", "guarantee"];

/// Files that contain such words but make no statement themselves: they forward computed results,
/// or contain error messages.
pub const PASSED_ON: &[(&str, &str)] = &[
    ("cli/src/answers/infeasible.rs", "what the search answered"),
    ("cli/src/args.rs", "help of an option"),
    ("cli/src/commands/anonymize.rs", "what the search answered"),
    ("indistinct/src/compare.rs", "what the searches answered"),
    ("cli/src/tests/errors_page.rs", "documentation of error codes"),
    ("methods/src/invariant/problem.rs", "a refusal"),
    ("policy/src/method/anatomy.rs", "a refusal"),
    ("policy/src/method/invariant.rs", "a refusal"),
    ("policy/src/method/masking.rs", "the status and documentation of a method"),
    ("policy/src/method/microaggregation.rs", "a refusal"),
    ("policy/src/method/planned.rs", "the status and documentation of a method"),
    ("policy/src/sections.rs", "documentation of keys"),
    ("policy/src/method/sweep.rs", "a refusal"),
    ("text/src/advice/page.rs", "the page of the sentences of advice/findings.rs"),
    ("studio/src/texts/results.rs", "what the search answered"),
];
