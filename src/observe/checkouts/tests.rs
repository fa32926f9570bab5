//! What git did to a file since a look, by the log of HEAD and what git leaves while it puts versions together.

use super::super::files::Files;
use super::super::snapshot::{MOST_STASHED, Scope};
use super::*;
use crate::env::Env;
use crate::testing::{TestRepo, clean};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;

const EDIT: &str = "sed -i 's/^line 9$/Ada/' a";
const EDIT_B: &str = "sed -i 's/^line 12$/Ada/' b";
/// The same line, and another one.
const AGAINST: &str = "sed -i 's/^line 9$/mine/' a; git commit -qam mine";
const BESIDE: &str = "sed -i 's/^line 15$/mine/' a; git commit -qam mine";
const ENDS: &str = "mkdir -p .git/info; echo '* text eol=crlf' > .git/info/attributes; rm a b; git checkout -q a b";
/// A branch of the command's own, with the same edit.
const NEW: &str = "git checkout -qb new; sed -i 's/^line 9$/Ada/' a; git commit -qam new; git checkout -q main";

fn numbers(changed: &[(&str, &str)]) -> String {
    let text: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    changed.iter().fold(text, |text, (line, other)| text.replace(&format!("{line}\n"), &format!("{other}\n")))
}

fn shell(repo: &TestRepo, script: &str) {
    clean(Command::new("sh").args(["-c", script]), &repo.root()).output().expect("a shell runs");
}

fn version(repo: &TestRepo, file: &str) -> Option<Version> {
    let bytes = std::fs::read(repo.root().join(file)).ok()?;
    let mode = std::fs::metadata(repo.root().join(file)).expect("a file").permissions().mode() & 0o7777;
    Some(Version { id: blob_id(&bytes), bytes, mode })
}

fn path(file: &str) -> RepoPath {
    RepoPath::new(file.as_bytes()).expect("a path")
}

/// A repository, a look at it, and what was done since.
struct Story {
    repo: TestRepo,
    git: Repo,
    then: Snapshot,
    before: HashMap<&'static str, Version>,
}

impl Story {
    /// What a person did on the branch `other`, and on `main` beside it, before a look, and a script behind that.
    fn of(there: &str, here: &str, script: &str) -> Self {
        let repo = TestRepo::with_files(&[("a", &numbers(&[])), ("b", &numbers(&[]))]);
        repo.git(&["checkout", "-qb", "other"]);
        shell(&repo, there);
        repo.commit_all("Ada's");
        repo.git(&["checkout", "-q", "main"]);
        shell(&repo, here);
        // What is in a pack was there before.
        repo.git(&["repack", "-adq"]);
        repo.write(".git/now", "");
        let now = std::fs::metadata(repo.root().join(".git/now")).expect("a file");
        let began_ns = i128::from(now.mtime()) * 1_000_000_000 + i128::from(now.mtime_nsec());
        let open = || Repo::discover(&Env::in_dir(repo.root()).expect("an absolute directory")).expect("a repository");
        let git = open();
        let then = Snapshot {
            scope: Scope::default(),
            files: Files::default(),
            tracked: None,
            head: HeadThen::now(&git).expect("HEAD"),
            stashed: git.stashed(MOST_STASHED),
            tips: git.tips(16),
            newest: None,
            began_ns,
        };
        let before = ["a", "b"].into_iter().filter_map(|file| Some((file, version(&repo, file)?))).collect();
        shell(&repo, script);
        let git = open();
        Self { repo, git, then, before }
    }

    fn brought(&self, file: &str) -> Option<Option<Version>> {
        let after = version(&self.repo, file);
        let checkouts = Checkouts::since(&self.git, &self.then).expect("HEAD");
        let (path, before) = (path(file), self.before.get(file).cloned());
        let base = checkouts.before_edit(&path, before.clone(), after.as_ref());
        let ends = (base.as_ref(), after.as_ref());
        let is_all = base != after && checkouts.made_all(&path, ends);
        let found = if is_all { after } else { checkouts.without_edits(&path, ends).or(base) };
        (found != before).then_some(found)
    }

    /// The text that the moves of HEAD alone tell to have been brought; `-` where they brought that there is no file.
    fn moved(&self, file: &str) -> Option<String> {
        let checkouts = Checkouts::since(&self.git, &self.then).expect("HEAD");
        let found = checkouts.brought(&path(file), self.before.get(file), version(&self.repo, file).as_ref())?;
        let text = |version: Version| String::from_utf8(version.bytes).expect("UTF-8");
        Some(found.map_or_else(|| "-".to_owned(), text))
    }

    fn made(&self, file: &str) -> bool {
        let after = version(&self.repo, file);
        let checkouts = Checkouts::since(&self.git, &self.then).expect("HEAD");
        checkouts.made(&path(file), (self.before.get(file), after.as_ref()))
    }
}

#[track_caller]
fn check_made(there: &str, here: &str, script: &str, file: &str, is_made: bool) {
    assert_eq!(Story::of(there, here, script).made(file), is_made, "{there}; {here}; {script}");
}

/// `text` is that of the file which git brought; none where it brought no other one.
#[track_caller]
fn check_brought(there: &str, here: &str, script: &str, text: Option<&str>) {
    let found = Story::of(there, here, script).brought("a");
    let found = found.map(|version| String::from_utf8(version.expect("a file").bytes).expect("UTF-8"));
    assert_eq!(found.as_deref(), text, "{there}; {here}; {script}");
}

#[test]
fn a_merge_that_is_not_committed_made_what_it_took_from_one_side_and_nothing_else() {
    let merge = "git merge -q --no-commit --no-ff other";
    check_made(EDIT, "true", merge, "a", true);
    check_made(EDIT, "true", &format!("{merge}; echo agent >> a"), "a", false);
    // Which side of a conflict it is somebody chose.
    check_made(EDIT, AGAINST, &format!("{merge}; git checkout -q --theirs a"), "a", false);
    // What was there before was discarded.
    check_made(EDIT, "sed -i 's/^line 15$/dirty/' a", &format!("git checkout -q a; {merge}"), "a", false);
    let ends = "mkdir -p .git/info; echo '* text' > .git/info/attributes; sed -i 's/$/\r/' a";
    check_made(EDIT_B, ends, &format!("{merge}; sed -i 's/\r$//' a"), "a", false);
}

#[test]
fn a_commit_of_a_file_is_no_checkout_of_it_and_one_of_another_file_changes_nothing() {
    check_made(EDIT, "true", "git checkout -q other; echo more >> b; git commit -qam b", "a", true);
    let theirs = "git merge -q --no-commit other; git checkout -q --theirs a; git commit -qam merged";
    check_made(EDIT, AGAINST, theirs, "a", false);
    // The merge left the file as it was; what a commit behind it did is as the other side has it, and then another branch came.
    let third = "git checkout -qb third; sed -i 's/^line 2$/third/' a; git commit -qam third; git checkout -q main";
    let script = format!(
        "git merge -q -s ours --no-commit other; git commit -qm m; {EDIT}; git commit -qam n; git checkout -q third"
    );
    check_made(EDIT, third, &script, "a", false);
}

#[test]
fn a_bit_that_stayed_is_not_looked_at_and_a_text_counts_in_the_form_that_git_stores() {
    let no_bits = "git config core.fileMode false";
    check_made(EDIT, &format!("{no_bits}; chmod +x a"), "git checkout -q other; chmod +x a", "a", true);
    check_made("echo new > c; chmod +x c", no_bits, "git checkout -q other; chmod -x c", "c", true);
    check_made(EDIT, ENDS, "git checkout -q other", "a", true);
    check_brought(
        EDIT,
        ENDS,
        "git merge -q --no-ff --no-commit other; printf 'agent\r\n' >> a",
        Some(&numbers(&[("line 9", "Ada")]).replace('\n', "\r\n")),
    );
}

#[test]
fn of_a_conflict_that_somebody_resolved_git_brought_nothing_where_he_took_his_own_side() {
    let merge = "git merge -q other";
    check_brought(EDIT, AGAINST, &format!("{merge}; git checkout -q --ours a; echo more >> a"), None);
    let gone = Story::of(EDIT, AGAINST, &format!("{merge}; rm a")).brought("a").flatten().expect("a conflict");
    let conflict = "<<<<<<< HEAD\nmine\n=======\nAda\n>>>>>>> other\n";
    assert_eq!(String::from_utf8_lossy(&gone.bytes), numbers(&[]).replace("line 9\n", conflict));
    // The commit behind that of the merge is of what was edited since.
    let script = format!("{merge}; git checkout -q --ours a; git commit -qam m; git rm -q a; git commit -qm gone");
    check_brought(EDIT, AGAINST, &script, None);
}

#[test]
fn a_merge_before_a_checkout_brought_its_side_though_a_commit_of_an_edit_came_behind_both() {
    let script = "git merge -q --no-ff --no-commit other; git commit -qm merged; git checkout -qb fourth; \
                  sed -i 's/^line 3$/agent/' a; git commit -qam agent";
    check_brought(EDIT, "true", script, Some(&numbers(&[("line 9", "Ada")])));
}

/// Seen: a person's line was the agent's, and undo took it out, where only the other side had changed the file, where another commit or a new
/// branch came behind that of the merge, and where git ends lines otherwise than it stores them.
#[test]
fn what_a_merge_brought_is_no_edit_of_the_command_that_edits_and_commits_it() {
    let merge = "git merge -q --no-ff --no-commit other";
    let [one_side, both] = [&[("line 9", "Ada")][..], &[("line 9", "Ada"), ("line 15", "mine")]].map(numbers);
    let again = "git commit -qam m; echo more >> a; git commit -qam n";
    for then in ["git commit -qam m", again, "git commit -qam m; git checkout -qb new"] {
        let script = format!("{merge}; echo agent >> a; {then}");
        check_brought(EDIT, "true", &script, Some(&one_side));
        check_brought(EDIT, BESIDE, &script, Some(&both));
        let script = format!("{merge}; printf 'agent\\r\\n' >> a; {then}");
        check_brought(EDIT, &format!("{BESIDE}; {ENDS}"), &script, Some(&both.replace('\n', "\r\n")));
    }
    for bring in ["git checkout -q other", "git merge -q other"] {
        let script = format!("{bring}; echo agent >> a; {again}; git checkout -qb new");
        check_brought(EDIT, "true", &script, Some(&one_side));
    }
    // A program says what is in the file, or git.
    for rule in ["'a filter=own' > .gitattributes; git config filter.own.smudge cat", "'a ident' > .gitattributes"] {
        let script = format!("{merge}; echo agent >> a; git commit -qam m");
        check_brought(EDIT, &format!("{BESIDE}; echo {rule}"), &script, Some(&both));
    }
    // A file that HEAD did not have, and one that only HEAD's side changed.
    let there = "sed 's/^line 9$/Ada/' a > c";
    let new = Story::of(there, "true", &format!("{merge}; echo agent >> c; git commit -qam m")).brought("c");
    assert_eq!(new.flatten().map(|version| version.bytes), Some(one_side.into_bytes()));
    for here in ["true", BESIDE] {
        check_brought(EDIT_B, here, &format!("{merge}; echo agent >> a; git commit -qam m"), None);
    }
    let same = format!("{EDIT}; git commit -qam same");
    check_brought(EDIT, &same, &format!("{merge}; echo agent >> a; git commit -qam m"), None);
    // One that is not committed, behind a commit of an edit.
    check_brought(EDIT_B, "true", &format!("echo agent >> a; git commit -qam agent; {merge}"), None);
}

#[test]
fn a_merge_or_a_rebase_brings_lines_of_others_beside_those_that_the_command_committed() {
    let brought = numbers(&[("line 9", "Ada")]);
    let merged = "git merge -q --no-ff --no-commit other; echo more >> a; git commit -qam merged";
    for bring in [merged, "git merge -q -m merged other", "git rebase -q other"] {
        let dates = "unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE";
        let script = format!("{dates}; sed -i 's/^line 3$/agent/' a; git commit -qam agent; {bring}");
        check_brought(EDIT, "true", &script, Some(&brought));
    }
    check_brought("true", "true", &format!("{NEW}; git checkout -q new; echo more >> a"), None);
}

#[test]
fn changes_that_were_not_committed_are_carried_to_the_branch() {
    let dirty = "sed -i 's/^line 15$/dirty/' a";
    let carried = numbers(&[("line 9", "Ada"), ("line 15", "dirty")]);
    let script = "git stash -q; git checkout -q other; git stash pop -q; echo more >> a";
    check_brought(EDIT, dirty, script, Some(&carried));
}

#[test]
fn a_reset_to_what_the_file_is_already_like_brings_nothing() {
    check_brought("echo '}' >> a", "echo '}' >> a", "git reset -q other; echo agent >> a", None);
}

#[test]
fn what_is_picked_without_a_commit_is_brought_and_what_stood_in_the_stash() {
    let one_side = numbers(&[("line 9", "Ada")]);
    check_brought(EDIT, "true", "git cherry-pick -n other; echo agent >> a", Some(&one_side));
    let stash = format!("{EDIT}; git stash -q");
    check_brought("true", &stash, "git stash pop -q; echo agent >> a", Some(&one_side));
}

#[test]
fn git_puts_nothing_together_with_what_was_discarded_before() {
    let dirty = "sed -i 's/^line 15$/dirty/' a";
    // It was there before, and went, beside what came.
    let both = numbers(&[("line 9", "Ada"), ("line 15", "dirty")]);
    check_brought(EDIT, dirty, "git checkout -q a; git cherry-pick -n other; echo agent >> a", Some(&both));
    let resolved = "git checkout -q a; git merge -q other; rm a; git commit -qam m";
    check_brought(EDIT, &format!("{AGAINST}; {dirty}"), resolved, None);
}

#[test]
fn what_the_command_itself_committed_on_a_branch_is_not_brought_by_a_merge() {
    let merge = format!("{NEW}; git merge -q --no-ff --no-commit new");
    check_brought("true", "true", &format!("{merge}; echo agent >> a"), None);
    check_brought(EDIT_B, "true", &format!("{NEW}; git merge -q --no-commit other new; rm a"), None);
    let squashed = format!(
        "{NEW}; git merge -q --squash other; git checkout -q HEAD -- .; \
         git merge -q --no-ff --no-commit new; echo agent >> a"
    );
    check_brought(EDIT_B, "true", &squashed, None);
    let picked = format!(
        "{NEW}; git merge -q --no-ff --no-commit other; git commit -qm m; git cherry-pick -n new; echo agent >> a"
    );
    check_brought(EDIT_B, "true", &picked, None);
    let conflict = "git checkout -qb new HEAD~; sed -i 's/^line 9$/Ada/' a; git commit -qam new; git checkout -q main; \
                    git merge -q new; rm a; git commit -qam m";
    check_brought("true", AGAINST, conflict, None);
}

#[test]
fn what_git_did_not_put_together_it_brought_otherwise_or_not_at_all() {
    let third = "git checkout -qb third; sed -i 's/^line 2$/third/' a; git commit -qam third; git checkout -q main";
    let brought = numbers(&[("line 2", "third")]);
    for first in ["git cherry-pick -n other", "git merge -q --no-ff --no-commit other; rm .git/AUTO_MERGE"] {
        check_brought(EDIT_B, third, &format!("{first}; git checkout -q third -- a"), Some(&brought));
    }
    check_brought(EDIT, "true", "git merge -q -s ours --no-commit other; git commit -qm m; rm a", None);
}

/// What the command did to two lines, one of which the other branch has as it made it.
const TYPED: &str = "sed -i 's/^line 9$/Ada/; s/^line 15$/bot/' a";
/// That line and another one.
const MORE: &str = "sed -i 's/^line 9$/Ada/; s/^line 2$/two/' a";
const DATES: &str = "unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE";

#[test]
fn what_the_command_types_as_a_branch_has_it_is_its_edit_where_nothing_tells_that_git_brought_anything() {
    check_brought(EDIT, "true", EDIT, None);
    check_brought(EDIT, "true", TYPED, None);
    let commit = format!("{TYPED}; git commit -qam bot");
    check_brought(MORE, "true", &commit, None);
    // No log tells of HEAD, which is where it was; or is not, and then git may have brought it.
    let unlogged = "git config core.logAllRefUpdates false; rm -r .git/logs";
    check_brought(MORE, unlogged, &format!("{TYPED}; git add a"), None);
    check_brought(MORE, unlogged, &format!("{DATES}; {commit}"), Some(&numbers(&[("line 9", "Ada")])));
}

#[test]
fn a_new_file_is_gits_only_as_a_commit_has_all_of_it() {
    let there = "cp a c";
    let brought = |script: &str| Story::of(there, "true", script).brought("c").is_some();
    assert!(brought("git checkout -q other -- c; echo agent >> c"));
    // Of what the command wrote some lines are as the branch has them.
    assert!(!brought("head -12 a | sed 's/^line 3$/agent/' > c; git add c"));
    assert!(!brought("git merge -q -s ours -m m other; head -12 a | sed 's/^line 3$/agent/' > c; git add c"));
}

#[test]
fn what_somebody_else_commits_meanwhile_is_brought_and_what_the_command_commits_elsewhere_is_not() {
    let elsewhere = |who: &str| format!("git worktree add -qb w .git/w; (cd .git/w; {EDIT}; {who} git commit -qam w)");
    let bot = "sed -i 's/^line 15$/bot/' a; git commit -qam bot";
    let eve = elsewhere("GIT_COMMITTER_NAME=Eve GIT_COMMITTER_EMAIL=eve@x");
    let script = format!("{DATES}; {eve}; {bot}; git merge -q -m merged w");
    check_brought("true", "true", &script, Some(&numbers(&[("line 9", "Ada")])));
    check_brought("true", "true", &format!("{DATES}; {}; {bot}; git merge -q -m merged w", elsewhere("")), None);
    // HEAD's log has nobody.
    let none = format!("{DATES}; {}; git checkout -q w -- a; echo agent >> a", elsewhere(""));
    check_brought("true", "true", &none, None);
}

#[test]
fn a_copy_is_the_commands_but_for_what_the_commit_had_that_it_is_of_and_brought_where_nobody_knows_that_one() {
    let ada = numbers(&[("line 9", "Ada")]);
    let script = |here: &str| {
        let copied = format!("git worktree add -qb w .git/w; (cd .git/w; {here}) >/dev/null");
        format!("{DATES}; {copied}; sed -i 's/^line 2$/bot/' a; git commit -qam bot; git merge -q -m merged w")
    };
    let at = |year: u32| format!("--date={year}-01-01T00:00:00Z");
    let branch = format!("git checkout -qb old; {EDIT}; git commit -qam old {}; git checkout -q main", at(2020));
    let copy = "git cherry-pick -n old; sed -i 's/^line 17$/more/' a; git commit -aqC old";
    check_brought("true", &branch, &script(copy), Some(&ada));
    let had = format!("sed -i 's/^line 15$/mine/' a; git commit -qam mine {}", at(2021));
    check_brought("true", &had, &script(&format!("{EDIT}; git commit -q --amend --no-edit -a")), None);
    check_brought("true", "true", &script(&format!("{EDIT}; git commit -qam w {}", at(2022))), Some(&ada));
}

#[test]
fn a_file_that_another_branch_renamed_is_told_apart_from_those_that_it_changed_beside() {
    // What the branch did to the file under its new name says nothing of it.
    let there = "git mv a c; sed -i 's/^line 9$/Ada/' c b";
    check_brought(there, "true", &format!("{TYPED}; git commit -qam bot"), None);
    // Neither does what its commit did to another file.
    let beside = "sed -i 's/^line 9$/Ada/' b; echo more >> a";
    let merge = format!("git merge -q --no-ff --no-commit other; {TYPED}; git commit -qam bot");
    check_brought(beside, "true", &merge, Some(&format!("{}more\n", numbers(&[]))));
}

#[test]
fn what_no_branch_has_is_brought_from_where_head_is_or_from_what_git_has_put_aside() {
    let tag = format!("{EDIT}; git commit -qam t; git tag t; git reset -q --hard HEAD~");
    let bot = "sed -i 's/^line 2$/bot/' a; git commit -qam bot";
    let ada = numbers(&[("line 9", "Ada")]);
    let detached = format!("{DATES}; git checkout -q --detach; {bot}; git merge -q -m merged t");
    check_brought("true", &tag, &detached, Some(&ada));
    let fetched =
        format!("{DATES}; {bot}; git fetch -q . t; git show FETCH_HEAD:a | sed 's/^line 2$/bot/' > a; git add a");
    check_brought("true", &tag, &fetched, Some(&ada));
}

#[test]
fn what_an_entry_of_the_stash_had_untracked_is_brought() {
    let stash = format!("sed 's/^line 9$/Ada/' a > c; git stash -qu; {BESIDE}");
    let story = Story::of("true", &stash, "git stash pop -q; echo agent >> c; git add c");
    let text = story.brought("c").flatten().map(|version| String::from_utf8(version.bytes).expect("UTF-8"));
    assert_eq!(text.as_deref(), Some(&*numbers(&[("line 9", "Ada")])));
}

#[test]
fn what_a_checkout_brought_its_moves_tell_also_where_a_commit_of_an_edit_came_behind() {
    let moved = |there: &str, script: &str, file: &str| Story::of(there, "true", script).moved(file);
    let (own, ada) = (numbers(&[]), numbers(&[("line 9", "Ada")]));
    let edited = "git checkout -q other; echo agent >> a";
    assert_eq!(moved(EDIT, edited, "a"), Some(ada.clone()));
    assert_eq!(moved(EDIT, &format!("{edited}; git commit -qam m"), "a"), Some(ada));
    assert_eq!(moved(EDIT_B, edited, "a"), None, "it is the same there");
    assert_eq!(moved("chmod +x a", edited, "a"), Some(own.clone()), "but for its bit");
    assert_eq!(moved("git rm -q a", edited, "a"), Some("-".to_owned()));
    assert_eq!(moved("cp a c", "git checkout -q other; echo agent >> c", "c"), Some(own));
    assert_eq!(moved(EDIT, "git checkout -q other; echo agent >> c", "c"), None, "neither has it");
    assert_eq!(moved(EDIT, "git reset -q other; echo agent >> a", "a"), None, "HEAD moved without the files");
}

#[test]
fn what_a_merge_took_from_one_side_or_made_of_both_its_moves_tell() {
    let merge = "git merge -q --no-ff --no-commit other";
    let moved = |here: &str, script: &str| Story::of(EDIT, here, script).moved("a");
    let [one_side, both] = [&[("line 9", "Ada")][..], &[("line 9", "Ada"), ("line 15", "mine")]].map(numbers);
    for then in ["echo agent >> a", "rm .git/AUTO_MERGE; echo agent >> a"] {
        assert_eq!(moved("true", &format!("{merge}; {then}")), Some(one_side.clone()), "{then}");
    }
    for then in ["echo agent >> a", "echo agent >> a; git commit -qam m"] {
        assert_eq!(moved(BESIDE, &format!("{merge}; {then}")), Some(both.clone()), "{then}");
    }
    let behind = "git commit -qm merged; git checkout -qb fourth; sed -i 's/^line 3$/agent/' a; git commit -qam agent";
    assert_eq!(moved("true", &format!("{merge}; {behind}")), Some(one_side));
    // In another form than git stores, what it made of both is not told.
    let ends = format!("{BESIDE}; {ENDS}");
    assert_eq!(moved(&ends, &format!("{merge}; printf 'agent\\r\\n' >> a; git commit -qam m")), None);
    // What HEAD's side alone changed, or both made the same, nobody brought.
    let same = format!("{EDIT}; git commit -qam same");
    assert_eq!(moved(&same, &format!("{merge}; echo agent >> a; git commit -qam m")), None);
    let other_file = Story::of(EDIT_B, BESIDE, &format!("{merge}; rm .git/AUTO_MERGE; echo agent >> a"));
    assert_eq!(other_file.moved("a"), None);
}

#[test]
fn changes_that_were_not_committed_are_carried_only_where_nobody_committed_the_file_meanwhile() {
    let dirty = "sed -i 's/^line 15$/dirty/' a";
    let moved = |between: &str| {
        let carried = format!("git stash -q; {between}; git checkout -q other; git stash pop -q; echo more >> a");
        Story::of(EDIT, dirty, &carried).moved("a")
    };
    let carried = numbers(&[("line 9", "Ada"), ("line 15", "dirty")]);
    assert_eq!(moved("true").as_ref(), Some(&carried));
    let commit = |file: &str| format!("git checkout -qb new; echo new >> {file}; git commit -qam new");
    assert_eq!(
        [commit("a"), commit("b")].map(|between| moved(&between)),
        [None, None],
        "HEAD moved to a commit of an edit"
    );
    // It came back from a commit to where it was: then what that was of tells.
    let back = |file: &str| format!("echo new >> {file}; git commit -qam new; git reset -q --hard HEAD~");
    assert_eq!([back("a"), back("b")].map(|between| moved(&between)), [None, Some(carried)]);
}

#[test]
fn a_file_that_git_brings_has_the_mode_that_it_had_or_that_of_the_other_side_where_that_has_another_bit() {
    let mode = |there: &str, here: &str, script: &str| {
        Story::of(there, here, script).brought("a").flatten().map(|version| version.mode)
    };
    let merge = "git merge -q --no-commit --no-ff other; echo agent >> a";
    assert_eq!(mode(EDIT, "chmod 600 a", merge), Some(0o600));
    assert_eq!(mode(&format!("{EDIT}; chmod +x a"), "true", merge), Some(0o755));
    let merge = "git merge -q -m merged other; echo agent >> a";
    assert_eq!(mode(&format!("{EDIT}; chmod +x a"), BESIDE, merge), Some(0o755));
}

#[test]
fn the_bit_of_a_file_is_brought_with_its_lines_and_one_that_the_command_set_is_not() {
    let mode = |there: &str, then: &str| {
        let script =
            format!("{DATES}; sed -i 's/^line 2$/bot/' a; git commit -qam bot; git merge -q -m merged other; {then}");
        Story::of(there, "true", &script).brought("a").flatten().map(|version| version.mode)
    };
    assert_eq!(mode(&format!("{EDIT}; chmod +x a"), "true"), Some(0o755));
    assert_eq!(mode(EDIT, "true"), Some(0o644));
    assert_eq!(mode(EDIT, "chmod +x a"), Some(0o644));
}

#[test]
fn what_stood_between_marks_before_is_not_told_apart() {
    let conflict = format!("{AGAINST}; git merge -q other");
    check_brought(EDIT, &conflict, "printf 'x\n' >> a; git commit -qam merged", None);
    check_brought(EDIT, &conflict, "git checkout -q --theirs a; git commit -qam merged", None);
}

#[test]
fn files_were_edited_when_head_was_where_the_last_checkout_brought_it() {
    let story = Story::of(EDIT, "true", "git checkout -q other; echo more >> a");
    let head = |story: &Story| head_before_commits(&story.git, story.then.head, &[&path("a")]).expect("HEAD");
    let id = |story: &Story, name: &str| story.repo.git(&["rev-parse", name]).trim().parse().ok();
    assert_eq!(head(&story), id(&story, "other"));
    let story = Story::of(EDIT, "true", "git checkout -q other; echo more >> a; git commit -qam more");
    assert_eq!(head(&story), id(&story, "other~"));
    let story = Story::of(EDIT, "true", "git checkout -q other; echo more >> b; git commit -qam more");
    assert_eq!(head(&story), id(&story, "other"));
    // Where the log was cut since, HEAD's way tells.
    let cut = "echo more >> a; git commit -qam more; sed -i '$!d' .git/logs/HEAD";
    let story = Story::of(EDIT, "true", cut);
    assert_eq!(head(&story), id(&story, "main~"));
    // One of several files is enough.
    let both = [&path("b"), &path("a")];
    assert_eq!(head_before_commits(&story.git, story.then.head, &both).expect("HEAD"), id(&story, "main~"));
}

#[test]
fn a_text_is_left_where_most_lines_that_only_one_has_are_as_in_that_one() {
    let left =
        |before: &str, brought: &str, after: &str| is_left([before.as_bytes(), brought.as_bytes()], after.as_bytes());
    assert!(left("a\nb\n", "c\nd\n", "a\nb\n") && !left("a\nb\n", "c\nd\n", "c\nd\n"));
    // What was not brought counts as much as what stayed; as much of both tells nothing.
    assert!(left("a\n", "x\ny\nz\n", "q\n") && !left("a\nb\nc\n", "x\n", "a\n"));
    // Only one of them has lines of its own.
    assert!(left("a\nb\n", "", "a\nb\n") && !left("", "a\nb\n", "a\nb\n"));
    assert!(!left("a\nb\n", "", "") && left("", "a\nb\n", ""));
    // One of two equal lines.
    assert!(left("k\n", "k\nk\n", "k\n") && !left("k\n", "k\nk\n", "k\nk\n"));
    // Lines without a word tell nothing.
    assert!(!left("}\n{\n);\na\n", "b\n", "}\n{\n);\nb\n"));
}

#[test]
fn the_lines_that_mark_a_conflict_are_no_lines_of_a_text_and_all_others_are() {
    let text = b"a\n<<<<<<< ours\nb\n||||||| base\nc\n=======\nd\n>>>>>>> theirs\ne\n";
    assert_eq!(without_markers(text), b"a\nb\nc\nd\ne\n");
    assert_eq!(without_markers(b"a == b\n<< c\n"), b"a == b\n<< c\n");
}
