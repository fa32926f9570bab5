//! What a git commit makes of one file. Owns nothing but that shape.

/// The versions of a file that a commit stands between: those of its parents, and its own; none where there is no file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Versions<'a> {
    pub(crate) old: &'a [Option<&'a [u8]>],
    pub(crate) new: Option<&'a [u8]>,
}
