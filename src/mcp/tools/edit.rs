//! `edit`: the native request.

use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::dialect;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::Arguments;
use crate::request::Dialect;
use crate::usecase::{Overrides, Place, apply};
use serde_json::{Value, json};

pub const TOOL: Tool = Tool {
    name: "edit",
    title: "Edit files",
    description: || dialect::short_tool().description,
    effect: Effect::Writes,
    input,
    run,
};

fn input() -> Input {
    let mut schema = dialect::short_tool().input_schema;
    let properties = schema["properties"].as_object_mut().map(std::mem::take).unwrap_or_default();
    let text = || json!({"type": "string"});
    let own = [
        ("session", text()),
        ("turn", text()),
        ("confirm", json!({"type": "string", "description": "Digest from a refusal"})),
    ];
    let all = properties.into_iter().chain(own.into_iter().map(|(name, schema)| (name.to_owned(), schema))).collect();
    Input { properties: Value::Object(all), required: &[] }
}

fn run(call: &Call<'_>, mut arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let opened = Opened::open(call.env, call.served)?;
    let mut word = |key: &str| match arguments.remove(key) {
        None | Some(Value::Null) => Ok::<_, Refusal>(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ToolAnswer::refused(format!("`{key}` must be a string; correct it and call again"))
            .with("reason", "bad_type")
            .into()),
    };
    let (session, turn) = (word("session")?, word("turn")?);
    for path in dialect::paths_mut(&mut arguments) {
        *path = opened.served.relative(&opened.base, path)?;
    }
    let request = serde_json::to_vec(&arguments).unwrap_or_default();
    let overrides = Overrides {
        dialect: Some(Dialect::Standard),
        session,
        turn,
        root: opened.root(),
        caller: call.caller.clone(),
        ..Overrides::default()
    };
    let ask = |diff: &str| call.asking.reply(diff);
    let answer = apply(&request, &overrides, &Place { env: call.env, ask: Some(&ask) });
    Ok(ToolAnswer::of_envelope(&answer.envelope))
}
