//! Who calls, as far as the client tells it without being asked.
//!
//! Owns what each client puts into `_meta` and into the environment of its servers. It goes before what the arguments say, which an agent
//! writes: none acts as another one.

use crate::env::Env;
use crate::request::Agent;
use rmcp::RoleServer;
use rmcp::model::RequestMetaObject;
use rmcp::service::RequestContext;
use serde_json::Value;

/// The names by which clients call themselves, and those of their harnesses.
const HARNESSES: [(&str, &str); 4] =
    [("claude", "claude-code"), ("codex", "codex"), ("gemini", "gemini"), ("opencode", "opencode")];

/// Who calls.
pub fn caller(context: &RequestContext<RoleServer>, env: &Env) -> Agent {
    let client = context.client_info().map(|client| client.name);
    let mut agent = known(&context.meta);
    agent.name = client.filter(|name| !name.is_empty()).map(|name| {
        let known = HARNESSES.iter().find(|(part, _)| name.to_lowercase().contains(part));
        known.map_or(name, |(_, harness)| (*harness).to_owned())
    });
    let variable = |name| env.variable(name).and_then(|value| value.to_str()).filter(|value| !value.is_empty());
    let session = variable("CLAUDE_CODE_SESSION_ID").or_else(|| variable("GEMINI_SESSION_ID"));
    agent.session = agent.session.or_else(|| session.map(str::to_owned));
    agent
}

/// What the request's `_meta` tells.
fn known(meta: &RequestMetaObject) -> Agent {
    let text = |value: Option<&Value>| {
        value.and_then(Value::as_str).filter(|text| !text.is_empty() && text.len() <= 256).map(str::to_owned)
    };
    // codex gives the metadata of the turn as an object, or as JSON in a string.
    let turn = match meta.get("x-codex-turn-metadata") {
        Some(Value::String(json)) => serde_json::from_str(json).unwrap_or_default(),
        Some(value) => value.clone(),
        None => Value::Null,
    };
    let is_subagent = turn.get("parent_thread_id").is_some_and(|parent| !parent.is_null());
    Agent {
        name: None,
        model: text(turn.get("model")),
        session: text(turn.get("session_id")).or_else(|| text(meta.get("sessionId"))),
        turn: text(turn.get("turn_id")),
        subagent: if is_subagent { text(turn.get("thread_id")) } else { None },
        call_id: text(meta.get("callId")).or_else(|| text(meta.get("claudecode/toolUseId"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(meta: Value) -> Agent {
        known(&RequestMetaObject::from(meta.as_object().cloned().unwrap_or_default()))
    }

    #[test]
    fn codex_tells_session_turn_and_call() {
        let turn = json!({"session_id": "s", "turn_id": "t", "model": "m", "thread_id": "s"});
        let want = Agent {
            model: Some("m".into()),
            session: Some("s".into()),
            turn: Some("t".into()),
            call_id: Some("c".into()),
            ..Agent::default()
        };
        assert_eq!(of(json!({"callId": "c", "x-codex-turn-metadata": turn.clone()})), want);
        assert_eq!(of(json!({"callId": "c", "x-codex-turn-metadata": turn.to_string()})), want);
    }

    #[test]
    fn claude_tells_the_call_and_wrong_types_tell_nothing() {
        assert_eq!(of(json!({"claudecode/toolUseId": "u"})).call_id.as_deref(), Some("u"));
        assert_eq!(of(json!({"callId": 5, "sessionId": [], "x-codex-turn-metadata": "{"})), Agent::default());
    }
}
