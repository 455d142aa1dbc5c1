import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import { drive, impossible } from "./drive.mjs";

const elicits = types.ElicitRequestSchema !== undefined;

async function transportTo({ over, url, ...command }) {
  if (over === "stdio") {
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    return new StdioClientTransport({ ...command, stderr: "ignore" });
  }
  if (over === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    // Versions before 1.8 rely on a global that browsers have.
    globalThis.EventSource ??= await eventSource();
    return new SSEClientTransport(new URL(url));
  }
  const { StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return new StreamableHTTPClientTransport(new URL(url));
}

async function eventSource() {
  const { EventSource, default: constructor } = await import("eventsource").catch(() => ({}));
  return EventSource ?? constructor;
}

await drive(async ({ target }) => {
  const capabilities = {
    sampling: {},
    roots: { listChanged: true },
    ...(elicits && { elicitation: {} }),
  };
  const client = new Client({ name: "theirs", version: "1.0.0" }, { capabilities });
  const heard = { log: [], tools: 0, updated: [] };
  const roots = [{ uri: "file:///home/me" }];
  const reported = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no such method
  client.onerror = (error) => reported.push(String(error.message).split("\n")[0].slice(0, 200));
  client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
    role: "assistant",
    model: "adder",
    content: { type: "text", text: "4" },
  }));
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots }));
  if (elicits)
    client.setRequestHandler(types.ElicitRequestSchema, () => ({
      action: "accept",
      content: { name: "Ada" },
    }));
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => {
    heard.log.push(params.data);
  });
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
    heard.tools += 1;
  });
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.updated.push(params.uri);
  });
  await client.connect(await transportTo(target));
  return {
    client,
    heard,
    roots,
    reported,
    has: (feature) => feature !== "elicitation" || elicits,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
    request: (method) => client.request({ method }, types.ResultSchema),
    logLevel: (level) => client.setLoggingLevel(level),
    listen: () => client.subscribeResource({ uri: "note://1" }),
    unlisten: () =>
      client.unsubscribeResource?.({ uri: "note://1" }) ?? impossible("no such method"),
  };
});
