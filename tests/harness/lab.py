#!/usr/bin/env python3
"""What redraft records of real coding agents: each CLI runs with a scripted model, and the log is compared with what was done.

    HARNESS_LAB=LAB python3 tests/harness/lab.py BINARY TOOLS [HARNESS...]

BINARY is redraft; TOOLS the folder of the lab's tools (run.py, capture.py, mcp_echo.py), LAB where its setup.sh installed the CLIs.
Each harness that is not there is named, and left out. Prints a line a scenario; the exit status says whether one failed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

HARNESSES = {"claude": "claude-code", "codex": "codex", "gemini": "gemini", "opencode": "opencode"}
EDIT = {"claude": "Edit", "codex": "apply_patch", "gemini": "replace", "opencode": "edit"}
WRITE = {"claude": "Write", "codex": "apply_patch", "gemini": "write_file", "opencode": "write"}
SHELL = {"claude": "Bash", "codex": "Bash", "gemini": "run_shell_command", "opencode": "bash"}
PUT = {"claude": "mcp__lab__put", "codex": "mcp__lab__put", "gemini": "mcp_lab_put", "opencode": "lab_put"}

APPLY = """echo '{"path": "b.txt", "old_string": "alpha", "new_string": "ALPHA"}' | REDRAFT apply >/dev/null"""
SCRIPTS = {
    "shells": {"prompts": ["Do it."], "turns": [
        {"shell": "sed -i s/two/TWO/ a.txt"},
        {"shell": "cat > made.txt <<'EOF'\none\nEOF"},
        {"shell": "git mv b.txt moved.txt"},
        {"shell": "rm made.txt"},
        {"text": "Done."}]},
    "beside": {"prompts": ["Do it."], "turns": [
        {"shell": f"echo x >> a.txt; {APPLY}; echo y >> a.txt"},
        {"text": "Done."}]},
    "one": {"prompts": ["Do it."], "turns": [{"shell": "sleep 2; echo one >> a.txt; sleep 2"}, {"text": "Done."}]},
    "mcp": {"prompts": ["Do it."], "turns": [
        {"mcp": ["redraft", "edit", {"path": "a.txt", "old_string": "twoo", "new_string": "TWO"}]},
        {"mcp": ["redraft", "edit", {"path": "a.txt", "old_string": "two", "new_string": "TWO"}]},
        {"mcp": ["redraft", "read", {"path": "a.txt"}]},
        {"mcp": ["redraft", "undo", {}]},
        {"text": "Done."}]},
    "two": {"prompts": ["Do it."], "turns": [{"read": "b.txt"}, {"edit": ["b.txt", "beta", "BETA"]}, {"text": "Done."}]},
}


class Lab:
    def __init__(self, binary, tools):
        self.binary, self.tools = pathlib.Path(binary).resolve(), pathlib.Path(tools).resolve()
        sys.path.insert(0, str(self.tools))
        import capture
        self.new_repo = capture.new_repo
        self.scratch = tempfile.TemporaryDirectory(prefix="lab-")
        self.folder = pathlib.Path(self.scratch.name)
        self.count = 0
        for name, script in SCRIPTS.items():
            (self.folder / f"{name}.json").write_text(json.dumps(script).replace("REDRAFT", str(self.binary)))

    def repo(self):
        self.count += 1
        repo = self.folder / str(self.count) / "repo"
        self.new_repo(repo)
        return repo

    def script(self, name):
        own = self.folder / f"{name}.json"
        return str(own if own.exists() else self.tools / "scripts" / f"{name}.json")

    def drive(self, harness, name, repo):
        argv = [sys.executable, str(self.tools / "run.py"), harness, self.script(name), "--repo", str(repo), "--path", str(self.binary.parent),
                "--mcp", f"lab={sys.executable} {self.tools / 'mcp_echo.py'}", "--hook", f"redraft hook {HARNESSES[harness]}"]
        ran = subprocess.run(argv, capture_output=True, text=True)
        try:
            return json.loads(ran.stdout)["exit"]
        except ValueError:
            return [ran.stderr[-500:]]

    def redraft(self, repo, *args):
        home = repo.parent / "home"
        home.mkdir(exist_ok=True)
        return subprocess.run([self.binary, "-C", str(repo), *args], capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})

    def log(self, repo):
        records = [json.loads(line) for line in self.redraft(repo, "log", "--json").stdout.splitlines()]
        return records[::-1]


def told(record):
    observed = record["observed"] or {}
    files = " ".join(f"{file['change']}:{file['path']}" for file in record["files"])
    return f"{observed.get('tool', 'redraft')} {files}" + (f" ({len(observed['shared'])})" if observed.get("shared") else "")


def expected(harness, name):
    edit, write, shell, put = EDIT[harness], WRITE[harness], SHELL[harness], PUT[harness]
    overlap = harness != "claude"
    # Without an event that says so, opencode's failed call before may still be at work; redraft's own plugin tells.
    late = " (2)" if harness == "opencode" else ""
    return {
        "basic": [f"{edit} modify:a.txt", f"{write} create:new.txt", f"{write} modify:new.txt", f"{shell} modify:b.txt", f"{shell} modify:b.txt",
                  f"{put} create:put.txt{late}", f"{edit} modify:a.txt", f"{edit} modify:a.txt"],
        "parallel": [f"{shell} modify:a.txt" + (" (2)" if overlap else ""), f"{shell} modify:b.txt"],
        "agent": [f"{edit} modify:a.txt"],
        "turns": [f"{edit} modify:a.txt", f"{edit} modify:a.txt"],
        "shells": [f"{shell} modify:a.txt", f"{shell} create:made.txt", f"{shell} rename:moved.txt", f"{shell} delete:made.txt"],
        "beside": ["redraft modify:b.txt", f"{shell} modify:a.txt"],
    }.get(name)


def faults(lab, harness, name):
    repo = lab.repo()
    before = {path.name: path.read_bytes() for path in repo.glob("*.*") if path.is_file()}
    exits = lab.drive(harness, name, repo)
    found = [] if all(code == 0 for code in exits) else [f"the program ended with {exits}"]
    records = lab.log(repo)
    if [told(record) for record in records] != expected(harness, name):
        found.append(f"recorded {[told(record) for record in records]}, wanted {expected(harness, name)}")
    for record in records:
        agent = record["agent"]
        if agent["name"] != HARNESSES[harness] or not record["session"] or not agent.get("turn"):
            found.append(f"says of who made it: {agent} {record['session']}")
        if harness != "gemini" and not agent.get("call_id"):
            found.append("names no call")
    if name == "agent" and not all(record["agent"].get("subagent") for record in records):
        found.append("names no agent below")
    turns = list(dict.fromkeys(record["agent"].get("turn") for record in records))
    if len(turns) != (2 if name == "turns" else 1):
        found.append(f"turns: {turns}")
    status = json.loads(lab.redraft(repo, "status", "--json").stdout)
    found += [f"trouble: {trouble}" for trouble in status["troubles"]]
    session = records[0]["session"] if records else ""
    if name == "turns" and not found:
        lab.redraft(repo, "undo", "--session", session, "--turn", turns[1])
        first = records[0]["files"][0]["after"]
        now = subprocess.run(["git", "hash-object", "a.txt"], cwd=repo, capture_output=True, text=True).stdout.strip()
        if now != first:
            found.append("undo --turn does not give what the first turn left")
    undone = lab.redraft(repo, "undo", "--session", session)
    after = {path.name: path.read_bytes() for path in repo.glob("*.*") if path.is_file()}
    if undone.returncode or after != before:
        found.append(f"undo --session: {undone.returncode} {undone.stdout[:300]} {sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))}")
    return found


def two_at_once(lab, harness, other):
    """A shell of one session, and an edit of another one while it runs."""
    repo = lab.repo()
    runs = [threading.Thread(target=lab.drive, args=(harness, "one", repo)), threading.Thread(target=lab.drive, args=(other, "two", repo))]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    got = {(record["agent"]["name"], told(record)) for record in lab.log(repo)}
    want = {(HARNESSES[harness], f"{SHELL[harness]} modify:a.txt"), (HARNESSES[other], f"{EDIT[other]} modify:b.txt")}
    return [] if got == want else [f"recorded {got}, wanted {want}"]


def server(lab, harness):
    """A refused edit, the right one, a read and an undo by redraft's MCP server: what the model is told, and what is recorded."""
    repo = lab.repo()
    argv = [sys.executable, str(lab.tools / "run.py"), harness, lab.script("mcp"), "--repo", str(repo), "--path", str(lab.binary.parent), "--mcp", "redraft=redraft mcp", "--hook", f"redraft hook {HARNESSES[harness]}"]
    ran = subprocess.run(argv, capture_output=True, text=True)
    report = json.loads(ran.stdout)
    told = json.dumps([step.get("results") for step in report["steps"]])
    found = [] if all(code == 0 for code in report["exit"]) else [f"the program ended with {report['exit']}"]
    found += [f"the model is not told {text!r}" for text in ("nothing was written", "edited a.txt (1 replacement)", "+TWO", "undid ") if text not in told]
    records = lab.log(repo)
    if [record["kind"] for record in records] != ["edit", "undo"]:
        found.append(f"recorded {[record['kind'] for record in records]}; the model was told {told[:1500]}")
    elif records[0]["agent"]["name"] != HARNESSES[harness]:
        found.append(f"says of who made it: {records[0]['agent']}")
    elif harness in ("claude", "codex") and not (records[0]["session"] and records[0]["agent"]["call_id"]):
        found.append(f"names no session or call: {records[0]['agent']} {records[0]['session']}")
    return found


PLUGINS = {
    "claude": [["plugin", "validate", "{}/claude-code"], ["plugin", "marketplace", "add", "{}"], ["plugin", "install", "redraft@redraft"]],
    "codex": [["plugin", "marketplace", "add", "{}"], ["plugin", "add", "redraft@redraft"]],
    "gemini": [["extensions", "validate", "{}/gemini"]],
}


def plugin(lab, harness, program):
    """The plugin, put in by the harness itself."""
    plugins = pathlib.Path(__file__).resolve().parents[2] / "hooks" / "agents"
    home = lab.folder / f"home-{harness}"
    (home / ".codex").mkdir(parents=True)
    found = []
    for args in PLUGINS[harness]:
        argv = [str(program), *(arg.format(plugins) for arg in args)]
        ran = subprocess.run(argv, capture_output=True, text=True, cwd=home, stdin=subprocess.DEVNULL, timeout=120,
                             env={"PATH": f"{program.parents[3] / 'node' / 'bin'}:{os.environ['PATH']}", "HOME": str(home)})
        if ran.returncode:
            found.append(f"{' '.join(args)}: {(ran.stdout + ran.stderr)[-300:]}")
    return found


def main():
    binary, tools, *names = sys.argv[1:]
    lab = Lab(binary, tools)
    home = pathlib.Path(os.environ.get("HARNESS_LAB", ""))
    there = [name for name in names or HARNESSES if (home / name / "node_modules/.bin" / name).exists()]
    for name in [name for name in names or HARNESSES if name not in there]:
        print(f"left out: {name} is not installed in {home or 'HARNESS_LAB'}")
    count = 0

    def tell(what, found):
        nonlocal count
        count += len(found)
        print(f"{what}: {'; '.join(found) if found else 'ok'}", flush=True)

    for name in there:
        for script in ("basic", "shells", "turns", "parallel", "agent", "beside"):
            tell(f"{name} {script}", faults(lab, name, script))
    for name in there:
        tell(f"{name} mcp", server(lab, name))
    for name in filter(PLUGINS.get, there):
        tell(f"{name} plugin", plugin(lab, name, home.resolve() / name / "node_modules/.bin" / name))
    for name, other in zip(there, there[1:] + there[:1]):
        tell(f"{name} and {other} at once", two_at_once(lab, name, other))
    print("PASS" if count == 0 else f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
