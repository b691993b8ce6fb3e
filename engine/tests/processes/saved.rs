//! Passes saved at an open question.

use std::collections::BTreeSet;

use gatefold::gate::*;

use crate::child;
use crate::folder::{Folder, Task, key};
use crate::host::{Host, Stop, undisturbed};
use crate::scripts;

#[test]
fn the_scripts_ask_every_seat_and_park_at_every_site() {
    let (mut seats, mut sites) = (BTreeSet::new(), BTreeSet::new());
    for script in scripts::all() {
        let mut host = Host::new(&script);
        let mut stop = host.begin();
        let mut site = None;
        while !matches!(stop, Stop::Ended(_)) {
            match &stop {
                Stop::Asked(pass) => {
                    seats.insert(pass.question().seat());
                    if let Question::Park(question) = pass.question() {
                        site = Some(question.site);
                    }
                }
                Stop::Parked(..) => sites.extend(site),
                Stop::Ended(_) => {}
            }
            stop = host.go_on(stop);
        }
    }
    assert!(seats.iter().eq(Seat::ALL));
    assert!(sites.iter().eq(ParkSite::ALL));
}

#[test]
fn a_pass_saved_at_any_question_ends_elsewhere_as_if_undisturbed() {
    for script in scripts::all() {
        let expected = undisturbed(&script);
        let mut host = Host::new(&script);
        let mut stop = host.begin();
        while !matches!(stop, Stop::Ended(_)) {
            if let Stop::Asked(pass) = &stop {
                let place = format!(
                    "{}-{}-{}",
                    script.name,
                    host.answered,
                    pass.question().seat()
                );
                let folder = Folder::new(&format!("saved/{place}"));
                folder.leave(&host, &stop, Task::ToTheEnd);
                assert_eq!(child::run(&folder), Some(expected.clone()), "{place}");
            }
            stop = host.go_on(stop);
        }
    }
}

/// Every answer is given, and every parked pass resumed, in a process of its own.
#[test]
fn a_pass_that_changes_process_at_every_stop_ends_as_if_undisturbed() {
    for script in scripts::all() {
        let mut host = Host::new(&script);
        let stop = host.begin();
        let folder = Folder::new(&format!("relay/{}", script.name));
        folder.leave(&host, &stop, Task::OneStep);
        let mut processes = 0;
        let outcome = loop {
            processes += 1;
            if let Some(outcome) = child::run(&folder) {
                break outcome;
            }
        };
        assert_eq!(outcome, undisturbed(&script), "{}", script.name);
        assert!(processes >= script.answers.len(), "{}", script.name);
    }
}

#[test]
fn a_pass_saved_and_loaded_saves_to_the_same_bytes() {
    for script in scripts::all() {
        let mut host = Host::new(&script);
        let mut stop = host.begin();
        while !matches!(stop, Stop::Ended(_)) {
            if let Stop::Asked(pass) = &stop {
                let saved = pass.save(&key()).unwrap();
                let loaded = Pass::load(&saved, &key()).unwrap();
                assert_eq!(loaded.digest(), pass.digest());
                assert_eq!(loaded.question(), pass.question());
                assert_eq!(loaded.reason(), pass.reason());
                assert_eq!(loaded.pending().to_json(), pass.pending().to_json());
                assert_eq!(loaded.save(&key()).unwrap(), saved);
            }
            stop = host.go_on(stop);
        }
    }
}
