#!/usr/bin/env python3
"""Files that share lines, and that people exchange, rename, move over each other, copy, check out, stash, format and put back to what
they were, edited under any of their names, and `redraft undo` and `redo` of any of these edits: random stories, judged by a model that
knows at each moment which file has which name.

    moved.py BINARY [--cases 150] [--seed N] [--show SEED]

Each record changes, deletes or adds one line, of which nobody else touches a neighbour, so that an undo of it has one right result in a
file, whatever was done since; where the file was copied, in any of its copies. A refusal is no fault; the tally tells how many there are.

    WRONG TEXT  it says that it was done, and some file is not as the model has it; or it was refused, and one changed
    UNTRUE      `nothing_to_undo` of what is in force, or of an undo that was not redone. That a record is undone already is true, though somebody
                put it there again; and of a file and its copy, of which one has the name, that one may be meant

Ends with 1 where a text was wrong; what is untrue is told with its seeds. The last line says PASS or FAIL. What was done is kept as a list
of steps, which `tests/mutants/stories.py` plays again.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

NAMES = ["a.txt", "b.txt", "d/c.txt", "e.txt", "d/f.txt"]
SHARED = ["// licence", "// all rights", "", "use std;", "use core;"]
MOVES = ["exchange"] * 5 + ["rename"] * 2 + ["move over"]
BY_GIT = ["check out", "reset", "stash", "branch", "commit", "commit", "rewrite", "older text", "older text"]
# A record is not tried in more worlds than these.
MOST_TREES = 200
SHM = "/dev/shm" if os.path.isdir("/dev/shm") else None
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "REDRAFT_"))}
ENVIRONMENT |= {f"GIT_{who}_{what}": "n" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENVIRONMENT |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


class Wrong(Exception):
    """What the model does not bear out."""


class Ended(Exception):
    """A story of which the model knows no more."""


class Place:
    """A repository in which steps are done, each a list of its name and of strings:

    put NAME TEXT, mv FROM TO, cp FROM TO, git ARGUMENT..., edit KEY NAME OLD NEW, undo KEY [KEY...], redo KEY [KEY...]
    """

    def __init__(self, folder, binary, environment=None):
        self.root, self.binary, self.environment = pathlib.Path(folder), binary, {**ENVIRONMENT, **(environment or {})}
        # The record of each key, and the key of each record.
        self.ids, self.keys = {}, {}

    def run(self, *args, stdin=None):
        return subprocess.run(args, cwd=self.root, env=self.environment, input=stdin, capture_output=True, text=True)

    def path(self, name):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        return path

    def files(self):
        paths = (path for path in sorted(self.root.rglob("*")) if path.is_file() and ".git" not in path.parts)
        return {str(path.relative_to(self.root)): path.read_text() for path in paths}

    def redraft(self, key, *args, stdin=None):
        done = self.run(self.binary, *args, "--answer", "envelope", stdin=stdin)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            return done.returncode, {"data": {}, "text": f"no answer: {done.stderr[:300]}"}
        if done.returncode == 0 and answer["data"].get("record"):
            self.ids[key] = answer["data"]["record"]["id"]
            self.keys[self.ids[key]] = key
        return done.returncode, answer

    def do(self, step):
        """Its status and its answer, where it has one."""
        kind, *args = step
        if kind == "put":
            self.path(args[0]).write_text(args[1])
        elif kind in ("mv", "cp"):
            if (self.root / args[0]).exists():
                (os.replace if kind == "mv" else shutil.copyfile)(self.root / args[0], self.path(args[1]))
        elif kind == "git":
            return self.run("git", *args).returncode, None
        elif kind == "edit":
            key, name, old, new = args
            request = {"path": name, "edits": [{"old_string": old, "new_string": new}]}
            return self.redraft(key, "apply", stdin=json.dumps(request))
        else:
            key, wanted = args
            if all(one in self.ids for one in wanted):
                return self.redraft(key, kind, *(self.ids[one] for one in wanted))
        return 0, None

    def words(self, answer):
        """The first line of an answer, with keys where it has records."""
        text = answer["text"].split("\n")[0].split("; record ")[0].replace(str(self.root), ".")
        for record, key in self.keys.items():
            text = text.replace(record, f"<{key}>").replace(record[:12], f"<{key}>")
        return re.sub(r"commit [0-9a-f]{7,40}", "commit", text)


def play(steps, binary, environment=None):
    """What came of each edit, undo and redo: the number of the step, its status, its reason, its words, and the files."""
    told = []
    with tempfile.TemporaryDirectory(dir=SHM) as folder:
        place = Place(folder, binary, environment)
        for number, step in enumerate(steps):
            status, answer = place.do(step)
            if answer:
                told.append((number, status, answer["data"].get("reason"), place.words(answer), place.files()))
    return told


class Line:
    """A line, or some, of a file as people have it, as a record made it, and what a record added behind it."""

    def __init__(self, text):
        self.text, self.now, self.added = text, text, None

    def shown(self):
        return [line for part in (self.now, self.added) if part is not None for line in part.split("\n")]


class Copy:
    """A file as it is at one place, or was."""

    def __init__(self, file, lines):
        self.file, self.lines, self.is_indented, self.on = file, lines, False, set()

    def clone(self):
        clone = Copy(self.file, [Line(line.text) for line in self.lines])
        for new, line in zip(clone.lines, self.lines):
            new.now, new.added = line.now, line.added
        clone.is_indented, clone.on = self.is_indented, set(self.on)
        return clone

    def shown(self, text):
        return "".join(f"{'    ' if self.is_indented and line else ''}{line}\n" for line in text.split("\n"))

    def text(self):
        return "".join(self.shown(line) for one in self.lines for line in one.shown())

    def set(self, record, is_on):
        line = self.lines[record.at]
        if record.kind == "add":
            line.added = record.new if is_on else None
        else:
            line.now = record.new if is_on else line.text
        (self.on.add if is_on else self.on.discard)(record.number)


class Record:
    def __init__(self, number, file, at, kind, new):
        self.number, self.file, self.at, self.kind, self.new = number, file, at, kind, new
        # The keys of it, and of the undo and the redo of it that came last; which of these commands that was.
        self.key, self.undo, self.redo, self.last = f"r{number}", None, None, None


class Story:
    def __init__(self, seed, folder, binary, environment=None):
        self.dice, self.place = random.Random(seed), Place(folder, binary, environment)
        self.steps, self.told, self.records, self.tally = [], [], [], collections.Counter()
        self.shared = self.dice.choice([0, 1, 1, 2, 2])
        # Of each file the lines near which somebody changed something, and what it was; whom an undo took back.
        self.taken, self.versions, self.undone = {}, {}, {}
        self.stashed, self.set_aside, self.is_formatted = None, None, False
        size = self.dice.choice([6, 12, 12, 30])
        self.do("git", "init", "-qb", "main")
        self.tree = {name: self.new_file(file, size) for file, name in enumerate(NAMES[: self.dice.choice([2, 2, 3])])}
        for name in self.tree:
            self.put(name)
        self.branch, self.branches = "main", {}
        self.commit()

    # The model.

    def new_file(self, file, size):
        choice, chance = self.dice.choice, self.dice.random
        lines = [Line(text) for text in SHARED[: choice([2, 3, 5]) if self.shared else 0]]
        self.taken[file] = set(range(len(lines)))
        for number in range(size):
            drawn = chance()
            if self.shared and drawn < 0.2 * self.shared:
                text = choice(["", "}", ")", "#[test]"])
            elif self.shared and drawn < 0.2 * self.shared + 0.15:
                text = f"#[test]\nfn t{number}_{file}() {{\n  body {number} of {file}\n}}\n"
            elif self.shared == 2 and drawn < 0.7:
                text = f"shared {number}"
            else:
                text = f"line {number} of {file} {choice(['x', 'yy', 'foo(bar)'])}"
            lines.append(Line(text))
        lines += [Line(text) for text in ["}", "", "// end"][: choice([0, 2, 3]) if self.shared else 0]]
        copy = Copy(file, lines)
        self.keep(copy)
        return copy

    def keep(self, copy):
        self.versions.setdefault(copy.file, []).append(copy.clone())

    def snapshot(self):
        return {name: copy.clone() for name, copy in self.tree.items()}

    def texts(self, tree):
        return {name: copy.text() for name, copy in tree.items()}

    def is_as(self, tree, files):
        """Whether files are as in a tree, where white space counts unless somebody formatted one."""
        bare = lambda texts: {name: [line.strip() for line in text.split("\n")] for name, text in texts.items()}
        texts = self.texts(tree)
        return bare(texts) == bare(files) if self.is_formatted else texts == files

    def free(self, copy):
        taken = self.taken.get(copy.file, set())
        return [at for at in range(1, len(copy.lines) - 1) if not {at - 1, at, at + 1} & taken]

    def some_file(self):
        """The name of one that is not junk."""
        names = [name for name in sorted(self.tree) if self.tree[name].file is not None]
        return self.dice.choice(names) if names else None

    # What people, git and agents do.

    def do(self, *step):
        self.steps.append(list(step))
        return self.place.do(step)

    def git(self, *args):
        status, _ = self.do("git", *args)
        return status == 0

    def put(self, name):
        self.do("put", name, self.tree[name].text())

    def edit(self):
        if not (name := self.some_file()):
            return
        copy, number = self.tree[name], len(self.records)
        free = [at for at in self.free(copy) if " of " in copy.lines[at].text]
        if not free:
            return
        at, kind = self.dice.choice(free), self.dice.choice(["change", "delete", "delete", "add"])
        item = f"#[test]\nfn new{number}() {{\n  new {number}\n}}\n"
        line = f"new line of {number}"
        new = {"change": f"changed by {number}", "delete": None, "add": self.dice.choice([line, item] if self.shared else [line])}[kind]
        old = copy.shown(copy.lines[at].text)
        wanted = ("" if kind != "add" else old) + ("" if new is None else copy.shown(new))
        record = Record(number, copy.file, at, kind, new)
        status, answer = self.do("edit", record.key, name, old, wanted)
        if status:
            self.told.append(f"(an edit was refused: {self.place.words(answer)})")
            return
        self.records.append(record)
        self.taken[copy.file].add(at)
        copy.set(record, True)
        self.keep(copy)
        self.told.append(f"record {number}: {kind} line {at} of file {copy.file} at {name}")

    def by_hand(self):
        if not (name := self.some_file()) or not (free := self.free(self.tree[name])):
            return
        copy = self.tree[name]
        at = self.dice.choice(free)
        self.taken[copy.file].add(at)
        line = copy.lines[at]
        if line.now and self.dice.random() < 0.5:
            line.text = line.now = f"{line.now} by hand"
        else:
            line.added = f"hand {len(self.told)}"
        self.put(name)
        self.keep(copy)
        self.told.append(f"by hand: line {at} of file {copy.file} at {name}")

    def exchange(self):
        names = sorted(self.tree)
        if len(names) < 2:
            return
        chosen = self.dice.sample(names, self.dice.choice([2, 2, 3]) if len(names) > 2 else 2)
        for old, new in zip([chosen[0], *chosen[1:], "z.txt"], ["z.txt", *chosen]):
            self.do("mv", old, new)
        got = {name: self.tree[chosen[(n + 1) % len(chosen)]] for n, name in enumerate(chosen)}
        self.tree.update(got)
        self.told.append(f"rotate {' '.join(chosen)}: each gets the next one's file")

    def rename(self):
        free = [name for name in NAMES if name not in self.tree]
        if free and self.tree:
            old, new = self.dice.choice(sorted(self.tree)), self.dice.choice(free)
            self.do("mv", old, new)
            self.tree[new] = self.tree.pop(old)
            self.told.append(f"mv {old} {new}")

    def move_over(self):
        if len(self.tree) > 2:
            old, new = self.dice.sample(sorted(self.tree), 2)
            self.do("mv", old, new)
            self.tree[new] = self.tree.pop(old)
            self.told.append(f"mv {old} over {new}")

    def copy(self):
        old = self.dice.choice(sorted(self.tree))
        new = self.dice.choice([name for name in NAMES if name != old])
        self.do("cp", old, new)
        self.tree[new] = self.tree[old].clone()
        self.told.append(f"cp {old} {new}")

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "commit", "--allow-empty")
        self.branches[self.branch] = self.snapshot()
        # What it kept may conflict now.
        self.stashed = None
        self.told.append("commit")

    def head(self):
        return {name: copy.clone() for name, copy in self.branches[self.branch].items()}

    def check_out(self):
        name = self.dice.choice(sorted(self.head()))
        self.git("checkout", "-q", "HEAD", "--", name)
        self.tree[name] = self.head()[name]
        self.told.append(f"git checkout HEAD -- {name}")

    def reset(self):
        self.git("reset", "-q", "--hard")
        self.git("clean", "-fdq")
        self.tree = self.head()
        self.told.append("git reset --hard; git clean -fd")

    def stash(self):
        if self.stashed:
            self.reset()
            if not self.git("stash", "pop", "-q"):
                raise Ended
            self.tree, self.stashed = self.stashed, None
            self.told.append("git stash pop")
        elif not self.is_as(self.head(), self.place.files()):
            self.stashed = self.snapshot()
            self.git("stash", "-qu")
            self.tree = self.head()
            self.told.append("git stash -u")

    def change_branch(self):
        if self.stashed:
            return
        self.commit()
        other = "other" if self.branch == "main" else "main"
        self.git("checkout", "-q", *([] if other in self.branches else ["-b"]), other)
        self.branches.setdefault(other, self.branches[self.branch])
        self.branch = other
        self.tree = self.head()
        self.told.append(f"git checkout {other}")

    def rewrite(self):
        """Puts other text in the place of a file, or its own there again."""
        if self.set_aside and self.set_aside[0] in self.tree:
            name, self.tree[name] = self.set_aside
            self.set_aside = None
            self.told.append(f"{name} is as it was before it was rewritten")
        elif name := self.some_file():
            self.set_aside = (name, self.tree[name].clone())
            self.tree[name] = Copy(None, [Line(f"junk {len(self.told)} {line}") for line in range(8)])
            self.told.append(f"{name} is rewritten")
        if name:
            self.put(name)

    def older_text(self):
        if name := self.some_file():
            copy = self.dice.choice(self.versions[self.tree[name].file]).clone()
            self.tree[name] = copy
            self.put(name)
            self.told.append(f"by hand: {name} is back to where the records {sorted(copy.on)} are in force")

    def format(self):
        name = self.dice.choice(sorted(self.tree))
        self.is_formatted = True
        self.tree[name].is_indented ^= True
        self.put(name)
        self.told.append(f"format {name}")

    # Undo and redo.

    def trees(self, records, is_on):
        """The names, for each record, of the files where that is to be made so, and all trees that are right."""
        todo = [[name for name, copy in self.tree.items() if copy.file == record.file and (record.number in copy.on) != is_on] for record in records]
        # Where one of several copies is as it is to be, that may be the one that is meant.
        places = [sum(copy.file == record.file for copy in self.tree.values()) for record in records]
        least = [int(len(one) == count) for one, count in zip(todo, places)]
        some = [[names for size in range(few, len(one) + 1) for names in itertools.combinations(one, size)] or [()] for one, few in zip(todo, least)]
        trees = []
        for chosen in itertools.islice(itertools.product(*some), MOST_TREES):
            tree = self.snapshot()
            for record, names in zip(records, chosen):
                for name in names:
                    tree[name].set(record, is_on)
            trees.append(tree)
        return todo, trees

    def choose(self, command):
        """The keys that are given, and the records that they mean; none where there is nothing."""
        if command == "undo":
            records = self.dice.sample(self.records, min(len(self.records), self.dice.choice([1, 1, 1, 1, 2])))
            return [record.key for record in records], records
        undone = [record for record in self.records if record.undo]
        if not undone:
            return [], []
        key = self.dice.choice(undone).undo
        records = self.undone[key]
        return ([key], records) if all(record.undo == key for record in records) else ([], [])

    def take_back(self, command):
        keys, records = self.choose(command)
        if not keys:
            return
        is_on, before, key = command == "redo", self.place.files(), f"u{len(self.steps)}"
        status, answer = self.do(command, key, keys)
        todo, trees = self.trees(records, is_on)
        now, data = self.place.files(), answer["data"]
        what = f"{command} {[record.number for record in records]}"
        self.told.append(f"{what}, to do in {todo}: {self.place.words(answer)}")
        files = [copy.file for copy in self.tree.values()]
        copies = ", beside copies" if any(files.count(record.file) > 1 for record in records) else ""
        # What the log has undone already, and somebody put there again.
        is_again = all(record.last == command for record, names in zip(records, todo) if names)
        if status == 0 and data.get("partial"):
            raise Ended
        if status == 0:
            # A redo that is in force is taken back for the record that it brought back.
            done = {self.place.keys[one] for one in data["undone"]}
            done |= {record.key for record in records if record.redo in done}
            meant = records if is_on else [record for record in records if record.key in done]
            if len(meant) < len(records):
                rest = [record for record, names in zip(records, todo) if names and record not in meant]
                if not copies and any(record.last != command for record in rest):
                    raise Wrong(f"UNTRUE: of what {what} leaves out something is in force")
                todo, trees = self.trees(meant, is_on)
            right = [tree for tree in trees if any(todo) and self.is_as(tree, now)]
            if not right:
                raise Wrong(f"WRONG TEXT{copies}")
            self.tree = right[0]
            if self.is_formatted and self.texts(self.tree) != now:
                raise Ended
            for copy in self.tree.values():
                if copy.file is not None:
                    self.keep(copy)
            for record in meant:
                record.last = command
                if is_on:
                    record.redo = key
                else:
                    record.undo = key
            if not is_on:
                self.undone[key] = meant
        elif now != before:
            raise Wrong("WRONG TEXT: a refusal changed something")
        is_untrue = data.get("reason") == "nothing_to_undo" and any(todo)
        if is_untrue and not is_again and not copies:
            raise Wrong(f"UNTRUE: {what}")
        how = "nothing to do" if not any(todo) else "refused"
        if is_untrue:
            how = "done before, and not so any more" if is_again else "nothing to do by its name"
        how = "done" if status == 0 else how
        self.tally[f"{command}: {how}{copies}"] += 1

    def plan(self):
        """What is done in turn: anything, or edits, moves and what takes them back, in the order in which these meet."""
        has_git, has_copies, has_format = (self.dice.random() < chance for chance in (0.7, 0.25, 0.2))
        moves = MOVES + ["copy"] * has_copies
        if self.dice.random() < 0.6:
            pool = ["edit"] * 5 + ["undo"] * 6 + ["redo"] * 2 + ["by hand"] + moves + (BY_GIT if has_git else ["commit"]) + ["format"] * has_format
            return [self.dice.choice(pool) for _ in range(self.dice.randrange(8, 24))]
        back = ["check out", "check out", "older text", "older text", "reset", "exchange", "commit", "branch"] + ["format"] * has_format
        stages = [["edit", "exchange", "commit"], ["edit"], ["undo", "commit", "edit", "by hand"], moves, [*moves, "commit"], ["edit"],
                  ["edit", "by hand", "commit", "undo"], moves + back, back, [*back, "edit"], ["undo"], ["undo", "redo"], moves + back,
                  ["undo"], ["undo"], ["redo"]]
        return [self.dice.choice(stage) for stage in stages]

    def tell(self):
        steps = {"edit": self.edit, "by hand": self.by_hand, "exchange": self.exchange, "rename": self.rename,
                 "move over": self.move_over, "copy": self.copy, "commit": self.commit, "check out": self.check_out,
                 "reset": self.reset, "stash": self.stash, "branch": self.change_branch, "rewrite": self.rewrite,
                 "older text": self.older_text, "format": self.format}
        for step in self.plan():
            if step in ("undo", "redo"):
                self.take_back(step)
            else:
                steps[step]()
            if self.place.files() != self.texts(self.tree):
                raise AssertionError(f"the model is wrong about {step}: {self.told}")


def story(seed, binary, environment=None):
    """One that was told to its end, or to where something was wrong, and what that was."""
    with tempfile.TemporaryDirectory(dir=SHM) as folder:
        told = Story(seed, folder, binary, environment)
        try:
            told.tell()
        except Ended:
            pass
        except Wrong as found:
            return told, str(found)
    return told, None


def told_stories(doc, story_of):
    """Tells the stories that the command line wants, each by its seed, and gives how many there were, the tally, and the seeds of what was wrong.

    `story_of` gives of a seed and a binary a story, with its `tally` and what was `told`, and what was wrong.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    for name, default in (("cases", 150), ("seed", 0), ("show", None)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    first, cases = (options.seed, options.cases) if options.show is None else (options.show, 1)
    tally, wrong = collections.Counter(), collections.defaultdict(list)
    for seed in range(first, first + cases):
        told, found = story_of(seed, options.binary)
        tally += told.tally
        if found:
            wrong[found.split(":")[0]].append(seed)
            print(f"seed {seed}: {found}\n  " + "\n  ".join(told.told) + "\n", file=sys.stderr)
        if options.show is not None:
            print("\n".join(told.told))
    return cases, tally, wrong


def judged(name, cases, tally, wrong):
    """Prints the tally and the verdict, and ends with 1 where a text was wrong."""
    print("\n".join(f"{count:7} {kind}" for kind, count in sorted(tally.items())))
    print("".join(f"{len(seeds):7} {kind}: seeds {str(seeds[:12])[1:-1]}\n" for kind, seeds in sorted(wrong.items())), end="")
    texts = sum(len(seeds) for kind, seeds in wrong.items() if kind.startswith("WRONG"))
    print(f"{name}: {cases} stories, {texts} wrong texts: {'FAIL' if texts else 'PASS'}")
    sys.exit(texts > 0)


if __name__ == "__main__":
    judged("moved", *told_stories(__doc__, story))
