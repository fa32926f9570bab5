//! Where harnesses have their hooks and their servers, and what is put there.
//!
//! Owns the files of each harness, and the text of a file with redraft's entries and without them: every other byte stays. Knows no
//! disk.

mod hook_table;
mod json_entry;
mod jsonc;
mod places;
mod servers;
mod toml_entry;

pub use places::{Content, Place, Reach, harnesses, note, places};
pub use servers::{server, without_editors};

use bstr::ByteSlice;
use hook_table::COMMAND;
use jsonc::Refusal;

impl Content {
    /// The file's text with redraft's hooks in it; none stands for no file.
    ///
    /// # Errors
    /// Where it is not what the harness would read, or another one's.
    pub fn added_to(&self, text: Option<&[u8]>) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Table(table) => hook_table::added(text.unwrap_or_default(), table).map(String::into_bytes),
            Self::Entry(entry) => entry.added(text.unwrap_or_default()).map(String::into_bytes),
            Self::Items(items) => items.added(text.unwrap_or_default()).map(String::into_bytes),
            Self::TomlServer(server) => server.added(text.unwrap_or_default()).map(String::into_bytes),
            Self::Own(own, _) => match text {
                Some(text) if !is_own(text) => {
                    Err("is another program's, and redraft would have to replace it".to_owned())
                }
                _ => Ok(own.as_bytes().to_vec()),
            },
        }
    }

    /// The file's text without redraft's hooks; none where nothing is left of it.
    ///
    /// # Errors
    /// Where it is not what the harness would read.
    pub fn taken_from(&self, text: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
        match self {
            Self::Table(_) => hook_table::removed(text).map(|text| Some(text.into_bytes())),
            Self::Entry(entry) => entry.removed(text).map(|text| Some(text.into_bytes())),
            Self::Items(items) => items.removed(text).map(|text| Some(text.into_bytes())),
            Self::TomlServer(server) => server.removed(text).map(|text| Some(text.into_bytes())),
            Self::Own(..) => Ok(if is_own(text) { None } else { Some(text.to_vec()) }),
        }
    }

    /// Whether redraft's hooks are in it.
    pub fn is_in(&self, text: &[u8]) -> bool {
        match self {
            Self::Table(_) => hook_table::is_in(text),
            Self::Entry(entry) => entry.is_in(text),
            Self::Items(items) => items.is_in(text),
            Self::TomlServer(server) => server.is_in(text),
            Self::Own(..) => is_own(text),
        }
    }
}

/// A file that is redraft's own says what it calls; the plugins do it in words of their language.
fn is_own(text: &[u8]) -> bool {
    text.contains_str(COMMAND) || text.contains_str("`redraft hook`")
}

#[cfg(test)]
mod tests;
