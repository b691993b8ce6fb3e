//! What came of a case, in one line.

use gatefold::gate::*;

use crate::case::{Case, disposition};

/// Who decided, and what was settled: `deny org; yes by person, owed to policy`.
pub fn story(finished: &Finished) -> String {
    let mut story = disposition(finished);
    if let Some(settled) = &finished.record().fields().settled {
        story.push_str(&format!("; {}", settled.answer));
        match settled.why {
            Some(why) => story.push_str(&format!(": {why}")),
            None => story.push_str(&format!(" by {}", settled.by)),
        }
        if settled.edited {
            story.push_str(", edited");
        }
        let origin = settled.origin.map_or("nobody", AskOrigin::word);
        story.push_str(&format!(", owed to {origin}"));
    }
    story
}

/// The story of a case that ends.
pub fn ends(case: &Case) -> String {
    story(&case.finish())
}

/// How often others are told this.
pub fn times(finished: &Finished, word: NoticeWord) -> usize {
    let told = finished.notices().iter();
    told.filter(|notice| notice.notice == word).count()
}

/// The args that run, as text.
pub fn runs(finished: &Finished) -> Option<&str> {
    finished.args_to_run().map(Args::as_str)
}

/// The rows of a table in text: words between blanks, one row a line.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = table.lines().map(|line| line.split_ascii_whitespace());
    rows.map(Iterator::collect)
        .filter(|row: &Vec<_>| !row.is_empty())
}

/// The questions to the policy, in order.
pub fn adjudications(asked: &[Question]) -> impl Iterator<Item = &JudgeQuestion> {
    asked.iter().filter_map(|question| {
        if let Question::Adjudicate(question) = question {
            return Some(question);
        }
        None
    })
}

/// The questions whether to park, in order.
pub fn parks(asked: &[Question]) -> impl Iterator<Item = &ParkQuestion> {
    asked.iter().filter_map(|question| {
        if let Question::Park(question) = question {
            return Some(question);
        }
        None
    })
}

/// The questions to whoever can be asked, in order.
pub fn resolutions(asked: &[Question]) -> impl Iterator<Item = &ResolveQuestion> {
    asked.iter().filter_map(|question| {
        if let Question::Resolve(question) = question {
            return Some(question);
        }
        None
    })
}
