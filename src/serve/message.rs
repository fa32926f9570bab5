//! What goes over the socket: one JSON object a line, either way.
//!
//! Owns its shapes; docs/serve.md tells of them.

use crate::code::Reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Comes back with the answer, whatever it is.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub id: Value,
    /// The directory that the call is made in; absolute.
    pub cwd: String,
    /// The variables that count, of the caller; where they are not given, the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<BTreeMap<String, String>>,
    /// The words of the command line behind `redraft`; `["apply"]` where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// What the command would read from its standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The same, as the JSON that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}

/// Its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// That of the call.
    #[serde(default)]
    pub id: Value,
    /// The exit status that the command would have.
    pub status: u8,
    /// What the command would print.
    pub output: String,
    /// The reason of an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Told {
    /// A refusal of the server's own.
    pub fn refused(id: Value, reason: Reason, text: &str) -> Self {
        let output =
            serde_json::json!({"status": "error", "text": text, "data": {"reason": reason}}).to_string() + "\n";
        Self { id, status: reason.code().exit_status(), output, reason: Some(reason.as_str().to_owned()) }
    }

    /// Whether the call was not done, and a process of its own may do it.
    pub fn is_handed_back(&self) -> bool {
        [Reason::NotServed, Reason::Declined].iter().any(|reason| self.reason.as_deref() == Some(reason.as_str()))
    }
}
