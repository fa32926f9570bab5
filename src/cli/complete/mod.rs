//! `redraft complete`: what a shell may put in the place of the word that is being typed. The scripts of `redraft completions`
//! call it.
//!
//! Owns how it is asked and how it answers: first a line that says what follows (`values`, `open` where a value goes on,
//! `files`, `dirs`), then a line for each value, a tab and what it is. Which word is typed is [`spot`]'s, which values it may
//! have [`values`]'.
//! Invariant: it writes nothing, says nothing on standard error, and no control character of anybody's text comes out of it.

mod bash;
mod offer;
mod spot;
mod values;

use super::context::Context;
use super::output;
use crate::env::Env;
use crate::text::one_line;
use clap::{Args, Command, ValueEnum};
use offer::{Candidate, Offer};
use spot::Spot;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Asking {
    /// With the command line up to the cursor, what parts its words there, and the sort of completion
    Bash,
    /// With the words
    Zsh,
    /// With the words
    Fish,
}

/// Print what may stand in the place of the last word
#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    /// Who asks
    #[arg(value_enum)]
    shell: Asking,
    /// The words up to the cursor, the last one perhaps empty
    #[arg(value_name = "WORD", last = true)]
    words: Vec<OsString>,
}

/// The script of a shell that asks.
pub(super) fn script(shell: clap_complete::Shell) -> Option<&'static str> {
    match shell {
        clap_complete::Shell::Bash => Some(include_str!("redraft.bash")),
        clap_complete::Shell::Zsh => Some(include_str!("redraft.zsh")),
        clap_complete::Shell::Fish => Some(include_str!("redraft.fish")),
        _ => None,
    }
}

/// Longer words of what a value is are cut.
const MOST_TOLD: usize = 70;

impl CompleteArgs {
    pub(super) fn run(self, mut command: Command, context: &Context) -> ExitCode {
        let text = |words: &[OsString]| words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let given: Vec<String> = text(&self.words);
        let (words, form) = match self.shell {
            Asking::Bash => bash::read(&given),
            Asking::Zsh | Asking::Fish => (given, bash::Form::default()),
        };
        command.build();
        let Some(spot) = Spot::of(&command, &words) else { return ExitCode::SUCCESS };
        let offer = offer(&spot, &context.env);
        let answer = match self.shell {
            Asking::Bash => told(&offer, |candidates| form.lines(candidates, spot.typed())),
            Asking::Zsh | Asking::Fish => told(&offer, lines),
        };
        output::print(answer.as_bytes());
        ExitCode::SUCCESS
    }
}

/// What fits what is typed already.
fn offer(spot: &Spot<'_>, env: &Env) -> Offer {
    let moved = spot.directory.map(|directory| env.clone().moved_to(Path::new(directory)));
    let Ok(env) = moved.unwrap_or_else(|| Ok(env.clone())) else { return Offer::Nothing };
    let Offer::Values(mut candidates) = values::offer(spot, &env) else { return values::offer(spot, &env) };
    candidates.iter_mut().for_each(|candidate| candidate.value.insert_str(0, spot.before));
    // What a terminal would obey is not offered: in another form it would be another value.
    candidates.retain(|candidate| {
        candidate.value.starts_with(spot.typed()) && one_line(&candidate.value) == candidate.value.as_str()
    });
    for Candidate { told, .. } in &mut candidates {
        let first = told.lines().next().unwrap_or_default();
        let mut shown: String = one_line(first).chars().take(MOST_TOLD).collect();
        if first.chars().count() > MOST_TOLD {
            shown.push('…');
        }
        *told = shown;
    }
    Offer::Values(candidates)
}

fn told(offer: &Offer, lines: impl FnOnce(&[Candidate]) -> String) -> String {
    match offer {
        Offer::Nothing => "values\n".to_owned(),
        Offer::Files => "files\n".to_owned(),
        Offer::Dirs => "dirs\n".to_owned(),
        Offer::Values(candidates) => {
            let goes_on = |candidate: &Candidate| candidate.value.ends_with(['/', ':', '=']);
            let how = if !candidates.is_empty() && candidates.iter().all(goes_on) { "open" } else { "values" };
            format!("{how}\n{}", lines(candidates))
        }
    }
}

fn lines(candidates: &[Candidate]) -> String {
    candidates.iter().map(|Candidate { value, told }| format!("{value}\t{told}\n")).collect()
}
