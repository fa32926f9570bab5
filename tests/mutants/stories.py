#!/usr/bin/env python3
"""Stories of files that move (`tests/undo/moved.py`) against mutants that no test kills: what a story tells otherwise with a mutant is a test
that is missing, or shows what the mutant is worth.

    stories.py DIR try MUTANT... [--seconds 600] [--seed 0]
                            random stories, until each mutant was told from the product by one, or the time is up
    stories.py DIR shrink MUTANT...
                            the steps that a story needs to tell it, and both answers

DIR is the one of `run.py DIR gen`. A story that tells a mutant is kept there as `story.MUTANT.json`: the steps that `moved.Place.do` takes.
Only what undo and redo answer, and what is in the files then, is compared; where the files are the same, only the words differ.
"""
import argparse
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "undo"))
import moved  # noqa: E402


class Mutants:
    def __init__(self, directory):
        self.dir = pathlib.Path(directory).resolve()
        self.binary = self.dir / "target/debug/redraft"
        rows = (line.split("\t") for line in (self.dir / "mutants.tsv").read_text().splitlines())
        self.rows = {int(row[0]): row[1:] for row in rows}

    def path(self, mutant):
        return self.dir / f"story.{mutant}.json"

    def play(self, steps, mutant=None):
        return moved.play(steps, self.binary, {} if mutant is None else {"MUT": str(mutant)})

    def reached(self, steps):
        """What a story tells, and the mutants that it comes by."""
        trace = self.dir / "trace.story"
        trace.unlink(missing_ok=True)
        told = moved.play(steps, self.binary, {"MUT_TRACE": str(trace)})
        return told, set(map(int, trace.read_text().split())) if trace.exists() else set()

    def attempt(self, mutants, seconds, seed):
        left, end = {mutant: 0 for mutant in mutants}, time.monotonic() + seconds
        while left and time.monotonic() < end:
            steps = moved.story(seed, self.binary)[0].steps
            told, seen = self.reached(steps)
            is_stable = None
            for mutant in [mutant for mutant in left if mutant in seen]:
                left[mutant] += 1
                otherwise = self.play(steps, mutant)
                if otherwise == told:
                    continue
                # What is told by the clock tells nothing.
                is_stable = self.play(steps) == told if is_stable is None else is_stable
                if not is_stable:
                    break
                del left[mutant]
                at = next((one[0] for one, other in zip(told, otherwise) if one != other), len(steps) - 1)
                self.path(mutant).write_text(json.dumps(steps[: at + 1]))
                print(f"seed {seed} tells {mutant}: {' '.join(self.rows[mutant])}", flush=True)
            seed += 1
        print(f"up to seed {seed}, not told, each with the stories that come by it: {left}")

    def shrink(self, mutant):
        steps = json.loads(self.path(mutant).read_text())
        tells = self.tells_by_files if self.tells_by_files(steps, mutant) else self.tells
        size = max(1, len(steps) // 2)
        while True:
            at, is_shorter = 0, False
            while at < len(steps):
                fewer = steps[:at] + steps[at + size :]
                if tells(fewer, mutant):
                    steps, is_shorter = fewer, True
                else:
                    at += size
            if size == 1 and not is_shorter:
                break
            size = max(1, size // 2)
        self.path(mutant).write_text(json.dumps(steps))
        print(f"{mutant}: {' '.join(self.rows[mutant])}")
        print("\n".join("  " + " ".join(map(repr, step)) for step in steps))
        for one, other in zip(self.play(steps), self.play(steps, mutant)):
            print("as it is  ", *one[:4])
            if one != other:
                print("as mutant ", *other[:4], "" if one[4] == other[4] else f"\n  {one[4]}\n  {other[4]}")

    def tells(self, steps, mutant):
        return self.play(steps) != self.play(steps, mutant)

    def tells_by_files(self, steps, mutant):
        """Whether a status or a file differs, not only words."""
        bare = [[(one[0], one[1], one[4]) for one in self.play(steps, which)] for which in (None, mutant)]
        return bare[0] != bare[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("what", choices=["try", "shrink"])
    parser.add_argument("mutants", type=int, nargs="+")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    mutants = Mutants(options.directory)
    if options.what == "try":
        mutants.attempt(options.mutants, options.seconds, options.seed)
    else:
        for mutant in options.mutants:
            mutants.shrink(mutant)


if __name__ == "__main__":
    main()
