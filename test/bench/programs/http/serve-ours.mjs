import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";

export async function serve(server) {
  process.send((await listen(createHttpHandler(server))).port);
}
