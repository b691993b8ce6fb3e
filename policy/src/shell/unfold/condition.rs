//! `[[ ]]`: it runs nothing, but evaluates what some of its operators compare.

use super::super::plan::Fault;
use super::super::reader::{Notes, Piece, RawWord};

const EVALUATED: &str = "its operand is evaluated";
const NUMBERS: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Checks the words between `[[` and `]]`.
pub(in super::super) fn check(words: &[RawWord], notes: &mut Notes) -> Result<(), Fault> {
    for (at, word) in words.iter().enumerate() {
        let Some(operator) = word.bare() else {
            continue;
        };
        if operator == "-v" || operator == "-R" {
            return Err(Fault::at(EVALUATED, operator));
        }
        if NUMBERS.contains(&operator) {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let after = words.get(at.saturating_add(1));
            for operand in [before, after] {
                number(operand, notes)?;
            }
        }
    }
    Ok(())
}

fn number(operand: Option<&RawWord>, notes: &mut Notes) -> Result<(), Fault> {
    let Some(word) = operand else {
        return Ok(());
    };
    if word.is_number() {
        return Ok(());
    }
    if let [Piece::Variable { name, at, .. }] = word.pieces.as_slice() {
        notes.evaluated.push((name.clone(), *at));
        return Ok(());
    }
    Err(Fault::at(EVALUATED, &word.source))
}
