//! Arguments that clap refuses, told so that a terminal obeys none of them.
//!
//! Owns that. What the arguments may be stands with each command.

use crate::text::{one_line, visible};
use clap::{Error, Parser};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Prints what clap says: help and the version on standard output, what is wrong on standard error.
pub(super) fn misunderstood<C: Parser>(error: &Error, args: &[OsString]) -> ExitCode {
    // The words of the caller stand in what clap says; where a terminal would obey them, it is asked again with tame ones,
    // so that its own colours stay.
    let given: Vec<String> = args.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let tame: Vec<String> = given.iter().map(|word| one_line(word).into_owned()).collect();
    let printed = match C::try_parse_from(&tame) {
        _ if tame == given => error.print(),
        Err(again) if again.kind() == error.kind() => again.print(),
        _ => write!(std::io::stderr(), "{}", visible(&error.to_string())),
    };
    // A reader that has gone away is no error.
    drop(printed);
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
