//! Judging a call by the rules of one seat: deny before ask before allow, whatever their order.

use gatefold::gate::{Basis, Text};

use super::files::Use;
use super::mcp::CallName;
use super::path_rules::{Ground, PathBearing};
use super::paths::World;
use super::rules::{Effect, Pattern, Rule, RulePlace};
use std::collections::{BTreeMap, BTreeSet};

use super::shell::{
    Bearing, COMPARISONS_MAX, Line, Places, Programs, ShellPattern, Tokens, Unreadable,
};
use super::tools;

/// What a layer says of a call, and the rule that says it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) effect: Effect,
    pub(crate) reason: Option<Text>,
    pub(crate) basis: Basis,
}

/// How one rule bears on a call.
enum Match {
    /// Its effect holds.
    Sure { part: String },
    /// It is a deny or ask that may be about this call: an ask.
    Possible {
        part: Option<String>,
        why: String,
        /// Its words stand in the call, so it is told of before others.
        named: bool,
    },
}

/// The command line of a call, searched for what the rules of a layer name.
struct Searched<'a> {
    line: &'a Line,
    /// Each command of it.
    places: Vec<Places<'a>>,
    /// The programs of rules that stand in any of them.
    programs: BTreeSet<String>,
    /// The words of a line that cannot be read.
    tokens: Tokens,
    spent: usize,
}

impl<'a> Searched<'a> {
    fn new(line: &'a Line, programs: &Programs) -> Self {
        let mut spent = 0;
        let mut places = Vec::new();
        let mut found = BTreeSet::new();
        if !programs.is_empty() {
            for command in &line.commands {
                let place = Places::find(command, programs, spent);
                spent = place.spent();
                found.extend(place.programs().map(str::to_owned));
                places.push(place);
            }
        }
        let unreadable = line.unreadable.as_ref().filter(|_| !programs.is_empty());
        Self {
            line,
            places,
            programs: found,
            tokens: unreadable.map_or_else(Tokens::default, Unreadable::tokens),
            spent,
        }
    }

    /// What a rule that could apply makes of a line that cannot be read.
    fn unreadable(&self) -> Option<Match> {
        let unreadable = self.line.unreadable.as_ref()?;
        Some(Match::Possible {
            part: unreadable.part.clone(),
            why: format!("the line cannot be read: {}", unreadable.why),
            named: false,
        })
    }

    /// How a deny or ask bears on the line: surely, if on any of its commands.
    fn bearing(&mut self, pattern: &ShellPattern) -> Option<Match> {
        let mut possible = None;
        let is_whole = self.places.iter().all(|place| place.is_whole);
        if self.programs.contains(pattern.program()) || !is_whole {
            for place in &mut self.places {
                place.resume(self.spent.saturating_add(1));
                let bearing = pattern.bears_on(place);
                self.spent = place.spent();
                match bearing {
                    Some(Bearing::Covers { part }) => return Some(Match::Sure { part }),
                    Some(Bearing::MayCover { part, why }) => {
                        possible.get_or_insert(Match::Possible {
                            part,
                            why: why.into(),
                            named: true,
                        });
                    }
                    None => {}
                }
            }
        }
        // A line that cannot be read meets a rule that could apply.
        let unreadable = self.line.unreadable.as_ref();
        possible.or_else(|| {
            unreadable.map(|unreadable| Match::Possible {
                part: unreadable.part.clone(),
                why: format!("the line cannot be read: {}", unreadable.why),
                named: pattern.is_named_in(&self.tokens),
            })
        })
    }
}

/// Which commands of a line are allowed, and by which rule.
struct Allowed<'a> {
    line: &'a Line,
    /// Whether each file that the shell itself opens is allowed.
    files: Vec<(&'a Use, bool)>,
    /// No file is opened by a word that is not known.
    is_known: bool,
    /// For each command the first rule that covers it, and how many words such rules name at most.
    rules: Vec<Option<(&'a Rule, usize)>>,
    spent: usize,
}

impl<'a> Allowed<'a> {
    fn new(line: &'a Line, ground: Ground<'a>) -> Self {
        let files = ground.files.uses.iter();
        let files = files.filter(|of| of.redirected && !of.place.device);
        let is_known = ground.files.vague.iter().all(|vague| !vague.redirected);
        Self {
            line,
            files: files.map(|of| (of, false)).collect(),
            is_known,
            rules: vec![None; line.commands.len()],
            spent: 0,
        }
    }

    /// Looks up each command among the allows of a set.
    fn add(&mut self, set: &'a RuleSet, call: &CallName) {
        for (command, kept) in self.line.commands.iter().zip(&mut self.rules) {
            let rules = set.allows.get(command.first());
            for index in rules.into_iter().flatten() {
                self.spent = self.spent.saturating_add(1);
                if self.spent > COMPARISONS_MAX {
                    return;
                }
                let Some(rule) = set.rules.get(*index) else {
                    continue;
                };
                let Pattern::Shell { tool, words } = &rule.pattern else {
                    continue;
                };
                if tools::is_named(tool, &call.tool, false) && words.allows(command) {
                    let named = words.words().len();
                    let (first, most) = kept.unwrap_or((rule, named));
                    *kept = Some((first, most.max(named)));
                }
            }
        }
    }

    /// Looks up each file that the shell opens among the allows of a set.
    fn add_files(&mut self, set: &'a RuleSet, world: &World, spent: &mut usize) {
        for (of, is_allowed) in &mut self.files {
            *is_allowed = *is_allowed || set.allows_file(of, world, spent);
        }
    }

    /// The rule behind an allow of the whole line: every command of it is allowed, or changes
    /// nothing, or is named as a part of one that is allowed.
    fn whole(&self) -> Option<&'a Rule> {
        let is_open = self.files.iter().all(|(_, is_allowed)| *is_allowed);
        if self.line.unreadable.is_some() || !self.is_known || !is_open {
            return None;
        }
        // The whole line as written is its first command: no allow of a part stands for it.
        self.rules.first().copied().flatten()?;
        let mut first = None;
        for (command, rule) in self.line.commands.iter().zip(&self.rules) {
            let carrier = command.carried.and_then(|carried| {
                let (_, named) = self.rules.get(carried.by).copied().flatten()?;
                Some(carried.same || carried.word.is_some_and(|word| named > word))
            });
            match rule {
                Some((rule, _)) => {
                    first.get_or_insert(*rule);
                }
                None if command.silent || carrier == Some(true) => {}
                None => return None,
            }
        }
        first
    }
}

/// The rules of one seat: those for all, or those of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleSet {
    rules: Vec<Rule>,
    programs: Programs,
    /// The allows of shell lines by their first words.
    allows: BTreeMap<String, Vec<usize>>,
    /// The allows of paths.
    paths: Vec<usize>,
}

impl RuleSet {
    pub(crate) fn push(&mut self, rule: Rule) {
        if let Pattern::Shell { words, .. } = &rule.pattern {
            if rule.effect.refuses() {
                self.programs.add(words);
            } else {
                let first = words.words().first().cloned().unwrap_or_default();
                self.allows.entry(first).or_default().push(self.rules.len());
            }
        }
        if matches!(rule.pattern, Pattern::Path { .. }) && !rule.effect.refuses() {
            self.paths.push(self.rules.len());
        }
        self.rules.push(rule);
    }

    /// Whether an allow of a path covers a file.
    pub(crate) fn allows_file(&self, of: &Use, world: &World, spent: &mut usize) -> bool {
        let mut rules = self.paths.iter().filter_map(|index| self.rules.get(*index));
        rules.any(|rule| match &rule.pattern {
            Pattern::Path { path, .. } => path.covers(rule.place.file.as_deref(), of, world, spent),
            Pattern::Tool(_) | Pattern::Shell { .. } | Pattern::Mcp(_) => false,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// What these rules say of the call: all of them together, the first set first.
pub(crate) fn judge<'a>(
    sets: impl IntoIterator<Item = &'a RuleSet>,
    call: &CallName,
    line: Option<&Line>,
    ground: Ground<'_>,
) -> Option<Said> {
    let mut ask: Option<(u8, Said)> = None;
    let mut allow = None;
    let mut allowed = line.map(|line| Allowed::new(line, ground));
    let mut steps = 0;
    for set in sets {
        let mut line = line.map(|line| Searched::new(line, &set.programs));
        // A server may give its tool the name of another: no allow of that name covers it.
        if let Some(allowed) = allowed.as_mut().filter(|_| call.mcp.is_none()) {
            allowed.add(set, call);
            allowed.add_files(set, ground.world, &mut steps);
        }
        for rule in &set.rules {
            let bearing = rule
                .bears_on(call, line.as_mut())
                .or_else(|| rule.bears_on_files(call, line.as_ref(), ground, &mut steps));
            match (rule.effect, bearing) {
                (Effect::Deny, Some(Match::Sure { part })) => {
                    return Some(rule.says(Effect::Deny, Some(part), None));
                }
                (Effect::Allow, Some(Match::Sure { part })) => {
                    allow.get_or_insert_with(|| rule.says(Effect::Allow, Some(part), None));
                }
                // No rule may cover a call possibly and allow it.
                (_, None) | (Effect::Allow, Some(Match::Possible { .. })) => {}
                (Effect::Ask, Some(Match::Sure { part })) => {
                    keep(&mut ask, 0, || rule.says(Effect::Ask, Some(part), None));
                }
                (
                    effect @ (Effect::Deny | Effect::Ask),
                    Some(Match::Possible { part, why, named }),
                ) => {
                    let rank = match (named, effect) {
                        (true, Effect::Deny) => 1,
                        (true, Effect::Ask | Effect::Allow) => 2,
                        (false, Effect::Deny) => 3,
                        (false, Effect::Ask | Effect::Allow) => 4,
                    };
                    keep(&mut ask, rank, || {
                        rule.says(Effect::Ask, part, Some((why, named)))
                    });
                }
            }
        }
    }
    let line = || {
        let rule = allowed.as_ref()?.whole()?;
        let part = match &rule.pattern {
            Pattern::Shell { words, .. } => Some(words.part()),
            Pattern::Tool(_) | Pattern::Mcp(_) | Pattern::Path { .. } => None,
        };
        Some(rule.says(Effect::Allow, part, None))
    };
    ask.map(|(_, said)| said).or(allow).or_else(line)
}

/// Keeps the ask of the lowest rank, and the first of these: an ask rule itself is surer than a
/// deny that may apply, and that weighs more than an ask that may.
fn keep(ask: &mut Option<(u8, Said)>, rank: u8, said: impl FnOnce() -> Said) {
    if ask.as_ref().is_none_or(|(kept, _)| rank < *kept) {
        *ask = Some((rank, said()));
    }
}

impl Rule {
    fn bears_on(&self, call: &CallName, line: Option<&mut Searched<'_>>) -> Option<Match> {
        let refuses = self.effect.refuses();
        let is_named = |tool| tools::is_named(tool, &call.tool, refuses);
        match &self.pattern {
            // A server may give its tool the name of another: no allow of that name covers it.
            Pattern::Tool(tool) if is_named(tool) && (refuses || call.mcp.is_none()) => {
                let part = call.tool.clone();
                Some(Match::Sure { part })
            }
            Pattern::Mcp(pattern) if refuses => pattern.may_cover(call).then(|| sure_of(call)),
            Pattern::Mcp(pattern) => pattern.surely_covers(call).then(|| sure_of(call)),
            // An allow covers a line together with others.
            Pattern::Shell { tool, words } if refuses && is_named(tool) => line?.bearing(words),
            Pattern::Tool(_) | Pattern::Shell { .. } | Pattern::Path { .. } => None,
        }
    }

    /// How a rule about paths bears on the files of a call.
    fn bears_on_files(
        &self,
        call: &CallName,
        line: Option<&Searched<'_>>,
        ground: Ground<'_>,
        steps: &mut usize,
    ) -> Option<Match> {
        let Pattern::Path { path, .. } = &self.pattern else {
            return None;
        };
        let file = self.place.file.as_deref();
        if !self.effect.refuses() {
            let covers =
                call.mcp.is_none() && line.is_none() && path.covers_all(file, ground, steps);
            let part = ground.files.uses.first().map(|of| of.place.text.clone());
            return part.filter(|_| covers).map(|part| Match::Sure { part });
        }
        match path.bears_on(file, ground, steps) {
            Some(PathBearing::Covers { part }) => Some(Match::Sure { part }),
            Some(PathBearing::MayCover { part, why }) => Some(Match::Possible {
                part: Some(part),
                why: why.into(),
                named: true,
            }),
            // A line that cannot be read meets a rule that could apply.
            None => line?.unreadable(),
        }
    }

    /// What this rule says; what makes it possible only, and whether the call names its words.
    fn says(&self, effect: Effect, part: Option<String>, why: Option<(String, bool)>) -> Said {
        let RulePlace {
            layer,
            file,
            agent,
            index,
        } = &self.place;
        let list = match agent {
            None => Text::new(self.effect.word()),
            Some(agent) => Text::from(format!("agents.{agent}.{}", self.effect.word())),
        };
        let reason = match (why, &self.why) {
            (None, why) => why.clone(),
            (Some((why, true)), Some(author)) => Some(Text::from(format!("{why} ({author})"))),
            // What its author says of calls like this is not known to be about this one.
            (Some((why, _)), _) => Some(Text::from(why)),
        };
        Said {
            effect,
            reason,
            basis: Basis {
                layer: Text::new(layer.word()),
                file: file.as_deref().map(Text::new),
                list,
                index: *index,
                rule: Text::new(&self.text),
                part: part.map(Text::from),
            },
        }
    }
}

fn sure_of(call: &CallName) -> Match {
    let part = call.tool.clone();
    Match::Sure { part }
}

#[cfg(test)]
mod tests {
    use super::super::files::Files;
    use super::super::paths::FileFacts;
    use super::super::policy::Policy;
    use super::super::rules::Layer;
    use super::super::shell::{LINE_BYTES_MAX, Shell};
    use super::super::tools::Platform;
    use super::*;

    /// What these rules of a person say of a line that is taken to be known whole.
    fn said(rules: &[(Effect, &str)], line: &str) -> Option<Effect> {
        let mut policy = Policy::empty(Platform::Linux);
        for (effect, rule) in rules {
            policy.add(*effect, Layer::User, rule).expect(rule);
        }
        let shell = Shell {
            name: "bash",
            platform: Platform::Linux,
            field: "command",
            line_bytes: LINE_BYTES_MAX,
        };
        let mut line = Line::read(line, &shell);
        line.unreadable = None;
        let facts = FileFacts {
            cwd: Some("/srv/app".into()),
            realpaths: BTreeMap::from([
                ("/".into(), "/".into()),
                ("/srv/app/link".into(), "/etc".into()),
            ]),
            ..FileFacts::default()
        };
        let world = World::new(&facts, &[], Platform::Linux);
        let files = Files::of_line(&line, &world);
        let ground = Ground {
            files: &files,
            world: &world,
        };
        let call = CallName {
            tool: "Bash".into(),
            mcp: None,
        };
        let sets = policy.layers(None).map(|layers| &layers.stored);
        judge(sets, &call, Some(&line), ground).map(|said| said.effect)
    }

    #[test]
    fn a_file_that_the_shell_opens_needs_an_allow_of_its_own() {
        const ALLOWS: &[(Effect, &str)] = &[
            (Effect::Allow, "Bash(cat *)"),
            (Effect::Allow, "Bash(echo *)"),
            (Effect::Allow, "Bash(git show:*)"),
            (Effect::Allow, "Edit(out/**)"),
            (Effect::Allow, "Read(in/**)"),
            (Effect::Allow, "Edit(notes.md)"),
        ];
        for (line, allowed) in [
            ("echo a", true),
            ("echo a > out/a.md", true),
            ("echo a >> out/a.md 2> out/b", true),
            (
                "cat > notes.md <<'EOF'\nnever use git switch -f here\nEOF",
                true,
            ),
            ("cat < in/a > out/a", true),
            ("echo a > /dev/stderr", true),
            ("echo a > other", false),
            ("echo a > out/../other", false),
            ("echo a > OUT/a", false),
            ("echo a > link/a", false),
            ("echo a > out/a > other", false),
            ("echo a > $x", false),
            ("echo a > ~/x", false),
            ("cat < out/a", false),
            ("cat < other", false),
            ("echo a > in/a", false),
            ("git show > /home/u/.ssh/id_demo", false),
            ("cd link && echo a > out/a", false),
            ("cd ./sub && echo a > notes.md", true),
            // `CDPATH` may lead elsewhere.
            ("cd sub && echo a > notes.md", false),
        ] {
            let rules = [ALLOWS, &[(Effect::Allow, "Bash(cd *)")]].concat();
            let effect = said(&rules, line);
            assert_eq!(effect == Some(Effect::Allow), allowed, "{line}: {effect:?}");
        }
    }

    #[test]
    fn an_allow_of_a_path_allows_no_command() {
        for line in ["tee out/a", "echo a > out/a", "> out/a"] {
            let effect = said(&[(Effect::Allow, "Edit(out/**)")], line);
            assert_eq!(effect, None, "{line}");
        }
    }
}
