//! Every cause, told to the callers of each dialect in their own words.

use super::*;
use crate::dialect::{self, Limits};
use crate::error::{NearPaths, NoSuchLines};
use crate::git::RepoError;
use crate::git_record::{Contradiction, GitRecordError, GitWarning, UserLines};
use crate::history::{
    BackupNote, Chain, Condition, HistoryError, HistoryWarning, Nothing, Obstacle, UndoConflict, UndoNote,
};
use crate::id::{BlobId, CommitId, RecordId};
use crate::patch::merge::{Uncertain, Written};
use crate::patch::{CompileError, CompileOptions, SpliceError, compile};
use crate::path::RepoPath;
use crate::policy::{CommitRefusal, ConfigError, EditsNow, Finding};
use crate::record::RecordClass;
use crate::request::{Dialect, Edit, Mode};
use crate::strategy::{Level, Strategy};
use crate::text::Text;
use crate::transaction::{JournalDamage, LeftAlone, Note, TransactionError};
use crate::warning::Warning;
use crate::worktree::{Unusual, WorktreeError};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

fn edit(old: &str, new: &str) -> Edit {
    Edit::new(old, new).expect("an edit")
}

fn compile_error(text: &[u8], edits: &[Edit], level: Level) -> CompileError {
    let text = Text::new(text.to_vec()).expect("no NUL");
    let options = CompileOptions { mode: Mode::Original, level, refuse_nested: true, ..CompileOptions::default() };
    compile(&text, edits, &options).expect_err("it is refused")
}

fn compile_errors() -> Vec<CompileError> {
    let counted = |old: &str, expected: usize| {
        let mut edit = edit(old, "y");
        (edit.replace_all, edit.expected_replacements) = (true, Some(expected));
        edit
    };
    let text = b"a\nx\nb\na\nx\nlong\n";
    let file = b"begin {\n  let one = 1;\n  let two = 2;\n}\n";
    vec![
        compile_error(text, &[edit("nowhere near", "y")], Level::Exact),
        compile_error(file, &[edit("begin {\n\tlet one = 1;", "y")], Level::Exact),
        compile_error(text, &[edit("x", "y")], Level::Exact),
        compile_error(text, &[counted("x", 3)], Level::Exact),
        compile_error(file, &[edit("let one = 0;", "let one = 1;")], Level::Exact),
        compile_error(file, &[edit("let one = 1;", "// ... rest of the code")], Level::Exact),
        compile_error(b"\xff x\n", &[edit("x", "\u{e9}")], Level::Exact),
        compile_error(text, &[edit("b", "\0")], Level::Exact),
        compile_error(file, &[edit("let one", "let six"), edit("one = 1", "one = 2")], Level::Exact),
        compile_error(file, &[edit("one", "two"), edit("two", "three")], Level::Exact),
        compile_error(b"  some_call();\nx\n    some_call();\n", &[edit("\tsome_call();", "z")], Level::Loose),
        compile_error(file, &[edit("begin {\n  let six = 1;\n  let two = 2;\n}", "y")], Level::Fuzzy),
        compile_error(
            b"begin\n  new_call();\nend\n",
            &[edit("begin\n  old_call();\nend", "begin\n  new_call();\nend")],
            Level::Fuzzy,
        ),
        compile_error(file, &[edit("let two = 2; ", "let two = 2;")], Level::Only(Strategy::LineTrimmed)),
    ]
}

fn id(letter: char) -> RecordId {
    RecordId::from_random([letter as u8; 8])
}

fn repo_errors() -> Vec<RepoError> {
    let path = || PathBuf::from("/x");
    vec![
        RepoError::NotARepository(path()),
        RepoError::BrokenGitFile(path()),
        RepoError::BadRemote("-x".into()),
        RepoError::RefLocked { locks: vec![path(), path()], waited_ms: 5 },
        RepoError::Bare(path()),
        RepoError::InsideGitDir(path()),
        RepoError::UnsafeOwner(path()),
        RepoError::Unsupported { extension: "extensions.x".into() },
        RepoError::Config { key: "k".into(), value: "v".into(), wanted: "a number" },
        RepoError::Io { verb: "read", path: path(), source: io::ErrorKind::Other.into() },
        RepoError::Program { command: "add".into(), output: "no".into() },
        RepoError::IndexLocked { lock: path(), waited_ms: 1 },
        RepoError::InTheWay("a/b".into()),
        RepoError::Git { verb: "read HEAD", cause: "x".into() },
    ]
}

fn worktree_errors() -> Vec<WorktreeError> {
    use WorktreeError as E;
    let path = || "a.txt".to_owned();
    let io_error = |kind: io::ErrorKind| E::Io { verb: "write", path: path(), source: kind.into() };
    vec![
        E::DanglingLink(path()),
        E::NoSuchFile(path()),
        E::NotADirectory(path(), "a".into()),
        E::BadName(path(), io::ErrorKind::InvalidFilename.into()),
        E::Directory(path()),
        E::SpecialFile(path(), "FIFO"),
        E::SymlinkEscape(path()),
        E::GitInternals(path()),
        E::Submodule(path(), "sub".into()),
        E::MakesRepository(path(), "sub".into()),
        E::Unreadable { path: path(), source: io::ErrorKind::PermissionDenied.into() },
        E::Unwritable { path: path(), why: "it is read-only", unusual: Some(Unusual::ReadOnly) },
        E::Unwritable { path: path(), why: "it is so", unusual: None },
        E::UnsupportedFile { path: path(), why: "it is hard-linked", unusual: Unusual::HardLink },
        E::TooLarge { path: path(), size: 2, limit: 1 },
        E::ResultTooLarge { path: path(), size: 2, limit: 1 },
        E::Exists(path()),
        E::ChangedWhileEditing { path: path(), what: "its time".into() },
        io_error(io::ErrorKind::Other),
        io_error(io::ErrorKind::StorageFull),
        io_error(io::ErrorKind::PermissionDenied),
    ]
}

fn transaction_errors() -> Vec<TransactionError> {
    use TransactionError as E;
    let failed = |timed_out| E::VerifyFailed {
        command: "make".into(),
        how: "ended with exit status: 1".into(),
        output: "first\nlast\n".into(),
        timed_out,
    };
    vec![
        E::NoSuchBackup("x".into()),
        E::LockTimeout { holder: "1".into(), waited_ms: 1 },
        E::RecoveryNeeded { id: id('a'), what: "x".into(), versions: "/v".into() },
        E::Unsettled { id: id('a'), source: Box::new(io::Error::other("x")) },
        failed(true),
        failed(false),
        E::FollowUp(Box::new(GitRecordError::HeadMoved)),
        E::FollowUp(Box::new(io::Error::other("x"))),
        E::Io { verb: "write", path: "the journal".into(), source: io::ErrorKind::Other.into() },
    ]
}

fn findings() -> Vec<Finding> {
    use Finding as F;
    let path = || "a.txt".to_owned();
    vec![
        F::Policy { path: path(), rule: "git config redraft.deny has \"a*\"".into(), pattern: Some("a*".into()) },
        F::Laxer { key: "redraft.match", value: "exact".into() },
        F::Declined(path()),
        F::NotServed("a verification"),
        F::NobodyToAsk { path: path(), rule: Some("redraft.confirm") },
        F::ChangedSinceRead {
            path: path(),
            what: "its size is another".into(),
            mtime_ms: 1,
            size_bytes: 1,
            blob: BlobId::NONE,
            edits: EditsNow::Fit,
        },
        F::NotRead(path()),
        F::NoSession(path()),
        F::NotClean { path: path(), state: "modified" },
        F::HeadMoved { wanted: CommitId::from_bytes([1; 20]), found: None },
        F::SameFile(path(), path()),
        F::BelowFile(path(), path()),
        F::BadRoot("x".into(), "it is no directory".into()),
        F::NewTextHasNul(path()),
        F::Binary { path: path(), offset: 1 },
        F::SameText(path()),
        F::RequestIdReused("1".into()),
        F::OutsideRoot(path(), "src".into()),
        F::ExistsInHead(path()),
    ]
}

fn git_record_errors() -> Vec<GitRecordError> {
    use GitRecordError as E;
    let lines = || {
        let (text, committed) = ("mine\n".to_owned(), "theirs\n".to_owned());
        vec![UserLines { edit: 0, start_line: 3, end_line: 3, text, committed }]
    };
    vec![
        E::NotCommittable { path: "a".into(), why: "x".into() },
        E::DoesNotFit { path: "a".into(), why: "x".into(), lines: lines() },
        E::UnstagedOverlap { path: "a".into(), why: "x".into(), lines: lines() },
        E::Unmerged("a".into()),
        E::Operation("merge"),
        E::InOperation("merge"),
        E::HeadMoved,
        E::Unborn,
        E::Hook("says no\n".into()),
        E::RefNotMoved("fatal: cannot update the ref 'HEAD'\n".into()),
        E::Signing("no key\n".into()),
        E::BadAuthor("x".into()),
        E::BadMessage,
        Contradiction::ShelveElsewhere.into(),
        Contradiction::AuthorWithoutCommit.into(),
        Contradiction::IndexAndCommit.into(),
        Contradiction::NotesOfPeople.into(),
        E::Filtered("a".into()),
        E::Program("git hash-object answered \"\"".into()),
        E::Io { verb: "copy", what: "the index", source: io::ErrorKind::Other.into() },
    ]
}

fn history_errors() -> Vec<HistoryError> {
    use HistoryError as E;
    let conflict = UndoConflict {
        record: id('a'),
        path: "a".into(),
        hunk: Some(1),
        why: Obstacle::Gone,
        lines: Some((1, 2)),
        text: Some("x\n".into()),
        left: Some("y\n".into()),
        changed_by: Some(id('b')),
        changed_in: None,
    };
    let nothing = [
        Nothing::NoUndoInForce,
        Nothing::NoneFits,
        Nothing::Untouched { path: "a".into(), near: vec!["b".into()] },
        Nothing::Untouched { path: "a".into(), near: Vec::new() },
        Nothing::NotUndone(id('a')),
        Nothing::Undone { id: id('a'), by: id('b') },
        Nothing::Redone { id: id('a'), by: id('b') },
        Nothing::UndoneAnew { id: id('a'), by: id('b'), anew: id('c') },
        Nothing::StagedUndone("a".into()),
        Nothing::TakenOutAgain { path: "a".into(), by: id('b') },
        Nothing::HunkOfUndo(id('a')),
        Nothing::NoSuchHunk { id: id('a'), hunks: 2 },
        Nothing::HunkUndone { hunk: 1, id: id('a') },
        Nothing::InPaths(id('a')),
        Nothing::AsBefore(vec!["a".into()]),
        Nothing::CancelsOut(vec!["a".into()]),
        Nothing::SameWithout("a".into()),
        Nothing::InPlace(vec!["a".into()]),
        Nothing::Staged("a".into()),
        Nothing::DoneAgain { path: "a".into(), by: id('b') },
        Nothing::RenamedAgain { was: "a".into(), now: "b".into() },
    ];
    let mut all: Vec<HistoryError> = nothing.into_iter().map(E::NothingToUndo).collect();
    all.extend([
        E::NoSuchRecord("x".into()),
        E::NoSuchEnd("x".into()),
        E::MixedRange { record: "@".into(), commit: "HEAD".into() },
        E::NotInThisWorktree(id('a')),
        E::TextNotKept { path: "x".into(), record: id('a') },
        E::BackupEmpty { record: id('a'), files: vec!["x".into()], is_known: true },
        E::BackupEmpty { record: id('a'), files: vec!["x".into(), "y".into()], is_known: false },
        E::BackupEmpty { record: id('a'), files: Vec::new(), is_known: false },
        E::BackupNotWhole {
            record: id('a'),
            lost: vec![("x".into(), Condition::Damaged), ("y".into(), Condition::Gone)],
            whole: vec!["z".into()],
        },
        E::BackupNotWhole { record: id('a'), lost: vec![("x".into(), Condition::Damaged)], whole: Vec::new() },
        E::NoneSelected(Vec::new()),
        E::NothingToCommit(Nothing::InHead),
        E::NothingToCommit(Nothing::NoneFits),
        E::NoFileThen { path: "x".into(), record: id('a') },
        E::AmbiguousRecord { prefix: "x".into(), candidates: vec!["xa".into()] },
        E::TurnOfSeveral { turn: "x".into(), sessions: vec!["a".into(), "b".into()] },
        E::UndoConflict(vec![conflict]),
        E::GitFailed { command: "gc".into(), output: "no".into() },
        E::RefusedChains {
            refused: vec!["refs/redraft/a/b/2026-01 is no name of a chain of records".into()],
            rewritten: Vec::new(),
        },
        E::RefusedChains { refused: vec!["it was rewritten".into()], rewritten: vec!["kkkkkkkk".into()] },
        E::NotSent(vec!["refs/redraft/a/b/2026-01 is not sent".into()]),
        E::Damaged("x".into()),
        E::Io { verb: "read", path: PathBuf::from("/x"), source: io::ErrorKind::Other.into() },
    ]);
    all
}

/// Bad requests of a dialect.
fn requests(dialect: Dialect) -> Vec<Error> {
    let bad = match dialect {
        Dialect::OpenCode => vec![
            r#"{"filePath":"a","oldString":"x"}"#,
            r#"{"filePath":"a","oldString":"","newString":"x"}"#,
            r#"{"filePath":"a","oldString":"x","newString":"x"}"#,
            r#"{"filePath":"a","oldString":1,"newString":"x"}"#,
            r#"{"filePath":"a","oldString":"x","newString":"y","replace":true}"#,
            r#"{"filePath":"../a","oldString":"x","newString":"y"}"#,
        ],
        Dialect::Standard => vec![
            "",
            "[",
            "[]",
            r#"{"path":"a"}"#,
            r#"{"path":"/a","delete":true}"#,
            r#"{"path":"a","edits":[]}"#,
            r#"{"path":"a","edits":[{"old_string":"","new_string":"x"}]}"#,
            r#"{"path":"a","edits":[{"old_string":"x","new_string":"x"}]}"#,
            r#"{"path":"a","delete":true,"content":"x"}"#,
            r#"{"path":"a","delete":"x"}"#,
            r#"{"files":[{"path":"a","delete":true},{"path":"a","delete":true}]}"#,
        ],
        Dialect::ClaudeCode | Dialect::ClaudeCodeOpen => vec![
            r#"{"file_path":"/a","edits":[{"old_string":"x","new_string":"x"}]}"#,
            r#"{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"","new_string":"x"}]}"#,
            r#"{"file_path":"/a","edits":[{"old_string":"x"}]}"#,
            r#"{"file_path":"/a","edits":[{"old_string":"x","new_string":"y","line":1}]}"#,
            r#"{"file_path":"/a"}"#,
            r#"{"file_path":"/a/","edits":[{"old_string":"x","new_string":"y"}]}"#,
        ],
        Dialect::ApplyPatch => vec!["*** Begin Patch", "*** Begin Patch\n*** Update File: a\nx", r#"{"input":5}"#],
        Dialect::UnifiedDiff => vec!["", "--- a/x\n+++ b/x\n@@ -1 +1 @@\nx", "diff --git a/x b/x\nGIT binary patch\n"],
        Dialect::SearchReplace => vec!["<<<<<<< SEARCH", "a.txt\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n"],
        Dialect::TextEditor => vec![r#"{"command":"x","path":"a"}"#, r#"{"command":"insert","path":"a"}"#],
        Dialect::Gemini => {
            vec![r#"{"file_path":"a","old_string":"x"}"#, r#"{"file_path":"a","content":"x","new_string":""}"#]
        }
        Dialect::Lines => {
            vec!["[a#12AB]\nPUT", r#"{"path":"a","ops":[]}"#, r#"{"path":"a","fingerprint":"12ab","ops":[{}]}"#]
        }
    };
    let read = |raw: &str| dialect::parse(raw.as_bytes(), Some(dialect), Limits::default());
    bad.into_iter().map(|raw| read(raw).expect_err(raw).into()).collect()
}

/// Errors about a path, with those that may be meant.
fn near(names: &[&str], in_head: Option<&str>) -> Vec<Error> {
    let near =
        NearPaths { names: names.iter().map(ToString::to_string).collect(), in_head: in_head.map(str::to_owned) };
    let absolute = RepoPath::new(b"/a").expect_err("no path of the repository");
    let errors: [Error; 2] = [WorktreeError::NoSuchFile("a.txt".into()).into(), absolute.into()];
    errors.into_iter().map(|error| Error::Near { error: Box::new(error), near: Box::new(near.clone()) }).collect()
}

/// One error of every kind, as a caller of this dialect may meet it.
fn all(dialect: Dialect) -> Vec<Error> {
    let path = || RepoPath::new(b"a.txt").expect("a path");
    let mut all = requests(dialect);
    let of_edits = |error| Error::Compile { path: path(), error: Box::new(error) };
    all.extend(compile_errors().into_iter().map(of_edits));
    all.extend(repo_errors().into_iter().map(Error::from));
    all.extend(worktree_errors().into_iter().map(Error::from));
    all.extend(transaction_errors().into_iter().map(Error::from));
    all.extend(findings().into_iter().map(Error::from));
    all.extend(git_record_errors().into_iter().map(Error::from));
    all.extend(history_errors().into_iter().map(Error::from));
    all.push(NoSuchLines::Beyond { line: 6, lines: 5 }.into());
    all.push(NoSuchLines::Unmatched { expression: "^x".to_owned(), after: 2 }.into());
    let bad_paths = [&b""[..], b"/a", b"../a", b"a\0", b"a/", b".git/x"];
    all.extend(bad_paths.map(|raw| RepoPath::new(raw).expect_err("no path").into()));
    all.push(ConfigError::BadValue { key: "redraft.match", value: "x".into(), wanted: "exact" }.into());
    let refused = [
        CommitRefusal::Unfinished,
        CommitRefusal::Unreviewable,
        CommitRefusal::Unreviewed(vec!["a (b)".into()]),
        CommitRefusal::NothingStaged,
        CommitRefusal::NoHookManager,
        CommitRefusal::NoHookFile("a".into()),
        CommitRefusal::HookLinesLeft(vec!["a:1: b".into()]),
        CommitRefusal::HookTaken("a".into(), "pre-commit".into()),
        CommitRefusal::NoHookFolder("a".into()),
        CommitRefusal::ConflictMarker(path(), 1),
        CommitRefusal::OmittedCode(path(), "...".into()),
        CommitRefusal::BadCall("prepare-commit-msg needs the file of the message"),
    ];
    all.extend(refused.map(Error::from));
    all.extend(near(&["b.txt", "c/a.txt"], None).into_iter().chain(near(&[], Some("a.txt"))));
    all.push(SpliceError::NoOrigin(0).into());
    all.push(Error::io("draw", "a random id")(io::ErrorKind::Other.into()));
    all
}

/// What is told, line by line, and why.
fn told(dialect: Dialect) -> Vec<(Reason, String)> {
    let words = dialect::words(dialect);
    let text = |told: Explanation| (told.reason, format!("{}\n{}", told.message, told.more));
    all(dialect).iter().map(|error| text(explain(error, words))).collect()
}

#[test]
fn every_reason_is_told() {
    let told: BTreeSet<Reason> = Dialect::ALL.into_iter().flat_map(told).map(|(reason, _)| reason).collect();
    let missing: Vec<&Reason> = Reason::ALL.iter().filter(|r| !told.contains(r)).collect();
    assert_eq!(missing, [] as [&Reason; 0]);
}

#[test]
fn nobody_reads_the_words_of_another_dialect() {
    let standard =
        ["expected_replacements", "require_clean", "dry_run", "agent.session", "request_id", "record: ", "`content`"];
    let camel = ["oldString", "newString", "replaceAll", "filePath"];
    let snake = ["old_string", "new_string", "replace_all", "file_path"];
    for dialect in Dialect::ALL {
        let foreign: Vec<&str> = match dialect {
            Dialect::Standard => [&camel[..], &["file_path"]].concat(),
            Dialect::ClaudeCode => [&camel[..], &standard].concat(),
            Dialect::ClaudeCodeOpen => [&camel[..], &standard, &["replace_all"]].concat(),
            Dialect::OpenCode | Dialect::ApplyPatch | Dialect::UnifiedDiff | Dialect::SearchReplace => {
                [&snake[..], &standard].concat()
            }
            Dialect::TextEditor | Dialect::Lines => [&camel[..], &snake, &standard].concat(),
            Dialect::Gemini => [&camel[..], &["require_clean", "dry_run", "request_id"]].concat(),
        };
        for (reason, text) in told(dialect) {
            let found: Vec<_> = foreign.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{} reads {found:?} for {reason}: {text}", dialect.as_str());
        }
    }
}

#[test]
fn a_caller_reads_its_own_words() {
    for dialect in Dialect::ALL {
        let words = dialect::words(dialect);
        for error in compile_errors() {
            let told = super::compile(&error, "a.txt", words);
            let names = told.message.contains(words.old) || told.message.contains(words.new);
            let of_lines = matches!(told.reason, Reason::Overlap | Reason::SameText);
            assert!(names || of_lines, "{}: {}", dialect.as_str(), told.message);
        }
    }
}

/// Whether a text says to do something.
fn has_verb(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "ask", "change", "check", "commit", "correct", "do", "edit", "finish", "give", "leave", "look", "make", "move",
        "name", "pass", "put", "raise", "read", "redo", "remove", "report", "resolve", "run", "say", "send", "set",
        "split", "take", "try", "undo", "use", "wait", "redraft", "stage",
    ];
    text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| VERBS.contains(&word))
}

#[test]
fn every_text_says_what_to_do_next_and_points_into_no_json() {
    for (reason, text) in Dialect::ALL.into_iter().flat_map(told) {
        let message = text.lines().next().unwrap_or_default();
        let next = message.split_once("; ").map_or("", |(_, next)| next);
        assert!(has_verb(next), "{reason}: {message}");
        assert!(!text.contains("data.") && !text.contains("hint"), "{reason}: {text}");
        assert!(!message.ends_with('.') && text.len() <= message.len() + 1 + MOST, "{reason}: {text}");
    }
}

/// One warning of every kind.
fn warnings() -> Vec<Warning> {
    let path = RepoPath::new(b"a.txt").expect("a path");
    let id = RecordId::from_random([1; 8]);
    let left = |backup| Note::LeftAlone(LeftAlone { path: path.clone(), id: id.clone(), backup });
    let contents = crate::transaction::parse(b"no journal");
    let damage = || JournalDamage::of(&contents.damage).expect("it is none");
    let io = || io::Error::from(io::ErrorKind::StorageFull);
    let repo = || RepoError::Config { key: "a".into(), value: "b".into(), wanted: "c" };
    let chain = Chain { clone: "abcdefgh".into(), worktree: "main".into(), month: "2026-11".into() };
    let uncertain = Uncertain {
        strategy: Strategy::LineTrimmed,
        lines: (1, 2),
        written: Written::Merged,
        overwritten: 2,
        is_seen: true,
        misquoted: None,
    };
    let mut all = vec![
        Warning::Uncertain { edit: 0, uncertain: Uncertain { misquoted: Some(b"x".to_vec()), ..uncertain.clone() } },
        Warning::Uncertain { edit: 0, uncertain },
        Warning::IndexRebuilt(chain),
        Warning::NotSealed(HistoryError::Damaged("x is missing".into())),
        Warning::NotObserved(Error::io("write", "x")(io())),
        Warning::CheckpointFailed(Error::io("write", "x")(io())),
        Warning::NoReceipt { path: path.clone(), error: io() },
    ];
    let notes = [
        left(None),
        left(Some("/x".into())),
        Note::JournalCutOff { kept: "/x".into() },
        Note::JournalDamaged { damage: damage(), kept: None },
        Note::JournalDamaged { damage: damage(), kept: Some("/x".into()) },
        Note::NotLookedAt(TransactionError::io("look at", "x")(io())),
    ];
    all.extend(notes.map(Warning::from));
    let of_git = [
        GitWarning::CommitNotNoted(io()),
        GitWarning::HookChanges(vec![path.clone()]),
        GitWarning::HookChangesNotStaged(repo().into()),
        GitWarning::IndexNotUpdated(repo()),
        GitWarning::OtherIndexNotUpdated(repo()),
        GitWarning::StagedStays(path.clone()),
        GitWarning::IgnoredNotStaged(path.clone()),
    ];
    all.extend(of_git.map(Warning::from));
    all.extend(of_history().into_iter().map(Warning::History));
    let passed = |class| UndoNote::Passed { path: path.clone(), class };
    let idle = |class| UndoNote::AsWanted { path: path.clone(), class };
    let of_undo = [
        passed(RecordClass::Undo),
        passed(RecordClass::Redo),
        idle(RecordClass::Undo),
        idle(RecordClass::Redo),
        UndoNote::Staged { path: path.clone(), class: RecordClass::Undo },
        UndoNote::DoneAgain { path: path.clone(), by: RecordId::from_random([1; 8]), class: RecordClass::Undo },
        UndoNote::Renamed(path.clone()),
        UndoNote::Untouched { path: path.to_string(), near: vec!["b".into()] },
        UndoNote::Untouched { path: path.to_string(), near: Vec::new() },
        UndoNote::RenamedAgain { was: path.clone(), now: path.clone() },
        UndoNote::SharedLeft(vec![RecordId::from_random([1; 8])]),
        UndoNote::UndosOfOthersLeft(vec![RecordId::from_random([1; 8])]),
        UndoNote::NotInForce(Nothing::NotUndone(RecordId::from_random([1; 8]))),
        UndoNote::HunksTogether { hunk: 1, others: vec![2] },
        UndoNote::HunksTogether { hunk: 1, others: vec![2, 4] },
    ];
    all.extend(of_undo.map(Warning::Undo));
    let not_whole = |condition, is_known| {
        let (record, path) = (RecordId::from_random([1; 8]), path.clone());
        BackupNote::NotWhole { record, path, condition, is_known }
    };
    let of_backups = [
        not_whole(Condition::Damaged, true),
        not_whole(Condition::Gone, false),
        BackupNote::FromHistory { path: path.clone(), condition: Condition::Gone },
        BackupNote::Unproven(RecordId::from_random([1; 8])),
    ];
    all.extend(of_backups.map(Warning::Backup));
    all
}

/// One of every kind of what the history does not have.
fn of_history() -> Vec<HistoryWarning> {
    let path = RepoPath::new(b"a.txt").expect("a path");
    let damaged = || HistoryError::Damaged("x is missing".into());
    let contents = crate::transaction::parse(b"no journal");
    let damage = JournalDamage::of(&contents.damage).expect("it is none");
    let chain = Chain { clone: "abcdefgh".into(), worktree: "main".into(), month: "2026-11".into() };
    vec![
        HistoryWarning::Unreadable(damaged()),
        HistoryWarning::Unreadable(HistoryError::io("read", "/x".as_ref())(io::ErrorKind::StorageFull.into())),
        HistoryWarning::UnreadableInFetched { chain, error: damaged() },
        HistoryWarning::JournalDamaged { damage, journal: "/x".into() },
        HistoryWarning::OldTextLost { record: RecordId::from_random([1; 8]), path: path.clone() },
        HistoryWarning::JournalCutOff("/x".into()),
        HistoryWarning::JournalAside("/x".into()),
        HistoryWarning::Mended("x is missing".into()),
        HistoryWarning::MayBeUnreviewed,
        HistoryWarning::MarksCancelled("/x".into()),
        HistoryWarning::NoCommits(damaged()),
        HistoryWarning::OtherLinesInGit(path.clone()),
        HistoryWarning::NoLineCommits { path, error: RepoError::UnsafeOwner("/x".into()) },
    ]
}

#[test]
fn every_warning_is_a_line_that_says_what_to_do_next() {
    for warning in warnings() {
        let told = super::warning(&warning, dialect::words(Dialect::Standard));
        let next = told.rsplit_once("; ").map_or("", |(_, next)| next);
        assert!(has_verb(next), "{told}");
        assert!(told.lines().count() == 1 && !told.ends_with('.'), "{told}");
    }
}

#[test]
fn what_was_found_stands_in_the_text() {
    let more = |error: &CompileError| super::compile(error, "a.txt", dialect::words(Dialect::OpenCode)).more;
    let errors = compile_errors();
    let near = more(&errors[1]);
    assert!(near.starts_with("lines 1 to 2:\nbegin {\n  let one = 1;\n"), "{near}");
    assert!(
        near.ends_with("-\u{2192}let one = 1;\n+2    \u{b7}\u{b7}let one = 1;") && near.contains("- oldString"),
        "{near}"
    );
    assert_eq!(
        more(&errors[2]),
        "for line 2, send this as oldString:\nx\nb\nfor line 5, send this as oldString:\nx\nlong"
    );
    let failed = &transaction_errors()[4];
    assert_eq!(transaction::explain(failed, &Words::COMMAND_LINE).more, "its output:\nfirst\nlast");
}

#[test]
fn where_a_file_cannot_be_told_apart_the_advice_is_to_leave_out_the_files_in_which_that_is_so() {
    let conflict = UndoConflict::of_file(RecordId::from_random([1; 8]), "a".into(), Obstacle::Uncertain);
    let message = |error: HistoryError| explain(&error.into(), &Words::COMMAND_LINE).message;
    let told = message(HistoryError::NotTellable(vec![conflict.clone()]));
    assert!(told.contains("leave the files out in which that is so (--skip-conflicts)"), "{told}");
    assert!(message(HistoryError::UndoConflict(vec![conflict])).contains("undo only a part"));
}
