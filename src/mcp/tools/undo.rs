//! `undo` and `redo`.

use super::tool::{Call, Effect, Input, Opened, Tool, Which, take_which, with_which};
use crate::code::Reason;
use crate::history::{Misfits, Select, UndoRequest};
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::usecase::undo::{UndoOptions, answer_of};
use crate::usecase::{Place, Programs};
use serde::Deserialize;
use serde_json::{Value, json};

pub const UNDO: Tool = Tool {
    name: "undo",
    title: "Undo edits",
    description: || {
        "Undo (revert) recorded edits: the newest, some by id, or all of a session or turn. Later changes by anybody \
stay; what no longer fits is refused."
            .to_owned()
    },
    effect: Effect::TakesBack,
    input: undo_input,
    run: |call, opened, arguments| run(call, opened, arguments, &Kind::Undo),
};

pub const REDO: Tool = Tool {
    name: "redo",
    title: "Redo undone edits",
    description: || "Take an undo back.".to_owned(),
    effect: Effect::TakesBack,
    input: redo_input,
    run: |call, opened, arguments| run(call, opened, arguments, &Kind::Redo),
};

enum Kind {
    Undo,
    Redo,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Wanted {
    ids: Vec<String>,
    paths: Vec<String>,
    hunk: Option<usize>,
    skip_conflicts: bool,
    dry_run: bool,
    message: Option<String>,
}

fn undo_input() -> Input {
    let mut properties = common();
    properties["paths"] = json!({"type": "array", "items": {"type": "string"}, "description": "Only in these"});
    properties["hunk"] = json!({"type": "integer"});
    Input { properties: with_which(properties), required: &[] }
}

fn redo_input() -> Input {
    Input { properties: common(), required: &[] }
}

fn common() -> Value {
    json!({
        "ids": {"type": "array", "items": {"type": "string"}, "description": "Records"},
        "skip_conflicts": {"type": "boolean"},
        "message": {"type": "string"},
        "dry_run": {"type": "boolean"}
    })
}

fn run(call: &Call<'_>, opened: &Opened<'_>, mut arguments: Arguments, kind: &Kind) -> Result<ToolAnswer, Refusal> {
    let which = take_which(&mut arguments)?;
    let wanted: Wanted = arguments::read(arguments)?;
    let misfits = if wanted.skip_conflicts { Misfits::Skipped } else { Misfits::Refused };
    let paths = opened.paths(&wanted.paths)?;
    let select = select(call, &wanted, &which, kind)?;
    let request = UndoRequest { select, paths, except: Vec::new(), hunk: wanted.hunk, misfits };
    let options = UndoOptions {
        dry_run: wanted.dry_run,
        message: wanted.message,
        agent: call.caller.name.clone(),
        session: call.caller.session.clone(),
        within: opened.within.clone(),
        ..UndoOptions::default()
    };
    let ask = |diff: &str| call.asking.reply(diff);
    let place = Place { env: call.env, ask: Some(&ask), programs: Programs::Run, group: None };
    let answer = answer_of(Ok(opened.workspace), &place, (&request, &options), Value::Null);
    if opened.within.is_some() && answer.data.reason == Some(Reason::OutsideRoot) {
        // Where the file lies now is no business of who is served a folder.
        let text =
            "a file of it lies outside of what is served today; nothing was written; choose others by `ids` or `paths`";
        return Err(ToolAnswer::refused(text).with("reason", "outside_root").into());
    }
    Ok(ToolAnswer::of_envelope(&answer))
}

fn select(call: &Call<'_>, wanted: &Wanted, which: &Which, kind: &Kind) -> Result<Select, Refusal> {
    let selection = which.selection(call.env)?;
    let ids = wanted.ids.clone();
    if !ids.is_empty() && !selection.is_all() {
        let text = "`ids` and `session`, `turn`, `since` or `agent` exclude each other; send one of them";
        return Err(ToolAnswer::refused(text).with("reason", "contradictory_fields").into());
    }
    Ok(match (kind, ids.is_empty(), selection.is_all()) {
        (Kind::Undo, false, _) => Select::Named(ids),
        (Kind::Undo, true, true) => Select::Newest,
        (Kind::Undo, true, false) => Select::Matching(selection),
        (Kind::Redo, false, _) => Select::UndosOf(ids),
        (Kind::Redo, true, true) => Select::NewestUndo,
        (Kind::Redo, true, false) => Select::UndosMatching(selection),
    })
}
