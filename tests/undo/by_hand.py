#!/usr/bin/env python3
"""What people change by hand, mixed at one place with the same edit made again by agents, and `redraft undo` of any of it: random
stories, judged by a model that follows every line.

    by_hand.py BINARY [--cases 300] [--seed N] [--seconds T] [--show SEED] [--break]

The model knows nothing of redraft but docs/history.md. A file is a weave of lines, dead ones too: each has who put it there and who
took it away. What nobody wrote down (a hand edit; which of several equal lines an edit took) may be read in several ways, and all
of these worlds are kept. After an undo or a redo the file must be as one of them says, or untouched by a refusal.

    WRONG TEXT        it says that it was done, and no reading gives that text; or it was refused, and the file changed
    needless refusal  by every reading the record's lines and their neighbours stand as it left them, or nothing came after it
    untrue words      the answer says what no reading bears out, or names a command that finds nothing or is refused

`--show` replays one story; `--break` feeds the model wrong results, and fails unless it finds nine in ten.
Ends with 1 where a text was wrong. The last line says PASS or FAIL.
"""
import argparse
import collections
import contextlib
import functools
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HAND = -1  # a person, as the one who puts or takes a line; records are 0, 1, 2, ..
UNDONE = 1000  # plus a record: who takes a line away by undoing that
MOST_WORLDS, MOST_ALIGNMENTS = 300, 40
Token = collections.namedtuple("Token", "text by born killers died src")
Hunk = collections.namedtuple("Hunk", "kills births")
LINES = """let k = 2;|return x;|}|{|    call(a, b);|if x {|    x += 1;|end|else {|fn main() {|    print(k);|use io;|# note||done();
|let total = sum(k, 1);|    return k;|for i in xs {|    push(i);|] + y|    let z = f(x, 3);|""".replace("\n", "").split("|")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "REDRAFT_"))}
ENVIRONMENT |= {f"GIT_{who}_{what}": "n" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENVIRONMENT |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


class Wrong(Exception):
    """A text that no reading gives."""


def has_word(text):
    return any(c.isalnum() for c in text)


def words(text):
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def alignments(old, new):
    """All longest ways to pair equal entries of two lists in order: tuples of (place in old, place in new). Where there are so many that
    following them all says nothing, it is an OverflowError."""
    best = collections.defaultdict(int)
    for i, j in itertools.product(reversed(range(len(old))), reversed(range(len(new)))):
        best[i, j] = max(best[i + 1, j], best[i, j + 1], best[i + 1, j + 1] + 1 if old[i] == new[j] else 0)
    found, todo = [], [(0, 0, ())]
    while todo:
        i, j, pairs = todo.pop()
        left = best[i, j]
        if not left:
            found.append(pairs)
            if len(found) > MOST_ALIGNMENTS:
                raise OverflowError
        # The next pair is one behind which as many follow as can; each is tried once, so that no way is found twice.
        for a in itertools.takewhile(lambda a: left and best[a, j] == left, range(i, len(old))):
            for b in itertools.takewhile(lambda b: best[a, b] == left, range(j, len(new))):
                if old[a] == new[b] and best[a + 1, b + 1] == left - 1:
                    todo.append((a + 1, b + 1, pairs + ((a, b),)))
    return found


def changes(base, text, pairs):
    """What leads from one list to another, by pairs of the same: (start, end, what is put there)."""
    out, i, j = [], 0, 0
    for a, b in (*pairs, (len(base), len(text))):
        if (a, b) != (i, j):
            out.append((i, a, tuple(text[j:b])))
        i, j = a + 1, b + 1
    return out


def through(versions):
    """Which parts of the first version of a line are still there in the last, whatever came between: pairs, in each reading."""
    ways = [[(n, n) for n in range(len(versions[0]))]]
    for old, new in zip(versions, versions[1:]):
        ways = [[(a, y) for a, x in way for c, y in pairs if c == x] for way in ways for pairs in alignments(old, new)][:20]
    return ways


def merges(want, chain):
    """A line as it is now, with what led from the first of a chain of its versions to `want` done to it, too: every reading in which that
    does not meet what changed from each version to the next."""
    found = set()
    for split in (words, lambda text: re.findall(r"\s+|\S+", text), lambda text: re.findall(r"^\s+|.+", text)):
        w, versions = split(want), [split(text) for text in chain]
        b = versions[0]
        for one, other in itertools.product(alignments(b, w)[:20], through(versions)):
            todo = sorted(set(changes(b, w, one)) | set(changes(b, versions[-1], other)))
            if all(x[1] <= y[0] and x[:2] != y[:2] for x, y in zip(todo, todo[1:])):
                line = list(b)
                for start, end, new in reversed(todo):
                    line[start:end] = new
                found.add("".join(line))
    return found


@functools.cache
def couples(kills, births):
    """Which line became which, in order, by how much of two lines is the same: the sum of that, 0 to 1 each, and the pairs, counted from
    the end. Lines that differ in white space alone are the same line."""
    if not kills or not births:
        return 0.0, ()
    a, b = (collections.Counter(filter(has_word, words(side[0]))) for side in (kills, births))
    like = 2 * (a & b).total() / max(1, (a + b).total()) if kills[0].split() != births[0].split() else float(bool(kills[0].strip()))
    value, pairs = couples(kills[1:], births[1:])
    ways = [couples(kills[1:], births), couples(kills, births[1:])]
    return max(ways + [(value + like, ((len(kills), len(births)), *pairs))] * (like >= 0.3), key=lambda way: way[0])


class World:
    """One reading: all lines that ever were, in order, and what each record put and took."""

    def __init__(self, lines=()):
        self.order = list(range(len(lines)))
        self.tokens = {n: Token(text, HAND, 0, frozenset(), 0, None) for n, text in enumerate(lines)}
        self.hunks, self.past = {}, [(list(lines), dict(self.tokens))]

    def copy(self):
        other = World()
        other.order, other.tokens, other.hunks = list(self.order), dict(self.tokens), dict(self.hunks)
        other.past = self.past
        return other

    def alive(self):
        return [n for n in self.order if not self.tokens[n].killers]

    def texts(self, some):
        return [self.tokens[n].text for n in some]

    def text(self):
        return self.texts(self.alive())

    def change(self, n, **how):
        self.tokens[n] = self.tokens[n]._replace(**how)

    def key(self):
        """The same for two worlds in which everything will go the same way."""
        told = {n for hunks in self.hunks.values() for hunk in hunks for side in hunk for n in side}
        for n in self.order:
            chain = [n]
            while chain[-1] is not None and chain[-1] not in told:
                chain.append(self.tokens[chain[-1]].src)
            told.update(chain if chain[-1] is not None and not self.tokens[n].killers else ())
        order = [n for n in self.order if n in told or not self.tokens[n].killers]
        place = {n: at for at, n in enumerate(order) if n in told}.get
        tokens = tuple(self.tokens[n]._replace(src=place(self.tokens[n].src)) for n in order)
        return tokens, str([[[list(map(place, side)) for side in hunk] for hunk in hunks] for hunks in self.hunks.values()])

    def stretch(self, n, since):
        """Where a stretch begins that has no living line older than `since` in it, about a place, and its living lines."""
        at, is_bound = self.order.index(n), lambda m: not self.tokens[m].killers and self.tokens[m].born <= since
        low = next((i + 1 for i in range(at - 1, -1, -1) if is_bound(self.order[i])), 0)
        high = next((i for i in range(at + 1, len(self.order)) if is_bound(self.order[i])), len(self.order))
        return low, [m for m in self.order[low:high] if not self.tokens[m].killers]

    def heir(self, n):
        """The living line that a dead one became by later edits of the same line, with all in between; none where there is none."""
        for m in self.alive():
            chain = [m]
            while chain[-1] not in (n, None):
                chain.append(self.tokens[chain[-1]].src)
            if chain[-1] is not None:
                return chain[::-1]
        return None

    def is_whole(self, record):
        """Whether all that a record put stands, and all that it took is gone by it."""
        kills, births = ([self.tokens[n].killers for hunk in self.hunks[record] for n in hunk[side]] for side in (0, 1))
        return not any(births) and all(killers == {record} for killers in kills)


def distinct(worlds):
    found = {}
    for world in worlds:
        found.setdefault(world.key(), world)
        if len(found) > MOST_WORLDS:
            raise OverflowError
    return list(found.values())


def stepped(world, new, pairs, who, now):
    """The worlds with another text, and their hunks: what is in no pair went, or came. Where it is not beyond doubt that a line became
    another one, it did in one of them, and in another not."""
    world, alive, hunks, other = world.copy(), world.alive(), [], None
    i = j = 0
    is_sure = True
    for a, b in (*pairs, (len(alive), len(new))):
        kills, births = alive[i:a], range(len(world.tokens), len(world.tokens) + b - j)
        for n in kills:
            world.change(n, killers=frozenset([who]), died=now)
        place = world.order.index(alive[max(i - 1, a - 1)]) + 1 if a else 0
        world.order[place:place] = births
        world.tokens |= {n: Token(text, who, now, frozenset(), 0, None) for n, text in zip(births, new[j:b])}
        if kills or births:
            hunks.append(Hunk(tuple(kills), tuple(births)))
        i, j = a + 1, b + 1
    other = world.copy()
    for kills, births in hunks:
        value, coupled = couples(*(tuple(world.tokens[n].text for n in side) for side in (kills, births)))
        is_sure &= not coupled or len(kills) == len(births) == 1 and value >= 0.75
        placed = 0
        for k, b in coupled:
            other.change(births[-b], src=kills[-k])
            # It is where that was, and what came before it, too.
            moved = births[placed : len(births) - b + 1]
            other.order = [n for n in other.order if n not in moved]
            at = other.order.index(kills[-k]) + 1
            other.order[at:at] = moved
            placed = len(births) - b + 1
    return ([other] if is_sure else [other, world]), hunks


def reused(world, hunks, is_moved):
    """A person's new lines taken for old ones that stood in that place (or, `is_moved`, for those that the same change took away
    elsewhere): nobody wrote down which it was."""
    kills = {n for hunk in hunks for n in hunk.kills}
    named = {n for parts in world.hunks.values() for part in parts for side in part for n in side}
    dead = [n for n in world.order if n in named and world.tokens[n].killers and (n in kills) == is_moved]
    within = {n: None if is_moved else world.stretch(n, world.tokens[n].died - 1)[1] for n in dead}
    births, choices = [n for hunk in hunks for n in hunk.births], []
    for birth in births:
        text = world.tokens[birth].text
        is_it = lambda n: world.tokens[n].text == text and (has_word(text) if is_moved else birth in within[n])
        choices.append([n for n in dead if is_it(n)] or [None])
    parts = [(record, part) for record, hunks in world.hunks.items() for part in hunks]
    for choice, turn, is_last in itertools.product(itertools.islice(itertools.product(*choices), 12), (1, -1), (False, True)):
        other, taken = world.copy(), {n: birth for n, birth in zip(choice, births) if n is not None}
        for n, birth in taken.items():
            other.order.remove(n)
            other.order[other.order.index(birth)] = n
            other.order.append(birth)
            other.change(birth, killers=frozenset([HAND]))
            other.change(n, killers=frozenset())
        # Who puts a record's lines there anew, and takes what the record took, does what the record did; or takes it back. Of records
        # that only took the same lines it is the first or the last; where one put them and another took them, it is either.
        for record, part in sorted(parts[::turn], key=lambda row: bool(row[1].births) != is_last):
            is_again = taken.keys() & set(part.births) if part.births else kills.issuperset(part.kills)
            is_back = part.births and kills.issuperset(part.births) and taken.keys() >= set(part.kills)
            for n in kills.intersection(part.kills if is_again else part.births if is_back else ()) - taken.keys():
                other.change(n, killers=frozenset([record if is_again else UNDONE + record]))
        yield other


def advanced(worlds, new, who, now, truth):
    """All readings of a step to another text. `truth` is (old text, pairs), as the story knows what happened."""
    found = []
    for world in worlds:
        old = world.text()
        if old == new and who == HAND:
            found.append(world)
            continue
        for pairs in {*alignments(old, new), *([tuple(truth[1])] if truth[0] == old else [])}:
            others, hunks = stepped(world, new, pairs, who, now)
            for other in others:
                if who == HAND:
                    found += [other, *reused(other, hunks, False), *reused(other, hunks, True)]
                else:
                    other.hunks[who] = tuple(hunks)
                    found.append(other)
        # A person may take the whole file back to an older text, of the log or of git: all its lines are whose they were then.
        for tokens in [tokens for text, tokens in world.past if text == new and who == HAND]:
            other = world.copy()
            for n in world.alive():
                other.change(n, killers=frozenset([HAND]), died=now)
            other.tokens |= tokens
            found += [other] * (other.text() == new)
        found = distinct(found)
    return found


def toggled(world, record, is_undo, now, may_leave):
    """All worlds after the undo (or redo) of a record; none where it can only be refused. Of what was undone in several goes, a redo
    brings back what the one that it names took out: `may_leave` any hunk."""
    worlds = [world]
    for hunk in world.hunks[record]:
        done = [after for before in worlds for after in toggled_hunk(before, hunk, record, is_undo, now)]
        worlds = distinct(worlds * may_leave + done)
    return worlds


def toggled_hunk(world, hunk, record, is_undo, now):
    """Lines of one hunk go, and those that it took come back, each in its place."""
    going, coming = (hunk.births, hunk.kills) if is_undo else hunk
    out, back = (UNDONE + record, record) if is_undo else (record, UNDONE + record)
    world, tokens = world.copy(), world.tokens
    living = [n for n in going if not tokens[n].killers]
    free = [n for n in coming if tokens[n].killers == {back}]
    heirs = [(n, world.heir(n)) for n in going if tokens[n].killers and out not in tokens[n].killers]
    heirs = [(n, chain) for n, chain in heirs if chain]
    for n in set(coming) - set(free):
        world.change(n, killers=tokens[n].killers - {back})
    worlds = [world]
    for n, chain in heirs:
        partner = next((k for k in free if tokens[n].src == k or tokens[k].src == n), None)
        free = [k for k in free if k != partner]
        if partner is not None:
            worlds = [other for before in worlds for other in rebased(before, chain, partner, out)]
        elif tokens[n].text == tokens[chain[-1]].text and any(
            len(way) == len(words(tokens[n].text)) for way in through(list(map(words, world.texts(chain))))
        ):
            # It was changed, and is as it was again, but for what nobody put anew.
            living.append(chain[-1])
            world.change(n, killers=frozenset([out]))
        elif all(tokens[k].text != tokens[chain[-1]].text for k in coming):
            return []
    for other in worlds:
        for n in set(going) - set(living):
            other.change(n, killers=other.tokens[n].killers | {out})
    if not living and not free:
        return worlds
    is_gone = bool(going) and not living and not heirs
    return (worlds if is_gone else []) + [after for other in worlds for after in brought(other, living, free, out, is_gone, now)]


def rebased(world, chain, partner, out):
    """A line of a record was edited since: the record's change is taken out of it, word by word."""
    n, m, changer, texts = chain[0], chain[-1], world.tokens[chain[0]].killers, world.texts(chain)
    # A person may write a word anew that he took out, and have it back as it was; what a record writes anew is that one's.
    ends = texts[:: len(chain) - 1] if all(world.tokens[k].by == HAND for k in chain[1:]) else texts
    for text in merges(world.tokens[partner].text, texts) | merges(world.tokens[partner].text, ends):
        other = world.copy()
        other.change(m, text=text, src=partner)
        other.change(partner, killers=changer)
        other.change(n, killers=frozenset([out]))
        for record in changer & other.hunks.keys():
            more = lambda hunk: hunk._replace(kills=(*hunk.kills, partner)) if n in hunk.kills else hunk
            other.hunks[record] = tuple(map(more, other.hunks[record]))
        yield other


def brought(world, living, free, out, is_gone, now):
    """The worlds with `living` gone, and `free` alive again, but for those that others put there since: a line is not doubled."""
    used, sure, maybe, found, alive = set(living), set(), set(), [], world.alive()
    for n in free:
        token = world.tokens[n]
        like = [m for m in world.stretch(n, token.died)[1] if m not in used and world.tokens[m].text == token.text]
        used.update(like[:1])
        # Where the record's own line stands, it may become the like of another one's; and of brackets there may be two.
        is_open = not has_word(token.text) or any(world.tokens[m].src == n or token.src == m for m in living)
        (maybe if is_open else sure).update([n] if like else [])
    for there in (sure, sure | maybe):
        coming = [n for n in free if n not in there]
        places = [places_of(world, n, living, is_gone) for n in coming]
        for choice in itertools.islice(itertools.product(*places), 400):
            if list(choice) == sorted(choice):
                other = world.copy()
                for n in there:
                    other.change(n, killers=frozenset([HAND]))
                last = -1
                for n, gap in zip(coming, choice):
                    # A dead line stays where it is among the dead if it can.
                    at = other.order.index(n)
                    if sum(m in alive for m in other.order[:at]) != gap or at < last:
                        other.order.remove(n)
                        last -= at < last
                        other.order.insert(max(other.order.index(alive[gap - 1]) if gap else -1, last) + 1, n)
                    last = other.order.index(n)
                    other.change(n, killers=frozenset())
                for n in living:
                    other.change(n, killers=frozenset([out]), died=now)
                found.append(other)
    return distinct(found)


def places_of(world, n, living, is_gone):
    """Behind how many living lines a line may come back: in the place of the record's own, else anywhere among younger ones."""
    token, alive = world.tokens[n], world.alive()
    paired = [alive.index(m) for m in living if world.tokens[m].src == n or token.src == m]
    if paired or living:
        return paired or sorted({alive.index(m) + after for m in living for after in (0, 1)})
    low, younger = world.stretch(n, token.died)
    left = sum(m in alive for m in world.order[:low])
    return [] if is_gone and younger else list(range(left, left + len(younger) + 1))


def stands_clear(world, record):
    """Whether a record is whole, nobody did anything since between its lines and the two on either side, and none of these has its like
    in the file."""
    seen, order = collections.Counter(world.text()), world.order
    for hunk in world.hunks[record]:
        at = sorted(order.index(n) for n in hunk.kills + hunk.births)
        sides = [m for m in reversed(order[: at[0]]) if m in world.alive()], [m for m in order[at[-1] + 1 :] if m in world.alive()]
        low, high = (order.index(side[:2][-1]) if side[1:] else end for side, end in zip(sides, (0, len(order))))
        near = [world.tokens[n] for n in order[low : high + 1]]
        made = max([world.tokens[n].born for n in hunk.births] + [world.tokens[n].died for n in hunk.kills])
        if any(max(token.born, token.died) > made for token in near) or any(seen[world.tokens[n].text] for n in hunk.kills):
            return False
        if any(seen[token.text] > 1 or not has_word(token.text) for token in near if not token.killers):
            return False
    return world.is_whole(record)


class Story:
    """One repository with one file, and what happens to it."""

    def __init__(self, seed, folder, options):
        self.dice = dice = random.Random(seed)
        self.folder, self.options, self.numbers, self.now = pathlib.Path(folder), options, itertools.count(1), 1
        self.say = print if options.show is not None else lambda *_: None
        self.pool, self.alike = dice.sample(LINES, dice.choice([6, 9, 14, 20])), dice.choice([0.0, 0.0, 0.1, 0.3, 0.6])
        self.eol, self.end = dice.choice(["\n"] * 5 + ["\r\n"]), dice.choice(["\n"] * 5 + [""])
        self.lines = [self.fresh() for _ in range(dice.choice([5, 6, 8, 10, 15, 25]) - 1)] + ["the end"]
        self.hot = dice.randrange(len(self.lines))
        self.worlds, self.texts = [World(self.lines)], [list(self.lines)]
        self.known, self.truth = list(self.lines), list(range(len(self.lines)))
        self.records, self.does, self.edits, self.undone, self.times = {}, {}, [], {}, collections.Counter()
        self.tally, self.remarks = collections.Counter(), []

    def fresh(self):
        """A line: one of the few, or one like no other."""
        line = self.dice.choice(self.pool)
        if self.dice.random() < self.alike or not has_word(line) and self.dice.random() < 0.5:
            return line
        return re.sub(r"\b([a-z]+)\b(?!.*\b[a-z]+\b)", rf"\g<1>{next(self.numbers)}", line or "w")

    def run(self, words_, told=None):
        return subprocess.run(words_, cwd=self.folder, env=ENVIRONMENT, input=told, capture_output=True, check=False)

    def redraft(self, words_, request=None):
        done = self.run([self.options.binary, *words_], json.dumps(request).encode() if request else None)
        return done.returncode == 0, json.loads(done.stdout), (self.folder / "f").read_bytes()

    def data(self, lines):
        return (self.eol.join(lines) + self.end.replace("\n", self.eol)).encode()

    def met(self):
        """The worlds as redraft meets them: what a person did since the last record, as one step."""
        pairs = [(n, at) for at, n in enumerate(self.truth) if n is not None]
        return advanced(self.worlds, self.lines, HAND, self.now, (self.known, pairs))

    def knows(self, worlds, lines):
        """From here on redraft knows the text; `truth` follows its lines through what a person does now."""
        self.worlds, self.lines, self.known, self.truth = worlds, lines, list(lines), list(range(len(lines)))
        for world in worlds:
            world.past = [*world.past, (world.text(), dict(world.tokens))]
        self.texts.append(list(lines))

    # What is done to lines: each gives the new lines, and for each of these where it stood before.
    def some_change(self, lines):
        dice = self.dice
        at = max(0, self.hot + dice.choice([-1, 0, 0, 0, 1])) if dice.random() < 0.7 else dice.randrange(len(lines) + 1)
        at, size = min(at, len(lines)), dice.choice([0, 0, 1, 1, 2, 3])
        if size == 1 and at < len(lines) and dice.random() < 0.6:
            return put(lines, at, 1, [self.reworded(lines[at])])
        return put(lines, at, size, [self.fresh() for _ in range(dice.choice([1, 1, 2, 3] if not size else [0, 0, 1, 2]))])

    def reworded(self, line):
        """A line with another word, or other white space before it."""
        parts = words(line)
        places = [n for n, part in enumerate(parts) if has_word(part)]
        if not places or self.dice.random() < 0.4:
            return line[2:] if line.startswith("  ") and self.dice.random() < 0.5 else "  " + line if line else "// why"
        parts[self.dice.choice(places)] = self.dice.choice(["q", "r", "k", "7", f"v{next(self.numbers)}"])
        return "".join(parts)

    def turned(self, lines, edit, is_back):
        """What an edit did, taken back or done again by somebody: all of it, a part, or a bit more."""
        dice, truth = self.dice, list(range(len(lines)))
        for left, old, new, right in edit:
            old, new = (new, old) if is_back else (old, new)
            new = [line for line in new if dice.random() < dice.choice([1, 1, 1, 0.5])] + [self.fresh()] * (dice.random() < 0.2)
            new = [self.reworded(line) if dice.random() < 0.07 else line for line in new]
            places, size = find(lines, old), len(old)
            if not places:
                places, size = find(lines, old[:1]), 1
            if not places:
                places, size = [n + 1 for n in find(lines, [left])] + find(lines, [right]) or [self.hot], 0
            lines, step = put(lines, min(min(places, key=lambda n: abs(n - self.hot)), len(lines)), size, new)
            truth = [None if n is None else truth[n] for n in step]
        return lines, truth

    def next_change(self):
        if self.edits and self.dice.random() < 0.6:
            # Mostly the same edit, there and back.
            edit = self.edits[self.dice.choice([0, 0, -1, self.dice.randrange(len(self.edits))])]
            is_there = any(find(self.lines, new) for _, _, new, _ in edit)
            lines, truth = self.turned(self.lines, edit, is_there == (self.dice.random() < 0.8))
        else:
            lines, truth = self.some_change(self.lines)
            while self.dice.random() < 0.35:
                lines, step = self.some_change(lines)
                truth = [None if n is None else truth[n] for n in step]
        # A last line that is empty, of a file without a newline at its end, is no line; and one line alone may have no line ending to tell.
        return (lines, truth) if len(lines) > 1 and lines[-1] and lines != self.lines else None

    def requested(self, lines, parts):
        """A request by the numbers of the lines, or one that has the whole file."""
        # Who deletes the last line of a file that ends without a newline has to say which newline goes with it.
        if self.dice.random() < 0.15 or not self.end and not parts[-1][2] and parts[-1][1] == len(self.lines):
            old, new = ("\n".join(text) + self.end for text in (self.lines, lines))
            return {"path": "f", "old_string": old, "new_string": new}
        blob, ops = (self.folder / "f").read_bytes(), []
        for start, stop, new in parts:
            text = {"text": "".join(line + "\n" for line in new)} if new else {}
            ops.append({("replace" if new else "delete"): [start + 1, stop]} | text if stop > start else {"insert_after": start} | text)
        return {"path": "f", "fingerprint": hashlib.sha1(b"blob %d\0" % len(blob) + blob).hexdigest(), "ops": ops}

    def by_agent(self, lines, truth):
        pairs = tuple((n, at) for at, n in enumerate(truth) if n is not None)
        parts, old, record = changes(self.lines, lines, pairs), self.lines, len(self.records)
        request = self.requested(lines, parts)
        is_done, told, now = self.redraft(["apply"], request)
        if not is_done:
            self.tally["edits that were refused: " + told["data"]["reason"]] += 1
            self.say("--- not applied:", told["text"])
            return
        if now != self.data(lines):
            raise Wrong(f"the edit made another text than was asked for: {request} {now!r}")
        met, name = self.met(), told["data"]["record"]["id"]
        self.knows(met, self.lines)
        worlds = advanced(met, lines, record, self.now, (old, pairs))
        self.records[name], self.does[name] = record, [(record, True)]
        around = lambda at: old[at] if 0 <= at < len(old) else None
        self.edits.append([(around(a - 1), old[a:b], list(new), around(b)) for a, b, new in parts])
        self.knows(worlds, lines)
        self.say(f"--- R{record}: {json.dumps(request.get('ops', 'whole file'))}\n{shown(lines)}")

    def taken_back(self):
        """The words of an undo or a redo."""
        dice, edits = self.dice, list(self.records)
        in_force = [name for name in edits if not self.undone.get(self.records[name])]
        some = in_force if in_force and dice.random() < 0.85 else edits
        redo = ["redo", dice.choice(edits)]
        ways = [["undo", dice.choice(some)]] * 6 + [["undo", *dice.sample(some, min(2, len(some)))], ["undo"], redo, redo, ["redo"]]
        return dice.choice(ways + [["undo", dice.choice(list(self.does))]])

    def judge(self, command):
        was, met = (self.folder / "f").read_bytes(), self.met()
        is_done, told, now = self.redraft(command)
        self.say(f"--- {self.named(' '.join(command))}: {self.named(told['text'])}")
        self.tally["done" if is_done else f"refused: {told['data']['reason']}"] += 1
        if not is_done:
            if now != was:
                raise Wrong("refused, and the file changed")
            self.refused(command, met, told)
            return
        lines = now.decode().removesuffix(self.end.replace("\n", self.eol)).split(self.eol)
        self.say(shown(lines))
        if now == was:
            self.remark("untrue words: done, and nothing changed")
        if self.options.break_:
            before = len(self.remarks)
            self.refused(command, met, {"text": "", "data": {"reason": "undo_conflict"}})
            self.tally[f"broken: a refusal, known as needless: {len(self.remarks) > before}"] += 1
            del self.remarks[before:]
        does = [self.does[name] if name in self.records else inverse(self.does[name]) for name in told["data"]["undone"]]
        self.knows(met, self.lines)
        worlds = self.allowed(met, steps := sum(does, []))
        if self.options.break_:
            self.break_it(worlds, lines)
        fitting = [world for world in worlds if world.text() == lines and self.data(lines) == now]
        texts = "\n--- or\n".join(sorted({shown(world.text()) for world in worlds})[:4])
        self.say(f"--- allowed:\n{texts}")
        if not fitting:
            raise Wrong(f"{self.named(' '.join(command))} made\n{shown(lines)}\n--- allowed:\n{texts}")
        for record, is_undo in steps:
            self.undone[record] = is_undo
            self.times[record] += is_undo
        self.does[told["data"]["record"]["id"]] = steps
        self.knows(fitting, lines)

    def allowed(self, worlds, steps):
        """The worlds after records were undone or redone, in that order."""
        times = collections.Counter(self.times)
        for record, is_undo in steps:
            may_leave = not is_undo and times[record] > 1
            worlds = distinct(other for world in worlds for other in toggled(world, record, is_undo, self.now, may_leave))
            times[record] += is_undo
        return worlds

    def break_it(self, worlds, lines):
        """Wrong results, of which the model must find nearly all: nothing done; a line that came back twice, or not at all; one still
        there; one of somebody else's gone."""
        less = lambda a, b: list((collections.Counter(a) - collections.Counter(b)).elements())
        came, went = less(lines, self.lines), less(self.lines, lines)
        stayed = [line for line in lines if line not in came]
        fakes = {"nothing done": list(self.lines)}
        for what, some, new in (("twice", came, 2), ("not at all", came, 0), ("another's gone", stayed, 0)):
            for line in some[:1]:
                fakes[what] = put(lines, lines.index(line), 1, [line] * new)[0]
        fakes |= {"still there": put(lines, self.dice.randrange(len(lines) + 1), 0, [line])[0] for line in went}
        for what, fake in fakes.items():
            if fake != lines:
                self.tally[f"broken: {what}, {'missed' if any(world.text() == fake for world in worlds) else 'found'}"] += 1

    def named(self, text):
        """A text with numbers of records, so that two runs say the same."""
        for at, name in enumerate(self.does):
            text = text.replace(name, f"R{self.records[name]}" if name in self.records else f"U{at}")
        return text

    def remark(self, kind, more=""):
        self.remarks.append(kind)
        self.say(f"!!! {kind}{self.named(more)}")

    def refused(self, command, met, told):
        """Whether a refusal was needed, and what it says is so."""
        text, reason = told["text"], told["data"]["reason"]
        record = self.records.get(command[1]) if len(command) == 2 and command[0] == "undo" else None
        if record is not None and not self.undone.get(record):
            newest = list(self.does)[-1]
            if (newest == command[1] or self.does[newest] == [(record, False)]) and self.lines == self.known:
                self.remark(f"needless refusal: the newest, nothing since ({reason})")
            elif all(stands_clear(world, record) for world in met):
                self.remark(f"needless refusal: stands clear ({reason})")
        if record is not None and reason == "nothing_to_undo":
            if all(world.is_whole(record) and any(hunk.births for hunk in world.hunks[record]) for world in met):
                self.remark("untrue words: nothing to undo, of what stands")
        if record is not None and self.options.show is not None:
            with contextlib.suppress(OverflowError):
                texts = sorted({shown(world.text()) for world in self.allowed(met, [(record, True)])})[:4]
                self.say("--- allowed, beside the refusal:\n" + "\n--- or\n".join(texts))
        for verb, name in re.findall(r"`redraft (undo|redo) ([k-z]{16})`", text):
            is_done, again, _ = self.redraft([verb, "--dry-run", name])
            if not is_done and ("did it again" in text or again["data"]["reason"] == "nothing_to_undo"):
                which = "did it again" if "did it again" in text else "put since" if "put by" in text else verb
                self.remark(f"untrue words: names a command ({which}), which is {again['data']['reason']}", ": " + again["text"])

    def tell(self):
        self.run(["git", "init", "-q"])
        self.say(f"--- at first (lines end with {self.eol!r}, the file with {self.end!r}):\n{shown(self.lines)}")
        (self.folder / "f").write_bytes(self.data(self.lines))
        self.run(["git", "add", "f"])
        self.run(["git", "commit", "-qm", "start"])
        for n in range(self.dice.randint(7, 16), -1, -1):
            self.now += 1
            kind = self.dice.choices(["hand", "agent", "undo", "commit", "back"], [35, 30, 25, 4, 4])[0]
            change = self.next_change()
            if (kind == "undo" or n < 2) and self.records:
                self.judge(self.taken_back())
            elif kind == "commit":
                self.run(["git", "commit", "-qam", "more"])
                self.say("--- committed")
            elif kind == "agent" and change:
                self.by_agent(*change)
            elif kind == "back" or change:
                text = self.dice.choice(self.texts)
                self.lines, truth = (list(text), [None] * len(text)) if kind == "back" else change
                self.truth = [None if n is None else self.truth[n] for n in truth]
                (self.folder / "f").write_bytes(self.data(self.lines))
                self.say(f"--- by hand:\n{shown(self.lines)}")


def inverse(steps):
    return [(record, not is_undo) for record, is_undo in reversed(steps)]


def put(lines, at, size, new):
    here = list(range(len(lines)))
    return lines[:at] + new + lines[at + size :], here[:at] + [None] * len(new) + here[at + size :]


def find(lines, block):
    return [n for n in range(len(lines) - len(block) + 1) if block and lines[n : n + len(block)] == block]


def shown(lines):
    return "\n".join("  |" + line for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    for name, kind, default in (("cases", int, 300), ("seed", int, 0), ("seconds", float, float("inf")), ("show", int, None)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    parser.add_argument("--break", dest="break_", action="store_true")
    options = parser.parse_args()
    first, cases = (options.seed, options.cases) if options.show is None else (options.show, 1)
    tally, kinds, end = collections.Counter(), collections.defaultdict(list), time.monotonic() + options.seconds
    for seed in itertools.takewhile(lambda _: time.monotonic() < end, range(first, first + cases)):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            story = Story(seed, folder, options)
            try:
                story.tell()
            except OverflowError:
                tally["stories left as too open"] += 1
            except Wrong as found:
                story.remarks.append("WRONG TEXT")
                print(f"seed {seed}: {found}\n", file=sys.stderr)
        tally += story.tally + collections.Counter(stories=1)
        for kind in story.remarks:
            kinds[kind].append(seed)
    rows = sorted(tally.items()) + [(f"{kind}: seeds {str(seeds[:12])[1:-1]}", len(seeds)) for kind, seeds in sorted(kinds.items())]
    print("\n".join(f"{count:7} {kind}" for kind, count in rows))
    found, missed = (sum(count for kind, count in tally.items() if kind.endswith(how)) for how in (", found", ", missed"))
    is_wrong = "WRONG TEXT" in kinds or options.break_ and found <= 9 * missed
    print(f"by hand: {tally['stories']} stories, {len(kinds['WRONG TEXT'])} wrong texts: {'FAIL' if is_wrong else 'PASS'}")
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
