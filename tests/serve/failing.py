#!/usr/bin/env python3
"""Clients of `redraft serve`, whose system calls fail now and then: what is told of each edit is true.

    failing.py BINARY [--clients 8] [--edits 60] [FAILURE]...

Each client edits a file of its own and one that all share, and looks after each answer whether the file is what it says. FAILURE is as
strace takes it (`fdatasync:error=EIO:when=5+7`; several at once with `;` between them); without one, a list of them is gone through, each with a server and a tree of its own.
Needs strace. The last line says PASS or FAIL.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

FAILURES = [
    "fdatasync:error=EIO:when=5+7",
    "fdatasync:error=EIO:when=3+2",
    "pwrite64:error=ENOSPC:when=6+5",
    "renameat2:error=EIO:when=5+7",
    "unlinkat:error=EIO:when=5+3",
    "ftruncate:error=EIO:when=2+2",
    "fdatasync:error=EIO:when=5+7;ftruncate:error=EIO:when=2+2",
]


class Client(threading.Thread):
    def __init__(self, number, edits, tree, place):
        super().__init__(daemon=True)
        self.number, self.edits, self.tree, self.place = number, edits, tree, place
        self.done, self.refused, self.faults = 0, 0, []

    def run(self):
        stream = socket.socket(socket.AF_UNIX)
        stream.settimeout(30)
        stream.connect(str(self.place))
        lines = stream.makefile("rb")
        for edit in range(self.edits):
            name = "shared.txt" if edit % 5 == 0 else f"own{self.number}.txt"
            before = self.line(name)
            after = f"{before}{edit},"
            request = {"path": name, "old_string": before + "\n", "new_string": after + "\n"}
            try:
                stream.sendall(json.dumps({"id": edit, "cwd": str(self.tree), "request": request}).encode() + b"\n")
                told = json.loads(lines.readline())
            except (OSError, ValueError) as error:
                self.faults.append(f"edit {edit} of client {self.number} has no answer: {error}")
                return
            now, applied = self.line(name), told["status"] == 0
            self.done, self.refused = self.done + applied, self.refused + (not applied)
            if now != (after if applied else before):
                self.faults.append(f"edit {edit} of client {self.number}: {now!r} after {told['output'][:200]}")

    def line(self, name):
        text = (self.tree / name).read_text()
        return next(line for line in text.splitlines() if line.startswith(f"line {self.number} "))


def run(options, failure, folder):
    tree, place = folder / "tree", folder / "socket"
    tree.mkdir()
    for number in range(options.clients):
        (tree / f"own{number}.txt").write_text(f"line {number} \n")
    (tree / "shared.txt").write_text("".join(f"line {number} \n" for number in range(options.clients)))
    for words in ("init -q", "add .", "-c user.name=n -c user.email=e@example.com commit -qm start"):
        subprocess.run(["git", *words.split()], cwd=tree, check=True)
    calls = ",".join(part.split(":")[0] for part in failure.split(";"))
    injected = [word for part in failure.split(";") for word in ("-e", f"inject={part}")]
    traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", *injected]
    server = subprocess.Popen([*traced, options.binary, "serve", "--socket", place], stderr=subprocess.DEVNULL)
    deadline = time.time() + 20
    while not place.exists() and time.time() < deadline:
        time.sleep(0.01)
    clients = [Client(number, options.edits, tree, place) for number in range(options.clients)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    subprocess.run(["pkill", "-f", str(place)], check=False)
    server.wait(60)
    faults = [fault for client in clients for fault in client.faults]
    done, refused = sum(client.done for client in clients), sum(client.refused for client in clients)
    asked = {"capture_output": True, "text": True, "cwd": tree}
    # An edit whose mark could not be written is listed once somebody has looked at its files.
    subprocess.run([options.binary, "recover"], **asked)
    records = subprocess.run([options.binary, "log", "--json", "--all"], **asked).stdout.count("\n")
    if records != done:
        faults.append(f"{records} records of {done} edits")
    fsck = subprocess.run([options.binary, "fsck"], **asked)
    if fsck.returncode != 0:
        faults.append(f"fsck: {fsck.stdout[:300]}{fsck.stderr[:300]}")
    print(f"{failure}: {done} done, {refused} refused, {len(faults)} faults")
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", type=os.path.abspath)
    arguments.add_argument("failures", nargs="*", metavar="FAILURE", default=FAILURES)
    arguments.add_argument("--clients", type=int, default=8)
    arguments.add_argument("--edits", type=int, default=60)
    options = arguments.parse_args()
    if not shutil.which("strace"):
        sys.exit("failing.py needs strace")
    faults = []
    for failure in options.failures:
        with tempfile.TemporaryDirectory() as folder:
            faults += run(options, failure, pathlib.Path(folder))
    for fault in faults[:20]:
        print(fault)
    print("FAIL" if faults else "PASS")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
