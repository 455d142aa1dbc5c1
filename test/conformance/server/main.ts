import { parseArgs } from "node:util";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { listen } from "@mcp-codegen/runtime/http/node";
import { revisions } from "@mcp-codegen/universal";
import { everythingServer } from "./everything-server.js";
import { connectShared } from "./shared.js";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    revisions: { type: "string" },
    redis: { type: "string" },
  },
});

const only = values.revisions?.split(",");
const served = revisions.filter(({ id }) => only?.includes(id) ?? true);
const shared = values.redis === undefined ? undefined : await connectShared(values.redis);
const server = await everythingServer(served, shared);
const sessions = shared && new SharedSessions(shared.stores);
const listening = await listen(createHttpHandler(server, { sessions }), {
  port: Number(values.port ?? 3000),
  path: "/mcp",
});
console.log(`Listening on ${listening.url} for ${served.map(({ id }) => id).join(", ")}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void listening.close().then(() => shared?.close()));
}
