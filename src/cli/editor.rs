//! The editor of a person, at a line of a file.
//!
//! Owns which program it is, how it is told the line, and the file of a text that is only to be edited.

use super::signals;
use crate::state_dir::{self, Durability};
use crate::text::{one_line, quoted_file};
use crate::workspace::Workspace;
use std::io;
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

/// Has a text edited, in a file of its own, which is gone afterwards.
///
/// # Errors
/// Where the file cannot be written or read, or as [`open`]; in words.
pub(super) fn edited(workspace: &Workspace, path: &Path, text: &[u8]) -> Result<Vec<u8>, String> {
    let said = |error: io::Error| format!("{}: {error}", quoted_file(path));
    state_dir::write(path, text, Durability::Fast).map_err(said)?;
    let _gone = Gone(path);
    open(workspace, path, 1)?;
    let left = state_dir::read(path).map_err(said)?;
    left.ok_or_else(|| format!("{}: it is gone", quoted_file(path)))
}

/// A file that is removed at the end of this.
struct Gone<'a>(&'a Path);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        // The editor may have done so.
        let _ = state_dir::remove(self.0);
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
