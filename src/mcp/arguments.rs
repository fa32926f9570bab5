//! The arguments of a call, as a type.
//!
//! Owns how a wrong one is told: to the model, which can then send a right one.

use super::answer::{Refusal, ToolAnswer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The arguments of a call, by name.
pub type Arguments = Map<String, Value>;

/// Reads them.
///
/// # Errors
/// Where one is unknown, missing or of another type; the answer names it.
pub fn read<T: DeserializeOwned>(arguments: Arguments) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner().to_string();
        let text = if path == "." { why } else { format!("`{path}`: {why}") };
        ToolAnswer::refused(format!("the arguments do not fit: {text}; correct them and call again"))
            .with("reason", "bad_type")
            .into()
    })
}
