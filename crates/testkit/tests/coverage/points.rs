//! Past errors and omissions, with the regression tests that detect them.

/// A requirement with its tests.
pub struct Point {
    /// The number, with a letter for the subject: A for proofs and advice, B for measures and
    /// attacks, C for the papers and their figures, and D for malicious input.
    pub number: &'static str,
    /// The requirement.
    pub holds: &'static str,
    /// The tests, in the form `file: test`.
    pub tests: &'static [&'static str],
}

const fn point(number: &'static str, holds: &'static str, tests: &'static [&'static str]) -> Point {
    Point { number, holds, tests }
}

/// All requirements.
pub const POINTS: &[Point] = &[
    point(
        "A1",
        "A lower bound for a reachable level is not reported as the maximum. For example, for {0, \
         1, 4} and {0, 2, 5} with delta = 1 and l = 1.5, infeasibility is not reported as proved.",
        &[
            "core/tests/numeric_principles.rs: fractional_l_is_excluded_only_by_proof",
            "core/tests/numeric_principles.rs: fractional_l_partitions_are_valid",
            "search/tests/multidimensional/particular.rs: \
             fractional_l_reached_by_two_classes_is_found",
            "search/tests/multidimensional/particular.rs: reported_proofs_are_never_wrong",
            "core/tests/feasibility.rs: excluded_class_has_no_valid_partition",
        ],
    ),
    point(
        "A2",
        "`advise` considers the levels that a sweep and a perturbation can reach, and states the \
         retention probability p.",
        &[
            "indistinct/tests/advise.rs: advice_for_sweep_includes_generalized_values",
            "indistinct/tests/advise.rs: advice_for_perturbation_includes_noise",
            "core/tests/readings.rs: e2_e4_reach_of_sensitive_value_generalization",
        ],
    ),
    point(
        "A3",
        "If a policy is infeasible, the report states the bounds that `advise` determines for the \
         table.",
        &[
            "indistinct/tests/advise.rs: infeasible_answer_states_table_bounds",
            "search/tests/sweep.rs: sweep_feasibility_matches_brute_force",
        ],
    ),
    point(
        "A4",
        "For numeric values, rows in the densest neighborhood are suppressed, and single rows in a \
         class can be suppressed.",
        &[
            "search/tests/single_rows/mod.rs: densest_neighborhood_loses_suppressed_row",
            "search/tests/single_rows/mod.rs: \
             single_row_is_suppressed_if_sufficient",
            "search/tests/single_rows/mod.rs: row_suppression_is_found_if_one_exists",
            "indistinct/tests/methods.rs: \
             numbers_in_densest_neighborhood_are_suppressed",
        ],
    ),
    point(
        "A5",
        "A value at a boundary is never rounded across the boundary when it is displayed.",
        &[
            "core/src/principle/entropy_l_diversity.rs: diversity_is_exact_at_boundaries",
            "indistinct/tests/advise.rs: exactly_reached_level_is_reported_as_reached",
            "diagnostics/src/words.rs: \
             level_below_requirement_is_not_rounded_up",
            "text/src/advice/findings.rs: limits_are_rounded_conservatively",
        ],
    ),
    point(
        "A6",
        "`anatomy` supports every principle that is preserved when classes are merged, including \
         (delta, l)-diversity with a window.",
        &[
            "search/tests/anatomy.rs: window_reading_is_supported_but_definition_is_not",
            "search/tests/anatomy.rs: principles_preserved_by_merging_are_supported",
            "search/tests/anatomy.rs: proximity_principle_is_rejected",
        ],
    ),
    point(
        "B7",
        "`measure` computes noise from the domain, not from the values that occur.",
        &["measure/tests/queries.rs: query_noise_is_proportional_to_domain_share"],
    ),
    point(
        "B8",
        "The attack on the sweep rule guesses generalized values and uses the published weights.",
        &[
            "attack/tests/sweep_rule.rs: sweep_rule_attack_guesses_generalized_values",
            "attack/tests/sweep_rule.rs: \
             sweep_generalizes_only_near_dominant_values",
            "attack/tests/sweep_rule.rs: weights_alone_disclose_a_value",
        ],
    ),
    point(
        "B9",
        "Generalized sensitive values count as a loss, and the certificate states their number \
         and the retained information.",
        &[
            "indistinct/tests/methods.rs: changed_or_invented_facts_are_detected",
            "measure/tests/tau_l.rs: generalized_sensitive_values_retain_less_information",
        ],
    ),
    point(
        "B10",
        "The posterior belief of an adversary with a prior agrees with Theorem 3.1.",
        &[
            "attack/tests/against_oracles.rs: prior_beliefs_match_world_enumeration",
            "core/tests/beliefs.rs: theorem_3_1_matches_world_enumeration",
            "core/src/belief.rs: counterexample_to_theorem_5_1",
            "indistinct/tests/attacks.rs: prior_beliefs_are_updated_by_class",
        ],
    ),
    point(
        "B11",
        "The belief of an adversary who knows implications does not exceed the stated belief.",
        &[
            "attack/tests/implications.rs: worst_implications_match_enumeration",
            "attack/tests/implications.rs: worst_implications_span_several_classes",
            "attack/tests/implications.rs: published_example_is_reproduced",
        ],
    ),
    point(
        "B12",
        "`attack` uses the neighborhood specified in the policy and reports the distribution of \
         the probabilities.",
        &[
            "indistinct/tests/attacks.rs: \
             near_value_attack_uses_policy_neighborhood",
            "attack/src/figures.rs: distribution_weights_figures_by_rows",
        ],
    ),
    point(
        "B13",
        "For a perturbation with several principles, the risk and a warning are stated for each \
         principle.",
        &["indistinct/tests/perturbation.rs: \
           risks_and_warnings_are_stated_per_principle"],
    ),
    point(
        "B14",
        "For every basis, the statements about a given person, about fewer rows, and about a wrong \
         distribution hold, and no other plan is better.",
        &[
            "linkage/tests/readings.rs: fixed_person_failure_stays_within_stated_bound",
            "linkage/tests/against_brute_force.rs: every_basis_bounds_failure_probability",
            "linkage/tests/monte_carlo.rs: distribution_error_stays_within_stated_effect",
            "indistinct/tests/planned/making.rs: chosen_p_is_optimal_for_class_count",
            "cli/tests/cli/planning.rs: plan_as_text",
        ],
    ),
    point(
        "B15",
        "A plan based on earlier data can be used for data from another year. A plan based on the \
         released table itself causes a warning.",
        &[
            "indistinct/tests/planned/making.rs: \
             plan_over_declared_domains_fits_later_data",
            "indistinct/tests/planned/making.rs: \
             plan_from_released_table_triggers_warning",
            "cli/tests/cli/two_hospitals.rs: two_hospitals_example_output_is_up_to_date",
        ],
    ),
    point(
        "B16",
        "Other guarantees for the classes in a plan, and the worst case for linkage, can be \
         requested.",
        &[
            "indistinct/tests/planned/making.rs: additional_figures_of_plan_classes",
            "linkage/tests/monte_carlo.rs: sample_size_yields_k_anonymity_after_linkage",
            "linkage/tests/monte_carlo.rs: sample_size_yields_entropy_l_after_linkage",
            "linkage/tests/against_brute_force.rs: worst_case_matches_all_sets",
        ],
    ),
    point(
        "C17",
        "The figures of the papers agree with plain counting, each verdict applies to all seeds \
         and follows from the stored results, and each reason for a difference is either tested \
         or unknown.",
        &[
            "experiments/src/tests.rs: figures_9_and_11_match_plain_counting",
            "experiments/src/page_tests.rs: differences_on_page_are_tested_or_unknown",
            "experiments/src/page_tests.rs: page_matches_stored_comparisons",
            "experiments/src/tests.rs: b19_labeling_error_reproduces_figures_9_and_11",
            "experiments/src/comparison.rs: verdict_summarizes_all_seeds",
            "core/tests/kl_divergence.rs: b14_printed_formula_is_not_a_distribution",
        ],
    ),
    point(
        "C18",
        "If a table from a paper is not available, a synthetic table with the same domains \
         replaces it.",
        &[
            "experiments/src/data/salary.rs: income_file_formats_are_read",
            "experiments/src/data/lands_end.rs: synthetic_domains_match_paper",
            "experiments/src/tests.rs: experiments_beyond_papers_run",
            "experiments/src/delta_l/mod.rs: counterexamples_of_readings",
        ],
    ),
    point(
        "C19",
        "In addition to the definitions in the papers, Indistinct implements neighborhoods for \
         each value, the loss from the (epsilon, m) paper, perturbation for (delta, l)-diversity, \
         nonlinear growth functions, custom weights, and requirements that imply (tau, \
         l)-diversity.",
        &[
            "core/tests/numeric_principles.rs: \
             own_neighborhoods_may_be_undecided",
            "core/tests/losses.rs: epsilon_m_loss_equals_weighted_loss",
            "indistinct/tests/perturbation.rs: delta_l_diversity_uses_equivalent_epsilon_m_noise",
            "core/tests/readings.rs: e5_psi_boundary_cases",
            "core/tests/feasibility.rs: simple_guarantees_imply_tau_l_diversity",
            "experiments/src/tau_l/guarantees.rs: \
             implied_principles_are_guaranteed_and_tight",
        ],
    ),
    point(
        "C20",
        "Every reading names an existing test.",
        &[
            "core/tests/readings.rs: tests_named_in_document_exist",
            "core/tests/readings.rs: every_reading_names_its_test",
            "core/tests/readings.rs: e12_printed_fractions_of_missing_figures",
        ],
    ),
    point(
        "D21",
        "Values that readers may consider equal are not counted as different without a message: \
         equal numbers are one value, similar strings are one value if the policy requires this, \
         and files that hide the difference are rejected.",
        &[
            "core/src/model/dictionary.rs: number_spellings_are_unified",
            "core/src/model/dictionary.rs: text_case_and_whitespace_are_unified",
            "core/src/model/dictionary.rs: similar_texts_are_counted",
            "engine/tests/counting.rs: \
             case_and_blanks_are_unified_on_request",
            "indistinct/tests/odd_releases.rs: \
             policy_unifies_spellings_of_text",
            "engine/src/input/plain.rs: ambiguous_parquet_values_are_detected",
            "engine/src/input/plain.rs: mixed_empty_csv_cells_are_detected",
        ],
    ),
    point(
        "D22",
        "`verify` detects every fact in a certificate that the recomputed values do not support.",
        &[
            "indistinct/tests/methods.rs: changed_or_invented_facts_are_detected",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_facts_are_detected",
            "indistinct/tests/verify_finds.rs: certificate_with_repeated_keys_is_rejected",
            "indistinct/tests/verify_finds.rs: changed_certificate_claims_are_detected",
            "release/src/certificate.rs: duplicate_keys_are_rejected_at_any_depth",
            "cli/tests/campaign/main.rs: changed_certificate_numbers_fail_verification",
        ],
    ),
    point(
        "D23",
        "Control characters are displayed instead of being sent to the terminal, regardless of \
         where they come from.",
        &[
            "cli/tests/cli/hostile.rs: forged_text_cannot_imitate_passed_verification",
            "cli/tests/cli/hostile.rs: column_names_and_paths_are_escaped",
            "render/src/terminal.rs: terminal_control_characters_are_escaped",
        ],
    ),
    point(
        "D24",
        "An error message about a table without a header does not show rows of the table.",
        &[
            "cli/tests/cli/hostile.rs: table_without_header_discloses_no_cells",
            "engine/src/input/header.rs: data_row_is_not_accepted_as_header",
        ],
    ),
    point(
        "D25",
        "`--force` replaces only releases that Indistinct wrote.",
        &[
            "cli/tests/cli/hostile.rs: force_preserves_folders_with_unrelated_files",
            "engine/src/output/tests/directory.rs: only_releases_can_be_replaced",
            "engine/src/output/tests/directory.rs: \
             release_with_foreign_files_is_not_replaced",
        ],
    ),
    point(
        "D26",
        "JSON numbers retain their digits.",
        &[
            "engine/src/input/json.rs: json_column_type_preserves_all_numbers",
            "engine/src/input/json.rs: number_is_lossless_if_digits_survive",
        ],
    ),
    point(
        "D27",
        "A ledger does not record a release that fails verification; malicious triggers, \
         unexpected folders, links, and compressed tables are rejected.",
        &[
            "indistinct/tests/verify_finds.rs: ledger_rejects_release_that_does_not_verify",
            "ledger/src/tests.rs: newer_damaged_and_read_only_ledgers_are_rejected",
            "cli/tests/campaign/main.rs: tampered_release_folder_is_rejected",
        ],
    ),
    point(
        "D28",
        "The running time is not quadratic in the size of the table, Ctrl-C interrupts every \
         computation, and errors state the exceeded limit.",
        &[
            "report/src/contrast.rs: contrast_of_many_values_is_not_quadratic",
            "search/tests/anatomy.rs: classes_do_not_examine_all_sensitive_values",
            "cli/tests/cli/hostile.rs: oversized_inputs_exceed_a_named_limit",
            "cli/tests/cli/interrupt.rs: read_only_commands_can_be_interrupted",
            "indistinct/tests/ledger.rs: linkage_with_recorded_releases_can_be_cancelled",
            "indistinct/tests/attacks.rs: every_attack_checks_cancellation",
            "indistinct/tests/stopping/mod.rs: cancelled_attack_returns_no_answer",
            "indistinct/tests/stopping/mod.rs: cancelled_release_leaves_no_files",
            "indistinct/tests/stopping/mod.rs: cancelled_verify_returns_no_answer",
            "measure/tests/queries.rs: long_query_evaluation_is_cancellable",
            "measure/tests/classification.rs: cancelled_tree_processes_no_further_nodes",
        ],
    ),
    point(
        "D29",
        "Reading an arbitrary file terminates with rows or an error.",
        &[
            "cli/tests/cli/hostile.rs: pipes_and_devices_are_rejected_immediately",
            "engine/src/files.rs: only_regular_files_in_folder_are_opened",
            "engine/src/input/guard.rs: panic_becomes_error_without_its_message",
            "indistinct/tests/verify_finds.rs: \
             hierarchy_outside_release_is_rejected",
            "indistinct/tests/attacks.rs: impossible_mapping_number_is_rejected",
            "cli/tests/campaign/main.rs: \
             corrupt_inputs_terminate_and_leave_no_files",
        ],
    ),
    point(
        "D30",
        "A full disk, an invalid path, a piped table, an interrupted run, a label that equals a \
         value, and a cell that a spreadsheet would execute are reported.",
        &[
            "cli/tests/cli/hostile.rs: full_disk_on_standard_output_is_an_error",
            "cli/tests/cli/hostile.rs: non_utf8_path_is_rejected_before_any_work",
            "cli/tests/cli/hostile.rs: dev_stdin_table_is_rejected_with_remedy",
            "engine/src/output/tests/directory.rs: next_release_recovers_interrupted_release",
            "core/src/hierarchy/tree.rs: padded_leaf_must_not_equal_a_label",
            "indistinct/tests/verify_finds.rs: \
             spreadsheet_release_contains_no_formulas",
        ],
    ),
];
