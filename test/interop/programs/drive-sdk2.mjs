import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { drive, impossible } from "./drive.mjs";

/** A Standard Schema that accepts everything. */
const anything = {
  "~standard": { version: 1, vendor: "interop", validate: (value) => ({ value }) },
};

function transportTo({ over, url, ...command }) {
  if (over === "stdio") return new StdioClientTransport({ ...command, stderr: "ignore" });
  if (over === "sse") return new SSEClientTransport(new URL(url));
  return new StreamableHTTPClientTransport(new URL(url));
}

await drive(async ({ target, mode }) => {
  const capabilities = { sampling: {}, roots: { listChanged: true }, elicitation: { form: {} } };
  const client = new Client(
    { name: "theirs", version: "2.0.0" },
    { versionNegotiation: { mode }, capabilities },
  );
  const heard = { log: [], tools: 0, updated: [] };
  const roots = [{ uri: "file:///home/me" }];
  const reported = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no such method
  client.onerror = (error) => reported.push(String(error.message).split("\n")[0].slice(0, 200));
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "adder",
    content: { type: "text", text: "4" },
  }));
  client.setRequestHandler("roots/list", () => ({ roots }));
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  client.setNotificationHandler("notifications/message", ({ params }) => {
    heard.log.push(params.data);
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    heard.tools += 1;
  });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.updated.push(params.uri);
  });
  await client.connect(transportTo(target));
  const isStateless = client.getProtocolEra?.() === "modern";
  let meta = {};
  let subscription;
  return {
    client,
    heard,
    roots,
    reported,
    has: () => true,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args, ...meta }, options),
    request: (method) => client.request({ method }, anything),
    logLevel: async (level) => {
      if (isStateless) meta = { _meta: { "io.modelcontextprotocol/logLevel": level } };
      else await client.setLoggingLevel(level);
    },
    listen: async () => {
      const uri = "note://1";
      if (!isStateless) return client.subscribeResource({ uri });
      subscription ??= await client.listen({
        toolsListChanged: true,
        resourceSubscriptions: [uri],
      });
    },
    unlisten: async () => {
      if (!isStateless) return client.unsubscribeResource({ uri: "note://1" });
      if (subscription === undefined) impossible("no subscription");
      await subscription.close();
    },
  };
});
