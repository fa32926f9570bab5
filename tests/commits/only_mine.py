#!/usr/bin/env python3
"""A commit of exactly the agent's lines, beside staged and unstaged changes of a person: random cases, judged by plain git.

    only_mine.py BINARY [--cases 400] [--seed N]

Each line of the file has an identity, so that it is known by construction what HEAD, the index and the working tree must be
after `record: commit`. Wrong is any other text, and a refusal that changed something; where neither the agent's lines nor those
beside them were touched by the person, a refusal is wrong, too. Ends with a line of what became of the cases.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

POOL = pathlib.Path(__file__).resolve().parent.parent / "it" / "undo_worlds" / "lines.txt"


class Case:
    """One repository with one file in three versions: lists of (identity, line)."""

    def __init__(self, dice, pool, folder, binary):
        self.dice, self.pool, self.folder, self.binary = dice, pool, folder, binary
        self.next = 0
        start = dice.randrange(len(pool) - 60)
        self.head = [self.line(text) for text in pool[start : start + dice.choice([3, 8, 20, 50])]]
        self.index = self.changed(self.head, dice.choice([0, 0, 1, 2]))
        self.tree = self.changed(self.index, dice.choice([0, 1, 2, 3]))

    def line(self, text):
        self.next += 1
        return (self.next, text)

    def some_lines(self):
        return [self.line(self.dice.choice(self.pool)) for _ in range(self.dice.randint(1, 3))]

    def changed(self, lines, times):
        lines = list(lines)
        for _ in range(times):
            at = self.dice.randrange(len(lines) + 1)
            size = self.dice.randint(1, 2)
            kind = self.dice.choice(["insert", "delete", "replace"])
            if kind == "insert":
                lines[at:at] = self.some_lines()
            elif len(lines) > size + 1 and at < len(lines):
                lines[at : at + size] = self.some_lines() if kind == "replace" else []
        return lines

    def git(self, *args):
        command = ["git", "-C", self.folder, "-c", "user.name=n", "-c", "user.email=n@example.org", *args]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{command}: {done.stderr}")
        return done.stdout

    def write(self, lines):
        (pathlib.Path(self.folder) / "f").write_text(text(lines))

    def set_up(self):
        self.git("init", "-q")
        self.git("config", "user.name", "n")
        self.git("config", "user.email", "n@example.org")
        for lines, then in ((self.head, ["commit", "-qm", "head"]), (self.index, None), (self.tree, None)):
            self.write(lines)
            if lines is not self.tree:
                self.git("add", "f")
            if then:
                self.git(*then)

    def edit(self):
        """The agent's edit of the working tree: where, how many lines, the new ones; and the request."""
        for _ in range(50):
            at = self.dice.randrange(len(self.tree))
            size = self.dice.choice([0, 1, 1, 2])
            new = [] if size and self.dice.random() < 0.3 else self.some_lines()
            if not new and not size:
                continue
            size = min(size, len(self.tree) - at)
            before, after = text(self.tree[:at]), text(self.tree[at + size :])
            old, new_text = text(self.tree[at : at + size]), text(new)
            if old == new_text:
                continue
            up, down = 0, 0
            whole = before + old + after
            while True:
                head = text(self.tree[at - up : at]) if up else ""
                tail = text(self.tree[at + size : at + size + down]) if down else ""
                quoted = head + old + tail
                if quoted.strip() and whole.count(quoted) == 1:
                    request = {"path": "f", "old_string": quoted, "new_string": head + new_text + tail}
                    return at, size, new, request
                if up >= at and down >= len(self.tree) - at - size:
                    break
                up, down = min(up + 1, at), min(down + 1, len(self.tree) - at - size)
        return None

    def carried(self, lines, at, size, new):
        """`lines` with the edit, where it is known by identity; none where a person's change lies in its place."""
        known = [identity for identity, _ in lines]
        old = [identity for identity, _ in self.tree[at : at + size]]
        left = self.tree[at - 1][0] if at else None
        right = self.tree[at + size][0] if at + size < len(self.tree) else None
        if any(identity not in known for identity in old):
            return None
        places = []
        if old:
            places.append(known.index(old[0]))
            if known[places[0] : places[0] + len(old)] != old:
                return None
        elif left in known:
            places.append(known.index(left) + 1)
        elif right in known:
            places.append(known.index(right))
        elif left is None or right is None:
            return None
        if not places:
            return None
        place = places[0]
        return lines[:place] + new + lines[place + len(old) :]

    def is_clear(self, lines, at, size, new):
        """Whether the lines of the edit and two on either side are as they are in the working tree, side by side, and one of
        the two tells the place: of brackets nobody knows which they are. Where the edit writes a line that the person took out
        and that is here still, it may be that one, and must not come twice."""
        here, there = ([line for _, line in version] for version in (lines, self.tree))
        if any(any(c.isalnum() for c in line) and here.count(line) > there.count(line) for _, line in new):
            return False
        sides = [self.tree[max(at - 2, 0) : at], self.tree[at + size : at + size + 2]]
        texts = [[line for _, line in version] for version in (lines, self.tree)]
        tells = lambda line: any(c.isalnum() for c in line) and all(text.count(line) == 1 for text in texts)
        if not all(len(side) < 2 or any(tells(line) for _, line in side) for side in sides):
            return False
        around = [identity for identity, _ in self.tree[max(at - 2, 0) : at + size + 2]]
        known = [identity for identity, _ in lines]
        if around[0] not in known:
            return False
        start = known.index(around[0])
        ends = (at - 2 > 0 or start == 0) and (at + size + 2 < len(self.tree) or start + len(around) == len(known))
        return ends and known[start : start + len(around)] == around

    def run(self):
        self.set_up()
        edit = self.edit()
        if edit is None:
            return "no edit"
        at, size, new, request = edit
        request |= {"record": "commit", "message": "mine", "agent": {"name": "A"}}
        was = self.state()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            [self.binary, "-C", self.folder, "apply"], input=json.dumps(request), capture_output=True, text=True, env=environment
        )
        told = json.loads(done.stdout)
        now = self.state()
        if done.returncode:
            if now != was:
                raise Wrong(f"refused ({told['text']}), and changed something: {was} {now}")
            if self.is_clear(self.head, at, size, new) and self.is_clear(self.index, at, size, new):
                raise Wrong(f"nobody touched the lines, and it is refused: {told['text']}\n{request}")
            return f"refused: {told['data']['reason']}"
        want = [self.carried(lines, at, size, new) for lines in (self.head, self.index, self.tree)]
        names = ["HEAD", "the index", "the working tree"]
        for name, lines, text_now, met in zip(names, want, now[1:], was[1:]):
            if lines is None:
                # By lines that are equal it may fit all the same; then it brings the new lines and takes the old ones.
                have, had = sorted(text_now.splitlines() + text(self.tree[at : at + size]).splitlines()), sorted(
                    met.splitlines() + text(new).splitlines()
                )
                if have != had and text_now != met:
                    raise Wrong(f"{name}: brings or takes other lines\n--- before\n{met}--- now\n{text_now}\n{request}")
            elif text(lines) != text_now and not self.is_same_in_other_order(lines, text_now):
                raise Wrong(f"{name} is\n{text_now}\n--- should be\n{text(lines)}\n{request}")
        if self.git("rev-list", "--count", "HEAD").strip() != "2" or self.git("log", "-1", "--format=%s").strip() != "mine":
            raise Wrong("no commit of its own")
        return "committed"

    def is_same_in_other_order(self, lines, text_now):
        """What is inserted may stand on either side of lines that the person took out or put at the same place."""
        mine = sorted(text(lines).splitlines())
        return mine == sorted(text_now.splitlines()) and text_now in self.orders(lines)

    def orders(self, lines):
        """The texts with the new lines one place up or down, past lines that only one version has."""
        new = [n for n, (identity, _) in enumerate(lines) if identity > self.before_edit]
        if not new or new[-1] - new[0] + 1 != len(new):
            return []
        block, rest = lines[new[0] : new[-1] + 1], lines[: new[0]] + lines[new[-1] + 1 :]
        tree = {identity for identity, _ in self.tree}
        out = []
        for step in (-1, 1):
            at = new[0]
            while 0 <= (at - 1 if step < 0 else at) < len(rest):
                passed = rest[at - 1 if step < 0 else at][0]
                if passed in tree:
                    break
                at += step
                out.append(text(rest[:at] + block + rest[at:]))
        return out

    def state(self):
        self.before_edit = getattr(self, "before_edit", self.next_before_edit())
        tree = (pathlib.Path(self.folder) / "f").read_text()
        return [self.git("rev-parse", "HEAD"), self.git("show", "HEAD:f"), self.git("show", ":f"), tree]

    def next_before_edit(self):
        return max(identity for lines in (self.head, self.index, self.tree) for identity, _ in lines)


class Wrong(Exception):
    """What a case showed."""


def text(lines):
    return "".join(line for _, line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pool = [line + "\n" for line in POOL.read_text().splitlines() if "\x0c" not in line]
    tally, wrong = {}, 0
    for number in range(args.cases):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            case = Case(random.Random(f"{args.seed} {number}"), pool, folder, os.path.abspath(args.binary))
            try:
                kind = case.run()
            except Wrong as found:
                wrong += 1
                kind = "wrong"
                print(f"case {number} of seed {args.seed}: {found}\n", file=sys.stderr)
            tally[kind] = tally.get(kind, 0) + 1
    print(f"only mine: {args.cases} cases, {wrong} wrong:", ", ".join(f"{n} {kind}" for kind, n in sorted(tally.items())))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
