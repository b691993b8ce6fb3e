//! Arithmetic. What a variable holds is evaluated in it once more, and may hold a command, so only
//! numbers and variables that hold numbers are read.

use super::super::plan::Fault;
use super::raw::Assigned;
use super::{Reader, Step};

const EVALUATED: &str = "arithmetic evaluates it once more";
const OPERATORS: &[u8] = b"+-*/%<>=&|^!~?:, \t\n";

impl Reader<'_> {
    /// Reads an expression up to its end and past it.
    pub(super) fn arithmetic(&mut self, end: &str) -> Step {
        let from = self.cursor.at();
        let mut open = 0_usize;
        loop {
            self.notes.steps = self.notes.steps.saturating_add(1);
            let Some(byte) = self.cursor.peek() else {
                return Err(Fault::at("arithmetic is not closed", end));
            };
            match byte {
                _ if open == 0 && self.cursor.eat(end) => {
                    let text = self.cursor.from(from).to_owned();
                    return self.break_in_word(&text);
                }
                b'(' => {
                    open = open.saturating_add(1);
                    self.cursor.bump(1);
                }
                b')' if open > 0 => {
                    open = open.saturating_sub(1);
                    self.cursor.bump(1);
                }
                b';' if end == "))" => self.cursor.bump(1),
                b'0'..=b'9' => {
                    self.cursor.take_while(|byte| byte.is_ascii_alphanumeric());
                }
                b'$' => self.variable_in_arithmetic()?,
                _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let name = self.name();
                    self.named_in_arithmetic(name);
                }
                _ if OPERATORS.contains(&byte) => self.cursor.bump(1),
                _ => return Err(Fault::at(EVALUATED, self.cursor.run())),
            }
        }
    }

    fn variable_in_arithmetic(&mut self) -> Step {
        self.cursor.bump(1);
        let is_braced = self.cursor.eat("{");
        if !is_braced && matches!(self.cursor.peek(), Some(b'#' | b'?')) {
            self.cursor.bump(1);
            return Ok(());
        }
        let is_length = is_braced && self.cursor.eat("#");
        let name = self.name();
        if name.is_empty() || name.starts_with(|char: char| char.is_ascii_digit()) {
            return Err(Fault::at(EVALUATED, "$"));
        }
        if is_length {
            let _ = self.cursor.eat("[@]") || self.cursor.eat("[*]");
        } else {
            let at = self.place();
            self.notes.evaluated.push((name, at));
        }
        if is_braced && !self.cursor.eat("}") {
            return Err(Fault::at(EVALUATED, "${"));
        }
        Ok(())
    }

    /// A variable by its name alone: assigned a number, or evaluated.
    fn named_in_arithmetic(&mut self, name: String) {
        let at = self.place();
        let rest = self.cursor.rest().trim_ascii_start();
        if rest.starts_with('=') && !rest.starts_with("==") {
            self.notes.assigned.push(Assigned {
                name,
                at,
                text: None,
                number: true,
            });
        } else {
            // `x+=1` and `x++` evaluate x, and leave a number in it.
            self.notes.evaluated.push((name, at));
        }
    }
}
