//! A folder that carries a pass from one process to another: sealed files, and a job that says
//! which script they belong to.

use std::fs;
use std::path::{Path, PathBuf};

use gatefold::gate::*;
use serde::{Deserialize, Serialize};

use crate::host::{Host, Stop, json};
use crate::scripts;

/// What the other process is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    ToTheEnd,
    OneStep,
    Cancel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum At {
    Question,
    Park,
}

#[derive(Serialize, Deserialize)]
struct Job {
    script: String,
    answered: usize,
    at: At,
    task: Task,
    policy: Digest,
}

pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder of this name.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("processes")
            .join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    pub fn read(&self, file: &str) -> String {
        let path = self.0.join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn has(&self, file: &str) -> bool {
        self.0.join(file).exists()
    }

    /// Removes what a process left here, so that the next one has to leave it anew.
    pub fn forget(&self, file: &str) {
        if self.has(file) {
            fs::remove_file(self.0.join(file)).unwrap();
        }
    }

    /// Leaves a pass where it stopped, or the account of its end.
    pub fn leave(&self, host: &Host, stop: &Stop, task: Task) {
        self.write("book", &host.book.save(&key()).unwrap());
        let at = match stop {
            Stop::Asked(pass) => {
                self.write("pass", &pass.save(&key()).unwrap());
                At::Question
            }
            Stop::Parked(ticket, parked) => {
                self.write("ticket", &ticket.save(&key()).unwrap());
                self.write("parked", &parked.save(&key()).unwrap());
                At::Park
            }
            Stop::Ended(finished) => return self.write("outcome", &host.account(finished)),
        };
        let job = Job {
            script: host.script.name.into(),
            answered: host.answered,
            at,
            task,
            policy: host.script.policy,
        };
        self.write("job", &json(&job));
    }

    /// Takes up what was left here.
    pub fn take_up(&self) -> Result<(Host, Stop, Task), SealError> {
        let job: Job = serde_json::from_str(&self.read("job")).unwrap();
        let mut script = scripts::named(&job.script);
        script.policy = job.policy;
        let stop = match job.at {
            At::Question => Stop::Asked(Pass::load(&self.read("pass"), &key())?),
            At::Park => Stop::Parked(
                Ticket::load(&self.read("ticket"), &key())?,
                Parked::load(&self.read("parked"), &key())?,
            ),
        };
        let host = Host {
            script,
            answered: job.answered,
            book: TicketBook::load(&self.read("book"), &key())?,
        };
        Ok((host, stop, job.task))
    }
}

pub fn key() -> SealKey {
    SealKey::new(b"thirty-two bytes that nobody has").unwrap()
}
