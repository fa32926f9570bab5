//! Encodings, with texts of the languages that are written in them.
//!
//! What iconv says of them is asked of iconv when the tests run.

use std::io::Write;
use std::process::{Command, Stdio};

/// One encoding, and what is written in it.
pub struct Sample {
    /// As redraft is told it; none where a mark tells it.
    pub name: Option<&'static str>,
    /// As iconv knows it.
    pub iconv: &'static str,
    /// What stands before the text.
    pub mark: &'static [u8],
    pub text: &'static str,
    /// A character that it does not have.
    pub lacks: Option<char>,
}

const WEST: &str = "Die Größe ändert sich über Nacht – nein: täglich.\nÇa coûte déjà très cher, l'été à Gênes.\n\
                    El niño comió piñas en la mañana.\nSmørrebrød på bryggen, öl och åkerbär.\n";
const LATIN: &str = "Die Größe ändert sich über Nacht.\nÇa coûte déjà très cher, l'été à Gênes.\n\
                     El niño comió piñas; ¿qué más? ½ × 3 ÷ 4 = ¶§.\nSmørrebrød på bryggen, öl och åkerbär.\n";
const CENTRAL: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy.\nZażółć gęślą jaźń.\nÁrvíztűrő tükörfúrógép.\n\
                       Čučoriedky sú zrelé, že?\n";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\nПеременная не определена.\n\
                       // Возвращает длину строки\nОшибка: файл не найден.\n";
const GREEK: &str = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.\nΗ μεταβλητή δεν έχει τιμή.\nΤο αρχείο δεν βρέθηκε.\n";
const TURKISH: &str = "Pijamalı hasta yağız şoföre çabucak güvendi.\nDeğişken tanımlı değil.\nİstanbul'da ışık.\n";
const HEBREW: &str = "דג סקרן שט בים מאוכזב ולפתע מצא חברה.\nהקובץ לא נמצא.\nמשתנה לא מוגדר, שלום עולם.\n";
const ARABIC: &str = "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ.\nالملف غير موجود.\nمرحبا بالعالم، كيف الحال؟\n";
const BALTIC: &str =
    "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą.\nGlāžšķūņa rūķīši.\nÕhtu järel.\n";
const VIETNAMESE: &str =
    "Tôi có thể ăn thủy tinh mà không hại gì.\nBiến chưa được định nghĩa.\nKhông tìm thấy tập tin.\n";
const THAI: &str = "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า\nไม่พบแฟ้ม\nตัวแปรยังไม่ได้กำหนดค่า\n";
const JAPANESE: &str = "いろはにほへと散りぬるを。\n変数が定義されていません：能力表示ソース。\n// 文字列の長さを返す〜関数\n\
                        ﾊﾝｶｸ文字も使います。\nファイルが見つかりません。\n十分な予算が必要です。\n";
const KOREAN: &str = "키스의 고유조건은 입술끼리 만나야 하고.\n변수가 정의되지 않았습니다.\n// 문자열의 길이를 반환\n파일을 찾을 수 없음.\n";
const KOREAN_ALL: &str =
    "똠방각하 펲시콜라 찦차를 타고.\n변수가 정의되지 않았습니다.\n파일을 찾을 수 없음.\n뷁 쌰 햏.\n";
const CHINESE: &str = "我能吞下玻璃而不伤身体。\n变量没有定义：长度、类型。\n// 返回字符串的长度\n找不到文件“配置”。\n";
const TAIWAN: &str =
    "我能吞下玻璃而不傷身體。\n變數沒有定義：長度、類型。\n// 傳回字串的長度，功能許可\n找不到檔案「設定」。\n";
const WORLD: &str = "Größe, ещё, 変数, 한국어, 汉字, 😀 и 𝒳.\nשלום עולם — مرحبا\nla fin: €uro\n";

const fn sample(name: &'static str, iconv: &'static str, text: &'static str, lacks: char) -> Sample {
    Sample { name: Some(name), iconv, mark: b"", text, lacks: Some(lacks) }
}

pub const SAMPLES: [Sample; 37] = [
    Sample { name: None, iconv: "UTF-8", mark: b"", text: WORLD, lacks: None },
    Sample { name: None, iconv: "UTF-8", mark: b"\xef\xbb\xbf", text: WORLD, lacks: None },
    Sample { name: None, iconv: "UTF-16LE", mark: b"\xff\xfe", text: WORLD, lacks: None },
    Sample { name: None, iconv: "UTF-16BE", mark: b"\xfe\xff", text: WORLD, lacks: None },
    Sample { name: Some("utf-16le"), iconv: "UTF-16LE", mark: b"", text: WORLD, lacks: None },
    Sample { name: Some("utf-16be"), iconv: "UTF-16BE", mark: b"", text: WORLD, lacks: None },
    sample("latin1", "ISO-8859-1", LATIN, '€'),
    sample("iso-8859-2", "ISO-8859-2", CENTRAL, 'ñ'),
    sample("iso-8859-5", "ISO-8859-5", RUSSIAN, 'é'),
    sample("iso-8859-7", "ISO-8859-7", GREEK, 'é'),
    sample("iso-8859-9", "ISO-8859-9", TURKISH, '€'),
    sample("iso-8859-15", "ISO-8859-15", "Œuvre à 5 € près, Žižek et ÿ.\nL'été, déjà.\n", '½'),
    sample("windows-1250", "CP1250", CENTRAL, 'ñ'),
    sample("windows-1251", "CP1251", RUSSIAN, 'é'),
    sample("windows-1252", "CP1252", WEST, '→'),
    sample("windows-1253", "CP1253", GREEK, 'é'),
    sample("windows-1254", "CP1254", TURKISH, 'ř'),
    sample("windows-1255", "CP1255", HEBREW, 'é'),
    sample("windows-1256", "CP1256", ARABIC, 'ř'),
    sample("windows-1257", "CP1257", BALTIC, 'ñ'),
    sample("windows-1258", "CP1258", VIETNAMESE, 'ř'),
    sample("windows-874", "CP874", THAI, 'é'),
    sample("tis-620", "TIS-620", THAI, '€'),
    sample("koi8-r", "KOI8-R", RUSSIAN, 'é'),
    sample("koi8-u", "KOI8-U", "Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє п'яне знаємо.\n", 'é'),
    sample("ibm866", "CP866", RUSSIAN, 'é'),
    sample("shift_jis", "SHIFT_JIS", JAPANESE, '한'),
    sample("cp932", "CP932", "①髙橋の～表示。\n能力ソースⅣ㈱。\nファイルが見つかりません。\n", '한'),
    sample("euc-jp", "EUC-JP", "いろはにほへと散りぬるを〜。\n鷗外の表示ﾊﾝｶｸ。\nファイルが見つかりません。\n", '①'),
    sample("euc-kr", "EUC-KR", KOREAN, '똠'),
    sample("cp949", "CP949", KOREAN_ALL, '😀'),
    sample("gbk", "GBK", CHINESE, '😀'),
    sample("gb2312", "GB2312", CHINESE, '變'),
    Sample {
        lacks: None,
        ..sample("gb18030", "GB18030", "我能吞下玻璃而不伤身体。\n變數 한국어 😀 ещё é。\n找不到文件。\n", 'x')
    },
    sample("big5", "BIG5", TAIWAN, '汉'),
    sample("big5-hkscs", "BIG5-HKSCS", "我哋喺香港食嘢，佢話冇嘢。\n找不到檔案「設定」。\n", '😀'),
    sample("ascii", "ASCII", "nothing but ASCII\nin this one\n", 'é'),
];

/// Bytes from one encoding to another, by iconv(1).
pub fn iconv(from: &str, to: &str, bytes: &[u8]) -> Vec<u8> {
    let mut child = Command::new("iconv")
        .args(["-f", from, "-t", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("iconv");
    let mut input = child.stdin.take().expect("its input");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all is read");
    assert!(output.status.success(), "{from} to {to}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

impl Sample {
    /// A text in this encoding.
    pub fn bytes(&self, text: &str) -> Vec<u8> {
        [self.mark, &iconv("UTF-8", self.iconv, text.as_bytes())].concat()
    }

    /// The encoding in redraft's answer; none where it is UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.iconv == "UTF-8"
    }
}
