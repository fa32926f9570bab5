//! The answer as a JSON schema.
//!
//! Owns its drawing for programs that check what they read. Invariant: every answer of every command fits, errors and brief
//! ones included; closed sets are those of the types.

use crate::code::{Code, Reason};
use crate::strategy::Strategy;
use serde_json::{Value, json};

/// The schema (draft 2020-12) of what `apply`, `check`, `read`, `undo`, `redo` and `recover` answer.
pub fn answer_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "redraft answer",
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["success", "partial", "error"], "description": "success: done as asked; partial: a dry run, or all is written and only the diff preview is cut; error: nothing was written"},
            "data": data(),
            "text": {"type": "string", "minLength": 1, "description": "For a model to read: what was done, or what is wrong and what to send next; complete without the rest"},
            "stats": stats(),
            "context": context(),
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string", "enum": Code::ALL.map(Code::as_str)},
                    "message": {"type": "string", "description": "The first line of text"}
                },
                "required": ["code"],
                "additionalProperties": false
            }
        },
        "required": ["status", "text"],
        "if": {"properties": {"status": {"const": "error"}}},
        "then": {"required": ["error"]},
        "else": {"not": {"required": ["error"]}},
        "additionalProperties": false
    })
}

fn data() -> Value {
    let reasons: Vec<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    let count = json!({"type": "integer", "minimum": 0});
    json!({
        "type": "object",
        "properties": {
            "applied": {"type": "boolean", "description": "Whether the files are written"},
            "diff_preview": {"type": "string", "description": "Unified diff; uncut, git apply takes it"},
            "diff_truncated": {"type": "boolean"},
            "diff_lossy": {"type": "boolean"},
            "replacements": count,
            "failed_index": {"type": ["integer", "null"], "minimum": 0, "description": "The edit that failed, from 0, within its file"},
            "failed_path": {"type": "string"},
            "files": {"type": "array", "items": file()},
            "record": record(),
            "backup": {"type": ["string", "null"]},
            "warnings": {"type": "array", "items": {"type": "string"}},
            "undone": {"type": "array", "items": {"type": "string"}},
            "replayed": {"type": "boolean"},
            "reason": {"type": "string", "enum": reasons},
            "hint": {"type": "object"},
            "content": {"type": "string", "description": "Of read"},
            "content_b64": {"type": "string"},
            "encoding": {"type": "string"},
            "total_lines": count,
            "blob": blob(&["string"]),
            "tag": {"type": "string", "description": "By which edits by line numbers name this text"}
        }
    })
}

fn blob(types: &[&str]) -> Value {
    json!({"type": types, "pattern": "^[0-9a-f]{40}$"})
}

fn file() -> Value {
    let strategies: Vec<&str> = Strategy::ALL.iter().map(|strategy| strategy.as_str()).collect();
    let edit = json!({
        "type": "object",
        "properties": {
            "index": {"type": "integer", "minimum": 0},
            "strategy": {"type": "string", "enum": strategies},
            "start_line": {"type": "integer", "minimum": 1},
            "end_line": {"type": "integer", "minimum": 1},
            "replacements": {"type": "integer", "minimum": 0}
        }
    });
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "path_b64": {"type": "string", "description": "Where the path is not UTF-8: its bytes"},
            "from": {"type": ["string", "null"]},
            "from_b64": {"type": "string"},
            "change": {"type": "string", "enum": ["modify", "create", "delete", "rename"]},
            "before": blob(&["string", "null"]),
            "after": blob(&["string", "null"]),
            "state": {"type": ["string", "null"], "enum": ["clean", "modified", "added", "untracked", "ignored", null]},
            "encoding": {"type": "string"},
            "edits": {"type": "array", "items": edit}
        },
        "required": ["path", "change"]
    })
}

fn record() -> Value {
    json!({
        "type": ["object", "null"],
        "properties": {
            "id": {"type": ["string", "null"]},
            "kind": {"type": "string", "enum": ["history", "commit", "stash", "none"]},
            "commit": {"type": ["string", "null"]},
            "stash": {"type": ["string", "null"]}
        }
    })
}

fn stats() -> Value {
    json!({
        "type": "object",
        "properties": {
            "time_ms": {"type": "integer", "minimum": 0},
            "bytes_written": {"type": "integer", "minimum": 0},
            "lines_added": {"type": "integer", "minimum": 0},
            "lines_removed": {"type": "integer", "minimum": 0}
        },
        "additionalProperties": {"type": "number"}
    })
}

fn context() -> Value {
    json!({
        "type": "object",
        "properties": {
            "cwd": {"type": "string"},
            "params_input": {"description": "The request as received"},
            "path_resolved": {"type": ["string", "null"]}
        },
        "additionalProperties": false
    })
}
