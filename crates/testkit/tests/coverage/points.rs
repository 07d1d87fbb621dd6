//! Past errors and omissions, with the regression tests that detect them.

/// A requirement with its tests.
pub struct Point {
    /// The number, with a letter for the subject: A for proofs and advice, B for measures and
    /// attacks, C for the texts and their figures, and D for malicious input.
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
        "A lower bound for a reachable level is not reported as the maximum: for {0, 1, 4} and \
         {0, 2, 5} with delta = 1 and l = 1.5, no infeasibility is reported as proved.",
        &[
            "core/tests/numeric_principles.rs: a_fraction_of_l_is_ruled_out_by_a_proof_alone",
            "core/tests/numeric_principles.rs: a_fraction_of_l_is_only_promised_where_it_is_kept",
            "search/tests/multidimensional/particular.rs: \
             a_fraction_of_l_that_two_classes_reach_is_found",
            "search/tests/multidimensional/particular.rs: what_is_said_to_be_proved_is_never_wrong",
            "core/tests/feasibility.rs: what_is_ruled_out_has_no_partition",
        ],
    ),
    point(
        "A2",
        "`advise` considers the levels that a sweep and a perturbation can reach, and states p.",
        &[
            "indistinct/tests/advise.rs: what_a_sweep_can_reach_counts_for_a_sweep",
            "indistinct/tests/advise.rs: what_noise_can_reach_counts_for_a_perturbation",
            "core/tests/readings.rs: e2_e4_what_generalizing_sensitive_values_can_reach",
        ],
    ),
    point(
        "A3",
        "A report of infeasibility states the bounds of `advise` for the table.",
        &[
            "indistinct/tests/advise.rs: infeasibility_names_the_bounds_of_the_table",
            "search/tests/sweep.rs: it_is_infeasible_only_where_no_generalization_holds",
        ],
    ),
    point(
        "A4",
        "For numeric values, rows in the densest neighborhood are suppressed, and single rows of \
         a class can be suppressed.",
        &[
            "search/tests/single_rows/mod.rs: the_densest_neighborhood_loses_the_row",
            "search/tests/single_rows/mod.rs: \
             one_row_of_a_class_is_suppressed_where_that_is_enough",
            "search/tests/single_rows/mod.rs: single_rows_are_found_wherever_some_do",
            "indistinct/tests/methods.rs: \
             of_numbers_those_in_the_densest_neighborhood_are_suppressed",
        ],
    ),
    point(
        "A5",
        "A value at a boundary is shown without rounding it across the boundary.",
        &[
            "core/src/principle/entropy_l_diversity.rs: a_boundary_is_shown_as_what_it_is",
            "indistinct/tests/advise.rs: what_is_reached_exactly_is_said_to_be_reached",
            "diagnostics/src/words/numbers.rs: \
             a_level_just_below_the_requirement_is_not_rounded_up_to_it",
            "text/src/advice/findings.rs: limits_are_rounded_to_the_safe_side",
        ],
    ),
    point(
        "A6",
        "`anatomy` supports every principle that merging preserves, including (delta, \
         l)-diversity with a window.",
        &[
            "search/tests/anatomy.rs: the_window_is_served_and_the_definition_is_not",
            "search/tests/anatomy.rs: any_principle_that_merging_keeps_is_served",
            "search/tests/anatomy.rs: proximity_is_refused",
        ],
    ),
    point(
        "B7",
        "`measure` computes noise from the domain, not from the values that occur.",
        &["measure/tests/queries.rs: the_noise_in_a_query_is_its_share_of_the_domain"],
    ),
    point(
        "B8",
        "The attack on the rule of the sweep guesses generalized values and uses published \
         weights.",
        &[
            "attack/tests/sweep_rule.rs: the_sweep_rule_attack_guesses_what_was_generalized",
            "attack/tests/sweep_rule.rs: \
             a_generalized_row_had_a_value_within_one_row_of_the_largest",
            "attack/tests/sweep_rule.rs: weights_alone_settle_a_value",
        ],
    ),
    point(
        "B9",
        "Generalized sensitive values count as a loss, and the certificate states their number \
         and the retained information.",
        &[
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
            "measure/tests/tau_l.rs: generalized_sensitive_values_retain_less",
        ],
    ),
    point(
        "B10",
        "The posterior belief of an adversary with a prior agrees with Theorem 3.1.",
        &[
            "attack/tests/against_oracles.rs: beliefs_from_a_prior_are_those_of_all_worlds",
            "core/tests/beliefs.rs: theorem_3_1_agrees_with_all_worlds",
            "core/src/belief.rs: the_counterexample_of_theorem_5_1",
            "indistinct/tests/attacks.rs: what_a_prior_tells_of_a_class",
        ],
    ),
    point(
        "B11",
        "An adversary who knows implications does not exceed the stated belief.",
        &[
            "attack/tests/implications.rs: the_worst_implications_are_found",
            "attack/tests/implications.rs: implications_reach_over_classes",
            "attack/tests/implications.rs: the_example_of_the_text",
        ],
    ),
    point(
        "B12",
        "`attack` uses the neighborhood of the policy and reports the distribution of the \
         probabilities.",
        &[
            "indistinct/tests/attacks.rs: \
             a_neighborhood_of_the_policy_is_attacked_with_its_own_width",
            "attack/src/distribution.rs: figures_count_as_often_as_they_have_rows",
        ],
    ),
    point(
        "B13",
        "For a perturbation with several principles, each principle states its risk and has a \
         warning.",
        &["indistinct/tests/perturbation.rs: \
           several_principles_state_a_risk_each_and_each_is_warned_of"],
    ),
    point(
        "B14",
        "The statements of a plan about a given person, fewer rows, and a wrong distribution hold \
         for every basis, and no other plan is better.",
        &[
            "linkage/tests/readings.rs: a_given_person_costs_what_is_stated_on_every_basis",
            "linkage/tests/against_brute_force.rs: every_basis_holds",
            "linkage/tests/monte_carlo.rs: a_wrong_distribution_costs_no_more_than_stated",
            "indistinct/tests/planned/making.rs: no_other_p_gives_as_many_classes_with_fewer_rows",
            "cli/tests/cli/planning.rs: a_plan_in_words",
        ],
    ),
    point(
        "B15",
        "A plan from earlier data can be used for data of another year, and a plan from the \
         released table itself causes a warning.",
        &[
            "indistinct/tests/planned/making.rs: \
             a_plan_over_declared_domains_serves_data_of_another_year",
            "indistinct/tests/planned/making.rs: \
             a_plan_made_from_the_table_that_it_releases_is_warned_of",
            "cli/tests/cli/two_hospitals.rs: the_story_of_two_hospitals_is_what_comes_out",
        ],
    ),
    point(
        "B16",
        "Other guarantees for the classes of a plan, and the worst case of linkage, can be \
         requested.",
        &[
            "indistinct/tests/planned/making.rs: other_promises_of_a_plans_classes",
            "linkage/tests/monte_carlo.rs: k_anonymity_of_one_release_and_of_linked_ones",
            "linkage/tests/monte_carlo.rs: entropy_l_diversity_of_one_release_and_of_linked_ones",
            "linkage/tests/against_brute_force.rs: the_worst_case_is_that_of_all_sets",
        ],
    ),
    point(
        "C17",
        "The figures of the papers agree with plain counting, each verdict applies to all seeds, \
         and possible reasons for differences are tested.",
        &[
            "experiments/src/tests.rs: figures_9_and_11_are_what_plain_counting_gives",
            "experiments/src/tests.rs: nothing_changed_gives_figure_9_and_causes_change_it",
            "experiments/src/comparison.rs: a_verdict_on_several_seeds_is_that_of_all",
            "core/tests/kl_divergence.rs: b14_what_is_printed_is_no_distribution",
        ],
    ),
    point(
        "C18",
        "Synthetic tables with the same domains replace unavailable tables of the papers.",
        &[
            "experiments/src/data/salary.rs: a_file_of_incomes_is_read_whatever_its_form",
            "experiments/src/data/lands_end.rs: the_domains_are_those_of_the_text",
            "experiments/src/tests.rs: what_the_texts_do_not_measure_is_measured",
            "experiments/src/delta_l/mod.rs: the_counterexamples_of_the_readings",
        ],
    ),
    point(
        "C19",
        "In addition to definitions of the papers, the following is implemented: neighborhoods \
         for each value, the loss of the (epsilon, m) paper, perturbation for (delta, \
         l)-diversity, nonlinear growth functions, custom weights, and requirements that imply \
         (tau, l)-diversity.",
        &[
            "core/tests/numeric_principles.rs: \
             own_neighborhoods_leave_room_between_what_is_ruled_out_and_what_is_dealt",
            "core/tests/losses.rs: the_loss_of_the_epsilon_m_text_is_loss_with_weights",
            "indistinct/tests/perturbation.rs: delta_l_diversity_is_served_as_what_it_is",
            "core/tests/readings.rs: e5_psi_at_its_ends",
            "core/tests/feasibility.rs: what_guarantees_a_tau_l_diversity_does",
            "experiments/src/tau_l/guarantees.rs: \
             what_is_implied_is_guaranteed_and_nothing_weaker_is",
        ],
    ),
    point(
        "C20",
        "Every reading names an existing test.",
        &[
            "core/tests/readings.rs: every_test_that_the_document_names_exists",
            "core/tests/readings.rs: every_reading_names_its_test",
            "core/tests/readings.rs: e12_the_shares_that_are_printed_of_lost_figures",
        ],
    ),
    point(
        "D21",
        "Values that readers may consider equal are not counted as different without a message: \
         equal numbers are one value, similar texts are one value if the policy requires this, \
         and files that hide the difference are rejected.",
        &[
            "core/src/model/dictionary.rs: a_number_is_one_value_however_it_is_written",
            "core/src/model/dictionary.rs: a_text_is_one_value_whatever_its_case_and_blanks",
            "core/src/model/dictionary.rs: texts_that_look_the_same_are_counted",
            "engine/tests/counting.rs: \
             texts_that_differ_in_case_or_blanks_are_one_value_where_that_is_asked_for",
            "indistinct/tests/odd_releases.rs: \
             spellings_of_a_text_are_one_value_if_the_policy_says_so",
            "engine/src/input/plain.rs: values_of_parquet_that_others_tell_apart_are_found",
            "engine/src/input/plain.rs: empty_cells_of_csv_in_two_ways_are_found",
        ],
    ),
    point(
        "D22",
        "`verify` detects every fact of a certificate that its recomputed values do not support.",
        &[
            "indistinct/tests/methods.rs: no_fact_can_be_changed_or_invented",
            "indistinct/tests/verify_finds.rs: invented_and_repeated_facts_are_found",
            "indistinct/tests/verify_finds.rs: a_certificate_that_says_two_things_at_once_is_none",
            "indistinct/tests/verify_finds.rs: a_certificate_that_claims_anything_else_is_found",
            "release/src/certificate.rs: no_key_is_named_twice_at_any_depth",
            "cli/tests/campaign/main.rs: no_other_number_in_a_certificate_passes",
        ],
    ),
    point(
        "D23",
        "Control characters are displayed instead of sent to the terminal, regardless of their \
         source.",
        &[
            "cli/tests/cli/hostile.rs: a_failing_release_cannot_be_made_to_show_that_it_holds",
            "cli/tests/cli/hostile.rs: names_of_columns_and_paths_are_shown_and_not_obeyed",
            "render/src/terminal.rs: what_a_terminal_obeys_is_shown",
        ],
    ),
    point(
        "D24",
        "An error about a table without a header does not show its rows.",
        &[
            "cli/tests/cli/hostile.rs: a_table_without_a_header_shows_nobody",
            "engine/src/input/header.rs: a_row_is_not_taken_for_a_header",
        ],
    ),
    point(
        "D25",
        "`--force` replaces only releases of Indistinct.",
        &[
            "cli/tests/cli/hostile.rs: force_keeps_folders_of_somebody_else",
            "engine/src/output/tests/directory.rs: only_releases_are_ever_replaced",
            "engine/src/output/tests/directory.rs: \
             a_folder_with_a_file_that_is_not_of_the_release_is_kept",
        ],
    ),
    point(
        "D26",
        "JSON numbers retain their digits.",
        &[
            "engine/src/input/json.rs: a_column_has_a_type_that_changes_none_of_its_numbers",
            "engine/src/input/json.rs: a_number_survives_if_its_digits_do",
        ],
    ),
    point(
        "D27",
        "A ledger does not record a release that fails verification; malicious triggers, \
         unexpected folders, links, and compressed tables are rejected.",
        &[
            "indistinct/tests/verify_finds.rs: a_ledger_records_no_release_that_does_not_verify",
            "ledger/src/tests.rs: a_newer_a_damaged_and_a_read_only_ledger_are_refused",
            "cli/tests/campaign/main.rs: a_release_whose_folder_was_tampered_with_is_not_accepted",
        ],
    ),
    point(
        "D28",
        "The running time is not quadratic in the size of the table, Ctrl-C interrupts every \
         computation, and errors state the exceeded limit.",
        &[
            "report/src/contrast.rs: many_values_are_found_without_looking_through_all_for_each",
            "search/tests/anatomy.rs: many_sensitive_values_take_no_square_of_the_time",
            "cli/tests/cli/hostile.rs: inputs_of_any_size_meet_a_limit_that_is_named",
            "cli/tests/cli/interrupt.rs: commands_that_only_read_end_when_they_are_told_to",
            "indistinct/tests/ledger.rs: who_links_with_recorded_releases_can_stop",
            "indistinct/tests/attacks.rs: every_attack_is_asked_whether_to_go_on",
            "indistinct/tests/stopping/mod.rs: whenever_an_attack_is_stopped_it_answers_nothing",
            "indistinct/tests/stopping/mod.rs: whenever_a_release_is_stopped_none_is_there",
            "indistinct/tests/stopping/mod.rs: whenever_verify_is_stopped_it_answers_nothing",
            "measure/tests/queries.rs: who_waits_for_many_queries_can_stop",
            "measure/tests/classification.rs: a_tree_that_is_stopped_looks_at_no_further_node",
        ],
    ),
    point(
        "D29",
        "Reading an arbitrary file terminates with rows or an error.",
        &[
            "cli/tests/cli/hostile.rs: pipes_and_devices_in_the_place_of_files_are_refused_at_once",
            "engine/src/files.rs: only_regular_files_inside_the_folder_are_opened",
            "engine/src/input/guard.rs: a_panic_is_an_error_and_others_are_not_touched",
            "indistinct/tests/verify_finds.rs: \
             a_hierarchy_that_leads_out_of_the_release_is_refused",
            "indistinct/tests/attacks.rs: a_number_that_no_mapping_can_have_is_found",
            "cli/tests/campaign/main.rs: \
             corrupt_inputs_end_with_an_answer_and_leave_nothing_behind",
        ],
    ),
    point(
        "D30",
        "A full disk, an invalid path, a piped table, an interrupted run, a label that equals a \
         value, and a cell that a spreadsheet would execute are reported.",
        &[
            "cli/tests/cli/hostile.rs: a_full_disk_behind_standard_output_is_an_error",
            "cli/tests/cli/hostile.rs: a_path_that_is_no_text_is_refused_before_any_work",
            "cli/tests/cli/hostile.rs: a_piped_table_is_refused_with_what_to_do",
            "engine/src/output/tests/directory.rs: the_next_release_heals_before_it_starts",
            "core/src/hierarchy/tree.rs: a_leaf_that_is_repeated_must_not_meet_a_label",
            "indistinct/tests/verify_finds.rs: \
             a_release_for_spreadsheets_has_no_cell_that_one_runs",
        ],
    ),
];
