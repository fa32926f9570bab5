//! What a process that serves many calls keeps between them, and the socket over which programs call it.
//!
//! Owns a thread for each working tree, the working trees that are kept open there, and `redraft serve`'s protocol (docs/serve.md).
//! What a call does is handed in. Invariants: a call sees the disk as it is, as a process of its own would; a call that a process of
//! its own would do otherwise, because of its surroundings, is not done here but handed back.

#[cfg(target_os = "linux")]
mod client;
mod message;
#[cfg(target_os = "linux")]
mod peer;
#[cfg(target_os = "linux")]
mod socket_path;
#[cfg(target_os = "linux")]
mod socket;
mod trees;
mod warm;

#[cfg(target_os = "linux")]
pub use client::{Called, call};
pub use message::{Ask, Told};
#[cfg(target_os = "linux")]
pub use socket::{Options, listen};
#[cfg(target_os = "linux")]
pub use socket_path::SocketPath;
pub use trees::Turn;
#[cfg(feature = "mcp")]
pub use trees::{Tell, Trees};
#[cfg(feature = "mcp")]
pub use warm::Warm;
