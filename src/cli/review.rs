//! `redraft review`.

use super::context::Context;
use super::paint::Paint;
use super::screen::{self, Heard, Screen, Work};
use super::selection::SelectionArgs;
use super::signals::{self, Noticed};
use super::{editor, output, when};
use crate::env::{Env, Listening};
use crate::error::Error;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::usecase::review::{Carried, Change, Details, Outcome, ReviewRequest, Reviewed, Verb, carry_out, preview};
use crate::view::review::{Action, Model, Palette, Scene, Times};
use crate::workspace::Workspace;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// So often it is looked whether somebody asks to stop, and whether there is something new.
const TICK: Duration = Duration::from_millis(100);
const LOOK: Duration = Duration::from_secs(1);

/// Go through what agents did here, on the terminal
///
/// Sessions, turns and records on the left, the diff on the right, what is known of the record below. Records that agents make meanwhile
/// appear. u takes a record, a file or a hunk of it back, r takes that back, c commits what is left of it: what it would do is shown, and
/// asked for, first. ? shows the keys.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft review
  redraft review src                 # only records that touched something in there
  redraft review --session s42
  redraft review --agent claude --since yesterday")]
pub(crate) struct ReviewArgs {
    /// Only records that touched these files or directories
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
}

impl ReviewArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        if let Some(why) = screen::lacking(&context.env) {
            return output::usage(&anyhow::anyhow!(
                "review needs a terminal: {why}; `redraft log -p` prints the same, `redraft report` makes a page of it"
            ));
        }
        let mut notes = BTreeSet::new();
        let done = self.review(&context.env, &mut notes);
        output::warn(&notes.into_iter().collect::<Vec<_>>());
        done.map_or_else(|error| output::error(&error, output::Form::Text), |()| ExitCode::SUCCESS)
    }

    /// What could not be read is noted, for when the terminal is as it was.
    fn review(self, env: &Env, notes: &mut BTreeSet<String>) -> Result<(), Error> {
        let workspace = Workspace::discover(env)?;
        let paths = super::paths::parse_in(&self.paths, workspace.repo())?;
        let request = ReviewRequest { selection: self.selection.selection(env), paths };
        let (reviewed, entries) = Reviewed::read(&workspace, &request)?;
        let screen = Screen::open().map_err(terminal("take"))?;
        let model = Model::new(entries);
        let (listening, looked) = (Some(Stops::listen(env)), env.clock().instant());
        Running { env, workspace: &workspace, request, reviewed, model, screen, listening, looked, notes }.run()
    }
}

fn terminal(verb: &'static str) -> impl FnOnce(std::io::Error) -> Error {
    Error::io(verb, "the terminal")
}

/// A review that somebody is at.
struct Running<'w, 'n> {
    env: &'w Env,
    workspace: &'w Workspace,
    request: ReviewRequest,
    reviewed: Reviewed<'w>,
    model: Model,
    screen: Screen,
    /// None while another program has the terminal: what ends that is its affair.
    listening: Option<Stops>,
    /// When it was last looked whether there is something new.
    looked: Instant,
    /// What could not be read.
    notes: &'n mut BTreeSet<String>,
}

/// What asks it to end.
struct Stops {
    asked: Listening,
    quit: Noticed,
}

impl Stops {
    fn listen(env: &Env) -> Self {
        Self { asked: env.interrupt().listen(), quit: Noticed::quit() }
    }

    fn is_told_to_stop(&self) -> bool {
        self.asked.is_told_to_stop() || self.quit.came()
    }
}

impl Running<'_, '_> {
    fn run(mut self) -> Result<(), Error> {
        self.note();
        while let Some(action) = self.next().map_err(terminal("use"))?.filter(|action| *action != Action::Quit) {
            self.act(action).map_err(terminal("use"))?;
            self.note();
        }
        Ok(())
    }

    /// Notes what could not be read, and says the first of it at once.
    fn note(&mut self) {
        for note in output::sentences(&self.reviewed.take_warnings()) {
            if self.notes.insert(note.clone()) && self.notes.len() == 1 {
                self.model.say(note);
            }
        }
    }

    /// Waits for a key, and keeps what is shown up to date meanwhile; none where it is to end.
    fn next(&mut self) -> std::io::Result<Option<Action>> {
        self.draw()?;
        loop {
            // Whoever holds a key down does not wait for each diff on the way.
            let is_lacking = self.model.lacking().is_some();
            match screen::hear(if is_lacking { Duration::ZERO } else { TICK })? {
                Heard::Key(key) => return Ok(Some(self.model.key(key))),
                Heard::Other => self.draw()?,
                Heard::Nothing => {
                    if let Some(details) = self.details() {
                        self.model.give(details);
                        self.note();
                        self.draw()?;
                    }
                }
            }
            if self.listening.as_ref().is_some_and(Stops::is_told_to_stop) {
                return Ok(None);
            }
            let now = self.env.clock().instant();
            if now.saturating_duration_since(self.looked) >= LOOK {
                self.look();
                self.looked = self.env.clock().instant();
                self.draw()?;
            }
        }
    }

    /// Those that are not known yet, and have to be.
    fn details(&self) -> Option<Details> {
        let entry = self.model.lacking()?;
        Some(screen::busy(self.env, Work::Reads, || self.reviewed.details(entry)))
    }

    fn draw(&mut self) -> std::io::Result<()> {
        self.model.resize(self.screen.size()?);
        let (env, repo) = (self.env, self.workspace.repo());
        let palette = match Paint::configured(self.workspace) {
            Paint::Colour => Palette::Colours,
            Paint::Plain => Palette::Plain,
        };
        let name = repo.root().file_name().unwrap_or_default().to_string_lossy();
        let (relative, local) = (|time_ms| when::relative(env, time_ms), |time_ms| when::local(env, time_ms));
        let scene = Scene { palette, times: Times { relative: &relative, local: &local }, repository: &name };
        let model = &self.model;
        self.screen.draw(|frame| scene.draw(model, frame))
    }

    /// Reads the list again, where something was done.
    fn look(&mut self) {
        match self.reviewed.is_current() {
            Ok(true) => {}
            Ok(false) => self.read(),
            Err(error) => self.model.say(output::explained(&error)),
        }
    }

    fn read(&mut self) {
        match Reviewed::read(self.workspace, &self.request) {
            Ok((reviewed, entries)) => {
                self.reviewed = reviewed;
                self.model.replace(entries);
                self.note();
            }
            Err(error) => self.model.say(output::explained(&error)),
        }
    }

    fn act(&mut self, action: Action) -> std::io::Result<()> {
        match action {
            // The end is where they are waited for.
            Action::Nothing | Action::Quit => {}
            Action::Suspend => self.aside(signals::suspend)?,
            Action::Preview(change) => {
                self.works()?;
                match screen::busy(self.env, Work::Reads, || preview(self.workspace, &change)) {
                    Ok(outcome) => self.model.ask(change, outcome),
                    Err(why) => self.model.tell("This cannot be done".to_owned(), &why),
                }
            }
            Action::Do(change, seen) => self.carry_out(change, &seen)?,
            Action::Mark(ids, marking) => match self.reviewed.mark(&ids, marking) {
                Ok(mark) => self.model.mark(&ids, mark.as_ref()),
                Err(error) => self.model.say(output::explained(&error)),
            },
            Action::Open(path, line) => self.open(&path, line)?,
            Action::Blame(path, line) => {
                self.works()?;
                match screen::busy(self.env, Work::Reads, || self.reviewed.blame(&path)) {
                    Ok(lines) => self.model.show_blame(path, lines, line),
                    Err(error) => self.model.say(output::explained(&error)),
                }
            }
            Action::Copy(id) => self.copy(&id)?,
        }
        Ok(())
    }

    /// Says that it will take a moment: somebody else may have the lock.
    fn works(&mut self) -> std::io::Result<()> {
        self.model.say("working ...".to_owned());
        self.draw()?;
        self.model.unsay();
        Ok(())
    }

    fn carry_out(&mut self, change: Change, seen: &Outcome) -> std::io::Result<()> {
        self.works()?;
        let workspace = self.workspace;
        let carried = match change.verb {
            // Hooks, and who asks for the password of a key, are at the terminal.
            Verb::Commit => self.aside(|| carry_out(workspace, &change, seen))?,
            Verb::Undo | Verb::Redo => screen::busy(self.env, Work::Writes, || carry_out(workspace, &change, seen)),
        };
        match carried {
            Carried::Done(text) => {
                self.read();
                self.model.say(text.lines().next().unwrap_or_default().to_owned());
            }
            Carried::Differs(now) => {
                self.model.ask(change, now);
                self.model.say("the files changed meanwhile: this is what it would do now; y/n".to_owned());
            }
            Carried::Refused(why) => self.model.tell("Nothing was done".to_owned(), &why),
        }
        Ok(())
    }

    fn open(&mut self, path: &RepoPath, line: usize) -> std::io::Result<()> {
        let file = self.workspace.repo().root().join(path.to_path());
        if !file.is_file() {
            self.model.say(format!("there is no file {path} now"));
            return Ok(());
        }
        let workspace = self.workspace;
        let ended = self.aside(|| editor::open(workspace, &file, line))?;
        if let Err(why) = ended {
            self.model.say(why);
        }
        Ok(())
    }

    /// Does something that has the terminal meanwhile.
    fn aside<T>(&mut self, then: impl FnOnce() -> T) -> std::io::Result<T> {
        self.listening = None;
        let done = self.screen.aside(then);
        self.listening = Some(Stops::listen(self.env));
        done
    }

    fn copy(&mut self, id: &RecordId) -> std::io::Result<()> {
        self.screen.copy(id.as_str())?;
        self.model.say(format!("{id} (copied, where the terminal allows that)"));
        Ok(())
    }
}
