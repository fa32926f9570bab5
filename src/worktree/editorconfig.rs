//! What `.editorconfig` files say of a file: its charset, and how a new one's lines end.
//!
//! Owns which of these files count: those of the folders from the file up to the root of the working tree, or to one that
//! says `root = true`. One above the working tree, or one that a symlink leads out to, does not count, and neither does
//! what cannot be read: it says how a text is written, never what may be done.
//! The format itself is the crate ec4rs's.

use super::root::Root;
use crate::path::RepoPath;
use crate::text::Eol;
use bstr::ByteSlice;
use ec4rs::{ConfigParser, Properties, PropertiesSource, Section};

/// What they say of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Editorconfig {
    /// As it is written.
    pub charset: Option<String>,
    /// How lines end; none where it is not said, or as redraft knows no line to end.
    pub end_of_line: Option<Eol>,
    /// Whether a new file is to end with a newline.
    pub insert_final_newline: Option<bool>,
    /// Whether one of the files is reached by a symlink, so that it has another name as well.
    pub is_linked: bool,
}

/// A larger one is no `.editorconfig`.
const LARGEST: usize = 1 << 20;

impl Editorconfig {
    /// What holds for the file at a path, which need not be there.
    pub fn of(root: &Root, path: &RepoPath) -> Self {
        let mut found: Vec<(Option<RepoPath>, Vec<Section>)> = Vec::new();
        let mut folder = path.parent();
        let mut is_linked = false;
        loop {
            let file = read(root, folder.as_ref()).unwrap_or_default();
            is_linked |= file.is_linked;
            found.push((folder.clone(), file.sections));
            match folder {
                Some(at) if !file.is_root => folder = at.parent(),
                _ => break,
            }
        }
        let mut said = Properties::new();
        // The nearest file counts most, and in a file the last section.
        for (folder, sections) in found.into_iter().rev() {
            let above = folder.map_or(0, |folder| folder.as_bstr().len() + 1);
            let below = path.as_bstr()[above..].to_os_str_lossy().into_owned();
            for section in sections {
                // A section that does not hold for the path adds nothing.
                let _ = (&section).apply_to(&mut said, &below);
            }
        }
        let value = |key: &str| said.get_raw_for_key(key).filter_unset().into_option().map(str::to_lowercase);
        Self {
            charset: value("charset"),
            end_of_line: value("end_of_line").and_then(|value| match value.as_str() {
                "lf" => Some(Eol::Lf),
                "crlf" => Some(Eol::CrLf),
                _ => None,
            }),
            insert_final_newline: value("insert_final_newline").and_then(|value| value.parse().ok()),
            is_linked,
        }
    }
}

/// The file of a folder.
#[derive(Default)]
struct File {
    sections: Vec<Section>,
    /// Nothing above it counts.
    is_root: bool,
    is_linked: bool,
}

fn read(root: &Root, folder: Option<&RepoPath>) -> Option<File> {
    let name = match folder {
        Some(folder) => [folder.as_bstr().as_bytes(), b"/.editorconfig"].concat(),
        None => b".editorconfig".to_vec(),
    };
    let path = RepoPath::new(&name).ok()?;
    let place = root.place(&path).ok()?;
    let bytes = root.read(&place).ok()??.bytes;
    if bytes.len() > LARGEST {
        return None;
    }
    let mut parser = ConfigParser::new(&bytes[..]).ok()?;
    let mut sections = Vec::new();
    while let Ok(section) = parser.read_section() {
        sections.push(section);
    }
    Some(File { sections, is_root: parser.is_root, is_linked: place.path != path })
}
