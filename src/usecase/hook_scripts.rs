//! The scripts that redraft puts among git's hooks, by name.

/// The hooks, by name, with their scripts.
pub const HOOKS: [(&str, &str); 5] = [
    ("pre-commit", include_str!("../../hooks/git/pre-commit")),
    ("prepare-commit-msg", include_str!("../../hooks/git/prepare-commit-msg")),
    ("commit-msg", include_str!("../../hooks/git/commit-msg")),
    ("post-commit", include_str!("../../hooks/git/post-commit")),
    ("post-rewrite", include_str!("../../hooks/git/post-rewrite")),
];
