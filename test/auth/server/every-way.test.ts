import { createHttpHandler, McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { describe, expect, it, onTestFinished } from "vitest";
import { RawClient, REVISIONS } from "./raw-client.js";

type Params = Readonly<Record<string, unknown>>;

const NEWEST = "2026-07-28";
const WITH_TASKS = "2025-11-25";
const rules = {
  scopes: { scopes: ["w"] },
  visible: { visible: ({ auth }: { auth?: { scopes: readonly string[] } }) => isW(auth) },
  "scopes, hidden": { scopes: ["w"] },
};

function isW(auth: { scopes: readonly string[] } | undefined): boolean {
  return auth?.scopes.includes("w") ?? false;
}

const completion = (ref: object, name: string): Params => ({ ref, argument: { name, value: "" } });
const listen = (uri: string): Params => ({ notifications: { resourceSubscriptions: [uri] } });

/** Every request that reaches something registered, with the revisions that support it. */
const ways: readonly (readonly [string, string, Params, (revision: string) => boolean])[] = [
  ["a call", "tools/call", { name: "kept", arguments: {} }, () => true],
  [
    "a task",
    "tools/call",
    { name: "kept", arguments: {}, task: {} },
    (revision) => revision === WITH_TASKS,
  ],
  ["a prompt", "prompts/get", { name: "kept", arguments: { x: "1" } }, () => true],
  ["a resource", "resources/read", { uri: "notes://kept/one" }, () => true],
  ["a URI of a template", "resources/read", { uri: "vault://one" }, () => true],
  [
    "a completion of a prompt",
    "completion/complete",
    completion({ type: "ref/prompt", name: "kept" }, "x"),
    () => true,
  ],
  [
    "a completion of a template",
    "completion/complete",
    completion({ type: "ref/resource", uri: "vault://{id}" }, "id"),
    () => true,
  ],
  [
    "a completion of a URI of a template",
    "completion/complete",
    completion({ type: "ref/resource", uri: "vault://one" }, "id"),
    () => true,
  ],
  ...["notes://kept/one", "vault://one", "notes://kept"].flatMap(
    (uri) =>
      [
        [`a subscription to ${uri}`, "resources/subscribe", { uri }, isSession],
        [
          `a subscription to ${uri}`,
          "subscriptions/listen",
          listen(uri),
          (revision: string) => !isSession(revision),
        ],
      ] as const,
  ),
];

function isSession(revision: string): boolean {
  return revision !== NEWEST;
}

function served(rule: object, hideForbidden: boolean) {
  const ran: string[] = [];
  const server = new McpServer(
    { name: "guarded", version: "1" },
    {
      hideForbidden,
      extensions: [serverTasks()],
      freshness: { "resources/read": { ttlMs: 1000, cacheScope: "public" } },
    },
  );
  const run = (what: string) => {
    ran.push(what);
    return "secret";
  };
  server.registerTool("kept", { ...rule, task: "optional" }, () => run("tool"));
  server.registerTool("open", { task: "optional" }, () => "open");
  server.registerPrompt(
    "kept",
    { ...rule, arguments: [{ name: "x" }], complete: { x: () => [run("completer")] } },
    () => run("prompt"),
  );
  server.registerResource("one", "notes://kept/one", { ...rule }, () => run("resource"));
  server.registerResource("free", "notes://free", {}, () => "free");
  const template = new ResourceTemplate("vault://{id}", {
    complete: { id: () => [run("completer")] },
  });
  const cacheHint = { ttlMs: 1000, cacheScope: "public" } as const;
  server.registerResource("vault", template, { ...rule, cacheHint }, () => run("template"));
  const handler = createHttpHandler(server, {
    authenticate: (head) => {
      const [principal = "", ...scopes] = (head.header("authorization") ?? "").split(" ");
      return { principal, scopes };
    },
  });
  onTestFinished(() => handler.close(0));
  return { server, handler, ran };
}

async function connected(revision: string, rule: object, authorization: string, hides = false) {
  const { handler, ...others } = served(rule, hides);
  const client = new RawClient(handler, { revision, authorization });
  await client.open();
  return { client, ...others };
}

/** Returns the answer to a request; for a subscription, its first message. */
async function answerTo(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    return response.text();
  const reader = response.body!.getReader();
  let text = "";
  while (!/\n\n/.test(text.replace(/^(?:id|retry|:).*\n\n?/gm, ""))) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader.cancel();
  return text;
}

describe.each(REVISIONS)("the access check of every method at %s", (revision) => {
  const possible = ways.filter(([, , , has]) => has(revision));

  it.each(possible)("refuses %s without the scope, with a challenge (AUTH-06)", async (...way) => {
    const { client, ran } = await connected(revision, rules.scopes, "eve r");
    const response = await client.post({ method: way[1], params: way[2] });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('scope="w"'),
    ]);
    expect(ran).toEqual([]);
  });

  it.each(["visible", "scopes, hidden"] as const)(
    "answers as if the definition did not exist: %s",
    async (kind) => {
      for (const [name, method, params] of possible) {
        const hides = kind === "scopes, hidden";
        const { client, ran } = await connected(revision, rules[kind], "eve r", hides);
        const text = await answerTo(await client.post({ method, params }));
        if (method === "subscriptions/listen") expect(text, name).not.toMatch(/kept|vault/);
        else expect(text, name).toMatch(/"error"/);
        expect(text, name).not.toMatch(/secret|taskId/);
        expect(ran).toEqual([]);
      }
    },
  );

  it.each(Object.keys(rules) as (keyof typeof rules)[])(
    "admits senders with the scope: %s",
    async (kind) => {
      for (const [name, method, params] of possible) {
        const { client } = await connected(revision, rules[kind], "ada w", kind !== "scopes");
        const response = await client.post({ method, params });
        expect([name, response.status]).toEqual([name, 200]);
        expect(await answerTo(response), name).not.toContain('"error"');
      }
    },
  );

  it("never lets shared caches store a guarded read (CACHE-11, CACHE-12)", async () => {
    for (const rule of Object.values(rules)) {
      const { client } = await connected(revision, rule, "ada w");
      for (const uri of ["notes://kept/one", "vault://one"]) {
        const text = await (
          await client.post({ method: "resources/read", params: { uri } })
        ).text();
        expect(text).not.toContain('"public"');
      }
      const text = await (
        await client.post({ method: "resources/read", params: { uri: "notes://free" } })
      ).text();
      expect(text.includes('"public"')).toBe(revision === NEWEST);
    }
  });

  it("prevents tasks of unknown and hidden tools (TASK-07)", async () => {
    if (revision !== WITH_TASKS) return;
    const { client } = await connected(revision, rules.visible, "eve r");
    for (const name of ["kept", "nothing"]) {
      const params = { name, arguments: {}, task: {} };
      const text = await (await client.post({ method: "tools/call", params })).text();
      expect(text).toContain("-32602");
    }
  });
});

describe("a subscription to a parent", () => {
  it("does not report changes of resources below it that the sender must not read", async () => {
    const { server, client } = await connected(NEWEST, rules.scopes, "eve r");
    server.registerResource("shown", "notes://kept/shown", {}, () => "shown");
    const params = listen("notes://kept");
    const response = await client.post({ method: "subscriptions/listen", params });
    const reader = response.body!.getReader();
    let text = "";
    const read = async (until: RegExp) => {
      while (!until.test(text)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await read(/acknowledged/);
    server.resourceUpdated("notes://kept/one");
    server.resourceUpdated("notes://kept/shown");
    await read(/kept\/shown/);
    expect(text).not.toContain("kept/one");
    await reader.cancel();
  });
});
