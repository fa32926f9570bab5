//! Where the parts of the screen are, as large as it is.
//!
//! Owns how much each part gets, and which are left out where there is no room. Draws nothing.

use ratatui::layout::Rect;

/// From this width on both sides are seen.
const BOTH: u16 = 60;
/// From this height on what is known of a record stands below.
const FACTS_FROM: u16 = 14;
/// So many lines of it, and one between; from the next height on also of what has all there is to know.
const FACTS: u16 = 5;
const ALL_FROM: u16 = 20;
/// With less there is nothing to be seen.
const LEAST: (u16, u16) = (10, 3);

/// The parts; one without room has no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Layout {
    /// One line at the top.
    pub(super) head: Rect,
    /// The sessions, turns and records.
    pub(super) tree: Rect,
    /// The diff.
    pub(super) diff: Rect,
    /// Message, agent, command, commit.
    pub(super) facts: Rect,
    /// One line at the bottom.
    pub(super) foot: Rect,
    /// All between head and foot: for what is shown in the place of the rest.
    pub(super) body: Rect,
}

/// Which side the keys are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Side {
    /// The records.
    #[default]
    Tree,
    /// The diff.
    Diff,
}

impl Layout {
    /// For a screen of a size; where only one side has room it is `side`.
    pub(super) fn of((width, height): (u16, u16), side: Side) -> Self {
        let head = Rect::new(0, 0, width, 1.min(height));
        if width < LEAST.0 || height < LEAST.1 {
            return Self { head, ..Self::default() };
        }
        let body = Rect::new(0, 1, width, height - 2);
        let foot = Rect::new(0, height - 1, width, 1);
        let facts_height = match height {
            ALL_FROM.. => FACTS + 1,
            FACTS_FROM.. => FACTS,
            _ => 0,
        };
        let facts = Rect::new(0, height - 1 - facts_height, width, facts_height);
        let lists = Rect { height: body.height - facts_height, ..body };
        let (tree, diff) = match (width >= BOTH, side) {
            (true, _) => {
                let left = (width * 2 / 5).clamp(28, 64);
                (Rect { width: left, ..lists }, Rect { x: left + 1, width: width - left - 1, ..lists })
            }
            (false, Side::Tree) => (lists, Rect::default()),
            (false, Side::Diff) => (Rect::default(), lists),
        };
        Self { head, tree, diff, facts, foot, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_fill_the_screen_and_none_is_outside() {
        for width in 0..200 {
            for height in 0..60 {
                for side in [Side::Tree, Side::Diff] {
                    let screen = Rect::new(0, 0, width, height);
                    let Layout { head, tree, diff, facts, foot, body } = Layout::of((width, height), side);
                    for part in [head, tree, diff, facts, foot, body] {
                        assert!(part.is_empty() || part.union(screen) == screen, "{width}x{height}: {part}");
                    }
                    let has_room = width >= LEAST.0 && height >= LEAST.1;
                    assert_eq!(has_room, !tree.is_empty() || !diff.is_empty(), "{width}x{height}");
                }
            }
        }
    }

    #[test]
    fn a_small_screen_has_one_side() {
        let layout = Layout::of((80, 24), Side::Tree);
        assert_eq!((layout.tree.width, layout.diff.width, layout.tree.height), (32, 47, 16));
        let layout = Layout::of((20, 5), Side::Diff);
        assert_eq!((layout.tree.width, layout.diff, layout.facts.height), (0, Rect::new(0, 1, 20, 3), 0));
    }
}
