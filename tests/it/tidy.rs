//! The architecture, held by reading the sources: what each rule forbids is told by file and line.
//!
//! Every rule looks at text in which comments, literals and tests are blanked out (where that matters), so that it
//! needs no parser. Every rule is shown to find something in a sample that breaks it.

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
    "error",
    "advice",
    "flow",
    "usecase",
    "library",
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
    "cap_std",
    "rustix",
    "fs2",
];

/// Crates, and the places that may use them: a folder ends in a slash.
const CRATES: &[(&str, &[&str])] = &[
    ("gix", &["git/", "history/"]),
    ("fs2", &["transaction/lock.rs"]),
    ("tempfile", &["transaction/"]),
    ("cap_std", &["transaction/", "worktree/"]),
    ("rustix", &["transaction/", "worktree/"]),
    ("similar", &["patch/"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/"]),
    ("clap_mangen", &["cli/"]),
    ("anstyle", &["cli/"]),
    ("anyhow", &["cli/"]),
    ("getrandom", &["env/randomness.rs"]),
    ("signal_hook", &["cli/signals.rs"]),
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
];
/// The last three write below the git directory only: the index by git's protocol, and its hooks.
const WRITERS: &[&str] =
    &["transaction/", "history/", "worktree/", "git_record/", "state_dir/", "usecase/git_hooks.rs", "git/index.rs"];

const LONGEST_FUNCTION: usize = 60;
const LONGEST_FILE: usize = 500;
/// A longer one says why, in its doc comment or at the head of its file.
const EXCUSE: &str = "long because";

/// One source file.
struct Source {
    /// Relative to `src/`.
    name: String,
    text: String,
    /// Comments blanked out.
    with_literals: String,
    /// Comments, the insides of literals and test code blanked out; lines stay where they are.
    code: String,
}

impl Source {
    fn new(name: &str, text: &str) -> Self {
        let (with_literals, code) = blanked(text);
        let tests = test_parts(&code);
        let without = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            for part in &tests {
                bytes[part.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
            String::from_utf8(bytes).expect("whole items are blanked out")
        };
        let (with_literals, code) = (without(&with_literals), without(&code));
        Self { name: name.to_owned(), text: text.to_owned(), with_literals, code }
    }

    /// The module of the library that this file is part of; none for `main.rs` and `lib.rs`.
    fn module(&self) -> Option<&str> {
        let first = self.name.split('/').next().unwrap_or_default();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        (!matches!(module, "main" | "lib")).then_some(module)
    }

    /// Only the literals, their quotation marks included; as long as the text.
    fn literals(&self) -> String {
        let pairs = self.with_literals.bytes().zip(self.code.bytes());
        let only = pairs.map(|(with, code)| if with == code && with != b'"' && with != b'\n' { b' ' } else { with });
        String::from_utf8(only.collect()).expect("whole characters are blanked out")
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| if place.ends_with('/') { self.name.starts_with(place) } else { self.name == *place })
    }

    /// Where `word` stands in `text` with no letter beside it, as violations.
    fn finds(&self, text: &str, word: &str, told: &str) -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (starts_open, ends_open) = (!word.starts_with(is_word), !word.ends_with(is_word));
        text.match_indices(word)
            .filter(|(at, _)| {
                (starts_open || !text[..*at].ends_with(is_word))
                    && (ends_open || !text[at + word.len()..].starts_with(is_word))
            })
            .map(|(at, _)| self.at(at, &format!("{word} {told}")))
            .collect()
    }

    fn at(&self, offset: usize, told: &str) -> String {
        format!("src/{}:{}: {told}", self.name, self.text[..offset].matches('\n').count() + 1)
    }
}

/// The text without comments, and without the insides of literals too; both as long as the text.
fn blanked(text: &str) -> (String, String) {
    let bytes = text.as_bytes();
    let (mut literals, mut code) = (bytes.to_vec(), bytes.to_vec());
    let blank = |out: &mut Vec<u8>, from: usize, to: usize| {
        out[from..to].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("//") {
            let end = at + rest.find('\n').unwrap_or(rest.len());
            blank(&mut literals, at, end);
            blank(&mut code, at, end);
            end
        } else if let Some(end) = raw_string(rest) {
            blank(&mut code, at, at + end);
            at + end
        } else if rest.starts_with('"') {
            let end = at + string_end(rest);
            blank(&mut code, at, end);
            end
        } else if let Some(end) = char_literal(rest) {
            blank(&mut code, at, at + end);
            at + end
        } else if is_word_start(text, at) {
            at + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            at + rest.chars().next().map_or(1, char::len_utf8)
        };
        at = end.max(at + 1);
    }
    let text = |bytes| String::from_utf8(bytes).expect("whole characters are blanked out");
    (text(literals), text(code))
}

fn is_word_start(text: &str, at: usize) -> bool {
    text[at..].starts_with(|c: char| c.is_alphabetic() || c == '_') && raw_string(&text[at..]).is_none()
}

/// The length of `r"..."`, `r#"..."#`, `br"..."`.
fn raw_string(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(rest.len() - body.len() + body.find(&close)? + close.len())
}

/// The length of a literal that starts with a quotation mark.
fn string_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of `'x'`; a lifetime is none.
fn char_literal(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if inner.starts_with('\\') {
        return inner[2..].find('\'').map(|end| end + 4);
    }
    let c = inner.chars().next()?;
    inner[c.len_utf8()..].starts_with('\'').then_some(c.len_utf8() + 2)
}

/// The items that are compiled for tests only.
fn test_parts(code: &str) -> Vec<std::ops::Range<usize>> {
    let starts = code.match_indices("#[cfg(test)]").map(|(at, _)| at);
    starts.map(|start| start..item_end(code, start)).collect()
}

/// Where the item that starts at `start` ends: at its closing brace, or its semicolon.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return start + at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return start + at + 1,
            _ => {}
        }
    }
    code.len()
}

type Rule = fn(&Source) -> Vec<String>;

const RULES: &[(&str, Rule)] = &[
    ("modules use only those before them", order),
    ("pure modules cannot fail for outside reasons", pure),
    ("a crate is used where it belongs", crates),
    ("only the command line prints and exits", output),
    ("only dialects know the keys of a dialect", keys),
    ("layers keep facts: no sentence of theirs has a caller's words", words),
    ("only the transaction layer writes in the working tree", writes),
    ("every file says first what it owns", head),
    ("functions and files are short, or say why not", length),
    ("nothing panics without a reason", panics),
];

fn order(source: &Source) -> Vec<String> {
    let Some(own) = source.module() else { return Vec::new() };
    let Some(rank) = ORDER.iter().position(|module| *module == own) else {
        return vec![format!("src/{}: the module {own} has no place in the order", source.name)];
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

fn pure(source: &Source) -> Vec<String> {
    let last = ORDER.iter().position(|module| *module == LAST_PURE).expect("it is in the order");
    let Some(own) = source.module().filter(|own| ORDER[..=last].contains(own)) else { return Vec::new() };
    let told = format!("in {own}, which is pure");
    let mut found: Vec<String> = IMPURE.iter().flat_map(|word| source.finds(&source.code, word, &told)).collect();
    // `use std::{fs, io}` would hide a name from this rule.
    found.extend(source.finds(&source.code, "std::{", "hides what is used; import one name a line"));
    found
}

fn crates(source: &Source) -> Vec<String> {
    let foreign = CRATES.iter().filter(|(_, places)| !source.is_in(places));
    foreign
        .flat_map(|(name, places)| source.finds(&source.code, &format!("{name}::"), &format!("belongs to {places:?}")))
        .collect()
}

fn output(source: &Source) -> Vec<String> {
    if source.is_in(&["main.rs", "cli/"]) {
        return Vec::new();
    }
    OUTPUT.iter().flat_map(|word| source.finds(&source.code, word, "outside of the command line")).collect()
}

fn keys(source: &Source) -> Vec<String> {
    if source.is_in(&["dialect/"]) {
        return Vec::new();
    }
    KEYS.iter().flat_map(|key| source.finds(&source.with_literals, key, "outside of dialect/")).collect()
}

fn words(source: &Source) -> Vec<String> {
    if source.is_in(SPEAKERS) {
        return Vec::new();
    }
    let literals = source.literals();
    let told = "is a caller's word, and belongs to advice/";
    let mut found: Vec<String> = CALLERS_WORDS.iter().flat_map(|word| source.finds(&literals, word, told)).collect();
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

fn writes(source: &Source) -> Vec<String> {
    if source.is_in(WRITERS) {
        return Vec::new();
    }
    WRITES.iter().flat_map(|word| source.finds(&source.code, word, "outside of what may write")).collect()
}

fn head(source: &Source) -> Vec<String> {
    let is_told = source.text.starts_with("//! ");
    if is_told { Vec::new() } else { vec![format!("src/{}:1: does not open with `//!`", source.name)] }
}

fn length(source: &Source) -> Vec<String> {
    let mut told = Vec::new();
    let lines = source.code.lines().filter(|line| !line.trim().is_empty()).count();
    let head = source.text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join(" ");
    if lines > LONGEST_FILE && !head.to_lowercase().contains(EXCUSE) {
        told.push(format!("src/{}: {lines} lines of code", source.name));
    }
    for (at, _) in source.code.match_indices("fn ") {
        if source.code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let whole = &source.code[at..item_end(&source.code, at)];
        let lines = whole.matches('\n').count() + 1;
        if lines > LONGEST_FUNCTION && !is_excused(&source.text, at) {
            told.push(source.at(at, &format!("a function of {lines} lines")));
        }
    }
    told
}

/// Whether the comments just above the line with `at` give the reason.
fn is_excused(text: &str, at: usize) -> bool {
    let above = text[..at].rfind('\n').map_or("", |end| &text[..end]);
    let told = above.lines().rev().take_while(|line| line.trim_start().starts_with(['/', '#']));
    told.collect::<String>().to_lowercase().contains(EXCUSE)
}

fn panics(source: &Source) -> Vec<String> {
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
    let mut told = Vec::new();
    for (name, text) in sources("src") {
        if is_test_file(&name) {
            continue;
        }
        let source = Source::new(&name, &text);
        told.extend(RULES.iter().flat_map(|(_, rule)| rule(&source)));
    }
    assert!(told.is_empty(), "{} violations:\n{}", told.len(), told.join("\n"));
}

#[test]
fn every_module_has_its_place_in_the_order() {
    let text = sources("src").remove("lib.rs").expect("it is there");
    let modules: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(modules, ORDER, "lib.rs lists them in reading order");
}

#[test]
fn tests_say_first_what_they_are_about() {
    for (name, text) in sources("tests") {
        assert!(text.starts_with("//! "), "tests/{name}");
    }
}

fn check(rule: Rule, name: &str, bad: &str, good: &str) {
    assert_eq!(rule(&Source::new(name, bad)).len(), 1, "{bad}");
    assert_eq!(rule(&Source::new(name, good)), [] as [String; 0], "{good}");
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
fn what_is_too_long_is_found() {
    let body = "    x();\n".repeat(60);
    check(length, "code.rs", &format!("fn f() {{\n{body}}}\n"), &format!("fn f() {{\n{}}}\n", &body[..58 * 9]));
    check(
        length,
        "code.rs",
        &format!("/// Long.\nfn f() {{\n{body}}}\n"),
        &format!("/// Long because.\nfn f() {{\n{body}}}\n"),
    );
    let lines = "const X: u8 = 1;\n".repeat(501);
    check(length, "code.rs", &lines, &format!("//! A table: long because it is whole.\n{lines}"));
    check(length, "code.rs", &lines, &format!("#[cfg(test)]\nmod tests {{\n{lines}}}\n"));
}

#[test]
fn an_unwrap_is_found() {
    check(panics, "code.rs", "x.unwrap()", "x.unwrap_or(0) // .unwrap()");
    check(panics, "code.rs", "todo!()", "#[cfg(test)]\nmod tests { fn f() { x.unwrap() } }");
}

#[test]
fn comments_literals_and_tests_are_blanked_out() {
    let text =
        "a(\"x // y\", 'b', r#\"q\"#, '\\''); // c\nfn f<'a>() {}\n#[cfg(test)]\nmod tests { fn g() { \"}\" } }\nz";
    let source = Source::new("x.rs", text);
    assert_eq!(source.code.len(), text.len());
    let squeezed = source.code.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed, "a( , , , ); fn f<'a>() {} z");
    assert!(source.with_literals.contains("x // y") && !source.with_literals.contains("// c"));
}
