//! Maps by pieces of texts: lines, tokens.
//!
//! Owns the choice of the hasher: the default one costs most of the time in files of many lines. This one, too, begins otherwise in every run, so
//! that nobody can write a text which makes it slow.

use std::collections::HashMap;

/// A map by pieces of a text.
pub type PieceMap<'t, V> = HashMap<&'t [u8], V, foldhash::quality::RandomState>;
