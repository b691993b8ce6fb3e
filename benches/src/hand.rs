//! The floor: an index made by hand for this workload and nothing else.
//!
//! It knows what kind a call is and three shapes of rules, and takes a hash of 64 bits for the words
//! that it is of. It tells an effect and a rule, and neither reason nor record.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashMap};

use crate::workload::{Answer, Effect, Request, Rule, Shape, What, best};

#[derive(Debug, Default)]
pub struct HandIndex {
    hash: DefaultHashBuilder,
    tools: HashMap<u64, (Effect, usize)>,
    words: Tree,
    folders: Tree,
    /// By folder and ending.
    endings: HashMap<u64, (Effect, usize)>,
}

/// A tree of names: from a place and a name to the next place.
#[derive(Debug, Default)]
struct Tree {
    next: HashMap<u64, usize>,
    held: Vec<Answer>,
}

impl Tree {
    fn grow<'a>(
        &mut self,
        hash: &DefaultHashBuilder,
        names: impl Iterator<Item = &'a str>,
    ) -> usize {
        self.held.resize(self.held.len().max(1), None);
        let mut at = 0;
        for name in names {
            let new = self.held.len();
            at = *self.next.entry(key(hash, at, name)).or_insert(new);
            if at == new {
                self.held.push(None);
            }
        }
        at
    }

    fn step(&self, hash: &DefaultHashBuilder, at: usize, name: &str) -> Option<usize> {
        self.next.get(&key(hash, at, name)).copied()
    }
}

fn key(hash: &DefaultHashBuilder, at: usize, name: &str) -> u64 {
    let mut hasher = hash.build_hasher();
    at.hash(&mut hasher);
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl HandIndex {
    pub fn new(rules: &[Rule]) -> Self {
        let mut index = Self::default();
        index.folders.held.push(None);
        index.words.held.push(None);
        for (at, Rule { effect, shape }) in rules.iter().enumerate() {
            let answer = (*effect, at);
            match shape {
                Shape::Tool { .. } => {
                    let name = rules[at].text();
                    index.tools.insert(key(&index.hash, 0, &name), answer);
                }
                Shape::Words(words) => {
                    let end = index
                        .words
                        .grow(&index.hash, words.iter().map(String::as_str));
                    index.words.held[end] = best(index.words.held[end], Some(answer));
                }
                Shape::Path { folder, ending } => {
                    let names = folder.split('/').filter(|name| !name.is_empty());
                    let end = index.folders.grow(&index.hash, names);
                    if ending.is_empty() {
                        index.folders.held[end] = best(index.folders.held[end], Some(answer));
                    } else {
                        let ending = key(&index.hash, end, ending);
                        index.endings.insert(ending, answer);
                    }
                }
            }
        }
        index
    }

    pub fn decide(&self, request: &Request) -> Answer {
        match &request.what {
            What::Tool { .. } => self.tool(&request.tool),
            What::Line(words) => self.line(words.iter().map(String::as_str)),
            What::Path(path) => self.path(path),
        }
    }

    fn tool(&self, name: &str) -> Answer {
        self.tools.get(&key(&self.hash, 0, name)).copied()
    }

    fn line<'a>(&self, words: impl Iterator<Item = &'a str>) -> Answer {
        let (mut at, mut found) = (0, None);
        for word in words {
            let Some(next) = self.words.step(&self.hash, at, word) else {
                break;
            };
            at = next;
            found = best(found, self.words.held[at]);
        }
        found
    }

    fn path(&self, path: &str) -> Answer {
        let name = path.rfind('/').map_or(0, |at| at + 1);
        let ending = path[name..].rfind('.').map(|at| &path[name + at..]);
        let (mut at, mut found) = (0, None);
        let mut rest = path;
        loop {
            if let Some(ending) = ending {
                found = best(
                    found,
                    self.endings.get(&key(&self.hash, at, ending)).copied(),
                );
            }
            found = best(found, self.folders.held[at]);
            let Some((folder, below)) = rest.split_once('/') else {
                break;
            };
            let Some(next) = self.folders.step(&self.hash, at, folder) else {
                break;
            };
            (at, rest) = (next, below);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, workload};

    #[test]
    fn the_hand_index_answers_as_the_reference_does() {
        for count in [10, 100, 1_000] {
            let rules = workload::rules(count);
            let requests = workload::requests(count, 1_000);
            let index = HandIndex::new(&rules);
            check("hand index", &rules, &requests, |at| {
                index.decide(&requests[at])
            });
        }
    }
}
