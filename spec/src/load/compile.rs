//! From the file of a decisions, transitions or seats table to its grid.

use toml::Spanned;

use super::Text;
use super::links::Links;
use crate::error::LoadError;
use crate::format::{AxisFile, Condition, DecisionsFile, Given, HitPolicy, Kind, NoneOf, RowFile};
use crate::grid::{Axis, Grid, Impossible, Mask, Parts, Row, every};
use crate::words::words;

/// The widest list of values of one input: a mask has that many bits.
const VALUES_MAX: usize = 64;

pub(super) fn grid(
    text: &Text,
    name: String,
    kind: Kind,
    file: &DecisionsFile,
    links: &mut Links,
) -> Result<Grid, LoadError> {
    let does = text.sentence("does", &file.does)?;
    let hit = hit_policy(text, kind, file)?;
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    let mut start = None;
    if let Some(states) = &file.states {
        let axis = axis_of_states(text, &states.values, &states.start)?;
        start = axis.place(states.start.get_ref());
        inputs.push(axis.clone());
        outputs.push(axis);
    }
    declare(text, &file.input, &mut inputs)?;
    declare(text, &file.output, &mut outputs)?;
    let mut impossible = Vec::new();
    for row in &file.impossible {
        links.id(text, &row.id)?;
        links.cite(text, &row.id, &row.source)?;
        impossible.push(Impossible {
            id: row.id.get_ref().clone(),
            why: text.sentence("why", &row.why)?,
            source: plain(&row.source),
            at: text.of(&row.id),
            given: masks(text, &inputs, &row.given)?,
        });
    }
    let rows = file
        .row
        .iter()
        .map(|row| compiled(text, row, &inputs, &outputs, links));
    let rows = rows.collect::<Result<_, _>>()?;
    Ok(Grid::new(Parts {
        name,
        does,
        kind,
        hit,
        start,
        inputs,
        outputs,
        impossible,
        rows,
    }))
}

/// A decisions table says how many rows a point hits; the other kinds are unique, and a
/// transitions table names its states.
fn hit_policy(text: &Text, kind: Kind, file: &DecisionsFile) -> Result<HitPolicy, LoadError> {
    let wrong = |message: &str| LoadError::WrongShape {
        at: text.of(&file.does),
        message: message.into(),
    };
    match (kind, file.hit, &file.states) {
        (Kind::Seats, None, None) if !is_of_seats(file) => Err(wrong(
            "a seats table has the inputs `seat` and `state` alone",
        )),
        (Kind::Decisions, None, _) => Err(wrong("a decisions table says `hit`")),
        (Kind::Decisions | Kind::Seats, _, Some(_)) => {
            Err(wrong("only a transitions table has `states`"))
        }
        (Kind::Transitions, _, None) => Err(wrong("a transitions table has `states`")),
        (Kind::Decisions, Some(hit), None) => Ok(hit),
        (_, Some(_), _) => Err(wrong("only a decisions table says `hit`")),
        (_, None, _) => Ok(HitPolicy::Unique),
    }
}

/// The inputs of a seats table are fixed.
fn is_of_seats(file: &DecisionsFile) -> bool {
    let names = file.input.iter().map(|axis| axis.name.get_ref().as_str());
    names.eq(["seat", "state"])
}

fn axis_of_states(
    text: &Text,
    values: &[Spanned<String>],
    start: &Spanned<String>,
) -> Result<Axis, LoadError> {
    let mut axis = Axis {
        name: "state".into(),
        is: "the state".into(),
        values: Vec::new(),
    };
    for value in values {
        add(text, &mut axis.values, value)?;
    }
    if axis.place(start.get_ref()).is_none() {
        return Err(unknown(text, start, "states"));
    }
    Ok(axis)
}

fn declare(text: &Text, files: &[AxisFile], axes: &mut Vec<Axis>) -> Result<(), LoadError> {
    for file in files {
        let name = file.name.get_ref();
        if axes.iter().any(|axis| axis.name == *name) {
            let at = text.of(&file.name);
            let name = name.clone();
            return Err(LoadError::DoubleName { at, name });
        }
        axes.push(axis(text, file)?);
    }
    Ok(())
}

fn axis(text: &Text, file: &AxisFile) -> Result<Axis, LoadError> {
    let mut values: Vec<String> = Vec::new();
    if let Some(list) = &file.words {
        let all = vocabulary(text, list)?;
        for without in &file.without {
            if !all.contains(&without.get_ref().as_str()) {
                return Err(unknown(text, without, list.get_ref()));
            }
        }
        let left_out = |word: &str| file.without.iter().any(|without| without.get_ref() == word);
        let kept = all.into_iter().filter(|word| !left_out(word));
        values.extend(kept.map(String::from));
    }
    for value in &file.values {
        add(text, &mut values, value)?;
    }
    let name = file.name.get_ref().clone();
    if values.is_empty() || values.len() > VALUES_MAX {
        let at = text.of(&file.name);
        let values = values.len();
        return Err(LoadError::BadWidth { at, name, values });
    }
    let is = text.sentence("is", &file.is)?;
    Ok(Axis { name, is, values })
}

fn add(text: &Text, values: &mut Vec<String>, value: &Spanned<String>) -> Result<(), LoadError> {
    if values.contains(value.get_ref()) {
        let at = text.of(value);
        let name = value.get_ref().clone();
        return Err(LoadError::DoubleName { at, name });
    }
    values.push(value.get_ref().clone());
    Ok(())
}

fn vocabulary(text: &Text, list: &Spanned<String>) -> Result<Vec<&'static str>, LoadError> {
    words(list.get_ref()).ok_or_else(|| LoadError::UnknownList {
        at: text.of(list),
        list: list.get_ref().clone(),
    })
}

/// Checks that a word is one of an engine vocabulary.
pub(super) fn known(text: &Text, list: &str, word: &Spanned<String>) -> Result<(), LoadError> {
    let all = words(list).unwrap_or_default();
    if all.contains(&word.get_ref().as_str()) {
        return Ok(());
    }
    Err(unknown(text, word, list))
}

fn unknown(text: &Text, word: &Spanned<String>, list: &str) -> LoadError {
    LoadError::UnknownWord {
        at: text.of(word),
        word: word.get_ref().clone(),
        list: list.into(),
    }
}

fn plain(spanned: &[Spanned<String>]) -> Vec<String> {
    spanned.iter().map(|text| text.get_ref().clone()).collect()
}

fn compiled(
    text: &Text,
    file: &RowFile,
    inputs: &[Axis],
    outputs: &[Axis],
    links: &mut Links,
) -> Result<Row, LoadError> {
    links.id(text, &file.id)?;
    links.cite(text, &file.id, &file.source)?;
    let id = file.id.get_ref().clone();
    for column in file.want.keys() {
        column_of(text, outputs, column)?;
    }
    let value = |axis: &Axis| {
        let want = file
            .want
            .iter()
            .find(|(name, _)| *name.get_ref() == axis.name);
        let (_, word) = want.ok_or_else(|| LoadError::MissingOutput {
            at: text.of(&file.id),
            id: id.clone(),
            column: axis.name.clone(),
        })?;
        let place = axis.place(word.get_ref());
        place.ok_or_else(|| unknown(text, word, &axis.name))
    };
    let want = outputs.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Row {
        does: text.sentence("does", &file.does)?,
        why: text.sentence("why", &file.why)?,
        source: plain(&file.source),
        at: text.of(&file.id),
        given: masks(text, inputs, &file.given)?,
        want,
        id,
    })
}

fn column_of<'a>(
    text: &Text,
    axes: &'a [Axis],
    column: &Spanned<String>,
) -> Result<(usize, &'a Axis), LoadError> {
    let name = column.get_ref();
    let mut places = axes.iter().enumerate();
    places
        .find(|(_, axis)| axis.name == *name)
        .ok_or_else(|| LoadError::UnknownColumn {
            at: text.of(column),
            column: name.clone(),
        })
}

/// One mask an input; an input that is left out may be anything.
fn masks(text: &Text, inputs: &[Axis], given: &Given) -> Result<Vec<Mask>, LoadError> {
    let mut masks: Vec<_> = inputs.iter().map(every).collect();
    for (column, condition) in given {
        let (place, axis) = column_of(text, inputs, column)?;
        masks[place] = mask(text, axis, condition)?;
    }
    Ok(masks)
}

fn mask(text: &Text, axis: &Axis, condition: &Spanned<Condition>) -> Result<Mask, LoadError> {
    let (values, turned) = match condition.get_ref() {
        Condition::Is(value) => (std::slice::from_ref(value), false),
        Condition::AnyOf(values) => (values.as_slice(), false),
        Condition::NoneOf(NoneOf { not }) => (not.as_slice(), true),
    };
    let at = || text.of(condition);
    let mut mask = 0;
    for value in values {
        let place = axis.place(value).ok_or_else(|| LoadError::UnknownWord {
            at: at(),
            word: value.clone(),
            list: axis.name.clone(),
        })?;
        if mask >> place & 1 == 1 {
            let name = value.clone();
            return Err(LoadError::DoubleName { at: at(), name });
        }
        mask |= 1 << place;
    }
    let mask = if turned { every(axis) & !mask } else { mask };
    if mask == 0 || mask == every(axis) {
        // A condition that nothing or everything meets is a mistake of whoever wrote it.
        return Err(LoadError::BadWidth {
            at: at(),
            name: axis.name.clone(),
            values: values.len(),
        });
    }
    Ok(mask)
}
