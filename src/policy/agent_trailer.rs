//! How a git commit names the agents whose lines it has.

/// The trailer, as `redraft.trailer` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AgentTrailer {
    /// `Assisted-by: AGENT:MODEL`.
    #[default]
    AssistedBy,
    /// `Co-authored-by: AGENT (MODEL) <ADDRESS>`.
    CoAuthoredBy,
    /// None.
    None,
}

impl AgentTrailer {
    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "assisted-by" => Some(Self::AssistedBy),
            "co-authored-by" => Some(Self::CoAuthoredBy),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}
