//! The files that git checks out for blobs: with its ends of lines, idents, encodings and filters.
//!
//! Ends of lines are converted here, by gix. A filter's program, another encoding and idents (of which gix lacks the last blank) are
//! left to git.

use super::{GitCall, Repo, RepoError};
use crate::id::BlobId;
use crate::path::RepoPath;
use bstr::BString;
use gix::filter::plumbing::pipeline::convert::{ToWorktreeOutcome, to_worktree};
use gix::filter::plumbing::{Driver, Pipeline, pipeline};
use gix::worktree::stack::state::attributes::Source;

/// What git's attributes and configuration ask for on the way between a file and its blob.
pub(super) struct Conversions<'r> {
    /// Without the programs of filters.
    pub(super) options: pipeline::Options,
    pub(super) attributes: gix::AttributeStack<'r>,
    /// The filter of the file, where the configuration has one of that name.
    pub(super) driver: Option<Driver>,
    /// As the attribute names it.
    pub(super) encoding: Option<BString>,
}

/// What becomes of a filter that is a program of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filters {
    /// It is run, by git.
    Run,
    /// It is passed by, as it may take long or fetch from elsewhere.
    Skip,
}

impl Repo {
    /// The bytes that git checks out at `path` for a blob.
    ///
    /// # Errors
    /// Where the blob is missing or damaged, a file of attributes cannot be read, or a filter fails.
    pub fn checked_out(&self, path: &RepoPath, id: BlobId, filters: Filters) -> Result<Vec<u8>, RepoError> {
        if !self.may_convert_in(path.parent().as_ref()) {
            return self.blob(&id);
        }
        let Conversions { options, attributes, driver, encoding } = self.conversions_of(path)?;
        let has_filter = driver.is_some_and(|driver| driver.smudge.is_some() || driver.process.is_some());
        let is_left_to_git = encoding.is_some() || self.expands_ident(path)?;
        if (has_filter && filters == Filters::Run) || (!has_filter && is_left_to_git) {
            let mut option = std::ffi::OsString::from("--path=");
            option.push(path.to_path());
            return self.run_git(GitCall::new(["cat-file", "--filters"]).arg(option).arg(id.to_string()));
        }
        self.with_own_ends(path, self.blob(&id)?, (options, attributes))
    }

    /// The bytes that git would check out at `path` for a text; none where a program of a filter, or git itself, is to say it.
    ///
    /// # Errors
    /// Where a file of attributes cannot be read.
    pub fn text_checked_out(&self, path: &RepoPath, stored: Vec<u8>) -> Result<Option<Vec<u8>>, RepoError> {
        if !self.may_convert_in(path.parent().as_ref()) {
            return Ok(Some(stored));
        }
        let Conversions { options, attributes, driver, encoding } = self.conversions_of(path)?;
        if driver.is_some() || encoding.is_some() || self.expands_ident(path)? {
            return Ok(None);
        }
        self.with_own_ends(path, stored, (options, attributes)).map(Some)
    }

    /// With the ends of lines that the file at `path` has in the tree.
    fn with_own_ends(
        &self,
        path: &RepoPath,
        stored: Vec<u8>,
        (options, mut attributes): (pipeline::Options, gix::AttributeStack<'_>),
    ) -> Result<Vec<u8>, RepoError> {
        let failed = || RepoError::git("convert a blob to the file that is checked out");
        let mut pipeline = Pipeline::new(gix::command::Context::default(), gix::hash::Kind::Sha1, options);
        let at = attributes.at_entry(path.as_bstr(), None).map_err(failed())?;
        let mut matching = |_: &bstr::BStr, out: &mut _| {
            at.matching_attributes(out);
        };
        let options = to_worktree::Options::default();
        let outcome = pipeline.convert_to_worktree(&stored, path.as_bstr(), &mut matching, options);
        match outcome.map_err(failed())? {
            ToWorktreeOutcome::Buffer(bytes) => Ok(bytes.to_vec()),
            // Without programs there is no other.
            ToWorktreeOutcome::Unchanged(_) | ToWorktreeOutcome::Process(_) => Ok(stored),
        }
    }

    /// What converts the file at `path`.
    ///
    /// # Errors
    /// Where a file of attributes cannot be read.
    pub(super) fn conversions_of(&self, path: &RepoPath) -> Result<Conversions<'_>, RepoError> {
        let failed = || RepoError::git("read git's attributes");
        self.refuse_unreadable_attributes(path)?;
        let mut options = gix::filter::Pipeline::options(self.gix()?).map_err(failed())?;
        let drivers = std::mem::take(&mut options.drivers);
        let empty = gix::index::State::new(gix::hash::Kind::Sha1);
        let source = Source::WorktreeThenIdMapping;
        let mut attributes = self.gix()?.attributes_only(&empty, source).map_err(failed())?;
        let mut found = attributes.selected_attribute_matches(["filter", "working-tree-encoding"]);
        attributes.at_entry(path.as_bstr(), None).map_err(failed())?.matching_attributes(&mut found);
        let value = |name: &str| {
            let mut found = found.iter_selected().filter(|one| one.assignment.name.as_str() == name);
            found.find_map(|one| one.assignment.state.as_bstr().map(ToOwned::to_owned))
        };
        let (filter, encoding) = (value("filter"), value("working-tree-encoding"));
        let driver = filter.and_then(|name| drivers.into_iter().find(|driver| driver.name == name));
        Ok(Conversions { options, attributes, driver, encoding })
    }
}
