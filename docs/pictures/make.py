#!/usr/bin/env python3
"""Makes the pictures of the README anew: docs/pictures/make.py BINARY

It makes the repository of `redraft tour`, runs commands in it on a terminal, and draws what they print (terminal.svg); and takes a
picture of `redraft report` in headless Chromium (report.png). It needs `pip install rich pillow`, and Chromium (`apt-get install chromium`).
Look at what it made before you commit it.
"""

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
# The most bytes of a picture.
LARGEST = 150_000
COLUMNS = 104
COMMANDS = ["redraft log --oneline", "redraft blame -L 6,14 weather/fetch.py", "redraft undo {certificates}"]
# As the pictures have it.
HOME = "~/weather"


def lacking():
    """What is not here, in the words of who can bring it."""
    told = []
    for module, package in (("rich", "rich"), ("PIL", "pillow")):
        try:
            __import__(module)
        except ImportError:
            told.append(f"pip install {package}")
    if not browser():
        told.append("apt-get install chromium")
    return told


def browser():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def surroundings():
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "REDRAFT_")) and name != "NO_COLOR"}
    return dict(env, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_PAGER="cat", TERM="xterm-256color", LC_ALL="C.UTF-8")


def on_terminal(words, folder):
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(words, cwd=folder, env=surroundings(), stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    printed = b""
    while True:
        try:
            more = os.read(ours, 1 << 16)
        except OSError:
            break
        if not more:
            break
        printed += more
    os.close(ours)
    if child.wait() != 0:
        sys.exit(f"{words}: {printed.decode(errors='replace')}")
    return printed.decode().replace("\r\n", "\n").replace(folder, HOME)


def draw_terminal(binary, folder, ids):
    from rich import _export_format
    from rich.console import Console
    from rich.text import Text
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for command in COMMANDS:
        line = command.format(**ids)
        if command != COMMANDS[0]:
            console.print()
        console.print(Text("$ " + line, style="bold bright_cyan"))
        printed = on_terminal([binary, *line.split()[1:]], folder).splitlines()
        for text in printed:
            console.print(Text.from_ansi(text), soft_wrap=False, no_wrap=False)
    # Without the fonts that it would fetch from elsewhere.
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", _export_format.CONSOLE_SVG_FORMAT, flags=re.S).replace("Fira Code, ", "")
    svg = console.export_svg(title="redraft", code_format=form, unique_id="terminal")
    return svg.replace(" rich-terminal", " terminal").encode()


def take_report(binary, folder):
    from PIL import Image
    page = os.path.join(folder, "report.html")
    subprocess.run([binary, "report", "-o", page], cwd=folder, env=surroundings(), check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as profile:
        picture = os.path.join(profile, "picture.png")
        subprocess.run([browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1440,1010",
                        f"--user-data-dir={profile}/user", f"--screenshot={picture}", "--virtual-time-budget=3000", "file://" + page],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        made = io.BytesIO()
        Image.open(picture).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def records(binary, folder):
    """The ids of records that the commands name."""
    log = subprocess.run([binary, "log", "--format=%h %s"], cwd=folder, env=surroundings(), check=True, capture_output=True, text=True).stdout
    return {"certificates": next(line.split()[0] for line in log.splitlines() if line.endswith("config/production.toml"))}


def keep(name, picture):
    if len(picture) > LARGEST:
        sys.exit(f"{name} would have {len(picture)} bytes, and may have {LARGEST}")
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(picture)
    print(f"{name}: {len(picture)} bytes")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if lacking():
        sys.exit("lacking: " + "; ".join(lacking()))
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(os.path.realpath(above), "weather")
        subprocess.run([binary, "tour", folder, "--no-pause"], env=surroundings(), check=True, stdout=subprocess.DEVNULL)
        keep("report.png", take_report(binary, folder))
        keep("terminal.svg", draw_terminal(binary, folder, records(binary, folder)))


main()
