import { parseArgs } from "node:util";
import { bridge } from "@mcp-codegen/bridge";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { revisions } from "@mcp-codegen/universal";

const { values } = parseArgs({
  options: { upstream: { type: "string" }, revisions: { type: "string" } },
});

const only = values.revisions?.split(",");
const served = revisions.filter(({ id }) => only?.includes(id) ?? true);
const server = await bridge(values.upstream!, { server: { revisions: served }, onerror: () => {} });
// The suite has no credentials, and stateless callers without a principal are not asked anything.
const authenticate = () => ({ principal: "suite" });
const listening = await listen(createHttpHandler(server, { authenticate }), {
  port: 0,
  path: "/mcp",
});
console.log(`Listening on ${listening.url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void listening.close().then(() => server.close()));
}
