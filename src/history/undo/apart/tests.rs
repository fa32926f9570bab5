//! Stories of files, each the smallest one in which a rule matters: without it the file would be another one, or none.

use super::*;

/// Files: `f: a b | g: c` are two, the first of two lines.
fn files(told: &str) -> Vec<(RepoPath, Vec<u8>)> {
    let one = |file: &str| {
        let (name, text) = file.split_once(':').expect("a name and a text");
        (path(name.trim()), text_of(text))
    };
    told.split('|').filter(|file| !file.trim().is_empty()).map(one).collect()
}

fn path(name: &str) -> RepoPath {
    RepoPath::new(name.as_bytes()).expect("a path")
}

/// A word is a line.
fn text_of(words: &str) -> Vec<u8> {
    words.split_whitespace().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

/// `f: a => a b` is an edit, `f>g: a => a` a rename; `-` is no file, and `~0` behind it says which deed was inverted.
struct Did {
    names: [RepoPath; 2],
    texts: [Option<Vec<u8>>; 2],
    inverts: Vec<usize>,
}

impl Did {
    fn told(&self) -> Deed<'_> {
        Deed {
            names: self.names.each_ref(),
            before: self.texts[0].as_deref(),
            after: self.texts[1].as_deref(),
            inverts: self.inverts.clone(),
        }
    }
}

fn deed(told: &str) -> Did {
    let (told, inverted) = told.split_once('~').unwrap_or((told, ""));
    let (names, texts) = told.split_once(':').expect("names and texts");
    let (from, to) = names.split_once('>').unwrap_or((names, names));
    let (before, after) = texts.split_once("=>").expect("two texts");
    let text = |words: &str| (words.trim() != "-").then(|| text_of(words));
    Did {
        names: [path(from), path(to)],
        texts: [text(before), text(after)],
        inverts: inverted.split_whitespace().map(|n| n.parse().expect("a number")).collect(),
    }
}

/// What is told of the files that are `present`, where git `had` others, of the one that the deed of number `own` is of.
fn told(had: &str, deeds: &[&str], own: usize, present: &str) -> String {
    let (had, deeds) = (files(had), deeds.iter().map(|told| deed(told)).collect::<Vec<_>>());
    let mut name = &deeds[own].names[1];
    for deed in deeds[own + 1..].iter().filter(|deed| deed.names[0] != deed.names[1]) {
        name = if deed.names[0] == *name { &deed.names[1] } else { name };
    }
    let scene = Scene {
        had: had.iter().map(|(path, text)| (path, &text[..])).collect(),
        deeds: deeds.iter().map(Did::told).collect(),
        own,
        present: files(present).into_iter().map(|(path, text)| Present { path, text }).collect(),
        name,
    };
    let Some(told) = tell(&scene) else { return "in doubt".to_owned() };
    let name = |n: &usize| scene.present[*n].path.to_string_lossy();
    let names = |all: &[usize]| all.iter().map(name).collect::<Vec<_>>().join(" ");
    let own = told.own.as_ref().map_or_else(|| "none".to_owned(), name);
    let over = if told.is_over { " over" } else { "" };
    format!("{own}{over}; deeds {:?}; marked {}; others {}", told.deeds, names(&told.marked), names(&told.others))
}

/// What git had, what records did, which of that is asked of, what there is now, and what is told.
type Row = (&'static str, &'static [&'static str], usize, &'static str, &'static str);

#[track_caller]
fn check(rows: &[Row]) {
    for (had, deeds, own, now, want) in rows {
        assert_eq!(told(had, deeds, *own, now), *want, "{had} / {deeds:?} / {now}");
    }
}

#[test]
fn what_no_record_wrote_is_no_mark_of_a_file() {
    check(&[
        ("", &["f: =>"], 0, "k:", "none; deeds [0]; marked ; others "),
        ("", &["f: n3 => n3"], 0, "k: n3", "none; deeds [0]; marked ; others "),
        ("", &["k: s1 =>", "k: => s1"], 1, "k: s1", "none; deeds [1]; marked ; others "),
    ]);
}

#[test]
fn a_file_that_is_as_git_or_a_record_had_another_one_is_another() {
    check(&[
        ("", &["g: - =>"], 0, "g:  | h: n9", "none; deeds [0]; marked ; others h"),
        ("", &["k: - => s1", "g: => s3"], 0, "g: s3", "none; deeds [0]; marked ; others g"),
        ("", &["g: =>"], 0, "g:  | h: n6", "none; deeds [0]; marked ; others h"),
        ("", &["k: - => s1"], 0, "k: s1 s1", "none; deeds [0]; marked k; others "),
        ("", &["k: - =>", "g: => s3"], 0, "g: s3", "none; deeds [0]; marked ; others "),
        ("", &["f: => -", "g: => n11"], 0, "g: n11", "none; deeds [0]; marked ; others "),
        ("h:", &["k: - => n6"], 0, "f:", "none; deeds [0]; marked ; others "),
        ("", &["k: - => s1", "g: =>"], 0, "g:", "none; deeds [0]; marked ; others "),
    ]);
}

#[test]
fn deeds_are_told_from_the_one_on_that_is_asked_of() {
    check(&[
        ("", &["g: =>", "g: =>"], 1, "", "none; deeds [1]; marked ; others "),
        ("", &["f: - =>", "f: => n7", "h: => - ~0", "f: n7 => n7"], 0, "", "in doubt"),
        ("", &["f: => n6", "g: n2 =>", "g: n6 => n6"], 1, "", "none; deeds [1]; marked ; others "),
    ]);
}

#[test]
fn whether_it_is_where_git_had_another_one_is_told() {
    check(&[
        ("f:", &["f: - => s2"], 0, "f: s2", "f over; deeds [0]; marked f; others "),
        ("", &["g: =>"], 0, "", "none; deeds [0]; marked ; others "),
        ("f:  | g:", &["g: => n9"], 0, "g: n9", "g; deeds [0]; marked g; others "),
        ("", &["g: - => n4"], 0, "g: n4", "g; deeds [0]; marked g; others "),
    ]);
}

#[test]
fn where_another_file_may_be_it_as_well_none_is_told() {
    check(&[
        ("", &["g: => n9", "h>k: =>"], 0, "g: n9 | k:", "g; deeds [0]; marked g; others "),
        ("", &["k: => n7", "h: => n8"], 0, "h: n8 | k: n7", "none; deeds [0]; marked k; others h"),
        ("", &["h: n2 => n8", "f: =>"], 0, "h: n8 | k:", "h; deeds [0]; marked h; others k"),
        ("", &["h: =>", "g: - => n8"], 1, "g: n8 | k:", "g; deeds [1]; marked g; others k"),
        ("", &["k: - =>", "g: =>", "k: => s1"], 0, "k: s1", "none; deeds [0]; marked ; others "),
    ]);
}

/// Seen: it was known twice, as what the record made and as what git had, and so as neither.
#[test]
fn a_file_that_a_record_made_and_git_has_had_since_is_one() {
    check(&[(
        "f: l1 l2 l3",
        &["f: - => l1 l2 l3", "g: - => s1 s2 s3"],
        1,
        "f: s1 s2 s3 | g: l1 l2 l3",
        "f; deeds [1]; marked f; others g",
    )]);
}

/// Seen: a person took the line out, and the file got another one's name, where a record met it; only the copy still had the line.
#[test]
fn where_a_file_is_as_near_to_one_that_may_be_it_as_to_it_its_copy_is_not_told() {
    check(&[(
        "f: l1 l2 l3 l4 | g: o1 o2 o3 o4",
        &["f: l1 l2 l3 l4 => s1 l1 l2 l3 l4", "g: l1 l2 l3 l4 => l1 l2 l3 l4 n1"],
        0,
        "g: l1 l2 l3 l4 | h: s1 l1 l2 l3 l4 s2 | k: o1 o2 o3 o4",
        "none; deeds [0]; marked h; others k",
    )]);
}

/// Seen: two files had their names exchanged, a person rewrote most of the record's own, and a record met it so; only its copy had the line.
#[test]
fn where_a_record_met_what_may_be_the_file_of_which_most_was_rewritten_its_copy_is_not_told() {
    check(&[(
        "f: l1 l2 l3 l4 | g: o1 o2 o3 o4",
        &[
            "f: l1 l2 l3 l4 => s1 l1 l2 l3 l4",
            "f: o1 o2 o3 o4 => o1 o2 o3 o4 n1",
            "g: l1 l2 x1 x2 x3 => l1 l2 x1 x2 x3 n2",
        ],
        0,
        "f: o1 o2 o3 o4 n1 | g: l1 l2 x1 x2 x3 n2 | h: s1 l1 l2 l3 l4 s2",
        "none; deeds [0]; marked h; others f",
    )]);
}

#[test]
fn a_file_at_the_name_of_another_that_may_have_been_copied_over_it_is_not_told() {
    check(&[
        ("g: n6", &["f: => n8"], 0, "f: n6 | g: n6 | k: n8", "none; deeds [0]; marked k; others f g"),
        ("", &["g: => n9", "f: - => n14"], 0, "f: n14 | g: n9", "g; deeds [0]; marked g; others f"),
        ("", &["f: =>", "g: - => n7", "g: n7 => n9"], 1, "f:  | k: n9", "k; deeds [1, 2]; marked k; others f"),
        ("", &["k: - => s1", "f: =>", "h: s1 => s1"], 0, "f:  | h: s1 | k:", "h; deeds [0, 2]; marked h; others f k"),
    ]);
}

#[test]
fn a_file_is_known_by_what_took_its_records_back_and_by_the_name_that_it_had() {
    check(&[
        ("", &["g: => -", "g: - => ~0", "g: => s1"], 1, "g: s1", "g; deeds [1, 2]; marked g; others "),
        ("f: s2", &["g: =>", "g: => ~0"], 0, "", "none; deeds [0, 1]; marked ; others "),
        (
            "f: n1",
            &["g>f: s1 => s1", "f: =>", "f: => n12"],
            1,
            "f: n12 | k: n1",
            "none; deeds [1, 2]; marked f; others ",
        ),
        ("f:  | h:", &["h: => n8"], 0, "h: n8", "h; deeds [0]; marked h; others "),
        (
            "",
            &["g: => s1", "h>k: =>", "k: => ~1", "k: => s3"],
            0,
            "g: s1 | k: s3",
            "none; deeds [0]; marked g; others k",
        ),
        (
            "f:",
            &["g: n5 =>", "f: => n5 ~0", "g: => n8", "f: n5 => s0 n5"],
            0,
            "f: s0 n5 | h: n8",
            "none; deeds [0, 1, 3]; marked f; others h",
        ),
    ]);
}

#[test]
fn an_older_text_at_another_name_is_a_copy() {
    check(&[
        ("f:  | h:", &["h: => n6", "f>k: =>", "k: => n9"], 0, "f: n6 | k: n9", "f; deeds [0]; marked f; others k"),
        ("f:", &["g: n4 => n4 n7", "g: n4 => n4 n7", "g>f: =>"], 0, "", "none; deeds [0, 1]; marked ; others "),
        ("", &["f: =>", "f: =>"], 0, "", "none; deeds [0, 1]; marked ; others "),
        ("", &["g: =>", "h>k: =>"], 0, "", "none; deeds [0]; marked ; others "),
        ("", &["f: =>", "f: =>", "f: => -"], 0, "", "none; deeds [0, 1, 2]; marked ; others "),
        ("", &["f>k: =>", "k: =>", "k: => -"], 0, "", "none; deeds [0, 1, 2]; marked ; others "),
        ("", &["f: =>", "f: => n7", "f: n7 => -"], 0, "", "none; deeds [0, 1, 2]; marked ; others "),
    ]);
}

#[test]
fn of_two_files_that_were_left_alike_the_name_tells_and_else_nothing() {
    check(&[
        (
            "f: s0 | h: s0 s0",
            &["g: s0 => s0 n9", "f>k: s0 => s0", "k: s0 => s0 s1", "h: s0 n9 => s0 n12"],
            0,
            "h: s0 n12 | k: s0 s1",
            "h over; deeds [0, 3]; marked h; others k",
        ),
        ("f:  | g:", &["f: => s2", "k>g: =>", "g: => n7"], 0, "f: s2 | g: n7", "none; deeds [0]; marked f; others g"),
        ("f: s3", &["g>h: s3 s3 => s3 s3", "g: s3 s3 => s3 s3"], 0, "", "none; deeds [0]; marked ; others "),
        (
            "f: n2 | g: n2 s2",
            &["f: n2 => s2 n2", "f: s2 n2 => n3 n2"],
            0,
            "f: n3 n2",
            "f; deeds [0, 1]; marked f; others ",
        ),
        ("", &["f>h: =>", "k: => n3", "f: =>"], 0, "", "none; deeds [0]; marked ; others "),
        ("f: s3 | g: s3", &["g: s3 => s3 n4", "f: s3 =>"], 0, "f:  | g: s3 n4", "g; deeds [0]; marked g; others f"),
    ]);
}

#[test]
fn a_file_with_lines_of_its_own_that_another_one_has_too_is_told_where_these_tell_nothing() {
    check(&[
        ("", &["g: => n9", "h>k: =>"], 0, "g: n9", "g; deeds [0]; marked g; others "),
        ("", &["g: => n9"], 0, "g: n9 | k:", "g; deeds [0]; marked g; others "),
        ("", &["g: n6 => n9 n6", "h>k: n6 => n6"], 0, "g: n9 n6 | k: n6", "g; deeds [0]; marked g; others "),
        ("", &["f: s1 => s1 n3"], 0, "f: s1 n3 | k: s1 s1", "f; deeds [0]; marked f; others k"),
        ("", &["g: n4 => n4 n6"], 0, "f: n1 n4 | g: n4 n6", "none; deeds [0]; marked g; others "),
    ]);
}

/// Who took a record back, or did it again, knew which file it was, also where another record had met that as one that nobody knew.
#[test]
fn two_files_are_one_where_who_took_the_first_one_back_met_what_was_left_in_the_second_one() {
    check(&[
        (
            "",
            &["f: l1 l2 => l1 l2 n1", "g: x1 x2 x3 => x1 x2 x3 n2", "g: x1 x2 x3 n2 => x1 x2 x3 ~0", "k: - => s1"],
            3,
            "k: s1",
            "k; deeds [3]; marked k; others ",
        ),
        // What the record left, and none of what was before it, makes a file an older version of it.
        (
            "",
            &[
                "f: l1 l2 l3 l4 => s1 s2 s3 s4 s5 l1",
                "g: x1 x2 x3 x4 => x1 x2 x3 x4 n2",
                "g: x1 x2 x3 x4 n2 => x1 x2 x3 x4 n2 n3 ~0",
            ],
            0,
            "g: l1 l2 l3 l4 n3",
            "g; deeds [0, 1, 2]; marked g; others ",
        ),
    ]);
}

#[test]
fn a_file_that_nobody_knows_or_that_is_as_near_to_two_others_does_not_hide_the_one_that_was_moved() {
    check(&[
        ("", &["g: - => n1 n2"], 0, "k: n1 n2 | z: q1 q2", "k; deeds [0]; marked k; others z"),
        ("a: o1 o2 | b: o1 o2", &["g: - => n1 n2"], 0, "k: n1 n2 | z: o1 o2", "k; deeds [0]; marked k; others z"),
    ]);
}
