//! Named.
