//! How a path stands against HEAD: HEAD's tree first, the index and the ignore rules only where HEAD lacks the path.
//!
//! Runs no filter driver: where one applies, the git form of a file is not known here.

use super::checked_out::Conversions;
use super::rule_files::Rules;
use super::{GitCall, HeadEntry, HeadLookup, ObjectId, Repo, RepoError, TreeEncoding, blob_id};
use crate::change::PathState;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::text::Encoding;
use bstr::ByteSlice;
use gix::filter::plumbing::eol;
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::worktree::stack::state;
use std::collections::HashMap;
use std::io::Read;

/// The bytes that git would store for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitForm {
    /// The raw bytes.
    Same,
    /// Other bytes, by git's built-in conversions (EOL, ident, encoding).
    Converted(Vec<u8>),
    /// A filter driver decides; it is not run here.
    Filtered,
}

impl GitForm {
    /// The bytes that git would store; where a filter driver decides, the raw ones.
    pub fn bytes(self, raw: &[u8]) -> Vec<u8> {
        match self {
            Self::Converted(bytes) => bytes,
            Self::Same | Self::Filtered => raw.to_vec(),
        }
    }

    /// The id that git has for it; none where a filter driver decides.
    pub fn id(&self, raw: &[u8]) -> Option<BlobId> {
        match self {
            Self::Same => Some(blob_id(raw)),
            Self::Converted(form) => Some(blob_id(form)),
            Self::Filtered => None,
        }
    }
}

/// The forms that git stores files in, asked for many of them: whether anything converts in a folder is looked at once.
pub struct GitForms<'r> {
    repo: &'r Repo,
    /// Whether attributes or configuration may convert files of a folder; none is the root.
    converts: HashMap<Option<RepoPath>, bool>,
}

impl<'r> GitForms<'r> {
    /// Those of a repository.
    pub fn new(repo: &'r Repo) -> Self {
        Self { repo, converts: HashMap::new() }
    }

    /// As [`Repo::git_form`].
    ///
    /// # Errors
    /// As there.
    pub fn of(&mut self, path: &RepoPath, raw: &[u8]) -> Result<GitForm, RepoError> {
        let repo = self.repo;
        let converts =
            *self.converts.entry(path.parent()).or_insert_with_key(|folder| repo.may_convert_in(folder.as_ref()));
        if converts { repo.converted_form(path, raw) } else { Ok(GitForm::Same) }
    }
}

/// The rules by which git ignores files, read once for many of them.
pub struct Ignores<'r> {
    repo: &'r Repo,
    /// Read when they are first asked.
    rules: Option<gix::AttributeStack<'r>>,
}

impl<'r> Ignores<'r> {
    /// Those of a repository, as they are when they are first asked.
    pub fn new(repo: &'r Repo) -> Self {
        Self { repo, rules: None }
    }

    /// As [`Repo::is_ignored`].
    ///
    /// # Errors
    /// As there.
    pub fn is_ignored(&mut self, path: &RepoPath) -> Result<bool, RepoError> {
        if self.repo.head_entry(path)?.is_some() || !self.match_path(path)? {
            return Ok(false);
        }
        Ok(!self.repo.is_in_index(path)?)
    }

    /// As [`Repo::state`].
    ///
    /// # Errors
    /// As there.
    pub fn state(&mut self, path: &RepoPath, file: RawFile<'_>) -> Result<PathState, RepoError> {
        match self.repo.head_lookup(path)? {
            HeadLookup::File(entry) => self.repo.state_against(path, entry, file),
            HeadLookup::Missing | HeadLookup::Submodule(_) => {
                if self.repo.is_in_index(path)? {
                    Ok(PathState::Added)
                } else if self.match_path(path)? {
                    Ok(PathState::Ignored)
                } else {
                    Ok(PathState::Untracked)
                }
            }
        }
    }

    fn match_path(&mut self, path: &RepoPath) -> Result<bool, RepoError> {
        let failed = || RepoError::git("read the ignore rules");
        if let Rules::TooLarge(_) = self.repo.rules_on_the_way(path, ".gitignore")? {
            return self.repo.is_ignored_by_git(path);
        }
        let rules = match &mut self.rules {
            Some(rules) => rules,
            none => {
                let empty = gix::index::State::new(gix::hash::Kind::Sha1);
                let source = state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
                none.insert(self.repo.gix()?.excludes(&empty, None, source).map_err(failed())?)
            }
        };
        let at = rules.at_entry(path.as_bstr(), Some(gix::index::entry::Mode::FILE));
        Ok(at.map_err(failed())?.is_excluded())
    }
}

/// A file as it is in the working tree.
#[derive(Debug, Clone, Copy)]
pub struct RawFile<'a> {
    /// The blob id of its bytes.
    pub id: BlobId,
    /// All of them.
    pub bytes: &'a [u8],
    /// Only looked at where `core.fileMode` is on, as in git.
    pub is_executable: bool,
}

impl Repo {
    /// How the file at `path` stands against HEAD.
    ///
    /// # Errors
    /// Where HEAD's tree, the index or a file of rules cannot be read.
    pub fn state(&self, path: &RepoPath, file: RawFile<'_>) -> Result<PathState, RepoError> {
        Ignores::new(self).state(path, file)
    }

    fn state_against(&self, path: &RepoPath, entry: HeadEntry, file: RawFile<'_>) -> Result<PathState, RepoError> {
        let mode_differs = match entry.mode {
            0o100_755 => !file.is_executable,
            0o100_644 => file.is_executable,
            _ => false,
        };
        if mode_differs && self.config_bool("core.fileMode")?.unwrap_or(cfg!(unix)) {
            return Ok(PathState::Modified);
        }
        if entry.id == file.id {
            return Ok(PathState::Clean);
        }
        match self.git_form(path, file.bytes) {
            Ok(GitForm::Converted(bytes)) if blob_id(&bytes) == entry.id => Ok(PathState::Clean),
            Ok(_) | Err(RepoError::NotInTreeEncoding { .. }) => Ok(PathState::Modified),
            Err(error) => Err(error),
        }
    }

    /// As [`Self::state`], also where a filter driver decides what git stores: it is run, by git. For looking, not for edits.
    ///
    /// # Errors
    /// As [`Self::state`]; a filter that fails changes nothing.
    pub fn state_with_filters(&self, path: &RepoPath, file: RawFile<'_>) -> Result<PathState, RepoError> {
        let state = self.state(path, file)?;
        let (PathState::Modified, Some(entry)) = (state, self.head_entry(path)?) else { return Ok(state) };
        if self.git_form(path, file.bytes)? != GitForm::Filtered {
            return Ok(state);
        }
        let call = GitCall::new(["hash-object", "--stdin", "--path"]).arg(path.to_path());
        let run = self.try_git(call.input(file.bytes))?;
        let cleaned = run.out.to_str().ok().and_then(|id| id.trim().parse::<BlobId>().ok());
        let RawFile { bytes, is_executable, .. } = file;
        match cleaned.filter(|_| run.ok) {
            Some(id) if id == entry.id => self.state_against(path, entry, RawFile { id, bytes, is_executable }),
            _ => Ok(state),
        }
    }

    /// Whether git ignores `path`: a rule matches it, and neither HEAD nor the index has it.
    ///
    /// Loads the index only where a rule matches.
    ///
    /// # Errors
    /// Where HEAD's tree, the index or a file of rules cannot be read.
    pub fn is_ignored(&self, path: &RepoPath) -> Result<bool, RepoError> {
        Ignores::new(self).is_ignored(path)
    }

    /// Whether the index has an entry for `path`. Loads the index, which costs 0.1 ms per thousand files.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn is_in_index(&self, path: &RepoPath) -> Result<bool, RepoError> {
        if self.env().variable("GIT_INDEX_FILE").is_some() {
            let index = self.read_index(&self.index_path())?;
            return Ok(index.has(path) || index.has_below(path));
        }
        let index = self.gix()?.index_or_empty().map_err(RepoError::git("read the index"))?;
        Ok(index.entry_index_by_path(path.as_bstr()).is_ok() || index.entry_range(path.as_bstr()).is_some())
    }

    /// What git would store for the raw bytes of the file at `path`, where that needs no program.
    ///
    /// # Errors
    /// Where a file of attributes cannot be read, or a conversion fails.
    pub fn git_form(&self, path: &RepoPath, raw: &[u8]) -> Result<GitForm, RepoError> {
        GitForms::new(self).of(path, raw)
    }

    fn converted_form(&self, path: &RepoPath, raw: &[u8]) -> Result<GitForm, RepoError> {
        let failed = || RepoError::git("convert a file to git's form");
        let Conversions { mut options, mut attributes, driver, encoding } = self.conversions_of(path)?;
        // Windows' and git's own warnings about lossy conversions are no reason to refuse a comparison.
        options.crlf_roundtrip_check = gix::filter::plumbing::pipeline::CrlfRoundTripCheck::Skip;
        if driver.is_some_and(|driver| driver.clean.is_some() || driver.process.is_some()) {
            return Ok(GitForm::Filtered);
        }
        if let Some(TreeEncoding::Known(encoding)) = encoding.map(TreeEncoding::named) {
            return self.decoded_form(path, raw, encoding, options.eol_config);
        }
        let context = gix::command::Context::default();
        let mut pipeline = gix::filter::plumbing::Pipeline::new(context, gix::hash::Kind::Sha1, options);
        let at = attributes.at_entry(path.as_bstr(), None).map_err(failed())?;
        let native = path.to_path();
        let outcome = pipeline.convert_to_git(
            raw,
            &native,
            &mut |_, out| {
                at.matching_attributes(out);
            },
            &mut |buf: &mut Vec<u8>| self.head_blob_into(path, buf),
        );
        let form = match outcome.map_err(failed())? {
            ToGitOutcome::Unchanged(_) => GitForm::Same,
            ToGitOutcome::Buffer(bytes) if bytes == raw => GitForm::Same,
            ToGitOutcome::Buffer(bytes) => GitForm::Converted(bytes.to_vec()),
            ToGitOutcome::Process(mut read) => {
                let mut bytes = Vec::new();
                read.read_to_end(&mut bytes).map_err(|source| RepoError::Io {
                    verb: "convert",
                    path: native.clone(),
                    source,
                })?;
                GitForm::Converted(bytes)
            }
        };
        Ok(form)
    }

    /// As [`Self::git_form`], of a file that git has in another encoding: by our tables, which are iconv's, as git's are.
    fn decoded_form(
        &self,
        path: &RepoPath,
        raw: &[u8],
        encoding: Encoding,
        config: eol::Configuration,
    ) -> Result<GitForm, RepoError> {
        let failed = || RepoError::git("convert a file to git's form");
        let text = encoding
            .as_git_reads(raw)
            .ok_or_else(|| RepoError::NotInTreeEncoding { path: path.to_string_lossy(), encoding: encoding.name() })?;
        let digest = self.line_end_digest(path)?.unwrap_or_else(|| config.auto_crlf.into());
        let mut buf = Vec::new();
        let round_trip_check = None;
        let options = eol::convert_to_git::Options { round_trip_check, config };
        let index_object = &mut |buf: &mut Vec<u8>| self.head_blob_into(path, buf);
        let is_other =
            eol::convert_to_git(text.as_bytes(), digest, &mut buf, index_object, options).map_err(failed())?;
        let text = if is_other { buf } else { text.into_bytes() };
        if !self.expands_ident(path)? {
            return Ok(GitForm::Converted(text));
        }
        let mut buf = Vec::new();
        let is_other = gix::filter::plumbing::ident::undo(&text, &mut buf).unwrap_or(false);
        Ok(GitForm::Converted(if is_other { buf } else { text }))
    }

    /// For autocrlf's rule that a file with CRLF in git stays as it is. Git asks the index; HEAD is nearly always the
    /// same and costs nothing.
    fn head_blob_into(&self, path: &RepoPath, buf: &mut Vec<u8>) -> Result<Option<()>, gix::Error> {
        let entry = self.head_entry(path).map_err(gix::Error::from_error)?;
        let Some(entry) = entry else { return Ok(None) };
        let blob = self.gix().map_err(gix::Error::from_error)?.find_object(entry.id.to_gix())?;
        buf.clear();
        buf.extend_from_slice(&blob.data);
        Ok(Some(()))
    }
}
