//! The closed set of error codes, and the finer reasons that each of them covers.
//!
//! Owns the table reason -> code -> exit status. Knows nothing of where an error comes from.
//! Invariant: every reason belongs to exactly one code.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// One of the ten error codes of the standard envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// A file, record or repository is not there.
    NotFound,
    /// The sandbox or a policy forbids it.
    AccessDenied,
    /// The operating system forbids it.
    PermissionDenied,
    /// The request is wrong, or does not fit the file.
    InvalidParam,
    /// Something took longer than its limit.
    Timeout,
    /// A defect of redraft.
    InternalError,
    /// The operating system or a program that was run failed.
    ExecutionError,
    /// Somebody else changed what the request builds on.
    Conflict,
    /// The path is a directory.
    IsDirectory,
    /// The file is binary.
    BinaryFile,
}

impl Code {
    /// Every code, in the order of the protocol's table.
    pub const ALL: [Self; 10] = [
        Self::NotFound,
        Self::AccessDenied,
        Self::PermissionDenied,
        Self::InvalidParam,
        Self::Timeout,
        Self::InternalError,
        Self::ExecutionError,
        Self::Conflict,
        Self::IsDirectory,
        Self::BinaryFile,
    ];

    /// The name on the wire, such as `INVALID_PARAM`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "NOT_FOUND",
            Self::AccessDenied => "ACCESS_DENIED",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::InvalidParam => "INVALID_PARAM",
            Self::Timeout => "TIMEOUT",
            Self::InternalError => "INTERNAL_ERROR",
            Self::ExecutionError => "EXECUTION_ERROR",
            Self::Conflict => "CONFLICT",
            Self::IsDirectory => "IS_DIRECTORY",
            Self::BinaryFile => "BINARY_FILE",
        }
    }

    /// The exit status of a command that ends with this code.
    pub fn exit_status(self) -> u8 {
        match self {
            Self::ExecutionError | Self::InternalError => 3,
            Self::Timeout => 4,
            _ => 1,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::ALL.iter().copied().find(|known| known.as_str() == name).ok_or_else(|| de::Error::custom("no such name"))
    }
}

macro_rules! reasons {
    ($($variant:ident $name:literal $code:ident),+ $(,)?) => {
        /// The finer cause behind a [`Code`]; `data.reason` on the wire.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the protocol page explains each by its name")]
        pub enum Reason { $($variant),+ }

        impl Reason {
            /// Every reason, in the order of the protocol's table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire, such as `no_match`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The code that covers this reason.
            pub fn code(self) -> Code {
                match self { $(Self::$variant => Code::$code),+ }
            }
        }
    };
}

reasons! {
    NoSuchFile "no_such_file" NotFound,
    NoSuchRecord "no_such_record" NotFound,
    NotARepository "not_a_repository" NotFound,
    BareRepository "bare_repository" NotFound,
    NothingToUndo "nothing_to_undo" NotFound,
    OutsideRoot "outside_root" AccessDenied,
    SymlinkEscape "symlink_escape" AccessDenied,
    GitInternals "git_internals" AccessDenied,
    Submodule "submodule" AccessDenied,
    Policy "policy" AccessDenied,
    Declined "declined" AccessDenied,
    NotServed "not_served" AccessDenied,
    UnsafeOwner "unsafe_owner" AccessDenied,
    Unreadable "unreadable" PermissionDenied,
    Unwritable "unwritable" PermissionDenied,
    BadJson "bad_json" InvalidParam,
    BadSyntax "bad_syntax" InvalidParam,
    MissingField "missing_field" InvalidParam,
    UnknownField "unknown_field" InvalidParam,
    BadType "bad_type" InvalidParam,
    ContradictoryFields "contradictory_fields" InvalidParam,
    SameFileTwice "same_file_twice" InvalidParam,
    EmptyEdits "empty_edits" InvalidParam,
    EmptyOldString "empty_old_string" InvalidParam,
    SameText "same_text" InvalidParam,
    NoMatch "no_match" InvalidParam,
    Ambiguous "ambiguous" InvalidParam,
    Overlap "overlap" InvalidParam,
    NestedConflict "nested_conflict" InvalidParam,
    AlreadyApplied "already_applied" InvalidParam,
    OmissionPlaceholder "omission_placeholder" InvalidParam,
    AbsolutePath "absolute_path" InvalidParam,
    BadPath "bad_path" InvalidParam,
    SpecialFile "special_file" InvalidParam,
    UnsupportedFile "unsupported_file" InvalidParam,
    UnsupportedEncoding "unsupported_encoding" InvalidParam,
    UnsupportedRepository "unsupported_repository" InvalidParam,
    TooLarge "too_large" InvalidParam,
    NotRead "not_read" InvalidParam,
    CountMismatch "count_mismatch" InvalidParam,
    LockTimeout "lock_timeout" Timeout,
    IndexLockTimeout "index_lock_timeout" Timeout,
    VerifyTimeout "verify_timeout" Timeout,
    Io "io" ExecutionError,
    NoSpace "no_space" ExecutionError,
    VerifyFailed "verify_failed" ExecutionError,
    HookFailed "hook_failed" ExecutionError,
    SigningFailed "signing_failed" ExecutionError,
    RecoveryNeeded "recovery_needed" ExecutionError,
    ChangedSinceRead "changed_since_read" Conflict,
    ChangedWhileEditing "changed_while_editing" Conflict,
    NotClean "not_clean" Conflict,
    HeadMoved "head_moved" Conflict,
    DoesNotFitHead "does_not_fit_head" Conflict,
    Exists "exists" Conflict,
    ExistsInHead "exists_in_head" Conflict,
    UndoConflict "undo_conflict" Conflict,
    Unmerged "unmerged" Conflict,
    OperationInProgress "operation_in_progress" Conflict,
    UnstagedOverlap "unstaged_overlap" Conflict,
    RequestIdReused "request_id_reused" Conflict,
    Directory "directory" IsDirectory,
    NulByte "nul_byte" BinaryFile,
    Bug "bug" InternalError,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::ALL.iter().copied().find(|known| known.as_str() == name).ok_or_else(|| de::Error::custom("no such name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|r| r.as_str()).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }

    #[test]
    fn the_table_of_reasons_is_the_protocols() {
        let table: String =
            Reason::ALL.iter().map(|r| format!("{} {} {}\n", r.code(), r, r.code().exit_status())).collect();
        let want = include_str!("../tests/snapshots/reasons.txt");
        assert_eq!(table, want, "the codes are a closed set: change docs/protocol.md with it");
    }
}
