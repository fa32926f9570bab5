//! `redraft undo --interactive`: each hunk is shown and asked for, as `git add -p` does.
//!
//! Owns the questions and what their answers mean. What there is to choose from, and what each piece would change, is the use
//! case's; nothing is written before the last answer.
//! Invariant: what is asked goes to standard error, so that standard output carries the answer of the undo and nothing else.

use super::paint::Paint;
use super::records::short;
use super::{editor, output};
use crate::env::Env;
use crate::error::Error;
use crate::history::{Piece, PieceSort, UndoRequest};
use crate::patch::NotThisDiff;
use crate::state_dir::StateDir;
use crate::text::{one_line, quoted_path, visible};
use crate::usecase::undo::UndoOptions;
use crate::usecase::undo_pieces::{NotByHand, Pieces, Trial, does_not_fit};
use crate::workspace::Workspace;
use anstyle::{AnsiColor, Style};
use anyhow::anyhow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// What a letter says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    Yes,
    No,
    Quit,
    /// This and the rest of the file.
    All,
    /// Neither this nor the rest of the file.
    Done,
    /// Of this what is left in an editor.
    Edit,
    Help,
}

/// Each with what it does, as the help has it.
const LETTERS: [(char, Letter, &str); 7] = [
    ('y', Letter::Yes, "undo this"),
    ('n', Letter::No, "do not undo this"),
    ('q', Letter::Quit, "quit; undo what was said yes to, and none of the rest"),
    ('a', Letter::All, "undo this and all that follows in the file"),
    ('d', Letter::Done, "do not undo this, or anything that follows in the file"),
    ('e', Letter::Edit, "edit this in an editor, and undo of it what is left there"),
    ('?', Letter::Help, "print help"),
];

/// Behind a hunk in an editor, as git has it.
const GUIDE: &str = "\
# ---
# Of this hunk is undone what is left here.
# To keep a '-' line, make it a ' ' line (context).
# To leave a '+' line out, delete it.
# Changes of the record are undone as a whole: no part of one, and nothing else.
# Lines starting with # are passed over. If all lines are deleted, the question is asked again.
";

/// What becomes of the rest of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Chosen,
    Left,
}

/// Whether more is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Going {
    On,
    Ended,
}

/// What came of the questions.
pub(super) enum Picked {
    /// This is to be undone.
    Some(UndoRequest),
    /// Nothing is; why was said.
    Nothing(ExitCode),
}

/// What of an undo somebody picks.
///
/// # Errors
/// Where it cannot be told what there is to pick from.
pub(super) fn picked(env: &Env, request: &UndoRequest, options: &UndoOptions<'_>) -> Result<Picked, Error> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(Picked::Nothing(output::usage(&anyhow!(
            "undo --interactive asks on a terminal, and standard input or standard error is none; `redraft show` numbers \
             the hunks of a record, and `redraft undo ID --hunk N` undoes one"
        ))));
    }
    let workspace = Workspace::discover(env)?;
    let pieces = Pieces::of(&workspace, request, options)?;
    let paint = Paint::on_standard_error(env);
    let workspace = &workspace;
    let mut round = Round { workspace, pieces, paint, rest: BTreeMap::new(), told: None, asked: 0 };
    round.go()?;
    Ok(match round.pieces.request() {
        Some(request) => Picked::Some(request),
        None if round.asked == 0 => {
            output::complain("nothing of it can be undone as it is, so nothing was asked for, and nothing is undone");
            Picked::Nothing(ExitCode::FAILURE)
        }
        None => {
            output::complain("nothing was chosen, and nothing is undone");
            Picked::Nothing(ExitCode::SUCCESS)
        }
    })
}

/// The questions, one after the other.
struct Round<'a> {
    workspace: &'a Workspace,
    pieces: Pieces<'a>,
    paint: Paint,
    /// What was said of files as a whole.
    rest: BTreeMap<usize, Rest>,
    /// The piece whose record was named last.
    told: Option<usize>,
    asked: usize,
}

impl Round<'_> {
    fn go(&mut self) -> Result<(), Error> {
        for number in 0..self.pieces.all().len() {
            let row = self.pieces.all()[number].row;
            let is_settled = self.rest.get(&row) == Some(&Rest::Left) || self.pieces.is_chosen(number);
            if is_settled || !self.pieces.is_open(number) {
                continue;
            }
            let trial = match self.pieces.tried(number) {
                Ok(trial) if !trial.diff.is_empty() => trial,
                Ok(_) => {
                    self.pass_over(number, "nothing of it is left to be undone");
                    continue;
                }
                Err(error) if does_not_fit(&error) => {
                    self.pass_over(number, &output::explained(&error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            if self.rest.get(&row) == Some(&Rest::Chosen) {
                self.pieces.choose(trial);
            } else if self.offer(number, trial)? == Going::Ended {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Shows a piece, and asks for it.
    fn offer(&mut self, number: usize, mut trial: Trial) -> Result<Going, Error> {
        let row = self.pieces.all()[number].row;
        self.name_record(number);
        self.say(&output::diff(&trial.diff, self.paint));
        let hunk = self.pieces.to_edit(&trial).map(|hunk| [&hunk[..], GUIDE.as_bytes()].concat());
        self.asked += 1;
        match self.letter(number, hunk.as_deref(), &mut trial)? {
            Letter::Quit => return Ok(Going::Ended),
            Letter::No | Letter::Help => {}
            Letter::Yes | Letter::Edit => self.pieces.choose(trial),
            Letter::Done => drop(self.rest.insert(row, Rest::Left)),
            Letter::All => {
                self.rest.insert(row, Rest::Chosen);
                self.pieces.choose(trial);
                self.choose_rest(number, row);
            }
        }
        Ok(Going::On)
    }

    /// Chooses what follows in a file, all at once where all of it fits; else each is tried when it comes, and what is in the
    /// way is told.
    fn choose_rest(&mut self, number: usize, row: usize) {
        let follows = |n: &usize| self.pieces.all()[*n].row == row && self.pieces.is_open(*n);
        let rest: Vec<usize> = (number + 1..self.pieces.all().len()).filter(follows).collect();
        if rest.is_empty() {
            return;
        }
        if let Ok(trial) = self.pieces.tried_together(rest) {
            self.pieces.choose(trial);
        }
    }

    /// Asks until there is an answer; the end of the input is one. After an edit the trial is that of what was left.
    ///
    /// # Errors
    /// Where the terminal is gone, or what was left cannot be planned.
    fn letter(&mut self, number: usize, hunk: Option<&[u8]>, trial: &mut Trial) -> Result<Letter, Error> {
        let (all, sort) = (self.pieces.all().len(), self.pieces.all()[number].sort);
        let is_open = |letter: Letter| letter != Letter::Edit || hunk.is_some();
        let open = LETTERS.iter().filter(|(_, letter, _)| is_open(*letter));
        let letters: Vec<String> = open.map(|(key, ..)| key.to_string()).collect();
        let question = format!("({}/{all}) Undo {} [{}]?", number + 1, noun(sort), letters.join(","));
        let question = self.paint.with(&question, Style::new().bold().fg_color(Some(AnsiColor::Blue.into())));
        // What did not fit is there again at the next try.
        let mut draft = hunk.map(<[u8]>::to_vec);
        loop {
            self.say(&format!("{question} "));
            let mut line = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut line).map_err(Error::io("read", "the terminal"))? == 0 {
                self.say("\n");
                return Ok(Letter::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            let mut typed = line.trim().chars();
            let key = match (typed.next().map(|key| key.to_ascii_lowercase()), typed.next()) {
                (None, _) => continue,
                (Some(_), Some(_)) => {
                    self.say(&format!("one letter is expected, not {}\n", visible(line.trim())));
                    continue;
                }
                (Some(key), None) => key,
            };
            match LETTERS.iter().find(|(letter, ..)| *letter == key).map(|(_, letter, _)| *letter) {
                None | Some(Letter::Help) => self.say(&help()),
                Some(Letter::Edit) => match &mut draft {
                    None => self.say("only a hunk can be edited\n"),
                    Some(draft) => {
                        if let Some(left) = self.edited(trial, draft)? {
                            *trial = left;
                            return Ok(Letter::Edit);
                        }
                    }
                },
                Some(letter) => return Ok(letter),
            }
        }
    }

    /// Has a hunk edited; none where nothing comes of it, and why was said.
    fn edited(&self, trial: &Trial, draft: &mut Vec<u8>) -> Result<Option<Trial>, Error> {
        let left = match editor::edited(self.workspace, &self.draft_place(), draft) {
            Ok(left) => left,
            Err(why) => {
                self.say(&self.paint.colour(&format!("{}\n", visible(&why)), AnsiColor::Yellow));
                return Ok(None);
            }
        };
        match self.pieces.by_hand(trial, &left)? {
            Ok(trial) => Ok(Some(trial)),
            Err(why) => {
                self.say(&self.paint.colour(&format!("{}\n", refused(why)), AnsiColor::Yellow));
                if why != NotByHand::Diff(NotThisDiff::Emptied) {
                    *draft = left;
                }
                Ok(None)
            }
        }
    }

    /// Where a hunk lies while it is edited: each process has its own.
    fn draft_place(&self) -> PathBuf {
        StateDir::of(self.workspace.repo()).hunk_edit(self.workspace.env().process_id())
    }

    /// Says what is not asked for, and why.
    fn pass_over(&mut self, number: usize, why: &str) {
        self.name_record(number);
        let sort = noun(self.pieces.all()[number].sort).replacen("this", "a", 1);
        let path = quoted_path(&self.pieces.all()[number].path).into_owned();
        let told = format!("not asked for: {sort} in {path}: {}\n", visible(why));
        self.say(&self.paint.colour(&told, AnsiColor::Yellow));
    }

    /// Names the record of a piece, where it is another one than before.
    fn name_record(&mut self, number: usize) {
        let all = self.pieces.all();
        let Piece { id, subject, .. } = &all[number];
        if self.told.is_none_or(|told| all[told].id != *id) {
            let line = format!("record {}: {}\n", short(id), one_line(subject));
            self.say(&self.paint.colour(&line, AnsiColor::Yellow));
        }
        self.told = Some(number);
    }

    fn say(&self, text: &str) {
        let mut out = io::stderr().lock();
        // A terminal that has gone away cannot be read, either.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

fn noun(sort: PieceSort) -> &'static str {
    match sort {
        PieceSort::Hunk => "this hunk",
        PieceSort::Creation => "this creation",
        PieceSort::Deletion => "this deletion",
        PieceSort::Rename => "this rename",
        PieceSort::File => "this change",
    }
}

/// Why what was left in the editor is not undone.
fn refused(why: NotByHand) -> String {
    match why {
        NotByHand::Diff(NotThisDiff::Emptied) => "no line was left, so the hunk is as it was".to_owned(),
        NotByHand::Diff(NotThisDiff::NoMark { line }) => {
            format!("line {line} does not begin with ' ', '-', '+' or '#'; e goes on from what was left")
        }
        NotByHand::Diff(NotThisDiff::NotThere { line }) => {
            format!("line {line} is not what the file has there; e goes on from what was left")
        }
        NotByHand::Diff(NotThisDiff::Missing) => {
            "lines of the file, or heads of hunks, are missing; e goes on from what was left".to_owned()
        }
        NotByHand::FileChanged => "the file was changed meanwhile; e goes on from what was left".to_owned(),
        NotByHand::OtherChanges => {
            "what was left is not some of the record's changes, each as a whole, and no part of one can be \
                                    undone; e goes on from what was left"
                .to_owned()
        }
    }
}

fn help() -> String {
    LETTERS.iter().map(|(key, _, what)| format!("{key} - {what}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_every_letter_once() {
        let help = help();
        for (key, ..) in LETTERS {
            assert_eq!(help.lines().filter(|line| line.starts_with(&format!("{key} - "))).count(), 1, "{key}");
        }
    }
}
