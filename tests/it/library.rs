//! redraft as a library only: several workspaces in one process, and nothing of the process changed.

use crate::support::TestRepo;
use redraft::{
    Code, Edit, EditOptions, Env, FixedClock, Interrupt, LogQuery, Reason, RecordKind, Request, SeededRandomness,
    UndoRequest, Workspace,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn open(repo: &TestRepo) -> Workspace {
    Workspace::open(&Env::in_dir(repo.root()).expect("absolute")).expect("a working tree")
}

fn edit(path: &str, old: &str, new: &str) -> Request {
    Request::edit(path, [Edit::new(old, new).expect("an edit")]).expect("a path")
}

/// Twenty edits, the last ten taken back; what is left, and what the history says of it.
fn work(workspace: &Workspace, name: &str) -> usize {
    for n in 0..20 {
        let mut request = edit("a.txt", &format!("line {n}\n"), &format!("{name} {n}\n"));
        request.agent.name = Some(name.to_owned());
        let edited = workspace.edit(&request, &EditOptions::default()).expect("fits");
        assert!(edited.applied && edited.replacements == 1 && edited.files[0].edits[0].start_line == n + 1);
    }
    for _ in 0..10 {
        workspace.undo(&UndoRequest::newest(), &Default::default()).expect("in force");
    }
    let blamed = workspace.blame("a.txt").expect("lines");
    let agents = blamed.iter().filter_map(|line| line.record.as_ref()?.agent.clone());
    assert_eq!(agents.filter(|agent| agent == name).count(), 10);
    workspace.log(&LogQuery::default()).expect("a history").len()
}

#[test]
fn two_workspaces_work_on_two_threads_at_once_and_leave_the_process_as_it_is() {
    let text: String = (0..20).map(|n| format!("line {n}\n")).collect();
    let repos = [0, 1].map(|_| TestRepo::with_files(&[("a.txt", &text)]));
    let before = (std::env::current_dir().expect("a directory"), std::env::vars_os().collect::<Vec<_>>());
    // Opened here, used there: a workspace may be handed over.
    let workspaces = repos.each_ref().map(open);
    let lengths: Vec<usize> = std::thread::scope(|scope| {
        let names = ["left", "right"].into_iter().zip(workspaces);
        let threads: Vec<_> = names.map(|(name, workspace)| scope.spawn(move || work(&workspace, name))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends well")).collect()
    });
    assert_eq!(lengths, [30, 30]);
    for (repo, name) in repos.iter().zip(["left", "right"]) {
        let lines = (0..20).map(|n| if n < 10 { format!("{name} {n}\n") } else { format!("line {n}\n") });
        assert_eq!(repo.text("a.txt"), lines.collect::<String>());
        repo.git(&["fsck", "--strict"]);
    }
    let after = (std::env::current_dir().expect("a directory"), std::env::vars_os().collect::<Vec<_>>());
    assert_eq!(before, after);
}

#[test]
fn two_workspaces_of_one_repository_wait_for_each_other() {
    let text: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    std::thread::scope(|scope| {
        for half in 0..2 {
            let workspace = open(&repo);
            scope.spawn(move || {
                for n in (half * 20)..(half * 20 + 20) {
                    let request = edit("a.txt", &format!("line {n}\n"), &format!("done {n}\n"));
                    workspace.edit(&request, &EditOptions::default()).expect("nobody's edit is in the way");
                }
            });
        }
    });
    assert_eq!(repo.text("a.txt"), (0..40).map(|n| format!("done {n}\n")).collect::<String>());
    assert_eq!(open(&repo).log(&LogQuery::default()).expect("a history").len(), 40);
}

#[test]
fn with_a_standing_clock_and_a_seed_records_are_the_same_in_every_run() {
    let run = || {
        let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
        let env = Env::in_dir(repo.root())
            .expect("absolute")
            .with_clock(FixedClock("2026-11-21T12:00:00Z".parse().expect("a time")))
            .with_randomness(SeededRandomness::new(7));
        let workspace = Workspace::open(&env).expect("a working tree");
        workspace.edit(&edit("a.txt", "one", "two"), &EditOptions::default()).expect("fits");
        let log = workspace.log(&LogQuery::default()).expect("a history");
        (log[0].id.to_string(), log[0].time_ms)
    };
    let first = run();
    assert_eq!(first, run());
    assert_eq!(first.1, 1_795_262_400_000);
}

#[test]
fn records_are_in_the_order_in_which_they_were_made_though_the_clock_went_back() {
    for seals in [false, true] {
        let repo = TestRepo::with_files(&[("a.txt", "0\n")]);
        let mut made = Vec::new();
        for (n, day) in ["2026-11-21", "2026-09-30", "2026-11-20", "2025-12-31"].into_iter().enumerate() {
            let time = format!("{day}T12:00:00Z").parse().expect("a time");
            let env = Env::in_dir(repo.root()).expect("absolute").with_clock(FixedClock(time));
            let workspace = Workspace::open(&env).expect("a working tree");
            let (old, new) = (format!("{n}\n"), format!("{}\n", n + 1));
            workspace.edit(&edit("a.txt", &old, &new), &EditOptions::default()).expect("fits");
            made.push(open(&repo).log(&LogQuery::default()).expect("a history")[0].id.to_string());
            if seals {
                assert_eq!(repo.redraft(&["gc"], "").status, 0);
            }
        }
        made.reverse();
        let log = open(&repo).log(&LogQuery::default()).expect("a history");
        assert_eq!(log.iter().map(|record| record.id.to_string()).collect::<Vec<_>>(), made);
        for n in (0..4).rev() {
            repo.done(&["undo"], "");
            assert_eq!(repo.text("a.txt"), format!("{n}\n"));
        }
    }
}

#[test]
fn refusals_are_typed_and_nothing_is_written() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\none\n")]);
    let workspace = open(&repo);
    let refused = workspace.edit(&edit("a.txt", "one", "1"), &EditOptions::default()).expect_err("ambiguous");
    assert_eq!((refused.reason(), refused.code()), (Reason::Ambiguous, Code::InvalidParam));
    assert_eq!((refused.path(), refused.edit()), (Some("a.txt"), Some(0)));
    assert!(!refused.hint().is_empty());
    let missing = workspace.show("@").expect_err("there is no record");
    assert_eq!(missing.reason(), Reason::NoSuchRecord);
    let nowhere = Workspace::open(&Env::in_dir(repo.outside()).expect("absolute"));
    assert_eq!(nowhere.err().expect("no repository").reason(), Reason::NotARepository);
    assert_eq!(repo.text("a.txt"), "one\ntwo\none\n");
}

#[test]
fn a_person_is_asked_and_a_no_changes_nothing() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let workspace = open(&repo);
    let asked = AtomicUsize::new(0);
    let no = |diff: &str| {
        assert!(diff.contains("-one\n+two\n"));
        asked.fetch_add(1, Ordering::Relaxed);
        false
    };
    let mut options = EditOptions::default();
    options.confirm = true;
    options.ask = Some(&no);
    let refused = workspace.edit(&edit("a.txt", "one", "two"), &options).expect_err("no");
    assert_eq!((refused.reason(), asked.load(Ordering::Relaxed)), (Reason::Declined, 1));
    assert_eq!(repo.text("a.txt"), "one\n");
}

#[test]
fn an_interrupt_stops_the_check_of_an_edit_and_undoes_it() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let (listened, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    struct Ended(Arc<AtomicUsize>);
    impl Drop for Ended {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (on_listen, on_end) = (Arc::clone(&listened), Arc::clone(&ended));
    // What a signal would do, as soon as somebody listens.
    let interrupt = Interrupt::caught(move |flag| {
        on_listen.fetch_add(1, Ordering::Relaxed);
        flag.store(true, Ordering::Relaxed);
        Box::new(Ended(Arc::clone(&on_end)))
    });
    let env = Env::in_dir(repo.root()).expect("absolute").with_interrupt(interrupt);
    let workspace = Workspace::open(&env).expect("a working tree");
    workspace.check(&edit("a.txt", "one", "two"), &EditOptions::default()).expect("fits");
    assert_eq!(listened.load(Ordering::Relaxed), 0);
    let mut options = EditOptions::default();
    options.verify = Some("sleep 60".to_owned());
    let refused = workspace.edit(&edit("a.txt", "one", "two"), &options).expect_err("told to stop");
    assert_eq!(refused.reason(), Reason::VerifyFailed);
    assert_eq!((listened.load(Ordering::Relaxed), ended.load(Ordering::Relaxed)), (1, 1));
    assert_eq!(repo.text("a.txt"), "one\n");
}

#[test]
fn files_are_made_moved_and_removed_in_one_request() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "x x\n")]);
    let workspace = open(&repo);
    let everywhere = Edit::new("x", "y").expect("an edit").everywhere();
    let request = Request::rename("a.txt", "d/a.txt", [Edit::new("one", "1").expect("an edit")])
        .expect("paths")
        .and(Request::delete("b.txt").expect("a path"))
        .and(Request::create("e.txt", "new\n").expect("a path"))
        .and(Request::edit("c.txt", [everywhere]).expect("a path"));
    let edited = workspace.edit(&request, &EditOptions::default()).expect("fits");
    assert_eq!(edited.files[0].from.as_ref().map(ToString::to_string).as_deref(), Some("a.txt"));
    assert_eq!(
        (repo.text("d/a.txt"), repo.text("e.txt"), repo.text("c.txt")),
        ("1\n".into(), "new\n".into(), "y y\n".into())
    );
    assert!(!repo.has("a.txt") && !repo.has("b.txt"));
    workspace.undo(&UndoRequest::records(["@"]), &Default::default()).expect("in force");
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), ("one\n".into(), "two\n".into()));
}

#[test]
fn an_edit_is_recorded_in_git_as_the_options_say() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    let hook = repo.root().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().expect("a folder")).expect("made");
    std::fs::write(&hook, "#!/bin/sh\nexit 1\n").expect("written");
    #[cfg(unix)]
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let workspace = open(&repo);
    let mut options = EditOptions::default();
    options.record = Some(RecordKind::Commit);
    options.author = Some("Somebody Else <else@example.com>".to_owned());
    let refused = workspace.edit(&edit("a.txt", "one", "1"), &options).expect_err("the hook says no");
    assert_eq!((refused.reason(), repo.text("a.txt").as_str()), (Reason::HookFailed, "one\ntwo\nthree\n"));
    options.no_verify = true;
    let edited = workspace.edit(&edit("a.txt", "one", "1"), &options).expect("no hook is asked");
    let commit = edited.record.and_then(|record| record.commit).expect("a commit");
    let told = repo.git(&["log", "-1", "--format=%H %an <%ae>"]);
    assert_eq!(told.trim(), format!("{commit} Somebody Else <else@example.com>"));

    let mut options = EditOptions::default();
    options.shelve = true;
    let shelved = workspace.edit(&edit("a.txt", "two", "2"), &options).expect("it goes into the stash");
    assert!(!shelved.applied && shelved.record.and_then(|record| record.stash).is_some());
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
    assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);

    let mut options = EditOptions::default();
    options.index = true;
    workspace.edit(&edit("a.txt", "three", "3"), &options).expect("both versions have it");
    assert_eq!((repo.text("a.txt"), repo.git(&["show", ":a.txt"])), ("1\ntwo\n3\n".into(), "1\ntwo\n3\n".into()));
    options.record = Some(RecordKind::Commit);
    let refused = workspace.edit(&edit("a.txt", "two", "2"), &options).expect_err("one or the other");
    assert_eq!(refused.reason(), Reason::ContradictoryFields);
}

#[test]
fn a_request_with_an_id_is_done_once_and_answered_the_same_again() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let workspace = open(&repo);
    let mut request = edit("a.txt", "one", "one one");
    request.request_id = Some("r1".to_owned());
    let first = workspace.edit(&request, &EditOptions::default()).expect("fits");
    let again = workspace.edit(&request, &EditOptions::default()).expect("is answered");
    assert_eq!(format!("{:?}", again.record), format!("{:?}", first.record));
    assert_eq!(repo.text("a.txt"), "one one\n");
    request.message = Some("another request".to_owned());
    let refused = workspace.edit(&request, &EditOptions::default()).expect_err("the id is taken");
    assert_eq!(refused.reason(), Reason::RequestIdReused);
}
