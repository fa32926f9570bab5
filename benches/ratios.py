#!/usr/bin/env python3
"""How long redraft takes beside what people use instead, in one run: ratios of medians, which hold where times do not.

    ratios.py BINARY [--rounds 40] [--records 1000] [--files 4800]

Each workload is done by all in turn, so that what else the machine does falls on all of them. The floor is a process-less loop in C's
place: it writes a temporary file, syncs it, renames it, and syncs the folder. Everything happens in a scratch folder, below --folder
where another file system is meant. It checks what was written and fails where that is wrong; it never fails because of a time.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROW = "row {} of a file that is edited, with some words behind it{}\n"


class Run:
    """A command, timed: milliseconds, page faults."""

    def __init__(self, env, folder):
        self.env, self.folder = env, folder

    def __call__(self, words, text=b"", wanted=0):
        with tempfile.TemporaryFile() as sent:
            sent.write(text)
            sent.seek(0)
            begin = time.perf_counter()
            # Standard output is a file, so that nothing waits for this program to read it.
            process = subprocess.Popen(words, stdin=sent, stdout=subprocess.DEVNULL, cwd=self.folder, env=self.env)
            _, status, usage = os.wait4(process.pid, 0)
            took = (time.perf_counter() - begin) * 1e3
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != wanted:
            sys.exit(f"{words} ended with {process.returncode}")
        return took, usage.ru_minflt


def floor(paths, texts):
    begin = time.perf_counter()
    for path, text in zip(paths, texts):
        new = path.with_suffix(".new")
        path.read_bytes()
        with open(new, "wb") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.rename(new, path)
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    return (time.perf_counter() - begin) * 1e3, 0


def text(rows, version, stride):
    return "".join(ROW.format(n, f" v{version}" if n % stride == 0 else "") for n in range(rows))


def diff(name, rows, version, stride):
    """From a version to the next, as `git diff` writes it, without asking git for it."""
    out = [f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"]
    for n in range(0, rows, stride):
        first, last = max(0, n - 1), min(rows, n + 2)
        out.append(f"@@ -{first + 1},{last - first} +{first + 1},{last - first} @@\n")
        for at in range(first, last):
            if at == n:
                out.append("-" + ROW.format(at, f" v{version}") + "+" + ROW.format(at, f" v{version + 1}"))
            else:
                out.append(" " + ROW.format(at, ""))
    return "".join(out).encode()


def request(name, rows, version, stride):
    edits = [
        {"old_string": ROW.format(n, f" v{version}"), "new_string": ROW.format(n, f" v{version + 1}")}
        for n in range(0, rows, stride)
    ]
    return {"path": name, "edits": edits}


class Bench:
    def __init__(self, args, folder):
        self.args, self.binary = args, str(pathlib.Path(args.binary).resolve())
        self.root = folder / "tree"
        env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        env |= {"HOME": str(folder), "GIT_CONFIG_GLOBAL": str(folder / "config"), "GIT_CONFIG_NOSYSTEM": "1"}
        (folder / "config").write_text("[user]\n\tname = Bench\n\temail = bench@example.com\n[gc]\n\tauto = 0\n")
        self.root.mkdir()
        self.run = Run(env, self.root)
        for n in range(args.files):
            path = self.root / f"d{n // 100}" / f"f{n}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(ROW.format(n, ""))
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "all"], ["gc", "-q"]):
            self.run(["git", *command])

    def turns(self, title, ways, check=lambda version: None, rounds=None):
        """Each way in turn: functions of the version that they find; prints medians, and ratios to the first."""
        times, version = {name: [] for name in ways}, 0
        for _ in range(rounds or self.args.rounds):
            for name, way in ways.items():
                times[name].append(way(version))
                version += 1
                check(version)
        medians = {name: statistics.median(took for took, _ in taken) for name, taken in times.items()}
        first = next(iter(medians.values()))
        print(f"\n{title}")
        for name, median in medians.items():
            quarter = statistics.quantiles((took for took, _ in times[name]), n=4)
            faults = statistics.median(faults for _, faults in times[name])
            print(f"  {name:34} {median:9.2f} ms  ({quarter[0]:.2f} to {quarter[2]:.2f})  {median / first:5.2f}x  {faults:6.0f} page faults")

    def start(self):
        ways = {"git --version": ["git", "--version"], "redraft --version": [self.binary, "--version"]}
        self.turns("start and end of a process", {name: lambda _, words=words: self.run(words) for name, words in ways.items()})

    def edits(self, title, names, rows, stride, rounds=None, server=None):
        paths = [self.root / name for name in names]
        for path in paths:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text(rows, 0, stride))
        self.run(["git", "add", "-A"])
        self.run(["git", "commit", "-q", "-m", title])
        apply = lambda version, *more: self.run(
            [self.binary, "apply", *more],
            json.dumps({"files": [request(name, rows, version, stride) for name in names]}).encode(),
        )
        ways = {
            "git apply": lambda version: self.run(
                ["git", "apply", "--unidiff-zero"], b"".join(diff(name, rows, version, stride) for name in names)
            ),
            "redraft apply": apply,
        }
        if server:
            ways["redraft apply --via-server"] = lambda version: apply(version, "--via-server")
        ways["floor"] = lambda version: floor(paths, [text(rows, version + 1, stride).encode() for _ in paths])

        def check(version):
            if any(path.read_text() != text(rows, version, stride) for path in paths):
                sys.exit(f"{title}: something else was written")

        self.turns(title, ways, check, rounds)
        self.run([self.binary, "gc"])

    def history(self):
        name, rows = "h/file.txt", 400
        path = self.root / name
        path.parent.mkdir()
        path.write_text(text(rows, 0, 1))
        self.run(["git", "add", "-A"])
        self.run(["git", "commit", "-q", "-m", "history"])
        for n in range(self.args.records):
            row = n * 37 % rows
            turn = n // rows
            edit = {"old_string": ROW.format(row, f" v{turn}"), "new_string": ROW.format(row, f" v{turn + 1}")}
            self.run([self.binary, "apply"], json.dumps({"path": name, "edits": [edit]}).encode())
            self.run(["git", "commit", "-q", "-a", "-m", f"edit {n}"])
        self.run([self.binary, "gc"])
        self.run(["git", "gc", "-q"])
        for git, own in [
            (["log", "-n", "20"], ["log", "-n", "20"]),
            (["log", "--", name], ["log", name]),
            (["log"], ["log"]),
            (["blame", name], ["blame", name]),
        ]:
            words = {f"git {' '.join(git)}": ["git", *git], f"redraft {' '.join(own)}": [self.binary, *own]}
            ways = {title: lambda _, words=words: self.run(words) for title, words in words.items()}
            self.turns(f"{self.args.records} records: {' '.join(own)}", ways, rounds=min(10, self.args.rounds))

    def all(self):
        self.start()
        server = None
        if sys.platform == "linux":
            words = [self.binary, "serve"]
            server = subprocess.Popen(words, cwd=self.root, env=self.run.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1)
        try:
            self.edits("W1: one file, ten edits", ["w1/file.txt"], 400, 40, server=server)
            self.edits("W2: fifty files, four edits each", [f"w2/f{n}.txt" for n in range(50)], 100, 25, self.args.rounds // 2)
            self.edits("W4: ten megabytes, a thousand edits", ["w4/large.txt"], 160_000, 160, max(3, self.args.rounds // 8))
        finally:
            if server:
                server.terminate()
                server.wait()
        self.history()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--files", type=int, default=4800)
    parser.add_argument("--folder")
    args = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="redraft-ratios-", dir=args.folder))
    try:
        Bench(args, folder).all()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
