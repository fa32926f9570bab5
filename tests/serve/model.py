#!/usr/bin/env python3
"""Random edits of many callers over one `redraft serve` that is killed now and then, against a model of what each wants.

    model.py BINARY [--runs 6] [--steps 40] [--kills 15] [--files 10] [--seed 0]

Each caller has a line of its own in every file, and files of its own that it creates, renames and deletes. Some call the server, some run
`redraft` itself, and `log`, `gc`, `status` and `fsck` run beside them. Requests are sent twice at once, one behind another that it depends
on, for several files, dry, and such that never fit; in runs without kills edits are undone. After each step the caller's lines are what it
wants; at the end the history has each edit once, and its undo gives the first bytes of every file. The last line says PASS or FAIL.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

CALLERS = 6
BY_PROCESS = 2  # so many of them run redraft themselves


class Fault(Exception):
    pass


def started(start):
    """What `start` gives; where the machine has no process left for it at the moment, that is said, and it is tried again."""
    for _ in range(20):
        try:
            return start()
        except BlockingIOError as error:
            print(f"not started, tried again: {error}", flush=True)
            time.sleep(1)
    return start()


class Run:
    """One server, one tree."""

    def __init__(self, options, seed, folder):
        self.options, self.seed, self.dice = options, seed, random.Random(seed)
        self.tree, self.place = folder / "tree", folder / "socket"
        self.has_kills, self.server = options.kills > 0 and seed % 3 > 0, None
        self.records, self.faults, self.counts = [], [], {"done": 0, "refused": 0, "undone": 0, "sent again": 0}
        self.tree.mkdir()
        for number in range(options.files):
            (self.tree / self.name(number)).write_text("".join(f"c{caller} \n" for caller in range(CALLERS)))
        for words in ("init -q", "add .", "-c user.name=n -c user.email=e@example.com commit -qm start"):
            subprocess.run(["git", *words.split()], cwd=self.tree, check=True)
        self.first = self.bytes_of_all()

    @staticmethod
    def name(number):
        return f"shared{number}.txt"

    def bytes_of_all(self):
        return {path.name: path.read_bytes() for path in self.tree.iterdir() if path.is_file()}

    def redraft(self, *args, text=""):
        words = [self.options.binary, *args]
        return started(lambda: subprocess.run(words, input=text, cwd=self.tree, capture_output=True, text=True, timeout=100))

    def begin(self):
        words = [self.options.binary, "serve", "--socket", self.place]
        self.server = started(lambda: subprocess.Popen(words, stderr=subprocess.DEVNULL))

    def go(self):
        self.begin()
        deadline = time.time() + 20
        while not self.place.exists() and time.time() < deadline:
            time.sleep(0.01)
        callers = [Caller(self, number) for number in range(CALLERS)]
        done = threading.Event()
        beside = threading.Thread(target=self.run_beside, args=(done,), daemon=True)
        begun = []
        try:
            for thread in [*callers, beside]:
                thread.start()
                begun.append(thread)
            for _ in range(self.options.kills if self.has_kills else 0):
                time.sleep(self.dice.uniform(0.02, 0.25))
                if any(caller.is_alive() for caller in callers):
                    self.server.send_signal(signal.SIGKILL)
                    self.server.wait()
                    self.begin()
        finally:  # the tree goes when this ends, and a thread that still works in it would hide what ended it
            for thread in begun:
                if thread is beside:
                    done.set()
                thread.join(150)
            self.server.terminate()
        if any(caller.is_alive() for caller in callers):
            self.faults.append("a caller waits for ever")
        self.server.wait(60)
        self.check_end()

    def run_beside(self, done):
        try:
            while not done.is_set():
                command = self.dice.choice(["log", "gc", "status", "fsck"])
                answer = self.redraft(command)
                if answer.returncode != 0:
                    self.faults.append(f"{command}: {answer.returncode} {answer.stdout[:200]}{answer.stderr[:200]}")
                time.sleep(0.05)
        except Exception as error:  # whatever it is, it is told
            self.faults.append(f"beside: {error!r}")

    def check_end(self):
        self.redraft("recover")
        log = [json.loads(line) for line in self.redraft("log", "--json", "--all").stdout.splitlines()]
        edits = sorted(record["id"] for record in log if record["kind"] not in ("undo", "redo"))
        if edits != sorted(set(self.records)):
            self.faults.append(f"{len(edits)} edits in the history, {len(set(self.records))} were told")
        staged = list((self.tree / ".git/redraft/worktrees/main/stage").iterdir())
        if staged:
            self.faults.append(f"left in the stage: {staged[:3]}")
        fsck = self.redraft("fsck", "--json")
        if fsck.returncode != 0 or json.loads(fsck.stdout)["problems"]:
            self.faults.append(f"fsck: {fsck.stdout[:300]}")
        if not self.faults:
            undone = self.redraft("undo", "--since", "2000-01-01")
            if undone.returncode != 0 or self.bytes_of_all() != self.first:
                self.faults.append(f"undo of all: {undone.stdout[:400]}")


class Caller(threading.Thread):
    def __init__(self, run, number):
        super().__init__(daemon=True)
        self.run_, self.number = run, number
        self.dice = random.Random(run.seed * 100 + number)
        self.texts = {at: "" for at in range(run.options.files)}  # what follows its name, file by file
        self.own = {}  # the files that it made, and their texts
        self.stream = self.lines = None

    def run(self):
        try:
            for step in range(self.run_.options.steps):
                self.step(step)
                self.look(step)
            names = {path.name for path in self.run_.tree.iterdir() if path.name.startswith(f"own{self.number}-")}
            if names != set(self.own):
                raise Fault(f"its own files are {names}, not {set(self.own)}")
        except Exception as fault:  # whatever it is, it is told
            self.run_.faults.append(f"caller {self.number}: {fault!r}")

    def step(self, step):
        token, counts = f"{step},", self.run_.counts
        kind = self.dice.choice(["one", "one", "one", "several", "create", "own", "twice", "undo", "never", "dry", "behind"])
        at = self.dice.randrange(self.run_.options.files)
        if kind == "several":
            chosen = self.dice.sample(range(self.run_.options.files), self.dice.randint(2, 3))
            request = {"files": [self.edit(one, token) for one in chosen]}
        elif kind == "create":
            request = {"path": f"own{self.number}-{step}.txt", "content": token + "\n"}
        elif kind == "own":
            if not self.own:
                return
            request = {"path": self.dice.choice(sorted(self.own))}
            request |= self.dice.choice([{"delete": True}, {"rename_to": f"own{self.number}-{step}r.txt"}])
        elif kind == "never":
            request = {"path": self.run_.name(at), "old_string": "never there", "new_string": "x"}
        else:
            request = self.edit(at, token)
        request["request_id"] = f"{self.number}-{step}"
        if kind == "dry":
            self.told_done(self.ask({**request, "dry_run": True}), request)
        elif kind == "never":
            if self.ask(request)["status"] == 0:
                raise Fault(f"done: {request}")
            counts["refused"] += 1
        elif kind == "behind" and self.is_served():
            first = self.edit(at, token)
            self.texts[at] += token
            second = self.edit(at, "b")
            self.texts[at] += "b"
            both = [{**one, "request_id": f"{self.number}-{step}-{n}"} for n, one in enumerate((first, second))]
            for one, answer in zip(both, self.ask_at_once(both)):
                self.note(self.told_done(answer, one))
        elif kind == "twice":
            other = Caller(self.run_, self.number)
            answers = []
            thread = threading.Thread(target=lambda: answers.append(other.asked(request)), daemon=True)
            thread.start()
            mine = self.told_done(self.ask(request), request)
            thread.join(100)
            if [self.told_done(answer, request)["data"]["record"]["id"] for answer in answers] != [mine["data"]["record"]["id"]]:
                raise Fault(f"sent twice, answered {answers}")
            self.note(mine)
            self.want(request, token)
        else:
            answer = self.told_done(self.ask(request), request)
            self.note(answer)
            if kind != "undo" or self.run_.has_kills:
                self.want(request, token)
                return
            undo = self.ask_for({"args": ["undo", answer["data"]["record"]["id"]]})
            self.told_done(undo, "undo")
            counts["undone"] += 1

    def edit(self, at, token):
        before = f"c{self.number} {self.texts[at]}"
        return {"path": self.run_.name(at), "old_string": before + "\n", "new_string": f"{before}{token}\n"}

    def want(self, request, token):
        """The model's own idea of what a request does."""
        for one in request.get("files", [request]):
            name = one["path"]
            if "content" in one:
                self.own[name] = one["content"]
            elif "delete" in one:
                self.own.pop(name)
            elif "rename_to" in one:
                self.own[one["rename_to"]] = self.own.pop(name)
            else:
                self.texts[int(name.removeprefix("shared").removesuffix(".txt"))] += token

    def look(self, step):
        mark = f"c{self.number} "
        for at, text in self.texts.items():
            lines = (self.run_.tree / self.run_.name(at)).read_text().split("\n")
            found = [line for line in lines if line.startswith(mark)]
            if found != [mark + text]:
                raise Fault(f"after step {step} {self.run_.name(at)} has {found}, not {text!r}")
        for name, text in self.own.items():
            path = self.run_.tree / name
            if not path.exists() or path.read_text() != text:
                raise Fault(f"after step {step} {name} is not {text!r}")

    def note(self, answer):
        self.run_.records.append(answer["data"]["record"]["id"])
        self.run_.counts["done"] += 1

    @staticmethod
    def told_done(answer, request):
        if answer["status"] != 0:
            raise Fault(f"{request}: {answer['output'][:300]}")
        return json.loads(answer["output"])

    def is_served(self):
        return self.number < CALLERS - BY_PROCESS

    def asked(self, request):
        """As `ask`, of a thread of its own: what went wrong is the answer."""
        try:
            return self.ask(request)
        except Exception as fault:
            return {"status": None, "output": repr(fault)}

    def ask(self, request):
        return self.ask_for({"request": request})

    def ask_at_once(self, requests):
        """Sends all before it reads an answer; what a kill leaves unanswered is sent again."""
        try:
            self.connect()
            for request in requests:
                self.send({"request": request})
            return [json.loads(self.lines.readline()) for _ in requests]
        except (OSError, ValueError):
            self.stream = None
            return [self.ask(request) for request in requests]

    def ask_for(self, ask):
        if not self.is_served():
            text = json.dumps(ask["request"]) if "request" in ask else ""
            done = self.run_.redraft(*ask.get("args", ["apply"]), text=text)
            return {"status": done.returncode, "output": done.stdout}
        deadline = time.time() + 60
        while time.time() < deadline:
            try:
                self.connect()
                self.send(ask)
                line = self.lines.readline()
                if line.endswith(b"\n"):
                    return json.loads(line)
            except TimeoutError:
                raise Fault(f"no answer to {ask}") from None
            except OSError:
                pass
            self.stream = None
            self.run_.counts["sent again"] += 1
            time.sleep(0.01)
        raise Fault("no server for a minute")

    def connect(self):
        if self.stream is None:
            stream = socket.socket(socket.AF_UNIX)
            stream.settimeout(40)
            stream.connect(str(self.run_.place))
            self.stream, self.lines = stream, stream.makefile("rb")

    def send(self, ask):
        self.stream.sendall(json.dumps({"id": 1, "cwd": str(self.run_.tree), **ask}).encode() + b"\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", type=os.path.abspath)
    arguments.add_argument("--runs", type=int, default=6)
    arguments.add_argument("--steps", type=int, default=40)
    arguments.add_argument("--kills", type=int, default=15, help="in two of three runs")
    arguments.add_argument("--files", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    failed = False
    for seed in range(options.seed, options.seed + options.runs):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(options, seed, pathlib.Path(folder))
            run.go()
            print(f"seed {seed}: {run.counts}, {len(run.faults)} faults", *run.faults[:5], sep="\n  ")
            failed |= bool(run.faults)
    print("FAIL" if failed else "PASS")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
