//! The editor of a person, at a line of a file.
//!
//! Owns which program it is, and how it is told the line.

use super::signals;
use crate::text::one_line;
use crate::workspace::Workspace;
use std::path::Path;
use std::process::Command;

/// Those that are told a line as `FILE:LINE`, and behind which flag.
const AT_COLON: &[(&str, &[&str])] = &[
    ("code", &["--goto"]),
    ("codium", &["--goto"]),
    ("cursor", &["--goto"]),
    ("windsurf", &["--goto"]),
    ("subl", &[]),
    ("zed", &[]),
    ("hx", &[]),
    ("helix", &[]),
];

/// Runs it, and waits for its end.
///
/// # Errors
/// Where it cannot be run, or fails; in words.
pub(super) fn open(workspace: &Workspace, file: &Path, line: usize) -> Result<(), String> {
    let editor = name(workspace);
    let (flags, target) = place(&editor, &file.to_string_lossy(), line);
    let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
    command.current_dir(workspace.repo().root());
    if cfg!(windows) {
        command.arg("/C").arg(&editor);
    } else {
        // As git runs it: what is configured may have arguments of its own.
        command.arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor);
    }
    command.args(flags);
    // A name that is no UTF-8 is handed on as it is where the line does not stand behind it.
    if target == file.to_string_lossy() {
        command.arg(file)
    } else {
        command.arg(&target)
    };
    let shown = one_line(&editor).into_owned();
    match signals::run(&mut command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(format!("{shown}: {status}; GIT_EDITOR, core.editor, VISUAL or EDITOR says which one is used"))
        }
        Err(error) => Err(format!("{shown}: {error}")),
    }
}

/// `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, `vi`.
fn name(workspace: &Workspace) -> String {
    let variable = |name: &str| workspace.env().variable(name)?.to_str().map(str::to_owned);
    let configured = || workspace.repo().config_string("core.editor").map(|value| value.to_string());
    let named =
        variable("GIT_EDITOR").or_else(configured).or_else(|| variable("VISUAL")).or_else(|| variable("EDITOR"));
    named.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "vi".to_owned())
}

/// What an editor is called with: flags, and the file.
fn place(editor: &str, file: &str, line: usize) -> (Vec<String>, String) {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let program = program.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(".exe");
    match AT_COLON.iter().find(|(name, _)| *name == program) {
        Some((_, flags)) => (flags.iter().map(|flag| (*flag).to_owned()).collect(), format!("{file}:{line}")),
        None => (vec![format!("+{line}")], file.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_told_the_line_as_it_takes_it() {
        let check = |editor: &str, want: &[&str]| {
            let (mut words, target) = place(editor, "/r/a b", 7);
            words.push(target);
            assert_eq!(words, want, "{editor}");
        };
        check("vi", &["+7", "/r/a b"]);
        check("emacs -nw", &["+7", "/r/a b"]);
        check("/usr/bin/code --wait", &["--goto", "/r/a b:7"]);
        check("hx", &["/r/a b:7"]);
    }
}
