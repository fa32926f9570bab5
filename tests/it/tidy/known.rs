//! What breaks a rule and is to go.

/// File and violation. The list only gets shorter: an entry that is no violation any more fails the test.
pub const KNOWN: &[(&str, &str)] = &[
    ("src/history/undo/plan.rs", "wanted has too many parameters"),
    ("src/history/undo/plan.rs", "add_steps has too many parameters"),
    ("src/history/undo/replay.rs", "replay has a boolean parameter"),
    ("src/history/undo/replay.rs", "patch has a boolean parameter"),
    ("src/history/undo/select.rs", "named has a boolean parameter"),
];
