"""Kills `redraft apply --record commit` and `redraft apply --index` at every call that may change a file, lets the next
command recover, and checks that file, HEAD, index and history agree: all of the edit, or nothing.

    python3 tests/kills/sweep.py BINARY [--points N]

Prints a line for each scenario and one for each fault; the exit status says whether there was a fault.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tracer

LINES = [f"line {n} of the file\n" for n in range(20)]
BASE = "".join(LINES)
OLD, NEW = LINES[10], "line ten, by an agent\n"
# The user's: not staged in the same file, staged in the same file, staged in another one.
LOOSE, STAGED = (LINES[2], "line two, by the user\n"), (LINES[17], "line seventeen, staged\n")
OTHER = "other\nmore, staged\n"


def edited(text):
    return text.replace(OLD, NEW)


def by_user(text, *changes):
    for old, new in changes:
        text = text.replace(old, new)
    return text


class Repo:
    def __init__(self, template):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kill-"))
        self.root = self.folder / "repo"
        shutil.copytree(template, self.root, symlinks=True)
        self.git("update-index", "-q", "--refresh", check=False)

    @staticmethod
    def env():
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "REDRAFT_"))}
        people = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "A"), ("EMAIL", "a@example.com"))}
        return keep | people | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C"}

    def run(self, *argv, given=b"", check=True):
        done = subprocess.run(argv, cwd=self.root, env=self.env(), input=given, capture_output=True)
        if check and done.returncode:
            raise AssertionError(f"{argv}: {done.stdout.decode()}{done.stderr.decode()}")
        return done

    def git(self, *args, check=True):
        return self.run("git", *args, check=check).stdout.decode()

    def remove(self):
        shutil.rmtree(self.folder)


def template(folder, hook):
    repo = Repo.__new__(Repo)
    repo.folder, repo.root = folder, folder / "template"
    repo.root.mkdir()
    repo.git("init", "-q", "-b", "main")
    (repo.root / "f").write_text(BASE)
    (repo.root / "g").write_text("other\n")
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "base")
    (repo.root / "g").write_text(OTHER)
    (repo.root / "f").write_text(by_user(BASE, STAGED))
    repo.git("add", "f", "g")
    (repo.root / "f").write_text(by_user(BASE, STAGED, LOOSE))
    if hook:
        path = repo.root / ".git/hooks/pre-commit"
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\nexit 0\n")
        path.chmod(0o755)
    return repo.root


# Git's own, of a `git` that was killed with redraft while it moved or removed a ref: nobody can tell them from those of a git
# that runs. Where they are in the way they are named, and a person removes them.
LOCKS_OF_GIT = {f".git/{name}.lock" for name in ("HEAD", "refs/heads/main", "packed-refs", "AUTO_MERGE", "objects/maintenance")}


def locks_of(repo):
    locks = [str(path.relative_to(repo.root)) for path in (repo.root / ".git").rglob("*.lock")]
    return [path for path in locks if not path.startswith(".git/redraft/")]


class Scenario:
    """What one command does, and what stands before and after it."""

    def __init__(self, name, args, commits, hook=False):
        self.name, self.args, self.commits, self.hook = name, args, commits, hook
        self.request = json.dumps({"path": "f", "old_string": OLD, "new_string": NEW, "request_id": "r1"}).encode()

    def texts(self, done):
        made = edited if done else (lambda text: text)
        head = edited(BASE) if done and self.commits else BASE
        return {"file": made(by_user(BASE, STAGED, LOOSE)), "index": made(by_user(BASE, STAGED)), "HEAD": head}


SCENARIOS = [
    Scenario("record commit", ["apply", "--record", "commit"], True),
    Scenario("record commit, by git for its hooks", ["apply", "--record", "commit"], True, hook=True),
    Scenario("index", ["apply", "--index"], False),
]


def look(repo):
    return {
        "file": (repo.root / "f").read_text(),
        "index": repo.git("show", ":f"),
        "HEAD": repo.git("show", "HEAD:f"),
    }


def faults(repo, scenario, binary, base):
    """What does not go together, after recovery."""
    found = []
    now = look(repo)
    state = next((done for done in (False, True) if now == scenario.texts(done)), None)
    if state is None:
        return None, ["neither all nor nothing: " + json.dumps({key: edited(text) == text for key, text in now.items()})]
    records = [json.loads(line) for line in repo.run(binary, "log", "--json").stdout.splitlines()]
    if len(records) != int(state):
        found.append(f"{len(records)} records, though the edit is {'there' if state else 'not there'}")
    head = repo.git("rev-parse", "HEAD").strip()
    if scenario.commits and state:
        if records and records[0]["commit"] != head:
            found.append(f"the record names {records[0]['commit']}, and HEAD is {head}")
        if repo.git("rev-list", "--count", "HEAD").strip() != "2":
            found.append("more than one commit")
        if repo.git("diff", "--name-only", "HEAD~", "HEAD").split() != ["f"]:
            found.append("the commit holds another file")
    elif head != base:
        found.append("HEAD moved")
    if repo.git("show", ":g") != OTHER or (repo.root / "g").read_text() != OTHER:
        found.append("what the user staged is gone")
    if repo.git("stash", "list"):
        found.append("an entry in the stash")
    locks = [path for path in locks_of(repo) if path not in LOCKS_OF_GIT]
    if locks:
        found.append(f"locks are left: {locks}")
    stage = list((repo.root / ".git/redraft/worktrees/main/stage").glob("*"))
    if stage:
        found.append(f"staged files are left: {[path.name for path in stage]}")
    extra = {path.name for path in repo.root.iterdir()} - {".git", "f", "g"}
    if extra:
        found.append(f"files are left beside the edited one: {extra}")
    for argv in (["git", "fsck", "--no-dangling", "--no-progress"], [binary, "fsck"]):
        done = repo.run(*argv, check=False)
        if done.returncode or b"error" in done.stderr:
            found.append(f"{argv[0]} fsck: {done.stdout.decode()}{done.stderr.decode()}")
    return state, found


def again(repo, scenario, binary, state):
    """The request sent again: done exactly once, however it was interrupted."""
    def send():
        return json.loads(repo.run(binary, *scenario.args, "--lock-timeout", "0.2", given=scenario.request, check=False).stdout)

    answer, locks = send(), locks_of(repo)
    if answer["status"] == "error" and locks:
        # What keeps the ref is named with what to do, and that is all there is to do.
        named = [path for path in locks if path.removeprefix(".git/") in answer["text"]]
        if not named or "remove it" not in answer["text"]:
            return [f"what is to be done with {locks} is not said: {answer['text']}"]
        for path in locks:
            (repo.root / path).unlink()
        answer = send()
    if answer["status"] != "success":
        return [f"sent again it is refused: {answer['text']}"]
    if bool(answer["data"].get("replayed")) != state:
        return ["sent again it is " + ("done again" if state else "taken for done")]
    if look(repo) != scenario.texts(True):
        return ["sent again it is not what it should be: " + json.dumps(look(repo))]
    return []


def after_kill(scenario, source, binary, point, nexts):
    """One kill, the next command, the check; gives what was killed (none where the run ended before that), whether the edit is
    there, and the faults."""
    repo = Repo(source)
    try:
        base = repo.git("rev-parse", "HEAD").strip()
        ran = tracer.run([binary, *scenario.args], str(repo.root), repo.env(), scenario.request, kill_at=point)
        if ran.killed_at is None:
            # Another run needs a few calls more or fewer, as git's waits fall: this one came to its end, and all is there.
            state, found = faults(repo, scenario, binary, base)
            if not state or ran.status != 0:
                found = [f"ends with {ran.status}, and the edit is not there: {ran.out.decode()}", *found]
            return None, state, found or again(repo, scenario, binary, True)
        command, given = nexts[point % len(nexts)]
        following = repo.run(binary, *command, given=given, check=False)
        told = []
        if following.returncode:
            told.append(f"{' '.join(command)} fails: {following.stdout.decode()[:600]}{following.stderr.decode()[:300]}")
        if command == ["apply"]:
            repo.run(binary, "undo", check=False)
            (repo.root / "n").unlink(missing_ok=True)
        state, found = faults_of(repo, scenario, binary, base, command)
        if state is not None and not found and not told:
            found = again(repo, scenario, binary, state)
        return ran.killed_at, state, told + found
    finally:
        repo.remove()


def faults_of(repo, scenario, binary, base, command):
    state, found = faults(repo, scenario, binary, base)
    if command == ["apply"]:
        # Its own record and that of its undo are there, too.
        found = [fault for fault in found if "records, though" not in fault and "the record names" not in fault]
    return state, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--points", type=int, default=250, help="at most so many of each scenario, evenly spread")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    create = json.dumps({"path": "n", "content": "new\n"}).encode()
    nexts = [(["recover"], b""), (["apply"], create)]
    count = 0
    for scenario in SCENARIOS:
        with tempfile.TemporaryDirectory(prefix="kills-") as folder:
            source = template(pathlib.Path(folder), scenario.hook)
            repo = Repo(source)
            whole = tracer.run([binary, *scenario.args], str(repo.root), repo.env(), scenario.request)
            assert whole.status == 0 and look(repo) == scenario.texts(True), whole.out.decode()
            repo.remove()
            step = max(1, -(-whole.calls // options.points))
            points = list(range(0, whole.calls, step))
            tally = {"nothing": 0, "all": 0, "faults": 0, "not reached": 0}
            for point in points:
                call, state, found = after_kill(scenario, source, binary, point, nexts)
                tally["not reached"] += call is None
                tally["faults" if found else "all" if state else "nothing"] += 1
                for fault in found:
                    print(f"  {scenario.name}, point {point} ({call}): {fault}")
            if tally["not reached"] > max(1, len(points) // 10):
                print(f"  {scenario.name}: {tally['not reached']} of {len(points)} points were not reached")
                count += 1
            count += tally["faults"]
            print(f"kills, {scenario.name}: {len(points)} of {whole.calls} points; {tally}", flush=True)
    print("PASS" if count == 0 else f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
