//! Links, by where they lead: whoever refuses a path by one of them means the place that it leads to.

use std::collections::BTreeMap;

use super::matching::may_begin;
use super::place::Place;
use super::{Key, Name, Names, fold_all, is_pattern};
use crate::trie::Trie;

/// Links that a pattern of the shell may match, and that lead to one place (256).
pub(super) const LINKS_MAX: usize = 256;
/// Links that one way to a place goes through (3).
const LED_MAX: usize = 3;
pub(super) const MANY_LINKS: &str = "so many links lead there that not all are looked at";

/// Links that lead elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// Each with where it leads.
    away: Vec<(Names, Names)>,
    /// Their places in that list by where they lead, folded.
    by_real: Trie<Vec<usize>>,
}

impl Links {
    /// Those of these real paths, by the names of the path as it is looked up.
    pub(super) fn of(real: &BTreeMap<Names, Option<Names>>) -> Self {
        let away = real.iter().filter_map(|(link, real)| {
            let real = real.as_ref().filter(|real| *real != link)?;
            Some((link.clone(), real.clone()))
        });
        let mut links = Self {
            away: away.collect(),
            ..Self::default()
        };
        for (at, (_, real)) in links.away.iter().enumerate() {
            let real = fold_all(real);
            if let Some(held) = links.by_real.hold(real.iter().map(Name::as_str)) {
                held.push(at);
            }
        }
        links
    }

    /// Where a path may lead whose names are patterns of the shell, by the links that they may match.
    pub(super) fn led_by_names(&self, names: &[Name]) -> Vec<Names> {
        if !names.iter().any(|name| is_pattern(name)) {
            return Vec::new();
        }
        let links = self.away.iter().filter_map(|(link, real)| {
            let rest = names.get(link.len()..)?;
            let may_be = may_begin(names, link);
            may_be.then(|| real.iter().chain(rest).cloned().collect())
        });
        links.take(LINKS_MAX).collect()
    }

    /// The links that lead to this path or to a folder that it is in.
    fn leading_to(&self, way: &Key) -> Vec<Key> {
        let folded = way.folded();
        let (heads, _) = self.by_real.heads(folded.iter().map(Name::as_str));
        let exact = heads.into_iter().flatten();
        let exact = exact.filter_map(|at| {
            let (link, real) = self.away.get(*at)?;
            let is_same = way.folded || way.names.starts_with(real);
            is_same.then_some((link, real, way.by_names))
        });
        // Of a pattern any may be meant.
        let away = self.away.iter().filter(|_| way.is_pattern());
        let by_names = away.filter(|(_, real)| may_begin(&way.names, real));
        let by_names = by_names.map(|(link, real)| (link, real, true));
        let keys = exact.chain(by_names).filter_map(|(link, real, by_names)| {
            let rest = way.names.get(real.len()..)?;
            let names: Names = link.iter().chain(rest).cloned().collect();
            Some(Key {
                by_names,
                ..Key::new(&names, way.folded)
            })
        });
        keys.take(LINKS_MAX.saturating_add(1)).collect()
    }

    /// Takes in the ways to a place through links that lead there, and the links that lead below it:
    /// whoever refuses a path by one of these means that place too.
    pub(super) fn lead(&self, place: &mut Place) {
        if self.away.is_empty() {
            return;
        }
        let mut from = 0;
        for _ in 0..LED_MAX {
            let mut found = Vec::new();
            for way in place.ways.get(from..).unwrap_or_default() {
                found.extend(self.leading_to(way));
            }
            from = place.ways.len();
            for way in found {
                if place.ways.len() > LINKS_MAX {
                    place.doubt.get_or_insert(MANY_LINKS);
                    place.leads = None;
                    break;
                }
                if !place.ways.contains(&way) {
                    place.ways.push(way);
                }
            }
        }
        for way in &place.ways {
            let names = way.folded();
            let mut at = Some(Trie::<Vec<usize>>::ROOT);
            for name in names.iter() {
                at = at.and_then(|at| self.by_real.step(at, name));
            }
            let mut left: Vec<_> = at.into_iter().collect();
            let mut found = Vec::new();
            while let Some(at) = left.pop() {
                found.extend(self.by_real.held(at).into_iter().flatten().copied());
                left.extend(self.by_real.next(at).map(|(_, at)| at));
            }
            if way.is_pattern() {
                let away = self.away.iter().enumerate();
                let away = away.filter(|(_, (_, real))| may_begin(&way.names, real));
                found.extend(away.map(|(at, _)| at));
            }
            for (link, _) in found.into_iter().filter_map(|at| self.away.get(at)) {
                let link = Key::new(link, way.folded);
                let is_seen = |seen: &Key| link.is_within(seen);
                if place.ways.iter().any(is_seen) || place.below.iter().any(is_seen) {
                    continue;
                }
                // So many are anything.
                if place.below.len() >= LINKS_MAX {
                    place.below = vec![Key::new(&[], way.folded)];
                    return;
                }
                place.below.push(link);
            }
        }
    }
}
