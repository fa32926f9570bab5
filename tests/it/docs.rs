//! The pages in docs/ against the sources: keys of the configuration, reasons of errors, examples of requests.

use redraft::dialect::{Limits, parse};
use redraft::{Dialect, Reason};
use std::path::Path;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a readable file")
}

/// The cells of every row of a page's tables, code marks off.
fn rows(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|--"));
    lines
        .map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned()).collect())
        .collect()
}

/// The keys that the sources read, once each.
fn keys_in(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut keys: Vec<String> =
        code.split('"').skip(1).step_by(2).filter(|text| text.starts_with("redraft.")).map(str::to_owned).collect();
    keys.sort();
    keys.dedup();
    keys
}

fn documented() -> Vec<String> {
    let rows = rows(&read("docs/configuration.md"));
    rows.into_iter().filter(|row| row[0].starts_with("redraft.")).map(|row| row[0].clone()).collect()
}

#[test]
fn every_key_of_the_configuration_is_on_its_page_and_no_other() {
    let mut documented = documented();
    documented.sort();
    assert_eq!(documented, keys_in(&read("src/policy/settings.rs")));
}

#[test]
fn a_key_that_is_read_is_found() {
    assert_eq!(keys_in("f(\"redraft.b\"); g(\"x\", \"redraft.a\"); \"redraft.b\""), ["redraft.a", "redraft.b"]);
}

#[test]
fn the_table_of_errors_is_that_of_the_sources() {
    let mut code = String::new();
    let mut told = Vec::new();
    for row in rows(&read("docs/protocol.md")).iter().filter(|row| row.len() == 4 && row[2].parse::<u8>().is_ok()) {
        if !row[0].is_empty() {
            code.clone_from(&row[0]);
        }
        told.push(format!("{code} {} {}", row[1].trim_matches('`'), row[2]));
    }
    let want: Vec<String> = Reason::ALL
        .iter()
        .map(|reason| format!("{} {reason} {}", reason.code(), reason.code().exit_status()))
        .collect();
    assert_eq!(told, want);
}

#[test]
fn the_requests_on_the_page_are_requests() {
    let page = read("docs/protocol.md");
    let examples: Vec<&str> =
        page.split("```json request\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 5);
    for example in examples {
        assert!(parse(example.as_bytes(), None, Limits::default()).is_ok(), "{example}");
    }
}

#[test]
fn every_dialect_is_on_the_page() {
    let rows = rows(&read("docs/protocol.md"));
    for dialect in Dialect::ALL {
        assert!(rows.iter().any(|row| row[0].starts_with(dialect.as_str())), "{}", dialect.as_str());
    }
}

#[test]
fn every_promise_of_the_security_page_has_its_test() {
    let page = read("docs/security.md");
    let named: Vec<&str> = page.split('`').filter(|word| word.contains("::")).collect();
    assert!(named.len() > 20);
    for name in named {
        let (file, test) = name.split_once("::").expect("it has two parts");
        let source = read(&format!("tests/it/{file}.rs"));
        assert!(source.contains(&format!("#[test]\nfn {test}() {{")), "{name}");
    }
}

/// Why a picture may not be shown; nothing where it may.
fn unfit(picture: &[u8]) -> Option<&'static str> {
    const LARGEST: usize = 150_000;
    let text = String::from_utf8_lossy(picture);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if picture.len() > LARGEST {
        Some("it is too large")
    } else if has(&["/home/", "/root/", "/tmp/", "/work/", "/Users/"]) {
        Some("it shows a path of a machine")
    } else if has(&["@font-face", "@import", "<script", "href=\"http"]) {
        Some("it fetches or runs something")
    } else {
        None
    }
}

#[test]
fn the_pictures_of_the_readme_are_there_and_small_and_show_no_machine() {
    let readme = read("README.md");
    let named: Vec<&str> = readme.split("](docs/pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(named.len() >= 2);
    for name in named {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures").join(name);
        let picture = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(unfit(&picture), None, "{name}");
    }
}

#[test]
fn a_picture_that_is_unfit_is_found() {
    assert_eq!(unfit(b"<svg>backup: /home/me/x</svg>"), Some("it shows a path of a machine"));
    assert_eq!(unfit(b"<style>@font-face{}</style>"), Some("it fetches or runs something"));
    assert_eq!(unfit(&[b'x'; 150_001]), Some("it is too large"));
}
