//! Parsing a command by its own arguments alone.
//!
//! clap makes the arguments of all commands before it parses those of one, which takes twice as long as the edit of a file.
//! Invariant: what is understood here means the same to the whole command line; what is not is left to that, which says why.

use std::ffi::OsString;

/// Whether only the version is asked for.
pub(super) fn is_version(args: &[OsString]) -> bool {
    matches!(args, [_, flag] if flag == "--version" || flag == "-V")
}

/// The arguments of a command, behind its name; none where some may be for the whole command line: `hook` takes any word for its own.
pub(super) fn of<A: clap::Args>(own: &[OsString]) -> Option<A> {
    let is_for_all = |word: &&OsString| {
        ["-h", "--help", "-V", "--version", "-C"].iter().any(|own| word.as_encoded_bytes().starts_with(own.as_bytes()))
    };
    if own.iter().any(|word| is_for_all(&word)) {
        return None;
    }
    let bare = clap::Command::new("redraft").no_binary_name(true).disable_help_flag(true).disable_version_flag(true);
    A::from_arg_matches(&A::augment_args(bare).try_get_matches_from(own).ok()?).ok()
}
