//! Payloads of every harness, the same few events; and bytes that are no payload.

use super::*;

fn line(payload: &str, named: Option<Harness>) -> String {
    let event = match event(payload.as_bytes(), named) {
        Ok(event) => event,
        Err(why) => return why,
    };
    let or = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
    let what = match &event.what {
        What::Before(call) | What::After(call) => {
            let word = if matches!(event.what, What::Before(_)) { "before" } else { "after" };
            let reach = match &call.reach {
                Reach::Nothing => "nothing".to_owned(),
                Reach::Tree => "tree".to_owned(),
                Reach::Paths(paths) => format!("{paths:?}"),
            };
            let flags = [(call.is_background, " background"), (call.is_silent, " silent")];
            let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
            format!("{word} {} {} {reach} {}{flags}", or(&call.id), call.tool, or(&call.command))
        }
        other => format!("{other:?}"),
    };
    let dirs: Vec<_> = event.dirs.iter().map(|dir| dir.to_string_lossy()).collect();
    format!(
        "{} {} {} {} {} {}: {what}",
        event.agent,
        or(&event.session),
        or(&event.turn),
        or(&event.subagent),
        or(&event.model),
        dirs.join(",")
    )
}

#[test]
fn every_harness_says_the_same_in_its_own_way() {
    for (payload, want) in [
        (
            r#"{"conversation_id":"c","generation_id":"g","workspace_roots":["/r","/s"],"hook_event_name":"preToolUse","tool_name":"StrReplace","tool_input":{"file_path":"/r/a.rs"},"tool_use_id":"u","model":"m","cursor_version":"2"}"#,
            r#"cursor c g - m /r,/s: before u StrReplace ["/r/a.rs"] -"#,
        ),
        (
            r#"{"conversation_id":"c","workspace_roots":"/r","hook_event_name":"postToolUse","tool_name":"ApplyPatch","tool_input":"*** Begin Patch\n*** Add File: x\n+1\n*** End Patch"}"#,
            r#"cursor c - - - /r: after - ApplyPatch ["x"] -"#,
        ),
        (
            r#"{"conversation_id":"c","workspace_roots":["/r"],"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"}}"#,
            "cursor c - - - /r: before - Shell tree ls",
        ),
        (
            "{\"agent_action_name\":\"post_write_code\",\"trajectory_id\":\"t\",\"execution_id\":\"e\",\"model_name\":\"m\",\"tool_info\":{\"file_path\":\"/r/f.py\",\"edits\":[{\"old_string\":\"a\tb\nc\"}],\"cwd\":\"/r\"}}",
            r#"windsurf t e - m /r: after - write_code ["/r/f.py"] -"#,
        ),
        (
            r#"{"agent_action_name":"pre_run_command","trajectory_id":"t","tool_info":{"command_line":"make","cwd":"/r"}}"#,
            "windsurf t - - - /r: before - run_command tree make",
        ),
        (r#"{"agent_action_name":"pre_user_prompt","trajectory_id":"t"}"#, "windsurf t - - - : Prompt"),
        (r#"{"agent_action_name":"pre_read_code","tool_info":{}}"#, "windsurf - - - - : before - read_code nothing -"),
        (
            r#"{"sessionId":"s","timestamp":1786116785190,"cwd":"/r","toolName":"edit","toolArgs":"{\"path\":\"a\"}","toolResult":{"resultType":"success"}}"#,
            r#"copilot s - - - /r: after - edit ["a"] -"#,
        ),
        (
            r#"{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/r","tool_name":"Edit","tool_input":"*** Begin Patch\n*** Update File: /r/a\n*** End Patch","tool_result":{}}"#,
            r#"copilot s - - - /r: after - Edit ["/r/a"] -"#,
        ),
        (r#"{"sessionId":"s","prompt":"do"}"#, "copilot s - - - : Prompt"),
        (
            r#"{"hookName":"PreToolUse","clineVersion":"3","taskId":"t","workspaceRoots":["/r"],"model":{"slug":"m"},"preToolUse":{"toolName":"write_to_file","parameters":{"path":"src/a.rs","content":"x"}}}"#,
            r#"cline t - - m /r: before - write_to_file ["src/a.rs"] -"#,
        ),
        (
            r#"{"hookName":"tool_call","taskId":"t","tool_call":{"id":"7","name":"run_commands","input":{"commands":["a","b c"]}}}"#,
            "cline t - - - : before 7 run_commands tree a b c",
        ),
        (
            r#"{"hookEventName":"PreToolUse","session_id":"s","cwd":"/r","tool_name":"Execute","tool_input":{"command":"ls"}}"#,
            "droid s - - - /r: before - Execute tree ls",
        ),
        (
            r#"{"amp":"tool.call","session":"s","cwd":"/r","call":"c","tool":"edit_file","input":{"path":"file:///r/a"}}"#,
            r#"amp s - - - /r: before c edit_file ["/r/a"] -"#,
        ),
        (
            r#"{"redraft":1,"event":"before","agent":"mine","session":"s","turn":3,"cwd":"/r","call":"c","tool":"t","command":"x"}"#,
            "mine s 3 - - /r: before c t tree x",
        ),
        (
            r#"{"redraft":1,"event":"after","session":"s","paths":["a","b"]}"#,
            r#"generic s - - - : after - tool ["a", "b"] -"#,
        ),
        (r#"{"redraft":1,"event":"before","paths":[]}"#, "generic - - - - : before - tool nothing -"),
        (
            r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"mcp__redraft__edit","tool_input":{},"prompt_id":"p"}"#,
            "claude-code s p - - : before - mcp__redraft__edit nothing -",
        ),
        (
            r#"{"session_id":"s","turn_id":"t","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cd x && apply_patch <<'EOF'"}}"#,
            "codex s t - - : before - Bash tree cd x && apply_patch <<'EOF' silent",
        ),
        ("{\"x\":1}", "the payload is of no harness that is known"),
        ("[]", "the payload is no JSON object"),
        (" ", "there is no payload on standard input"),
    ] {
        assert_eq!(line(payload, None), want, "{payload}");
    }
}

/// Whatever is cut off or put in the place of something else, nothing panics, and a path is never empty.
#[test]
fn a_payload_that_is_cut_or_has_wrong_types_is_an_event_or_a_sentence() {
    let whole = r#"{"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/c:/x/a","paths":["",null,{"path":"q"}]},"tool_use_id":"u","transcript_path":"/.claude/x"}"#;
    for end in 0..=whole.len() {
        let _ = event(&whole.as_bytes()[..end], None);
    }
    let values =
        ["null", "7", "\"\\u0000\"", "{}", "[]", "true", "[[[\"x\"]]]", "\"{\\\"path\\\": 3}\"", "\"\\ud800\""];
    for value in values {
        for key in
            ["session_id", "cwd", "hook_event_name", "tool_name", "tool_input", "tool_use_id", "model", "agent_id"]
        {
            let payload = whole.replacen(&format!("\"{key}\":"), &format!("\"{key}\":{value},\"old\":"), 1);
            if let Ok(Event { what: What::Before(call), .. }) = event(payload.as_bytes(), None)
                && let Reach::Paths(paths) = call.reach
            {
                assert!(paths.iter().all(|path| !path.as_os_str().is_empty()), "{payload}");
            }
        }
    }
}

/// Seen: a text that was cut in the middle of a character was no JSON, and the call was not recorded.
#[test]
fn half_a_character_is_read() {
    let payload = r#"{"redraft":1,"event":"before","x":"\\\\ud83d \\ud83d\\ude00 \\ud83d","session":"\\ude00s","paths":["a%20b","file:///x%20y"]}"#.replace("\\\\", "\\");
    assert_eq!(line(&payload, None), "generic \u{fffd}s - - - : before - tool [\"a%20b\", \"/x y\"] -");
}

/// Seen: a project called `copilot` made Copilot of every harness.
#[test]
fn a_folder_called_copilot_is_no_copilot() {
    let payload = r#"{"session_id":"s","hook_event_name":"BeforeAgent","transcript_path":"/h/.gemini/tmp/copilot/x"}"#;
    assert_eq!(line(payload, None), "gemini s - - - : Prompt");
    let payload = r#"{"session_id":"s","hook_event_name":"Stop","transcript_path":"/h/.claude/projects/-copilot/x"}"#;
    assert_eq!(line(payload, None), "claude-code s - - - : TurnEnd");
}

#[test]
fn a_raw_control_character_in_a_string_is_read() {
    let payload =
        "{\"agent_action_name\":\"post_write_code\",\"x\":\"a\\\\\"\n,\"tool_info\":{\"file_path\":\"a\n\\\"b\"}}";
    assert_eq!(line(payload, None), "windsurf - - - - : after - write_code [\"a\\n\\\"b\"] -");
}
