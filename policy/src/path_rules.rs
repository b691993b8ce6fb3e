//! How rules about paths bear on the files of a call.

use super::files::{Files, Use};
use super::paths::{Folder, Found, Key, PathPattern, World};
use super::shell::Access;

/// Steps that all rules of a layer over the files of one call may take (4 million).
const STEPS_MAX: usize = 4_000_000;

const BELOW: &str = "something below it may be meant";
const SOMEWHERE: &str = "where it or the rule's path begins is not known";
const NAMES: &str = "it is a pattern for names of files, and may match what the rule is about";
const LINK: &str = "where this path leads is not known";
const TOO_MANY: &str = "so many rules over so many paths are not compared to the end";

/// The paths that a rule is about, and what is done to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathRule {
    pub(crate) access: Access,
    pub(crate) pattern: PathPattern,
}

/// The files of a call and what is known of the disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) files: &'a Files,
    pub(crate) world: &'a World,
}

/// How a rule that refuses bears on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathBearing {
    Covers { part: String },
    MayCover { part: String, why: &'static str },
}

impl PathRule {
    /// How a deny or ask of this document bears on the files of a call: surely, if on any of them,
    /// by any way to it.
    pub(crate) fn bears_on(
        &self,
        file: Option<&str>,
        ground: Ground<'_>,
        spent: &mut usize,
    ) -> Option<PathBearing> {
        let Ground { files, world } = ground;
        let bases = self.pattern.bases(file, world);
        let mut may: Option<PathBearing> = None;
        for of in files.uses.iter().filter(|of| self.is_about(of.access)) {
            let mut found = Found::default();
            let mut is_known = true;
            let below = of.place.below.iter().filter(|_| of.tree);
            let ways = of.place.ways.iter().map(|way| (way, false));
            for (way, is_below) in ways.chain(below.map(|way| (way, true))) {
                *spent = spent.saturating_add(self.pattern.cost(way));
                if *spent > STEPS_MAX {
                    let part = of.place.text.clone();
                    return Some(may.unwrap_or(PathBearing::MayCover {
                        part,
                        why: TOO_MANY,
                    }));
                }
                is_known &= way.is_known();
                let mut by_way = Found::default();
                if of.tree || self.pattern.may_match(way) {
                    by_way = self.find(way, bases);
                }
                found = found.or(if is_below {
                    by_way.below()
                } else if way.by_names {
                    by_way.by_names()
                } else {
                    by_way
                });
            }
            let part = of.place.text.clone();
            if found.itself {
                return Some(PathBearing::Covers { part });
            }
            // What only changes its folder has its name there too.
            let stays = of.moved && self.access == Access::Read && self.pattern.is_name_anywhere();
            let why = if found.all_below || (of.tree && found.some_below && !stays) {
                Some(BELOW)
            } else if found.by_names {
                Some(NAMES)
            } else if found.perhaps || (of.sure && !is_known) {
                Some(SOMEWHERE)
            } else if of.sure && of.place.doubt.is_some() {
                of.place.doubt
            } else {
                (files.of_tool && of.place.leads.is_none()).then_some(LINK)
            };
            if let Some(why) = why {
                may.get_or_insert(PathBearing::MayCover { part, why });
            }
        }
        may.or_else(|| {
            let mut vague = files.vague.iter();
            let vague = vague.find(|vague| self.is_about(vague.access))?;
            Some(PathBearing::MayCover {
                part: vague.part.clone(),
                why: vague.why,
            })
        })
    }

    fn find(&self, way: &Key, bases: Option<&[Folder]>) -> Found {
        match bases {
            Some(bases) => self.pattern.find(way, bases),
            None => match self.pattern.find_unknown(way) {
                Some(found) => found,
                None => self.pattern.find_anywhere(way),
            },
        }
    }

    /// Whether an allow of this document covers a file: by every real path that it may lead to.
    pub(crate) fn covers(
        &self,
        file: Option<&str>,
        of: &Use,
        world: &World,
        spent: &mut usize,
    ) -> bool {
        *spent = spent.saturating_add(1);
        if self.access != of.access || *spent > STEPS_MAX {
            return false;
        }
        if self.pattern.is_everything() {
            return true;
        }
        let (Some(leads), Some(bases)) = (&of.place.leads, self.pattern.bases(file, world)) else {
            return false;
        };
        leads.iter().all(|key| {
            *spent = spent.saturating_add(self.pattern.cost(key));
            let found = self.pattern.find(key, bases);
            found.itself || (of.tree && found.all_below)
        })
    }

    /// Whether an allow covers every file of a call that is its tool's own.
    pub(crate) fn covers_all(
        &self,
        file: Option<&str>,
        ground: Ground<'_>,
        spent: &mut usize,
    ) -> bool {
        let Ground { files, world } = ground;
        files.of_tool
            && files.vague.is_empty()
            && !files.uses.is_empty()
            && files
                .uses
                .iter()
                .all(|of| self.covers(file, of, world, spent))
    }

    const fn is_about(&self, access: Access) -> bool {
        match self.access {
            Access::Read => access.may_read(),
            Access::Write => access.may_write(),
            Access::Any => true,
        }
    }
}
