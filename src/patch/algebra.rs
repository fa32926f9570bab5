//! What can be computed with patches alone: composition, inversion, trimming.
//!
//! Invariant: no byte outside a splice of an operand changes.
