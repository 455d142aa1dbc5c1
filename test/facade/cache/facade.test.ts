import {
  connect,
  type ConnectOptions,
  createHttpHandler,
  type McpClient,
  McpServer,
} from "@mcp-codegen/universal";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "@mcp-codegen/runtime/http/node";

interface Fixture {
  readonly server: McpServer;
  readonly client: McpClient;
  requested(): number;
  names(): Promise<string[]>;
}

async function fixture(options: ConnectOptions): Promise<Fixture> {
  let requested = 0;
  const server = new McpServer(
    { name: "fresh", version: "1.0.0" },
    {
      freshness: { "tools/list": { ttlMs: 60_000 } },
      middleware: [
        ({ method }, next) => {
          if (method === "tools/list") requested += 1;
          return next();
        },
      ],
    },
  );
  server.registerTool("first", {}, () => "1");
  const { url, close } = await listen(createHttpHandler(server));
  onTestFinished(() => close());
  const client = await connect(url, options);
  onTestFinished(() => client.close());
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of client.tools()) found.push(name);
    return found;
  };
  return { server, client, requested: () => requested, names };
}

const headers = (): Record<string, string> => ({});

it("the universal client requests a fresh result only once (CACHE-05)", async () => {
  const { requested, names } = await fixture({});
  expect([await names(), await names()]).toEqual([["first"], ["first"]]);
  expect(requested()).toBe(1);
});

it("the universal client sends each request without a cache (CACHE-05)", async () => {
  const { requested, names } = await fixture({ cache: false });
  await names();
  await names();
  expect(requested()).toBe(2);
});

it("headers that may name another account prevent caching, unless the account is named (CACHE-08)", async () => {
  for (const [options, expected] of [
    [{ headers }, 2],
    [{ http: { headers } }, 2],
    [{ headers, cache: { partition: () => "me" } }, 1],
    [{ headers: {} }, 1],
  ] as const) {
    const { requested, names } = await fixture(options);
    await names();
    await names();
    expect(requested()).toBe(expected);
  }
});

it("the universal client sends the request again after a change notification (CACHE-09)", async () => {
  const { server, client, requested, names } = await fixture({});
  let notified = 0;
  client.on("toolsChanged", () => void (notified += 1));
  await names();
  let added = 0;
  await expect
    .poll(() => {
      added += 1;
      server.registerTool(`more-${added}`, {}, () => "");
      return notified;
    })
    .toBeGreaterThan(0);
  const before = requested();
  expect((await names()).length).toBeGreaterThan(1);
  expect(requested()).toBe(before + 1);
});
