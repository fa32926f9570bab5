//! What things look like, with colours and without.
//!
//! Owns the styles. Invariant: without colours nothing but bold, underlined, dim and reversed is used, and what a colour says is said by a
//! sign too.

use super::syntax::Token;
use ratatui::style::{Color, Modifier, Style};

/// Whether there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// Those that the terminal has for these names.
    Colours,
    /// None.
    Plain,
}

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Head,
    Branch,
    Id,
    Undone,
    Added,
    Removed,
    Hunk,
    Number,
    Question,
    Trouble,
}

impl Palette {
    /// The style of something.
    pub(super) fn style(self, look: Look) -> Style {
        let style = match look {
            Look::Plain | Look::Id | Look::Added | Look::Removed | Look::Hunk => Style::new(),
            Look::Head | Look::Branch | Look::Question | Look::Trouble => Style::new().add_modifier(Modifier::BOLD),
            Look::Undone => Style::new().add_modifier(Modifier::DIM | Modifier::CROSSED_OUT),
            Look::Number => Style::new().add_modifier(Modifier::DIM),
        };
        let colour = match look {
            Look::Id => Color::Yellow,
            Look::Added => Color::Green,
            Look::Removed | Look::Trouble => Color::Red,
            Look::Hunk => Color::Cyan,
            Look::Question => Color::Yellow,
            Look::Plain | Look::Head | Look::Branch | Look::Undone | Look::Number => return style,
        };
        if self == Self::Colours { style.fg(colour) } else { style }
    }

    /// What is of the language in something that has a style already. What was added or removed keeps its colour but there, and its sign.
    pub(super) fn token(self, style: Style, token: Token) -> Style {
        let colour = match token {
            _ if self == Self::Plain => return style,
            Token::Comment => return style.add_modifier(Modifier::DIM),
            Token::Text => Color::Yellow,
            Token::Number => Color::Cyan,
            Token::Word => Color::Magenta,
        };
        style.fg(colour)
    }

    /// The words of a line that make the difference.
    pub(super) fn marked(style: Style) -> Style {
        style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// The line that keys are for.
    pub(super) fn chosen(style: Style) -> Style {
        style.add_modifier(Modifier::REVERSED)
    }

    /// The line that keys are for once the side is changed.
    pub(super) fn kept(style: Style) -> Style {
        style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }
}
