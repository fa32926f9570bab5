//! The files of harnesses, as people have them, with redraft's hooks and without them again.

use super::*;
use crate::harness::Harness;
use serde_json::Value;
use std::path::Path;

fn table() -> Content {
    places(Harness::ClaudeCode, Reach::User, Path::new("/h")).remove(0).content
}

#[test]
fn hooks_are_added_beside_what_is_there_and_taken_out_again() {
    for text in [
        "{}",
        "{}\n",
        "{\n  \"model\": \"opus\"\n}\n",
        "// mine\n{\n\t\"hooks\": {\n\t\t// formatter\n\t\t\"PostToolUse\": [{\"matcher\": \"Edit\", \"hooks\": [{\"type\": \"command\", \"command\": \"prettier\"}]}], // last\n\t},\n\t\"z\": 1,\n}\n",
        "{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"hooks\": []\r\n      }\r\n    ]\r\n  }\r\n}\r\n",
        "\u{feff}{\"a\":[1,2 , 3]}",
        "{\"hooks\":{\"Other\":[]}}",
    ] {
        let with = table().added_to(Some(text.as_bytes())).expect("fits");
        assert!(table().is_in(&with) && !table().is_in(text.as_bytes()), "{text}");
        assert_eq!(with, table().added_to(Some(&with)).expect("fits"), "twice is once: {text}");
        let back = table().taken_from(&with).expect("fits").expect("left");
        assert!(!table().is_in(&back), "{text}");
        let value = |text: &[u8]| {
            let text = text.to_str().expect("text").trim_start_matches('\u{feff}').to_owned();
            jsonc_parser::cst::CstRootNode::parse(&text, &Default::default()).expect("JSON").to_serde_value()
        };
        assert_eq!(value(&back), value(text.as_bytes()), "{text}");
        for comment in text.lines().filter_map(|line| line.find("//").map(|at| &line[at..])) {
            assert!(with.contains_str(comment), "{comment}");
        }
    }
}

#[test]
fn what_the_harness_would_not_read_is_refused() {
    for (text, want) in [
        ("{", "is no JSON"),
        ("[]", "is no JSON object"),
        ("{\"hooks\": 1}", "has `hooks` that is no object"),
        ("{\"hooks\": {\"Stop\": 1}}", "has `hooks.Stop` that is no list"),
    ] {
        let refused = table().added_to(Some(text.as_bytes())).expect_err("refused");
        assert!(refused.starts_with(want), "{text}: {refused}");
    }
    assert!(table().added_to(Some(b"\xff")).is_err());
    let own = places(Harness::OpenCode, Reach::Project, Path::new("/r")).remove(0).content;
    assert!(own.added_to(Some(b"export const x = 1")).is_err());
    let made = own.added_to(None).expect("made");
    assert_eq!((own.is_in(&made), own.taken_from(&made)), (true, Ok(None)));
}

/// Every harness can be installed, and every file of it is known as redraft's afterwards.
#[test]
fn every_harness_has_its_files() {
    for (harness, ..) in harnesses() {
        for reach in [Reach::User, Reach::Project] {
            let places = places(*harness, reach, Path::new("/b"));
            assert!(!places.is_empty());
            for Place { file, content } in places {
                let made = content.added_to(None).expect("made");
                assert!(file.starts_with("/b") && content.is_in(&made), "{harness:?}");
                let left = content.taken_from(&made).expect("taken");
                let is_nothing = left.is_none_or(|left| !left.contains_str("redraft"));
                assert!(is_nothing, "{harness:?}");
            }
        }
    }
}

/// The plugins have the very hooks that are installed, and are of this version.
#[test]
fn the_plugins_have_the_hooks_that_install_writes() {
    let claude_code = include_str!("../../hooks/agents/claude-code/hooks/hooks.json");
    let codex = include_str!("../../hooks/agents/codex/hooks/hooks.json");
    let gemini = include_str!("../../hooks/agents/gemini/hooks/hooks.json");
    for (harness, hooks) in [(Harness::ClaudeCode, claude_code), (Harness::Codex, codex), (Harness::Gemini, gemini)] {
        let content = places(harness, Reach::Project, Path::new("/r")).remove(0).content;
        let installed = content.added_to(None).expect("made");
        assert_eq!(installed.to_str_lossy(), hooks, "{harness:?}");
    }
    for manifest in [
        include_str!("../../hooks/agents/claude-code/.claude-plugin/plugin.json"),
        include_str!("../../hooks/agents/codex/.codex-plugin/plugin.json"),
        include_str!("../../hooks/agents/gemini/gemini-extension.json"),
    ] {
        let manifest: Value = serde_json::from_str(manifest).expect("JSON");
        assert_eq!(manifest["name"], "redraft");
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    }
    for marketplace in [
        include_str!("../../hooks/agents/.claude-plugin/marketplace.json"),
        include_str!("../../hooks/agents/.agents/plugins/marketplace.json"),
    ] {
        let marketplace: Value = serde_json::from_str(marketplace).expect("JSON");
        assert_eq!(marketplace["plugins"][0]["name"], "redraft");
    }
}
