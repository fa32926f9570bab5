//! The tour's day: who did what when, as a table.
//!
//! Owns the story. Ada has a small program; the agents otter and heron work on it. heron changes a line of otter's, turns the check of
//! certificates off by a command that nobody asked for, and adds a banner that Ada takes back. Some of it is committed, some is not.

use crate::request::RecordKind;

/// Who commits, and works by hand.
pub(super) const PERSON: &str = "Ada";
/// Her address.
pub(super) const MAIL: &str = "ada@example.com";

/// Something that happened.
pub(super) struct Moment {
    /// What its record is called in the tour; nothing where there is none.
    pub name: &'static str,
    /// So long before the end of the day.
    pub minutes_ago: i64,
    pub act: Act,
}

/// What happened.
pub(super) enum Act {
    /// Ada writes files by hand.
    Write(&'static [Text]),
    /// Ada commits files.
    Commit { message: &'static str, paths: &'static [&'static str] },
    /// An agent edits by a request.
    Edit { by: By, message: &'static str, parts: &'static [Part], record: RecordKind },
    /// A command in an agent's shell makes files what is given; hooks of its harness tell of it.
    Shell { by: By, command: &'static str, texts: &'static [Text] },
    /// Ada undoes the newest edit.
    UndoNewest,
}

/// An agent, in a session, at a prompt.
pub(super) struct By {
    pub agent: &'static str,
    pub model: &'static str,
    pub session: &'static str,
    pub turn: &'static str,
}

/// A file of a request.
pub(super) enum Part {
    Edit(&'static str, &'static [(&'static str, &'static str)]),
    Create(Text),
    Rename { from: &'static str, to: &'static str, edits: &'static [(&'static str, &'static str)] },
}

/// All of a file.
pub(super) struct Text {
    pub path: &'static str,
    pub text: &'static str,
}

const fn otter(turn: &'static str) -> By {
    By { agent: "otter", model: "otter-large", session: "retries", turn }
}

const fn heron(turn: &'static str) -> By {
    By { agent: "heron", model: "heron-2", session: "cleanup", turn }
}

const HOUR: i64 = 60;
const DAYS: i64 = 24 * HOUR;

/// In the order of time.
pub(super) const DAY: &[Moment] = &[
    Moment { name: "", minutes_ago: 3 * DAYS, act: Act::Write(FILES) },
    Moment {
        name: "",
        minutes_ago: 3 * DAYS,
        act: Act::Commit { message: "Print the forecast of a place", paths: &["."] },
    },
    Moment {
        name: "",
        minutes_ago: 2 * DAYS,
        act: Act::Write(&[Text { path: "weather/show.py", text: include_str!("files/show.py") }]),
    },
    Moment {
        name: "",
        minutes_ago: 2 * DAYS,
        act: Act::Commit { message: "Say the unit", paths: &["weather/show.py"] },
    },
    Moment {
        name: "retry",
        minutes_ago: 8 * HOUR + 10,
        act: Act::Edit {
            by: otter("t1"),
            message: "try three times, ten seconds each",
            parts: &[Part::Edit("weather/fetch.py", RETRY)],
            record: RecordKind::History,
        },
    },
    Moment {
        name: "test",
        minutes_ago: 8 * HOUR,
        act: Act::Edit {
            by: otter("t1"),
            message: "a test that it tries again",
            parts: &[Part::Create(Text { path: "tests/test_fetch.py", text: include_str!("files/test_fetch.py") })],
            record: RecordKind::History,
        },
    },
    Moment {
        name: "",
        minutes_ago: 7 * HOUR + 10,
        act: Act::Commit { message: "Try again where the network fails", paths: &["weather/fetch.py", "tests"] },
    },
    Moment {
        name: "rename",
        minutes_ago: 6 * HOUR + 10,
        act: Act::Edit {
            by: otter("t2"),
            message: "parse.py is called what it gives",
            parts: &[
                Part::Rename {
                    from: "weather/parse.py",
                    to: "weather/days.py",
                    edits: &[("Takes the answer apart.", "The days of a forecast.")],
                },
                Part::Edit("weather/show.py", &[("from weather.parse import", "from weather.days import")]),
            ],
            record: RecordKind::History,
        },
    },
    Moment {
        name: "readme",
        minutes_ago: 5 * HOUR + 10,
        act: Act::Edit {
            by: heron("t1"),
            message: "Say which Python it needs",
            parts: &[Part::Edit(
                "README.md",
                &[(
                    "    python3 -m weather Lisbon\n",
                    "    python3 -m weather Lisbon\n\nIt needs Python 3.9 or newer.\n",
                )],
            )],
            record: RecordKind::Commit,
        },
    },
    Moment {
        name: "timeout",
        minutes_ago: 4 * HOUR + 10,
        act: Act::Edit {
            by: heron("t1"),
            message: "slow networks need half a minute",
            parts: &[Part::Edit("weather/fetch.py", &[("TIMEOUT = 10", "TIMEOUT = 30")])],
            record: RecordKind::History,
        },
    },
    Moment {
        name: "certificates",
        minutes_ago: 3 * HOUR + 10,
        act: Act::Shell {
            by: heron("t2"),
            command: "sed -i 's/verify = true/verify = false/' config/*.toml",
            texts: &[Text { path: "config/production.toml", text: include_str!("files/unverified.toml") }],
        },
    },
    Moment {
        name: "banner",
        minutes_ago: 3 * HOUR,
        act: Act::Edit {
            by: heron("t2"),
            message: "a banner, so that the forecast is seen",
            parts: &[Part::Edit(
                "weather/show.py",
                &[(
                    "    for day in days(answer):\n",
                    "    print(\"*** FORECAST ***\")\n    for day in days(answer):\n",
                )],
            )],
            record: RecordKind::History,
        },
    },
    Moment { name: "no-banner", minutes_ago: 2 * HOUR + 20, act: Act::UndoNewest },
    Moment {
        name: "columns",
        minutes_ago: 2 * HOUR + 10,
        act: Act::Edit {
            by: otter("t3"),
            message: "numbers below each other",
            parts: &[Part::Edit("weather/show.py", &[("{low} to {high} C", "{low:>3} to {high:>3} C")])],
            record: RecordKind::History,
        },
    },
    Moment {
        name: "",
        minutes_ago: HOUR,
        act: Act::Write(&[Text { path: "README.md", text: include_str!("files/README.md") }]),
    },
];

/// What there was before.
const FILES: &[Text] = &[
    Text { path: ".gitignore", text: "__pycache__/\n*.html\n" },
    Text { path: "README.md", text: "# Weather\n\nPrints the forecast of a place:\n\n    python3 -m weather Lisbon\n" },
    Text { path: "config/production.toml", text: "[service]\nurl = \"https://weather.example/v1\"\nverify = true\n" },
    Text { path: "weather/fetch.py", text: include_str!("files/fetch.py") },
    Text { path: "weather/parse.py", text: include_str!("files/parse.py") },
    Text { path: "weather/show.py", text: include_str!("files/show_first.py") },
];

/// How otter makes it try again.
const RETRY: &[(&str, &str)] = &[
    (
        "SERVICE = \"https://weather.example/v1\"\n",
        "SERVICE = \"https://weather.example/v1\"\nTIMEOUT = 10\nTRIES = 3\n",
    ),
    (
        "    with urllib.request.urlopen(url) as answer:\n        return json.load(answer)\n",
        "    for left in reversed(range(TRIES)):\n        try:\n            with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:\n                \
         return json.load(answer)\n        except OSError:\n            if not left:\n                raise\n",
    ),
];
