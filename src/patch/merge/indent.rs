//! The one rule that turns the agent's indentation into the file's.
//!
//! Owns inferring the rule from matched lines and applying it to new ones. Invariant: a rule is used only if it explains
//! every matched line, byte for byte.

/// How the indentation of the old text becomes that of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// They are the same.
    Same,
    /// The file has this in front.
    Add(Vec<u8>),
    /// The agent has this in front.
    Cut(Vec<u8>),
    /// The agent indents by tabs, the file by so many spaces for each.
    TabsToSpaces(usize),
    /// The agent indents by so many spaces, the file by a tab for each.
    SpacesToTabs(usize),
}

impl Rule {
    /// The rule that explains every pair of indentations (the agent's, the file's).
    pub fn of(pairs: &[(&[u8], &[u8])]) -> Option<Self> {
        let &(theirs, ours) = pairs.iter().find(|(theirs, ours)| theirs != ours).unwrap_or(&(b"", b""));
        let mut rules = Vec::new();
        if theirs == ours {
            rules.push(Self::Same);
        }
        rules.extend(ours.strip_suffix(theirs).map(|more| Self::Add(more.to_vec())));
        rules.extend(theirs.strip_suffix(ours).map(|more| Self::Cut(more.to_vec())));
        let tabs = |bytes: &[u8]| bytes.iter().take_while(|&&b| b == b'\t').count();
        for (with_tabs, with_spaces, make) in
            [(theirs, ours, Self::TabsToSpaces as fn(usize) -> Self), (ours, theirs, Self::SpacesToTabs)]
        {
            let count = tabs(with_tabs);
            let spaces = (with_spaces.len() + count).saturating_sub(with_tabs.len());
            if count > 0 && spaces % count == 0 && (2..=8).contains(&(spaces / count)) {
                rules.push(make(spaces / count));
            }
        }
        rules.into_iter().find(|rule| pairs.iter().all(|(theirs, ours)| rule.turn(theirs).as_deref() == Some(ours)))
    }

    /// The file's indentation for the agent's; `None` where the rule does not say.
    pub fn turn(&self, theirs: &[u8]) -> Option<Vec<u8>> {
        let tabs = theirs.iter().take_while(|&&b| b == b'\t').count();
        let rest = &theirs[tabs..];
        let plain_rest = rest.iter().all(|&b| b == b' ');
        match self {
            Self::Same => Some(theirs.to_vec()),
            Self::Add(more) => Some([more, theirs].concat()),
            Self::Cut(more) => theirs.strip_prefix(&more[..]).map(<[u8]>::to_vec),
            Self::TabsToSpaces(width) => plain_rest.then(|| [&b" ".repeat(tabs * width)[..], rest].concat()),
            Self::SpacesToTabs(width) => (tabs == 0 && plain_rest).then(|| {
                let (tabs, rest) = (rest.len() / width, rest.len() % width);
                [b"\t".repeat(tabs), b" ".repeat(rest)].concat()
            }),
        }
    }

    /// Whether the rule moves lines to another depth, rather than writing the same depth in other characters.
    pub fn moves(&self) -> bool {
        matches!(self, Self::Add(_) | Self::Cut(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(&str, &str)], want: Option<Rule>) {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (a.as_bytes(), b.as_bytes())).collect();
        assert_eq!(Rule::of(&pairs), want, "{pairs:?}");
    }

    #[test]
    fn one_rule_explains_every_line_or_there_is_none() {
        check(&[("", ""), ("  ", "  ")], Some(Rule::Same));
        check(&[("", "    "), ("  ", "      ")], Some(Rule::Add(b"    ".to_vec())));
        check(&[("  ", ""), ("    ", "  ")], Some(Rule::Cut(b"  ".to_vec())));
        check(&[("\t", "    "), ("", ""), ("\t\t", "        ")], Some(Rule::TabsToSpaces(4)));
        check(&[("  ", "\t"), ("    ", "\t\t")], Some(Rule::SpacesToTabs(2)));
        check(&[("\t ", "   ")], Some(Rule::TabsToSpaces(2)));
        check(&[("", "  "), ("  ", "  ")], None);
        check(&[("  ", "    "), ("    ", "        ")], None);
        check(&[("\t", "    "), ("\t\t", "      ")], None);
    }

    #[test]
    fn a_line_outside_the_rule_has_no_indentation() {
        assert_eq!(Rule::Cut(b"    ".to_vec()).turn(b"  "), None);
        assert_eq!(Rule::SpacesToTabs(4).turn(b"\t"), None);
        assert_eq!(Rule::TabsToSpaces(4).turn(b" \t"), None);
    }
}
