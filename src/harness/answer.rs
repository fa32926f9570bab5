//! What a hook answers, in the words of its harness.
//!
//! Owns the forms. Invariant: what is not a refusal lets the harness go on as if there were no hook.

use super::event::{Event, Harness, What};
use serde_json::{Value, json};

/// What the configuration says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The harness goes on.
    Pass,
    /// The call must not be made, and why.
    Deny(String),
    /// A person is to be asked, and why; where the harness cannot, the call must not be made.
    Ask(String),
}

/// What the process says and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
    /// The exit status.
    pub status: u8,
}

impl Answer {
    /// What lets any harness go on.
    pub fn neutral() -> Self {
        Self { out: "{}\n".to_owned(), err: String::new(), status: 0 }
    }

    /// What a harness is answered. Only what is before a call can be refused.
    pub fn of(event: &Event, verdict: &Verdict) -> Self {
        let (word, reason) = match verdict {
            Verdict::Pass => return Self::pass(event.harness),
            Verdict::Deny(reason) => ("deny", reason),
            Verdict::Ask(reason) => ("ask", reason),
        };
        if !matches!(event.what, What::Before(_)) {
            return Self::pass(event.harness);
        }
        let said = |value: Value| Self { out: format!("{value}\n"), err: String::new(), status: 0 };
        match event.harness {
            Harness::ClaudeCode | Harness::Codex | Harness::Droid => said(json!({"hookSpecificOutput": {
                "hookEventName": event.name, "permissionDecision": word, "permissionDecisionReason": reason,
            }})),
            Harness::Copilot if event.name == "PreToolUse" => said(json!({"hookSpecificOutput": {
                "hookEventName": event.name, "permissionDecision": word, "permissionDecisionReason": reason,
            }})),
            Harness::Copilot => said(json!({"permissionDecision": word, "permissionDecisionReason": reason})),
            Harness::Cursor => said(json!({"permission": word, "user_message": reason, "agent_message": reason})),
            Harness::Cline => said(json!({"cancel": true, "errorMessage": reason})),
            Harness::Windsurf => Self { out: String::new(), err: format!("{reason}\n"), status: 2 },
            Harness::Gemini | Harness::OpenCode | Harness::Amp | Harness::Generic => {
                said(json!({"decision": "deny", "reason": reason}))
            }
        }
    }

    fn pass(harness: Harness) -> Self {
        match harness {
            Harness::Cline => Self { out: "{\"cancel\":false}\n".to_owned(), ..Self::neutral() },
            Harness::Windsurf => Self { out: String::new(), ..Self::neutral() },
            _ => Self::neutral(),
        }
    }
}
