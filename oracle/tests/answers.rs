//! What hooks and resolvers in a request come to.

mod support;

use support::{decide, line, one_rule, parse, request, run, short};

#[test]
fn a_hook_answer_counts_as_its_row_says() {
    // answer, decision in mode bypass, what the reason or the notices must tell
    for (answer, want, told) in [
        (r#"{"decision":"none"}"#, "allow mode", ""),
        (r#"{"decision":"allow"}"#, "allow hook", ""),
        (
            r#"{"decision":"ask","reason":"sure?"}"#,
            "ask hook",
            "sure?",
        ),
        (
            r#"{"decision":"deny","reason":"no way"}"#,
            "deny hook",
            "no way",
        ),
        (
            r#"{"failed":"threw","text":"boom"}"#,
            "deny engine",
            "threw: boom",
        ),
        (r#"{"failed":"timed_out"}"#, "deny engine", "timed out"),
        (
            r#"{"failed":"timed_out","text":"30 s"}"#,
            "deny engine",
            "timed out",
        ),
        (r#"{"failed":"aborted"}"#, "deny engine", "cancelled"),
        // Missing is a crash.
        ("null", "deny engine", "threw"),
    ] {
        assert_hook(answer, want, told);
    }
}

#[test]
fn whatever_is_wrong_inside_a_hook_answer_is_out_of_contract() {
    for (answer, told) in [
        (
            r#"{"decision":"approve"}"#,
            "unknown decision word `approve`",
        ),
        (r#"{"decision":"Allow"}"#, "unknown decision word `Allow`"),
        (r#"{"decision":"out_of_contract"}"#, "unknown decision word"),
        (
            r#"{"decision":7}"#,
            "decision: expected a string, found a number",
        ),
        (r#"{"decision":null}"#, "neither `decision` nor `failed`"),
        ("{}", "neither `decision` nor `failed`"),
        ("[]", "out-of-contract"),
        (r#""allow""#, "out-of-contract"),
        ("true", "out-of-contract"),
        (r#"{"decision":"allow","extra":1}"#, "unknown field `extra`"),
        (
            r#"{"decision":"deny","decision":"allow"}"#,
            "duplicate field `decision`",
        ),
        (
            r#"{"decision":"allow","reason":[]}"#,
            "reason: expected a string, found an array",
        ),
        (
            r#"{"decision":"allow","context":{}}"#,
            "context: expected a string, found an object",
        ),
        (
            r#"{"decision":"allow","reason":"\ud800"}"#,
            "out-of-contract",
        ),
        (
            r#"{"decision":"allow","text":"x"}"#,
            "`text` stands only beside",
        ),
        (
            r#"{"decision":"allow","failed":"threw"}"#,
            "beside `failed` only",
        ),
        (
            r#"{"failed":"exploded"}"#,
            "unknown failure word `exploded`",
        ),
        (
            r#"{"decision":"allow","rewrite":[]}"#,
            "its rewrite: args are not a json object",
        ),
        (r#"{"decision":"none","rewrite":"ls"}"#, "its rewrite"),
        (r#"{"decision":"none","rewrite":7}"#, "its rewrite"),
        (r#"{"decision":"none","rewrite":{"a":1,"a":2}}"#, "twice"),
        (
            r#"{"decision":"none","rewrite":{"a":"\ud800"}}"#,
            "surrogate",
        ),
    ] {
        assert_hook(answer, "deny hook", told);
    }
}

#[test]
fn a_hook_without_an_answer_has_crashed_and_an_observer_counts_for_nothing() {
    let hooks = |hooks: &str| decide(line("ls", &format!(r#""mode":"bypass","hooks":[{hooks}]"#)));
    assert_eq!(short(&hooks(r#"{"id":"h"}"#)), "deny engine");
    let observed = hooks(r#"{"id":"h","kind":"observer"}"#);
    assert_eq!(short(&observed), "allow mode");
    assert_eq!(observed["notices"][0]["notice"], "hook_failed");
    for answer in [
        r#"{"decision":"deny","reason":"never"}"#,
        r#"{"decision":"maybe"}"#,
        r#"{"decision":"none","rewrite":{"command":"rm x"}}"#,
    ] {
        let observed = hooks(&format!(
            r#"{{"id":"h","kind":"observer","answer":{answer}}}"#
        ));
        assert_eq!(short(&observed), "allow mode", "{answer}");
        assert_eq!(observed["args"], parse(r#"{"command":"ls"}"#));
        let notice = observed["notices"][0].as_object().expect("a notice");
        let keys: Vec<_> = notice.keys().map(String::as_str).collect();
        assert!(!keys.contains(&"args"), "{keys:?}");
        assert_eq!(notice["notice"], "observer_answered");
        assert_eq!(notice["audience"], "deployment");
        assert_eq!(notice["about"], "h");
    }
    // An observer's own cancellation does not end the pass either, a guard's does.
    let aborted = r#"{"id":"h","kind":"observer","answer":{"failed":"aborted"}}"#;
    let observed = hooks(aborted);
    assert_eq!(short(&observed), "allow mode");
    assert_eq!(observed["notices"][0]["notice"], "hook_failed");
    let guard = r#"{"id":"g","answer":{"decision":"deny","reason":"no"}}"#;
    assert_eq!(short(&hooks(&format!("{aborted},{guard}"))), "deny hook");
    let guard = r#"{"id":"g","answer":{"failed":"aborted"}}"#;
    assert_eq!(short(&hooks(&format!("{aborted},{guard}"))), "deny engine");
}

#[test]
fn a_rewrite_replaces_all_args_and_is_judged_as_they_stand() {
    let hook = r#""hooks":[{"id":"h","answer":{"decision":"none","context":"changed",
        "rewrite":{"command":"rm x"}}}]"#;
    let fields = |rule: &str| format!("{hook},{}", one_rule("deny", rule, "user"));
    let args = r#"{"command":"ls","timeout":5}"#;
    let of = |rule: &str| decide(request("Bash", args, &fields(rule)));
    assert_eq!(short(&of("Bash(rm *)")), "deny rule");
    // A deny sees the model's own args too.
    assert_eq!(short(&of("Bash(ls)")), "deny rule");
    let fields = format!(r#""mode":"bypass",{hook}"#);
    let runs = decide(request("Bash", args, &fields));
    assert_eq!(runs["args"], parse(r#"{"command":"rm x"}"#));
    assert_eq!(runs["context"], parse(r#"["changed"]"#));
    assert_ne!(
        runs["record"]["digests"]["asked"],
        runs["record"]["digests"]["runs"]
    );
}

#[test]
fn an_ask_ends_as_its_resolver_says() {
    // resolve, decision, why it stayed unanswered
    for (resolve, want, why) in [
        (r#"{"answer":"yes"}"#, "allow ask_resolution", ""),
        (
            r#"{"answer":"yes","by":"delegate"}"#,
            "allow ask_resolution",
            "",
        ),
        (r#"{"answer":"no"}"#, "deny ask_resolution", ""),
        (
            r#"{"answer":"unanswered"}"#,
            "deny ask_resolution",
            "nobody",
        ),
        (
            r#"{"answer":"unanswered","why":"timeout"}"#,
            "deny ask_resolution",
            "timeout",
        ),
        (
            r#"{"answer":"unanswered","why":"aborted"}"#,
            "deny ask_resolution",
            "aborted",
        ),
        (
            r#"{"answer":"unanswered","why":"nobody"}"#,
            "deny ask_resolution",
            "nobody",
        ),
        (
            r#"{"answer":"unanswered","why":"failed"}"#,
            "deny ask_resolution",
            "failed",
        ),
        ("[]", "deny ask_resolution", "nobody"),
        (r#"[{"answer":"yes"}]"#, "allow ask_resolution", ""),
        (
            r#"[{"answer":"no"},{"answer":"yes"}]"#,
            "deny ask_resolution",
            "",
        ),
        // The edited call is asked about again when a rule asks of it.
        (
            r#"{"answer":"yes","edit":{"command":"git push -n"}}"#,
            "allow ask_resolution",
            "",
        ),
        (
            r#"[{"answer":"yes","edit":{"command":"git push -n"}}]"#,
            "deny ask_resolution",
            "nobody",
        ),
        // An edit that nobody objects to is covered by the yes that came with it.
        (
            r#"[{"answer":"yes","edit":{"command":"git pull"}}]"#,
            "allow ask_resolution",
            "",
        ),
        (
            r#"{"answer":"yes","edit":{"command":"rm x"}}"#,
            "deny rule",
            "",
        ),
        (
            r#"{"answer":"yes","edit":"git push"}"#,
            "deny ask_resolution",
            "failed",
        ),
        (
            r#"{"answer":"yes","edit":[]}"#,
            "deny ask_resolution",
            "failed",
        ),
        (
            r#"{"answer":"yes","edit":{"a":1,"a":1}}"#,
            "deny ask_resolution",
            "failed",
        ),
    ] {
        let fields = format!(
            r#""resolve":{resolve},"rules":[
                {{"effect":"ask","rule":"Bash(git push:*)","from":"user"}},
                {{"effect":"deny","rule":"Bash(rm:*)","from":"user"}}]"#
        );
        for interactive in [true, false] {
            let fields = format!(r#"{fields},"interactive":{interactive}"#);
            let decision = decide(line("git push", &fields));
            assert_eq!(short(&decision), want, "{resolve}");
            let settled = &decision["record"]["settled"];
            assert_eq!(settled["why"].as_str().unwrap_or(""), why, "{resolve}");
        }
    }
}

#[test]
fn a_settlement_tells_who_gave_it_and_what_is_remembered() {
    let remember = r#""resolve":{"answer":"yes","by":"delegate",
        "remember":{"scope":"session","rule":"Bash(ls)"}}"#;
    let settled = decide(line("ls", remember))["record"]["settled"].clone();
    assert_eq!(settled["by"], "delegate");
    assert_eq!(
        settled["grant"],
        parse(r#"{"scope":"session","rule":"Bash(ls)"}"#)
    );
    let person = decide(line("ls", r#""resolve":{"answer":"no"}"#));
    assert_eq!(person["record"]["settled"]["by"], "person");
}

#[test]
fn an_ask_that_nobody_answers_is_printed_when_somebody_could_be_asked_and_else_denied() {
    let asked = decide(line("ls", r#""interactive":true,"resolve":null"#));
    assert_eq!(short(&asked), "ask unstated");
    assert_eq!(
        asked["reason"],
        "this call needs an answer: nothing says that it may run"
    );
    assert!(asked["record"]["settled"].is_null());
    let denied = decide(line("ls", r#""interactive":false"#));
    assert_eq!(short(&denied), "deny ask_resolution");
    assert_eq!(denied["record"]["settled"]["why"], "nobody");
}

#[test]
fn every_refusal_by_a_mode_or_a_lineage_stands() {
    for (fields, want) in [
        (r#""mode":"dont_ask""#, "deny mode"),
        (r#""mode":"bypass""#, "allow mode"),
        (r#""mode":"accept_edits""#, "ask unstated"),
        (r#""mode":"auto""#, "ask unstated"),
        (r#""mode":"auto","denials":3"#, "ask denial_limit"),
        (r#""mode":"plan""#, "deny plan_mode"),
        (r#""lock":true,"mode":"bypass""#, "deny compliance"),
        (
            r#""mode":"bypass","ancestors":[{"mode":"bypass"}]"#,
            "allow mode",
        ),
        (
            r#""mode":"bypass","ancestors":[{"agent":"main"}]"#,
            "ask unstated",
        ),
        (
            r#""mode":"bypass","ancestors":[{"mode":"plan"}]"#,
            "deny plan_mode",
        ),
        (
            r#""mode":"bypass","ancestors":[{"mode":"dont_ask"}]"#,
            "deny mode",
        ),
        (
            r#""mode":"bypass","ancestors":[{"lock":true}]"#,
            "deny compliance",
        ),
    ] {
        assert_eq!(short(&decide(line("make", fields))), want, "{fields}");
    }
}

#[test]
fn the_exit_code_says_the_verdict_only_when_asked_to() {
    for (fields, code) in [
        (r#""mode":"bypass""#, 0),
        (r#""interactive":true"#, 10),
        (r#""interactive":false"#, 20),
    ] {
        assert_eq!(run(&["decide"], line("ls", fields)).code, 0, "{fields}");
        assert_eq!(
            run(&["decide", "--exit-code"], line("ls", fields)).code,
            code,
            "{fields}"
        );
    }
}

/// What one guard's answer comes to in mode bypass, and what the reason tells of it.
fn assert_hook(answer: &str, want: &str, told: &str) {
    let fields = format!(r#""mode":"bypass","hooks":[{{"id":"h","answer":{answer}}}]"#);
    let decision = decide(line("ls", &fields));
    assert_eq!(short(&decision), want, "{answer}");
    let reason = decision["reason"].as_str().unwrap_or("");
    assert!(reason.contains(told), "{answer}: {reason}");
}
