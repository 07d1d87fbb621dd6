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
        "whether a principle holds, with its required and reached level",
        "release/src/words/principle.rs",
        &[
            "core/tests/against_oracles.rs: the_certifier_agrees_with_plain_rows",
            "indistinct/tests/verify_finds.rs: \
             an_untouched_release_verifies_and_claims_what_the_oracles_see",
        ],
    ),
    says(
        "every fact of a certificate with its values",
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_facts_are_found",
        ],
    ),
    says(
        "the number of pairs of classes with overlapping released values",
        "text/src/facts.rs",
        &[
            "core/tests/classes/main.rs: f2_overlapping_classes_are_counted",
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
        ],
    ),
    says(
        "the risk of at most 1/m in a perturbed release, for each principle",
        "release/src/forms/perturbed.rs",
        &[
            "core/tests/perturbation.rs: risks_are_those_of_bayes_rule",
            "indistinct/tests/perturbation.rs: \
             several_principles_state_a_risk_each_and_each_is_warned_of",
        ],
    ),
    says(
        "the failure probability delta of a plan, for t releases and for a given person",
        "release/src/forms/planned.rs",
        &[
            "linkage/tests/against_brute_force.rs: every_basis_holds",
            "linkage/tests/readings.rs: a_given_person_costs_what_is_stated_on_every_basis",
            "indistinct/tests/planned/releases.rs: lies_about_the_plan_are_found",
        ],
    ),
    says(
        "the guarantee of a plan if the total variation distance to the true distribution is at \
         most eta",
        "linkage/src/planned/wrong_distribution.rs",
        &["linkage/tests/monte_carlo.rs: a_wrong_distribution_costs_no_more_than_stated"],
    ),
    says(
        "the optimality of a recoding, with or without the assumption that failing classes are \
         suppressed as a whole; a bound on the possible improvement after a stopped search",
        "search/src/full_domain/search.rs",
        &[
            "search/tests/against_exhaustive_search.rs: \
             the_search_finds_what_exhaustive_search_finds",
            "search/tests/against_exhaustive_search.rs: \
             no_set_of_suppressed_rows_refutes_what_is_claimed",
            "search/tests/against_exhaustive_search.rs: \
             a_loss_that_single_rows_lower_is_not_called_the_lowest",
            "search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much",
        ],
    ),
    says(
        "that no recoding satisfies the policy",
        "search/src/multidimensional/candidates.rs",
        &[
            "search/tests/multidimensional/particular.rs: what_is_said_to_be_proved_is_never_wrong",
            "search/tests/single_rows/mod.rs: single_rows_are_found_wherever_some_do",
            "search/tests/against_exhaustive_search.rs: \
             no_set_of_suppressed_rows_refutes_what_is_claimed",
            "search/tests/curve.rs: it_is_infeasible_only_where_no_partition_holds",
            "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
        ],
    ),
    says(
        "the infeasible parameters, proofs, and bounds of `advise`",
        "text/src/advice/findings.rs",
        &[
            "indistinct/tests/advise.rs: what_is_proved_is_found_and_what_is_beyond_reach_is_not",
            "indistinct/tests/advise.rs: infeasibility_names_the_bounds_of_the_table",
            "core/tests/feasibility.rs: what_is_ruled_out_has_no_partition",
        ],
    ),
    says(
        "the statement of `advise` that a perturbation is feasible, with the retention \
         probability p",
        "text/src/advice/findings.rs",
        &[
            "indistinct/tests/advise.rs: what_noise_can_reach_counts_for_a_perturbation",
            "core/tests/perturbation.rs: the_largest_p_is_the_largest",
        ],
    ),
    says(
        "that at least l sensitive values remain after linkage",
        "linkage/src/post_linkage/mod.rs",
        &[
            "linkage/tests/against_brute_force.rs: linkage_is_that_of_every_person",
            "linkage/tests/common_domains.rs: with_labels_alone_it_is_never_safer",
        ],
    ),
    says(
        "that unknown labels can only decrease the number of remaining values in an answer",
        "release/src/linked/answer.rs",
        &["linkage/tests/common_domains.rs: with_labels_alone_it_is_never_safer"],
    ),
    says(
        "that a person has the same signature in all versions of a growing table",
        "core/src/principle/m_invariance.rs",
        &[
            "search/tests/invariant.rs: every_history_is_m_invariant",
            "core/tests/m_invariance.rs: across_versions_says_what_the_definition_says",
        ],
    ),
    says(
        "that all assignments of sensitive values to the rows of a class are equally likely",
        "search/src/anatomy/buckets.rs",
        &["search/tests/anatomy.rs: every_matching_is_as_likely"],
    ),
    says(
        "the maximum belief of an adversary who knows implications",
        "attack/src/implications.rs",
        &[
            "attack/tests/implications.rs: the_worst_implications_are_found",
            "attack/tests/implications.rs: implications_reach_over_classes",
        ],
    ),
    says(
        "the number of people in each class, and the maximum probability of identifying a person \
         of a class",
        "text/src/facts.rs",
        &[
            "indistinct/tests/support/people.rs: every_class_has_enough_people_and_not_only_rows",
            "indistinct/tests/support/people.rs: \
             a_release_states_what_it_promises_of_people_and_nothing_that_they_reach",
        ],
    ),
    says(
        "that at most a fraction s of the rows has suppressed cells, and that no suppressed cell \
         can be restored",
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods/single_cells.rs: what_is_stated_of_cells_is_counted_again",
            "search/tests/multidimensional/cells.rs: no_single_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "that the centers of classes are generated values, and the number of rows of each class",
        "release/src/forms/centers.rs",
        &[
            "search/tests/microaggregation/mod.rs: \
             what_is_found_is_certified_and_holds_by_the_oracle",
            "indistinct/tests/generated_values/mod.rs: centers_are_linked_no_better_than_one_in_k",
        ],
    ),
    says(
        "the highest and the mean probability of identifying the row of a person",
        "release/src/words/risk.rs",
        &[
            "core/src/risk/mod.rs: three_classes_of_four",
            "core/src/risk/mod.rs: a_unique_row_is_certain",
            "indistinct/tests/verify_finds.rs: \
             an_untouched_release_verifies_and_claims_what_the_oracles_see",
        ],
    ),
    says(
        "the highest probability of identifying a given row if people may have several rows",
        "release/src/words/risk.rs",
        &[
            "release/src/words/risk.rs: \
             where_people_have_several_rows_the_risk_is_that_of_one_given_row",
            "indistinct/tests/support/people.rs: the_risk_of_a_row_is_not_told_as_that_of_a_person",
        ],
    ),
    says(
        "the relative gain of beta-likeness, and the logarithm of delta-disclosure",
        "core/src/principle/beta_likeness.rs",
        &[
            "core/tests/categorical_principles.rs: beta_likeness_is_the_largest_gain",
            "core/tests/categorical_principles.rs: delta_disclosure_is_the_largest_logarithm",
            "core/tests/categorical_principles.rs: gains_and_logarithms_at_their_limits",
        ],
    ),
    says(
        "the loss of each choice of `compare`, and that the choice satisfies the policy",
        "indistinct/src/compare.rs",
        &["cli/tests/cli/comparing.rs: each_choice_is_what_anonymize_would_release"],
    ),
    says(
        "the statements of a `studio` page about a release, and about a choice before it is \
         applied",
        "studio/src/texts/results.rs",
        &[
            "studio/tests/studio/way.rs: the_page_and_the_command_line_give_the_same_bytes",
            "studio/tests/studio/way.rs: a_choice_that_is_taken_gives_what_was_shown",
        ],
    ),
    says(
        "that a release of two tables does not show which row of a class has which sensitive value",
        "text/src/release/two_tables.rs",
        &[
            "search/tests/anatomy.rs: every_matching_is_as_likely",
            "indistinct/tests/anatomy.rs: \
             quasi_identifiers_and_sensitive_values_are_exact_and_only_classes_join_them",
        ],
    ),
    says(
        "the highest probability that a row is assigned to the correct person of a register",
        "attack/src/linkage.rs",
        &[
            "attack/tests/against_oracles.rs: everybody_fits_what_covers_all_their_values",
            "attack/tests/worked_examples.rs: a_register_is_joined",
        ],
    ),
    says(
        "that the report of a release contains only information from the certificate, the policy, \
         and the rows",
        "report/src/again.rs",
        &["indistinct/tests/verify_finds.rs: a_report_that_says_anything_else_is_found"],
    ),
    says(
        "\"the time limit expired before the search found a recoding or proved that none exists\"",
        "search/src/error.rs",
        &["search/tests/against_exhaustive_search.rs: a_stopped_search_never_claims_too_much"],
    ),
    says(
        "\"the result is guaranteed to be no worse than the textbook split for the same \
         objective\", and \"also guaranteed to be no worse than the result for `loss`\"",
        "../docs/recodings.md",
        &[
            "search/tests/multidimensional.rs: no_objective_is_worse_than_where_it_started",
            "search/tests/multidimensional/wide.rs: \
             whoever_stops_a_search_gets_no_less_than_the_textbook_order",
        ],
    ),
    says(
        "\"feasible with suppressed cells if and only if it is feasible with `\"star-rows\"`\", \
         and \"suppressing cells never has a higher loss\" with the objectives `loss`, `entropy`, \
         and `information`, in contrast to `average-class-size`",
        "../docs/recodings.md",
        &[
            "indistinct/tests/methods/single_cells.rs: \
             only_the_cells_that_stand_in_the_way_are_replaced",
            "indistinct/tests/methods/single_cells.rs: \
             by_the_mean_size_of_classes_cells_may_lose_more_than_starred_rows",
            "indistinct/tests/methods/single_cells.rs: what_is_stated_of_cells_is_counted_again",
            "search/tests/multidimensional/cells.rs: no_single_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "\"swaps its number with one whose rank is at most 5% of all ranks away\"",
        "../docs/recodings.md",
        &["core/tests/masking/mod.rs: \
           what_is_swapped_or_dealt_occurs_as_often_and_the_rest_is_as_it_was"],
    ),
    says(
        "that the union of two classes that satisfy a principle also satisfies it, if merging \
         preserves the principle",
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
    ("cli/src/answers/infeasible.rs", "the result of a search"),
    ("cli/src/args.rs", "the help of an option"),
    ("cli/src/commands/anonymize.rs", "the result of a search"),
    ("indistinct/src/compare.rs", "the results of searches"),
    ("cli/src/tests/errors_page.rs", "documentation of error codes"),
    ("methods/src/invariant/problem.rs", "a refusal"),
    ("policy/src/method/anatomy.rs", "a refusal"),
    ("policy/src/method/invariant.rs", "a refusal"),
    ("policy/src/method/masking.rs", "the status and documentation of a method"),
    ("policy/src/method/microaggregation.rs", "a refusal"),
    ("policy/src/method/planned.rs", "the status and documentation of a method"),
    ("policy/src/sections.rs", "documentation of keys"),
    ("policy/src/method/sweep.rs", "a refusal"),
    ("text/src/advice/page.rs", "the page with the sentences of advice/findings.rs"),
    ("studio/src/texts/results.rs", "the result of a search"),
];
