//! One moment of the tour's day, done as it is done in life: agents by requests and hooks, the person by hand, with git, and by an undo.
//!
//! Owns how. What happens when is in `day.rs`.

use super::day::{Act, By, Part, Text};
use crate::error::Error;
use crate::git::GitCall;
use crate::harness::Harness;
use crate::history::{Filter, History, Scope, UndoRequest};
use crate::id::RecordId;
use crate::request::{Agent, Edit, RecordKind, Request};
use crate::usecase::edit::edit;
use crate::usecase::hook::hook;
use crate::usecase::options::Overrides;
use crate::usecase::undo::{UndoOptions, undo_in};
use crate::workspace::Workspace;
use serde_json::json;
use std::fs;

/// Doing something in a working tree, at its time.
pub(super) struct Acting<'a> {
    workspace: &'a Workspace,
}

impl<'a> Acting<'a> {
    pub(super) fn in_tree(workspace: &'a Workspace) -> Self {
        Self { workspace }
    }

    /// Does it; gives the record, where there is one.
    pub(super) fn act(&self, act: &Act) -> Result<Option<RecordId>, Error> {
        match act {
            Act::Write(texts) => self.write(texts).map(|()| None),
            Act::Commit { message, paths } => self.commit(message, paths).map(|()| None),
            Act::Edit { by, message, parts, record } => self.edit(by, message, (parts, *record)),
            Act::Shell { by, command, texts } => self.shell(by, command, texts),
            Act::UndoNewest => {
                undo_in(self.workspace, &UndoRequest::newest(), &UndoOptions::default())?;
                self.newest()
            }
        }
    }

    /// By hand.
    fn write(&self, texts: &[Text]) -> Result<(), Error> {
        for Text { path, text } in texts {
            let full = self.workspace.repo().root().join(path);
            if let Some(folder) = full.parent() {
                fs::create_dir_all(folder).map_err(Error::io("make the folder of", *path))?;
            }
            fs::write(&full, text).map_err(Error::io("write", *path))?;
        }
        Ok(())
    }

    fn commit(&self, message: &str, paths: &[&str]) -> Result<(), Error> {
        let repo = self.workspace.repo();
        repo.run_git(GitCall::new(["add", "--"].iter().chain(paths)))?;
        repo.run_git(GitCall::new(["commit", "--quiet", "-m", message]))?;
        Ok(())
    }

    /// By a request.
    fn edit(&self, by: &By, message: &str, (parts, record): (&[Part], RecordKind)) -> Result<Option<RecordId>, Error> {
        let requests: Vec<Request> = parts.iter().map(requested).collect::<Result<_, Error>>()?;
        let together = requests.into_iter().reduce(Request::and);
        let mut request = together.expect("an edit of the day has a part");
        request.message = Some(message.to_owned());
        request.record = Some(record);
        request.agent = Agent {
            name: Some(by.agent.to_owned()),
            model: Some(by.model.to_owned()),
            session: Some(by.session.to_owned()),
            turn: Some(by.turn.to_owned()),
            ..Agent::default()
        };
        Ok(edit(self.workspace, &request, &Overrides::default(), None)?.data.record.and_then(|record| record.id))
    }

    /// By a command in a shell, before and after which the agent's harness calls its hooks.
    fn shell(&self, by: &By, command: &str, texts: &[Text]) -> Result<Option<RecordId>, Error> {
        let env = self.workspace.env();
        let tell = |event: &str| {
            let payload = json!({
                "redraft": 1, "event": event, "agent": by.agent, "model": by.model, "session": by.session, "turn": by.turn,
                "call": "1", "tool": "bash", "command": command, "cwd": self.workspace.repo().root(),
            });
            hook(env, payload.to_string().as_bytes(), Some(Harness::Generic));
        };
        tell("before");
        self.write(texts)?;
        tell("after");
        self.newest()
    }

    fn newest(&self) -> Result<Option<RecordId>, Error> {
        let history = History::open(self.workspace.repo())?;
        let newest = history.items(Scope::Own, Filter::default())?.next().transpose()?;
        Ok(newest.map(|item| item.record.id))
    }
}

fn requested(part: &Part) -> Result<Request, Error> {
    let edits = |pairs: &[(&str, &str)]| -> Vec<Edit> {
        pairs.iter().map(|(old, new)| Edit::new(*old, *new).expect("an edit of the day changes something")).collect()
    };
    Ok(match part {
        Part::Edit(path, pairs) => Request::edit(path, edits(pairs))?,
        Part::Create(Text { path, text }) => Request::create(path, *text)?,
        Part::Rename { from, to, edits: pairs } => Request::rename(from, to, edits(pairs))?,
    })
}
