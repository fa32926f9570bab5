//! The names of the encodings, and how those that iconv knows by a name differ from WHATWG's of it.
//!
//! Owns the list. It was made by comparing every character with glibc's iconv; a test holds it to that where there is one.

use super::form::Form;
use super::shifting::Shifting;
use super::table::{OnlyRead, Table, Width};
use super::utf16::Endian;
use encoding_rs as rs;

/// What a name stands for.
pub(super) fn form(name: &str) -> Option<Form> {
    let plain = plain(name);
    let form = match plain.as_str() {
        "utf8" => Form::Utf8,
        "utf8bom" | "utf8sig" => Form::Utf8Bom,
        "utf16le" => Form::Utf16(Endian::Little),
        "utf16be" => Form::Utf16(Endian::Big),
        "utf16" | "unicode" | "ucs2" | "utf16lebom" => Form::Utf16Bom(Endian::Little),
        "utf16bebom" => Form::Utf16Bom(Endian::Big),
        _ => {
            return Shifting::named(&plain).map(Form::Shifting).or_else(|| table(&plain, name).map(Form::Table));
        }
    };
    Some(form)
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn table(plain_name: &str, name: &str) -> Option<&'static Table> {
    let is_it = |table: &&Table| plain(table.name) == plain_name || table.also.contains(&plain_name);
    let by_label = || {
        let rs = rs::Encoding::for_label_no_replacement(name.as_bytes())?;
        TABLES.iter().find(|table| table.rs == rs)
    };
    TABLES.iter().find(is_it).or_else(by_label)
}

/// What most of them have in common.
const fn single(name: &'static str, rs: &'static rs::Encoding, also: &'static [&'static str]) -> Table {
    Table {
        name,
        also,
        rs,
        width: Width::One,
        second_from: 0,
        lacks: &[],
        other: &[],
        written: &[],
        only_read: OnlyRead::None,
    }
}

/// WHATWG's table of Windows, with the control characters that the ISO standard has in place of Windows' additions.
const fn iso(name: &'static str, rs: &'static rs::Encoding, also: &'static [&'static str]) -> Table {
    Table { other: &CONTROLS, ..single(name, rs, also) }
}

const fn double(name: &'static str, rs: &'static rs::Encoding, also: &'static [&'static str], width: Width) -> Table {
    Table { width, ..single(name, rs, also) }
}

/// U+0080 to U+009F, each as its own byte.
const CONTROLS: [(u32, char); 32] = {
    let mut controls = [(0, '\0'); 32];
    let mut n = 0;
    while n < 32 {
        controls[n] = (0x80 + n as u32, (0x80 + n as u8) as char);
        n += 1;
    }
    controls
};

/// All but UTF-8 and UTF-16. Of those that share encoding_rs's table the first takes the labels that are in no list.
static TABLES: [Table; 42] = [
    single("windows-1252", rs::WINDOWS_1252, &["cp1252", "msansi", "1252"]),
    iso(
        "iso-8859-1",
        rs::WINDOWS_1252,
        &["latin1", "l1", "88591", "iso88591", "iso885911987", "cp819", "ibm819", "isoir100", "csisolatin1"],
    ),
    Table {
        lacks: &[(0x80, 0xff)],
        ..single("us-ascii", rs::WINDOWS_1252, &["ascii", "646", "ansix341968", "iso646us"])
    },
    single("windows-1250", rs::WINDOWS_1250, &["cp1250", "msee", "1250"]),
    single("windows-1251", rs::WINDOWS_1251, &["cp1251", "mscyrl", "1251"]),
    single("windows-1253", rs::WINDOWS_1253, &["cp1253", "msgreek", "1253"]),
    single("windows-1254", rs::WINDOWS_1254, &["cp1254", "msturk", "1254"]),
    single("windows-1255", rs::WINDOWS_1255, &["cp1255", "mshebr", "1255"]),
    single("windows-1256", rs::WINDOWS_1256, &["cp1256", "msarab", "1256"]),
    single("windows-1257", rs::WINDOWS_1257, &["cp1257", "winbaltrim", "1257"]),
    single("windows-1258", rs::WINDOWS_1258, &["cp1258", "1258"]),
    single("windows-874", rs::WINDOWS_874, &["cp874", "874"]),
    iso("iso-8859-11", rs::WINDOWS_874, &["iso885911", "tis620"]),
    iso("iso-8859-9", rs::WINDOWS_1254, &["latin5", "l5", "88599", "iso88599", "iso885991989", "csisolatin5"]),
    single("iso-8859-2", rs::ISO_8859_2, &["latin2", "88592"]),
    single("iso-8859-3", rs::ISO_8859_3, &["latin3", "88593"]),
    single("iso-8859-4", rs::ISO_8859_4, &["latin4", "88594"]),
    single("iso-8859-5", rs::ISO_8859_5, &["cyrillic", "88595"]),
    single("iso-8859-6", rs::ISO_8859_6, &["arabic", "88596"]),
    single("iso-8859-7", rs::ISO_8859_7, &["greek", "88597"]),
    single("iso-8859-8", rs::ISO_8859_8, &["hebrew", "88598"]),
    single("iso-8859-10", rs::ISO_8859_10, &["latin6", "885910"]),
    single("iso-8859-13", rs::ISO_8859_13, &["latin7", "885913"]),
    single("iso-8859-14", rs::ISO_8859_14, &["latin8", "885914"]),
    single("iso-8859-15", rs::ISO_8859_15, &["latin9", "885915"]),
    single("iso-8859-16", rs::ISO_8859_16, &["latin10", "885916"]),
    single("koi8-r", rs::KOI8_R, &["koi8"]),
    Table { other: &[(0xae, '\u{255d}'), (0xbe, '\u{256c}')], ..single("koi8-u", rs::KOI8_U, &[]) },
    single("ibm866", rs::IBM866, &["cp866", "866"]),
    single("macintosh", rs::MACINTOSH, &["mac", "macroman"]),
    single("x-mac-cyrillic", rs::X_MAC_CYRILLIC, &["maccyrillic"]),
    single("iso-8859-8-i", rs::ISO_8859_8_I, &[]),
    Table {
        // Backslash and tilde, which iconv reads as the signs of Yen and macron that share their bytes, stay themselves:
        // a program could not be read.
        lacks: &[(0x80, 0x80), (0x8740, 0x879c), (0xed40, 0xfcfc)],
        other: &WAVES_OF_SHIFT_JIS,
        ..double("shift_jis", rs::SHIFT_JIS, &["sjis", "mskanji", "csshiftjis"], Width::ShiftJis)
    },
    Table {
        lacks: &[(0x80, 0x80)],
        written: &[
            ('\u{a2}', 0x8191),
            ('\u{a3}', 0x8192),
            ('\u{ac}', 0x81ca),
            ('\u{2014}', 0x815c),
            ('\u{2016}', 0x8161),
            ('\u{2212}', 0x817c),
            ('\u{301c}', 0x8160),
        ],
        ..double(
            "windows-31j",
            rs::SHIFT_JIS,
            &["cp932", "ms932", "csw31j", "windows932", "xsjis", "932"],
            Width::ShiftJis,
        )
    },
    Table {
        lacks: &[(0xada1, 0xadfc), (0xf9a1, 0xfcfe)],
        other: &[
            (0xa1c1, '\u{301c}'),
            (0xa1c2, '\u{2016}'),
            (0xa1dd, '\u{2212}'),
            (0xa1f1, '\u{a2}'),
            (0xa1f2, '\u{a3}'),
            (0xa2cc, '\u{ac}'),
        ],
        only_read: OnlyRead::JisX0212,
        ..double("euc-jp", rs::EUC_JP, &["eucjp", "ujis"], Width::EucJp)
    },
    Table {
        second_from: 0xa1,
        lacks: &[(0x8141, 0xa0fe)],
        other: &[(0xa2e8, '\u{327e}')],
        written: &[('\u{20a9}', 0xa3dc)],
        ..double("euc-kr", rs::EUC_KR, &["euckr", "ksc56011987", "ksx1001", "5601"], Width::TwoFrom(0x81))
    },
    double("windows-949", rs::EUC_KR, &["cp949", "uhc", "ms949", "949"], Width::TwoFrom(0x81)),
    Table { lacks: &LACKS_OF_GBK, ..double("gbk", rs::GBK, &["cp936", "ms936", "windows936", "936"], Width::Gb18030) },
    Table {
        second_from: 0xa1,
        lacks: &LACKS_OF_GB2312,
        other: &[(0xa1a4, '\u{30fb}'), (0xa1aa, '\u{2015}')],
        ..double("gb2312", rs::GBK, &["euccn", "gb231280", "csgb2312"], Width::TwoFrom(0xa1))
    },
    double("gb18030", rs::GB18030, &["gb180302005"], Width::Gb18030),
    Table {
        lacks: &[(0x8740, 0xa0fe), (0xa3c0, 0xa3e0), (0xfa40, 0xfefe)],
        other: &[(0xf9fe, '\u{2593}')],
        written: &[
            ('\u{2550}', 0xa2a4),
            ('\u{255e}', 0xa2a5),
            ('\u{2561}', 0xa2a7),
            ('\u{256a}', 0xa2a6),
            ('\u{4edd}', 0xc969),
        ],
        ..double("big5", rs::BIG5, &["bigfive", "cnbig5", "csbig5", "cp950", "windows950", "950"], Width::TwoFrom(0x81))
    },
    Table { only_read: OnlyRead::Hkscs, ..double("big5-hkscs", rs::BIG5, &["big5hk", "cp951"], Width::TwoFrom(0x81)) },
];

/// What Windows reads as other signs that look alike.
const WAVES_OF_SHIFT_JIS: [(u32, char); 6] = [
    (0x8160, '\u{301c}'),
    (0x8161, '\u{2016}'),
    (0x817c, '\u{2212}'),
    (0x8191, '\u{a2}'),
    (0x8192, '\u{a3}'),
    (0x81ca, '\u{ac}'),
];

#[rustfmt::skip]
const LACKS_OF_GBK: [(u32, u32); 41] = [
    (0xa140, 0xa1a0), (0xa240, 0xa2a0), (0xa2ab, 0xa2b0), (0xa2e3, 0xa2e4), (0xa2ef, 0xa2f0),
    (0xa2fd, 0xa3a0), (0xa440, 0xa4a0), (0xa4f4, 0xa5a0), (0xa5f7, 0xa6a0), (0xa6b9, 0xa6c0),
    (0xa6d9, 0xa6df), (0xa6ec, 0xa6ed), (0xa6f3, 0xa6f3), (0xa6f6, 0xa7a0), (0xa7c2, 0xa7d0),
    (0xa7f2, 0xa7fe), (0xa896, 0xa8a0), (0xa8bc, 0xa8bc), (0xa8bf, 0xa8bf), (0xa8c1, 0xa8c4),
    (0xa8ea, 0xa8fe), (0xa958, 0xa958), (0xa95b, 0xa95b), (0xa95d, 0xa95f), (0xa989, 0xa995),
    (0xa997, 0xa9a3), (0xa9f0, 0xa9fe), (0xaaa1, 0xaafe), (0xaba1, 0xabfe), (0xaca1, 0xacfe),
    (0xada1, 0xadfe), (0xaea1, 0xaefe), (0xafa1, 0xaffe), (0xd7fa, 0xd7fe), (0xf8a1, 0xf8fe),
    (0xf9a1, 0xf9fe), (0xfaa1, 0xfafe), (0xfba1, 0xfbfe), (0xfca1, 0xfcfe), (0xfda1, 0xfdfe),
    (0xfe50, 0xfefe),
];

#[rustfmt::skip]
const LACKS_OF_GB2312: [(u32, u32); 16] = [
    (0xa2a1, 0xa2b0), (0xa2e3, 0xa2e4), (0xa2ef, 0xa2f0), (0xa2fd, 0xa2fe), (0xa4f4, 0xa4fe),
    (0xa5f7, 0xa5fe), (0xa6b9, 0xa6c0), (0xa6d9, 0xa6fe), (0xa7c2, 0xa7d0), (0xa7f2, 0xa7fe),
    (0xa8bb, 0xa8c4), (0xa8ea, 0xa9a3), (0xa9f0, 0xb0a0), (0xd7fa, 0xd7fe), (0xf8a1, 0xfefe),
    (0x80, 0x80),
];
