import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;

const AT_ONCE = 8;
const CALLS = 400;
/** The bytes that each call uses, in addition to what the runtime uses. */
const SIZE = 10_000;

const META = "io.modelcontextprotocol/";
const request = {
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "work",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "work",
      _meta: {
        [`${META}protocolVersion`]: "2026-07-28",
        [`${META}clientInfo`]: { name: "client", version: "1.0.0" },
        [`${META}clientCapabilities`]: {},
      },
    },
  }),
};

/** Returns the number of bytes that only a full garbage collection can free. */
function old(): number {
  collect({ type: "minor" });
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name !== "new_space");
  return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
}

async function run(call: () => Promise<void>): Promise<void> {
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let left = CALLS / AT_ONCE; left > 0; left -= 1) await call();
  });
  await Promise.all(callers);
}

test("requests in progress at the same time are not kept until a full garbage collection", async () => {
  const server = new McpServer({ name: "server", version: "1.0.0" });
  server.registerTool("work", {}, async (ctx) => {
    const own = Array.from({ length: SIZE / 8 }, (_, index) => index + 0.5);
    await new Promise((resolve) => setImmediate(resolve));
    return `${ctx.client.info?.name} ${own.length}`;
  });
  const handle = createHttpHandler(server);
  const call = async (): Promise<void> => {
    const response = await handle(new Request("http://localhost/mcp", request));
    expect(await response.text()).toContain("client");
  };
  const first = run(call);
  collect();
  collect();
  await first;
  const before = old();
  await run(call);
  expect((old() - before) / CALLS).toBeLessThan(0.7 * SIZE);
});
