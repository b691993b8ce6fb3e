//! The command line: what can be asked for, and what `--help` says of it.

use std::io::{self, IsTerminal};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use gatefold_policy::Platform;

use crate::decide::Form;
use crate::documents::Paths;
use crate::hook::ImagePaths;
use crate::process::{EXIT_DEFECT, say};
use crate::{decide, hook, lint, schema};

const EXIT_CODES: &str = "\
Exit codes:
   0  a decision was printed (with --exit-code: the call is allowed)
  10  with --exit-code: the verdict is ask
  20  with --exit-code: the verdict is deny
   2  bad input: one sentence on standard error names the place, standard output stays empty;
      a standard input that is closed reads as an empty one
  70  a defect of the engine or of this program: no decision exists, do not run the call
  74  standard input could not be read, or standard output could not be written. A standard output
      that was closed at the start (>&-) cannot be told from /dev/null: without --exit-code both
      end so, with it the exit code is the verdict and nothing is printed

Only a printed decision decides. Take every other ending as a deny.";

const SCHEMA_EXIT_CODES: &str = "\
Exit codes:
   0  the schema was printed
   2  the command line is not understood
  74  standard output could not be written";

const LINT: &str = "\
Each problem is shown in the document's own line, with its code and what to write instead;
policy/README.md of the project shows every one. The documents are looked at together, as
`decide --policy` loads them: with one error, or one test that fails, nothing is loaded. Each
document's own tests run on that document alone; while there is another error, no test runs.

A document that was found in a repository (--found-policy) only tightens: what of it could let more
run is warned of (not_counted) and does not count. Its own tests run as if it were trusted.";

const TEST: &str = "\
Each test is a line: where it stands, its call, the verdict and the rule behind it. One that fails is
shown below with what it wants, what came and why. An error of the documents keeps all tests from
being run, and is shown in their place.";

const LINT_OUTPUT: &str = "\
Output: text for a person, in colours on a terminal unless NO_COLOR is set; or, with --format json, one
object, gatefold/lint/v1 (`gatefold schema lint` prints its JSON Schema):
  schema     gatefold/lint/v1
  documents  the paths that were given
  loads      whether the documents are loaded
  problems   [ { severity: error | warning, code, place: { file, line, column, start, end },
             sentence } ], errors first; of `test`, the errors alone
  tests      [ { place, call, mode?, agent?, want, rule?, passed, came?: { verdict, by?, rule?,
             layer?, reason? }, problem? } ]; without it, an error kept them from being run";

const LINT_EXIT_CODES: &str = "\
Exit codes:
   0  the documents are loaded, and all their tests pass (with --strict: and there is no warning)
   2  they are not, or one cannot be read, or the command line is not understood
  70  a defect of this program
  74  standard output could not be written";

const EXAMPLE: &str = r#"Example:
  $ echo '{ "call": { "id": "c1", "tool": "Bash", "args": { "command": "foo rm x" } },
            "rules": [ { "effect": "deny", "rule": "Bash(rm *)", "from": "user" } ],
            "mode": "bypass" }' | gatefold decide

  prints verdict "ask": a deny rule may apply to a later word of the line, and no mode runs past
  a deny."#;

const REQUEST: &str =
    "Input: one JSON object. Only `call` (id, tool, args) is required. `gatefold schema request`
prints its JSON Schema.

  call       { id, tool, args, mcp?: { server, tool } }
  mode       default | plan | accept_edits | auto | dont_ask | bypass        (default: default)
             accept_edits releases edits and file commands whose writes are all known to stay
             inside the roots; auto has no classifier here, so it asks. Hooks run before plan mode
             refuses; it lets on what is known to change nothing
  lock       true: nothing runs                                              (default: false)
  interactive  true: an ask without a resolver is printed as ask; false: it ends as deny;
             with `resolve` it does not count                                (default: true)
  denials    classifier denials so far                                       (default: 0)
  agent      the caller's name
  ancestors  [ { agent, mode, lock } ], nearest first
  rules      [ { effect: allow | ask | deny, rule, from } ], `from` one of managed (or org),
             policy, user, project, local, session, stored
  hooks      [ { id, kind: guard | observer, answer } ], `answer` one of
             { decision: none | allow | ask | deny, reason?, rewrite?, context? },
             { failed: threw | timed_out | aborted, text? }; a missing answer is a crash; a guard's
             `aborted` ends the pass, an observer's is its own failure and counts for nothing
  resolve    null, or { answer: yes | no | unanswered, edit?, why?, by?, remember? } for every
             ask, or an array of them, one for each ask in order; by: person | delegate,
             why: timeout | aborted | nobody | failed, remember: { scope, rule }
  facts      { realpaths: { path: real path }, known_tools: [ name ] or null }
  platform   linux | macos | windows                                         (default: linux)
  shell      bash, sh or zsh are read                                        (default: bash)
  cwd, home, roots  absolute paths: what relative paths, `~` and outside mean. realpaths says for
             each path of the call the longest part of it that exists and where that leads; of a
             path that it does not speak of, it is not known where it leads

Rules:
  Tool                   every call of that tool; the name is compared as written, but for a
                         shell's in a deny or ask, which is compared in any case
  Bash(git status)       exactly these words
  Bash(git log:*), Bash(git log *)    these words, then anything, or nothing
  Bash(git * main)       a star elsewhere is any run of characters
  Read(src/**), Edit(~/notes/**), Write(//etc/**)    paths in the syntax of gitignore
  WebFetch(domain:example.com), WebFetch(domain:*.example.com)    the host of a URL
  Tool(field:pattern)    a string among the args
  mcp__server, mcp__server__*, mcp__server__tool

  A deny and an ask of a path also reach the files that a shell line opens, as far as its programs
  are known.

  A deny and an ask of a shell line compare the program's base name, on macos and windows in any
  case, on windows without .exe .com .bat .cmd. They ask where the program stands at a later word of the line or is
  glued into one (-Srm, --to-command=rm), and where options stand between the rule's words.
  They look through known carriers (sudo, env, timeout, xargs, find -exec), through sh -c, and
  through git's own options (git -C . push). Every command of a line is judged: a deny of one
  denies the line, and an allow is needed for each, by its words after quote removal. A line that
  cannot be read for certain is asked about by whoever holds a deny or ask for it.

  Only the words of the line are seen: not what a script, an alias or a build file runs.

  A deny or ask that is not understood is bad input. Such an allow is left out, with a warning on
  standard error.

Documents: what --policy names is the host's word. What was found in a repository (--found-policy)
only tightens: its denies, asks, protected paths, egress and limits count, and no call is decided
looser with it than without. A mode that a document forbids is decided as default.

Output: one JSON object, its keys in this order:
  verdict    allow | ask | deny
  reason     why the call does not run, or what is asked
  args       on an allow and never otherwise: exactly what may run
  context    what hooks add for the model
  details    what could not be read
  notices    what others are to be told
  forbidden_modes  modes that were named and are forbidden: [ { of: call or ancestors[N], mode,
             documents } ]; default holds in their place
  record     the account of the decision, gatefold/record/v1
  explain    with --explain: schema, summary, call, mode, verdict, decided, parts, objections,
             answerers, cover, stations, digests, gatefold/explain/v1

With --explain alone, and with --format text, words for a person are printed in place of the object.
--explain offers a rule only after the same request, decided once more with it, was an allow.";

const CLAUDE_CODE: &str = r#"Put it into the host's settings, with absolute paths (a relative one is refused: it would lead
wherever the agent stands, and an agent can write a policy there):

  { "hooks": { "PreToolUse": [ { "matcher": "*", "hooks": [ { "type": "command",
      "command": "/usr/local/bin/gatefold hook claude-code --policy /etc/gatefold/gatefold.toml" } ] } ] } }

What was found in a repository (--found-policy, by its absolute path too) only tightens: no call is
decided looser with it than without. If it is not sound, no call runs.

Large policies: --image and --image-key keep the policy ready in a file, so that a call reads only
what bears on it. The image is a cache, one for each set of documents: it counts for their very bytes,
under the key's seal, and for the sources of this build. Where anything about it is in doubt, the
documents are loaded, standard error says why, and it is written anew after the answer, by a file beside
it that takes its place; what is there and is no image stays. The key is any file of at least 32
random bytes that its owner alone may read and write: whoever has it and can write the image decides, so no
agent should. Calls that may write to either are asked about, as those to a document are.

Input: a PreToolUse event as that host writes it, its fields and no other.

  permission_mode  default, plan, acceptEdits, auto, dontAsk, bypassPermissions; without it the
                   policy's mode counts, or else default. It is the host's word and beats the policy's,
                   but for one that a document forbids: then default holds, and the reason says so
  agent_id, agent_type  with both, the agent named by the type, below `main`; with agent_type alone,
                   the main session under that name; with neither, `main`. `[agents.NAME]` of a
                   policy gives rules to each
  mcp_server       compared with the tool's name: where they do not fit together, a deny is found
                   under either and no allow under any

Output: one line of JSON, { "hookSpecificOutput": { "hookEventName": "PreToolUse",
"permissionDecision": "allow" | "ask" | "deny", "permissionDecisionReason": … } }. The reason of an
ask is for the person, that of a deny for the model.

Exit codes:
   0  the answer was printed. What cannot be judged (no event, an unknown field or mode, a policy that
      is not loaded, a defect) is a deny that says what to do
   2  nothing could be printed, or the command line is not understood: the host blocks the call, and
      standard error says why. Help is printed with this exit code too, unless a terminal asks for
      it: a hook that prints help has decided nothing

That host goes on with the call when a hook cannot be started or runs past its time."#;

/// The decision core of an AI agent's permission gate: one tool call in, allow, ask or deny out,
/// with the record of how that came about.
///
/// The request is one JSON object on standard input, the decision one JSON object on standard
/// output: `{ verdict, reason?, args?, context?, details?, notices?, record }`. Nothing else is
/// read, nothing is stored, and the same request gives the same bytes. `gatefold decide --help`
/// describes every field.
#[derive(Debug, Parser)]
#[command(name = "gatefold", version, arg_required_else_help = true)]
#[command(after_help = "`gatefold --help` tells more.", after_long_help = long(&[EXAMPLE, EXIT_CODES]))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// A hook is started for every call, and only what it was asked for is made: what a command takes,
/// and its long help, stand on its own args, and what the list of commands says of it here.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Decide one call: a request on standard input, the decision on standard output.
    Decide(DecideArgs),
    /// Check policy documents: print what is wrong or worth a second look, and run their own tests.
    Lint(LintArgs),
    /// Run the tests of policy documents, and print each with its verdict and the rule behind it.
    Test(TestArgs),
    /// Answer a host's own hook event in that host's own form.
    #[command(subcommand, arg_required_else_help = true)]
    Hook(HookHost),
    /// Print a JSON Schema (draft 2020-12) of what is read or printed.
    Schema(SchemaArgs),
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum HookHost {
    /// Answer a `PreToolUse` event of Claude Code.
    ClaudeCode(HookArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "`gatefold hook claude-code --help` tells more.")]
#[command(after_long_help = CLAUDE_CODE)]
struct HookArgs {
    /// Judge by this policy document, named by its absolute path; may be given more than once.
    #[arg(long, value_name = "FILE", required = true)]
    policy: Vec<PathBuf>,
    /// Let this policy document, found in a repository, tighten; its absolute path, more than once too.
    #[arg(long, value_name = "FILE")]
    found_policy: Vec<PathBuf>,
    /// Keep the policy ready for the next call in this file, by its absolute path.
    #[arg(long, value_name = "FILE", requires = "image_key", value_parser = absolute)]
    image: Option<PathBuf>,
    /// Seal that file with the bytes of this one, by its absolute path; at least 32.
    #[arg(long, value_name = "FILE", requires = "image", value_parser = absolute)]
    image_key: Option<PathBuf>,
    /// Say on standard error how the decision came about, and what would cover the call.
    #[arg(long)]
    explain: bool,
}

/// A path that leads to the same place wherever the agent stands.
fn absolute(path: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(path);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err("it would lead wherever the agent stands; name it by its absolute path")
    }
}

#[derive(Debug, Args)]
#[command(after_help = "`gatefold lint --help` tells more.")]
#[command(after_long_help = long(&[LINT, LINT_OUTPUT, LINT_EXIT_CODES]))]
struct LintArgs {
    #[command(flatten)]
    look: LookArgs,
    /// End with exit code 2 for a warning too.
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "`gatefold test --help` tells more.")]
#[command(after_long_help = long(&[TEST, LINT_OUTPUT, LINT_EXIT_CODES]))]
struct TestArgs {
    #[command(flatten)]
    look: LookArgs,
}

#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXIT_CODES)]
struct SchemaArgs {
    /// What the schema is of.
    #[arg(value_enum)]
    of: schema::Kind,
}

#[derive(Debug, Args)]
struct LookArgs {
    /// A policy document; several are looked at together.
    #[arg(value_name = "POLICY", required_unless_present = "found_policy")]
    policy: Vec<PathBuf>,
    /// A policy document that was found in a repository; may be given more than once.
    #[arg(long, value_name = "FILE")]
    found_policy: Vec<PathBuf>,
    /// Print words for a person, or an object for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The system that the calls run on: linux, macos or windows.
    #[arg(long, value_name = "SYSTEM", default_value = "linux", value_parser = platform)]
    platform: Platform,
}

/// The system of this word.
fn platform(word: &str) -> Result<Platform, String> {
    let mut spellings = Platform::SPELLINGS.iter();
    let platform = spellings.find(|(spelling, _)| *spelling == word);
    platform
        .map(|(_, platform)| *platform)
        .ok_or_else(|| format!("there is {}", Platform::WORDS))
}

impl LookArgs {
    fn options(self, look: lint::Look, strict: bool) -> lint::Options {
        let Self {
            policy,
            found_policy: found,
            format,
            platform,
        } = self;
        lint::Options {
            look,
            json: format == Format::Json,
            strict,
            platform,
            documents: Paths { policy, found },
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "`gatefold decide --help` tells more.")]
#[command(after_long_help = long(&[REQUEST, EXAMPLE, EXIT_CODES]))]
struct DecideArgs {
    /// Say the verdict in the exit code too: allow 0, ask 10, deny 20.
    #[arg(long)]
    exit_code: bool,
    /// Say how the decision came about, and what would cover the call.
    #[arg(long)]
    explain: bool,
    /// Print words for a person, or the decision object (default: text with --explain, else json).
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print the decision object on one line instead of indented; goes with json only.
    #[arg(long)]
    compact: bool,
    /// Judge by this policy document too; may be given more than once.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Let this policy document, found in a repository, tighten; may be given more than once.
    #[arg(long, value_name = "FILE")]
    found_policy: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl DecideArgs {
    /// What to print; none, if what was asked for does not go together.
    fn form(&self) -> Option<Form> {
        let Self {
            explain, compact, ..
        } = *self;
        let default = if explain { Format::Text } else { Format::Json };
        match self.format.unwrap_or(default) {
            Format::Json => Some(Form::Json { compact, explain }),
            Format::Text => (!compact).then_some(Form::Text { explain }),
        }
    }
}

/// Refuses `--compact` with text, as clap refuses what it knows not to go together.
fn refuse_compact_text() -> ! {
    let mut cli = Cli::command();
    cli.build();
    let what = "the argument '--compact' goes with '--format json' only";
    let kind = ErrorKind::ArgumentConflict;
    match cli.find_subcommand_mut("decide") {
        Some(decide) => decide.error(kind, what).exit(),
        None => cli.error(kind, what).exit(),
    }
}

fn long(parts: &[&str]) -> String {
    parts.join("\n\n")
}

/// Runs the command. A panic would be an exit that hosts take as consent: it is a defect instead.
pub(crate) fn main() -> ExitCode {
    let Cli { command } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    panic::set_hook(Box::new(|info| {
        say(&format!("internal fault: {info}"));
    }));
    let (run, on_panic): (Box<dyn Fn() -> ExitCode>, u8) = match command {
        Command::Decide(args) => {
            let Some(form) = args.form() else {
                refuse_compact_text();
            };
            let options = decide::Options {
                exit_code: args.exit_code,
                form,
                documents: Paths {
                    policy: args.policy,
                    found: args.found_policy,
                },
            };
            (Box::new(move || decide::run(&options)), EXIT_DEFECT)
        }
        Command::Lint(LintArgs { look, strict }) => {
            let options = look.options(lint::Look::Lint, strict);
            (Box::new(move || lint::run(&options)), EXIT_DEFECT)
        }
        Command::Test(TestArgs { look }) => {
            let options = look.options(lint::Look::Test, false);
            (Box::new(move || lint::run(&options)), EXIT_DEFECT)
        }
        Command::Hook(HookHost::ClaudeCode(args)) => {
            let documents = Paths {
                policy: args.policy,
                found: args.found_policy,
            };
            let image = args.image.zip(args.image_key);
            let image = image.map(|(image, key)| ImagePaths { image, key });
            let explain = args.explain;
            (
                Box::new(move || hook::claude_code(&documents, image.as_ref(), explain)),
                hook::EXIT_BLOCK,
            )
        }
        Command::Schema(SchemaArgs { of }) => (Box::new(move || schema::run(of)), EXIT_DEFECT),
    };
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| ExitCode::from(on_panic))
}

/// Ends a command line that runs nothing. Where it stands as a hook, help would be consent: only at
/// a terminal is it asked for by a person.
fn refuse(error: &clap::Error) -> ExitCode {
    let is_hook = std::env::args_os().any(|arg| arg == "hook");
    if error.exit_code() == 0 && is_hook && !io::stdin().is_terminal() {
        // The exit code tells, read or not.
        let _ = error.print();
        say("this is help and no decision: as a hook it blocks the call");
        return ExitCode::from(hook::EXIT_BLOCK);
    }
    error.exit()
}
