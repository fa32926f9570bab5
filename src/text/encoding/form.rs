//! The kinds of encodings, and what a new file in one begins with.

use super::shifting::Shifting;
use super::table::Table;
use super::utf16::Endian;

/// What an encoding is.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Utf8,
    /// UTF-8 whose new files begin with a byte order mark.
    Utf8Bom,
    /// UTF-16 whose new files begin with no mark.
    Utf16(Endian),
    /// UTF-16 whose new files begin with a mark.
    Utf16Bom(Endian),
    Table(&'static Table),
    /// Known by name, and not decoded.
    Shifting(Shifting),
}
