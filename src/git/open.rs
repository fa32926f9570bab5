//! Opening a repository as git would: which one, which working tree, whose configuration.
//!
//! Owns the meaning of git's variables (git(1), "Environment Variables"). Everything gix is told comes from [`Env`], and gix
//! may read nothing else from the process, with one exception: gix 0.90 finds the user's configuration (`HOME`,
//! `XDG_CONFIG_HOME`, `GIT_CONFIG_GLOBAL`) and the settings of `GIT_CONFIG_COUNT` in the process's environment only. So these
//! count by themselves where an [`Env`] has the user's configuration, and not at all where it has not.

use super::listed_config::{self, Listed};
use super::plain::{self, Plain};
use super::{Repo, RepoError, config, head_objects};
use crate::env::Env;
use bstr::{BString, ByteSlice};
use gix::open::Permissions;
use gix::sec::Permission;
use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

impl Repo {
    /// Finds the repository that holds the directory of `env`, as git does.
    ///
    /// Honours `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_CEILING_DIRECTORIES` and `GIT_CONFIG_*`, all relative to
    /// that directory.
    ///
    /// # Errors
    /// See [`RepoError`].
    pub fn discover(env: &Env) -> Result<Self, RepoError> {
        match plain::find(env) {
            Some(found) => Self::of_plain(env, found),
            None => Self::of_gix(env),
        }
    }

    /// Nothing of it was opened yet.
    fn of_plain(env: &Env, found: Plain) -> Result<Self, RepoError> {
        let Plain { root, git_dir, config } = found;
        let places =
            Places { root_given: given_spelling(env, &root, &root), common_dir: git_dir.clone(), git_dir, root };
        let objects = places.common_dir.join("objects");
        Self::made(env, places, config, &objects)
    }

    /// Finds it as gix does, with many looks.
    pub(super) fn of_gix(env: &Env) -> Result<Self, RepoError> {
        let git = match env.variable("GIT_DIR") {
            Some(git_dir) => open_given(env, &env.cwd().join(git_dir))?,
            None => open_found(env)?,
        };
        let mut config = git.config_snapshot().plumbing().clone();
        if let Some(extension) = unsupported_extension(&config) {
            return Err(RepoError::Unsupported { extension });
        }
        let mut git = git;
        if listed_config::may_differ(env, &git) {
            let listed = Listed::read(env, &git)?;
            config = listed.config()?;
            git = configured_by_git(env, &git, &listed)?;
        }
        if config.boolean("core.bare").is_err() {
            let value = config.string("core.bare").unwrap_or_default().to_string();
            return Err(RepoError::Config { key: "core.bare".to_owned(), value, wanted: "true or false" });
        }
        let absolute = |path: &Path| {
            std::fs::canonicalize(path).map_err(|source| RepoError::Io { verb: "find", path: path.into(), source })
        };
        let Some(workdir) = git.workdir() else {
            return Err(RepoError::Bare(git.git_dir().to_owned()));
        };
        let root = absolute(workdir)?;
        let root_given = given_spelling(env, workdir, &root);
        let git_dir = absolute(git.git_dir())?;
        let common_dir = if git.common_dir() == git.git_dir() { git_dir.clone() } else { absolute(git.common_dir())? };
        let objects = git.objects.store_ref().path().to_owned();
        let repo = Self::made(env, Places { root, root_given, git_dir, common_dir }, config, &objects)?;
        Ok(Self { opened: git.into(), ..repo })
    }

    fn made(env: &Env, places: Places, config: gix::config::File, objects: &Path) -> Result<Self, RepoError> {
        let Places { root, root_given, git_dir, common_dir } = places;
        refuse_inside_git(env.cwd(), &root, [&git_dir, &common_dir])?;
        Ok(Self {
            env: env.clone(),
            config,
            opened: OnceCell::new(),
            root,
            root_given,
            git_dir,
            common_dir,
            head: RefCell::default(),
            lookup: head_objects::Objects::new(objects),
            replaces: Cell::default(),
        })
    }

    /// Whether git, started at the root of the working tree, finds another repository than this one, or none.
    pub(super) fn is_apart(&self) -> bool {
        !leads_to(&self.root.join(".git"), &self.git_dir)
    }

    /// Opens now what is otherwise opened where it is first needed: for whoever may lose the current directory, without which
    /// nothing is opened.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open_now(&self) -> Result<(), RepoError> {
        self.gix().map(drop)
    }

    /// Whether gix has it open already, so that asking gix costs little.
    pub(super) fn is_opened(&self) -> bool {
        self.opened.get().is_some()
    }

    /// The repository as gix has it, opened where it is first needed.
    ///
    /// # Errors
    /// Where gix cannot open it: the current directory is gone, or it is damaged.
    pub(super) fn gix(&self) -> Result<&gix::Repository, RepoError> {
        if let Some(git) = self.opened.get() {
            return Ok(git);
        }
        let options = options(&self.env).with(gix::sec::Trust::Full).open_path_as_is(true);
        let git = gix::ThreadSafeRepository::open_opts(&self.git_dir, options)
            .map_err(|error| explain_failure(&self.env, Some(&self.git_dir), &error))?;
        Ok(self.opened.get_or_init(|| of_this_thread(&git)))
    }
}

/// Where a repository lies, as [`Repo`] tells it.
struct Places {
    root: PathBuf,
    root_given: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
}

/// Names that are git's own in a git directory, so that no working tree can be there.
const OWN: [&str; 10] =
    ["branches", "hooks", "info", "logs", "lfs", "modules", "objects", "redraft", "refs", "worktrees"];

/// Refuses to work where git itself would not: in the git directory, or with a working tree that is one. A working tree
/// beside git's own files in a bare repository (`git worktree add`) is none of that.
fn refuse_inside_git(cwd: &Path, root: &Path, git_dirs: [&Path; 2]) -> Result<(), RepoError> {
    let is_own = |place: &Path| {
        git_dirs.iter().filter_map(|dir| place.strip_prefix(dir).ok()).any(|below| {
            below.components().next().is_none_or(|first| OWN.iter().any(|name| first.as_os_str() == *name))
        })
    };
    let is_in_git = |place: &Path| git_dirs.iter().any(|dir| place.starts_with(dir));
    if is_own(root) {
        return Err(RepoError::InsideGitDir(root.to_owned()));
    }
    // A directory that was handed in may be spelled with symlinks; that of a process is not.
    let real =
        if cwd.starts_with(root) { cwd.to_owned() } else { std::fs::canonicalize(cwd).unwrap_or(cwd.to_owned()) };
    let is_in_tree =
        real.starts_with(root) && git_dirs.iter().all(|dir| !dir.starts_with(root) || !real.starts_with(dir));
    if is_in_git(&real) && !is_in_tree {
        return Err(RepoError::InsideGitDir(real));
    }
    Ok(())
}

/// A handle on a repository. `GIT_NAMESPACE` is nothing to it: git counts it where others fetch and push (gitnamespaces(7)).
fn of_this_thread(git: &gix::ThreadSafeRepository) -> gix::Repository {
    let mut git = git.to_thread_local();
    git.clear_namespace();
    super::delta_bases::keep(&mut git.objects);
    git
}

/// Variables that are settings to gix.
const AS_SETTINGS: [(&str, &str); 2] =
    [("GIT_REPLACE_REF_BASE", "gitoxide.objects.replaceRefBase"), ("GIT_SHALLOW_FILE", "gitoxide.core.shallowFile")];

fn options(env: &Env) -> gix::open::Options {
    options_with(env, Vec::new())
}

fn options_with(env: &Env, mut settings: Vec<BString>) -> gix::open::Options {
    let parameters = env.variable("GIT_CONFIG_PARAMETERS").map(|v| config::parameters(v.as_encoded_bytes()));
    for (name, key) in AS_SETTINGS {
        if let Some(value) = env.variable(name) {
            settings.push([key.as_bytes(), b"=", value.as_encoded_bytes()].concat().into());
        }
    }
    if env.variable("GIT_NO_REPLACE_OBJECTS").is_some() {
        settings.push("core.useReplaceRefs=false".into());
    }
    let mut options = gix::open::Options::default()
        .bail_if_untrusted(true)
        .cli_overrides(parameters.unwrap_or_default())
        .config_overrides(settings);
    if let Some(system) = env.variable("GIT_CONFIG_SYSTEM").filter(|_| env.has_user_configuration()) {
        options = options.system_config_path(env.cwd().join(system));
    }
    options.permissions(permissions(env))
}

/// What gix may read of the machine and the user.
fn permissions(env: &Env) -> Permissions {
    let mut permissions = Permissions::isolated();
    permissions.config.includes = true;
    if env.has_user_configuration() {
        permissions.env.home = Permission::Allow;
        permissions.env.xdg_config_home = Permission::Allow;
        permissions.config.env = true;
        permissions.config.system = !is_on(env, "GIT_CONFIG_NOSYSTEM");
        permissions.config.git = true;
        permissions.config.user = true;
        permissions.attributes.system = env.variable("GIT_ATTR_NOSYSTEM").is_none();
        permissions.attributes.git = true;
        if env.variable("GIT_CONFIG_GLOBAL").is_some() {
            permissions.env.git_prefix = Permission::Allow;
        }
    }
    permissions
}

/// The same repository, with all settings as git lists them, and none that gix finds beyond the repository's own file.
fn configured_by_git(env: &Env, git: &gix::Repository, listed: &Listed) -> Result<gix::Repository, RepoError> {
    let permissions = Permissions { config: Permissions::isolated().config, ..permissions(env) };
    let options = options_with(env, listed.overrides())
        .permissions(permissions)
        .with(gix::sec::Trust::Full)
        .bail_if_untrusted(false)
        .open_path_as_is(true);
    let mut repo = gix::ThreadSafeRepository::open_opts(git.git_dir(), options)
        .map(|repo| of_this_thread(&repo))
        .map_err(|err| explain_failure(env, Some(git.git_dir()), &err))?;
    if let Some(root) = git.workdir() {
        set_workdir(&mut repo, root.to_owned())?;
    }
    Ok(repo)
}

/// Whether a variable is a yes, as git reads one.
fn is_on(env: &Env, name: &str) -> bool {
    let is_yes = |value: &str| ["1", "true", "yes", "on"].iter().any(|yes| value.eq_ignore_ascii_case(yes));
    env.variable(name).is_some_and(|value| is_yes(&value.to_string_lossy()))
}

fn open_found(env: &Env) -> Result<gix::Repository, RepoError> {
    let open = |options: gix::open::Options| {
        let mut search = searching(env);
        search.cross_fs = is_on(env, "GIT_DISCOVERY_ACROSS_FILESYSTEM");
        search.match_ceiling_dir_or_error = false;
        search.ceiling_dirs = ceiling_dirs(env.paths("GIT_CEILING_DIRECTORIES"));
        let trust = gix::sec::trust::Mapping { full: options.clone(), reduced: options };
        let found = gix::ThreadSafeRepository::discover_opts(env.cwd(), search, trust);
        found.map(|repo| of_this_thread(&repo)).map_err(|err| explain_failure(env, None, &err))
    };
    let mut repo = match open(options(env)) {
        Err(RepoError::UnsafeOwner(_)) if is_safe_by_variables(env) => {
            let all = |_: &gix::config::file::Metadata| true;
            open(options(env).bail_if_untrusted(false).filter_config_section(all))?
        }
        opened => opened?,
    };
    if let Some(file) = broken_git_file(env, repo.git_dir()) {
        return Err(RepoError::BrokenGitFile(file));
    }
    let told = env.variable("GIT_WORK_TREE").map(|tree| env.cwd().join(tree)).or_else(|| configured_root(&repo));
    if let Some(root) = told {
        set_workdir(&mut repo, root)?;
    }
    Ok(repo)
}

/// Whether git takes somebody else's repository here for safe by what variables say, of which gix knows nothing: git itself says so.
fn is_safe_by_variables(env: &Env) -> bool {
    let is_set = ["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"].iter().any(|name| env.variable(name).is_some());
    let mut git = Command::new("git");
    env.lay_on(&mut git);
    git.args(["rev-parse", "--git-dir"]).current_dir(env.cwd());
    is_set && git.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// The nearest file `.git` on the way up that leads to another repository than the one that was found, or to none: a linked
/// worktree whose own folder was pruned, say. gix looks past it to the repository around it, whose files are others; git ends.
fn broken_git_file(env: &Env, git_dir: &Path) -> Option<PathBuf> {
    let cwd = std::fs::canonicalize(env.cwd()).ok()?;
    let mut places = cwd.ancestors().map(|dir| dir.join(".git"));
    let nearest = places.find(|git| git.metadata().is_ok_and(|meta| meta.is_file()) || leads_to(git, git_dir))?;
    (!leads_to(&nearest, git_dir)).then_some(nearest)
}

/// Whether a `.git`, directory or file, is or names a git directory.
fn leads_to(git: &Path, git_dir: &Path) -> bool {
    let named = match git.metadata() {
        Ok(meta) if meta.is_file() => gix::discover::path::from_gitdir_file(git).ok(),
        Ok(_) => Some(git.to_owned()),
        Err(_) => None,
    };
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    named.is_some_and(|named| real(&named).is_some_and(|named| Some(named) == real(git_dir)))
}

/// The working tree that the repository's own configuration names, which counts to git also where `core.bare` is not set; to
/// gix it does not. In a linked worktree (of a submodule, say, whose configuration names its own) it counts only where worktrees
/// have configurations of their own (`check_repository_format_gently` in git's setup.c).
fn configured_root(git: &gix::Repository) -> Option<PathBuf> {
    let config = git.config_snapshot();
    if git.git_dir() != git.common_dir() && config.boolean("extensions.worktreeConfig") != Some(true) {
        return None;
    }
    let is_own =
        |meta: &gix::config::file::Metadata| matches!(meta.source.kind(), gix::config::source::Kind::Repository);
    let is_bare = config.boolean("core.bare") == Some(true);
    let tree = config.plumbing().string_filter("core.worktree", is_own).filter(|_| !is_bare)?;
    Some(git.git_dir().join(tree.to_path().ok()?))
}

/// Where `GIT_DIR` is set, git looks nowhere else, trusts it whoever owns it, and takes the current directory as the
/// root of the working tree unless told otherwise.
fn open_given(env: &Env, git_dir: &Path) -> Result<gix::Repository, RepoError> {
    let options = options(env)
        .with(gix::sec::Trust::Full)
        .bail_if_untrusted(false)
        .filter_config_section(|_: &gix::config::file::Metadata| true)
        .open_path_as_is(true);
    let mut repo = gix::ThreadSafeRepository::open_opts(git_dir, options)
        .map(|repo| of_this_thread(&repo))
        .map_err(|err| explain_failure(env, Some(git_dir), &err))?;
    let is_bare = repo.config_snapshot().boolean("core.bare") == Some(true);
    let told = env.variable("GIT_WORK_TREE").map(|tree| env.cwd().join(tree)).or_else(|| configured_root(&repo));
    match told {
        Some(root) => set_workdir(&mut repo, root)?,
        None if !is_bare => set_workdir(&mut repo, env.cwd().to_owned())?,
        None => {}
    }
    Ok(repo)
}

fn set_workdir(repo: &mut gix::Repository, place: PathBuf) -> Result<(), RepoError> {
    repo.set_workdir(place).map(drop).map_err(RepoError::git("set the root of the working tree"))
}

fn searching(env: &Env) -> gix::discover::upwards::Options<'_> {
    gix::discover::upwards::Options { current_dir: Some(env.cwd()), ..Default::default() }
}

/// Where the search upwards stops: absolute paths; symlinks in them are resolved up to the first empty one, as in git.
fn ceiling_dirs(listed: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut resolve = true;
    let mut found = Vec::new();
    for dir in listed {
        if dir.as_os_str().is_empty() {
            resolve = false;
        } else if dir.is_absolute() {
            found.push(if resolve { std::fs::canonicalize(&dir).unwrap_or(dir) } else { dir });
        }
    }
    found
}

/// Says why opening failed. gix's errors are not finely typed, so a failure is looked into with fresh eyes.
fn explain_failure(env: &Env, git_dir: Option<&Path>, err: &gix::Error) -> RepoError {
    let dir = env.cwd();
    let found = match git_dir {
        Some(git_dir) => Some(git_dir.to_owned()),
        None => gix::discover::upwards_opts(dir, searching(env))
            .ok()
            .map(|(path, _)| path.into_repository_and_work_tree_directories().0),
    };
    let Some(found) = found.filter(|found| found.exists()) else {
        return RepoError::NotARepository(dir.to_owned());
    };
    let common = std::fs::read_to_string(found.join("commondir")).map(|text| found.join(text.trim_end()));
    let config = common.unwrap_or_else(|_| found.clone()).join("config");
    if let Ok(config) = gix::config::File::from_path_no_includes(config, gix::config::Source::Local)
        && let Some(extension) = unsupported_extension(&config)
    {
        return RepoError::Unsupported { extension };
    }
    if err.is_permission_denied() {
        let shown = if found.file_name() == Some(OsStr::new(".git")) { found.parent() } else { None };
        return RepoError::UnsafeOwner(shown.unwrap_or(&found).to_owned());
    }
    if err.is_not_found() {
        return RepoError::NotARepository(dir.to_owned());
    }
    let verb = "open the repository";
    RepoError::Git { verb, cause: err.probable_cause().to_string() }
}

/// The first setting of the repository's format that redraft does not know, as `key=value`.
///
/// The rules are git's own (`check_repository_format` in its setup.c): an unknown extension counts from version 1 on.
fn unsupported_extension(config: &gix::config::File) -> Option<String> {
    let version = config.integer("core.repositoryFormatVersion").ok().flatten().unwrap_or(0);
    if version > 1 {
        return Some(format!("core.repositoryformatversion={version}"));
    }
    let sections = config.sections_by_name("extensions").into_iter().flatten();
    for section in sections {
        if !matches!(section.meta().source.kind(), gix::config::source::Kind::Repository) {
            continue;
        }
        for name in section.value_names() {
            let name = name.to_string().to_ascii_lowercase();
            let value = section.value(&name).map(|value| value.to_string()).unwrap_or_default();
            let known = match name.as_str() {
                "objectformat" => value.eq_ignore_ascii_case("sha1"),
                "refstorage" => value.eq_ignore_ascii_case("files"),
                "noop" | "noop-v1" | "partialclone" | "preciousobjects" | "worktreeconfig" | "relativeworktrees" => {
                    true
                }
                _ => version == 0,
            };
            if !known {
                return Some(format!("extensions.{name}={value}"));
            }
        }
    }
    None
}

/// The root as the caller spells it, where symlinks make that another spelling.
///
/// A shell's `PWD` keeps the symlinks that the current directory was entered by, so it is believed where it leads to the
/// same place.
fn given_spelling(env: &Env, workdir: &Path, root: &Path) -> Option<PathBuf> {
    let differs = |path: PathBuf| (path != root).then_some(path);
    let spelled = std::path::absolute(workdir).ok()?;
    let spelled: PathBuf = spelled.components().collect();
    let is_plain = !spelled.components().any(|part| part == std::path::Component::ParentDir);
    if let Some(given) = differs(spelled).filter(|_| is_plain) {
        return Some(given);
    }
    let here = env.cwd();
    let shell = PathBuf::from(env.variable("PWD")?);
    if !shell.is_absolute() || shell == here || std::fs::canonicalize(&shell).ok()? != here {
        return None;
    }
    let steps = here.strip_prefix(root).ok()?;
    let mut given = shell;
    for step in steps.components().rev() {
        if given.file_name() != Some(step.as_os_str()) || !given.pop() {
            return None;
        }
    }
    (std::fs::canonicalize(&given).ok()? == root).then_some(given).and_then(differs)
}
