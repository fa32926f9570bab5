//! A place in a list of which a part is seen.
//!
//! Owns how it moves, and that it is seen. Knows nothing of what is listed.
//! Invariant: after [`Cursor::keep`] it is in the list, and in the part that is seen.

use super::key::Key;

/// A place in a list, and the first line that is seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Where it is.
    pub(super) at: usize,
    /// What is seen first.
    pub(super) top: usize,
}

impl Cursor {
    /// At a place.
    pub(super) fn at(at: usize) -> Self {
        Self { at, top: 0 }
    }

    /// Moves it as a key says; whether the key says so.
    pub(super) fn moves(&mut self, key: Key, count: usize, height: usize) -> bool {
        let page = height.saturating_sub(1).max(1);
        self.at = match key {
            Key::Char('j') | Key::Down => self.at + 1,
            Key::Char('k') | Key::Up => self.at.saturating_sub(1),
            Key::PageDown | Key::Ctrl('f') => self.at + page,
            Key::PageUp | Key::Ctrl('b') => self.at.saturating_sub(page),
            Key::Ctrl('d') => self.at + page.div_ceil(2),
            Key::Ctrl('u') => self.at.saturating_sub(page.div_ceil(2)),
            Key::Char('g') | Key::Home => 0,
            Key::Char('G') | Key::End => usize::MAX,
            _ => return false,
        };
        self.keep(count, height);
        true
    }

    /// Keeps it in a list of `count` lines, of which `height` are seen.
    pub(super) fn keep(&mut self, count: usize, height: usize) {
        let height = height.max(1);
        self.at = self.at.min(count.saturating_sub(1));
        let last = count.saturating_sub(height);
        self.top = self.top.min(self.at).max((self.at + 1).saturating_sub(height)).min(last);
    }
}

/// Scrolls a text that has no place in it; whether the key says so.
pub(super) fn scrolls(top: &mut usize, key: Key, count: usize, height: usize) -> bool {
    let last = count.saturating_sub(height);
    let page = height.saturating_sub(1).max(1);
    *top = match key {
        Key::Char('j') | Key::Down => *top + 1,
        Key::Char('k') | Key::Up => top.saturating_sub(1),
        Key::PageDown | Key::Ctrl('f') | Key::Char(' ') => *top + page,
        Key::PageUp | Key::Ctrl('b') => top.saturating_sub(page),
        Key::Char('g') | Key::Home => 0,
        Key::Char('G') | Key::End => last,
        _ => return false,
    }
    .min(last);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_in_the_list_and_in_sight() {
        let mut cursor = Cursor::default();
        let mut press = |key, at, top| {
            assert!(cursor.moves(key, 10, 4));
            assert_eq!((cursor.at, cursor.top), (at, top), "{key:?}");
        };
        press(Key::Up, 0, 0);
        press(Key::Down, 1, 0);
        press(Key::PageDown, 4, 1);
        press(Key::Char('G'), 9, 6);
        press(Key::Char('j'), 9, 6);
        press(Key::Char('k'), 8, 6);
        press(Key::PageUp, 5, 5);
        press(Key::Char('g'), 0, 0);
        assert!(!cursor.moves(Key::Char('x'), 10, 4));
    }

    #[test]
    fn a_list_that_has_room_is_seen_from_its_beginning() {
        let mut cursor = Cursor { at: 3, top: 3 };
        cursor.keep(5, 20);
        assert_eq!(cursor, Cursor { at: 3, top: 0 });
    }

    #[test]
    fn an_empty_list_and_no_room_are_no_trouble() {
        let mut cursor = Cursor { at: 7, top: 5 };
        cursor.keep(0, 0);
        assert_eq!(cursor, Cursor::default());
        cursor.moves(Key::End, 3, 0);
        assert_eq!((cursor.at, cursor.top), (2, 2));
    }
}
