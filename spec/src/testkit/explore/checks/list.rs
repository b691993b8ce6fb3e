//! The list: one line an invariant and checker.

use super::How::{Answer, Elsewhere, End, Sometimes, Stop, Trace, Walk};
use super::{Check, How, answers, decided, ends, stops, traces};

const fn check(id: &'static str, how: How) -> Check {
    Check { id, how }
}

/// Every invariant with its checkers, in the order of the ids.
pub const CHECKS: &[Check] = &[
    check("GATE-001", End(ends::there_is_one_outcome)),
    check("GATE-001", Walk),
    check("GATE-002", Trace(traces::after_a_deny_comes_the_exit)),
    check(
        "GATE-002",
        Answer(answers::a_deny_of_any_form_and_member_counts),
    ),
    check("GATE-003", Elsewhere("nothing_loosens")),
    check("GATE-004", End(decided::whoever_answered_is_not_barred)),
    check("GATE-004", Stop(stops::nobody_who_is_barred_is_asked)),
    check("GATE-005", End(ends::what_ran_was_judged)),
    check("GATE-005", End(ends::the_yes_was_given_for_what_ran)),
    check("GATE-006", Walk),
    check("GATE-006", Elsewhere("saving_and_loading_changes_nothing")),
    check("GATE-007", Walk),
    check("GATE-008", Walk),
    check(
        "GATE-008",
        Elsewhere("the_same_answers_give_the_same_bytes"),
    ),
    check(
        "GATE-009",
        Elsewhere("a_failed_seat_is_never_looser_than_an_answer"),
    ),
    check("GATE-010", End(decided::the_refuser_may_refuse_there)),
    check("GATE-010", Trace(traces::the_allower_may_allow_there)),
    check("GATE-011", Walk),
    check("GATE-011", Elsewhere("questions_are_bounded")),
    check("GATE-012", Walk),
    check(
        "GATE-012",
        Elsewhere("neither_the_order_of_arrival_nor_a_second_delivery_changes_anything"),
    ),
    check(
        "GATE-013",
        Elsewhere("a_child_is_never_wider_than_its_ancestor"),
    ),
    check("GATE-014", Elsewhere("the_reduced_bound_is_explored_whole")),
    check(
        "GATE-015",
        Answer(answers::an_aborted_pass_is_over_and_does_not_run),
    ),
    check("GATE-016", End(ends::settlement_and_origin_stand_together)),
    check(
        "GATE-017",
        End(ends::the_origin_is_that_of_the_ask_that_was_resolved),
    ),
    check("GATE-018", End(ends::the_mint_accepts_what_is_on_record)),
    check("GATE-019", End(ends::a_cause_stands_beside_a_refuser)),
    check(
        "GATE-020",
        Answer(answers::a_cause_is_of_a_round_without_a_ruling),
    ),
    check("GATE-021", End(ends::what_was_settled_is_on_record)),
    check("GATE-022", End(ends::an_overridden_yes_is_on_record)),
    check("GATE-023", End(ends::a_named_round_is_on_record)),
    check("GATE-024", End(ends::a_release_stands_beside_no_refuser)),
    check("GATE-025", End(ends::a_refusal_card_is_the_modes)),
    check("GATE-026", Walk),
    check("GATE-027", End(ends::nobody_asked_and_nothing_settled)),
    check(
        "GATE-028",
        Elsewhere("from_decision_reads_an_attestation_as_its_row_says_whatever_was_settled_before"),
    ),
    check(
        "GATE-029",
        Elsewhere("an_id_that_is_in_no_book_counts_for_nothing"),
    ),
    check("GATE-030", End(ends::an_overridden_yes_is_on_record)),
    check(
        "GATE-030",
        Answer(answers::a_veto_over_an_attested_yes_keeps_it),
    ),
    check(
        "GATE-031",
        Elsewhere("every_sequence_of_ledger_operations_ends_where_the_table_leads"),
    ),
    check("GATE-032", End(ends::what_was_settled_is_of_the_last_ask)),
    check(
        "GATE-033",
        Answer(answers::an_attested_refusal_outranks_what_is_shown),
    ),
    check(
        "GATE-034",
        Answer(answers::a_resolved_ask_is_under_its_own_origin),
    ),
    check("GATE-035", End(ends::an_inherited_round_is_on_record)),
    check(
        "GATE-036",
        Elsewhere("an_attested_yes_counts_only_for_the_same_call_tool_and_args"),
    ),
    check(
        "GATE-037",
        Elsewhere("notices_carry_the_args_of_their_own_moment"),
    ),
    check(
        "GATE-038",
        Answer(answers::an_edit_is_screened_as_the_call_was),
    ),
    check(
        "GATE-039",
        Answer(answers::a_screening_ends_as_its_row_says),
    ),
    check("GATE-040", Answer(answers::silent_hooks_refuse_nothing)),
    check(
        "GATE-041",
        Answer(answers::a_timeout_is_told_and_an_abort_is_not),
    ),
    check("GATE-042", End(ends::the_legs_mark_stands_once)),
    check("GATE-042", Stop(stops::the_legs_mark_stands_once)),
    check(
        "GATE-043",
        Answer(answers::a_screening_ends_as_its_row_says),
    ),
    check("GATE-043", End(decided::the_exit_is_the_tables)),
    check(
        "GATE-044",
        Elsewhere("what_was_read_at_entry_is_the_same_at_every_question"),
    ),
    check(
        "GATE-045",
        Elsewhere("an_observer_counts_for_nothing_whatever_it_says_or_however_it_fails"),
    ),
    check(
        "GATE-046",
        Stop(stops::no_hook_is_asked_that_is_not_declared),
    ),
    check("GATE-046", Stop(stops::an_unwired_seat_is_not_asked)),
    check(
        "GATE-047",
        Answer(answers::the_organisation_follows_the_last_tighten),
    ),
    check(
        "GATE-048",
        Answer(answers::whoever_follows_a_rewrite_is_asked_about_it),
    ),
    check("GATE-049", Stop(stops::a_guards_ask_is_a_cause)),
    check("GATE-050", End(decided::a_hooks_allow_covers_what_ran)),
    check("GATE-051", End(decided::a_hooks_allow_covers_what_ran)),
    check("GATE-052", End(ends::a_failed_park_is_named)),
    check("GATE-053", Walk),
    check("GATE-053", Trace(traces::a_refuser_is_written_once)),
    check(
        "GATE-054",
        Elsewhere("every_table_and_the_engine_agree_at_every_point"),
    ),
    check("GATE-055", End(ends::the_card_of_a_refusal_is_the_readers)),
    check("GATE-056", End(ends::no_card_stands_on_an_allow)),
    check("GATE-057", End(decided::accept_edits_accepts_placed_writes)),
    check(
        "GATE-058",
        Elsewhere("the_program_whose_options_kept_writes_unplaced_is_named_where_nobody_answers"),
    ),
    check(
        "GATE-059",
        Answer(answers::a_tighten_objects_whatever_stands),
    ),
    check(
        "GATE-060",
        Elsewhere("a_policy_that_writes_safety_on_its_ask_reads_as_policy"),
    ),
    check("GATE-060", End(decided::the_origin_is_the_tables)),
    check("GATE-061", End(decided::whoever_answered_is_not_barred)),
    check("GATE-062", End(decided::whoever_answered_is_not_barred)),
    check(
        "GATE-063",
        End(decided::a_release_past_an_unread_read_says_so),
    ),
    check("GATE-064", Stop(stops::an_offer_rides_alone)),
    check("GATE-065", End(decided::whoever_answered_is_not_barred)),
    check("GATE-066", End(decided::whoever_answered_is_not_barred)),
    check("GATE-067", Stop(stops::a_target_is_judged_once)),
    check("GATE-068", End(ends::what_ran_was_judged)),
    check("GATE-069", End(decided::the_exit_is_the_tables)),
    check("GATE-070", End(decided::the_exit_is_the_tables)),
    check("GATE-071", End(ends::no_ask_stands_at_the_exit)),
    check("GATE-071", Stop(stops::an_ask_is_parked_at_its_site)),
    check("GATE-072", Sometimes(ends::a_yes_is_vetoed)),
    check(
        "GATE-073",
        Sometimes(answers::an_attested_refusal_refuses_an_allow),
    ),
    check(
        "GATE-074",
        Sometimes(answers::a_second_screening_drops_an_allow),
    ),
    check("GATE-075", Sometimes(answers::an_edit_is_asked_about_again)),
    check("GATE-076", Sometimes(ends::a_resumed_pass_runs)),
    check(
        "GATE-077",
        Elsewhere("an_outcome_read_back_goes_through_the_mint"),
    ),
    check("GATE-078", End(ends::all_accounts_are_of_one_outcome)),
    check("GATE-079", End(ends::nobody_asked_and_nothing_settled)),
    check(
        "GATE-080",
        Answer(answers::a_screening_ends_as_its_row_says),
    ),
    check("GATE-081", Answer(answers::a_failed_hook_is_named)),
    check("GATE-082", Stop(stops::a_record_stands_at_every_question)),
    check("GATE-083", Stop(stops::the_policy_is_the_one_of_the_input)),
    check("GATE-084", End(ends::nobody_to_ask_only_if_nobody_is_wired)),
    check("GATE-085", End(ends::the_card_of_a_refusal_is_the_readers)),
];
