//! What the hooks of coding harnesses say: each harness's payloads, read into the same few events, and what it is answered.
//!
//! Owns the forms of payloads and answers, one file a harness, and which tools write, run commands or only read. Total functions over
//! bytes that nobody vouches for; knows no disk and no git.
//! Invariant: what cannot be understood is told as that, never guessed; a payload's strings are never taken for a file's bytes.

mod amp;
mod answer;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod event;
mod gemini;
mod generic;
mod opencode;
mod patch_paths;
mod payload;
mod tools;
mod windsurf;

pub use answer::{Answer, Verdict};
pub use event::{Event, Harness, Reach, ToolCall, What};
pub use payload::LARGEST_PAYLOAD;

use payload::Payload;

/// What a payload says; `named` is the harness that the call names, which only helps where the payload does not tell.
///
/// # Errors
/// A sentence: what is wrong with the bytes, or that no harness is known by them.
pub fn event(bytes: &[u8], named: Option<Harness>) -> Result<Event, String> {
    let payload = Payload::read(bytes)?;
    let harness = Harness::of(&payload)
        .or(named)
        .or_else(|| Harness::like_claude(&payload))
        .ok_or("the payload is of no harness that is known")?;
    let event = match harness {
        Harness::ClaudeCode => claude_code::event(&payload),
        Harness::Codex => codex::event(&payload),
        Harness::Gemini => gemini::event(&payload),
        Harness::OpenCode => opencode::event(&payload),
        Harness::Cursor => cursor::event(&payload),
        Harness::Copilot => copilot::event(&payload),
        Harness::Windsurf => windsurf::event(&payload),
        Harness::Cline => cline::event(&payload),
        Harness::Droid => droid::event(&payload),
        Harness::Amp => amp::event(&payload),
        Harness::Generic => generic::event(&payload),
    };
    Ok(event)
}

impl Harness {
    /// By what only its payloads have; others run hooks that were set up for Claude Code, too.
    fn of(payload: &Payload) -> Option<Self> {
        let has = |key: &str| payload.has(key);
        let event = payload.text(&["hook_event_name", "hookEventName"]).unwrap_or_default();
        let is_word = |words: &[&str]| words.contains(&event.as_str());
        let transcript = payload.text(&["transcript_path"]).unwrap_or_default().to_lowercase();
        if payload.text(&["redraft"]).is_some() || payload.number(&["redraft"]).is_some() {
            Some(Self::Generic)
        } else if has("agent_action_name") {
            Some(Self::Windsurf)
        } else if has("hookName") && (has("taskId") || has("clineVersion")) {
            Some(Self::Cline)
        } else if has("cursor_version") || (has("conversation_id") && has("workspace_roots")) {
            Some(Self::Cursor)
        } else if is_word(&gemini::EVENTS) {
            Some(Self::Gemini)
        } else if ["toolName", "sessionId", "tool_result", "extensionId"].iter().any(|key| has(key))
            || ["/.copilot/", "github.copilot"].iter().any(|part| transcript.contains(part))
        {
            Some(Self::Copilot)
        } else if has("amp") {
            Some(Self::Amp)
        } else if is_word(&opencode::EVENTS) {
            Some(Self::OpenCode)
        } else if has("turn_id") || transcript.contains("/.codex/") {
            Some(Self::Codex)
        } else if transcript.contains("/.gemini/") {
            Some(Self::Gemini)
        } else if has("hookEventName") || transcript.contains("/.factory/") {
            Some(Self::Droid)
        } else if has("prompt_id") || transcript.contains("/.claude/") {
            Some(Self::ClaudeCode)
        } else {
            None
        }
    }

    /// Where nothing else is known: Claude Code's form is what others took over.
    fn like_claude(payload: &Payload) -> Option<Self> {
        (payload.has("hook_event_name") && payload.has("session_id")).then_some(Self::ClaudeCode)
    }
}

#[cfg(test)]
mod tests;
