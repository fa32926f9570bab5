//! Default ACLs of directories (acl(5)): what a file made there gets of them.
//!
//! Owns the stored form of a POSIX ACL, as far as that needs it. Reads and writes no attribute.

/// The attribute of a directory.
pub(super) const DEFAULT: &str = "system.posix_acl_default";
/// The attribute of a file.
pub(super) const ACCESS: &str = "system.posix_acl_access";

/// Version, then entries.
const HEAD: [u8; 4] = 2_u32.to_le_bytes();
const USER_OBJ: u16 = 0x01;
const GROUP_OBJ: u16 = 0x04;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;

/// The ACL of a file that is made with `mode` in a directory with this default ACL: the same entries, those that stand for
/// the mode's bits cut down to it. The umask plays no part. None where the bytes are no ACL of the known version.
pub(super) fn inherited(default: &[u8], mode: u32) -> Option<Vec<u8>> {
    let entries = default.strip_prefix(&HEAD)?;
    let (entries, []) = entries.as_chunks::<8>() else { return None };
    let tag = |entry: &[u8; 8]| u16::from_le_bytes([entry[0], entry[1]]);
    let group_class = if entries.iter().any(|entry| tag(entry) == MASK) { MASK } else { GROUP_OBJ };
    let mut acl = HEAD.to_vec();
    for entry in entries {
        let allowed = match tag(entry) {
            USER_OBJ => mode >> 6,
            OTHER => mode,
            tag if tag == group_class => mode >> 3,
            _ => 0o7,
        };
        let mut entry = *entry;
        entry[2] &= u8::try_from(allowed & 0o7).unwrap_or(0o7);
        acl.extend(entry);
    }
    Some(acl)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acl(entries: &[(u16, u8, u32)]) -> Vec<u8> {
        let entry = |&(tag, bits, id): &(u16, u8, u32)| {
            [&tag.to_le_bytes()[..], &u16::from(bits).to_le_bytes(), &id.to_le_bytes()].concat()
        };
        [HEAD.to_vec(), entries.iter().flat_map(entry).collect()].concat()
    }

    #[test]
    fn a_new_file_gets_the_default_acl_cut_down_to_its_mode() {
        let none = u32::MAX;
        let default = acl(&[(1, 7, none), (2, 7, 1000), (4, 5, none), (16, 7, none), (32, 5, none)]);
        let want = acl(&[(1, 6, none), (2, 7, 1000), (4, 5, none), (16, 6, none), (32, 4, none)]);
        assert_eq!(inherited(&default, 0o666), Some(want));
        let plain = acl(&[(1, 7, none), (4, 7, none), (32, 0, none)]);
        assert_eq!(inherited(&plain, 0o644), Some(acl(&[(1, 6, none), (4, 4, none), (32, 0, none)])));
    }

    #[test]
    fn what_is_no_acl_is_left_alone() {
        for bytes in [&b""[..], b"\x02\0\0\0\x01", b"\x03\0\0\0", b"x"] {
            assert_eq!(inherited(bytes, 0o666), None, "{bytes:?}");
        }
    }
}
