//! Micro-benchmarks of the pure core: exact places, compiling, composing, the diff preview.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use redraft::bench::{CompileOptions, DiffFile, DiffLimits, FilePatch, LfText, Needle, Text, Want};
use redraft::bench::{compile, compose, find, preview};
use redraft::{ChangeKind, Edit, Mode, RepoPath};
use std::hint::black_box;

/// About `megabytes` of lines, each of which occurs once.
fn sample(megabytes: usize, ending: &str) -> String {
    (0..megabytes * 20_000)
        .map(|n| format!("row {n:08} lorem ipsum dolor sit amet {}{ending}", n * 7919 % 1_000_003))
        .collect()
}

/// `count` edits of two lines each, spread over the text.
fn spread(text: &str, count: usize) -> Vec<Edit> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let stride = (lines.len() - 2) / count;
    (0..count)
        .map(|n| {
            let at = 1 + n * stride;
            let (first, second) = (lines[at], lines[at + 1]);
            Edit::new(format!("{first}{second}"), format!("{} changed\n{second}", first.trim_end())).expect("an edit")
        })
        .collect()
}

fn text_of(text: &str) -> Text {
    Text::new(text.as_bytes().to_vec()).expect("no NUL")
}

fn compiled(text: &Text, edits: &[Edit], mode: Mode) -> FilePatch {
    compile(text, edits, &CompileOptions { mode, ..CompileOptions::default() }).expect("unique places").patch
}

fn exact_places(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact");
    group.sample_size(10);
    for ending in ["\n", "\r\n"] {
        let text = sample(10, ending);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for count in [1, 16, 100, 10_000] {
            let edits = spread(&text.replace('\r', ""), count);
            let needles: Vec<Needle<'_>> =
                edits.iter().map(|edit| Needle { text: edit.old(), want: Want::One }).collect();
            let name = if ending == "\n" { "10MB lf" } else { "10MB crlf" };
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| find(&LfText::new(black_box(text.as_bytes())), &needles));
            });
        }
    }
}

fn compiling(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile");
    group.sample_size(10);
    for (megabytes, count, mode) in [
        (1, 10, Mode::Original),
        (1, 1000, Mode::Original),
        (10, 10_000, Mode::Original),
        (1, 10, Mode::Sequence),
        (1, 1000, Mode::Sequence),
    ] {
        let text = sample(megabytes, "\n");
        let edits = spread(&text, count);
        let text = text_of(&text);
        group.bench_function(BenchmarkId::new(format!("{mode:?} {megabytes}MB"), count), |b| {
            b.iter(|| compiled(black_box(&text), &edits, mode));
        });
    }
}

fn showing(c: &mut Criterion) {
    let text = sample(10, "\n");
    let edits = spread(&text, 10_000);
    let text = text_of(&text);
    let patch = compiled(&text, &edits, Mode::Original);
    let path = RepoPath::new(b"a.txt").expect("a path");
    let file = DiffFile {
        path: &path,
        from: None,
        change: ChangeKind::Modify,
        mode: 0o100_644,
        mode_before: None,
        before_id: None,
        after_id: None,
        base: text.bytes(),
        patch: &patch,
    };
    let back: Vec<Edit> = edits.iter().map(|edit| Edit::new(edit.new_text(), edit.old()).expect("an edit")).collect();
    let back = compiled(&Text::new(patch.apply(text.bytes())).expect("text"), &back, Mode::Original);
    c.bench_function("diff/10MB 10000 edits, cut", |b| b.iter(|| preview(black_box(&[file]), DiffLimits::default())));
    c.bench_function("diff/10MB 10000 edits, whole", |b| {
        b.iter(|| preview(black_box(&[file]), DiffLimits { lines: 0, bytes: 0 }));
    });
    c.bench_function("compose/10000 splices and their inverse", |b| b.iter(|| compose(black_box(&patch), &back)));
}

criterion_group!(benches, exact_places, compiling, showing);
criterion_main!(benches);
