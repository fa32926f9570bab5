//! What a dialect is.
//!
//! Owns the list of what a dialect's file must say; the table of all is [`crate::dialect`]'s.

use super::document::Json;
use super::fields::Checked;
use super::unknown::Shape;
use crate::answer::Envelope;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::Request;
use crate::strategy::Level;

/// Everything that a dialect is, as its file says it.
pub(crate) struct Format {
    /// How loosely it matches where the request, the command line and the configuration are silent.
    pub(crate) level: Level,
    pub(crate) words: &'static Words,
    /// Its fields.
    pub(crate) shape: &'static Shape,
    /// Whether a request looks like one of this dialect; none where it is only taken by name.
    pub(crate) fits: Option<fn(&Json<'_>) -> bool>,
    pub(crate) parse: fn(Json<'_>) -> Checked<Request>,
    /// Its form that is no JSON, where it has one.
    pub(crate) text: Option<&'static TextFormat>,
    pub(crate) answer: fn(&Envelope, &NativeContext) -> NativeAnswer,
    pub(crate) tools: fn() -> Vec<ToolDefinition>,
}

/// A format that is no JSON.
pub(crate) struct TextFormat {
    /// Whether a text looks like one of this format.
    pub(crate) fits: fn(&[u8]) -> bool,
    /// Reads it; the path is that of the file, where the wrapper names one.
    pub(crate) parse: fn(&[u8], Option<&str>) -> Checked<Request>,
    /// The keys under which JSON wrappers have it.
    pub(crate) keys: &'static [&'static str],
}
