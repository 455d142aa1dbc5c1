import {
  connect,
  connectInMemory,
  createHttpHandler,
  McpServer,
  ResourceTemplate,
} from "@mcp-codegen/universal";
import { describe, expect, it, onTestFinished } from "vitest";
import { RawClient, REVISIONS } from "./raw-client.js";

const isAda = ({ auth }: { auth: { principal: string } | undefined }) => auth?.principal === "ada";

/** Creates a server whose definitions are all reserved for ada, except one that is open to everyone. */
function restricted(rule: object, options: object = {}) {
  const server = new McpServer(
    { name: "restricted", version: "1" },
    { freshness: { "tools/list": { ttlMs: 1000, cacheScope: "public" } }, ...options },
  );
  server.registerTool("open", {}, () => "open");
  server.registerTool("secret", { ...rule }, () => "secret");
  server.registerPrompt("open", {}, () => "open");
  server.registerPrompt("secret", { ...rule, complete: {} }, () => "secret");
  server.registerResource("open", "notes://open", {}, () => "open");
  server.registerResource("secret", "notes://secret", { ...rule }, () => "secret");
  const template = new ResourceTemplate("vault://{id}", {
    list: () => [{ name: "one", uri: "vault://one" }],
    complete: { id: () => ["one"] },
  });
  server.registerResource("vault", template, { ...rule }, () => "secret");
  const handler = createHttpHandler(server, {
    authenticate: (head) => {
      const [principal = "", ...scopes] = (head.header("authorization") ?? "").split(" ");
      return { principal, scopes };
    },
  });
  onTestFinished(() => handler.close(0));
  return handler;
}

type Params = Readonly<Record<string, unknown>>;

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const USES: readonly (readonly [string, Params])[] = [
  ["tools/call", { name: "secret", arguments: {} }],
  ["prompts/get", { name: "secret" }],
  ["resources/read", { uri: "notes://secret" }],
  ["resources/read", { uri: "vault://one" }],
];
const COMPLETIONS: readonly Params[] = [
  { ref: { type: "ref/prompt", name: "secret" }, argument: { name: "x", value: "" } },
  { ref: { type: "ref/resource", uri: "vault://{id}" }, argument: { name: "id", value: "" } },
];

async function connected(revision: string, rule: object, authorization: string, options?: object) {
  const client = new RawClient(restricted(rule, options), { revision, authorization });
  await client.open();
  return client;
}

const textOf = async (response: Promise<Response>) => (await response).text();

/** Returns an answer without the names and ids that identify its subject. */
const shape = (answer: string): string =>
  answer.replace(/secret|one|nothing/g, "?").replace(/"id":\d+/, "");

describe.each(REVISIONS)("definitions that a rule hides at %s", (revision) => {
  it("are listed, used and completed for senders who see them", async () => {
    const client = await connected(revision, { visible: isAda }, "ada");
    for (const method of LISTS)
      expect(await textOf(client.post({ method }))).toMatch(/secret|vault/);
    for (const [method, params] of USES) {
      expect(await textOf(client.post({ method, params })), method).toContain('"secret"');
    }
  });

  it("do not exist for others, in lists, calls, completions and subscriptions", async () => {
    const client = await connected(revision, { visible: isAda }, "eve");
    for (const method of LISTS) {
      const text = await textOf(client.post({ method }));
      expect(text, method).toContain('"result"');
      expect(text, method).not.toMatch(/secret|vault/);
    }
    for (const [method, params] of USES) {
      const text = await textOf(client.post({ method, params }));
      const unknown = JSON.parse(JSON.stringify(params).replace(/secret|one/, "nothing")) as Params;
      const other = await textOf(client.post({ method, params: unknown }));
      expect(shape(text), method).toBe(shape(other));
      expect(text).toContain('"error"');
    }
    for (const params of COMPLETIONS) {
      const text = await textOf(client.post({ method: "completion/complete", params }));
      expect(text).toContain("-32602");
    }
    if (revision === "2026-07-28") return;
    const params = { uri: "notes://secret" };
    expect(await textOf(client.post({ method: "resources/subscribe", params }))).toContain(
      '"error"',
    );
  });

  it("are never stored by shared caches", async () => {
    const client = await connected(revision, { visible: isAda }, "ada");
    const text = await textOf(client.post({ method: "tools/list" }));
    if (revision === "2026-07-28") expect(text).toContain('"cacheScope":"private"');
    else expect(text).not.toContain("cacheScope");
  });
});

describe.each(REVISIONS)("required scopes of definitions at %s", (revision) => {
  const rule = { scopes: ["notes:read", "notes:admin"] };

  it("are named by a 403, and the definitions are listed (AUTH-06, AUTH-07)", async () => {
    const client = await connected(revision, rule, "eve notes:read");
    for (const [method, params] of USES) {
      const response = await client.post({ method, params });
      expect([method, response.status]).toEqual([method, 403]);
      expect(response.headers.get("www-authenticate")).toContain('scope="notes:read notes:admin"');
    }
    for (const method of LISTS)
      expect(await textOf(client.post({ method }))).toMatch(/secret|vault/);
  });

  it("admit senders who have them", async () => {
    const client = await connected(revision, rule, "ada notes:read notes:admin");
    for (const [method, params] of USES) {
      expect((await client.post({ method, params })).status, method).toBe(200);
    }
  });

  it("hide the definitions if the server is configured so", async () => {
    const hidden = { hideForbidden: true };
    const eve = await connected(revision, rule, "eve notes:read", hidden);
    const ada = await connected(revision, rule, "ada notes:read notes:admin", hidden);
    for (const method of LISTS) {
      expect(await textOf(eve.post({ method }))).not.toMatch(/secret|vault/);
      expect(await textOf(ada.post({ method }))).toMatch(/secret|vault/);
    }
  });
});

describe("rules", () => {
  it("can be changed later, which sends a change notification of the list", () => {
    const server = new McpServer({ name: "changing", version: "1" });
    const tool = server.registerTool("one", {}, () => "one");
    tool.update({ scopes: ["notes:read"] });
    expect(tool.definition).not.toHaveProperty("scopes");
  });

  it.each([{ scopes: "notes:read" }, { scopes: ["a b"] }, { visible: true }])(
    "are rejected if they are invalid: %j",
    (rule) => {
      const server = new McpServer({ name: "wrong", version: "1" });
      const register = () => server.registerTool("one", rule as object, () => "one");
      expect(register).toThrow(TypeError);
      expect(server.registerTool("one", {}, () => "one").name).toBe("one");
    },
  );

  it("about scopes apply to HTTP only: stdio and memory have no senders (STDIO-22)", async () => {
    const server = new McpServer({ name: "local", version: "1" });
    server.registerTool("one", { scopes: ["notes:read"] }, () => "one");
    const client = await connect(await connectInMemory(server));
    onTestFinished(() => client.close());
    expect((await client.callTool("one")).content).toEqual([{ type: "text", text: "one" }]);
  });
});
