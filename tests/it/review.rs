//! `redraft review` in a real terminal: what the screen shows, what keys do, and how the terminal is left.
//!
//! The terminal is tmux, each test with a server of its own. What is awaited is looked for until it is there: no time decides a test.

use crate::support::TestRepo;
use crate::support::clean;
use crate::support::run::{REDRAFT, redraft};
use serde_json::json;
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// So long it is waited for what never comes in a test that fails.
const LONGEST: Duration = Duration::from_secs(120);

/// A shell in a terminal.
struct Tmux<'r> {
    repo: &'r TestRepo,
}

impl<'r> Tmux<'r> {
    /// With so many columns and lines; none where there is no tmux.
    fn open(repo: &'r TestRepo, (width, height): (u16, u16)) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("notice: there is no tmux here; `redraft review` is not tried in a terminal");
            return None;
        }
        let tmux = Self { repo };
        let (width, height) = (width.to_string(), height.to_string());
        tmux.call(&["new-session", "-d", "-x", &width, "-y", &height, "PS1='prompt> ' exec sh"]);
        tmux.awaits("prompt>");
        Some(tmux)
    }

    fn try_call(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        let socket = self.repo.outside().join("tmux");
        command.arg("-u").arg("-S").arg(socket).args(["-f", "/dev/null"]).args(args);
        clean(&mut command, &self.repo.root()).env_remove("TMUX").env_remove("NO_COLOR").env("TERM", "xterm-256color");
        command.output().expect("tmux runs")
    }

    fn call(&self, args: &[&str]) -> String {
        let output = self.try_call(args);
        assert!(output.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types a line of shell.
    fn types(&self, line: &str) {
        self.call(&["send-keys", "-l", line]);
        self.call(&["send-keys", "Enter"]);
    }

    /// Presses keys, by tmux's names.
    fn press(&self, keys: &[&str]) {
        self.call(&[&["send-keys"], keys].concat());
    }

    /// Starts a review.
    fn review(&self, args: &str) {
        self.types(&format!("clear; {REDRAFT} review {args}; echo \"ended with $?\""));
    }

    fn screen(&self) -> String {
        self.call(&["capture-pane", "-p"])
    }

    /// Keeps the screen with its colours, for people: `cat` shows it.
    fn kept(&self, name: &str) {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("review");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), self.call(&["capture-pane", "-p", "-e"])).expect("written");
    }

    /// Waits for a screen.
    #[track_caller]
    fn awaits_that(&self, what: &str, is_it: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if is_it(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < LONGEST, "no {what:?} on the screen:\n{screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for words on the screen.
    #[track_caller]
    fn awaits(&self, words: &str) -> String {
        self.awaits_that(words, |screen| screen.contains(words))
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.try_call(&["kill-server"]);
    }
}

/// An edit in a session and a turn; gives its record.
fn edit(repo: &TestRepo, (session, turn): (&str, &str), path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": "claude", "model": "m-1", "session": session, "turn": turn});
    let edits = json!([{"old_string": old, "new_string": new}]);
    repo.apply(json!({"path": path, "edits": edits, "agent": agent, "message": format!("{new} for {old}")}))
}

/// Two sessions, the newer one with two turns.
fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"), ("b", "let x = 1;\n")]);
    edit(&repo, ("s1", "t1"), "b", ("let x = 1;", "let x = 2;"));
    edit(&repo, ("s2", "t1"), "a", ("1\n2", "ONE\n2"));
    edit(&repo, ("s2", "t2"), "a", ("8\n9", "8\nNINE"));
    repo
}

#[test]
fn the_screen_has_the_tree_the_diff_and_what_is_known() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    let screen = tmux.awaits("+NINE");
    for words in [
        "repo: 3 records",
        "▾ s2 (claude) 2",
        "▾ t2 1",
        "edit a",
        "-9",
        "by claude (m-1) session s2 turn t2",
        "in force",
    ] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    tmux.press(&["n"]);
    tmux.awaits("+ONE");
    tmux.press(&["n"]);
    tmux.awaits("+let x = 2;");
    // To the turn, which is folded; to the session, which is.
    tmux.press(&["h", "h"]);
    tmux.awaits("▸ t1 1");
    tmux.press(&["h", "h"]);
    let screen = tmux.awaits("▸ s1 (claude) 1");
    assert!(!screen.contains("let x = 2; for"), "{screen}");
    tmux.press(&["Enter"]);
    tmux.awaits("▾ s1 (claude) 1");
    tmux.press(&["q"]);
    tmux.awaits("ended with 0");
}

#[test]
fn a_filter_leaves_what_has_its_words() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["/"]);
    tmux.call(&["send-keys", "-l", "LET"]);
    let screen = tmux.awaits("1 with /LET");
    assert!(screen.contains("s1 (claude) 1") && !screen.contains("s2 (claude)"), "{screen}");
    tmux.press(&["Enter"]);
    tmux.awaits("+let x = 2;");
    tmux.press(&["Escape"]);
    tmux.awaits("s2 (claude) 2");
    tmux.press(&["q"]);
    tmux.awaits("ended with 0");
    // The same by arguments.
    tmux.review("--session s1");
    let screen = tmux.awaits("repo: 1 record");
    assert!(!screen.contains("s2"), "{screen}");
    tmux.press(&["q"]);
    tmux.awaits("ended with 0");
    tmux.review("b");
    tmux.awaits("repo: 1 record");
}

#[test]
fn an_undo_is_shown_and_asked_for_and_then_done() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["u"]);
    let screen = tmux.awaits("y/n");
    assert!(screen.contains("-NINE") && screen.contains("+9"), "{screen}");
    assert!(repo.text("a").contains("NINE"), "only shown");
    tmux.press(&["n"]);
    tmux.awaits("nothing was done");
    assert!(repo.text("a").contains("NINE"));
    tmux.press(&["u"]);
    tmux.awaits("y/n");
    tmux.press(&["y"]);
    tmux.awaits("undone by");
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
    // And back.
    tmux.press(&["r"]);
    tmux.awaits("Redo record");
    tmux.press(&["y"]);
    tmux.awaits_that("the record in force", |screen| screen.contains("edit, in force") && screen.contains("5 records"));
    assert!(repo.text("a").ends_with("8\nNINE\n"));
}

#[test]
fn one_hunk_is_undone_and_what_cannot_be_is_told() {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")]);
    let edits = json!([{"old_string": "1\n2", "new_string": "ONE\n2"}, {"old_string": "12", "new_string": "TWELVE"}]);
    repo.apply(json!({"path": "a", "edits": edits}));
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+TWELVE");
    tmux.press(&["Enter", "]", "]", "u"]);
    tmux.awaits("undo: h hunk");
    tmux.press(&["h"]);
    let screen = tmux.awaits("Undo hunk 2");
    assert!(screen.contains("-TWELVE") && !screen.contains("-ONE"), "{screen}");
    // Somebody writes meanwhile: it is shown again, and asked again.
    let text = repo.text("a").replace("10\n", "TEN\n");
    repo.write("a", &text);
    tmux.press(&["y"]);
    tmux.awaits("changed meanwhile");
    assert!(repo.text("a").contains("TWELVE"));
    tmux.press(&["y"]);
    tmux.awaits("partly undone");
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\nTEN\n11\n12\n");
    repo.write("a", "something else\n");
    tmux.press(&["u"]);
    tmux.awaits("undo: h hunk");
    tmux.press(&["r"]);
    tmux.awaits("This cannot be done");
    tmux.press(&["Escape"]);
    tmux.awaits("partly undone");
}

#[test]
fn what_is_left_of_a_record_is_committed_alone() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["c"]);
    let screen = tmux.awaits("y/n");
    assert!(screen.contains("modify a"), "{screen}");
    tmux.press(&["y"]);
    tmux.awaits("git commit");
    assert_eq!(
        repo.git(&["show", "--format=", "-U0", "HEAD"]).lines().skip(4).collect::<Vec<_>>(),
        ["@@ -9 +9 @@", "-9", "+NINE"]
    );
    assert!(repo.git(&["diff"]).contains("+ONE"), "the rest is not in it");
}

#[test]
fn what_was_reviewed_is_marked_and_may_be_committed() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["c"]);
    let screen = tmux.awaits("This cannot be done");
    assert!(screen.contains("nobody has reviewed"), "{screen}");
    tmux.press(&["Escape"]);
    tmux.awaits("m mark");
    tmux.press(&["m"]);
    let screen = tmux.awaits("repo: 3 records, 1 reviewed");
    assert!(screen.contains("▾ t2 1 ✓") && screen.contains("reviewed by"), "{screen}");
    tmux.kept("marked");
    tmux.press(&["c"]);
    tmux.awaits("y/n");
    tmux.press(&["y"]);
    tmux.awaits("git commit");
    // All of the other session; then that of nobody.
    tmux.press(&["M"]);
    tmux.awaits("+ONE");
    tmux.press(&["m", "M"]);
    tmux.awaits("+let x = 2;");
    tmux.press(&["h", "h", "m"]);
    tmux.awaits("3 records, 3 reviewed");
    tmux.press(&["m"]);
    tmux.awaits("3 records, 2 reviewed");
    // What is marked elsewhere is seen.
    repo.done(&["hooks", "review", "@-2", "--json"], "");
    tmux.awaits("3 records, 3 reviewed");
}

#[test]
fn records_that_are_made_meanwhile_appear() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    let id = edit(&repo, ("s3", "t1"), "b", ("let x = 2;", "let x = 3;"));
    let screen = tmux.awaits("s3 (claude) 1");
    assert!(screen.contains(&id[..8]) && screen.contains("+NINE"), "one stays where one is:\n{screen}");
    assert!(screen.contains("repo: 4 records"), "{screen}");
}

#[test]
fn the_terminal_is_left_as_it_was() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.types("stty -a > ../before; clear; echo what was there");
    tmux.awaits("what was there");
    let state = || tmux.call(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]);
    let signal = |name: &str| {
        let pid = std::fs::read_to_string(repo.outside().join("pid")).expect("it was written");
        assert!(Command::new("kill").args(["-s", name, pid.trim()]).status().expect("kill runs").success());
    };
    let ways: [(&str, &dyn Fn()); 7] = [
        ("q", &|| tmux.press(&["q"])),
        ("ctrl-C", &|| tmux.press(&["C-c"])),
        ("ctrl-C in a question", &|| tmux.press(&["u", "C-c"])),
        ("SIGTERM", &|| signal("TERM")),
        ("SIGHUP", &|| signal("HUP")),
        ("SIGINT", &|| signal("INT")),
        // Seen: it left the other screen.
        ("SIGQUIT", &|| signal("QUIT")),
    ];
    for (n, (way, end)) in ways.iter().enumerate() {
        tmux.types("clear; echo what was there");
        // The shell that is replaced by the program has the same number.
        tmux.types(&format!("sh -c 'echo $$ > ../pid; exec {REDRAFT} review'; echo \"ended $(({n} + 1)): $?\""));
        tmux.awaits("+NINE");
        assert_eq!(state().trim(), "1 0", "{way}: on the other screen, without a cursor");
        end();
        let screen = tmux.awaits(&format!("ended {}: 0", n + 1));
        assert_eq!(state().trim(), "0 1", "{way}");
        assert!(screen.contains("what was there") && !screen.contains("NINE"), "{way}: {screen}");
        tmux.types(&format!("stty -a > ../after; echo looked {n}"));
        tmux.awaits(&format!("\nlooked {n}"));
        let read = |name: &str| std::fs::read_to_string(repo.outside().join(name)).expect("stty wrote it");
        assert_eq!(read("before"), read("after"), "{way}");
    }
}

/// Seen: the library that reads keys spun for ever on a terminal that was gone.
#[test]
fn it_ends_with_its_terminal() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.types(&format!("sh -c 'echo $$ > ../pid; trap \"\" HUP; exec {REDRAFT} review'"));
    tmux.awaits("+NINE");
    let pid = std::fs::read_to_string(repo.outside().join("pid")).expect("it was written");
    drop(tmux);
    let begun = Instant::now();
    while Command::new("kill").args(["-0", pid.trim()]).output().expect("kill runs").status.success() {
        assert!(begun.elapsed() < LONGEST, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_small_terminal_and_another_size_are_no_trouble() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (20, 5)) else { return };
    tmux.review("");
    let screen = tmux.awaits("repo: 3 records");
    assert!(screen.contains("▾ s2 (claude) 2"), "{screen}");
    tmux.press(&["Tab"]);
    tmux.awaits("▾ edit a");
    tmux.call(&["resize-window", "-x", "100", "-y", "30"]);
    let screen = tmux.awaits("│");
    assert!(screen.contains("s2 (claude) 2") && screen.contains("edit a"), "{screen}");
    tmux.call(&["resize-window", "-x", "8", "-y", "2"]);
    tmux.awaits("too smal");
    tmux.call(&["resize-window", "-x", "80", "-y", "24"]);
    tmux.awaits("by claude");
    tmux.press(&["q"]);
    tmux.awaits("ended with 0");
}

#[test]
fn what_is_asked_and_told_fits_another_width() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["u"]);
    tmux.awaits("nothing was written");
    // It stood on one line, of which a narrow screen showed the beginning.
    tmux.call(&["resize-window", "-x", "30", "-y", "16"]);
    let narrow = tmux.awaits_that("the words that have no room", |screen| {
        screen.contains("written") && screen.contains("is as it was") && screen.contains("y/n")
    });
    assert!(narrow.lines().all(|line| line.chars().count() <= 30), "{narrow}");
    tmux.kept("question-30x16");
    tmux.press(&["n", "?"]);
    let help = tmux.awaits("next, previous line");
    assert!(help.lines().any(|line| line.trim() == "j k, down up"), "{help}");
    tmux.press(&["G"]);
    tmux.awaits("with it");
    tmux.call(&["resize-window", "-x", "80", "-y", "24"]);
    tmux.awaits_that("one beside the other", |screen| {
        screen.lines().any(|line| line.contains("q, ^C") && line.contains("quit"))
    });
    tmux.kept("help");
}

/// Seen: a command took the place of the git commits.
#[test]
fn all_that_is_known_of_a_record_has_room_on_eighty_by_twenty_four() {
    let repo = TestRepo::with_files(&[("a", "1\n")]);
    let script = "printf '2\n' > a";
    let words = ["run", "--agent", "claude", "--session", "s1", "--message", "why", "--", "sh", "-c", script];
    assert_eq!(repo.redraft(&words, "").status, 0);
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.review("");
    let screen = tmux.awaits("in no git commit");
    for words in ["edit, in force", "\nwhy\n", "by claude session s1", "$ sh -c"] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
}

/// Seen: the screen stood still without a word for as long as somebody else had the lock.
#[test]
#[cfg(target_os = "linux")]
fn who_waits_for_the_lock_is_told_and_may_leave() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    let lock = repo.root().join(".git/redraft/worktrees/main/lock");
    let mut holder = Command::new("flock");
    holder.arg(&lock).args(["sh", "-c", "echo held; read line; true"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut holder) = holder.spawn() else {
        eprintln!("notice: there is no flock here");
        return;
    };
    let mut held = [0; 4];
    holder.stdout.as_mut().expect("a pipe").read_exact(&mut held).expect("it has the lock");
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["u"]);
    tmux.awaits("y/n");
    tmux.press(&["y"]);
    tmux.awaits("working ...");
    tmux.press(&["C-c"]);
    drop(holder.stdin.take());
    assert!(holder.wait().expect("it ends").success());
    tmux.awaits("ended with");
    assert!(repo.text("a").contains("ONE"), "nothing else was done");
}

#[test]
fn what_vanishes_or_is_damaged_meanwhile_is_told() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    repo.done(&["gc", "--json"], "");
    let history = repo.root().join(".git/redraft/history.git");
    std::fs::rename(history.join("objects/pack"), history.join("objects/away")).expect("it is there");
    tmux.review("");
    // Seen: it was told as a diff that changes no line.
    let screen = tmux.awaits("the history cannot tell it");
    assert!(screen.contains("damaged") || screen.contains("missing"), "said at once, too:\n{screen}");
    std::fs::rename(history.join("objects/away"), history.join("objects/pack")).expect("it is there");
    // Seen: a repository that was gone was one without records.
    std::fs::rename(repo.root().join(".git"), repo.root().join("gone")).expect("it is there");
    let screen = tmux.awaits("cannot read");
    assert!(screen.contains("3 records"), "{screen}");
    tmux.press(&["u"]);
    tmux.awaits("This cannot be done");
    tmux.press(&["C-c"]);
    tmux.awaits("ended with 0");
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_takes_it_again() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.types("set -m; clear");
    tmux.types(&format!("{REDRAFT} review"));
    tmux.awaits("+NINE");
    tmux.press(&["C-z"]);
    tmux.awaits("Stopped");
    assert_eq!(tmux.call(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).trim(), "0 1");
    tmux.types("fg");
    tmux.awaits("+NINE");
    tmux.press(&["n"]);
    tmux.awaits("+ONE");
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    let coloured = |tmux: &Tmux<'_>| {
        tmux.awaits("+NINE");
        let screen = tmux.call(&["capture-pane", "-p", "-e"]);
        tmux.press(&["q"]);
        tmux.awaits("ended with 0");
        let colours = ["\u{1b}[38;5;", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[36m"];
        colours.iter().any(|colour| screen.contains(colour))
    };
    tmux.review("");
    assert!(coloured(&tmux));
    tmux.types("clear; export NO_COLOR=1");
    tmux.review("");
    assert!(!coloured(&tmux));
}

#[test]
fn the_words_of_a_language_have_colours_of_their_own() {
    let text = "/* a comment\n   that goes on\n*/\nfn main() {\n    let a = \"one\";\n    print(a, 1);\n}\n";
    let repo = TestRepo::with_files(&[("src/a.rs", text)]);
    edit(&repo, ("s1", "t1"), "src/a.rs", ("\"one\"", "\"two\" // why"));
    let Some(tmux) = Tmux::open(&repo, (100, 24)) else { return };
    let coloured = |words: &str| {
        tmux.awaits(words);
        let seen = || {
            let screen = tmux.call(&["capture-pane", "-p", "-e"]);
            ["\u{1b}[38;5;5m", "\u{1b}[38;5;3m"]
                .map(|colour| screen.lines().any(|line| line.contains("let") && line.contains(colour)))
        };
        // The words may stand there before the line above has come.
        for _ in 0..100 {
            if seen() == [true; 2] {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        seen()
    };
    tmux.review("");
    assert_eq!(coloured("// why"), [true, true]);
    tmux.kept("syntax");
    // As it is now, who wrote it.
    tmux.press(&["b"]);
    tmux.awaits("Who wrote src/a.rs");
    assert_eq!(coloured("that goes on"), [true, true]);
    tmux.kept("blame");
    tmux.press(&["q"]);
    tmux.awaits("▾ s1");
    tmux.press(&["q"]);
    tmux.awaits("ended with 0");
    tmux.types("clear; export NO_COLOR=1");
    tmux.review("");
    assert_eq!(coloured("// why"), [false, false]);
    tmux.kept("syntax-without-colours");
}

#[test]
fn an_editor_gets_the_terminal_and_the_line() {
    let repo = repo();
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    repo.script(
        "editor",
        "#!/bin/sh\necho \"editor has $1 $(basename \"$2\")\"\nread line\necho \"$line\" >> \"$2\"\n",
    );
    let editor = repo.outside().join("editor");
    repo.git(&["config", "core.editor", &editor.to_string_lossy()]);
    tmux.review("");
    tmux.awaits("+NINE");
    tmux.press(&["o"]);
    tmux.awaits("editor has +9 a");
    tmux.types("typed there");
    tmux.awaits("▾ s2 (claude) 2");
    assert!(repo.text("a").ends_with("NINE\ntyped there\n"));
    tmux.press(&["b"]);
    let screen = tmux.awaits("Who wrote a");
    assert!(screen.contains("typed there") && screen.contains("nobody"), "{screen}");
    tmux.press(&["g", "Enter"]);
    tmux.awaits("+ONE");
    tmux.press(&["y"]);
    tmux.awaits("copied");
}

#[test]
fn nothing_that_agents_wrote_is_obeyed() {
    const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}x\u{9b}1A";
    let repo = TestRepo::with_files(&[("a", "1\n")]);
    let agent = json!({"name": format!("n{EVIL}"), "session": format!("s{EVIL}\nforged"), "turn": format!("t{EVIL}")});
    let path = format!("odd {EVIL}\nforged");
    repo.apply(
        json!({"path": path, "content": format!("text {EVIL}\n"), "agent": agent, "message": format!("why {EVIL}")}),
    );
    let Some(tmux) = Tmux::open(&repo, (160, 24)) else { return };
    tmux.review("");
    let screen = tmux.awaits("+text ^[[2J^[]0;owned^G<202e>x<009b>1A");
    assert!(screen.contains("repo: 1 record") && screen.contains("s^[[2J") && screen.contains("why ^[[2J"), "{screen}");
    assert!(screen.contains("create \"odd \\033[2J") && !screen.contains("\nforged"), "{screen}");
    assert!(!tmux.call(&["display-message", "-p", "#{pane_title}"]).contains("owned"));
    tmux.press(&["u"]);
    let screen = tmux.awaits("y/n");
    assert!(screen.contains("-text ^[[2J") && !screen.contains("\nforged"), "{screen}");
}

#[test]
fn without_a_terminal_that_can_it_is_refused_with_what_else_there_is() {
    let repo = repo();
    let ran = redraft(&repo.root(), &["review"], b"");
    assert_eq!((ran.exit, ran.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(ran.stderr.contains("review needs a terminal") && ran.stderr.contains("redraft log -p"), "{}", ran.stderr);
    let Some(tmux) = Tmux::open(&repo, (80, 24)) else { return };
    tmux.types("export TERM=dumb");
    tmux.review("");
    let screen = tmux.awaits("ended with 2");
    assert!(screen.contains("TERM=dumb"), "{screen}");
}
