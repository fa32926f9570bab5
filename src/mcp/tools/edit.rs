//! `edit`: the native request.

use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::dialect;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::Arguments;
use crate::request::Dialect;
use crate::usecase::edit::answer;
use crate::usecase::{Overrides, Place, Programs};
use serde_json::{Value, json};

pub const TOOL: Tool = Tool {
    name: "edit",
    title: "Edit files",
    description: || dialect::short_tool().description,
    effect: Effect::Edits,
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

fn run(call: &Call<'_>, opened: &Opened<'_>, mut arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let mut word = |key: &str| match arguments.remove(key) {
        None | Some(Value::Null) => Ok::<_, Refusal>(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ToolAnswer::refused(format!("`{key}` must be a string; correct it and call again"))
            .with("reason", "bad_type")
            .into()),
    };
    let (session, turn, message) = (word("session")?, word("turn")?, word("message")?);
    for path in dialect::paths_mut(&mut arguments) {
        *path = opened.served.relative(&opened.base, path)?;
    }
    let (request, dialect) = match patch(&mut arguments)? {
        Some(patch) => patch,
        None => (serde_json::to_vec(&arguments).unwrap_or_default(), Dialect::Standard),
    };
    let dry_run = arguments.get("dry_run") == Some(&Value::Bool(true));
    let overrides = Overrides {
        dialect: Some(dialect),
        dry_run,
        message,
        session,
        turn,
        root: opened.root(),
        caller: call.caller.clone(),
        ..Overrides::default()
    };
    let ask = |diff: &str| call.asking.reply(diff);
    let start = call.env.clock().instant();
    let place = Place { env: call.env, ask: Some(&ask), programs: Programs::Run, group: Some(call.group) };
    let answer = answer(Ok(opened.workspace), start, &request, &overrides, &place);
    Ok(ToolAnswer::of_envelope(&answer.envelope))
}

/// The text of a patch, and its format; none where the call names files and edits.
fn patch(arguments: &mut Arguments) -> Result<Option<(Vec<u8>, Dialect)>, Refusal> {
    let Some(patch) = arguments.remove("patch") else { return Ok(None) };
    let refused = |text: &str| Err(ToolAnswer::refused(text).with("reason", "bad_syntax").into());
    let beside = dialect::names_a_change(arguments);
    match (patch, beside) {
        (_, true) => refused(
            "`patch` names its files itself; nothing was written; leave out `path` and the other fields, or `patch`",
        ),
        (Value::String(text), false) => match dialect::of_text(text.as_bytes()) {
            Some(dialect) => Ok(Some((text.into_bytes(), dialect))),
            None => refused(
                "`patch` is no patch that is known; nothing was written; send one that begins with `*** Begin Patch`, a unified diff \
                 with `---` and `+++` lines, or blocks from `<<<<<<< SEARCH` to `>>>>>>> REPLACE` with the path before them",
            ),
        },
        _ => refused("`patch` must be a string; nothing was written; correct it and call again"),
    }
}
