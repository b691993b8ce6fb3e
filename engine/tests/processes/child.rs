//! The other process.

use std::env;
use std::process::{Command, Stdio, id};

use crate::folder::{Folder, Task};
use crate::host::Stop;

/// The folder of the process; without it there is nothing to do.
const FOLDER: &str = "GATEFOLD_PROCESS_FOLDER";

#[test]
fn a_process_goes_on_with_what_lies_in_its_folder() {
    let Some(path) = env::var_os(FOLDER) else {
        return;
    };
    let folder = Folder::at(path);
    folder.write("ran", &id().to_string());
    match go_on(&folder) {
        Ok(()) => {}
        Err(code) => folder.write("outcome", &format!("refused {code}")),
    }
}

/// Goes on as the job says; an error is the code of a refusal.
fn go_on(folder: &Folder) -> Result<(), &'static str> {
    let (mut host, stop, task) = folder.take_up().map_err(|error| error.code())?;
    let stop = match (task, stop) {
        (Task::Cancel, Stop::Parked(ticket, parked)) => {
            let cancelled = parked.cancel(&ticket, &mut host.book);
            host.stop(cancelled.map_err(|misuse| misuse.code())?)
        }
        (_, Stop::Parked(ticket, parked)) => {
            let now = host.script.input();
            let resumed = parked.resume(&ticket, &mut host.book, &now);
            host.stop(resumed.map_err(|misuse| misuse.code())?)
        }
        (_, stop @ (Stop::Asked(_) | Stop::Ended(_))) => host.go_on(stop),
    };
    // The book is the host's: it is saved before anybody acts on what was settled in it.
    folder.leave(&host, &stop, task);
    if task == Task::ToTheEnd && !matches!(stop, Stop::Ended(_)) {
        let finished = host.finish(stop);
        folder.leave(&host, &Stop::Ended(finished), task);
    }
    Ok(())
}

/// Starts another process on this folder, waits for it, and gives what it left as its outcome, if
/// the pass came to one.
pub fn run(folder: &Folder) -> Option<String> {
    folder.forget("ran");
    folder.forget("outcome");
    let child = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "child::a_process_goes_on_with_what_lies_in_its_folder",
        ])
        .arg("--nocapture")
        .env(FOLDER, folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let child_id = child.id();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        folder.path().display(),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        folder.read("ran"),
        child_id.to_string(),
        "it was another process"
    );
    assert_ne!(child_id, id());
    folder.has("outcome").then(|| folder.read("outcome"))
}
