//! The files that a patch names.
//!
//! Owns finding them in the heads of `apply_patch` and of diffs; does not read what the patch does.

use std::path::{Path, PathBuf};

/// What stands before a file in `apply_patch`.
const HEADS: [&str; 4] = ["*** Update File:", "*** Add File:", "*** Delete File:", "*** Move to:"];

/// What stands before a file in a diff.
const SIDES: [&str; 2] = ["--- ", "+++ "];

/// The files, as they are written; a diff's without the side's letter.
pub(super) fn of(patch: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_diff = !patch.contains("*** Begin Patch");
    let mut lines = patch.lines().peekable();
    // A line that is removed may look like the head of a diff; a head has two.
    let mut is_head = false;
    while let Some(line) = lines.next() {
        let is_first = line.starts_with(SIDES[0]) && lines.peek().is_some_and(|next| next.starts_with(SIDES[1]));
        is_head = is_diff && (is_first || (is_head && line.starts_with(SIDES[1])));
        let line = line.trim_start_matches([' ', '\t']).trim_end();
        let name = HEADS.iter().find_map(|head| line.strip_prefix(head)).map(str::trim);
        let side = SIDES.iter().filter(|_| is_head).find_map(|head| line.strip_prefix(head)).map(|rest| {
            let name = rest.split('\t').next().unwrap_or(rest).trim();
            name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name)
        });
        let name = name.or(side.filter(|name| *name != "/dev/null"));
        let name = name.map(|name| name.trim_matches(['"', '\'', '`']));
        found.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
    }
    found
}

/// The files that such a command line names, below the directory that it goes to.
pub(super) fn of_command(command: &str) -> Vec<PathBuf> {
    let dir = command.trim_start().strip_prefix("cd ").and_then(|rest| rest.split_once("&&"));
    let dir = dir.map_or("", |(dir, _)| dir.trim().trim_matches(['"', '\'']));
    of(command).iter().map(|name| Path::new(dir).join(name)).collect()
}

/// Whether a command line is nothing but a patch for a program that the harness runs itself.
pub(super) fn is_whole_command(command: &str) -> bool {
    let command = command.trim_start();
    let rest = command.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")).map_or(command, |(_, rest)| rest);
    let rest = rest.trim_start();
    ["apply_patch", "applypatch"].iter().any(|name| {
        rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_the_heads_of_patches() {
        let patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: \"moved/a b.txt\"\n@@\n-x\n+y\n*** Delete File: b\n*** Add File: c\n+new\n";
        assert_eq!(of(patch), ["a.txt", "moved/a b.txt", "b", "c"]);
        assert_eq!(of("--- a/x\t2026\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n--- /dev/null\n+++ b/z\n"), ["x", "y", "z"]);
        assert_eq!(of("text"), [""; 0]);
        let sql = "*** Begin Patch\n*** Update File: q.sql\n@@\n--- drop it\n+++ x\n-- select\n*** End Patch";
        assert_eq!(of(sql), ["q.sql"]);
        assert_eq!(of("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- gone\n kept\n"), ["x", "x"]);
    }

    #[test]
    fn a_command_that_is_only_a_patch_is_known() {
        for command in ["apply_patch <<'EOF'\n", "cd moved && apply_patch <<'EOF'\n", " applypatch <<EOF"] {
            assert!(is_whole_command(command), "{command}");
        }
        for command in ["sed -i s/a/b/ f", "apply_patches", "echo apply_patch"] {
            assert!(!is_whole_command(command), "{command}");
        }
    }
}
