//! What history.git has beside objects and refs: the name of this clone, git's HEAD and configuration, folders.
//!
//! Owns how these are made, read and mended. HEAD and the configuration are git's conditions for a repository; only the name is ours.
//! Invariant: a history.git that is there is mended in place, never made a second time: its chains are those of its name.

use crate::env::Env;
use crate::history::error::HistoryError;
use crate::history::store::chain::{Chain, REFS};
use crate::history::store::files::{sync_dir, write_file};
use crate::history::store::index_file;
use crate::state_dir;
use crate::state_dir::Durability;
use std::collections::BTreeSet;
use std::path::Path;

const HEAD: &str = "ref: refs/heads/none\n";
const FOLDERS: [&str; 5] = ["objects/info", "objects/pack", "refs/heads", "refs/redraft", "info"];
/// Those without which git takes it for no repository.
const NEEDED: [&str; 2] = ["objects", "refs"];

/// The name of this clone, which decides whose records are its own.
#[derive(Debug, Default)]
pub(super) struct Name {
    /// None where there is no history.git yet, or one without name and chains.
    pub clone: Option<String>,
    /// What was wrong with its file.
    pub damage: Option<String>,
}

impl Name {
    /// Reads it from its file; where that is damaged or gone, from git's configuration beside it or from the chains, which is told.
    ///
    /// # Errors
    /// Where nothing there tells it, and there are chains of several clones.
    pub fn read(store: &Path) -> Result<Self, HistoryError> {
        let file = store.join("clone");
        let bytes = text_of(&file)?;
        let clone = bytes.as_deref().and_then(|text| text.split(' ').next()).unwrap_or_default();
        if bytes.is_some() && clone_line(clone) == bytes.as_deref().unwrap_or_default() {
            return Ok(Self { clone: Some(clone.to_owned()), damage: None });
        }
        if bytes.is_none() && !is_begun(store) {
            return Ok(Self::default());
        }
        let told = match bytes {
            Some(_) => format!("{} holds no name", file.display()),
            None => format!("{} is missing", file.display()),
        };
        let config = text_of(&store.join("config"))?.unwrap_or_default();
        if let Some(clone) = named_in(&config) {
            return Ok(Self {
                damage: Some(format!("{told}; it is {clone} by the config beside it")),
                clone: Some(clone),
            });
        }
        let told = format!("{told}, and the config beside it neither names this clone");
        let mut clones = clones_of_chains(store)?.into_iter();
        match (clones.next(), clones.next()) {
            (None, _) => Ok(Self { clone: None, damage: Some(told) }),
            (Some(clone), None) => {
                Ok(Self { damage: Some(format!("{told}; it is {clone} by the chains there")), clone: Some(clone) })
            }
            (Some(one), Some(other)) => {
                let all: Vec<String> = [one, other].into_iter().chain(clones).collect();
                let names = all.join(", ");
                Err(HistoryError::Damaged(format!(
                    "{told}; there are chains of {names}: `git config redraft.clone NAME` in {} says which of them is this clone",
                    store.display()
                )))
            }
        }
    }
}

/// Makes all of it in an empty folder.
pub(super) fn make(store: &Path, clone: &str, durability: Durability) -> Result<(), HistoryError> {
    make_folders(store)?;
    for (name, text) in [("HEAD", HEAD), ("clone", &clone_line(clone)), ("config", &config_of(clone))] {
        write_file(&store.join(name), text.as_bytes(), durability)?;
    }
    sync_dir(store, durability)
}

/// What git finds wrong with a history.git that is there, a sentence each; nobody's records depend on it.
pub(super) fn faults(store: &Path) -> Result<Vec<String>, HistoryError> {
    if !is_begun(store) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for name in NEEDED.iter().filter(|name| !store.join(name).is_dir()) {
        found.push(format!("the folder {} is missing", store.join(name).display()));
    }
    let head = store.join("HEAD");
    match text_of(&head)? {
        Some(text) if is_head(&text) => {}
        Some(_) => found.push(format!("{} is damaged", head.display())),
        None => found.push(format!("{} is missing", head.display())),
    }
    let config = store.join("config");
    match text_of(&config)? {
        Some(text) if is_configuration(&text) && named_in(&text).is_some() => {}
        Some(_) => found.push(format!("{} is damaged", config.display())),
        None => found.push(format!("{} is missing", config.display())),
    }
    Ok(found)
}

/// Writes what is missing or damaged of a history.git that is there, with this name.
pub(super) fn mend(store: &Path, clone: &str, durability: Durability) -> Result<(), HistoryError> {
    make_folders(store)?;
    if !text_of(&store.join("HEAD"))?.is_some_and(|text| is_head(&text)) {
        write_file(&store.join("HEAD"), HEAD.as_bytes(), durability)?;
    }
    let config = text_of(&store.join("config"))?.unwrap_or_default();
    if !is_configuration(&config) || !config.contains("bare") {
        write_file(&store.join("config"), config_of(clone).as_bytes(), durability)?;
    } else if named_in(&config).is_none() {
        // The rest may be somebody's settings.
        write_file(&store.join("config"), format!("{config}\n{}", config_name(clone)).as_bytes(), durability)?;
    }
    write_file(&store.join("clone"), clone_line(clone).as_bytes(), durability)?;
    sync_dir(store, durability)
}

/// 8 random letters.
pub(super) fn random_letters(env: &Env) -> Result<String, HistoryError> {
    let bytes: [u8; 8] = env.random().map_err(HistoryError::io("read", Path::new("the system's random numbers")))?;
    Ok(letters(bytes))
}

fn letters(bytes: [u8; 8]) -> String {
    bytes.iter().map(|byte| char::from(b'a' + byte % 26)).collect()
}

/// Whether something of a history.git is there: an empty folder is none.
pub(super) fn is_begun(store: &Path) -> bool {
    std::fs::read_dir(store).is_ok_and(|mut entries| entries.next().is_some())
}

/// With a checksum, for a letter too many would hide all.
fn clone_line(clone: &str) -> String {
    format!("{clone} {:08x}\n", crc32fast::hash(clone.as_bytes()))
}

fn config_of(clone: &str) -> String {
    let core = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogallrefupdates = false\n[gc]\n\tauto = 0\n";
    format!("{core}{}", config_name(clone))
}

fn config_name(clone: &str) -> String {
    format!("[redraft]\n\tclone = {clone}\n")
}

fn named_in(config: &str) -> Option<String> {
    let named = config.lines().find_map(|line| line.trim().strip_prefix("clone = "));
    let is_name = |name: &&str| name.len() == 8 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    named.filter(is_name).map(str::to_owned)
}

/// Whether git can read it.
fn is_configuration(text: &str) -> bool {
    gix::config::File::try_from(text).is_ok()
}

/// As git asks it of a repository.
fn is_head(text: &str) -> bool {
    let text = text.trim_end();
    let is_id = || text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.strip_prefix("ref:").is_some_and(|name| name.trim_start().starts_with("refs/")) || is_id()
}

/// Whose chains there are.
fn clones_of_chains(store: &Path) -> Result<BTreeSet<String>, HistoryError> {
    let mut clones: BTreeSet<String> = index_file::tips(store).into_iter().map(|(chain, _)| chain.clone).collect();
    let packed = text_of(&store.join("packed-refs"))?.unwrap_or_default();
    let named = packed.lines().filter_map(|line| Chain::parse(line.split_once(' ')?.1));
    clones.extend(named.map(|chain| chain.clone));
    let loose = std::fs::read_dir(store.join(REFS)).into_iter().flatten().filter_map(Result::ok);
    clones.extend(loose.filter_map(|entry| entry.file_name().into_string().ok()));
    Ok(clones)
}

fn make_folders(store: &Path) -> Result<(), HistoryError> {
    let make = |folder: &str| std::fs::create_dir_all(store.join(folder)).map_err(HistoryError::io("make", store));
    FOLDERS.iter().try_for_each(|folder| make(folder))
}

/// What a small file says; none where it is missing.
fn text_of(file: &Path) -> Result<Option<String>, HistoryError> {
    let bytes = state_dir::read(file).map_err(HistoryError::io("read", file))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLONE: &str = "abcdefgh";

    #[test]
    fn a_head_is_a_name_below_refs_or_a_commit() {
        for head in [HEAD, "ref: refs/heads/x", "ref:refs/heads/x\n", &"a1".repeat(20)] {
            assert!(is_head(head), "{head:?}");
        }
        for no_head in ["", "ref: main", "refs/heads/x", &"a1".repeat(19), &"xy".repeat(20), &"a1".repeat(21)] {
            assert!(!is_head(no_head), "{no_head:?}");
        }
    }

    #[test]
    fn a_clone_is_named_by_eight_letters() {
        assert_eq!(named_in(&config_of(CLONE)).as_deref(), Some(CLONE));
        for name in ["abcdefg", "abcdefghi", "abcdefg1", "ABCDEFGH", ""] {
            assert_eq!(named_in(&config_name(name)), None, "{name:?}");
        }
    }

    #[test]
    fn what_git_reads_of_a_configuration_is_kept_and_the_rest_written_anew() {
        let own = "[core]\n\tbare = true\n[user]\n\tname = somebody\n";
        for (had, want) in [
            (Some(own.to_owned()), format!("{own}\n{}", config_name(CLONE))),
            (Some(format!("{own}{}", config_name(CLONE))), format!("{own}{}", config_name(CLONE))),
            (Some("[core\n\tbare = true\n".to_owned()), config_of(CLONE)),
            (Some("[core]\n\tautocrlf = true\n".to_owned()), config_of(CLONE)),
            (Some(String::new()), config_of(CLONE)),
            (None, config_of(CLONE)),
        ] {
            let store = tempfile::tempdir().expect("a folder");
            if let Some(had) = &had {
                std::fs::write(store.path().join("config"), had).expect("writes");
            }
            mend(store.path(), CLONE, Durability::Fast).expect("it is mended");
            let text = |name: &str| std::fs::read_to_string(store.path().join(name)).expect("it is there");
            assert_eq!(text("config"), want, "{had:?}");
            assert_eq!((text("HEAD"), text("clone")), (HEAD.to_owned(), clone_line(CLONE)));
            assert_eq!(faults(store.path()).expect("it can be read"), Vec::<String>::new());
        }
    }

    #[test]
    fn a_head_that_is_one_is_kept() {
        let store = tempfile::tempdir().expect("a folder");
        let head = store.path().join("HEAD");
        std::fs::write(&head, "ref: refs/heads/own\n").expect("writes");
        mend(store.path(), CLONE, Durability::Fast).expect("it is mended");
        assert_eq!(std::fs::read_to_string(&head).expect("it is there"), "ref: refs/heads/own\n");
    }

    #[test]
    fn random_bytes_are_all_letters_of_the_alphabet() {
        assert_eq!(letters([0, 1, 25, 26, 51, 52, 254, 255]), "abzazauv");
    }
}
