import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contractGuard, type ServerContract as Contract } from "@mcp-codegen/contract";
import type { StdioTarget } from "@mcp-codegen/runtime/facade/client";
import {
  connect,
  type ConnectOptions,
  createHttpHandler,
  type McpClient,
  McpServer,
  ResourceTemplate,
  revisions,
} from "@mcp-codegen/universal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { bundle } from "../support/bundle.js";
import { program } from "./generated-code.js";

const folder = new TestFolder();
/** The program bundled into one file, because it is started a hundred times. */
const bundled = join(folder.path, "changing.mjs");

beforeAll(() => bundle(program("changing"), bundled), 60_000);
afterAll(() => folder[Symbol.dispose]());

const PARTS = ["tools", "prompts", "resources", "resourceTemplates", "instructions"] as const;

/** Matches the requests that send something to a server. */
const SENDING =
  /^(?:tools\/call|prompts\/get|resources\/(?:read|subscribe)|completion\/complete|logging\/setLevel)$/;

async function all(items: AsyncIterable<object>): Promise<Contract["tools"]> {
  const found: { definition: Record<string, unknown> }[] = [];
  for await (const item of items) found.push({ definition: { ...item } });
  return found;
}

function ignore(): void {}

async function contractOf(client: McpClient): Promise<Contract> {
  const { instructions } = client.server;
  return {
    ...(instructions !== undefined && { instructions }),
    tools: await all(client.tools()),
    prompts: await all(client.prompts()),
    resources: await all(client.resources()),
    resourceTemplates: await all(client.resourceTemplates()),
  };
}

/** Sends something to the server in every possible way. */
function calls(client: McpClient): Promise<unknown>[] {
  const ref = { type: "ref/resource", uri: "shop://items/{id}" } as const;
  return [
    client.callTool("buy"),
    client.getPrompt("advice"),
    client.readResource("shop://stock"),
    client.request("completion/complete", { ref, argument: { name: "id", value: "secret" } }),
  ];
}

async function expectRefusals(client: McpClient, part: string): Promise<void> {
  const results = await Promise.allSettled(calls(client));
  for (const result of results) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: { name: "ContractDriftError", changes: [{ list: part, change: "changed" }] },
    });
  }
}

/** A program whose next process may behave differently. */
class ChangingShop extends TestFolder {
  constructor() {
    super();
    this.become("good");
  }

  become(state: string): void {
    writeFileSync(join(this.path, "state"), state);
  }

  get target(): StdioTarget {
    const files = ["state", "log"].map((name) => join(this.path, name));
    return {
      command: process.execPath,
      args: [bundled, ...files],
      stderr: "ignore",
      restart: { initialDelay: 50 },
    };
  }

  pid(state: string): number {
    const lines = readFileSync(join(this.path, "log"), "utf8").split("\n");
    return Number(lines.findLast((line) => line.startsWith(`${state} pid `))!.split(" ")[2]);
  }

  /** Returns the methods that a process received in a given state. */
  asked(state: string): string[] {
    if (!existsSync(join(this.path, "log"))) return [];
    return readFileSync(join(this.path, "log"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith(`${state} `))
      .map((line) => line.slice(state.length + 1));
  }
}

/** HTTP servers that replace one another. Each one forgets its predecessor's sessions. */
class ChangingEndpoint {
  readonly asked: string[] = [];
  #server: McpServer;
  #handler: ReturnType<typeof createHttpHandler>;

  constructor() {
    [this.#server, this.#handler] = served("good");
  }

  async become(state: string): Promise<void> {
    const before = this.#server;
    [this.#server, this.#handler] = served(state);
    await before.close();
  }

  /** Records the methods of requests that belong to a session, or of those sent before a session opens. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const body = request.method === "POST" ? await request.clone().text() : "";
    const response = await this.#handler(request);
    const [, method] = /"method":"([^"]*)"/.exec(body) ?? [];
    if (method !== undefined && response.ok) this.asked.push(method);
    return response;
  };

  async close(): Promise<void> {
    await this.#server.close();
  }
}

function served(state: string): [McpServer, ReturnType<typeof createHttpHandler>] {
  const said = (part: string): string => (state === part ? "Something else" : "As it was");
  const info = { name: "shop", version: "1" };
  const server = new McpServer(info, { instructions: said("instructions"), onerror: () => {} });
  server.registerTool("buy", { description: said("tools") }, () => "Bought");
  server.registerPrompt("advice", { description: said("prompts") }, () => "Do not");
  const description = said("resources");
  server.registerResource("stock", "shop://stock", { description }, () => "None");
  const template = new ResourceTemplate("shop://items/{id}", { complete: { id: () => ["1"] } });
  const config = { description: said("resourceTemplates") };
  server.registerResource("item", template, config, () => "It");
  return [server, createHttpHandler(server, { onerror: () => {} })];
}

const ids = revisions.map((revision) => [revision.id, revision] as const);

describe.each(ids)("a guarded process at %s", (_, revision) => {
  it.each(PARTS)(
    "receives no request after it was started again with other %s",
    async (part) => {
      using shop = new ChangingShop();
      const reader = await connect(shop.target, { revisions: [revision] });
      const contract = await contractOf(reader);
      await reader.close();
      const client = await connect(shop.target, {
        revisions: [revision],
        plugins: [contractGuard(contract)],
        onerror: ignore,
      });
      try {
        await client.callTool("buy");
        shop.become(part);
        await client.callTool("end").catch(() => {});
        await expectRefusals(client, part);
        expect(shop.asked(part)).toContain("tools/list");
        expect(shop.asked(part).filter((method) => SENDING.test(method))).toEqual([]);
        // The reviewed process receives requests again.
        shop.become("good");
        process.kill(shop.pid(part));
        await expect.poll(async () => client.callTool("buy").catch(() => undefined)).toBeDefined();
      } finally {
        await client.close();
      }
    },
    60_000,
  );
});

const withSessions = ids.filter(([, { traits }]) => traits.lifecycle === "initialize");

describe.each(withSessions)("a guarded session over HTTP at %s", (_, revision) => {
  const over = async (
    endpoint: ChangingEndpoint,
    options: Partial<ConnectOptions> = {},
  ): Promise<McpClient> =>
    connect("http://localhost/mcp", {
      revisions: [revision],
      http: { fetch: endpoint.fetch, listen: false },
      onerror: ignore,
      ...options,
    });

  it.each(PARTS)(
    "sends nothing into a new session after 404 if its server has other %s",
    async (part) => {
      const endpoint = new ChangingEndpoint();
      const reader = await over(endpoint);
      const contract = await contractOf(reader);
      await reader.close();
      const client = await over(endpoint, { plugins: [contractGuard(contract)] });
      await client.callTool("buy");
      await endpoint.become(part);
      endpoint.asked.length = 0;
      await expectRefusals(client, part);
      await expectRefusals(client, part);
      expect(endpoint.asked).toContain("initialize");
      expect(endpoint.asked).toContain("tools/list");
      expect(endpoint.asked.filter((method) => SENDING.test(method))).toEqual([]);
      await endpoint.become("good");
      // A server sends no calls on its own: only the next request shows that the session has ended.
      await client.listTools();
      expect(await client.callTool("buy")).toMatchObject({ content: [{ text: "Bought" }] });
      await client.close();
      await endpoint.close();
    },
  );

  it("continues in a new session if its server keeps the contract, with the pending requests", async () => {
    const endpoint = new ChangingEndpoint();
    const reader = await over(endpoint);
    const contract = await contractOf(reader);
    await reader.close();
    const client = await over(endpoint, { plugins: [contractGuard(contract)] });
    await endpoint.become("good");
    const results = await Promise.all(calls(client));
    expect(results).toHaveLength(4);
    expect(endpoint.asked.filter((method) => method === "initialize")).toHaveLength(3);
    await client.close();
    await endpoint.close();
  });
});
