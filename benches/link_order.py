#!/usr/bin/env python3
"""Writes benches/link_order.txt: the functions that a small edit calls, by the names that the linker knows them by.

usage: REDRAFT_LINK_ORDER=none REDRAFT_LINK_MAP=/tmp/map cargo build --release
       link_order.py target/release/redraft /tmp/map

`build.rs` has the linker put them beside each other. They are a tenth of the program and stood all over it, so that an edit of two
milliseconds met a hundred page faults for them. Names that another compiler makes otherwise are passed over, and cost nothing:
then the program is as it was. Needs valgrind, git and Python.
"""
import bisect
import json
import os
import re
import subprocess
import sys
import tempfile

TEXT = "".join(f"line {n} of a small file\n" for n in range(40))
EDITS = [{"old_string": f"line {n} of", "new_string": f"line {n} in"} for n in (3, 17)]


def functions(map_file: str) -> list[tuple[int, int, str]]:
    """Start, end and name of each function, by the linker's map."""
    found = []
    with open(map_file, encoding="utf-8") as lines:
        inside, symbol = (next_line := next(lines)).index("In "), next_line.index("Symbol")
        for line in lines:
            numbers, name = line[:inside].split(), line[inside:].strip()
            if len(numbers) != 4 or not name:
                continue
            start, size = int(numbers[0], 16), int(numbers[2], 16)
            section = re.search(r":\(\.text\.(_[ZR]\w.*)\)$", name)
            # What is of Rust has a section of its own, with its name as the linker has it; what is of C has not.
            if section and not line[symbol - 1 :].startswith("  "):
                found.append((start, start + size, section[1]))
            elif line[inside:symbol].isspace() and re.fullmatch(r"[A-Za-z_]\w*", name):
                found.append((start, start + size, name))
    return sorted(entry for entry in found if entry[0] < entry[1])


def called(binary: str, folder: str, arguments: list[str], request: str) -> set[int]:
    """The addresses of one run."""
    out = os.path.join(folder, "..", "calls")
    tool = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", f"--callgrind-out-file={out}"]
    subprocess.run([*tool, binary, *arguments], cwd=folder, input=request.encode(), capture_output=True, check=True)
    with open(out, encoding="utf-8") as lines:
        return {int(at, 16) for at in re.findall(r"^(0x[0-9a-f]+) ", lines.read(), re.MULTILINE)}


def main() -> int:
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as top:
        tree = os.path.join(top, "tree")
        os.makedirs(os.path.join(tree, "src"))
        with open(os.path.join(tree, "src", "a.txt"), "w", encoding="utf-8") as file:
            file.write(TEXT)
        git = ["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            subprocess.run([*git, *arguments], check=True)
        there = {"path": "src/a.txt", "edits": EDITS}
        back = {"path": "src/a.txt", "edits": [{"old_string": e["new_string"], "new_string": e["old_string"]} for e in EDITS]}
        addresses: set[int] = set()
        for arguments, request in (
            (["apply"], there),
            (["apply"], back),
            (["check"], there),
            (["apply"], there),
        ):
            addresses |= called(binary, tree, arguments, json.dumps(request))
    known = functions(sys.argv[2])
    starts = [start for start, _, _ in known]
    names = set()
    for address in addresses:
        at = bisect.bisect_right(starts, address) - 1
        if at >= 0 and address < known[at][1]:
            names.add(known[at][2])
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "link_order.txt")
    with open(place, "w", encoding="utf-8") as file:
        file.writelines(f"{name}\n" for name in sorted(names))
    print(f"{len(names)} functions in {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
