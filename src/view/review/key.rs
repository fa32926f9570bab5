//! The keys of a keyboard, as far as they mean something here.
//!
//! Owns their names. How a terminal sends them is the command line's affair.

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A letter, a digit, a sign; with shift where it needs that.
    Char(char),
    /// The same, with ctrl.
    Ctrl(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Arrow.
    Up,
    /// Arrow.
    Down,
    /// Arrow.
    Left,
    /// Arrow.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
}

/// All that the help tells: keys, and what they do.
const HELP: &[(&str, &str)] = &[
    ("j k, down up", "next, previous line"),
    ("PgDn PgUp, ^F ^B", "next, previous page"),
    ("g G", "first, last line"),
    ("Tab", "the other side: records, diff"),
    ("Enter Space", "fold and unfold; on a record: its diff"),
    ("left right, h l", "fold, unfold; in the diff: to the side"),
    ("- =", "fold all sessions, unfold all"),
    ("n N", "next, previous record; in the diff: what was found"),
    ("] [", "next, previous hunk"),
    ("/", "only records with these words; in the diff: find"),
    ("m", "mark the record as reviewed, or not any more; on a session or turn: all of it"),
    ("M", "to the next record that is not reviewed"),
    ("u", "undo: the record, turn or session; in the diff: hunk, file or record"),
    ("r", "redo: take the undo of it back"),
    ("c", "commit what is left of it, and nothing else"),
    ("b", "blame: who wrote the lines of this file, from here"),
    ("o", "open the file here in your editor"),
    ("y", "copy the id"),
    ("?", "this"),
    ("q, ^C", "quit"),
    ("^Z", "stop, until the shell goes on with it"),
];

/// From this width on what a key does stands beside it.
const BESIDE: usize = 50;
/// So wide are the names of keys.
const KEYS: usize = 20;

/// The help in lines that have room.
pub(super) fn help(width: u16) -> Vec<String> {
    let width = usize::from(width);
    let mut out = Vec::new();
    for (keys, what) in HELP {
        let (mut line, indent) = match width {
            BESIDE.. => (format!("  {keys:<KEYS$}"), KEYS + 2),
            _ => {
                out.push((*keys).to_owned());
                ("  ".to_owned(), 2)
            }
        };
        for word in what.split(' ') {
            if line.len() > indent && line.len() + 1 + word.len() > width {
                out.push(std::mem::replace(&mut line, " ".repeat(indent)));
            }
            if line.len() > indent {
                line.push(' ');
            }
            line.push_str(word);
        }
        out.push(line);
    }
    out
}
