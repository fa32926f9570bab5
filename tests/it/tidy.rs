//! The architecture, held by reading the sources: what each rule forbids is told by file and line.
//!
//! Every rule is shown to find something in a sample that breaks it.

mod circles;
mod known;
mod signatures;
mod source;

use circles::House;
use known::KNOWN;
use source::{Source, Violation};

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library; each uses only those before it.
const ORDER: &[&str] = &[
    "code",
    "id",
    "path",
    "text",
    "strategy",
    "change",
    "request",
    "answer",
    "dialect",
    "harness",
    "install",
    "matcher",
    "patch",
    "env",
    "git",
    "worktree",
    "state_dir",
    "record",
    "transaction",
    "history",
    "policy",
    "workspace",
    "task",
    "git_record",
    "observe",
    "export",
    "error",
    "warning",
    "flow",
    "advice",
    "usecase",
    "view",
    "library",
    "serve",
    "mcp",
    "cli",
];

/// The modules that cannot fail for outside reasons: all up to this one.
const LAST_PURE: &str = "patch";

/// What pure modules do not name.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "std::thread",
    "std::os",
    "std::time",
    "Instant",
    "SystemTime",
    "gix",
    "jiff",
    "getrandom",
    "tempfile",
    "rustix",
    "fs2",
];

/// Crates, and the places that may use them: a folder ends in a slash.
const CRATES: &[(&str, &[&str])] = &[
    ("gix", &["git/", "history/store/"]),
    ("fs2", &["transaction/lock.rs"]),
    ("tempfile", &["transaction/", "usecase/report/save.rs"]),
    (
        "rustix",
        &[
            "env/randomness.rs",
            "transaction/",
            "worktree/",
            "serve/",
            "cli/signals.rs",
            "cli/screen.rs",
            "cli/waiting.rs",
        ],
    ),
    ("similar", &["patch/"]),
    ("encoding_rs", &["text/encoding/"]),
    ("ec4rs", &["worktree/editorconfig.rs"]),
    ("jsonc_parser", &["install/"]),
    ("notify", &["observe/events.rs"]),
    ("postcard", &["observe/stored.rs"]),
    ("rmcp", &["mcp/"]),
    ("tokio", &["mcp/"]),
    ("serde_path_to_error", &["mcp/arguments.rs"]),
    ("toml_edit", &["install/"]),
    ("xxhash_rust", &["text/tag.rs"]),
    ("sha2", &["export/", "view/"]),
    ("zlib_rs", &["view/"]),
    ("uuid", &["export/"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/"]),
    ("clap_mangen", &["cli/"]),
    ("anstyle", &["cli/"]),
    ("anyhow", &["cli/"]),
    ("getrandom", &["env/randomness.rs"]),
    ("signal_hook", &["cli/signals.rs"]),
    ("ratatui", &["view/review/", "cli/screen.rs"]),
    ("crossterm", &["cli/screen.rs"]),
];

/// What prints or ends the process.
const OUTPUT: &[&str] =
    &["println!", "print!", "eprintln!", "eprint!", "process::exit", "process::abort", "io::stdout", "io::stderr"];

/// Keys of single dialects.
const KEYS: &[&str] = &["oldString", "newString", "replaceAll", "filePath", "file_path"];

/// What a caller sends or reads; sentences with it are made where the caller is known.
const CALLERS_WORDS: &[&str] =
    &["old_string", "new_string", "expected_replacements", "require_clean", "data.hint", "hint.nearest", "hint.places"];
/// Who spells them. `--flag` too: not as an argument of another program, but in a sentence.
const SPEAKERS: &[&str] = &["dialect/", "advice/", "cli/", "main.rs"];
/// No flag of ours, but what git writes in a diff.
const FOREIGN_FLAGS: &[&str] = &["--git"];

/// What writes files, and who may: the transaction layer the working tree, the others their own files, or git's index, below
/// the git directory.
const WRITES: &[&str] = &[
    "fs::write",
    "fs::rename",
    "fs::copy",
    "fs::remove_file",
    "fs::remove_dir",
    "fs::remove_dir_all",
    "fs::create_dir",
    "fs::create_dir_all",
    "fs::hard_link",
    "File::create",
    "OpenOptions",
    "DirBuilder",
    "NamedTempFile",
];
/// `git/`, `usecase/commit_message.rs`, `usecase/hook_files.rs` and `usecase/kept_hooks.rs` write what is git's only: the index by git's protocol, the message
/// of a commit that it is making, its hooks; `serve/` its socket.
/// `usecase/hook_managers.rs` writes lines of redraft's own into the files of husky and lefthook where a person asks for it.
/// `usecase/report/save.rs` writes the file that a person names, and nothing else; `cli/man.rs` the pages, into a folder that a person names;
/// `usecase/tour/` what a person of its story writes, in a repository of its own.
const WRITERS: &[&str] = &[
    "transaction/",
    "history/",
    "worktree/",
    "git_record/",
    "state_dir/",
    "usecase/commit_message.rs",
    "usecase/hook_files.rs",
    "usecase/hook_managers.rs",
    "usecase/kept_hooks.rs",
    "usecase/install.rs",
    "usecase/report/save.rs",
    "usecase/tour/",
    "cli/man.rs",
    "git/index.rs",
    "git/lock_file.rs",
    "serve/socket.rs",
    "serve/socket_path.rs",
];

/// What reads the environment, the clock or chance, and what is the whole process's.
const HIDDEN: &[&str] = &[
    "std::env",
    "env::var",
    "env::var_os",
    "env::vars",
    "env::vars_os",
    "env::args",
    "env::args_os",
    "env::current_dir",
    "env::set_current_dir",
    "Timestamp::now",
    "Zoned::now",
    "SystemTime::now",
    "Instant::now",
    "TimeZone::system",
    "process::id",
];
/// `main` reads them, once.
const READERS: &[&str] = &["main.rs", "env/"];

type Rule = fn(&Source) -> Vec<Violation>;

const RULES: &[(&str, Rule)] = &[
    ("modules use only those before them", order),
    ("pure modules cannot fail for outside reasons", pure),
    ("a crate is used where it belongs", crates),
    ("only the command line prints and exits", output),
    ("only dialects know the keys of a dialect", keys),
    ("layers keep facts: no sentence of theirs has a caller's words", words),
    ("only the transaction layer writes in the working tree", writes),
    ("every file says first what it owns", head),
    ("files are short", signatures::file_length),
    ("functions are short", signatures::function_length),
    ("functions take few things", signatures::parameters),
    ("no parameter is a boolean", signatures::booleans),
    ("what a call depends on is handed to it", hidden),
    ("errors are documented by their causes", causes),
    ("nothing panics without a reason", panics),
];

fn order(source: &Source) -> Vec<Violation> {
    let Some(own) = source.module() else { return Vec::new() };
    let Some(rank) = ORDER.iter().position(|module| *module == own) else {
        return vec![source.whole(&format!("the module {own} has no place in the order"), "")];
    };
    let mut told = Vec::new();
    for (at, _) in source.code.match_indices("crate::") {
        let rest = &source.code[at + "crate::".len()..];
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or_default());
        let names: Vec<&str> = if rest.starts_with('{') { list.split(',').collect() } else { vec![list] };
        for name in names {
            let name = name.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            if ORDER.iter().position(|module| *module == name).is_some_and(|other| other > rank) {
                told.push(source.at(at, &format!("{own} uses {name}, which comes after it")));
            }
        }
    }
    told
}

fn pure(source: &Source) -> Vec<Violation> {
    let last = ORDER.iter().position(|module| *module == LAST_PURE).expect("it is in the order");
    let Some(own) = source.module().filter(|own| ORDER[..=last].contains(own)) else { return Vec::new() };
    let told = format!("in {own}, which is pure");
    let mut found: Vec<Violation> = IMPURE.iter().flat_map(|word| source.finds(&source.code, word, &told)).collect();
    // `use std::{fs, io}` would hide a name from this rule.
    found.extend(source.finds(&source.code, "std::{", "hides what is used; import one name a line"));
    found
}

fn crates(source: &Source) -> Vec<Violation> {
    let foreign = CRATES.iter().filter(|(_, places)| !source.is_in(places));
    foreign
        .flat_map(|(name, places)| source.finds(&source.code, &format!("{name}::"), &format!("belongs to {places:?}")))
        .collect()
}

fn output(source: &Source) -> Vec<Violation> {
    if source.is_in(&["main.rs", "cli/"]) {
        return Vec::new();
    }
    OUTPUT.iter().flat_map(|word| source.finds(&source.code, word, "outside of the command line")).collect()
}

fn keys(source: &Source) -> Vec<Violation> {
    if source.is_in(&["dialect/", "harness/"]) {
        return Vec::new();
    }
    KEYS.iter().flat_map(|key| source.finds(&source.with_literals, key, "outside of dialect/")).collect()
}

fn words(source: &Source) -> Vec<Violation> {
    if source.is_in(SPEAKERS) {
        return Vec::new();
    }
    let literals = source.literals();
    let told = "is a caller's word, and belongs to advice/";
    let mut found: Vec<Violation> = CALLERS_WORDS.iter().flat_map(|word| source.finds(&literals, word, told)).collect();
    let is_flag = |c: char| c.is_ascii_lowercase() || c == '-';
    for (at, _) in literals.match_indices("--") {
        let flag = &literals[at..];
        let flag = &flag[..flag.find(|c| !is_flag(c)).unwrap_or(flag.len())];
        let is_argument = literals[..at].ends_with('"') && !source.with_literals[at + flag.len()..].starts_with(' ');
        let is_dash = flag.trim_start_matches('-').is_empty() || literals[..at].ends_with('-');
        if !is_argument && !is_dash && !FOREIGN_FLAGS.contains(&flag) {
            found.push(source.at(at, &format!("{flag} {told}")));
        }
    }
    found
}

fn writes(source: &Source) -> Vec<Violation> {
    if source.is_in(WRITERS) {
        return Vec::new();
    }
    WRITES.iter().flat_map(|word| source.finds(&source.code, word, "outside of what may write")).collect()
}

fn head(source: &Source) -> Vec<Violation> {
    let is_told = source.text.starts_with("//! ");
    if is_told { Vec::new() } else { vec![source.whole("does not open with `//!`", "")] }
}

/// Causes in the documentation of errors that say nothing: a caller learns no more than that something went wrong.
fn causes(source: &Source) -> Vec<Violation> {
    const VAGUE: &[&str] = &["the system's", "git's"];
    let mut told = Vec::new();
    for (at, _) in source.text.match_indices("/// ") {
        let doc = source.text[at + "/// ".len()..].lines().next().unwrap_or_default().to_lowercase();
        let is_vague =
            |word: &&&str| doc.strip_prefix(**word).is_some_and(|rest| rest.starts_with(['.', ';', ',', ':']));
        if let Some(word) = VAGUE.iter().find(is_vague) {
            told.push(source.at(at, &format!("{word} is no cause of an error")));
        }
    }
    told
}

fn hidden(source: &Source) -> Vec<Violation> {
    if source.is_in(READERS) {
        return Vec::new();
    }
    let mut found: Vec<Violation> =
        HIDDEN.iter().flat_map(|word| source.finds(&source.code, word, "is an input that nobody sees")).collect();
    // `std::env::var` is one violation, not two.
    found.sort_by_key(|violation| violation.line);
    found.dedup_by_key(|violation| violation.line);
    found
}

fn panics(source: &Source) -> Vec<Violation> {
    let words = [".unwrap()", "todo!", "unimplemented!", "dbg!"];
    words.iter().flat_map(|word| source.finds(&source.code, word, "is no way to end")).collect()
}

fn rust_files(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a readable directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The sources, by their names below `dir`.
fn sources(dir: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    let read = |path: &PathBuf| fs::read_to_string(path).expect("UTF-8");
    let name = |path: &PathBuf| path.strip_prefix(&root).expect("below").to_str().expect("UTF-8").to_owned();
    files.iter().map(|path| (name(path), read(path))).collect()
}

fn is_test_file(name: &str) -> bool {
    name == "tests.rs" || name.ends_with("/tests.rs") || name.contains("/tests/")
}

#[test]
fn the_sources_keep_the_architecture() {
    let files = sources("src");
    let read = files.iter().filter(|(name, _)| !is_test_file(name)).map(|(name, text)| Source::new(name, text));
    let sources: Vec<Source> = read.collect();
    let mut found: Vec<Violation> =
        sources.iter().flat_map(|source| RULES.iter().flat_map(|(_, rule)| rule(source))).collect();
    found.extend(House::new(&sources).circles());
    let (told, stale) = judged(&found, KNOWN);
    assert!(told.is_empty(), "{} violations:\n{}", told.len(), told.join("\n"));
    assert!(stale.is_empty(), "no violations any more, take them off the list:\n{}", stale.join("\n"));
}

/// The violations that are not known, and what is known and is none.
fn judged(found: &[Violation], known: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let is = |violation: &Violation, (file, what): &(&str, &str)| violation.file == *file && violation.what == *what;
    let new = found.iter().filter(|violation| !known.iter().any(|entry| is(violation, entry)));
    let stale = known.iter().filter(|entry| !found.iter().any(|violation| is(violation, entry)));
    (new.map(Violation::to_string).collect(), stale.map(|(file, what)| format!("{file}: {what}")).collect())
}

#[test]
fn a_violation_that_is_known_is_not_told_and_a_known_one_that_is_gone_is() {
    let source = Source::new("code.rs", "fn f() { x.unwrap(); y.unwrap() }\nfn g() { todo!() }");
    let known = [("src/code.rs", ".unwrap() is no way to end"), ("src/code.rs", "dbg! is no way to end")];
    let (told, stale) = judged(&panics(&source), &known);
    assert_eq!(told, ["src/code.rs:2: todo! is no way to end"]);
    assert_eq!(stale, ["src/code.rs: dbg! is no way to end"]);
}

#[test]
fn every_module_has_its_place_in_the_order() {
    let text = sources("src").remove("lib.rs").expect("it is there");
    let modules: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';'))
        .filter(|module| !matches!(*module, "testing" | "tests"))
        .collect();
    assert_eq!(modules, ORDER, "lib.rs lists them in reading order");
}

#[test]
fn every_module_is_a_room_of_the_architecture_in_the_same_order() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).expect("UTF-8");
    let rooms = page.split("## Rooms").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("there is a section");
    let rows = rooms.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), ORDER);
}

#[test]
fn tests_say_first_what_they_are_about() {
    for (name, text) in sources("tests") {
        assert!(text.starts_with("//! "), "tests/{name}");
    }
}

fn check(rule: Rule, name: &str, bad: &str, good: &str) {
    assert_eq!(rule(&Source::new(name, bad)).len(), 1, "{bad}");
    assert_eq!(rule(&Source::new(name, good)), [] as [Violation; 0], "{good}");
}

#[test]
fn a_module_that_uses_a_later_one_is_found() {
    check(order, "text/mod.rs", "use crate::patch::Splice;", "use crate::code::Reason; // crate::patch");
    check(order, "record/mod.rs", "fn f() { crate::usecase::f(); }", "#[cfg(test)]\nmod tests { use crate::usecase; }");
    check(order, "path.rs", "use crate::{code::Code, cli};", "use crate::{code::Code, id};");
}

#[test]
fn a_module_without_a_place_is_found() {
    assert_eq!(order(&Source::new("other/mod.rs", "")).len(), 1);
    assert_eq!(order(&Source::new("main.rs", "use redraft::cli;")).len(), 0);
}

#[test]
fn an_outside_name_in_a_pure_module_is_found() {
    check(pure, "patch/mod.rs", "let now = std::time::now();", "use std::path::Path; // std::fs");
    check(pure, "text/mod.rs", "use std::{fs, io};", "use std::io;");
    check(pure, "path.rs", "use gix::bstr;", "use gix_validate::path;");
    check(pure, "matcher/mod.rs", "f(Instant::now())", "let instant = \"Instant\";");
    assert_eq!(pure(&Source::new("git/mod.rs", "use std::fs;")).len(), 0);
}

#[test]
fn a_crate_in_the_wrong_place_is_found() {
    check(crates, "usecase/edit.rs", "use gix::Repository;", "use gix_validate::path;");
    check(crates, "transaction/swap.rs", "use fs2::FileExt;", "use tempfile::tempdir;");
    check(crates, "matcher/mod.rs", "similar::capture()", "dissimilar::x()");
    assert_eq!(crates(&Source::new("transaction/lock.rs", "use fs2::FileExt;")).len(), 0);
}

#[test]
fn printing_in_the_wrong_place_is_found() {
    check(output, "usecase/edit.rs", "println!(\"x\");", "let x = \"println!()\";");
    check(output, "usecase/edit.rs", "std::process::exit(1)", "writeln!(out)");
    assert_eq!(output(&Source::new("cli/output.rs", "eprintln!(\"x\")")).len(), 0);
}

#[test]
fn a_key_of_a_dialect_in_the_wrong_place_is_found() {
    check(keys, "usecase/edit.rs", "json[\"oldString\"]", "json[\"old_string\"] // oldString");
    assert_eq!(keys(&Source::new("dialect/json/opencode.rs", "\"oldString\"")).len(), 0);
}

#[test]
fn a_callers_word_in_a_layer_is_found() {
    check(words, "patch/mod.rs", "f(\"send old_string again\")", "let old_string = \"the old text\"; // old_string");
    check(words, "transaction/error.rs", "\"look at data.hint.output\"", "f(\"look at its output\")");
    check(
        words,
        "transaction/error.rs",
        "\"wait longer with --lock-timeout\"",
        "call([\"--no-verify\", \"--path=x\"])",
    );
    check(words, "git_record/mod.rs", "\"--shelve is for the stash\"", "f(\"diff --git a b\\n--- a\\n\", \"x -- y\")");
    assert_eq!(words(&Source::new("advice/patch.rs", "\"old_string --force\"")).len(), 0);
}

#[test]
fn a_write_in_the_wrong_place_is_found() {
    check(writes, "usecase/edit.rs", "std::fs::write(path, b\"\")", "std::fs::read(path)");
    assert_eq!(writes(&Source::new("transaction/swap.rs", "fs::rename(a, b)")).len(), 0);
}

#[test]
fn a_file_without_a_head_is_found() {
    check(head, "code.rs", "/// Code.\npub struct Code;", "//! Code.\npub struct Code;");
}

#[test]
fn an_input_that_nobody_sees_is_found() {
    check(hidden, "flow/mod.rs", "let now = jiff::Timestamp::now();", "fn f(now: jiff::Timestamp) {}");
    check(hidden, "usecase/edit.rs", "let home = std::env::var(x);", "let home = env.home();");
    check(hidden, "cli/mod.rs", "env::set_current_dir(x)", "dir.open(x)");
    check(hidden, "state_dir/mod.rs", "std::process::id()", "env.process_id()");
    assert_eq!(hidden(&Source::new("main.rs", "std::env::args()")).len(), 0);
}

#[test]
fn an_error_documented_by_nobodys_cause_is_found() {
    check(
        causes,
        "git/index.rs",
        "/// # Errors\n/// The system's; the lock goes.\nfn f() {}",
        "/// The system's clock.\nfn f() {}",
    );
}

#[test]
fn an_unwrap_is_found() {
    check(panics, "code.rs", "x.unwrap()", "x.unwrap_or(0) // .unwrap()");
    check(panics, "code.rs", "todo!()", "#[cfg(test)]\nmod tests { fn f() { x.unwrap() } }");
}
