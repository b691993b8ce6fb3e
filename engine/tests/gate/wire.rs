//! Answers as JSON, for hosts that send them over a pipe: what is not understood is refused, and
//! never read as if it were not there.

use gatefold::gate::*;

/// One unknown or misspelled key in each structure of an answer.
const STRANGE: [&str; 15] = [
    r#"{"hook":{"Ok":[{"hook":"g","outcome":"timed_out","late":true}]}}"#,
    r#"{"hook":{"Ok":[{"hook":"g","outcome":{"answered":{"decision":"none","reason":null,"rewrite":null,"context":null,"rewrites":"{}"}}}]}}"#,
    r#"{"describe":{"Ok":{"kind":"other","read_only":"no","file_command":false,"edits_in_roots":false,"shows_content":false,"shown":true}}}"#,
    r#"{"adjudicate":{"Ok":{"judgements":[],"rewrite":null,"settlement":null,"round":null,"rewrites":"{}"}}}"#,
    r#"{"adjudicate":{"Ok":{"judgements":[{"form":"current","member":0,"ruling":"deny","reason":null,"basis":null,"members":1}],"rewrite":null,"settlement":null,"round":null}}}"#,
    r#"{"adjudicate":{"Ok":{"judgements":[{"form":"current","member":0,"ruling":{"allow":{"stated":true,"by":"me"}},"reason":null,"basis":null}],"rewrite":null,"settlement":null,"round":null}}}"#,
    r#"{"probe":{"Ok":{"finding":"reversible","boundary_declined":false,"boundary":true}}}"#,
    r#"{"shell_read":{"Ok":{"finding":"clean","writes_placed":true,"unplaced_options":null,"write_protection":"none","offer":null,"part":null,"reads":"all"}}}"#,
    r#"{"org":{"Ok":[{"form":"current","member":0,"ruling":"none","reason":null,"basis":null,"but":"ask"}]}}"#,
    r#"{"rules":{"Ok":[{"form":"current","member":0,"ruling":{"allow":{"grant":null,"until":"noon"}},"reason":null,"basis":null}]}}"#,
    r#"{"classify":{"Ok":{"ruling":"allow","round":null,"reason":null,"unless":"x"}}}"#,
    r#"{"resolve":{"Ok":{"shown":{"yes":{"by":"person","edit":null,"remember":null}},"attested":null,"edits":"{}"}}}"#,
    r#"{"resolve":{"Ok":{"shown":{"yes":{"by":"person","edits":"{}"}},"attested":null}}}"#,
    r#"{"resolve":{"Ok":{"shown":{"no":{"by":"person","why":"x"}},"attested":null}}}"#,
    r#"{"resolve":{"Ok":{"shown":{"unanswered":"aborted"},"attested":null}}}"#,
];

#[test]
fn an_answer_with_a_key_or_word_nobody_knows_is_not_read() {
    for json in STRANGE {
        let read = serde_json::from_str::<Answer>(json);
        let error = read.expect_err(json).to_string();
        assert!(error.contains("unknown"), "{json}: {error}");
    }
}
