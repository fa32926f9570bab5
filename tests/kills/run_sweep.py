"""Kills `redraft run` and the program that it runs at every call that may change a file: what the program did stays as it is,
and is recorded whole or not at all.

    python3 tests/kills/run_sweep.py BINARY [--points N]

Prints a line for each scenario and one for each fault; the exit status says whether there was a fault.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import sweep
import tracer

SCRIPT = "printf 'edited\\n' >> f; rm g; mkdir d; echo new > d/n; mv u v; chmod +x w"
# An edit of redraft's own in the middle: what was done to the same file before is recorded before it.
BOTH = "printf 'edited\\n' >> f; echo '{\"path\": \"f\", \"old_string\": \"line 3 \", \"new_string\": \"line three \"}' | \"$REDRAFT\" apply; echo more >> f"


def files(repo):
    found = {}
    for path in sorted(repo.root.rglob("*")):
        name = str(path.relative_to(repo.root))
        if path.is_file() and not name.startswith(".git/"):
            found[name] = (path.read_bytes(), path.stat().st_mode & 0o111 != 0)
    return found


def template(folder):
    repo = sweep.Repo.__new__(sweep.Repo)
    repo.folder, repo.root = folder, folder / "template"
    repo.root.mkdir()
    repo.git("init", "-q", "-b", "main")
    for name in "fgw":
        (repo.root / name).write_text(sweep.BASE + name)
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "base")
    (repo.root / "u").write_text("untracked\n")
    (repo.root / "f").write_text(sweep.BASE + "mine\n")
    return repo.root


def after_kill(script, source, binary, point):
    repo = sweep.Repo(source)
    try:
        before = files(repo)
        env = repo.env() | {"REDRAFT": binary}
        ran = tracer.run([binary, "run", "--", "sh", "-c", script], str(repo.root), env, b"", kill_at=point)
        found = []
        left = files(repo)
        done = repo.run(binary, "recover", check=False)
        if done.returncode:
            found.append(f"recover fails: {done.stdout.decode()[:400]}")
        applied = "REDRAFT" in script
        if not applied and files(repo) != left:
            found.append("recovery changed what another program wrote")
        # The next look takes away what the killed one left.
        repo.run(binary, "run", "--", "true")
        observed = [path for path in (repo.root / ".git/redraft/worktrees/main/observed").glob("*") if path.name != "lock"]
        stage = list((repo.root / ".git/redraft/worktrees/main/stage").glob("*"))
        if observed or stage:
            found.append(f"left behind: {[path.name for path in observed + stage]}")
        done = repo.run(binary, "fsck", check=False)
        if done.returncode or done.stderr:
            found.append(f"fsck: {done.stdout.decode()}{done.stderr.decode()}")
        records = [json.loads(line) for line in repo.run(binary, "log", "--json").stdout.splitlines()]
        left = files(repo)
        for record in records:
            undone = repo.run(binary, "undo", record["id"], check=False)
            # What was done after the last record was not recorded, and may be in its way.
            if undone.returncode and ran.killed_at is None:
                found.append(f"cannot be undone: {undone.stdout.decode()[:400]}")
        if ran.killed_at is None and files(repo) != before:
            found.append("not as before: " + str([name for name in before.keys() | files(repo).keys() if before.get(name) != files(repo).get(name)]))
        if not applied and records and files(repo) != before:
            found.append("the record is there, and its undo does not give what was before")
        if not applied and not records and files(repo) != left:
            found.append("nothing is recorded, and an undo changed something")
        return ran.killed_at, len(records), found
    finally:
        repo.remove()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--points", type=int, default=250, help="at most so many of each scenario, evenly spread")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    count = 0
    for name, script, most in (("run", SCRIPT, 1), ("run with an edit in it", BOTH, 3)):
        with tempfile.TemporaryDirectory(prefix="kills-") as folder:
            source = template(pathlib.Path(folder))
            repo = sweep.Repo(source)
            env = repo.env() | {"REDRAFT": binary}
            whole = tracer.run([binary, "run", "--", "sh", "-c", script], str(repo.root), env, b"")
            records = len(repo.run(binary, "log", "--json").stdout.splitlines())
            assert whole.status == 0 and records == most, f"{records} records: {whole.out.decode()}"
            repo.remove()
            points = range(0, whole.calls, max(1, -(-whole.calls // options.points)))
            tally = {}
            for point in points:
                call, records, found = after_kill(script, source, binary, point)
                tally[records] = tally.get(records, 0) + 1
                count += len(found)
                for fault in found:
                    print(f"  {name}, point {point} ({call}): {fault}")
            print(f"kills, {name}: {len(points)} of {whole.calls} points; by records: {dict(sorted(tally.items()))}", flush=True)
    print("PASS" if count == 0 else f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
