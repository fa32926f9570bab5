//! A source file as the rules see it: comments, literals and test code blanked out, so that they need no parser.

/// What breaks a rule, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// From the top of the repository.
    pub file: String,
    /// None where it is about the whole file, or a folder.
    pub line: Option<usize>,
    /// Without numbers that change with every edit, so that it can be listed as known.
    pub what: String,
    /// The rest.
    pub more: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, what, more } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}{more}"),
            None => write!(f, "{file}: {what}{more}"),
        }
    }
}

/// A function's head.
pub struct Function<'s> {
    pub name: &'s str,
    /// Where its `fn` stands, and where its body ends.
    pub at: usize,
    pub end: usize,
    /// The types of its parameters, the receiver left out.
    pub types: Vec<&'s str>,
    /// Whether a trait says what it takes.
    pub is_of_trait: bool,
}

/// One source file.
pub struct Source {
    /// Relative to `src/`.
    pub name: String,
    pub text: String,
    /// Comments blanked out.
    pub with_literals: String,
    /// Comments, the insides of literals and test code blanked out; lines stay where they are.
    pub code: String,
}

impl Source {
    pub fn new(name: &str, text: &str) -> Self {
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
    pub fn module(&self) -> Option<&str> {
        let first = self.name.split('/').next().unwrap_or_default();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        (!matches!(module, "main" | "lib")).then_some(module)
    }

    /// Only the literals, their quotation marks included; as long as the text.
    pub fn literals(&self) -> String {
        let pairs = self.with_literals.bytes().zip(self.code.bytes());
        let only = pairs.map(|(with, code)| if with == code && with != b'"' && with != b'\n' { b' ' } else { with });
        String::from_utf8(only.collect()).expect("whole characters are blanked out")
    }

    pub fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| if place.ends_with('/') { self.name.starts_with(place) } else { self.name == *place })
    }

    /// Where `word` stands in `text` with no letter beside it.
    pub fn finds(&self, text: &str, word: &str, told: &str) -> Vec<Violation> {
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

    pub fn at(&self, offset: usize, what: &str) -> Violation {
        let line = self.text[..offset].matches('\n').count() + 1;
        Violation { line: Some(line), ..self.whole(what, "") }
    }

    pub fn whole(&self, what: &str, more: &str) -> Violation {
        let file = format!("src/{}", self.name);
        Violation { file, line: None, what: what.to_owned(), more: more.to_owned() }
    }

    /// All functions, those within others too.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let code = &self.code;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let impls = code.match_indices("impl").filter(|(at, _)| {
            let head = &code[*at..*at + code[*at..].find('{').unwrap_or(0)];
            !code[..*at].ends_with(is_word)
                && code[..*at].trim_end().ends_with(['}', ';', ']'])
                && head.contains(" for ")
        });
        let of_traits: Vec<_> = impls.map(|(at, _)| at..item_end(code, at)).collect();
        let starts = code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_word));
        let heads = starts.filter_map(|(at, _)| {
            let rest = &code[at + 3..];
            let name = &rest[..rest.find(|c: char| !is_word(c))?];
            let open = at + 3 + name.len() + parameters_at(&rest[name.len()..])?;
            let close = open + closing(&code[open..])?;
            let is_receiver = |first: &str| first.trim_start_matches(['&', ' ']).trim_end().ends_with("self");
            let all = split_top(&code[open + 1..close], ',');
            let types = all.into_iter().filter(|parameter| !parameter.trim().is_empty() && !is_receiver(parameter));
            let types = types.filter_map(|parameter| Some(parameter[type_at(parameter)?..].trim())).collect();
            let is_of_trait = of_traits.iter().any(|part| part.contains(&at));
            (!name.is_empty()).then(|| Function { name, at, end: item_end(code, at), types, is_of_trait })
        });
        heads.collect()
    }
}

/// Where the parameters open in what follows the name of a function, behind its generics.
fn parameters_at(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            // The arrow of a function type is no bracket.
            '>' if !rest[..at].ends_with('-') => depth = depth.checked_sub(1)?,
            '(' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Where the bracket that `text` starts with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where the type starts in `pattern: type`.
fn type_at(parameter: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let colon = at + parameter[at..].find(':')?;
        if !parameter[colon..].starts_with("::") {
            return Some(colon + 1);
        }
        at = colon + 2;
    }
}

/// The parts between separators that stand in no bracket.
pub fn split_top(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut from) = (0_usize, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if text[..at].ends_with(['-', '=']) => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
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
pub fn item_end(code: &str, start: usize) -> usize {
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

#[test]
fn functions_are_read_with_the_types_of_their_parameters() {
    let text = "impl A { pub fn f<T: Fn(B) -> C>(&'a mut self, (a, b): (A, x::B), c: [D; 2]) -> E { fn g() {} } }";
    let source = Source::new("x.rs", text);
    let found: Vec<_> =
        source.functions().iter().map(|function| (function.name.to_owned(), function.types.join("|"))).collect();
    assert_eq!(found, [("f".to_owned(), "(A, x::B)|[D; 2]".to_owned()), ("g".to_owned(), String::new())]);
}
