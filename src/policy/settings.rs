//! What git's configuration says of redraft: `redraft.*`, the most specific last.
//!
//! Owns the keys, their defaults and their forms; docs/configuration.md lists them. Does not act on them.

use super::agent_trailer::AgentTrailer;
use super::check::Finding;
use super::config_warning::ConfigWarning;
use super::encodings::Encodings;
use super::key::{KEYS, Key};
use crate::code::Reason;
use crate::git::{DeadPattern, Letters, Patterns, Repo, RepoError};
use crate::request::RecordKind;
use crate::strategy::Level;
use crate::transaction::{BackupRetention, Durability, Verify};
use crate::worktree::Unusual;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::time::Duration;

/// Every setting, with its default where git's configuration is silent.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `redraft.deny`: paths that are never edited.
    pub deny: Patterns,
    /// `redraft.allow`: where there is any, only these paths are edited.
    pub allow: Patterns,
    /// `redraft.confirm`: paths that need a yes on the terminal.
    pub confirm: Patterns,
    /// `redraft.requireClean`.
    pub require_clean: bool,
    /// `redraft.requireRead`.
    pub require_read: bool,
    /// `redraft.record`.
    pub record: Option<RecordKind>,
    /// `redraft.match`: the default, and the loosest that a request may ask for.
    pub level: Option<Level>,
    /// `redraft.verify`: a command that every edit must pass.
    pub verify: Option<String>,
    /// `redraft.verifyTimeout`, seconds: the default, and the longest that a call may ask for.
    pub verify_timeout: Option<Duration>,
    /// `redraft.durability`: `full` or `fast`.
    pub durability: Durability,
    /// `redraft.lockTimeout`, seconds.
    pub lock_timeout: Duration,
    /// `redraft.backupRetention`: words `count=N`, `days=N`, `size=BYTES` (k, m, g), or `all`.
    pub backup_retention: BackupRetention,
    /// `redraft.historyRetention`: the same words.
    pub history_retention: BackupRetention,
    /// `redraft.diffLines`; 0 is no limit.
    pub diff_lines: usize,
    /// `redraft.diffBytes`; 0 is no limit.
    pub diff_bytes: usize,
    /// `redraft.maxFileSize`, bytes.
    pub max_file_size: u64,
    /// `redraft.maxRequestSize`, bytes.
    pub max_request_size: usize,
    /// `redraft.trailer`: how git commits name agents.
    pub trailer: AgentTrailer,
    /// `redraft.observe`: whether what hooks of harnesses see is recorded.
    pub observe: bool,
    /// `redraft.snapshotLimit`, bytes.
    pub snapshot_limit: u64,
    /// `redraft.unusualFiles`.
    pub unusual: BTreeSet<Unusual>,
    /// `redraft.hookPolicy`.
    pub commit_rules: BTreeSet<CommitRule>,
    /// `redraft.encoding`.
    pub encodings: Encodings,
    /// What is surely not what somebody meant.
    pub warnings: Vec<ConfigWarning>,
}

/// How long a verification may run where nobody says.
const DEFAULT_VERIFY_TIMEOUT: Duration = Duration::from_secs(120);

fn warnings(repo: &Repo) -> Vec<ConfigWarning> {
    let is_known = |name: &str| {
        KEYS.iter().any(|key| key.name.split_once('.').is_some_and(|(_, key)| key.eq_ignore_ascii_case(name)))
    };
    let unknown = repo.config_names("redraft").into_iter().filter(|name| !is_known(name));
    let mut warnings: Vec<_> = unknown.map(|name| ConfigWarning::unknown_key(&name)).collect();
    for key in ["redraft.deny", "redraft.allow", "redraft.confirm"] {
        for pattern in repo.config_strings(key) {
            if let Some(why) = DeadPattern::of(&pattern) {
                warnings.push(ConfigWarning::DeadPattern { key, pattern: pattern.to_string(), why });
            }
        }
    }
    warnings
}

/// What no git commit with agents' edits may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommitRule {
    /// One that nobody has reviewed.
    Unreviewed,
    /// One with conflict markers, or marks in place of code.
    Leftovers,
}

impl CommitRule {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "unreviewed" => Some(Self::Unreviewed),
            "leftovers" => Some(Self::Leftovers),
            _ => None,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            deny: Patterns::default(),
            allow: Patterns::default(),
            confirm: Patterns::default(),
            require_clean: false,
            require_read: false,
            record: None,
            level: None,
            verify: None,
            verify_timeout: None,
            durability: Durability::Full,
            lock_timeout: Duration::from_secs(10),
            backup_retention: BackupRetention::default(),
            history_retention: BackupRetention { count: None, age_seconds: None, bytes: None },
            diff_lines: 100,
            diff_bytes: 10_240,
            max_file_size: 1 << 30,
            max_request_size: 64 << 20,
            trailer: AgentTrailer::default(),
            observe: true,
            snapshot_limit: 64 << 20,
            unusual: BTreeSet::new(),
            commit_rules: BTreeSet::new(),
            encodings: Encodings::default(),
            warnings: Vec::new(),
        }
    }
}

/// A value that a key cannot have.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Read, but not understood.
    #[error("git config {key} is {value:?}, which is not {wanted}")]
    BadValue {
        /// As in docs/configuration.md.
        key: &'static str,
        /// As git has it.
        value: String,
        /// In words.
        wanted: &'static str,
    },
    /// Not read.
    #[error(transparent)]
    Repo(#[from] RepoError),
}

impl ConfigError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::BadValue { .. } => Reason::BadType,
            Self::Repo(error) => error.reason(),
        }
    }
}

impl Settings {
    /// Reads the settings that hold in a repository.
    ///
    /// # Errors
    /// [`ConfigError`], naming the key.
    pub fn of(repo: &Repo) -> Result<Self, ConfigError> {
        let mut settings = Self::default();
        if !repo.has_config_section("redraft") {
            return Ok(settings);
        }
        settings.warnings = warnings(repo);
        let case = letters(repo)?;
        let patterns = |key: &str| Patterns::new(repo.config_strings(key), case);
        settings.deny = patterns("redraft.deny");
        settings.allow = patterns("redraft.allow");
        settings.confirm = patterns("redraft.confirm");
        settings.require_clean = repo.config_bool("redraft.requireClean")?.unwrap_or(false);
        settings.require_read = repo.config_bool("redraft.requireRead")?.unwrap_or(false);
        settings.observe = repo.config_bool("redraft.observe")?.unwrap_or(true);
        let text = |key: &'static str| repo.config_string(key).map(|value| value.to_str_lossy().into_owned());
        settings.record = parsed("redraft.record", text, "history, commit, stash or none", RecordKind::from_name)?;
        let trailers = "assisted-by, co-authored-by or none";
        settings.trailer = parsed("redraft.trailer", text, trailers, AgentTrailer::from_name)?.unwrap_or_default();
        settings.level = parsed("redraft.match", text, "exact, fuzzy, loose or a strategy", Level::from_name)?;
        settings.verify = text("redraft.verify").filter(|command| !command.trim().is_empty());
        let seconds = "a number of seconds";
        settings.verify_timeout = parsed("redraft.verifyTimeout", text, seconds, parse_seconds)?;
        settings.lock_timeout =
            parsed("redraft.lockTimeout", text, seconds, parse_seconds)?.unwrap_or(settings.lock_timeout);
        settings.durability = parsed("redraft.durability", text, "full or fast", parse_durability)?.unwrap_or_default();
        let retention = "`all`, or words of count=N, days=N, size=BYTES";
        settings.backup_retention =
            parsed("redraft.backupRetention", text, retention, parse_retention)?.unwrap_or_default();
        if let Some(words) = parsed("redraft.historyRetention", text, retention, parse_retention)? {
            settings.history_retention = words;
        }
        let number = |key: &'static str, default: u64| -> Result<u64, ConfigError> {
            let bad = |value: i64| ConfigError::BadValue { key, value: value.to_string(), wanted: "zero or more" };
            repo.config_integer(key)?.map_or(Ok(default), |n| u64::try_from(n).map_err(|_| bad(n)))
        };
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        settings.diff_lines = size(number("redraft.diffLines", settings.diff_lines as u64)?);
        settings.diff_bytes = size(number("redraft.diffBytes", settings.diff_bytes as u64)?);
        settings.max_file_size = number("redraft.maxFileSize", settings.max_file_size)?;
        settings.snapshot_limit = number("redraft.snapshotLimit", settings.snapshot_limit)?;
        settings.max_request_size = size(number("redraft.maxRequestSize", settings.max_request_size as u64)?);
        settings.read_lists(repo, case)?;
        Ok(settings)
    }

    /// The rules on paths alone, whatever the rest of the configuration says.
    ///
    /// # Errors
    /// Where git's own configuration is not understood.
    pub fn rules_of(repo: &Repo) -> Result<Self, RepoError> {
        let case = letters(repo)?;
        let patterns = |key: &str| Patterns::new(repo.config_strings(key), case);
        let (deny, allow) = (patterns("redraft.deny"), patterns("redraft.allow"));
        Ok(Self { deny, allow, confirm: patterns("redraft.confirm"), ..Self::default() })
    }

    /// Those that may be given several times, but for patterns.
    fn read_lists(&mut self, repo: &Repo, case: Letters) -> Result<(), ConfigError> {
        for value in repo.config_strings("redraft.unusualFiles") {
            let value = value.to_str_lossy();
            let kind = Unusual::from_name(&value).ok_or_else(|| ConfigError::BadValue {
                key: "redraft.unusualFiles",
                value: value.clone().into_owned(),
                wanted: "hard-link, set-id, other-owner or read-only",
            })?;
            self.unusual.insert(kind);
        }
        for value in repo.config_strings("redraft.hookPolicy") {
            let value = value.to_str_lossy();
            for word in value.split([',', ' ']).filter(|word| !word.is_empty()) {
                let rule = CommitRule::from_name(word).ok_or_else(|| ConfigError::BadValue {
                    key: "redraft.hookPolicy",
                    value: value.clone().into_owned(),
                    wanted: "unreviewed, leftovers or both",
                })?;
                self.commit_rules.insert(rule);
            }
        }
        let encodings = Encodings::new(repo.config_strings("redraft.encoding"), case);
        self.encodings = encodings.map_err(|value| ConfigError::BadValue {
            key: "redraft.encoding",
            value: value.to_str_lossy().into_owned(),
            wanted: "the name of an encoding, or PATTERN=NAME",
        })?;
        Ok(())
    }

    /// The patterns of a key that has patterns.
    pub fn patterns(&self, key: &Key) -> &Patterns {
        match key.name {
            "redraft.allow" => &self.allow,
            "redraft.confirm" => &self.confirm,
            _ => &self.deny,
        }
    }

    /// What must approve a change: the configured command, and after it the one that the call asks for. A call may add
    /// one, and takes none away; and it may give them less time than is configured, never more.
    pub fn checks(&self, asked: Option<&str>, timeout: Option<Duration>) -> Option<Verify> {
        let commands: Vec<String> = self.verify.iter().cloned().chain(asked.map(str::to_owned)).collect();
        let set = self.verify_timeout.unwrap_or(DEFAULT_VERIFY_TIMEOUT);
        let timeout = timeout.map_or(set, |asked| self.verify_timeout.map_or(asked, |most| asked.min(most)));
        (!commands.is_empty()).then_some(Verify { commands, timeout })
    }

    /// Where a change is recorded, if `asked` says nothing else.
    ///
    /// # Errors
    /// [`Finding::Laxer`]: only the configuration allows that nothing is recorded.
    pub fn record_kind(&self, asked: Option<RecordKind>) -> Result<RecordKind, Finding> {
        let set = self.record.unwrap_or_default();
        match asked {
            Some(RecordKind::None) if set != RecordKind::None => {
                Err(Finding::Laxer { key: "redraft.record", value: set.as_str().to_owned() })
            }
            asked => Ok(asked.unwrap_or(set)),
        }
    }
}

/// As git does with `.gitignore`: where the file system takes `a` and `A` for one name, a rule for one holds for both.
fn letters(repo: &Repo) -> Result<Letters, RepoError> {
    Ok(if repo.config_bool("core.ignoreCase")? == Some(true) { Letters::Same } else { Letters::Differ })
}

fn parsed<T>(
    key: &'static str,
    text: impl Fn(&'static str) -> Option<String>,
    wanted: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ConfigError> {
    let Some(value) = text(key) else { return Ok(None) };
    parse(&value).map(Some).ok_or(ConfigError::BadValue { key, value, wanted })
}

/// Seconds with decimals, up to a year.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..=31_536_000.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn parse_durability(text: &str) -> Option<Durability> {
    match text {
        "full" => Some(Durability::Full),
        "fast" => Some(Durability::Fast),
        _ => None,
    }
}

/// `all`, or words of `count=N`, `days=N`, `size=BYTES`; what is not named is not limited.
pub fn parse_retention(text: &str) -> Option<BackupRetention> {
    let mut retention = BackupRetention { count: None, age_seconds: None, bytes: None };
    if text.trim() == "all" {
        return Some(retention);
    }
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=')?;
        match key {
            "count" => retention.count = Some(value.parse().ok()?),
            "days" => retention.age_seconds = Some(value.parse::<u64>().ok()?.checked_mul(86_400)?),
            "size" => retention.bytes = Some(parse_size(value)?),
            _ => return None,
        }
    }
    Some(retention)
}

/// A number of bytes with git's suffixes k, m and g.
pub fn parse_size(text: &str) -> Option<u64> {
    let (digits, unit) = match text.to_ascii_lowercase().chars().last()? {
        'k' => (&text[..text.len() - 1], 1 << 10),
        'm' => (&text[..text.len() - 1], 1 << 20),
        'g' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_is_read_in_words() {
        let got = parse_retention("count=5 days=2 size=3k");
        assert_eq!(got, Some(BackupRetention { count: Some(5), age_seconds: Some(172_800), bytes: Some(3072) }));
        assert_eq!(parse_retention("all").and_then(|r| r.count), None);
        assert_eq!(parse_retention("weeks=2"), None);
    }

    #[test]
    fn seconds_may_have_decimals() {
        assert_eq!(parse_seconds("0.25"), Some(Duration::from_millis(250)));
        assert_eq!(parse_seconds("-1"), None);
        assert_eq!(parse_seconds("NaN"), None);
    }
}
