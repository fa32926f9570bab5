#!/usr/bin/env python3
"""Clients of `redraft serve`, whose server is killed at random: nothing is lost, doubled, or torn.

    kills.py BINARY [--clients 8] [--edits 200] [--kills 5] [--seed 0]

Each client sends edits with a request_id, of a file of its own and of one that all share, and sends again what was not answered. Every
edit appends to its line what only it appends, so that a lost or doubled one shows; at the end every file, the history and what the
clients were told must agree. The last line says PASS or FAIL, with edits a second.
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


class Client(threading.Thread):
    def __init__(self, number, options, tree, place):
        super().__init__()
        self.number, self.options, self.tree, self.place = number, options, tree, place
        self.told, self.laps, self.resent, self.faults = 0, [], 0, []

    def run(self):
        stream = None
        for edit in range(self.options.edits):
            name = "shared.txt" if edit % 10 == 0 else f"own{self.number}.txt"
            # On its own line of the file, which grows by a mark with each edit.
            before = self.line(name)
            request = {
                "path": name,
                "old_string": f"line {self.number} {before}\n",
                "new_string": f"line {self.number} {before}{edit},\n",
                "request_id": f"{self.number}-{edit}",
            }
            ask = json.dumps({"id": edit, "cwd": str(self.tree), "request": request}).encode() + b"\n"
            began = time.perf_counter()
            deadline = time.time() + 60
            while True:
                try:
                    if stream is None:
                        stream = socket.socket(socket.AF_UNIX)
                        stream.connect(str(self.place))
                        lines = stream.makefile("rb")
                    stream.sendall(ask)
                    line = lines.readline()
                    if not line.endswith(b"\n"):
                        raise ConnectionError("no whole answer")
                    told = json.loads(line)
                    break
                except OSError:
                    stream = None
                    self.resent += 1
                    if time.time() > deadline:
                        self.faults.append("no server for a minute")
                        return
                    time.sleep(0.01)
            self.laps.append(time.perf_counter() - began)
            if told["id"] != edit or told["status"] != 0:
                self.faults.append(f"{request['request_id']}: {told['output'][:300]}")
                return
            self.told += 1

    def line(self, name):
        prefix = f"line {self.number} "
        lines = [line for line in (self.tree / name).read_text().splitlines() if line.startswith(prefix)]
        return lines[0][len(prefix) :]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", type=os.path.abspath)
    arguments.add_argument("--clients", type=int, default=8)
    arguments.add_argument("--edits", type=int, default=200)
    arguments.add_argument("--kills", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    dice = random.Random(options.seed)
    work = pathlib.Path(tempfile.mkdtemp())
    tree, place = work / "tree", work / "run" / "serve"
    tree.mkdir()
    place.parent.mkdir(mode=0o700)
    names = ["shared.txt"] + [f"own{n}.txt" for n in range(options.clients)]
    for name in names:
        (tree / name).write_text("".join(f"line {n} \n" for n in range(options.clients)))
    environment = {**os.environ, "REDRAFT_SOCKET": str(place)}
    setup = "git init -q . && git config user.name a && git config user.email a@example.com && git add . && git commit -qm start"
    subprocess.run(setup, shell=True, check=True, cwd=tree)

    def start():
        server = subprocess.Popen([options.binary, "serve"], cwd=tree, env=environment, stderr=subprocess.DEVNULL)
        while not place.exists():
            time.sleep(0.002)
        return server

    server = start()
    clients = [Client(n, options, tree, place) for n in range(options.clients)]
    began = time.time()
    for client in clients:
        client.start()
    total, killed = options.clients * options.edits, 0
    points = sorted(dice.randrange(total) for _ in range(options.kills))
    while any(client.is_alive() for client in clients):
        if killed < len(points) and sum(client.told for client in clients) >= points[killed]:
            time.sleep(dice.random() * 0.003)
            server.send_signal(signal.SIGKILL)
            server.wait()
            place.unlink(missing_ok=True)
            killed += 1
            server = start()
        time.sleep(0.001)
    seconds = time.time() - began
    peak = next(line.split()[1] for line in open(f"/proc/{server.pid}/status") if line.startswith("VmRSS"))
    server.send_signal(signal.SIGTERM)
    ended = server.wait(40)
    faults = [fault for client in clients for fault in client.faults]
    if ended != 0:
        faults.append(f"the server ended with {ended}")
    for client in clients:
        marks = {name: [int(mark) for mark in client.line(name).split(",") if mark] for name in ("shared.txt", f"own{client.number}.txt")}
        wanted = {"shared.txt": [n for n in range(options.edits) if n % 10 == 0]}
        wanted[f"own{client.number}.txt"] = [n for n in range(options.edits) if n % 10]
        if marks != wanted:
            faults.append(f"client {client.number}: {len(sum(marks.values(), []))} marks of {options.edits}")
    log = subprocess.run([options.binary, "log", "--json", "-n", str(2 * total)], cwd=tree, capture_output=True, text=True, check=True)
    records = len(log.stdout.splitlines())
    if records != total:
        faults.append(f"{records} records of {total} edits")
    left = subprocess.run(["git", "status", "--porcelain"], cwd=tree, capture_output=True, text=True, check=True).stdout
    strange = [line for line in left.splitlines() if line[3:] not in names]
    if strange:
        faults.append(f"left behind: {strange[:5]}")
    laps = sorted(lap for client in clients for lap in client.laps)
    middle, late = (laps[len(laps) * q // 100] * 1e3 for q in (50, 99))
    resent = sum(client.resent for client in clients)
    for fault in faults[:10]:
        print("FAULT", fault)
    verdict = "FAIL" if faults else "PASS"
    print(f"{verdict}: {total} edits of {options.clients} clients, {killed} kills, {resent} sent again, {total / seconds:.0f}/s, "
          f"p50 {middle:.2f} ms, p99 {late:.2f} ms, {peak} kB")
    sys.exit(bool(faults))


main()
