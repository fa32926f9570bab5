//! Files that an edit by replacement does not leave as they are.

/// Files that an edit by replacement does not leave as they are; each must be allowed by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusual {
    /// A file with several names: the others keep the old text.
    HardLink,
    /// A file with a set-user-id or set-group-id bit.
    SetId,
    /// A file of another user: only the superuser can keep its owner.
    OtherOwner,
    /// A file whose owner has no right to write.
    ReadOnly,
}

impl Unusual {
    /// The value of git config `redraft.unusualFiles` that allows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HardLink => "hard-link",
            Self::SetId => "set-id",
            Self::OtherOwner => "other-owner",
            Self::ReadOnly => "read-only",
        }
    }

    /// The kind that this setting allows.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::HardLink, Self::SetId, Self::OtherOwner, Self::ReadOnly].into_iter().find(|kind| kind.as_str() == name)
    }
}
