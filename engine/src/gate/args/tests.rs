//! Hostile and everyday args, and a second reading to compare with.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use proptest::prelude::*;

use super::*;

#[test]
fn canonical_text_is_the_one_spelling() {
    let rows = [
        ("{}", "{}"),
        (" \t\r\n{ \t\r\n} \t\r\n", "{}"),
        (
            r#"{ "a" : [ 1 , [ ] , { } , null , true , false ] }"#,
            r#"{"a":[1,[],{},null,true,false]}"#,
        ),
        (r#"{"b":1,"a":2}"#, r#"{"a":2,"b":1}"#),
        (
            r#"{"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]}"#,
            r#"{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}"#,
        ),
        (r#"{"ab":1,"a":2,"":3}"#, r#"{"":3,"a":2,"ab":1}"#),
        // The quote and the control sort by what they are, not by how they are written.
        (
            r#"{"!":1,"\"":2,"\u0001":3,"\u0041":4}"#,
            r#"{"\u0001":3,"!":1,"\"":2,"A":4}"#,
        ),
        (r#"{"k":"\u0061\/\u00e9\ud83d\ude00"}"#, r#"{"k":"a/é😀"}"#),
        (
            r#"{"k":"\u0008\u0009\u000A\u000C\u000D\u001F\u0000"}"#,
            r#"{"k":"\b\t\n\f\r\u001f\u0000"}"#,
        ),
        (r#"{"k":"\u0022\u005C"}"#, r#"{"k":"\"\\"}"#),
        (r#"{"k":"\\\"\\"}"#, r#"{"k":"\\\"\\"}"#),
        (
            r#"{"k":"\u007f\u0080\u2028\u2029\ufeff\uffff"}"#,
            "{\"k\":\"\u{7f}\u{80}\u{2028}\u{2029}\u{feff}\u{ffff}\"}",
        ),
        (r#"{"k":"}],:{["}"#, r#"{"k":"}],:{["}"#),
        (
            r#"{"{":1,"[":2,",":3,":":4}"#,
            r#"{",":3,":":4,"[":2,"{":1}"#,
        ),
        ("{\"k\":\" \u{a0} \"}", "{\"k\":\" \u{a0} \"}"),
    ];
    for (text, canonical) in rows {
        assert_eq!(
            Args::parse(text).as_ref().map(Args::as_str),
            Ok(canonical),
            "{text}"
        );
        assert_eq!(
            Args::parse(canonical).as_ref().map(Args::as_str),
            Ok(canonical)
        );
    }
}

#[test]
fn a_number_keeps_its_text() {
    let numbers = [
        "0",
        "-0",
        "-0.0",
        "1",
        "1.0",
        "1.00",
        "1e5",
        "1E5",
        "1e+5",
        "1E-05",
        "100000",
        "1e999999999",
        "12345678901234567890123",
        "12345678901234567890124",
        "0.1",
        "0.10",
        "18446744073709551616",
        "-9223372036854775809",
        "1.7976931348623157e309",
    ];
    let mut digests = Vec::new();
    for number in numbers {
        let canonical = format!("{{\"n\":[{number},{number}]}}");
        let args = read(&format!("{{ \"n\" : [\n{number} ,{number}\t] }}"));
        assert_eq!(args.as_str(), canonical);
        digests.push(args.digest());
    }
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), numbers.len());
}

#[test]
fn keys_are_sorted_by_their_utf8_bytes() {
    // In UTF-16 the emoji (d83d) would come before the halfwidth katakana (ff71).
    let args = read("{\"😀\":1,\"ｱ\":2,\"é\":3,\"z\":4,\"Z\":5,\"\\ud83d\\ude01\":6}");
    assert_eq!(
        args.as_str(),
        "{\"Z\":5,\"z\":4,\"é\":3,\"ｱ\":2,\"😀\":1,\"😁\":6}"
    );
}

#[test]
fn what_is_not_an_object_in_json_is_refused() {
    let rows = [
        ("", "not_json"),
        (" ", "not_json"),
        ("{", "not_json"),
        ("{}}", "not_json"),
        ("{}{}", "not_json"),
        ("{} x", "not_json"),
        ("{},", "not_json"),
        ("{}\0", "not_json"),
        ("\0{}", "not_json"),
        ("\u{feff}{}", "not_json"),
        ("{}\u{feff}", "not_json"),
        ("\u{a0}{}", "not_json"),
        ("\u{b}{}", "not_json"),
        ("{\u{2028}}", "not_json"),
        ("// a\n{}", "not_json"),
        ("{/**/}", "not_json"),
        (r"{'a':1}", "not_json"),
        (r"{a:1}", "not_json"),
        (r#"{"a":1,}"#, "not_json"),
        (r#"{,"a":1}"#, "not_json"),
        (r#"{"a":[1,]}"#, "not_json"),
        (r#"{"a":[1 2]}"#, "not_json"),
        (r#"{"a" 1}"#, "not_json"),
        (r#"{"a":}"#, "not_json"),
        (r#"{"a"}"#, "not_json"),
        (r"{1:1}", "not_json"),
        (r#"{"a":[}]"#, "not_json"),
        (r#"{"a":01}"#, "not_json"),
        (r#"{"a":-}"#, "not_json"),
        (r#"{"a":+1}"#, "not_json"),
        (r#"{"a":.5}"#, "not_json"),
        (r#"{"a":1.}"#, "not_json"),
        (r#"{"a":1e}"#, "not_json"),
        (r#"{"a":0x1}"#, "not_json"),
        (r#"{"a":NaN}"#, "not_json"),
        (r#"{"a":Infinity}"#, "not_json"),
        (r#"{"a":True}"#, "not_json"),
        (r#"{"a":truefalse}"#, "not_json"),
        (r#"{"a":nul}"#, "not_json"),
        ("{\"a\":\"\n\"}", "not_json"),
        ("{\"a\":\"\0\"}", "not_json"),
        ("{\"a\t\":1}", "not_json"),
        (r#"{"a":"\x41"}"#, "not_json"),
        (r#"{"a":"\u00g0"}"#, "not_json"),
        (r#"{"a":"\u00"}"#, "not_json"),
        (r#"{"a":"\U0041"}"#, "not_json"),
        (r#"{"a":"b}"#, "not_json"),
        (r#"{"a":"b\"}"#, "not_json"),
        ("null", "not_an_object"),
        ("[]", "not_an_object"),
        (r#" [{"a":1}]"#, "not_an_object"),
        (r#""{}""#, "not_an_object"),
        (r#""\ud800""#, "not_an_object"),
        ("7", "not_an_object"),
        ("true", "not_an_object"),
    ];
    for (text, code) in rows {
        assert_eq!(code_of(text), Err(code), "{text:?}");
    }
}

#[test]
fn a_syntax_error_names_line_and_column() {
    assert_eq!(
        Args::parse("{\n  \"a\": x}"),
        Err(ArgsError::NotJson { line: 2, column: 8 })
    );
}

#[test]
fn half_a_surrogate_pair_is_refused_wherever_it_stands() {
    let halves = [
        r"\ud800",
        r"\uD800",
        r"\udbff",
        r"\udc00",
        r"\udfff",
        r"a\ud800b",
        r"\ud800\ud800",
        r"\udc00\ud800",
        r"\ud800\u0041",
        r"\ud800\n",
        r"\ud83d\ude00\ud83d",
        r"\\\ud800",
    ];
    for half in halves {
        for (before, after) in [
            (r#"{"a":"#, "}"),
            (r#"{"a":[["#, "]]}"),
            (r#"{"a":{"b":[{"c":"#, "}]}}"),
            (r#"{"a":1,"b":[1,"x","#, "]}"),
            ("{", ":1}"),
            (r#"{"a":["#, "]}"),
            (r#"{"a":[{"#, ":{}}]}"),
            (r#"{"a":1,"#, ":1}"),
        ] {
            let text = format!("{before}\"{half}\"{after}");
            let error = ArgsError::LoneSurrogate { at: before.len() };
            assert_eq!(Args::parse(&text), Err(error), "{text}");
        }
    }
    // A backslash that is itself escaped makes no surrogate, and a whole pair is a character.
    assert_eq!(code_of(r#"{"a":"\\ud800","b":"\ud800\udc00"}"#), Ok(()));
}

#[test]
fn a_key_stands_once_in_an_object() {
    let rows = [
        (r#"{"a":1,"a":1}"#, "a", 7),
        (r#"{"a":1,"\u0061":2}"#, "a", 7),
        (r#"{"\u0061":1,"a":2}"#, "a", 12),
        (r#"{"c":1,"a":1,"b":1,"a":2,"d":1}"#, "a", 19),
        (r#"{"":1,"":2}"#, "", 6),
        (r#"{"/":1,"\/":2}"#, "/", 7),
        (r#"{"😀":1,"\ud83d\ude00":2}"#, "😀", 10),
        (r#"{"x":[{"y":{"a":1,"a":1}}]}"#, "a", 18),
        (r#"{"\n":1,"\u000a":1}"#, "\n", 8),
    ];
    for (text, key, at) in rows {
        let error = ArgsError::DuplicateKey {
            key: Text::new(key),
            at,
        };
        assert_eq!(Args::parse(text), Err(error), "{text}");
    }
    // The same key in two objects, in another case, or in another normal form, is another key.
    for text in [
        r#"{"a":{"a":[{"a":1},{"a":1}]}}"#,
        r#"{"a":1,"A":1}"#,
        "{\"é\":1,\"e\u{301}\":1}",
        r#"{"a":1,"a\u0000":1}"#,
        r#"{"a":1,"a ":1}"#,
    ] {
        assert_eq!(code_of(text), Ok(()), "{text}");
    }
}

#[test]
fn sixty_four_levels_pass_and_sixty_five_do_not() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = |levels: usize| {
            let inner = levels - 1;
            format!(r#"{{"k":{}1{}}}"#, open.repeat(inner), close.repeat(inner))
        };
        assert_eq!(code_of(&nested(ARGS_DEPTH_MAX)), Ok(()));
        let at = r#"{"k":"#.len() + open.len() * (ARGS_DEPTH_MAX - 1);
        assert_eq!(
            Args::parse(&nested(ARGS_DEPTH_MAX + 1)),
            Err(ArgsError::TooDeep { at })
        );
    }
    // Siblings do not add up, and brackets in strings are no brackets.
    let wide = format!(
        "{{\"k\":[{}[]],\"s\":\"{}\"}}",
        "[],".repeat(200),
        "[{".repeat(200)
    );
    assert_eq!(code_of(&wide), Ok(()));
    let open = "[".repeat(ARGS_BYTES_MAX / 4);
    assert_eq!(code_of(&format!("{{\"a\":{open}")), Err("not_json"));
    let close = "]".repeat(ARGS_BYTES_MAX / 4);
    assert_eq!(
        code_of(&format!("{{\"a\":{open}{close}}}")),
        Err("too_deep")
    );
}

#[test]
fn one_mebibyte_passes_and_a_byte_more_does_not() {
    let frame = r#"{"a":""}"#.len();
    let fits = format!(r#"{{"a":"{}"}}"#, "x".repeat(ARGS_BYTES_MAX - frame));
    assert_eq!(fits.len(), ARGS_BYTES_MAX);
    assert_eq!(read(&fits).as_str(), fits);
    let error = ArgsError::TooLarge {
        bytes: ARGS_BYTES_MAX + 1,
    };
    assert_eq!(Args::parse(&format!("{fits} ")), Err(error.clone()));
    // Size is looked at first.
    assert_eq!(Args::parse(&"x".repeat(ARGS_BYTES_MAX + 1)), Err(error));
    let blanks = format!("{}{{}}", " ".repeat(ARGS_BYTES_MAX - 2));
    assert_eq!(read(&blanks), Args::empty());
}

#[test]
fn hostile_shapes_of_a_mebibyte_are_read_whole() {
    let keys: Vec<String> = (0..90_000).rev().map(|n| format!("\"{n:05}\":0")).collect();
    let many = format!("{{{}}}", keys.join(","));
    assert!(read(&many).as_str().starts_with(r#"{"00000":0,"00001":0"#));

    let mut unsorted = String::from("0");
    let filler = "x".repeat(ARGS_BYTES_MAX / ARGS_DEPTH_MAX - 32);
    for _ in 0..ARGS_DEPTH_MAX {
        unsorted = format!("{{\"b\":{unsorted},\"a\":\"{filler}\"}}");
    }
    assert!(
        read(&unsorted)
            .as_str()
            .ends_with(&"}".repeat(ARGS_DEPTH_MAX))
    );

    let escapes = format!(r#"{{"a":"{}"}}"#, r"\u0000".repeat(170_000));
    assert_eq!(read(&escapes).as_str(), escapes);
}

#[test]
fn json_holds_args_as_a_string() {
    let args = read(r#"{"b":"\"","a":1.0}"#);
    let json = serde_json::to_string(&args).expect("a string");
    assert_eq!(json, r#""{\"a\":1.0,\"b\":\"\\\"\"}""#);
    assert_eq!(serde_json::from_str(&json).ok(), Some(args));
    // Whoever changed a saved text is held to the same rules.
    let respelled = serde_json::from_str::<Args>(r#""{\"b\":1, \"a\":2}""#).ok();
    assert_eq!(respelled, Some(read(r#"{"a":2,"b":1}"#)));
    for json in [r#""[]""#, r#""{\"a\":1,\"a\":1}""#, "{}", "null"] {
        assert!(serde_json::from_str::<Args>(json).is_err(), "{json}");
    }
}

#[test]
fn embedded_json_is_the_canonical_text() {
    let args = read(r#"{"n":12345678901234567890123,"k":[1.0,-0,1e5]}"#);
    assert_eq!(
        serde_json::to_string(&args.json()).ok().as_deref(),
        Some(args.as_str())
    );
}

#[test]
fn proposed_args_keep_their_kind_in_json() {
    for (new, json) in [
        (NewArgs::from(Args::empty()), r#"{"canonical":"{}"}"#),
        (NewArgs::from("{ }"), r#"{"text":"{ }"}"#),
        (NewArgs::from("\0"), r#"{"text":"\u0000"}"#),
    ] {
        assert_eq!(serde_json::to_string(&new).ok().as_deref(), Some(json));
        assert_eq!(serde_json::from_str(json).ok(), Some(new));
    }
    assert!(serde_json::from_str::<NewArgs>(r#"{"canonical":"[]"}"#).is_err());
    assert_eq!(
        NewArgs::from("\0").read().map_err(|error| error.code()),
        Err("not_json")
    );
}

#[test]
fn every_error_is_one_lower_case_sentence() {
    let key = Text::new("a\n\"b");
    for error in [
        ArgsError::NotJson { line: 1, column: 2 },
        ArgsError::NotAnObject,
        ArgsError::DuplicateKey { key, at: 3 },
        ArgsError::LoneSurrogate { at: 4 },
        ArgsError::TooDeep { at: 5 },
        ArgsError::TooLarge { bytes: 6 },
    ] {
        let sentence = error.to_string();
        assert!(
            sentence.starts_with(|first: char| first.is_ascii_lowercase()),
            "{sentence}"
        );
        assert!(
            !sentence.contains('\n') && !sentence.ends_with('.'),
            "{sentence}"
        );
    }
}

proptest! {
    #[test]
    fn the_walk_agrees_with_a_plain_reading(text in object(), noise in any::<u64>()) {
        let text = spread(&text, noise);
        let args = Args::parse(&text).expect("generated objects are in order");
        prop_assert_eq!(args.as_str(), plainly(&text));
        prop_assert!(args.as_str().len() <= text.len());
        prop_assert_eq!(Args::parse(args.as_str()), Ok(args));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\]\",:\\\\u0-9a-f \n\\.\\-+eE\u{2028}é]{0,60}") {
        let wrapped = format!("{{\"a\":{text}}}");
        for text in [text, wrapped] {
            if let Ok(args) = Args::parse(&text) {
                prop_assert_eq!(args.as_str(), plainly(&text));
            }
        }
    }
}

fn read(text: &str) -> Args {
    Args::parse(text).expect("good args")
}

fn code_of(text: &str) -> Result<(), &'static str> {
    Args::parse(text).map(|_| ()).map_err(|error| error.code())
}

/// The reference: every level read again by `serde_json`, which is quadratic and plain.
fn plainly(text: &str) -> String {
    let text = text.trim_matches(BLANKS);
    if text.starts_with('{') {
        let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).expect("object");
        let members: Vec<String> = members
            .iter()
            .map(|(key, value)| {
                format!(
                    "{}:{}",
                    serde_json::to_string(key).expect("key"),
                    plainly(value.get())
                )
            })
            .collect();
        format!("{{{}}}", members.join(","))
    } else if text.starts_with('[') {
        let items: Vec<Box<RawValue>> = serde_json::from_str(text).expect("array");
        let items: Vec<String> = items.iter().map(|item| plainly(item.get())).collect();
        format!("[{}]", items.join(","))
    } else if text.starts_with('"') {
        let meant: String = serde_json::from_str(text).expect("string");
        serde_json::to_string(&meant).expect("string")
    } else {
        text.into()
    }
}

/// Puts white space after some of the marks that stand outside strings.
fn spread(text: &str, mut noise: u64) -> String {
    let (mut spread, mut inside, mut escaped) = (String::new(), false, false);
    for character in text.chars() {
        spread.push(character);
        if character == '"' && !escaped {
            inside = !inside;
        }
        escaped = character == '\\' && !escaped;
        if !inside && "{}[]:,\"".contains(character) {
            spread.push_str(["", " ", "\n", "\t\r"][usize::try_from(noise % 4).unwrap_or(0)]);
            noise = noise.rotate_right(2);
        }
    }
    spread
}

fn object() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        string(),
        "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        prop::sample::select(vec!["null", "true", "false", "{}", "[]"]).prop_map(String::from),
    ];
    let value = leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6)
                .prop_map(|items| format!("[{}]", items.join(","))),
            members(inner),
        ]
    });
    members(value)
}

/// Objects in any order of keys, without duplicates.
fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec((string(), value), 0..6).prop_map(|members| {
        let mut seen = BTreeMap::new();
        for (at, (key, value)) in members.into_iter().enumerate() {
            let meant: String = serde_json::from_str(&key).expect("string");
            seen.entry(meant).or_insert((at, format!("{key}:{value}")));
        }
        let mut members: Vec<(usize, String)> = seen.into_values().collect();
        members.sort();
        let members: Vec<String> = members.into_iter().map(|(_, member)| member).collect();
        format!("{{{}}}", members.join(","))
    })
}

/// A string in a spelling of its own: raw, short escapes, `\u` escapes in either case.
fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c{}\\[\\]:, ]",
        "[\u{7f}\u{80}é\u{2028}\u{ff71}\u{ffff}😀]",
        "\\\\[\"\\\\/bfnrt]",
        "\\\\u00[0-7][0-9a-fA-F]",
        Just(String::from("\\ud83d\\uDE00")),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}
