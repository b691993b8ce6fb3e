//! Judging a call by the rules of one seat: deny before ask before allow, whatever their order.

mod allowed;
mod index;
mod line;
mod path_index;
#[cfg(test)]
mod reference;
mod set;

use gatefold::gate::{Args, Basis, Text};

use super::given::{ArgPattern, Fit, Given};
use super::hosts::{Domain, Target};
use super::mcp::{CallName, McpPattern};
use super::path_rules::{Ground, PathBearing};
use super::rules::{Effect, Pattern, Rule, RulePlace, word_text};
use super::shell::{Covered, Line};
use super::tools;
use allowed::Allowed;
pub(crate) use index::{Allows, Index, Refuses};
use line::Searched;
pub(crate) use path_index::{Group, PathIndex};
pub(crate) use set::RuleSet;

/// What a layer says of a call, and the rule that says it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) effect: Effect,
    pub(crate) reason: Option<Text>,
    pub(crate) basis: Basis,
}

impl Said {
    /// What is said where rules could not be read.
    fn in_doubt() -> Self {
        let basis = Basis {
            layer: Text::new("policy"),
            file: None,
            list: Text::new(Effect::Deny.word()),
            index: 0,
            rule: Text::new("image"),
            part: None,
        };
        let reason = "the image of the policy is not as it was sealed; load its documents";
        Self {
            effect: Effect::Deny,
            reason: Some(Text::new(reason)),
            basis,
        }
    }
}

/// How one rule bears on a call.
enum Match {
    /// Its effect holds.
    Sure { part: Text },
    /// It is a deny or ask that may be about this call: an ask.
    Possible {
        part: Option<String>,
        why: String,
        /// Its words stand in the call, so it is told of before others.
        named: bool,
    },
}

/// A call, as rules are compared with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) call: &'a CallName,
    pub(crate) args: &'a Args,
    /// If its tool runs one.
    pub(crate) line: Option<&'a Line>,
    /// The files of it, and where they lead.
    pub(crate) ground: Ground<'a>,
}

/// What the rules of a seat say of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) said: Option<Said>,
    /// For each command of its line what covers it, as far as that was looked for.
    pub(crate) covers: Vec<Option<Covered>>,
    /// How many rules and words were compared, for a test of how that grows.
    #[cfg_attr(not(test), allow(dead_code, reason = "a test counts them"))]
    spent: usize,
}

impl Judged {
    /// Takes on what others say, if that is stricter. What they allow counts for nothing.
    pub(crate) fn tighten(&mut self, other: Self) {
        let strictness = |said: &Option<Said>| match said.as_ref().map(|said| said.effect) {
            None | Some(Effect::Allow) => 0,
            Some(Effect::Ask) => 1,
            Some(Effect::Deny) => 2,
        };
        if strictness(&other.said) > strictness(&self.said) {
            self.said = other.said;
        }
    }
}

/// What these rules say of the call: all of them together, the first set first.
pub(crate) fn judge<'a>(sets: impl IntoIterator<Item = &'a RuleSet>, asked: &Asked<'_>) -> Judged {
    let mut spent = 0_usize;
    let mut said = Sum::default();
    let mut allowed = asked.line.map(|line| Allowed::new(line, asked.ground));
    // What comparing paths has cost.
    let mut steps = 0;
    for set in sets.into_iter().filter(|set| !set.is_empty()) {
        let mut given = set.read(asked);
        let mut line = asked.line.map(|line| Searched::new(line, &set.programs));
        // A server may give its tool the name of another: no allow of that name covers it.
        if let Some(allowed) = allowed.as_mut().filter(|_| asked.call.mcp.is_none()) {
            allowed.add(set, asked.call);
            allowed.add_files(set, asked.ground.world, &mut steps);
        }
        for rule in set.about(asked, &given, line.as_mut()) {
            spent = spent.saturating_add(1);
            let found = rule
                .bears_on(asked.call, &mut given, line.as_mut())
                .or_else(|| rule.bears_on_files(asked, &mut steps));
            if let Some(deny) = found.and_then(|found| said.add(rule, found)) {
                return Judged {
                    said: Some(deny),
                    covers: allowed.map_or_else(Vec::new, |allowed| allowed.covers()),
                    spent,
                };
            }
        }
        spent = spent.saturating_add(line.map_or(0, |line| line.spent()));
        if set.is_in_doubt() {
            return Judged {
                said: Some(Said::in_doubt()),
                covers: Vec::new(),
                spent,
            };
        }
    }
    spent = spent.saturating_add(allowed.as_ref().map_or(0, Allowed::spent));
    let line = || {
        let rule = allowed.as_ref()?.whole()?;
        Some(rule.says(Effect::Allow, rule.part().map(Text::from), None))
    };
    Judged {
        said: said.all().or_else(line),
        covers: allowed.as_ref().map_or_else(Vec::new, Allowed::covers),
        spent,
    }
}

/// What the rules say so far, but for a deny, which ends it.
#[derive(Debug, Default)]
struct Sum {
    ask: Option<(u8, Said)>,
    allow: Option<Said>,
}

impl Sum {
    /// Takes in how a rule bears on the call; what is said at once, if that is a deny.
    fn add(&mut self, rule: &Rule, found: Match) -> Option<Said> {
        match (rule.effect, found) {
            (Effect::Deny, Match::Sure { part }) => {
                return Some(rule.says(Effect::Deny, Some(part), None));
            }
            (Effect::Allow, Match::Sure { part }) => {
                let says = || rule.says(Effect::Allow, Some(part), None);
                self.allow.get_or_insert_with(says);
            }
            // No rule may cover a call possibly and allow it.
            (Effect::Allow, Match::Possible { .. }) => {}
            (Effect::Ask, Match::Sure { part }) => {
                self.keep(0, || rule.says(Effect::Ask, Some(part), None));
            }
            (effect @ (Effect::Deny | Effect::Ask), Match::Possible { part, why, named }) => {
                let rank = match (named, effect) {
                    (true, Effect::Deny) => 1,
                    (true, Effect::Ask | Effect::Allow) => 2,
                    (false, Effect::Deny) => 3,
                    (false, Effect::Ask | Effect::Allow) => 4,
                };
                let part = part.map(Text::from);
                self.keep(rank, || rule.says(Effect::Ask, part, Some((why, named))));
            }
        }
        None
    }

    /// Keeps the ask of the lowest rank, and the first of these: an ask rule itself is surer than a
    /// deny that may apply, and that weighs more than an ask that may.
    fn keep(&mut self, rank: u8, said: impl FnOnce() -> Said) {
        if self.ask.as_ref().is_none_or(|(kept, _)| rank < *kept) {
            self.ask = Some((rank, said()));
        }
    }

    fn all(self) -> Option<Said> {
        self.ask.map(|(_, said)| said).or(self.allow)
    }
}

impl Rule {
    fn bears_on(
        &self,
        call: &CallName,
        given: &mut Given,
        line: Option<&mut Searched<'_>>,
    ) -> Option<Match> {
        let refuses = self.effect.refuses();
        // A server may give its tool the name of another: no allow of that name covers it.
        let is_named =
            |tool| tools::is_named(tool, &call.tool, refuses) && (refuses || call.mcp.is_none());
        let is_served = |of: &McpPattern| {
            if refuses {
                of.may_cover(call)
            } else {
                of.surely_covers(call)
            }
        };
        match &self.pattern {
            Pattern::Tool(tool) => is_named(tool).then(|| sure_of(call)),
            Pattern::Mcp(of) => is_served(of).then(|| sure_of(call)),
            Pattern::ToolArg { tool, arg } if is_named(tool) => arg_bears_on(arg, given),
            Pattern::McpArg { of, arg } if is_served(of) => arg_bears_on(arg, given),
            Pattern::Host {
                tool,
                field,
                domain,
            } if is_named(tool) => host_bears_on(domain, given.target(field), refuses),
            // An allow covers a line together with others.
            Pattern::Shell { tool, words } if refuses && is_named(tool) => line?.bearing(words),
            Pattern::ToolArg { .. }
            | Pattern::McpArg { .. }
            | Pattern::Host { .. }
            | Pattern::Shell { .. }
            | Pattern::Path { .. } => None,
        }
    }

    /// How a rule about paths bears on the files of a call.
    fn bears_on_files(&self, asked: &Asked<'_>, steps: &mut usize) -> Option<Match> {
        let Pattern::Path { path, .. } = &self.pattern else {
            return None;
        };
        let Asked {
            call, line, ground, ..
        } = *asked;
        let file = self.place.file.as_deref();
        if !self.effect.refuses() {
            let covers =
                call.mcp.is_none() && line.is_none() && path.covers_all(file, ground, steps);
            let part = ground.files.uses.first().map(|of| of.place.text.clone());
            let part = part.filter(|_| covers)?;
            return Some(Match::Sure { part: part.into() });
        }
        match path.bears_on(file, ground, steps) {
            Some(PathBearing::Covers { part }) => Some(Match::Sure { part: part.into() }),
            Some(PathBearing::MayCover { part, why }) => Some(Match::Possible {
                part: Some(part),
                why: why.into(),
                named: true,
            }),
            // A line that cannot be read meets a rule that could apply.
            None => line?.unreadable.as_ref().map(|unreadable| Match::Possible {
                part: unreadable.part.clone(),
                why: format!("the line cannot be read: {}", unreadable.why),
                named: false,
            }),
        }
    }

    /// The smallest part of a call that it covers, if that is the same for all.
    fn part(&self) -> Option<String> {
        match &self.pattern {
            Pattern::Shell { words, .. } => words.part(),
            Pattern::Tool(_)
            | Pattern::Mcp(_)
            | Pattern::Path { .. }
            | Pattern::Host { .. }
            | Pattern::ToolArg { .. }
            | Pattern::McpArg { .. } => None,
        }
    }

    /// What this rule says; what makes it possible only, and whether the call names its words.
    fn says(&self, effect: Effect, part: Option<Text>, why: Option<(String, bool)>) -> Said {
        let RulePlace {
            layer,
            file,
            agent,
            index,
        } = &self.place;
        let list = match agent {
            None => word_text(self.effect.word()),
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
                layer: word_text(layer.word()),
                file: file.clone().map(Text::from),
                list,
                index: *index,
                rule: self.text.clone(),
                part,
            },
        }
    }
}

fn sure_of(call: &CallName) -> Match {
    Match::Sure {
        part: Text::new(&call.tool),
    }
}

/// How a rule about an arg bears on a call with these.
fn arg_bears_on(arg: &ArgPattern, given: &mut Given) -> Option<Match> {
    match given.fit(arg) {
        Fit::Fits => {
            let part = Text::new(given.string(&arg.field).unwrap_or_default());
            Some(Match::Sure { part })
        }
        Fit::Differs => None,
        Fit::NotKnown => Some(Match::Possible {
            part: None,
            why: format!("its arg `{}` is not known, or no text", arg.field),
            named: false,
        }),
    }
}

/// How a rule about a host bears on a call that leads there.
fn host_bears_on(domain: &Domain, target: &Target, refuses: bool) -> Option<Match> {
    let Target { host, is_certain } = target;
    let host = host.as_deref();
    match host.filter(|host| domain.covers(host, refuses)) {
        Some(host) if refuses || *is_certain => {
            let part = Text::new(host);
            Some(Match::Sure { part })
        }
        Some(_) | None if *is_certain => None,
        Some(_) | None => Some(Match::Possible {
            part: host.map(str::to_owned),
            why: "which host its url leads to is not certain".into(),
            named: false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::files::Files;
    use super::super::paths::{FileFacts, World};
    use super::super::policy::Policy;
    use super::super::rules::Layer;
    use super::super::shell::{LINE_BYTES_MAX, Shell};
    use super::super::tools::Platform;
    use super::*;

    /// What these rules of a person say of a line.
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
        let args = Args::parse(&serde_json::json!({ "command": line }).to_string()).expect("args");
        let line = Line::read(line, &shell);
        let facts = FileFacts {
            cwd: Some("/srv/app".into()),
            realpaths: BTreeMap::from([
                ("/".into(), "/".into()),
                ("/srv/app/link".into(), "/etc".into()),
            ]),
            ..FileFacts::default()
        };
        let world = World::new(&facts, &[], &[], Platform::Linux);
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
        let asked = Asked {
            call: &call,
            args: &args,
            line: Some(&line),
            ground,
        };
        judge(sets, &asked).said.map(|said| said.effect)
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
