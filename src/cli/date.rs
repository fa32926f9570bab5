//! Dates as `git log --date=` knows them.
//!
//! Owns the names of the forms. All are of here: no record knows where it was made.

use super::when;
use crate::env::Env;

/// How a date is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DateForm {
    /// `5 minutes ago`.
    Relative,
    /// As strftime writes it.
    Formed(String),
}

const FORMS: &[(&str, &str)] = &[
    ("default", "%a %b %-d %H:%M:%S %Y %z"),
    ("local", "%a %b %-d %H:%M:%S %Y"),
    ("iso", "%Y-%m-%d %H:%M:%S %z"),
    ("iso8601", "%Y-%m-%d %H:%M:%S %z"),
    ("iso-strict", "%Y-%m-%dT%H:%M:%S%:z"),
    ("iso8601-strict", "%Y-%m-%dT%H:%M:%S%:z"),
    ("rfc", "%a, %-d %b %Y %H:%M:%S %z"),
    ("rfc2822", "%a, %-d %b %Y %H:%M:%S %z"),
    ("short", "%Y-%m-%d"),
    ("raw", "%s %z"),
    ("unix", "%s"),
];

impl DateForm {
    /// The form of this name.
    ///
    /// # Errors
    /// Where there is none; in words.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let known = |name: &str| FORMS.iter().find(|(known, _)| *known == name);
        if name == "relative" {
            return Ok(Self::Relative);
        }
        if let Some((_, form)) = known(name) {
            return Ok(Self::Formed((*form).to_owned()));
        }
        if let Some((_, form)) = name.strip_suffix("-local").and_then(known) {
            let form = if name == "default-local" { form.trim_end_matches(" %z") } else { form };
            return Ok(Self::Formed(form.to_owned()));
        }
        match name.strip_prefix("format:").or_else(|| name.strip_prefix("format-local:")) {
            Some(form) if when::is_form(form) => Ok(Self::Formed(form.to_owned())),
            Some(_) => Err("after `format:` goes what strftime takes, such as %Y-%m-%d".to_owned()),
            None => {
                Err("relative, local, iso, iso-strict, rfc, short, raw, unix, default, or format:%Y-%m-%d".to_owned())
            }
        }
    }

    /// A form that is known by its name.
    pub(super) fn named(name: &str) -> Self {
        Self::parse(name).expect("it is one of the list")
    }

    /// A date in this form.
    pub(super) fn shown(&self, env: &Env, time_ms: i64) -> String {
        match self {
            Self::Relative => when::relative(env, time_ms),
            Self::Formed(form) => {
                let text = when::formed(env, time_ms, form).unwrap_or_default();
                // As git has it where the form is the strict one.
                match text.strip_suffix("+00:00") {
                    Some(utc) if form.ends_with("%:z") => format!("{utc}Z"),
                    _ => text,
                }
            }
        }
    }
}
