//! Completions, as the shells themselves make them: each is driven by its own machinery. A shell that is not here is left out, and
//! that is said.

use crate::support::run::{REDRAFT, Ran, finish};
use crate::support::{TestRepo, clean};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A repository with two sessions, a name with a space, and one that a terminal would obey.
fn repo() -> (TestRepo, Vec<String>) {
    let repo = TestRepo::with_files(&[("a.txt", "one\n"), ("sub/b.txt", "one\n"), ("other.txt", "x\n")]);
    let agent = |name: &str, session: &str| json!({"name": name, "session": session});
    let edit = |path: &str, who, message: &str| {
        repo.apply(json!({"path": path, "old_string": "one", "new_string": "two", "agent": who, "message": message}))
    };
    let ids = vec![
        edit("a.txt", agent("claude", "morning run"), "first\u{1b}[2J\nsecond"),
        edit("sub/b.txt", agent("codex", "evening"), "it's $(touch pwned) `x`"),
        repo.apply(json!({"path": "odd\u{1b}[2J", "content": "x\n", "agent": agent("evil\u{1b}[2J", "evil\u{7}")})),
    ];
    (repo, ids)
}

/// What `redraft complete` says to a shell that asks with words.
fn asked(repo: &TestRepo, words: &[&str]) -> Vec<String> {
    let answer = repo.redraft(&[&["complete", "zsh", "--", "redraft"], words].concat(), "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{words:?}");
    assert!(answer.out.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t')), "{words:?}: {:?}", answer.out);
    answer.out.lines().map(str::to_owned).collect()
}

fn values(repo: &TestRepo, words: &[&str]) -> Vec<String> {
    let all = asked(repo, words);
    all[1..].iter().map(|line| line.split('\t').next().expect("a value").to_owned()).collect()
}

#[test]
fn what_the_history_knows_is_offered_where_it_is_wanted() {
    let (repo, ids) = repo();
    let short: Vec<&str> = ids.iter().rev().map(|id| &id[..8]).collect();
    assert_eq!(values(&repo, &["show", ""]), short);
    assert_eq!(values(&repo, &["undo", &ids[0][..6]]), [&ids[0][..8]]);
    assert_eq!(values(&repo, &["undo", &ids[0][..10]]), [&ids[0][..]]);
    assert_eq!(values(&repo, &["log", "--session", ""]), ["evening", "morning run"]);
    assert_eq!(values(&repo, &["log", "--session=e"]), ["--session=evening"]);
    assert_eq!(values(&repo, &["undo", "--agent", ""]), ["codex", "claude"]);
    assert_eq!(values(&repo, &["log", ""]), ["a.txt", "sub/"]);
    assert_eq!(values(&repo, &["log", "sub/"]), ["sub/b.txt"]);
    assert_eq!(values(&repo, &["undo", "--", "a"]), ["a.txt"]);
    assert_eq!(values(&repo, &["show", &format!("{}:s", &ids[1][..4])]), [format!("{}:sub/", &ids[1][..4])]);
    assert_eq!(
        values(&repo, &["log", &format!("{}..{}", short[2], &short[0][..6])]),
        [format!("{}..{}", short[2], short[0])]
    );
    assert_eq!(values(&repo, &["apply", "--record", ""]), ["history", "commit", "stash", "none"]);
    assert_eq!(values(&repo, &["undo", "--record", ""]), ["history", "commit"]);
    assert!(values(&repo, &["apply", "--match", "l"]).contains(&"loose".to_owned()));
    assert_eq!(values(&repo, &["und"]), ["undo"]);
    assert!(values(&repo, &["undo", "--sk"]).contains(&"--skip-conflicts".to_owned()));
    assert_eq!(asked(&repo, &["apply", ""]), ["files"]);
    assert_eq!(asked(&repo, &["man", "--out", ""]), ["dirs"]);
    assert_eq!(asked(&repo, &["log", "--grep", ""]), ["values"]);
    let told = asked(&repo, &["undo", &ids[1][..8]]);
    assert!(told[1].contains("ago, edit sub/b.txt: it's $(touch pwned)"), "{told:?}");
    repo.redraft(&["undo", &ids[1]], "");
    assert_eq!(values(&repo, &["undo", &ids[1][..8]]), [""; 0], "what is undone is not undone again");
    assert_eq!(values(&repo, &["redo", ""]).len(), 1);
}

#[test]
fn paths_are_offered_from_where_the_caller_is() {
    let (repo, _) = repo();
    let from = |dir: &str, word: &str| {
        let args = ["complete", "zsh", "--", "redraft", "log", word];
        repo.redraft_in(&repo.root().join(dir), &args, "").out
    };
    assert_eq!(from("sub", ""), "values\nb.txt\t\n");
    assert_eq!(from("sub", "../"), "values\n../a.txt\t\n");
    assert_eq!(from("sub", ":/s"), "open\n:/sub/\t\n");
    let args = ["complete", "zsh", "--", "redraft", "-C", "sub", "blame", ""];
    assert_eq!(repo.redraft(&args, "").out, "values\nb.txt\t\n");
}

#[test]
fn where_there_is_nothing_to_be_read_nothing_is_said_and_nothing_written() {
    let repo = TestRepo::new();
    let before = crate::support::tree_of(&repo.root());
    assert_eq!(asked(&repo, &["show", ""]), ["values"]);
    assert_eq!(asked(&repo, &["log", ""]), ["files"]);
    assert_eq!(asked(&repo, &["no-such", ""]), [""; 0]);
    let answer = repo.redraft_in(&repo.outside(), &["complete", "zsh", "--", "redraft", "undo", ""], "");
    assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "values\n", ""));
    let (full, _) = self::repo();
    let log = full.root().join(".git");
    assert_eq!(crate::support::tree_of(&repo.root()), before);
    let before = crate::support::tree_of(&log);
    asked(&full, &["show", ""]);
    asked(&full, &["log", ""]);
    assert_eq!(crate::support::tree_of(&log), before);
}

/// A shell at work in the repository, with the script of its completions at hand; none where there is no such shell.
fn shell(repo: &TestRepo, name: &str, args: &[&str], input: &str) -> Option<Ran> {
    let script = repo.outside().join(format!("redraft.{name}"));
    std::fs::write(&script, repo.redraft(&["completions", name], "").out).expect("writes");
    let bin = Path::new(REDRAFT).parent().expect("a folder").to_owned();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(name);
    clean(command.args(args), &repo.root()).env("PATH", path).env("SCRIPT", &script).env("TERM", "dumb");
    if Command::new(name).arg("--version").output().is_err() {
        eprintln!("left out: {name} is not here");
        return None;
    }
    let ran = finish(&mut command, input.as_bytes());
    assert!(!repo.has("pwned"), "a text of an agent was run: {ran:?}");
    assert!(!ran.stdout.contains(&0x07) && !ran.text().contains("\u{1b}[2J"), "{ran:?}");
    Some(ran)
}

/// Bash fills COMPREPLY as readline would have it do, and each value is then read as a word by it.
const BASH: &str = r#"
source "$SCRIPT"
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
try() {
    COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=${2-9} COMP_KEY=9
    COMP_WORDS=($1) COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    local how
    how=$(complete -p redraft); how=${how##*-F }; "${how%% *}" redraft "" ""
    printf '%s\n' "${COMPREPLY[@]}"
    echo .
}
"#;

#[test]
fn bash_completes_and_what_it_puts_there_is_the_value() {
    let (repo, ids) = repo();
    let short = &ids[1][..8];
    let script = format!(
        "{BASH}
        try 'redraft un'
        try 'redraft undo {}'
        try 'redraft log --session '
        try 'redraft log --session m'
        eval \"set -- ${{COMPREPLY[0]}}\"; echo \"$# $1\"
        try 'redraft show {short}:sub/'
        try 'redraft log --session=e'
        try 'redraft undo ' 63
        try 'redraft apply '
        ",
        &ids[1][..4],
    );
    let Some(ran) = shell(&repo, "bash", &["--norc", "-c", &script], "") else { return };
    let said: Vec<&str> = ran.text().split(".\n").map(str::trim_end).collect();
    assert_eq!(said[0], "undo\nuninstall", "{ran:?}");
    assert_eq!(said[1], short);
    assert_eq!(said[2], "evening\nmorning\\ run");
    assert_eq!(said[3], "morning\\ run");
    assert_eq!(said[4], "1 morning run\nsub/b.txt");
    assert_eq!(said[5], "evening");
    assert!(said[6].contains(&format!("{short}  (")) && said[6].contains("edit sub/b.txt"), "{}", said[6]);
    assert_eq!(said[7], "", "bash knows files itself");
}

/// Zsh's own completion, on a terminal of its own; what it lists and puts there is what the terminal has.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty z zsh -f -i
w() { zpty -w z "$1"; }
w 'PS1=; PS2=; unsetopt beep; fpath=("${SCRIPT:h}/zfunc" $fpath); autoload -Uz compinit; compinit -u -D'
w 'zstyle ":completion:*" list-prompt ""; zstyle ":completion:*" verbose yes; LISTMAX=1000; COLUMNS=200; LINES=100'
w 'show() { zle -I; print -r -- "<<$BUFFER>>"; exit }; zle -N show; bindkey "^X" show; bindkey "^I" complete-word'
w 'print READ''Y'
local line all=
while zpty -r z line; do [[ $line == READY* ]] && break; done
zpty -n -w z "$1"$'\t'$'\x18'
while zpty -r z line; do all+=$line; [[ $line == *'<<'*'>>'* ]] && break; done
print -r -- "$all"
"#;

#[test]
fn zsh_completes_and_describes_ids() {
    let (repo, ids) = repo();
    let folder = repo.outside().join("zfunc");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("_redraft"), repo.redraft(&["completions", "zsh"], "").out).expect("writes");
    let typed = |line: &str| shell(&repo, "zsh", &["-f", "-c", ZSH, "zsh", line], "").map(|ran| ran.text().to_owned());
    let Some(whole) = typed("redraft und") else { return };
    assert!(whole.contains("<<redraft undo >>"), "{whole:?}");
    let put = typed(&format!("redraft undo {}", &ids[1][..4])).expect("zsh is here");
    assert!(put.contains(&format!("<<redraft undo {} >>", &ids[1][..8])), "{put:?}");
    let put = typed("redraft log --session m").expect("zsh is here");
    assert!(put.contains("<<redraft log --session morning\\ run >>"), "{put:?}");
    let put = typed(&format!("redraft show {}:sub/", &ids[1][..8])).expect("zsh is here");
    assert!(put.contains(&format!("<<redraft show {}:sub/b.txt >>", &ids[1][..8])), "{put:?}");
    let listed = typed("redraft show ").expect("zsh is here");
    assert!(listed.contains(&ids[0][..8]) && listed.contains("edit sub/b.txt: it's $(touch pwned)"), "{listed:?}");
}

#[test]
fn fish_completes_and_describes_ids() {
    let (repo, ids) = repo();
    let script = format!(
        "source $SCRIPT
        complete -C 'redraft und'; echo .
        complete -C 'redraft undo {}'; echo .
        complete -C 'redraft log --session m'; echo .
        complete -C 'redraft show '; echo .
        complete -C 'redraft log sub/'; echo .
        complete -C 'redraft apply oth'; echo .",
        &ids[1][..4]
    );
    let Some(ran) = shell(&repo, "fish", &["--no-config", "-c", &script], "") else { return };
    let said: Vec<&str> = ran.text().split(".\n").collect();
    assert!(said[0].starts_with("undo\t"), "{ran:?}");
    assert!(said[1].starts_with(&format!("{}\t", &ids[1][..8])) && said[1].contains("edit sub/b.txt"), "{ran:?}");
    assert!(said[2].starts_with("morning run\tclaude, "), "{ran:?}");
    let listed: Vec<&str> = said[3].lines().map(|line| line.split('\t').next().expect("a value")).collect();
    assert_eq!(listed.len(), 3, "{ran:?}");
    assert_eq!(said[4].trim_end(), "sub/b.txt", "{ran:?}");
    assert_eq!(said[5].trim_end(), "other.txt", "{ran:?}");
}
