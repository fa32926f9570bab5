//! What bash is asked with, and what it wants: it parts words at more than spaces, quotes nothing, and shows no description
//! beside a value.
//!
//! Owns that. Invariant: what is put on the command line is, read by bash, the value.

use super::offer::Candidate;

/// How the word that is typed stands there.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The quote that is open.
    quote: Option<char>,
    /// Where bash parts words, beside spaces and quotes.
    breaks: String,
    /// Whether the values are shown and not put there.
    is_list: bool,
}

/// The words of a command line up to the cursor, and how the last one stands there.
pub(super) fn read(given: &[String]) -> (Vec<String>, Form) {
    let part = |n: usize| given.get(n).map_or("", String::as_str);
    let (mut words, mut quote) = (vec![String::new()], None);
    let mut is_begun = false;
    let mut letters = part(0).chars();
    while let Some(letter) = letters.next() {
        let mut put = |c: char| words.last_mut().expect("there is one at first").push(c);
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => (quote, is_begun) = (Some(letter), true),
            (None, '\\') => {
                letters.next().into_iter().for_each(&mut put);
                is_begun = true;
            }
            (Some('"'), '\\') => match letters.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => put(c),
                other => ['\\'].into_iter().chain(other).for_each(put),
            },
            (None, ' ' | '\t' | '\n') => {
                if is_begun {
                    words.push(String::new());
                }
                is_begun = false;
            }
            (_, c) => {
                put(c);
                is_begun = true;
            }
        }
    }
    let breaks = part(1).chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect();
    // '?', '!' and '@' of bash's manual: values are listed.
    let is_list = matches!(part(2), "63" | "33" | "64");
    (words, Form { quote, breaks, is_list })
}

impl Form {
    /// What is put in the place of the part of the word that bash takes for the word.
    pub(super) fn lines(&self, candidates: &[Candidate], typed: &str) -> String {
        let before = match self.quote {
            Some(_) => 0,
            None => typed.rfind(|c| self.breaks.contains(c)).map_or(0, |at| at + 1),
        };
        let is_list = self.is_list && candidates.len() > 1;
        let width = candidates.iter().map(|candidate| candidate.value.chars().count()).max().unwrap_or(0);
        let line = |Candidate { value, told }: &Candidate| {
            let put = self.quoted(&value[before..])?;
            if is_list && !told.is_empty() {
                return Some(format!("{put}{}  ({told})\n", " ".repeat(width - value.chars().count())));
            }
            Some(put + "\n")
        };
        candidates.iter().filter_map(line).collect()
    }

    /// None where it cannot stand between the quotes that are there.
    fn quoted(&self, value: &str) -> Option<String> {
        match self.quote {
            Some('\'') => (!value.contains('\'')).then(|| value.to_owned()),
            Some(_) => (!value.contains(['"', '\\', '$', '`', '!'])).then(|| value.to_owned()),
            None => {
                let is_plain = |c: char| c.is_alphanumeric() || "@%+=:,./_-".contains(c) || !c.is_ascii();
                let mut out = String::with_capacity(value.len());
                for c in value.chars() {
                    if !is_plain(c) {
                        out.push('\\');
                    }
                    out.push(c);
                }
                Some(out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKS: &str = " \t\n\"'@><=;|&(:";

    fn words(line: &str) -> Vec<String> {
        read(&[line.to_owned(), BREAKS.to_owned(), "9".to_owned()]).0
    }

    fn put(line: &str, value: &str) -> String {
        let (words, form) = read(&[line.to_owned(), BREAKS.to_owned(), "9".to_owned()]);
        form.lines(&[Candidate::new(value, "")], words.last().expect("a word"))
    }

    #[test]
    fn words_are_those_that_bash_would_run_the_command_with() {
        assert_eq!(words("redraft log"), ["redraft", "log"]);
        assert_eq!(words("redraft  log "), ["redraft", "log", ""]);
        assert_eq!(words("redraft show kz:src/a"), ["redraft", "show", "kz:src/a"]);
        assert_eq!(words(r#"redraft log a\ b "c d" 'e"#), ["redraft", "log", "a b", "c d", "e"]);
        assert_eq!(words("redraft log '' "), ["redraft", "log", "", ""]);
    }

    #[test]
    fn a_value_is_put_behind_what_bash_takes_for_the_end_of_a_word() {
        assert_eq!(put("redraft show kz:sr", "kz:src/a.rs"), "src/a.rs\n");
        assert_eq!(put("redraft log --session=s", "--session=s 1"), "s\\ 1\n");
        assert_eq!(put("redraft log --session s", "s $(x)"), "s\\ \\$\\(x\\)\n");
        assert_eq!(put("redraft log --session \"s", "s 1"), "s 1\n");
        assert_eq!(put("redraft log --session \"s", "s $(x)"), "");
    }
}
