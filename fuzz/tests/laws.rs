//! Laws over plain values, a line each.
#![allow(missing_docs, reason = "a test says what it is by its name")]

use gatefold::gate::{Digest, Text};
use gatefold_fuzz::corpus;
use gatefold_policy::{Plan, Platform};
use quickcheck::quickcheck;

quickcheck! {
    fn what_is_packed_comes_back(inputs: Vec<Vec<u8>>) -> bool {
        let inputs = corpus::named(inputs);
        corpus::pack(&inputs).and_then(|packed| corpus::unpack(&packed)).ok() == Some(inputs)
    }

    fn a_quoted_word_is_read_as_it_was(first: String, others: Vec<String>) -> bool {
        let words: Vec<_> = std::iter::once(first).chain(others).map(|word| word.replace('\0', "")).collect();
        let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''")));
        let plan = Plan::of(&quoted.collect::<Vec<_>>().join(" "), "bash", Platform::Linux);
        let read = plan.commands.first().map(|command| command.words.iter().filter_map(|word| word.text()).collect());
        read == Some(words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn a_clipped_text_is_not_clipped_again(text: String) -> bool {
        let text = Text::new(&text);
        Text::new(text.as_str()) == text
    }

    fn a_digest_is_read_as_it_is_written(bytes: Vec<u8>) -> bool {
        let digest = Digest::of(&bytes);
        digest.to_string().parse() == Ok(digest)
    }
}
