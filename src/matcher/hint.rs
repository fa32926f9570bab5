//! Hints.
use crate::text::Text;
use serde_json::{Map, Value};
/// Nearest.
pub fn nearest(_text: &Text, _old: &[u8]) -> Map<String, Value> {
    Map::new()
}
