//! The faults, and which of them is seeded.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::gate::words::words;

words! {
    /// One way for the engine to be wrong.
    pub enum Fault {
        // Traps.
        /// An attested refusal beside an allow counts for nothing.
        AttestedRefusalRides = "attested_refusal_rides",
        /// An attested yes counts for any args.
        YesCoversOtherArgs = "yes_covers_other_args",
        /// A surviving ask keeps what was settled before it.
        SettlementSurvivesAsk = "settlement_survives_ask",
        /// A policy's ask in an edit round drops the person's yes.
        PolicyAskDropsYes = "policy_ask_drops_yes",
        /// An approved edit keeps the allower that the policy wrote.
        EditKeepsAllower = "edit_keeps_allower",
        /// Any digest counts as shown.
        AnyDigestIsShown = "any_digest_is_shown",
        /// A rewrite of an edited call runs on the edit's yes.
        RewriteOfEditRuns = "rewrite_of_edit_runs",
        /// Rewritten args are not described again.
        FactsOfOldArgs = "facts_of_old_args",
        /// A cancelled rules seat is one that says nothing.
        AbortedRulesSayNothing = "aborted_rules_say_nothing",
        /// A classifier's ask leaves no cause.
        ClassifierAskLeavesNoCause = "classifier_ask_leaves_no_cause",
        /// Only a caller in auto mode has its asks classified.
        AncestorClassifierUnasked = "ancestor_classifier_unasked",
        /// A guard's allow covers what another guard rewrote.
        AllowCoversOthersRewrite = "allow_covers_others_rewrite",
        /// A shell reader that failed leaves write protection open.
        FailedReaderIsLooser = "failed_reader_is_looser",
        /// A missing judgement is seen before a deny.
        MissingHidesDeny = "missing_hides_deny",
        /// A resumed ticket stays open.
        TicketStaysOpen = "ticket_stays_open",
        /// A changed input is not noticed.
        StaleGoesOn = "stale_goes_on",
        /// The caller's mode alone releases.
        CallerReleasesAlone = "caller_releases_alone",
        /// A release past an unread line does not say so.
        ReleaseHidesUnread = "release_hides_unread",
        // Invariants.
        /// A deny goes on to the next station.
        DenyGoesOn = "deny_goes_on",
        /// Only the first cause of an ask is kept.
        SecondCauseLost = "second_cause_lost",
        /// The stored rule is never barred.
        StoredRuleUnbarred = "stored_rule_unbarred",
        /// The hook's allow is never barred.
        HookAllowUnbarred = "hook_allow_unbarred",
        /// The read-only reader is never barred.
        ReadOnlyUnbarred = "read_only_unbarred",
        /// The sandbox is never barred.
        SandboxUnbarred = "sandbox_unbarred",
        /// Mode `accept_edits` is never barred.
        AcceptEditsUnbarred = "accept_edits_unbarred",
        /// The classifier is never barred.
        ClassifierUnbarred = "classifier_unbarred",
        /// Mode `bypass` is never barred.
        BypassUnbarred = "bypass_unbarred",
        /// Loading a pass forgets what the hooks left standing.
        LoadForgetsHook = "load_forgets_hook",
        /// Misuse leaves a mark.
        MisuseLeavesAMark = "misuse_leaves_a_mark",
        /// A receipt that is delivered twice is a malformed one.
        CopyIsMalformed = "copy_is_malformed",
        /// A failed egress seat is one that says inside.
        EgressFailureIsInside = "egress_failure_is_inside",
        /// A stored rule's deny is the organisation's.
        RuleDenyBlamesOrg = "rule_deny_blames_org",
        /// Edits have no cap.
        EditsUncapped = "edits_uncapped",
        /// A cancelled sandbox admits.
        AbortedSandboxAdmits = "aborted_sandbox_admits",
        /// The lock of an ancestor does not bind.
        AncestorLockIgnored = "ancestor_lock_ignored",
        /// Plan mode of an ancestor does not bind.
        AncestorPlanIgnored = "ancestor_plan_ignored",
        // Seats.
        /// A crashed hook has no opinion.
        HookCrashIsNoOpinion = "hook_crash_is_no_opinion",
        /// An undescribed call shows no content.
        DescribeFailureShowsNothing = "describe_failure_shows_nothing",
        /// A crashed policy allows.
        PolicyCrashAllows = "policy_crash_allows",
        /// A crashed probe says reversible.
        ProbeCrashIsReversible = "probe_crash_is_reversible",
        /// A crashed write judge says none.
        WriteJudgeCrashIsNone = "write_judge_crash_is_none",
        /// A crashed organisation's layer says none.
        OrgCrashIsNone = "org_crash_is_none",
        /// Unreadable rules leave no cause.
        RulesCrashIsNone = "rules_crash_is_none",
        /// A crashed classifier allows.
        ClassifierCrashAllows = "classifier_crash_allows",
        /// A crashed sandbox admits.
        SandboxCrashAdmits = "sandbox_crash_admits",
        /// A crashed presenter has shown.
        PresentCrashIsShown = "present_crash_is_shown",
        /// A failed park is forgotten.
        ParkFailureForgotten = "park_failure_forgotten",
        /// A crashed resolver is nobody.
        ResolverCrashIsNobody = "resolver_crash_is_nobody",
        /// A failed seat is told to nobody.
        SeatFailureUntold = "seat_failure_untold",
        // Folds.
        /// An ask of the first screening is lost in the second.
        FirstScreeningAskLost = "first_screening_ask_lost",
        /// Of two different rewrites the first is taken.
        FirstRewriteWins = "first_rewrite_wins",
        /// A hook that says something unknown has no opinion.
        OutOfContractIsNoOpinion = "out_of_contract_is_no_opinion",
        /// Two receipts that differ count as the first.
        FirstReceiptWins = "first_receipt_wins",
        /// An observer's deny counts.
        ObserverDenies = "observer_denies",
        /// Denies and asks of the original form are not seen.
        OriginalFormUnseen = "original_form_unseen",
        /// An allow holds if it holds for the caller.
        CallerAllowsForAll = "caller_allows_for_all",
        /// An allow that nobody stated is stated.
        UnstatedIsStated = "unstated_is_stated",
        /// The ask is owed to the last in precedence.
        OriginIsTheLast = "origin_is_the_last",
        /// The allow layer asks the hook before the stored rule.
        HookBeforeStoredRule = "hook_before_stored_rule",
        /// A call that nobody stated is let through whatever the host said.
        UnstatedLetThrough = "unstated_let_through",
        /// The denial limit is not kept.
        DenialLimitIgnored = "denial_limit_ignored",
        /// Mode `dont_ask` of an ancestor does not bind.
        AncestorDontAskIgnored = "ancestor_dont_ask_ignored",
        // Ledger, attestations, mint, exits.
        /// The first settlement wins.
        FirstSettlementWins = "first_settlement_wins",
        /// A veto drops the yes.
        VetoLosesYes = "veto_loses_yes",
        /// An attestation can be looked up twice.
        AttestationReused = "attestation_reused",
        /// An attestation of another call counts.
        ForeignAttestationCounts = "foreign_attestation_counts",
        /// The mint lets a settled refusal stand beside another layer.
        MintTakesRefusalBesideLayer = "mint_takes_refusal_beside_layer",
        /// The mint lets a yes stand beside a layer that cannot veto.
        MintTakesYesBesideNonVeto = "mint_takes_yes_beside_non_veto",
        /// An edited call's protected target is only a cause.
        EditedTargetUnjudged = "edited_target_unjudged",
        /// A hook's own deny is told to the deny observer.
        HookDenyIsTold = "hook_deny_is_told",
        /// The engine's fail-closed exit is told to nobody.
        FailClosedIsSilent = "fail_closed_is_silent",
        /// An ask's card wins over that of a refusal.
        AskCardWins = "ask_card_wins",
        /// The offer rides beside other objections.
        OfferRidesAlong = "offer_rides_along",
        /// The leg's mark is added twice.
        MarkTwice = "mark_twice",
        /// The record says that what was asked for runs.
        RecordRunsWhatWasAsked = "record_runs_what_was_asked",
        /// The mint takes an origin without a settlement.
        MintTakesOriginAlone = "mint_takes_origin_alone",
        /// The mint takes an allow that names a refuser.
        MintTakesRefuserOnAllow = "mint_takes_refuser_on_allow",
        /// The mint takes a cause beside an allow.
        MintTakesCauseOnAllow = "mint_takes_cause_on_allow",
        /// The mint takes a release beside a deny.
        MintTakesReleaseOnDeny = "mint_takes_release_on_deny",
        /// The mint takes a card of the mode beside another refuser.
        MintTakesCardOfAnother = "mint_takes_card_of_another",
        /// The mint makes a defect a deny by the engine.
        DefectIsADeny = "defect_is_a_deny",
        /// The mint puts a deny that names no refuser on the policy.
        NobodysDenyIsThePolicys = "nobodys_deny_is_the_policys",
        /// An outcome that is read back is not screened for what was settled.
        ReadBackUnscreened = "read_back_unscreened",
        // Invariants that no table holds alone.
        /// Args keep the order that their keys came in.
        KeysKeepTheirOrder = "keys_keep_their_order",
        /// A block of the classifier leaves a cause.
        BlockLeavesACause = "block_leaves_a_cause",
        /// A classifier round that allowed is not on record.
        RoundForDeniesAlone = "round_for_denies_alone",
        /// What the policy attests in an edit round is not read.
        EditRoundReadsNothing = "edit_round_reads_nothing",
        /// An id that is in no book attests a yes.
        UnknownIdCounts = "unknown_id_counts",
        /// A resolver is believed on what it shows, whatever it attests.
        ShownOutranksAttested = "shown_outranks_attested",
        /// An inherited round is on record for denies alone.
        InheritedRoundForDeniesAlone = "inherited_round_for_denies_alone",
        /// A hook without an opinion allows.
        SilenceAllows = "silence_allows",
        /// An edited call is screened by hooks that nobody declared.
        EditIsScreenedByAnybody = "edit_is_screened_by_anybody",
        /// The rules are asked before the organisation.
        RulesBeforeOrg = "rules_before_org",
        /// The policy is shown the model's args, whatever a hook rewrote.
        PolicySeesTheModelsArgs = "policy_sees_the_models_args",
        /// A hook's ask counts as its allow.
        HookAskIsAllow = "hook_ask_is_allow",
        /// What is asked about leaves the card of an outright refusal.
        FindingIsARefusals = "finding_is_a_refusals",
        /// Mode `accept_edits` takes a write that was not placed.
        UnplacedWriteIsAccepted = "unplaced_write_is_accepted",
        /// Any write that was not placed is put on `cp`.
        UnplacedWriteBlamesCp = "unplaced_write_blames_cp",
        /// A policy's ask is owed to whomever its words name.
        OriginReadFromText = "origin_read_from_text",
        /// Of two judges of a target the laxer one counts.
        LaxerJudgeCounts = "laxer_judge_counts",
        /// An approval runs the model's args, whatever rewrote them.
        ApprovalRunsTheModelsArgs = "approval_runs_the_models_args",
        /// An ask that nobody can be asked about comes to the exit.
        AskReachesTheExit = "ask_reaches_the_exit",
        /// A stated allow is put down as a yes.
        StatedIsSettled = "stated_is_settled",
        /// A rewrite that cannot be read is none.
        UnreadableRewriteIsNone = "unreadable_rewrite_is_none",
        /// The record of an open pass says allow until somebody objects.
        OpenPassIsAnAllow = "open_pass_is_an_allow",
        /// About an edited call nobody is asked.
        EditedCallAsksNobody = "edited_call_asks_nobody",
        // Tables.
        /// A hook's allow is written before anybody else has judged.
        HookAllowsEarly = "hook_allows_early",
        /// The sandbox takes in what cannot be undone.
        UndoableIsSandboxed = "undoable_is_sandboxed",
        /// A question names the current form alone.
        OtherFormUnnamed = "other_form_unnamed",
        /// A failed seat is told to the deny observer.
        SeatFailureToldToObserver = "seat_failure_told_to_observer",
        /// A deny of the organisation is written where the rules are asked.
        OrgDeniesAtRules = "org_denies_at_rules",
        /// The mint takes a settlement that contradicts itself.
        MintTakesContradictions = "mint_takes_contradictions",
        /// The probe is asked after the egress seat.
        EgressBeforeProbe = "egress_before_probe",
        /// A read that was not judged is a clean one.
        DeclinedReadIsClean = "declined_read_is_clean",
        /// An edited call is parked as a standing ask.
        EditParksAsStanding = "edit_parks_as_standing",
        /// An inherited round is not handed on.
        InheritedRoundEndsHere = "inherited_round_ends_here",
        /// A resumed pass keeps the book that it was begun with.
        BookStaysAsBegun = "book_stays_as_begun",
        /// A resumed pass keeps the wiring that it was begun with.
        WiringStaysAsBegun = "wiring_stays_as_begun",
    }
}

/// What stands for no fault.
const NONE: u32 = u32::MAX;

static SEEDED: AtomicU32 = AtomicU32::new(NONE);

/// Seeds this fault, or none, for every pass of the process from now on.
pub fn seed(fault: Option<Fault>) {
    let number = fault.map_or(NONE, number);
    SEEDED.store(number, Ordering::SeqCst);
}

pub(crate) fn is_seeded(fault: Fault) -> bool {
    SEEDED.load(Ordering::SeqCst) == number(fault)
}

#[allow(clippy::as_conversions, reason = "an enum without fields is its place")]
const fn number(fault: Fault) -> u32 {
    fault as u32
}
