//! Colour on standard output.
//!
//! Owns whether there is any: git's `color.ui` where a command asks for it, `NO_COLOR`, and a terminal that can.

use crate::env::Env;
use crate::workspace::Workspace;
use anstyle::{AnsiColor, Style};
use std::io::{self, IsTerminal};

/// Puts text in colours, or leaves it as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// Colours are wanted.
    Colour,
    /// They are not.
    Plain,
}

impl Paint {
    /// For a terminal that can, unless `NO_COLOR` is set.
    pub(super) fn on_terminal(env: &Env) -> Self {
        Self::on(&io::stdout(), env)
    }

    /// As there, for what is shown on standard error.
    pub(super) fn on_standard_error(env: &Env) -> Self {
        Self::on(&io::stderr(), env)
    }

    fn on(out: &impl IsTerminal, env: &Env) -> Self {
        let is_smart = env.variable("TERM").is_none_or(|term| term != "dumb");
        if out.is_terminal() && is_smart && !is_forbidden(env) { Self::Colour } else { Self::Plain }
    }

    /// As git has it: `color.ui` may ask for colours anywhere, or for none.
    pub(super) fn configured(workspace: &Workspace) -> Self {
        let env = workspace.env();
        let ui = workspace.repo().config_string("color.ui").map(|value| value.to_string());
        match ui.as_deref() {
            Some("always") if !is_forbidden(env) => Self::Colour,
            Some("never" | "false" | "no" | "off" | "0") => Self::Plain,
            _ => Self::on_terminal(env),
        }
    }

    /// In a colour.
    pub(super) fn colour(self, text: &str, colour: AnsiColor) -> String {
        self.with(text, Style::new().fg_color(Some(colour.into())))
    }

    /// In a style.
    pub(super) fn with(self, text: &str, style: Style) -> String {
        match self {
            Self::Colour => format!("{style}{text}{style:#}"),
            Self::Plain => text.to_owned(),
        }
    }
}

fn is_forbidden(env: &Env) -> bool {
    env.variable("NO_COLOR").is_some_and(|value| !value.is_empty())
}
