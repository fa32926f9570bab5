//! The page of the configuration against the settings that hold, and what they let pass.

use super::AgentTrailer;
use super::check::{self, Finding, Known};
use super::{
    CommitRefusal, CommitRule, ConfigWarning, KEYS, Receipt, Session, Settings, Values, parse_retention,
    refuse_leftovers,
};
use crate::change::PathState;
use crate::env::Env;
use crate::git::Repo;
use crate::git::{Letters, Patterns};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::request::{Expectation, RecordKind};
use crate::state_dir::StateDir;
use crate::testing::TestRepo;
use crate::transaction::Durability;
use crate::worktree::Unusual;
use std::time::Duration;

#[test]
fn the_defaults_on_the_page_are_the_defaults() {
    let silent = TestRepo::new();
    let settings = |repo: &TestRepo| {
        let env = Env::in_dir(repo.root()).expect("absolute");
        let repo = Repo::discover(&env).expect("a repository");
        format!("{:?}", Settings::of(&repo).expect("settings"))
    };
    assert_eq!(settings(&silent), format!("{:?}", Settings::default()));
    let page = include_str!("../../docs/configuration.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> =
            line.strip_prefix("| ")?.split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        cells[0].starts_with("redraft.").then(|| (cells[0], cells[2]))
    });
    let documented: Vec<(&str, &str)> = rows.collect();
    assert!(documented.len() > 10);
    for (key, default) in documented {
        // A limit of time that is set is also the most that a call may ask for; as a default it is tested with the keys.
        if matches!(default, "none" | "by dialect" | "history") || key == "redraft.verifyTimeout" {
            continue;
        }
        let spoken = TestRepo::new();
        spoken.git(&["config", key, default]);
        assert_eq!(settings(&spoken), settings(&silent), "{key} = {default}");
    }
}

/// The settings of a repository whose configuration has these lines.
fn settings(lines: &[(&str, &str)]) -> Result<Settings, String> {
    let repo = TestRepo::new();
    for (key, value) in lines {
        repo.git(&["config", "--add", key, value]);
    }
    let env = Env::in_dir(repo.root()).expect("absolute");
    Settings::of(&Repo::discover(&env).expect("a repository")).map_err(|error| error.to_string())
}

fn path(path: &str) -> RepoPath {
    RepoPath::new(path.as_bytes()).expect("a path")
}

#[test]
fn every_key_is_read() {
    let read = settings(&[
        ("redraft.deny", "*.lock"),
        ("redraft.deny", "secret/"),
        ("redraft.allow", "src/"),
        ("redraft.confirm", "ci/*"),
        ("redraft.requireClean", "true"),
        ("redraft.requireRead", "true"),
        ("redraft.record", "commit"),
        ("redraft.trailer", "Co-Authored-By"),
        ("redraft.match", "exact"),
        ("redraft.verify", "make check"),
        ("redraft.verifyTimeout", "1.5"),
        ("redraft.lockTimeout", "0"),
        ("redraft.durability", "fast"),
        ("redraft.backupRetention", "count=5"),
        ("redraft.historyRetention", "days=7"),
        ("redraft.diffLines", "1"),
        ("redraft.diffBytes", "2"),
        ("redraft.maxFileSize", "3"),
        ("redraft.maxRequestSize", "4k"),
        ("redraft.unusualFiles", "hard-link"),
        ("redraft.unusualFiles", "read-only"),
        ("redraft.hookPolicy", "unreviewed, leftovers"),
    ])
    .expect("settings");
    let denied = |at: &str| read.deny.matching(&path(at)).map(ToString::to_string);
    assert_eq!((denied("a/b.lock"), denied("secret/x")), (Some("*.lock".into()), Some("secret/".into())));
    assert_eq!((denied("B.LOCK"), read.allow.is_empty()), (None, false));
    assert!(read.confirm.matching(&path("ci/x")).is_some() && read.require_clean && read.require_read);
    assert_eq!((read.record, read.level), (Some(RecordKind::Commit), crate::strategy::Level::from_name("exact")));
    assert_eq!((read.verify.as_deref(), read.verify_timeout), (Some("make check"), Some(Duration::from_millis(1500))));
    assert_eq!((read.lock_timeout, read.durability), (Duration::ZERO, Durability::Fast));
    assert_eq!(Some(read.backup_retention), parse_retention("count=5"));
    assert_eq!(Some(read.history_retention), parse_retention("days=7"));
    let limits = (read.diff_lines, read.diff_bytes, read.max_file_size, read.max_request_size);
    assert_eq!(limits, (1, 2, 3, 4096));
    assert_eq!(read.unusual, [Unusual::HardLink, Unusual::ReadOnly].into());
    assert_eq!(read.commit_rules, [CommitRule::Unreviewed, CommitRule::Leftovers].into());
    assert_eq!((read.trailer, read.warnings), (AgentTrailer::CoAuthoredBy, vec![]));
}

#[test]
fn each_rule_for_commits_is_asked_for_by_its_name() {
    let rules = |value: &str| settings(&[("redraft.hookPolicy", value)]).map(|read| read.commit_rules);
    assert_eq!(rules("unreviewed"), Ok([CommitRule::Unreviewed].into()));
    assert_eq!(rules(" leftovers,,"), Ok([CommitRule::Leftovers].into()));
    assert!(rules("unreviewed no-such-rule").expect_err("no rule").contains("redraft.hookPolicy"));
}

#[test]
fn a_value_that_a_key_cannot_have_is_refused_with_the_key() {
    for (key, value) in [
        ("redraft.record", "everything"),
        ("redraft.match", "guess"),
        ("redraft.verifyTimeout", "soon"),
        ("redraft.lockTimeout", "-1"),
        ("redraft.lockTimeout", "31536001"),
        ("redraft.durability", "none"),
        ("redraft.backupRetention", "weeks=1"),
        ("redraft.historyRetention", "count"),
        ("redraft.diffLines", "-1"),
        ("redraft.maxFileSize", "-1"),
        ("redraft.unusualFiles", "fifo"),
        ("redraft.hookPolicy", "none"),
        ("redraft.requireClean", "perhaps"),
    ] {
        let told = settings(&[(key, value)]).map(|_| ()).expect_err(key);
        assert!(told.to_ascii_lowercase().contains(&key.to_ascii_lowercase()), "{told}");
    }
    assert_eq!(settings(&[("redraft.durability", "full")]).map(|read| read.durability), Ok(Durability::Full));
    assert_eq!(settings(&[("redraft.verify", " ")]).map(|read| read.verify), Ok(None));
}

#[test]
fn sizes_have_the_suffixes_of_git_and_do_not_overflow() {
    let size = super::parse_size;
    assert_eq!((size("7"), size("3k"), size("2M"), size("1g")), (Some(7), Some(3072), Some(2 << 20), Some(1 << 30)));
    assert_eq!((size("18446744073709551615"), size("18014398509481984k")), (Some(u64::MAX), None));
    assert_eq!((size(""), size("k"), size("1t"), size("-1"), size("1 k")), (None, None, None, None, None));
}

#[test]
fn where_letters_are_the_same_to_git_a_rule_holds_for_both() {
    for (ignores, denied) in [("true", true), ("false", false)] {
        let read = settings(&[("core.ignoreCase", ignores), ("redraft.deny", "Secret")]).expect("settings");
        assert_eq!(read.deny.matching(&path("SECRET")).is_some(), denied, "{ignores}");
    }
}

#[test]
fn a_key_that_nobody_reads_and_a_pattern_that_matches_nothing_are_told() {
    let told = settings(&[("redraft.denny", "x"), ("redraft.allow", "./x"), ("redraft.DENY", "y")]).expect("settings");
    assert_eq!(told.deny.matching(&path("y")).map(ToString::to_string).as_deref(), Some("y"));
    match &told.warnings[..] {
        [ConfigWarning::UnknownKey { key, nearest }, ConfigWarning::DeadPattern { key: dead, pattern, .. }] => {
            assert_eq!((&key[..], *nearest), ("redraft.denny", Some("redraft.deny")));
            assert_eq!((*dead, &pattern[..]), ("redraft.allow", "./x"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_may_add_a_check_and_takes_none_away() {
    let set = Settings { verify: Some("a".to_owned()), ..Settings::default() };
    let commands = |settings: &Settings, asked| settings.checks(asked, None).map(|verify| verify.commands);
    assert_eq!(commands(&Settings::default(), None), None);
    assert_eq!(commands(&Settings::default(), Some("b")), Some(vec!["b".to_owned()]));
    assert_eq!(commands(&set, None), Some(vec!["a".to_owned()]));
    assert_eq!(commands(&set, Some("b")), Some(vec!["a".to_owned(), "b".to_owned()]));
    let [short, long] = [7, 700].map(Duration::from_secs);
    let most = Settings { verify_timeout: Some(Duration::from_secs(10)), ..set.clone() };
    let timeout = |settings: &Settings, asked| settings.checks(None, asked).map(|verify| verify.timeout.as_secs());
    assert_eq!(
        (timeout(&set, None), timeout(&set, Some(short)), timeout(&set, Some(long))),
        (Some(120), Some(7), Some(700))
    );
    assert_eq!(
        (timeout(&most, None), timeout(&most, Some(short)), timeout(&most, Some(long))),
        (Some(10), Some(7), Some(10))
    );
}

#[test]
fn only_the_configuration_allows_that_nothing_is_recorded() {
    use RecordKind::{Commit, History, None as Nothing};
    for (set, asked, given) in [
        (None, None, Some(History)),
        (None, Some(Commit), Some(Commit)),
        (None, Some(Nothing), None),
        (Some(Commit), None, Some(Commit)),
        (Some(Commit), Some(Nothing), None),
        (Some(Nothing), Some(Nothing), Some(Nothing)),
        (Some(Nothing), None, Some(Nothing)),
        (Some(Nothing), Some(History), Some(History)),
    ] {
        let settings = Settings { record: set, ..Settings::default() };
        assert_eq!(settings.record_kind(asked).ok(), given, "{set:?}, {asked:?}");
    }
}

#[test]
fn what_is_denied_or_not_allowed_is_refused_with_the_pattern() {
    let patterns = |pattern: &str| Patterns::new(vec![pattern.into()], Letters::Differ);
    let deny = Settings { deny: patterns("*.lock"), ..Settings::default() };
    let allow = Settings { allow: patterns("src/"), ..Settings::default() };
    let both = Settings { deny: patterns("*.lock"), ..allow.clone() };
    let told = |settings: &Settings, at: &str| match check::policy(settings, &path(at)) {
        Ok(()) => None,
        Err(Finding::Policy { path, pattern, .. }) if path == at => Some(pattern),
        Err(other) => panic!("{other}"),
    };
    let lock = Some(Some("*.lock".to_owned()));
    assert_eq!(
        (told(&Settings::default(), "a.lock"), told(&deny, "a.rs"), told(&deny, "a.lock")),
        (None, None, lock.clone())
    );
    assert_eq!((told(&allow, "src/a"), told(&allow, "a")), (None, Some(None)));
    assert_eq!((told(&both, "src/a"), told(&both, "src/a.lock"), told(&both, "a")), (None, lock, Some(None)));
}

fn known(path: &RepoPath) -> Known<'_> {
    Known { path, blob: BlobId::from_bytes([1; 20]), mtime_ms: 5, size_bytes: 7, bytes: b"" }
}

#[test]
fn a_file_that_is_not_as_the_caller_believes_is_refused_with_what_differs() {
    let at = path("a");
    let (one, two) = (BlobId::from_bytes([1; 20]), BlobId::from_bytes([2; 20]));
    let expect = |mtime_ms, size_bytes, blob| Expectation { mtime_ms, size_bytes, blob, ..Expectation::default() };
    for (expected, differs) in [
        (expect(None, None, None), None),
        (expect(Some(5), Some(7), Some(one)), None),
        (expect(Some(6), Some(7), Some(one)), Some("its modification time is another")),
        (expect(None, Some(8), None), Some("its size is another")),
        (expect(None, None, Some(two)), Some("its content is another")),
        (expect(Some(4), Some(7), Some(two)), Some("its modification time is another, its content is another")),
    ] {
        match check::expectation(&expected, &known(&at)) {
            Ok(()) => assert_eq!(differs, None),
            Err(Finding::ChangedSinceRead { what, mtime_ms: 5, size_bytes: 7, blob, .. }) => {
                assert_eq!((Some(&what[..]), blob), (differs, one));
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn only_the_bytes_that_the_session_read_may_be_edited() {
    let at = path("a");
    let receipt =
        |n| Receipt { path: at.clone(), blob: BlobId::from_bytes([n; 20]), mtime_ms: 0, size_bytes: 0, lines: None };
    assert_eq!(check::receipt(None, &known(&at)), Err(Finding::NotRead("a".to_owned())));
    assert_eq!(check::receipt(Some(&receipt(1)), &known(&at)), Ok(()));
    assert!(matches!(check::receipt(Some(&receipt(2)), &known(&at)), Err(Finding::ChangedSinceRead { .. })));
}

#[test]
fn where_clean_files_are_asked_for_any_other_is_refused_with_its_state() {
    let at = path("a");
    for state in [None, Some(PathState::Clean)] {
        assert_eq!(check::clean(&at, state), Ok(()));
    }
    for (state, told) in [
        (PathState::Modified, "modified"),
        (PathState::Added, "added"),
        (PathState::Untracked, "untracked"),
        (PathState::Ignored, "ignored"),
    ] {
        let refused = Finding::NotClean { path: "a".to_owned(), state: told };
        assert_eq!(check::clean(&at, Some(state)), Err(refused));
    }
}

#[test]
fn the_patterns_of_a_key_are_its_own() {
    let lines = [("redraft.deny", "d"), ("redraft.allow", "a"), ("redraft.confirm", "c")];
    let read = settings(&lines).expect("settings");
    for key in KEYS.iter().filter(|key| key.values == Values::Patterns) {
        let line = lines.iter().find(|(name, _)| *name == key.name).expect("a key with patterns");
        assert_eq!(read.patterns(key).texts().collect::<Vec<_>>(), [line.1], "{}", key.name);
    }
}

#[test]
fn head_is_the_commit_that_the_request_names_or_is_told() {
    let [one, two] = [1, 2].map(|n| CommitId::from_bytes([n; 20]));
    assert_eq!(check::head(Some(one), one), Ok(()));
    for (found, told) in [(Some(two), two.to_string()), (None, "unborn".to_owned())] {
        let error = check::head(found, one).expect_err("another");
        assert_eq!(error.to_string(), format!("HEAD is {told}, not {one}"));
    }
}

#[test]
fn a_receipt_is_of_one_session_and_one_path_until_it_is_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = StateDir::new(folder.path(), "main");
    let receipt = |at: &str| Receipt {
        path: path(at),
        blob: BlobId::from_bytes([1; 20]),
        mtime_ms: 5,
        size_bytes: 7,
        lines: None,
    };
    for name in ["s1", "../x", "", &"long".repeat(20)] {
        let session = Session::new(&place, name);
        assert_eq!(session.receipt(&path("a")).expect("nothing"), None, "{name}");
        session.leave(&receipt("a")).expect("written");
        assert_eq!(session.receipt(&path("a")).expect("reads"), Some(receipt("a")), "{name}");
        assert_eq!(session.receipt(&path("b")).expect("nothing"), None, "{name}");
        assert_eq!(Session::new(&place, "other").receipt(&path("a")).expect("nothing"), None, "{name}");
        // A receipt of another path under this one's name is none.
        let files = || std::fs::read_dir(session_folder(&place, name)).expect("a folder").filter_map(Result::ok);
        let file = files().next().expect("one receipt").path();
        std::fs::write(&file, serde_json::to_vec(&receipt("b")).expect("JSON")).expect("written");
        assert_eq!(session.receipt(&path("a")).expect("reads"), None, "{name}");
        session.forget(&path("a")).expect("removed");
        assert_eq!(files().count(), 0, "{name}");
    }
    assert!(std::fs::read_dir(folder.path()).expect("a folder").count() > 0);
}

/// The folder that this session alone has.
fn session_folder(place: &StateDir, name: &str) -> std::path::PathBuf {
    let plain = place.sessions().join(name);
    if name == "s1" {
        plain
    } else {
        place.sessions().join(format!("session.{}", crate::git::blob_id(name.as_bytes())))
    }
}

#[test]
fn what_a_change_leaves_behind_is_refused_and_what_was_there_is_not() {
    let told = |old: &str, new: &str| match refuse_leftovers(&path("a"), old.as_bytes(), new.as_bytes()) {
        Ok(()) => None,
        Err(CommitRefusal::ConflictMarker(_, line)) => Some(format!("marker in line {line}")),
        Err(CommitRefusal::OmittedCode(_, line)) => Some(line),
        Err(other) => Some(other.to_string()),
    };
    assert_eq!(told("a\n", "a\nb\n"), None);
    assert_eq!(told("a\n", "a\n<<<<<<< HEAD\n"), Some("marker in line 2".to_owned()));
    assert_eq!(told("a\n", ">>>>>>> theirs\n"), Some("marker in line 1".to_owned()));
    assert_eq!(told("<<<<<<< HEAD\n", "a\n<<<<<<< HEAD\n"), None, "it was there");
    assert_eq!(told("", "<<<<<<<\n=======\n"), None, "a heading");
    assert_eq!(told("a\n", "// ... existing code ...\n"), Some("// ... existing code ...".to_owned()));
}
