//! The names of the settings.
//!
//! Owns which there are, and what they are worth where nobody sets them, as it is told. What they mean stands in
//! `settings.rs`; a test holds the two together.

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// With its section.
    pub name: &'static str,
    /// Where the configuration is silent; none where there is then no such rule.
    pub default: Option<&'static str>,
    /// How several values of it go together.
    pub values: Values,
}

/// How several values of one key go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// The last counts.
    Last,
    /// All do.
    All,
    /// All do, and they are patterns.
    Patterns,
}

const fn key(name: &'static str, default: Option<&'static str>, values: Values) -> Key {
    Key { name, default, values }
}

/// Every key; another one in this section is told.
pub const KEYS: [Key; 23] = [
    key("redraft.deny", None, Values::Patterns),
    key("redraft.allow", None, Values::Patterns),
    key("redraft.confirm", None, Values::Patterns),
    key("redraft.requireClean", Some("false"), Values::Last),
    key("redraft.requireRead", Some("false"), Values::Last),
    key("redraft.unusualFiles", None, Values::All),
    key("redraft.maxFileSize", Some("1073741824"), Values::Last),
    key("redraft.maxRequestSize", Some("67108864"), Values::Last),
    key("redraft.observe", Some("true"), Values::Last),
    key("redraft.snapshotLimit", Some("67108864"), Values::Last),
    key("redraft.match", None, Values::Last),
    key("redraft.verify", None, Values::Last),
    key("redraft.verifyTimeout", Some("120"), Values::Last),
    key("redraft.record", Some("history"), Values::Last),
    key("redraft.trailer", Some("assisted-by"), Values::Last),
    key("redraft.hookPolicy", None, Values::All),
    key("redraft.durability", Some("full"), Values::Last),
    key("redraft.lockTimeout", Some("10"), Values::Last),
    key("redraft.backupRetention", Some("count=1000 days=30 size=1g"), Values::Last),
    key("redraft.historyRetention", Some("all"), Values::Last),
    key("redraft.encoding", None, Values::All),
    key("redraft.diffLines", Some("100"), Values::Last),
    key("redraft.diffBytes", Some("10240"), Values::Last),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Settings, parse_retention, parse_seconds};

    #[test]
    fn every_key_is_documented_with_its_default() {
        let docs = include_str!("../../docs/configuration.md");
        for key in KEYS {
            let start = format!("| `{}` |", key.name);
            let row = docs.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}"));
            let default = row.split('|').nth(3).expect("a table").trim();
            match key.default {
                Some(value) => assert_eq!(default.trim_matches('`'), value, "{row}"),
                None => assert!(matches!(default, "none" | "by dialect"), "{row}"),
            }
            assert_eq!(key.values != Values::Last, row.contains("several"), "{row}");
        }
    }

    #[test]
    fn what_is_told_of_a_default_is_what_it_is() {
        let of = |name: &str| KEYS.iter().find(|key| key.name == name).and_then(|key| key.default).expect("a default");
        let number = |name: &str| of(name).parse::<u64>().expect("a number");
        let set = Settings::default();
        assert_eq!(set.max_file_size, number("redraft.maxFileSize"));
        assert_eq!(set.snapshot_limit, number("redraft.snapshotLimit"));
        assert_eq!(set.max_request_size as u64, number("redraft.maxRequestSize"));
        assert_eq!(
            (set.diff_lines as u64, set.diff_bytes as u64),
            (number("redraft.diffLines"), number("redraft.diffBytes"))
        );
        assert_eq!(Some(set.lock_timeout), parse_seconds(of("redraft.lockTimeout")));
        assert_eq!(
            set.checks(Some("true"), None).map(|verify| verify.timeout),
            parse_seconds(of("redraft.verifyTimeout"))
        );
        assert_eq!(Some(set.backup_retention), parse_retention(of("redraft.backupRetention")));
        assert_eq!(Some(set.history_retention), parse_retention(of("redraft.historyRetention")));
    }
}
