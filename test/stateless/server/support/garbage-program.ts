/** Prints how many bytes each call leaves that only a full garbage collection can free. Needs `--expose-gc`. */
import assert from "node:assert/strict";
import { getHeapSpaceStatistics } from "node:v8";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";

declare const gc: (options?: { readonly type: "minor" }) => void;

const AT_ONCE = 8;
const CALLS = 400;

/** The bytes that each call uses, in addition to what the runtime uses. */
const size = Number(process.argv[2]);
/** True to keep what each call uses, which proves that the measurement sees it. */
const isKept = process.argv[3] === "kept";

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

function usedOutsideNewSpace(): number {
  gc({ type: "minor" });
  gc({ type: "minor" });
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name !== "new_space");
  return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
}

async function run(call: () => Promise<void>): Promise<void> {
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let left = CALLS / AT_ONCE; left > 0; left -= 1) await call();
  });
  await Promise.all(callers);
}

const kept: number[][] = [];
const server = new McpServer({ name: "server", version: "1.0.0" });
server.registerTool("work", {}, async (ctx) => {
  const own = Array.from({ length: size / 8 }, (_, index) => index + 0.5);
  if (isKept) kept.push(own);
  await new Promise((resolve) => setImmediate(resolve));
  return `${ctx.client.info?.name} ${own.length}`;
});
const handle = createHttpHandler(server);
const call = async (): Promise<void> => {
  const response = await handle(new Request("http://localhost/mcp", request));
  assert.match(await response.text(), /client/);
};
const first = run(call);
gc();
gc();
await first;
const before = usedOutsideNewSpace();
await run(call);
console.log((usedOutsideNewSpace() - before) / CALLS);
