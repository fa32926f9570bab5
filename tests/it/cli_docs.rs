//! docs/cli.md is what the command line's own definitions say; `REDRAFT_UPDATE_DOCS=1` writes it anew.

use clap::{Arg, Command};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
# The command line

Written from the definitions of the commands themselves (`REDRAFT_UPDATE_DOCS=1 cargo test --test it cli_docs`).

";

/// The page for all commands.
fn page() -> String {
    let mut command = redraft::cli::command();
    command.build();
    let mut out = HEAD.to_owned();
    section(&mut command, 2, &mut out);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn section(command: &mut Command, level: usize, out: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let usage = command.render_usage().to_string();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let heading = "#".repeat(level.min(4));
    write!(out, "{heading} {name}\n\n{}\n\n", about.trim()).expect("a String takes all");
    let lines = usage.strip_prefix("Usage: ").unwrap_or(&usage).lines().map(str::trim).collect::<Vec<_>>().join("\n");
    write!(out, "```text\n{lines}\n```\n\n").expect("a String takes all");
    arguments(command, level == 2, out);
    if let Some(help) = command.get_after_help() {
        write!(out, "```text\n{}\n```\n\n", help.to_string().trim()).expect("a String takes all");
    }
    for subcommand in
        command.get_subcommands_mut().filter(|command| command.get_name() != "help" && !command.is_hide_set())
    {
        section(subcommand, level + 1, out);
    }
}

/// One row for each argument; what holds for every command is only told at the top.
fn arguments(command: &Command, is_top: bool, out: &mut String) {
    let shown: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version"))
        .filter(|arg| is_top || arg.get_id() != "directory")
        .collect();
    if shown.is_empty() {
        return;
    }
    out.push_str("| argument | meaning |\n|---|---|\n");
    for arg in shown {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let values: Vec<String> = arg
            .get_possible_values()
            .iter()
            .filter(|value| arg.get_action().takes_values() && !value.is_hide_set())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({help})", value.get_name()),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        let told = format!("{help}{values}").split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "| `{}` | {} |", spelled(arg), escaped(&told)).expect("a String takes all");
    }
    out.push('\n');
}

/// `-C <DIR>`, `--mode <MODE>`, `[FILE]`.
fn spelled(arg: &Arg) -> String {
    let names: Vec<&str> = arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let dots = if arg.get_num_args().is_some_and(|count| count.max_values() > 1) { "..." } else { "" };
    let value = names.iter().map(|name| format!("<{name}>{dots}")).collect::<Vec<_>>().join(" ");
    let flags: Vec<String> = arg
        .get_short()
        .map(|short| format!("-{short}"))
        .into_iter()
        .chain(arg.get_long().map(|long| format!("--{long}")))
        .collect();
    let takes_value = arg.get_action().takes_values();
    match (flags.is_empty(), takes_value) {
        (true, _) if arg.is_required_set() => value,
        (true, _) => value.replace('<', "[").replace('>', "]"),
        (false, true) => format!("{} {value}", flags.join(", ")),
        (false, false) => flags.join(", "),
    }
}

/// For a cell of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let page = page();
    if std::env::var_os("REDRAFT_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("docs/ is there");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, page, "run `REDRAFT_UPDATE_DOCS=1 cargo test --test it cli_docs`");
}

#[test]
fn every_command_and_flag_is_on_the_page() {
    let page = page();
    let mut left = vec![redraft::cli::command()];
    while let Some(command) = left.pop() {
        for arg in command.get_arguments().filter_map(Arg::get_long) {
            assert!(page.contains(&format!("--{arg}")), "{arg}");
        }
        assert!(command.is_hide_set() || page.contains(&format!(" {}", command.get_name())), "{}", command.get_name());
        left.extend(command.get_subcommands().cloned());
    }
}

#[test]
fn a_changed_definition_changes_the_page() {
    let of = |command: Command| {
        let mut out = String::new();
        let mut command = command;
        command.build();
        section(&mut command, 2, &mut out);
        out
    };
    let plain = of(Command::new("x"));
    assert_ne!(plain, of(Command::new("x").about("more")));
    assert_ne!(plain, of(Command::new("x").arg(Arg::new("a").long("a").help("of | b"))));
    assert_ne!(plain, of(Command::new("x").subcommand(Command::new("y"))));
}
