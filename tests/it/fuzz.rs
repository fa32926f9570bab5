//! Every parser of requests, fed with what its format nearly is: the requests of the scenarios, mutated.
//!
//! `REDRAFT_FUZZ_SECONDS=3600 cargo test --test it fuzz::` runs each for so long; without it each gets some thousand inputs.
//! `REDRAFT_FUZZ_FROM` is the first seed. An input that fails is printed, and stands in the panic's message.

use crate::support::Dice;
use cpu_time::ThreadTime;
use redraft::dialect::{Limits, parse};
use redraft::{Dialect, Reason};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// What mutations put in beside the seeds' own words: the marks of all formats, and what number parsers and splitters meet rarely.
const WORDS: &[&str] = &[
    "*** Begin Patch\n",
    "*** End Patch",
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "*** End of File\n",
    "@@",
    "@@ -1,2 +3,4 @@\n",
    "@@ -0,0 +1 @@\n",
    "@@ -18446744073709551615,1 +1 @@\n",
    "--- a/x\n",
    "+++ b/x\n",
    "diff --git a/x b/x\n",
    "rename from x\n",
    "rename to y\n",
    "new file mode 100755\n",
    "old mode 100644\n",
    "deleted file mode 100644\n",
    "\\ No newline at end of file\n",
    "index 0000000..e69de29\n",
    "GIT binary patch\n",
    "similarity index 100%\n",
    "\"a\\303\\244\"",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    ":start_line:3\n",
    "-------\n",
    "------- SEARCH\n",
    "+++++++ REPLACE\n",
    "```\n",
    "```python\n",
    "[a.txt#A1B2]\n",
    "PUT 1.=2:\n",
    "PUT >$:\n",
    "CUT 5\n",
    "REM\n",
    "MV b\n",
    "cd x && apply_patch <<'EOF'\n",
    "EOF\n",
    "/dev/null",
    "../",
    "/",
    "\\",
    "\r\n",
    "\n",
    "\r",
    "\t",
    " ",
    "-",
    "+",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "\u{1f600}",
    "é",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "18446744073709551616",
    "\\ud800",
    "\\u0000",
    "99999999999999999999",
];

/// The requests of a dialect's scenarios.
fn seeds(dialect: Dialect) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(dialect.as_str());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("scenarios").filter_map(Result::ok) {
        for file in std::fs::read_dir(entry.path()).expect("a folder").filter_map(Result::ok) {
            if file.file_name().to_string_lossy().starts_with("request") {
                found.push(std::fs::read(file.path()).expect("a file"));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

/// A seed with some things done to it.
fn mutated(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[dice.roll(seeds.len())].clone();
    for _ in 0..1 + dice.roll(6) {
        let at = dice.roll(bytes.len() + 1);
        let end = at + dice.roll((bytes.len() - at).min(40) + 1);
        match dice.roll(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] ^= 1 << dice.roll(8),
            3 if at < bytes.len() => bytes[at] = u8::try_from(dice.roll(256)).expect("a byte"),
            4 => {
                let part = bytes[at..end].to_vec();
                let to = dice.roll(bytes.len() + 1);
                drop(bytes.splice(to..to, part));
            }
            5 => {
                let other = &seeds[dice.roll(seeds.len())];
                let from = dice.roll(other.len() + 1);
                let part = other[from..(from + dice.roll(60)).min(other.len())].to_vec();
                drop(bytes.splice(at..at, part));
            }
            6 => {
                let mut lines: Vec<Vec<u8>> =
                    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                if lines.len() > 1 {
                    let (a, b) = (dice.roll(lines.len()), dice.roll(lines.len()));
                    lines.swap(a, b);
                    bytes = lines.concat();
                }
            }
            _ => drop(bytes.splice(at..at, WORDS[dice.roll(WORDS.len())].bytes())),
        }
    }
    bytes
}

/// What must hold of any bytes.
fn check(bytes: &[u8], forced: Option<Dialect>) {
    let begun = ThreadTime::now();
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    match parse(bytes, forced, Limits::default()) {
        Ok(parsed) => {
            let request = &parsed.request;
            assert!(forced.is_none_or(|forced| request.dialect == forced), "{:?}", shown());
            assert!(!request.files.is_empty(), "it asks for nothing: {:?}", shown());
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let is_of_reading = Reason::ALL.contains(&error.reason());
            assert!(is_of_reading && !error.to_string().contains("panicked"), "{:?}", shown());
        }
    }
    // Of its own time: with others on the machine the clock says nothing.
    assert!(begun.elapsed() < Duration::from_secs(5), "slow: {:?}", shown());
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn fuzz(dialect: Dialect) {
    let seeds = seeds(dialect);
    for seed in &seeds {
        // Cut at every byte.
        for end in 0..seed.len().min(4_000) {
            check(&seed[..end], Some(dialect));
        }
    }
    let (begun, seconds) = (Instant::now(), number("REDRAFT_FUZZ_SECONDS").map(Duration::from_secs));
    let from = number("REDRAFT_FUZZ_FROM").unwrap_or_default();
    let mut inputs = 0;
    while seconds.map_or(inputs < 4_000, |seconds| begun.elapsed() < seconds) {
        let bytes = mutated(&mut Dice(from + inputs), &seeds);
        check(&bytes, Some(dialect));
        check(&bytes, None);
        inputs += 1;
    }
    if seconds.is_some() {
        let told = writeln!(std::io::stdout(), "{}: {inputs} inputs", dialect.as_str());
        told.expect("somebody reads");
    }
}

macro_rules! targets {
    ($($name:ident: $dialect:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            fuzz(Dialect::$dialect);
        })+

        #[test]
        fn every_dialect_has_its_target() {
            assert_eq!([$(Dialect::$dialect),+].len(), Dialect::ALL.len());
        }
    };
}

targets! {
    standard: Standard,
    claude_code: ClaudeCode,
    claude_code_open: ClaudeCodeOpen,
    opencode: OpenCode,
    apply_patch: ApplyPatch,
    unified_diff: UnifiedDiff,
    search_replace: SearchReplace,
    text_editor: TextEditor,
    gemini: Gemini,
    lines: Lines,
}
