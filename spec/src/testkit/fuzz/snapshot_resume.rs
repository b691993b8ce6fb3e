//! A pass that leaves the process at every question and comes back is the pass that never left; what
//! was not sealed, or was changed since, does not come back.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use gatefold::gate::{
    Finished, GateResult, Parked, Pass, Record, SealError, SealKey, Step, Suspended, Ticket,
    TicketBook, begin,
};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::world::{self, Mood};
use super::{See, coin, pick, up_to};
use crate::testkit::explore::{World, alphabet};

const KEY_BYTES: [u8; 32] = [7; 32];

static KEY: LazyLock<SealKey> = LazyLock::new(|| key(&KEY_BYTES));
static OTHER_KEY: LazyLock<SealKey> = LazyLock::new(|| key(&[8; 32]));

/// The most answers that a pass is given which a holder of the key made up.
const FORGED_MAX: usize = 64;

fn key(bytes: &[u8]) -> SealKey {
    SealKey::new(bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Walks one path through one world twice, once through seals, and tries the seals.
///
/// # Panics
/// If the two part, if anything that was changed is opened, or a ticket is used twice.
pub fn snapshot_resume(data: &[u8], see: See<'_>) {
    let u = &mut Unstructured::new(data);
    let world = world::plan(u).world("any");
    let mood = Mood::of(u);
    let mut steps = (begin(world.input.clone()), begin(world.input.clone()));
    loop {
        steps = match steps {
            (Step::Need(stays), Step::Need(leaves)) => answer(stays, &leaves, &world, mood, u, see),
            (Step::Done(stays), Step::Done(leaves)) => match (*stays, *leaves) {
                (GateResult::Finished(stays), GateResult::Finished(leaves)) => {
                    return ended(&stays, &leaves, see);
                }
                (GateResult::Suspended(stays), GateResult::Suspended(leaves)) => {
                    go_on(stays, &leaves, &world, coin(u), see)
                }
                (stays, leaves) => panic!("saving parts {stays:?} from {leaves:?}"),
            },
            (stays, leaves) => panic!("saving parts {stays:?} from {leaves:?}"),
        };
    }
}

/// Gives the same answer to a pass and to what it is after it was saved and loaded.
fn answer(
    stays: Pass,
    leaves: &Pass,
    world: &World,
    mood: Mood,
    u: &mut Unstructured<'_>,
    see: See<'_>,
) -> (Step, Step) {
    assert_eq!(stays.digest(), leaves.digest(), "saving changed the pass");
    let sealed = leaves.save(&KEY).unwrap_or_else(|error| panic!("{error}"));
    hostile(&sealed, world, u, see);
    let back = Pass::load(&sealed, &KEY).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(back.save(&KEY).ok().as_deref(), Some(sealed.as_str()));
    let mut letters = alphabet(back.question(), world);
    let Some(place) = mood.turn(u, letters.len()) else {
        return (stays.abort(), back.abort());
    };
    let letter = letters.swap_remove(place).answer;
    let steps = [stays.answer(letter.clone()), back.answer(letter)];
    let [Ok(stays), Ok(back)] = steps else {
        panic!("a letter of the alphabet is no misuse");
    };
    (stays, back)
}

/// Resumes or cancels both, one of them by what came back of its seals.
fn go_on(
    stays: Suspended,
    leaves: &Suspended,
    world: &World,
    resumes: bool,
    see: See<'_>,
) -> (Step, Step) {
    see(format_args!(
        "{}",
        if resumes { "resumed" } else { "cancelled" }
    ));
    let Suspended { ticket, parked } = stays;
    let mut book = TicketBook::new();
    assert!(book.open(&ticket).is_ok());
    let stays = if resumes {
        parked.resume(&ticket, &mut book, &world.input)
    } else {
        parked.cancel(&ticket, &mut book)
    };
    let reread =
        |sealed: Result<String, SealError>| sealed.unwrap_or_else(|error| panic!("{error}"));
    let ticket = Ticket::load(&reread(leaves.ticket.save(&KEY)), &KEY);
    let ticket = ticket.unwrap_or_else(|error| panic!("{error}"));
    let mut book = TicketBook::new();
    assert!(book.open(&ticket).is_ok());
    let book = TicketBook::load(&reread(book.save(&KEY)), &KEY);
    let mut book = book.unwrap_or_else(|error| panic!("{error}"));
    let sealed = reread(leaves.parked.save(&KEY));
    let parked = || Parked::load(&sealed, &KEY).unwrap_or_else(|error| panic!("{error}"));
    let leaves = if resumes {
        parked().resume(&ticket, &mut book, &world.input)
    } else {
        parked().cancel(&ticket, &mut book)
    };
    assert!(
        parked().resume(&ticket, &mut book, &world.input).is_err(),
        "a ticket is used twice"
    );
    let (Ok(stays), Ok(leaves)) = (stays, leaves) else {
        panic!("an open ticket is taken");
    };
    (stays, leaves)
}

fn ended(stays: &Finished, leaves: &Finished, see: See<'_>) {
    let record = stays.record();
    assert_eq!(record, leaves.record());
    assert_eq!(stays.reason(), leaves.reason());
    assert_eq!(stays.args_to_run(), leaves.args_to_run());
    assert_eq!(stays.notices(), leaves.notices());
    let receipt = record.seal(&KEY).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Record::open(&receipt, &KEY).ok(), Some(record));
    see(format_args!("ended {}", stays.exit()));
}

/// What one may do to a sealed pass.
#[derive(Clone, Copy)]
enum Deed {
    Nothing,
    Change,
    Cut,
    OtherKey,
    OtherKind,
    OtherSchema,
    /// Whoever has the key writes something else: refused or not, it is no panic.
    Forge,
}

fn hostile(sealed: &str, world: &World, u: &mut Unstructured<'_>, see: See<'_>) {
    use Deed::{Change, Cut, Forge, Nothing, OtherKey, OtherKind, OtherSchema};
    let deeds = [
        Nothing,
        Change,
        Cut,
        OtherKey,
        OtherKind,
        OtherSchema,
        Forge,
    ];
    let refused = match pick(u, &deeds) {
        Nothing => return,
        Forge => return forge(sealed, world, u, see),
        OtherKey => Pass::load(sealed, &OTHER_KEY).err(),
        OtherKind => Parked::load(sealed, &KEY).err(),
        Change => {
            let at = up_to(u, sealed.len() - 1);
            let flip = 1 << up_to(u, 6);
            let mut bytes = sealed.as_bytes().to_vec();
            bytes[at] ^= flip;
            match String::from_utf8(bytes) {
                Ok(changed) => Pass::load(&changed, &KEY).err(),
                Err(_) => return,
            }
        }
        Cut => {
            let at = up_to(u, sealed.len() - 1);
            let Some(cut) = sealed.get(..at) else { return };
            Pass::load(cut, &KEY).err()
        }
        OtherSchema => {
            let (line, body) = sealed.split_once('\n').unwrap_or_default();
            let (header, _) = line.split_once(' ').unwrap_or_default();
            Pass::load(&seal(&format!("{header}7"), body), &KEY).err()
        }
    };
    let Some(error) = refused else {
        panic!("what was changed is opened");
    };
    see(format_args!("refused {}", error.code()));
}

fn forge(sealed: &str, world: &World, u: &mut Unstructured<'_>, see: See<'_>) {
    let (line, body) = sealed.split_once('\n').unwrap_or_default();
    let (header, _) = line.split_once(' ').unwrap_or_default();
    let Ok(mut state) = serde_json::from_str::<Value>(body) else {
        panic!("a state is JSON");
    };
    let mut at = up_to(u, count(&state) - 1);
    let others = [
        json!(null),
        json!(0),
        json!(255),
        json!(-1),
        json!(""),
        json!("deny"),
        json!(true),
        json!([]),
        json!({}),
    ];
    if let Some(value) = nth(&mut state, &mut at) {
        *value = others[up_to(u, others.len() - 1)].clone();
    }
    match Pass::load(&seal(header, &state.to_string()), &KEY) {
        Err(error) => see(format_args!("forged {}", error.code())),
        Ok(pass) => {
            see(format_args!("forged opened"));
            play(pass, world, u);
        }
    }
}

/// Plays a pass that may be in no state of the engine's own: it may end in a defect, or in anything.
fn play(pass: Pass, world: &World, u: &mut Unstructured<'_>) {
    let mut step = Step::Need(pass);
    for _ in 0..FORGED_MAX {
        let Step::Need(pass) = step else { return };
        let mut letters = alphabet(pass.question(), world);
        let place = up_to(u, letters.len() - 1);
        match pass.answer(letters.swap_remove(place).answer) {
            Ok(next) => step = next,
            Err(_) => return,
        }
    }
}

fn seal(header: &str, body: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(&KEY_BYTES);
    let Ok(mac) = mac else {
        panic!("HMAC takes any key");
    };
    let mac = mac
        .chain_update(header)
        .chain_update("\n")
        .chain_update(body);
    let mut text = format!("{header} ");
    for byte in mac.finalize().into_bytes() {
        text.push_str(&format!("{byte:02x}"));
    }
    text + "\n" + body
}

fn inner(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Array(values) => values.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn count(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    inner + 1
}

/// The value that stands so far from the first.
fn nth<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    inner(value).into_iter().find_map(|value| nth(value, at))
}
