#!/usr/bin/env python3
"""A long run of `redraft serve`: whether its memory, its open files and its threads stay as they are.

    soak.py BINARY [--seconds 3600] [--clients 4] [--pause-ms 10] [--every 60]

Each client turns a line of its own file and of one that all share to and fro, with a request_id each, dry runs and refused edits among
them, and connects anew now and then. What the server takes is printed once in `--every` seconds. PASS where every answer was as wanted,
the log has each edit, and the resident memory of the last third is at most a tenth (or 4 MiB) above that of the middle third.
"""

import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time


class Client(threading.Thread):
    def __init__(self, number, options, tree, place, until):
        super().__init__()
        self.number, self.options, self.tree, self.place, self.until = number, options, tree, place, until
        self.applied, self.faults, self.asked = 0, [], 0

    def connect(self):
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(str(self.place))
        return stream, stream.makefile("rb")

    def ask(self, lines, stream, request):
        self.asked += 1
        ask = {"id": self.asked, "cwd": str(self.tree), "request": request}
        stream.sendall(json.dumps(ask).encode() + b"\n")
        return json.loads(lines.readline())

    def run(self):
        stream, lines = self.connect()
        turn = 0
        while time.time() < self.until and len(self.faults) < 5:
            for name in (f"own{self.number}.txt", "shared.txt"):
                old, new = ("up", "down") if turn % 2 == 0 else ("down", "up")
                request = {
                    "path": name,
                    "old_string": f"line {self.number} {old}\n",
                    "new_string": f"line {self.number} {new}\n",
                    "request_id": f"{self.number}-{turn}-{name}",
                }
                told = self.ask(lines, stream, request)
                if told["status"] != 0:
                    self.faults.append(told["output"][:300])
                self.applied += 1
            if turn % 7 == 0:
                refused = {"path": "shared.txt", "old_string": f"no such line {turn}\n", "new_string": "x\n"}
                if self.ask(lines, stream, refused)["status"] == 0:
                    self.faults.append("an edit of a line that is not there was applied")
            if turn % 50 == 49:
                stream.close()
                lines.close()
                stream, lines = self.connect()
            turn += 1
            time.sleep(self.options.pause_ms / 1000)


def taken(pid):
    """Resident memory in KiB, open files, threads. Of files and threads the least of some looks: an edit has files open while it is made."""
    looks = []
    for _ in range(100):
        status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
        looks.append((int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{pid}/fd")), int(status["Threads"])))
        # Longer than a checkpoint takes.
        time.sleep(0.01)
    return max(look[0] for look in looks), min(look[1] for look in looks), min(look[2] for look in looks)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", type=os.path.abspath)
    arguments.add_argument("--seconds", type=int, default=3600)
    arguments.add_argument("--clients", type=int, default=4)
    arguments.add_argument("--pause-ms", type=float, default=10)
    arguments.add_argument("--every", type=float, default=60)
    options = arguments.parse_args()
    work = pathlib.Path(tempfile.mkdtemp())
    tree, place = work / "tree", work / "run" / "serve"
    tree.mkdir()
    place.parent.mkdir(mode=0o700)
    for name in ["shared.txt"] + [f"own{n}.txt" for n in range(options.clients)]:
        (tree / name).write_text("".join(f"line {n} up\n" for n in range(options.clients)))
    setup = "git init -q . && git config user.name a && git config user.email a@example.com && git add . && git commit -qm start"
    subprocess.run(setup, shell=True, check=True, cwd=tree)
    environment = {**os.environ, "REDRAFT_SOCKET": str(place)}
    server = subprocess.Popen([options.binary, "serve"], cwd=tree, env=environment, stderr=subprocess.DEVNULL)
    while not place.exists():
        time.sleep(0.002)
    began = time.time()
    clients = [Client(n, options, tree, place, began + options.seconds) for n in range(options.clients)]
    for client in clients:
        client.start()
    samples, next_at = [], began + options.every
    while any(client.is_alive() for client in clients):
        time.sleep(min(0.5, options.every / 4))
        if time.time() >= next_at and time.time() < began + options.seconds:
            next_at += options.every
            samples.append(taken(server.pid))
            edits = sum(client.applied for client in clients)
            print(f"{time.time() - began:6.0f} s  {edits:8} edits  {samples[-1][0]:7} KiB  {samples[-1][1]} files  {samples[-1][2]} threads", flush=True)
    server.terminate()
    faults = [fault for client in clients for fault in client.faults]
    if server.wait(60) != 0:
        faults.append(f"the server ended with {server.returncode}")
    applied = sum(client.applied for client in clients)
    log = subprocess.run([options.binary, "log", "--oneline", "-n", str(2 * applied)], cwd=tree, capture_output=True, text=True, check=True)
    if len(log.stdout.splitlines()) != applied:
        faults.append(f"{len(log.stdout.splitlines())} records of {applied} edits")
    third = len(samples) // 3
    if third:
        middle = max(memory for memory, _, _ in samples[third : 2 * third])
        last = max(memory for memory, _, _ in samples[2 * third :])
        if last > max(middle * 1.1, middle + 4096):
            faults.append(f"memory grew from {middle} to {last} KiB")
        if samples[-1][1] > samples[third][1] + 4 or samples[-1][2] > samples[third][2] + 4:
            faults.append(f"files or threads grew from {samples[third][1:]} to {samples[-1][1:]}")
    for fault in faults:
        print("fault:", fault)
    print("FAIL" if faults else "PASS", f"{applied} edits in {time.time() - began:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
