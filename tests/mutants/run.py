#!/usr/bin/env python3
"""Mutation testing of the files that decide: all mutants in one build, each run against the tests that reach it.

    run.py DIR gen FILE...          clone into DIR, put the mutants of these files (below src/) into it, build the tests
    run.py DIR trace [WORKERS [NAME...]]
                                    which tests reach which mutants, and how long each takes; of the tests that need a repository only those
                                    with such a name
    run.py DIR mutants [WORKERS [SECONDS [FROM]]]
                                    each mutant against its tests, the quickest first, for so many seconds of tests
    run.py DIR report               what survived

DIR is the caller's, outside of the repository. Results are kept in it, so that a run can be ended and gone on with.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# These read the sources, or run for minutes.
LEFT_OUT = ("tidy", "fuzz::", "undo_worlds::", "soak", "hooks_random", "observed_random", "commit_random", "recorder_random",
            "undo_of_sessions::a_random", "watch::", "terminal::", "cli_docs", "docs::", "man_pages", "tour", "packages")
LONGEST = 20.0


def sh(*args, **more):
    return subprocess.run(args, check=True, **more)


def tests_of(binary):
    told = subprocess.run([binary, "--list", "--format", "terse"], capture_output=True, text=True, check=True).stdout
    names = [line[:-6] for line in told.splitlines() if line.endswith(": test")]
    return [name for name in names if not any(part in name for part in LEFT_OUT)]


def run_tests(binary, cwd, names, env, timeout):
    """Whether these tests pass."""
    args = ["nice", binary, "--exact", *names, "--test-threads", "1" if len(names) == 1 else "2"]
    with subprocess.Popen(args, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as run:
        try:
            return run.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            return False


class Run:
    def __init__(self, directory):
        self.dir = pathlib.Path(directory).resolve()
        self.repo, self.target = self.dir / "repo", self.dir / "target"

    def path(self, name):
        return self.dir / name

    def gen(self, files):
        self.dir.mkdir(parents=True, exist_ok=True)
        if self.repo.exists():
            sh("rm", "-rf", self.repo)
        sh("git", "clone", "-q", ROOT, self.repo)
        build = {**os.environ, "CARGO_TARGET_DIR": str(self.dir / "tool")}
        sh("cargo", "build", "-q", "--release", cwd=HERE, env=build)
        rows = sh(self.dir / "tool/release/mutants", self.repo / "src", *files, capture_output=True, text=True).stdout
        self.path("mutants.tsv").write_text(rows)
        print(f"{len(rows.splitlines())} mutants in {len(files)} files")
        build = {**os.environ, "CARGO_TARGET_DIR": str(self.target), "RUSTFLAGS": "-Awarnings", "CARGO_PROFILE_DEV_DEBUG": "0",
                 "CARGO_PROFILE_TEST_DEBUG": "0"}
        told = sh("cargo", "test", "--locked", "--no-run", "--message-format=json", cwd=self.repo, env=build,
                  stdout=subprocess.PIPE, text=True).stdout
        found = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
        binaries = {}
        for one in found:
            if one.get("executable") and one["profile"]["test"]:
                kind = "it" if one["target"]["name"] == "it" else "unit" if "lib" in one["target"]["kind"] else None
                if kind:
                    binaries[kind] = one["executable"]
        self.path("binaries.json").write_text(json.dumps(binaries))
        print(binaries)

    def binaries(self):
        return json.loads(self.path("binaries.json").read_text())

    def trace(self, workers, wanted):
        def one(job):
            kind, binary, name, n = job
            trace = self.path(f"trace.{n}")
            trace.unlink(missing_ok=True)
            start = time.monotonic()
            passed = run_tests(binary, self.repo, [name], {**os.environ, "MUT_TRACE": str(trace)}, 90)
            took = time.monotonic() - start
            seen = sorted(set(map(int, trace.read_text().split()))) if trace.exists() else []
            trace.unlink(missing_ok=True)
            return kind, name, took, passed, seen

        jobs = [(kind, binary, name) for kind, binary in self.binaries().items() for name in tests_of(binary)
                if kind == "unit" or not wanted or any(part in name for part in wanted)]
        jobs = [(*job, n) for n, job in enumerate(jobs)]
        with ThreadPoolExecutor(workers) as pool:
            done = list(pool.map(one, jobs))
        self.path("trace.json").write_text(json.dumps([row for row in done if row[3]]))
        print(f"{len(done)} tests", "failed without a mutant:", [row[1] for row in done if not row[3]])

    def mutants(self, workers, budget, start):
        rows = [line.split("\t") for line in self.path("mutants.tsv").read_text().splitlines()]
        results = self.path("results.tsv")
        done = set()
        if results.exists():
            done = {int(line.split("\t")[0]) for line in results.read_text().splitlines()
                    if not line.split("\t")[1].startswith("survived") or float(line.split("\t")[2]) >= budget}
        reached = {}
        for kind, name, took, _, seen in json.loads(self.path("trace.json").read_text()):
            if took <= LONGEST:
                for n in seen:
                    reached.setdefault(n, []).append((took, kind, name))
        binaries = self.binaries()

        def one(row):
            n = int(row[0])
            env = {**os.environ, "MUT": str(n), "RUST_BACKTRACE": "0"}
            tests = sorted(reached.get(n, []))
            if not tests:
                return n, "not reached", budget, ""
            spent, ran = 0.0, 0
            unit = [name for took, kind, name in tests if kind == "unit"]
            if unit and not run_tests(binaries["unit"], self.repo, unit, env, 60):
                return n, "killed", budget, "unit"
            rest = [(took, name) for took, kind, name in tests if kind == "it"]
            while rest and spent < budget:
                batch, cost = [], 0.0
                while rest and len(batch) < 8 and cost < 4:
                    took, name = rest.pop(0)
                    batch.append(name)
                    cost += took
                if not run_tests(binaries["it"], self.repo, batch, env, 3 * cost + 20):
                    return n, "killed", budget, ",".join(batch)[:60]
                spent += cost
                ran += len(batch)
            return n, "survived all" if not rest else f"survived {ran} of {ran + len(rest)}", budget, ""

        todo = [row for row in rows if int(row[0]) >= start and int(row[0]) not in done]
        print(f"{len(todo)} to do", flush=True)
        with ThreadPoolExecutor(workers) as pool, results.open("a") as out:
            for n, what, seconds, by in pool.map(one, todo):
                out.write(f"{n}\t{what}\t{seconds}\t{by}\n")
                out.flush()

    def report(self):
        rows = {line.split("\t")[0]: line.split("\t")[1:] for line in self.path("mutants.tsv").read_text().splitlines()}
        newest = dict(line.split("\t", 1) for line in self.path("results.tsv").read_text().splitlines())
        counts = {}
        for n, told in newest.items():
            what = told.split("\t")[0]
            counts[what.split(" ")[0]] = counts.get(what.split(" ")[0], 0) + 1
            if what != "killed":
                print(n, *rows[n][:3], what, "|", rows[n][3])
        print(counts, f"of {len(rows)}")


def main():
    directory, step, *rest = sys.argv[1:]
    run = Run(directory)
    if step == "gen":
        run.gen(rest)
    elif step == "trace":
        run.trace(int(rest[0]) if rest else 2, rest[1:])
    elif step == "mutants":
        run.mutants(int(rest[0]) if rest else 2, float(rest[1]) if len(rest) > 1 else 25.0, int(rest[2]) if len(rest) > 2 else 0)
    elif step == "report":
        run.report()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
