//! Which word of a command line is being typed: a command, a flag, or a value of which argument.
//!
//! Owns that, from the definitions of the commands alone. Does not know values.

use clap::{Arg, Command};

/// The word that is typed.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    /// The command that it belongs to.
    pub command: &'a Command,
    /// What it is.
    pub what: What<'a>,
    /// What stands in the same word before the value (`--session=`).
    pub before: &'a str,
    /// The value, as far as it is typed.
    pub value: &'a str,
    /// What `-C` names.
    pub directory: Option<&'a str>,
    /// The session that is named.
    pub session: Option<&'a str>,
    word: &'a str,
}

/// What a word can be.
#[derive(Debug)]
pub(super) enum What<'a> {
    Command,
    Flag,
    Value(&'a Arg),
}

/// What the words before it say.
struct Walk<'a> {
    command: &'a Command,
    /// The option whose value comes next.
    open: Option<&'a Arg>,
    /// How many words are no options.
    count: usize,
    is_behind_dashes: bool,
    directory: Option<&'a str>,
    session: Option<&'a str>,
}

impl<'a> Spot<'a> {
    /// The last of the words, the first of which is the program's name; none where nothing is known of it.
    pub(super) fn of(command: &'a Command, words: &'a [String]) -> Option<Self> {
        let (word, before) = words.get(1..)?.split_last()?;
        let mut walk = Walk { command, open: None, count: 0, is_behind_dashes: false, directory: None, session: None };
        before.iter().for_each(|word| walk.pass(word));
        let spot = |what, before, value| {
            let Walk { command, directory, session, .. } = walk;
            Self { command, what, before, value, directory, session, word }
        };
        if let Some(option) = walk.open {
            return Some(spot(What::Value(option), "", word));
        }
        if !walk.is_behind_dashes && word.starts_with('-') {
            let Some(at) = word.find('=') else { return Some(spot(What::Flag, "", word)) };
            let option = walk.option(&word[..at])?;
            return Some(spot(What::Value(option), &word[..=at], &word[at + 1..]));
        }
        if walk.count == 0 && walk.command.has_subcommands() && !walk.is_behind_dashes {
            return Some(spot(What::Command, "", word));
        }
        let all = walk.command.get_positionals();
        let mut own = all.filter(|arg| arg.is_last_set() == walk.is_behind_dashes || takes_all(walk.command));
        let count = if walk.is_behind_dashes { 0 } else { walk.count };
        let own: Vec<&Arg> = own.by_ref().collect();
        let arg = own.get(count).or_else(|| own.last().filter(|arg| is_many(arg)))?;
        Some(spot(What::Value(arg), "", word))
    }

    /// All of the word.
    pub(super) fn typed(&self) -> &str {
        self.word
    }
}

/// Whether two dashes begin no arguments of their own.
fn takes_all(command: &Command) -> bool {
    !command.get_positionals().any(Arg::is_last_set)
}

fn is_many(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|count| count.max_values() > 1)
        || matches!(arg.get_action(), clap::ArgAction::Append)
}

impl<'a> Walk<'a> {
    fn pass(&mut self, word: &'a str) {
        if let Some(option) = self.open.take() {
            return self.note(option, word);
        }
        if self.is_behind_dashes {
            self.count += 1;
        } else if word == "--" {
            self.is_behind_dashes = true;
        } else if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
            if let Some(option) = self.option(name) {
                self.note(option, value);
            }
        } else if word.starts_with("--") {
            self.open = self.option(word).filter(|option| option.get_action().takes_values());
        } else if word.len() > 1 && word.starts_with('-') {
            self.pass_letters(word);
        } else if let Some(command) = self.command.find_subcommand(word).filter(|_| self.count == 0) {
            self.command = command;
        } else {
            self.count += 1;
        }
    }

    /// `-in 5`: the last letter may want a value, and what is behind one that does is its value.
    fn pass_letters(&mut self, word: &'a str) {
        for (at, letter) in word.char_indices().skip(1) {
            let option = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter));
            let Some(option) = option.filter(|option| option.get_action().takes_values()) else { continue };
            match &word[at + letter.len_utf8()..] {
                "" => self.open = Some(option),
                value => self.note(option, value),
            }
            return;
        }
    }

    fn option(&self, name: &str) -> Option<&'a Arg> {
        let long = name.strip_prefix("--")?;
        self.command.get_arguments().find(|arg| {
            arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&long))
        })
    }

    fn note(&mut self, option: &Arg, value: &'a str) {
        match option.get_id().as_str() {
            "directory" => self.directory = Some(value),
            "session" => self.session = Some(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, want: &str) {
        let mut command = crate::cli::command();
        command.build();
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let spot = Spot::of(&command, &words);
        let got = spot.map_or("nothing".to_owned(), |spot| match spot.what {
            What::Command => format!("command of {}", spot.command.get_name()),
            What::Flag => format!("flag of {}", spot.command.get_name()),
            What::Value(arg) => format!("{}.{} {}|{}", spot.command.get_name(), arg.get_id(), spot.before, spot.value),
        });
        assert_eq!(got, want, "{line}");
    }

    #[test]
    fn it_is_known_which_argument_is_typed() {
        check("redraft ", "command of redraft");
        check("redraft un", "command of redraft");
        check("redraft -C dir un", "command of redraft");
        check("redraft backups ", "command of backups");
        check("redraft undo --s", "flag of undo");
        check("redraft undo ", "undo.ids |");
        check("redraft undo a b", "undo.ids |b");
        check("redraft undo a -- x", "undo.paths |x");
        check("redraft undo --session s", "undo.session |s");
        check("redraft undo --session=s", "undo.session --session=|s");
        check("redraft log -n ", "log.limit |");
        check("redraft log -in5 --agent ", "log.agent |");
        check("redraft log --pretty ", "log.format |");
        check("redraft diff a b", "diff.second |b");
        check("redraft diff a b c", "nothing");
        check("redraft backups restore a b c", "restore.paths |c");
        check("redraft -C d commit -m x ", "commit.ids |");
    }
}
