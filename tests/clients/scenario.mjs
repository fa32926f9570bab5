// What every TypeScript client does, whatever its version: lists, calls each tool, meets errors, is asked, cancels, reads resources.
// `connect(answer)` gives a client that answers questions as `answer` says ("accept", "decline"), or cannot be asked (null).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export async function scenario(repo, connect) {
  const text = (name) => readFileSync(join(repo, name), "utf8");
  const git = (...words) => execFileSync("git", words, { cwd: repo, encoding: "utf8" });
  writeFileSync(join(repo, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(repo, "secret.txt"), "key\n");
  git("add", ".");
  git("commit", "-qm", "start", "--allow-empty");

  const client = await connect(null);
  const call = async (name, args, options) => await client.callTool({ name, arguments: args }, undefined, options);
  const said = (answer) => answer.content.map((part) => part.text ?? "").join("\n");
  const done = async (name, args) => {
    const answer = await call(name, args);
    assert.ok(!answer.isError, `${name}: ${said(answer)}`);
    assert.equal(typeof answer.structuredContent.text, "string");
    return said(answer);
  };

  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ["edit", "read", "undo", "redo", "log", "diff", "blame", "status"]);

  const edit = { path: "a.txt", old_string: "two", new_string: "TWO" };
  assert.match(await done("edit", edit), /edited a\.txt/);
  assert.equal(text("a.txt"), "one\nTWO\nthree\n");
  assert.equal(await done("read", { path: "a.txt" }), "one\nTWO\nthree\n");
  assert.match(await done("status", {}), /a\.txt/);
  assert.match(await done("log", {}), /edit a\.txt/);
  assert.match(await done("diff", {}), /\+TWO/);
  assert.match(await done("blame", { path: "a.txt" }), /2: /);
  await done("undo", {});
  assert.equal(text("a.txt"), "one\ntwo\nthree\n");
  await done("redo", {});
  assert.equal(text("a.txt"), "one\nTWO\nthree\n");

  // Errors: of the tool (the model reads them), and of the protocol.
  const refused = await call("edit", edit);
  assert.ok(refused.isError && /old_string/.test(said(refused)), said(refused));
  assert.equal(refused.structuredContent.reason, "already_applied");
  await assert.rejects(call("nothing", {}), (error) => error.code === -32602);

  // Nobody can be asked: refused, with the digest that says yes the next time.
  const secret = { path: "secret.txt", old_string: "key", new_string: "KEY" };
  const asked = await call("edit", secret);
  assert.ok(asked.isError, said(asked));
  assert.equal(text("secret.txt"), "key\n");
  await done("edit", { ...secret, confirm: asked.structuredContent.confirm });
  assert.equal(text("secret.txt"), "KEY\n");
  git("checkout", "-q", "secret.txt");

  const { resources } = await client.listResources();
  assert.ok(resources.some((one) => one.uri === "redraft://log"));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 2);
  const log = await client.readResource({ uri: "redraft://log" });
  assert.match(log.contents[0].text, /edit a\.txt/);
  const id = /record ([k-z]{8,})/.exec(await done("edit", { ...edit, old_string: "three", new_string: "3" }))[1];
  assert.match((await client.readResource({ uri: `redraft://record/${id}/diff` })).contents[0].text, /\+3/);
  await assert.rejects(client.readResource({ uri: "redraft://record/zzzzzzzzzzzz" }));

  // A call that waits for the lock, and is cancelled, writes nothing.
  const lock = spawn("flock", [join(repo, ".git/redraft/worktrees/main/lock"), "sleep", "2"]);
  await sleep(300);
  const cancel = new AbortController();
  const waiting = call("edit", { ...edit, old_string: "one", new_string: "1" }, { signal: cancel.signal });
  await sleep(300);
  cancel.abort("not any more");
  await assert.rejects(waiting);
  await new Promise((resolve) => lock.on("exit", resolve));
  await done("status", {});
  assert.equal(text("a.txt"), "one\nTWO\n3\n");
  await client.close();

  for (const [answer, wanted] of [["decline", "key\n"], ["accept", "KEY\n"]]) {
    const person = await connect(answer);
    const result = await person.callTool({ name: "edit", arguments: secret });
    assert.equal(Boolean(result.isError), answer === "decline", said(result));
    assert.equal(text("secret.txt"), wanted);
    await person.close();
  }
}
