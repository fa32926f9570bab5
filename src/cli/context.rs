//! What every command is handed.
//!
//! Owns the surroundings of a command. Does not read them.

use crate::env::Env;

/// What every command needs.
pub(crate) struct Context {
    /// What surrounds the command, after `-C`.
    pub env: Env,
}
