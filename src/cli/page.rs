//! Long output for people: through git's pager on a terminal, in git's colours where they are wanted.
//!
//! Owns whether and which. A pager is a program that git's configuration names; only commands that read run it.

use super::output::{self, Form};
use super::paint::Paint;
use super::signals::Noticed;
use crate::env::Env;
use crate::workspace::Workspace;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};

/// Where a command's lines go.
pub(super) struct Page {
    out: Option<BufWriter<Box<dyn Write>>>,
    pager: Option<(Child, Noticed)>,
    /// In git's colours, where they are wanted.
    pub paint: Paint,
    /// Whose clock tells how long ago something was, and where.
    pub env: Env,
    /// Nobody reads any more.
    closed: bool,
}

/// Whether a pager is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paging {
    /// Where standard output is a terminal.
    OnTerminal,
    /// Not at all.
    Never,
}

impl Paging {
    /// A pager is for people.
    pub(super) fn unless(form: Form) -> Self {
        if form == Form::Json { Self::Never } else { Self::OnTerminal }
    }
}

impl Page {
    /// Standard output, by a pager if it is a terminal and that is wanted.
    pub(super) fn open(workspace: &Workspace, paging: Paging) -> Self {
        let terminal = io::stdout().is_terminal();
        let (paint, env) = (Paint::configured(workspace), workspace.env().clone());
        let mut page = Self { out: None, pager: None, paint, env, closed: false };
        if terminal && paging == Paging::OnTerminal {
            page.pager = start_pager(workspace).map(|pager| (pager, Noticed::ctrl_c()));
        }
        let sink: Box<dyn Write> = match page.pager.as_mut().and_then(|(pager, _)| pager.stdin.take()) {
            Some(pipe) => Box::new(pipe),
            None => Box::new(io::stdout()),
        };
        page.out = Some(BufWriter::with_capacity(64 << 10, sink));
        page
    }

    /// Writes; `false` when nobody reads any more.
    pub(super) fn put(&mut self, text: &str) -> bool {
        self.closed |= self.pager.as_ref().is_some_and(|(_, ctrl_c)| ctrl_c.came());
        if !self.closed
            && let Some(out) = &mut self.out
        {
            let written = out.write_all(text.as_bytes());
            self.closed = told(written).is_err();
        }
        !self.closed
    }

    /// Writes a line of JSON.
    pub(super) fn put_json(&mut self, value: &impl serde::Serialize) -> bool {
        self.put(&output::json(value))
    }
}

impl Drop for Page {
    /// The pager ends when its input does, and only then the command.
    fn drop(&mut self) {
        if let Some(mut out) = self.out.take() {
            let _ = if self.closed { Ok(()) } else { told(out.flush()) };
            // What could not be written is not tried again.
            let _ = out.into_parts();
        }
        if let Some((mut pager, _ctrl_c)) = self.pager.take() {
            let _ = pager.wait();
        }
    }
}

/// The same; what went wrong is told.
fn told(written: io::Result<()>) -> io::Result<()> {
    written.inspect_err(output::not_printed)
}

/// `GIT_PAGER`, `core.pager`, `PAGER`, `less`; nothing or `cat` is none.
fn start_pager(workspace: &Workspace) -> Option<Child> {
    let variable = |name: &str| workspace.env().variable(name)?.to_str().map(str::to_owned);
    let configured = || workspace.repo().config_string("core.pager").map(|value| value.to_string());
    let pager =
        variable("GIT_PAGER").or_else(configured).or_else(|| variable("PAGER")).unwrap_or_else(|| "less".to_owned());
    if pager.trim().is_empty() || pager.trim() == "cat" {
        return None;
    }
    let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
    command.current_dir(workspace.env().cwd());
    command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(&pager).stdin(Stdio::piped());
    // As git sets them: quit if it fits one screen, pass colours, leave the screen as it is.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if workspace.env().variable(name).is_none() {
            command.env(name, value);
        }
    }
    command.spawn().ok()
}
