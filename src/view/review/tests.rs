//! Keys in, actions and pictures out.

use super::*;
use crate::change::ChangeKind;
use crate::history::{At, Effect, FileEffect, Item, Marking, ReviewMark};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile, RecordMeta, SpliceList, TextsKept, VERSION};
use crate::usecase::report::Diff;
use crate::usecase::review::{Change, Details, Entry, FileShown, Outcome, Verb};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

const IDS: &[&str] = &["zzzzzzzzzzzzzzzz", "yyyyyyyyyyyyyyyy", "xxxxxxxxxxxxxxxx", "wwwwwwwwwwwwwwww"];

fn id(n: usize) -> RecordId {
    RecordId::parse(IDS[n]).expect("an id")
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text.as_bytes()).expect("a path")
}

/// A record of a session and a turn, with a message.
fn entry(n: usize, session: &str, turn: Option<&str>, message: &str) -> Entry {
    let file = RecordFile {
        path: path("src/a.rs"),
        from: None,
        change: ChangeKind::Modify,
        before: None,
        after: None,
        mode_before: None,
        mode_after: None,
        state: None,
        encoding: None,
        git_before: None,
        git_after: None,
        kept: TextsKept::Stored,
        backup: None,
        lines: None,
        splices: SpliceList::default(),
    };
    let meta = RecordMeta {
        message: Some(message.to_owned()),
        agent: Some("claude".to_owned()),
        session: Some(session.to_owned()),
        turn: turn.map(str::to_owned),
        ..RecordMeta::default()
    };
    let record = Record { version: VERSION, id: id(n), kind: RecordClass::Edit, time_ms: 0, meta, files: vec![file] };
    let item = Item { record, at: At::Journal { journal: 0, entry: n }, is_own: true, worktree: None };
    Entry { item, effect: Effect { files: vec![FileEffect::InForce], was_undone: false }, mark: None }
}

/// Two sessions; the newer one has two turns.
fn entries() -> Vec<Entry> {
    vec![
        entry(0, "s2", Some("t2"), "newest"),
        entry(1, "s1", None, "of another session"),
        entry(2, "s2", Some("t2"), "second"),
        entry(3, "s2", Some("t1"), "oldest"),
    ]
}

fn details() -> Details {
    let text = "@@ -1,2 +1,2 @@\n a\n-let x = 1;\n+let x = 2;\n@@ -9 +9 @@\n-\u{1b}[2J\n+q\u{202e}\n".to_owned();
    let file = FileShown {
        path: path("src/a.rs"),
        from: None,
        change: ChangeKind::Modify,
        effect: FileEffect::InForce,
        diff: Diff::Hunks { text, lines_left_out: 0, lossy: false },
        first_hunk: 1,
        texts: None,
    };
    let other = FileShown { path: path("b"), diff: Diff::Binary, first_hunk: 3, ..file.clone() };
    Details { commits: Vec::new(), files: vec![file, other] }
}

/// At the newest record, with its diff.
fn model() -> Model {
    let mut model = Model::new(entries());
    assert_eq!(model.lacking().map(|entry| entry.item.record.id.clone()), Some(id(0)));
    model.give(details());
    assert!(model.lacking().is_none());
    model
}

/// Presses one key after the other; the last one's action.
fn press(model: &mut Model, keys: &str) -> Action {
    keys.chars().map(|c| model.key(if c == '\n' { Key::Enter } else { Key::Char(c) })).last().expect("a key")
}

fn drawn(model: &mut Model, size: (u16, u16), palette: Palette) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal");
    model.resize(size);
    let time = |_| "then".to_owned();
    let scene = Scene { palette, times: Times { relative: &time, local: &time }, repository: "repo" };
    terminal.draw(|frame| scene.draw(model, frame)).expect("it draws");
    terminal
}

/// The screen, line by line.
fn screen(model: &mut Model, size: (u16, u16)) -> Vec<String> {
    let terminal = drawn(model, size, Palette::Plain);
    let buffer = terminal.backend().buffer();
    let cells = buffer.content().chunks(usize::from(size.0).max(1));
    cells.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned()).collect()
}

fn has(model: &mut Model, words: &str) -> bool {
    screen(model, (80, 24)).iter().any(|line| line.contains(words))
}

fn undo_of(ids: &[usize]) -> Change {
    Change { verb: Verb::Undo, ids: ids.iter().map(|&n| id(n)).collect(), path: None, hunk: None }
}

#[test]
fn the_tree_has_sessions_turns_and_records_and_folds() {
    let mut model = model();
    let tree = |model: &mut Model| {
        let lines = screen(model, (80, 24));
        lines[1..]
            .iter()
            .map(|line| line.split('│').next().unwrap_or_default().trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    let want = [
        "▾ s2 (claude) 3",
        "  ▾ t2 2",
        "       zzzzzzzz newest",
        "       xxxxxxxx second",
        "  ▾ t1 1",
        "       wwwwwwww oldest",
        "▾ s1 (claude) 1",
        "     yyyyyyyy of another session",
    ];
    assert_eq!(&tree(&mut model)[..8], want);
    // To the turn, and it is folded; then to the session.
    press(&mut model, "hh");
    assert_eq!(&tree(&mut model)[..3], ["▾ s2 (claude) 3", "  ▸ t2 2", "  ▾ t1 1"]);
    press(&mut model, "l");
    assert_eq!(tree(&mut model)[2], want[2]);
    press(&mut model, "-");
    assert_eq!(&tree(&mut model)[..3], ["▸ s2 (claude) 3", "▸ s1 (claude) 1", ""]);
    press(&mut model, "=");
    assert_eq!(&tree(&mut model)[..8], want);
}

#[test]
fn the_next_record_is_reached_over_heads_and_its_diff_is_asked_for() {
    let mut model = model();
    press(&mut model, "nn");
    assert_eq!(model.lacking().map(|entry| entry.item.record.id.clone()), Some(id(3)));
    press(&mut model, "NN");
    assert_eq!(model.lacking().map(|entry| entry.item.record.id.clone()), Some(id(0)));
    press(&mut model, "k");
    assert!(model.lacking().is_none(), "a turn has no diff");
    assert!(has(&mut model, "2 records, 0 undone, 0 reviewed"));
}

#[test]
fn a_filter_leaves_what_has_its_words_while_it_is_typed() {
    let mut model = model();
    press(&mut model, "/ANOTHER ses");
    assert!(has(&mut model, "repo: 4 records, 1 with /ANOTHER ses") && !has(&mut model, "newest"));
    assert_eq!(press(&mut model, "q"), Action::Nothing, "letters are typed");
    assert!(has(&mut model, "no record has these words"));
    model.key(Key::Escape);
    assert!(has(&mut model, "newest"));
    press(&mut model, "/another\n");
    assert_eq!(press(&mut model, "u"), Action::Preview(undo_of(&[1])));
    model.key(Key::Escape);
    assert!(has(&mut model, "newest"));
}

#[test]
fn nothing_is_done_without_a_yes_to_what_was_shown() {
    let mut model = model();
    let (change, outcome) =
        (undo_of(&[0]), Outcome { text: "would undo it".to_owned(), diff: "@@ -1 +1 @@\n-b\n+a\n".to_owned() });
    assert_eq!(press(&mut model, "u"), Action::Preview(change.clone()));
    for no in [Key::Char('n'), Key::Char('q'), Key::Escape] {
        model.ask(change.clone(), outcome.clone());
        assert!(has(&mut model, "would undo it") && has(&mut model, "+a"));
        assert!(has(&mut model, "Undo record zzzzzzzz? y/n"));
        for other in [Key::Char('u'), Key::Enter, Key::Char('j'), Key::Tab] {
            assert_eq!(model.key(other), Action::Nothing);
        }
        assert_eq!(model.key(no), Action::Nothing);
        assert!(has(&mut model, "nothing was done"));
    }
    model.ask(change.clone(), outcome.clone());
    assert_eq!(press(&mut model, "y"), Action::Do(change, outcome));
}

#[test]
fn a_session_or_a_turn_is_undone_as_its_records_that_are_in_force() {
    let mut model = model();
    press(&mut model, "g");
    assert_eq!(press(&mut model, "u"), Action::Preview(undo_of(&[0, 2, 3])));
    let mut changed = entries();
    changed[2].effect.files[0] = FileEffect::Undone(id(1));
    model.replace(changed);
    assert_eq!(press(&mut model, "u"), Action::Preview(undo_of(&[0, 3])));
    assert_eq!(press(&mut model, "r"), Action::Preview(Change { verb: Verb::Redo, ..undo_of(&[2]) }));
    assert!(has(&mut model, "-  xxxxxxxx second"), "what is undone has a sign");
}

/// As whoever has the history does it.
fn marked(model: &mut Model, action: Action) -> (Vec<RecordId>, Marking) {
    let Action::Mark(ids, marking) = action else { panic!("{action:?}") };
    let mark = ReviewMark { time_ms: Some(0), by: Some("Ann\u{1b}[2J".into()) };
    model.mark(&ids, Some(&mark).filter(|_| marking == Marking::Reviewed));
    (ids, marking)
}

#[test]
fn a_record_a_turn_and_a_session_are_marked_as_reviewed_and_back() {
    let mut model = model();
    let action = press(&mut model, "m");
    assert_eq!(marked(&mut model, action), (vec![id(0)], Marking::Reviewed));
    assert!(has(&mut model, "✓ zzzzzzzz newest") && has(&mut model, "repo: 4 records, 1 reviewed"));
    assert!(has(&mut model, "reviewed by Ann^[[2J then"));
    assert!(!has(&mut model, "t2 2 ✓"), "not all of the turn");
    // Of the session what is open; then all of it.
    press(&mut model, "g");
    let action = press(&mut model, "m");
    assert_eq!(marked(&mut model, action), (vec![id(2), id(3)], Marking::Reviewed));
    assert!(has(&mut model, "▾ s2 (claude) 3 ✓") && has(&mut model, "3 records, 0 undone, 3 reviewed"));
    // What is folded away is found.
    press(&mut model, "-M");
    assert_eq!(model.lacking().map(|entry| entry.item.record.id.clone()), Some(id(1)));
    let action = press(&mut model, "m");
    marked(&mut model, action);
    assert_eq!(press(&mut model, "M"), Action::Nothing);
    assert!(has(&mut model, "all of them are reviewed"));
    press(&mut model, "g");
    let action = press(&mut model, "m");
    assert_eq!(marked(&mut model, action), (vec![id(0), id(2), id(3)], Marking::Open));
    assert!(has(&mut model, "1 reviewed") && has(&mut model, "▾ s1 (claude) 1 ✓"));
}

#[test]
fn in_the_diff_it_is_asked_which_part() {
    let mut model = model();
    press(&mut model, "\n]]");
    assert_eq!(press(&mut model, "u"), Action::Nothing);
    assert!(has(&mut model, "undo: h hunk, f file, r record"));
    let whole = undo_of(&[0]);
    assert_eq!(press(&mut model, "h"), Action::Preview(Change { hunk: Some(2), ..whole.clone() }));
    assert_eq!(press(&mut model, "uf"), Action::Preview(Change { path: Some(path("src/a.rs")), ..whole.clone() }));
    assert_eq!(press(&mut model, "ur"), Action::Preview(whole.clone()));
    assert_eq!(press(&mut model, "uz"), Action::Nothing);
    let commit = Change { verb: Verb::Commit, path: Some(path("b")), ..whole.clone() };
    assert_eq!(press(&mut model, "Gcf"), Action::Preview(commit));
    assert_eq!(press(&mut model, "uh"), Action::Nothing, "no hunk is there");
    assert_eq!(press(&mut model, "r"), Action::Preview(Change { verb: Verb::Redo, ..whole }));
}

#[test]
fn an_editor_and_blame_begin_at_the_line() {
    let mut model = model();
    assert_eq!(press(&mut model, "o"), Action::Open(path("src/a.rs"), 2), "the first that was changed");
    press(&mut model, "\n]]j");
    assert_eq!(press(&mut model, "b"), Action::Blame(path("src/a.rs"), 9));
    assert_eq!(press(&mut model, "y"), Action::Copy(id(0)));
    model.show_blame(path("src/a.rs"), Vec::new(), 9);
    assert_eq!(press(&mut model, "\n"), Action::Nothing);
    assert!(has(&mut model, "no record wrote this line"));
    press(&mut model, "q");
    assert_eq!(press(&mut model, "q"), Action::Quit);
}

#[test]
fn a_file_of_the_diff_folds_and_words_are_found() {
    let mut model = model();
    press(&mut model, "\njj\n");
    assert!(has(&mut model, "▸ edit src/a.rs") && !has(&mut model, "let x"));
    press(&mut model, "\n/X = 2\n");
    assert!(has(&mut model, "+let x = 2;"));
    assert_eq!(press(&mut model, "b"), Action::Blame(path("src/a.rs"), 2));
    press(&mut model, "n");
    assert!(has(&mut model, "not found"));
}

#[test]
fn new_records_come_without_moving_what_one_is_on() {
    let mut model = Model::new(entries().split_off(1));
    press(&mut model, "n");
    let here = model.lacking().map(|entry| entry.item.record.id.clone());
    model.give(details());
    model.replace(entries());
    assert_eq!(model.lacking().map(|entry| entry.item.record.id.clone()), here, "its details may be others now");
    assert!(has(&mut model, "newest"));
    model.replace(Vec::new());
    assert!(has(&mut model, "no record yet"));
    for key in ["j", "\n", "u", "o", "b", "y", "n", "-", "="] {
        assert_eq!(press(&mut model, key), Action::Nothing, "{key}");
    }
}

#[test]
fn ctrl_c_ends_it_wherever_one_is() {
    let mut model = model();
    for keys in ["/", "?", "\nu"] {
        press(&mut model, keys);
        assert_eq!(model.key(Key::Ctrl('c')), Action::Quit, "{keys:?}");
        model.key(Key::Escape);
    }
}

#[test]
fn every_size_is_drawn_with_every_key() {
    let keys = "jkgG]\n[ \n/a\n\u{8}?qu\nhlnN-=mMcub";
    for size in [(0, 0), (1, 1), (9, 2), (20, 5), (20, 1), (59, 13), (60, 14), (80, 24), (300, 3)] {
        let mut model = model();
        for c in keys.chars() {
            press(&mut model, &c.to_string());
            if model.lacking().is_some() {
                model.give(details());
            }
            screen(&mut model, size);
        }
        model.tell("Title".to_owned(), "a text that is longer than a small screen is wide");
        screen(&mut model, size);
        model.ask(undo_of(&[0]), Outcome { text: "x".to_owned(), diff: "@@ -1 +1 @@\n-b\n+a\n".to_owned() });
        screen(&mut model, size);
    }
    let mut model = model();
    assert_eq!(screen(&mut model, (20, 5))[1..4], ["▾ s2 (claude) 3", "  ▾ t2 2", "       zzzzzzzz newe"]);
    assert_eq!(screen(&mut model, (12, 2)), ["too small", ""]);
}

#[test]
fn without_colours_nothing_is_said_by_a_colour() {
    let mut model = model();
    for (palette, has_colours) in [(Palette::Plain, false), (Palette::Colours, true)] {
        let terminal = drawn(&mut model, (80, 24), palette);
        let cells = terminal.backend().buffer().content();
        assert_eq!(cells.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset), has_colours);
    }
}

/// The colour of the cell at which these words begin, and whether it is bold.
fn look_of(model: &mut Model, words: &str) -> (Color, bool) {
    let terminal = drawn(model, (100, 24), Palette::Colours);
    let cells: Vec<_> = terminal.backend().buffer().content().to_vec();
    let row = cells.chunks(100).find_map(|row| {
        let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        text.find(words).map(|at| row[text[..at].chars().count()].clone())
    });
    let cell = row.unwrap_or_else(|| panic!("no {words}"));
    (cell.fg, cell.modifier.contains(ratatui::style::Modifier::BOLD))
}

#[test]
fn a_diff_has_the_colours_of_the_language_beside_those_of_the_change() {
    let mut details = details();
    let file = &mut details.files[0];
    let text = "@@ -2 +2 @@\n-old */ let a = \"x\";\n+new */ let b = \"y\";\n".to_owned();
    file.diff = Diff::Hunks { text, lines_left_out: 0, lossy: false };
    let texts = ["/*\nold */ let a = \"x\";\n", "/*\nnew */ let b = \"y\";\n"].map(str::to_owned);
    file.texts = Some(texts.into());
    let mut model = Model::new(entries());
    model.give(details.clone());
    // The comment begins above the hunk.
    assert_eq!(look_of(&mut model, "new */"), (Color::Green, true), "a comment, where the line is another");
    assert_eq!(look_of(&mut model, "let b"), (Color::Magenta, false));
    assert_eq!(look_of(&mut model, "let a"), (Color::Magenta, false));
    assert_eq!(look_of(&mut model, "\"y\""), (Color::Yellow, false));
    assert_eq!(look_of(&mut model, "b = "), (Color::Green, true));
    assert_eq!(look_of(&mut model, "+new"), (Color::Green, false));
    assert_eq!(look_of(&mut model, "-old"), (Color::Red, false));
    // What is not looked into, as a line that is too long and a text that is too large, is plain.
    details.files[0].texts = None;
    model.replace(entries());
    model.give(details);
    assert_eq!(look_of(&mut model, "let b"), (Color::Green, false));
    assert!(has(&mut model, "+new */ let b = \"y\";"));
}

#[test]
fn what_others_wrote_is_drawn_without_what_a_terminal_obeys() {
    const EVIL: &str = "\u{1b}[2J\u{202e}\nforged\u{9b}1A";
    let mut evil = entry(0, EVIL, Some(EVIL), EVIL);
    evil.item.record.meta.agent = Some(EVIL.to_owned());
    evil.item.record.files[0].path = path(&format!("a{EVIL}"));
    let mut model = Model::new(vec![evil]);
    model.give(Details {
        files: vec![FileShown { path: path(EVIL), ..details().files.remove(0) }],
        ..Details::default()
    });
    let is_tame = |lines: &[String]| {
        let all = lines.concat();
        assert!(!all.contains(|c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}')), "{all:?}");
        all
    };
    let all = is_tame(&screen(&mut model, (120, 24)));
    assert!(all.contains("^[[2J<202e>") && all.contains("\\033[2J"), "{all}");
    press(&mut model, "k");
    is_tame(&screen(&mut model, (120, 24)));
    model.tell("Title".to_owned(), EVIL);
    model.say(EVIL.to_owned());
    is_tame(&screen(&mut model, (120, 24)));
}
