//! Functions and files of a size that one can keep in mind, and calls that say what they mean.

use super::source::{Source, Violation, split_top};

const LONGEST_FILE: usize = 600;
const LONGEST_FUNCTION: usize = 60;
const MOST_PARAMETERS: usize = 5;

/// A file is short.
pub fn file_length(source: &Source) -> Vec<Violation> {
    let lines = source.text.lines().count();
    let is_long = lines > LONGEST_FILE;
    is_long.then(|| source.whole("the file is too long", &format!(": {lines} lines"))).into_iter().collect()
}

/// A function is short.
pub fn function_length(source: &Source) -> Vec<Violation> {
    let long = source.functions().into_iter().filter_map(|function| {
        let lines = source.code[function.at..function.end].matches('\n').count() + 1;
        let what = format!("{} is too long", function.name);
        (lines > LONGEST_FUNCTION)
            .then(|| Violation { more: format!(": {lines} lines"), ..source.at(function.at, &what) })
    });
    long.collect()
}

/// A function takes a few things, also where some of them come as a tuple.
pub fn parameters(source: &Source) -> Vec<Violation> {
    let many = source.functions().into_iter().filter_map(|function| {
        let count: usize = function.types.iter().map(|parameter| leaves(parameter).len()).sum();
        let what = format!("{} has too many parameters", function.name);
        (count > MOST_PARAMETERS).then(|| Violation { more: format!(": {count}"), ..source.at(function.at, &what) })
    });
    many.collect()
}

/// No caller has to know what `true` means.
pub fn booleans(source: &Source) -> Vec<Violation> {
    let told =
        source.functions().into_iter().filter(|function| !function.is_of_trait).filter(|function| {
            function.types.iter().flat_map(|parameter| leaves(parameter)).any(|leaf| leaf == "bool")
        });
    told.map(|function| source.at(function.at, &format!("{} has a boolean parameter", function.name))).collect()
}

/// The types that a parameter's type is made of, once references and tuples are opened.
fn leaves(parameter: &str) -> Vec<&str> {
    let plain = parameter.trim().trim_start_matches('&').trim_start();
    let plain = match plain.strip_prefix('\'') {
        Some(lifetime) => lifetime.split_once(' ').map_or("", |(_, rest)| rest),
        None => plain,
    };
    let plain = plain.strip_prefix("mut ").unwrap_or(plain).trim();
    match plain.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => {
            split_top(inner, ',').into_iter().filter(|part| !part.trim().is_empty()).flat_map(leaves).collect()
        }
        None => vec![plain],
    }
}

fn check(rule: fn(&Source) -> Vec<Violation>, bad: &str, good: &str) {
    assert_eq!(rule(&Source::new("code.rs", bad)).len(), 1, "{bad}");
    assert_eq!(rule(&Source::new("code.rs", good)).len(), 0, "{good}");
}

#[test]
fn what_is_too_long_is_found() {
    let body = "    x();\n".repeat(60);
    check(function_length, &format!("fn f() {{\n{body}}}\n"), &format!("fn f() {{\n{}}}\n", &body[..58 * 9]));
    check(file_length, &"const X: u8 = 1;\n".repeat(601), &"const X: u8 = 1;\n".repeat(600));
}

#[test]
fn too_many_parameters_are_found_also_in_a_tuple() {
    check(parameters, "fn f(a: A, b: B, c: C, d: D, e: E, f: F) {}", "fn f(&self, a: A, b: B, c: C, d: D, e: E) {}");
    check(
        parameters,
        "fn f(a: A, (b, c): (B, C), d: &(D, (E, F))) {}",
        "fn f(a: A, b: Map<B, C>, c: [D; 2], d: E, e: F) {}",
    );
    check(
        parameters,
        "fn f<'a, T: Fn(A, B) -> C>(a: A, b: B, c: C, d: D, pair: &'a mut (E, F)) {}",
        "fn f<'a, T: Fn(A, B) -> C>(a: A, b: B, c: C, d: D, e: impl Fn(A, B) -> C) {}",
    );
}

#[test]
fn a_boolean_parameter_is_found() {
    check(booleans, "fn f(all: bool) {}", "fn f(all: All) -> bool { let x: bool = true; x }");
    check(booleans, "fn f(pair: &(A, bool)) {}", "fn f(is_one: impl Fn(A) -> bool) {}");
    check(booleans, "fn f(all: bool) {}", "struct A;\nimpl<'a> Visit<'a> for A { fn visit(self, value: bool) {} }");
    check(booleans, "impl A { fn f(&self, all: bool,) {} }", "struct A { all: bool }");
}
