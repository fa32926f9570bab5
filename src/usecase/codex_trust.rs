//! Whether codex runs redraft's hooks: it skips those that the user has not trusted, in silence, and only its app server tells.
//!
//! Owns asking it (`codex app-server`, `hooks/list`). Changes nothing; a codex that is not there or does not answer in time tells nothing.

use crate::env::Env;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// So long an answer is waited for.
const LONGEST: Duration = Duration::from_secs(10);

/// So many lines are read: it tells of other things, too.
const MOST_LINES: usize = 1_000;

/// What codex says of redraft's hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// It runs them all.
    Trusted,
    /// Some of them it skips until the user trusts them.
    Untrusted,
    /// Some of them the user turned off.
    Disabled,
    /// It does not see them: in a folder that is not trusted, say.
    Unseen,
}

/// Asks codex, for sessions in a directory; none where it does not tell.
pub(super) fn ask(env: &Env, dir: &Path) -> Option<Trust> {
    let mut command = Command::new("codex");
    command.arg("app-server").current_dir(dir).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Server(command.spawn().ok()?);
    let mut input = server.0.stdin.take()?;
    let client = json!({"name": "redraft", "title": "redraft", "version": env!("CARGO_PKG_VERSION")});
    for line in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": client}}),
        json!({"jsonrpc": "2.0", "method": "initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [dir]}}),
    ] {
        writeln!(input, "{line}").ok()?;
    }
    let output = BufReader::new(server.0.stdout.take()?);
    let (send, lines) = channel();
    std::thread::spawn(move || {
        output.lines().map_while(Result::ok).take(MOST_LINES).for_each(|line| drop(send.send(line)));
    });
    let start = env.clock().instant();
    loop {
        let left = LONGEST.checked_sub(env.clock().instant().duration_since(start))?;
        let line = lines.recv_timeout(left).ok()?;
        match serde_json::from_str::<Value>(&line) {
            Ok(answer) if answer["id"] == 2 => return told(&answer),
            _ => {}
        }
    }
}

/// What an answer says.
fn told(answer: &Value) -> Option<Trust> {
    let all = answer["result"]["data"].as_array()?.iter().flat_map(|dir| dir["hooks"].as_array().into_iter().flatten());
    let is_own = |hook: &&Value| hook["command"].as_str().is_some_and(|command| command.contains("redraft hook"));
    let own: Vec<&Value> = all.filter(is_own).collect();
    let has_trust = |hook: &&Value| matches!(hook["trustStatus"].as_str(), Some("trusted" | "managed"));
    Some(if own.is_empty() {
        Trust::Unseen
    } else if !own.iter().all(has_trust) {
        Trust::Untrusted
    } else if own.iter().any(|hook| hook["enabled"] == false) {
        Trust::Disabled
    } else {
        Trust::Trusted
    })
}

/// A process that ends with this.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_codex_says_of_each_hook_counts() {
        let hook = |command: &str, trust: &str, enabled: bool| json!({"command": command, "trustStatus": trust, "enabled": enabled});
        let of = |hooks: Vec<Value>| told(&json!({"id": 2, "result": {"data": [{"cwd": "/r", "hooks": hooks}]}}));
        let own = |trust, enabled| hook("redraft hook codex", trust, enabled);
        assert_eq!(of(vec![]), Some(Trust::Unseen));
        assert_eq!(of(vec![hook("other", "untrusted", true)]), Some(Trust::Unseen));
        assert_eq!(of(vec![own("trusted", true), hook("other", "untrusted", true)]), Some(Trust::Trusted));
        assert_eq!(of(vec![own("trusted", true), own("untrusted", true)]), Some(Trust::Untrusted));
        assert_eq!(of(vec![own("modified", true)]), Some(Trust::Untrusted));
        assert_eq!(of(vec![own("trusted", false)]), Some(Trust::Disabled));
        assert_eq!(told(&json!({"id": 2, "error": {"code": -1}})), None);
    }
}
