//! What the tables say of a decision: who may have made it, and by which exit it leaves.

use gatefold::gate::{AllowedBy, Automatic, NoticeWord, ReleasingMode, ToolKind};

use super::super::edge::{Edge, End};
use super::super::judge::{answerer, releases};

/// Neither the automatic answerer that allowed nor, behind a release, the mode of any member.
pub(super) fn whoever_answered_is_not_barred(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let mut barred = Automatic::ALL.to_vec();
    barred.retain(|answerer| edge.bench.bars(edge.causes(), *answerer));
    let free =
        |answerer: Option<Automatic>| answerer.is_some_and(|answerer| !barred.contains(&answerer));
    match end.fields.allowed_by {
        Some(AllowedBy::Mode) => {
            let mut members = edge.world.input.members().iter();
            members.all(|member| free(releases(member.mode)))
        }
        Some(by) => answerer(by).is_none_or(|answerer| free(Some(answerer))),
        None => true,
    }
}

pub(super) fn the_refuser_may_refuse_there(edge: &Edge<'_>, end: &End<'_>) -> bool {
    match (end.fields.denied_by, end.finished.denied_at()) {
        (Some(by), Some(at)) => edge.bench.refuses(by, at),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The exit, whether the deny observer is told, once, and who every notice is for.
pub(super) fn the_exit_is_the_tables(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let finished = end.finished;
    let (by, at, round) = (end.fields.denied_by, finished.denied_at(), finished.round());
    let Some((exit, tells)) = edge.bench.exit(by, at, round) else {
        return false;
    };
    let notices = finished.notices();
    let told = notices
        .iter()
        .filter(|notice| notice.notice == NoticeWord::PermissionDenied);
    let audiences = notices
        .iter()
        .all(|notice| edge.bench.audience(notice.notice) == Some(notice.audience.word()));
    finished.exit().word() == exit && told.count() == usize::from(tells) && audiences
}

/// Every objection stands where its cause is written, and the ask is owed to whom the table says.
pub(super) fn the_origin_is_the_tables(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let Some(asked) = &end.fields.asked else {
        return edge.bench.origin(std::iter::empty()).is_none();
    };
    let stations = asked.askers.iter().all(|asker| {
        edge.bench.count_cause(asker.cause);
        edge.bench.judge.writes(asker.cause) == Some(asker.station)
    });
    let causes = asked.askers.iter().map(|asker| asker.cause);
    stations && edge.bench.origin(causes) == asked.origin
}

pub(super) fn a_hooks_allow_covers_what_ran(edge: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.allowed_by != Some(AllowedBy::Hook)
        || (edge.monitor.covered.is_some() && edge.monitor.covered == end.fields.digests.runs)
}

pub(super) fn accept_edits_accepts_placed_writes(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let facts = edge.monitor.facts;
    let placed = (facts.kind == ToolKind::Edit && facts.edits_in_roots)
        || (facts.file_command && edge.monitor.placed);
    let accepts = end.fields.released.map(|released| released.mode);
    accepts != Some(ReleasingMode::AcceptEdits) || placed
}

pub(super) fn a_release_past_an_unread_read_says_so(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let released = end.fields.released;
    released.is_none_or(|released| released.past_read_deny == edge.monitor.unread)
}
