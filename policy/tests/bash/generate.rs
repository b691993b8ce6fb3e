//! Lines from a grammar: commands, wrapped in what shells have for them.

/// So many lines, the same ones each time.
pub(crate) fn lines(count: usize) -> Vec<String> {
    let mut random = Random::Seeded(0x9e37_79b9_7f4a_7c15);
    (0..count).map(|_| line(&mut random)).collect()
}

/// Lines that a person's allows cover whole.
pub(crate) const ALLOWED: &[&str] = &[
    "git status && ls -l",
    "git log --oneline | head -n 5",
    "for f in a b; do cat \"$f\"; done",
    "if [ -f x ]; then cat x; else echo 'no x'; fi",
    "while IFS= read -r line; do echo \"$line\"; done <<< x",
    "cat <<'E' | grep b\na $(evil) b\nE\n",
    "cat <<E | grep b\na $(ls) b\nE\n",
    "echo \"$(git status)\" $((1 + 2)) ${x:-y} ~ *",
    "x=$(ls | head -n 1); echo \"${x%.*}\" '$x' \\$x",
    "LANG=C ls 2>&1 | cat > /dev/null || true",
    "case $x in a|b) ls;; *) echo c;; esac",
    "( ls; git status ) & wait",
    "find . -name '*.rs' -exec cat {} +",
    "timeout 5 ls | xargs -n 1 echo",
    "[[ $x == a* && -n $y ]] && echo \"a\\\"b\" # c",
    "bash -c 'ls; echo \"$x\"'",
    "{ echo a; ls; } | grep -v \"it's\"",
    "echo {a,b} $'c\\'d' `ls`",
    "until test \"$x\" = y; do echo a; break; done",
    "diff <(ls a) <(ls b); echo $?",
];

/// What is put into them.
const NOISE: &[&str] = &[
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "{ ",
    " }",
    "<",
    ">",
    "<<",
    "'",
    "\"",
    "`",
    "$",
    "\\",
    "#",
    " #",
    "!",
    "*",
    "~",
    "=",
    "[",
    "]",
    "x=",
    "$(",
    "${",
    "$((",
    "))",
    "<(",
    ">(",
    "<<E\n",
    "E\n",
    "\\\n",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "in ",
    "case ",
    "esac",
    ";;",
    "-c ",
    "-v ",
    "-exec ",
    "eval ",
    "exec ",
    "evil",
    " evil ",
    ";evil;",
    "$(evil)",
    "`evil`",
    "a[$(evil)]",
    "$x",
    "\"$x\"",
    "$@",
    "${@}",
    "-eq ",
    "time ",
    "coproc ",
    "function ",
    "f() ",
    "read ",
    "set ",
    "export ",
    "printf ",
    "test ",
    "unset ",
    "cd ",
    "LANG=",
    "2",
    "0",
    "{a,b}",
    "$'",
    "$\"",
    "@(",
    "?",
    "\t",
    "\r",
];

/// Lines that are allowed, with something put in or taken away, or two of them crossed.
pub(crate) fn disturbed(count: usize) -> Vec<String> {
    let mut random = Random::Seeded(0x2545_f491_4f6c_dd1d);
    (0..count).map(|_| disturb(&mut random)).collect()
}

/// One of them.
pub(crate) fn disturb(random: &mut Random) -> String {
    let mut line: Vec<char> = random.pick(ALLOWED).chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(line.len() + 1);
        match random.below(8) {
            0 => drop(line.splice(at..(at + 1 + random.below(3)).min(line.len()), [])),
            1 => {
                let other: Vec<char> = random.pick(ALLOWED).chars().collect();
                line.truncate(at);
                line.extend(other.get(random.below(other.len())..).unwrap_or_default());
            }
            _ => drop(line.splice(at..at, random.pick(NOISE).chars())),
        }
    }
    line.into_iter().collect()
}

/// Where numbers come from: a generator (xorshift64), or bytes, each of which makes one choice.
pub(crate) enum Random<'a> {
    Seeded(u64),
    #[allow(dead_code, reason = "who fuzzes brings bytes")]
    Bytes(&'a [u8]),
}

impl Random<'_> {
    /// Less than this; of bytes that have run out, nothing.
    fn below(&mut self, most: usize) -> usize {
        let number = match self {
            Self::Seeded(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *state
            }
            Self::Bytes(bytes) => {
                let Some((first, rest)) = bytes.split_first() else {
                    return 0;
                };
                *bytes = rest;
                u64::from(*first)
            }
        };
        usize::try_from(number % most as u64).expect("a small number")
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const PROGRAMS: &[&str] = &[
    "a", "b", "c", "evil", "git", "rm", "ls", "cat", "grep", "make",
];
const WORDS: &[&str] = &[
    "x",
    "-f",
    "--all",
    "'a b'",
    "\"c d\"",
    "a\\ b",
    "\"$x\"",
    "$y",
    "*",
    "{1,2}",
    "~",
    "a=b",
    "#x",
    "x#y",
    "''",
    "\"\"",
    "'$(evil)'",
    "\\$x",
    "$'a\\'b'",
    "$'\\n'",
    "!",
    "{}",
    "[",
    "]",
    "-",
    "--",
    "@",
    "\"`b`\"",
    "$(b)",
    "\"$(c x)\"",
    "${x:-$(b)}",
    "${x}",
    "$((1+2))",
    "<(b)",
    "\\;",
    "';'",
    "'#'",
    "then",
    "done",
    "fi",
    "in",
    "%",
    "+x",
    "a,b",
    "HEAD~1",
    "\"a;evil\"",
    "'a|evil'",
    "a\\;evil",
];
const TAILS: &[&str] = &[
    " > /dev/null",
    " 2>&1",
    " 2>/dev/null",
    " < /dev/null",
    " > f",
    " >> f",
    " &> /dev/null",
    " 2> f",
    " <<< x",
    " <<< \"$(b)\"",
    " > >(c)",
    " < <(b)",
    " 3>&1",
    " >&2",
    " 2>&-",
];
const JOINS: &[&str] = &[
    "; ",
    " && ",
    " || ",
    " | ",
    " & ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    " |& ",
    " &&\n",
    " |\n",
    "\n\n",
    " ;\n",
    " # note\n",
    " \\\n; ",
];
const HEADS: &[&str] = &[
    "LANG=C ",
    "! ",
    "time ",
    "LC_ALL=C TZ=UTC ",
    "command ",
    "env ",
    "env -i ",
    "nice ",
    "nice -n 3 ",
    "nohup ",
    "timeout 5 ",
    "timeout -s TERM 5 ",
    "exec ",
    "setsid -w ",
    "stdbuf -oL ",
    "xargs ",
    "xargs -n1 ",
    "xargs -I{} ",
    "env LANG=C ",
    "time -p ",
    "coproc ",
    "builtin ",
    "eval ",
    "time env ",
    "command -p ",
    "nice nohup ",
    "\\command ",
    "bash -c ",
    "find . -maxdepth 0 -exec ",
];

pub(crate) fn line(random: &mut Random) -> String {
    let depth = 1 + random.below(3);
    let mut line = list(random, depth);
    // What is damaged must not keep a loop from ending.
    let loops = line.contains("while") || line.contains("until");
    if !loops && random.below(8) == 0 {
        line = damage(random, &line);
    }
    line
}

/// A line with a character more, less, or another.
fn damage(random: &mut Random, line: &str) -> String {
    const SIGNS: &[&str] = &[
        "'", "\"", "`", "$", "(", ")", "{", "}", ";", "&", "|", "\\", "#", "\n", " ", "<", ">",
        "[", "]", "!", "*", "~", "=", "$(", "${", "$((", "<(", "<<", "\\\n",
    ];
    let chars: Vec<char> = line.chars().collect();
    let at = random.below(chars.len() + 1);
    let (before, after) = chars.split_at(at);
    let skip = random.below(2).min(after.len());
    let sign = if random.below(3) == 0 {
        ""
    } else {
        random.pick(SIGNS)
    };
    let after: String = after[skip..].iter().collect();
    before.iter().collect::<String>() + sign + &after
}

fn list(random: &mut Random, depth: usize) -> String {
    let mut line = command(random, depth);
    for _ in 0..random.below(3) {
        // Behind the end of a here-document stands nothing else.
        let join = random.pick(JOINS);
        let join = if line.ends_with('\n') { "" } else { join };
        line = line + join + &command(random, depth);
    }
    line
}

fn simple(random: &mut Random) -> String {
    let mut line = program(random);
    for _ in 0..random.below(4) {
        line = line + random.pick(&[" ", " ", "  ", "\t", " \\\n"]) + random.pick(WORDS);
    }
    if random.below(4) == 0 {
        line += random.pick(TAILS);
    }
    line
}

/// A program, spelled in one of many ways.
fn program(random: &mut Random) -> String {
    let name = random.pick(PROGRAMS);
    let (first, rest) = name.split_at(1);
    match random.below(14) {
        0 => format!("\\{name}"),
        1 => format!("'{name}'"),
        2 => format!("\"{name}\""),
        3 => format!("{first}''{rest}"),
        4 => format!("{first}\\\n{rest}"),
        5 => format!("$'{name}'"),
        6 if random.below(3) == 0 => format!("$({} {name})", random.pick(&["echo", "printf"])),
        7 if random.below(3) == 0 => format!("x={name}; $x"),
        8 if random.below(3) == 0 => format!("v={name} && \"$v\""),
        _ => name.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text in double quotes that stands for this one.
fn double_quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        if "\\\"$`".contains(char) {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted + "\""
}

fn command(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(5) {
            0 => format!("{}{}", random.pick(HEADS), simple(random)),
            _ => simple(random),
        };
    }
    let inner = list(random, depth - 1);
    let end = |inner: &str| {
        if inner.ends_with(['&', '\n']) {
            " "
        } else {
            "; "
        }
    };
    let stop = end(&inner);
    match random.below(34) {
        0 => format!("( {inner} )"),
        1 => format!("({inner})"),
        2 => format!("{{ {inner}{stop}}}"),
        3 => format!("if {inner}{stop}then {}; fi", simple(random)),
        4 => format!("if true; then {inner}{stop}else {}; fi", simple(random)),
        5 => format!("for i in x y; do {inner}{stop}done"),
        6 => format!("while [ -z \"$n{depth}\" ]; do n{depth}=x; {inner}{stop}done"),
        7 => format!("until {inner}{stop}do break; done"),
        8 => format!("case x in y) {};; x) {inner};; esac", simple(random)),
        9 => format!("f{depth}() {{ {inner}{stop}}}; f{depth}"),
        10 => format!("function g{depth} {{ {inner}{stop}}}; g{depth} x"),
        11 => format!("echo $({inner})"),
        12 => format!("echo \"$({inner})\""),
        13 => format!("a `{}`", inner.replace('\\', "\\\\").replace('`', "\\`")),
        14 => format!("x=$({inner})"),
        15 => format!("a <({inner})"),
        16 => format!("bash -c {}", quoted(&inner)),
        17 => format!("sh -c {}", quoted(&inner)),
        18 => format!("bash -c {}", double_quoted(&inner)),
        19 => format!("eval {}", quoted(&inner)),
        20 => format!("cat <<EOF\nx $({inner})\nEOF\n"),
        21 => format!("cat <<'EOF'\n{inner}\nEOF\n"),
        22 => format!("bash <<'EOF'\n{inner}\nEOF\n"),
        23 => format!(
            "echo {} | {}",
            quoted(&inner),
            random.pick(&["bash", "sh", "cat", "xargs"])
        ),
        24 => format!("echo ${{x:-$({inner})}}"),
        25 => format!("[[ -n x ]] && {{ {inner}{stop}}}"),
        26 => format!("! {{ {inner}{stop}}}"),
        27 => format!("time ( {inner} )"),
        28 => format!("trap {} EXIT", quoted(&inner)),
        29 => format!(
            "find . -maxdepth 0 -exec {} {}",
            simple(random),
            random.pick(&["\\;", "{} +", "{} ';'"])
        ),
        30 => format!("echo x | xargs {}", simple(random)),
        31 => format!("bash <<< {}", quoted(&inner)),
        32 => format!("arr=(x $({inner}) y)"),
        _ => format!("{}{}", random.pick(HEADS), simple(random)),
    }
}
