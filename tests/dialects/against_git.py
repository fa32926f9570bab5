#!/usr/bin/env python3
"""Patches made from real commits, against what git makes of them.

    against_git.py KIND BINARY [--commits REPOSITORY]... [--cases 200] [--seed 0]

KIND is `git` (what `git diff` prints), `diff` (what `diff -urN` prints), or `v4a` (the format of codex, by a writer of our own). The
first two meet files with lines put in or taken out, and heads of hunks with other numbers; redraft must make what `git apply`
makes, byte for byte and mode for mode, or refuse where it refuses (docs/protocol.md has the two exceptions). Patches of the third kind meet the files that they were made from, and
must make those of the commit. The commits are those of this repository where no other is named. The last line says PASS or FAIL.
"""

import argparse
import collections
import difflib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 300_000


def run(words, cwd=None, **more):
    return subprocess.run(words, cwd=cwd, env=ENVIRONMENT, capture_output=True, check=False, **more)


def tree(folder):
    """{path: (bytes, whether it may be executed)}"""
    found = {}
    for path in folder.rglob("*"):
        if ".git" not in path.parts and path.is_file():
            found[str(path.relative_to(folder))] = (path.read_bytes(), bool(path.stat().st_mode & 0o111))
    return found


def put(folder, files):
    for name, (content, is_executable) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if is_executable:
            path.chmod(0o755)


def changes(repository, commit):
    """[(letter, old path, new path)] and the files before, {path: (bytes, x)}; none of what is no plain text."""
    raw = run(["git", "diff-tree", "-r", "-M", "--raw", "-z", "--no-commit-id", commit], repository).stdout.split(b"\0")
    found, before, at = [], {}, 0
    while at < len(raw) and raw[at]:
        old_mode, new_mode, _, _, letter = raw[at].decode().lstrip(":").split()
        old = new = raw[at + 1].decode()
        at += 2
        if letter[0] in "RC":
            new = raw[at].decode()
            at += 1
        if {old_mode, new_mode} - {"000000", "100644", "100755"} or letter[0] == "C":
            return None
        found.append((letter[0], old, new))
        if old_mode != "000000":
            content = blob(repository, commit + "~1", old)
            if len(content) > LARGEST:
                return None
            before[old] = (content, old_mode == "100755")
    return (found, before) if 0 < len(found) <= 30 else None


def blob(repository, revision, path):
    return run(["git", "cat-file", "blob", f"{revision}:{path}"], repository).stdout


def shifted(dice, patch):
    """Heads of hunks with other numbers."""

    def other(head):
        by, start = dice.randint(-8, 12), int(head[1])
        if start <= 1:
            return head[0]
        return b"@@ -%d%s +%d%s @@" % (max(2, start + by), head[2] or b"", max(2, int(head[3]) + by), head[4] or b"")

    return re.sub(rb"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@", other, patch, flags=re.M)


def drifted(dice, files, how):
    """Files with some lines put in, or taken out."""
    met = {}
    for name, (content, is_executable) in files.items():
        lines = content.splitlines(True)
        for _ in range(dice.randint(0, 3) if lines else 0):
            at = dice.randint(0, len(lines))
            if how == "delete" and lines:
                lines.pop(min(at, len(lines) - 1))
            else:
                repeated = lines[dice.randrange(len(lines))] if lines and lines[-1].endswith(b"\n") else b"x\n"
                lines.insert(at, dice.choice([b"inserted line\n", b"\n", repeated]))
        met[name] = (b"".join(lines), is_executable)
    return met


def section(old, new, path):
    """One file's part of a V4A patch: as many lines of context as make each chunk stand once, and `@@` with a line above where that
    is too many."""
    before, after = old.split("\n")[:-1], new.split("\n")[:-1]
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)

    def count(group):
        block = before[group[0][1] : group[-1][2]]
        return sum(before[n : n + len(block)] == block for n in range(len(before) - len(block) + 1))

    for context in (3, 5, 8, 13, 21, 34):
        groups = list(matcher.get_grouped_opcodes(context))
        if all(count(group) == 1 for group in groups):
            break
    out = [f"*** Update File: {path}"]
    for group in groups:
        start, end = group[0][1], group[-1][2]
        head = "@@"
        if count(group) > 1:
            indent = len(before[start]) - len(before[start].lstrip())
            above = (line for line in reversed(before[:start]) if line.strip() and len(line) - len(line.lstrip()) < indent)
            head = next((f"@@ {line.strip()}" for line in above), head)
        out.append(head)
        for what, a, b, c, d in group:
            if what == "equal":
                out += [" " + line for line in before[a:b]]
            else:
                out += ["-" + line for line in before[a:b]] + ["+" + line for line in after[c:d]]
        if end == len(before):
            out.append("*** End of File")
    return out


def v4a(repository, commit, found, before):
    """The patch of a commit, and the files behind it; none where the format cannot say it."""
    out, wanted = ["*** Begin Patch"], dict(before)
    for letter, old, new in found:
        texts = [before[old][0] if old in before else b"", b"" if letter == "D" else blob(repository, commit, new)]
        if any(b"\r" in text or b"\0" in text or (text and not text.endswith(b"\n")) for text in texts):
            return None
        try:
            was, becomes = (text.decode() for text in texts)
        except UnicodeDecodeError:
            return None
        if letter == "A":
            out += [f"*** Add File: {new}"] + ["+" + line for line in becomes.split("\n")[:-1]]
        elif letter == "D":
            out.append(f"*** Delete File: {old}")
        elif was == becomes and letter != "R":
            return None
        else:
            part = section(was, becomes, old)
            out += part[:1] + ([f"*** Move to: {new}"] if letter == "R" else []) + part[1:]
        wanted.pop(old, None)
        if letter != "D":
            wanted[new] = (texts[1], before[old][1] if old in before else False)
    return "\n".join(out + ["*** End Patch"]).encode(), wanted


def plain_diff(before, after):
    with tempfile.TemporaryDirectory() as folder:
        for name, files in (("old", before), ("new", after)):
            put(pathlib.Path(folder, name), files)
            pathlib.Path(folder, name).mkdir(exist_ok=True)
        return run(["diff", "-urN", "old", "new"], folder).stdout


def case(dice, options, repository, commit):
    """(patch, the files that it meets, those it must make or None for git's word); none where the commit does not serve."""
    told = changes(repository, commit)
    if told is None:
        return None
    found, before = told
    if options.kind == "v4a":
        made = v4a(repository, commit, found, before)
        return made and (made[0], before, made[1])
    if options.kind == "git":
        lines = dice.choice([3, 3, 3, 1, 5])
        patch = run(["git", "diff", "-M", "--no-color", f"-U{lines}", commit + "~1", commit], repository).stdout
    else:
        before = {name: (content, False) for name, (content, _) in before.items()}
        after = {new: (blob(repository, commit, new), False) for letter, _, new in found if letter != "D"}
        patch = plain_diff(before, after)
    if not patch or any(word in patch for word in (b"\0", b"GIT binary", b"Binary files")):
        return None
    how = dice.choice(["plain", "numbers", "insert", "delete", "both"])
    if how in ("numbers", "both"):
        patch = shifted(dice, patch)
    return patch, drifted(dice, before, how) if how in ("insert", "delete", "both") else before, None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("kind", choices=["git", "diff", "v4a"])
    arguments.add_argument("binary", type=os.path.abspath)
    arguments.add_argument("--commits", action="append", default=[])
    arguments.add_argument("--cases", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    dice, counts, bad = random.Random(options.seed), collections.Counter(), []
    commits = []
    for repository in options.commits or [str(HERE)]:
        log = run(["git", "log", "--no-merges", "--min-parents=1", "--format=%H", "-n", "5000", "HEAD"], repository)
        commits += [(repository, commit) for commit in log.stdout.decode().split()]
    dice.shuffle(commits)
    dialect = "apply-patch" if options.kind == "v4a" else "unified-diff"
    for number in range(20 * options.cases):
        if sum(counts.values()) >= options.cases or not commits or number >= 4 * len(commits):
            break
        repository, commit = commits[number % len(commits)]
        made = case(dice, options, repository, commit)
        if made is None:
            continue
        patch, met, wanted = made
        with tempfile.TemporaryDirectory() as git, tempfile.TemporaryDirectory() as own:
            git, own = pathlib.Path(git), pathlib.Path(own)
            for folder in (git, own):
                run(["git", "init", "-q", "."], folder)
                put(folder, met)
            is_git = True
            if wanted is None:
                is_git = run(["git", "apply", "-"], git, input=patch).returncode == 0
                wanted = tree(git)
            answer = run([options.binary, "apply", "--dialect", dialect], own, input=patch)
            is_own, got = answer.returncode == 0, tree(own)
            verdict = "equal" if is_own and is_git else "both refuse" if is_own == is_git else "only redraft" if is_own else "only git"
            if is_own and not is_git and run(["git", "apply", "--unidiff-zero", "-"], git, input=patch).returncode == 0:
                # git wants a hunk without lines behind its change at the end of the file, unless told otherwise; exactly at its number it
                # may as well be meant.
                is_git, wanted, verdict = True, tree(git), "equal, at its number"
            if got != (wanted if is_git and is_own else met):
                verdict = "WRONG"
            elif is_own:
                run([options.binary, "undo"], own)
                if tree(own) != met:
                    verdict = "WRONG after undo"
        # The format cannot say everything: of places that even 34 lines around do not tell apart none is chosen. And what a model writes
        # in place of code is refused in what it adds, too.
        # Of a hunk's number between two places git takes one.
        if verdict == "only git":
            reason = json.loads(answer.stdout)["data"]["reason"]
            allowed = ("ambiguous", "omission_placeholder") if options.kind == "v4a" else ("ambiguous",)
            verdict = f"refused: {reason}" if reason in allowed else verdict
        counts[verdict] += 1
        if not verdict.startswith("equal") and verdict != "both refuse" and not verdict.startswith("refused: "):
            bad.append(f"{verdict}: {repository} {commit} {answer.stdout[:300]!r}")
    refused = sum(count for verdict, count in counts.items() if verdict.startswith("refused: "))
    if refused > 1 + sum(counts.values()) * 3 // 100:
        bad.append(f"{refused} are refused")
    print("\n".join(bad[:10]), end="\n" if bad else "")
    print(f"{'FAIL' if bad or not counts else 'PASS'}: {options.kind}: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    sys.exit(bool(bad) or not counts)


ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": tempfile.gettempdir() + "/nobody", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
main()
