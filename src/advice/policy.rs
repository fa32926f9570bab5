//! What is told of a check that failed: configuration, policy, expectations.
//!
//! Owns the next steps for [`Finding`], [`ConfigError`] and [`CommitRefusal`].

use super::{Explanation, excerpt, git};
use crate::dialect::Words;
use crate::policy::check::{ToldBy, head_text};
use crate::policy::{CommitRefusal, ConfigError, EditsNow, Finding, FreshLines};
use serde_json::json;

/// What to tell the caller.
pub(super) fn explain(error: &Finding, words: &Words) -> Explanation {
    use Finding as F;
    let reason = error.reason();
    let told = |next: &str| Explanation::of(reason, error, next);
    match error {
        F::Policy { path, pattern, .. } => {
            told("leave it, or ask the owner of this repository").at_path(path).with_hint("pattern", json!(pattern))
        }
        F::Laxer { key, value } => told("leave the field out, or send something stricter")
            .with_hint("key", *key)
            .with_hint("value", value.as_str()),
        F::Declined(path) => told("nothing was written; ask before sending it again").at_path(path),
        F::NotServed(_) => told("nothing was done; run `redraft apply` by itself"),
        F::NobodyToAsk { path, .. } => {
            told("nothing was written; ask a person to run it in a terminal, or leave that file out").at_path(path)
        }
        F::ChangedSinceRead { path, mtime_ms, size_bytes, blob, edits, .. } => {
            let current = json!({"mtime_ms": mtime_ms, "size_bytes": size_bytes, "blob": blob});
            changed(error, edits, path).at_path(path).with_hint("current", current)
        }
        F::NotRead(path) => {
            told(&format!("read it first (`redraft read {path} --session ...`), then send the edit again"))
                .at_path(path)
        }
        F::NoSession(path) => told(&read_in_session(path, words)).at_path(path),
        F::NotClean { path, state } => {
            let flag = words.require_clean.unwrap_or("--require-clean");
            told(&format!("commit or stash that first, or send the edit without {flag}"))
                .at_path(path)
                .with_hint("state", *state)
        }
        F::HeadMoved { found, .. } => {
            told("look at what changed, then send the edit again").with_hint("head", head_text(*found))
        }
        F::SameFile(_, path) => told("put all edits of a file together").at_path(path),
        F::BelowFile(path, _) => told("give one of them another path").at_path(path),
        F::BadRoot(..) => told("name a directory inside the working tree with --root"),
        F::NewTextHasNul(path) => told("leave it out").at_path(path),
        F::Binary { path, .. } => told("redraft edits text only; use another tool for it").at_path(path),
        F::NotInEncoding { .. } | F::UnknownEncoding { .. } | F::NotOfEncoding { .. } | F::Shifting { .. } => {
            encoding(error, words)
        }
        F::SameText(path) => told("send the text that it should become").at_path(path),
        F::RequestIdReused(id) => {
            let key = words.request_id.unwrap_or("the request id");
            Explanation::of(reason, format!("{key} {id:?} was used for another request"), "take a new one")
        }
        F::OutsideRoot(path, _) => told("give a path inside it").at_path(path),
        F::ExistsInHead(path) => told(&bring_back(path, words)).at_path(path),
    }
}

/// How a file is read so that it may be edited.
fn read_in_session(path: &str, words: &Words) -> String {
    let field = words.session.map_or(String::new(), |key| format!(" (or {key})"));
    format!("read it with `redraft read {path} --session NAME`, then send the edit with the same --session NAME{field}")
}

/// What to do about a file that HEAD has and the working tree lacks.
fn bring_back(path: &str, words: &Words) -> String {
    let back = format!("run `git checkout HEAD -- {path}` and edit it");
    match words.overwrite {
        Some(how) => format!("{back}, or send {how} to write it anew"),
        None => format!("{back}, or give the new file another path"),
    }
}

/// What to tell of an encoding that is not known, or lacks something.
fn encoding(error: &Finding, words: &Words) -> Explanation {
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        Finding::NotInEncoding { path, character, encoding } => {
            told("leave it out (an escape sequence of the language, perhaps), or give the file another encoding")
                .at_path(path)
                .with_hint("character", character.to_string())
                .with_hint("encoding", *encoding)
        }
        Finding::UnknownEncoding { path, .. } => {
            told("ask the owner of this repository for another name of it, or use another tool for it").at_path(path)
        }
        Finding::Shifting { path, encoding, by } => {
            let convert = format!("run `iconv -f {encoding} -t utf-8` on it and edit what that writes");
            let next = match by {
                ToldBy::Name => convert,
                ToldBy::Bytes => format!("{convert}; {} where it is something else", naming(words)),
            };
            told(&next).at_path(path).with_hint("encoding", *encoding)
        }
        Finding::NotOfEncoding { path, encoding } => told(
            "look for a lone surrogate, or a byte too many at its end; use another tool to put that right, or to name what it is",
        )
        .at_path(path)
        .with_hint("encoding", *encoding),
        _ => told("use another tool for it"),
    }
}

/// How the encoding of a file is named.
pub(super) fn naming(words: &Words) -> String {
    words.encoding.map_or_else(
        || "have it named with git config redraft.encoding".to_owned(),
        |key| format!("name it with {key}, or git config redraft.encoding"),
    )
}

/// What to tell of a setting.
pub(super) fn config(error: &ConfigError) -> Explanation {
    match error {
        ConfigError::BadValue { key, .. } => {
            Explanation::of(error.reason(), error, format!("set it right with `git config {key} ...`"))
        }
        ConfigError::Repo(error) => git::explain(error),
    }
}

/// What to tell of a git commit that redraft's hook refuses.
pub(super) fn commit(error: &CommitRefusal) -> Explanation {
    let next = match error {
        CommitRefusal::Unfinished => "wait for it or run `redraft recover`, then commit again",
        CommitRefusal::Unreviewable => "record it in the history, and leave the commit to a person",
        CommitRefusal::BadCall(_) => "put git's own call into the hook (`redraft hooks install`)",
        CommitRefusal::Unreviewed(edits) => {
            // By their names: what `commit -a` or `commit PATH` holds is not staged any more when the person comes to review.
            let ids: Vec<&str> = edits.iter().filter_map(|edit| edit.split(' ').next()).collect();
            let ids = ids.join(" ");
            let next = format!(
                "look at them and mark them with m in `redraft review`, or with `redraft show {ids}` and `redraft hooks review {ids}`"
            );
            return Explanation::of(error.reason(), error, &next);
        }
        CommitRefusal::NoHookManager => "run `redraft hooks install` without --into",
        CommitRefusal::NoHookFile(_) => "give .husky/NAME with the name of a hook, or lefthook.yml",
        CommitRefusal::HookLinesLeft(_) => "take these lines out by hand; all else is taken away",
        CommitRefusal::HookTaken(..) => "add these lines to them by hand: `redraft hooks install` prints them",
        CommitRefusal::NoHookFolder(_) => "name a folder (`git config core.hooksPath DIR`), or take the setting away",
        CommitRefusal::NothingStaged => "name the records (`redraft log` lists them), or stage them first",
        CommitRefusal::ConflictMarker(..) | CommitRefusal::OmittedCode(..) => {
            "put it right and stage it, then commit again"
        }
    };
    Explanation::of(error.reason(), error, next)
}

/// What to do about a file that changed.
fn changed(error: &Finding, edits: &EditsNow, path: &str) -> Explanation {
    let next = match edits {
        EditsNow::Fit => "read it again, then send the edit again (the edits would still fit)",
        EditsNow::Unknown => "read it again, then send the edit again",
        EditsNow::ByNumber(_) => "look at its lines as they are now, then send the edit again by their numbers and tag",
    };
    let told = Explanation::of(error.reason(), error, next).with_hint("still_applies", *edits == EditsNow::Fit);
    match edits {
        EditsNow::ByNumber(fresh) => told.with_hint("tag", fresh.tag.as_str()).with_more(&numbered(path, fresh)),
        EditsNow::Fit | EditsNow::Unknown => told,
    }
}

/// Lines with the tag and the numbers by which they are edited, as `redraft read --fingerprint` prints them.
fn numbered(path: &str, fresh: &FreshLines) -> String {
    let lines =
        fresh.lines.iter().enumerate().map(|(n, line)| format!("{}:{}\n", fresh.first + n, excerpt::ends(line, 200)));
    let shown = format!("[{}#{}]\n{}", excerpt::ends(path, 160), fresh.tag, lines.collect::<String>());
    shown.trim_end_matches('\n').to_owned()
}
