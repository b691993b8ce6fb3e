//! One path through a world, for who chooses the answers instead of giving them all.

use super::alphabet::alphabet;
use super::script::replay;
use super::tally::Tally;
use super::walk::{Visited, Walk, Walker};
use super::world::World;

impl Walk<'_> {
    /// Walks one path with every check of a whole walk. `choose` is told how many letters there are
    /// and gives the place of one, or nothing to cancel the task; a place past the last is the last.
    pub fn path(&self, world: &World, choose: &mut dyn FnMut(usize) -> Option<usize>) -> Tally {
        let visited = Visited::new();
        let mut walker = Walker::new(self, world, &visited);
        let mut found = Vec::new();
        walker.begin(&mut found);
        while let Some(node) = found.pop() {
            walker.check_state(&node);
            let letters = alphabet(node.pass.question(), world);
            let chosen = choose(letters.len()).map(|place| place.min(letters.len() - 1));
            match chosen.and_then(|place| Some((place, letters.get(place)?))) {
                Some((place, letter)) => walker.give(&node, place, letter, &mut found),
                None => walker.abort(&node, &mut found),
            }
        }
        let mut tally = walker.done();
        tally.put_in_words(|script| replay(world, false, script).1);
        tally
    }
}
