//! What iconv would say, as far as it is known without one; tests/it/encodings.rs asks it.

use super::*;

fn check(name: &str, text: &str, bytes: &[u8]) {
    let encoding = Encoding::named(name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(encoding.encode(text).as_deref(), Ok(bytes), "{name}: {text}");
    let decoded = encoding.decode(bytes).unwrap_or_else(|| panic!("{name}: {bytes:x?}"));
    assert_eq!(decoded.as_str(), encoding.canonical(text), "{name}");
}

fn lacks(name: &str, c: char) {
    let encoding = Encoding::named(name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(encoding.encode(&format!("a{c}b")), Err(c), "{name}");
}

#[test]
fn a_name_means_what_iconv_means_by_it() {
    check("Latin-1", "é\u{80}", b"\xe9\x80");
    check("CP1252", "é€", b"\xe9\x80");
    check("SHIFT-JIS", "表\\~〜", b"\x95\x5c\\~\x81\x60");
    check("CP932", "①髙～", b"\x87\x40\xfb\xfc\x81\x60");
    check("EUC-JP", "表鷗ｱ", b"\xc9\xbd\x8f\xec\xbf\x8e\xb1");
    check("EUC-KR", "한€", b"\xc7\xd1\xa2\xe6");
    check("UHC", "똠", b"\x8c\x63");
    check("GBK", "汉€", b"\xba\xba\x80");
    check("GB18030", "汉😀", b"\xba\xba\x94\x39\xfc\x36");
    check("Big5", "漢═", b"\xba\x7e\xa2\xa4");
    check("UTF-16LE", "a😀", b"a\0\x3d\xd8\x00\xde");
    check("UTF-16BE", "a😀", b"\0a\xd8\x3d\xde\x00");
    check("CP1258", "ế", b"\xea\xec");
}

#[test]
fn a_character_that_it_lacks_is_told() {
    for (name, c) in [
        ("latin1", '€'),
        ("ascii", 'é'),
        ("windows-1252", '\u{81}'),
        ("shift_jis", '①'),
        ("shift_jis", '～'),
        ("shift_jis", '한'),
        ("cp932", '😀'),
        ("euc-jp", '①'),
        ("euc-kr", '똠'),
        ("gb2312", '€'),
        ("gbk", '😀'),
        ("big5", '汉'),
        ("iso-8859-9", '€'),
        ("koi8-r", 'é'),
    ] {
        lacks(name, c);
    }
}

#[test]
fn bytes_that_are_not_of_it_are_not_decoded() {
    for (name, bytes) in [
        ("shift_jis", &b"a\x81"[..]),
        ("shift_jis", b"\xfd"),
        ("euc-jp", b"\xa1a"),
        ("utf-16le", b"a"),
        ("utf-16le", b"\x3d\xd8a\0"),
        ("utf-8", b"\xff"),
        ("gb18030", b"\x84\x31\xff"),
    ] {
        assert_eq!(Encoding::named(name).and_then(|one| one.decode(bytes)), None, "{name}");
    }
}

#[test]
fn what_has_another_ones_bytes_reads_as_that_one() {
    let canonical = |name: &str, text: &str| Encoding::named(name).map(|one| one.canonical(text));
    assert_eq!(canonical("cp932", "〜\u{1f600}a").as_deref(), Some("～\u{1f600}a"));
    assert_eq!(canonical("cp1258", "ế").as_deref(), Some("e\u{302}\u{301}".replace("e\u{302}", "ê").as_str()));
}

#[test]
fn offsets_go_from_the_text_to_the_bytes_and_back() {
    let decoded = Encoding::named("shift_jis").and_then(|one| one.decode(b"ab\x95\x5c\x95\x5cc")).expect("decoded");
    assert_eq!(decoded.as_str(), "ab表表c");
    let bounds = [(0, 0), (1, 1), (2, 2), (5, 4), (8, 6), (9, 7)];
    for (text, raw) in bounds {
        assert_eq!((decoded.to_raw(text, Side::Before), decoded.to_raw(text, Side::Behind)), (raw, raw));
        assert_eq!((decoded.of_raw(raw, Side::Before), decoded.of_raw(raw, Side::Behind)), (text, text));
    }
    assert_eq!((decoded.to_raw(3, Side::Before), decoded.to_raw(3, Side::Behind)), (2, 4));
    assert_eq!((decoded.of_raw(5, Side::Before), decoded.of_raw(5, Side::Behind)), (5, 8));
    assert_eq!((decoded.bound(7, Side::Before), decoded.bound(7, Side::Behind)), (5, 8));
    assert_eq!((decoded.raw_range(&(3..6)), decoded.range_of_raw(&(3..5))), (2..6, 2..8));
}

#[test]
fn a_mark_tells_the_encoding() {
    let name = |bytes: &[u8]| Encoding::of_mark(bytes).map(Encoding::name);
    assert_eq!(name(b"\xff\xfea\0"), Some("utf-16le"));
    assert_eq!(name(b"\xfe\xff\0a"), Some("utf-16be"));
    assert_eq!(name(b"\xef\xbb\xbfa"), Some("utf-8"));
    assert_eq!(name(b"a"), None);
}
