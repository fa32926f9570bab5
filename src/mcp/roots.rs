//! The folders that are served, and which of them a call is about.
//!
//! Owns how the path of a call becomes a folder and a path below it. Invariant: a path outside of all folders leads nowhere.

use super::answer::{Refusal, ToolAnswer};
use super::arguments::Arguments;
use crate::env::Env;
use crate::git::Repo;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// The folders, the first of which relative paths are relative to; at least one.
#[derive(Debug, Clone)]
pub struct Roots(Vec<Served>);

/// A folder that is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    /// As it was given, absolute.
    pub named: PathBuf,
    /// Without symlinks.
    pub real: PathBuf,
    /// Whether it was named, so that what lies beside it in the repository is outside.
    pub is_boundary: bool,
}

impl Roots {
    /// Those that are named, or the current directory.
    ///
    /// # Errors
    /// Where one is no directory.
    pub fn open(env: &Env, named: &[PathBuf]) -> io::Result<Self> {
        let served = |path: &Path, is_boundary| {
            let named = env.cwd().join(path);
            let real = std::fs::canonicalize(&named)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", named.display())))?;
            if !real.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::NotADirectory,
                    format!("{} is no directory", named.display()),
                ));
            }
            Ok(Served { named, real, is_boundary })
        };
        let mut roots: Vec<Served> = named.iter().map(|path| served(path, true)).collect::<io::Result<_>>()?;
        if roots.is_empty() {
            let project = env.variable("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
            let project = project.and_then(|dir| served(&dir, false).ok());
            roots.push(project.map_or_else(|| served(Path::new("."), false), Ok)?);
        }
        Ok(Self(roots))
    }

    /// Whether there are several.
    pub fn has_several(&self) -> bool {
        self.0.len() > 1
    }

    /// All of them.
    pub fn all(&self) -> &[Served] {
        &self.0
    }

    /// The folder that a call is about: the one it names as `root`, or that its absolute paths lie in; the first for relative ones.
    ///
    /// # Errors
    /// Where it names none of them, or its paths lie in several.
    pub fn choose(&self, arguments: &mut Arguments) -> Result<Choice, Refusal> {
        if let Some(named) = arguments.remove("root") {
            let found = named.as_str().and_then(|name| self.0.iter().find(|root| root.is_called(name)));
            return found.cloned().map(Choice::Folder).ok_or_else(|| {
                let text = format!("`root` is none of the folders that are served: {}", self.names());
                ToolAnswer::refused(text).with("reason", "outside_root").into()
            });
        }
        let paths = paths_of(arguments);
        let absolute = paths.iter().filter(|path| path.starts_with('/'));
        let mut holding: Vec<&Served> =
            absolute.filter_map(|path| self.0.iter().find(|root| root.holds(path))).collect();
        holding.dedup();
        match holding[..] {
            [one] => Ok(Choice::Folder(one.clone())),
            [] if self.has_several() && paths.is_empty() => Ok(match records_of(arguments) {
                ids if ids.is_empty() => Choice::Unsaid,
                ids => Choice::Records(ids),
            }),
            [] => Ok(Choice::Folder(self.0[0].clone())),
            [..] => {
                let text =
                    "the paths lie in several of the folders that are served; nothing was done; make a call for each";
                Err(ToolAnswer::refused(text).with("reason", "outside_root").into())
            }
        }
    }

    /// Their names, for a message.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|root| root.named.display().to_string()).collect();
        names.join(", ")
    }
}

/// What a call says of the folder that it is about.
#[derive(Debug, PartialEq, Eq)]
pub enum Choice {
    /// Which it is.
    Folder(Served),
    /// Records, one of which is of that folder.
    Records(Vec<String>),
    /// Nothing, and there are several.
    Unsaid,
}

/// The paths among the arguments.
fn paths_of(arguments: &Arguments) -> Vec<&str> {
    let list = |key: &str| arguments.get(key).and_then(Value::as_array).into_iter().flatten();
    let files = list("files").filter_map(Value::as_object).chain([arguments]);
    files.filter_map(|file| file.get("path")).chain(list("paths")).filter_map(Value::as_str).collect()
}

/// The records among the arguments.
fn records_of(arguments: &Arguments) -> Vec<String> {
    let list = arguments.get("ids").and_then(Value::as_array).into_iter().flatten();
    let ids = list.chain(["id", "to"].iter().filter_map(|key| arguments.get(*key)));
    ids.filter_map(Value::as_str).filter(|id| !id.starts_with('@')).map(str::to_owned).collect()
}

impl Served {
    fn is_called(&self, name: &str) -> bool {
        let name = Path::new(name);
        name == self.named || name == self.real
    }

    fn holds(&self, path: &str) -> bool {
        [&self.real, &self.named].into_iter().any(|root| Path::new(path).starts_with(root))
    }

    /// The folder that paths are relative to: this one where it was named, else the root of its working tree.
    pub fn base(&self, repo: &Repo) -> PathBuf {
        if self.is_boundary { self.real.clone() } else { repo.root().to_owned() }
    }

    /// A path of a call as one relative to `base`.
    ///
    /// # Errors
    /// Where it is absolute and lies outside.
    pub fn relative(&self, base: &Path, path: &str) -> Result<String, Refusal> {
        if !path.starts_with('/') {
            return Ok(path.to_owned());
        }
        // What is named through a symlink lies in the same place.
        let named = if self.is_boundary { self.named.clone() } else { base.to_owned() };
        let below = [base, &named].into_iter().find_map(|base| Path::new(path).strip_prefix(base).ok()?.to_str());
        let real = || std::fs::canonicalize(Path::new(path).parent()?).ok();
        let through_link = || {
            let folder = real()?;
            let below = folder.strip_prefix(base).ok()?.join(Path::new(path).file_name()?);
            below.to_str().map(str::to_owned)
        };
        below.map(str::to_owned).or_else(through_link).ok_or_else(|| {
            let text = format!(
                "{path} lies outside of what is served ({}); nothing was written; use a path inside",
                base.display()
            );
            ToolAnswer::refused(text).with("reason", "outside_root").into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_call_is_about_the_folder_that_its_path_lies_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let env = Env::in_dir(folder.path()).expect("absolute");
        for name in ["a", "b"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let roots = Roots::open(&env, &["a".into(), "b".into()]).expect("folders");
        let in_b = folder.path().join("b/f").display().to_string();
        let choice = |value| roots.choose(&mut arguments(value));
        let chosen = |value| match choice(value) {
            Ok(Choice::Folder(root)) => Ok(root.named),
            other => Err(other),
        };
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        assert_eq!(chosen(json!({"path": "f"})), Ok(a.clone()));
        assert_eq!(chosen(json!({"path": in_b})), Ok(b.clone()));
        assert_eq!(chosen(json!({"files": [{"path": in_b}]})), Ok(b.clone()));
        assert_eq!(chosen(json!({"root": b.display().to_string()})), Ok(b.clone()));
        assert_eq!(chosen(json!({"paths": [in_b]})), Ok(b.clone()));
        assert!(choice(json!({"root": "/"})).is_err_and(|answer| answer.is_error));
        let in_a = a.join("f").display().to_string();
        assert!(choice(json!({"files": [{"path": in_a}, {"path": in_b}]})).is_err_and(|answer| answer.is_error));
        assert_eq!(choice(json!({"ids": ["kk"], "dry_run": true})), Ok(Choice::Records(vec!["kk".into()])));
        for unsaid in [json!({}), json!({"session": "s"}), json!({"id": "@"})] {
            assert_eq!(choice(unsaid), Ok(Choice::Unsaid));
        }
        let base = std::fs::canonicalize(&a).expect("a folder");
        assert!(roots.all()[0].relative(&base, &in_b).is_err());
        assert_eq!(roots.all()[0].relative(&base, &a.join("x/y").display().to_string()).as_deref(), Ok("x/y"));
    }
}
