"use strict";
// What a report does when it is read: diffs are put in when a record is unfolded; search, filters, keys, theme, print.
// Texts of others go in as text only (textContent, createTextNode); no markup is ever made of one.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const stored = (key, value) => {
    try {
      if (value === undefined) return localStorage.getItem(key);
      localStorage.setItem(key, value);
    } catch { /* a browser may forbid it for files */ }
    return null;
  };

  // The theme: that of the system, unless another one is wanted.
  const themes = ["system", "light", "dark"];
  let theme = themes.includes(stored("redraft-theme")) ? stored("redraft-theme") : "system";
  const showTheme = () => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    $("theme").textContent = "Theme: " + theme;
  };
  const nextTheme = () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    stored("redraft-theme", theme);
    showTheme();
  };
  $("theme").hidden = $("keys").hidden = false;
  $("theme").addEventListener("click", nextTheme);
  showTheme();

  const help = $("help");
  const showHelp = () => { if (!help.open) help.showModal(); };
  $("keys").addEventListener("click", showHelp);
  $("close").addEventListener("click", () => help.close());
  if (!$("bar")) return;
  $("bar").hidden = false;

  // The data of the records: JSON, or a zlib stream of it that the browser unpacks.
  let data = null;
  const source = $("data");
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(source.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const isPacked = source.type === "application/zlib";
  const loaded = (isPacked ? unpack() : Promise.resolve(JSON.parse(source.textContent)))
    .then((found) => { data = found; }, () => { data = { bases: [], records: [] }; $("found").textContent = "this browser cannot unpack the diffs"; });

  const records = all(".r");
  let isSplit = stored("redraft-split") === "yes";

  // A unified diff as rows: [sign, old number, new number, text].
  const parse = (text) => {
    const rows = [];
    let [oldLine, newLine] = [0, 0];
    for (const line of text.split("\n")) {
      const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (head) {
        oldLine = Number(head[1]);
        newLine = Number(head[2]);
        rows.push(["@", "", "", line]);
      } else if (line.startsWith("-")) rows.push(["-", oldLine++, "", line.slice(1)]);
      else if (line.startsWith("+")) rows.push(["+", "", newLine++, line.slice(1)]);
      else if (line.startsWith("\\")) rows.push(["\\", "", "", line.slice(2)]);
      else if (line.startsWith(" ")) rows.push([" ", oldLine++, newLine++, line.slice(1)]);
    }
    return rows;
  };

  const MOST_TOKENS = 400;
  const tokens = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];
  // Which tokens of two lines are in both, in order; none where the lines have little in common.
  const common = (a, b) => {
    if (a.length > MOST_TOKENS || b.length > MOST_TOKENS) return null;
    const width = b.length + 1;
    const best = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1
          : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
      }
    }
    const [inA, inB] = [new Set(), new Set()];
    let [i, j, letters] = [0, 0, 0];
    while (i < a.length && j < b.length) {
      if (a[i] === b[j]) {
        letters += a[i].trim().length;
        inA.add(i++);
        inB.add(j++);
      } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++;
      else j++;
    }
    const length = (list) => list.reduce((sum, token) => sum + token.trim().length, 0);
    return letters * 10 >= 3 * Math.max(length(a), length(b)) ? [inA, inB] : null;
  };
  const marked = (list, kept) => {
    const cell = make("td", "x");
    let [run, isMarked] = ["", false];
    const flush = () => {
      if (run) cell.append(isMarked ? make("mark", "", run) : document.createTextNode(run));
      run = "";
    };
    list.forEach((token, n) => {
      const is = !kept.has(n);
      if (is !== isMarked) flush();
      isMarked = is;
      run += token;
    });
    flush();
    return cell;
  };
  // The cells of removed and added lines that stand for each other, with their words marked.
  const cells = (removed, added) => {
    const plain = (row) => make("td", "x", row[3]);
    const out = [removed.map(plain), added.map(plain)];
    for (let n = 0; n < Math.min(removed.length, added.length); n++) {
      const [a, b] = [tokens(removed[n][3]), tokens(added[n][3])];
      const kept = common(a, b);
      if (kept) [out[0][n], out[1][n]] = [marked(a, kept[0]), marked(b, kept[1])];
    }
    return out;
  };
  const number = (text) => make("td", "n", String(text));
  const sign = (text) => make("td", "s", text);
  const row = (className, ...parts) => {
    const element = make("tr", className);
    element.append(...parts);
    return element;
  };
  const wide = (className, text, span) => {
    const cell = make("td", "", text);
    cell.colSpan = span;
    return row(className, cell);
  };
  const oneBelow = (removed, added, body) => {
    const [old, now] = cells(removed, added);
    removed.forEach((line, n) => body.append(row("minus", number(line[1]), number(""), sign("−"), old[n])));
    added.forEach((line, n) => body.append(row("plus", number(""), number(line[2]), sign("+"), now[n])));
  };
  const classed = (cell, className) => {
    cell.classList.add(className);
    return cell;
  };
  const beside = (removed, added, body) => {
    const [old, now] = cells(removed, added);
    for (let n = 0; n < Math.max(removed.length, added.length); n++) {
      const side = (line, cell, at, mark, name) => line
        ? [classed(number(line[at]), name), classed(sign(mark), name), classed(cell, name)]
        : [make("td", "n void"), make("td", "s void"), make("td", "x void")];
      body.append(row("side", ...side(removed[n], old[n], 1, "−", "minus"), ...side(added[n], now[n], 2, "+", "plus")));
    }
  };
  const drawn = (text, name) => {
    const holder = make("div", "diff");
    const table = make("table");
    table.append(make("caption", "vh", "Diff of " + name));
    const body = make("tbody");
    const span = isSplit ? 6 : 4;
    const put = isSplit ? beside : oneBelow;
    let [removed, added, ends] = [[], [], []];
    const flush = () => {
      if (removed.length || added.length) put(removed, added, body);
      ends.forEach((end) => body.append(wide("e", end, span)));
      [removed, added, ends] = [[], [], []];
    };
    for (const line of parse(text)) {
      if (line[0] === "-") {
        if (added.length) flush();
        removed.push(line);
      } else if (line[0] === "+") added.push(line);
      else if (line[0] === "\\") ends.push(line[3]);
      else {
        flush();
        if (line[0] === "@") body.append(wide("h", line[3], span));
        else if (isSplit) {
          body.append(row("side", number(line[1]), sign(""), make("td", "x", line[3]), number(line[2]), sign(""), make("td", "x", line[3])));
        } else body.append(row("", number(line[1]), number(line[2]), sign(""), make("td", "x", line[3])));
      }
    }
    flush();
    table.append(body);
    holder.append(table);
    return holder;
  };

  // What is known of every record, above what is told of this one.
  const tellFacts = (record, own) => {
    let facts = record.querySelector(".facts");
    if (!facts) {
      facts = make("dl", "facts");
      record.querySelector(".b").prepend(facts);
    }
    const base = data.bases[own.base];
    let commit = null;
    if (base) {
      commit = make("code", "", base.id.slice(0, 10));
      if (base.address) {
        const link = make("a");
        link.rel = "noopener noreferrer";
        link.href = base.address;
        link.append(commit);
        commit = link;
      }
    }
    const told = [["Agent", own.who], ["Date", own.when], ["Record", make("code", "", own.id)], ["Base", commit]];
    for (const [name, value] of told.reverse()) {
      if (!value) continue;
      const cell = make("dd");
      cell.append(value);
      facts.prepend(make("dt", "", name), cell);
    }
  };
  const of = (record) => (data && data.records[Number(record.dataset.n)]) || { diffs: [] };

  const draw = (record) => {
    if (!data) {
      loaded.then(() => record.open && draw(record));
      return;
    }
    const form = isSplit ? "split" : "unified";
    if (record.dataset.drawn === form) return;
    const own = of(record);
    if (!record.dataset.drawn && own.id) tellFacts(record, own);
    all(".f", record).forEach((file, n) => {
      all(".diff", file).forEach((old) => old.remove());
      const name = file.querySelector(".path").textContent;
      if (typeof own.diffs[n] === "string") file.querySelector(".p").after(drawn(own.diffs[n], name));
    });
    record.dataset.drawn = form;
    highlight();
  };
  records.forEach((record) => record.addEventListener("toggle", () => { if (record.open) draw(record); }));

  const setSplit = (wanted) => {
    isSplit = wanted;
    stored("redraft-split", wanted ? "yes" : "no");
    $("split").setAttribute("aria-pressed", String(wanted));
    records.filter((record) => record.open).forEach(draw);
  };
  $("split").addEventListener("click", () => setSplit(!isSplit));
  $("split").setAttribute("aria-pressed", String(isSplit));
  const shown = () => records.filter((record) => !record.hidden);
  const setAll = (open) => shown().forEach((record) => { record.open = open; });
  $("unfold").addEventListener("click", () => setAll(true));
  $("fold").addEventListener("click", () => setAll(false));

  // Search and filters: a record is shown if it fits all of them.
  let words = [];
  const texts = new Map();
  const textOf = (record) => {
    const known = texts.get(record);
    if (known !== undefined) return known;
    const session = record.closest(".session").querySelector("h2").textContent;
    const turn = record.closest(".turn").querySelector(":scope > h3");
    const own = of(record);
    const ownTexts = all("summary, .facts, .m, .p", record).map((part) => part.textContent);
    const text = [session, turn ? turn.textContent : "", ...ownTexts, own.id, own.who, ...own.diffs.filter(Boolean)].join("\n").toLowerCase();
    if (data) texts.set(record, text);
    return text;
  };
  const highlight = () => {
    if (!window.CSS || !CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!words.length) return;
    const ranges = [];
    for (const record of shown()) {
      const walker = document.createTreeWalker(record, NodeFilter.SHOW_TEXT);
      while (ranges.length < 2000 && walker.nextNode()) {
        const node = walker.currentNode;
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue;
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };
  const counted = (n) => n.toLocaleString("en") + (n === 1 ? " record" : " records");
  const filter = () => {
    words = $("q").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [agent, state] = [$("agent").value, $("state").value];
    let fitting = 0;
    for (const record of records) {
      const fits = (!agent || record.dataset.a === agent)
        && (!state || (record.dataset.s || "force open").split(" ").includes(state))
        && words.every((word) => textOf(record).includes(word));
      record.hidden = !fits;
      fitting += fits ? 1 : 0;
    }
    all(".turn").forEach((turn) => { turn.hidden = !turn.querySelector(".r:not([hidden])"); });
    all(".session").forEach((session) => { session.hidden = !session.querySelector(".turn:not([hidden])"); });
    all("nav a").forEach((link) => {
      const place = document.querySelector(link.getAttribute("href"));
      link.parentElement.hidden = !place || place.hidden;
    });
    $("nothing").hidden = fitting > 0;
    $("found").textContent = fitting === records.length ? counted(fitting) : fitting.toLocaleString("en") + " of " + counted(records.length);
    highlight();
  };
  const search = (text) => {
    $("q").value = text;
    return loaded.then(filter);
  };
  let timer = 0;
  $("q").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => loaded.then(filter), 120);
  });
  $("agent").addEventListener("change", filter);
  $("state").addEventListener("change", filter);
  const clear = () => {
    $("agent").value = $("state").value = "";
    return search("");
  };
  $("clear").addEventListener("click", clear);

  // The pictures and the list of files lead to records. Nothing that is hidden can be focused: all are shown before.
  const goTo = (record) => {
    if (!record) return;
    const go = () => {
      record.open = true;
      record.querySelector("summary").focus({ preventScroll: true });
      record.scrollIntoView({ block: "start" });
    };
    if (record.hidden) clear().then(go);
    else go();
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-r], [data-q]") : null;
    if (!target) return;
    if (target.dataset.r) goTo($("r-" + target.dataset.r));
    else {
      search(target.dataset.q || target.textContent);
      $("bar").scrollIntoView({ block: "start" });
    }
  });
  const followHash = () => {
    const place = location.hash.startsWith("#r-") ? $(location.hash.slice(1)) : null;
    if (place) goTo(place);
  };
  addEventListener("hashchange", followHash);
  followHash();

  // Keys.
  let current = -1;
  const step = (list, by) => {
    if (!list.length) return null;
    const focused = document.activeElement ? document.activeElement.closest(".r") : null;
    const from = focused ? list.indexOf(focused) : -1;
    const at = from >= 0 ? from + by : Math.max(0, Math.min(list.length - 1, current + by));
    current = Math.max(0, Math.min(list.length - 1, at));
    return list[current];
  };
  const goToRecord = (by) => {
    const record = step(shown(), by);
    if (!record) return;
    const summary = record.querySelector("summary");
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: "nearest" });
    const [box, bar] = [summary.getBoundingClientRect(), $("bar").getBoundingClientRect()];
    if (box.top < bar.bottom && bar.top <= 0) scrollBy(0, box.top - bar.bottom - 8);
  };
  const goToSession = (by) => {
    const list = all(".session").filter((session) => !session.hidden);
    const line = $("bar").getBoundingClientRect().height + 24;
    const tops = list.map((session) => session.getBoundingClientRect().top);
    const at = by > 0 ? tops.findIndex((top) => top > line) : tops.findLastIndex((top) => top < line - 40);
    const session = list[at];
    if (!session) return;
    session.scrollIntoView({ block: "start" });
    const first = all(".r", session).find((record) => !record.hidden);
    if (first) first.querySelector("summary").focus({ preventScroll: true });
  };
  const keys = {
    j: () => goToRecord(1), k: () => goToRecord(-1), n: () => goToSession(1), p: () => goToSession(-1),
    e: () => setAll(true), c: () => setAll(false), s: () => setSplit(!isSplit), t: nextTheme, "?": showHelp,
    "/": () => { $("q").focus(); $("q").select(); },
  };
  addEventListener("keydown", (event) => {
    const isField = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key === "Escape" && !help.open && (isField || words.length)) {
      search("");
      if (document.activeElement) document.activeElement.blur();
      return;
    }
    if (isField || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act) return;
    event.preventDefault();
    act();
  });

  // What is printed is unfolded; what was folded is folded again.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((details) => { details.open = true; });
    records.forEach(draw);
  });
  addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));
})();
