import { parseArgs } from "node:util";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { revisions } from "@mcp-codegen/universal";
import { everythingServer } from "./everything-server.js";

const { values } = parseArgs({
  options: { port: { type: "string" }, revisions: { type: "string" } },
});

const only = values.revisions?.split(",");
const served = revisions.filter(({ id }) => only?.includes(id) ?? true);
const listening = await listen(createHttpHandler(await everythingServer(served)), {
  port: Number(values.port ?? 3000),
  path: "/mcp",
});
console.log(`Listening on ${listening.url} for ${served.map(({ id }) => id).join(", ")}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void listening.close());
}
