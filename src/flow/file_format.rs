//! In which encoding a file is, and how a new one is written.
//!
//! Owns the order of what tells it: a byte order mark; git's `working-tree-encoding`; the caller; `redraft.encoding`;
//! `charset` in `.editorconfig`; else UTF-8, or bytes that nobody knows. Nothing is guessed from the bytes.
//! Nothing is asked of a file that is ASCII and stays so: it reads alike in all of them, but for those that shift, whose
//! bytes are ASCII too. These are never edited: what names them is believed, and so are the sequences that only they have.

use crate::error::Error;
use crate::git::{LineEnds, Repo, TreeEncoding};
use crate::path::RepoPath;
use crate::policy::check::ToldBy;
use crate::policy::{Finding, Settings};
use crate::text::{BOM, Decoded, Encoding, Eol, is_ascii_text, to_lf};
use crate::transaction::{Group, TransactionError};
use crate::worktree::{Editorconfig, Root};
use bstr::ByteSlice;

/// What a caller says of the encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// By its name.
    pub encoding: Option<Encoding>,
    /// What is to be written into it.
    pub writes: Writes,
}

/// What is to be written into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writes {
    /// No text: it is read, or brought back, or goes as it is.
    #[default]
    Nothing,
    /// ASCII.
    Ascii,
    /// More.
    Beyond,
}

impl Writes {
    /// What these texts are.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let with =
            |writes, text: &[u8]| if writes == Self::Beyond || !text.is_ascii() { Self::Beyond } else { Self::Ascii };
        texts.into_iter().fold(Self::Nothing, with)
    }
}

/// Where it is looked up.
#[derive(Clone, Copy)]
pub struct FileFormats<'a> {
    /// For git's attributes.
    pub repo: &'a Repo,
    /// For `redraft.encoding`.
    pub settings: &'a Settings,
    /// For `.editorconfig`.
    pub root: &'a Root,
    /// Those whose files are about to change.
    pub group: Option<&'a Group>,
}

impl FileFormats<'_> {
    /// The encoding of a file that is there, with its text; none where it is UTF-8, or not of the encoding that it should be.
    ///
    /// # Errors
    /// Where git's attributes cannot be read, or name an encoding that is not known here; [`Finding::Shifting`] where
    /// something is to be written.
    pub fn decoded(&self, path: &RepoPath, bytes: &[u8], told: Told) -> Result<Option<(Encoding, Decoded)>, Error> {
        if self.reads_alike(path, bytes, told) {
            return Ok(None);
        }
        let said = match Encoding::of_mark(bytes) {
            Some(encoding) => Some(encoding),
            None => self.said(path, told)?,
        };
        if told.writes != Writes::Nothing {
            refuse_shifting(path, said, bytes)?;
        }
        let Some(encoding) = said.filter(|encoding| !encoding.is_utf8()) else { return Ok(None) };
        match encoding.decode(bytes) {
            Some(decoded) => Ok(Some((encoding, decoded))),
            // Bytes of ASCII are no letters there.
            None if told.writes != Writes::Nothing && !encoding.has_ascii() => {
                Err(Finding::NotOfEncoding { path: path.to_string_lossy(), encoding: encoding.name() }.into())
            }
            None => Ok(None),
        }
    }

    /// Whether it does not matter what the encoding of a file is.
    fn reads_alike(&self, path: &RepoPath, bytes: &[u8], told: Told) -> bool {
        let named =
            || told.encoding.or_else(|| self.settings.encodings.of_path(path).filter(|encoding| encoding.shifts()));
        let is_plain = match told.writes {
            Writes::Beyond => return false,
            Writes::Ascii => Encoding::is_plain_ascii(bytes),
            Writes::Nothing => is_ascii_text(bytes),
        };
        is_plain && named().is_none_or(Encoding::has_ascii)
    }

    /// What is said of the encoding of a file beside its bytes.
    fn said(&self, path: &RepoPath, told: Told) -> Result<Option<Encoding>, Error> {
        match self.repo.tree_encoding(path)? {
            TreeEncoding::Known(encoding) => return Ok(Some(encoding)),
            TreeEncoding::Unknown(_) if told.writes == Writes::Nothing => return Ok(None),
            TreeEncoding::Unknown(name) => {
                let shifting = name.to_str().ok().and_then(Encoding::named);
                let (path, name) = (path.to_string_lossy(), name.to_string());
                return shifting.map(Some).ok_or_else(|| Finding::UnknownEncoding { path, name }.into());
            }
            TreeEncoding::None => {}
        }
        if let Some(encoding) = told.encoding.or_else(|| self.settings.encodings.of_path(path)) {
            return Ok(Some(encoding));
        }
        let file = Editorconfig::of(self.root, path);
        if file.is_linked && self.group.is_some_and(Group::is_open) {
            // Under its other name it may be about to change.
            return Err(TransactionError::Postponed.into());
        }
        let encoding = file.charset.and_then(|name| Encoding::named(&name));
        // Editors begin UTF-16 with a mark.
        Ok(encoding.map(|encoding| if encoding.is_utf8() { encoding } else { encoding.with_mark() }))
    }

    /// A new file with these contents, as it is written at a path; and its encoding, where that is not UTF-8.
    ///
    /// # Errors
    /// [`Finding::NotInEncoding`], [`Finding::Shifting`], and those of [`Self::decoded`].
    pub fn new_file(
        &self,
        path: &RepoPath,
        content: Vec<u8>,
        told: Told,
    ) -> Result<(Vec<u8>, Option<Encoding>), Error> {
        let wanted = Editorconfig::of(self.root, path);
        let said = self.said(path, told)?;
        refuse_shifting(path, said, &[])?;
        let encoding = said.unwrap_or(Encoding::UTF_8);
        let content = with_final_newline(content, wanted.insert_final_newline);
        let content = with_line_ends(content, self.repo.line_ends(path)?, wanted.end_of_line);
        let Ok(text) = std::str::from_utf8(&content) else { return Ok((content, None)) };
        let mark = if content.starts_with(BOM) { "" } else { encoding.mark() };
        let encoding_told = Some(encoding).filter(|encoding| !encoding.is_utf8());
        let bytes = encode(path, &format!("{mark}{text}"), encoding)?;
        Ok((bytes, encoding_told))
    }

    /// The contents that take the place of a whole file in an encoding.
    ///
    /// # Errors
    /// [`Finding::NotInEncoding`].
    pub fn overwritten(path: &RepoPath, old: &[u8], content: &[u8], encoding: Encoding) -> Result<Vec<u8>, Error> {
        let Ok(text) = std::str::from_utf8(content) else { return Ok(content.to_vec()) };
        let has_mark = Encoding::of_mark(old).is_some() && !content.starts_with(BOM);
        encode(path, &format!("{}{text}", if has_mark { encoding.with_mark().mark() } else { "" }), encoding)
    }
}

/// Refuses a file in an encoding that shifts: by what is said of it, else by its bytes.
fn refuse_shifting(path: &RepoPath, said: Option<Encoding>, bytes: &[u8]) -> Result<(), Finding> {
    let (encoding, by) = match said {
        Some(encoding) => (Some(encoding).filter(|encoding| encoding.shifts()), ToldBy::Name),
        None => (Encoding::shifting(bytes), ToldBy::Bytes),
    };
    let path = || path.to_string_lossy();
    encoding.map_or(Ok(()), |encoding| Err(Finding::Shifting { path: path(), encoding: encoding.name(), by }))
}

fn encode(path: &RepoPath, text: &str, encoding: Encoding) -> Result<Vec<u8>, Error> {
    let lacking =
        |character| Finding::NotInEncoding { path: path.to_string_lossy(), character, encoding: encoding.name() };
    Ok(encoding.encode(text).map_err(lacking)?)
}

/// The contents of a new file with the line ends that git's attributes want, else `.editorconfig`, else git's
/// configuration, which leaves alone what has a CR.
fn with_line_ends(content: Vec<u8>, git: LineEnds, editorconfig: Option<Eol>) -> Vec<u8> {
    let wanted = match (git, editorconfig) {
        (LineEnds::NoText, _) => return content,
        (LineEnds::Said(eol), _) | (LineEnds::Configured(_), Some(eol)) => eol,
        (LineEnds::Configured(Some(eol)), None) if memchr::memchr(b'\r', &content).is_none() => eol,
        (LineEnds::Configured(_), None) => return content,
    };
    match wanted {
        Eol::Lf => to_lf(&content).into_owned(),
        Eol::CrLf => bstr::join(b"\r\n", to_lf(&content).split(|&byte| byte == b'\n')),
    }
}

/// The contents with a newline at the end, where one is wanted. One that is there stays.
fn with_final_newline(mut content: Vec<u8>, is_wanted: Option<bool>) -> Vec<u8> {
    if is_wanted == Some(true) && !content.is_empty() && !content.ends_with(b"\n") {
        let is_crlf = memchr::memmem::find(&content, b"\r\n").is_some();
        content.extend_from_slice(if is_crlf { b"\r\n" } else { b"\n" });
    }
    content
}
