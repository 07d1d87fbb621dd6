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
        "whether a principle holds, with the required level and the reached level",
        "text/src/words/principle.rs",
        &[
            "core/tests/against_oracles.rs: certifier_matches_plain_rows",
            "indistinct/tests/verify_finds.rs: \
             unchanged_release_verifies_and_matches_oracles",
        ],
    ),
    says(
        "every fact in a certificate, with its values",
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods.rs: changed_or_invented_facts_are_detected",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_facts_are_detected",
        ],
    ),
    says(
        "the number of class pairs with overlapping released values",
        "text/src/facts.rs",
        &[
            "core/tests/classes/main.rs: f2_overlapping_classes_are_counted",
            "indistinct/tests/methods.rs: changed_or_invented_facts_are_detected",
        ],
    ),
    says(
        "the risk of at most 1/m in a perturbed release, for each principle",
        "release/src/forms/perturbed.rs",
        &[
            "core/tests/perturbation.rs: perturbation_risks_match_bayes_rule",
            "indistinct/tests/perturbation.rs: \
             risks_and_warnings_are_stated_per_principle",
        ],
    ),
    says(
        "the failure probability delta of a plan, for t releases and for a given person",
        "release/src/forms/planned.rs",
        &[
            "linkage/tests/against_brute_force.rs: every_basis_bounds_failure_probability",
            "linkage/tests/readings.rs: fixed_person_failure_stays_within_stated_bound",
            "indistinct/tests/planned/releases.rs: false_plan_statements_are_detected",
        ],
    ),
    says(
        "the guarantee of a plan if the distribution of the plan has a total variation distance of \
         at most eta from the true distribution",
        "linkage/src/planned/wrong_distribution.rs",
        &["linkage/tests/monte_carlo.rs: distribution_error_stays_within_stated_effect"],
    ),
    says(
        "the optimality of a recoding, with or without the assumption that failing classes are \
         suppressed as a whole, and a bound on the possible improvement if the search was stopped",
        "search/src/full_domain/search.rs",
        &[
            "search/tests/against_exhaustive_search.rs: \
             search_matches_exhaustive_search",
            "search/tests/against_exhaustive_search.rs: \
             no_suppressed_row_set_refutes_claims",
            "search/tests/against_exhaustive_search.rs: \
             loss_improvable_by_rows_is_not_called_optimal",
            "search/tests/against_exhaustive_search.rs: stopped_search_claims_are_valid",
        ],
    ),
    says(
        "that no recoding satisfies the policy",
        "search/src/multidimensional/candidates.rs",
        &[
            "search/tests/multidimensional/particular.rs: reported_proofs_are_never_wrong",
            "search/tests/single_rows/mod.rs: row_suppression_is_found_if_one_exists",
            "search/tests/against_exhaustive_search.rs: \
             no_suppressed_row_set_refutes_claims",
            "search/tests/curve.rs: curve_feasibility_matches_brute_force",
            "search/tests/sweep.rs: sweep_feasibility_matches_brute_force",
        ],
    ),
    says(
        "the infeasible parameters, proofs, and bounds that `advise` reports",
        "text/src/advice/findings.rs",
        &[
            "indistinct/tests/advise.rs: advice_verdict_matches_search",
            "indistinct/tests/advise.rs: infeasible_answer_states_table_bounds",
            "core/tests/feasibility.rs: excluded_class_has_no_valid_partition",
        ],
    ),
    says(
        "the `advise` statement that a perturbation is feasible, with the retention probability p",
        "text/src/advice/findings.rs",
        &[
            "indistinct/tests/advise.rs: advice_for_perturbation_includes_noise",
            "core/tests/perturbation.rs: largest_p_is_maximal",
        ],
    ),
    says(
        "that at least l sensitive values remain after linkage",
        "linkage/src/post_linkage/mod.rs",
        &[
            "linkage/tests/against_brute_force.rs: linkage_matches_each_person",
            "linkage/tests/common_domains.rs: linkage_by_labels_is_never_safer",
        ],
    ),
    says(
        "that unknown labels can only decrease the number of remaining values in an answer",
        "release/src/linked/answer.rs",
        &["linkage/tests/common_domains.rs: linkage_by_labels_is_never_safer"],
    ),
    says(
        "that a person has the same signature in all versions of a growing table",
        "core/src/principle/m_invariance.rs",
        &[
            "search/tests/invariant.rs: every_history_is_m_invariant",
            "core/tests/m_invariance.rs: across_versions_matches_definition",
        ],
    ),
    says(
        "that all assignments of sensitive values to the rows of a class are equally likely",
        "search/src/anatomy/buckets.rs",
        &["search/tests/anatomy.rs: all_matchings_are_equally_likely"],
    ),
    says(
        "the maximum belief of an adversary who knows implications",
        "attack/src/implications.rs",
        &[
            "attack/tests/implications.rs: worst_implications_match_enumeration",
            "attack/tests/implications.rs: worst_implications_span_several_classes",
        ],
    ),
    says(
        "the number of people in each class, and the maximum probability of identifying a person \
         in a class",
        "text/src/facts.rs",
        &[
            "indistinct/tests/support/people.rs: every_class_has_enough_people",
            "indistinct/tests/support/people.rs: \
             release_states_people_requirements_without_reached_levels",
        ],
    ),
    says(
        "that at most a fraction s of the rows has suppressed cells, and that no suppressed cell \
         can be restored",
        "text/src/facts.rs",
        &[
            "indistinct/tests/methods/single_cells.rs: false_cell_counts_are_detected",
            "search/tests/multidimensional/cells.rs: no_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "that the class centers are generated values, and the number of rows in each class",
        "release/src/forms/generated.rs",
        &[
            "search/tests/microaggregation/mod.rs: \
             aggregated_result_is_certified_and_satisfies_oracle",
            "indistinct/tests/generated_values/mod.rs: centers_limit_linkage_to_one_in_k",
        ],
    ),
    says(
        "the highest and the mean probability of identifying a person's row",
        "text/src/words/risk.rs",
        &[
            "core/src/risk.rs: classes_of_four_rows_have_risk_one_quarter",
            "core/src/risk.rs: unique_row_has_maximum_risk",
            "indistinct/tests/verify_finds.rs: \
             unchanged_release_verifies_and_matches_oracles",
        ],
    ),
    says(
        "the highest probability of identifying a given row if people may have several rows",
        "text/src/words/risk.rs",
        &[
            "text/src/words/risk.rs: \
             multi_row_risk_refers_to_one_given_row",
            "indistinct/tests/support/people.rs: row_risk_is_not_reported_as_person_risk",
        ],
    ),
    says(
        "the relative gain of beta-likeness, and the logarithm of delta-disclosure",
        "core/src/principle/beta_likeness.rs",
        &[
            "core/tests/categorical_principles.rs: beta_likeness_matches_largest_gain",
            "core/tests/categorical_principles.rs: delta_disclosure_matches_largest_logarithm",
            "core/tests/categorical_principles.rs: gains_and_logarithms_are_exact_at_boundaries",
        ],
    ),
    says(
        "the loss of each choice that `compare` shows, and that the choice satisfies the policy",
        "indistinct/src/compare.rs",
        &["cli/tests/cli/comparing.rs: choices_match_results_of_anonymize"],
    ),
    says(
        "the statements on a `studio` page about a release, and about a choice before it is \
         applied",
        "studio/assets/texts/en.toml",
        &[
            "studio/tests/studio/way.rs: studio_and_cli_produce_identical_files",
            "studio/tests/studio/way.rs: applied_choice_produces_displayed_loss",
        ],
    ),
    says(
        "that a two-table release does not show which row in a class has which sensitive value",
        "text/src/messages.toml",
        &[
            "search/tests/anatomy.rs: all_matchings_are_equally_likely",
            "indistinct/tests/anatomy.rs: \
             anatomy_links_exact_values_only_by_class",
        ],
    ),
    says(
        "the highest probability that a row is assigned to the correct person in a register",
        "attack/src/linkage.rs",
        &[
            "attack/tests/against_oracles.rs: people_match_labels_that_cover_their_values",
            "attack/tests/worked_examples.rs: linkage_attack_with_population_register",
        ],
    ),
    says(
        "which original values below labels are certain, and which combinations of a class and a \
         finer value describe exactly one person",
        "attack/src/refinement.rs",
        &[
            "attack/tests/refinement.rs: figures_match_enumeration_of_original_tables",
            "attack/tests/refinement.rs: figures_without_original_match_enumeration_of_possible_\
             tables",
            "indistinct/tests/attacks/refinement.rs: certain_statements_are_never_contradicted",
        ],
    ),
    says(
        "that the report on a release contains only information from the certificate, the policy, \
         and the rows",
        "report/src/again.rs",
        &["indistinct/tests/verify_finds.rs: changed_report_is_detected"],
    ),
    says(
        "\"the time limit expired before the search found a recoding or proved that no recoding \
         exists\"",
        "search/src/error.rs",
        &["search/tests/against_exhaustive_search.rs: stopped_search_claims_are_valid"],
    ),
    says(
        "\"the result is guaranteed to be no worse than the textbook split for the same \
         objective\", and \"also guaranteed to be no worse than the result for `loss`\"",
        "../docs/recodings.md",
        &[
            "search/tests/multidimensional.rs: objective_never_exceeds_starting_value",
            "search/tests/multidimensional/wide.rs: \
             stopped_search_is_no_worse_than_textbook_order",
        ],
    ),
    says(
        "\"feasible with suppressed cells if and only if it is feasible with `\"star-rows\"`\", \
         and \"suppressing cells never has a higher loss\" with the objectives `loss`, `entropy`, \
         and `information`, in contrast to `average-class-size`",
        "../docs/recodings.md",
        &[
            "indistinct/tests/methods/single_cells.rs: \
             only_obstructing_cells_are_replaced",
            "indistinct/tests/methods/single_cells.rs: \
             cell_suppression_may_increase_mean_class_size",
            "indistinct/tests/methods/single_cells.rs: false_cell_counts_are_detected",
            "search/tests/multidimensional/cells.rs: no_suppressed_cell_can_be_restored",
        ],
    ),
    says(
        "\"swaps its number with a row whose number differs in rank by at most 5% of all ranks\"",
        "../docs/recodings.md",
        &["core/tests/masking/mod.rs: \
           swapping_and_shuffling_preserve_value_counts"],
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
    ("core/src/recoding/masking/mod.rs", "the documentation of operations"),
    ("text/src/anonymize/infeasible.rs", "the result of a search"),
    ("text/src/anonymize/mod.rs", "the result of a search"),
    ("text/src/plan.rs", "the answer of a plan"),
    ("text/src/release/mod.rs", "the facts of a certificate"),
    ("indistinct/src/compare.rs", "the results of searches"),
    ("methods/src/invariant/problem.rs", "a refusal"),
    ("policy/src/method/anatomy.rs", "a refusal"),
    ("policy/src/method/invariant.rs", "a refusal"),
    ("policy/src/method/masking.rs", "the status and documentation of a method"),
    ("policy/src/method/microaggregation.rs", "a refusal"),
    ("policy/src/method/planned.rs", "the status and documentation of a method"),
    ("policy/src/method/sweep.rs", "a refusal"),
    ("text/src/advice/page.rs", "the page with the sentences of advice/findings.rs"),
    ("studio/assets/texts/en.toml", "the result of a search"),
    ("studio/assets/texts/de.toml", "the texts of assets/texts/en.toml in German"),
    ("studio/src/pages/release.rs", "the names of texts in assets/texts/en.toml"),
];
