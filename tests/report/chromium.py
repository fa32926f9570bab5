#!/usr/bin/env python3
"""Reads reports in a real browser: chromium.py BINARY [--browser PROGRAM] [--pictures DIR] [--page FILE]...

Makes a repository whose names, messages and texts are hostile, and one with a thousand records, and looks at their reports in
headless Chromium by its own protocol, over a pipe: what is unfolded, found, filtered and printed; keys; themes; that there is no
message on the console; and that nothing of what agents wrote ever runs. With --page, pictures of these pages are taken, too.
Exits with 77 where there is no browser.
"""

import argparse
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
HOSTILE = [
    "</script><script>window.hurt=1</script>",
    "<img src=x onerror=window.hurt=2>",
    "<!--<script>window.hurt=3",
    "]]><svg onload=window.hurt=4>",
    "\"'><a href=javascript:window.hurt=5 autofocus onfocus=window.hurt=6>x</a>",
    "\u202eevil\u2066\u200b \x1b[31mred\x1b]0;title\x07 \u2028\u2029",
    "${window.hurt=7} {{constructor.constructor('window.hurt=8')()}} </style><style>*{display:none}",
]


class Browser:
    """Chromium, by its protocol over a pipe."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", "--disable-extensions", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"]
        # The protocol reads 3 and writes 4.
        script = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(["bash", "-c", script, "bash", *words], pass_fds=(to_read, from_write),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session, self.messages = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def read(self, end):
        while b"\0" not in self.rest:
            is_there, _, _ = select.select([self.source], [], [], max(0, end - time.monotonic()))
            if not is_there:
                sys.exit("the browser does not answer")
            more = os.read(self.source, 1 << 20)
            if not more:
                sys.exit("the browser has ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        end = time.monotonic() + 60
        while True:
            answer = self.read(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        params = event.get("params", {})
        if event.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(str(params["args"]))
        elif event.get("method") == "Runtime.exceptionThrown":
            self.messages.append(str(params["exceptionDetails"]))
        elif event.get("method") == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif event.get("method") == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:", "about:", "blob:")):
            self.messages.append("asked the network for " + params["request"]["url"])

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(expression):
            if time.monotonic() > end:
                sys.exit(f"never true: {expression}")
            time.sleep(0.05)

    def open(self, path):
        self.run("try { localStorage.clear() } catch {}")
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("location.href.startsWith('file:') && document.readyState === 'complete'")

    def key(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": text or key} if kind == "keyDown" and len(key) == 1 else {}),
                      **({"windowsVirtualKeyCode": 27} if key == "Escape" else {}))

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=20)

    def kill(self):
        """Ends it, and those that it started, where it was not closed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)


class Repo:
    """A repository that records what is done to it."""

    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        os.makedirs(root)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Test User")
        self.git("config", "user.email", "user@example.com")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, check=True, timeout=60)

    def redraft(self, *words, stdin=""):
        run = subprocess.run([self.binary, *words], cwd=self.root, input=stdin.encode(), capture_output=True, timeout=120)
        if run.returncode:
            sys.exit(f"{words}: {run.stdout.decode()} {run.stderr.decode()}")
        return run.stdout

    def write(self, path, data):
        with open(os.path.join(os.fsencode(self.root), path), "wb") as file:
            file.write(data)

    def apply(self, request):
        return json.loads(self.redraft("apply", stdin=json.dumps(request)))["data"]["record"]["id"]

    def report(self, *words):
        path = self.root + ".html"
        with open(path, "wb") as file:
            file.write(self.redraft("report", *words))
        return path


def hostile(binary, folder):
    """A repository in which everything that an agent may write is hostile."""
    repo = Repo(binary, os.path.join(folder, "<b>hostile&"))
    names = [f"<img src=x onerror=window.hurt={n}>{n}.txt".encode() for n in range(3)] + [b"latin-\xe9.txt", b"a.txt"]
    for name in names:
        repo.write(name, b"one\ntwo\nthree\n")
    repo.write(b"a.txt", b"one\ntwo words stand here\nthree\n")
    repo.write(b"crlf.txt", b"one\r\ntwo\r\nthree\r\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "<script>window.hurt=9</script>")
    repo.git("checkout", "-q", "-b", "<svg/onload=window.hurt=10>")
    repo.git("config", "remote.origin.url", "https://github.com/o/\"><script>window.hurt=11</script>")
    for n, text in enumerate(HOSTILE):
        agent = {"name": text, "model": text, "session": text, "turn": text, "subagent": text, "call_id": text}
        path = f"<img src=x onerror=window.hurt={n % 3}>{n % 3}.txt"
        old = "two" if n < 3 else HOSTILE[n - 3].replace("\n", " ")
        repo.apply({"path": path, "edits": [{"old_string": old, "new_string": text}], "message": text + "\n\n" + text, "agent": agent})
    kept = repo.apply({"path": "a.txt", "edits": [{"old_string": "two words", "new_string": "twofold words"}], "agent": {"name": "tame", "session": "s", "turn": "t"}})
    repo.apply({"path": "crlf.txt", "edits": [{"old_string": "two", "new_string": "2"}], "agent": {"name": "tame", "session": "s", "turn": "t"}})
    repo.redraft("undo", kept)
    repo.redraft("run", "--agent", HOSTILE[1], "--", "sh", "-c", "printf 'a\\0b' > bin; printf '\\0' >> a.txt; for f in latin-*; do echo x >> \"$f\"; done; : '" + HOSTILE[0].replace("'", "") + "'")
    return repo


def large(binary, folder, count=1000):
    """A thousand edits of a hundred files by four agents."""
    repo = Repo(binary, os.path.join(folder, "large"))
    texts = {}
    for n in range(100):
        path = f"src/part{n % 10}/file{n}.rs"
        os.makedirs(os.path.join(repo.root, os.path.dirname(path)), exist_ok=True)
        texts[path] = "".join(f"pub fn step_{n}_{line}(input: &str) -> usize {{ input.len() + {line} }}\n" for line in range(60))
        repo.write(path.encode(), texts[path].encode())
    repo.git("add", ".")
    repo.git("commit", "-qm", "start")
    requests = []
    for n in range(count):
        path = list(texts)[n * 37 % 100]
        line = f"pub fn step_{n * 37 % 100}_{n // 100 * 5}(input: &str) -> usize {{ input.len() + {n // 100 * 5} }}"
        new = line.replace("input.len()", f"input.trim().len() * {n}") + f"\n// what agent {n % 4} has to say of step {n}, and why"
        requests.append({"path": path, "edits": [{"old_string": line, "new_string": new}], "message": f"Trim what step {n} is given",
                         "agent": {"name": f"agent-{n % 4}", "session": f"session-{n // 50}", "turn": f"turn-{n // 10}"}})
    for request in requests:
        repo.apply(request)
    return repo


def many(binary, folder, count=170):
    """More files than the map has fields for, made at once."""
    repo = Repo(binary, os.path.join(folder, "many"))
    repo.redraft("run", "--agent", "busy", "--", "sh", "-c", f"for n in $(seq {count}); do seq $n > file$n.txt; done")
    return repo


def check(what, is_so, more=""):
    if not is_so:
        sys.exit(f"FAIL {what} {more}")
    print("ok  ", what)


def look_at_hostile(browser, page, pictures):
    browser.open(page)
    records = browser.run("document.querySelectorAll('.r').length")
    check("every record is on the page", records == len(HOSTILE) + 4, records)
    browser.run("document.getElementById('unfold').click()")
    browser.wait("document.querySelectorAll('.r .diff').length >= 10")
    text = browser.run("document.body.innerText")
    for hostile in HOSTILE[:5]:
        check("it is shown as it was written: " + hostile[:30], hostile in text)
    check("what changes the direction of writing is made visible", "\u202e" not in text and "<202e>evil" in text)
    check("escapes of terminals are made visible", "\x1b" not in text and "^[[31m" in text)
    check("a file that is no text is said to be none", "no text (binary)" in text)
    check("line endings of Windows are seen", "two\u240d" in text)
    check("a name that is not UTF-8 is shown", "latin-\ufffd.txt" in text)
    check("what was undone is said to be", browser.run("document.querySelectorAll('.mark.undone').length") > 0)
    check("no element was made of a text", browser.run(
        "document.querySelectorAll('main img, main script, main style, main svg [onload], main a[href^=javascript], main [onfocus]').length") == 0)
    check("words are marked", browser.run("[...document.querySelectorAll('.plus mark')].some(m => m.textContent.includes('fold'))"))
    for word, least in (("window.hurt=2", 1), ("twofold", 1), ("no-such-word-anywhere", 0)):
        browser.run(f"document.getElementById('q').value = {json.dumps(word)}; document.getElementById('q').dispatchEvent(new Event('input'))")
        want = "> 0 && document.querySelectorAll('.r[hidden]').length > 0" if least else "=== 0"
        browser.wait("document.querySelectorAll('.r:not([hidden])').length " + want)
    check("what is searched is found", True)
    browser.run("document.getElementById('clear').click()")
    browser.wait("document.querySelectorAll('.r[hidden]').length === 0")
    # What would run has run once two pictures were drawn.
    browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    check("nothing of what agents wrote ran", browser.run("typeof window.hurt") == "undefined")
    check("the console is empty", not browser.messages, browser.messages)
    refused = browser.run("""new Promise((done) => {
        document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective), { once: true });
        const script = document.createElement('script');
        try { script.textContent = 'window.hurt = 12'; document.body.append(script); } catch { done('trusted types'); }
        setTimeout(() => done('nothing'), 1000);
    })""")
    check("a script that is put in is refused", refused != "nothing" and browser.run("typeof window.hurt") == "undefined", refused)
    browser.messages.clear()
    browser.size(1280, 900)
    if pictures:
        browser.run("document.getElementById('records').scrollIntoView()")
        browser.picture(os.path.join(pictures, "hostile.png"))


def focused(browser):
    return browser.run("document.activeElement.closest('.r')?.dataset.n ?? ''")


def look_at_keys(browser, page):
    browser.open(page)
    seen = []
    for key in "jjjk":
        browser.key(key)
        seen.append(focused(browser))
    order = browser.run("[...document.querySelectorAll('.r')].slice(0, 3).map(r => r.dataset.n)")
    check("j and k go from record to record", seen == [order[0], order[1], order[2], order[1]], seen)
    browser.key("e")
    check("e unfolds all", browser.run("document.querySelectorAll('.r:not([open])').length") == 0)
    browser.key("s")
    browser.wait("document.querySelectorAll('.diff .side').length > 0")
    check("s puts both sides beside each other", browser.run("document.getElementById('split').getAttribute('aria-pressed')") == "true")
    browser.key("s")
    browser.wait("document.querySelectorAll('.diff .side').length === 0")
    browser.key("c")
    check("c folds all", browser.run("document.querySelectorAll('.r[open]').length") == 0)
    browser.key("?")
    check("? shows the keys", browser.run("document.getElementById('help').open"))
    browser.run("document.getElementById('close').click()")
    browser.key("/")
    check("/ goes to the search", browser.run("document.activeElement.id") == "q")
    browser.key("Escape")
    check("Escape leaves it", browser.run("document.activeElement.id") == "")
    themes = []
    for _ in range(3):
        browser.key("t")
        themes.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    check("t switches the theme", themes[0] != themes[1], themes)
    browser.run("document.getElementById('agent').selectedIndex = 1; document.getElementById('agent').dispatchEvent(new Event('change'))")
    agents = browser.run("[...new Set([...document.querySelectorAll('.r:not([hidden])')].map(r => r.dataset.a))]")
    check("only one agent is shown where that is asked for", agents == ["0"], agents)
    browser.run("document.getElementById('clear').click()")
    rows = browser.run("document.querySelector('.timeline [data-r]').dispatchEvent(new MouseEvent('click', {bubbles: true})), document.querySelectorAll('.r[open]').length")
    check("the timeline leads to a record", rows == 1, rows)
    # As is what a filter hides, which cannot be focused before it is shown.
    hide = "document.getElementById('state').value = 'undone'; document.getElementById('state').dispatchEvent(new Event('change'))"
    browser.run(hide)
    hidden = browser.run("document.querySelector('.r[hidden]').id")
    browser.run("document.querySelectorAll('.r').forEach(r => r.open = false)")
    browser.run(f"document.querySelector('.timeline [data-r]').dataset.r = {json.dumps(hidden[2:])}; "
                "document.querySelector('.timeline [data-r]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.wait(f"document.activeElement.closest('.r')?.id === {json.dumps(hidden)}")
    top = browser.run(f"document.getElementById({json.dumps(hidden)}).getBoundingClientRect().top")
    height = browser.run("innerHeight")
    check("a record that a filter hides is shown, unfolded, focused and seen", 0 <= top < height and browser.run("document.querySelectorAll('.r[open]').length") == 1, (top, height))
    browser.run(hide)
    browser.run(f"location.hash = {json.dumps(hidden)}")
    browser.wait(f"document.activeElement.closest('.r')?.id === {json.dumps(hidden)}")
    check("and where its address is followed", True)
    browser.run("dispatchEvent(new Event('beforeprint'))")
    check("all is unfolded to be printed", browser.run("document.querySelectorAll('details:not([open])').length") == 0)
    browser.run("dispatchEvent(new Event('afterprint'))")
    check("and folded again", browser.run("document.querySelectorAll('.r[open]').length") == 1)
    heads = browser.run("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))")
    check("no level of headings is left out", heads[0] == 1 and all(b <= a + 1 for a, b in zip(heads, heads[1:])), heads)
    unnamed = browser.run("[...document.querySelectorAll('button, input, select, [role=region], nav, svg[role=img]')].filter(e => "
                          "!(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length")
    check("every control has a name", unnamed == 0, unnamed)
    check("the console is empty", not browser.messages, browser.messages)


def look_at_large(browser, page, pictures):
    size = os.path.getsize(page)
    check("a thousand records have less than 1 MB", size < 1_000_000, size)
    start = time.monotonic()
    browser.open(page)
    took = time.monotonic() - start
    print(f"      {size} bytes, open after {took:.2f} s")
    browser.run("document.getElementById('q').value = 'agent 3 has to say of step 999,'; document.getElementById('q').dispatchEvent(new Event('input'))")
    browser.wait("document.querySelectorAll('.r:not([hidden])').length === 1")
    check("the text of a packed diff is found", True)
    browser.run("document.querySelector('.r:not([hidden])').open = true")
    browser.wait("document.querySelector('.r:not([hidden]) .diff')?.innerText.includes('of step 999')")
    check("a packed diff is unfolded", True)
    browser.run("document.getElementById('clear').click()")
    browser.wait("document.querySelectorAll('.r[hidden]').length === 0")
    check("the console is empty", not browser.messages, browser.messages)
    if pictures:
        look(browser, page, os.path.join(pictures, "large"))


def look_at_many(browser, page):
    browser.open(page)
    more = browser.run("[...document.querySelectorAll('.map rect')].filter(r => r.textContent.includes(' more, ')).length")
    check("files without a field of their own have one together", more == 1, more)
    browser.run("[...document.querySelectorAll('.map rect')].find(r => r.textContent.includes(' more, ')).dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.run("new Promise((done) => setTimeout(done))")
    found = browser.run("[document.getElementById('q').value, document.querySelectorAll('.r:not([hidden])').length]")
    check("which nothing is searched for by", found == ["", 1], found)
    field = "document.querySelector('.map rect[data-q]')"
    browser.run(field + ".dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.wait("document.getElementById('q').value === " + field + ".dataset.q")
    check("the field of a file is searched for", browser.run("document.querySelectorAll('.r:not([hidden])').length") == 1)
    check("the console is empty", not browser.messages, browser.messages)


def look(browser, page, name):
    """Pictures of a page: light, dark, unfolded, side by side, narrow."""
    browser.size(1440, 1000)
    for theme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.open(page)
        browser.run("scrollTo(0, 0)")
        browser.picture(f"{name}-{theme}-top.png")
        browser.run("scrollTo(0, document.querySelector('.two').offsetTop - 20)")
        browser.picture(f"{name}-{theme}-map.png")
        browser.run("[...document.querySelectorAll('.r')].slice(0, 3).forEach(r => r.open = true); document.getElementById('bar').scrollIntoView()")
        browser.wait("document.querySelectorAll('.r .diff').length > 0")
        browser.picture(f"{name}-{theme}-records.png")
    browser.run("document.getElementById('split').click(); scrollBy(0, 300)")
    browser.wait("document.querySelectorAll('.diff .side').length > 0")
    browser.picture(f"{name}-split.png")
    browser.run("document.getElementById('keys').click()")
    browser.picture(f"{name}-keys.png")
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    browser.size(420, 900)
    browser.open(page)
    browser.picture(f"{name}-narrow.png")
    browser.size(1440, 1000)


def print_page(browser, page, name):
    browser.open(page)
    data = browser.call("Page.printToPDF", printBackground=True)["data"]
    with open(f"{name}.pdf", "wb") as file:
        file.write(base64.b64decode(data))


def look_at_all(browser, binary, folder, args):
    if not args.only_pages:
        page = hostile(binary, folder).report()
        look_at_hostile(browser, page, args.pictures)
        look_at_keys(browser, page)
        look_at_large(browser, large(binary, folder).report(), args.pictures)
        look_at_many(browser, many(binary, folder).report())
    for page in args.page:
        name = os.path.join(args.pictures or ".", os.path.splitext(os.path.basename(page))[0])
        look(browser, page, name)
        print_page(browser, page, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--browser")
    parser.add_argument("--pictures")
    parser.add_argument("--page", action="append", default=[])
    parser.add_argument("--only-pages", action="store_true")
    args = parser.parse_args()
    program = args.browser or next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if not program:
        print("there is no browser: " + ", ".join(BROWSERS))
        sys.exit(77)
    if args.pictures:
        os.makedirs(args.pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.abspath(args.binary)
        browser = Browser(program, os.path.join(folder, "profile"))
        try:
            look_at_all(browser, binary, folder, args)
            browser.close()
        finally:
            browser.kill()
    print("PASS")


main()
