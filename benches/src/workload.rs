//! The one workload of every comparison: rules and calls made from fixed seeds, and the plain scan
//! that says what is right.
//!
//! Rules are, in equal thirds: a tool by its name (`mcp__srv3__tool_100`); the first two or three
//! words of a command, every tenth inside of another rule; a path, of which half are a folder with
//! an ending (`src/mod7/**/*.rs`), a quarter an ending anywhere (`**/*.ext7`) and a quarter a folder
//! (`docs/d7/**`). Six in ten allow, two ask, two deny. Calls are of the three kinds in equal parts;
//! half are covered by some rule, the others miss one narrowly.

use std::fmt::Write;

/// What a rule says; the stronger is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    Allow,
    Ask,
    Deny,
}

impl Effect {
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// The strongest effect of the rules that cover a call, and the first rule that has it.
pub type Answer = Option<(Effect, usize)>;

/// What a rule is about.
#[derive(Clone, Debug)]
pub enum Shape {
    Tool {
        server: usize,
        tool: String,
    },
    Words(Vec<String>),
    /// All below this folder (empty: all) whose names end so.
    Path {
        folder: String,
        ending: String,
    },
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub effect: Effect,
    pub shape: Shape,
}

impl Rule {
    /// As a document spells it.
    pub fn text(&self) -> String {
        match &self.shape {
            Shape::Tool { server, tool } => format!("mcp__srv{server}__{tool}"),
            Shape::Words(words) => format!("Bash({} *)", words.join(" ")),
            Shape::Path { .. } => format!("Edit({})", self.glob().unwrap_or_default()),
        }
    }

    /// The pattern of a path.
    pub fn glob(&self) -> Option<String> {
        match &self.shape {
            Shape::Path { folder, ending } if ending.is_empty() => Some(format!("{folder}**")),
            Shape::Path { folder, ending } => Some(format!("{folder}**/*{ending}")),
            Shape::Tool { .. } | Shape::Words(_) => None,
        }
    }

    fn covers(&self, request: &Request) -> bool {
        match (&self.shape, &request.what) {
            (
                Shape::Tool { server, tool },
                What::Tool {
                    server: of,
                    tool: called,
                },
            ) => server == of && tool == called,
            (Shape::Words(words), What::Line(line)) => line.starts_with(words),
            (Shape::Path { folder, ending }, What::Path(path)) => {
                path.starts_with(folder.as_str())
                    && path.ends_with(ending.as_str())
                    && path.len() >= folder.len() + ending.len()
            }
            _ => false,
        }
    }
}

/// What a call does.
#[derive(Clone, Debug)]
pub enum What {
    Tool { server: usize, tool: String },
    Line(Vec<String>),
    Path(String),
}

#[derive(Clone, Debug)]
pub struct Request {
    pub what: What,
    /// The name of its tool.
    pub tool: String,
    /// Its args, as a host gets them from the model.
    pub args: String,
    /// The whole event that a host would write, args and all.
    pub json: String,
}

impl Request {
    pub const fn is_line(&self) -> bool {
        matches!(self.what, What::Line(_))
    }
}

/// `SplitMix64`: the same numbers on every machine.
#[derive(Debug)]
pub struct Seeded(u64);

impl Seeded {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("fits");
        usize::try_from(self.draw() % end).expect("fits")
    }
}

const SERVERS: usize = 97;
/// Rules over the words of one program, up to 300 programs.
const PER_PROGRAM: usize = 20;

const fn programs(rules: usize) -> usize {
    let programs = rules / 3 / PER_PROGRAM;
    if programs < 2 {
        2
    } else if programs > 300 {
        300
    } else {
        programs
    }
}

fn words(at: usize, programs: usize) -> Vec<String> {
    let inside = at % 10 == 9;
    let of = if inside { at - 1 } else { at };
    let mut words = vec![
        format!("prog{}", of % programs),
        format!("sub{}", of / programs),
    ];
    if inside {
        words.push(format!("--flag{at}"));
    }
    words
}

fn path(at: usize) -> Shape {
    let (folder, ending) = match at % 4 {
        0 | 1 => (format!("src/mod{at}/"), ".rs".into()),
        2 => (String::new(), format!(".ext{at}")),
        _ => (format!("docs/d{at}/"), String::new()),
    };
    Shape::Path { folder, ending }
}

/// That many rules.
pub fn rules(count: usize) -> Vec<Rule> {
    let mut seeded = Seeded::new(7);
    let rule = |at: usize| {
        let effect = match seeded.below(10) {
            0..=5 => Effect::Allow,
            6 | 7 => Effect::Ask,
            _ => Effect::Deny,
        };
        let of = at / 3;
        let shape = match at % 3 {
            0 => Shape::Tool {
                server: of % SERVERS,
                tool: format!("tool_{of}"),
            },
            1 => Shape::Words(words(of, programs(count))),
            _ => path(of),
        };
        Rule { effect, shape }
    };
    (0..count).map(rule).collect()
}

/// That many calls of a policy of that many rules, in an order that tells nothing.
pub fn requests(rules: usize, count: usize) -> Vec<Request> {
    let mut seeded = Seeded::new(99);
    let mut requests: Vec<_> = (0..count)
        .map(|at| request(at, rules, &mut seeded))
        .collect();
    for at in (1..requests.len()).rev() {
        requests.swap(at, seeded.below(at + 1));
    }
    requests
}

fn request(at: usize, rules: usize, seeded: &mut Seeded) -> Request {
    let covered = (at / 3).is_multiple_of(2);
    let each = (rules / 3).max(1);
    let of = seeded.below(each);
    match at % 3 {
        0 => {
            let miss = if covered { "" } else { "x" };
            let (server, tool) = (of % SERVERS, format!("tool_{of}{miss}"));
            let args = format!(
                r#"{{"query":"select {at} from t where a = 'x'","limit":50,"dry_run":false}}"#
            );
            made(
                at,
                format!("mcp__srv{server}__{tool}"),
                args,
                What::Tool { server, tool },
            )
        }
        1 => {
            let programs = programs(rules);
            let mut line = if covered {
                words(of, programs)
            } else {
                vec![
                    format!("prog{}", of % programs),
                    format!("nosub{}", of / programs),
                ]
            };
            line.extend([format!("origin{}", seeded.below(9)), "main".into()]);
            let args = format!(
                r#"{{"command":"{}","description":"run step {at} of the plan"}}"#,
                line.join(" ")
            );
            made(at, "Bash".into(), args, What::Line(line))
        }
        _ => {
            let path = called_path(of, each, covered, seeded);
            let args = format!(
                r#"{{"file_path":"{path}","old_string":"let a = {at};","new_string":"let b = 2;"}}"#
            );
            made(at, "Edit".into(), args, What::Path(path))
        }
    }
}

fn called_path(of: usize, each: usize, covered: bool, seeded: &mut Seeded) -> String {
    if covered {
        return match of % 4 {
            0 | 1 => format!("src/mod{of}/core/net/file{}.rs", seeded.below(99)),
            2 => format!(
                "assets/a{}/img/pic{}.ext{of}",
                seeded.below(9),
                seeded.below(99)
            ),
            _ => format!(
                "docs/d{of}/guide/p{}.ext{}",
                seeded.below(99),
                seeded.below(each)
            ),
        };
    }
    if seeded.below(2) == 0 {
        format!("src/mod{of}/core/net/file{}.py", seeded.below(99))
    } else {
        format!("lib/pkg{of}/core/file{}.txt", seeded.below(99))
    }
}

fn made(at: usize, tool: String, args: String, what: What) -> Request {
    let mut json = String::new();
    let _ = write!(
        json,
        r#"{{"session_id":"0f3c9d2e-7b1a-4c55-9a61-{at:012}","transcript_path":"/home/dev/.log/{at}.jsonl","cwd":"{CWD}","hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"{tool}","tool_input":{args},"tool_use_id":"toolu_{at:024}"}}"#
    );
    Request {
        what,
        tool,
        args,
        json,
    }
}

/// Where every call stands.
pub const CWD: &str = "/home/dev/proj";

/// The stronger of two answers; of equals the one of the earlier rule.
pub fn best(one: Answer, other: Answer) -> Answer {
    match (one, other) {
        (Some((effect, at)), Some((than, of))) if (than, at) > (effect, of) => other,
        (None, _) => other,
        (Some(_), _) => one,
    }
}

/// What is right: every rule is looked at.
pub fn reference(rules: &[Rule], request: &Request) -> Answer {
    let covering = rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| rule.covers(request));
    covering.fold(None, |found, (at, rule)| {
        best(found, Some((rule.effect, at)))
    })
}

/// The rules as a policy document.
pub fn document(rules: &[Rule]) -> String {
    let mut document = String::from("schema = \"gatefold/policy/v1\"\n\n[rules.user]\n");
    for effect in Effect::ALL {
        let _ = writeln!(document, "{} = [", effect.word());
        for rule in rules.iter().filter(|rule| rule.effect == effect) {
            let _ = writeln!(document, "  {:?},", rule.text());
        }
        document.push_str("]\n");
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stronger_answer_is_kept_and_of_equals_the_first() {
        for (one, other, wanted) in [
            (None, None, None),
            (None, Some((Effect::Allow, 3)), Some((Effect::Allow, 3))),
            (
                Some((Effect::Ask, 1)),
                Some((Effect::Deny, 9)),
                Some((Effect::Deny, 9)),
            ),
            (
                Some((Effect::Deny, 9)),
                Some((Effect::Ask, 1)),
                Some((Effect::Deny, 9)),
            ),
            (
                Some((Effect::Ask, 4)),
                Some((Effect::Ask, 2)),
                Some((Effect::Ask, 2)),
            ),
            (
                Some((Effect::Ask, 2)),
                Some((Effect::Ask, 4)),
                Some((Effect::Ask, 2)),
            ),
        ] {
            assert_eq!(best(one, other), wanted, "{one:?} {other:?}");
        }
    }

    #[test]
    fn half_of_the_calls_are_covered_and_every_effect_is_among_the_answers() {
        let rules = rules(1_000);
        let answers: Vec<_> = requests(1_000, 1_000)
            .iter()
            .map(|call| reference(&rules, call))
            .collect();
        let covered = answers.iter().flatten().count();
        assert!((450..550).contains(&covered), "{covered}");
        for effect in Effect::ALL {
            assert!(
                answers.iter().flatten().any(|(of, _)| *of == effect),
                "{effect:?}"
            );
        }
    }
}
