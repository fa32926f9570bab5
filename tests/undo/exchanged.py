#!/usr/bin/env python3
"""Files that exchange their names, edited under each other's names, and `redraft undo` and `redo` of any of these edits: random stories,
judged by a model that knows at each moment which file has which name.

    exchanged.py BINARY [--cases 150] [--seed N] [--show SEED]

Two or three files without a line in common. Each record changes, deletes or adds one line, of which no other record touches a
neighbour, so that an undo of it has one right result, whatever was done since. A refusal is no fault where a file was moved; the
tally tells how many there are, at the name where the edit was made (`home`) and elsewhere (`away`). Nobody checks out, formats, copies or
works at once with another here: `tests/it/undo_worlds.rs` has the first three.

    WRONG TEXT  it says that it was done, and some file is not as the model has it; or it was refused, and one changed
    UNTRUE      `nothing_to_undo` of what is in force, or of an undo that was not redone

Ends with 1 where a text was wrong; what is untrue is told with its seeds. The last line says PASS or FAIL.
"""
import collections
import json
import pathlib
import random
import subprocess
import tempfile

import moved
from moved import Wrong

NAMES = ["a.txt", "b.txt", "d/c.txt"]
STEPS = ["edit"] * 4 + ["exchange"] * 4 + ["undo"] * 5 + ["redo", "by hand", "commit"]


class Line:
    """A line of a file, what one record made of it, and what one added behind it."""

    def __init__(self, text):
        self.text, self.now, self.added = text, text, []

    def shown(self):
        return ([self.now] if self.now is not None else []) + self.added


class Record:
    def __init__(self, number, file, at, kind, old):
        self.file, self.at, self.kind, self.is_on, self.undo, self.id = file, at, kind, False, None, None
        self.new = {"change": f"changed by {number}", "delete": None, "add": f"new line of {number}"}[kind]
        self.wanted = {"change": f"{self.new}\n", "delete": "", "add": f"{old}\n{self.new}\n"}[kind]


class Story:
    def __init__(self, seed, folder, binary):
        self.dice, self.root, self.binary = random.Random(seed), pathlib.Path(folder), binary
        self.tally, self.told, self.records = collections.Counter(), [], []
        size = self.dice.choice([6, 12, 30])
        self.names = NAMES[: self.dice.choice([2, 2, 3])]
        ends = ["x", "yy", "foo(bar)"]
        self.files = [[Line(f"line {n} of {name} {self.dice.choice(ends)}") for n in range(size)] for name in self.names]
        # Which file a name has.
        self.at = {name: n for n, name in enumerate(self.names)}
        (self.root / "d").mkdir()
        self.run("git", "init", "-q")
        for name, file in self.at.items():
            (self.root / name).write_text(self.text(file))
        self.commit()

    def run(self, *args, stdin=None):
        return subprocess.run(args, cwd=self.root, env=moved.ENVIRONMENT, input=stdin, capture_output=True, text=True)

    def redraft(self, *args, stdin=None):
        done = self.run(self.binary, *args, "--answer", "envelope", stdin=stdin)
        return done.returncode, json.loads(done.stdout)

    def commit(self):
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", "commit")

    def text(self, file):
        return "".join(f"{line}\n" for one in self.files[file] for line in one.shown())

    def free(self, file):
        """The lines beside which no record changed anything, but the first and the last."""
        taken = {line for record in self.records if record.file == file for line in range(record.at - 1, record.at + 2)}
        return [at for at in range(1, len(self.files[file]) - 1) if at not in taken]

    def set(self, record, is_on):
        line = self.files[record.file][record.at]
        if record.kind == "add":
            line.added = [record.new] if is_on else []
        else:
            line.now = record.new if is_on else line.text
        record.is_on = is_on

    def check(self):
        for name, file in self.at.items():
            if (self.root / name).read_text() != self.text(file):
                raise Wrong(f"WRONG TEXT in {name}")

    def edit(self):
        name = self.dice.choice(self.names)
        file = self.at[name]
        if not (free := self.free(file)):
            return
        at = self.dice.choice(free)
        old = self.files[file][at].text
        record = Record(len(self.records), file, at, self.dice.choice(["change", "delete", "add"]), old)
        request = {"path": name, "edits": [{"old_string": f"{old}\n", "new_string": record.wanted}]}
        _, answer = self.redraft("apply", stdin=json.dumps(request))
        record.id, record.name = answer["data"]["record"]["id"], name
        self.told.append(f"record {len(self.records)}: {record.kind} line {at} of {self.names[file]} at {name}")
        self.records.append(record)
        self.set(record, True)

    def exchange(self):
        one, other = self.dice.sample(self.names, 2)
        for old, new in ((one, "aside"), (other, one), ("aside", other)):
            (self.root / old).rename(self.root / new)
        self.at[one], self.at[other] = self.at[other], self.at[one]
        self.told.append(f"exchange {one} and {other}")

    def by_hand(self):
        name = self.dice.choice(self.names)
        if free := self.free(self.at[name]):
            line = self.files[self.at[name]][self.dice.choice(free)]
            line.text = line.now = f"{line.text} by hand"
            (self.root / name).write_text(self.text(self.at[name]))
            self.told.append(f"{line.text}, at {name}")

    def take_back(self, command):
        records = [record for record in self.records if command == "undo" or record.undo]
        if not records:
            return
        record = self.dice.choice(records)
        status, answer = self.redraft(command, record.id if command == "undo" else record.undo)
        number, place = self.records.index(record), "home" if self.at[record.name] == record.file else "away"
        self.told.append(f"{command} {number}: {answer['text'].splitlines()[0]}")
        is_to_do = record.is_on == (command == "undo")
        if status == 0:
            if not is_to_do:
                raise Wrong("WRONG TEXT: there was nothing to do")
            self.set(record, command == "redo")
            if command == "undo":
                record.undo = answer["data"]["record"]["id"]
        self.check()
        reason = answer["data"].get("reason")
        if reason == "nothing_to_undo" and is_to_do:
            raise Wrong("UNTRUE")
        how = "done" if status == 0 else f"refused, {record.kind}" if is_to_do else "nothing to do"
        self.tally[f"{command}, {place}: {how}"] += 1

    def tell(self):
        for _ in range(self.dice.randrange(8, 26)):
            step = self.dice.choice(STEPS)
            if step in ("undo", "redo"):
                self.take_back(step)
            elif step == "commit":
                self.commit()
                self.told.append("commit")
            else:
                {"edit": self.edit, "exchange": self.exchange, "by hand": self.by_hand}[step]()


def story(seed, binary):
    """One that was told to its end, or to where something was wrong, and what that was."""
    with tempfile.TemporaryDirectory(dir=moved.SHM) as folder:
        told = Story(seed, folder, binary)
        try:
            told.tell()
        except Wrong as found:
            return told, str(found)
    return told, None


if __name__ == "__main__":
    moved.judged("exchanged", *moved.told_stories(__doc__, story))
