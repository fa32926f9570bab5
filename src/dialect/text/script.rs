//! What stands around a text: Markdown fences, a shell that hands it to a program, a here-document.
//!
//! Owns taking it off. Runs nothing.

use super::lines::Lines;
use bstr::{BString, ByteSlice};

/// A text without what stood around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bare<'t> {
    /// What is left.
    pub text: &'t [u8],
    /// The number of its first line.
    pub line: usize,
    /// The directory that the script changes to.
    pub dir: Option<BString>,
}

/// What stands in a Markdown fence, as it is, and the number of its first line; none where there is no fence.
pub fn fenced(text: &[u8]) -> Option<(&[u8], usize)> {
    let mut found = Bare { text, line: 1, dir: None };
    found.trim();
    let (first, last) = found.fence()?;
    found.keep(first, last);
    Some((found.text, found.line))
}

/// Takes off white space, a fence, and a call of one of these programs with a here-document.
pub fn bare<'t>(text: &'t [u8], programs: &[&str]) -> Bare<'t> {
    let mut found = Bare { text, line: 1, dir: None };
    found.trim();
    found.take_fence();
    found.take_call(programs);
    found.take_here_document();
    found
}

impl<'t> Bare<'t> {
    /// Keeps these bytes of the text.
    fn keep(&mut self, from: usize, to: usize) {
        self.line += memchr::memchr_iter(b'\n', &self.text[..from]).count();
        self.text = &self.text[from..to];
    }

    fn trim(&mut self) {
        let start = self.text.len() - self.text.trim_start().len();
        let end = start + self.text[start..].trim_end().len();
        self.keep(start, end);
    }

    fn take_fence(&mut self) {
        if let Some((first, last)) = self.fence() {
            self.keep(first, last);
            self.trim();
        }
    }

    /// Where what stands in a fence begins and ends.
    fn fence(&self) -> Option<(usize, usize)> {
        let fence = self.text.iter().take_while(|&&byte| byte == b'`').count();
        if fence < 3 || !self.text.ends_with(&self.text[..fence]) {
            return None;
        }
        let first = memchr::memchr(b'\n', self.text)?;
        let last = memchr::memrchr(b'\n', self.text).filter(|&last| last >= first)?;
        let is_fence = self.text[last + 1..].iter().all(|&byte| byte == b'`');
        is_fence.then_some((first + 1, (last + 1).max(first + 1)))
    }

    /// `cd DIR && program <<'EOF'`, or `program <<'EOF'`.
    fn take_call(&mut self, programs: &[&str]) {
        let Some(line) = Lines::from(self.text, 1).next() else { return };
        let mut rest = line.text.trim().as_bstr();
        let mut dir = None;
        if let Some(behind) = rest.strip_prefix(b"cd ") {
            let Some(at) = behind.find("&&") else { return };
            let word = behind[..at].trim();
            let word = [b'"', b'\'']
                .iter()
                .find_map(|quote| word.strip_prefix(&[*quote])?.strip_suffix(&[*quote]))
                .unwrap_or(word);
            // What a shell would read in another way is no name.
            if !is_plain(word) {
                return;
            }
            dir = Some(BString::from(word));
            rest = behind[at + 2..].trim().as_bstr();
        }
        let called = programs.iter().find_map(|program| rest.strip_prefix(program.as_bytes()));
        let Some(behind) = called.map(|behind| behind.trim_start()) else { return };
        if behind.starts_with(b"<<") {
            let start = self.text.find(behind).unwrap_or(0);
            self.keep(start, self.text.len());
            self.dir = dir;
        }
    }

    /// `<<'EOF'` on the first line, `EOF` on the last.
    fn take_here_document(&mut self) {
        let Some(word) = self.text.strip_prefix(b"<<").and_then(|rest| rest.lines().next()) else { return };
        let word = word.trim();
        let word = [b'"', b'\'']
            .iter()
            .find_map(|quote| word.strip_prefix(&[*quote])?.strip_suffix(&[*quote]))
            .unwrap_or(word);
        let is_word = !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let (Some(first), Some(last)) = (memchr::memchr(b'\n', self.text), memchr::memrchr(b'\n', self.text)) else {
            return;
        };
        if is_word && self.text[last + 1..].trim() == word {
            self.keep(first + 1, last.max(first + 1));
            self.trim();
        }
    }
}

/// Whether a shell takes a word as it is.
fn is_plain(word: &[u8]) -> bool {
    let is_special = |byte: &u8| b"$`~*?[]{}()<>|&;#!\\\"'".contains(byte);
    !word.is_empty() && !word.starts_with(b"-") && !word.iter().any(is_special)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str, line: usize, dir: Option<&str>) {
        let found = bare(text.as_bytes(), &["apply_patch", "applypatch"]);
        let got = (found.text.to_str_lossy().into_owned(), found.line, found.dir.map(|dir| dir.to_string()));
        assert_eq!(got, (want.to_owned(), line, dir.map(str::to_owned)), "{text:?}");
    }

    #[test]
    fn what_stands_around_is_taken_off() {
        check(" \n a\nb\n ", "a\nb", 2, None);
        check("```diff\na\nb\n```", "a\nb", 2, None);
        check("````\na\n```\nb\n````\n", "a\n```\nb", 2, None);
        check("<<'EOF'\na\nEOF", "a", 2, None);
        check("apply_patch <<\"END\"\na\nEND\n", "a", 2, None);
        check("cd 'some dir' && apply_patch <<EOF\na\nEOF", "a", 2, Some("some dir"));
    }

    #[test]
    fn what_is_no_such_thing_stays() {
        for text in [
            "```",
            "```\n```",
            "<<EOF\na",
            "<<EOF",
            "apply_patch a",
            "cd x; apply_patch <<E\na\nE",
            "cat <<E\na\nE",
            "cd $HOME && apply_patch <<E\na\nE",
            "cd -- d && apply_patch <<E\na\nE",
            "cd ~ && apply_patch <<E\na\nE",
        ] {
            let found = bare(text.as_bytes(), &["apply_patch"]);
            assert!(found.dir.is_none() && !found.text.is_empty() || text.starts_with("```"), "{text:?}: {found:?}");
        }
    }
}
