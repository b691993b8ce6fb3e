//! What the comparing tests share: a host that answers as told, and for every table the engine seen
//! through that table's words.

pub mod engines;
pub mod host;

use gatefold_spec::{Axis, Grid, Tables};

/// A point of a table, by the names of its inputs.
pub struct At<'a> {
    grid: &'a Grid,
    point: &'a [u8],
}

impl<'a> At<'a> {
    pub fn new(grid: &'a Grid, point: &'a [u8]) -> Self {
        Self { grid, point }
    }

    /// The value of an input.
    pub fn is(&self, input: &str) -> &'a str {
        self.grid.value(self.point, input)
    }

    /// Whether an input is `yes`.
    pub fn yes(&self, input: &str) -> bool {
        self.is(input) == "yes"
    }

    /// The engine's word that an input names; nothing for a value that is none of its words.
    pub fn word<T>(&self, input: &str, from_word: fn(&str) -> Option<T>) -> Option<T> {
        from_word(self.is(input))
    }
}

/// What the engine says at a point: each output with its value.
pub type Says = Vec<(&'static str, String)>;

/// A word, or `none`.
pub fn or_none<T: ToString>(word: Option<T>) -> String {
    word.map_or_else(|| "none".into(), |word| word.to_string())
}

pub fn yes_no(is: bool) -> String {
    if is { "yes" } else { "no" }.into()
}

pub fn tables() -> Tables {
    Tables::shipped().unwrap_or_else(|error| panic!("{error}"))
}

pub fn grid<'a>(tables: &'a Tables, name: &str) -> &'a Grid {
    let grid = tables.grid(name);
    grid.unwrap_or_else(|| panic!("there is no table {name}"))
}

/// The engine's answers over the whole domain of a table, as values of its outputs.
pub struct Domain {
    pub grid: Grid,
    pub points: Vec<Vec<u8>>,
    pub wants: Vec<Vec<u8>>,
    /// What the engine said that is no value of the table, in words.
    pub strange: Vec<String>,
}

impl Domain {
    /// Asks the engine at every point.
    pub fn of(grid: &Grid, engine: engines::Engine) -> Self {
        let mut domain = Self {
            grid: grid.clone(),
            points: grid.points().collect(),
            wants: Vec::new(),
            strange: Vec::new(),
        };
        for point in &domain.points {
            let says = engine(&At::new(grid, point));
            let value = |axis: &Axis| {
                let said = says.iter().find(|(name, _)| *name == axis.name);
                let said = said.map_or("nothing at all", |(_, value)| value);
                axis.place(said).unwrap_or_else(|| {
                    let (name, axis, at) = (&grid.name, &axis.name, grid.show(point));
                    let strange = format!("{name}: `{said}` is no value of {axis}, at {at}");
                    domain.strange.push(strange);
                    u8::MAX
                })
            };
            let wants = grid.outputs.iter().map(value).collect();
            domain.wants.push(wants);
        }
        domain
    }

    /// The rows from which the engine deviates, in order.
    pub fn deviating(&self) -> Vec<&str> {
        let rows = self.grid.rows().iter().enumerate();
        let deviates = |place: usize| {
            let mut points = self.points.iter().zip(&self.wants);
            points.any(|(point, engine)| {
                self.grid.hit(point) == Some(place) && self.grid.rows()[place].want != *engine
            })
        };
        let rows = rows.filter(|(place, _)| deviates(*place));
        rows.map(|(_, row)| &*row.id).collect()
    }

    /// The same as if the engine kept to the rows from which it is known to deviate.
    pub fn without_deviations(mut self) -> Self {
        for (point, want) in self.points.iter().zip(&mut self.wants) {
            let row = &self.grid.rows()[self.grid.hit(point).unwrap()];
            if engines::DEVIATIONS.iter().any(|(id, _)| *id == row.id) {
                want.clone_from(&row.want);
            }
        }
        self
    }

    /// Whether a table says something else than the engine did at any point.
    pub fn differs(&self, grid: &Grid) -> bool {
        self.points.iter().zip(&self.wants).any(|(point, engine)| {
            let decision = grid.decide(point);
            decision.is_none_or(|decision| decision.row.want != *engine)
        })
    }

    /// The points at which a table says something else than the engine did, in words; at most ten.
    pub fn differences(&self, grid: &Grid) -> Vec<String> {
        let both = self.points.iter().zip(&self.wants);
        let wrong = both.filter_map(|(point, engine)| {
            let decision = grid.decide(point);
            if decision.is_some_and(|decision| decision.row.want == *engine) {
                return None;
            }
            let named = grid.outputs.iter().zip(engine).map(|(axis, value)| {
                let value = axis.values.get(usize::from(*value));
                format!("{} = {}", axis.name, value.map_or("?", |value| value))
            });
            let row = decision.map_or("no row", |decision| &decision.row.id);
            let engine: Vec<_> = named.collect();
            let at = grid.show(point);
            Some(format!(
                "{row} at {at}: the engine says {}",
                engine.join(", ")
            ))
        });
        wrong.take(10).collect()
    }
}
