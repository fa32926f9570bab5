//! The authorship log of git-ai, version 3.0.0: the text of a note on a git commit.
//!
//! Owns its form: which lines are whose, a line `---`, and a JSON object. Source: git-ai-project/git-ai, `specs/git_ai_standard_v3.0.0.md`.
//!
//! ```text
//! src/main.rs
//!   s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15-20
//! ---
//! {"schema_version":"authorship/3.0.0", ...}
//! ```

use super::{Conversation, ExportedCommit, LinesOf};
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version of the form.
const SCHEMA: &str = "authorship/3.0.0";

/// By this, redraft's own notes are known.
const OWN: &str = "redraft/";

/// What stands behind the line between the two parts.
#[derive(Serialize)]
struct Metadata<'a> {
    schema_version: &'static str,
    git_ai_version: String,
    base_commit_sha: CommitId,
    /// Of sessions with their transcripts; redraft has none of those.
    prompts: BTreeMap<String, ()>,
    sessions: BTreeMap<String, Session<'a>>,
}

#[derive(Serialize)]
struct Session<'a> {
    agent_id: AgentId<'a>,
    human_author: &'a str,
    custom_attributes: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct AgentId<'a> {
    tool: &'a str,
    id: &'a str,
    model: &'a str,
}

/// The text of the note.
pub fn note(commit: &ExportedCommit) -> String {
    let mut text = String::new();
    for (name, by) in commit.files.iter().filter_map(|file| Some((shown(&file.path)?, &file.by))) {
        text.push_str(&name);
        text.push('\n');
        let mut entries: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for LinesOf { record, conversation, lines } in by {
            entries.entry(key(conversation, record)).or_default().extend(lines);
        }
        for (key, mut lines) in entries {
            lines.sort_unstable();
            text.push_str(&format!("  {key} {}\n", listed(&lines)));
        }
    }
    let mut sessions: BTreeMap<String, Session<'_>> = BTreeMap::new();
    let told = commit.files.iter().filter(|file| shown(&file.path).is_some());
    for LinesOf { record, conversation, .. } in told.flat_map(|file| &file.by) {
        let session = sessions.entry(session_key(conversation)).or_insert_with(|| Session {
            agent_id: AgentId {
                tool: tool(conversation),
                id: &conversation.id,
                model: conversation.model.as_deref().unwrap_or("unknown"),
            },
            human_author: &commit.author,
            custom_attributes: BTreeMap::new(),
        });
        let records = session.custom_attributes.entry(RECORDS).or_default();
        if !records.split(' ').any(|known| known == record.as_str()) {
            records.push_str(if records.is_empty() { "" } else { " " });
            records.push_str(record.as_str());
        }
    }
    let metadata = Metadata {
        schema_version: SCHEMA,
        git_ai_version: format!("{OWN}{}", env!("CARGO_PKG_VERSION")),
        base_commit_sha: commit.id,
        prompts: BTreeMap::new(),
        sessions,
    };
    let metadata = serde_json::to_string(&metadata).expect("it has string keys and no failing serializer");
    format!("{text}---\n{metadata}\n")
}

/// Where the records of a session stand.
const RECORDS: &str = "dev.redraft.records";

/// The records that a note of redraft's names; none where redraft did not make it.
pub fn records_of_own(note: &[u8]) -> Option<Vec<RecordId>> {
    #[derive(Deserialize)]
    struct Made {
        git_ai_version: Option<String>,
        #[serde(default)]
        sessions: BTreeMap<String, MadeSession>,
    }
    #[derive(Deserialize)]
    struct MadeSession {
        #[serde(default)]
        custom_attributes: BTreeMap<String, String>,
    }
    let at = if note.starts_with(b"---\n") { Some(0) } else { note.find(b"\n---\n").map(|at| at + 1) };
    let made = at.and_then(|at| serde_json::from_slice::<Made>(&note[at + 4..]).ok())?;
    made.git_ai_version.filter(|version| version.starts_with(OWN))?;
    let named = made.sessions.values().filter_map(|session| session.custom_attributes.get(RECORDS));
    Some(named.flat_map(|records| records.split(' ')).filter_map(RecordId::parse).collect())
}

/// A path with blanks, or the divider's name, stands between quotation marks; none for one that the form has no way to write, and that could
/// be read as other lines.
pub fn shown(path: &RepoPath) -> Option<String> {
    let path = path.as_bstr().to_str().ok()?;
    let is_writable = !path.contains(|c: char| c == '"' || (c.is_control() && c != '\t'));
    let is_bare = path != "---" && !path.contains(char::is_whitespace);
    is_writable.then(|| if is_bare { path.to_owned() } else { format!("\"{path}\"") })
}

/// What git-ai calls the agent: its hashes are made of that.
fn tool(conversation: &Conversation) -> &str {
    match conversation.tool.as_str() {
        "claude-code" => "claude",
        "copilot" => "github-copilot",
        other => other,
    }
}

fn listed(ranges: &[(usize, usize)]) -> String {
    let one =
        |&(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Of a session, and of one step in it: where the standard has chance, the record stands, so that the same is exported twice.
fn key(conversation: &Conversation, record: &RecordId) -> String {
    format!("{}::t_{}", session_key(conversation), digits(record.as_str()))
}

fn session_key(conversation: &Conversation) -> String {
    format!("s_{}", digits(&format!("{}:{}", tool(conversation), conversation.id)))
}

/// The first 14 digits of a hash.
fn digits(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(7).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Written;

    fn commit(paths: &[&str]) -> ExportedCommit {
        let conversation =
            Conversation { tool: "cursor".to_owned(), id: "abc".to_owned(), model: Some("m".to_owned()) };
        let other = Conversation { id: "def".to_owned(), model: None, ..conversation.clone() };
        let of = |n: u8, conversation: &Conversation, lines| LinesOf {
            record: RecordId::from_random([n; 8]),
            conversation: conversation.clone(),
            lines,
        };
        let file = |path: &&str| Written {
            path: RepoPath::new(path.as_bytes()).expect("a path"),
            by: vec![of(1, &conversation, vec![(5, 5), (1, 2)]), of(2, &other, vec![(7, 9)])],
        };
        let id = "1111111111111111111111111111111111111111".parse().expect("an id");
        let files = paths.iter().map(file).collect();
        ExportedCommit { id, author: "A <a@b>".to_owned(), time_ms: 0, files }
    }

    #[test]
    fn a_note_has_the_lines_the_divider_and_the_sessions() {
        let text = note(&commit(&["a.rs", "with space"]));
        // echo -n cursor:abc | sha256sum
        let expected = Sha256::digest(b"cursor:abc").iter().take(7).map(|b| format!("{b:02x}")).collect::<String>();
        let (lines, metadata) = text.split_once("---\n").expect("a divider");
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!((lines[0], lines[3]), ("a.rs", "\"with space\""));
        let first = lines[1..3].iter().find(|line| line.contains(&format!("s_{expected}::t_"))).expect("its session");
        assert!(first.starts_with("  s_") && first.ends_with(" 1-2,5"), "{first}");
        assert!(lines[1] < lines[2], "sorted");
        let metadata: serde_json::Value = serde_json::from_str(metadata).expect("JSON");
        assert_eq!(metadata["schema_version"], "authorship/3.0.0");
        assert_eq!(metadata["prompts"], serde_json::json!({}));
        assert_eq!(metadata["sessions"].as_object().map(serde_json::Map::len), Some(2));
        assert_eq!(metadata["sessions"][format!("s_{expected}")]["agent_id"]["id"], "abc");
        assert_eq!(text, note(&commit(&["a.rs", "with space"])));
    }

    #[test]
    fn a_path_that_could_be_read_as_lines_is_left_out() {
        let text = note(&commit(&["a\n  s_00000000000000::t_00000000000000 1", "q\"q", "---", "b\tc"]));
        let lines: Vec<&str> =
            text.lines().take_while(|line| *line != "---").filter(|line| !line.starts_with("  ")).collect();
        assert_eq!(lines, ["\"---\"", "\"b\tc\""]);
    }

    #[test]
    fn only_redrafts_own_notes_are_its_own() {
        let ids = [[1; 8], [2; 8]].map(RecordId::from_random);
        let mut records = records_of_own(note(&commit(&["a"])).as_bytes()).expect("its own");
        records.sort();
        assert_eq!(records, ids);
        for other in [
            &b""[..],
            b"---\n",
            b"---\n{\"git_ai_version\": \"1.6.24\"}",
            b"a\n  s_1 1\n---\n{\"prompts\":{}}\n",
            b"redraft/",
            b"\xff\n---\n\xff",
        ] {
            assert_eq!(records_of_own(other), None, "{other:?}");
        }
        assert_eq!(records_of_own(b"---\n{\"git_ai_version\":\"redraft/0.1.0\"}"), Some(Vec::new()));
    }
}
