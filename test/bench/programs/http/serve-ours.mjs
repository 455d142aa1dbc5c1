import { createAdaptorServer } from "@hono/node-server";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { tellPort } from "./port.mjs";

/** Serves by the Node bridge, or as a function of a `Request` on an adapter; with sessions, or without. */
export async function serve(server) {
  const { KEEPS, SESSIONS, VIA } = process.env;
  const handler = createHttpHandler(server, {
    sessions: SESSIONS !== "none",
    ...(KEEPS === "nothing" && { eventStore: null }),
  });
  if (VIA === "web") tellPort(createAdaptorServer({ fetch: handler }));
  else process.send((await listen(handler)).port);
}
