//! The programs that this process was started by, and with which words.
//!
//! Owns how they are found: where the system tells it without a program of its own (Linux). Does not interpret the words.

use super::Env;
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};

/// So many generations are looked at: git, its shell, a manager of hooks and what that starts.
const MOST: usize = 12;

impl Env {
    /// The words of the nearest caller that was started as `name`; none where there is none, or the system does not tell.
    pub fn caller(&self, name: &str) -> Option<Vec<String>> {
        let mut process = self.process_id();
        for _ in 0..MOST {
            process = parent(process)?;
            let words = words(process)?;
            if words.first().is_some_and(|first| first.rsplit('/').next() == Some(name)) {
                return Some(words);
            }
        }
        None
    }
}

/// A process, as long as it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its number.
    pub number: u32,
    /// When it began, in the system's ticks.
    pub began: u64,
    /// Among which processes it has that number: containers have numbers of their own.
    pub among: u64,
}

/// What stands between a program and what it runs.
const LAUNCHERS: [&str; 13] =
    ["sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "env", "timeout", "npx", "npm", "npm exec", "busybox"];

impl Env {
    /// The processes that this one was started by, the nearest first; none where the system does not tell.
    pub fn callers(&self) -> Vec<Running> {
        let above = std::iter::successors(Some(self.process_id()), |process| parent(*process)).skip(1).take(MOST);
        let among = namespace();
        let running = |number| Some(Running { number, began: began(number)?, among: among? });
        above.filter_map(running).collect()
    }

    /// The nearest caller that is a program of its own: no shell, and nothing else that only starts others.
    pub fn calling_program(&self) -> Option<Running> {
        let name = |process: u32| std::fs::read_to_string(format!("/proc/{process}/comm")).ok();
        let is_launcher = |process: u32| {
            name(process).is_none_or(|name| LAUNCHERS.contains(&name.trim_end().trim_start_matches('-')))
        };
        self.callers().into_iter().find(|process| !is_launcher(process.number))
    }
}

/// Whether a process may be running still, as far as that can be seen from here.
pub fn may_run(process: Running) -> bool {
    let is_seen = cfg!(target_os = "linux") && namespace() == Some(process.among);
    !is_seen || began(process.number) == Some(process.began)
}

/// Whether a program of this name runs that was given a variable with this in its value; false where the system does not tell.
pub fn is_at_work(name: &str, value: &str) -> bool {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes.into_iter().any(|process| {
        let is_named = std::fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|own| own.trim_end() == name);
        is_named && std::fs::read(format!("/proc/{process}/environ")).is_ok_and(|all| all.contains_str(value))
    })
}

/// Among which processes this one has its number.
fn namespace() -> Option<u64> {
    let name = std::fs::read_link("/proc/self/ns/pid").ok()?;
    name.to_str()?.trim_start_matches("pid:[").trim_end_matches(']').parse().ok()
}

/// The 22nd field of `stat`.
fn began(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// The fourth field of `stat`; the second is a name in parentheses, which may hold anything.
fn parent(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    (parent > 0).then_some(parent)
}

fn words(process: u32) -> Option<Vec<String>> {
    let bytes = std::fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let words = bytes.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    Some(words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_known_by_the_words_it_was_started_with() {
        let own = words(std::process::id()).expect("it runs");
        assert_eq!(own.first().cloned(), std::env::args().next());
        assert!(parent(std::process::id()).is_some_and(|parent| words(parent).is_some()));
        let env = Env::from_process().expect("a directory");
        assert!(env.callers().iter().all(|caller| may_run(*caller)));
        let (number, start) = (std::process::id(), began(std::process::id()).expect("it runs"));
        let me = Running { number, began: start, among: namespace().expect("Linux tells") };
        assert!(may_run(me) && !may_run(Running { began: start + 1, ..me }));
        // Seen: a session in another container was taken for gone.
        assert!(may_run(Running { began: start + 1, among: me.among + 1, ..me }));
        assert_eq!(env.caller("a program that nobody has"), None);
    }
}
