// Drives our server with one version of the official client, and prints the outcome of each check.
import { setTimeout as delay } from "node:timers/promises";
import { within } from "./visit.mjs";

/** Thrown by a check that this client version or the agreed revision does not support. */
class Impossible extends Error {}
export const impossible = (why) => {
  throw new Impossible(why);
};

function same(actual, wanted) {
  const [a, w] = [actual, wanted].map((value) => JSON.stringify(value));
  if (a !== w) throw new Error(`got ${a?.slice(0, 200)}, not ${w}`);
}

async function until(found) {
  for (let tries = 0; tries < 100; tries++) {
    const value = await found();
    if (value) return value;
    await delay(50);
  }
  throw new Error("it did not come");
}

async function refused(promise, codes) {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error === undefined) throw new Error("it was accepted");
  if (!codes.includes(error.code)) throw new Error(`code ${error.code}: ${error.message}`);
}

/**
 * Checks of a client.
 * @param peer - `client`, `call(name, args, options)`, `heard` (notifications), `has(feature)`, `listen()`,
 *   `logLevel(level)`
 */
function checksOf(peer) {
  const { client, call, heard } = peer;
  const text = async (...args) => (await call(...args)).content[0].text;
  const since = (revision) => peer.revision >= revision || impossible(`since ${revision}`);
  const before = (revision) => peer.revision < revision || impossible(`until ${revision}`);
  const able = (feature) => peer.has(feature) || impossible(`no ${feature} in this version`);
  return {
    "server info": () => same(client.getServerVersion()?.name, "ours"),
    instructions: () =>
      client.getInstructions
        ? same(client.getInstructions(), "Try them all.")
        : impossible("no getter"),
    capabilities: () =>
      same(
        Object.keys(client.getServerCapabilities())
          .filter((name) => ["prompts", "resources", "tools"].includes(name))
          .toSorted(),
        ["prompts", "resources", "tools"],
      ),
    ping: async () => {
      before("2026-07-28");
      await client.ping();
    },
    "list tools": async () => same((await client.listTools()).tools.length, 18),
    call: async () => same(await text("echo", { value: "héllo ✓ 😀" }), "héllo ✓ 😀"),
    "default of an argument": async () => same(await text("add", { a: 2 }), '{"sum":3}'),
    "structured content": async () => {
      since("2025-06-18");
      same((await call("add", { a: 2, b: 3 })).structuredContent, { sum: 5 });
    },
    "wrong arguments": async () => {
      if (peer.revision >= "2025-11-25") same((await call("add", { a: "two" })).isError, true);
      else await refused(call("add", { a: "two" }), [-32602]);
    },
    "error of a tool": async () => {
      const { isError, content } = await call("fail");
      same([isError, content[0].text], [true, "as asked"]);
    },
    "crash of a tool": async () => {
      const { isError, content } = await call("crash");
      same([isError, content[0].text.includes("secret")], [true, false]);
    },
    "unknown tool": () => refused(call("none"), [-32602]),
    "unknown method": () =>
      refused(peer.request("no/such"), [-32601, "CLIENT_HTTP_NOT_IMPLEMENTED"]),
    image: async () => same((await call("image")).content[0].type, "image"),
    "embedded resource": async () =>
      same((await call("embedded")).content[0].resource.text, "remember"),
    "a megabyte": async () => same((await text("long", { size: 2 ** 20 })).length, 2 ** 20),
    "twenty calls at once": async () => {
      const values = Array.from({ length: 20 }, (_, index) => String(index));
      same(await Promise.all(values.map((value) => text("echo", { value }))), values);
    },
    "list resources": async () => same((await client.listResources()).resources.length, 2),
    "read a text": async () =>
      same((await client.readResource({ uri: "note://1" })).contents[0].text, "remember"),
    "read bytes": async () =>
      same(typeof (await client.readResource({ uri: "pixel://1" })).contents[0].blob, "string"),
    "list templates": async () =>
      same(
        (await client.listResourceTemplates()).resourceTemplates[0].uriTemplate,
        "city://{city}",
      ),
    "read by a template": async () =>
      same(
        (await client.readResource({ uri: "city://rome" })).contents[0].text,
        "the city of rome",
      ),
    "unknown resource": () =>
      refused(client.readResource({ uri: "city://nowhere" }), [-32002, -32602]),
    "list prompts": async () =>
      same((await client.listPrompts()).prompts[0].arguments[0].name, "who"),
    "get a prompt": async () => {
      const got = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
      same(got.messages[0].content, { type: "text", text: "Hello Ada" });
    },
    "prompt without its argument": () =>
      refused(client.getPrompt({ name: "greet", arguments: {} }), [-32602]),
    "complete an argument": async () => {
      const params = {
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "who", value: "Al" },
      };
      same((await client.complete(params)).completion.values, ["Alan"]);
    },
    "complete a variable": async () => {
      const params = {
        ref: { type: "ref/resource", uri: "city://{city}" },
        argument: { name: "city", value: "par" },
      };
      same((await client.complete(params)).completion.values, ["paris", "parma"]);
    },
    progress: async () => {
      const steps = [];
      same(
        (await call("progress", {}, { onprogress: ({ progress }) => steps.push(progress) }))
          .content[0].text,
        "done",
      );
      same(steps, [1, 2, 3]);
    },
    cancellation: async () => {
      const label = `label ${Math.random()}`;
      const leaving = new AbortController();
      const waiting = call("wait", { label }, { signal: leaving.signal });
      waiting.catch(() => {});
      await until(async () => (await text("witness", { label })) === "started");
      leaving.abort();
      await waiting.then(
        () => same("an answer", "a rejection"),
        () => {},
      );
      await until(async () => (await text("witness", { label })) === "aborted");
    },
    logging: async () => {
      await peer.logLevel("error");
      await text("log");
      await until(() => heard.log.length > 0);
      same(heard.log, ["large"]);
    },
    elicitation: async () => {
      since("2025-06-18");
      able("elicitation");
      same(await text("elicit"), "accept Ada");
    },
    sampling: async () => same(await text("sample"), "4"),
    roots: async () => same(await text("roots"), "file:///home/me"),
    "roots change": async () => {
      before("2026-07-28");
      peer.roots.push({ uri: "file:///other" });
      await client.sendRootsListChanged();
      same(await text("roots"), "file:///home/me,file:///other");
    },
    "tools change": async () => {
      await peer.listen();
      await call("change");
      await until(() => heard.tools > 0);
    },
    subscription: async () => {
      await peer.listen();
      await call("touch");
      await until(() => heard.updated.includes("note://1"));
    },
    "end of a subscription": async () => {
      await peer.unlisten();
      heard.updated.length = 0;
      await call("touch");
      await delay(100);
      same(heard.updated, []);
    },
  };
}

/** @param open - `(task) => peer` */
export async function drive(open) {
  const task = JSON.parse(process.argv[2]);
  const checks = {};
  const record = async (name, work, limit = 15_000) => {
    try {
      await within(limit, Promise.resolve().then(work));
      checks[name] = { ok: true };
    } catch (error) {
      const note = String(error?.message ?? error)
        .split("\n")[0]
        .slice(0, 300);
      checks[name] = error instanceof Impossible ? { skipped: note } : { ok: false, note };
    }
  };
  let peer;
  await record(
    "connect",
    async () => {
      peer = await open(task);
      const { content } = await peer.call("revision");
      peer.revision = content[0].text;
    },
    30_000,
  );
  if (checks.connect.ok) {
    for (const [name, check] of Object.entries(checksOf(peer))) await record(name, check);
    await record("close", () => peer.client.close(), 8_000);
  }
  const answer = JSON.stringify({
    revision: peer?.revision,
    checks,
    reported: [...new Set(peer?.reported ?? [])].slice(0, 3),
  });
  process.stdout.write(`${answer}\n`, () => process.exit());
}
