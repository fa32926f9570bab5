//! Who imports whom, and the circles in it: between the files of a folder, and between folders.
//!
//! An import is a path that starts with `crate::`, `super::`, `self::` or a module of the file's own, in a `use` or in
//! the code. It counts for the file that defines the item: a `mod.rs` that hands the name on (`pub use`) is passed
//! through, and the handing on itself is no import.

use super::source::{Source, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// A path in the code, segment by segment; the last one is the item or a module.
type Segments = Vec<String>;

/// One file as a module.
struct Module {
    file: String,
    /// From the root of the crate.
    path: Segments,
    imports: Vec<Segments>,
    /// Names handed on: the name as it is known here, and the path that it stands for. `*` for all of a module.
    hands_on: Vec<(String, Segments)>,
}

/// The files of a crate, by their module paths.
pub struct House {
    modules: BTreeMap<Segments, Module>,
}

impl House {
    /// Reads the imports of all sources.
    pub fn new(sources: &[Source]) -> Self {
        let paths: BTreeMap<Segments, &Source> =
            sources.iter().filter_map(|source| Some((module_path(&source.name)?, source))).collect();
        let modules = paths.iter().map(|(path, source)| {
            let children: BTreeSet<&str> = paths
                .keys()
                .filter(|other| other.len() == path.len() + 1 && other.starts_with(path))
                .map(|other| other[path.len()].as_str())
                .collect();
            (path.clone(), read(source, path, &children))
        });
        Self { modules: modules.collect() }
    }

    /// The imports, as files: who, of whom, which name.
    fn edges(&self) -> BTreeMap<(&str, &str), &str> {
        let mut edges = BTreeMap::new();
        for module in self.modules.values() {
            for import in &module.imports {
                if let Some(target) = self.definer(import, 0).filter(|target| target.file != module.file) {
                    let name = import.last().map_or("", String::as_str);
                    edges.entry((module.file.as_str(), target.file.as_str())).or_insert(name);
                }
            }
        }
        edges
    }

    /// The module that defines what a path names.
    fn definer(&self, path: &[String], depth: usize) -> Option<&Module> {
        let known = (0..=path.len()).rev().find(|&len| self.modules.contains_key(&path[..len]))?;
        let module = &self.modules[&path[..known]];
        let Some(item) = path.get(known) else { return Some(module) };
        // Names handed on in a ring would never end.
        if depth > 8 {
            return Some(module);
        }
        let named = module.hands_on.iter().find(|(name, _)| name == item).map(|(_, path)| path.clone());
        match named {
            Some(path) => self.definer(&path, depth + 1),
            None => Some(module),
        }
    }

    /// Every circle among the files and folders that stand side by side in one folder.
    pub fn circles(&self) -> Vec<Violation> {
        let edges = self.edges();
        let folders: BTreeSet<&str> = self
            .modules
            .values()
            .flat_map(|module| module.file.match_indices('/').map(|(at, _)| &module.file[..=at]))
            .chain([""])
            .collect();
        folders.into_iter().flat_map(|folder| circles_in(folder, &edges)).collect()
    }
}

/// The circles among what stands directly in `folder` (which ends in a slash, or is empty).
fn circles_in(folder: &str, edges: &BTreeMap<(&str, &str), &str>) -> Vec<Violation> {
    let child = |file: &str| -> Option<String> {
        let rest = file.strip_prefix(folder)?;
        let name = rest.find('/').map_or(rest, |at| &rest[..=at]);
        // `exact.rs` and `exact/` are one module.
        Some(name.strip_suffix(".rs").or_else(|| name.strip_suffix('/')).unwrap_or(name).to_owned())
    };
    let mut next: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for ((from, to), name) in edges {
        if let (Some(a), Some(b)) = (child(from), child(to))
            && a != b
        {
            next.entry(a).or_default().entry(b).or_insert_with(|| format!("{from} takes {name} from {to}"));
        }
    }
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        next.keys().map(|start| (start, reachable(start, &next))).collect();
    let mut told = BTreeSet::new();
    let mut circles = Vec::new();
    for start in next.keys().filter(|start| reach[start].contains(start)) {
        let members: Vec<&String> = reach[start]
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(start)))
            .collect();
        if told.insert(members.clone()) {
            let names: Vec<&str> = members.iter().map(|name| name.as_str()).collect();
            let ties = members.iter().flat_map(|a| members.iter().filter_map(|b| next.get(*a)?.get(*b)));
            circles.push(Violation {
                file: format!("src/{folder}"),
                line: None,
                what: format!("a circle of {}", names.join(", ")),
                more: ties.map(|tie| format!("\n    {tie}")).collect(),
            });
        }
    }
    circles
}

fn reachable<'n>(start: &'n String, next: &'n BTreeMap<String, BTreeMap<String, String>>) -> BTreeSet<&'n String> {
    let mut found = BTreeSet::new();
    let mut ahead = vec![start];
    while let Some(at) = ahead.pop() {
        for to in next.get(at).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(to) {
                ahead.push(to);
            }
        }
    }
    found
}

/// `patch/diff/mod.rs` is `patch::diff`; `main.rs` is no module of the library.
fn module_path(file: &str) -> Option<Segments> {
    let name = file.strip_suffix(".rs")?;
    let name = name.strip_suffix("/mod").unwrap_or(name);
    match name {
        "main" => None,
        "lib" => Some(Vec::new()),
        _ => Some(name.split('/').map(str::to_owned).collect()),
    }
}

fn read(source: &Source, own: &[String], children: &BTreeSet<&str>) -> Module {
    let mut module =
        Module { file: source.name.clone(), path: own.to_vec(), imports: Vec::new(), hands_on: Vec::new() };
    let mut rest = source.code.clone();
    for (start, end) in uses(&source.code) {
        let text = &source.code[start..end];
        let (visibility, tree) = text.split_once("use ").unwrap_or(("", text));
        for (path, name) in leaves(tree.trim_end_matches(';')) {
            let Some(path) = absolute(&path, &module.path, children) else { continue };
            if visibility.trim().is_empty() { module.imports.push(path) } else { module.hands_on.push((name, path)) }
        }
        rest.replace_range(start..end, &" ".repeat(end - start));
    }
    module.imports.extend(inline(&rest).filter_map(|path| absolute(&path, own, children)));
    module
}

/// Where the `use` items of a file are, from their visibility to their semicolon.
fn uses(code: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = code[line..at].trim_start();
        if !before.is_empty() && !before.ends_with(' ') {
            continue;
        }
        let before = before.trim_end();
        let is_item = before.is_empty() || before == "pub" || (before.starts_with("pub(") && before.ends_with(')'));
        if let Some(end) = code[at..].find(';').filter(|_| is_item) {
            found.push((line, at + end + 1));
        }
    }
    found
}

/// The paths of a use tree, each with the name that it gets.
fn leaves(tree: &str) -> Vec<(Segments, String)> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias.trim())));
        let mut segments: Segments = path.split("::").map(|part| part.trim().to_owned()).collect();
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let name = alias.map_or_else(|| segments.last().cloned().unwrap_or_default(), str::to_owned);
        return vec![(segments, name)];
    };
    let prefix: Segments =
        tree[..open].split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let mut out = Vec::new();
    for part in super::source::split_top(inner, ',') {
        for (segments, name) in leaves(part) {
            let whole: Segments = prefix.iter().cloned().chain(segments).collect();
            let is_self = whole.last().is_some_and(|last| last == "self");
            let whole = if is_self { whole[..whole.len() - 1].to_vec() } else { whole };
            let name = if is_self { whole.last().cloned().unwrap_or_default() } else { name };
            out.push((whole, name));
        }
    }
    out
}

/// The paths in code of two and more segments.
fn inline(code: &str) -> impl Iterator<Item = Segments> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    code.split(move |c: char| !is_path(c))
        .filter(|path| path.contains("::") && !path.starts_with(':'))
        .map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

/// The path from the root of the crate; none where it leads to another crate, or to a name that is not a module here.
fn absolute(path: &[String], own: &[String], children: &BTreeSet<&str>) -> Option<Segments> {
    let first = path.first()?.as_str();
    let (mut base, mut at) = match first {
        "crate" => (Vec::new(), 1),
        "self" => (own.to_vec(), 1),
        "super" => (own.to_vec(), 0),
        _ if children.contains(first) => (own.to_vec(), 0),
        _ => return None,
    };
    while path.get(at).is_some_and(|part| part == "super") {
        base.pop();
        at += 1;
    }
    base.extend(path[at..].iter().cloned());
    Some(base)
}

fn check(files: &[(&str, &str)], want: &[&str]) {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::new(name, text)).collect();
    let found: Vec<String> =
        House::new(&sources).circles().iter().map(|circle| format!("{} {}", circle.file, circle.what)).collect();
    assert_eq!(found, want, "{files:?}");
}

#[test]
fn files_of_a_folder_that_import_each_other_are_a_circle() {
    check(
        &[("a/mod.rs", ""), ("a/x.rs", "use super::y::f;"), ("a/y.rs", "use crate::a::x::{g, h};")],
        &["src/a/ a circle of x, y"],
    );
    check(
        &[
            ("a/x.rs", "fn f() { crate::a::y::f() }"),
            ("a/y.rs", "use super::z::Z;"),
            ("a/z.rs", "use super::{w, x::X};"),
        ],
        &["src/a/ a circle of x, y, z"],
    );
    check(&[("a/x.rs", "use super::y::f;"), ("a/y.rs", "#[cfg(test)]\nmod tests { use super::super::x; }")], &[]);
    check(&[("a/x.rs", "use super::y::f;"), ("a/y.rs", "// use super::x;\nuse other::x;")], &[]);
}

#[test]
fn folders_that_import_each_other_are_a_circle() {
    check(
        &[("a/mod.rs", ""), ("a/x.rs", "use crate::b::y::f;"), ("b/mod.rs", ""), ("b/y.rs", "use crate::a::x::g;")],
        &["src/ a circle of a, b"],
    );
    check(
        &[("c/a/x.rs", "use super::super::b::f;"), ("c/b.rs", "use crate::c::a::x::g;")],
        &["src/c/ a circle of a, b"],
    );
}

#[test]
fn a_folder_that_hands_names_on_is_no_importer_of_them() {
    let facade = ("a/mod.rs", "mod x;\nmod y;\npub use x::X;\npub(crate) use y::{self, Y as Z};");
    check(&[facade, ("a/x.rs", "use super::Z;"), ("a/y.rs", "")], &[]);
    check(&[facade, ("a/x.rs", "use super::Z;"), ("a/y.rs", "use crate::a::X;")], &["src/a/ a circle of x, y"]);
    // What it defines itself is another matter.
    check(
        &[("a/mod.rs", "mod x;\nfn f() { x::g() }\npub fn h() {}"), ("a/x.rs", "use super::h;")],
        &["src/a/ a circle of mod, x"],
    );
}
