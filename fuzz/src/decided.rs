//! Any bytes as a request to the program.

use arbitrary::Unstructured;
use gatefold_cli::NoDecision;
use gatefold_spec::testkit::fuzz::See;
use serde_json::{Value, json};

use crate::{generated, request as generator};

/// The exit status of an input that cannot be used; of bytes, it is the only one.
const BAD_INPUT: u8 = 2;

/// The request: the bytes themselves, or one from its parts.
pub(crate) fn request(data: &[u8]) -> Vec<u8> {
    generated(data).map_or_else(
        || data.to_vec(),
        |rest| generator::request(&mut Unstructured::new(rest)),
    )
}

/// Decides a request, and then stricter ones that are made from it.
pub(crate) fn gate_any_bytes(data: &[u8], see: See<'_>) {
    let request = request(data);
    let decided = gatefold_cli::decide(&request, &[]);
    assert_eq!(
        decided,
        gatefold_cli::decide(&request, &[]),
        "decided twice, it is another decision"
    );
    let printed = match decided {
        Ok(printed) => printed,
        Err(NoDecision {
            code,
            sentence,
            exit,
        }) => {
            see(format_args!("{code}"));
            assert_eq!(exit, BAD_INPUT, "{code}: {sentence}");
            return assert!(!code.is_empty() && !sentence.is_empty());
        }
    };
    let verdict = held(&printed, see);
    let Ok(given) = serde_json::from_slice::<Value>(&request) else {
        return;
    };
    stricter(&given, &verdict, request.len());
}

/// A decision has the shape of one, and its verdict.
fn held(printed: &str, see: See<'_>) -> String {
    assert!(
        printed.ends_with("}\n") && printed.lines().count() == 1,
        "{printed:?}"
    );
    let decision: Value =
        serde_json::from_str(printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let record = &decision["record"];
    let verdict = decision["verdict"].as_str().unwrap_or_default();
    assert!(["allow", "ask", "deny"].contains(&verdict), "{printed}");
    assert_eq!(record["schema"], "gatefold/record/v1");
    assert_eq!(record["verdict"], verdict);
    assert_eq!(
        decision["args"].is_object(),
        verdict == "allow",
        "args stand on an allow alone"
    );
    assert_eq!(
        decision["reason"].is_string(),
        verdict != "allow",
        "who is refused is told why"
    );
    assert_eq!(record["allowed_by"].is_string(), verdict == "allow");
    assert_eq!(record["denied_by"].is_string(), verdict == "deny");
    see(format_args!("verdict {verdict}"));
    for by in ["allowed_by", "denied_by"] {
        if let Some(word) = record[by].as_str() {
            see(format_args!("{by} {word}"));
        }
    }
    verdict.to_owned()
}

/// What only makes a request stricter never makes its decision looser.
fn stricter(given: &Value, verdict: &str, which: usize) {
    let mut request = given.clone();
    let wanted: &[&str] = match which % 4 {
        0 => {
            request["lock"] = json!(true);
            &["deny"]
        }
        1 => {
            let tool = given["call"]["tool"].as_str().unwrap_or_default();
            let is_plain = tool.chars().all(|char| char.is_ascii_alphanumeric());
            if !is_plain || !given["call"]["mcp"].is_null() {
                return;
            }
            push(
                &mut request,
                "rules",
                json!({ "effect": "deny", "rule": tool, "from": "org" }),
            );
            &["deny"]
        }
        2 => {
            let answer = json!({ "decision": "deny" });
            push(
                &mut request,
                "hooks",
                json!({ "id": "the last guard", "answer": answer }),
            );
            &["deny"]
        }
        _ => {
            request["interactive"] = json!(false);
            request["resolve"] = Value::Null;
            if verdict == "deny" {
                &["deny"]
            } else {
                &["allow", "deny"]
            }
        }
    };
    let Ok(printed) = gatefold_cli::decide(request.to_string().as_bytes(), &[]) else {
        return;
    };
    let now = held(&printed, &mut |_| {});
    assert!(
        wanted.contains(&now.as_str()),
        "{verdict} has become {now}: {request}"
    );
}

fn push(request: &mut Value, key: &str, value: Value) {
    let mut values = request[key].as_array().cloned().unwrap_or_default();
    values.push(value);
    request[key] = Value::Array(values);
}
