//! What is said of bad input: the place, what is expected there, and the remedy, in the words of
//! JSON and not of the program.

mod support;

use support::run;

/// Input, in which `@` stands for a call, and the sentence.
const SENTENCES: &[(&str, &str)] = &[
    (
        "",
        "the input is empty, or standard input is closed; give one json object on standard input [empty_input]",
    ),
    (
        "{",
        "bad input at line 1, column 1: the input ends inside an object; close it with `}` [not_a_request]",
    ),
    (
        "[]",
        "bad input at line 1, column 1: expected an object, found an array [not_a_request]",
    ),
    (
        "7",
        "bad input at line 1, column 1: expected an object, found a number [not_a_request]",
    ),
    (
        "null",
        "bad input at line 1, column 4: expected an object, found null [not_a_request]",
    ),
    (
        "true",
        "bad input at line 1, column 4: expected an object, found a boolean [not_a_request]",
    ),
    (
        r#""call""#,
        "bad input at line 1, column 6: expected an object, found a string [not_a_request]",
    ),
    (
        "nul",
        "bad input at line 1, column 3: the input ends where a value is expected [not_a_request]",
    ),
    (
        "{}",
        "bad input at line 1, column 2: missing field `call` [not_a_request]",
    ),
    (
        r#"{"call":"#,
        "bad input at call (line 1, column 8): the input ends where a value is expected [not_a_request]",
    ),
    (
        r#"{"call":{"id":"c"#,
        r#"bad input at call.id (line 1, column 16): the input ends inside a string; close it with `"` [not_a_request]"#,
    ),
    (
        r#"{"call":{,}}"#,
        "bad input at call (line 1, column 10): a key is expected here, in double quotes [not_a_request]",
    ),
    (
        "{'call':1}",
        "bad input at line 1, column 2: a key is expected here, in double quotes [not_a_request]",
    ),
    (
        "{@,}",
        "bad input at line 1, column 58: a comma stands before the closing bracket; leave it out [not_a_request]",
    ),
    (
        "{@} x",
        "bad input at line 1, column 59: something stands after the value; give one json object and nothing after it [not_a_request]",
    ),
    (
        r#"{@ "mode":"plan"}"#,
        "bad input at line 1, column 58: `,` or `}` is expected here [not_a_request]",
    ),
    (
        r#"{"call" 1}"#,
        "bad input at line 1, column 9: `:` is expected after a key [not_a_request]",
    ),
    (
        r#"{"call":[]}"#,
        "bad input at call (line 1, column 8): expected an object, found an array [not_a_request]",
    ),
    (
        r#"{"call":null}"#,
        "bad input at call (line 1, column 12): expected an object, found null [not_a_request]",
    ),
    (
        r#"{"call":{"id":"\ud800","tool":"Bash","args":{}}}"#,
        r"bad input at call.id (line 1, column 22): a `\u` escape is half of a surrogate pair; write the character itself, or both halves of its pair [not_a_request]",
    ),
    (
        r#"{"call":{"id":"\udc00x","tool":"Bash","args":{}}}"#,
        r"bad input at call.id (line 1, column 21): a `\u` escape is half of a surrogate pair; write the character itself, or both halves of its pair [not_a_request]",
    ),
    (
        r#"{"call":{"id":"\x","tool":"Bash","args":{}}}"#,
        r"bad input at call.id (line 1, column 17): this is no escape of json; write a backslash as `\\` [not_a_request]",
    ),
    (
        "{\"call\":{\"id\":\"a\tb\",\"tool\":\"Bash\",\"args\":{}}}",
        r"bad input at call.id (line 1, column 17): a string holds a control character as it is; write it as an escape, such as `\n` [not_a_request]",
    ),
    (
        r#"{"call":{"id":7,"tool":"Bash","args":{}}}"#,
        "bad input at call.id (line 1, column 15): expected a string, found a number [not_a_request]",
    ),
    (
        r#"{"call":{"id":"c","tool":"Bash"}}"#,
        "bad input at call (line 1, column 32): missing field `args` [not_a_request]",
    ),
    (
        r#"{@,"mode":"yolo"}"#,
        "bad input at mode (line 1, column 71): unknown word `yolo`, expected default, plan, accept_edits, auto, dont_ask or bypass [not_a_request]",
    ),
    (
        r#"{@,"mode":null}"#,
        "bad input at mode (line 1, column 68): expected a string, found null [not_a_request]",
    ),
    (
        r#"{@,"mode":{"plan":null}}"#,
        "bad input at mode (line 1, column 64): expected a string, found an object [not_a_request]",
    ),
    (
        r#"{@,"lock":"no"}"#,
        "bad input at lock (line 1, column 68): expected true or false, found a string [not_a_request]",
    ),
    (
        r#"{@,"lock":1e400}"#,
        "bad input at lock (line 1, column 69): this number is out of every range [not_a_request]",
    ),
    (
        r#"{@,"denials":-1}"#,
        "bad input at denials (line 1, column 69): expected a whole number from 0 to 4294967295 [not_a_request]",
    ),
    (
        r#"{@,"denials":1.5}"#,
        "bad input at denials (line 1, column 70): expected a whole number from 0 to 4294967295 [not_a_request]",
    ),
    (
        r#"{@,"denials":4294967296}"#,
        "bad input at denials (line 1, column 77): expected a whole number from 0 to 4294967295 [not_a_request]",
    ),
    (
        r#"{@,"denials":"3"}"#,
        "bad input at denials (line 1, column 70): expected a whole number from 0 to 4294967295, found a string [not_a_request]",
    ),
    (
        r#"{@,"denials":01}"#,
        "bad input at denials (line 1, column 69): this is no number of json [not_a_request]",
    ),
    (
        r#"{@,"cwd":7}"#,
        "bad input at cwd (line 1, column 64): expected a string, found a number [not_a_request]",
    ),
    (
        r#"{@,"roots":"/"}"#,
        "bad input at roots (line 1, column 68): expected an array, found a string [not_a_request]",
    ),
    (
        r#"{@,"roots":[true]}"#,
        "bad input at roots[0] (line 1, column 70): expected a string, found a boolean [not_a_request]",
    ),
    (
        r#"{@,"rules":{}}"#,
        "bad input at rules (line 1, column 65): expected an array, found an object [not_a_request]",
    ),
    (
        r#"{@,"rules":["Bash"]}"#,
        "bad input at rules[0] (line 1, column 72): expected an object, found a string [not_a_request]",
    ),
    (
        r#"{@,"rules":[{"effect":"deny","rule":"Bash"}]}"#,
        "bad input at rules[0] (line 1, column 97): missing field `from` [not_a_request]",
    ),
    (
        r#"{@,"ancestors":[["main"]]}"#,
        "bad input at ancestors[0] (line 1, column 70): expected an object, found an array [not_a_request]",
    ),
    (
        r#"{@,"cmd":1}"#,
        "bad input at cmd (line 1, column 62): unknown field `cmd`, expected one of `call`, `cwd`, `home`, `roots`, `platform`, `shell`, `mode`, `lock`, `interactive`, `denials`, `agent`, `ancestors`, `rules`, `hooks`, `resolve`, `facts` [not_a_request]",
    ),
    (
        r#"{@,"mode":"plan","mode":"plan"}"#,
        "bad input at line 1, column 77: duplicate field `mode` [not_a_request]",
    ),
    (
        r#"{@,"hooks":[{"id":"h"},{"id":"h"}]}"#,
        "bad input at hooks[1].id: the hook `h` is declared twice, first at hooks[0] [not_a_request]",
    ),
    (
        r#"{@,"resolve":5}"#,
        "bad input at resolve: expected null, an object or an array of objects [not_a_request]",
    ),
    (
        r#"{@,"resolve":["yes"]}"#,
        "bad input at resolve[0]: expected an object, found a string [not_a_request]",
    ),
    (
        r#"{@,"resolve":[["yes"]]}"#,
        "bad input at resolve[0]: expected an object, found an array [not_a_request]",
    ),
    (
        r#"{@,"resolve":{"answer":"yes","remember":["s","r"]}}"#,
        "bad input at resolve.remember: expected an object, found an array [not_a_request]",
    ),
    (
        r#"{@,"resolve":{"answer":5}}"#,
        "bad input at resolve.answer: expected a string, found a number [not_a_request]",
    ),
    (
        r#"{@,"facts":[]}"#,
        "bad input at facts (line 1, column 65): expected an object, found an array [not_a_request]",
    ),
    (
        r#"{@,"facts":{"realpaths":[]}}"#,
        "bad input at facts.realpaths (line 1, column 78): expected an object of paths, found an array [not_a_request]",
    ),
    (
        r#"{@,"facts":{"known_tools":"Bash"}}"#,
        "bad input at facts.known_tools (line 1, column 86): expected an array, found a string [not_a_request]",
    ),
];

const CALL: &str = r#""call":{"id":"c","tool":"Bash","args":{"command":"ls"}}"#;

#[test]
fn bad_input_is_told_in_this_sentence() {
    for (input, sentence) in SENTENCES {
        let told = told(&input.replace('@', CALL));
        assert_eq!(told, format!("gatefold: {sentence}\n"), "{input}");
        for word in [
            "struct", "u32", "map", "sequence", "ident", "EOF", "Request",
        ] {
            let mut words = told.split(|char: char| !char.is_ascii_alphanumeric());
            assert!(words.all(|told| told != word), "{word}: {told}");
        }
    }
}

#[test]
fn a_name_is_told_by_its_place_in_the_request() {
    let long = "x".repeat(1025);
    for (fields, place) in [
        (r#""agent":"@""#, "agent"),
        (r#""ancestors":[{},{"agent":"@"}]"#, "ancestors[1].agent"),
        (r#""hooks":[{"id":"h"},{"id":"@"}]"#, "hooks[1].id"),
    ] {
        let told = told(&format!("{{{CALL},{}}}", fields.replace('@', &long)));
        let want = format!(
            "gatefold: bad input at {place}: the name has 1025 bytes, more than 1024 \
             [not_a_request]\n"
        );
        assert_eq!(told, want);
    }
}

#[test]
fn half_a_surrogate_pair_in_args_is_told_with_the_remedy() {
    let told = told(r#"{"call":{"id":"c","tool":"Bash","args":{"a":"\ud800"}}}"#);
    assert!(told.contains("bad input at call.args: "), "{told}");
    let remedy = "; write the character itself, or both halves of its pair [";
    assert!(told.contains(remedy), "{told}");
}

/// What is said of an input that is refused.
fn told(input: &str) -> String {
    let run = run(&["decide"], input);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{input}");
    run.stderr
}
