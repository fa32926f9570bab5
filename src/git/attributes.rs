//! What git's attributes and its configuration say of how a text is written in the working tree.
//!
//! Owns `working-tree-encoding`, `text`, `crlf` and `eol`, as gitattributes(5) has them. Converts nothing.
//! Files of attributes are opened by whoever asks here, and gix only has to read them where one of them has the word that
//! is looked for: nearly no repository has.

use super::rule_files::{self, Owner};
use super::{Repo, RepoError};
use crate::path::RepoPath;
use crate::text::{Encoding, Eol};
use bstr::{BString, ByteSlice};
use gix::attrs::StateRef;
use gix::filter::plumbing::eol::AttributesDigest;
use gix::worktree::stack::state;
use std::path::PathBuf;

/// How lines end that git writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// An attribute says it.
    Said(Eol),
    /// An attribute says that the file is no text.
    NoText,
    /// No attribute says it, and git's configuration wants this one; none where that is silent, too.
    Configured(Option<Eol>),
}

/// What `working-tree-encoding` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEncoding {
    /// Nothing: git stores the bytes.
    None,
    /// Git converts from this one to UTF-8.
    Known(Encoding),
    /// One that redraft does not know.
    Unknown(BString),
}

impl TreeEncoding {
    /// What a value of the attribute means.
    pub(super) fn named(name: BString) -> Self {
        match name.to_str().ok().and_then(Encoding::named) {
            Some(encoding) if encoding.is_utf8() => Self::None,
            // Git's own conversion, or none, tells what it has of such a file.
            Some(encoding) if encoding.shifts() => Self::Unknown(name),
            Some(encoding) => Self::Known(encoding),
            None => Self::Unknown(name),
        }
    }
}

/// The attributes of one file, in the order of [`NAMES`].
struct Attributes([Value; 5]);

const NAMES: [&str; 5] = ["working-tree-encoding", "text", "crlf", "eol", "ident"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Value {
    #[default]
    Unspecified,
    Set,
    Unset,
    Is(BString),
}

impl Repo {
    /// In which encoding git has the file at a path in the working tree.
    ///
    /// # Errors
    /// Where a file of attributes cannot be read.
    pub fn tree_encoding(&self, path: &RepoPath) -> Result<TreeEncoding, RepoError> {
        if !self.attributes_have(path, |text| text.contains_str("working-tree-encoding")) {
            return Ok(TreeEncoding::None);
        }
        let Attributes([encoding, ..]) = self.attributes(path)?;
        Ok(match encoding {
            Value::Is(name) => TreeEncoding::named(name),
            Value::Unspecified | Value::Set | Value::Unset => TreeEncoding::None,
        })
    }

    /// How git would end the lines of a text that it writes at a path.
    ///
    /// # Errors
    /// Where a file of attributes cannot be read.
    pub fn line_ends(&self, path: &RepoPath) -> Result<LineEnds, RepoError> {
        let says = |text: &[u8]| ["eol", "text", "crlf", "binary"].iter().any(|word| text.contains_str(word));
        let Attributes([_, text, crlf, eol, _]) =
            if self.attributes_have(path, says) { self.attributes(path)? } else { Attributes(Default::default()) };
        let text = if text == Value::Unspecified { crlf } else { text };
        if text == Value::Unset {
            return Ok(LineEnds::NoText);
        }
        match &eol {
            Value::Is(name) if name == "crlf" => return Ok(LineEnds::Said(Eol::CrLf)),
            Value::Is(name) if name == "lf" => return Ok(LineEnds::Said(Eol::Lf)),
            _ => {}
        }
        if text == Value::Is("input".into()) {
            return Ok(LineEnds::Said(Eol::Lf));
        }
        let is_text = text != Value::Unspecified;
        let auto = self.config_string("core.autocrlf").map(|value| value.to_ascii_lowercase());
        let configured = match auto.as_deref() {
            Some(b"input") => None,
            Some(b"") => self.core_eol().filter(|_| is_text),
            Some(_) if self.config_bool("core.autocrlf")? == Some(true) => Some(Eol::CrLf),
            _ => self.core_eol().filter(|_| is_text),
        };
        Ok(LineEnds::Configured(configured))
    }

    /// What the attributes say of the line ends of a text on its way to git; none where they say nothing.
    pub(super) fn line_end_digest(&self, path: &RepoPath) -> Result<Option<AttributesDigest>, RepoError> {
        let Attributes([_, text, crlf, eol, _]) = self.attributes(path)?;
        let text = if text == Value::Unspecified { crlf } else { text };
        let eol = match eol {
            Value::Is(name) if name == "crlf" => Some(Eol::CrLf),
            Value::Is(name) if name == "lf" => Some(Eol::Lf),
            _ => None,
        };
        let is_auto = text == Value::Is("auto".into());
        Ok(match (text, eol) {
            (Value::Unset, _) => Some(AttributesDigest::Binary),
            (_, Some(Eol::CrLf)) if is_auto => Some(AttributesDigest::TextAutoCrlf),
            (_, Some(Eol::Lf)) if is_auto => Some(AttributesDigest::TextAutoInput),
            (_, Some(Eol::CrLf)) => Some(AttributesDigest::TextCrlf),
            (_, Some(Eol::Lf)) => Some(AttributesDigest::TextInput),
            (_, None) if is_auto => Some(AttributesDigest::TextAuto),
            (Value::Is(name), None) if name == "input" => Some(AttributesDigest::TextInput),
            (Value::Set, None) => Some(AttributesDigest::Text),
            _ => None,
        })
    }

    /// Whether git fills in `$Id$` in the file at a path.
    pub(super) fn expands_ident(&self, path: &RepoPath) -> Result<bool, RepoError> {
        Ok(self.attributes(path)?.0[4] == Value::Set)
    }

    fn core_eol(&self) -> Option<Eol> {
        match self.config_string("core.eol")?.to_ascii_lowercase().as_slice() {
            b"crlf" => Some(Eol::CrLf),
            b"lf" => Some(Eol::Lf),
            _ => None,
        }
    }

    fn attributes(&self, path: &RepoPath) -> Result<Attributes, RepoError> {
        let failed = || RepoError::git("read git's attributes");
        self.refuse_unreadable_attributes(path)?;
        let empty = gix::index::State::new(gix::hash::Kind::Sha1);
        let source = state::attributes::Source::WorktreeThenIdMapping;
        let mut stack = self.gix()?.attributes_only(&empty, source).map_err(failed())?;
        let mut found = stack.selected_attribute_matches(NAMES);
        stack.at_entry(path.as_bstr(), None).map_err(failed())?.matching_attributes(&mut found);
        let mut values: [Value; 5] = Default::default();
        for one in found.iter_selected() {
            let name = one.assignment.name.as_str();
            let Some(at) = NAMES.iter().position(|known| *known == name) else { continue };
            values[at] = match one.assignment.state {
                StateRef::Unspecified => Value::Unspecified,
                StateRef::Set => Value::Set,
                StateRef::Unset => Value::Unset,
                StateRef::Value(value) => Value::Is(value.as_bstr().to_owned()),
            };
        }
        Ok(Attributes(values))
    }

    /// Whether a file that may have attributes of a path says something.
    fn attributes_have(&self, path: &RepoPath, says: impl Fn(&[u8]) -> bool) -> bool {
        let folders = std::iter::successors(path.parent(), RepoPath::parent).map(|folder| folder.to_path());
        self.any_attributes(folders.chain([PathBuf::new()]), says)
    }

    /// Whether any file of attributes that holds for files in these folders has one of these words.
    pub(super) fn some_attributes_have<'f>(
        &self,
        folders: impl Iterator<Item = Option<&'f RepoPath>>,
        words: &[&str],
    ) -> bool {
        let folders = folders.map(|folder| folder.map_or_else(PathBuf::new, RepoPath::to_path));
        self.any_attributes(folders, |text| words.iter().any(|word| text.contains_str(word)))
    }

    /// Whether a file of attributes says something: of these folders, of the repository or of the user.
    fn any_attributes(&self, folders: impl Iterator<Item = PathBuf>, says: impl Fn(&[u8]) -> bool) -> bool {
        let of_tree = folders.map(|folder| (self.root.join(folder).join(".gitattributes"), Owner::Tree));
        let of_user = [self.common_dir.join("info/attributes")].into_iter().chain(self.other_attributes());
        let mut files = of_tree.chain(of_user.map(|file| (file, Owner::User)));
        files.any(|(file, owner)| rule_files::read(&file, owner).is_some_and(|text| says(&text)))
    }

    /// Whether git may store other bytes than those of the files in a folder (none is the root): its conversions are asked for by an
    /// attribute, or by `core.autocrlf`.
    pub(super) fn may_convert_in(&self, folder: Option<&RepoPath>) -> bool {
        const WORDS: [&str; 6] = ["filter", "text", "crlf", "eol", "ident", "working-tree-encoding"];
        let auto = self.config_string("core.autocrlf");
        if auto.is_some() && !matches!(self.config_bool("core.autocrlf"), Ok(Some(false))) {
            return true;
        }
        let above: Vec<RepoPath> = std::iter::successors(folder.and_then(RepoPath::parent), RepoPath::parent).collect();
        let folders = folder.into_iter().chain(&above).map(Some).chain([None]);
        self.some_attributes_have(folders, &WORDS)
    }

    /// Those of the user and of the system, as gitattributes(5) names them.
    pub(super) fn other_attributes(&self) -> Vec<PathBuf> {
        let own = self.config_path("core.attributesFile").ok().flatten().or_else(|| self.user_file("attributes"));
        own.into_iter().chain([PathBuf::from("/etc/gitattributes")]).collect()
    }

    /// A file of the user's own, where no other is configured.
    pub(super) fn user_file(&self, name: &str) -> Option<PathBuf> {
        let below = |variable: &str, rest: &str| {
            let folder = self.env.variable(variable).filter(|folder| !folder.is_empty())?;
            Some(PathBuf::from(folder).join(rest).join(name))
        };
        below("XDG_CONFIG_HOME", "git").or_else(|| below("HOME", ".config/git"))
    }
}
