import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClientBase } from "../../runtime/engine/index.js";
import { Tools } from "@mcp-codegen/runtime/features";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { listen, type Listening } from "@mcp-codegen/runtime/http/node";
import { clientOfAnyKind } from "../../runtime/negotiation/index.js";
import { serverOfAnyKind } from "../../runtime/negotiation/index.js";
import { ServerBase } from "../../runtime/engine/index.js";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import type { Transport } from "../../runtime/wire/messages/transport.js";
import { knowledgeOf } from "./support/knows.js";
import { type Package, packages } from "./support/packages.js";
import { Tap } from "./tap/tap.js";
import { TappedTransport } from "./tap/tapped-transport.js";
import { RawHttpClient } from "./wires/http-client.js";

const newestFirst = packages.toReversed();
const revisions = newestFirst.map(({ revision }) => revision);
const info = { name: "a", version: "1.0.0" };

/** A server for clients of all revisions, each of which it serves under its own. */
class AnyServer extends ServerBase<object, object, object, object> {
  constructor() {
    const tools = new Tools({ schemas: "unchecked" });
    const outputSchema = { type: "object" } as const;
    tools.add({ name: "count", inputSchema: { type: "object" }, outputSchema }, () => ({
      structuredContent: { count: 1 },
    }));
    super(revisions, info, {}, { features: [tools], onerror: () => {} }, serverOfAnyKind);
  }
}

class AnyClient extends ClientBase<object, object, object, object> {
  constructor(known = revisions) {
    super(known, info, {}, {}, clientOfAnyKind);
  }
}

describe.each(["memory", "Streamable HTTP"])("over %s", (wire) => {
  const server = new AnyServer();
  let listening: Listening;
  beforeAll(async () => {
    listening = await listen(createHttpHandler(server));
  });
  afterAll(() => listening.close(0));

  /** Creates the client's end of a connection to the server. Its messages are checked against the agreed revision. */
  function connection(client: readonly Package[]): { transport: Transport; tap: Tap } {
    const tap = new Tap({ packages: client, side: "client" });
    if (wire !== "memory") {
      return { transport: new TappedTransport(new HttpClientTransport(listening.url), tap), tap };
    }
    const [near, far] = memoryPair();
    void server.fork().connect(far);
    return { transport: new TappedTransport(near, tap), tap };
  }

  it.each(packages.map((one) => [one.revision.id, one] as const))(
    "connects a client of %s to a server of all revisions (LIFE-08)",
    async (id, from) => {
      const { transport, tap } = connection([from]);
      const client = new from.Client(info);
      await client.connect(transport);
      expect(client.revision).toBe(id);
      const result = await client.callTool({ name: "count" });
      expect("structuredContent" in result).toBe(knowledgeOf(from).structuredOutput);
      await client.close();
      expect(tap.violations).toEqual([]);
    },
  );

  it("chooses the newest revision that both sides have (LIFE-07, LIFE-08)", async () => {
    const { transport, tap } = connection(newestFirst);
    const client = new AnyClient();
    await client.connect(transport);
    expect(client.revision).toBe(revisions[0]!.id);
    await client.close();
    expect(tap.violations).toEqual([]);
  });

  it("disconnects a client whose only revision the server does not support (LIFE-09)", async () => {
    const client = new AnyClient([{ ...revisions[0]!, id: "1999-12-31" }]);
    await expect(client.connect(connection(newestFirst).transport)).rejects.toMatchObject({
      code: "UNSUPPORTED_REVISION",
      received: revisions[0]!.id,
    });
  });
});

it.each(packages.map((one) => [one.revision.id, one] as const))(
  "connects a client of all revisions to a server of %s (LIFE-08)",
  async (id, from) => {
    const [near, far] = memoryPair();
    const tap = new Tap({ packages: [...newestFirst], side: "client" });
    await new from.Server(info).connect(far);
    const client = new AnyClient();
    await client.connect(new TappedTransport(near, tap));
    expect(client.revision).toBe(id);
    await client.close();
    expect(tap.violations).toEqual([]);
  },
);

describe("one HTTP server with clients of every revision at once", () => {
  const server = new AnyServer();
  const clients: RawHttpClient[] = [];
  let listening: Listening;
  beforeAll(async () => {
    listening = await listen(createHttpHandler(server));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await listening.close(0);
  });

  it("applies to each session the rules of its revision (BATCH-01, BATCH-02, BASE-09, HTTP-34)", async () => {
    for (const { revision } of packages) {
      const raw = new RawHttpClient(listening.url);
      clients.push(raw);
      const params = { protocolVersion: revision.id, capabilities: {}, clientInfo: info };
      const { result } = await raw.call("init", "initialize", params);
      expect(result.protocolVersion).toBe(revision.id);
      raw.tell("notifications/initialized");
    }
    for (const [index, { revision }] of packages.entries()) {
      const raw = clients[index]!;
      raw.say([{ jsonrpc: "2.0", id: "in a batch", method: "ping" }]);
      const answer = await raw.next();
      if (revision.traits.batching) expect(answer.result).toEqual({});
      else expect(answer.error.code).toBe(-32600);
      const withoutId = revision.traits.errorId === "optional";
      if (!revision.traits.batching) expect(answer.id).toBe(withoutId ? undefined : null);
    }
  });
});
