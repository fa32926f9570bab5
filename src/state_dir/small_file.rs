//! Small files: written beside their place and renamed into it, read whole.
//!
//! Owns that a reader finds the old file or the new one. Does not know what is in them.

use std::fs;
use std::io;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Whether what was written survives a power cut, or only a killed process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Synced.
    #[default]
    Full,
    /// No sync.
    Fast,
}

/// Reads a file whole; none where there is none.
///
/// # Errors
/// Where it is there and cannot be read.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// As [`read()`], but only a regular file under its own name: what else somebody put there, a symlink or a pipe that nobody writes to, is
/// as if it were not there.
///
/// # Errors
/// Where it is there and cannot be read.
pub fn read_regular(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if is_regular(path) { read(path) } else { Ok(None) }
}

/// Whether a regular file is there under its own name.
pub fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Takes away what is under the name of a regular file and is none.
///
/// # Errors
/// Where it cannot be removed.
pub fn make_way(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(meta) if !meta.is_file() => remove(path),
        _ => Ok(()),
    }
}

/// Writes a file, in a folder that is there. With [`Durability::Full`] its bytes are on the disk before it has its name; the
/// name is, once its folder is [synced](sync_dir).
///
/// # Errors
/// Where it cannot be written; the old file then stays, and nothing lies beside it.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    write_parts(path, &[bytes], durability)
}

/// As [`write()`], of bytes that lie in several places.
///
/// # Errors
/// As [`write()`].
pub fn write_parts(path: &Path, parts: &[&[u8]], durability: Durability) -> io::Result<()> {
    let (beside, file) = fresh_beside(path)?;
    put(file, (&beside, path), parts, durability)
}

/// A new file beside another one. Several threads and processes may write the same file at once, each by a file of its own:
/// the last one counts, and each is whole.
fn fresh_beside(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let mut number = 0_u16;
    loop {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{number}.tmp"));
        match fs::File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u16::MAX => number += 1,
            file => return Ok((beside.into(), file?)),
        }
    }
}

/// As [`write()`], by way of a file that is named: git's own programs know a ref that is being written by its lock file.
///
/// # Errors
/// As [`write()`].
pub fn write_by(beside: &Path, path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    put(fs::File::create(beside)?, (beside, path), &[bytes], durability)
}

fn put(mut file: fs::File, (beside, path): (&Path, &Path), parts: &[&[u8]], durability: Durability) -> io::Result<()> {
    let written = parts.iter().try_for_each(|part| file.write_all(part)).and_then(|()| match durability {
        Durability::Full => file.sync_data(),
        Durability::Fast => Ok(()),
    });
    drop(file);
    let done = written.and_then(|()| fs::rename(beside, path));
    if done.is_err() {
        let _ = fs::remove_file(beside);
    }
    done
}

/// Adds lines to a file, made with its folders where it is missing: one small write, so that several processes need no lock.
///
/// # Errors
/// Where it cannot be written.
pub fn append_lines(path: &Path, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
    let lines: String = lines.into_iter().collect();
    if lines.is_empty() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        make_private(folder)?;
    }
    fs::File::options().create(true).append(true).open(path)?.write_all(lines.as_bytes())
}

/// Writes spaces over parts of a list that only grows, so that nothing of them can come back, and syncs that. All else of it stays
/// where it is: others may be adding lines.
///
/// # Errors
/// Where it is not there, or cannot be written or synced.
pub fn blank_out(path: &Path, parts: &[Range<usize>]) -> io::Result<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let mut file = fs::File::options().write(true).open(path)?;
    for part in parts {
        file.seek(SeekFrom::Start(part.start as u64))?;
        file.write_all(&vec![b' '; part.len()])?;
    }
    file.sync_data()
}

/// Removes a file; it is fine if it is gone already.
///
/// # Errors
/// Where it is there and cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes a folder that only its owner can enter, and those above it that are missing.
///
/// # Errors
/// Where one cannot be made.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Makes the names in a folder durable, where the system has that.
///
/// # Errors
/// Where it cannot be opened or synced.
pub fn sync_dir(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        assert_eq!(read(&path).expect("looked"), None);
        for text in [&b"one"[..], b"the second"] {
            write(&path, text, Durability::Full).expect("written");
            assert_eq!(read(&path).expect("read").as_deref(), Some(text));
        }
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
        remove(&path).expect("removed");
        remove(&path).expect("gone already");
    }

    #[test]
    fn what_a_killed_writer_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        fs::write(folder.path().join("x.0.tmp"), "half of the sec").expect("written");
        write(&path, b"the second", Durability::Fast).expect("written");
        assert_eq!(read(&path).expect("read").as_deref(), Some(&b"the second"[..]));
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        fs::create_dir_all(path.join("in the way")).expect("made");
        write(&path, b"text", Durability::Fast).expect_err("a folder has the name");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    }

    #[test]
    fn lines_are_added_one_after_the_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/list");
        append_lines(&path, ["a\n".to_owned(), "b\n".to_owned()]).expect("written");
        append_lines(&path, Vec::new()).expect("nothing to write");
        append_lines(&path, ["c\n".to_owned()]).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "a\nb\nc\n");
    }
}
