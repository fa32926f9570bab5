//! What a request means, so that one that is sent again is known, however it is written.
//!
//! Owns what counts: all that decides what is done, where and for whom. What only says how long to wait or how much to show
//! does not. Invariant: it is the same in every version of redraft, for it is kept with the record.

use super::options::Overrides;
use crate::git::blob_id;
use crate::git_record::GitOptions;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::request::{
    Agent, Anchor, Edit, Expectation, FileChange, FileRequest, Mode, PathArg, RecordKind, Request, Wish,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The hash of a request over which the caller's flags are laid, in a smaller root.
pub fn hash(request: &Request, sandbox: Option<&RepoPath>, overrides: &Overrides) -> BlobId {
    // A field that comes later must be thought of here.
    let Request {
        dialect,
        files,
        wish,
        mode,
        level,
        dry_run: _,
        require_clean,
        require_read,
        refuse_nested,
        expected_head,
        record,
        message,
        agent: Agent { name, model, session, turn, subagent, call_id },
        request_id,
    } = request;
    let GitOptions { no_verify, author, shelve, index } = &overrides.git;
    let mut meaning = vec![
        json!([dialect.as_str(), request_id, files.iter().map(file).collect::<Vec<_>>()]),
        json!([*mode == Mode::Sequence, level.map(|level| level.as_str()), require_clean, require_read, refuse_nested]),
        json!([expected_head, record.map(RecordKind::as_str), message, name, model, session, call_id]),
        json!([sandbox.map(|path| bytes(path.as_bstr())), no_verify, author, shelve, index, overrides.verify]),
    ];
    // These came later: what was sent without them means what it meant.
    match wish {
        Wish::Change => {}
        Wish::Undo => meaning.push(json!("undo")),
        Wish::View(lines) => meaning.push(json!(["view", lines])),
    }
    if turn.is_some() || subagent.is_some() {
        meaning.push(json!([turn, subagent]));
    }
    blob_id(Value::Array(meaning).to_string().as_bytes())
}

fn file(file: &FileRequest) -> Value {
    let FileRequest { path: at, change, expected, encoding, executable } = file;
    let Expectation { mtime_ms, size_bytes, blob, text, tag } = expected;
    let change = match change {
        FileChange::Modify(edits) => json!(["modify", edits.iter().map(edit).collect::<Vec<_>>()]),
        FileChange::Create { content, overwrite, edits } => {
            json!(["create", bytes(content), overwrite, edits.iter().map(edit).collect::<Vec<_>>()])
        }
        FileChange::Delete => json!(["delete"]),
        FileChange::Rename { to, edits } => json!(["rename", path(to), edits.iter().map(edit).collect::<Vec<_>>()]),
    };
    let mut meaning = vec![path(at), change, json!(mtime_ms), json!(size_bytes), json!(blob)];
    // It came later: what was sent without it means what it meant.
    meaning.extend(encoding.map(|encoding| json!(encoding.name())));
    if text.is_some() || tag.is_some() || executable.is_some() {
        meaning.push(json!([text.as_ref().map(|text| bytes(text)), tag, executable]));
    }
    Value::Array(meaning)
}

fn edit(edit: &Edit) -> Value {
    let Edit { replace_all, line, expected_replacements, .. } = edit;
    let plain = json!([bytes(edit.old()), bytes(edit.new_text()), replace_all, line, expected_replacements]);
    // Hunks came later: what was sent without them means what it meant.
    let Some(anchor) = edit.anchor() else { return plain };
    let Anchor { behind, must_be_behind, line, lines, is_first, last, in_order, ends_exactly, section } = anchor;
    let behind: Vec<Value> = behind.iter().map(|line| bytes(line)).collect();
    json!([plain, behind, must_be_behind, line, lines, is_first, *last as u8, in_order, ends_exactly, section])
}

fn path(path: &PathArg) -> Value {
    match path {
        PathArg::Relative(path) => json!(["relative", bytes(path.as_bstr())]),
        PathArg::Absolute(path) => json!(["absolute", bytes(path)]),
    }
}

/// Bytes of any kind: most are UTF-8.
fn bytes(raw: &[u8]) -> Value {
    match std::str::from_utf8(raw) {
        Ok(text) => json!(text),
        Err(_) => json!([STANDARD.encode(raw)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_same_in_every_version() {
        let mut request = Request::edit("a", [Edit::new("old", "new").expect("an edit")]).expect("a path");
        let plain = hash(&request, None, &Overrides::default());
        assert_eq!(plain.to_string(), "529d214ec8fa9bfb8f4b765a9667f087ed8fc5a3");
        request.dry_run = true;
        assert_eq!(hash(&request, None, &Overrides::default()), plain);
        request.agent.session = Some("s".to_owned());
        assert_ne!(hash(&request, None, &Overrides::default()), plain);
    }
}
