import { parseArgs } from "node:util";
import { createHttpHandler } from "@mcp-codegen/runtime/http";
import { listen } from "@mcp-codegen/runtime/node";
import { everythingServer } from "./everything-server.js";
import { handshakeRevisions } from "./handshake-revisions.js";

const { values } = parseArgs({
  options: { port: { type: "string" }, revisions: { type: "string" } },
});

const server = everythingServer(await handshakeRevisions(values.revisions?.split(",")));
const listening = await listen(createHttpHandler(server), {
  port: Number(values.port ?? 3000),
  path: "/mcp",
});
const ids = server.revisions.map(({ id }) => id);
console.log(`Listening on ${listening.url} for ${ids.join(", ")}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void listening.close());
}
