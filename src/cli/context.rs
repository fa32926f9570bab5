//! What every command is handed.
//!
//! Owns the surroundings of a command. Does not read them.

use crate::env::Env;
use std::ffi::OsString;

/// What every command needs.
pub(crate) struct Context {
    /// What surrounds the command, after `-C`.
    pub env: Env,
    /// The command line, the program's name first.
    pub args: Vec<OsString>,
}
