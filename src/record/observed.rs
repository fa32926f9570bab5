//! What is known of an edit that another program made.
//!
//! Owns the type and what may be said of a command line. Does not run or look at programs.

use crate::text::{shell_word, without_secrets};
use serde::{Deserialize, Serialize};

/// So much of a command line is kept, in bytes.
const LONGEST_COMMAND: usize = 4096;

/// So much of the name of a tool is kept, in bytes.
const LONGEST_NAME: usize = 256;

/// Who made an edit that was only looked at, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The program, or the harness's tool.
    pub tool: String,
    /// Its command line, without what looks like a secret; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Where it cannot be told which of several calls made it: all of them, the most likely one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<OtherCall>,
}

/// A call that may have made an edit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherCall {
    /// The agent's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The prompt of a person in that session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Which agent below the one that the person talks to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The program, or the harness's tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its command line, as in [`Observed`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl Observed {
    /// An edit by a program that was run with these words, the first of which is its name.
    pub fn by_command(words: &[String]) -> Self {
        let program = words.first().map_or("", |first| first.rsplit('/').next().unwrap_or(first));
        let line: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
        let line = line.join(" ");
        Self::by_tool(program).with_command(&line)
    }

    /// An edit by a tool of a harness.
    pub fn by_tool(tool: &str) -> Self {
        let end = tool.floor_char_boundary(LONGEST_NAME);
        Self { tool: tool[..end].to_owned(), command: None, shared: Vec::new() }
    }

    /// The same, with a command line, of which secrets are masked.
    #[must_use]
    pub fn with_command(mut self, line: &str) -> Self {
        // What is behind that is not kept, whatever is masked before it.
        let line = without_secrets(&line[..line.floor_char_boundary(4 * LONGEST_COMMAND)]);
        let end = line.floor_char_boundary(LONGEST_COMMAND);
        self.command = Some(line[..end].to_owned());
        self
    }

    /// Takes away what its command lines said; says whether they said anything.
    pub fn forget_commands(&mut self) -> bool {
        const FORGOTTEN: &str = "***";
        let commands = self.shared.iter_mut().map(|call| &mut call.command).chain([&mut self.command]);
        let said: Vec<&mut String> = commands.flatten().filter(|command| *command != FORGOTTEN).collect();
        let is_any = !said.is_empty();
        said.into_iter().for_each(|command| FORGOTTEN.clone_into(command));
        is_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_kept_as_a_shell_would_be_given_it_and_no_longer_than_it_may_be() {
        let of = |words: &[&str]| Observed::by_command(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        let sed = of(&["/usr/bin/sed", "-i", "s/a b/c'd/", "", "f.rs"]);
        assert_eq!(
            (sed.tool.as_str(), sed.command.as_deref()),
            ("sed", Some(r"/usr/bin/sed -i 's/a b/c'\''d/' '' f.rs"))
        );
        let long = of(&["echo", &"ä".repeat(4096)]).command.expect("a command");
        assert!((4090..=LONGEST_COMMAND).contains(&long.len()));
        assert_eq!(of(&["curl", "--token", "abc"]).command.as_deref(), Some("curl --token ***"));
    }
}
