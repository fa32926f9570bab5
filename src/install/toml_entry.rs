//! One table in a file of TOML.
//!
//! Owns putting it in and taking it out; every other byte stays.

use super::jsonc::Refusal;
use bstr::ByteSlice;
use toml_edit::{Array, DocumentMut, Item, Table, value};

/// A server in codex's configuration: `[mcp_servers.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TomlServer {
    /// Its name.
    pub name: &'static str,
    /// The program.
    pub command: &'static str,
    /// Its arguments.
    pub args: &'static [&'static str],
}

const SERVERS: &str = "mcp_servers";

impl TomlServer {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("command", value(self.command));
        table.insert("args", value(self.args.iter().copied().collect::<Array>()));
        table
    }

    /// The text with it.
    pub(super) fn added(&self, text: &[u8]) -> Result<String, Refusal> {
        let old = as_text(text)?;
        if self.is_in(text) {
            return Ok(old.to_owned());
        }
        let mut document = parsed(old)?;
        let servers = document.entry(SERVERS).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let servers = servers.as_table_like_mut().ok_or_else(|| format!("has `{SERVERS}` that is no table"))?;
        servers.insert(self.name, Item::Table(self.table()));
        Ok(with_endings_of(old, document.to_string()))
    }

    /// The text without it.
    pub(super) fn removed(&self, text: &[u8]) -> Result<String, Refusal> {
        let old = as_text(text)?;
        if !self.is_in(text) {
            return Ok(old.to_owned());
        }
        let mut document = parsed(old)?;
        if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) {
            servers.remove(self.name);
            if servers.is_empty() {
                document.remove(SERVERS);
            }
        }
        Ok(with_endings_of(old, document.to_string()))
    }

    /// Whether it is in it.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let document = as_text(text).and_then(parsed);
        document.is_ok_and(|document| {
            document.get(SERVERS).and_then(Item::as_table_like).is_some_and(|servers| servers.contains_key(self.name))
        })
    }
}

fn as_text(text: &[u8]) -> Result<&str, Refusal> {
    text.to_str().map_err(|_| "is not UTF-8".to_owned())
}

fn parsed(text: &str) -> Result<DocumentMut, Refusal> {
    text.parse::<DocumentMut>().map_err(|error| format!("is no TOML: {}", error.message()))
}

/// What is added has the line endings of what was there.
fn with_endings_of(old: &str, new: String) -> String {
    if old.contains("\r\n") { new.replace("\r\n", "\n").replace('\n', "\r\n") } else { new }
}
