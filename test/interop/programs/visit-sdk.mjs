import { visit } from "./visit.mjs";

/** Visits a server with an official SDK client of either generation. */
export function visitWith(create, transports, call) {
  return visit(async ({ over, url, ...command }, onerror) => {
    const client = create();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no such method
    client.onerror = onerror;
    const transport = transportTo(transports, over, url, command);
    // The transport of version 1 receives the agreed revision; stdio has no such method.
    let revision;
    transport.setProtocolVersion = wrapped(
      transport.setProtocolVersion?.bind(transport),
      (version) => {
        revision = version;
      },
    );
    await client.connect(transport, { timeout: 30_000 });
    const all = async (method, member) => {
      const items = [];
      let cursor;
      do {
        const page = await client[method](cursor === undefined ? undefined : { cursor });
        items.push(...page[member]);
        cursor = page.nextCursor;
      } while (cursor);
      return items;
    };
    return {
      revision: client.getNegotiatedProtocolVersion?.() ?? revision ?? "?",
      capabilities: client.getServerCapabilities(),
      tools: () => all("listTools", "tools"),
      resources: () => all("listResources", "resources"),
      templates: () => all("listResourceTemplates", "resourceTemplates"),
      prompts: () => all("listPrompts", "prompts"),
      call: (name, args) => call(client, { name, arguments: args }),
      read: (uri) => client.readResource({ uri }),
      prompt: (name) => client.getPrompt({ name, arguments: {} }),
      hasPing: client.getProtocolEra?.() !== "modern",
      ping: () => client.ping(),
      close: () => client.close(),
    };
  });
}

function transportTo(transports, over, url, command) {
  if (over === "stdio")
    return new transports.StdioClientTransport({ ...command, stderr: "ignore" });
  const Transport =
    over === "sse" ? transports.SSEClientTransport : transports.StreamableHTTPClientTransport;
  return new Transport(new URL(url));
}

const wrapped = (original, also) => (version) => {
  also(version);
  original?.(version);
};
