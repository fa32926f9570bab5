//! Random commands that edit files and have git bring others' lines into them: no line of a person is the command's, every line that
//! it wrote is, and an undo of the session takes out these and no others.
//!
//! `REDRAFT_COMMANDS=1000` runs as many, `REDRAFT_COMMANDS_FROM` from another seed; the default is small.

use crate::support::{Dice, TestRepo};
use std::collections::BTreeSet;

const FILES: [&str; 2] = ["f", "g"];
const LINES: usize = 16;

/// Lines of several persons on several branches: whose they are is in them.
fn repo(dice: &mut Dice) -> TestRepo {
    let text = |file| (1..=LINES).map(|n| format!("base {file} {n}\n")).collect::<String>();
    let ends = ["", "* text=auto eol=crlf\n"][usize::from(dice.roll(6) == 0)];
    let repo = TestRepo::with_files(&[("f", &text("f")), ("g", &text("g")), (".gitattributes", ends)]);
    for person in ["bob", "bea"] {
        repo.git(&["checkout", "-q", "-b", person, "main"]);
        for n in 0..=dice.roll(2) {
            let file = FILES[dice.roll(2)];
            repo.write(file, changed(&repo.text(file), dice, &format!("{person} {n}")));
            repo.commit_all(person);
        }
    }
    repo.git(&["checkout", "-q", "main"]);
    if dice.roll(2) == 0 {
        repo.write("f", changed(&repo.text("f"), dice, "ada 0"));
        repo.commit_all("ada");
    }
    repo.shell("rm f g; git checkout -q f g; git repack -adq");
    repo
}

/// A text with a line more, or another line.
fn changed(text: &str, dice: &mut Dice, line: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = dice.roll(lines.len());
    if dice.roll(3) == 0 {
        lines.insert(at, line.to_owned());
    } else {
        lines[at] = line.to_owned();
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// One to four things that a command does, one after the other.
fn script(dice: &mut Dice) -> Vec<String> {
    let mut steps = Vec::new();
    let count = dice.roll(4) + 1;
    for n in 0..count {
        let person = ["bob", "bea"][dice.roll(2)];
        let edit = |dice: &mut Dice| {
            let (file, at) = (FILES[dice.roll(2)], dice.roll(LINES) + 1);
            let how = ["i", "c"][dice.roll(2)];
            format!("sed -i '{at}{how}\\\nbot {n}' {file}")
        };
        // What would stay in the way of the next is given up.
        let step = match dice.roll(12) {
            0..4 => edit(dice),
            4 | 5 => "git commit -qam x".to_owned(),
            6 => format!("git merge -q -m merged {person} || git merge --abort"),
            7 => format!("git rebase -q {person} || git rebase --abort"),
            8 => format!("git cherry-pick {person} || git cherry-pick --abort"),
            9 => format!("git checkout -q {person}"),
            10 => "git stash -q && git stash pop -q".to_owned(),
            _ => format!("git merge -q --squash {person} && git commit -qm squashed || git reset -q --merge"),
        };
        steps.push(step);
    }
    steps
}

/// The lines of a file that are told to be the command's, and those that are not.
fn blamed(repo: &TestRepo, path: &str) -> [Vec<String>; 2] {
    let lines = repo.redraft(&["blame", path, "--json"], "").lines();
    let of = |is_bots: bool| {
        let of_it = lines.iter().filter(|line| (line["agent"] == "bot") == is_bots);
        of_it.map(|line| line["text"].as_str().expect("a text").trim_end().to_owned()).collect()
    };
    [of(true), of(false)]
}

fn lines(repo: &TestRepo) -> BTreeSet<String> {
    FILES.iter().flat_map(|file| repo.text(file).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn is_bots(line: &str) -> bool {
    line.starts_with("bot ")
}

#[test]
fn a_random_command_is_told_to_have_written_its_own_lines_and_no_others() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (from, count) = (number("REDRAFT_COMMANDS_FROM", 0), number("REDRAFT_COMMANDS", 12));
    let (mut refused, mut written, mut wrong) = (0, 0, Vec::new());
    for seed in from..from + count {
        let mut dice = Dice(seed);
        let repo = repo(&mut dice);
        let steps = script(&mut dice);
        let command = format!("unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE\n{}\n:", steps.join("\n"));
        repo.redraft(&["run", "-q", "--agent", "bot", "--session", "s", "--", "sh", "-c", &command], "");
        let was = lines(&repo);
        written += usize::from(was.iter().any(|line| is_bots(line)));
        let mut faults = Vec::new();
        for file in FILES {
            let [bots, others] = blamed(&repo, file);
            faults
                .extend(bots.into_iter().filter(|line| !is_bots(line)).map(|line| format!("{file}: {line} is bot's")));
            faults.extend(others.into_iter().filter(|line| is_bots(line)).map(|line| format!("{file}: {line} is not")));
        }
        let told = repo.redraft(&["undo", "--session", "s"], "").json();
        let now = lines(&repo);
        if told["status"] == "error" && told["data"]["reason"] != "nothing_to_undo" {
            refused += 1;
        } else {
            faults.extend(now.iter().filter(|line| is_bots(line)).map(|line| format!("{line} stays")));
        }
        faults.extend(was.difference(&now).filter(|line| !is_bots(line)).map(|line| format!("{line} went")));
        if !faults.is_empty() {
            wrong.push(format!("seed {seed}: {faults:?}\n{}\n", steps.join("\n")));
        }
    }
    eprintln!("{count} commands, {written} wrote, {refused} undos were refused, {} wrong", wrong.len());
    assert!(wrong.is_empty() && (count < 10 || (written > 0 && refused < count)), "{}", wrong.join("\n"));
}
